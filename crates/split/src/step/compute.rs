//! Instructions that only compute.
//!
//! ```text
//! [emp] x := e [ok: x = e]          [b ≠ 0] x := a / b [ok: x = a / b]          [b = 0] x := a / b [er: div-by-zero]
//! ```
//! Source: Le et al. Fig. 3 (assignment). Departures: (1) a path on which C leaves the operation undefined is
//! dropped: that it is defined is noted, and asked with everything else; (2) what is not expressible, or too
//! large a term, is a value that is not followed.

use catalog::Need;
use heap::path::Reason;
use ir::{ArithFlags, BinOp, CastOp, CmpOp, InstId, Operand, Type, UnOp, VarId};
use term::{Origin, TermId};

use super::access::possible_error;
use crate::arena::Arena;
use crate::cx::Cx;
use crate::errors;
use crate::flow::Flow;
use crate::outcome::{Ends, Outcomes};
use crate::uninit::check_defined;

/// Sets the only result of an instruction.
pub(super) fn set(cx: &Cx<'_>, flow: &mut Flow, id: InstId, term: TermId) {
    let result = cx.body.insts[id].first_result;
    flow.set(result, term);
}

/// Goes on with a value; with one that is not followed if it is not expressible, or too large.
fn computed(cx: &Cx<'_>, arena: &mut Arena, mut flow: Flow, id: InstId, value: Option<TermId>) -> Outcomes {
    let result = cx.body.insts[id].first_result;
    let term = match value {
        Some(term) if !arena.is_too_large(term) => term,
        _ => {
            let width = cx.width(cx.body.values[result].ty);
            arena.not_followed(&mut flow.state, width)
        }
    };
    flow.set(result, term);
    Outcomes::one(flow)
}

pub(super) fn assign(cx: &Cx<'_>, arena: &mut Arena, mut flow: Flow, id: InstId, value: Operand) -> Outcomes {
    let term = arena.operand(cx, &mut flow, value);
    set(cx, &mut flow, id, term);
    if let (true, ir::Inst::Assign { var, .. }) = (cx.callers.is_main, &cx.body.insts[id].inst) {
        flow.held.insert(*var, term);
    }
    Outcomes::one(flow)
}

pub(super) fn uninit(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    id: InstId,
    var: Option<VarId>,
) -> Outcomes {
    let name = var.map_or("", |var| cx.module.symbols.resolve(cx.body.vars[var].name)).to_owned();
    let ty = cx.body.values[cx.body.insts[id].first_result].ty;
    let width = cx.width(ty);
    let term = arena.local(width, Origin::Uninit, &name);
    set(cx, &mut flow, id, term);
    Outcomes::one(flow)
}

pub(super) fn nondet(cx: &Cx<'_>, arena: &mut Arena, mut flow: Flow, id: InstId) -> Outcomes {
    for result in cx.body.results(id) {
        let width = cx.width(cx.body.values[result].ty);
        let term = arena.not_followed(&mut flow.state, width);
        flow.set(result, term);
    }
    Outcomes::one(flow)
}

pub(super) fn unary(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    id: InstId,
    (op, arg): (UnOp, Operand),
) -> Outcomes {
    let arg = arena.operand(cx, &mut flow, arg);
    let value = operations::unary(&mut arena.terms, op, arg);
    computed(cx, arena, flow, id, value)
}

pub(super) fn binary(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    id: InstId,
    ((op, flags), (lhs, rhs)): ((BinOp, ArithFlags), (Operand, Operand)),
) -> Outcomes {
    let (a, b) = (arena.operand(cx, &mut flow, lhs), arena.operand(cx, &mut flow, rhs));
    match op {
        BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => divisible(cx, arena, flow, (rhs, b))
            .then(|flow| calculated(cx, arena, flow, id, ((op, flags), (a, b)))),
        BinOp::And | BinOp::Or | BinOp::Shl | BinOp::LShr | BinOp::AShr => {
            let_bits_escape(arena, &mut flow, &[a, b]);
            calculated(cx, arena, flow, id, ((op, flags), (a, b)))
        }
        _ => calculated(cx, arena, flow, id, ((op, flags), (a, b))),
    }
}

/// The path goes on with the result of an operation, if C defines it.
fn calculated(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    id: InstId,
    ((op, flags), (a, b)): ((BinOp, ArithFlags), (TermId, TermId)),
) -> Outcomes {
    let value = operations::binary(&mut arena.terms, op, a, b);
    for undefined in operations::undefined(&mut arena.terms, op, flags, a, b) {
        let condition = arena.terms.not(undefined);
        if arena.terms.value(condition) == Some(0)
            || flow.state.path.facts.decide(&arena.terms, condition) == Some(false)
        {
            // C leaves this path undefined; nothing is claimed about it from here on.
            return Ends::cut(flow.state).into();
        }
        flow.state.path.define(&arena.terms, condition);
    }
    computed(cx, arena, flow, id, value)
}

