//! The fast tier: a conjunction of conditions that finds most contradictions of path conditions in about a
//! microsecond.
//!
//! Judgment: `F ⊢ false` ([`Answer::Unsat`]) or don't know. *Law: never `Unsat` for something that has a
//! model*, wrap-around included.
//!
//! Known are equalities (linear forms modulo 2ⁿ, solved for the youngest term: `linear`, `propagate`), the
//! range of each term (unsigned and signed interval, known bits: `range`, `arith`), disequalities, and chains
//! of comparisons (`order`). A new fact goes down into the terms it is about (`back`), and up again through
//! the conditions that watch them (`forward`, `propagate`), if the change matters to them (`relate`).
//! Disjunctions wait until one side is refuted; what both sides say is known before (`hull`). Comparisons of
//! a variable with a number, and of two variables that may be extended or have a constant added, take short
//! ways (`quick`; `side`, `relate`). Each rule stands above its code; `soak` compares all with brute force.
//!
//! Source: Pulse-X (Le et al. 2022) needs satisfiability of path conditions at each step (§3.3, condition 4,
//! and §4).
//! Departure: bit-vectors of the terms' own width instead of rationals.
//! Not covered: terms of more than 64 bits (only conditions on them that recur), products of two unknown
//! values, case splits.

mod arith;
mod back;
mod forward;
mod hull;
mod layer;
mod linear;
mod order;
mod propagate;
mod quick;
mod range;
mod read;
mod relate;
mod side;
#[doc(hidden)]
pub mod soak;

use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

use crate::arena::{TermId, Terms};
use crate::node::Binary;
use layer::{Info, Layer, Literal};
use propagate::Work;
use quick::Quick;
use range::RANGE_BITS;
pub use range::Range;
use read::Reader;
use relate::Relation;

/// A conjunction of conditions.
///
/// Deterministic: the same conditions in the same order make the same state. Cheap to fork: a clone shares everything with the
/// original, and changes cost what they change.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    top: Option<Arc<Layer>>,
    unsat: bool,
}

/// Whether a conjunction has a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It has none: this is proven.
    Unsat,
    /// Nothing is said.
    Unknown,
}

impl Facts {
    /// The conjunction of nothing, which is true.
    pub fn new() -> Facts {
        Facts::default()
    }

    /// Assumes a condition of one bit.
    ///
    /// `Unsat` is a proof that the conjunction has no model; after it, the state stays so.
    pub fn assume(&mut self, terms: &Terms, condition: TermId) -> Answer {
        debug_assert!(terms.width(condition) == 1, "a condition should have one bit");
        if self.unsat {
            return Answer::Unsat;
        }
        match terms.as_binary(Binary::And, condition) {
            Some((a, b)) => self.assume_both(terms, a, b),
            None => self.assume_part(terms, condition),
        }
        self.answer()
    }

    // a ∧ b  is  a, b
    fn assume_both(&mut self, terms: &Terms, a: TermId, b: TermId) {
        let mut parts: SmallVec<[TermId; 4]> = smallvec![b, a];
        while let Some(part) = parts.pop()
            && !self.unsat
        {
            match terms.as_binary(Binary::And, part) {
                Some((a, b)) => parts.extend([b, a]),
                None => self.assume_part(terms, part),
            }
        }
    }

    fn assume_part(&mut self, terms: &Terms, condition: TermId) {
        let literal = match terms.as_not(condition) {
            Some(atom) => Literal { atom, truth: false },
            None => Literal { atom: condition, truth: true },
        };
        match quick::examine(self.reader(terms), literal) {
            Quick::Implied => {}
            Quick::Refuted => self.unsat = true,
            Quick::Narrowed { var, known, rest } => {
                let layer = self.own_layer();
                layer.push_atom(condition);
                self.unsat = Work::new(terms, layer).follow(var, &known, rest).is_err();
            }
            Quick::Hole { var, known, atom, part } => {
                let layer = self.own_layer();
                layer.push_atom(condition);
                layer.watch_known(var, &known, literal);
                self.unsat = Work::new(terms, layer).exclude(literal, &atom, part).is_err();
            }
            Quick::Other => self.assume_other(terms, condition, literal),
        }
    }

    fn assume_other(&mut self, terms: &Terms, condition: TermId, literal: Literal) {
        if let Some(relation) = Relation::of(self.reader(terms), literal) {
            let atom = self.reader(terms).info(literal.atom).copied().unwrap_or(Info::nothing(1));
            match relation.known_truth(literal, &atom) {
                Some(truth) => self.unsat = !truth,
                None => {
                    let layer = self.own_layer();
                    layer.push_atom(condition);
                    self.unsat = Work::new(terms, layer).relate(literal, &atom, &relation).is_err();
                }
            }
            return;
        }
        // Chains of comparisons are followed once, when the literal is looked at.
        match self.reader(terms).without_chains().truth(literal.atom) {
            Some(truth) if truth == literal.truth => {}
            Some(_) => self.unsat = true,
            None => {
                let layer = self.own_layer();
                layer.push_atom(condition);
                self.unsat = Work::new(terms, layer).assume(literal).is_err();
            }
        }
    }

