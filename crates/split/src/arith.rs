//! Operations on integers, pointers and floats as terms.
//!
//! What C leaves undefined (`nsw`, `nuw`, `exact`, distances of shifts) comes along as conditions that must hold: a finding never rests on a path on which they do not.
//! Floats are opaque: an operation on them is a fresh value, except for negation, absolute value, copies of signs and conversions of bits.

use ir::{ArithFlags, BinOp, CastOp, CmpOp, UnOp};
use smallvec::SmallVec;
use term::{TermId, Terms, Width};

/// A value, with what must hold for it to be defined.
pub(crate) struct Computed {
    /// None: not expressible, so any value.
    pub(crate) value: Option<TermId>,
    pub(crate) defined: SmallVec<[TermId; 2]>,
}

impl Computed {
    fn known(value: TermId) -> Computed {
        Computed { value: Some(value), defined: SmallVec::new() }
    }

    fn any() -> Computed {
        Computed { value: None, defined: SmallVec::new() }
    }

    fn if_not(mut self, terms: &mut Terms, undefined: TermId) -> Computed {
        let defined = terms.not(undefined);
        if terms.value(defined) != Some(1) {
            self.defined.push(defined);
        }
        self
    }
}

pub(crate) fn binary(terms: &mut Terms, op: BinOp, flags: ArithFlags, a: TermId, b: TermId) -> Computed {
    let value = match op {
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
            return Computed::any();
        }
    };
    restrict(terms, op, flags, (a, b), Computed::known(value))
}

/// Adds what must hold of the operands.
fn restrict(
    terms: &mut Terms,
    op: BinOp,
    flags: ArithFlags,
    (a, b): (TermId, TermId),
    result: Computed,
) -> Computed {
    let mut undefined: SmallVec<[TermId; 2]> = SmallVec::new();
    match op {
        BinOp::Add if flags.nsw => undefined.push(terms.sadd_overflow(a, b)),
        BinOp::Sub if flags.nsw => undefined.push(terms.ssub_overflow(a, b)),
        BinOp::Mul if flags.nsw => undefined.push(terms.smul_overflow(a, b)),
        BinOp::SDiv | BinOp::SRem => undefined.push(quotient_overflows(terms, a, b)),
        BinOp::Shl | BinOp::LShr | BinOp::AShr => {
            let width = terms.constant(terms.width(b), terms.width(a).into());
            undefined.push(terms.uge(b, width));
            if op == BinOp::Shl && flags.nsw {
                undefined.push(shifted_out(terms, a, b));
            }
        }
        _ => {}
    }
    match op {
        BinOp::Add if flags.nuw => undefined.push(terms.uadd_overflow(a, b)),
        BinOp::Sub if flags.nuw => undefined.push(terms.usub_overflow(a, b)),
        BinOp::Mul if flags.nuw => undefined.push(terms.umul_overflow(a, b)),
        _ => {}
    }
    undefined.into_iter().fold(result, |result, undefined| result.if_not(terms, undefined))
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

pub(crate) fn unary(terms: &mut Terms, op: UnOp, a: TermId) -> Computed {
    let width = terms.width(a);
    let sign = 1_u128 << (width - 1);
    Computed::known(match op {
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
            return Computed::any();
        }
    })
}

pub(crate) fn compare(terms: &mut Terms, op: CmpOp, a: TermId, b: TermId) -> Computed {
    Computed::known(match op {
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
        _ => return Computed::any(),
    })
}

/// A conversion to a type of `to` bits.
pub(crate) fn cast(terms: &mut Terms, op: CastOp, a: TermId, to: Width) -> Computed {
    let from = terms.width(a);
    Computed::known(match op {
        CastOp::Trunc => terms.trunc(a, to),
        CastOp::ZExt => terms.zext(a, to),
        CastOp::SExt => terms.sext(a, to),
        CastOp::PtrToInt | CastOp::IntToPtr if to <= from => terms.trunc(a, to),
        CastOp::PtrToInt | CastOp::IntToPtr => terms.zext(a, to),
        CastOp::Bits if from == to => a,
        _ => return Computed::any(),
    })
}

pub(crate) fn funnel(terms: &mut Terms, left: bool, high: TermId, low: TermId, amount: TermId) -> TermId {
    if left { terms.fshl(high, low, amount) } else { terms.fshr(high, low, amount) }
}
