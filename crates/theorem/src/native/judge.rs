//! A finding against all runs of its function.
//!
//! * *doomed*: no run that passed the point returned or exited, of whatever function of the program. The point
//!   is the line of the finding, or the other line that the message names; a branch is the first line of its
//!   block. Of a branch without a block the line of the finding is judged, as its readers do it.
//! * *manifest*: some run in which all pointers are valid and different fails there with that kind; and from
//!   each such input, some choice of failing allocations does. Excused are inputs from which nothing ends
//!   normally, or from which something else goes wrong with the choice that elsewhere leads to the failure,
//!   or which ask for more allocations, or for larger ones, than are tried.
//! * *latent*, if it is shown: some run fails there with that kind.
//! * To fail with a leak is to return, with a block lost that was allocated there.
//!
//! Where no run fails and large values may be needed, there is a second look at those ([`Verdict::Again`]).
//! Source: the README, what the verdicts say; Le et al., OOPSLA 2022, Def. 3.6; Hoenicke et al., FM 2009, Def. 1.

use std::collections::{BTreeMap, BTreeSet};

use catalog::{Event, Issue};
use report::{Finding, words};

use super::execute::{Input, Run, Runs};
use super::generate::writer::analyzed;

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
const PASSED: &str = "a run passes the doomed line and ends normally";
/// The same of the finding's own line, where the point is a way out of a condition that leads to no block of its own.
const BRANCH: &str = "a run passes the line and ends normally; what is doomed is a branch that nobody wrote";
/// Nothing fails there.
pub(super) const NEVER: &str = "no run fails there";
/// Only without valid memory.
const INVALID: &str = "manifest, but no run with valid memory fails there";
/// From some input, none of the choices of the environment fails.
const PREVENTED: &str = "manifest, but from an input no run fails there";

/// Judges a finding by all runs of the functions of its program.
pub(super) fn judge(finding: &Finding, program: &BTreeMap<String, Runs>, source: &[String]) -> Verdict {
    if finding.verdict == catalog::Verdict::Doomed {
        return judge_doomed(finding, (program, source));
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

fn judge_doomed(finding: &Finding, (program, source): (&BTreeMap<String, Runs>, &[String])) -> Verdict {
    let (line, reason) = match Point::of(&finding.message) {
        Point::Here => (finding.line, PASSED),
        Point::Line(line) => (line, PASSED),
        Point::Decision(line, decision) => match branch(source, line, decision) {
            Some(line) => (line, PASSED),
            None => (finding.line, BRANCH),
        },
    };
    for (name, runs) in program {
        let is_against = |run: &Run| run.is_normal() && run.has_passed(line);
        if let Some(example) = runs.example(is_against) {
            return Verdict::Disputed(reason, format!("{name}{example}"));
        }
    }
    Verdict::Held(0)
}

/// Which point is doomed, as the message says it.
enum Point<'m> {
    /// The line of the finding.
    Here,
    /// Another line.
    Line(u32),
    /// A way out of a condition at a line.
    Decision(u32, &'m str),
}

impl Point<'_> {
    fn of(message: &str) -> Point<'_> {
        let number = |text: &str| text.split(' ').next().and_then(|it| it.parse().ok());
        if let Some((_, rest)) = message.rsplit_once("every execution that reaches line ") {
            return number(rest).map_or(Point::Here, Point::Line);
        }
        let Some((_, rest)) = message.rsplit_once("every execution fails in which ") else {
            return Point::Here;
        };
        let Some((decision, line)) = rest.rsplit_once(" at line ") else { return Point::Here };
        number(line).map_or(Point::Here, |line| Point::Decision(line, decision.trim_matches('`')))
    }
}

/// The first line of the block that is entered when a condition holds, if somebody wrote one.
fn branch(source: &[String], line: u32, decision: &str) -> Option<u32> {
    let text = analyzed(source.get(line as usize - 1)?);
    let condition = text.trim().strip_prefix("if (")?.strip_suffix(") {")?.to_owned();
    let is_statement = |text: &String| text.contains('§') || text.contains('«');
    let first = source.get(line as usize).filter(|it| is_statement(it) && !it.trim_start().starts_with('}'));
    first.filter(|_| condition == decision).map(|_| line + 1)
}

fn judge_manifest(runs: &Runs, fails: impl Fn(&Run) -> bool) -> Verdict {
    let full: Vec<&Input> = runs.inputs.iter().filter(|it| it.is_full).collect();
    let way = |(at, _): &&(usize, String)| runs.ways.get(*at);
    let does_fail = |run: &&(usize, String)| way(run).is_some_and(&fails);
    let failing: BTreeSet<&str> = full
        .iter()
        .flat_map(|it| it.runs.iter().filter(does_fail))
        .map(|(_, choices)| choices.as_str())
        .collect();
    let is_unknown = |it: &&(usize, String)| it.1.len() >= CHOICES || way(it).is_some_and(|it| it.is_huge);
    if failing.is_empty() && full.iter().any(|it| it.runs.iter().any(|run| is_unknown(&run))) {
        return Verdict::Skipped("more allocations than are tried, or larger ones");
    }
    if failing.is_empty() {
        return Verdict::Disputed(INVALID, runs.example(fails).unwrap_or_default());
    }
    let mut excused = 0;
    for input in full {
        if input.runs.iter().any(|run| does_fail(&run)) {
            continue;
        }
        let goes_wrong = |run: &&(usize, String)| {
            failing.contains(run.1.as_str()) && way(run).is_none_or(|it| !it.is_normal())
        };
        let is_normal = input.runs.iter().any(|run| way(&run).is_some_and(Run::is_normal));
        let is_excused = input.runs.iter().any(|run| is_unknown(&run) || goes_wrong(&run));
        if is_normal && !is_excused {
            return Verdict::Disputed(PREVENTED, runs.tell(input, ""));
        }
        excused += 1;
    }
    Verdict::Held(excused)
}

/// Allocations whose failure is tried; as in `harness.c`.
const CHOICES: usize = 6;

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
