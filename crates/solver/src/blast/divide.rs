//! Division and remainder, with the meaning of SMT-LIB for a divisor of zero.

use crate::blast::{Word, add, choose, less, negated};
use crate::gates::{Gates, Wire};

/// Both results of an unsigned division.
pub(super) struct Division {
    /// All ones for a divisor of zero.
    pub(super) quotient: Word,
    /// The dividend for a divisor of zero.
    pub(super) remainder: Word,
}

/// Unsigned division, restoring: from the top, each bit of the dividend is shifted into the remainder, from which the divisor is
/// taken if it fits.
///
/// A divisor of zero always fits and takes nothing: the quotient is all ones and the remainder the dividend, as it should be.
pub(super) fn unsigned(gates: &mut Gates, a: &[Wire], b: &[Wire]) -> Division {
    let width = a.len();
    let mut remainder: Word = Word::new();
    let mut quotient = vec![Wire::FALSE; width];
    for place in (0..width).rev() {
        remainder.insert(0, a[place]);
        let (fits, rest) = subtract_if_it_fits(gates, &remainder, b);
        quotient[place] = fits;
        remainder = rest;
    }
    Division { quotient, remainder }
}

/// Whether `b` is not above the remainder, and what then is left of it.
///
/// The remainder has as many bits as were shifted into it, at most those of `b`.
fn subtract_if_it_fits(gates: &mut Gates, remainder: &[Wire], b: &[Wire]) -> (Wire, Word) {
    let (low, high) = b.split_at(remainder.len());
    // From the top, so that all steps share these gates.
    let beyond = gates.any(high.iter().rev().copied());
    let above = less(gates, remainder, low);
    let too_small = gates.or(above, beyond);
    let rest = add::difference(gates, remainder, low);
    (!too_small, choose(gates, too_small, remainder, &rest))
}

/// Signed quotient, toward zero: that of the absolute values, negated if the signs differ.
///
/// For a divisor of zero this gives -1 for a dividend that is not negative, and else 1, as it should.
pub(super) fn signed_quotient(gates: &mut Gates, a: &[Wire], b: &[Wire]) -> Word {
    let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
    let (a, b) = (absolute(gates, a), absolute(gates, b));
    let quotient = unsigned(gates, &a, &b).quotient;
    let differ = gates.xor(sign_a, sign_b);
    negated_if(gates, differ, &quotient)
}

/// Signed remainder: that of the absolute values, with the sign of the dividend.
pub(super) fn signed_remainder(gates: &mut Gates, a: &[Wire], b: &[Wire]) -> Word {
    let sign = a[a.len() - 1];
    let (a, b) = (absolute(gates, a), absolute(gates, b));
    let remainder = unsigned(gates, &a, &b).remainder;
    negated_if(gates, sign, &remainder)
}

fn absolute(gates: &mut Gates, a: &[Wire]) -> Word {
    negated_if(gates, a[a.len() - 1], a)
}

/// `-a` if the sign is set: `(a ⊕ s…s) + s`.
fn negated_if(gates: &mut Gates, sign: Wire, a: &[Wire]) -> Word {
    let turned: Word = negated(a);
    let turned = choose(gates, sign, &turned, a);
    let zero = vec![Wire::FALSE; a.len()];
    add::sum(gates, &turned, &zero, sign)
}
