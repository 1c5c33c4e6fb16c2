//! Stories: what led to an error, in the order of time.
//!
//! The decisions of a path are known in their order, because its condition is. Of other events (an
//! allocation, a free) the state knows only the place. An event is told in a gap between two decisions that
//! the path may have passed its place in; a loop can leave several such gaps:
//!
//! ```text
//! while (n--) {                            // n != 0, then again n - 1 != 0, then n - 2 == 0
//!     if (n == 1) free(p);                 // n - 1 == 1 behind the first test: the free is told behind this decision
//! }
//! *p = 1;
//! ```
//! What makes a value comes before every decision about that value; apart from this, values are made early,
//! and everything else happens late. Events keep their own order.

use base::limits;
use catalog::Event;
use heap::{Kind, Made, Site, State, Status, Vias};
use ir::{BlockId, ValueId};
use summary::Step;
use term::{TermId, VarId};

use crate::arena::Arena;
use crate::cx::Cx;
use crate::graph::{Graph, Places, Position};

/// Something that happened on a path and is no decision.
struct Happening {
    step: Step,
    /// The value that it made.
    value: Option<TermId>,
}

/// Why a pointer, which is this value of the function, is null: where it comes from, and what was decided about it.
pub(crate) fn of_null(
    cx: &Cx<'_>,
    arena: &Arena,
    state: &State,
    (pointer, value): (TermId, Option<ValueId>),
) -> Vec<Step> {
    let mut events = Vec::new();
    if arena.terms.value(pointer).is_some()
        && let Some(step) = value.and_then(|value| null_returned(cx, value))
    {
        events.push(Happening { step, value: None });
    }
    for var in arena.terms.vars_of(pointer) {
        if let Some(source) = &arena.sources()[var] {
            let step = Step::new(source.made, Event::Pointer(source.origin.clone()));
            events.push(Happening { step, value: Some(arena.terms.var_term(var)) });
        }
    }
    let mut decisions = decisions_about(arena, state, &[pointer]);
    let conditions = &state.path.conditions;
    decisions.retain(|&at| !events.iter().any(|told| told.step.made == conditions[at].made));
    in_order(cx, arena, state, events, &decisions)
}

/// That a call returned null, if the value is what it returned.
fn null_returned(cx: &Cx<'_>, value: ValueId) -> Option<Step> {
    let ir::ValueDef::Result(inst, _) = cx.body.values[value].def else { return None };
    let ir::Inst::Call { call } = cx.body.insts[inst].inst else { return None };
    let ir::Callee::Func(function) = cx.body.calls[call].callee else { return None };
    let made = Made::here(cx.site(cx.body.insts[inst].loc));
    let name = cx.module.symbols.resolve(cx.module.functions[function].pretty);
    Some(Step::new(made, Event::ReturnsNull(ir::names::without_params(name).to_owned())))
}

/// The life of a block.
pub(crate) fn of_block(cx: &Cx<'_>, arena: &Arena, state: &State, block: heap::BlockId) -> Vec<Step> {
    let data = state.block(block);
    let mut events: Vec<Happening> = allocation(state, block).into_iter().collect();
    let end = match &data.status {
        Status::Freed(made) => Some((made, Event::Freed)),
        Status::ScopeEnded(made) => Some((made, Event::ScopeEnds)),
        Status::Allocated => None,
    };
    events.extend(end.map(|(made, event)| Happening { step: Step::new(*made, event), value: None }));
    let decisions = decisions_about(arena, state, &[data.base]);
    in_order(cx, arena, state, events, &decisions)
}

/// How a block is lost: allocated, and then the last decisions.
pub(crate) fn of_leak(cx: &Cx<'_>, arena: &Arena, state: &State, block: heap::BlockId) -> Vec<Step> {
    let told = told(arena, state);
    let last = &told[told.len().saturating_sub(limits::SPLIT_LAST_DECISIONS)..];
    in_order(cx, arena, state, allocation(state, block).into_iter().collect(), last)
}

/// The decisions of the path, by preference those about some values; in order.
pub(crate) fn decisions(cx: &Cx<'_>, arena: &Arena, state: &State, about: &[TermId]) -> Vec<Step> {
    let decisions = decisions_about(arena, state, about);
    in_order(cx, arena, state, Vec::new(), &decisions)
}