    /// Assumes that a variable has a value.
    pub fn fix(&mut self, terms: &Terms, var: TermId, value: u128) -> Answer {
        let width = terms.width(var);
        if width <= RANGE_BITS && !self.unsat {
            let value = Range::of(width, value as u64);
            self.unsat = Work::new(terms, self.own_layer()).restrict(var, &value).is_err();
        }
        self.answer()
    }

    fn answer(&self) -> Answer {
        if self.unsat { Answer::Unsat } else { Answer::Unknown }
    }

    /// Whether a contradiction was found.
    pub fn is_unsat(&self) -> bool {
        self.unsat
    }

    /// Whether the facts decide a condition: `Some` only if they imply it, or its negation.
    ///
    /// Contradictory facts imply everything; `Some(true)` is the answer then.
    pub fn decide(&self, terms: &Terms, condition: TermId) -> Option<bool> {
        debug_assert!(terms.width(condition) == 1, "a condition should have one bit");
        if self.unsat {
            return Some(true);
        }
        let known = self.reader(terms).truth(condition);
        // F, ¬c ⊢ false  is  F ⊢ c
        known.or_else(|| [true, false].into_iter().find(|&truth| self.refutes(terms, condition, !truth)))
    }

    /// Whether the facts imply that a condition does not hold; cheaper than [`Facts::decide`].
    pub fn exclude(&self, terms: &Terms, condition: TermId) -> bool {
        match self.reader(terms).truth(condition) {
            Some(truth) => !truth && !self.unsat,
            None => self.refutes(terms, condition, true),
        }
    }

    fn refutes(&self, terms: &Terms, condition: TermId, truth: bool) -> bool {
        let mut fork = self.clone();
        Work::new(terms, fork.own_layer()).assume(Literal { atom: condition, truth }).is_err()
    }

    /// What is known of the value of a term.
    pub fn range(&self, terms: &Terms, term: TermId) -> Range {
        self.reader(terms).range(term)
    }

    /// The term that stands for all those that the known equalities make equal to this one: its linear form over the oldest terms,
    /// with known values put in. `x == y + 3` makes `y + 4` the representative of `x + 1`, which is built if need be.
    pub fn representative(&self, terms: &mut Terms, term: TermId) -> TermId {
        let width = terms.width(term);
        if width > RANGE_BITS {
            return term;
        }
        let form = self.reader(terms).form(term);
        let mut sum = None;
        for &(base, factor) in form.parts.iter() {
            let factor = terms.constant(width, factor.into());
            let part = terms.mul(base, factor);
            sum = Some(sum.map_or(part, |sum| terms.add(sum, part)));
        }
        let constant = terms.constant(width, form.constant.into());
        sum.map_or(constant, |sum| terms.add(sum, constant))
    }

    /// A base and an offset whose sum, modulo 2ⁿ, is the term; all terms that are known to have a constant distance have one base.
    ///
    /// `None` if the term is known to be a constant, or a sum of several unknown terms.
    pub fn base_and_offset(&self, terms: &Terms, term: TermId) -> Option<(TermId, u128)> {
        if terms.width(term) > RANGE_BITS {
            return Some((term, 0));
        }
        let form = self.reader(terms).form(term);
        match &form.parts[..] {
            [(base, 1)] => Some((*base, form.constant.into())),
            _ => None,
        }
    }

    /// The conditions that were assumed, in order, without those that were already implied. Conjunctions stand as their parts.
    pub fn atoms(&self) -> impl Iterator<Item = TermId> {
        self.top.iter().flat_map(|top| top.atoms())
    }

    /// Bytes, about; of what is shared with forks, its share.
    pub fn bytes(&self) -> usize {
        self.top.as_ref().map_or(0, Layer::bytes)
    }

    fn reader<'a>(&'a self, terms: &'a Terms) -> Reader<'a> {
        Reader::new(terms, self.top.as_deref())
    }

    /// The top layer, which nobody else sees.
    fn own_layer(&mut self) -> &mut Layer {
        let is_shared = self.top.as_ref().is_some_and(|top| Arc::strong_count(top) > 1);
        let below = if is_shared { self.top.take() } else { None };
        // A new layer is made where it stays: most of it is room.
        let top = self.top.get_or_insert_default();
        let layer = Arc::get_mut(top).expect("invariant: a layer that is not shared has one owner");
        if let Some(below) = below {
            layer.put_above(below);
        }
        layer
    }
}
