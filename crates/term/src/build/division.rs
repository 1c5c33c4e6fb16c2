//! Division and remainder. Powers of two are bits; what else a constant divides stays division.

use crate::arena::{TermId, Terms};
use crate::node::{Binary, Extend, Node};
use crate::value::mask;

use super::{greatest, least};

impl Terms {
    pub(super) fn unsigned_quotient(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        // a / b = a || !b  on one bit
        if width == 1 {
            return self.bit_quotient(a, b);
        }
        match self.value(b) {
            // a / 0 = -1
            Some(0) => self.constant(width, u128::MAX),
            // a / 2ᵏ = a >>u k
            Some(value) if value.is_power_of_two() => {
                let amount = self.constant(width, u128::from(value.trailing_zeros()));
                self.lshr(a, amount)
            }
            Some(value) => self.quotient_by(a, b, value),
            None => self.quotient_of_zero(a, b).unwrap_or_else(|| self.plain(Binary::Udiv, a, b)),
        }
    }

    fn quotient_by(&mut self, a: TermId, b: TermId, value: u128) -> TermId {
        let width = self.width(a);
        // zext(a) / c = zext(a / c)  if c fits, else 0
        if let Some((inner, fits)) = self.as_small(a, value) {
            if !fits {
                return self.constant(width, 0);
            }
            let divisor = self.constant(self.width(inner), value);
            let quotient = self.udiv(inner, divisor);
            return self.zext(quotient, width);
        }
        // (a / c) / d = a / (c * d)  if that fits, else 0
        if let Some((inner, before)) = self.as_binary(Binary::Udiv, a)
            && let Some(before) = self.value(before)
        {
            return match before.checked_mul(value).filter(|product| *product <= mask(width)) {
                Some(product) => {
                    let product = self.constant(width, product);
                    self.udiv(inner, product)
                }
                None => self.constant(width, 0),
            };
        }
        self.plain(Binary::Udiv, a, b)
    }

    pub(super) fn unsigned_remainder(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        // a % b = a && !b  on one bit
        if width == 1 {
            return self.bit_remainder(a, b);
        }
        // a % a = 0    0 % b = 0
        if a == b || self.value(a) == Some(0) {
            return self.constant(width, 0);
        }
        match self.value(b) {
            // a % 0 = a
            Some(0) => a,
            // a % 2ᵏ = a & (2ᵏ - 1)
            Some(value) if value.is_power_of_two() => self.masked(Binary::And, a, value - 1),
            // zext(a) % c = zext(a % c)  if c fits, else zext(a)
            Some(value) => match self.as_small(a, value) {
                Some((inner, true)) => {
                    let divisor = self.constant(self.width(inner), value);
                    let remainder = self.urem(inner, divisor);
                    self.zext(remainder, width)
                }
                Some((_, false)) => a,
                None => self.plain(Binary::Urem, a, b),
            },
            None => self.plain(Binary::Urem, a, b),
        }
    }

    pub(super) fn signed_quotient(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        // a / b = a || !b  on one bit
        if width == 1 {
            return self.bit_quotient(a, b);
        }
        match self.value(b) {
            // a / 0 = a < 0 ? 1 : -1
            Some(0) => {
                let negative = self.is_negative(a);
                self.choice(negative, width, 1, u128::MAX)
            }
            // a / 1 = a
            Some(1) => a,
            // a / -1 = -a
            Some(value) if value == mask(width) => self.neg(a),
            // a / min = (a = min)
            Some(value) if value == least(width) => {
                let equal = self.eq(a, b);
                self.zext(equal, width)
            }
            // zext(a) /s c = zext(a) /u c  for c > 0
            Some(value) if value <= greatest(width) && self.is_zero_extended(a) => self.udiv(a, b),
            Some(_) => self.plain(Binary::Sdiv, a, b),
            None => self.quotient_of_zero(a, b).unwrap_or_else(|| self.plain(Binary::Sdiv, a, b)),
        }
    }

    pub(super) fn signed_remainder(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        // a % b = a && !b  on one bit
        if width == 1 {
            return self.bit_remainder(a, b);
        }
        // a % a = 0    0 % b = 0
        if a == b || self.value(a) == Some(0) {
            return self.constant(width, 0);
        }
        match self.value(b) {
            // a % 0 = a
            Some(0) => a,
            // a % 1 = 0    a % -1 = 0
            Some(value) if value == 1 || value == mask(width) => self.constant(width, 0),
            // zext(a) %s c = zext(a) %u c  for c > 0
            Some(value) if value <= greatest(width) && self.is_zero_extended(a) => self.urem(a, b),
            _ => self.plain(Binary::Srem, a, b),
        }
    }

    fn bit_quotient(&mut self, a: TermId, b: TermId) -> TermId {
        let zero = self.not(b);
        self.or(a, zero)
    }

    fn bit_remainder(&mut self, a: TermId, b: TermId) -> TermId {
        let zero = self.not(b);
        self.and(a, zero)
    }

    /// `0 / b = (b = 0 ? -1 : 0)`, signed and unsigned.
    fn quotient_of_zero(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.value(a) != Some(0) {
            return None;
        }
        let zero = self.eq(b, a);
        Some(self.sext(zero, self.width(a)))
    }

    /// The term that was extended with zeros, and whether the value fits its width.
    fn as_small(&self, a: TermId, value: u128) -> Option<(TermId, bool)> {
        match self.node(a) {
            Node::Extend(Extend::Zero, inner) => Some((inner, value <= mask(self.width(inner)))),
            _ => None,
        }
    }

    fn is_zero_extended(&self, a: TermId) -> bool {
        matches!(self.node(a), Node::Extend(Extend::Zero, _))
    }
}
