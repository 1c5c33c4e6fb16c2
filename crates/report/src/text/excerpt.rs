//! Headline and excerpt: the lines around the place of a finding, with a caret.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Snippet};
use catalog::Severity;

use crate::finding::Finding;
use crate::text::paint;
use crate::text::sources::Sources;
use crate::text::trace;

/// Lines shown before the one that is meant.
const BEFORE: usize = 2;

/// Lines shown after it.
const AFTER: usize = 1;

/// The headline of a finding with its place.
pub(crate) fn group(finding: &Finding, sources: &mut Sources<'_>) -> Group<'static> {
    let level = match finding.kind.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    // What is doomed is of that kind and of that verdict, which need not be said twice.
    let id = match finding.kind.id() == finding.verdict.id() {
        true => finding.kind.to_string(),
        false => format!("{}, {}", finding.kind, finding.verdict),
    };
    let group = Group::with_title(level.primary_title(paint::clean(&finding.message, usize::MAX)).id(id));
    let lines = sources.lines(&finding.file);
    match lines.and_then(|lines| snippet(finding, &lines)) {
        Some(snippet) => group.element(snippet),
        None => group.element(origin(finding)),
    }
}

/// The lines around the place; none if the file does not have it.
fn snippet(finding: &Finding, lines: &[&str]) -> Option<Snippet<'static, Annotation<'static>>> {
    let at = (finding.line as usize).checked_sub(1)?;
    let line = lines.get(at)?;
    let first = at.saturating_sub(BEFORE);
    let last = (at + AFTER).min(lines.len() - 1);
    let before: usize = lines[first..at].iter().map(|line| line.len()).sum();
    let word = word_at(line, finding.column);
    let mut caret = AnnotationKind::Primary.span(before + word.start..before + word.end);
    if let Some(step) = finding.trace.iter().rev().find(|step| step.place() == finding.place()) {
        caret = caret.label(paint::clean(&step.message, trace::EVENT));
    }
    let snippet = Snippet::source(lines[first..=last].concat()).line_start(first + 1);
    Some(snippet.path(finding.file.clone()).fold(false).annotation(caret))
}

/// The place without source.
fn origin(finding: &Finding) -> Origin<'static> {
    let (_, line, column) = finding.place();
    let origin =
        Origin::path(if finding.file.is_empty() { "an unknown place".into() } else { finding.file.clone() });
    match (line, column) {
        (0, _) => origin,
        (line, 0) => origin.line(line as usize),
        (line, column) => origin.line(line as usize).char_column(column as usize),
    }
}

/// The bytes of the word that starts at a column (in bytes, from 1), or of the one letter there. Without a column the whole
/// line is meant.
fn word_at(line: &str, column: u32) -> Range<usize> {
    let line = line.trim_end();
    let Some(start) = column.checked_sub(1) else { return line.len() - line.trim_start().len()..line.len() };
    let start = (start as usize).min(line.len());
    let start = (0..=start).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let word = line[start..].find(|letter| !is_word(letter)).unwrap_or(line.len() - start);
    let letter = line[start..].chars().next().map_or(0, char::len_utf8);
    start..start + word.max(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_covers_a_word() {
        assert_eq!(word_at("  free(p);\n", 3), 2..6);
        assert_eq!(word_at("  *p = 1;\n", 3), 2..3);
        assert_eq!(word_at("größe = 1;", 1), 0..7);
        assert_eq!(word_at("größe = 1;", 4), 2..7);
        assert_eq!(word_at("short", 99), 5..5);
        assert_eq!(word_at("    all = of it;\n", 0), 4..16);
        assert_eq!(word_at("", 0), 0..0);
    }
}
