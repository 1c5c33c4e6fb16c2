//! Arithmetic on ranges: for each operation a range that contains all its results.

use super::range::{Range, bits, low_bits, sign};
use crate::value::Width;

impl Range {
    // v ∈ a, w ∈ b  ⊢  v + w ∈ a + b, where the bounds add up in ℤ and all of them leave the numbers of the width the same number
    // of times; else nothing is known of the bounds. Bits are known as far as the operands' bits and the carry are.
    pub(super) fn add(&self, other: &Range) -> Range {
        let width = self.width;
        let mut sum = Range::full(width);
        let (low, high) =
            (u128::from(self.umin) + u128::from(other.umin), u128::from(self.umax) + u128::from(other.umax));
        if low >> width == high >> width {
            (sum.umin, sum.umax) = (low as u64 & bits(width), high as u64 & bits(width));
        }
        let (low, high) =
            (i128::from(self.smin) + i128::from(other.smin), i128::from(self.smax) + i128::from(other.smax));
        let half = 1i128 << (width - 1);
        if (low + half) >> width == (high + half) >> width {
            (sum.smin, sum.smax) = (sign(width, low as u64), sign(width, high as u64));
        }
        (sum.zeros, sum.ones) = sum_bits(self, other);
        sum.tightened().unwrap_or(Range::full(width))
    }

    // v ∈ a  ⊢  -v - 1 = !v, whose order is turned around and whose bits are turned over.
    pub(super) fn not(&self) -> Range {
        let all = bits(self.width);
        Range {
            umin: !self.umax & all,
            umax: !self.umin & all,
            smin: !self.smax,
            smax: !self.smin,
            zeros: self.ones,
            ones: self.zeros,
            width: self.width,
        }
    }

    // -v = !v + 1
    pub(super) fn neg(&self) -> Range {
        self.not().add(&Range::of(self.width, 1))
    }

    // v ∈ a, w ∈ b  ⊢  v·w between the products of the ends, if those of largest size do not wrap. Zeros at the end add up.
    pub(super) fn mul(&self, other: &Range) -> Range {
        let width = self.width;
        let mut product = Range::full(width);
        let high = u128::from(self.umax) * u128::from(other.umax);
        if high <= u128::from(bits(width)) {
            (product.umin, product.umax) = (self.umin.wrapping_mul(other.umin), high as u64);
        }
        let ends = [
            (self.smin, other.smin),
            (self.smin, other.smax),
            (self.smax, other.smin),
            (self.smax, other.smax),
        ]
        .map(|(a, b)| i128::from(a) * i128::from(b));
        let (low, high) = (ends.iter().min(), ends.iter().max());
        if let (Some(&low), Some(&high)) = (low, high)
            && i128::from(product.smin) <= low
            && high <= i128::from(product.smax)
        {
            (product.smin, product.smax) = (low as i64, high as i64);
        }
        let trailing = (!self.zeros).trailing_zeros() + (!other.zeros).trailing_zeros();
        product.zeros = bits(width) & low_bits(trailing);
        product.tightened().unwrap_or(Range::full(width))
    }

    /// `v · factor`.
    pub(super) fn scale(&self, factor: u64) -> Range {
        match factor {
            1 => *self,
            _ if factor == bits(self.width) => self.neg(),
            _ => self.mul(&Range::of(self.width, factor)),
        }
    }

    /// The values `v` of `self` with `v · factor` in `product`; `None` if there is none.
    pub(super) fn unscale(&self, factor: u64, product: &Range) -> Option<Range> {
        match factor {
            0 => return product.has(0).then_some(*self),
            1 => return self.meet(product),
            _ => {}
        }
        if factor == bits(self.width) {
            return self.meet(&product.neg());
        }
        let mut rest = self.solve(factor, product)?;
        // v·c ∈ [l, h], v·c does not wrap for any v ∈ a  ⊢  ⌈l/c⌉ ≤ v ≤ ⌊h/c⌋
        if u128::from(rest.umax) * u128::from(factor) <= u128::from(bits(self.width)) {
            let (low, high) = (product.umin.div_ceil(factor), product.umax / factor);
            if low > high {
                return None;
            }
            rest = rest.meet(&Range::between(self.width, low, high))?;
        }
        rest.unscale_signed(sign(self.width, factor), product)
    }

