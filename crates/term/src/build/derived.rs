//! Operations that are made of others: the rest of LLVM's integer instructions and intrinsics, and the usual
//! connectives.
//!
//! Amounts of rotates and funnel shifts count modulo the width, as LLVM has it. Where LLVM has no value
//! (`abs` of the least value with poison, a shift by too much) these have the one that the plain operations
//! give.

use crate::arena::{TermId, Terms};
use crate::node::{Extend, Node};
use crate::value::{WIDEST, Width, mask, signed};

use super::{greatest, least};

/// Connectives and comparisons.
impl Terms {
    /// Greater, unsigned.
    pub fn ugt(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(b, a)
    }

    /// Greater or equal, unsigned.
    pub fn uge(&mut self, a: TermId, b: TermId) -> TermId {
        self.ule(b, a)
    }

    /// Greater, signed.
    pub fn sgt(&mut self, a: TermId, b: TermId) -> TermId {
        self.slt(b, a)
    }

    /// Greater or equal, signed.
    pub fn sge(&mut self, a: TermId, b: TermId) -> TermId {
        self.sle(b, a)
    }

    /// Whether any bit is set.
    pub fn nonzero(&mut self, a: TermId) -> TermId {
        let zero = self.constant(self.width(a), 0);
        self.ne(a, zero)
    }

    /// Whether no bit is set.
    pub fn is_zero(&mut self, a: TermId) -> TermId {
        let zero = self.constant(self.width(a), 0);
        self.eq(a, zero)
    }

    /// The first bit: less than 0, signed.
    pub fn is_negative(&mut self, a: TermId) -> TermId {
        self.extract(a, self.width(a) - 1, 1)
    }

    /// The second, or not the first; on conditions.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let otherwise = self.not(a);
        self.or(otherwise, b)
    }

    /// Both or none; on conditions.
    pub fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        let differ = self.xor(a, b);
        self.not(differ)
    }

    /// All of the conditions; true if there are none.
    pub fn conjunction(&mut self, conditions: &[TermId]) -> TermId {
        let yes = self.yes();
        conditions.iter().fold(yes, |all, &condition| self.and(all, condition))
    }

    /// Any of the conditions; false if there are none.
    pub fn disjunction(&mut self, conditions: &[TermId]) -> TermId {
        let no = self.no();
        conditions.iter().fold(no, |any, &condition| self.or(any, condition))
    }

    /// The smaller one, unsigned.
    pub fn umin(&mut self, a: TermId, b: TermId) -> TermId {
        let less = self.ult(a, b);
        self.ite(less, a, b)
    }

    /// The greater one, unsigned.
    pub fn umax(&mut self, a: TermId, b: TermId) -> TermId {
        let less = self.ult(a, b);
        self.ite(less, b, a)
    }

    /// The smaller one, signed.
    pub fn smin(&mut self, a: TermId, b: TermId) -> TermId {
        let less = self.slt(a, b);
        self.ite(less, a, b)
    }

    /// The greater one, signed.
    pub fn smax(&mut self, a: TermId, b: TermId) -> TermId {
        let less = self.slt(a, b);
        self.ite(less, b, a)
    }

    /// -1, 0 or 1 of that width, at least 2, as the first is less, equal or greater, unsigned.
    pub fn ucmp(&mut self, a: TermId, b: TermId, width: Width) -> TermId {
        let less = self.ult(a, b);
        let greater = self.ult(b, a);
        self.three_way(less, greater, width)
    }

    /// -1, 0 or 1 of that width, at least 2, as the first is less, equal or greater, signed.
    pub fn scmp(&mut self, a: TermId, b: TermId, width: Width) -> TermId {
        let less = self.slt(a, b);
        let greater = self.slt(b, a);
        self.three_way(less, greater, width)
    }

    fn three_way(&mut self, less: TermId, greater: TermId, width: Width) -> TermId {
        let greater = self.zext(greater, width);
        let minus_one = self.constant(width, u128::MAX);
        self.ite(less, minus_one, greater)
    }

    /// Without the sign; the least value stays what it is.
    pub fn abs(&mut self, a: TermId) -> TermId {
        let negative = self.is_negative(a);
        let opposite = self.neg(a);
        self.ite(negative, opposite, a)
    }
}

/// Bits moved.
impl Terms {
    /// The low bits, to a width that is not greater.
    pub fn trunc(&mut self, a: TermId, width: Width) -> TermId {
        self.extract(a, 0, width)
    }

