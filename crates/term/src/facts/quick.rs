//! The shortest way for what most branches are: a variable compared with a number.
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
    /// It is no comparison of a variable with a number, or the variable has a link.
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

/// What a literal comes to, if it is a comparison of a variable with a number.
pub(super) fn examine(reader: Reader<'_>, literal: Literal) -> Quick {
    let Node::Binary(op @ (Binary::Eq | Binary::Ult | Binary::Slt), a, b) = reader.terms.node(literal.atom)
    else {
        return Quick::Other;
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
    let known = match reader.info(var) {
        None => Range::full(width),
        Some(info) if info.has_link() => return Quick::Other,
        Some(info) => info.range,
    };
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