/// `[b ≠ 0] a / b [ok: …]    [b = 0] a / b [er: div-by-zero]`
fn divisible(cx: &Cx<'_>, arena: &mut Arena, flow: Flow, (rhs, divisor): (Operand, TermId)) -> Outcomes {
    if let Some(ends) = check_defined(cx, arena, &flow.state, divisor, Need::Divisor) {
        return ends.into();
    }
    let is_zero = arena.terms.is_zero(divisor);
    let wrong = |arena: &mut Arena, state| errors::division_by_zero(cx, arena, state, (rhs, divisor));
    possible_error(cx, arena, flow, (is_zero, divisor), &wrong)
}

/// The bits of a pointer are changed: who changes them back has the pointer again, but does not look like it.
///
/// ```c
/// uintptr_t tagged = (uintptr_t)node | 1;
/// ```
fn let_bits_escape(arena: &Arena, flow: &mut Flow, operands: &[TermId]) {
    let is_address = |term: &&TermId| {
        let vars = || arena.terms.vars_of(**term);
        arena.terms.width(**term) == arena.pointer_bits()
            && vars().iter().any(|&var| arena.is_pointer(arena.terms.var_term(var)))
    };
    let addresses: Vec<TermId> = operands.iter().filter(is_address).copied().collect();
    if !addresses.is_empty() {
        arena.let_escape(&mut flow.state, &addresses);
    }
}

pub(super) fn funnel(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    id: InstId,
    (left, args): (bool, [Operand; 3]),
) -> Outcomes {
    let [high, low, amount] = args.map(|arg| arena.operand(cx, &mut flow, arg));
    let term = operations::funnel(&mut arena.terms, left, high, low, amount);
    set(cx, &mut flow, id, term);
    Outcomes::one(flow)
}

pub(super) fn compare(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    id: InstId,
    (op, lhs, rhs): (CmpOp, Operand, Operand),
) -> Outcomes {
    let (a, b) = (arena.operand(cx, &mut flow, lhs), arena.operand(cx, &mut flow, rhs));
    let value = operations::compare(&mut arena.terms, op, a, b);
    computed(cx, arena, flow, id, value)
}

pub(super) fn cast(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    id: InstId,
    (op, arg): (CastOp, Operand),
) -> Outcomes {
    let arg = arena.operand(cx, &mut flow, arg);
    let ty = cx.body.values[cx.body.insts[id].first_result].ty;
    let width = cx.width(ty);
    let value = operations::cast(&mut arena.terms, op, arg, width);
    if let (Type::Ptr, Some(term)) = (ty, value) {
        arena.note_pointer_variable(term);
    }
    computed(cx, arena, flow, id, value)
}

pub(super) fn select(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    id: InstId,
    args: [Operand; 3],
) -> Outcomes {
    let [cond, on_true, on_false] = args.map(|arg| arena.operand(cx, &mut flow, arg));
    let term = arena.terms.ite(cond, on_true, on_false);
    set(cx, &mut flow, id, term);
    Outcomes::one(flow)
}

pub(super) fn freeze(cx: &Cx<'_>, arena: &mut Arena, mut flow: Flow, id: InstId, arg: Operand) -> Outcomes {
    let arg = arena.operand(cx, &mut flow, arg);
    let term = arena.frozen(arg);
    set(cx, &mut flow, id, term);
    Outcomes::one(flow)
}

pub(super) fn ptr_add(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    id: InstId,
    (base, index, scale): (Operand, Operand, u64),
) -> Outcomes {
    let (base, index) = (arena.operand(cx, &mut flow, base), arena.operand(cx, &mut flow, index));
    let pointer_bits = arena.pointer_bits();
    let scale = arena.terms.constant(pointer_bits, scale.into());
    let index = signed_size(arena, index);
    let offset = arena.terms.mul(index, scale);
    let term = arena.terms.add(base, offset);
    set(cx, &mut flow, id, term);
    Outcomes::one(flow)
}

/// A number as an index, with its sign.
fn signed_size(arena: &mut Arena, term: TermId) -> TermId {
    let pointer_bits = arena.pointer_bits();
    if arena.terms.width(term) < pointer_bits {
        arena.terms.sext(term, pointer_bits)
    } else {
        arena.terms.trunc(term, pointer_bits)
    }
}

pub(super) fn assumption(cx: &Cx<'_>, arena: &mut Arena, mut flow: Flow, cond: Operand) -> Outcomes {
    let term = arena.operand(cx, &mut flow, cond);
    // What is assumed about values that were never written is no condition of the path.
    let term = arena.frozen(term);
    let goes_on = arena.assume_here(cx, &mut flow, (term, Reason::Needed));
    Outcomes::all(goes_on.then_some(flow).into_iter().collect())
}
