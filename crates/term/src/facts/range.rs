//! What is known of one value: an unsigned interval, a signed interval, and known bits, each of which
//! tightens the others.
//!
//! A range stands for the set `{ v : umin ≤ v ≤ umax, smin ≤ signed(v) ≤ smax, v has the known bits }`. Sets
//! are never empty: what could be is an `Option`. All arithmetic is that of bit-vectors; each operation below
//! says when its bounds hold in spite of wrap-around.
//!
//! Departure: values wider than [`RANGE_BITS`] are not followed; their range says nothing.

use crate::value::{Width, mask, signed};

/// The widest value that is followed.
pub(super) const RANGE_BITS: Width = 64;

/// What is known of the value of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub(super) umin: u64,
    pub(super) umax: u64,
    pub(super) smin: i64,
    pub(super) smax: i64,
    /// Bits that are known to be 0.
    pub(super) zeros: u64,
    /// Bits that are known to be 1.
    pub(super) ones: u64,
    pub(super) width: Width,
}

impl Range {
    /// The least and the greatest value, read as unsigned numbers.
    pub fn unsigned(&self) -> (u128, u128) {
        if self.is_wide() { (0, mask(self.width)) } else { (self.umin.into(), self.umax.into()) }
    }

    /// The least and the greatest value, read in two's complement.
    pub fn signed(&self) -> (i128, i128) {
        if self.is_wide() {
            let least = signed(self.width, 1 << (self.width - 1));
            (least, !least)
        } else {
            (self.smin.into(), self.smax.into())
        }
    }

    /// The bits that are known to be 0 and those that are known to be 1.
    pub fn known_bits(&self) -> (u128, u128) {
        if self.is_wide() { (0, 0) } else { (self.zeros.into(), self.ones.into()) }
    }

    /// The value, if there is only one.
    pub fn constant(&self) -> Option<u128> {
        self.single().map(u128::from)
    }

    /// Whether a value is among those that are possible.
    pub fn contains(&self, value: u128) -> bool {
        self.is_wide() || u64::try_from(value).is_ok_and(|value| self.has(value))
    }

    fn is_wide(&self) -> bool {
        self.width > RANGE_BITS
    }

    /// Every value of the width.
    pub(super) fn full(width: Width) -> Range {
        let bits = bits(width);
        let smin = sign(width, 1u64 << (width.min(RANGE_BITS) - 1));
        Range { umin: 0, umax: bits, smin, smax: !smin, zeros: 0, ones: 0, width }
    }

    /// One value; bits above the width are cut off.
    pub(super) fn of(width: Width, value: u64) -> Range {
        let value = value & bits(width);
        let number = sign(width, value);
        Range {
            umin: value,
            umax: value,
            smin: number,
            smax: number,
            zeros: !value & bits(width),
            ones: value,
            width,
        }
    }

    /// All values from `umin` to `umax`, unsigned; `umin ≤ umax`.
    pub(super) fn between(width: Width, umin: u64, umax: u64) -> Range {
        let (smin, smax) = (sign(width, umin), sign(width, umax));
        let mut range = Range { umin, umax, ..Range::full(width) };
        // On one side of the sign bit both orders are the same.
        if (smin < 0) == (smax < 0) {
            (range.smin, range.smax) = (smin, smax);
        }
        let fixed = common_prefix(width, umin, umax);
        (range.zeros, range.ones) = (!umin & fixed, umin & fixed);
        range
    }

    /// All values from `smin` to `smax`, signed; `smin ≤ smax`.
    pub(super) fn between_signed(width: Width, smin: i64, smax: i64) -> Range {
        if (smin < 0) == (smax < 0) {
            return Range::between(width, smin as u64 & bits(width), smax as u64 & bits(width));
        }
        Range { smin, smax, ..Range::full(width) }
    }

    /// All values with these bits, none of which may be both.
    pub(super) fn with_bits(width: Width, zeros: u64, ones: u64) -> Range {
        let (zeros, ones) = (zeros & bits(width), ones & bits(width));
        debug_assert!(zeros & ones == 0, "a bit should not be known to be both");
        let (umin, umax) = (ones, !zeros & bits(width));
        let half = 1u64 << (width - 1);
        // The least number has the sign bit if it may, the greatest if it must.
        let smin = sign(width, umin | (half & !zeros));
        let smax = sign(width, umax & !(half & !ones));
        Range { umin, umax, smin, smax, zeros, ones, width }
    }

