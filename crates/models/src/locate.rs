//! Where something stands in a file: the line of a key, for messages.
//!
//! Rows are read without places, which most files never need; a file with a mistake is parsed once more.

use toml::de::{DeTable, DeValue};

use crate::read::At;

/// The line of a key in a part of the file, from 1; that of the part itself if the key is not in it.
pub(crate) fn line(text: &str, at: At, key: Option<&str>) -> Option<usize> {
    let file = DeTable::parse(text).ok()?;
    let file = file.get_ref();
    let (section, number) = match at {
        At::File => return key.and_then(|key| find(file, key)).map(|start| line_of(text, start)),
        At::Fn(number) => ("fn", number),
        At::Family(number) => ("family", number),
    };
    let row = file.get(section)?.get_ref().as_array()?.get(number)?;
    let inside = key.zip(row.get_ref().as_table()).and_then(|(key, table)| find(table, key));
    Some(line_of(text, inside.unwrap_or(row.span().start)))
}

/// Where the key begins, in the table or in the cases below it.
fn find(table: &DeTable<'_>, key: &str) -> Option<usize> {
    if let Some((key, _)) = table.get_key_value(key) {
        return Some(key.span().start);
    }
    let cases = table.get("case").and_then(|cases| cases.get_ref().as_array())?;
    cases.iter().filter_map(|case| DeValue::as_table(case.get_ref())).find_map(|case| find(case, key))
}

/// The line, from 1, in which a byte of a text stands.
pub fn line_of(text: &str, start: usize) -> usize {
    text.as_bytes().iter().take(start).filter(|&&byte| byte == b'\n').count() + 1
}
