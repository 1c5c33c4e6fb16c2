//! What does unknown code do? Any result; memory behind pointers may be written, and pointers kept.
//!
//! ```text
//! [emp] x := unknown(p) [ok: x = _ * what p points to is forgotten]
//! ```
//! Source: Le et al. §4.1 (skipped calls); departures in `heap::give`.

use catalog::Need;
use heap::path::Reason;
use heap::{Choice, Given, Source, VarRole, Written};
use ir::{ParamAttrs, Type};
use smallvec::SmallVec;
use term::{Origin, TermId};

use super::{Calling, set_results};
use crate::arena::Arena;
use crate::cx::Cx;
use crate::flow::Flow;
use crate::outcome::{Ends, Outcomes};
use crate::uninit::check_defined;

/// Code that nobody knows.
pub(crate) fn call_unknown(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    calling: &Calling<'_>,
    (name, origin): (&str, Origin),
) -> Outcomes {
    if is_noreturn(cx, calling) {
        return Ends::exit(flow.state).into();
    }
    if let Some(ends) = passes_unwritten_pointer(cx, arena, &flow, calling) {
        return ends.into();
    }
    let results = match answered_again(cx, arena, &mut flow, calling) {
        Some(again) => SmallVec::from_slice(&[again]),
        None => {
            let_write(cx, arena, &mut flow, calling, Written::Unknown);
            unknown_results(cx, arena, &mut flow, calling, (name, origin))
        }
    };
    set_results(cx, arena, &mut flow, calling.inst, &results);
    Outcomes::one(flow)
}

/// What unknown code that writes nothing returns if the path has asked it the same before: the same, if it reads nothing either; else nobody knows.
///
/// ```c
/// int is_verbose(void) __attribute__((const));
/// ```
fn answered_again(cx: &Cx<'_>, arena: &mut Arena, flow: &mut Flow, calling: &Calling<'_>) -> Option<TermId> {
    let id = calling.declared?;
    let is_answer = |&term: &TermId| {
        arena.answers.get(&term).is_some_and(|(asked, args)| *asked == id && *args == *calling.args)
    };
    let known = flow.state.choices.iter().filter_map(|choice| choice.term()).find(is_answer)?;
    match declared_memory(cx, calling).reads_nothing() {
        true => Some(known),
        false => {
            let width = arena.terms.width(known);
            Some(arena.not_followed(&mut flow.state, width))
        }
    }
}

/// What the declaration of the callee says it does with memory.
pub(crate) fn declared_memory(cx: &Cx<'_>, calling: &Calling<'_>) -> ir::MemoryEffects {
    calling.declared.map(|id| cx.module.functions[id].attrs.memory).unwrap_or_default()
}

/// The error, if a pointer that is passed was never written. Numbers may be passed without being looked at, and parts of structures are left unwritten; who passes a pointer
/// means something by it.
fn passes_unwritten_pointer(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &Flow,
    calling: &Calling<'_>,
) -> Option<Ends> {
    (0..calling.args.len()).find_map(|at| {
        let is_pointer = calling.call.args.get(at).is_some_and(|&arg| cx.body.ty(arg) == Type::Ptr);
        let is_looked_at = is_pointer && promises(cx, calling, at).noundef;
        if is_looked_at {
            check_defined(cx, arena, &flow.state, calling.args[at], Need::Argument)
        } else {
            None
        }
    })
}

pub(super) fn is_noreturn(cx: &Cx<'_>, calling: &Calling<'_>) -> bool {
    let declared = calling.declared.map(|id| &cx.module.functions[id]);
    calling.call.noreturn || declared.is_some_and(|function| function.attrs.noreturn)
}

/// Memory behind the pointers that are passed, and all that code elsewhere may know, may be written.
pub(super) fn let_write(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &mut Flow,
    calling: &Calling<'_>,
    how: Written,
) {
    let memory = declared_memory(cx, calling);
    let here = cx.here();
    let mut is_changed = false;
    for (at, &pointer) in calling.args.iter().enumerate() {
        let attrs = promises(cx, calling, at);
        let may_write = memory.args.write && !attrs.readonly;
        let written = if may_write { how } else { Written::No };
        // Who writes nothing keeps nothing.
        let kept = !memory.writes_nothing() && !attrs.nocapture;
        is_changed |= arena.give_away(&mut flow.state, Given { pointer, written, kept }, here);
    }
    if memory.other.write {
        is_changed |= arena.expose(&mut flow.state, here);
    }
    if is_changed {
        flow.state.choose(Choice::Opaque);
    }
}

/// What is promised of an argument, by the call or by the declaration.
fn promises(cx: &Cx<'_>, calling: &Calling<'_>, at: usize) -> ParamAttrs {
    let declared = calling.declared.map(|id| &cx.module.functions[id]);
    let of_param = declared.and_then(|function| function.param_attrs.get(at)).copied().unwrap_or_default();
    let of_arg = calling.call.arg_attrs.get(at).copied().unwrap_or_default();
    ParamAttrs {
        readonly: of_param.readonly || of_arg.readonly,
        nocapture: of_param.nocapture || of_arg.nocapture,
        noundef: of_param.noundef || of_arg.noundef,
        ..of_param
    }
}

fn unknown_results(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &mut Flow,
    calling: &Calling<'_>,
    (name, origin): (&str, Origin),
) -> SmallVec<[TermId; 2]> {
    let mut results = SmallVec::new();
    for result in cx.body.results(calling.inst) {
        let ty = cx.body.values[result].ty;
        let source = Source { made: cx.here(), origin: catalog::Origin::Returned(name.to_owned()) };
        let name = format!("{name}()");
        let term = arena.fresh(cx.width(ty), origin, &name, VarRole::Local, Some(source));
        if ty == Type::Ptr {
            arena.note_pointer(term);
        }
        flow.state.choose(Choice::Value(term));
        results.push(term);
    }
    let declared = calling.declared.map(|id| &cx.module.functions[id]);
    let nonnull = declared.and_then(|it| it.result_attrs.first()).is_some_and(|attrs| attrs.nonnull);
    if let (true, Some(&first)) = (nonnull, results.first()) {
        let nonzero = arena.terms.nonzero(first);
        let _ = arena.assume_here(cx, flow, (nonzero, Reason::Choice));
    }
    if let (Some(id), true) = (calling.declared, declared_memory(cx, calling).writes_nothing()) {
        let asked = (id, calling.args.to_vec());
        results.iter().for_each(|&result| drop(arena.answers.insert(result, asked.clone())));
    }
    results
}
