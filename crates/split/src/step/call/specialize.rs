//! What to specialize? What a caller knows of its arguments and the triples for all callers do not.
//!
//! ```text
//! [pre ∧ x ≠ y] f(x, y) [ok: q]    x = y in the caller         [pre * x ↦ F] f(x) [ok: unknown code ran]    F = g in the caller
//! ------------------------------------------------------       ---------------------------------------------------------------
//! triples of f for x = y are asked for                         triples of f for F = g are asked for
//!
//! f(n) was cut    n = 2 in the caller
//! -----------------------------------
//! triples of f for n = 2 are asked for
//! ```
//! Source: Le et al. §4.1 apply triples up to renaming; two formals that are one actual are no renaming.
//! Departure: the callee is analyzed again for such calls.

use heap::{AccessKind, Kind, Place, PreBlock, Spec, State, Symbols, VarRole};
use summary::Summary;
use term::TermId;

use super::Calling;
use crate::arena::Arena;
use crate::cx::Cx;
use world::{FnKey, Specialization};

/// Arguments that are addresses of functions on this path, or lead to one that the callee calls.
pub(super) fn known_functions(
    cx: &Cx<'_>,
    state: &State,
    calling: &Calling<'_>,
    summary: &Summary,
) -> Specialization {
    let mut how = Specialization::default();
    for (param, offset) in called_members(summary) {
        let Some(&arg) = calling.args.get(param as usize) else { continue };
        let function = match offset {
            None => function_at(state, arg),
            Some(offset) => state.block_at(arg).and_then(|block| {
                let (place, data) = (Place::at(offset), state.block(block));
                match (data.cells.iter().find(|cell| cell.place == place), data.kind) {
                    (Some(cell), _) => function_at(state, cell.value),
                    (None, Kind::Global(global) | Kind::Constant(global)) => cx.function_in(global, offset),
                    (None, _) => None,
                }
            }),
        };
        how.functions.extend(function.map(|function| (param, offset, function)));
    }
    how
}

fn function_at(state: &State, address: TermId) -> Option<FnKey> {
    match state.block(state.block_at(address)?).kind {
        Kind::Function(function) => Some(function),
        _ => None,
    }
}

/// Parameters that a callee calls, and members of what they point to: parameter, offset.
fn called_members(summary: &Summary) -> Vec<(u32, Option<i64>)> {
    let mut members = Vec::new();
    for spec in &summary.split.specs {
        let is_call = |pre: &&PreBlock| pre.accesses.first().is_some_and(|it| it.kind == AccessKind::Call);
        for called in spec.pre.iter().filter(is_call) {
            members.extend(summary.split.param(called.base).map(|param| (param, None)));
            for pre in &spec.pre {
                let Some(param) = summary.split.param(pre.base) else { continue };
                let cells = pre.cells.iter().filter(|cell| cell.value == called.base);
                let constant = cells.filter(|cell| cell.place.symbolic.is_none());
                members.extend(constant.map(|cell| (param, Some(cell.place.offset))));
            }
        }
    }
    members.sort_unstable();
    members.dedup();
    members
}

/// Arguments that are small numbers on this path, or null, if the callee has loops or recursion that were cut: with them, they may come to their end.
pub(super) fn known_constants(
    cx: &Cx<'_>,
    arena: &Arena,
    state: &State,
    calling: &Calling<'_>,
    summary: &Summary,
) -> Specialization {
    if !summary.split.cut {
        return Specialization::default();
    }
    // What takes more rounds than are followed is cut anyway.
    let most = u128::from(cx.options.unroll) + 1;
    let mut constants = Vec::new();
    let mut counts = false;
    for (at, (&arg, &operand)) in (0..).zip(calling.args.iter().zip(&calling.call.args)) {
        let known = arena.terms.value(arg).or_else(|| state.path.facts.range(&arena.terms, arg).constant());
        let is_pointer = cx.body.ty(operand) == ir::Type::Ptr;
        let Some(number) = known.filter(|&number| number == 0 || !is_pointer && number <= most) else {
            continue;
        };
        counts |= number != 0;
        constants.push((at, number));
    }
    if !counts {
        constants.clear();
    }
    Specialization { constants, ..Specialization::default() }
}

/// Which parameters are equal, or point into a global, in a call whose callee took them for different.
pub(super) fn alias_pattern(
    arena: &Arena,
    calling: &Calling<'_>,
    summary: &Summary,
    (spec, a, b): (&Spec, usize, usize),
) -> Option<Specialization> {
    let (a, b) = (spec.pre[a].base, spec.pre[b].base);
    match (summary.split.param(a), summary.split.param(b)) {
        (Some(a), Some(b)) => {
            let (earlier, later) = (a.min(b), a.max(b));
            let is_equal = calling.args.get(earlier as usize)? == calling.args.get(later as usize)?;
            is_equal.then(|| Specialization { equal: vec![(later, earlier)], ..Specialization::default() })
        }
        (Some(param), None) | (None, Some(param)) => {
            let linear = arena.terms.linear(*calling.args.get(param as usize)?);
            let [only] = linear.monomials.as_slice() else { return None };
            let VarRole::Global(global) = arena.role_of(only.base)? else { return None };
            let globals = vec![(param, global, linear.constant as i64)];
            (only.coefficient == 1).then(|| Specialization { globals, ..Specialization::default() })
        }
        (None, None) => None,
    }
}
