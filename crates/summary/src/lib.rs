//! Summaries: what callers know of a function.
//!
//! A [`Summary`] has a payload for each engine: the [`Triples`] of `split`, the [`Rows`] of `merge`, the
//! [`Contract`] of `doomed`. Each payload is made by its engine alone, and says of each of its parts what a
//! caller does with it. A summary has a form in which it is kept and sent ([`wire`]).
//! Source: Le et al., *Finding Real Bugs in Big Programs with Incorrectness Logic*, OOPSLA 2022, §4.1
//! *Generating Procedure Summaries*; Hoenicke et al., *It's doomed; we can prove it*, FM 2009, §7
//! (contracts).
//! Departure: facts are left out by elimination of whole groups of conditions that share no variable with
//! anything visible. That is exact: a path is only summarized if it is satisfiable, so the group is, too.
//!
//! Reading order: [`triples`], [`builder`] (the only way to make them), [`bug`], [`derived`] (error triples
//! that need not be written down), [`contract`], [`wire`].

pub mod bug;
pub mod builder;
pub mod contract;
pub mod derived;
pub mod triples;
pub mod wire;

mod show;

use serde::{Deserialize, Serialize};
use world::{Digest, Digested, FnKey};

pub use bug::{Bug, Step};
pub use builder::{Builder, Ended, How, Told, Visible};
pub use contract::{Contract, Writes};
pub use derived::{Derived, derived_errors, implied_nulls};
pub use triples::{Returned, Triples};

/// What callers know of a function.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// The function.
    pub function: FnKey,
    /// Paths of it: an under-approximation.
    pub split: Triples,
    /// Its outcomes, all paths at once.
    pub merge: Rows,
    /// What always holds of it: an over-approximation.
    pub doomed: Contract,
}

/// What `merge` says of a function; nothing yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rows {}

impl Summary {
    /// Of a function that nobody has looked at yet, or whose analysis is under way.
    pub fn open(function: FnKey) -> Summary {
        let split = Triples { incomplete: true, ..Triples::default() };
        Summary { function, split, merge: Rows::default(), doomed: Contract::NOT_LOOKED_AT }
    }

    /// Bytes that it takes as long as callers may ask for it, about.
    pub fn bytes(&self) -> usize {
        size_of::<Summary>() + self.split.bytes()
    }
}

impl Digested for Summary {
    fn digest(&self) -> Digest {
        Digest::of_bytes(&wire::encode(self))
    }
}
