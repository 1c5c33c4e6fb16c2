//! Counting bits.

use crate::blast::{Word, add, choose, constant};
use crate::gates::{Gates, Wire};

/// How many bits are set: sums of halves.
pub(super) fn ones(gates: &mut Gates, a: &[Wire]) -> Word {
    let mut word = ones_of(gates, a);
    word.resize(a.len(), Wire::FALSE);
    word
}

/// The count, with as many bits as it needs, which are never more than there are wires.
fn ones_of(gates: &mut Gates, a: &[Wire]) -> Word {
    if let [wire] = a {
        return vec![*wire];
    }
    let (low, high) = a.split_at(a.len() / 2);
    let mut low = ones_of(gates, low);
    let mut high = ones_of(gates, high);
    let width = low.len().max(high.len()) + 1;
    low.resize(width, Wire::FALSE);
    high.resize(width, Wire::FALSE);
    add::sum(gates, &low, &high, Wire::FALSE)
}

/// How many bits behind the last set one.
pub(super) fn trailing_zeros(gates: &mut Gates, a: &[Wire]) -> Word {
    zeros(gates, a.iter().copied())
}

/// How many bits in front of the first set one.
pub(super) fn leading_zeros(gates: &mut Gates, a: &[Wire]) -> Word {
    zeros(gates, a.iter().rev().copied())
}

/// How many zeros before the first one; a chain of choices, the last wire asked first.
fn zeros(gates: &mut Gates, wires: impl DoubleEndedIterator<Item = Wire> + ExactSizeIterator) -> Word {
    let width = wires.len();
    let mut result = constant(width, width as u128);
    for (place, wire) in wires.enumerate().rev() {
        result = choose(gates, wire, &constant(width, place as u128), &result);
    }
    result
}
