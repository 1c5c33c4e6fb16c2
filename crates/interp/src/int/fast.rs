//! Operations on fully defined integers of at most 64 bits.

use ir::{ArithFlags, BinOp, CmpOp};

use super::Trouble;
use crate::report::EventKind;
use crate::words::low_mask;

type Narrowed = (u64, Option<EventKind>);

/// `a op b` cut to `width`, and the promise that was broken.
#[inline]
pub(super) fn binary(op: BinOp, flags: ArithFlags, width: u32, a: u64, b: u64) -> Result<Narrowed, Trouble> {
    let mask = low_mask(width);
    Ok(match op {
        BinOp::Add => {
            checked(flags, width, a.overflowing_add(b), sext(a, width).overflowing_add(sext(b, width)))
        }
        BinOp::Sub => {
            checked(flags, width, a.overflowing_sub(b), sext(a, width).overflowing_sub(sext(b, width)))
        }
        BinOp::Mul => {
            checked(flags, width, a.overflowing_mul(b), sext(a, width).overflowing_mul(sext(b, width)))
        }
        BinOp::And => (a & b, None),
        BinOp::Or => (a | b, None),
        BinOp::Xor => (a ^ b, None),
        BinOp::Shl | BinOp::LShr | BinOp::AShr => shift(op, flags, width, a, b),
        BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => return divide(op, flags, width, a, b),
        BinOp::UMin => (a.min(b), None),
        BinOp::UMax => (a.max(b), None),
        BinOp::SMin => (if sext(a, width) < sext(b, width) { a } else { b }, None),
        BinOp::SMax => (if sext(a, width) > sext(b, width) { a } else { b }, None),
        _ if op.is_overflow_test() => (overflows(op, width, a, b).into(), None),
        _ => (saturating(op, width, a, b) & mask, None),
    })
}

/// `a op b` as a truth value.
#[inline]
pub(super) fn compare(op: CmpOp, width: u32, a: u64, b: u64) -> bool {
    let (x, y) = (sext(a, width), sext(b, width));
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => x < y,
        CmpOp::Sle => x <= y,
        CmpOp::Sgt => x > y,
        CmpOp::Sge => x >= y,
        _ => unreachable!("invariant: float comparisons are not sent here"),
    }
}

/// The number of `width` bits as a signed one.
#[inline]
pub(super) fn sext(bits: u64, width: u32) -> i64 {
    ((bits << (64 - width)) as i64) >> (64 - width)
}

/// A result computed in 64 bits, unsigned and signed, with the flags that it breaks.
#[inline]
fn checked(flags: ArithFlags, width: u32, unsigned: (u64, bool), signed: (i64, bool)) -> Narrowed {
    let bits = unsigned.0 & low_mask(width);
    let violation = if flags.nsw && (signed.1 || sext(signed.0 as u64, width) != signed.0) {
        Some(EventKind::SignedOverflow)
    } else if flags.nuw && (unsigned.1 || bits != unsigned.0) {
        Some(EventKind::UnsignedOverflow)
    } else {
        None
    };
    (bits, violation)
}

fn shift(op: BinOp, flags: ArithFlags, width: u32, a: u64, b: u64) -> Narrowed {
    let mask = low_mask(width);
    let oversized = b >= u64::from(width);
    // What common machines do with an oversized distance: they look at its low bits only.
    let amount = (b % u64::from(width)) as u32;
    let bits = match op {
        BinOp::Shl => (a << amount) & mask,
        BinOp::LShr => a >> amount,
        _ => (sext(a, width) >> amount) as u64 & mask,
    };
    let violation = if oversized {
        Some(EventKind::OversizedShift)
    } else if op == BinOp::Shl && flags.nsw && sext(bits, width) >> amount != sext(a, width) {
        Some(EventKind::SignedOverflow)
    } else if op == BinOp::Shl && flags.nuw && bits >> amount != a {
        Some(EventKind::UnsignedOverflow)
    } else if op != BinOp::Shl && flags.exact && a & low_mask(amount) != 0 {
        Some(EventKind::NotFollowed)
    } else {
        None
    };
    (bits, violation)
}

fn divide(op: BinOp, flags: ArithFlags, width: u32, a: u64, b: u64) -> Result<Narrowed, Trouble> {
    if b == 0 {
        return Err(Trouble::DivByZero);
    }
    let mask = low_mask(width);
    let (x, y) = (sext(a, width), sext(b, width));
    let (bits, remainder) = match op {
        BinOp::UDiv => (a / b, a % b),
        BinOp::URem => (a % b, 0),
        BinOp::SDiv => (x.wrapping_div(y) as u64 & mask, x.wrapping_rem(y) as u64),
        _ => (x.wrapping_rem(y) as u64 & mask, 0),
    };
    let least = (1u64 << (width - 1)) & mask;
    let signed = matches!(op, BinOp::SDiv | BinOp::SRem);
    let violation = if signed && a == least && y == -1 {
        Some(EventKind::DivisionOverflow)
    } else if flags.exact && remainder != 0 {
        Some(EventKind::NotFollowed)
    } else {
        None
    };
    Ok((bits, violation))
}

fn overflows(op: BinOp, width: u32, a: u64, b: u64) -> bool {
    let (x, y) = (i128::from(sext(a, width)), i128::from(sext(b, width)));
    let (u, v) = (i128::from(a), i128::from(b));
    let fits_unsigned = |number: i128| (0..=i128::from(low_mask(width))).contains(&number);
    let fits_signed = |number: i128| (-1i128 << (width - 1)..1i128 << (width - 1)).contains(&number);
    match op {
        BinOp::UAddOverflows => !fits_unsigned(u + v),
        BinOp::USubOverflows => !fits_unsigned(u - v),
        BinOp::UMulOverflows => u128::from(a) * u128::from(b) > u128::from(low_mask(width)),
        BinOp::SAddOverflows => !fits_signed(x + y),
        BinOp::SSubOverflows => !fits_signed(x - y),
        _ => !fits_signed(x * y),
    }
}

fn saturating(op: BinOp, width: u32, a: u64, b: u64) -> u64 {
    let (x, y) = (i128::from(sext(a, width)), i128::from(sext(b, width)));
    let (least, greatest) = (-1i128 << (width - 1), (1i128 << (width - 1)) - 1);
    let amount = (b % u64::from(width)) as u32;
    match op {
        BinOp::UAddSat => (u128::from(a) + u128::from(b)).min(low_mask(width).into()) as u64,
        BinOp::USubSat => a.saturating_sub(b),
        BinOp::UShlSat => (u128::from(a) << amount).min(low_mask(width).into()) as u64,
        BinOp::SAddSat => (x + y).clamp(least, greatest) as u64,
        BinOp::SSubSat => (x - y).clamp(least, greatest) as u64,
        BinOp::SShlSat => (x << amount).clamp(least, greatest) as u64,
        _ => unreachable!("invariant: float operations are not sent here"),
    }
}
