//! Floats as text, exactly: every format and precision is computed with big integers.
//!
//! Source: C17 §7.21.6.1 for `%e %f %g %a`; glibc for the leading digit of `%a` (one bit of a `double`, four
//! of a `long double`).

use ir::FloatKind;
use num_bigint::BigUint;
use num_traits::{One, Pow, Zero};

use super::Spec;
use crate::float::format::{Parts, decompose, precision};

/// Digits behind the point beyond which all are zero in every format: the smallest number is 2^-16494.
const LAST_DIGIT: usize = 16_500;

/// How the number is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FloatStyle {
    /// `%f`
    Fixed,
    /// `%e`
    Scientific,
    /// `%g`
    General,
    /// `%a`
    Hex,
}

/// A float as `%f %e %g %a` show it.
pub(crate) fn format_float(spec: &Spec, kind: FloatKind, bits: u128) -> Vec<u8> {
    let upper = spec.conversion.is_ascii_uppercase();
    let (negative, word) = match decompose(kind, bits) {
        Parts::Nan { negative } => (negative, "nan"),
        Parts::Infinite { negative } => (negative, "inf"),
        Parts::Finite { negative, mantissa, exponent } => {
            return finite(spec, kind, negative, mantissa, exponent);
        }
    };
    let word = if upper { word.to_uppercase() } else { word.to_owned() };
    spec.pad_number(spec.sign(negative), word.as_bytes(), false)
}

fn finite(spec: &Spec, kind: FloatKind, negative: bool, mantissa: u128, exponent: i32) -> Vec<u8> {
    let number = Number { mantissa: mantissa.into(), exponent };
    let style = match spec.conversion.to_ascii_lowercase() {
        b'e' => FloatStyle::Scientific,
        b'g' => FloatStyle::General,
        b'a' => FloatStyle::Hex,
        _ => FloatStyle::Fixed,
    };
    let wanted = spec.precision.unwrap_or(6);
    let (digits, zeros) = (wanted.min(LAST_DIGIT), wanted.saturating_sub(LAST_DIGIT));
    let mut text = match style {
        FloatStyle::Fixed => fixed(&number, digits, spec.alternate) + &"0".repeat(zeros),
        FloatStyle::Scientific => {
            scientific(&number, digits, spec.alternate).replace('e', &("0".repeat(zeros) + "e"))
        }
        FloatStyle::General => general(&number, digits.max(1), spec.alternate),
        FloatStyle::Hex => hex(kind, mantissa, exponent, spec.precision, spec.alternate),
    };
    let mut prefix = spec.sign(negative).to_vec();
    if style == FloatStyle::Hex {
        prefix.extend_from_slice(b"0x");
    }
    if spec.conversion.is_ascii_uppercase() {
        text.make_ascii_uppercase();
        prefix.make_ascii_uppercase();
    }
    spec.pad_number(&prefix, text.as_bytes(), spec.zero)
}

/// `mantissa · 2^exponent`.
struct Number {
    mantissa: BigUint,
    exponent: i32,
}

impl Number {
    /// `number · 10^power`, rounded to the nearest integer, ties to even.
    fn scaled(&self, power: i64) -> BigUint {
        let ten = |power: u64| BigUint::from(10u8).pow(power);
        let two = |power: i32| BigUint::one() << power.unsigned_abs();
        let mut above = self.mantissa.clone() * if power > 0 { ten(power as u64) } else { BigUint::one() };
        let mut below = if power < 0 { ten(power.unsigned_abs()) } else { BigUint::one() };
        if self.exponent >= 0 {
            above *= two(self.exponent)
        } else {
            below *= two(self.exponent)
        }
        let quotient = &above / &below;
        let twice = (above - &quotient * &below) * 2u8;
        let up = twice > below || twice == below && quotient.bit(0);
        if up { quotient + 1u8 } else { quotient }
    }

    /// `digits` significant digits and the power of ten of the first one.
    fn significant(&self, digits: usize) -> (String, i64) {
        if self.mantissa.is_zero() {
            return ("0".repeat(digits), 0);
        }
        // A guess within one of the truth, corrected below.
        let log2 = self.mantissa.bits() as f64 + f64::from(self.exponent) - 1.0;
        let mut power = (log2 * std::f64::consts::LOG10_2).floor() as i64;
        loop {
            let text = self.scaled(digits as i64 - 1 - power).to_string();
            match text.len().cmp(&digits) {
                std::cmp::Ordering::Equal => return (text, power),
                std::cmp::Ordering::Greater => power += 1,
                std::cmp::Ordering::Less => power -= 1,
            }
        }
    }
}

fn fixed(number: &Number, digits: usize, alternate: bool) -> String {
    let text = number.scaled(digits as i64).to_string();
    let text = format!("{}{text}", "0".repeat((digits + 1).saturating_sub(text.len())));
    let (whole, fraction) = text.split_at(text.len() - digits);
    let point = if digits > 0 || alternate { "." } else { "" };
    format!("{whole}{point}{fraction}")
}

fn scientific(number: &Number, digits: usize, alternate: bool) -> String {
    let (text, power) = number.significant(digits + 1);
    with_power(&text, power, alternate)
}

fn with_power(digits: &str, power: i64, alternate: bool) -> String {
    let (first, rest) = digits.split_at(1);
    let point = if !rest.is_empty() || alternate { "." } else { "" };
    let sign = if power < 0 { '-' } else { '+' };
    format!("{first}{point}{rest}e{sign}{:02}", power.unsigned_abs())
}

