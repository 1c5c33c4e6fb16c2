//! Calls of library functions: the cases of their models.
//!
//! ```text
//! case ∈ model    [when] f [ok: effects; ret]
//! --------------------------------------------
//! (ok, m, q) ∈ Eval(p, f(args))
//! ```
//! Departure from Le et al. §4.1: a model is data that is interpreted here, not a triple, because lengths of
//! copies and strings are arguments; each access goes by the same rule as that of an instruction
//! ([`heap::access()`]).

mod effects;
mod format;
mod free;
mod new;
mod value;

use catalog::Need;
use heap::path::Reason;
use heap::{Content, PreBlock, Spec, VarRole};
use models::{Arg, Case, Model, NoReturn, Ret, Size, Test};
use summary::Summary;
use term::{Origin, TermId};

use super::call::{Calling, call_function_at, call_unknown, set_results};
use crate::arena::Arena;
use crate::cx::Cx;
use crate::errors;
use crate::flow::Flow;
use crate::outcome::{Ends, Outcomes};
use crate::uninit::check_defined;
use world::Knowledge;

/// What becomes of a path behind a call of a library function.
pub(super) fn call_model(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    calling: &Calling<'_>,
    model: &Model,
) -> Outcomes {
    if !model.fits(calling.args.len()) {
        return call_unknown(cx, arena, flow, calling, (&model.name, Origin::UnknownCall));
    }
    let undefined = has_undefined_size(cx, arena, &flow, calling, model);
    if let Some(ends) = undefined.or_else(|| tests_undefined(cx, arena, &flow, calling, model)) {
        return ends.into();
    }
    let mut outcomes = Outcomes::default();
    for case in &model.cases {
        let mut flow = flow.clone();
        if case.when.iter().all(|&test| assume_test(cx, arena, &mut flow, calling, test)) {
            outcomes.add(call_case(cx, arena, flow, calling, (model, case)));
        }
    }
    outcomes
}

/// The error, if the size of a new block was never written: it is that of the path, whether the allocation fails or not.
fn has_undefined_size(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &Flow,
    calling: &Calling<'_>,
    model: &Model,
) -> Option<Ends> {
    let mut checked = Vec::new();
    for case in &model.cases {
        let args = match case.ret {
            Ret::New { size: Size::Arg(at), .. } => [Some(at), None],
            Ret::New { size: Size::Product(a, b), .. } => [Some(a), Some(b)],
            _ => [None, None],
        };
        for at in args.into_iter().flatten() {
            let Some(&size) = calling.args.get(at).filter(|_| !checked.contains(&at)) else { continue };
            if let Some(ends) = check_defined(cx, arena, &flow.state, size, Need::BlockSize) {
                return Some(ends);
            }
            checked.push(at);
        }
    }
    None
}

/// The error, if an argument that decides what happens was never written: `realloc(p, 8)` looks whether `p` is null.
fn tests_undefined(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &Flow,
    calling: &Calling<'_>,
    model: &Model,
) -> Option<Ends> {
    let tests = model.cases.iter().flat_map(|case| &case.when);
    let mut tested: Vec<usize> = tests.map(|&(Test::Zero(at) | Test::NonZero(at))| at).collect();
    tested.sort_unstable();
    tested.dedup();
    let args = calling.args.iter().zip(&calling.call.args);
    let mut args = args.enumerate().filter(|(at, _)| tested.contains(at));
    args.find_map(|(_, (&arg, &operand))| {
        let need = if cx.body.ty(operand) == ir::Type::Ptr { Need::Address } else { Need::Argument };
        check_defined(cx, arena, &flow.state, arg, need)
    })
}

fn assume_test(cx: &Cx<'_>, arena: &mut Arena, flow: &mut Flow, calling: &Calling<'_>, test: Test) -> bool {
    let (at, zero) = match test {
        Test::Zero(at) => (at, true),
        Test::NonZero(at) => (at, false),
    };
    let Some(&arg) = calling.args.get(at) else { return true };
    let is_zero = arena.terms.is_zero(arg);
    let term = if zero { is_zero } else { arena.terms.not(is_zero) };
    arena.assume_here(cx, flow, (term, Reason::Choice))
}

