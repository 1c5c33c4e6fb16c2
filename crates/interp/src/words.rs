//! Bit vectors of any length as 64-bit words: the slow but general arithmetic beneath integers.
//!
//! Least significant word first; all operands of one operation have the same number of words. Numbers are
//! unsigned; callers cut results to the width they mean and interpret signs themselves.
//! Source: the textbook algorithms (Knuth, *The Art of Computer Programming*, vol. 2, §4.3.1); division is
//! left to `num-bigint`.

use std::cmp::Ordering;

use num_bigint::BigUint;
use num_traits::Zero;
use smallvec::SmallVec;

/// A bit vector; its length in words is fixed when it is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words(SmallVec<[u64; 2]>);

/// The words that `width` bits take.
pub fn words_for(width: u32) -> usize {
    width.div_ceil(64).max(1) as usize
}

impl Words {
    /// All zeros, for `width` bits.
    pub fn zero(width: u32) -> Words {
        Words(SmallVec::from_elem(0, words_for(width)))
    }

    /// The lowest `width` bits set.
    pub fn ones(width: u32) -> Words {
        let mut words = Words(SmallVec::from_elem(u64::MAX, words_for(width)));
        words.cut(width);
        words
    }

    /// The number `low`, for `width` bits.
    pub fn from_u64(width: u32, low: u64) -> Words {
        let mut words = Words::zero(width);
        words.0[0] = low;
        words.cut(width);
        words
    }

    /// The number `low`, for `width` bits.
    pub fn from_u128(width: u32, low: u128) -> Words {
        let mut words = Words::from_u64(width, low as u64);
        if let Some(second) = words.0.get_mut(1) {
            *second = (low >> 64) as u64;
        }
        words.cut(width);
        words
    }

    /// The given words, for `width` bits; missing ones are zero.
    pub fn from_words(width: u32, words: &[u64]) -> Words {
        let mut result = Words::zero(width);
        for (to, from) in result.0.iter_mut().zip(words) {
            *to = *from;
        }
        result.cut(width);
        result
    }

