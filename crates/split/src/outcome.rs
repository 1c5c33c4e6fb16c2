//! What becomes of a path: where it goes on, and how it ends.
//!
//! `Eval` of Le et al. Fig. 5 gives a set of `(ε, m, q)`: `ok` goes on, `er` does not (short-circuit). A step
//! gives such a set back, as a value.

use heap::State;
use world::FnKey;

use crate::effort::Stopped;
use crate::errors::ErrorPath;
use crate::flow::Flow;

/// What becomes of a path: the ways in which it goes on, and how it ends otherwise.
#[must_use]
pub(crate) struct Outcomes<T = Flow> {
    pub(crate) next: Vec<T>,
    pub(crate) ends: Ends,
}

/// How paths end, and what is to be counted.
#[derive(Default)]
pub(crate) struct Ends {
    /// `er`: in an error.
    pub(crate) errors: Vec<ErrorPath>,
    /// The program ends, as it should.
    pub(crate) exits: Vec<State>,
    /// They are not followed further. What they needed so far is kept.
    pub(crate) cut: Vec<State>,
    /// Why something was not followed.
    pub(crate) stopped: Vec<Stopped>,
    /// Functions of which nothing is known, each time one is called.
    pub(crate) unknown_calls: Vec<FnKey>,
    /// Steps that it took, beyond one for the instruction.
    pub(crate) steps: usize,
    /// Whether a callee was called of which not all paths are known.
    pub(crate) knows_callees_in_part: bool,
}

impl<T> Default for Outcomes<T> {
    fn default() -> Outcomes<T> {
        Outcomes { next: Vec::new(), ends: Ends::default() }
    }
}

impl<T> From<Ends> for Outcomes<T> {
    fn from(ends: Ends) -> Outcomes<T> {
        Outcomes { next: Vec::new(), ends }
    }
}

impl<T> Outcomes<T> {
    /// The path goes on, in one way.
    pub(crate) fn one(next: T) -> Outcomes<T> {
        Outcomes { next: vec![next], ends: Ends::default() }
    }

    /// The path goes on, in these ways.
    pub(crate) fn all(next: Vec<T>) -> Outcomes<T> {
        Outcomes { next, ends: Ends::default() }
    }

    /// Adds other outcomes of the same path.
    pub(crate) fn add(&mut self, other: Outcomes<T>) {
        self.next.extend(other.next);
        self.ends.add(other.ends);
    }

    /// Rule Seq: what becomes of each way on which the path goes on.
    pub(crate) fn then<U>(self, mut step: impl FnMut(T) -> Outcomes<U>) -> Outcomes<U> {
        let mut outcomes = Outcomes { next: Vec::with_capacity(self.next.len()), ends: self.ends };
        for next in self.next {
            outcomes.add(step(next));
        }
        outcomes
    }

    /// The same for a step in which no path ends.
    pub(crate) fn map<U>(self, step: impl FnMut(T) -> U) -> Outcomes<U> {
        Outcomes { next: self.next.into_iter().map(step).collect(), ends: self.ends }
    }
}

impl Ends {
    /// The path ends in an error.
    pub(crate) fn error(error: ErrorPath) -> Ends {
        Ends { errors: vec![error], ..Ends::default() }
    }

    /// The program ends here, as it should.
    pub(crate) fn exit(state: State) -> Ends {
        Ends { exits: vec![state], ..Ends::default() }
    }

    /// Nothing is said about the end of the path. What it needed so far is kept: callers that do not provide it fail.
    pub(crate) fn cut(state: State) -> Ends {
        Ends { cut: vec![state], ..Ends::default() }
    }

    /// The path ends without a word, for a reason that is counted.
    pub(crate) fn stop(why: Stopped) -> Ends {
        Ends { stopped: vec![why], ..Ends::default() }
    }

    /// The path is not followed further, for a reason that is counted.
    pub(crate) fn give_up(state: State, why: Stopped) -> Ends {
        Ends { cut: vec![state], stopped: vec![why], ..Ends::default() }
    }

    /// Adds the ends of other paths.
    pub(crate) fn add(&mut self, other: Ends) {
        let Ends { errors, exits, cut, stopped, unknown_calls, steps, knows_callees_in_part } = other;
        self.errors.extend(errors);
        self.exits.extend(exits);
        self.cut.extend(cut);
        self.stopped.extend(stopped);
        self.unknown_calls.extend(unknown_calls);
        self.steps += steps;
        self.knows_callees_in_part |= knows_callees_in_part;
    }
}
