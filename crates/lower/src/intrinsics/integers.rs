//! Intrinsics about integers.

use bitcode::ValueId;
use ir::{BinOp, CmpOp, Inst, Operand, Type};

use super::arg;
use crate::error::Stop;
use crate::translate::{Lanes, Translator};

/// A number as every lane of the result.
pub(super) fn constant(cx: &mut Translator<'_, '_>, number: i64, results: &[Type]) -> Result<Lanes, Stop> {
    let lane = |&ty: &Type| match ty {
        Type::Int(width) => Ok(cx.signed(width, number)),
        _ => Err(Stop::Operands),
    };
    results.iter().map(lane).collect()
}

/// `objectsize(ptr, min, …)`: without optimization, LLVM knows no more than 0 at least and -1 at most.
pub(super) fn object_size(
    cx: &mut Translator<'_, '_>,
    args: &[ValueId],
    results: &[Type],
) -> Result<Lanes, Stop> {
    let min = cx.scalar(arg(args, 1)?)?;
    let number = if cx.small_constant(min) == Some(0) { -1 } else { 0 };
    constant(cx, number, results)
}

/// `assume(cond)`; that which always holds is there for its bundles.
pub(super) fn assume(cx: &mut Translator<'_, '_>, args: &[ValueId]) -> Result<Lanes, Stop> {
    let cond = cx.scalar(arg(args, 0)?)?;
    if cx.ty(cond) != Type::BOOL {
        return Err(Stop::Operands);
    }
    if cx.small_constant(cond) != Some(1) {
        cx.effect(Inst::Assume { cond });
    }
    Ok(Lanes::new())
}

/// An operation on two arguments, lane by lane.
pub(super) fn binary(cx: &mut Translator<'_, '_>, op: BinOp, args: &[ValueId]) -> Result<Lanes, Stop> {
    let (lhs, rhs) = (cx.lanes(arg(args, 0)?)?, cx.lanes(arg(args, 1)?)?);
    let pairs = cx.pairs(&lhs, &rhs)?;
    check(cx, op, &lhs)?;
    Ok(pairs.into_iter().map(|(lhs, rhs)| cx.binary(op, lhs, rhs)).collect())
}

/// Refuses operands that an operation is not made for.
pub(super) fn check(cx: &Translator<'_, '_>, op: BinOp, lanes: &[Operand]) -> Result<(), Stop> {
    let fits = |ty| match ty {
        Type::Int(_) => !op.is_float(),
        Type::Float(_) => op.is_float(),
        Type::Ptr => false,
    };
    if lanes.iter().all(|it| fits(cx.ty(*it))) { Ok(()) } else { Err(Stop::Operands) }
}

/// `{ a op b, whether it overflows }`; of vectors, first all results, then all tests.
pub(super) fn overflow(
    cx: &mut Translator<'_, '_>,
    op: BinOp,
    test: BinOp,
    args: &[ValueId],
) -> Result<Lanes, Stop> {
    let mut lanes = binary(cx, op, args)?;
    lanes.extend(binary(cx, test, args)?);
    Ok(lanes)
}

/// `fshl(high, low, amount)` and `fshr`.
pub(super) fn funnel(cx: &mut Translator<'_, '_>, left: bool, args: &[ValueId]) -> Result<Lanes, Stop> {
    let (high, low) = (cx.lanes(arg(args, 0)?)?, cx.lanes(arg(args, 1)?)?);
    let amount = cx.lanes(arg(args, 2)?)?;
    cx.pairs(&high, &low)?;
    cx.pairs(&low, &amount)?;
    check(cx, BinOp::Add, &high)?;
    let mut lanes = Lanes::new();
    for ((high, low), amount) in high.into_iter().zip(low).zip(amount) {
        let ty = cx.ty(high);
        lanes.push(cx.emit(Inst::Funnel { left, high, low, amount }, ty));
    }
    Ok(lanes)
}

/// `scmp(a, b) = a < b ? -1 : a > b ? 1 : 0`, and `ucmp`.
pub(super) fn three_way(
    cx: &mut Translator<'_, '_>,
    signed: bool,
    args: &[ValueId],
    results: &[Type],
) -> Result<Lanes, Stop> {
    let (lhs, rhs) = (cx.lanes(arg(args, 0)?)?, cx.lanes(arg(args, 1)?)?);
    let (less, greater) = if signed { (CmpOp::Slt, CmpOp::Sgt) } else { (CmpOp::Ult, CmpOp::Ugt) };
    check(cx, BinOp::Add, &lhs)?;
    let mut lanes = Lanes::new();
    for ((lhs, rhs), &ty) in cx.pairs(&lhs, &rhs)?.into_iter().zip(results) {
        let Type::Int(width) = ty else { return Err(Stop::Operands) };
        let (minus, zero, plus) = (cx.signed(width, -1), cx.int(width, 0), cx.int(width, 1));
        let is_greater = cx.compare(greater, lhs, rhs);
        let upper = cx.select(is_greater, plus, zero);
        let is_less = cx.compare(less, lhs, rhs);
        lanes.push(cx.select(is_less, minus, upper));
    }
    Ok(lanes)
}
