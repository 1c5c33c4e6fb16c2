//! Masks, extension and counting of bits.

use crate::arena::{TermId, Terms};
use crate::eval;
use crate::node::{Binary, Extend, Node, Unary};
use crate::value::{Width, mask};

use super::boolean::dual;

impl Terms {
    /// Conjunction or disjunction with a constant, of a term that is not one.
    pub(super) fn masked(&mut self, op: Binary, a: TermId, value: u128) -> TermId {
        let width = self.width(a);
        let all = mask(width);
        match (op, value) {
            // a & 0 = 0    a | -1 = -1
            (Binary::And, 0) => self.constant(width, 0),
            (Binary::Or, _) if value == all => self.constant(width, all),
            // a & -1 = a    a | 0 = a
            (Binary::Or, 0) => a,
            (Binary::And, _) if value == all => a,
            // a & (2ᵏ - 1) = zext(a[0..k])
            (Binary::And, _) if (value + 1).is_power_of_two() => {
                let low = self.extract(a, 0, value.count_ones());
                self.zext(low, width)
            }
            // a | -2ᵏ = -1 ∘ a[0..k]
            (Binary::Or, _) if (!value & all).wrapping_add(1).is_power_of_two() => {
                let front = value.count_ones();
                let low = self.extract(a, 0, width - front);
                let front = self.constant(front, u128::MAX);
                self.concat(front, low)
            }
            _ => {
                let given = |terms: &mut Terms| {
                    let value = terms.constant(width, value);
                    terms.plain(op, a, value)
                };
                self.nested(given, |terms| terms.masked_inside(op, a, value).unwrap_or_else(|| given(terms)))
            }
        }
    }

    /// Rules on masks that look into the operand.
    fn masked_inside(&mut self, op: Binary, a: TermId, value: u128) -> Option<TermId> {
        let width = self.width(a);
        // ite(c, k, l) & d = ite(c, k & d, l & d)
        if let Some((condition, x, y)) = self.as_choice(a) {
            let [x, y] = [x, y].map(|it| eval::binary(op, width, it, value));
            return Some(self.choice(condition, width, x, y));
        }
        match self.node(a) {
            // ~a & c = ~(a | ~c)
            Node::Unary(Unary::Not, inner) => {
                let rest = self.masked(dual(op), inner, !value & mask(width));
                Some(self.not(rest))
            }
            Node::Binary(found @ (Binary::And | Binary::Or), inner, constant) => {
                let constant = self.value(constant)?;
                self.masked_twice(found, op, inner, constant, value)
            }
            // (a ∘ b) & (c ∘ d) = (a & c) ∘ (b & d)  if one of c, d is 0 or -1
            Node::Binary(Binary::Concat, front, back) => self.masked_pieces(op, front, back, value),
            // zext(a) & c = zext(a & c)    zext(a) | c = zext(a | c)  if c fits
            Node::Extend(Extend::Zero, inner) => {
                let fits = value <= mask(self.width(inner));
                if op == Binary::Or && !fits {
                    return None;
                }
                let inner = self.masked(op, inner, value & mask(self.width(inner)));
                Some(self.zext(inner, width))
            }
            // sext(a) & c = zext(a & c)  if c fits
            Node::Extend(Extend::Sign, inner) if op == Binary::And && value <= mask(self.width(inner)) => {
                let inner = self.masked(op, inner, value);
                Some(self.zext(inner, width))
            }
            _ => None,
        }
    }

    /// `(a ∘ c) ∘' d`, where the operations are conjunction or disjunction.
    fn masked_twice(&mut self, inner: Binary, outer: Binary, a: TermId, c: u128, d: u128) -> Option<TermId> {
        let width = self.width(a);
        match (inner, outer) {
            // (a & c) & d = a & (c & d)
            (Binary::And, Binary::And) => Some(self.masked(Binary::And, a, c & d)),
            // (a | c) | d = a | (c | d)
            (Binary::Or, Binary::Or) => Some(self.masked(Binary::Or, a, c | d)),
            // (a | c) & d = (a & (d & ~c)) | (c & d)
            (Binary::Or, Binary::And) => {
                let rest = self.masked(Binary::And, a, d & !c);
                let added = self.constant(width, c & d);
                Some(self.or(rest, added))
            }
            // (a & c) | d = a | d  if c | d = -1
            _ if c | d == mask(width) => Some(self.masked(Binary::Or, a, d)),
            // (a & c) | d = (a & (c & ~d)) | d
            _ if c & d != 0 => {
                let rest = self.masked(Binary::And, a, c & !d);
                let added = self.constant(width, d);
                Some(self.or(rest, added))
            }
            _ => None,
        }
    }

