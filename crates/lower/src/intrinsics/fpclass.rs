//! `is.fpclass`: whether a float is of one of the classes in a mask.
//!
//! With `m = |bits|`, the classes are intervals of `m`, for each sign:
//! `zero = 0 < subnormal < least normal ≤ normal < infinity < signaling NaN < quiet bit ≤ quiet NaN`.
//! Departure: encodings of x87 that no processor makes (a leading bit that contradicts the exponent) fall
//! into whatever interval they fall.

use bitcode::ValueId;
use ir::{BinOp, CastOp, CmpOp, FloatKind, Operand, Type};

use super::arg;
use crate::error::Stop;
use crate::translate::{Lanes, Translator};

/// The ends of the intervals.
struct Format {
    width: u32,
    least_normal: u128,
    infinity: u128,
    quiet: u128,
}

impl Format {
    fn of(kind: FloatKind) -> Option<Format> {
        let (width, fraction, explicit) = match kind {
            FloatKind::Half => (16, 10, 0),
            FloatKind::BFloat => (16, 7, 0),
            FloatKind::Single => (32, 23, 0),
            FloatKind::Double => (64, 52, 0),
            FloatKind::Quad => (128, 112, 0),
            // The leading one is stored, above the 63 bits of the fraction.
            FloatKind::X87 => (80, 64, 1u128 << 63),
            FloatKind::DoubleDouble => return None,
        };
        let exponents = (1u128 << (width - 1 - fraction)) - 1;
        let quiet_bit = if explicit == 0 { 1 << (fraction - 1) } else { 1u128 << 62 };
        let infinity = exponents << fraction | explicit;
        Some(Format { width, least_normal: 1 << fraction | explicit, infinity, quiet: infinity | quiet_bit })
    }
}

/// `is.fpclass(x, mask)`.
pub(super) fn test(cx: &mut Translator<'_, '_>, args: &[ValueId]) -> Result<Lanes, Stop> {
    let lanes = cx.lanes(arg(args, 0)?)?;
    let mask = cx.scalar(arg(args, 1)?)?;
    let mask = cx.small_constant(mask).ok_or(Stop::Operands)?;
    lanes.into_iter().map(|lane| test_lane(cx, lane, mask)).collect()
}

fn test_lane(cx: &mut Translator<'_, '_>, lane: Operand, mask: usize) -> Result<Operand, Stop> {
    let Type::Float(kind) = cx.ty(lane) else { return Err(Stop::Operands) };
    let Some(format) = Format::of(kind) else {
        return cx.unmodeled(ir::ReasonKind::Intrinsic, "is.fpclass of a double double");
    };
    let width = format.width;
    let bits = cx.cast(CastOp::Bits, lane, Type::Int(width));
    let sign = 1u128 << (width - 1);
    let no_sign = cx.int(width, !sign);
    let magnitude = cx.binary(BinOp::And, bits, no_sign);
    let (normal, infinity, quiet) = (format.least_normal, format.infinity, format.quiet);
    // From and to of each interval, its bits in the mask for negative and positive numbers.
    let classes = [
        (0, 1, 0x020, 0x040),
        (1, normal, 0x010, 0x080),
        (normal, infinity, 0x008, 0x100),
        (infinity, infinity + 1, 0x004, 0x200),
        (infinity + 1, quiet, 0x001, 0x001),
        (quiet, sign, 0x002, 0x002),
    ];
    let mut result = None;
    for (from, to, minus, plus) in classes {
        let (minus, plus) = (mask & minus != 0, mask & plus != 0);
        if !minus && !plus {
            continue;
        }
        let mut inside = between(cx, magnitude, width, from, to);
        if minus != plus {
            let zero = cx.int(width, 0);
            let right_sign = cx.compare(if minus { CmpOp::Slt } else { CmpOp::Sge }, bits, zero);
            inside = cx.binary(BinOp::And, inside, right_sign);
        }
        result = Some(match result {
            Some(sum) => cx.binary(BinOp::Or, sum, inside),
            None => inside,
        });
    }
    Ok(result.unwrap_or_else(|| cx.int(1, 0)))
}

/// `from <= x < to`, as `x - from < to - from`.
fn between(cx: &mut Translator<'_, '_>, x: Operand, width: u32, from: u128, to: u128) -> Operand {
    let (start, len) = (cx.int(width, from), cx.int(width, to - from));
    let distance = cx.binary(BinOp::Sub, x, start);
    cx.compare(CmpOp::Ult, distance, len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_their_ends() {
        let double = Format::of(FloatKind::Double).expect("IEEE");
        assert_eq!(double.infinity, u128::from(f64::INFINITY.to_bits()));
        assert_eq!(double.least_normal, u128::from(f64::MIN_POSITIVE.to_bits()));
        assert_eq!(double.quiet, u128::from(0x7ff8_0000_0000_0000u64));
        let x87 = Format::of(FloatKind::X87).expect("x87");
        assert_eq!(x87.infinity, 0x7fff_8000_0000_0000_0000);
        assert_eq!(x87.least_normal, 0x0001_8000_0000_0000_0000);
    }
}