    /// One bit, counted from the least significant one.
    pub fn bit(&mut self, a: TermId, index: u32) -> TermId {
        self.extract(a, index, 1)
    }

    /// Rotated to the left, modulo the width.
    pub fn rotl(&mut self, a: TermId, amount: TermId) -> TermId {
        self.fshl(a, a, amount)
    }

    /// Rotated to the right, modulo the width.
    pub fn rotr(&mut self, a: TermId, amount: TermId) -> TermId {
        self.fshr(a, a, amount)
    }

    /// The first half of `a ∘ b` shifted to the left, modulo the width.
    pub fn fshl(&mut self, a: TermId, b: TermId, amount: TermId) -> TermId {
        // A shift by the whole width leaves nothing, so an amount of 0 needs no case.
        let (amount, rest) = self.modulo_width(amount);
        let high = self.shl(a, amount);
        let low = self.lshr(b, rest);
        self.or(high, low)
    }

    /// The second half of `a ∘ b` shifted to the right, modulo the width.
    pub fn fshr(&mut self, a: TermId, b: TermId, amount: TermId) -> TermId {
        let (amount, rest) = self.modulo_width(amount);
        let high = self.shl(a, rest);
        let low = self.lshr(b, amount);
        self.or(high, low)
    }

    /// An amount modulo the width, and what is then left to the width.
    fn modulo_width(&mut self, amount: TermId) -> (TermId, TermId) {
        let width = self.width(amount);
        let bits = self.constant(width, u128::from(width));
        let amount = self.urem(amount, bits);
        let rest = self.sub(bits, amount);
        (amount, rest)
    }

    /// The bytes in the opposite order; the width should be a multiple of 8.
    pub fn bswap(&mut self, a: TermId) -> TermId {
        debug_assert!(self.width(a).is_multiple_of(8), "swapped bytes should be whole");
        self.reversed(a, 8)
    }

    /// The bits in the opposite order.
    pub fn bitreverse(&mut self, a: TermId) -> TermId {
        self.reversed(a, 1)
    }

    fn reversed(&mut self, a: TermId, unit: Width) -> TermId {
        let count = self.width(a) / unit;
        let mut whole = self.extract(a, (count - 1) * unit, unit);
        for index in (0..count - 1).rev() {
            let piece = self.extract(a, index * unit, unit);
            whole = self.concat(piece, whole);
        }
        whole
    }
}

