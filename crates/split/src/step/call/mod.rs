//! Calls. Which callee: who is called, and by which of the ways its effect is known.
//!
//! ```text
//! f ∈ targets(call)    its triples, its model, or nothing is known
//! ---------------------------------------------------------------
//! Eval(p, call) = ⋃ Eval(p, f(args))
//! ```
//! The other questions about a call have a file each: which triple ([`triples`], with [`known`]), what to
//! specialize ([`specialize`]), what is left uncovered ([`uncovered`]), who is to blame ([`blame`]), and what
//! unknown code does ([`unknown`]).

mod blame;
mod known;
mod specialize;
mod triples;
mod uncovered;
mod unknown;

pub(super) use unknown::{call_unknown, declared_memory};

use heap::path::Reason;
use heap::{AccessKind, Kind, VarRole};
use ir::{Call, CallId, Callee, FuncId, InstId, Operand, Type};
use summary::Summary;
use term::{Origin, TermId};

use super::access::access;
use super::model::call_model;
use crate::arena::Arena;
use crate::cx::Cx;
use crate::errors::Accessed;
use crate::flow::Flow;
use crate::outcome::{Ends, Outcomes};
use world::{FnKey, Knowledge};

/// A call under way.
#[derive(Clone)]
pub(super) struct Calling<'c> {
    pub(super) inst: InstId,
    pub(super) call: &'c Call,
    pub(super) id: CallId,
    pub(super) args: Vec<TermId>,
    /// The declaration of the callee, if the call names it.
    pub(super) declared: Option<FuncId>,
}

/// What becomes of a path behind a call.
pub(super) fn call(cx: &Cx<'_>, arena: &mut Arena, mut flow: Flow, inst: InstId, id: CallId) -> Outcomes {
    let call = &cx.body.calls[id];
    let args: Vec<TermId> = call.args.iter().map(|&arg| arena.operand(cx, &mut flow, arg)).collect();
    let mut calling = Calling { inst, call, id, args, declared: None };
    match call.callee {
        Callee::Func(function) => {
            calling.declared = Some(function);
            call_any(cx, arena, flow, &calling, &cx.world.function(cx.unit, function))
        }
        Callee::Ptr(pointer) => {
            let address = arena.operand(cx, &mut flow, pointer);
            call_pointer(cx, arena, flow, &calling, (pointer, address))
        }
        Callee::Asm(_) => call_unknown(cx, arena, flow, &calling, ("inline assembly", Origin::UnknownCall)),
    }
}

/// Whichever of some functions is called.
fn call_any(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    calling: &Calling<'_>,
    targets: &[FnKey],
) -> Outcomes {
    let mut outcomes = Outcomes::default();
    for &target in targets {
        let mut behind = call_function(cx, arena, flow.clone(), calling, target);
        if cx.world.never_returns_null(target) {
            behind.next.retain_mut(|flow| is_without_null(cx, arena, flow, calling));
        }
        outcomes.add(behind);
    }
    outcomes
}

fn call_function(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    calling: &Calling<'_>,
    target: FnKey,
) -> Outcomes {
    match cx.world.callee(target) {
        // Raad et al. §5: calls are skipped.
        Knowledge::Summary(_) if cx.options.intraprocedural => {
            call_unknown(cx, arena, flow, calling, (&cx.world.name(target), Origin::UnknownCall))
        }
        Knowledge::Summary(summary) => {
            let_varargs_escape(arena, &mut flow, calling, &summary);
            match summary.split.gave_up {
                false => triples::call_summary(cx, arena, flow, calling, &summary),
                true => {
                    let mut outcomes = uncovered::call_given_up(cx, arena, flow, calling, &summary);
                    outcomes.ends.unknown_calls.push(target);
                    outcomes
                }
            }
        }
        Knowledge::Model(model) => call_model(cx, arena, flow, calling, model),
        Knowledge::Unknown => {
            // The project knows a function that is nowhere defined by the linker's name; its declaration has the user's.
            let declared =
                calling.declared.map(|id| cx.module.symbols.resolve(cx.module.functions[id].pretty));
            let name = declared.map(|name| ir::names::without_params(name).to_owned());
            let name = name.unwrap_or_else(|| cx.world.name(target));
            let mut outcomes = call_unknown(cx, arena, flow, calling, (&name, Origin::UnknownCall));
            outcomes.ends.unknown_calls.push(target);
            outcomes
        }
    }
}

