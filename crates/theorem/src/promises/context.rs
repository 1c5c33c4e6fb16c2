//! Calling contexts from which no triple of a manifest error leads to it: does it happen all the same, or
//! does the function do something undefined there?
//!
//! `DESIGN.md` §4: paths on which C leaves something undefined are dropped, so a verdict speaks only of
//! contexts in which the function keeps clear of that. The state has the memory of all triples and the values
//! of the context. The environment does what each triple needs, or succeeds always, or fails once or twice;
//! only in the first two cases it is on the way to the error, so only then something undefined keeps the run
//! from it; or if that is at the very line of the error.

use heap::Spec;
use interp::replay::{PreState, Script};

use super::draw::{Arena, Draw, Drawn, Given, draw_context, join};
use super::expected::Expected;
use super::located::Located;
use super::manifest::{Chosen, Common};
use super::opinion::Ended;
use super::triples::Subject;

/// Allocations of which each fails once, and each two of them.
const FAILURES: usize = 9;

/// What a context is.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Context {
    /// The error happens.
    Reached,
    /// It does not, and on the way to it the function does something undefined.
    Undefined,
    /// It does not, and nothing is undefined; what a run in which nothing fails does instead, and whether that is to come to a null pointer.
    Defined(String, bool),
    /// No run came to its end, and why.
    Cut(&'static str),
}

impl Subject<'_> {
    /// What runs from a state do.
    pub(super) fn context(
        &self,
        arena: &mut Arena,
        (errors, expected): (&[(Located<'_>, &Spec)], &Expected),
        (common, chosen): (&Common, &Chosen<'_>),
        given: &Given<'_>,
    ) -> Context {
        let mut state: Option<PreState> = None;
        let mut scripts = vec![(true, Script::default())];
        for (at, (_, spec)) in errors.iter().enumerate().filter(|(at, _)| common.describes(*at)) {
            let (facts, positions) = (chosen.facts(arena, at), chosen.positions(at));
            let given = Given { facts: &facts, positions: Some(&positions), ..*given };
            let drawn = match draw_context(self.names, arena, spec, &given) {
                Draw::State(drawn) => drawn,
                Draw::Contradictory => return Context::Cut("a state that contradicts itself"),
                Draw::Unfit(why) => return Context::Cut(why),
            };
            for nth in 0..=FAILURES {
                let allocations = (1..=FAILURES).map(|number| number != nth).collect();
                let script = Script { allocations, results: drawn.script.results.clone() };
                scripts.push((nth == 0, script));
            }
            scripts.push((true, drawn.script.clone()));
            match &mut state {
                None => state = Some(drawn.state),
                Some(state) => add(state, *drawn),
            }
        }
        scripts.extend(pairs());
        match state {
            Some(state) => self.runs_from(&state, scripts, expected),
            None => Context::Cut("no triple that can be described"),
        }
    }

    fn runs_from(&self, state: &PreState, scripts: Vec<(bool, Script)>, expected: &Expected) -> Context {
        let mut context = Context::Cut("a run that does not end soon");
        for (is_on_the_way, script) in scripts {
            let ended = self.ends(state, &script, expected);
            let is_open = matches!(context, Context::Cut(_));
            match ended {
                Ok(Ended::Met) => return Context::Reached,
                Ok(Ended::Undefined(is_there)) if is_on_the_way || is_there => context = Context::Undefined,
                Ok(Ended::Other(what)) if is_open => context = Context::Defined(what, false),
                Ok(Ended::Null(what)) if is_open => context = Context::Defined(what, true),
                Err(why) if is_open => context = Context::Cut(why),
                Ok(_) | Err(_) => {}
            }
        }
        context
    }
}

/// Environments in which two allocations fail.
fn pairs() -> impl Iterator<Item = (bool, Script)> {
    let pairs = (0..FAILURES).flat_map(|second| (0..second).map(move |first| [first, second]));
    pairs.map(|failing| {
        let allocations = (0..FAILURES).map(|number| !failing.contains(&number)).collect();
        (false, Script { allocations, results: Vec::new() })
    })
}

/// Adds the memory of another state that agrees where both say something.
fn add(state: &mut PreState, other: Drawn) {
    // What no presumption mentions is the same in both, and must not hide what the first one says.
    state.globals.extend(other.state.globals.into_iter().skip(other.n_arbitrary));
    for (at, block) in other.state.blocks.into_iter().enumerate() {
        match state.blocks.get_mut(at) {
            Some(own) => join(own, block),
            None => state.blocks.push(block),
        }
    }
}