/// What does not fit: conditions, and values that stop at the ends of the range.
impl Terms {
    /// Whether `a + b` is too great, unsigned.
    pub fn uadd_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.add(a, b);
        self.ult(sum, a)
    }

    /// Whether `a + b` is too great or too small, signed.
    pub fn sadd_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.add(a, b);
        let (sign_a, sign_b) = (self.is_negative(a), self.is_negative(b));
        let same = self.iff(sign_a, sign_b);
        self.lost_sign(same, sign_a, sum)
    }

    /// Whether `a - b` is below 0, unsigned.
    pub fn usub_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(a, b)
    }

    /// Whether `a - b` is too great or too small, signed.
    pub fn ssub_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let difference = self.sub(a, b);
        let (sign_a, sign_b) = (self.is_negative(a), self.is_negative(b));
        let differ = self.xor(sign_a, sign_b);
        self.lost_sign(differ, sign_a, difference)
    }

    fn lost_sign(&mut self, possible: TermId, before: TermId, result: TermId) -> TermId {
        let after = self.is_negative(result);
        let changed = self.xor(before, after);
        self.and(possible, changed)
    }

    /// Whether `a * b` is too great, unsigned.
    pub fn umul_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = if self.value(a).is_some() { (b, a) } else { (a, b) };
        let width = self.width(a);
        match self.value(b) {
            Some(0) => self.no(),
            // (a * c overflows) = a > max / c
            Some(factor) => {
                let border = self.constant(width, mask(width) / factor);
                self.ult(border, a)
            }
            None if self.unsigned_bits(a) + self.unsigned_bits(b) <= width => self.no(),
            None if 2 * width <= WIDEST => {
                let a = self.zext(a, 2 * width);
                let b = self.zext(b, 2 * width);
                let product = self.mul(a, b);
                let high = self.extract(product, width, width);
                self.nonzero(high)
            }
            // (a * b overflows) = a != 0 && (a * b) / a != b: what is lost is a multiple of 2ⁿ, and the remainder is less.
            None => {
                let product = self.mul(a, b);
                let quotient = self.udiv(product, a);
                let differs = self.ne(quotient, b);
                let some = self.nonzero(a);
                self.and(some, differs)
            }
        }
    }

    /// Whether `a * b` is too great or too small, signed.
    pub fn smul_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = if self.value(a).is_some() { (b, a) } else { (a, b) };
        let width = self.width(a);
        if let Some(factor) = self.value(b) {
            return self.multiple_overflows(a, signed(width, factor));
        }
        if 2 * width <= WIDEST {
            let a = self.sext(a, 2 * width);
            let b = self.sext(b, 2 * width);
            let product = self.mul(a, b);
            let low = self.trunc(product, width);
            let fits = self.sext(low, 2 * width);
            return self.ne(product, fits);
        }
        // (a * b overflows) = a = -1 && b = min || a != 0 && (a * b) / a != b: as above; the division itself overflows only
        // for min / -1.
        let minus_one = self.constant(width, u128::MAX);
        let first = self.constant(width, least(width));
        let negates = self.eq(a, minus_one);
        let at_end = self.eq(b, first);
        let special = self.and(negates, at_end);
        let product = self.mul(a, b);
        let quotient = self.sdiv(product, a);
        let differs = self.ne(quotient, b);
        let some = self.nonzero(a);
        let general = self.and(some, differs);
        self.or(special, general)
    }

    /// `(a * c overflows) = a > max / c || a < min / c`, the ends turned for negative `c`; no end for 0, one for -1.
    fn multiple_overflows(&mut self, a: TermId, factor: i128) -> TermId {
        let width = self.width(a);
        let (first, last) = (signed(width, least(width)), signed(width, greatest(width)));
        let (low, high) = match factor {
            0 => return self.no(),
            -1 => (first + 1, last),
            1.. => (first / factor, last / factor),
            _ => (last / factor, first / factor),
        };
        let low = self.constant(width, low as u128);
        let high = self.constant(width, high as u128);
        let below = self.slt(a, low);
        let above = self.slt(high, a);
        self.or(below, above)
    }

    /// How many bits a value may need, as far as its outermost operation tells.
    fn unsigned_bits(&self, a: TermId) -> Width {
        match self.node(a) {
            Node::Extend(Extend::Zero, inner) => self.width(inner),
            _ => self.width(a),
        }
    }

    /// `a + b`, at most the greatest value, unsigned.
    pub fn uadd_sat(&mut self, a: TermId, b: TermId) -> TermId {
        let overflow = self.uadd_overflow(a, b);
        let last = self.constant(self.width(a), u128::MAX);
        let sum = self.add(a, b);
        self.ite(overflow, last, sum)
    }

    /// `a - b`, at least 0, unsigned.
    pub fn usub_sat(&mut self, a: TermId, b: TermId) -> TermId {
        let overflow = self.usub_overflow(a, b);
        let first = self.constant(self.width(a), 0);
        let difference = self.sub(a, b);
        self.ite(overflow, first, difference)
    }

    /// `a + b` within the range, signed.
    pub fn sadd_sat(&mut self, a: TermId, b: TermId) -> TermId {
        let overflow = self.sadd_overflow(a, b);
        let sum = self.add(a, b);
        self.stopped(overflow, a, sum)
    }

    /// `a - b` within the range, signed.
    pub fn ssub_sat(&mut self, a: TermId, b: TermId) -> TermId {
        let overflow = self.ssub_overflow(a, b);
        let difference = self.sub(a, b);
        self.stopped(overflow, a, difference)
    }

    /// `a << b`, or the greatest value if bits are lost, unsigned.
    pub fn ushl_sat(&mut self, a: TermId, b: TermId) -> TermId {
        let shifted = self.shl(a, b);
        let back = self.lshr(shifted, b);
        let overflow = self.ne(back, a);
        let last = self.constant(self.width(a), u128::MAX);
        self.ite(overflow, last, shifted)
    }

    /// `a << b`, or the end of the range on the side of `a` if bits or the sign are lost, signed.
    pub fn sshl_sat(&mut self, a: TermId, b: TermId) -> TermId {
        let shifted = self.shl(a, b);
        let back = self.ashr(shifted, b);
        let overflow = self.ne(back, a);
        self.stopped(overflow, a, shifted)
    }

    /// The result, or on overflow the end of the range on the side of `a`.
    fn stopped(&mut self, overflow: TermId, a: TermId, result: TermId) -> TermId {
        let width = self.width(a);
        let negative = self.is_negative(a);
        let end = self.choice(negative, width, least(width), greatest(width));
        self.ite(overflow, end, result)
    }
}
