//! Which result bits are undefined.
//!
//! Notation: `a` bits, `u` undefined bits, `a⁻` = `a & ~u` and `a⁺` = `a | u` the least and greatest choices.
//! Source: the rules for sums are those of Seward and Nethercote, *Using Valgrind to detect undefined value
//! errors with bit-precision*, USENIX 2005, §2.5.

use std::cmp::Ordering;

use ir::{BinOp, CmpOp};

use super::{exact, extremes};
use crate::value::Value;
use crate::words::Words;

/// The undefined bits of `lhs op rhs`; for the overflow tests, the whole mask or nothing.
pub(super) fn binary(op: BinOp, width: u32, lhs: &Value, rhs: &Value) -> Words {
    let (ua, ub) = (lhs.undef_words(), rhs.undef_words());
    if ua.is_zero() && ub.is_zero() {
        return Words::zero(width);
    }
    let (a, b) = (lhs.words(), rhs.words());
    match op {
        // A defined zero decides.
        BinOp::And => ua.and(&ub).or(&ua.and(&b)).or(&ub.and(&a)),
        // A defined one decides.
        BinOp::Or => ua.and(&ub).or(&ua.without(&b)).or(&ub.without(&a)),
        BinOp::Xor => ua.or(&ub),
        BinOp::Add | BinOp::Sub => sum(op, width, lhs, rhs),
        BinOp::Mul => product(width, lhs, rhs),
        BinOp::Shl | BinOp::LShr | BinOp::AShr if ub.is_zero() => {
            let amount = exact::amount(&b, width);
            match op {
                BinOp::Shl => ua.shl(amount, width),
                BinOp::LShr => ua.lshr(amount),
                _ => ua.ashr(amount, width),
            }
        }
        BinOp::UDiv => quotient(width, lhs, &b),
        BinOp::URem => remainder(width, lhs, &b),
        BinOp::UMin | BinOp::UMax | BinOp::SMin | BinOp::SMax => extremum(op, width, lhs, rhs),
        _ => Words::ones(width),
    }
}

/// `lhs op rhs`, or none if undefined bits decide.
pub(super) fn compare(op: CmpOp, width: u32, lhs: &Value, rhs: &Value) -> Option<bool> {
    let (lhs_range, rhs_range) = (extremes(lhs), extremes(rhs));
    match op {
        CmpOp::Eq => equal(lhs, rhs),
        CmpOp::Ne => equal(lhs, rhs).map(|equal| !equal),
        CmpOp::Ult => below(&lhs_range, &rhs_range),
        CmpOp::Uge => below(&lhs_range, &rhs_range).map(|below| !below),
        CmpOp::Ugt => below(&rhs_range, &lhs_range),
        CmpOp::Ule => below(&rhs_range, &lhs_range).map(|below| !below),
        CmpOp::Slt => below(&flipped(lhs, width), &flipped(rhs, width)),
        CmpOp::Sge => below(&flipped(lhs, width), &flipped(rhs, width)).map(|below| !below),
        CmpOp::Sgt => below(&flipped(rhs, width), &flipped(lhs, width)),
        CmpOp::Sle => below(&flipped(rhs, width), &flipped(lhs, width)).map(|below| !below),
        _ => unreachable!("invariant: float comparisons are not sent here"),
    }
}

/// Decided by any bit that is defined on both sides and differs.
fn equal(lhs: &Value, rhs: &Value) -> Option<bool> {
    let undef = lhs.undef_words().or(&rhs.undef_words());
    let differ = lhs.words().xor(&rhs.words());
    if !differ.without(&undef).is_zero() {
        return Some(false);
    }
    undef.is_zero().then_some(true)
}

/// `a < b` for all choices, for none, or undecided.
fn below(a: &(Words, Words), b: &(Words, Words)) -> Option<bool> {
    if a.1.compare(&b.0) == Ordering::Less {
        Some(true)
    } else if a.0.compare(&b.1) != Ordering::Less {
        Some(false)
    } else {
        None
    }
}

/// The range of a signed number with the sign bit flipped, which makes the signed order the unsigned one.
fn flipped(value: &Value, width: u32) -> (Words, Words) {
    let sign = Words::from_u64(width, 1).shl(width - 1, width);
    let (bits, undef) = (value.words().xor(&sign), value.undef_words());
    (bits.without(&undef), bits.or(&undef))
}

/// `ua | ub | ((a⁻ + b⁻) ^ (a⁺ + b⁺))`: beyond the operands' own bits, those that a carry may change. For a difference the
/// extremes of `b` are swapped.
fn sum(op: BinOp, width: u32, lhs: &Value, rhs: &Value) -> Words {
    let ((a_min, a_max), (b_min, b_max)) = (extremes(lhs), extremes(rhs));
    let carries = match op {
        BinOp::Add => a_min.add(&b_min, width).xor(&a_max.add(&b_max, width)),
        _ => a_min.sub(&b_max, width).xor(&a_max.sub(&b_min, width)),
    };
    lhs.undef_words().or(&rhs.undef_words()).or(&carries)
}

/// All bits from the lowest one that an undefined operand bit can reach.
fn product(width: u32, lhs: &Value, rhs: &Value) -> Words {
    // Bits of a product below `lowest undefined bit of one` + `trailing zeros of the other` stay as they are.
    let reach = |undefined: &Value, other: &Value| -> Option<u32> {
        let lowest = undefined.undef_words().lowest_one()?;
        let zeros = extremes(other).1.lowest_one()?;
        Some(lowest + zeros)
    };
    let lowest = [reach(lhs, rhs), reach(rhs, lhs)].into_iter().flatten().min();
    match lowest {
        Some(lowest) if lowest < width => Words::ones(width).shl(lowest, width),
        _ => Words::zero(width),
    }
}

/// All quotients lie between `a⁻ / b` and `a⁺ / b`, so they share the leading bits in which those agree.
fn quotient(width: u32, lhs: &Value, b: &Words) -> Words {
    let (min, max) = extremes(lhs);
    let differ = min.div_rem(b).0.xor(&max.div_rem(b).0);
    Words::ones(width).resized(differ.bit_length()).resized(width)
}

/// For a power of two the low bits of the dividend; otherwise all bits of numbers below the divisor.
fn remainder(width: u32, lhs: &Value, b: &Words) -> Words {
    let below = b.sub(&Words::from_u64(width, 1), width);
    if b.count_ones() == 1 {
        return lhs.undef_words().and(&below);
    }
    Words::ones(below.bit_length()).resized(width)
}

/// The mask of the operand that is chosen, if the choice is defined.
fn extremum(op: BinOp, width: u32, lhs: &Value, rhs: &Value) -> Words {
    let less = match op {
        BinOp::UMin | BinOp::UMax => compare(CmpOp::Ult, width, lhs, rhs),
        _ => compare(CmpOp::Slt, width, lhs, rhs),
    };
    let smallest = matches!(op, BinOp::UMin | BinOp::SMin);
    match less {
        Some(less) if less == smallest => lhs.undef_words(),
        Some(_) => rhs.undef_words(),
        None => Words::ones(width),
    }
}