    // s(v)·c ∈ [l, h] with c > 1, and s(v)·c does not wrap for any v ∈ a  ⊢  ⌈l/c⌉ ≤ s(v) ≤ ⌊h/c⌋
    fn unscale_signed(&self, factor: i64, product: &Range) -> Option<Range> {
        let fits = |value: i64| {
            let full = Range::full(self.width);
            (i128::from(full.smin)..=i128::from(full.smax))
                .contains(&(i128::from(value) * i128::from(factor)))
        };
        if factor <= 1 || !fits(self.smin) || !fits(self.smax) {
            return Some(*self);
        }
        let high = product.smax.div_euclid(factor);
        let low = product.smin.div_euclid(factor) + i64::from(product.smin.rem_euclid(factor) != 0);
        if low > high { None } else { self.meet(&Range::between_signed(self.width, low, high)) }
    }

    // v·(2ᵗ·c) = k, c odd  ⊢  2ᵗ divides k, and v ≡ (k / 2ᵗ)·c⁻¹ modulo 2ⁿ⁻ᵗ.  Of k only the low bits may be known.
    fn solve(&self, factor: u64, product: &Range) -> Option<Range> {
        let twos = factor.trailing_zeros().min(self.width);
        let known = (product.zeros | product.ones).trailing_ones().min(self.width);
        if known == 0 || twos >= self.width {
            return Some(*self);
        }
        if product.ones & low_bits(twos.min(known)) != 0 {
            return None;
        }
        if known <= twos {
            return Some(*self);
        }
        let value = (product.ones >> twos).wrapping_mul(inverse(factor >> twos));
        let solved = bits(known - twos);
        self.meet(&Range::with_bits(self.width, !value & solved, value & solved))
    }
}

/// The number whose product with an odd one is 1, modulo 2⁶⁴.
pub(super) fn inverse(odd: u64) -> u64 {
    debug_assert!(odd & 1 == 1, "only odd numbers should be inverted");
    // Newton: each step doubles the number of right bits; an odd number is its own inverse modulo 8.
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

/// The bits of a sum that are known to be 0 and to be 1.
///
/// The carries are least if every unknown bit is 0 and greatest if every one is 1; where both agree, the carry is known.
fn sum_bits(a: &Range, b: &Range) -> (u64, u64) {
    let least = a.ones.wrapping_add(b.ones);
    let most = (!a.zeros).wrapping_add(!b.zeros);
    let carry_zero = !(most ^ !a.zeros ^ !b.zeros);
    let carry_one = least ^ a.ones ^ b.ones;
    let known = (a.zeros | a.ones) & (b.zeros | b.ones) & (carry_zero | carry_one) & bits(a.width);
    (!least & known, least & known)
}

/// The range of a larger width with the same numbers, read as unsigned.
pub(super) fn widened(range: &Range, width: Width) -> Range {
    debug_assert!(range.width < width, "a range should be widened to a larger width");
    let front = bits(width) & !bits(range.width);
    Range { smin: range.umin as i64, smax: range.umax as i64, zeros: range.zeros | front, width, ..*range }
}

/// The range of a smaller width with the same numbers, read as unsigned, as far as they fit; `None` if none does.
pub(super) fn shortened(range: &Range, width: Width) -> Option<Range> {
    let all = bits(width);
    if range.umin > all || range.ones & !all != 0 {
        return None;
    }
    let short = Range { umin: range.umin, umax: range.umax.min(all), ..Range::full(width) };
    Range { zeros: range.zeros & all, ones: range.ones & all, ..short }.tightened()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some_ranges() -> Vec<Range> {
        let mut ranges = vec![Range::full(3)];
        for low in 0..8u64 {
            for high in low..8 {
                ranges.push(Range::between(3, low, high));
                ranges.push(Range::between_signed(3, low as i64 - 4, high as i64 - 4));
                ranges.extend(Range { zeros: low & !high, ones: high & !low, ..Range::full(3) }.tightened());
            }
        }
        ranges
    }

    #[test]
    fn results_contain_what_they_should() {
        for a in some_ranges() {
            for b in some_ranges() {
                let (sum, product) = (a.add(&b), a.mul(&b));
                for v in (0..8).filter(|&v| a.has(v)) {
                    assert!(a.neg().has(v.wrapping_neg() & 7));
                    for w in (0..8).filter(|&w| b.has(w)) {
                        assert!(sum.has((v + w) & 7), "{a:?} + {b:?}");
                        assert!(product.has((v * w) & 7), "{a:?} * {b:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn unscaling_keeps_all_solutions() {
        for a in some_ranges() {
            for product in some_ranges() {
                for factor in 0..8 {
                    let solutions = (0..8).filter(|&v| a.has(v) && product.has((v * factor) & 7));
                    let rest = a.unscale(factor, &product);
                    for v in solutions {
                        assert!(
                            rest.is_some_and(|rest| rest.has(v)),
                            "{v} in {a:?} · {factor} ∈ {product:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in [1, 3, 5, 0xdead_beef, u64::MAX] {
            assert_eq!(inverse(odd).wrapping_mul(odd), 1);
        }
    }
}
