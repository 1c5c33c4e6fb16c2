//! A finding as it is printed, and whether a run is what it says.
//!
//! What counts is what the user reads: the kind, the function and the line in it. An error that is told at one place and happens at
//! others on other paths names these in its story.

use std::collections::BTreeSet;

use catalog::Issue;
use interp::replay::Replayed;
use interp::{Outcome, Place};
use report::Finding;

use super::names::Names;
use super::verify::{does_undefined, is_dangling};

/// How a story names other places of the same error.
const OTHER_PATHS: &str = "on other paths it happens here";

/// What a finding says of runs of its function.
pub(super) struct Expected {
    kind: Issue,
    file: String,
    /// The lines of the function at which it happens.
    lines: BTreeSet<u32>,
    /// For a leak: whether it is lost before the function ends, so that a run need not come to its end.
    is_lost: bool,
}

impl Expected {
    /// `is_lost`: some path to the leak says so.
    pub(super) fn of(finding: &Finding, is_lost: bool) -> Expected {
        let mut lines = BTreeSet::from([finding.line]);
        let mut own = finding.line;
        for step in &finding.trace {
            if step.depth == 0 {
                own = step.line;
            }
            if step.message == OTHER_PATHS && !finding.kind.is_leak() {
                lines.insert(own);
            }
        }
        Expected { kind: finding.kind, file: finding.file.clone(), lines, is_lost }
    }

    /// Whether something of that kind at a place of the project, with the calls around it, is what the finding says.
    fn is_at(&self, names: &Names<'_>, issue: Issue, place: &Place, callers: &[Place]) -> bool {
        let frames = names.frames(place, callers);
        let own = frames.last();
        issue == self.kind && own.is_some_and(|own| own.file == self.file && self.lines.contains(&own.line))
    }

    /// Whether a run does what the finding says, and nothing undefined before.
    pub(super) fn is_met(&self, names: &Names<'_>, run: &Replayed<'_>) -> bool {
        if self.kind.is_leak() && self.is_lost && is_over(run) {
            return true;
        }
        if does_undefined(run).is_some() {
            return false;
        }
        match &run.outcome {
            Outcome::Bug(bug) => self.is_at(names, bug.issue, &bug.place, &bug.callers),
            Outcome::Returned(_) if self.kind.is_leak() => {
                run.leaks.iter().any(|leak| self.is_at(names, leak.issue, &leak.place, &leak.callers))
            }
            Outcome::Returned(values) => {
                self.kind == Issue::UseAfterScope && values.iter().any(|value| is_dangling(run, value))
            }
            _ => false,
        }
    }

    /// Whether a finding of a summary is this one.
    pub(super) fn is_about(&self, names: &Names<'_>, bug: &summary::Bug) -> bool {
        let told = bug.with.as_ref().unwrap_or(bug.reported.as_ref().unwrap_or(&bug.made));
        let places = [told, bug.reported.as_ref().unwrap_or(&bug.made)];
        let is_here = |made: &heap::Made| {
            let place = names.place(made.own_site());
            place.file == self.file && self.lines.contains(&place.line)
        };
        bug.issue == self.kind && places.into_iter().any(is_here)
    }
}

/// Whether a run ends otherwise than by a return, or may as well: behind the loss of memory nothing is promised but that it stays lost.
fn is_over(run: &Replayed<'_>) -> bool {
    does_undefined(run).is_some() || !matches!(run.outcome, Outcome::Returned(_))
}
