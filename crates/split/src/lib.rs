//! Engine 1: proves errors one path at a time, by incorrectness separation logic.
//!
//! Judgment: for each function a set of triples `[presumption] f [ok | er: result]`, each of which is a path
//! that exists: the function is executed symbolically from nothing, and what it needs of its caller's memory
//! is abduced on the way.
//! Source: Le et al., *Finding Real Bugs in Big Programs with Incorrectness Logic*, OOPSLA 2022, §4 (Eval,
//! Fig. 5; Thm 4.1) and §3.4 (leaks); Raad et al., *Local Reasoning about the Presence of Bugs*, CAV 2020, §5
//! (errors are not abduced where they are reported).
//! Departures: (1) a worklist over blocks instead of structured code; (2) paths with equal memory are merged
//! by disjunction of their conditions (rule Disj); (3) when there are more paths than `width`, those are kept
//! that differ most; (4) a loop that no unrolled path leaves is left once with everything havoced that it may
//! write, and nothing that rests on such values is reported.
//!
//! An analysis is three things: [`cx::Cx`] (what it is about: borrowed), [`arena::Arena`] (terms, and what is
//! known of them) and [`sink::Sink`] (what came out). States are values: a step takes a path and gives back
//! what becomes of it ([`outcome::Outcomes`]).
//!
//! Reading order: [`effort`], [`worklist`], [`flow`] (a path), [`step`] (one file per kind of instruction),
//! [`loops`], [`select`], [`errors`], [`story`] and [`finish`] (what comes out).

pub mod effort;

mod cx;
mod graph;

mod arena;
mod uninit;

mod flow;
mod outcome;
mod sink;

mod memory;
mod start;
mod worklist;

mod step;

mod casts;
mod loops;
mod returns;
mod select;

mod errors;
mod leaks;
mod lost;
mod story;

mod assumed;
mod finish;
mod judge;
mod returned;
mod varargs;

pub use effort::{Options, Stopped};
pub use finish::{Analysis, Finding};

use arena::Arena;
use cx::Cx;
use graph::Graph;
use heap::Site;
use ir::{FuncId, Module};
use sink::Sink;
use world::Specialization;

/// Analyzes a function with a body, for all calls or for calls of a special shape.
pub fn analyze(world: &models::World<'_>, options: &Options, how: &Specialization) -> Analysis {
    let Some((module, func)) = code_of(world) else { return Analysis::given_up(Stopped::Unsupported) };
    let body = Cx::body_of(module, func);
    let (graph, function, at) = (&Graph::new(body), &module.functions[func], Site::FIRST);
    let (unit, callers) = (world.unit(), world.callers());
    let cx = &Cx { world, unit, callers, options, how, module, function, body, graph, at, share: 1 };
    let mut arena = Arena::new(cx);
    let mut sink = Sink::default();
    let too_wide = |ty: ir::Type| matches!(ty, ir::Type::Int(width) if width > term::WIDEST);
    if body.values.iter().any(|value| too_wide(value.ty)) {
        sink.stop(Stopped::Unsupported);
        return finish::finish(cx, &mut arena, sink, true);
    }
    let had_room = worklist::follow_all(cx, &mut arena, &mut sink);
    let is_cut = sink.stopped.contains_key(&Stopped::Steps) && sink.ended.is_empty();
    finish::finish(cx, &mut arena, sink, is_cut || !had_room)
}

/// The code of the function that a world is about, if it has a body.
fn code_of<'w>(world: &'w models::World<'_>) -> Option<(&'w Module, FuncId)> {
    let (unit, func) = world.code(world.own())?;
    Some((world.module(unit), func))
}
