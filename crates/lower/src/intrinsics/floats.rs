//! Intrinsics about floats. What the IR has no operation for is a call of the C library's function.

use bitcode::{Node, ValueId};
use ir::{BinOp, CastOp, CmpOp, FloatKind, Operand, ReasonKind, Type};

use super::{arg, is_metadata};
use crate::error::Stop;
use crate::translate::{Lanes, Translator};

/// A conversion by LLVM's name.
pub(super) fn cast(
    cx: &mut Translator<'_, '_>,
    op: bitcode::CastOp,
    args: &[ValueId],
    results: &[Type],
) -> Result<Lanes, Stop> {
    let op = match op {
        bitcode::CastOp::FpToSi => CastOp::FToS,
        bitcode::CastOp::FpToUi => CastOp::FToU,
        bitcode::CastOp::SiToFp => CastOp::SToF,
        bitcode::CastOp::UiToFp => CastOp::UToF,
        _ => CastOp::FToF,
    };
    saturate(cx, op, args, results)
}

/// A conversion from or to floats.
pub(super) fn saturate(
    cx: &mut Translator<'_, '_>,
    op: CastOp,
    args: &[ValueId],
    results: &[Type],
) -> Result<Lanes, Stop> {
    let lanes = cx.lanes(arg(args, 0)?)?;
    let from_int = matches!(op, CastOp::SToF | CastOp::UToF);
    let to_float = from_int || op == CastOp::FToF;
    let fits = |from: Type, to: Type| {
        matches!(from, Type::Int(_)) == from_int
            && matches!(to, Type::Float(_)) == to_float
            && from != Type::Ptr
            && to != Type::Ptr
    };
    if lanes.len() != results.len() || lanes.iter().zip(results).any(|(arg, to)| !fits(cx.ty(*arg), *to)) {
        return Err(Stop::Operands);
    }
    Ok(lanes.into_iter().zip(results).map(|(arg, &to)| cx.cast(op, arg, to)).collect())
}

/// `experimental.constrained.fcmp(a, b, metadata !"oeq", …)`.
pub(super) fn compare(cx: &mut Translator<'_, '_>, call: &bitcode::Call) -> Result<Lanes, Stop> {
    let (lhs, rhs) = (cx.lanes(arg(&call.args, 0)?)?, cx.lanes(arg(&call.args, 1)?)?);
    let predicate = match call.metadata_arg(2).and_then(|it| cx.env.module.node(Some(cx.source), it)) {
        Some(Node::String(text)) => &**text,
        _ => return Err(Stop::Operands),
    };
    let op = match predicate {
        "oeq" => CmpOp::FOeq,
        "ogt" => CmpOp::FOgt,
        "oge" => CmpOp::FOge,
        "olt" => CmpOp::FOlt,
        "ole" => CmpOp::FOle,
        "one" => CmpOp::FOne,
        "ord" => CmpOp::FOrd,
        "uno" => CmpOp::FUno,
        "ueq" => CmpOp::FUeq,
        "ugt" => CmpOp::FUgt,
        "uge" => CmpOp::FUge,
        "ult" => CmpOp::FUlt,
        "ule" => CmpOp::FUle,
        "une" => CmpOp::FUne,
        _ => return Err(Stop::Operands),
    };
    floats_only(cx, &lhs)?;
    Ok(cx.pairs(&lhs, &rhs)?.into_iter().map(|(lhs, rhs)| cx.compare(op, lhs, rhs)).collect())
}

/// A function of `math.h` for each lane, with the suffix of the first argument's format. A `_Float16` is computed as a float.
pub(super) fn libm(
    cx: &mut Translator<'_, '_>,
    name: &str,
    call: &bitcode::Call,
    results: &[Type],
) -> Result<Lanes, Stop> {
    let params = cx.env.params(call.function_type);
    let mut args = Vec::new();
    for (&value, &param) in call.args.iter().zip(params) {
        if !is_metadata(cx, param) {
            args.push(cx.lanes(value)?);
        }
    }
    let mut lanes = Lanes::new();
    for (position, &result) in results.iter().enumerate() {
        let lane = |it: &Lanes| if it.len() == 1 { it.first() } else { it.get(position) }.copied();
        let scalars = args.iter().map(lane).collect::<Option<Vec<_>>>().ok_or(Stop::Operands)?;
        lanes.push(libm_lane(cx, name, &scalars, result)?);
    }
    Ok(lanes)
}

fn libm_lane(
    cx: &mut Translator<'_, '_>,
    name: &str,
    args: &[Operand],
    result: Type,
) -> Result<Operand, Stop> {
    let Some(Type::Float(kind)) = args.first().map(|it| cx.ty(*it)) else { return Err(Stop::Operands) };
    if matches!(kind, FloatKind::Half | FloatKind::BFloat) {
        let single = Type::Float(FloatKind::Single);
        let widened: Vec<_> = args.iter().map(|&it| widen(cx, it, single)).collect();
        let inner = if result == Type::Float(kind) { single } else { result };
        let wide = cx.library_call(&format!("{name}f"), &widened, inner);
        return Ok(cx.cast(CastOp::FToF, wide, result));
    }
    let name = format!("{name}{}", suffix(cx, kind));
    Ok(cx.library_call(&name, args, result))
}

fn widen(cx: &mut Translator<'_, '_>, arg: Operand, to: Type) -> Operand {
    if matches!(cx.ty(arg), Type::Float(_)) { cx.cast(CastOp::FToF, arg, to) } else { arg }
}

