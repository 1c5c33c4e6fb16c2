//! The texts of source files while a report is written.

use std::collections::BTreeMap;

/// Source files, each asked for once.
pub(crate) struct Sources<'s> {
    read: &'s dyn Fn(&str) -> Option<String>,
    /// None if a file is not there any more.
    texts: BTreeMap<String, Option<String>>,
}

impl<'s> Sources<'s> {
    pub(crate) fn new(read: &'s dyn Fn(&str) -> Option<String>) -> Sources<'s> {
        Sources { read, texts: BTreeMap::new() }
    }

    /// The lines of a file, with their ends.
    pub(crate) fn lines(&mut self, file: &str) -> Option<Vec<&str>> {
        let read = self.read;
        let text = self.texts.entry(file.to_owned()).or_insert_with(|| read(file));
        Some(text.as_deref()?.split_inclusive('\n').collect())
    }

    /// One line of a file, counted from 1.
    pub(crate) fn line(&mut self, file: &str, line: u32) -> Option<&str> {
        let index = (line as usize).checked_sub(1)?;
        self.lines(file)?.get(index).copied()
    }
}
