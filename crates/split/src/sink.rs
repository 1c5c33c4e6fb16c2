//! What came out of the paths of a function, within its budgets.

use std::collections::BTreeMap;

use base::limits;
use heap::State;
use summary::{Ended, How};
use world::FnKey;

use crate::arena::Arena;
use crate::effort::Stopped;
use crate::errors::ErrorPath;
use crate::outcome::Ends;

/// What came out so far.
#[derive(Default)]
pub(crate) struct Sink {
    /// Paths that have come to a normal end.
    pub(crate) ended: Vec<Ended>,
    /// Paths that were not followed further; a few.
    pub(crate) given_up: Vec<Ended>,
    /// Paths that end in an error.
    pub(crate) errors: Vec<ErrorPath>,
    /// Paths on which a block was lost; see [`lost`](crate::lost).
    pub(crate) lost: Vec<ErrorPath>,
    /// What was not followed, with how often.
    pub(crate) stopped: BTreeMap<Stopped, u32>,
    /// By function of which nothing is known: how often a path went through it.
    pub(crate) unknown_calls: BTreeMap<FnKey, u32>,
    /// Whether a callee was called of which not all paths are known.
    pub(crate) knows_callees_in_part: bool,
    /// Steps, without those of the solver.
    pub(crate) steps: usize,
    /// Bytes of paths that are kept to the end.
    pub(crate) bytes: usize,
}

impl Sink {
    /// Takes the ends of paths.
    pub(crate) fn take(&mut self, arena: &Arena, ends: Ends) {
        let Ends { errors, exits, cut, stopped, unknown_calls, steps, knows_callees_in_part } = ends;
        errors.into_iter().for_each(|error| self.error(arena, error));
        exits.into_iter().for_each(|state| self.exit(state));
        cut.into_iter().for_each(|state| self.cut(state));
        stopped.into_iter().for_each(|why| self.stop(why));
        for callee in unknown_calls {
            *self.unknown_calls.entry(callee).or_default() += 1;
        }
        self.steps += steps;
        self.knows_callees_in_part |= knows_callees_in_part;
    }

    /// The function returns.
    pub(crate) fn returned(&mut self, ended: Ended) {
        self.bytes += ended.state.bytes();
        self.ended.push(ended);
    }

    /// A block was lost on a path.
    pub(crate) fn lose(&mut self, path: ErrorPath) {
        let is_same = |it: &&ErrorPath| it.bug.reported == path.bug.reported;
        if self.lost.iter().filter(is_same).count() < limits::SPLIT_ERRORS_PER_SITE {
            self.bytes += path.state.bytes();
            self.lost.push(path);
        }
    }

    /// Something was not followed.
    pub(crate) fn stop(&mut self, why: Stopped) {
        *self.stopped.entry(why).or_default() += 1;
    }

    /// A path that ends in an error. Of too many, those stay that rest on nothing but what was followed.
    fn error(&mut self, arena: &Arena, error: ErrorPath) {
        let own = &error.bug;
        let is_same = |it: &ErrorPath| {
            (it.bug.issue, it.bug.made, &it.bug.reported) == (own.issue, own.made, &own.reported)
        };
        let same: Vec<&ErrorPath> = self.errors.iter().filter(|it| is_same(it)).collect();
        // All triples of a callee may need what is not there.
        if same.iter().any(|it| it.state.path.conditions == error.state.path.conditions) {
            return;
        }
        if same.len() < limits::SPLIT_ERRORS_PER_SITE && self.errors.len() < limits::SPLIT_ERRORS {
            self.bytes += error.state.bytes();
            self.errors.push(error);
        } else if arena.is_followed(&error.state)
            && let Some(at) = self.errors.iter().position(|it| is_same(it) && !arena.is_followed(&it.state))
        {
            self.errors[at] = error;
        }
    }

    fn exit(&mut self, state: State) {
        if self.ended.iter().filter(|it| matches!(it.how, How::NoReturn)).count() < limits::SPLIT_CUTS {
            self.ended.push(Ended { state, results: Vec::new(), how: How::NoReturn });
        }
    }

    fn cut(&mut self, state: State) {
        if self.given_up.len() < limits::SPLIT_CUTS && state.pre().len() > 0 {
            self.given_up.push(Ended { state, results: Vec::new(), how: How::Cut });
        }
    }
}
