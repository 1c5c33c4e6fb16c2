//! What both sides of a disjunction say of one term: `x == 1 || x == 2` bounds `x`, though neither side is
//! refuted.

use base::limits;

use super::back;
use super::propagate::{RuleResult, Work, narrowed};
use super::range::{RANGE_BITS, Range};
use crate::arena::{TermId, Terms};
use crate::node::{Binary, Node, Unary};

// x ∈ A ∨ x ∈ B  ⊢  x ∈ A ⊔ B
pub(super) fn hull(work: &mut Work<'_>, a: TermId, b: TermId, truth: bool) -> RuleResult {
    let mut fuel = limits::FACTS_NODES;
    let Some((term, first)) = stated(work.terms, a, truth, &mut fuel) else { return Ok(()) };
    match stated(work.terms, b, truth, &mut fuel) {
        Some((other, second)) if other == term => back::push_down(work, term, &first.join(&second)),
        _ => Ok(()),
    }
}

/// The range of a term that a condition states by comparing it with numbers.
fn stated(terms: &Terms, condition: TermId, truth: bool, fuel: &mut u32) -> Option<(TermId, Range)> {
    *fuel = fuel.checked_sub(1)?;
    match terms.node(condition) {
        Node::Unary(Unary::Not, a) => stated(terms, a, !truth, fuel),
        Node::Binary(op @ (Binary::And | Binary::Or), a, b) => {
            let (first, second) = (stated(terms, a, truth, fuel), stated(terms, b, truth, fuel));
            let is_conjunction = (op == Binary::And) == truth;
            match (first, second) {
                (Some((x, one)), Some((y, other))) if x == y && is_conjunction => {
                    Some((x, one.meet(&other)?))
                }
                (Some((x, one)), Some((y, other))) if x == y => Some((x, one.join(&other))),
                (Some(one), None) | (None, Some(one)) if is_conjunction => Some(one),
                _ => None,
            }
        }
        Node::Binary(op @ (Binary::Eq | Binary::Ult | Binary::Slt), a, b) if terms.width(a) <= RANGE_BITS => {
            compared(terms, op, (a, b), truth)
        }
        _ => None,
    }
}

fn compared(terms: &Terms, op: Binary, (a, b): (TermId, TermId), truth: bool) -> Option<(TermId, Range)> {
    let width = terms.width(a);
    let full = Range::full(width);
    match (op, terms.value(a), terms.value(b)) {
        (Binary::Eq, None, Some(value)) if truth => Some((a, Range::of(width, value as u64))),
        (Binary::Eq, None, Some(value)) => Some((a, full.without(value as u64)?)),
        (Binary::Eq, ..) => None,
        (_, None, Some(value)) => Some((a, narrowed(op, &full, &Range::of(width, value as u64), truth)?.0)),
        (_, Some(value), None) => Some((b, narrowed(op, &Range::of(width, value as u64), &full, truth)?.1)),
        _ => None,
    }
}
