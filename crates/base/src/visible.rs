//! Foreign text made visible: what could move a cursor, change colors or reverse a line is shown as an
//! escape.
//!
//! ```text
//! ESC [ 2 J       a file name that clears the screen       \x1b[2J
//! U+202E          text that is read from right to left     \u{202e}
//! the byte FF     no UTF-8                                 \xff
//! ```
//!
//! A backslash stays as it is: most texts with one are C. So the result is for people, not for parsers.

use std::fmt::Write;

/// Whether a character is what a reader sees of it. Letters of all scripts are; line ends and tabs are not, but see [`lines`].
pub fn is_plain(letter: char) -> bool {
    match letter {
        ' '..='~' => true,
        // Invisible, or about the direction of what stands around it: soft hyphen, joiners, marks, overrides and isolates,
        // separators of lines and paragraphs, the byte order mark, annotations, tags.
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' => false,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => false,
        '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => false,
        _ => !letter.is_control(),
    }
}

/// A text that is one line, such as a name: line ends and tabs are escaped, too.
pub fn line(text: &str) -> String {
    escaped(text, |_| false)
}

/// A text that may have several lines, such as the messages of a compiler.
pub fn lines(text: &str) -> String {
    escaped(text, |letter| matches!(letter, '\n' | '\t'))
}

/// The bytes of one line, which need not be UTF-8.
pub fn bytes(bytes: &[u8]) -> String {
    let mut shown = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        shown.push_str(&line(chunk.valid()));
        chunk.invalid().iter().for_each(|&byte| push_byte(&mut shown, byte));
    }
    shown
}

fn escaped(text: &str, is_kept: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            _ if is_plain(letter) || is_kept(letter) => shown.push(letter),
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            '\0'..='\x7f' => push_byte(&mut shown, letter as u8),
            _ => write!(shown, "\\u{{{:x}}}", u32::from(letter)).expect("invariant: a string takes all text"),
        }
    }
    shown
}

fn push_byte(shown: &mut String, byte: u8) {
    write!(shown, "\\x{byte:02x}").expect("invariant: a string takes all text");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_the_cursor_is_shown() {
        assert_eq!(line("\u{1b}]0;x\u{7}\r\n\t\u{7f}\u{9b}31m"), "\\x1b]0;x\\x07\\r\\n\\t\\x7f\\u{9b}31m");
        assert_eq!(
            line("a\u{202e}b\u{2066}c\u{feff}d\u{2028}e"),
            "a\\u{202e}b\\u{2066}c\\u{feff}d\\u{2028}e"
        );
        assert_eq!(line("größe 大 🐛 \\x1b"), "größe 大 🐛 \\x1b");
        assert_eq!(lines("a\n\tb\r\n"), "a\n\tb\\r\n");
        assert_eq!(bytes(b"gr\xf6\xdfe\n"), "gr\\xf6\\xdfe\\n");
        assert_eq!(bytes(b"\xe2\x80"), "\\xe2\\x80");
    }

    #[test]
    fn nothing_harmful_is_plain() {
        let harmful = (0..0x20).chain(0x7f..0xa0).chain(0x202a..0x202f).chain(0x2066..0x206a);
        let harmful = harmful.chain([0x200e, 0x200f, 0x61c, 0x2028, 0x2029, 0x200b, 0xfeff]);
        for code in harmful {
            let letter = char::from_u32(code).expect("a character");
            assert!(!is_plain(letter), "{code:x}");
            assert!(line(&letter.to_string()).is_ascii(), "{code:x}");
        }
    }
}
