//! Less, unsigned and signed.
//!
//! The normal form has constants on the right: `5 < x` is `!(x < 6)`, so each border is one condition. At the
//! ends of the range comparisons are equalities. `x < x + 1` is not valid, since sums wrap: it says that `x`
//! is not the greatest value.

use crate::arena::{TermId, Terms};
use crate::eval;
use crate::node::{Binary, Extend, Node, Unary};
use crate::value::{mask, signed};

use super::{greatest, least};

impl Terms {
    pub(super) fn below(&mut self, a: TermId, b: TermId) -> TermId {
        // (a <u b) = !a && b  on one bit
        if self.width(a) == 1 {
            let zero = self.not(a);
            return self.and(zero, b);
        }
        self.compared(Binary::Ult, a, b)
    }

    pub(super) fn less(&mut self, a: TermId, b: TermId) -> TermId {
        // (a <s b) = a && !b  on one bit
        if self.width(a) == 1 {
            let zero = self.not(b);
            return self.and(a, zero);
        }
        self.compared(Binary::Slt, a, b)
    }

    /// On more than one bit.
    fn compared(&mut self, op: Binary, a: TermId, b: TermId) -> TermId {
        // (a < a) = 0
        if a == b {
            return self.no();
        }
        match (self.value(a), self.value(b)) {
            (_, Some(value)) => self.compared_to(op, a, value),
            (Some(value), None) => self.beyond(op, b, value),
            (None, None) => self.nested(
                |terms| terms.plain(op, a, b),
                |terms| terms.compared_inside(op, a, b).unwrap_or_else(|| terms.plain(op, a, b)),
            ),
        }
    }

    /// `value < a`.
    fn beyond(&mut self, op: Binary, a: TermId, value: u128) -> TermId {
        let width = self.width(a);
        let (_, last) = ends(op, width);
        // (max < a) = 0
        if value == last {
            return self.no();
        }
        // (c < a) = !(a < c + 1)
        let less = self.compared_to(op, a, value.wrapping_add(1) & mask(width));
        self.not(less)
    }

    /// `a < value`.
    fn compared_to(&mut self, op: Binary, a: TermId, value: u128) -> TermId {
        let width = self.width(a);
        let (first, last) = ends(op, width);
        // (a < min) = 0
        if value == first {
            return self.no();
        }
        // (a < min + 1) = (a = min)
        if value == first + 1 {
            let first = self.constant(width, first);
            return self.eq(a, first);
        }
        // (a < max) = !(a = max)
        if value == last {
            let last = self.constant(width, last);
            return self.ne(a, last);
        }
        // (a <s 0) = a[n-1..n]
        if op == Binary::Slt && value == 0 {
            return self.is_negative(a);
        }
        // (a <u 2ⁿ⁻¹) = !(a <s 0)
        if op == Binary::Ult && value == least(width) {
            let negative = self.is_negative(a);
            return self.not(negative);
        }
        let given = |terms: &mut Terms| {
            let value = terms.constant(width, value);
            terms.plain(op, a, value)
        };
        self.nested(given, |terms| terms.compared_to_inside(op, a, value).unwrap_or_else(|| given(terms)))
    }

    fn compared_to_inside(&mut self, op: Binary, a: TermId, value: u128) -> Option<TermId> {
        let width = self.width(a);
        match self.node(a) {
            Node::Ite(condition, x, y) => self.choice_compared(op, (condition, x, y), value),
            // (~a < c) = (~c < a)
            Node::Unary(Unary::Not, inner) => Some(self.beyond(op, inner, !value & mask(width))),
            // (popcount(a) <u c) = 1  if c > n, and so for the other counts
            Node::Unary(_, _) => (op == Binary::Ult && value > u128::from(width)).then(|| self.yes()),
            Node::Extend(Extend::Zero, inner) => Some(self.zero_extended_compared(op, inner, value, width)),
            Node::Extend(Extend::Sign, inner) => Some(self.sign_extended_compared(op, inner, value, width)),
            // (a ∘ b < c ∘ 0) = (a < c)
            Node::Binary(Binary::Concat, front, back) => {
                let below = self.width(back);
                if value & mask(below) != 0 {
                    return None;
                }
                let value = self.constant(self.width(front), value >> below);
                Some(self.apply_binary(op, front, value))
            }
            // (a %u c <u d) = 1  if d >= c
            Node::Binary(Binary::Urem, _, divisor) if op == Binary::Ult => {
                let divisor = self.value(divisor)?;
                (value >= divisor).then(|| self.yes())
            }
            // (a & c <u d) = 1  if d > c
            Node::Binary(Binary::And, _, constant) if op == Binary::Ult => {
                let constant = self.value(constant)?;
                (value > constant).then(|| self.yes())
            }
            _ => None,
        }
    }

