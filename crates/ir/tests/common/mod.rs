//! What the tests share.

#![allow(dead_code, reason = "not every test uses everything")]

pub(crate) mod programs;
pub(crate) mod random;

use std::fs;
use std::path::Path;

/// The names and contents of the `.ir` files in a folder of `tests/ir`, by name.
pub(crate) fn files(folder: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ir").join(folder);
    let mut files: Vec<(String, String)> = fs::read_dir(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .map(|entry| entry.expect("a readable folder"))
        .filter(|entry| entry.path().extension().is_some_and(|it| it == "ir"))
        .map(|entry| {
            let text = fs::read_to_string(entry.path()).expect("a text file");
            (entry.file_name().to_string_lossy().into_owned(), text)
        })
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no .ir files", path.display());
    files
}
