//! Conjunction, disjunction, exclusive or and negation, on one bit and bit by bit.
//!
//! On one bit, negation stands before literals: of two literals it is pushed inside (`!(a && b)` is
//! `!a || !b`), so a reader finds conjunctions and disjunctions where they are. On more bits `~a` is
//! arithmetic, too (`-a - 1`), and is pulled outside.

use base::limits;
use smallvec::SmallVec;

use crate::arena::{TermId, Terms};
use crate::node::{Binary, Node, Unary};
use crate::value::mask;

use super::{greatest, least};

/// Terms that a conjunction implies.
type Parts = SmallVec<[TermId; limits::TERM_CONJUNCTS]>;

impl Terms {
    /// Conjunction or disjunction; the rules are written for the former and hold for the latter with everything turned over.
    pub(super) fn lattice(&mut self, op: Binary, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        if let Some(value) = self.value(b) {
            return self.masked(op, a, value);
        }
        // a && a = a
        if a == b {
            return a;
        }
        // a && !a = 0
        if self.opposite(a, b) {
            return self.annihilator(op, a);
        }
        // ~a & ~b = ~(a | b)
        if self.width(a) > 1
            && let (Some(x), Some(y)) = (self.as_not(a), self.as_not(b))
        {
            let inner = self.lattice(dual(op), x, y);
            return self.not(inner);
        }
        if !self.is_lattice(a) && !self.is_lattice(b) {
            return self.assembled(op, a, b);
        }
        self.nested(
            |terms| terms.plain(op, a, b),
            |terms| terms.shared(op, a, b).unwrap_or_else(|| terms.assembled(op, a, b)),
        )
    }

    /// Rules on operands that are conjunctions or disjunctions themselves.
    fn shared(&mut self, op: Binary, a: TermId, b: TermId) -> Option<TermId> {
        let (of_a, of_b) = (self.parts(op, a), self.parts(op, b));
        // (b && r) && b = b && r
        if of_a.contains(&b) {
            return Some(a);
        }
        if of_b.contains(&a) {
            return Some(b);
        }
        self.assumed(op, a, &of_a, b)
            .or_else(|| self.assumed(op, b, &of_b, a))
            .or_else(|| self.factored(op, a, b))
    }

    /// `a && b`, where `b` is simplified by what `a` implies.
    fn assumed(&mut self, op: Binary, a: TermId, implied: &Parts, b: TermId) -> Option<TermId> {
        let denied = |terms: &Terms, part| implied.iter().any(|&it| terms.opposite(it, part));
        // (!b && r) && b = 0
        if denied(self, b) {
            return Some(self.annihilator(op, a));
        }
        let (p, q, turned, same) = self.as_lattice(op, b)?;
        // With `turned`, the parts of b are !p and !q.
        let holds = |terms: &Terms, part| if turned { denied(terms, part) } else { implied.contains(&part) };
        let fails = |terms: &Terms, part| if turned { implied.contains(&part) } else { denied(terms, part) };
        let rest = match same {
            // a && (p && q) = a && q  if a implies p;  = 0  if a implies !p
            true if fails(self, p) || fails(self, q) => return Some(self.annihilator(op, a)),
            true if holds(self, p) => q,
            true if holds(self, q) => p,
            // a && (p || q) = a  if a implies p;  = a && q  if a implies !p
            false if holds(self, p) || holds(self, q) => return Some(a),
            false if fails(self, p) => q,
            false if fails(self, q) => p,
            _ => return None,
        };
        let rest = if turned { self.not(rest) } else { rest };
        Some(self.apply_binary(op, a, rest))
    }

    /// `(p || x) && (p || y) = p || (x && y)`.
    fn factored(&mut self, op: Binary, a: TermId, b: TermId) -> Option<TermId> {
        let (p, q) = self.as_binary(dual(op), a)?;
        let (r, s) = self.as_binary(dual(op), b)?;
        let (common, x, y) = match () {
            () if p == r => (p, q, s),
            () if p == s => (p, q, r),
            () if q == r => (q, p, s),
            () if q == s => (q, p, r),
            () => return None,
        };
        let inner = self.apply_binary(op, x, y);
        Some(self.apply_binary(dual(op), common, inner))
    }

    /// The term with that operation, or what the bytes of a number put together are.
    fn assembled(&mut self, op: Binary, a: TermId, b: TermId) -> TermId {
        if op == Binary::Or
            && let Some(term) = self.as_concat(a, b).or_else(|| self.as_concat(b, a))
        {
            return term;
        }
        self.plain(op, a, b)
    }

    pub(super) fn exclusive_or(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if let Some(value) = self.value(b) {
            return self.flipped(a, value);
        }
        // a xor a = 0    a xor !a = -1
        if a == b {
            return self.constant(width, 0);
        }
        if self.opposite(a, b) {
            return self.constant(width, u128::MAX);
        }
        self.nested(
            |terms| terms.plain(Binary::Xor, a, b),
            |terms| {
                let found = terms.cancelled(a, b).or_else(|| terms.cancelled(b, a));
                found.unwrap_or_else(|| terms.plain(Binary::Xor, a, b))
            },
        )
    }

