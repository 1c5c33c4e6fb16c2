//! If-then-else.
//!
//! The normal form has no negated condition, no choice that the condition has made already, and on one bit no
//! constants: those are conjunctions and disjunctions. A choice between 1 and 0 is the condition, extended.

use crate::arena::{TermId, Terms};
use crate::node::{Binary, Node};
use crate::value::mask;

impl Terms {
    /// A choice by a condition that is not constant, between different terms.
    pub(super) fn selected(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        // ite(!c, a, b) = ite(c, b, a)
        if let Some(positive) = self.upright(condition) {
            return self.ite(positive, b, a);
        }
        let given = |terms: &mut Terms| terms.insert(Node::Ite(condition, a, b), terms.width(a));
        self.nested(given, |terms| {
            let special = if terms.width(a) == 1 {
                terms.selected_bit(condition, a, b)
            } else {
                terms.selected_value(condition, a, b)
            };
            special.or_else(|| terms.selected_inside(condition, a, b)).unwrap_or_else(|| given(terms))
        })
    }

    /// The negation of a condition, if that is the one to choose by.
    fn upright(&mut self, condition: TermId) -> Option<TermId> {
        if let Some(inner) = self.as_not(condition) {
            return Some(inner);
        }
        let Node::Binary(op @ (Binary::And | Binary::Or), p, q) = self.node(condition) else { return None };
        if !self.is_literal(p) || !self.is_literal(q) {
            return None;
        }
        // Of a pair of literals and its negation, the one with fewer negations, and the conjunction if both have one.
        let negations = usize::from(self.as_not(p).is_some()) + usize::from(self.as_not(q).is_some());
        let turn = negations == 2 || (negations == 1 && op == Binary::Or);
        turn.then(|| self.not(condition))
    }

    /// Rules on one bit.
    fn selected_bit(&mut self, condition: TermId, a: TermId, b: TermId) -> Option<TermId> {
        let holds = |terms: &Terms, term| term == condition || terms.value(term) == Some(1);
        let fails = |terms: &Terms, term| terms.value(term) == Some(0);
        // ite(c, 1, b) = ite(c, c, b) = c || b
        if holds(self, a) {
            return Some(self.or(condition, b));
        }
        // ite(c, a, 0) = ite(c, a, c) = c && a
        if fails(self, b) || b == condition {
            return Some(self.and(condition, a));
        }
        // ite(c, 0, b) = ite(c, !c, b) = !c && b
        if fails(self, a) || self.opposite(a, condition) {
            let otherwise = self.not(condition);
            return Some(self.and(otherwise, b));
        }
        // ite(c, a, 1) = ite(c, a, !c) = !c || a
        if holds(self, b) || self.opposite(b, condition) {
            let otherwise = self.not(condition);
            return Some(self.or(otherwise, a));
        }
        // ite(c, a, !a) = !(c xor a)
        if self.opposite(a, b) {
            let differ = self.xor(condition, a);
            return Some(self.not(differ));
        }
        None
    }

    /// Rules on more than one bit.
    fn selected_value(&mut self, condition: TermId, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        let all = mask(width);
        match (self.value(a), self.value(b)) {
            // ite(c, 1, 0) = zext(c)    ite(c, -1, 0) = sext(c)
            (Some(1), Some(0)) => Some(self.zext(condition, width)),
            (Some(value), Some(0)) if value == all => Some(self.sext(condition, width)),
            // ite(c, 0, 1) = zext(!c)    ite(c, 0, -1) = sext(!c)
            (Some(0), Some(1)) => {
                let otherwise = self.not(condition);
                Some(self.zext(otherwise, width))
            }
            (Some(0), Some(value)) if value == all => {
                let otherwise = self.not(condition);
                Some(self.sext(otherwise, width))
            }
            _ => self.selected_equal(condition, a, b),
        }
    }

    /// `ite(a = b, a, b) = b`, and with the first two turned.
    fn selected_equal(&mut self, condition: TermId, a: TermId, b: TermId) -> Option<TermId> {
        let (x, y) = self.as_binary(Binary::Eq, condition)?;
        ((x, y) == (a, b) || (y, x) == (a, b)).then_some(b)
    }

    /// Rules that look into what is chosen.
    fn selected_inside(&mut self, condition: TermId, a: TermId, b: TermId) -> Option<TermId> {
        // ite(c, ~a, ~b) = ~ite(c, a, b), also if one of them is a constant
        let turned = |terms: &Terms, term| terms.as_not(term).is_some() || terms.value(term).is_some();
        let constants = self.value(a).is_some() && self.value(b).is_some();
        if turned(self, a) && turned(self, b) && !constants {
            let a = self.not(a);
            let b = self.not(b);
            let inner = self.ite(condition, a, b);
            return Some(self.not(inner));
        }
        if let Node::Ite(other, p, q) = self.node(a) {
            // ite(c, ite(c, a, b), d) = ite(c, a, d)
            if other == condition {
                return Some(self.ite(condition, p, b));
            }
            // ite(c, ite(d, a, b), b) = ite(c && d, a, b)
            if q == b {
                let both = self.and(condition, other);
                return Some(self.ite(both, p, b));
            }
            // ite(c, ite(d, b, a), b) = ite(c && !d, a, b)
            if p == b {
                let other = self.not(other);
                let both = self.and(condition, other);
                return Some(self.ite(both, q, b));
            }
        }
        if let Node::Ite(other, p, q) = self.node(b) {
            // ite(c, a, ite(c, b, d)) = ite(c, a, d)
            if other == condition {
                return Some(self.ite(condition, a, q));
            }
            // ite(c, a, ite(d, a, b)) = ite(c || d, a, b)
            if p == a {
                let either = self.or(condition, other);
                return Some(self.ite(either, a, q));
            }
            // ite(c, a, ite(d, b, a)) = ite(c || !d, a, b)
            if q == a {
                let other = self.not(other);
                let either = self.or(condition, other);
                return Some(self.ite(either, a, p));
            }
        }
        None
    }
}
