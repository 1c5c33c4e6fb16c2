//! Floating-point operations: `float` and `double` by the machine, all other formats in software.
//!
//! Rounding is to nearest, ties to even. Any undefined operand bit makes the whole result undefined, except
//! where only the sign is touched. A new NaN is negative and quiet, as x86 makes it, so that `printf` shows
//! `-nan` where the machine does.
//! Source: IEEE 754-2019; Intel, *Software Developer's Manual*, vol. 1, §4.8.3.
//! Not covered: pairs of doubles (PowerPC's `long double`), rounding modes, exception flags.

mod convert;
pub mod format;
mod soft;

use ir::{BinOp, CmpOp, FloatKind, Type, UnOp};

use crate::value::Value;

pub use convert::{from_int, resize, to_int};

/// Whether values of this format can be computed with.
pub fn is_supported(kind: FloatKind) -> bool {
    kind != FloatKind::DoubleDouble
}

/// `lhs op rhs` on floats of one format.
pub fn binary(op: BinOp, lhs: &Value, rhs: &Value) -> Value {
    let kind = kind_of(lhs.ty());
    if op == BinOp::FCopySign {
        return copy_sign(kind, lhs, rhs);
    }
    if !lhs.is_defined() || !rhs.is_defined() {
        return Value::undefined(lhs.ty(), 64);
    }
    match kind {
        FloatKind::Double => {
            Value::f64(quieted(lhs.as_f64(), rhs.as_f64(), double(op, lhs.as_f64(), rhs.as_f64())))
        }
        FloatKind::Single => {
            let (a, b) = (lhs.as_f32(), rhs.as_f32());
            let result = single(op, a, b);
            if result.is_nan() { single_nan(a, b) } else { Value::f32(result) }
        }
        _ => Value::float(kind, soft::binary(op, kind, lhs.low128(), rhs.low128())),
    }
}

/// `op arg` on a float.
pub fn unary(op: UnOp, arg: &Value) -> Value {
    let kind = kind_of(arg.ty());
    match op {
        UnOp::FNeg => with_sign(kind, arg, |sign, bits| bits ^ sign, false),
        UnOp::FAbs => with_sign(kind, arg, |sign, bits| bits & !sign, true),
        _ if !arg.is_defined() => Value::undefined(arg.ty(), 64),
        _ => match kind {
            FloatKind::Double => Value::f64(quieted(arg.as_f64(), 0.0, double_unary(op, arg.as_f64()))),
            FloatKind::Single => {
                let result = single_unary(op, arg.as_f32());
                if result.is_nan() { single_nan(arg.as_f32(), 0.0) } else { Value::f32(result) }
            }
            _ => Value::float(kind, soft::unary(op, kind, arg.low128())),
        },
    }
}

/// `lhs op rhs` as an `i1`.
pub fn compare(op: CmpOp, lhs: &Value, rhs: &Value) -> Value {
    use std::cmp::Ordering::{Equal, Greater, Less};
    if matches!(op, CmpOp::FFalse | CmpOp::FTrue) {
        return Value::bool(op == CmpOp::FTrue);
    }
    if !lhs.is_defined() || !rhs.is_defined() {
        return Value::undefined(Type::BOOL, 64);
    }
    let order = match kind_of(lhs.ty()) {
        FloatKind::Double => lhs.as_f64().partial_cmp(&rhs.as_f64()),
        FloatKind::Single => lhs.as_f32().partial_cmp(&rhs.as_f32()),
        kind => soft::compare(kind, lhs.low128(), rhs.low128()),
    };
    Value::bool(match op {
        CmpOp::FOeq => order == Some(Equal),
        CmpOp::FOgt => order == Some(Greater),
        CmpOp::FOge => matches!(order, Some(Greater | Equal)),
        CmpOp::FOlt => order == Some(Less),
        CmpOp::FOle => matches!(order, Some(Less | Equal)),
        CmpOp::FOne => matches!(order, Some(Less | Greater)),
        CmpOp::FOrd => order.is_some(),
        CmpOp::FUno => order.is_none(),
        CmpOp::FUeq => matches!(order, None | Some(Equal)),
        CmpOp::FUgt => matches!(order, None | Some(Greater)),
        CmpOp::FUge => order != Some(Less),
        CmpOp::FUlt => matches!(order, None | Some(Less)),
        CmpOp::FUle => order != Some(Greater),
        _ => order != Some(Equal),
    })
}

