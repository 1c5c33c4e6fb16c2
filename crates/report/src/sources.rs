//! Source files while a report is made: their bytes, handed in and kept, and where their lines begin.
//!
//! Lines are counted as clang counts them: `\n`, `\r\n` and a `\r` alone end a line. Nothing is asked of the
//! bytes: they may be no UTF-8, or contain NUL.

use std::collections::BTreeMap;

use crate::statement::Tokens;

/// Source files, each asked for once.
pub(crate) struct Sources<'s> {
    read: &'s dyn Fn(&str) -> Option<Vec<u8>>,
    /// None if a file is not there any more.
    files: BTreeMap<String, Option<Source>>,
}

/// A source file.
pub(crate) struct Source {
    bytes: Vec<u8>,
    /// Where lines begin; behind the last line end only if something follows.
    starts: Vec<usize>,
    /// Made when they are needed.
    tokens: Option<Tokens>,
}

impl<'s> Sources<'s> {
    pub(crate) fn new(read: &'s dyn Fn(&str) -> Option<Vec<u8>>) -> Sources<'s> {
        Sources { read, files: BTreeMap::new() }
    }

    /// The file of that name.
    pub(crate) fn file(&mut self, file: &str) -> Option<&mut Source> {
        if !self.files.contains_key(file) {
            let source = (self.read)(file).map(Source::new);
            self.files.insert(file.to_owned(), source);
        }
        self.files.get_mut(file)?.as_mut()
    }
}

impl Source {
    pub(crate) fn new(bytes: Vec<u8>) -> Source {
        let starts = line_starts(&bytes);
        Source { bytes, starts, tokens: None }
    }

    pub(crate) fn n_lines(&self) -> usize {
        self.starts.len()
    }

    /// A line without its end, counted from 1.
    pub(crate) fn line(&self, line: u32) -> Option<&[u8]> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).copied().unwrap_or(self.bytes.len());
        let line = &self.bytes[start..end];
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// The statement at a place, without comments and with one space between its tokens; empty if the file does not have the place.
    pub(crate) fn statement(&mut self, line: u32, column: u32) -> Vec<u8> {
        let start = (line as usize).checked_sub(1).and_then(|index| self.starts.get(index));
        let Some(start) = start else { return Vec::new() };
        let at = start + (column as usize).saturating_sub(1);
        let tokens = self.tokens.get_or_insert_with(|| Tokens::of(&self.bytes));
        tokens.statement(&self.bytes, at)
    }
}

fn line_starts(bytes: &[u8]) -> Vec<usize> {
    let ends = bytes
        .iter()
        .enumerate()
        .filter(|&(at, &byte)| byte == b'\n' || byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
    let starts = [0].into_iter().chain(ends.map(|(at, _)| at + 1));
    starts.filter(|&start| start < bytes.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_clang_says() {
        let source = Source::new(b"one\r\ntwo\rthree\n\nfi\0ve\xff".to_vec());
        let lines: Vec<&[u8]> = (1..).map_while(|line| source.line(line)).collect();
        assert_eq!(lines, [&b"one"[..], b"two", b"three", b"", b"fi\0ve\xff"]);
        assert_eq!(source.n_lines(), 5);
        assert_eq!(Source::new(b"a\n".to_vec()).n_lines(), 1);
        assert_eq!(Source::new(Vec::new()).line(1), None);
    }
}
