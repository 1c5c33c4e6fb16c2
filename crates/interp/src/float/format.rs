//! The binary formats: taking floats apart into exact numbers, and rounding exact numbers to floats.
//!
//! Source: IEEE 754-2019 §3.4 and §4.3.1 (round to nearest, ties to even); the 80-bit format of the x87
//! stores its integer bit.

use ir::FloatKind;
use num_bigint::BigUint;
use num_traits::Zero;

/// A float taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Parts {
    /// Not a number; the rest are the payload bits.
    Nan {
        /// Whether the sign bit is set.
        negative: bool,
    },
    /// Infinity.
    Infinite {
        /// Whether it is minus infinity.
        negative: bool,
    },
    /// The number `± mantissa · 2^exponent`; zero has mantissa 0.
    Finite {
        /// Whether the sign bit is set.
        negative: bool,
        /// The significant bits as an integer.
        mantissa: u128,
        /// The power of two of its lowest bit.
        exponent: i32,
    },
}

/// The layout of a format.
struct Format {
    exponent_bits: u32,
    /// The stored bits of the significand.
    fraction_bits: u32,
    /// Whether the leading one is stored, too.
    explicit_one: bool,
}

fn format_of(kind: FloatKind) -> Format {
    let (exponent_bits, fraction_bits, explicit_one) = match kind {
        FloatKind::Half => (5, 10, false),
        FloatKind::BFloat => (8, 7, false),
        FloatKind::Single => (8, 23, false),
        FloatKind::Double => (11, 52, false),
        FloatKind::X87 => (15, 64, true),
        FloatKind::Quad | FloatKind::DoubleDouble => (15, 112, false),
    };
    Format { exponent_bits, fraction_bits, explicit_one }
}

