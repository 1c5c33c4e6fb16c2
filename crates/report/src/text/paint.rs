//! Colors, or none.

use annotate_snippets::renderer::{AnsiColor, Effects, Style};
use base::visible;

/// How to write on a terminal; in a pipe or a file, as plain text.
#[derive(Clone, Copy)]
pub(crate) struct Paint {
    colors: bool,
}

impl Paint {
    pub(crate) fn new(colors: bool) -> Paint {
        Paint { colors }
    }

    /// For words of ours.
    pub(crate) fn bold(self, text: &str) -> String {
        self.with(Style::new().effects(Effects::BOLD), text)
    }

    /// For places.
    pub(crate) fn place(self, text: &str) -> String {
        self.with(AnsiColor::BrightBlue.on_default(), text)
    }

    /// For source code that is there for orientation.
    pub(crate) fn dim(self, text: &str) -> String {
        self.with(Style::new().effects(Effects::DIMMED), text)
    }

    fn with(self, style: Style, text: &str) -> String {
        if self.colors { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

/// Text of the program in one line, without characters that would move the cursor or change colors, and with at most so many letters.
pub(crate) fn clean(text: &str, letters: usize) -> String {
    let text = visible::line(text);
    match text.char_indices().nth(letters) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_letters() {
        assert_eq!(clean("p = 0;", 6), "p = 0;");
        assert_eq!(clean("größe = 1", 4), "größ…");
        assert_eq!(clean("a   b", 3), "a…");
        assert_eq!(clean("a\u{1b}[2J\n", 99), "a\\x1b[2J\\n");
    }
}