/// `value · 2^exponent`, rounded once.
pub(crate) fn scale(value: &Value, exponent: i64) -> Value {
    let kind = kind_of(value.ty());
    match format::decompose(kind, value.low128()) {
        format::Parts::Finite { negative, mantissa, exponent: own } => {
            let exponent = (i64::from(own) + exponent).clamp(-100_000, 100_000);
            Value::float(kind, format::compose(kind, negative, &mantissa.into(), exponent, false))
        }
        _ => value.clone(),
    }
}

/// The power of two of the leading bit; none for zero, infinity and NaN.
pub(crate) fn exponent(value: &Value) -> Option<i32> {
    match format::decompose(kind_of(value.ty()), value.low128()) {
        format::Parts::Finite { mantissa, exponent, .. } if mantissa != 0 => {
            Some(exponent + 127 - mantissa.leading_zeros() as i32)
        }
        _ => None,
    }
}

pub(crate) fn is_nan(value: &Value) -> bool {
    matches!(format::decompose(kind_of(value.ty()), value.low128()), format::Parts::Nan { .. })
}

pub(crate) fn is_infinite(value: &Value) -> bool {
    matches!(format::decompose(kind_of(value.ty()), value.low128()), format::Parts::Infinite { .. })
}

pub(crate) fn is_negative(value: &Value) -> bool {
    value.low128() & format::sign_bit(kind_of(value.ty())) != 0
}

/// Whether the number is not zero but has fewer significant bits than the format.
pub(crate) fn is_subnormal(value: &Value) -> bool {
    let kind = kind_of(value.ty());
    match format::decompose(kind, value.low128()) {
        format::Parts::Finite { mantissa, .. } => {
            mantissa != 0 && 128 - mantissa.leading_zeros() < format::precision(kind)
        }
        _ => false,
    }
}

pub(crate) fn kind_of(ty: Type) -> FloatKind {
    match ty {
        Type::Float(kind) => kind,
        // Verified code has floats here.
        _ => FloatKind::Double,
    }
}

fn double(op: BinOp, a: f64, b: f64) -> f64 {
    match op {
        BinOp::FAdd => a + b,
        BinOp::FSub => a - b,
        BinOp::FMul => a * b,
        BinOp::FDiv => a / b,
        BinOp::FRem => a % b,
        BinOp::FMin => a.min(b),
        _ => a.max(b),
    }
}

fn single(op: BinOp, a: f32, b: f32) -> f32 {
    match op {
        BinOp::FAdd => a + b,
        BinOp::FSub => a - b,
        BinOp::FMul => a * b,
        BinOp::FDiv => a / b,
        BinOp::FRem => a % b,
        BinOp::FMin => a.min(b),
        _ => a.max(b),
    }
}

fn double_unary(op: UnOp, a: f64) -> f64 {
    match op {
        UnOp::FSqrt => a.sqrt(),
        UnOp::FFloor => a.floor(),
        UnOp::FCeil => a.ceil(),
        UnOp::FTrunc => a.trunc(),
        UnOp::FRound => a.round(),
        _ => a.round_ties_even(),
    }
}

fn single_unary(op: UnOp, a: f32) -> f32 {
    match op {
        UnOp::FSqrt => a.sqrt(),
        UnOp::FFloor => a.floor(),
        UnOp::FCeil => a.ceil(),
        UnOp::FTrunc => a.trunc(),
        UnOp::FRound => a.round(),
        _ => a.round_ties_even(),
    }
}

/// The result, or if it is a NaN: the first operand that is one, made quiet, or the default one.
fn quieted(a: f64, b: f64, result: f64) -> f64 {
    const QUIET: u64 = 1 << 51;
    match (result.is_nan(), a.is_nan(), b.is_nan()) {
        (false, ..) => result,
        (true, true, _) => f64::from_bits(a.to_bits() | QUIET),
        (true, false, true) => f64::from_bits(b.to_bits() | QUIET),
        (true, false, false) => f64::from_bits(0xfff8 << 48),
    }
}