    /// The words themselves.
    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }

    /// The lowest 64 bits.
    pub fn low(&self) -> u64 {
        self.0[0]
    }

    /// The lowest 128 bits.
    pub fn low128(&self) -> u128 {
        u128::from(self.0[0]) | u128::from(self.0.get(1).copied().unwrap_or(0)) << 64
    }

    /// Clears the bits from `width` on.
    pub fn cut(&mut self, width: u32) {
        for (index, word) in self.0.iter_mut().enumerate() {
            let start = index as u32 * 64;
            if start + 64 > width {
                *word &= low_mask(width.saturating_sub(start));
            }
        }
    }

    /// The same number for another width: cut or extended with zeros.
    pub fn resized(&self, width: u32) -> Words {
        Words::from_words(width, &self.0)
    }

    /// The number of `from` bits extended with its sign to `to` bits.
    pub fn sign_extended(&self, from: u32, to: u32) -> Words {
        let mut result = self.resized(to);
        if from < to && self.bit(from - 1) {
            result = result.or(&Words::ones(to).shl(from, to));
        }
        result
    }

    /// Whether no bit is set.
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Bit `index`.
    pub fn bit(&self, index: u32) -> bool {
        self.0.get((index / 64) as usize).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// The position after the highest set bit.
    pub fn bit_length(&self) -> u32 {
        let top = self.0.iter().rposition(|word| *word != 0);
        top.map_or(0, |index| index as u32 * 64 + 64 - self.0[index].leading_zeros())
    }

    /// The position of the lowest set bit.
    pub fn lowest_one(&self) -> Option<u32> {
        let index = self.0.iter().position(|word| *word != 0)?;
        Some(index as u32 * 64 + self.0[index].trailing_zeros())
    }

    /// The number of set bits.
    pub fn count_ones(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Bitwise and.
    pub fn and(&self, other: &Words) -> Words {
        self.zip(other, |a, b| a & b)
    }

    /// Bitwise or.
    pub fn or(&self, other: &Words) -> Words {
        self.zip(other, |a, b| a | b)
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, other: &Words) -> Words {
        self.zip(other, |a, b| a ^ b)
    }

    /// The bits that are set here and not in `other`.
    pub fn without(&self, other: &Words) -> Words {
        self.zip(other, |a, b| a & !b)
    }

    /// The bits of `width` that are not set.
    pub fn not(&self, width: u32) -> Words {
        Words::ones(width).without(self)
    }

    /// The sum modulo 2 to the `width`.
    pub fn add(&self, other: &Words, width: u32) -> Words {
        let mut carry = false;
        let mut sum = self.zip(other, |a, b| {
            let (partial, first) = a.overflowing_add(b);
            let (total, second) = partial.overflowing_add(u64::from(carry));
            carry = first || second;
            total
        });
        sum.cut(width);
        sum
    }

    /// The difference modulo 2 to the `width`.
    pub fn sub(&self, other: &Words, width: u32) -> Words {
        let mut borrow = false;
        let mut difference = self.zip(other, |a, b| {
            let (partial, first) = a.overflowing_sub(b);
            let (total, second) = partial.overflowing_sub(u64::from(borrow));
            borrow = first || second;
            total
        });
        difference.cut(width);
        difference
    }

    /// Zero minus the number, modulo 2 to the `width`.
    pub fn neg(&self, width: u32) -> Words {
        Words::zero(width).sub(self, width)
    }

    /// The product modulo 2 to the `width`.
    pub fn mul(&self, other: &Words, width: u32) -> Words {
        let len = self.0.len();
        let mut product = Words::zero(width);
        for (low, &a) in self.0.iter().enumerate() {
            let mut carry = 0u128;
            for (high, &b) in other.0.iter().enumerate().take(len - low) {
                let sum = u128::from(a) * u128::from(b) + u128::from(product.0[low + high]) + carry;
                product.0[low + high] = sum as u64;
                carry = sum >> 64;
            }
        }
        product.cut(width);
        product
    }

    /// Quotient and remainder; `divisor` is not zero.
    pub fn div_rem(&self, divisor: &Words) -> (Words, Words) {
        let width = self.0.len() as u32 * 64;
        if width <= 128 {
            let (a, b) = (self.low128(), divisor.low128());
            return (Words::from_u128(width, a / b), Words::from_u128(width, a % b));
        }
        let (a, b) = (self.to_big(), divisor.to_big());
        debug_assert!(!b.is_zero(), "the divisor should not be zero");
        (Words::from_big(width, &(&a / &b)), Words::from_big(width, &(&a % &b)))
    }

    /// Shifted left by `amount`, modulo 2 to the `width`.
    pub fn shl(&self, amount: u32, width: u32) -> Words {
        let (whole, part) = ((amount / 64) as usize, amount % 64);
        let mut result = Words::zero(width);
        for index in whole..self.0.len() {
            let low = self.0[index - whole] << part;
            let spill = if part > 0 && index > whole { self.0[index - whole - 1] >> (64 - part) } else { 0 };
            result.0[index] = low | spill;
        }
        result.cut(width);
        result
    }

    /// Shifted right by `amount`, with zeros.
    pub fn lshr(&self, amount: u32) -> Words {
        let (whole, part) = ((amount / 64) as usize, amount % 64);
        let len = self.0.len();
        let mut result = Words(SmallVec::from_elem(0, len));
        for index in whole..len {
            let high = self.0[index] >> part;
            let spill = if part > 0 && index + 1 < len { self.0[index + 1] << (64 - part) } else { 0 };
            result.0[index - whole] = high | spill;
        }
        result
    }

    /// Shifted right by `amount`, with the sign of a number of `width` bits.
    pub fn ashr(&self, amount: u32, width: u32) -> Words {
        let shifted = self.lshr(amount);
        if !self.bit(width - 1) {
            return shifted;
        }
        let keep = width.saturating_sub(amount);
        shifted.or(&Words::ones(width).shl(keep, width))
    }

    /// The order of two unsigned numbers.
    pub fn compare(&self, other: &Words) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }

    /// The order of two signed numbers of `width` bits.
    pub fn compare_signed(&self, other: &Words, width: u32) -> Ordering {
        let (negative, other_negative) = (self.bit(width - 1), other.bit(width - 1));
        other_negative.cmp(&negative).then_with(|| self.compare(other))
    }

    /// The number as a big one.
    pub fn to_big(&self) -> BigUint {
        BigUint::from_slice(
            &self.0.iter().flat_map(|word| [*word as u32, (word >> 32) as u32]).collect::<Vec<_>>(),
        )
    }

    /// A big number cut to `width` bits.
    pub fn from_big(width: u32, big: &BigUint) -> Words {
        Words::from_words(width, &big.to_u64_digits())
    }

    fn zip(&self, other: &Words, mut f: impl FnMut(u64, u64) -> u64) -> Words {
        debug_assert_eq!(self.0.len(), other.0.len(), "operands should have the same length");
        Words(self.0.iter().zip(&other.0).map(|(a, b)| f(*a, *b)).collect())
    }
}

