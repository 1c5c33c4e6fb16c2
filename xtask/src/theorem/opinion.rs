//! A second opinion on bits that were never written.
//!
//! The engine calls their use an error where two choices of them can make a difference; the interpreter also where it only cannot tell
//! that they make none (`x - (x + c)`). So if a run stops there although the triple goes on, it is repeated with such bits
//! chosen instead of undefined: the triple must keep its promise for every choice. If it promises such a use at another place, the bits are chosen and
//! known as undefined: only there their use counts.

use catalog::Issue;
use heap::Spec;
use interp::replay::Replayed;
use interp::{Options, Outcome, UndefinedPolicy};

use super::check::Subject;
use super::draw::{Arena, Drawn};
use super::names::Names;
use super::sample::options;
use super::verify::{Promise, call_lines, does_undefined, verify};

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

/// Whether a run that broke a promise ended in a use of bits that were never written.
pub(super) fn is_doubtful(run: &Replayed<'_>) -> bool {
    matches!(&run.outcome, Outcome::Bug(bug) if bug.issue == Issue::UninitRead)
}

/// How bits that were never written are chosen for a promise.
fn policy(names: &Names<'_>, promise: Promise<'_>, seed: u64) -> UndefinedPolicy {
    match promise {
        Promise::Error(bug) | Promise::Implied(bug) if bug.issue == Issue::UninitRead => {
            let calls = call_lines(names, &bug.made);
            UndefinedPolicy::Watched { seed, line: names.place(bug.made.site).line, calls }
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
        for choice in 0..CHOICES {
            let seed = self.seed.wrapping_mul(CHOICES).wrapping_add(choice);
            let undefined = policy(self.names, promise, seed);
            let chosen = Options { undefined, ..options(self.seed) };
            let run = match self.replay(&drawn.state, drawn.script.clone(), chosen) {
                Ok(run) => run,
                Err(why) => return Opinion::Unfit(why),
            };
            // Bits that lead to something undefined are none of the triple's.
            if does_undefined(&run).is_some() {
                continue;
            }
            if let Some(problem) = verify(self.names, arena, spec, promise, (drawn, &run)) {
                return Opinion::Broken(format!("{problem} (with undefined bits chosen)"));
            }
        }
        Opinion::Kept
    }
}
