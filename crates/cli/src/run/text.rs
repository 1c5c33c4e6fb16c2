//! The report as text: every finding with the lines of source that tell its story.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use catalog::Severity;

use crate::run::report::{Finding, Report, Step};

/// The whole report, with colors if it goes to a terminal.
pub(crate) fn text(report: &Report, colors: bool) -> String {
    let renderer = if colors { Renderer::styled() } else { Renderer::plain() };
    let mut sources = Sources::default();
    let mut text = String::new();
    for finding in &report.findings {
        text.push_str(&renderer.render(&[group(finding, &mut sources)]));
        text.push_str("\n\n");
    }
    for note in &report.notes {
        text.push_str(&renderer.render(&[Group::with_title(Level::NOTE.secondary_title(note.as_str()))]));
        text.push('\n');
    }
    text + &summary(report)
}

/// The last line.
pub(crate) fn summary(report: &Report) -> String {
    let mut kinds: BTreeMap<_, usize> = BTreeMap::new();
    report.findings.iter().for_each(|finding| *kinds.entry(finding.kind).or_default() += 1);
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let findings = match report.findings.len() {
        0 => "no findings".to_owned(),
        1 => format!("1 finding: {}", kinds.join(", ")),
        n => format!("{n} findings: {}", kinds.join(", ")),
    };
    let summary = &report.summary;
    let given_up = match summary.gave_up {
        0 => String::new(),
        n => format!(", {n} given up"),
    };
    format!("{findings}; {} of {} functions were executed{given_up}\n", summary.analyzed, summary.functions)
}

/// The texts of source files; none if a file cannot be read any more.
#[derive(Default)]
struct Sources {
    texts: BTreeMap<String, Option<String>>,
}

impl Sources {
    fn get(&mut self, file: &str) -> Option<&str> {
        let read = || fs::read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        self.texts.entry(file.to_owned()).or_insert_with(read).as_deref()
    }
}

fn group(finding: &Finding, sources: &mut Sources) -> Group<'static> {
    let level = match finding.kind.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(finding.message.clone()).id(finding.kind.id());
    let mut group = Group::with_title(title);
    for (file, marks) in marks_by_file(finding) {
        match sources.get(&file).and_then(|source| snippet(&file, source, &marks)) {
            Some(snippet) => group = group.element(snippet),
            None => group = group.elements(origins(&file, &marks)),
        }
    }
    let note = format!("{}, found by executing main [{}]", finding.verdict, finding.id);
    group.element(Level::NOTE.message(note))
}

/// Something to say about a place.
struct Mark {
    line: u32,
    column: u32,
    label: String,
    is_primary: bool,
}

/// The steps of a finding as marks: its own file first, then the others in the order of the story. Steps carry their
/// number, because they stand in the order of lines.
fn marks_by_file(finding: &Finding) -> Vec<(String, Vec<Mark>)> {
    let mut files: Vec<(String, Vec<Mark>)> = vec![(finding.file.clone(), Vec::new())];
    for (number, step) in (1..).zip(&finding.trace) {
        let position = files.iter().position(|(file, _)| *file == step.file);
        let position = position.unwrap_or_else(|| {
            files.push((step.file.clone(), Vec::new()));
            files.len() - 1
        });
        add_mark(&mut files[position].1, step, format!("{number}: {}", step.message), is_at(finding, step));
    }
    files
}

fn is_at(finding: &Finding, step: &Step) -> bool {
    (finding.line, finding.column, &finding.file) == (step.line, step.column, &step.file)
}

/// Steps at one place share a mark.
fn add_mark(marks: &mut Vec<Mark>, step: &Step, label: String, is_primary: bool) {
    match marks.iter_mut().find(|mark| (mark.line, mark.column) == (step.line, step.column)) {
        Some(mark) => mark.label.push_str(&format!("; {label}")),
        None => marks.push(Mark { line: step.line, column: step.column, label, is_primary }),
    }
}

/// The marked lines of a file; none if some mark is not in it.
fn snippet(
    file: &str,
    source: &str,
    marks: &[Mark],
) -> Option<Snippet<'static, annotate_snippets::Annotation<'static>>> {
    let first = marks.iter().map(|mark| mark.line).min()?.checked_sub(1)? as usize;
    let last = marks.iter().map(|mark| mark.line).max()? as usize;
    let lines: Vec<&str> = source.split_inclusive('\n').collect();
    let part: String = lines.get(first..last)?.concat();
    let mut snippet = Snippet::source(part.clone()).line_start(first + 1).path(file.to_owned());
    for mark in marks {
        let before: usize = lines[first..mark.line as usize - 1].iter().map(|line| line.len()).sum();
        let word = word_at(lines[mark.line as usize - 1], mark.column);
        let kind = if mark.is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let span = before + word.start..before + word.end;
        snippet = snippet.annotation(kind.span(span).label(mark.label.clone()));
    }
    Some(snippet)
}

/// Places without source.
fn origins(file: &str, marks: &[Mark]) -> Vec<annotate_snippets::Element<'static>> {
    let mut elements = Vec::new();
    for mark in marks {
        let origin = Origin::path(file.to_owned()).line(mark.line as usize).char_column(mark.column as usize);
        elements.push(origin.into());
        elements.push(Level::NOTE.message(mark.label.clone()).into());
    }
    elements
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
