//! The Boolean structure of a condition, with negations pushed down to what has none.

use rustc_hash::FxHashSet;
use term::{Binary, Node, TermId, Terms, Unary};

/// The outermost Boolean operation of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Both.
    And(TermId, TermId),
    /// At least one of them.
    Or(TermId, TermId),
    /// `if condition { yes } else { no }`.
    Choice { condition: TermId, yes: TermId, no: TermId },
    /// No Boolean operation: an atom or its negation.
    Literal,
}

/// Looks one operation deep. Builds the negations of its operands if it must.
pub(crate) fn shape(terms: &mut Terms, condition: TermId) -> Shape {
    match terms.node(condition) {
        Node::Unary(Unary::Not, inner) => negated(terms, inner),
        Node::Binary(Binary::And, a, b) => Shape::And(a, b),
        Node::Binary(Binary::Or, a, b) => Shape::Or(a, b),
        Node::Ite(condition, yes, no) => Shape::Choice { condition, yes, no },
        // a ^ b = if a { !b } else { b }
        Node::Binary(Binary::Xor, a, b) => Shape::Choice { condition: a, yes: terms.not(b), no: b },
        Node::Binary(Binary::Eq, a, b) if terms.width(a) == 1 => {
            Shape::Choice { condition: a, yes: b, no: terms.not(b) }
        }
        _ => Shape::Literal,
    }
}

/// The shape of a negation.
fn negated(terms: &mut Terms, inner: TermId) -> Shape {
    match shape(terms, inner) {
        // !(a && b) = !a || !b    !(a || b) = !a && !b
        Shape::And(a, b) => Shape::Or(terms.not(a), terms.not(b)),
        Shape::Or(a, b) => Shape::And(terms.not(a), terms.not(b)),
        // !(if c { a } else { b }) = if c { !a } else { !b }
        Shape::Choice { condition, yes, no } => {
            Shape::Choice { condition, yes: terms.not(yes), no: terms.not(no) }
        }
        Shape::Literal => Shape::Literal,
    }
}

/// The conjuncts, from left to right, each once; none is a conjunction. A contradiction leaves `false` alone.
pub(crate) fn conjuncts(terms: &mut Terms, conditions: &[TermId]) -> Vec<TermId> {
    let mut todo: Vec<TermId> = conditions.iter().rev().copied().collect();
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    while let Some(next) = todo.pop() {
        if !seen.insert(next) || terms.value(next) == Some(1) {
            continue;
        }
        let negation = terms.not(next);
        if terms.value(next) == Some(0) || seen.contains(&negation) {
            return vec![terms.no()];
        }
        match shape(terms, next) {
            Shape::And(a, b) => todo.extend([b, a]),
            _ => found.push(next),
        }
    }
    found
}

/// The disjuncts, from left to right, each once; none is a disjunction. A tautology leaves `true` alone.
pub(crate) fn disjuncts(terms: &mut Terms, condition: TermId) -> Vec<TermId> {
    // a || b = !(!a && !b)
    let negation = terms.not(condition);
    let mut parts = conjuncts(terms, &[negation]);
    for part in &mut parts {
        *part = terms.not(*part);
    }
    parts
}

/// The conjunction of all.
pub(crate) fn and_all(terms: &mut Terms, conditions: &[TermId]) -> TermId {
    let all = conditions.iter().copied().reduce(|all, it| terms.and(all, it));
    all.unwrap_or_else(|| terms.yes())
}

/// The disjunction of all.
pub(crate) fn or_all(terms: &mut Terms, conditions: &[TermId]) -> TermId {
    let any = conditions.iter().copied().reduce(|any, it| terms.or(any, it));
    any.unwrap_or_else(|| terms.no())
}

/// The parts of a condition down to its atoms, operands before what is made of them.
pub(crate) fn skeleton(terms: &Terms, condition: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut todo = vec![condition];
    while let Some(part) = todo.pop() {
        if seen.insert(part) {
            found.push(part);
            if !is_atom(terms, part) {
                terms.for_each_operand(part, |operand| todo.push(operand));
            }
        }
    }
    // Operands are older than what is made of them.
    found.sort_unstable();
    found
}

/// Whether a condition is no Boolean operation on others.
pub(crate) fn is_atom(terms: &Terms, condition: TermId) -> bool {
    match terms.node(condition) {
        Node::Unary(Unary::Not, _) | Node::Ite(..) => false,
        Node::Binary(Binary::And | Binary::Or | Binary::Xor, ..) => false,
        Node::Binary(Binary::Eq, a, _) => terms.width(a) != 1,
        _ => true,
    }
}
