//! Snapshots without what changes from run to run.
//!
//! Replacements are plain text, not patterns: a pattern that matches too much hides a difference.

use std::path::Path;

/// An ordered list of replacements.
#[derive(Clone, Debug, Default)]
pub struct Normalizer {
    steps: Vec<Replacement>,
}

#[derive(Clone, Debug)]
enum Replacement {
    Text { from: String, to: String },
    Positions,
    HexIds { digits: usize },
    NumberBefore { unit: String },
}

impl Normalizer {
    /// Nothing is replaced yet.
    pub fn new() -> Normalizer {
        Normalizer::default()
    }

    /// Replaces a directory by a name such as `$DIR`.
    pub fn path(self, path: &Path, name: &str) -> Normalizer {
        self.text(&path.to_string_lossy(), name)
    }

    /// Replaces a text, which must not be empty.
    pub fn text(mut self, from: &str, to: &str) -> Normalizer {
        assert!(!from.is_empty(), "the text to replace is not empty");
        self.steps.push(Replacement::Text { from: from.into(), to: to.into() });
        self
    }

    /// Replaces `:12:5` by `:LL:CC`.
    pub fn positions(mut self) -> Normalizer {
        self.steps.push(Replacement::Positions);
        self
    }

    /// Replaces words of exactly that many hexadecimal digits by `[id]`.
    pub fn hex_ids(mut self, digits: usize) -> Normalizer {
        self.steps.push(Replacement::HexIds { digits });
        self
    }

    /// Replaces the number in front of a unit, as in `17 ms`, by `[n]`.
    pub fn number_before(mut self, unit: &str) -> Normalizer {
        self.steps.push(Replacement::NumberBefore { unit: unit.into() });
        self
    }

    /// Applies the replacements one after the other.
    pub fn apply(&self, text: &str) -> String {
        self.steps.iter().fold(text.to_owned(), |text, step| match step {
            Replacement::Text { from, to } => text.replace(from, to),
            Replacement::Positions => positions(&text),
            Replacement::HexIds { digits } => hex_ids(&text, *digits),
            Replacement::NumberBefore { unit } => number_before(&text, unit),
        })
    }
}

fn positions(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(':') {
        result.push_str(&rest[..at]);
        rest = &rest[at..];
        let replaced = number_after_colon(rest).and_then(|rest| number_after_colon(rest));
        match replaced {
            Some(behind) => {
                result.push_str(":LL:CC");
                rest = behind;
            }
            None => {
                result.push(':');
                rest = &rest[1..];
            }
        }
    }
    result + rest
}

/// What follows `:123`, if the text starts so.
fn number_after_colon(text: &str) -> Option<&str> {
    let digits = text.strip_prefix(':')?;
    let behind = digits.trim_start_matches(|letter: char| letter.is_ascii_digit());
    (behind.len() < digits.len()).then_some(behind)
}

fn hex_ids(text: &str, digits: usize) -> String {
    let is_id = |word: &str| word.len() == digits && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut result = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let word_end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(word_end);
        result.push_str(if is_id(word) { "[id]" } else { word });
        let gap_end = behind.find(is_part).unwrap_or(behind.len());
        result.push_str(&behind[..gap_end]);
        rest = &behind[gap_end..];
    }
    result
}

fn number_before(text: &str, unit: &str) -> String {
    let mut parts = text.split(unit).peekable();
    let mut result = String::new();
    while let Some(part) = parts.next() {
        let is_digit = |letter: char| letter.is_ascii_digit() || letter == '.';
        let number = part.trim_end_matches(' ');
        let before = number.trim_end_matches(is_digit);
        let has_unit = parts.peek().is_some();
        if has_unit && before.len() < number.len() {
            result.push_str(before);
            result.push_str("[n]");
            result.push_str(&part[number.len()..]);
        } else {
            result.push_str(part);
        }
        result.push_str(if has_unit { unit } else { "" });
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_names() {
        let normalizer = Normalizer::new().path(Path::new("/some/where"), "$DIR").text("0.1.0", "VERSION");
        assert_eq!(normalizer.apply("/some/where/a.c by 0.1.0"), "$DIR/a.c by VERSION");
    }

    #[test]
    fn positions_are_hidden() {
        let apply = |text| Normalizer::new().positions().apply(text);
        assert_eq!(apply("a.c:12:5: error, b.c:7: x::y 1:2:3"), "a.c:LL:CC: error, b.c:7: x::y 1:LL:CC");
        assert_eq!(apply("at é:1:2"), "at é:LL:CC");
        assert_eq!(apply(":"), ":");
    }

    #[test]
    fn ids_are_hidden() {
        let apply = |text| Normalizer::new().hex_ids(4).apply(text);
        assert_eq!(apply("id 00ff, \"beef\" x00ff 00ff0 é dead"), "id [id], \"[id]\" x00ff 00ff0 é [id]");
    }

    #[test]
    fn measurements_are_hidden() {
        let apply = |text| Normalizer::new().number_before("ms").apply(text);
        assert_eq!(apply("took 12.5 ms and 7ms; items"), "took [n] ms and [n]ms; items");
        assert_eq!(apply("some ms"), "some ms");
    }
}