fn single_nan(a: f32, b: f32) -> Value {
    const QUIET: u32 = 1 << 22;
    let bits = match (a.is_nan(), b.is_nan()) {
        (true, _) => a.to_bits() | QUIET,
        (false, true) => b.to_bits() | QUIET,
        (false, false) => 0xffc0 << 16,
    };
    Value::narrow(Type::Float(FloatKind::Single), bits.into(), 0, None)
}

/// The float with another sign; the mask stays, but a sign that is set to a constant is defined.
fn with_sign(kind: FloatKind, arg: &Value, change: impl Fn(u128, u128) -> u128, defines: bool) -> Value {
    let sign = format::sign_bit(kind);
    let undef = arg.undef_words().low128();
    let undef = if defines { undef & !sign } else { undef };
    masked(kind, change(sign, arg.low128()), undef)
}

fn copy_sign(kind: FloatKind, lhs: &Value, rhs: &Value) -> Value {
    let sign = format::sign_bit(kind);
    let join = |a: u128, b: u128| a & !sign | b & sign;
    masked(
        kind,
        join(lhs.low128(), rhs.low128()),
        join(lhs.undef_words().low128(), rhs.undef_words().low128()),
    )
}

fn masked(kind: FloatKind, bits: u128, undef: u128) -> Value {
    use crate::words::Words;
    let width = kind.bits();
    Value::from_words(Type::Float(kind), Words::from_u128(width, bits), Words::from_u128(width, undef))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x87(value: f64) -> Value {
        resize(&Value::f64(value), FloatKind::X87)
    }

    #[test]
    fn a_new_nan_is_negative_and_an_old_one_stays() {
        let nan = binary(BinOp::FDiv, &Value::f64(0.0), &Value::f64(0.0));
        assert_eq!(nan.low(), 0xfff8 << 48);
        let positive = Value::narrow(Type::Float(FloatKind::Double), 0x7ff8_0000_0000_0007, 0, None);
        assert_eq!(binary(BinOp::FAdd, &Value::f64(1.0), &positive), positive);
        assert_eq!(unary(UnOp::FSqrt, &x87(-1.0)).low128(), format::quiet_nan(FloatKind::X87, true));
    }

    #[test]
    fn long_doubles_have_64_significant_bits() {
        let tiny = binary(BinOp::FDiv, &x87(1.0), &x87((1u64 << 62) as f64));
        let sum = binary(BinOp::FAdd, &x87(1.0), &tiny);
        assert_ne!(sum, x87(1.0), "1 + 2^-62 should differ from 1 in the x87 format");
        assert_eq!(resize(&sum, FloatKind::Double), Value::f64(1.0));
        let root = unary(UnOp::FSqrt, &x87(2.0));
        assert_eq!(root.low128(), 0x3fff_b504_f333_f9de_6484);
    }

    #[test]
    fn comparisons_with_nan_are_unordered() {
        let nan = Value::f64(f64::NAN);
        for (op, expected) in
            [(CmpOp::FOeq, false), (CmpOp::FUne, true), (CmpOp::FUno, true), (CmpOp::FOlt, false)]
        {
            assert_eq!(compare(op, &nan, &Value::f64(1.0)), Value::bool(expected), "{op:?}");
        }
        assert_eq!(compare(CmpOp::FOgt, &x87(2.0), &x87(1.5)), Value::bool(true));
    }

    #[test]
    fn only_the_sign_is_defined_by_fabs() {
        let half_known = Value::narrow(Type::Float(FloatKind::Single), 0, 0x8000_00ff, None);
        assert_eq!(unary(UnOp::FAbs, &half_known).as_narrow().map(|it| it.undef), Some(0xff));
        assert!(!binary(BinOp::FAdd, &half_known, &Value::f32(1.0)).is_defined());
    }

    #[test]
    fn rounding_of_halves() {
        for (op, expected) in
            [(UnOp::FRound, 3.0), (UnOp::FRoundEven, 2.0), (UnOp::FTrunc, 2.0), (UnOp::FCeil, 3.0)]
        {
            assert_eq!(unary(op, &Value::f64(2.5)), Value::f64(expected), "{op:?}");
            assert_eq!(unary(op, &x87(2.5)), x87(expected), "{op:?}");
        }
    }
}