    /// `ite(c, x, y) < value`, if one of the values is constant. Chains of choices are left alone.
    fn choice_compared(
        &mut self,
        op: Binary,
        choice: (TermId, TermId, TermId),
        value: u128,
    ) -> Option<TermId> {
        let (condition, x, y) = choice;
        let width = self.width(x);
        let (condition, known, other) = match (self.value(x), self.value(y)) {
            (Some(known), _) => (condition, known, y),
            (None, Some(known)) => (self.not(condition), known, x),
            (None, None) => return None,
        };
        if matches!(self.node(other), Node::Ite(..)) {
            return None;
        }
        let target = self.constant(width, value);
        let rest = self.apply_binary(op, other, target);
        // (ite(c, k, a) < d) = c || a < d  if k < d, else !c && a < d
        if eval::binary(op, width, known, value) != 0 {
            return Some(self.or(condition, rest));
        }
        let condition = self.not(condition);
        Some(self.and(condition, rest))
    }

    fn zero_extended_compared(&mut self, op: Binary, inner: TermId, value: u128, width: u32) -> TermId {
        // (zext(a) <s c) = 0  if c < 0
        if op == Binary::Slt && value > greatest(width) {
            return self.no();
        }
        // (zext(a) < c) = 1  if c does not fit, else a <u c
        if value > mask(self.width(inner)) {
            return self.yes();
        }
        let value = self.constant(self.width(inner), value);
        self.ult(inner, value)
    }

    fn sign_extended_compared(&mut self, op: Binary, inner: TermId, value: u128, width: u32) -> TermId {
        let from = self.width(inner);
        let part = value & mask(from);
        // (sext(a) < c) = (a < c)  if c fits
        if eval::extend(Extend::Sign, from, width, part) == value {
            let part = self.constant(from, part);
            return self.apply_binary(op, inner, part);
        }
        match op {
            // (sext(a) <s c) = 1  if c is greater than any a, 0 if it is smaller
            Binary::Slt if signed(width, value) > 0 => self.yes(),
            Binary::Slt => self.no(),
            // (sext(a) <u c) = !(a <s 0)  if c is between the values of positive and of negative a
            _ => {
                let negative = self.is_negative(inner);
                self.not(negative)
            }
        }
    }

    fn compared_inside(&mut self, op: Binary, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        let ((x, c), (y, d)) = (self.without_constant(a), self.without_constant(b));
        if x == y {
            let (first, _) = ends(op, width);
            let more = d.wrapping_sub(c);
            // (a + d < a) = !(a < min - d)  for d other than 0: the sum wraps or not
            if d == 0 {
                let reaches = self.compared_to(op, b, first.wrapping_add(more) & mask(width));
                return Some(self.not(reaches));
            }
            // (a < a + d) = (a < min - d)
            return Some(self.compared_to(op, a, first.wrapping_sub(more) & mask(width)));
        }
        match (self.node(a), self.node(b)) {
            // (~a < ~b) = (b < a)
            (Node::Unary(Unary::Not, x), Node::Unary(Unary::Not, y)) => Some(self.compared(op, y, x)),
            // (zext(a) < zext(b)) = (a <u b)    (sext(a) < sext(b)) = (a < b)    the narrower one extended
            (Node::Extend(ext, x), Node::Extend(other, y)) if ext == other => {
                let width = self.width(x).max(self.width(y));
                let x = self.extended(ext, x, width);
                let y = self.extended(ext, y, width);
                Some(if ext == Extend::Zero { self.ult(x, y) } else { self.apply_binary(op, x, y) })
            }
            // (a ∘ c < b ∘ c) = (a < b)
            (Node::Binary(Binary::Concat, p, q), Node::Binary(Binary::Concat, r, s)) if q == s => {
                Some(self.apply_binary(op, p, r))
            }
            // (a ∘ b < a ∘ c) = (b <u c)
            (Node::Binary(Binary::Concat, p, q), Node::Binary(Binary::Concat, r, s)) if p == r => {
                Some(self.ult(q, s))
            }
            _ => None,
        }
    }
}

/// The least and the greatest value of an order.
fn ends(op: Binary, width: u32) -> (u128, u128) {
    match op {
        Binary::Slt => (least(width), greatest(width)),
        _ => (0, mask(width)),
    }
}
