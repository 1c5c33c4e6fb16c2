//! Operations of the IR as terms, for all engines: one table.
//!
//! Judgment: where no condition of [`undefined`] holds of its operands, an operation has the value that its
//! term has. Terms are total, so that an operation has a term even where C leaves it undefined: what follows
//! from that is the business of the engine.
//! Source: LLVM's *Language Reference*, for what operations compute and when their flags are violated; the
//! design, §4 (signed overflow).
//! Departures: floats are opaque, and so are operations on them, except for negation, absolute value, copies
//! of signs and conversions of bits: what is not expressible is none, which means any value.

use ir::{ArithFlags, BinOp, CastOp, CmpOp, UnOp};
use smallvec::SmallVec;
use term::{TermId, Terms, Width};

/// An operation on two values.
pub fn binary(terms: &mut Terms, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
    Some(match op {
        BinOp::Add => terms.add(a, b),
        BinOp::Sub => terms.sub(a, b),
        BinOp::Mul => terms.mul(a, b),
        BinOp::UDiv => terms.udiv(a, b),
        BinOp::SDiv => terms.sdiv(a, b),
        BinOp::URem => terms.urem(a, b),
        BinOp::SRem => terms.srem(a, b),
        BinOp::Shl => terms.shl(a, b),
        BinOp::LShr => terms.lshr(a, b),
        BinOp::AShr => terms.ashr(a, b),
        BinOp::And => terms.and(a, b),
        BinOp::Or => terms.or(a, b),
        BinOp::Xor => terms.xor(a, b),
        BinOp::UMin => terms.umin(a, b),
        BinOp::UMax => terms.umax(a, b),
        BinOp::SMin => terms.smin(a, b),
        BinOp::SMax => terms.smax(a, b),
        BinOp::UAddSat => terms.uadd_sat(a, b),
        BinOp::SAddSat => terms.sadd_sat(a, b),
        BinOp::USubSat => terms.usub_sat(a, b),
        BinOp::SSubSat => terms.ssub_sat(a, b),
        BinOp::UShlSat => terms.ushl_sat(a, b),
        BinOp::SShlSat => terms.sshl_sat(a, b),
        BinOp::UAddOverflows => terms.uadd_overflow(a, b),
        BinOp::SAddOverflows => terms.sadd_overflow(a, b),
        BinOp::USubOverflows => terms.usub_overflow(a, b),
        BinOp::SSubOverflows => terms.ssub_overflow(a, b),
        BinOp::UMulOverflows => terms.umul_overflow(a, b),
        BinOp::SMulOverflows => terms.smul_overflow(a, b),
        BinOp::FCopySign => copy_sign(terms, a, b),
        BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem | BinOp::FMin | BinOp::FMax => {
            return None;
        }
    })
}

/// When C leaves an operation undefined, one condition for each reason: signed overflow, a distance that is too large, `nuw`. A divisor of zero is not among them, which engines ask about themselves.
pub fn undefined(
    terms: &mut Terms,
    op: BinOp,
    flags: ArithFlags,
    a: TermId,
    b: TermId,
) -> SmallVec<[TermId; 2]> {
    let mut undefined: SmallVec<[TermId; 2]> = SmallVec::new();
    if matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr) {
        let width = terms.constant(terms.width(b), terms.width(a).into());
        undefined.push(terms.uge(b, width));
    }
    if flags.nsw || matches!(op, BinOp::SDiv | BinOp::SRem) {
        undefined.extend(signed_overflow(terms, op, a, b));
    }
    match op {
        BinOp::Add if flags.nuw => undefined.push(terms.uadd_overflow(a, b)),
        BinOp::Sub if flags.nuw => undefined.push(terms.usub_overflow(a, b)),
        BinOp::Mul if flags.nuw => undefined.push(terms.umul_overflow(a, b)),
        _ => {}
    }
    undefined
}

/// When the exact result of a signed operation does not fit; none for operations that always do.
pub fn signed_overflow(terms: &mut Terms, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
    Some(match op {
        BinOp::Add => terms.sadd_overflow(a, b),
        BinOp::Sub => terms.ssub_overflow(a, b),
        BinOp::Mul => terms.smul_overflow(a, b),
        BinOp::SDiv | BinOp::SRem => quotient_overflows(terms, a, b),
        BinOp::Shl => shifted_out(terms, a, b),
        _ => return None,
    })
}

/// `a == MIN && b == -1`.
fn quotient_overflows(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let width = terms.width(a);
    let least = terms.constant(width, 1 << (width - 1));
    let minus_one = terms.constant(width, u128::MAX);
    let (is_least, is_minus_one) = (terms.eq(a, least), terms.eq(b, minus_one));
    terms.and(is_least, is_minus_one)
}

/// `(a << b) >> b != a`, with the sign.
fn shifted_out(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let shifted = terms.shl(a, b);
    let back = terms.ashr(shifted, b);
    terms.ne(back, a)
}

fn copy_sign(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let width = terms.width(a);
    let sign = terms.constant(width, 1 << (width - 1));
    let rest = terms.not(sign);
    let (magnitude, sign) = (terms.and(a, rest), terms.and(b, sign));
    terms.or(magnitude, sign)
}

