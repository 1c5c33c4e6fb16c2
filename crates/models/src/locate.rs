//! Where something stands in a file: the line of a key, for messages.
//!
//! Rows are read without places, which most files never need; a file with mistakes is parsed once more.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::read::At;

/// A file with its places.
pub(crate) struct Places<'t> {
    /// None if it is no TOML.
    file: Option<Spanned<DeTable<'t>>>,
    lines: Lines,
}

impl<'t> Places<'t> {
    pub(crate) fn of(text: &'t str) -> Places<'t> {
        Places { file: DeTable::parse(text).ok(), lines: Lines::of(text) }
    }

    /// The line of a key in a part of the file, from 1; that of the part itself if the key is not in it.
    pub(crate) fn line(&self, at: At, key: Option<&str>) -> Option<usize> {
        let file = self.file.as_ref()?.get_ref();
        let (section, number) = match at {
            At::File => return key.and_then(|key| find(file, key)).map(|start| self.lines.at(start)),
            At::Fn(number) => ("fn", number),
            At::Family(number) => ("family", number),
        };
        let row = file.get(section)?.get_ref().as_array()?.get(number)?;
        let inside = key.zip(row.get_ref().as_table()).and_then(|(key, table)| find(table, key));
        Some(self.lines.at(inside.unwrap_or(row.span().start)))
    }
}

/// Where the key begins, in the table or in the cases below it.
fn find(table: &DeTable<'_>, key: &str) -> Option<usize> {
    if let Some((key, _)) = table.get_key_value(key) {
        return Some(key.span().start);
    }
    let cases = table.get("case").and_then(|cases| cases.get_ref().as_array())?;
    cases.iter().filter_map(|case| DeValue::as_table(case.get_ref())).find_map(|case| find(case, key))
}

/// The lines of a text.
pub struct Lines {
    /// Where they end, in order.
    ends: Vec<usize>,
}

impl Lines {
    /// Of this text.
    pub fn of(text: &str) -> Lines {
        Lines { ends: text.match_indices('\n').map(|(at, _)| at).collect() }
    }

    /// The line, from 1, in which a byte stands.
    pub fn at(&self, byte: usize) -> usize {
        self.ends.partition_point(|&end| end < byte) + 1
    }
}
