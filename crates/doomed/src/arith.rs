//! Operations of the IR as terms.
//!
//! What C leaves undefined wraps (the design, §4): a doomed point must be doomed whatever the machine does there, so nothing is
//! concluded from `nsw`. Floats are opaque: what is not expressible is none, and any value to the caller.

use ir::{BinOp, CastOp, CmpOp, UnOp};
use term::{TermId, Terms, Width};

pub(crate) fn binary(terms: &mut Terms, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
    Some(match op {
        BinOp::Add => terms.add(a, b),
        BinOp::Sub => terms.sub(a, b),
        BinOp::Mul => terms.mul(a, b),
        BinOp::UDiv => terms.udiv(a, b),
        BinOp::SDiv => terms.sdiv(a, b),
        BinOp::URem => terms.urem(a, b),
        BinOp::SRem => terms.srem(a, b),
        // An oversized distance leaves any value, which machines do not agree on.
        BinOp::Shl | BinOp::LShr | BinOp::AShr => return shift(terms, op, a, b),
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
        BinOp::UAddOverflows => terms.uadd_overflow(a, b),
        BinOp::SAddOverflows => terms.sadd_overflow(a, b),
        BinOp::USubOverflows => terms.usub_overflow(a, b),
        BinOp::SSubOverflows => terms.ssub_overflow(a, b),
        BinOp::UMulOverflows => terms.umul_overflow(a, b),
        BinOp::SMulOverflows => terms.smul_overflow(a, b),
        BinOp::UShlSat
        | BinOp::SShlSat
        | BinOp::FAdd
        | BinOp::FSub
        | BinOp::FMul
        | BinOp::FDiv
        | BinOp::FRem
        | BinOp::FMin
        | BinOp::FMax
        | BinOp::FCopySign => return None,
    })
}

/// Exact where the distance is a constant below the width.
fn shift(terms: &mut Terms, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
    let distance = terms.value(b)?;
    if distance >= u128::from(terms.width(a)) {
        return None;
    }
    Some(match op {
        BinOp::Shl => terms.shl(a, b),
        BinOp::LShr => terms.lshr(a, b),
        _ => terms.ashr(a, b),
    })
}

pub(crate) fn unary(terms: &mut Terms, op: UnOp, a: TermId) -> Option<TermId> {
    Some(match op {
        UnOp::ByteSwap => terms.bswap(a),
        UnOp::BitReverse => terms.bitreverse(a),
        UnOp::PopCount => terms.popcount(a),
        UnOp::LeadingZeros => terms.leading_zeros(a),
        UnOp::TrailingZeros => terms.trailing_zeros(a),
        UnOp::Abs => terms.abs(a),
        _ => return None,
    })
}

pub(crate) fn compare(terms: &mut Terms, op: CmpOp, a: TermId, b: TermId) -> Option<TermId> {
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
pub(crate) fn cast(terms: &mut Terms, op: CastOp, a: TermId, to: Width) -> Option<TermId> {
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