/// What a function takes out of its variadic arguments may be anywhere behind the call.
fn let_varargs_escape(arena: &Arena, flow: &mut Flow, calling: &Calling<'_>, summary: &Summary) {
    let n_params = calling.call.signature.params.len();
    if let Some(varargs) = calling.args.get(n_params..).filter(|_| summary.split.takes_varargs) {
        arena.let_escape(&mut flow.state, varargs);
    }
}

/// Whether the first result of the call can be other than null: the user says that it is.
fn is_without_null(cx: &Cx<'_>, arena: &mut Arena, flow: &mut Flow, calling: &Calling<'_>) -> bool {
    let Some(result) = cx.body.results(calling.inst).next() else { return true };
    let term = arena.operand(cx, flow, result.into());
    let nonzero = arena.terms.nonzero(term);
    arena.assume_here(cx, flow, (nonzero, Reason::Choice))
}

/// A call through a pointer: whatever functions it can be on this path.
fn call_pointer(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    calling: &Calling<'_>,
    (pointer, address): (Operand, TermId),
) -> Outcomes {
    called(cx, arena, &flow, (Some(pointer), address)).then(|(flow, function)| match function {
        Some(function) => call_any(cx, arena, flow, calling, &[function]),
        None => call_elsewhere(cx, arena, flow, calling, address),
    })
}

/// A library function calls what it got. What it does about null is its own business.
pub(super) fn call_function_at(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    calling: &Calling<'_>,
    address: TermId,
) -> Outcomes {
    let called = called(cx, arena, &flow, (None, address));
    Outcomes { ends: Ends::default(), ..called }.then(|(flow, function)| match function {
        Some(function) => call_any(cx, arena, flow, calling, &[function]),
        None => call_unknown(cx, arena, flow, calling, ("a function pointer", Origin::UnknownCall)),
    })
}

/// The functions that an address is that of, as far as the path tells.
fn called(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &Flow,
    (operand, address): (Option<Operand>, TermId),
) -> Outcomes<(Flow, Option<FnKey>)> {
    let accessed = Accessed { address, operand, bytes: 1, kind: AccessKind::Call, by: "" };
    access(cx, arena, flow, &accessed).map(|(flow, at)| {
        let function = match flow.state.block(at.block).kind {
            Kind::Function(function) => Some(function),
            _ => None,
        };
        (flow, function)
    })
}

/// A call through a pointer that came from elsewhere: to the function that the project puts there, if it puts one there and no other.
///
/// Which of several it is would be for the caller to choose.
fn call_elsewhere(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    calling: &Calling<'_>,
    address: TermId,
) -> Outcomes {
    match cx.world.targets(calling.id).as_slice() {
        [target] => call_any(cx, arena, flow, calling, &[*target]),
        _ => {
            let origin = if is_passed(cx, arena, address) { Origin::Callback } else { Origin::UnknownCall };
            call_unknown(cx, arena, flow, calling, ("a function pointer", origin))
        }
    }
}

/// Whether the caller passes a pointer, itself or in memory that it passes. Nobody calls `main`.
fn is_passed(cx: &Cx<'_>, arena: &Arena, pointer: TermId) -> bool {
    let Some(var) = arena.as_var(pointer).filter(|_| !cx.callers.is_main) else { return false };
    match arena.roles()[var] {
        VarRole::Param(_) => true,
        VarRole::Local if arena.terms.var(var).origin == Origin::InitialMemory => {
            let mut holders = arena.initial_contents().filter(|(_, content)| *content == pointer);
            holders.any(|(base, _)| base != pointer && is_passed(cx, arena, base))
        }
        _ => false,
    }
}

/// Sets the results of a call. The caller may have another idea of their types than the callee.
pub(super) fn set_results(cx: &Cx<'_>, arena: &mut Arena, flow: &mut Flow, inst: InstId, terms: &[TermId]) {
    for (at, result) in cx.body.results(inst).enumerate() {
        let ty = cx.body.values[result].ty;
        let term = match terms.get(at) {
            Some(&term) => arena.resized(term, cx.width(ty)),
            None => arena.unknown(cx, ty, "a missing result"),
        };
        if ty == Type::Ptr {
            arena.note_pointer_variable(term);
        }
        flow.set(result, term);
    }
}