/// `%g`: scientific if the exponent is below -4 or not below the precision; trailing zeros go unless `#`.
fn general(number: &Number, digits: usize, alternate: bool) -> String {
    let (text, power) = number.significant(digits);
    let short = if alternate { text.as_str() } else { text.trim_end_matches('0') };
    if power < -4 || power >= digits as i64 {
        let short = if short.is_empty() { "0" } else { short };
        return with_power(short, power, alternate);
    }
    let after_point = (digits as i64 - 1 - power) as usize;
    let text = fixed(number, after_point, alternate);
    if alternate || !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn hex(kind: FloatKind, mantissa: u128, exponent: i32, wanted: Option<usize>, alternate: bool) -> String {
    // Bits before the point: the x87 format has four (its leading one is explicit), all others one.
    let lead = if kind == FloatKind::X87 { 4 } else { 1 };
    let fraction_bits = precision(kind) - lead;
    let digits = fraction_bits.div_ceil(4);
    // A fraction of whole hex digits.
    let mut number = mantissa << (digits * 4 - fraction_bits);
    let mut power = exponent + fraction_bits as i32;
    if mantissa == 0 {
        power = 0;
    }
    let wanted =
        wanted.unwrap_or_else(|| digits as usize - (number.trailing_zeros().min(digits * 4) / 4) as usize);
    let shown = wanted.min(digits as usize) as u32;
    let drop = (digits - shown) * 4;
    if drop > 0 {
        let (kept, rest, half) = (number >> drop, number & ((1 << drop) - 1), 1u128 << (drop - 1));
        number = kept + u128::from(rest > half || rest == half && kept & 1 == 1);
        if lead == 4 && number >> (shown * 4) > 0xf {
            number >>= 4;
            power += 4;
        }
    }
    let whole = number >> (shown * 4);
    let fraction = if shown > 0 { number & ((1 << (shown * 4)) - 1) } else { 0 };
    let fraction =
        if shown > 0 { format!("{fraction:0width$x}", width = shown as usize) } else { String::new() };
    let fill = "0".repeat(wanted - shown as usize);
    let point = if wanted > 0 || alternate { "." } else { "" };
    let sign = if power < 0 { '-' } else { '+' };
    format!("{whole:x}{point}{fraction}{fill}p{sign}{}", power.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::super::spec::{Piece, parse};
    use super::*;

    fn check(format: &str, value: f64, expected: &str) {
        check_bits(format, FloatKind::Double, value.to_bits().into(), expected);
    }

    fn check_bits(format: &str, kind: FloatKind, bits: u128, expected: &str) {
        let pieces = parse(format.as_bytes());
        let [Piece::Conversion(spec)] = pieces.as_slice() else {
            panic!("{format} should be one conversion")
        };
        let text = format_float(spec, kind, bits);
        assert_eq!(String::from_utf8(text).unwrap(), expected, "{format}");
    }

    // The expected strings were printed by glibc 2.36.
    #[test]
    fn fixed_point() {
        check("%f", 1.5, "1.500000");
        check("%.0f", 0.5, "0");
        check("%.0f", 1.5, "2");
        check("%.0f", 2.5, "2");
        check("%#.0f", 2.5, "2.");
        check("%.3f", -0.0005, "-0.001");
        check("%.2f", 1e20, "100000000000000000000.00");
        check("%f", f64::MIN_POSITIVE, "0.000000");
        check("%.20f", 0.1, "0.10000000000000000555");
        check("%10.3f", std::f64::consts::PI, "     3.142");
        check("%-10.3f", std::f64::consts::PI, "3.142     ");
        check("%+010.3f", std::f64::consts::PI, "+00003.142");
        check("%f", -0.0, "-0.000000");
        check("%F", f64::INFINITY, "INF");
        check("%06f", f64::NEG_INFINITY, "  -inf");
        check("%f", -f64::NAN, "-nan");
    }

    #[test]
    fn scientific_and_general() {
        check("%e", 12345.678, "1.234568e+04");
        check("%.0e", 12345.678, "1e+04");
        check("%E", 1e-100, "1.000000E-100");
        check("%.3e", 9.9996, "1.000e+01");
        check("%e", 0.0, "0.000000e+00");
        check("%g", 100000.0, "100000");
        check("%g", 1000000.0, "1e+06");
        check("%g", 0.0001, "0.0001");
        check("%g", 0.00001, "1e-05");
        check("%#g", 1.0, "1.00000");
        check("%g", 0.0, "0");
        check("%.3g", 1234.5, "1.23e+03");
        check("%.17g", 0.1, "0.10000000000000001");
        check("%g", 999999.5, "1e+06");
        check("%G", 1e300, "1E+300");
        check("%.15g", 5e-324, "4.94065645841247e-324");
    }

    #[test]
    fn hexadecimal() {
        check("%a", 1.0, "0x1p+0");
        check("%a", 0.0, "0x0p+0");
        check("%a", -1.5, "-0x1.8p+0");
        check("%.2a", 1.999, "0x2.00p+0");
        check("%A", 255.5, "0X1.FFP+7");
        check("%a", 5e-324, "0x0.0000000000001p-1022");
        check("%.3a", 1.0, "0x1.000p+0");
        check_bits("%La", FloatKind::X87, 0x3fff_8000_0000_0000_0000, "0x8p-3");
        check_bits("%La", FloatKind::X87, 0x4000_c800_0000_0000_0000, "0xc.8p-2");
        check_bits("%Lf", FloatKind::X87, 0x4000_c800_0000_0000_0000, "3.125000");
        check_bits("%.20Lf", FloatKind::X87, 0x3ffb_cccc_cccc_cccc_cccd, "0.10000000000000000000");
    }
}
