//! The door: all that we write to the two streams goes through here, results to standard output, everything
//! else to standard error.
//!
//! File names, symbols, `#line` directives, messages of clang, configuration and arguments are not ours, and
//! may contain whatever a terminal obeys. No control character passes the door but line ends and tabs, and in
//! [`print_painted`] colors. Foreign text is made visible where it is put into a sentence, too, so that it
//! cannot end lines (`base::visible`); what is forgotten there stops here.
//!
//! The only others who write are the progress bar, which gets its messages through
//! [`progress`](crate::progress), and the build that is captured, whose output is its own.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Write};

use anyhow::{Context, Result};
use base::visible;

/// Writes results. A reader that went away (`indict ir a.c | head`) has seen enough: that is no error.
pub(crate) fn print(text: &str) -> Result<()> {
    write_out(&filtered(text, false))
}

/// Writes results with colors. What is foreign in them has been made visible.
pub(crate) fn print_painted(text: &str) -> Result<()> {
    write_out(&filtered(text, true))
}

fn write_out(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("while writing to standard output")
        }
        _ => Ok(()),
    }
}

/// Says what is wrong with the input or the machine.
pub(crate) fn complain(message: &str) {
    tell(&format!("indict: {message}\n"));
}

/// Writes what is not a result. If nobody listens, there is nobody to tell about that either.
pub(crate) fn tell(text: &str) {
    let _ = io::stderr().lock().write_all(filtered(text, false).as_bytes());
}

/// The same with colors.
pub(crate) fn tell_painted(text: &str) {
    let _ = io::stderr().lock().write_all(filtered(text, true).as_bytes());
}

/// The text without control characters but line ends, tabs and, if they are wanted, colors.
fn filtered(text: &str, colors: bool) -> Cow<'_, str> {
    let is_fine = |letter| visible::is_plain(letter) || matches!(letter, '\n' | '\t');
    if text.chars().all(is_fine) {
        return Cow::Borrowed(text);
    }
    let mut passed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        passed.push_str(&visible::lines(&rest[..at]));
        let length = if colors { color(&rest[at..]) } else { 0 };
        match length {
            0 => passed.push_str("\\x1b"),
            _ => passed.push_str(&rest[at..at + length]),
        }
        rest = &rest[at + length.max(1)..];
    }
    passed.push_str(&visible::lines(rest));
    Cow::Owned(passed)
}

/// The length of the sequence that sets a color at the beginning of the text: `ESC [ 1 ; 31 m`. 0 if there is
/// none.
fn color(text: &str) -> usize {
    let Some(numbers) = text.strip_prefix("\u{1b}[") else { return 0 };
    let rest = numbers.trim_start_matches(|it: char| it.is_ascii_digit() || it == ';');
    if rest.starts_with('m') { text.len() - rest.len() + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colors_pass() {
        let text = "\u{1b}[1;31mred\u{1b}[0m\t\u{1b}[2J\u{1b}]0;x\u{7}\u{9b}31m\r\n\u{1b}[31";
        let rest = "\t\\x1b[2J\\x1b]0;x\\x07\\u{9b}31m\\r\n\\x1b[31";
        assert_eq!(filtered(text, true), format!("\u{1b}[1;31mred\u{1b}[0m{rest}"));
        assert_eq!(filtered(text, false), format!("\\x1b[1;31mred\\x1b[0m{rest}"));
        assert_eq!(filtered("größe\n", true), "größe\n");
    }
}
