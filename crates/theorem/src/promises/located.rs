//! Errors of summaries with their places spelled out.

use std::ops::Deref;

use catalog::What;
use heap::{Made, PreBlock, Trail};
use report::words;
use summary::{Bug, Summary};
use world::{FnKey, Site};

/// An error of a summary, and where all of it happens.
#[derive(Clone, Debug)]
pub(super) struct Located<'s> {
    bug: &'s Bug,
    pub(super) made: Trail,
    pub(super) reported: Option<Trail>,
    pub(super) with: Option<Trail>,
}

impl<'s> Located<'s> {
    pub(super) fn of(summary: &Summary, bug: &'s Bug) -> Located<'s> {
        let trail = |made: Made| summary.split.calls.trail(summary.function, made);
        Located { bug, made: trail(bug.made), reported: bug.reported.map(trail), with: bug.with.map(trail) }
    }

    /// All errors of a summary, in their order.
    pub(super) fn all(summary: &'s Summary) -> Vec<Located<'s>> {
        summary.split.bugs.iter().map(|bug| Located::of(summary, bug)).collect()
    }
}

impl Deref for Located<'_> {
    type Target = Bug;

    fn deref(&self) -> &Bug {
        self.bug
    }
}

/// Where a block of a presumption is called, if it is a function.
pub(super) fn called_at(summary: &Summary, pre: &PreBlock) -> Option<(FnKey, Site)> {
    let called = pre.accesses.iter().find(|it| it.kind == heap::AccessKind::Call);
    let called = called.filter(|_| !pre.negative)?;
    Some(summary.split.calls.trail(summary.function, called.made).at)
}

/// What goes wrong, as a sentence.
pub(super) fn say(what: &What) -> String {
    words::message(what, None)
}
