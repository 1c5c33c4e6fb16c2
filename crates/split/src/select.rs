//! Fewer paths: equal ones become one, and of too many the most different ones stay.
//!
//! Rule (Disj of ISL): `[p₁] C [ε: q]` and `[p₂] C [ε: q]` give `[p₁ ∨ p₂] C [ε: q]`.
//! Source: Raad et al., CAV 2020, Fig. 5 (Disj) and §5 (a bound on disjuncts is sound).
//! Departures: (1) two paths are joined if they differ in a few conditions that nothing can see any more; (2)
//! which paths stay is chosen by the shape of their memory, not by who came first.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base::limits;
use heap::path::Reason;
use heap::{Condition, Path, State, Status, agreed_value};
use ir::{BlockId, ValueId};
use summary::{Ended, How};
use term::{TermId, Walk};

use crate::arena::Arena;
use crate::cx::Cx;
use crate::flow::Flow;

/// Joins paths that differ in their conditions only, in some that nothing can see any more.
pub(crate) fn merge(cx: &Cx<'_>, arena: &mut Arena, block: BlockId, flows: Vec<Flow>) -> Vec<Flow> {
    merge_flows(cx, arena, block, flows, false)
}

/// Joins paths that differ in their conditions only: there are too many, and a disjunction is better than a path that is dropped.
pub(crate) fn merge_visible(cx: &Cx<'_>, arena: &mut Arena, block: BlockId, flows: Vec<Flow>) -> Vec<Flow> {
    merge_flows(cx, arena, block, flows, true)
}

fn merge_flows(
    cx: &Cx<'_>,
    arena: &mut Arena,
    block: BlockId,
    flows: Vec<Flow>,
    joins_visible: bool,
) -> Vec<Flow> {
    let join = |a: &Flow, b: &Flow| {
        let values = agreed(cx, arena, block, a, b)?;
        let mut joined = Cow::Borrowed(a);
        values.into_iter().for_each(|(value, term)| joined.to_mut().set(value, term));
        let state = join(arena, &a.state, &b.state, &|arena, state, decided| {
            joins_visible || !is_visible(cx, arena, block, (&joined, state), decided)
        })?;
        Some(joined.with(state))
    };
    join_each(flows, join)
}

/// Joins ways to return that differ in their conditions only.
pub(crate) fn merge_ended(arena: &mut Arena, all_ended: Vec<Ended>) -> Vec<Ended> {
    let join = |a: &Ended, b: &Ended| {
        let (How::Return, How::Return) = (&a.how, &b.how) else { return None };
        let results =
            a.results.iter().zip(&b.results).map(|(&of_a, &of_b)| {
                agreed_value(&arena.terms, (&a.state.path, of_a), (&b.state.path, of_b))
            });
        let results: Vec<TermId> = results.collect::<Option<_>>()?;
        let state = join(arena, &a.state, &b.state, &|_, _, _| true)?;
        Some(Ended { state, results, how: How::Return })
    };
    join_each(all_ended, join)
}

/// Joins each with the first before it that it can be joined with.
fn join_each<T>(all: Vec<T>, mut join: impl FnMut(&T, &T) -> Option<T>) -> Vec<T> {
    let mut kept: Vec<T> = Vec::with_capacity(all.len());
    let mut n_asked = 0;
    for one in all {
        let asked = if n_asked < limits::SPLIT_JOINS { kept.len() } else { 0 };
        n_asked += asked;
        let joined =
            kept[..asked].iter_mut().find_map(|other| join(other, &one).map(|joined| (other, joined)));
        match joined {
            Some((other, joined)) => *other = joined,
            None => kept.push(one),
        }
    }
    kept
}

/// The values that two paths have different terms for although they know that they are the same constant. None: they have different values.
fn agreed(cx: &Cx<'_>, arena: &Arena, block: BlockId, a: &Flow, b: &Flow) -> Option<Vec<(ValueId, TermId)>> {
    if !a.has_same_laps(b) {
        return None;
    }
    let mut agreed = Vec::new();
    for value in cx.used_from(block) {
        if a.get(value) != b.get(value) {
            let (of_a, of_b) = ((&a.state.path, a.get(value)?), (&b.state.path, b.get(value)?));
            agreed.push((value, agreed_value(&arena.terms, of_a, of_b)?));
        }
    }
    Some(agreed)
}

