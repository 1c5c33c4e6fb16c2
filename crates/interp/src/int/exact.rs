//! Operations on integers of any width with undefined bits.

use std::cmp::Ordering;

use ir::{ArithFlags, BinOp, Type};
use smallvec::SmallVec;

use super::{Computed, Trouble, prov_of, shadow};
use crate::report::EventKind;
use crate::value::{BlockRef, Value, Wide};
use crate::words::Words;

/// `lhs op rhs` on integers of `width` bits.
pub(super) fn binary(
    op: BinOp,
    flags: ArithFlags,
    width: u32,
    lhs: &Value,
    rhs: &Value,
) -> Result<Computed, Trouble> {
    let is_division = matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem);
    if is_division && !rhs.is_defined() {
        return Err(Trouble::UndefinedDivisor);
    }
    if is_division && rhs.words().is_zero() {
        return Err(Trouble::DivByZero);
    }
    let undef = shadow::binary(op, width, lhs, rhs);
    let (a, b) = (lhs.words(), rhs.words());
    if op.is_overflow_test() {
        let bits = u64::from(overflows(op, width, &a, &b));
        return Ok(Value::narrow(Type::BOOL, bits, undef.low() & 1, None).into());
    }
    let bits = compute(op, width, &a, &b);
    // With undefined operands nobody can say whether the promise is broken.
    let defined = lhs.is_defined() && rhs.is_defined();
    let violation = if defined { violation(op, flags, width, [&a, &b, &bits]) } else { None };
    let value = Value::from_words(lhs.ty(), bits, undef);
    Ok(Computed { value: with_provs(op, value, lhs, rhs), violation })
}

/// The result bits; the divisor is not zero.
fn compute(op: BinOp, width: u32, a: &Words, b: &Words) -> Words {
    let amount = amount(b, width);
    match op {
        BinOp::Add => a.add(b, width),
        BinOp::Sub => a.sub(b, width),
        BinOp::Mul => a.mul(b, width),
        BinOp::And => a.and(b),
        BinOp::Or => a.or(b),
        BinOp::Xor => a.xor(b),
        BinOp::Shl => a.shl(amount, width),
        BinOp::LShr => a.lshr(amount),
        BinOp::AShr => a.ashr(amount, width),
        BinOp::UDiv => a.div_rem(b).0,
        BinOp::URem => a.div_rem(b).1,
        BinOp::SDiv => signed_div_rem(a, b, width).0,
        BinOp::SRem => signed_div_rem(a, b, width).1,
        BinOp::UMin => pick(a, b, a.compare(b) == Ordering::Less),
        BinOp::UMax => pick(a, b, a.compare(b) == Ordering::Greater),
        BinOp::SMin => pick(a, b, a.compare_signed(b, width) == Ordering::Less),
        BinOp::SMax => pick(a, b, a.compare_signed(b, width) == Ordering::Greater),
        _ => saturating(op, width, a, b),
    }
}

/// The distance of a shift, taken modulo the width.
pub(super) fn amount(distance: &Words, width: u32) -> u32 {
    if distance.bit_length() <= 32 {
        return (distance.low() % u64::from(width)) as u32;
    }
    let modulus = Words::from_u64(distance.as_slice().len() as u32 * 64, width.into());
    distance.div_rem(&modulus).1.low() as u32
}

fn pick(a: &Words, b: &Words, first: bool) -> Words {
    if first { a.clone() } else { b.clone() }
}

/// Quotient to zero and remainder with the sign of the dividend; the least number by -1 wraps.
fn signed_div_rem(a: &Words, b: &Words, width: u32) -> (Words, Words) {
    let magnitude = |x: &Words| if x.bit(width - 1) { x.neg(width) } else { x.clone() };
    let (quotient, remainder) = magnitude(a).div_rem(&magnitude(b));
    let (quotient, remainder) = (quotient.resized(width), remainder.resized(width));
    let quotient = if a.bit(width - 1) != b.bit(width - 1) { quotient.neg(width) } else { quotient };
    let remainder = if a.bit(width - 1) { remainder.neg(width) } else { remainder };
    (quotient, remainder)
}

/// The exact result of `op` at a width where it always fits, signed or unsigned.
fn widened(op: BinOp, width: u32, signed: bool, a: &Words, b: &Words) -> (Words, u32) {
    let wide = 2 * width + 2;
    let extend = |x: &Words| if signed { x.sign_extended(width, wide) } else { x.resized(wide) };
    let (a, b) = (extend(a), extend(b));
    let result = match op {
        BinOp::Add => a.add(&b, wide),
        BinOp::Sub => a.sub(&b, wide),
        BinOp::Mul => a.mul(&b, wide),
        _ => a.shl(amount(&b.resized(width), width), wide),
    };
    (result, wide)
}

