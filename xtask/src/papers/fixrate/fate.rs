//! What became of a finding: a decision on texts and findings of both versions, without files.
//!
//! A function is *mended* if its finding is gone and a hunk lies near the lines that the finding names in it:
//! from three lines above the first to three below the last. A finding is gone if the new version has none of
//! its kind at the same text in this function, and fewer of its kind there than before.
//! Not covered: errors that are mended in a callee, a macro or a header; such a function is unchanged, and
//! its finding is gone.

use super::hunk::{self, Hunk, Line};

/// Lines around those of a finding that belong to it.
const NEAR: usize = 3;

/// What became of a finding and its function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is gone, and this is the hunk that did it.
    Mended(String),
    /// The function has changed; not near the finding, or the finding is still there.
    Changed { is_gone: bool },
    /// There is no such function any more.
    Deleted,
    /// The function is the same.
    Unchanged { is_gone: bool },
    /// The function is there, but it was not analyzed: its unit did not compile.
    NotAnalyzed,
}

/// A finding in the old version.
pub(crate) struct Subject<'s> {
    pub(crate) kind: &'s str,
    /// Its lines in the function, from 1: the place and the steps of the trace.
    pub(crate) lines: Vec<usize>,
    /// The text of its place, without blanks.
    pub(crate) place: String,
}

/// A function in one version.
pub(crate) struct InVersion<'v> {
    pub(crate) lines: &'v [Line],
    /// The findings in it: kind, and text of the place without blanks.
    pub(crate) findings: Vec<(&'v str, String)>,
}

/// What became of a finding in a function that both versions have and analyzed.
pub(crate) fn fate(subject: &Subject<'_>, old: &InVersion<'_>, new: &InVersion<'_>) -> Fate {
    let hunks = hunk::hunks(old.lines, new.lines);
    let is_gone = is_gone(subject, old, new);
    if hunks.is_empty() {
        return Fate::Unchanged { is_gone };
    }
    match near(subject, &hunks, old.lines) {
        Some(hunk) if is_gone => Fate::Mended(hunk::text(hunk, old.lines, new.lines)),
        _ => Fate::Changed { is_gone },
    }
}

fn is_gone(subject: &Subject<'_>, old: &InVersion<'_>, new: &InVersion<'_>) -> bool {
    let of_kind = |it: &InVersion<'_>| it.findings.iter().filter(|it| it.0 == subject.kind).count();
    let is_there = new.findings.iter().any(|it| it.0 == subject.kind && it.1 == subject.place);
    !is_there && of_kind(new) < of_kind(old)
}

/// The hunk that is nearest to the place of the finding, of those that lie among its lines.
fn near<'h>(subject: &Subject<'_>, hunks: &'h [Hunk], old: &[Line]) -> Option<&'h Hunk> {
    let first = subject.lines.iter().min()?.saturating_sub(NEAR);
    let last = subject.lines.iter().max()? + NEAR;
    let place = *subject.lines.first()?;
    let touched = |hunk: &Hunk| touched(hunk, old);
    let within = hunks.iter().filter(|hunk| {
        let (from, to) = touched(hunk);
        from <= last && to >= first
    });
    within.min_by_key(|hunk| {
        let (from, to) = touched(hunk);
        from.saturating_sub(place).max(place.saturating_sub(to))
    })
}

/// The first and the last line of the old version that a hunk touches; what is only added touches its neighbors.
fn touched(hunk: &Hunk, old: &[Line]) -> (usize, usize) {
    let number = |index: usize| old.get(index).map(|line| line.number);
    let (before, behind) = (number(hunk.old.start.wrapping_sub(1)), number(hunk.old.end));
    match old.get(hunk.old.clone()) {
        Some([first, .., last]) => (first.number, last.number),
        Some([only]) => (only.number, only.number),
        _ => (before.or(behind).unwrap_or(0), behind.or(before).unwrap_or(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAK: &str = "int f(void)\n{\n  char *p = malloc(1);\n  a();\n  b();\n  c();\n  d();\n  e();\n  if (x())\n    return 1;\n  free(p);\n  return 0;\n}";

    fn lines_of(text: &str) -> Vec<Line> {
        let file: Vec<String> = text.lines().map(str::to_owned).collect();
        hunk::lines(&file, 1, file.len())
    }

    fn judged(new: &str, still: &[&str]) -> Fate {
        let place = hunk::essence("  char *p = malloc(1);");
        let subject = Subject { kind: "memory-leak", lines: vec![3, 10], place: place.clone() };
        let (old, new) = (lines_of(LEAK), lines_of(new));
        let old = InVersion { lines: &old, findings: vec![("memory-leak", place)] };
        let findings = still.iter().map(|text| ("memory-leak", hunk::essence(text))).collect();
        fate(&subject, &old, &InVersion { lines: &new, findings })
    }

    #[test]
    fn a_hunk_between_the_lines_of_the_finding_mends() {
        let fixed = LEAK.replace("  if (x())\n", "  if (x()) {\n    free(p);\n");
        let Fate::Mended(hunk) = judged(&fixed, &[]) else { panic!("mended") };
        assert!(hunk.contains("+   10     free(p);"), "{hunk}");
    }

    #[test]
    fn what_is_still_told_is_not_mended() {
        let changed = LEAK.replace("  if (x())\n", "  if (y())\n");
        assert_eq!(judged(&changed, &["char *p = malloc( 1 );"]), Fate::Changed { is_gone: false });
        let renamed = LEAK.replace("char *p", "char *q");
        assert_eq!(judged(&renamed, &["char *q = malloc(1);"]), Fate::Changed { is_gone: false });
        assert_eq!(judged(LEAK, &["char *p = malloc(1);"]), Fate::Unchanged { is_gone: false });
    }

    #[test]
    fn what_is_gone_without_a_hunk_nearby_is_not_mended_here() {
        assert_eq!(judged(LEAK, &[]), Fate::Unchanged { is_gone: true });
        let elsewhere = LEAK.replace("int f(void)\n{\n", "int f(void)\n{\n\n\n\n\n\n  g();\n");
        assert!(matches!(judged(&elsewhere, &[]), Fate::Mended(_)), "line 2 is near line 3");
        let long = format!("int f(void)\n{{\n{}{}", "  h();\n".repeat(20), &LEAK["int f(void)\n{\n".len()..]);
        let subject = Subject { kind: "k", lines: vec![23, 30], place: "p".into() };
        let old = lines_of(&long);
        let new = lines_of(&long.replacen("  h();\n", "  g();\n", 1));
        let old = InVersion { lines: &old, findings: vec![("k", "p".into())] };
        let new = InVersion { lines: &new, findings: Vec::new() };
        assert_eq!(fate(&subject, &old, &new), Fate::Changed { is_gone: true });
    }
}
