//! The trace as a story: every step with its place, what happens, and the line of source; callees are
//! indented.

use crate::finding::{Spot, Step};
use crate::sources::Sources;
use crate::text::line;
use crate::text::paint::{self, Paint};

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
    let mut text = format!("  {}\n", paint.bold("trace:"));
    let mut before: Option<&Step> = None;
    for (number, step) in (1..).zip(trace) {
        let indent = " ".repeat(4 + 2 * step.depth.min(DEEPEST));
        let number = format!("{number}.");
        let function = match before {
            Some(before) if (before.depth, &before.function) == (step.depth, &step.function) => String::new(),
            _ => format!(" in `{}`", paint::clean(&step.function, usize::MAX)),
        };
        let place = paint.place(&place(step.place()));
        text.push_str(&format!(
            "{indent}{number} {place}{function}: {}\n",
            paint::clean(&step.message, EVENT)
        ));
        let is_same_line =
            before.is_some_and(|before| (&before.file, before.line) == (&step.file, step.line));
        if !is_same_line && let Some(line) = sources.file(&step.file).and_then(|it| it.line(step.line)) {
            let margin = " ".repeat(number.len() + 3);
            text.push_str(&format!("{indent}{margin}{}\n", paint.dim(&line::brief(line, step.column, LINE))));
        }
        before = Some(step);
    }
    text
}

/// `file:line:column`, or what of it is known.
pub(crate) fn place((file, line, column): Spot<'_>) -> String {
    match (paint::clean(file, usize::MAX).as_str(), line, column) {
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
        assert_eq!(place(("a.c", 3, 5)), "a.c:3:5");
        assert_eq!(place(("a.c", 3, 0)), "a.c:3");
        assert_eq!(place(("a.c", 0, 0)), "a.c");
        assert_eq!(place(("", 0, 0)), "an unknown place");
        assert_eq!(place(("a\nb.c", 3, 0)), "a\\nb.c:3");
    }
}
