//! A second opinion on bits that were never written.
//!
//! The engine calls their use an error where two choices of them can make a difference; the interpreter also
//! where it only cannot tell that they make none (`x - (x + c)`). So if a run stops there although the triple
//! goes on, it is repeated with such bits chosen instead of undefined: the triple must keep its promise for
//! every choice. If it promises such a use at another place, the bits are chosen and known as undefined: only
//! there their use counts.

use catalog::Issue;
use heap::Spec;
use interp::replay::{PreState, Replayed, Script};
use interp::{Options, Outcome, UndefinedPolicy};

use super::draw::{Arena, Drawn};
use super::expected::Expected;
use super::names::Names;
use super::triples::Subject;
use super::verify::{Promise, call_lines, does_undefined, is_at, told, verify};
use crate::programs::sample::options;

/// How often the bits are chosen.
const CHOICES: u64 = 8;

/// What became of a promise.
pub(super) enum Opinion {
    /// It was kept for every choice.
    Kept,
    /// It was broken, and how.
    Broken(String),
    /// A run could not be made, and why.
    Unfit(&'static str),
}

/// What became of a run that should end in a finding.
pub(super) enum Ended {
    /// It does.
    Met,
    /// It does something undefined before; and whether that is at the line of the finding.
    Undefined(bool),
    /// It takes too long.
    Cut,
    /// It comes to a null pointer.
    Null(String),
    /// It ends otherwise.
    Other(String),
}

/// Whether a run that broke a promise ended in a use of bits that were never written.
pub(super) fn is_doubtful(run: &Replayed<'_>) -> bool {
    matches!(&run.outcome, Outcome::Bug(bug) if bug.issue == Issue::UninitRead)
}

/// Whether a run leaves a block at the very place at which bits that were never written should matter: they are part of its size, of which the
/// interpreter does not know that.
fn is_bound_of(names: &Names<'_>, promise: Promise<'_>, run: &Replayed<'_>) -> bool {
    let (Promise::Error(bug) | Promise::Implied(bug)) = promise else { return false };
    let Outcome::Bug(met) = &run.outcome else { return false };
    bug.issue == Issue::UninitRead
        && met.issue == Issue::OutOfBounds
        && is_at(names, &bug.made, &met.place, &met.callers)
}

/// How bits that were never written are chosen for a promise.
fn policy(names: &Names<'_>, promise: Promise<'_>, seed: u64) -> UndefinedPolicy {
    match promise {
        Promise::Error(bug) | Promise::Implied(bug) if bug.issue == Issue::UninitRead => {
            let calls = call_lines(names, &bug.made);
            UndefinedPolicy::Watched { seed, line: names.place(bug.made.at).line, calls }
        }
        _ => UndefinedPolicy::Chosen(seed),
    }
}

impl Subject<'_> {
    /// Whether a promise is kept whatever the bits are that were never written.
    pub(super) fn second_opinion(
        &self,
        arena: &Arena,
        spec: &Spec,
        promise: Promise<'_>,
        drawn: &Drawn,
    ) -> Opinion {
        let mut broken = None;
        for choice in 0..CHOICES {
            let seed = self.seed.wrapping_mul(CHOICES).wrapping_add(choice);
            let undefined = policy(self.names, promise, seed);
            let chosen = Options { undefined, ..options(self.seed) };
            let run = match self.replay(&drawn.state, drawn.script.clone(), chosen) {
                Ok(run) => run,
                Err(why) => return Opinion::Unfit(why),
            };
            if is_bound_of(self.names, promise, &run) {
                return Opinion::Kept;
            }
            // Bits that lead to something undefined are none of the triple's.
            if does_undefined(&run).is_some() {
                continue;
            }
            let problem = verify(self.names, arena, spec, promise, (drawn, &run));
            broken = broken.or(problem);
        }
        match broken {
            Some(problem) => Opinion::Broken(format!("{problem} (with undefined bits chosen)")),
            None => Opinion::Kept,
        }
    }

    /// How a run ends, whatever the bits are that were never written.
    pub(super) fn ends(
        &self,
        state: &PreState,
        script: &Script,
        expected: &Expected,
    ) -> Result<Ended, &'static str> {
        let first = self.replay(state, script.clone(), options(self.seed))?;
        let ended = self.ended(&first, expected);
        if !matches!(ended, Ended::Other(_)) || !is_doubtful(&first) {
            return Ok(ended);
        }
        let mut all = Ended::Undefined(false);
        for choice in 0..CHOICES {
            let undefined = expected.policy(self.seed.wrapping_mul(CHOICES).wrapping_add(choice));
            let run = self.replay(state, script.clone(), Options { undefined, ..options(self.seed) })?;
            match self.ended(&run, expected) {
                Ended::Undefined(_) => {}
                Ended::Met => all = Ended::Met,
                other => return Ok(other),
            }
        }
        Ok(all)
    }

    fn ended(&self, run: &Replayed<'_>, expected: &Expected) -> Ended {
        match &run.outcome {
            _ if expected.is_met(self.names, run) => Ended::Met,
            _ if let Some(event) = does_undefined(run) => Ended::Undefined(expected.is_line_of(&event.place)),
            Outcome::OutOfBudget(_) => Ended::Cut,
            Outcome::Bug(bug) if bug.issue == Issue::NullDeref => Ended::Null(told(run)),
            _ => Ended::Other(told(run)),
        }
    }
}