/// Whether the exact result of `op` does not fit `width` bits.
fn exceeds(op: BinOp, width: u32, signed: bool, a: &Words, b: &Words) -> bool {
    let (exact, wide) = widened(op, width, signed, a, b);
    let cut = exact.resized(width);
    let back = if signed { cut.sign_extended(width, wide) } else { cut.resized(wide) };
    back != exact
}

fn overflows(op: BinOp, width: u32, a: &Words, b: &Words) -> bool {
    let (plain, signed) = match op {
        BinOp::UAddOverflows => (BinOp::Add, false),
        BinOp::SAddOverflows => (BinOp::Add, true),
        BinOp::USubOverflows => (BinOp::Sub, false),
        BinOp::SSubOverflows => (BinOp::Sub, true),
        BinOp::UMulOverflows => (BinOp::Mul, false),
        _ => (BinOp::Mul, true),
    };
    exceeds(plain, width, signed, a, b)
}

fn saturating(op: BinOp, width: u32, a: &Words, b: &Words) -> Words {
    let (plain, signed) = match op {
        BinOp::UAddSat => (BinOp::Add, false),
        BinOp::SAddSat => (BinOp::Add, true),
        BinOp::USubSat => (BinOp::Sub, false),
        BinOp::SSubSat => (BinOp::Sub, true),
        BinOp::UShlSat => (BinOp::Shl, false),
        BinOp::SShlSat => (BinOp::Shl, true),
        _ => unreachable!("invariant: float operations are not sent here"),
    };
    let (exact, wide) = widened(plain, width, signed, a, b);
    let negative = exact.bit(wide - 1);
    match (exceeds(plain, width, signed, a, b), signed, negative) {
        (false, ..) => exact.resized(width),
        (true, false, true) => Words::zero(width),
        (true, false, false) => Words::ones(width),
        (true, true, true) => Words::ones(width).shl(width - 1, width),
        (true, true, false) => Words::ones(width).lshr(1),
    }
}

/// The promise that `[lhs, rhs, result]` breaks.
fn violation(op: BinOp, flags: ArithFlags, width: u32, [a, b, result]: [&Words; 3]) -> Option<EventKind> {
    let is_shift = matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr);
    if is_shift && (b.bit_length() > 32 || b.low() >= width.into()) {
        return Some(EventKind::OversizedShift);
    }
    let can_overflow = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl);
    if can_overflow && flags.nsw && exceeds(op, width, true, a, b) {
        return Some(EventKind::SignedOverflow);
    }
    if can_overflow && flags.nuw && exceeds(op, width, false, a, b) {
        return Some(EventKind::UnsignedOverflow);
    }
    let signed_division = matches!(op, BinOp::SDiv | BinOp::SRem);
    if signed_division && *b == Words::ones(width) && *a == Words::ones(width).shl(width - 1, width) {
        return Some(EventKind::DivisionOverflow);
    }
    let loses_bits = match op {
        BinOp::LShr | BinOp::AShr => a.lowest_one().is_some_and(|one| one < b.low() as u32),
        BinOp::UDiv | BinOp::SDiv => result.mul(b, width) != *a,
        _ => false,
    };
    (flags.exact && loses_bits).then_some(EventKind::NotFollowed)
}

/// The provenance of each word; shifts by whole words move them.
fn with_provs(op: BinOp, value: Value, lhs: &Value, rhs: &Value) -> Value {
    let Some(wide) = value.as_wide() else { return value.with_prov(prov_of(op, lhs.prov(), rhs.prov())) };
    let distance = rhs.low();
    let prov = |word: usize| -> Option<BlockRef> {
        match op {
            BinOp::Shl if distance.is_multiple_of(64) => {
                lhs.prov_of_word(word.checked_sub((distance / 64).min(1 << 20) as usize)?)
            }
            BinOp::LShr | BinOp::AShr if distance.is_multiple_of(64) => {
                lhs.prov_of_word(word + (distance / 64).min(1 << 20) as usize)
            }
            _ => prov_of(op, lhs.prov_of_word(word), rhs.prov_of_word(word)),
        }
    };
    let prov: SmallVec<[Option<BlockRef>; 2]> = (0..wide.prov.len()).map(prov).collect();
    Value::wide(value.ty(), Wide { bits: wide.bits.clone(), undef: wide.undef.clone(), prov })
}