    /// The value, if there is only one.
    #[inline]
    pub(super) fn single(&self) -> Option<u64> {
        (self.umin == self.umax && !self.is_wide()).then_some(self.umin)
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        *self == Range::full(self.width)
    }

    #[inline]
    pub(super) fn has(&self, value: u64) -> bool {
        let number = sign(self.width, value);
        (self.umin..=self.umax).contains(&value)
            && (self.smin..=self.smax).contains(&number)
            && value & self.zeros == 0
            && !value & self.ones == 0
    }

    /// Whether every value of this range is one of the other.
    pub(super) fn within(&self, other: &Range) -> bool {
        other.umin <= self.umin
            && self.umax <= other.umax
            && other.smin <= self.smin
            && self.smax <= other.smax
            && other.zeros & !self.zeros == 0
            && other.ones & !self.ones == 0
    }

    /// The values of both; `None` if there is none.
    #[inline]
    pub(super) fn meet(&self, other: &Range) -> Option<Range> {
        debug_assert!(self.width == other.width, "ranges that meet should have one width");
        if self.within(other) {
            return Some(*self);
        }
        if other.within(self) {
            return Some(*other);
        }
        Range {
            umin: self.umin.max(other.umin),
            umax: self.umax.min(other.umax),
            smin: self.smin.max(other.smin),
            smax: self.smax.min(other.smax),
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            width: self.width,
        }
        .tightened()
    }

    /// A range with the values of both, and maybe more.
    pub(super) fn join(&self, other: &Range) -> Range {
        Range {
            umin: self.umin.min(other.umin),
            umax: self.umax.max(other.umax),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            width: self.width,
        }
    }

    /// The range without one value, where it is at an end; `None` if there was no other.
    pub(super) fn without(&self, value: u64) -> Option<Range> {
        if !self.has(value) {
            return Some(*self);
        }
        let mut rest = *self;
        // v ≠ umin, umin ≤ v  ⊢  umin + 1 ≤ v,  and so at the other ends.
        if self.umin == value {
            rest.umin = value.checked_add(1)?;
        }
        if self.umax == value {
            rest.umax = value.checked_sub(1)?;
        }
        if self.smin == sign(self.width, value) {
            rest.smin = rest.smin.checked_add(1)?;
        }
        if self.smax == sign(self.width, value) {
            rest.smax = rest.smax.checked_sub(1)?;
        }
        if rest == *self { Some(rest) } else { rest.tightened() }
    }

    /// Lets the three descriptions tighten one another; `None` if they exclude each other.
    pub(super) fn tightened(mut self) -> Option<Range> {
        for _ in 0..3 {
            let before = self;
            self.bits_tighten_bounds()?;
            self.bounds_tighten_each_other()?;
            self.bounds_tighten_bits()?;
            if self == before {
                break;
            }
        }
        Some(self)
    }

    // umin ≤ v, v has the known bits  ⊢  v is at least the next number that has them.
    fn bits_tighten_bounds(&mut self) -> Option<()> {
        if self.zeros | self.ones == 0 {
            return (self.umin <= self.umax).then_some(());
        }
        let all = bits(self.width);
        self.umin = next_with_bits(self.umin, self.zeros, self.ones, all)?;
        self.umax = !next_with_bits(!self.umax & all, self.ones, self.zeros, all)? & all;
        (self.umin <= self.umax).then_some(())
    }

    // The values without sign bit are v ∈ [umin, umax] ∩ [smin, smax] ∩ [0, 2ⁿ⁻¹), those with it likewise in the upper half; the
    // bounds are the ends of those parts that are not empty.
    fn bounds_tighten_each_other(&mut self) -> Option<()> {
        let half = 1u64 << (self.width - 1);
        let all = bits(self.width);
        let lower = {
            let least = self.umin.max(self.smin.max(0) as u64);
            let most = if self.smax < 0 { None } else { Some(self.umax.min(self.smax as u64).min(half - 1)) };
            most.filter(|&most| least <= most).map(|most| (least, most))
        };
        let upper = {
            let least =
                self.umin.max(half).max(if self.smin < 0 { self.smin as u64 & all } else { u64::MAX });
            let most = self.umax.min(self.smax.min(-1) as u64 & all);
            (self.smin < 0 && least <= most).then_some((least, most))
        };
        let (first, last) = (lower.or(upper)?, upper.or(lower)?);
        (self.umin, self.umax) = (first.0, last.1);
        let (least, most) = (upper.or(lower)?, lower.or(upper)?);
        (self.smin, self.smax) = (sign(self.width, least.0), sign(self.width, most.1));
        Some(())
    }