/// What the C library appends to the names of functions for a format.
fn suffix(cx: &Translator<'_, '_>, kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half | FloatKind::BFloat | FloatKind::Single => "f",
        FloatKind::Double => "",
        FloatKind::X87 | FloatKind::DoubleDouble => "l",
        // `long double` of most machines, but not of x86, where it is `__float128`.
        FloatKind::Quad if cx.env.module.triple.starts_with("x86_64") => "f128",
        FloatKind::Quad => "l",
    }
}

/// `powi(x, n)`: the compiler's runtime library has a function for each format.
pub(super) fn power_int(
    cx: &mut Translator<'_, '_>,
    args: &[ValueId],
    results: &[Type],
) -> Result<Lanes, Stop> {
    let (bases, exponent) = (cx.lanes(arg(args, 0)?)?, cx.scalar(arg(args, 1)?)?);
    let mut lanes = Lanes::new();
    for (base, &result) in bases.into_iter().zip(results) {
        let name = match cx.ty(base) {
            Type::Float(FloatKind::Single) => "__powisf2",
            Type::Float(FloatKind::Double) => "__powidf2",
            Type::Float(FloatKind::X87) => "__powixf2",
            Type::Float(FloatKind::Quad) => "__powitf2",
            _ => return cx.unmodeled(ReasonKind::Intrinsic, "powi"),
        };
        lanes.push(cx.library_call(name, &[base, exponent], result));
    }
    Ok(lanes)
}

/// `fmuladd(a, b, c) = a * b + c`, rounded twice, as machines without a fused operation do.
pub(super) fn mul_add(cx: &mut Translator<'_, '_>, args: &[ValueId]) -> Result<Lanes, Stop> {
    let (a, b) = (cx.lanes(arg(args, 0)?)?, cx.lanes(arg(args, 1)?)?);
    let c = cx.lanes(arg(args, 2)?)?;
    floats_only(cx, &a)?;
    cx.pairs(&b, &c)?;
    let mut lanes = Lanes::new();
    for ((a, b), c) in cx.pairs(&a, &b)?.into_iter().zip(c) {
        let product = cx.binary(BinOp::FMul, a, b);
        lanes.push(cx.binary(BinOp::FAdd, product, c));
    }
    Ok(lanes)
}

/// `minimum` and `maximum`: NaN if one is NaN, and -0 is less than 0.
pub(super) fn extremum(cx: &mut Translator<'_, '_>, args: &[ValueId], max: bool) -> Result<Lanes, Stop> {
    let (lhs, rhs) = (cx.lanes(arg(args, 0)?)?, cx.lanes(arg(args, 1)?)?);
    floats_only(cx, &lhs)?;
    let (wins, loses) = if max { (CmpOp::FOgt, CmpOp::FOlt) } else { (CmpOp::FOlt, CmpOp::FOgt) };
    let mut lanes = Lanes::new();
    for (a, b) in cx.pairs(&lhs, &rhs)? {
        let Type::Float(kind) = cx.ty(a) else { return Err(Stop::Operands) };
        // Equal numbers differ at most in the sign of zero.
        let bits = cx.cast(CastOp::Bits, a, Type::Int(kind.bits()));
        let zero = cx.int(kind.bits(), 0);
        let negative = cx.compare(CmpOp::Slt, bits, zero);
        let equal = if max { cx.select(negative, b, a) } else { cx.select(negative, a, b) };
        let b_wins = cx.compare(loses, a, b);
        let rest = cx.select(b_wins, b, equal);
        let a_wins = cx.compare(wins, a, b);
        let number = cx.select(a_wins, a, rest);
        let nan = cx.compare(CmpOp::FUno, a, b);
        let sum = cx.binary(BinOp::FAdd, a, b);
        lanes.push(cx.select(nan, sum, number));
    }
    Ok(lanes)
}

/// `convert.to.fp16(x)`: the bits of the `_Float16`.
pub(super) fn to_half(cx: &mut Translator<'_, '_>, args: &[ValueId]) -> Result<Lanes, Stop> {
    let lanes = cx.lanes(arg(args, 0)?)?;
    floats_only(cx, &lanes)?;
    let convert = |lane| {
        let half = cx.cast(CastOp::FToF, lane, Type::Float(FloatKind::Half));
        cx.cast(CastOp::Bits, half, Type::Int(16))
    };
    Ok(lanes.into_iter().map(convert).collect())
}

/// `convert.from.fp16(bits)`.
pub(super) fn from_half(
    cx: &mut Translator<'_, '_>,
    args: &[ValueId],
    results: &[Type],
) -> Result<Lanes, Stop> {
    let lanes = cx.lanes(arg(args, 0)?)?;
    if lanes.iter().any(|it| cx.ty(*it) != Type::Int(16)) {
        return Err(Stop::Operands);
    }
    let convert = |(lane, &to): (Operand, &Type)| {
        let half = cx.cast(CastOp::Bits, lane, Type::Float(FloatKind::Half));
        cx.cast(CastOp::FToF, half, to)
    };
    Ok(lanes.into_iter().zip(results).map(convert).collect())
}

fn floats_only(cx: &Translator<'_, '_>, lanes: &[Operand]) -> Result<(), Stop> {
    let all = lanes.iter().all(|it| matches!(cx.ty(*it), Type::Float(_)));
    if all { Ok(()) } else { Err(Stop::Operands) }
}