/// An operation on one value.
pub fn unary(terms: &mut Terms, op: UnOp, a: TermId) -> Option<TermId> {
    let width = terms.width(a);
    let sign = 1_u128 << (width - 1);
    Some(match op {
        UnOp::FNeg => {
            let sign = terms.constant(width, sign);
            terms.xor(a, sign)
        }
        UnOp::FAbs => {
            let rest = terms.constant(width, !sign);
            terms.and(a, rest)
        }
        UnOp::ByteSwap => terms.bswap(a),
        UnOp::BitReverse => terms.bitreverse(a),
        UnOp::PopCount => terms.popcount(a),
        UnOp::LeadingZeros => terms.leading_zeros(a),
        UnOp::TrailingZeros => terms.trailing_zeros(a),
        UnOp::Abs => terms.abs(a),
        UnOp::FSqrt | UnOp::FFloor | UnOp::FCeil | UnOp::FTrunc | UnOp::FRound | UnOp::FRoundEven => {
            return None;
        }
    })
}

/// A comparison of two integers or addresses.
pub fn compare(terms: &mut Terms, op: CmpOp, a: TermId, b: TermId) -> Option<TermId> {
    Some(match op {
        CmpOp::Eq => terms.eq(a, b),
        CmpOp::Ne => terms.ne(a, b),
        CmpOp::Ult => terms.ult(a, b),
        CmpOp::Ule => terms.ule(a, b),
        CmpOp::Ugt => terms.ugt(a, b),
        CmpOp::Uge => terms.uge(a, b),
        CmpOp::Slt => terms.slt(a, b),
        CmpOp::Sle => terms.sle(a, b),
        CmpOp::Sgt => terms.sgt(a, b),
        CmpOp::Sge => terms.sge(a, b),
        CmpOp::FFalse => terms.no(),
        CmpOp::FTrue => terms.yes(),
        _ => return None,
    })
}

/// A conversion to a type of `to` bits.
pub fn cast(terms: &mut Terms, op: CastOp, a: TermId, to: Width) -> Option<TermId> {
    let from = terms.width(a);
    Some(match op {
        CastOp::Trunc => terms.trunc(a, to),
        CastOp::ZExt => terms.zext(a, to),
        CastOp::SExt => terms.sext(a, to),
        CastOp::PtrToInt | CastOp::IntToPtr if to <= from => terms.trunc(a, to),
        CastOp::PtrToInt | CastOp::IntToPtr => terms.zext(a, to),
        CastOp::Bits if from == to => a,
        _ => return None,
    })
}

/// A shift of two values as one, of which the left or the right half remains.
pub fn funnel(terms: &mut Terms, left: bool, high: TermId, low: TermId, amount: TermId) -> TermId {
    if left { terms.fshl(high, low, amount) } else { terms.fshr(high, low, amount) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGNED: ArithFlags = ArithFlags { nuw: false, nsw: true, exact: false };

    /// Whether an operation on two constants of 8 bits is defined.
    fn is_defined(op: BinOp, flags: ArithFlags, a: u8, b: u8) -> bool {
        let mut terms = Terms::default();
        let (a, b) = (terms.constant(8, a.into()), terms.constant(8, b.into()));
        let undefined = undefined(&mut terms, op, flags, a, b);
        undefined.iter().all(|&it| terms.value(it) == Some(0))
    }

    #[test]
    fn signed_operations_are_defined_where_the_exact_result_fits() {
        for a in i8::MIN..=i8::MAX {
            for b in [i8::MIN, -100, -3, -1, 0, 1, 2, 77, i8::MAX] {
                let defined = |op| is_defined(op, SIGNED, a as u8, b as u8);
                assert_eq!(defined(BinOp::Add), a.checked_add(b).is_some(), "{a} + {b}");
                assert_eq!(defined(BinOp::Sub), a.checked_sub(b).is_some(), "{a} - {b}");
                assert_eq!(defined(BinOp::Mul), a.checked_mul(b).is_some(), "{a} * {b}");
                assert_eq!(defined(BinOp::SDiv), b == 0 || a.checked_div(b).is_some(), "{a} / {b}");
            }
        }
    }

    #[test]
    fn a_distance_is_below_the_width_and_keeps_what_it_shifts() {
        let any = ArithFlags::default();
        assert!(is_defined(BinOp::Shl, any, 200, 7));
        assert!(!is_defined(BinOp::Shl, any, 200, 8));
        assert!(!is_defined(BinOp::LShr, any, 1, 255));
        assert!(is_defined(BinOp::Shl, SIGNED, 3, 5));
        assert!(!is_defined(BinOp::Shl, SIGNED, 3, 6));
    }

    #[test]
    fn arithmetic_of_floats_is_any_value_but_their_signs_are_bits() {
        let mut terms = Terms::default();
        let two = terms.constant(32, f32::to_bits(2.0).into());
        assert_eq!(binary(&mut terms, BinOp::FAdd, two, two), None);
        let negative = unary(&mut terms, UnOp::FNeg, two).expect("a sign is a bit");
        assert_eq!(terms.value(negative), Some(f32::to_bits(-2.0).into()));
        let back = binary(&mut terms, BinOp::FCopySign, negative, two).expect("a sign is a bit");
        assert_eq!(back, two);
    }
}
