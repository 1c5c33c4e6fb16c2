//! The trace as a story: every step with its place, what happens, and the line of source; callees are indented.

use crate::finding::Step;
use crate::text::paint::{self, Paint};
use crate::text::sources::Sources;

/// Indentation that is worth its room; deeper calls stay there.
const DEEPEST: usize = 12;

/// Letters of a source line that are shown.
const LINE: usize = 100;

/// Letters of what happens that are shown: a condition on what a path does may fill pages. JSON has all of it.
pub(crate) const EVENT: usize = 200;

/// The story, with a heading and line ends. Empty if there is none.
pub(crate) fn told(trace: &[Step], sources: &mut Sources<'_>, paint: Paint) -> String {
    if trace.is_empty() {
        return String::new();
    }
    let mut text = format!("  {}\n", paint.bold("how it comes about:"));
    let mut before: Option<&Step> = None;
    for (number, step) in (1..).zip(trace) {
        let indent = " ".repeat(4 + 2 * step.depth.min(DEEPEST));
        let number = format!("{number}.");
        let function = match before {
            Some(before) if (before.depth, &before.function) == (step.depth, &step.function) => String::new(),
            _ => format!(" in `{}`", step.function),
        };
        let place = paint.place(&place(step));
        text.push_str(&format!(
            "{indent}{number} {place}{function}: {}\n",
            paint::clean(&step.message, EVENT)
        ));
        let is_same_line =
            before.is_some_and(|before| (&before.file, before.line) == (&step.file, step.line));
        if !is_same_line && let Some(line) = sources.line(&step.file, step.line) {
            let margin = " ".repeat(number.len() + 3);
            text.push_str(&format!("{indent}{margin}{}\n", paint.dim(&paint::clean(line.trim(), LINE))));
        }
        before = Some(step);
    }
    text
}

/// `file:line:column`, or what of it is known.
fn place(step: &Step) -> String {
    match (step.file.as_str(), step.line, step.column) {
        ("", _, _) => "an unknown place".to_owned(),
        (file, 0, _) => file.to_owned(),
        (file, line, 0) => format!("{file}:{line}"),
        (file, line, column) => format!("{file}:{line}:{column}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_say_what_is_known() {
        let step = |file: &str, line, column| {
            let (function, message) = (String::new(), String::new());
            place(&Step { file: file.to_owned(), line, column, function, depth: 0, message })
        };
        assert_eq!(step("a.c", 3, 5), "a.c:3:5");
        assert_eq!(step("a.c", 3, 0), "a.c:3");
        assert_eq!(step("a.c", 0, 0), "a.c");
        assert_eq!(step("", 0, 0), "an unknown place");
    }
}