    fn masked_pieces(&mut self, op: Binary, front: TermId, back: TermId, value: u128) -> Option<TermId> {
        let below = self.width(back);
        let (high, low) = (value >> below, value & mask(below));
        let trivial = |value: u128, width: Width| value == 0 || value == mask(width);
        if !trivial(high, self.width(front)) && !trivial(low, below) {
            return None;
        }
        let high = self.constant(self.width(front), high);
        let low = self.constant(below, low);
        let front = self.apply_binary(op, front, high);
        let back = self.apply_binary(op, back, low);
        Some(self.concat(front, back))
    }

    /// What `high | low` is when bytes are put together in C: `b[1] << 8 | b[0]`.
    // zext(a) * 2ᵏ | zext(b) = zext(a ∘ b)  if b has k bits
    pub(super) fn as_concat(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        let width = self.width(high);
        let (front, factor) = self.as_binary(Binary::Mul, high)?;
        let factor = self.value(factor)?;
        let (Node::Extend(Extend::Zero, front), Node::Extend(Extend::Zero, back)) =
            (self.node(front), self.node(low))
        else {
            return None;
        };
        let fits = self.width(front) + self.width(back) <= width;
        if !fits || factor != 1 << self.width(back) {
            return None;
        }
        let whole = self.concat(front, back);
        Some(self.zext(whole, width))
    }

    pub(super) fn extended(&mut self, op: Extend, a: TermId, width: Width) -> TermId {
        let from = self.width(a);
        debug_assert!(from <= width, "an extended term should not be smaller");
        if let Some(value) = self.value(a) {
            return self.constant(width, eval::extend(op, from, width, value));
        }
        // ext(a) = a  to its own width
        if from == width {
            return a;
        }
        self.nested(
            |terms| terms.insert(Node::Extend(op, a), width),
            |terms| {
                let found = terms.extended_inside(op, a, width);
                found.unwrap_or_else(|| terms.insert(Node::Extend(op, a), width))
            },
        )
    }

    fn extended_inside(&mut self, op: Extend, a: TermId, width: Width) -> Option<TermId> {
        let from = self.width(a);
        // ext(ite(c, k, l)) = ite(c, ext(k), ext(l))
        if let Some((condition, x, y)) = self.as_choice(a) {
            let [x, y] = [x, y].map(|it| eval::extend(op, from, width, it));
            return Some(self.choice(condition, width, x, y));
        }
        match (op, self.node(a)) {
            // zext(zext(a)) = zext(a)    sext(zext(a)) = zext(a)
            (_, Node::Extend(Extend::Zero, inner)) => Some(self.zext(inner, width)),
            // sext(sext(a)) = sext(a)
            (Extend::Sign, Node::Extend(Extend::Sign, inner)) => Some(self.sext(inner, width)),
            // sext(~a) = ~sext(a)
            (Extend::Sign, Node::Unary(Unary::Not, inner)) => {
                let inner = self.sext(inner, width);
                Some(self.not(inner))
            }
            // sext(k ∘ a) = sext(k) ∘ a
            (Extend::Sign, Node::Binary(Binary::Concat, front, back)) => {
                self.value(front)?;
                let front = self.sext(front, width - self.width(back));
                Some(self.concat(front, back))
            }
            _ => None,
        }
    }

    /// Counts of bits, on more than one bit.
    pub(super) fn count(&mut self, op: Unary, a: TermId) -> TermId {
        let width = self.width(a);
        if let Some(value) = self.value(a) {
            return self.constant(width, eval::unary(op, width, value));
        }
        match (op, self.node(a)) {
            // popcount(zext(a)) = zext(popcount(a))
            (Unary::Popcount, Node::Extend(Extend::Zero, inner)) => {
                let inner = self.popcount(inner);
                self.zext(inner, width)
            }
            // clz(zext(a)) = zext(clz(a)) + (n - m)  from m to n bits
            (Unary::LeadingZeros, Node::Extend(Extend::Zero, inner)) => {
                let more = width - self.width(inner);
                let inner = self.leading_zeros(inner);
                let inner = self.zext(inner, width);
                self.sum_with(inner, u128::from(more))
            }
            _ => self.insert(Node::Unary(op, a), width),
        }
    }
}
