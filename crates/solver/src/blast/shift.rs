//! Shifts by variables.

use crate::blast::{Word, choose};
use crate::gates::{Gates, Wire};

/// `a << b`; 0 if `b` is not smaller than the width.
pub(super) fn left(gates: &mut Gates, a: &[Wire], b: &[Wire]) -> Word {
    let turned: Word = a.iter().rev().copied().collect();
    let mut word = right(gates, &turned, b, Wire::FALSE);
    word.reverse();
    word
}

/// `a >> b` with copies of `fill` in front; a barrel of choices, one for each bit of `b` that can matter.
pub(super) fn right(gates: &mut Gates, a: &[Wire], b: &[Wire], fill: Wire) -> Word {
    let width = a.len();
    let stages = (usize::BITS - (width - 1).leading_zeros()) as usize;
    let mut word = a.to_vec();
    for (stage, &digit) in b.iter().take(stages).enumerate() {
        let distance = (1 << stage).min(width);
        let mut shifted = word[distance..].to_vec();
        shifted.resize(width, fill);
        word = choose(gates, digit, &shifted, &word);
    }
    // The bits of `b` beyond the stages make everything leave.
    let too_far = gates.any(b.iter().skip(stages).copied());
    let gone = vec![fill; width];
    choose(gates, too_far, &gone, &word)
}
