//! Calling contexts from which no triple of a manifest error can be replayed: does the function do something undefined there?
//!
//! `DESIGN.md` §4: paths on which C leaves something undefined are dropped, so a verdict speaks only of contexts in which the function
//! keeps clear of that. The state has the memory of all triples and the values of the context. The environment does what each
//! triple needs, or succeeds always, or fails once; only in the first two cases it is on the way to the error, so only then something
//! undefined keeps the run from it.

use heap::Spec;
use interp::replay::{PreKind, PreState, Script};
use summary::Bug;

use super::check::Subject;
use super::draw::{Arena, Draw, Given, draw_context, n_variables};
use super::manifest::Common;
use super::sample::options;
use super::verify::{does_undefined, other_error};

/// Allocations of which each fails once.
const FAILURES: usize = 8;

/// What a context is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// The error happens.
    Reached,
    /// It does not, and on the way to it the function does something undefined.
    Undefined,
    /// It does not, and nothing is undefined.
    Defined,
}

impl Subject<'_> {
    /// What runs from the state of a seed do; none if there are none.
    pub(super) fn context(
        &self,
        arena: &mut Arena,
        errors: &[(&Bug, &Spec)],
        (common, seed): (&Common, u64),
    ) -> Option<Context> {
        let mut state: Option<PreState> = None;
        let mut scripts = Vec::new();
        for (at, (_, spec)) in errors.iter().enumerate() {
            let facts = common.facts(arena, at, seed);
            let positions = common.positions(at);
            let given = Given { facts: &facts, positions: Some(&positions), seed };
            let Draw::State(drawn) = draw_context(self.program, self.names, arena, spec, &given) else {
                return None;
            };
            for nth in 0..=FAILURES {
                let allocations = (1..=FAILURES).map(|number| number != nth).collect();
                let script = Script { allocations, results: drawn.script.results.clone() };
                scripts.push((nth == 0, script));
            }
            scripts.push((true, drawn.script));
            state = Some(match state {
                None => drawn.state,
                Some(state) => self.joined(state, drawn.state),
            });
        }
        let state = state?;
        let mut context = None;
        for (is_on_the_way, script) in scripts {
            let Ok(run) = self.replay(&state, script, options(self.seed)) else { continue };
            let is_undefined = does_undefined(&run).is_some();
            let is_met = || errors.iter().any(|(bug, _)| other_error(self.program, bug, &run).is_none());
            if !is_undefined && is_met() {
                return Some(Context::Reached);
            }
            if is_undefined && is_on_the_way {
                context = Some(Context::Undefined);
            }
            context = context.or(Some(Context::Defined));
        }
        context
    }

    /// The memory of two states that agree where both say something.
    fn joined(&self, mut state: PreState, other: PreState) -> PreState {
        // What no presumption mentions is the same in both, and must not hide what the first one says.
        state.globals.extend(other.globals.into_iter().skip(n_variables(self.program)));
        for (at, block) in other.blocks.into_iter().enumerate() {
            let Some(own) = state.blocks.get_mut(at) else {
                state.blocks.push(block);
                continue;
            };
            own.size = own.size.max(block.size);
            own.cells.extend(block.cells);
            if own.kind == PreKind::Caller {
                own.kind = block.kind;
            }
        }
        state
    }
}