/// The lowest `width` bits of a word set; all of them from 64 on.
#[inline]
pub fn low_mask(width: u32) -> u64 {
    match width {
        0 => 0,
        1..64 => u64::MAX >> (64 - width),
        _ => u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cheap stream of numbers with many long runs of equal bits, where carries go wrong.
    fn samples() -> Vec<u128> {
        let mut values = vec![0, 1, 2, 3, u128::MAX, u128::MAX >> 1, 1 << 127, 1 << 64, u64::MAX.into()];
        let mut state = 0x9e37_79b9_7f4a_7c15_u128;
        for _ in 0..20 {
            state = state.wrapping_mul(0x2545_f491_4f6c_dd1d_8000_0001).wrapping_add(77);
            values.push(state);
        }
        values
    }

    #[test]
    fn two_words_agree_with_native_128_bit_arithmetic() {
        for a in samples() {
            for b in samples() {
                let (x, y) = (Words::from_u128(128, a), Words::from_u128(128, b));
                assert_eq!(x.add(&y, 128).low128(), a.wrapping_add(b));
                assert_eq!(x.sub(&y, 128).low128(), a.wrapping_sub(b));
                assert_eq!(x.mul(&y, 128).low128(), a.wrapping_mul(b));
                assert_eq!(x.compare(&y), a.cmp(&b));
                assert_eq!(x.compare_signed(&y, 128), (a as i128).cmp(&(b as i128)));
                let amount = (b % 128) as u32;
                assert_eq!(x.shl(amount, 128).low128(), a << amount);
                assert_eq!(x.lshr(amount).low128(), a >> amount);
                assert_eq!(x.ashr(amount, 128).low128(), ((a as i128) >> amount) as u128);
            }
        }
    }

    #[test]
    fn long_division_undoes_multiplication() {
        let a = Words::from_words(300, &[5, u64::MAX, 7, 1]);
        let b = Words::from_words(300, &[9, 3]);
        let rest = Words::from_u64(300, 8);
        let product = a.mul(&b, 300).add(&rest, 300);
        assert_eq!(product.div_rem(&b), (a, rest));
    }

    #[test]
    fn cutting_and_extending_keep_the_low_bits() {
        let minus_three = Words::from_u64(9, 0x1fd);
        let wide = minus_three.sign_extended(9, 200);
        assert_eq!(wide.add(&Words::from_u64(200, 3), 200), Words::zero(200));
        assert_eq!(wide.resized(9), minus_three);
        assert_eq!(wide.bit_length(), 200);
        assert_eq!(Words::from_words(130, &[0, 0, 2]).lowest_one(), Some(129));
    }
}
