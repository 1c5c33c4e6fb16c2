//! A line of source as it is shown: odd bytes are escaped, long lines are cut around what is meant.

use std::ops::Range;

use base::visible;

/// Bytes of a line in an excerpt. Lines that people write are shorter; those of minified and generated code may have a million.
const WIDEST: usize = 400;

/// How many of them come before what is meant, if the line is longer.
const BEFORE: usize = 120;

/// A line with a mark.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Marked {
    pub(crate) text: String,
    /// The bytes of the text that are meant.
    pub(crate) mark: Range<usize>,
}

/// The line with a mark on the word at a column (in bytes, from 1). Without a column the whole line is meant.
pub(crate) fn marked(line: &[u8], column: u32) -> Marked {
    let word = word_at(line, column);
    let window = window(line, word.start, WIDEST);
    let mut text = if window.start > 0 { "…".to_owned() } else { String::new() };
    text.push_str(&shown(&line[window.start..word.start]));
    let start = text.len();
    let word_end = word.end.min(window.end);
    text.push_str(&shown(&line[word.start..word_end]));
    let end = text.len();
    text.push_str(&shown(&line[word_end..window.end]));
    if window.end < line.len() {
        text.push('…');
    }
    Marked { text, mark: start..end }
}

/// A line that is there for orientation.
pub(crate) fn beside(line: &[u8]) -> String {
    marked(line, 1).text
}

/// What a line says around a column, without the white space at its ends, in so many bytes.
pub(crate) fn brief(line: &[u8], column: u32, bytes: usize) -> String {
    let start = line.len() - line.trim_ascii_start().len();
    let line = line.trim_ascii();
    let at = (column as usize).saturating_sub(1).saturating_sub(start).min(line.len());
    // What fits is shown from its beginning.
    let at = if at < bytes * 3 / 4 { 0 } else { at };
    let window = window(line, at, bytes);
    let before = if window.start > 0 { "…" } else { "" };
    let behind = if window.end < line.len() { "…" } else { "" };
    format!("{before}{}{behind}", shown(&line[window]).replace('\t', "    ").trim_end())
}

/// The part of a line that is shown, whole letters.
fn window(line: &[u8], at: usize, bytes: usize) -> Range<usize> {
    if line.len() <= bytes {
        return 0..line.len();
    }
    let start = at.saturating_sub(BEFORE.min(bytes / 2)).min(line.len() - bytes);
    letter_start(line, start)..letter_start(line, start + bytes)
}

/// The place, or that of the letter it is in the middle of.
fn letter_start(line: &[u8], at: usize) -> usize {
    let is_middle = |at: usize| line.get(at).is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000);
    // No letter has more than four bytes; what has is none.
    (0..4).map_while(|back| at.checked_sub(back)).find(|&at| !is_middle(at)).unwrap_or(at)
}

/// With tabs, which the excerpt widens.
fn shown(line: &[u8]) -> String {
    let parts: Vec<String> = line.split(|&byte| byte == b'\t').map(visible::bytes).collect();
    parts.join("\t")
}

/// The bytes of the word that starts at a column (in bytes, from 1), or of the one letter there. Without a column the whole
/// line is meant.
fn word_at(line: &[u8], column: u32) -> Range<usize> {
    let line = line.trim_ascii_end();
    let Some(start) = column.checked_sub(1) else {
        return line.len() - line.trim_ascii_start().len()..line.len();
    };
    let start = letter_start(line, (start as usize).min(line.len()));
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let word = line[start..].iter().position(|byte| !is_word(byte)).unwrap_or(line.len() - start);
    let letter = usize::from(start < line.len());
    start..start + word.max(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_covers_a_word() {
        assert_eq!(word_at(b"  free(p);", 3), 2..6);
        assert_eq!(word_at(b"  *p = 1;", 3), 2..3);
        assert_eq!(word_at("größe = 1;".as_bytes(), 1), 0..7);
        assert_eq!(word_at("größe = 1;".as_bytes(), 4), 2..7);
        assert_eq!(word_at(b"short", 99), 5..5);
        assert_eq!(word_at(b"    all = of it;", 0), 4..16);
        assert_eq!(word_at(b"", 0), 0..0);
    }

    #[track_caller]
    fn check(line: &[u8], column: u32, text: &str, mark: &str) {
        let marked = marked(line, column);
        assert_eq!(marked.text, text);
        assert_eq!(&marked.text[marked.mark], mark);
    }

    #[test]
    fn odd_bytes_move_the_mark() {
        check(b"\t/* gr\xf6\xdfe */ *p = 1;", 14, "\t/* gr\\xf6\\xdfe */ *p = 1;", "*");
        check(b"/*\x1b[2J\r\0*/ *p = 1;", 12, "/*\\x1b[2J\\r\\x00*/ *p = 1;", "*");
        check("/*\u{202e}*/ count++;".as_bytes(), 9, "/*\\u{202e}*/ count++;", "count");
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let line = format!("{}*p = 1;{}", "f();".repeat(250_000), "g();".repeat(250_000));
        let cut = marked(line.as_bytes(), 1_000_001);
        assert_eq!(&cut.text[cut.mark.clone()], "*");
        assert!(
            cut.text.starts_with("…f();") && cut.text.ends_with("…") && cut.text.len() < 500,
            "{}",
            cut.text
        );
        let end = marked(line.as_bytes(), 1_999_999 + 8);
        assert!(end.text.ends_with("g();") && end.text.len() < 500, "{}", end.text);
        let letters = "ü".repeat(10_000);
        assert!(!marked(letters.as_bytes(), 9_002).text.contains("\\x"));
        assert!(brief(line.as_bytes(), 1_000_001, 100).contains("f();*p = 1;g();"));
    }

    #[test]
    fn brief_lines_begin_with_their_first_word() {
        assert_eq!(brief(b"\t  p = 0; \r", 4, 100), "p = 0;");
        assert_eq!(brief(b"abcdefgh", 1, 4), "abcd…");
        assert_eq!(brief(b"p\t= 0;\x1b", 1, 100), "p    = 0;\\x1b");
    }
}
