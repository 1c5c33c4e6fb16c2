//! Equality, on more than one bit.
//!
//! With sums on any side, the normal form has each monomial once, on the side where its coefficient is
//! positive as a signed number, and the constant on the right: `x - 3 = y` is `x = y + 3`. The whole is
//! negated if need be, so that the monomial with the smallest id stands on the left.

use base::limits;
use smallvec::SmallVec;

use crate::arena::{TermId, Terms};
use crate::eval;
use crate::node::{Binary, Extend, Node, Unary};
use crate::value::{Width, mask, signed};

use super::least;
use super::linear::{Linear, Monomial};

impl Terms {
    pub(super) fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        // (a = a) = 1
        if a == b {
            return self.yes();
        }
        let (a, b) = self.ordered(a, b);
        self.nested(
            |terms| terms.plain(Binary::Eq, a, b),
            |terms| match terms.value(b) {
                Some(value) => terms.equal_to(a, value),
                None if terms.is_base(a) && terms.is_base(b) => terms.equal_bases(a, b),
                None => terms.equal_sums(a, b),
            },
        )
    }

    /// `a = value`.
    fn equal_to(&mut self, a: TermId, value: u128) -> TermId {
        let width = self.width(a);
        // (~a = c) = (a = ~c)
        if let Some(inner) = self.as_not(a) {
            return self.equal_to(inner, !value & mask(width));
        }
        if self.is_base(a) {
            return self.equal_base_to(a, value);
        }
        // (Σ mᵢ + c = d) = (Σ mᵢ = d - c)
        let mut sum = self.linear(a);
        sum.constant = sum.constant.wrapping_sub(value) & mask(width);
        self.zero_sum(sum, width)
    }

    fn equal_sums(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        // (a = b) = (a - b = 0)
        let negative = self.linear(b).scaled(width, u128::MAX);
        let sum = self.linear(a).plus(&negative, width);
        if sum.monomials.len() > limits::TERM_MONOMIALS {
            return self.plain(Binary::Eq, a, b);
        }
        self.zero_sum(sum, width)
    }

    /// `sum = 0`.
    fn zero_sum(&mut self, sum: Linear, width: Width) -> TermId {
        let twos = sum.monomials.iter().map(|it| it.coefficient.trailing_zeros()).min();
        // (2ᵏ * a = c) = 0  if 2ᵏ does not divide c
        if sum.constant != 0 && twos.is_none_or(|twos| sum.constant.trailing_zeros() < twos) {
            return self.no();
        }
        match sum.monomials[..] {
            [] => self.yes(),
            [monomial] => self.solved(monomial, sum.constant.wrapping_neg() & mask(width), width),
            _ => self.two_sides(sum, width),
        }
    }

    /// `base * coefficient = value`, where the twos of the coefficient divide the value.
    fn solved(&mut self, monomial: Monomial, value: u128, width: Width) -> TermId {
        let twos = monomial.coefficient.trailing_zeros();
        let odd = monomial.coefficient >> twos;
        let value = (value >> twos).wrapping_mul(inverse(odd)) & mask(width - twos);
        // (a * k = c) = (a = c / k)  for odd k
        if twos == 0 {
            return self.equal_base_to(monomial.base, value);
        }
        // (a * (2ᵗ * k) = c) = (a[0..n-t] = c / 2ᵗ / k)
        let low = self.extract(monomial.base, 0, width - twos);
        let value = self.constant(width - twos, value);
        self.eq(low, value)
    }

    /// `sum = 0` for at least two monomials.
    // (Σ kᵢ * mᵢ - Σ lⱼ * nⱼ + c = 0) = (Σ kᵢ * mᵢ = Σ lⱼ * nⱼ - c)
    fn two_sides(&mut self, sum: Linear, width: Width) -> TermId {
        let sum = upright(sum, width);
        let (left, right): (SmallVec<_>, SmallVec<_>) =
            sum.monomials.iter().copied().partition(|it| signed(width, it.coefficient) > 0);
        let right = Linear { monomials: right, constant: sum.constant }.scaled(width, u128::MAX);
        let left = Linear { monomials: left, constant: 0 };
        let a = self.from_linear(&left, width);
        let b = self.from_linear(&right, width);
        if self.value(a).is_none() && self.value(b).is_none() && self.is_base(a) && self.is_base(b) {
            return self.equal_bases(a, b);
        }
        let (a, b) = self.ordered(a, b);
        self.plain(Binary::Eq, a, b)
    }

    /// `a = value` for a base.
    fn equal_base_to(&mut self, a: TermId, value: u128) -> TermId {
        self.nested(
            |terms| terms.plain_to(a, value),
            |terms| terms.base_decided(a, value).unwrap_or_else(|| terms.plain_to(a, value)),
        )
    }

    fn plain_to(&mut self, a: TermId, value: u128) -> TermId {
        let value = self.constant(self.width(a), value);
        self.plain(Binary::Eq, a, value)
    }

    fn base_decided(&mut self, a: TermId, value: u128) -> Option<TermId> {
        let width = self.width(a);
        match self.node(a) {
            Node::Ite(condition, x, y) => self.choice_equal(condition, x, y, value),
            // (zext(a) = c) = (a = c)  if c fits, else 0; and so for sext
            Node::Extend(op, inner) => {
                let from = self.width(inner);
                let part = value & mask(from);
                if eval::extend(op, from, width, part) != value {
                    return Some(self.no());
                }
                let part = self.constant(from, part);
                Some(self.eq(inner, part))
            }
            Node::Binary(Binary::Concat, ..) => Some(self.pieces_equal(a, value)),
            Node::Binary(Binary::Xor | Binary::And | Binary::Or, x, y) => self.bitwise_equal(a, x, y, value),
            // (a % c = d) = 0  if d >= c
            Node::Binary(Binary::Urem, _, divisor) => {
                let divisor = self.value(divisor)?;
                (divisor != 0 && value >= divisor).then(|| self.no())
            }
            Node::Unary(op, inner) => self.count_equal(op, inner, value),
            _ => None,
        }
    }

    /// `(a ∘ b = c ∘ d) = (a = c) && (b = d)`, for all pieces of a term at once.
    fn pieces_equal(&mut self, a: TermId, value: u128) -> TermId {
        let mut all = self.yes();
        let mut rest = Some(a);
        while let Some(piece) = rest {
            let (piece, next) =
                self.as_binary(Binary::Concat, piece).map_or((piece, None), |(a, b)| (a, Some(b)));
            let below = next.map_or(0, |next| self.width(next));
            let part = self.constant(self.width(piece), value.checked_shr(below).unwrap_or(0));
            let equal = self.eq(piece, part);
            all = self.and(all, equal);
            rest = next;
        }
        all
    }

    /// `ite(c, x, y) = value`, if one of the values is constant. Chains of choices are left alone.
    fn choice_equal(&mut self, condition: TermId, x: TermId, y: TermId, value: u128) -> Option<TermId> {
        let (condition, known, other) = match (self.value(x), self.value(y)) {
            (Some(known), _) => (condition, known, y),
            (None, Some(known)) => (self.not(condition), known, x),
            (None, None) => return None,
        };
        if matches!(self.node(other), Node::Ite(..)) {
            return None;
        }
        let target = self.constant(self.width(other), value);
        let rest = self.eq(other, target);
        // (ite(c, k, a) = k) = c || a = k    (ite(c, l, a) = k) = !c && a = k
        if known == value {
            return Some(self.or(condition, rest));
        }
        let condition = self.not(condition);
        Some(self.and(condition, rest))
    }

    /// `x ∘ y = value` for an operation bit by bit.
    fn bitwise_equal(&mut self, a: TermId, x: TermId, y: TermId, value: u128) -> Option<TermId> {
        let width = self.width(a);
        let Node::Binary(op, ..) = self.node(a) else { return None };
        match (op, self.value(y)) {
            // (a xor c = d) = (a = c xor d)
            (Binary::Xor, Some(constant)) => Some(self.equal_to(x, constant ^ value)),
            // (a xor b = 0) = (a = b)
            (Binary::Xor, None) if value == 0 => Some(self.eq(x, y)),
            // (a & c = d) = 0  if d has bits that c has not
            (Binary::And, Some(constant)) if value & !constant != 0 => Some(self.no()),
            // (a & c = d) = (a[i..j] = d >> i)  if the bits of c are i..j
            (Binary::And, Some(constant)) => {
                let (low, count) = (constant.trailing_zeros(), constant.count_ones());
                if constant >> low != mask(count) {
                    return None;
                }
                let bits = self.extract(x, low, count);
                let value = self.constant(count, value >> low);
                Some(self.eq(bits, value))
            }
            // (a | c = d) = 0  if c has bits that d has not
            (Binary::Or, Some(constant)) if constant & !value != 0 => Some(self.no()),
            // (a | c = d) = (a & ~c = d & ~c)
            (Binary::Or, Some(constant)) => {
                let rest = self.masked(Binary::And, x, !constant & mask(width));
                let value = self.constant(width, value & !constant);
                Some(self.eq(rest, value))
            }
            // (a & b = -1) = (a = -1) && (b = -1)    (a | b = 0) = (a = 0) && (b = 0)
            (Binary::And, None) if value == mask(width) => Some(self.both_equal_to(x, y, value)),
            (Binary::Or, None) if value == 0 => Some(self.both_equal_to(x, y, value)),
            _ => None,
        }
    }

    /// `op(a) = value` for a count of bits.
    fn count_equal(&mut self, op: Unary, a: TermId, value: u128) -> Option<TermId> {
        let width = self.width(a);
        let bits = u128::from(width);
        match op {
            Unary::Not => None,
            // (popcount(a) = c) = 0  if c > n, and so for the others
            _ if value > bits => Some(self.no()),
            // (popcount(a) = 0) = (a = 0)    (popcount(a) = n) = (a = -1)
            Unary::Popcount if value == 0 => Some(self.equal_to(a, 0)),
            Unary::Popcount if value == bits => Some(self.equal_to(a, mask(width))),
            // (clz(a) = n) = (ctz(a) = n) = (a = 0)
            Unary::LeadingZeros | Unary::TrailingZeros if value == bits => Some(self.equal_to(a, 0)),
            // (clz(a) = 0) = a < 0    (ctz(a) = 0) = a[0..1]
            Unary::LeadingZeros if value == 0 => Some(self.is_negative(a)),
            Unary::TrailingZeros if value == 0 => Some(self.extract(a, 0, 1)),
            _ => None,
        }
    }

    /// `a = b` for bases.
    fn equal_bases(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        let found = match (self.node(a), self.node(b)) {
            (Node::Extend(op, x), Node::Extend(other, y)) if op == other => {
                Some(self.extended_equal(op, x, y))
            }
            // (a ∘ b = c ∘ d) = (a = c) && (b = d)
            (Node::Binary(Binary::Concat, p, q), Node::Binary(Binary::Concat, r, s))
                if self.width(q) == self.width(s) =>
            {
                Some(self.both_equal((p, r), (q, s)))
            }
            _ => self.equal_to_part(a, b).or_else(|| self.equal_to_part(b, a)),
        };
        found.unwrap_or_else(|| self.plain(Binary::Eq, a, b))
    }

    /// `(zext(a) = zext(b)) = (a = b)`, the narrower one extended to the other's width; and so for `sext`.
    fn extended_equal(&mut self, op: Extend, x: TermId, y: TermId) -> TermId {
        let width = self.width(x).max(self.width(y));
        let x = self.extended(op, x, width);
        let y = self.extended(op, y, width);
        self.eq(x, y)
    }

    /// `a = b`, where `b` is an operand of `a`.
    fn equal_to_part(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match self.node(a) {
            // (ite(c, a, b) = a) = c || b = a    (ite(c, a, b) = b) = !c || a = b
            Node::Ite(condition, x, y) if x == b => {
                let rest = self.eq(y, b);
                Some(self.or(condition, rest))
            }
            Node::Ite(condition, x, y) if y == b => {
                let rest = self.eq(x, b);
                let condition = self.not(condition);
                Some(self.or(condition, rest))
            }
            // (a xor b = a) = (b = 0)
            Node::Binary(Binary::Xor, x, y) if x == b || y == b => {
                let other = if x == b { y } else { x };
                let zero = self.constant(self.width(a), 0);
                Some(self.eq(other, zero))
            }
            _ => None,
        }
    }

    fn both_equal(&mut self, first: (TermId, TermId), second: (TermId, TermId)) -> TermId {
        let first = self.eq(first.0, first.1);
        let second = self.eq(second.0, second.1);
        self.and(first, second)
    }

    fn both_equal_to(&mut self, x: TermId, y: TermId, value: u128) -> TermId {
        let value = self.constant(self.width(x), value);
        self.both_equal((x, value), (y, value))
    }
}

/// The sum or its negation, whichever has the monomial with the smallest id positive. `k = -k` decides nothing; if all
/// coefficients are such, the smaller constant does.
fn upright(sum: Linear, width: Width) -> Linear {
    let decides = sum.monomials.iter().find(|it| it.coefficient != least(width));
    let turned = match decides {
        Some(monomial) => signed(width, monomial.coefficient) < 0,
        None => signed(width, sum.constant) < 0,
    };
    if turned { sum.scaled(width, u128::MAX) } else { sum }
}

/// The number that times `odd` is 1, modulo 2¹²⁸ and so modulo any smaller power.
fn inverse(odd: u128) -> u128 {
    // Newton: if x * odd = 1 modulo 2ᵏ, then x * (2 - x * odd) is so modulo 2²ᵏ. An odd number is its own inverse modulo 8.
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(inverse.wrapping_mul(odd)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in [1, 3, 5, 7, 0xff, 12_345_678_901_234_567, u128::MAX, u128::MAX / 3] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }
}
