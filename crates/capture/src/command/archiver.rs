//! What `ar` puts into which archive.
//!
//! Source: POSIX `ar`; the manuals of GNU ar 2.40 and `llvm-ar` 19.
//! Not covered: scripts on the standard input (`ar -M`), and members that `ar x` takes out again.

use std::path::Path;

use super::paths::absolute;
use crate::links::{Artifact, ArtifactKind, Input};

/// Long options that take the next word, unless the value follows behind `=`.
const LONG_WITH_VALUE: &[&str] =
    &["--target", "--plugin", "--output", "--record-libdeps", "--format", "--rsp-quoting"];

/// What an archiver's command writes, if anything: words without the program.
pub(super) fn understand(words: &[String], dir: &Path) -> Option<Artifact> {
    let (letters, operands) = split(words);
    // `ar rcs lib.a x.o`, `ar q lib.a x.o`; the other operations show, take out, move or delete members.
    let adds = letters.contains(['r', 'q']) && !letters.contains(['d', 'm', 'p', 't', 'x', 'M']);
    if !adds {
        return None;
    }
    let mut operands = operands.into_iter();
    // `ar ra old.o lib.a new.o` puts the new member behind an old one.
    if letters.contains(['a', 'b', 'i']) {
        operands.next();
    }
    // `N` counts equal members.
    if letters.contains('N') {
        operands.next();
    }
    let path = absolute(dir, Path::new(operands.next()?));
    let inputs: Vec<Input> =
        operands.map(|member| Input::File { path: absolute(dir, Path::new(member)), whole: false }).collect();
    (!inputs.is_empty()).then_some(Artifact { path, kind: ArtifactKind::Archive, inputs })
}

/// The letters of the operation, with or without a dash, together or apart, and the other words.
fn split(words: &[String]) -> (String, Vec<&str>) {
    let mut letters = String::new();
    let mut operands: Vec<&str> = Vec::new();
    let mut rest = words.iter().map(String::as_str);
    while let Some(word) = rest.next() {
        if word.starts_with("--") {
            if LONG_WITH_VALUE.contains(&word) {
                rest.next();
            }
            continue;
        }
        match word.strip_prefix('-') {
            Some("") | None if letters.is_empty() => letters.push_str(word),
            Some(more) if is_operation(more) => letters.push_str(more),
            // AIX and `llvm-ar` choose the width of objects so: `-X64`.
            Some(width) if width.starts_with('X') => {}
            _ => operands.push(word),
        }
    }
    (letters, operands)
}

fn is_operation(letters: &str) -> bool {
    !letters.is_empty() && letters.chars().all(|letter| "dmpqrstxabcDfilMNoOPsSTuUvVL".contains(letter))
}
