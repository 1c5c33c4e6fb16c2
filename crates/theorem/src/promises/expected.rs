//! A finding as it is printed, and whether a run is what it says.
//!
//! What counts is what the user reads: the kind, the function and the line in it. An error that is told at
//! one place and happens at others on other paths names these in its story.

use std::collections::BTreeSet;

use catalog::{Event, Issue};
use interp::replay::Replayed;
use interp::{Outcome, Spot, UndefinedPolicy};
use report::{Finding, words};

use super::located::Located;
use super::names::Names;
use super::triples::is_leak_below;
use super::verify::{Promise, call_lines, does_undefined, is_dangling};

/// What a finding says of runs of its function.
pub(super) struct Expected {
    kind: Issue,
    file: String,
    /// The lines of the function at which it happens.
    lines: BTreeSet<u32>,
    /// For a leak: whether it is lost before the function ends, there or in a callee, so that a run need not come to its end.
    is_lost: bool,
    /// For a use of bits that were never written: the lines of the use and of the calls around it, the innermost first.
    watched: Option<(u32, Vec<u32>)>,
}

impl Expected {
    pub(super) fn of(finding: &Finding) -> Expected {
        let mut lines = BTreeSet::from([finding.line]);
        let mut own = finding.line;
        let other_paths = words::event(&Event::OtherPaths);
        for step in &finding.trace {
            if step.depth == 0 {
                own = step.line;
            }
            if step.message == other_paths && !finding.kind.is_leak() {
                lines.insert(own);
            }
        }
        Expected { kind: finding.kind, file: finding.file.clone(), lines, is_lost: false, watched: None }
    }

    /// The same, with what paths to it say of how it happens.
    pub(super) fn by(mut self, names: &Names<'_>, paths: &[(Located<'_>, &heap::Spec)]) -> Expected {
        self.is_lost = paths.iter().any(|(bug, _)| bug.lost || is_leak_below(Promise::Error(bug)));
        let uninit = paths.first().filter(|_| self.kind == Issue::UninitRead);
        self.watched = uninit.map(|(bug, _)| (names.place(bug.made.at).line, call_lines(names, &bug.made)));
        self
    }

    /// How bits that were never written are chosen to see whether they matter.
    pub(super) fn policy(&self, seed: u64) -> UndefinedPolicy {
        match self.watched.clone() {
            Some((line, calls)) => UndefinedPolicy::Watched { seed, line, calls },
            None => UndefinedPolicy::Chosen(seed),
        }
    }

    /// Whether something of that kind at a place of the project, with the calls around it, is what the finding says.
    fn is_at(&self, names: &Names<'_>, issue: Issue, place: &Spot, callers: &[Spot]) -> bool {
        let frames = names.frames(place, callers);
        let own = frames.last();
        issue == self.kind && own.is_some_and(|own| own.file == self.file && self.lines.contains(&own.line))
    }

    /// Whether a place is in a line at which it happens.
    pub(super) fn is_line_of(&self, place: &Spot) -> bool {
        place.file == self.file && self.lines.contains(&place.line)
    }

    /// Whether a run does what the finding says, and nothing undefined before.
    pub(super) fn is_met(&self, names: &Names<'_>, run: &Replayed<'_>) -> bool {
        let is_leak = |leak: &interp::Bug| self.is_at(names, leak.issue, &leak.place, &leak.callers);
        // Behind the loss of memory nothing is promised but that it stays lost.
        if self.is_lost && run.lost().iter().any(is_leak) {
            return true;
        }
        if does_undefined(run).is_some() {
            return false;
        }
        match &run.outcome {
            Outcome::Bug(bug) => self.is_at(names, bug.issue, &bug.place, &bug.callers),
            Outcome::Returned(_) if self.kind.is_leak() => run.leaks.iter().any(is_leak),
            Outcome::Returned(values) => {
                self.kind == Issue::UseAfterScope && values.iter().any(|value| is_dangling(run, value))
            }
            _ => false,
        }
    }

    /// Whether a finding of a summary is this one.
    pub(super) fn is_about(&self, names: &Names<'_>, bug: &Located<'_>) -> bool {
        let told = bug.with.as_ref().unwrap_or(bug.reported.as_ref().unwrap_or(&bug.made));
        let places = [told, bug.reported.as_ref().unwrap_or(&bug.made)];
        let is_here = |made: &heap::Trail| {
            let place = names.place(made.own());
            place.file == self.file && self.lines.contains(&place.line)
        };
        bug.issue == self.kind && places.into_iter().any(is_here)
    }
}
