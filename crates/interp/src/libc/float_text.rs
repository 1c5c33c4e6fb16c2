//! Text as numbers: what `strtod`, `strtol`, `scanf` and their relatives accept.
//!
//! Source: C17 §7.22.1.3 and §7.22.1.4. Floats are rounded once from the exact number, to nearest, ties to
//! even.

use ir::FloatKind;
use num_bigint::BigUint;
use num_traits::{One, Pow, Zero};

use super::ctype::is_space;
use crate::float::format::{compose, infinity, quiet_nan};

/// A float at the start of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FloatText {
    /// Its bits in the format asked for.
    pub(crate) bits: u128,
    /// The bytes it takes, blanks before it included; 0 if there is none.
    pub(crate) len: usize,
    /// Whether it is too large for the format.
    pub(crate) overflows: bool,
    /// Whether it is not zero but too small for the format.
    pub(crate) underflows: bool,
}

/// An integer at the start of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct IntText {
    pub(crate) negative: bool,
    /// Its magnitude; the largest number if it does not fit.
    pub(crate) magnitude: u64,
    /// Whether the magnitude does not fit 64 bits.
    pub(crate) overflows: bool,
    /// The bytes it takes, blanks before it included; 0 if there is none.
    pub(crate) len: usize,
}

/// Digits that can decide how a number is rounded in any format.
const ROUNDING_DIGITS: usize = 20_000;

/// Decimal exponents beyond this make zero or infinity in every format.
const LARGEST_POWER: i64 = 10_000;

/// The float that `text` starts with.
pub(crate) fn parse_float(text: &[u8], kind: FloatKind) -> FloatText {
    let blanks = text.iter().take_while(|byte| is_space(**byte)).count();
    let (negative, signs) = sign(&text[blanks..]);
    let start = blanks + signs;
    let rest = &text[start..];
    let word =
        |word: &str| rest.len() >= word.len() && rest[..word.len()].eq_ignore_ascii_case(word.as_bytes());
    let exact = |bits, len| FloatText { bits, len, overflows: false, underflows: false };
    if word("infinity") || word("inf") {
        let len = if word("infinity") { 8 } else { 3 };
        return exact(infinity(kind, negative), start + len);
    }
    if word("nan") {
        return exact(quiet_nan(kind, negative), start + 3 + nan_payload(&rest[3..]));
    }
    let parsed = if word("0x") { hex(rest).or_else(|| decimal(rest)) } else { decimal(rest) };
    match parsed {
        None => exact(0, 0),
        Some(number) => {
            let bits = number.round(kind, negative);
            let magnitude = bits & !crate::float::format::sign_bit(kind);
            FloatText {
                bits,
                len: start + number.len,
                overflows: magnitude == infinity(kind, false),
                underflows: magnitude == 0 && !number.digits.is_zero(),
            }
        }
    }
}

/// The integer that `text` starts with, in a base from 2 to 36, or 0 for C's own rules.
pub(crate) fn parse_int(text: &[u8], base: u32) -> IntText {
    let blanks = text.iter().take_while(|byte| is_space(**byte)).count();
    let (negative, signs) = sign(&text[blanks..]);
    let mut start = blanks + signs;
    let rest = &text[start..];
    let digit = |byte: u8, base: u32| char::from(byte).to_digit(base);
    let has_prefix = rest.len() > 2
        && rest[0] == b'0'
        && rest[1].eq_ignore_ascii_case(&b'x')
        && digit(rest[2], 16).is_some();
    let base = match base {
        0 if has_prefix => 16,
        0 if rest.first() == Some(&b'0') => 8,
        0 => 10,
        other => other,
    };
    if base == 16 && has_prefix {
        start += 2;
    }
    let digits: Vec<u32> = text[start..].iter().map_while(|byte| digit(*byte, base)).collect();
    let fold = |sum: Option<u64>, digit: &u32| sum?.checked_mul(base.into())?.checked_add((*digit).into());
    let magnitude = digits.iter().fold(Some(0), fold);
    IntText {
        negative,
        magnitude: magnitude.unwrap_or(u64::MAX),
        overflows: magnitude.is_none(),
        len: if digits.is_empty() { 0 } else { start + digits.len() },
    }
}

fn sign(text: &[u8]) -> (bool, usize) {
    match text.first() {
        Some(b'-') => (true, 1),
        Some(b'+') => (false, 1),
        _ => (false, 0),
    }
}