    /// Rules of exclusive or that look into the first operand.
    fn cancelled(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        // !a xor b = !(a xor b)
        if let Some(inner) = self.as_not(a) {
            let rest = self.xor(inner, b);
            return Some(self.not(rest));
        }
        let (p, q) = self.as_binary(Binary::Xor, a)?;
        // (p xor c) xor b = (p xor b) xor c
        if self.value(q).is_some() {
            let rest = self.xor(p, b);
            return Some(self.xor(rest, q));
        }
        // (p xor q) xor p = q
        match () {
            () if p == b => Some(q),
            () if q == b => Some(p),
            () => None,
        }
    }

    /// Exclusive or with a constant.
    fn flipped(&mut self, a: TermId, value: u128) -> TermId {
        let width = self.width(a);
        // a xor 0 = a    a xor -1 = !a
        match value {
            0 => return a,
            _ if value == mask(width) => return self.not(a),
            _ => {}
        }
        // a xor 0x80 = a + 0x80
        if value == least(width) {
            return self.sum_with(a, value);
        }
        // a xor 0x7f = 0x7f - a
        if value == greatest(width) {
            let negative = self.neg(a);
            return self.sum_with(negative, value);
        }
        // a xor 0xf0 = !(a xor 0x0f)
        if value > greatest(width) {
            let rest = self.flipped(a, !value & mask(width));
            return self.not(rest);
        }
        let given = |terms: &mut Terms| {
            let value = terms.constant(width, value);
            terms.plain(Binary::Xor, a, value)
        };
        self.nested(given, |terms| terms.flipped_inside(a, value).unwrap_or_else(|| given(terms)))
    }

    fn flipped_inside(&mut self, a: TermId, value: u128) -> Option<TermId> {
        let width = self.width(a);
        if let Some((condition, x, y)) = self.as_choice(a) {
            // ite(c, k, l) xor d = ite(c, k xor d, l xor d)
            return Some(self.choice(condition, width, x ^ value, y ^ value));
        }
        match self.node(a) {
            // !a xor d = a xor !d
            Node::Unary(Unary::Not, inner) => Some(self.flipped(inner, !value & mask(width))),
            // (a xor c) xor d = a xor (c xor d)
            Node::Binary(Binary::Xor, inner, constant) => {
                let constant = self.value(constant)?;
                Some(self.flipped(inner, constant ^ value))
            }
            _ => None,
        }
    }

    /// `!a` on one bit, not a constant.
    pub(super) fn negation(&mut self, a: TermId) -> TermId {
        match self.node(a) {
            // !!a = a
            Node::Unary(Unary::Not, inner) => inner,
            // !(a && b) = !a || !b    !(a || b) = !a && !b    for literals a, b
            Node::Binary(op @ (Binary::And | Binary::Or), p, q)
                if self.is_literal(p) && self.is_literal(q) =>
            {
                let p = self.not(p);
                let q = self.not(q);
                self.lattice(dual(op), p, q)
            }
            _ => self.insert(Node::Unary(Unary::Not, a), 1),
        }
    }

    /// Whether one is the negation of the other, at a glance.
    pub(super) fn opposite(&self, a: TermId, b: TermId) -> bool {
        self.as_not(a) == Some(b) || self.as_not(b) == Some(a)
    }

    /// Whether a term on one bit is neither conjunction nor disjunction, nor the negation of one.
    pub(super) fn is_literal(&self, a: TermId) -> bool {
        !self.is_lattice(a)
    }

    fn is_lattice(&self, a: TermId) -> bool {
        let inner = self.as_not(a).unwrap_or(a);
        matches!(self.node(inner), Node::Binary(Binary::And | Binary::Or, ..))
    }

    /// The operands of a conjunction or disjunction; whether they are meant to be negated; and whether what is then joined
    /// by is `op`.
    fn as_lattice(&self, op: Binary, a: TermId) -> Option<(TermId, TermId, bool, bool)> {
        let (inner, turned) = match self.as_not(a) {
            Some(inner) => (inner, true),
            None => (a, false),
        };
        match self.node(inner) {
            Node::Binary(found @ (Binary::And | Binary::Or), p, q) => {
                Some((p, q, turned, (found == op) != turned))
            }
            _ => None,
        }
    }

    /// The term and what it implies because it is a conjunction, a bounded number.
    fn parts(&self, op: Binary, a: TermId) -> Parts {
        let mut parts = Parts::from_slice(&[a]);
        let mut next = 0;
        while next < parts.len() && parts.len() + 2 <= limits::TERM_CONJUNCTS {
            if let Some((p, q)) = self.as_binary(op, parts[next]) {
                parts.push(p);
                parts.push(q);
            }
            next += 1;
        }
        parts
    }

    /// `0` for conjunction, `-1` for disjunction.
    fn annihilator(&mut self, op: Binary, a: TermId) -> TermId {
        let value = if op == Binary::And { 0 } else { u128::MAX };
        self.constant(self.width(a), value)
    }
}

/// The other of conjunction and disjunction.
pub(super) fn dual(op: Binary) -> Binary {
    if op == Binary::And { Binary::Or } else { Binary::And }
}