/// The same, by position among the conditions of the path.
fn decisions_about(arena: &Arena, state: &State, about: &[TermId]) -> Vec<usize> {
    let vars: Vec<VarId> = about.iter().flat_map(|&term| arena.terms.vars_of(term)).collect();
    let conditions = &state.path.conditions;
    let is_related = |at: &usize| vars.is_empty() || mentions_any(arena, conditions[*at].term, &vars);
    let (related, others): (Vec<usize>, Vec<usize>) = told(arena, state).into_iter().partition(is_related);
    let mut chosen: Vec<usize> = related.into_iter().chain(others).take(limits::SPLIT_DECISIONS).collect();
    chosen.sort_unstable();
    chosen
}

fn told(arena: &Arena, state: &State) -> Vec<usize> {
    let conditions = state.path.conditions.iter().enumerate();
    conditions.filter(|(_, condition)| arena.is_told(condition)).map(|(at, _)| at).collect()
}

fn mentions_any(arena: &Arena, term: TermId, vars: &[VarId]) -> bool {
    arena.terms.vars_of(term).iter().any(|var| vars.contains(var))
}

/// Events and decisions as one story.
fn in_order(
    cx: &Cx<'_>,
    arena: &Arena,
    state: &State,
    events: Vec<Happening>,
    decisions: &[usize],
) -> Vec<Step> {
    let conditions = &state.path.conditions;
    let places = cx.graph.places(cx.body);
    // The last gap ends where the error is.
    let ends = conditions.iter().map(|it| it.made).chain([cx.here()]);
    let ends: Vec<When> = ends.map(|made| When::of(places, &arena.calls, made)).collect();
    // A condition has twice its number and one, so that the gap before it has an even number.
    let mut told: Vec<(usize, Step)> = Vec::new();
    let mut gap = 0;
    for event in events {
        let vars = event.value.map_or(Vec::new(), |value| arena.terms.vars_of(value));
        let first = conditions.iter().position(|it| mentions_any(arena, it.term, &vars));
        let last = first.unwrap_or(conditions.len()).max(gap);
        let when = When::of(places, &arena.calls, event.step.made);
        let mut fitting = (gap..=last).filter(|&at| {
            let before = at.checked_sub(1).map(|before| &ends[before]);
            is_between(cx.graph, before, &when, &ends[at])
        });
        let is_early = event.value.is_some() && first.is_none();
        gap = if is_early { fitting.next().unwrap_or(gap) } else { fitting.next_back().unwrap_or(last) };
        told.push((2 * gap, event.step));
    }
    for &at in decisions {
        let condition = &conditions[at];
        told.push((2 * at + 1, Step::new(condition.made, arena.decision(condition))));
    }
    told.sort_by_key(|(time, _)| *time);
    told.into_iter().map(|(_, step)| step).collect()
}

fn allocation(state: &State, block: heap::BlockId) -> Option<Happening> {
    let data = state.block(block);
    let made = data.made.filter(|_| matches!(data.kind, Kind::Heap(_)))?;
    Some(Happening { step: Step::new(made, Event::Allocated), value: Some(data.base) })
}

/// The place of an event: in this function, and inside of the calls there.
struct When {
    /// None: at no instruction.
    own: Option<Position>,
    /// Places of calls and of the event itself in callees; their numbers are roughly in the order of the source.
    inner: Vec<Site>,
}

impl When {
    fn of(places: &Places, calls: &Vias, made: Made) -> When {
        let inside = calls.around(made).skip(1).map(|via| via.call);
        let inner = if made.via.is_some() { inside.chain([made.site]).collect() } else { Vec::new() };
        When { own: places.get(calls.own_site(made)), inner }
    }
}

/// Whether an event may have happened between two conditions that the path decided one after the other. It has not passed their places in between, or it would have
/// decided there again.
fn is_between(graph: &Graph, before: Option<&When>, event: &When, behind: &When) -> bool {
    let blocks = [before, Some(behind)].into_iter().flatten().filter_map(|it| it.own);
    let around: Vec<BlockId> = blocks.map(|place| place.block).collect();
    before.is_none_or(|before| leads(graph, before, event, &around)) && leads(graph, event, behind, &around)
}

/// Whether one event can come before another one. Events at no instruction can.
fn leads(graph: &Graph, from: &When, to: &When, around: &[BlockId]) -> bool {
    let (Some(start), Some(end)) = (from.own, to.own) else { return true };
    let is_straight = start.block == end.block && (start, &from.inner) <= (end, &to.inner);
    is_straight || graph.leads(start.block, end.block, around)
}
