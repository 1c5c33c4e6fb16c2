//! Path conditions: what a path decided, what must hold for it to be defined, and the facts that follow.
//!
//! Judgment: a path is possible if `conditions ∧ defined` is satisfiable. The fast tier may refute it on the
//! way; the solver decides.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use term::{Answer, Facts, Node, Origin, TermId, Terms, Walk, Width};

use crate::share;
use crate::site::Made;

/// Low bits of the address of a block that are zero.
const ALIGNED_BITS: Width = 4;

/// What was decided on a path, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// It holds.
    pub term: TermId,
    /// Where it was decided.
    pub made: Made,
    /// Why it holds.
    pub reason: Reason,
}

/// Why a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Reason {
    /// The program tested it and took this way.
    Branch,
    /// The environment chose it: an allocation failed, a library function succeeded.
    Choice,
    /// Without it there would be an error: a divisor is not zero, an index is within bounds, two cells are apart.
    Needed,
    /// A loop that was not followed to its end was left: assumed, not proven.
    Havoc,
    /// Several ways came to the same, and one of them was taken. Each had its own decisions at its own places; the condition names one of these.
    Joined,
}

/// The condition of a path.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// The fast tier: all conditions, and more (blocks are not null).
    pub facts: Facts,
    /// In the order in which they were decided.
    pub conditions: Arc<Vec<Condition>>,
    /// What must hold or C leaves undefined what happens (no signed overflow); asked of the solver only. In the order of their ids: cryptography has thousands.
    pub defined: Arc<Vec<TermId>>,
}

impl Path {
    /// Assumes a condition. `false`: it contradicts the path.
    #[must_use]
    pub fn assume(&mut self, terms: &mut Terms, condition: Condition) -> bool {
        let is_known = self.conditions.iter().any(|known| known.term == condition.term);
        if is_known || terms.value(condition.term) == Some(1) {
            return true;
        }
        self.know_alignment(terms, condition.term);
        if self.facts.assume(terms, condition.term) == Answer::Unsat {
            return false;
        }
        Arc::make_mut(&mut self.conditions).push(condition);
        true
    }

    /// Blocks begin at multiples of 16, so that the low bits of their addresses are free for tags: a condition about them is decided.
    fn know_alignment(&mut self, terms: &mut Terms, condition: TermId) {
        let is_new = |origin| origin == Origin::Allocation;
        if !terms.mentions(condition, is_new) {
            return;
        }
        let mut low = Vec::new();
        Walk::lend(|walk| {
            walk.subterms(terms, &[condition], |term| {
                if let Node::Extract { from, low: 0 } = terms.node(term)
                    && terms.width(term) <= ALIGNED_BITS
                    && matches!(terms.node(from), Node::Var(var) if is_new(terms.var(var).origin))
                {
                    low.push(term);
                }
            });
        });
        for bits in low {
            let is_zero = terms.is_zero(bits);
            let _ = self.facts.assume(terms, is_zero);
        }
    }

    /// Assumes something that is no condition of the program: a law of memory. `false`: it contradicts the path.
    #[must_use]
    pub fn know(&mut self, terms: &mut Terms, fact: TermId) -> bool {
        self.facts.assume(terms, fact) != Answer::Unsat
    }

    /// Knows that a pointer is not null, because memory is there. `false`: the path says that it is.
    #[must_use]
    pub fn know_nonnull(&mut self, terms: &mut Terms, pointer: TermId) -> bool {
        let nonnull = terms.nonzero(pointer);
        self.know(terms, nonnull)
    }

    /// Notes what must hold for the path to be defined.
    pub fn define(&mut self, terms: &Terms, condition: TermId) {
        if terms.value(condition) != Some(1)
            && let Err(at) = self.defined.binary_search(&condition)
        {
            Arc::make_mut(&mut self.defined).insert(at, condition);
        }
    }

    /// Bytes, about; of what is shared with forks, its share.
    pub(crate) fn bytes(&self) -> usize {
        self.facts.bytes()
            + share(&self.conditions, size_of_val(&self.conditions[..]))
            + share(&self.defined, size_of_val(&self.defined[..]))
    }

    /// All that the solver must know, without the laws of memory.
    pub fn terms(&self) -> Vec<TermId> {
        let conditions = self.conditions.iter().map(|condition| condition.term);
        conditions.chain(self.defined.iter().copied()).collect()
    }
}