/// The state in which one of two paths is taken, if they differ only in a few conditions that stand together, and that may be forgotten.
///
/// `if (!p) log(); *p`: the two ways to `*p` must not become one, or it is forgotten that `p` may be null.
fn join(
    arena: &mut Arena,
    a: &State,
    b: &State,
    may_join: &dyn Fn(&Arena, &State, &[TermId]) -> bool,
) -> Option<State> {
    let (all_a, all_b) = (&a.path.conditions[..], &b.path.conditions[..]);
    let n_before = all_a.iter().zip(all_b).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (&all_a[n_before..], &all_b[n_before..]);
    let n_behind = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (only_a, behind) = rest_a.split_at(rest_a.len() - n_behind);
    let only_b = &rest_b[..rest_b.len() - n_behind];
    if only_a.len() > limits::SPLIT_DIFFERENCE || only_b.len() > limits::SPLIT_DIFFERENCE {
        return None;
    }
    let values = a.agreed(b, &arena.terms)?;
    let (a, b) = match values.is_empty() {
        true => (a, b),
        false => (&a.with_values(&values), &b.with_values(&values)),
    };
    let terms = |only: &[Condition]| only.iter().map(|it| it.term).collect::<Vec<TermId>>();
    let (terms_a, terms_b) = (terms(only_a), terms(only_b));
    // A path that rests on nothing but what was followed must stay one.
    if arena.are_followed(&terms_a) != arena.are_followed(&terms_b)
        || !may_join(arena, a, &[&terms_a[..], &terms_b].concat())
    {
        return None;
    }
    let (both_a, both_b) = (arena.terms.conjunction(&terms_a), arena.terms.conjunction(&terms_b));
    let either = arena.terms.or(both_a, both_b);
    let last = only_a.last().or(only_b.last());
    let either = last.map(|last| Condition { term: either, reason: Reason::Joined, ..last.clone() });
    let either: Vec<Condition> =
        either.into_iter().filter(|it| arena.terms.value(it.term) != Some(1)).collect();
    // What an access remembers of the number of conditions must stay true.
    let in_place_of = |only: &[Condition]| (n_before..n_before + only.len(), either.len());
    let mut joined = a.with_conditions_replaced(in_place_of(only_a))?;
    if !joined.same_memory(&b.with_conditions_replaced(in_place_of(only_b))?) {
        return None;
    }
    let conditions: Vec<Condition> = [&all_a[..n_before], &either, behind].concat();
    joined.path = joined_path(arena, &a.path, &b.path, conditions)?;
    Some(joined)
}

/// The path with some conditions, and with what both of two paths know.
fn joined_path(arena: &mut Arena, a: &Path, b: &Path, conditions: Vec<Condition>) -> Option<Path> {
    let mut path = Path::default();
    let n_conditions = conditions.len();
    for condition in conditions {
        if !path.assume(&mut arena.terms, condition) {
            return None;
        }
    }
    for fact in a.facts.atoms().collect::<Vec<_>>() {
        let known = b.facts.atoms().any(|it| it == fact);
        if known && !path.know(&mut arena.terms, fact) {
            return None;
        }
    }
    let mut defined = a.defined.as_ref().clone();
    defined.extend(b.defined.iter());
    defined.sort_unstable();
    defined.dedup();
    path.defined = defined.into();
    // Accesses count conditions: none may be missing.
    (path.conditions.len() == n_conditions).then_some(path)
}

/// Whether a value that may still be used, or memory, has a variable in common with some conditions.
fn is_visible(
    cx: &Cx<'_>,
    arena: &Arena,
    block: BlockId,
    (flow, state): (&Flow, &State),
    conditions: &[TermId],
) -> bool {
    let values = cx.used_from(block).filter_map(|value| flow.get(value));
    let cells = state.blocks().flat_map(|(_, block)| block.cells.iter().map(|cell| cell.value));
    let sizes = state.blocks().filter_map(|(_, block)| block.size);
    let roots: Vec<TermId> = values.chain(cells).chain(sizes).collect();
    Walk::lend(|walk| {
        let decided = walk.vars_of(&arena.terms, conditions);
        walk.vars_of(&arena.terms, &roots).iter().any(|var| decided.binary_search(var).is_ok())
    })
}

/// As many paths as are wanted, of as many different shapes as there are: statuses of blocks, and which values are constants. Of one shape, the least
/// demanding ones: they are what callers mostly meet. Before all others come paths that decided nothing about values that were not followed.
pub(crate) fn most_different(arena: &Arena, flows: Vec<Flow>, width: usize) -> Vec<Flow> {
    let mut groups: BTreeMap<Vec<u64>, Vec<(Demand, Flow)>> = BTreeMap::new();
    let mut order: Vec<Vec<u64>> = Vec::new();
    for flow in flows {
        let shape = shape(arena, &flow);
        if !groups.contains_key(&shape) {
            order.push(shape.clone());
        }
        groups.entry(shape).or_default().push((demand(arena, &flow.state), flow));
    }
    for flows in groups.values_mut() {
        flows.sort_by_key(|(demand, _)| *demand);
    }
    order.sort_by_key(|shape| groups[shape][0].0.is_unfollowed);
    let mut kept = Vec::with_capacity(width);
    let mut round = 0;
    while kept.len() < width {
        let before = kept.len();
        for shape in &order {
            if let Some((_, flow)) = groups[shape].get(round)
                && kept.len() < width
            {
                kept.push(flow.clone());
            }
        }
        if kept.len() == before {
            break;
        }
        round += 1;
    }
    kept
}

/// How much a path asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Demand {
    /// Whether it decided about values that were not followed.
    is_unfollowed: bool,
    n_decisions: usize,
}

pub(crate) fn demand(arena: &Arena, state: &State) -> Demand {
    Demand { is_unfollowed: !arena.is_followed(state), n_decisions: state.path.conditions.len() }
}

fn shape(arena: &Arena, flow: &Flow) -> Vec<u64> {
    let mut shape = Vec::new();
    for (_, block) in flow.state.blocks() {
        let status = match block.status {
            Status::Allocated => 0,
            Status::Freed(_) => 1,
            Status::ScopeEnded(_) => 2,
        };
        let nulls = block.cells.iter().filter(|cell| arena.terms.value(cell.value) == Some(0)).count();
        shape.push(
            status | u64::from(block.is_heap()) << 2 | u64::from(block.escaped) << 3 | (nulls as u64) << 8,
        );
    }
    shape
}