/// `(characters)` behind `nan`.
fn nan_payload(text: &[u8]) -> usize {
    if text.first() != Some(&b'(') {
        return 0;
    }
    let word = text[1..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    if text.get(1 + word) == Some(&b')') { word + 2 } else { 0 }
}

/// `digits · base^power` with base 10 or 2.
struct Number {
    digits: BigUint,
    power: i64,
    is_decimal: bool,
    len: usize,
}

fn decimal(text: &[u8]) -> Option<Number> {
    let (digits, scale, mut len) = mantissa(text, 10)?;
    let mut power = scale;
    if let Some((exponent, taken)) = exponent(&text[len..], b'e') {
        power = power.saturating_add(exponent);
        len += taken;
    }
    Some(Number { digits, power, is_decimal: true, len })
}

fn hex(text: &[u8]) -> Option<Number> {
    let (digits, scale, taken) = mantissa(&text[2..], 16)?;
    let (mut power, mut len) = (scale * 4, taken + 2);
    if let Some((exponent, taken)) = exponent(&text[len..], b'p') {
        power = power.saturating_add(exponent);
        len += taken;
    }
    Some(Number { digits, power, is_decimal: false, len })
}

/// Digits with at most one point: the number without the point, the power of the base for it, and the bytes.
fn mantissa(text: &[u8], base: u32) -> Option<(BigUint, i64, usize)> {
    let mut digits = Vec::new();
    let (mut scale, mut len, mut after_point, mut sticky) = (0i64, 0, false, false);
    for &byte in text {
        if byte == b'.' && !after_point {
            after_point = true;
        } else if let Some(digit) = char::from(byte).to_digit(base) {
            if digits.len() < ROUNDING_DIGITS {
                digits.push(digit as u8);
                scale -= i64::from(after_point);
            } else {
                sticky |= digit != 0;
                scale += i64::from(!after_point);
            }
        } else {
            break;
        }
        len += 1;
    }
    let has_digits = !digits.is_empty();
    // What was cut off only matters for being there at all.
    digits.extend([u8::from(sticky)].iter().filter(|_| sticky));
    let number = BigUint::from_radix_be(&digits, base).unwrap_or_default();
    has_digits.then_some((number, scale - i64::from(sticky), len))
}

/// `e[sign]digits`, if it stands here.
fn exponent(text: &[u8], letter: u8) -> Option<(i64, usize)> {
    let first = text.first()?;
    if !first.eq_ignore_ascii_case(&letter) {
        return None;
    }
    let (negative, signs) = sign(&text[1..]);
    let digits: Vec<u8> = text[1 + signs..].iter().copied().take_while(u8::is_ascii_digit).collect();
    let fold = |sum: i64, digit: &u8| (sum * 10 + i64::from(digit - b'0')).min(1 << 40);
    let number = digits.iter().fold(0, fold);
    (!digits.is_empty()).then_some((if negative { -number } else { number }, 1 + signs + digits.len()))
}

impl Number {
    fn round(&self, kind: FloatKind, negative: bool) -> u128 {
        if !self.is_decimal || self.digits.is_zero() {
            let power = self.power.clamp(-(1 << 40), 1 << 40);
            return compose(kind, negative, &self.digits, power, false);
        }
        // The magnitude of the number, so that absurd exponents cost nothing.
        let length = self.digits.bits() as i64 * 3 / 10;
        if self.power + length > LARGEST_POWER {
            return infinity(kind, negative);
        }
        if self.power + length < -LARGEST_POWER {
            return compose(kind, negative, &BigUint::zero(), 0, false);
        }
        let ten = |power: i64| BigUint::from(10u8).pow(power.unsigned_abs());
        if self.power >= 0 {
            return compose(kind, negative, &(&self.digits * ten(self.power)), 0, false);
        }
        // Enough bits that the quotient has more than any format.
        let divisor = ten(self.power);
        let shift = (divisor.bits() + 192).saturating_sub(self.digits.bits());
        let above = &self.digits << shift;
        let quotient = &above / &divisor;
        let sticky = above > &quotient * &divisor;
        // An extra bit below says that something was cut off.
        let widened = (quotient << 1u8) + if sticky { BigUint::one() } else { BigUint::zero() };
        compose(kind, negative, &widened, -(shift as i64) - 1, sticky)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_floats_are_rounded_correctly() {
        let texts = [
            "0.1",
            "1e23",
            "9007199254740993",
            "2.2250738585072011e-308",
            "5e-324",
            "2e-324",
            "-1.5e3",
            ".5",
            "5.",
            "123456789012345678901234567890",
            "1.7976931348623157e308",
            "0.30000000000000004",
        ];
        for text in texts {
            let expected: f64 = text.parse().unwrap();
            let parsed = parse_float(text.as_bytes(), FloatKind::Double);
            assert_eq!((parsed.bits, parsed.len), (expected.to_bits().into(), text.len()), "{text}");
        }
    }

    #[test]
    fn the_text_ends_where_the_number_does() {
        for (text, len) in
            [(" 1.5x", 4), ("1e", 1), ("1e+", 1), ("0x", 1), ("0x1p3z", 5), ("nan(abc)d", 8), ("-inf", 4)]
        {
            assert_eq!(parse_float(text.as_bytes(), FloatKind::Double).len, len, "{text}");
        }
        assert_eq!(parse_float(b"x", FloatKind::Double).len, 0);
        assert!(parse_float(b"1e999", FloatKind::Double).overflows);
        assert!(parse_float(b"1e-999", FloatKind::Double).underflows);
        assert_eq!(parse_float(b"0x1.8p1", FloatKind::Single).bits, 3f32.to_bits().into());
    }

    #[test]
    fn integers_know_their_base() {
        let number = |text: &str, base| {
            let parsed = parse_int(text.as_bytes(), base);
            (parsed.negative, parsed.magnitude, parsed.len)
        };
        assert_eq!(number("  -42abc", 10), (true, 42, 5));
        assert_eq!(number("0x1F", 0), (false, 31, 4));
        assert_eq!(number("0x", 0), (false, 0, 1));
        assert_eq!(number("077", 0), (false, 63, 3));
        assert_eq!(number("zz", 36), (false, 35 * 36 + 35, 2));
        assert_eq!(number("+", 10), (false, 0, 0));
        assert!(parse_int(b"99999999999999999999", 10).overflows);
    }
}
