//! Arithmetic by its definition, bit by bit, on the low bits of a `u128`.

use crate::value::Width;

pub(super) fn bit(a: u128, index: u32) -> bool {
    a >> index & 1 == 1
}

/// The value whose bit `i` is `f(i)`.
pub(super) fn from_bits(width: Width, mut f: impl FnMut(u32) -> bool) -> u128 {
    (0..width).fold(0, |value, index| value | u128::from(f(index)) << index)
}

pub(super) fn is_negative(width: Width, a: u128) -> bool {
    bit(a, width - 1)
}

pub(super) fn not(width: Width, a: u128) -> u128 {
    from_bits(width, |index| !bit(a, index))
}

pub(super) fn add(width: Width, a: u128, b: u128) -> u128 {
    let mut carry = false;
    from_bits(width, |index| {
        let (x, y) = (bit(a, index), bit(b, index));
        let sum = x ^ y ^ carry;
        carry = (x && y) || (carry && (x || y));
        sum
    })
}

pub(super) fn neg(width: Width, a: u128) -> u128 {
    add(width, not(width, a), 1)
}

pub(super) fn mul(width: Width, a: u128, b: u128) -> u128 {
    (0..width)
        .filter(|&index| bit(b, index))
        .fold(0, |sum, index| add(width, sum, shl(width, a, u128::from(index))))
}

/// Quotient and remainder by long division; by 0, all bits and the dividend.
pub(super) fn divide(width: Width, a: u128, b: u128) -> (u128, u128) {
    let mut rest = 0;
    let quotient = (0..width).rev().fold(0, |quotient, index| {
        let beyond = bit(rest, 127);
        rest = rest << 1 | u128::from(bit(a, index));
        let goes = beyond || rest >= b;
        if goes {
            rest = rest.wrapping_sub(b);
        }
        quotient | u128::from(goes) << index
    });
    (quotient, rest)
}

/// The same of signed values: that of the values without signs, with the signs put back.
pub(super) fn divide_signed(width: Width, a: u128, b: u128) -> (u128, u128) {
    let signs = (is_negative(width, a), is_negative(width, b));
    let without = |sign: bool, value: u128| if sign { neg(width, value) } else { value };
    let (quotient, rest) = divide(width, without(signs.0, a), without(signs.1, b));
    (without(signs.0 != signs.1, quotient), without(signs.0, rest))
}

pub(super) fn less(width: Width, a: u128, b: u128) -> bool {
    let first = (0..width).rev().find(|&index| bit(a, index) != bit(b, index));
    first.is_some_and(|index| bit(b, index))
}

pub(super) fn less_signed(width: Width, a: u128, b: u128) -> bool {
    match (is_negative(width, a), is_negative(width, b)) {
        (true, false) => true,
        (false, true) => false,
        _ => less(width, a, b),
    }
}

pub(super) fn shl(width: Width, a: u128, amount: u128) -> u128 {
    from_bits(width, |index| u128::from(index).checked_sub(amount).is_some_and(|from| bit(a, from as u32)))
}

/// To the right, with copies of `fill`.
pub(super) fn shr(width: Width, a: u128, amount: u128, fill: bool) -> u128 {
    from_bits(width, |index| match u128::from(index).checked_add(amount) {
        Some(from) if from < u128::from(width) => bit(a, from as u32),
        _ => fill,
    })
}

/// Bit `index` of `a ∘ b`, both of that width.
pub(super) fn bit_of_both(width: Width, a: u128, b: u128, index: u32) -> bool {
    if index < width { bit(b, index) } else { bit(a, index - width) }
}

/// The signed value as a number.
pub(super) fn number(width: Width, a: u128) -> i128 {
    from_bits(128, |index| bit(a, index.min(width - 1))) as i128
}

/// Whether a number is a signed value of that width; `None` is one beyond 128 bits.
pub(super) fn fits_signed(width: Width, value: Option<i128>) -> bool {
    value.is_some_and(|value| {
        let half = i128::MAX >> (128 - width);
        (-half - 1..=half).contains(&value)
    })
}

/// Whether a number is an unsigned value of that width; `None` is one beyond 128 bits.
pub(super) fn fits_unsigned(width: Width, value: Option<u128>) -> bool {
    value.is_some_and(|value| width == 128 || value >> width == 0)
}
