//! Headline and excerpt: the lines around the place of a finding, with a caret.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use catalog::Severity;

use crate::finding::Finding;
use crate::sources::{Source, Sources};
use crate::text::line;
use crate::text::paint;
use crate::text::trace;

/// Lines shown before the one that is meant.
const BEFORE: usize = 2;

/// Lines shown after it.
const AFTER: usize = 1;

/// Stands for the place until the excerpt is rendered. Foreign text is cleaned, so that it has no such character.
const PLACE: &str = "\u{1}";

/// The headline of a finding with its place, and the lines around it.
pub(crate) fn rendered(finding: &Finding, sources: &mut Sources<'_>, renderer: &Renderer) -> String {
    let text = renderer.render(&[group(finding, sources)]);
    // A snippet counts columns of what is shown of a line, not of the line.
    let Some((before, rest)) = text.split_once(PLACE) else { return text };
    format!("{before}{}{}", trace::place(finding.place()), rest.trim_start_matches(|it: char| it != '\n'))
}

fn group(finding: &Finding, sources: &mut Sources<'_>) -> Group<'static> {
    let level = match finding.kind.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let id = format!("{}, {}", finding.kind, finding.verdict);
    let group = Group::with_title(level.primary_title(paint::clean(&finding.message, usize::MAX)).id(id));
    match sources.file(&finding.file).and_then(|source| snippet(finding, source)) {
        Some(snippet) => group.element(snippet),
        None => group.element(Origin::path(PLACE)),
    }
}

/// The lines around the place; none if the file does not have it.
fn snippet(finding: &Finding, source: &Source) -> Option<Snippet<'static, Annotation<'static>>> {
    let meant = line::marked(source.line(finding.line)?, finding.column);
    let at = finding.line as usize;
    let (first, last) = (at.saturating_sub(BEFORE).max(1), (at + AFTER).min(source.n_lines()));
    let mut text = String::new();
    let mut mark = 0..0;
    for number in first..=last {
        if number == at {
            mark = text.len() + meant.mark.start..text.len() + meant.mark.end;
            text.push_str(&meant.text);
        } else {
            text.push_str(&source.line(number as u32).map(line::beside).unwrap_or_default());
        }
        text.push('\n');
    }
    let mut caret = AnnotationKind::Primary.span(mark);
    if let Some(step) = finding.trace.iter().rev().find(|step| step.place() == finding.place()) {
        caret = caret.label(paint::clean(&step.message, trace::EVENT));
    }
    Some(Snippet::source(text).line_start(first).path(PLACE).fold(false).annotation(caret))
}
