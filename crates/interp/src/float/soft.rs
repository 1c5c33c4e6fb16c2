//! Formats that the machine does not compute with: half, bfloat, x87 and quad, by their bits.

use std::cmp::Ordering;

use ir::{BinOp, FloatKind, UnOp};
use num_bigint::BigUint;
use rustc_apfloat::ieee::{BFloat, Half, Quad, X87DoubleExtended};
use rustc_apfloat::{Float, Round};

use super::format::{Parts, compose, decompose, quiet_bit, quiet_nan};

/// Calls a generic function with the software type of a format.
macro_rules! with_format {
    ($kind:expr, $function:ident($($arg:expr),*)) => {
        match $kind {
            FloatKind::Half => $function::<Half>($($arg),*),
            FloatKind::BFloat => $function::<BFloat>($($arg),*),
            FloatKind::X87 => $function::<X87DoubleExtended>($($arg),*),
            _ => $function::<Quad>($($arg),*),
        }
    };
}

/// `a op b` in a format.
pub(super) fn binary(op: BinOp, kind: FloatKind, a: u128, b: u128) -> u128 {
    let result = with_format!(kind, binary_in(op, a, b));
    if is_nan(kind, result) { nan_of(kind, a, b) } else { result }
}

/// `op a` in a format.
pub(super) fn unary(op: UnOp, kind: FloatKind, a: u128) -> u128 {
    let result = if op == UnOp::FSqrt { sqrt(kind, a) } else { with_format!(kind, unary_in(op, a)) };
    if is_nan(kind, result) { nan_of(kind, a, 0) } else { result }
}

/// The order of two numbers; none if one is a NaN.
pub(super) fn compare(kind: FloatKind, a: u128, b: u128) -> Option<Ordering> {
    with_format!(kind, compare_in(a, b))
}

fn binary_in<F: Float>(op: BinOp, a: u128, b: u128) -> u128 {
    let (a, b) = (F::from_bits(a), F::from_bits(b));
    let result = match op {
        BinOp::FAdd => (a + b).value,
        BinOp::FSub => (a - b).value,
        BinOp::FMul => (a * b).value,
        BinOp::FDiv => (a / b).value,
        BinOp::FRem => a.c_fmod(b).value,
        BinOp::FMin => a.min(b),
        _ => a.max(b),
    };
    result.to_bits()
}

fn unary_in<F: Float>(op: UnOp, a: u128) -> u128 {
    let round = match op {
        UnOp::FFloor => Round::TowardNegative,
        UnOp::FCeil => Round::TowardPositive,
        UnOp::FTrunc => Round::TowardZero,
        UnOp::FRound => Round::NearestTiesToAway,
        _ => Round::NearestTiesToEven,
    };
    F::from_bits(a).round_to_integral(round).value.to_bits()
}

fn compare_in<F: Float>(a: u128, b: u128) -> Option<Ordering> {
    F::from_bits(a).partial_cmp(&F::from_bits(b))
}

/// The square root: of a mantissa with enough bits that its integer root has more than the format, rounded once.
fn sqrt(kind: FloatKind, a: u128) -> u128 {
    let Parts::Finite { negative, mantissa, exponent } = decompose(kind, a) else {
        return match decompose(kind, a) {
            Parts::Infinite { negative: false } => a,
            _ => quiet_nan(kind, true),
        };
    };
    if mantissa == 0 {
        return a;
    }
    if negative {
        return quiet_nan(kind, true);
    }
    // 2·128 extra bits give a root of at least 128 bits; the exponent must be even to be halved.
    let odd = exponent.rem_euclid(2);
    let scaled = BigUint::from(mantissa) << (256 + odd) as u32;
    let root = scaled.sqrt();
    let sticky = &root * &root != scaled;
    compose(kind, false, &root, i64::from((exponent - odd) / 2) - 128, sticky)
}

fn is_nan(kind: FloatKind, bits: u128) -> bool {
    matches!(decompose(kind, bits), Parts::Nan { .. })
}

fn nan_of(kind: FloatKind, a: u128, b: u128) -> u128 {
    match (is_nan(kind, a), is_nan(kind, b)) {
        (true, _) => a | quiet_bit(kind),
        (false, true) => b | quiet_bit(kind),
        (false, false) => quiet_nan(kind, true),
    }
}
