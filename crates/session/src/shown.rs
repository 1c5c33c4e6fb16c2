//! What of all findings a report has, as [`conditions::disposition`] decides: one for each defect, and what
//! the user wants to see.

use std::collections::BTreeSet;

use catalog::{Choice, Issue, Verdict};
use conditions::disposition::defects::{self, Outline, Step};
use report::{Files, Finding, Report, words};

/// What the user wants to see. [`Default`] is what is shown to who asks for nothing in particular.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only this; empty for all but what is on request.
    pub only: BTreeSet<Choice>,
    /// Not this.
    pub skip: BTreeSet<Choice>,
    /// Whether to show latent errors that are no leaks, too.
    pub latent: bool,
    /// Whether to leave out what rests on functions that nobody knows.
    pub no_unknown: bool,
}

impl Selection {
    /// Everything, dead code included.
    pub fn everything(latent: bool) -> Selection {
        let only = Issue::ALL.iter().copied().map(Choice::Kind).collect();
        Selection { only, latent, ..Selection::default() }
    }

    /// Whether findings of that kind and verdict are wanted.
    pub fn wants(&self, issue: Issue, verdict: Verdict) -> bool {
        let some = |choices: &BTreeSet<Choice>| choices.iter().any(|it| it.is_about(issue, verdict));
        let is_chosen = if self.only.is_empty() { !issue.is_on_request() } else { some(&self.only) };
        is_chosen && !some(&self.skip)
    }

    /// What the user wants to see of a report.
    pub fn of(&self, report: Report) -> Report {
        let is_known = |it: &Finding| self.wants(it.kind, it.verdict);
        let is_left_out = |it: &Finding| self.no_unknown && !it.assumes.is_empty();
        let wanted = report.findings.iter().filter(|it| is_known(it));
        let mut shown = defects::shown(&wanted.map(outline).collect::<Vec<_>>(), self.latent).into_iter();
        let findings = report.findings.iter();
        let shown: Vec<bool> = findings.map(|it| is_known(it) && shown.next().unwrap_or(true)).collect();
        let left_out = report.findings.iter().zip(&shown).filter(|(it, shown)| **shown && is_left_out(it));
        let left_out = left_out.count();
        let known: Vec<bool> = report.findings.iter().map(|it| is_known(it) && !is_left_out(it)).collect();
        let mut report = report.keep(&known, &shown);
        report.notes.extend((left_out > 0).then(|| words::left_out(left_out)));
        report
    }
}

/// What engines found, with the names of files that the user knows: one finding for each defect, with ids.
pub fn named(report: Report, files: &Files<'_>) -> Report {
    one_each(report.with_files(files)).with_ids()
}

/// One finding for each defect.
fn one_each(mut report: Report) -> Report {
    for rule in [defects::one_leak_per_call, defects::one_each, defects::one_per_failure] {
        let outlines: Vec<Outline<'_>> = report.findings.iter().map(outline).collect();
        let kept = rule(&outlines);
        report = report.keep(&kept, &kept);
    }
    report
}

/// The same for the doomed points of one function, and of all of them.
pub(crate) fn keep(findings: &mut Vec<Finding>, rule: fn(&[Outline<'_>]) -> Vec<bool>) {
    let outlines: Vec<Outline<'_>> = findings.iter().map(outline).collect();
    let mut kept = rule(&outlines).into_iter();
    findings.retain(|_| kept.next().unwrap_or(true));
}

fn outline(finding: &Finding) -> Outline<'_> {
    Outline {
        issue: finding.kind,
        verdict: finding.verdict,
        fate: finding.fate,
        function: (&finding.file, &finding.function),
        place: (&finding.file, finding.line, finding.column),
        steps: finding.trace.iter().map(step).collect(),
        origin: finding.origin,
    }
}

fn step(step: &report::Step) -> Step<'_> {
    Step {
        place: (&step.file, step.line, step.column),
        function: (&step.file, &step.function),
        depth: step.depth,
        said: &step.message,
    }
}
