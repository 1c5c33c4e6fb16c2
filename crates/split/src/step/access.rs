//! Access to memory, by the one rule of the heap ([`heap::access()`]): what becomes of a path in each of its
//! ways.
//!
//! Departure from Le et al. Fig. 3 and Raad et al. §5: an error that is possible and not decided is recorded
//! if the path forces it down to the bits, if it is the caller's doing, or if a choice inside of the value
//! makes it certain; the path goes on without it.

use base::limits;
use heap::path::Reason;
use heap::{Bytes, Condition, Frees, Span, State, Wanted, Went, settle};
use term::{Node, TermId, Walk};

use crate::arena::Arena;
use crate::cx::Cx;
use crate::effort::Stopped;
use crate::errors::{self, Accessed, ErrorPath};
use crate::flow::Flow;
use crate::outcome::{Ends, Outcomes};

/// A number of bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Length {
    pub(crate) term: TermId,
    pub(crate) constant: Option<u64>,
}

/// All ways in which some bytes can be accessed.
pub(crate) fn access(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &Flow,
    accessed: &Accessed<'_>,
) -> Outcomes<(Flow, Bytes)> {
    let mut outcomes = Outcomes::default();
    for (flow, went) in ways(cx, arena, flow, (accessed, None)) {
        outcomes.add(
            goes(cx, arena, flow, (accessed, went))
                .then(|(flow, at)| settled(cx, arena, flow, (accessed, at))),
        );
    }
    outcomes
}

/// All ways in which some bytes can be accessed whose number may not be a constant.
pub(crate) fn access_range(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &Flow,
    (accessed, len): (&Accessed<'_>, Length),
) -> Outcomes<(Flow, Bytes)> {
    if len.constant.is_some() {
        return access(cx, arena, flow, accessed);
    }
    let made = cx.here();
    let span = Span { bytes: 0, len: Some(len.term), ..Span::of(0) };
    let first = access(cx, arena, flow, &Accessed { bytes: 1, ..*accessed });
    first.then(|(flow, at)| {
        let Accessed { address, kind, .. } = *accessed;
        let wanted = Wanted { address, base: None, span, kind, frees: None, made };
        let (mut outside, heap) = arena.parts(cx);
        match heap::access_again(&mut outside, heap, flow.state.clone(), at, &wanted) {
            Some(way) => goes(cx, arena, flow.with(way.state), (accessed, way.went)),
            None => Outcomes::default(),
        }
    })
}

/// The ways in which memory can be freed: with the block that is, if there is one.
pub(crate) fn free(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &Flow,
    (accessed, frees): (&Accessed<'_>, Frees),
) -> Outcomes<(Flow, Option<Bytes>)> {
    let mut outcomes = Outcomes::default();
    for (flow, went) in ways(cx, arena, flow, (accessed, Some(frees))) {
        outcomes.add(match went {
            Went::Nothing => Outcomes::one((flow, None)),
            went => goes(cx, arena, flow, (accessed, went)).map(|(flow, at)| (flow, Some(at))),
        });
    }
    outcomes
}

/// The ways in which the access rule says that an access goes.
fn ways(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &Flow,
    (accessed, frees): (&Accessed<'_>, Option<Frees>),
) -> Vec<(Flow, Went)> {
    let made = cx.here();
    let Accessed { address, bytes, kind, .. } = *accessed;
    // Numbers that are addresses (`*(int *)0x4000`) have no base; what is computed from a variable that is null has.
    let base = accessed.operand.and_then(|operand| flow.get(cx.origin_of(operand).value()?));
    let wanted = Wanted { address, base, span: Span::of(bytes), kind, frees, made };
    let (mut outside, heap) = arena.parts(cx);
    let ways = heap::access(&mut outside, heap, flow.state.clone(), &wanted);
    ways.into_iter().map(|way| (flow.with(way.state), way.went)).collect()
}

/// What becomes of a path in one of the ways of an access.
fn goes(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    (accessed, went): (&Accessed<'_>, Went),
) -> Outcomes<(Flow, Bytes)> {
    match went {
        Went::Ok(at) => Outcomes::one((flow, at)),
        Went::Nothing => Outcomes::default(),
        Went::Wrong(fault) => errors::fault(cx, arena, flow.state, accessed, fault).into(),
        Went::Open(at, bounds) => {
            let outside = arena.terms.not(bounds.within);
            let wrong = |arena: &mut Arena, state| errors::out_of_bounds(cx, arena, state, accessed, at);
            possible_error(cx, arena, flow, (outside, bounds.decider), &wrong).map(|flow| (flow, at))
        }
    }
}

/// All ways in which the bytes are a known cell, or apart from those at other unknown indices.
fn settled(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    (accessed, at): (&Accessed<'_>, Bytes),
) -> Outcomes<(Flow, Bytes)> {
    let Ok(bytes) = u32::try_from(accessed.bytes.max(1)) else { return Outcomes::one((flow, at)) };
    let settled = settle(&mut arena.terms, flow.state.clone(), at.block, (at.place, bytes), cx.here());
    if settled.is_empty() {
        return Ends::give_up(flow.state, Stopped::Alias).into();
    }
    let ways = settled.into_iter().map(|(state, place)| (flow.with(state), Bytes { place, ..at }));
    Outcomes::all(ways.collect())
}

/// Forks on a condition about a value that would be an error. The error is recorded if the path forces it, or if it is the caller's doing; the path goes on without it.
pub(crate) fn possible_error(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    (error, value): (TermId, TermId),
    wrong: &dyn Fn(&mut Arena, State) -> ErrorPath,
) -> Outcomes {
    if arena.terms.value(error) == Some(0) {
        return Outcomes::one(flow);
    }
    match flow.state.path.facts.decide(&arena.terms, error) {
        Some(false) => return Outcomes::one(flow),
        Some(true) => return Ends::error(wrong(arena, flow.state)).into(),
        None => {}
    }
    let ok = arena.terms.not(error);
    let mut ends = Ends::default();
    if arena.is_callers_doing(error) {
        let mut state = flow.state.clone();
        let condition = Condition { term: error, made: cx.here(), reason: Reason::Needed };
        if state.path.assume(&mut arena.terms, condition) {
            ends = Ends::error(wrong(arena, state));
        }
    } else if arena.is_forced(&flow.state, ok) {
        return Ends::error(wrong(arena, flow.state)).into();
    } else if let Some(state) = forced_by_a_choice(cx, arena, &flow, (error, value)) {
        ends = Ends::error(wrong(arena, state));
    }
    let goes_on = arena.assume_here(cx, &mut flow, (ok, Reason::Needed));
    Outcomes { next: goes_on.then_some(flow).into_iter().collect(), ends }
}

/// The state in which a choice inside of a value (`c ? 0 : n`) makes an error certain.
fn forced_by_a_choice(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &Flow,
    (error, value): (TermId, TermId),
) -> Option<State> {
    let mut choices = Vec::new();
    Walk::lend(|walk| {
        walk.subterms(&arena.terms, &[value], |term| {
            if let Node::Ite(condition, ..) = arena.terms.node(term) {
                choices.push(condition);
            }
        });
    });
    for condition in choices.into_iter().take(limits::SPLIT_CHOICES) {
        let negation = arena.terms.not(condition);
        for side in [condition, negation] {
            let mut way = flow.clone();
            if arena.assume_here(cx, &mut way, (side, Reason::Branch))
                && way.state.path.facts.decide(&arena.terms, error) == Some(true)
            {
                return Some(way.state);
            }
        }
    }
    None
}
