//! Engine 1: proves errors one path at a time, by incorrectness separation logic.
//!
//! Judgment: for each function a set of triples `[presumption] f [ok | er: result]`, each of which is a path that exists: the function is executed symbolically from
//! nothing, and what it needs of its caller's memory is abduced on the way.
//! Source: Le et al., *Finding Real Bugs in Big Programs with Incorrectness Logic*, OOPSLA 2022, §4 (Eval, Fig. 5; Thm 4.1) and §3.4 (leaks); Raad et al., *Local Reasoning about
//! the Presence of Bugs*, CAV 2020, §5 (errors are not abduced where they are reported).
//! Departures: (1) a worklist over blocks instead of structured code; (2) paths with equal memory are merged by disjunction of their conditions (rule Disj);
//! (3) when there are more paths than `width`, those are kept that differ most; (4) a loop that no unrolled path leaves is left once with everything
//! havoced that it may write, and nothing that rests on such values is reported.
//!
//! Reading order: [`world`] (what the engine is told), [`engine`] (the worklist), [`flow`] (a path), [`values`], [`step`] (one file per kind of instruction),
//! [`errors`], [`story`], [`words`] and [`finish`] (what comes out).

pub mod world;

mod casts;
mod engine;
mod errors;
mod finish;
mod flow;
mod graph;
mod judge;
mod leaks;
mod loops;
mod lost;
mod memory;
mod rest;
mod returned;
mod select;
mod step;
mod story;
mod uninit;
mod values;
mod words;

pub use finish::{Analysis, Finding};
pub use world::{Callee, GlobalInfo, Options, Specialization, Stopped, World};

use ir::{FuncId, Module};

/// Analyzes a function with a body.
pub fn analyze(world: &dyn World, module: &Module, func: FuncId, options: &Options) -> Analysis {
    engine::Engine::new(world, module, func, options, &Specialization::default()).analyze()
}

/// Analyzes a function for calls of a special shape.
pub fn analyze_specialized(
    world: &dyn World,
    module: &Module,
    func: FuncId,
    options: &Options,
    how: &Specialization,
) -> Analysis {
    engine::Engine::new(world, module, func, options, how).analyze()
}