/// One case of a model: its effects, one after the other, and then its end.
fn call_case(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    calling: &Calling<'_>,
    (model, case): (&Model, &Case),
) -> Outcomes {
    let mut outcomes = Outcomes::one(flow);
    for effect in &case.effects {
        let args = match effect.arg {
            Arg::At(at) => at..at + 1,
            Arg::Rest => model.params.unwrap_or(0)..calling.args.len(),
        };
        for at in args {
            outcomes = outcomes.then(|flow| effects::effect(cx, arena, flow, calling, (effect, at)));
        }
    }
    outcomes.then(|flow| match model.noreturn {
        Some(NoReturn::Exit | NoReturn::Abort) => Ends::exit(flow.state).into(),
        Some(NoReturn::AssertFailure) => assertion(cx, arena, flow).into(),
        Some(NoReturn::Jump) => Outcomes::default(),
        None => return_behind_others(cx, arena, flow, calling, (model, case)),
    })
}

/// An assertion that tests what the environment chose is the programmer's own check.
fn assertion(cx: &Cx<'_>, arena: &mut Arena, flow: Flow) -> Ends {
    let is_own = flow.tested.is_some_and(|term| arena.is_chosen(term));
    match is_own {
        true => Ends::exit(flow.state),
        false => Ends::error(errors::assertion_fails(cx, arena, flow.state, flow.tested.is_some())),
    }
}

/// Other code of the program runs before the function returns, if it is one of those.
fn return_behind_others(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    calling: &Calling<'_>,
    case: (&Model, &Case),
) -> Outcomes {
    let habits = case.0.habits;
    if let Some(&function) = habits.runs.and_then(|at| calling.args.get(at)) {
        let alone = Calling { args: Vec::new(), declared: None, ..*calling };
        let n_before = flow.state.n_blocks();
        return call_function_at(cx, arena, flow, &alone, function).then(|mut flow| {
            // What it makes is made once, and for ever.
            let made = (n_before..flow.state.n_blocks()).map(base::Id::new);
            made.for_each(|block| flow.state.block_mut(block).escaped = true);
            return_case(cx, arena, flow, calling, case)
        });
    }
    if habits.others || gets_a_writer(cx, arena, calling) {
        arena.expose(&mut flow.state, cx.here());
    }
    return_case(cx, arena, flow, calling, case)
}

/// Whether a library function gets the address of a function of the project that may write variables of the program.
fn gets_a_writer(cx: &Cx<'_>, arena: &Arena, calling: &Calling<'_>) -> bool {
    let mut called = calling.args.iter().filter_map(|&arg| match arena.role_of(arg)? {
        VarRole::Function(function) => Some(cx.world.callee(function)),
        _ => None,
    });
    called.any(|callee| match callee {
        Knowledge::Model(_) => false,
        Knowledge::Unknown => true,
        Knowledge::Summary(it) => {
            it.split.gave_up
                || it.split.incomplete
                || it.split.specs.iter().any(|spec| writes_beyond_params(&it, spec))
        }
    })
}

/// Whether a triple changes memory of the program that it was not given.
fn writes_beyond_params(summary: &Summary, spec: &Spec) -> bool {
    let is_changed = |pre: &PreBlock| {
        let post = &spec.post[base::Id::index(pre.block)];
        post.rest != Content::Initial || post.cells.iter().any(|cell| !pre.cells.contains(cell))
    };
    spec.exposed || spec.pre.iter().any(|pre| summary.split.param(pre.base).is_none() && is_changed(pre))
}

fn return_case(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    calling: &Calling<'_>,
    (model, case): (&Model, &Case),
) -> Outcomes {
    let Some(result) = cx.body.results(calling.inst).next() else {
        if let Ret::New { .. } = case.ret {
            // The result is thrown away: the block is lost at once.
            let width = arena.pointer_bits();
            let _ = value::value_of(cx, arena, &mut flow, calling, (model, &case.ret, width));
        }
        return Outcomes::one(flow);
    };
    let width = cx.width(cx.body.values[result].ty);
    let mut outcomes = Outcomes::default();
    if model.habits.again {
        outcomes.next.extend(return_again(cx, arena, flow.clone(), calling, width));
    }
    if let Some(term) = value::value_of(cx, arena, &mut flow, calling, (model, &case.ret, width)) {
        let term: TermId = arena.resized(term, width);
        set_results(cx, arena, &mut flow, calling.inst, &[term]);
        outcomes.next.push(flow);
    }
    outcomes
}

/// `setjmp` returns from `longjmp`: what was written meanwhile is not followed.
fn return_again(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    calling: &Calling<'_>,
    width: u32,
) -> Option<Flow> {
    let number = arena.not_followed(&mut flow.state, width);
    let nonzero = arena.terms.nonzero(number);
    arena.assume_here(cx, &mut flow, (nonzero, Reason::Branch)).then(|| {
        set_results(cx, arena, &mut flow, calling.inst, &[number]);
        flow
    })
}
