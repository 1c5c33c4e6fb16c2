//! What is left uncovered? A callee whose paths were not all followed may do more than its triples say.
//!
//! ```text
//! [p] f [ok: q]    p ⊭ ∨ᵢ preᵢ    f was not followed to all its ends
//! -------------------------------------------------------------------
//! [p] f [ok: whatever f can reach is not followed]
//! ```
//! Departure from Le et al. §4.1: a state that no triple of such a callee is about is not dropped; the path
//! goes on, and nothing may rest on what the call left.

use base::Id;
use heap::path::Reason;
use heap::{Choice, Condition, State, Written};
use models::Model;
use smallvec::SmallVec;
use summary::{Returned, Summary};
use term::{Answer, TermId};
use world::FnKey;

use super::triples::try_triples;
use super::unknown::{is_noreturn, let_write};
use super::{Calling, set_results};
use crate::arena::Arena;
use crate::cx::Cx;
use crate::flow::Flow;
use crate::outcome::{Ends, Outcomes};
use crate::step::model::call_model;

/// A function that was not followed to any end. What its callers must provide is known: errors are recorded.
pub(super) fn call_given_up(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    calling: &Calling<'_>,
    summary: &Summary,
) -> Outcomes {
    let tried = try_triples(cx, arena, &flow, calling, (summary, false));
    let mut outcomes = Outcomes::from(tried.outcomes.ends);
    outcomes.add(call_stand_in(cx, arena, flow, calling, summary));
    outcomes
}

/// A function of the project that was given up, or none of whose triples could be compared with this state: a model stands in for it, if there is one.
pub(super) fn call_stand_in(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    calling: &Calling<'_>,
    summary: &Summary,
) -> Outcomes {
    match stand_in(cx, calling, summary.function) {
        Some(model) => call_model(cx, arena, flow, calling, model),
        None => call_not_followed(cx, arena, flow, calling, summary),
    }
}

fn stand_in<'a>(cx: &Cx<'a>, calling: &Calling<'_>, function: FnKey) -> Option<&'a Model> {
    cx.world.stand_in(function).filter(|it| it.fits(calling.args.len()))
}

/// What such a function returns is not followed, and nobody's choice; unless it returns the same on all paths.
pub(super) fn call_not_followed(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    calling: &Calling<'_>,
    summary: &Summary,
) -> Outcomes {
    if is_noreturn(cx, calling) {
        return Ends::exit(flow.state).into();
    }
    if summary.split.recursive {
        // It may never come back, or fail first.
        arena.mark_as_guess(cx, &mut flow.state);
    }
    let_write(cx, arena, &mut flow, calling, Written::NotFollowed);
    flow.state.choose(Choice::Opaque);
    let mut results: SmallVec<[TermId; 2]> = SmallVec::new();
    for (at, result) in cx.body.results(calling.inst).enumerate() {
        let width = cx.width(cx.body.values[result].ty);
        results.push(match summary.split.returned.filter(|_| at == 0) {
            Some(Returned::Param(at)) if (at as usize) < calling.args.len() => {
                arena.resized(calling.args[at as usize], width)
            }
            Some(Returned::Number(number)) => arena.terms.constant(width, number),
            _ => arena.not_followed(&mut flow.state, width),
        });
    }
    set_results(cx, arena, &mut flow, calling.inst, &results);
    Outcomes::one(flow)
}

/// Whether there is a model of a callee, and its triples only lead to states that rest on values which were not followed.
pub(super) fn has_better_model(
    cx: &Cx<'_>,
    arena: &Arena,
    (flow, returned): (&Flow, &[Flow]),
    calling: &Calling<'_>,
    function: FnKey,
) -> bool {
    stand_in(cx, calling, function).is_some()
        && arena.is_followed(&flow.state)
        && !returned.iter().any(|it| arena.is_followed(&it.state))
}

/// Drops paths behind a call that decided about values which were not followed and allocated and freed nothing: the path that knows nothing of the call is as good.
pub(super) fn drop_guesses(arena: &Arena, before: &State, returned: &mut Vec<Flow>) {
    let is_handled = |flow: &Flow| {
        flow.state.blocks().any(|(id, block)| match id.index() < before.n_blocks() {
            true => block.status.is_allocated() != before.block(id).status.is_allocated(),
            false => block.is_heap() && !block.escaped,
        })
    };
    returned.retain(|it| arena.is_followed(&it.state) || is_handled(it));
}

/// Whether the state before a call may be one that none of the triples is about by which the callee has returned. Those that decided about values which were not followed
/// are left out: nobody knows what they are about.
pub(super) fn leaves_some(arena: &mut Arena, before: &State, returned: &[Flow]) -> bool {
    let known = before.path.conditions.len();
    let mut facts = before.path.facts.clone();
    let was_followed = arena.is_followed(before);
    for flow in returned {
        if was_followed && !arena.is_followed(&flow.state) {
            continue;
        }
        let is_asked = |it: &&Condition| {
            matches!(it.reason, Reason::Branch | Reason::Joined) && !arena.is_chosen(it.term)
        };
        let asked: Vec<TermId> =
            flow.state.path.conditions[known..].iter().filter(is_asked).map(|it| it.term).collect();
        let all = arena.terms.conjunction(&asked);
        let others = arena.terms.not(all);
        if arena.terms.value(others) == Some(0) || facts.assume(&arena.terms, others) == Answer::Unsat {
            return false;
        }
    }
    true
}
