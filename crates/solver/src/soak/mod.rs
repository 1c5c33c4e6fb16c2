//! Random comparisons of the solver with other deciders; in small numbers for `cargo test`, in large ones for
//! `cargo x soak`.
//!
//! Each function asks `count` queries, made of `seed`, and says how they were answered or describes the first
//! disagreement.

mod brute;
mod fast;
mod operations;
mod queries;
mod rng;
#[cfg(any(feature = "cadical", feature = "z3"))]
mod second;

pub use brute::brute_force;
pub use fast::{Agreement, fast_tier};
pub use operations::{exhaustive, operations};
pub use rng::Rng;
#[cfg(feature = "cadical")]
pub use second::cadical;
#[cfg(feature = "z3")]
pub use second::z3;

use crate::verdict::Verdict;

/// How queries were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Satisfiable.
    pub sat: u64,
    /// Contradictory.
    pub unsat: u64,
    /// Given up.
    pub unknown: u64,
}

impl Tally {
    /// Queries in all.
    pub fn queries(&self) -> u64 {
        self.sat + self.unsat + self.unknown
    }

    fn count(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Sat(_) => self.sat += 1,
            Verdict::Unsat(_) => self.unsat += 1,
            Verdict::Unknown(_) => self.unknown += 1,
        }
    }
}

/// How many queries there were, or the first that went wrong.
pub type Outcome = Result<Tally, String>;
