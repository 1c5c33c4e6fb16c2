//! Sums as they are written: with minus signs, and a positive term first.

use super::expression::{Expression, Operator};
use super::view::number;
use crate::arena::{TermId, Terms};
use crate::build::Monomial;
use crate::value::{Width, mask, signed};

/// A sum in normal form.
pub(super) fn sum(terms: &Terms, term: TermId) -> Expression {
    let width = terms.width(term);
    let linear = terms.linear(term);
    let mut parts: Vec<(bool, Expression)> =
        linear.monomials.iter().map(|&monomial| part(monomial, width)).collect();
    if linear.constant != 0 {
        let negative = signed(width, linear.constant) < 0;
        let size = if negative { linear.constant.wrapping_neg() & mask(width) } else { linear.constant };
        parts.push((negative, number(size)));
    }
    // -x + y  is  y - x
    let first = parts.iter().position(|(negative, _)| !negative).unwrap_or(0);
    let (negative, first) = parts.remove(first);
    let first = if negative { Expression::prefix("-", first) } else { first };
    parts.into_iter().fold(first, |sum, (negative, part)| {
        let operator = if negative { Operator::Minus } else { Operator::Plus };
        Expression::infix(operator, sum, part)
    })
}

/// Whether a monomial is subtracted, and its size.
fn part(monomial: Monomial, width: Width) -> (bool, Expression) {
    let negative = signed(width, monomial.coefficient) < 0;
    let size =
        if negative { monomial.coefficient.wrapping_neg() & mask(width) } else { monomial.coefficient };
    let base = Expression::Term(monomial.base);
    (negative, if size == 1 { base } else { Expression::infix(Operator::Times, number(size), base) })
}