impl Format {
    fn bias(&self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// Significant bits, the leading one included.
    fn precision(&self) -> u32 {
        if self.explicit_one { self.fraction_bits } else { self.fraction_bits + 1 }
    }

    /// The exponent of the lowest bit of the smallest normal number, which denormal numbers share.
    fn least_exponent(&self) -> i32 {
        1 - self.bias() - (self.precision() as i32 - 1)
    }

    fn max_biased(&self) -> u32 {
        (1 << self.exponent_bits) - 1
    }
}

/// The float with these bits, taken apart.
pub fn decompose(kind: FloatKind, bits: u128) -> Parts {
    let format = format_of(kind);
    let fraction = bits & ((1 << format.fraction_bits) - 1);
    let biased = (bits >> format.fraction_bits) as u32 & format.max_biased();
    let negative = bits >> (format.fraction_bits + format.exponent_bits) & 1 == 1;
    let below_one = (1u128 << (format.precision() - 1)) - 1;
    if biased == format.max_biased() {
        return if fraction & below_one == 0 {
            Parts::Infinite { negative }
        } else {
            Parts::Nan { negative }
        };
    }
    let implicit_one = if biased > 0 && !format.explicit_one { 1 << format.fraction_bits } else { 0 };
    let exponent = format.least_exponent() + biased.saturating_sub(1) as i32;
    Parts::Finite { negative, mantissa: fraction | implicit_one, exponent }
}

/// The float nearest to `± mantissa · 2^exponent`, ties to even. `sticky` says that the true mantissa is a little larger;
/// then `mantissa` should have more bits than the format.
pub fn compose(kind: FloatKind, negative: bool, mantissa: &BigUint, exponent: i64, sticky: bool) -> u128 {
    let format = format_of(kind);
    if mantissa.is_zero() {
        return signed(&format, negative, 0);
    }
    let precision = i64::from(format.precision());
    let length = mantissa.bits() as i64;
    // The lowest bit kept: as many bits as the format has, but none below the denormals' lowest.
    let target = (exponent + length - precision).max(format.least_exponent().into());
    let mut kept = round_off(mantissa, target - exponent, sticky);
    let mut target = target;
    if kept >> precision == 1 {
        kept >>= 1;
        target += 1;
    }
    let is_normal = kept >> (precision - 1) == 1;
    let biased = if is_normal { target - i64::from(format.least_exponent()) + 1 } else { 0 };
    if biased >= i64::from(format.max_biased()) {
        return infinity(kind, negative);
    }
    let fraction = if format.explicit_one { kept } else { kept & ((1 << format.fraction_bits) - 1) };
    signed(&format, negative, (biased as u128) << format.fraction_bits | fraction)
}

/// Infinity.
pub fn infinity(kind: FloatKind, negative: bool) -> u128 {
    let format = format_of(kind);
    let one = if format.explicit_one { 1 << (format.fraction_bits - 1) } else { 0 };
    signed(&format, negative, u128::from(format.max_biased()) << format.fraction_bits | one)
}

/// A quiet NaN without payload.
pub fn quiet_nan(kind: FloatKind, negative: bool) -> u128 {
    infinity(kind, negative) | quiet_bit(kind)
}

/// The bit that tells quiet NaNs from signaling ones.
pub fn quiet_bit(kind: FloatKind) -> u128 {
    1 << (format_of(kind).precision() - 2)
}

/// The sign bit.
pub fn sign_bit(kind: FloatKind) -> u128 {
    signed(&format_of(kind), true, 0)
}

/// The bits of the significand, the leading one included.
pub fn precision(kind: FloatKind) -> u32 {
    format_of(kind).precision()
}

fn signed(format: &Format, negative: bool, magnitude: u128) -> u128 {
    u128::from(negative) << (format.fraction_bits + format.exponent_bits) | magnitude
}

/// `mantissa / 2^shift`, to nearest, ties to even; the result fits 114 bits.
fn round_off(mantissa: &BigUint, shift: i64, sticky: bool) -> u128 {
    let to_u128 = |number: &BigUint| -> u128 {
        let digits = number.to_u64_digits();
        let word = |index: usize| u128::from(digits.get(index).copied().unwrap_or(0));
        word(0) | word(1) << 64
    };
    if shift <= 0 {
        return to_u128(&(mantissa << shift.unsigned_abs()));
    }
    let shift = shift as u64;
    if shift > mantissa.bits() + 1 {
        return 0;
    }
    let kept = to_u128(&(mantissa >> shift));
    let half = mantissa.bit(shift - 1);
    let below = sticky || mantissa.trailing_zeros().is_some_and(|zeros| zeros < shift - 1);
    kept + u128::from(half && (below || kept & 1 == 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convert(kind: FloatKind, value: f64) -> u128 {
        let Parts::Finite { negative, mantissa, exponent } =
            decompose(FloatKind::Double, value.to_bits().into())
        else {
            panic!("{value} should be finite");
        };
        compose(kind, negative, &mantissa.into(), exponent.into(), false)
    }

    #[test]
    fn doubles_come_back_as_they_were() {
        for value in [0.0, -0.0, 1.0, -1.5, f64::MAX, f64::MIN_POSITIVE, 5e-324, 1e-310, 0.1, 123456.789] {
            assert_eq!(convert(FloatKind::Double, value), value.to_bits().into(), "{value}");
        }
    }

    #[test]
    fn singles_are_rounded_like_the_machine_does() {
        for value in [0.1, 1e-45, 7e-46, 8e-46, 3.4e38, 3.5e38, 16_777_217.0, 16_777_219.0, -1e-40, 1.0] {
            assert_eq!(convert(FloatKind::Single, value), (value as f32).to_bits().into(), "{value}");
        }
    }

    #[test]
    fn the_x87_format_stores_its_leading_one() {
        assert_eq!(convert(FloatKind::X87, 1.0), 0x3fff_8000_0000_0000_0000);
        assert_eq!(convert(FloatKind::X87, -2.5), 0xc000_a000_0000_0000_0000);
        let one_third = compose(FloatKind::X87, false, &(BigUint::from(1u8) << 200u32), -200, false);
        assert_eq!(
            decompose(FloatKind::X87, one_third),
            Parts::Finite { negative: false, mantissa: 1 << 63, exponent: -63 }
        );
        assert_eq!(
            decompose(FloatKind::X87, infinity(FloatKind::X87, true)),
            Parts::Infinite { negative: true }
        );
        assert_eq!(
            decompose(FloatKind::X87, quiet_nan(FloatKind::X87, false)),
            Parts::Nan { negative: false }
        );
    }

    #[test]
    fn too_large_becomes_infinite_and_too_small_zero() {
        assert_eq!(convert(FloatKind::Half, 1e6), infinity(FloatKind::Half, false));
        assert_eq!(convert(FloatKind::Half, 65519.0), 0x7bff);
        assert_eq!(convert(FloatKind::Half, 65520.0), infinity(FloatKind::Half, false));
        assert_eq!(convert(FloatKind::Half, 1e-9), 0);
    }
}
