//! Addition and multiplication.

use crate::blast::{Word, constant, negated};
use crate::gates::{Gates, Wire};

/// `a + b + carry`, a ripple of full adders.
pub(super) fn sum(gates: &mut Gates, a: &[Wire], b: &[Wire], carry: Wire) -> Word {
    let mut carry = carry;
    let mut word = Word::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        word.push(gates.parity(a, b, carry));
        carry = gates.majority(a, b, carry);
    }
    word
}

/// `a - b = a + ¬b + 1`.
pub(super) fn difference(gates: &mut Gates, a: &[Wire], b: &[Wire]) -> Word {
    sum(gates, a, &negated(b), Wire::TRUE)
}

/// `a · b`, shifted copies of one factor added up where the other has its bits.
///
/// A constant factor is recoded first, so that runs of ones cost one subtraction: `a · 7 = 8a - a`, `a · -1 = -a`.
pub(super) fn product(gates: &mut Gates, a: &[Wire], b: &[Wire]) -> Word {
    match (value(a), value(b)) {
        (_, Some(factor)) => scaled(gates, a, factor),
        (Some(factor), _) => scaled(gates, b, factor),
        (None, None) => general_product(gates, a, b),
    }
}

/// The value of a word, if all of its bits are constant.
pub(super) fn value(word: &[Wire]) -> Option<u128> {
    let mut value = 0;
    for (bit, wire) in word.iter().enumerate() {
        value |= u128::from(wire.value()?) << bit;
    }
    Some(value)
}

/// `a · factor` by the non-adjacent form of the factor: digits -1, 0, 1, no two neighbors of which are other than 0.
fn scaled(gates: &mut Gates, a: &[Wire], factor: u128) -> Word {
    let width = a.len();
    let mut result = constant(width, 0);
    let mut rest = factor;
    for place in 0..width {
        if rest & 1 == 1 {
            let shifted = [&constant(place, 0), &a[..width - place]].concat();
            // The digit is -1 where a run of ones begins; the run then ends in a carry.
            if rest & 2 == 2 {
                result = difference(gates, &result, &shifted);
                rest = rest.wrapping_add(1);
            } else {
                result = sum(gates, &result, &shifted, Wire::FALSE);
            }
        }
        rest >>= 1;
    }
    result
}

fn general_product(gates: &mut Gates, a: &[Wire], b: &[Wire]) -> Word {
    let width = a.len();
    let mut result = constant(width, 0);
    for (place, &digit) in b.iter().enumerate() {
        let part: Word = a[..width - place].iter().map(|&wire| gates.and(wire, digit)).collect();
        let upper = sum(gates, &result[place..], &part, Wire::FALSE);
        result.splice(place.., upper);
    }
    result
}
