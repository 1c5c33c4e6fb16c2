//! Conversions between floats and integers and between formats, all through the exact number.

use ir::{FloatKind, Type};
use num_bigint::BigUint;
use num_traits::Zero;

use super::format::{Parts, compose, decompose, infinity, quiet_bit, quiet_nan};
use super::kind_of;
use crate::int::Computed;
use crate::report::EventKind;
use crate::value::Value;
use crate::words::Words;

/// A float as another format, rounded.
pub fn resize(arg: &Value, kind: FloatKind) -> Value {
    let from = kind_of(arg.ty());
    if from == kind {
        return arg.clone();
    }
    if !arg.is_defined() {
        return Value::undefined(Type::Float(kind), 64);
    }
    match (from, kind) {
        (FloatKind::Single, FloatKind::Double) if !arg.as_f32().is_nan() => Value::f64(arg.as_f32().into()),
        (FloatKind::Double, FloatKind::Single) if !arg.as_f64().is_nan() => Value::f32(arg.as_f64() as f32),
        _ => Value::float(kind, converted(from, arg.low128(), kind)),
    }
}

fn converted(from: FloatKind, bits: u128, to: FloatKind) -> u128 {
    match decompose(from, bits) {
        Parts::Infinite { negative } => infinity(to, negative),
        Parts::Nan { negative } => {
            // The payload keeps its place below the quiet bit.
            let payload = bits & (quiet_bit(from) - 1);
            let (have, want) = (quiet_bit(from).trailing_zeros(), quiet_bit(to).trailing_zeros());
            let moved = if want >= have { payload << (want - have) } else { payload >> (have - want) };
            quiet_nan(to, negative) | moved
        }
        Parts::Finite { negative, mantissa, exponent } => {
            compose(to, negative, &mantissa.into(), exponent.into(), false)
        }
    }
}

/// An integer as a float, rounded.
pub fn from_int(arg: &Value, signed: bool, kind: FloatKind) -> Value {
    if !arg.is_defined() {
        return Value::undefined(Type::Float(kind), 64);
    }
    let width = crate::int::int_width(arg.ty());
    if width <= 64 && kind == FloatKind::Double {
        return Value::f64(if signed { arg.as_i64() as f64 } else { arg.low() as f64 });
    }
    if width <= 64 && kind == FloatKind::Single {
        return Value::f32(if signed { arg.as_i64() as f32 } else { arg.low() as f32 });
    }
    let words = arg.words();
    let negative = signed && words.bit(width - 1);
    let magnitude = if negative { words.neg(width) } else { words };
    Value::float(kind, compose(kind, negative, &magnitude.to_big(), 0, false))
}

/// A float as an integer of `width` bits, to zero. If it does not fit: the nearest end of the range when `saturating`,
/// otherwise an arbitrary number and a broken promise.
pub fn to_int(arg: &Value, signed: bool, saturating: bool, width: u32) -> Computed {
    let ty = Type::Int(width);
    if !arg.is_defined() {
        return Value::undefined(ty, 64).into();
    }
    let (least, greatest) = bounds(signed, width);
    let (negative, magnitude) = match decompose(kind_of(arg.ty()), arg.low128()) {
        Parts::Nan { .. } => return unfit(ty, saturating, Words::zero(width), &least),
        Parts::Infinite { negative } => (negative, None),
        Parts::Finite { negative, mantissa, exponent } => (negative, integral(mantissa, exponent, width)),
    };
    let fitting = magnitude.filter(|magnitude| fits(magnitude, negative, signed, width));
    match fitting {
        Some(magnitude) => {
            let words = Words::from_big(width, &magnitude);
            let words = if negative { words.neg(width) } else { words };
            Value::from_words(ty, words, Words::zero(width)).into()
        }
        None => unfit(ty, saturating, if negative { least.clone() } else { greatest }, &least),
    }
}

fn bounds(signed: bool, width: u32) -> (Words, Words) {
    if signed {
        (Words::ones(width).shl(width - 1, width), Words::ones(width).lshr(1))
    } else {
        (Words::zero(width), Words::ones(width))
    }
}

/// The integer part, or none if it has more than `width` bits.
fn integral(mantissa: u128, exponent: i32, width: u32) -> Option<BigUint> {
    let mantissa = BigUint::from(mantissa);
    if exponent <= 0 {
        return Some(mantissa >> exponent.unsigned_abs());
    }
    let bits = mantissa.bits() + u64::from(exponent.unsigned_abs());
    if mantissa.is_zero() {
        return Some(mantissa);
    }
    (bits <= u64::from(width)).then(|| mantissa << exponent.unsigned_abs())
}

fn fits(magnitude: &BigUint, negative: bool, signed: bool, width: u32) -> bool {
    let half = || BigUint::from(1u8) << (width - 1);
    match (signed, negative) {
        (false, true) => magnitude.is_zero(),
        (false, false) => magnitude.bits() <= width.into(),
        (true, true) => *magnitude <= half(),
        (true, false) => *magnitude < half(),
    }
}

fn unfit(ty: Type, saturating: bool, nearest: Words, least: &Words) -> Computed {
    let width = crate::int::int_width(ty);
    let zero = Words::zero(width);
    if saturating {
        return Value::from_words(ty, nearest, zero).into();
    }
    // The "integer indefinite" of x86.
    Computed { value: Value::from_words(ty, least.clone(), zero), violation: Some(EventKind::FloatToInt) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_to_integers_and_back() {
        for value in [0.0, -1.9, 2.5, 1e18, -9.2e18, 255.9, 256.0, -0.5] {
            let signed = to_int(&Value::f64(value), true, false, 64);
            assert_eq!(signed.value, Value::signed(64, (value as i64).into()), "{value}");
            let saturated = to_int(&Value::f64(value), false, true, 8);
            assert_eq!(saturated.value, Value::int(8, (value as u8).into()), "{value}");
        }
        let unfit = to_int(&Value::f64(1e30), true, false, 32);
        assert_eq!(unfit.violation, Some(EventKind::FloatToInt));
        assert_eq!(to_int(&Value::f64(-0.9), false, false, 32).violation, None);
    }

    #[test]
    fn wide_integers_round_once() {
        let number = (1u128 << 100) + 1;
        let value = from_int(&Value::int(128, number), false, FloatKind::Double);
        assert_eq!(value, Value::f64(number as f64));
        let back = to_int(&Value::f64(1e30), true, false, 128);
        assert_eq!(back.value, Value::signed(128, 1e30 as i128));
        let quad = from_int(&Value::signed(128, -(number as i128)), true, FloatKind::Quad);
        assert_eq!(to_int(&quad, true, false, 200).value, Value::signed(200, -(number as i128)));
    }
}
