//! The shortest way for what most branches are: a variable compared with a number, or a flag in it.
//!
//! The rules are those of `propagate`. What makes them short: the variable's range is all there is to know before, and, but for a
//! disequality in the middle of it, all there is to remember afterwards.

use super::layer::Literal;
use super::propagate::narrowed;
use super::range::{RANGE_BITS, Range};
use super::read::Reader;
use crate::arena::TermId;
use crate::node::{Binary, Node};

/// What a literal comes to.
pub(super) enum Quick {
    /// It is something else, or the variable has a link.
    Other,
    /// The facts imply it.
    Implied,
    /// The facts imply its negation.
    Refuted,
    /// It says that the variable is in a smaller range, and nothing else.
    Narrowed(TermId, Range),
    /// It takes a value out of the middle of the variable's range.
    Hole(TermId),
}

/// What a literal comes to, if it is about the value of one variable.
pub(super) fn examine(reader: Reader<'_>, literal: Literal) -> Quick {
    let (op, a, b) = match reader.terms.node(literal.atom) {
        Node::Binary(op @ (Binary::Eq | Binary::Ult | Binary::Slt), a, b) => (op, a, b),
        Node::Extract { from, low } => return bit(reader, literal, from, low),
        _ => return Quick::Other,
    };
    let (var, value, turned) = match (reader.terms.node(a), reader.terms.node(b)) {
        (Node::Var(_), Node::Const(value)) => (a, value, false),
        (Node::Const(value), Node::Var(_)) => (b, value, true),
        _ => return Quick::Other,
    };
    let width = reader.terms.width(var);
    // Of one bit, the comparison and the variable are the same condition.
    if width > RANGE_BITS || width == 1 {
        return Quick::Other;
    }
    let Some(known) = reader.range_of_free(var) else { return Quick::Other };
    let number = Range::of(width, value as u64);
    let rest = match op {
        Binary::Eq => return equal(reader, literal, var, &known, &number),
        _ if turned => narrowed(op, &number, &known, literal.truth).map(|both| both.1),
        _ => narrowed(op, &known, &number, literal.truth).map(|both| both.0),
    };
    match rest {
        None => Quick::Refuted,
        Some(rest) if rest == known => Quick::Implied,
        Some(rest) => Quick::Narrowed(var, rest),
    }
}

/// A bit of a variable: `flags & 4`.
fn bit(reader: Reader<'_>, literal: Literal, var: TermId, low: u32) -> Quick {
    if !matches!(reader.terms.node(var), Node::Var(_)) || reader.terms.width(var) > RANGE_BITS {
        return Quick::Other;
    }
    let Some(known) = reader.range_of_free(var) else { return Quick::Other };
    let bit = 1u64 << low;
    let (zeros, ones) = if literal.truth { (0, bit) } else { (bit, 0) };
    match known.meet(&Range::with_bits(known.width, zeros, ones)) {
        None => Quick::Refuted,
        Some(rest) if rest == known => Quick::Implied,
        Some(rest) => Quick::Narrowed(var, rest),
    }
}

fn equal(reader: Reader<'_>, literal: Literal, var: TermId, known: &Range, number: &Range) -> Quick {
    if let Some(noted) = reader.noted(literal.atom).and_then(|noted| noted.single()) {
        return if (noted != 0) == literal.truth { Quick::Implied } else { Quick::Refuted };
    }
    let is_possible = known.has(number.umin);
    match (literal.truth, known.single()) {
        (true, _) if !is_possible => Quick::Refuted,
        (false, _) if !is_possible => Quick::Implied,
        (true, Some(_)) => Quick::Implied,
        (true, None) => Quick::Narrowed(var, *number),
        (false, _) => match known.without(number.umin) {
            None => Quick::Refuted,
            Some(rest) if rest.has(number.umin) => Quick::Hole(var),
            Some(rest) => Quick::Narrowed(var, rest),
        },
    }
}
