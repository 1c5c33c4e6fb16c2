//! A finding against all runs of its function.
//!
//! * *doomed* at a line: no run that passed the line returned or exited, of whatever function of the program.
//! * *manifest*: some run in which all pointers are valid and different fails there with that kind; and from
//!   each such input, some choice of failing allocations does, unless none of them ends normally (something
//!   else goes wrong before: excused) or there are more allocations than are tried.
//! * *latent*, if it is shown: some run fails there with that kind.
//! * To fail with a leak is to return, with a block lost that was allocated there.
//!
//! Where no run fails and large values may be needed, there is a second look at those ([`Verdict::Again`]).
//! Source: the README, what the verdicts say; Le et al., OOPSLA 2022, Def. 3.6; Hoenicke et al., FM 2009, Def. 1.

use std::collections::BTreeMap;

use catalog::{Event, Issue};
use report::{Finding, words};

use super::execute::{Input, Run, Runs};

/// What runs say of a finding.
pub(super) enum Verdict {
    /// Nothing against it, and so many inputs were excused.
    Held(u64),
    /// Nobody can tell, and why.
    Skipped(&'static str),
    /// No run does it; more of them may.
    Again(&'static str),
    /// They dispute it: how, and the inputs of such a run.
    Disputed(&'static str, String),
}

/// Kinds that are seen natively.
const SEEN: [Issue; 9] = [
    Issue::NullDeref,
    Issue::UseAfterFree,
    Issue::DoubleFree,
    Issue::InvalidFree,
    Issue::MemoryLeak,
    Issue::UninitRead,
    Issue::OutOfBounds,
    Issue::DivByZero,
    Issue::AssertFailure,
];

/// A line that was passed by a run that ended normally.
pub(super) const PASSED: &str = "a run passes the doomed line and ends normally";
/// Nothing fails there.
pub(super) const NEVER: &str = "no run fails there";
/// Only without valid memory.
const INVALID: &str = "manifest, but no run with valid memory fails there";
/// From some input, none of the choices of the environment fails.
pub(super) const PREVENTED: &str = "manifest, but from an input no run fails there";

/// Judges a finding by all runs of the functions of its program.
pub(super) fn judge(finding: &Finding, program: &BTreeMap<String, Runs>) -> Verdict {
    if finding.verdict == catalog::Verdict::Doomed {
        return judge_doomed(finding, program);
    }
    if !SEEN.contains(&finding.kind) {
        return Verdict::Skipped("a kind that is not seen natively");
    }
    let Some(runs) = program.get(&finding.function) else {
        return Verdict::Skipped("a function that is not called natively");
    };
    let lines = lines(finding);
    let fails = |run: &Run| does_fail(finding, &lines, run);
    let Some(_) = runs.example(fails) else {
        let why = if runs.is_complete { NEVER } else { "inputs that cannot be enumerated" };
        return Verdict::Again(why);
    };
    if finding.verdict == catalog::Verdict::Latent {
        return Verdict::Held(0);
    }
    judge_manifest(runs, fails)
}

fn judge_doomed(finding: &Finding, program: &BTreeMap<String, Runs>) -> Verdict {
    for (name, runs) in program {
        let is_against = |run: &Run| run.is_normal() && run.has_passed(finding.line);
        if let Some(example) = runs.example(is_against) {
            return Verdict::Disputed(PASSED, format!("{name}{example}"));
        }
    }
    Verdict::Held(0)
}

fn judge_manifest(runs: &Runs, fails: impl Fn(&Run) -> bool) -> Verdict {
    let way = |at: &usize| runs.ways.get(*at);
    let (mut excused, mut held) = (0, 0);
    let mut against: Option<&Input> = None;
    for input in runs.inputs.iter().filter(|it| it.is_full) {
        if input.runs.iter().any(|(at, _)| way(at).is_some_and(&fails)) {
            held += 1;
        } else if input.runs.iter().any(|(at, _)| way(at).is_some_and(Run::is_normal))
            && input.runs.iter().all(|(_, choices)| choices.len() < CHOICES)
        {
            against = against.or(Some(input));
        } else {
            excused += 1;
        }
    }
    match against {
        Some(input) if held > 0 => Verdict::Disputed(PREVENTED, runs.tell(input, "")),
        _ if held == 0 => Verdict::Disputed(INVALID, runs.example(fails).unwrap_or_default()),
        _ => Verdict::Held(excused),
    }
}

/// Allocations whose failure is tried; as in `harness.c`.
const CHOICES: usize = 4;

/// The lines at which it happens: its own, and those of other paths, which its story names.
fn lines(finding: &Finding) -> Vec<u32> {
    let (mut lines, mut own) = (vec![finding.line], finding.line);
    let other_paths = words::event(&Event::OtherPaths);
    for step in &finding.trace {
        if step.depth == 0 {
            own = step.line;
        }
        if step.message == other_paths && !finding.kind.is_leak() {
            lines.push(own);
        }
    }
    lines
}

/// Whether a run is what a finding says.
fn does_fail(finding: &Finding, lines: &[u32], run: &Run) -> bool {
    match finding.kind {
        Issue::MemoryLeak => run.end == "returned" && run.has_lost(lines),
        // The value may be copied before it is used.
        Issue::UninitRead => run.end == Issue::UninitRead.id(),
        kind => run.end == kind.id() && run.at.iter().any(|line| lines.contains(line)),
    }
}
