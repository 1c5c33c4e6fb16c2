//! Lost bugs: errors that random runs met and that no triple ends in.
//!
//! An error is found if a triple of the function, said or implied, has its kind and line, or if it is
//! manifest in a function below, which then reports it whatever its callers do.

use std::collections::BTreeMap;

use catalog::{Issue, Verdict};
use heap::Exit;
use interp::FnRef;
use split::Stopped;
use summary::{Summary, derived_errors};

use super::names::Names;
use crate::programs::sample::{Met, Sampled};

/// A loop was not followed far enough.
const UNROLL: &str = "not followed: Unroll";

/// Errors met, and those missed, by cause.
#[derive(Default)]
pub struct Misses {
    /// Runs.
    pub runs: u64,
    /// Runs that returned.
    pub returned: u64,
    /// Runs that a limit stopped.
    pub cut: u64,
    /// Errors met by kind, and how many of them were found.
    pub met: BTreeMap<&'static str, (u64, u64)>,
    /// Errors missed, by cause.
    pub causes: BTreeMap<String, u64>,
    /// Errors met that are none by the rules of the engine: assertions about the environment.
    pub excused: u64,
    /// Others: unknown code returned null or zero, and nobody checked it; or it may have written what the
    /// error rests on, and in this run has not.
    pub unknown: u64,
}

/// What is known of the functions of a program so far.
pub(super) struct Known<'a> {
    /// By name.
    pub(super) summaries: &'a BTreeMap<&'a str, &'a Summary>,
    /// Finds out what was not followed in them.
    pub(super) stopped: &'a dyn Fn() -> Vec<Stopped>,
}

impl Misses {
    /// Looks up what runs of a function met. The result is what was missed, with the likely cause.
    pub(super) fn add<'s>(
        &mut self,
        names: &Names<'_>,
        known: &Known<'_>,
        (name, function): (&str, FnRef),
        sampled: &'s Sampled,
    ) -> Vec<(String, &'s Met)> {
        self.runs += sampled.runs;
        self.returned += sampled.returned;
        self.cut += sampled.cut;
        let mut missed = Vec::new();
        for ((kind, line), met) in &sampled.errors {
            // What C leaves undefined before the error makes the run none of its paths.
            if met.is_undefined {
                continue;
            }
            let knows = |(other, summary): (&&str, &&Summary)| {
                knows(names, summary, met.bug.issue, *line, *other != name)
            };
            let is_found = known.summaries.iter().any(knows);
            let cause = if is_found { Some(String::new()) } else { cause(met, known) };
            let Some(cause) = cause else {
                self.excused += 1;
                continue;
            };
            if !is_found && (met.class.is_behind || met.is_about_unknown_code(names.program, function)) {
                self.unknown += 1;
                continue;
            }
            let count = self.met.entry(kind).or_default();
            count.0 += 1;
            count.1 += u64::from(is_found);
            if !is_found {
                *self.causes.entry(cause.clone()).or_default() += 1;
                missed.push((cause, met));
            }
        }
        missed
    }

    /// Errors that were missed because a loop was not followed far enough.
    pub fn n_beyond_unroll(&self) -> u64 {
        self.causes.get(UNROLL).copied().unwrap_or(0)
    }
}

/// Why an error may have been missed: what was special about the state, or what the engine did not follow.
/// None: it is no error, but an assertion that fails because an allocation did, or because of what unknown
/// code returned.
fn cause(met: &Met, known: &Known<'_>) -> Option<String> {
    let class = met.class;
    let ends = |summary: &&Summary| summary.split.has(Exit::NoReturn);
    if met.bug.issue == Issue::AssertFailure && known.summaries.values().any(ends) {
        return None;
    }
    Some(if class.aliased {
        "aliased state".to_owned()
    } else if class.freed {
        "freed memory in the state".to_owned()
    } else if let Some(first) = (known.stopped)().iter().min() {
        format!("not followed: {first:?}")
    } else if class.unknown_null {
        "null from unknown code".to_owned()
    } else {
        "other".to_owned()
    })
}

/// Whether some triple of a function ends in that error; in functions below only manifest ones count.
fn knows(names: &Names<'_>, summary: &Summary, issue: Issue, line: u32, is_below: bool) -> bool {
    let mut summary = summary.clone();
    let derived = derived_errors(&mut summary.split);
    let bugs = summary.split.bugs.iter().chain(derived.iter().map(|it| &it.bug));
    let mut bugs = bugs.filter(|bug| bug.issue == issue && (!is_below || bug.verdict == Verdict::Manifest));
    bugs.any(|bug| {
        let made = bug.reported.unwrap_or(bug.made);
        names.place(summary.split.calls.trail(summary.function, made).at).line == line
    })
}