    // umin ≤ v ≤ umax  ⊢  v begins with the bits that umin and umax have in common.
    fn bounds_tighten_bits(&mut self) -> Option<()> {
        let fixed = common_prefix(self.width, self.umin, self.umax);
        self.ones |= self.umin & fixed;
        self.zeros |= !self.umin & fixed;
        (self.zeros & self.ones == 0).then_some(())
    }
}

/// All bits of the width, or of the widest range.
#[inline]
pub(super) fn bits(width: Width) -> u64 {
    u64::MAX >> (RANGE_BITS - width.min(RANGE_BITS))
}

/// That many of the lowest bits.
#[inline]
pub(super) fn low_bits(count: u32) -> u64 {
    !u64::MAX.checked_shl(count).unwrap_or(0)
}

/// The value read in two's complement.
#[inline]
pub(super) fn sign(width: Width, value: u64) -> i64 {
    let unused = RANGE_BITS - width.min(RANGE_BITS);
    ((value << unused) as i64) >> unused
}

/// The bits in front that all numbers between two have in common.
fn common_prefix(width: Width, least: u64, most: u64) -> u64 {
    bits(width) & !u64::MAX.checked_shr((least ^ most).leading_zeros()).unwrap_or(0)
}

/// The least number from `from` on that has no bit of `zeros` and all of `ones`, within `all`.
fn next_with_bits(from: u64, zeros: u64, ones: u64, all: u64) -> Option<u64> {
    let wrong = (from & zeros) | (!from & ones);
    if wrong == 0 {
        return Some(from);
    }
    // The highest wrong bit decides. If it should be 1, setting it is enough; if it should be 0, a higher bit must be set that
    // is 0 and may be 1. In both cases the bits below are as small as they can be.
    let top = 1u64 << (63 - wrong.leading_zeros());
    let raised = if from & top == 0 {
        top
    } else {
        let above = !from & !zeros & all & !(top | (top - 1));
        if above == 0 {
            return None;
        }
        above & above.wrapping_neg()
    };
    Some((from & !(raised | (raised - 1))) | raised | (ones & (raised - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every range of three bits, as it was written, with the set that it stands for.
    fn each_range(mut action: impl FnMut(Range, Vec<u64>)) {
        for (umin, umax) in (0..8).flat_map(|a| (a..8).map(move |b| (a, b))) {
            for (smin, smax) in (-4..4).flat_map(|a| (a..4).map(move |b| (a, b))) {
                for (zeros, ones) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
                    let range = Range { umin, umax, smin, smax, zeros, ones, width: 3 };
                    action(range, (0..8).filter(|&value| range.has(value)).collect());
                }
            }
        }
    }

    #[test]
    fn tightening_keeps_the_set_and_finds_its_ends() {
        each_range(|range, set| match range.tightened() {
            None => assert_eq!(set, [], "{range:?}"),
            Some(tight) => {
                assert_eq!((0..8).filter(|&value| tight.has(value)).collect::<Vec<_>>(), set, "{range:?}");
                if set.is_empty() {
                    return;
                }
                if range.smin == -4 && range.smax == 3 {
                    assert_eq!(
                        (Some(&tight.umin), Some(&tight.umax)),
                        (set.first(), set.last()),
                        "{range:?}"
                    );
                }
            }
        });
    }

    #[test]
    fn ranges_are_made_tight() {
        for (low, high) in (0..8u64).flat_map(|a| (0..8).map(move |b| (a, b))) {
            let mut made = Vec::new();
            if low <= high {
                made.push(Range::between(3, low, high));
                made.push(Range::between_signed(3, low as i64 - 4, high as i64 - 4));
            }
            if low & high == 0 {
                made.push(Range::with_bits(3, low, high));
            }
            for range in made {
                assert_eq!(range.tightened(), Some(range));
            }
        }
    }

    #[test]
    fn a_value_at_an_end_can_be_taken_out() {
        each_range(|range, set| {
            let Some(tight) = range.tightened() else { return };
            for value in 0..8 {
                let rest: Vec<_> = set.iter().copied().filter(|&it| it != value).collect();
                match tight.without(value) {
                    None => assert_eq!(rest, []),
                    Some(smaller) => {
                        assert!(rest.iter().all(|&it| smaller.has(it)), "{range:?} without {value}")
                    }
                }
            }
        });
    }
}
