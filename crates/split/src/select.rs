//! Fewer paths: equal ones become one, and of too many the most different ones stay.
//!
//! Rule (Disj of ISL): `[p₁] C [ε: q]` and `[p₂] C [ε: q]` give `[p₁ ∨ p₂] C [ε: q]`.

use std::collections::BTreeMap;

use heap::path::Reason;
use heap::{Condition, Path, Status};
use ir::BlockId;
use term::{TermId, Walk};

use crate::engine::Engine;
use crate::flow::Flow;

/// Joins paths that differ in their conditions only.
pub(crate) fn merge(engine: &mut Engine<'_>, block: BlockId, flows: Vec<Flow>) -> Vec<Flow> {
    if flows.len() < 2 {
        return flows;
    }
    let mut kept: Vec<Flow> = Vec::with_capacity(flows.len());
    for flow in flows {
        let twin = kept.iter().position(|other| is_twin(engine, block, other, &flow));
        match twin.and_then(|at| join(engine, block, &kept[at], &flow.state.path).map(|path| (at, path))) {
            Some((at, path)) => kept[at].state.path = path,
            None => kept.push(flow),
        }
    }
    kept
}

fn is_twin(engine: &Engine<'_>, block: BlockId, a: &Flow, b: &Flow) -> bool {
    let params = &engine.body.blocks[block].params;
    let values = engine.graph.live_in(block).iter().chain(params);
    a.rounds == b.rounds
        && a.state.same_memory(&b.state)
        && values.into_iter().all(|&value| a.get(value) == b.get(value))
}

/// Conditions that two paths differ in; more are not worth a disjunction.
const MAX_DIFFERENCE: usize = 4;

/// The condition that one of two paths is taken, if it is short, and about nothing that the path can still see.
///
/// `if (!p) log(); *p`: the two ways to `*p` must not become one, or it is forgotten that `p` may be null.
fn join(engine: &mut Engine<'_>, block: BlockId, flow: &Flow, b: &Path) -> Option<Path> {
    let state = &flow.state;
    let a = &state.path;
    let common = a.conditions.iter().zip(b.conditions.iter()).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (&a.conditions[common..], &b.conditions[common..]);
    // What an access remembers of the number of conditions must stay true.
    let remembered = state.pre().flat_map(|pre| &pre.accesses).map(|access| access.n_conditions).max();
    if rest_a.len() > MAX_DIFFERENCE || rest_b.len() > MAX_DIFFERENCE || remembered > Some(common) {
        return None;
    }
    let terms = |rest: &[Condition]| rest.iter().map(|it| it.term).collect::<Vec<TermId>>();
    let (only_a, only_b) = (terms(rest_a), terms(rest_b));
    let decided: Vec<TermId> = only_a.iter().chain(&only_b).copied().collect();
    if is_visible(engine, block, flow, &decided) {
        return None;
    }
    let (only_a, only_b) = (engine.terms.conjunction(&only_a), engine.terms.conjunction(&only_b));
    let either = engine.terms.or(only_a, only_b);
    let mut path = Path::default();
    for condition in &a.conditions[..common] {
        if !path.assume(&mut engine.terms, condition.clone()) {
            return None;
        }
    }
    for fact in a.facts.atoms().collect::<Vec<_>>() {
        let known = b.facts.atoms().any(|it| it == fact);
        if known && !path.know(&mut engine.terms, fact) {
            return None;
        }
    }
    let mut defined = a.defined.as_ref().clone();
    defined.extend(b.defined.iter().filter(|it| !a.defined.contains(it)));
    path.defined = defined.into();
    if let Some(last) = rest_a.last().or(rest_b.last()) {
        let condition = Condition { term: either, reason: Reason::Joined, ..last.clone() };
        if !path.assume(&mut engine.terms, condition) {
            return None;
        }
    }
    Some(path)
}

/// Whether a value that may still be used, or memory, has a variable in common with some conditions.
fn is_visible(engine: &Engine<'_>, block: BlockId, flow: &Flow, conditions: &[TermId]) -> bool {
    let mut walk = Walk::new();
    let decided = walk.vars_of(&engine.terms, conditions);
    let params = &engine.body.blocks[block].params;
    let values = engine.graph.live_in(block).iter().chain(params).filter_map(|&value| flow.get(value));
    let cells = flow.state.blocks().flat_map(|(_, block)| block.cells.iter().map(|cell| cell.value));
    let sizes = flow.state.blocks().filter_map(|(_, block)| block.size);
    let roots: Vec<TermId> = values.chain(cells).chain(sizes).collect();
    walk.vars_of(&engine.terms, &roots).iter().any(|var| decided.binary_search(var).is_ok())
}

/// As many paths as are wanted, of as many different shapes as there are: statuses of blocks, and which values are constants. Of one shape, the least
/// demanding ones: they are what callers mostly meet.
pub(crate) fn most_different(engine: &Engine<'_>, flows: Vec<Flow>, width: usize) -> Vec<Flow> {
    let mut groups: BTreeMap<Vec<u64>, Vec<Flow>> = BTreeMap::new();
    let mut order: Vec<Vec<u64>> = Vec::new();
    for flow in flows {
        let shape = shape(engine, &flow);
        if !groups.contains_key(&shape) {
            order.push(shape.clone());
        }
        groups.entry(shape).or_default().push(flow);
    }
    for flows in groups.values_mut() {
        flows.sort_by_key(|flow| flow.state.path.conditions.len());
    }
    let mut kept = Vec::with_capacity(width);
    let mut round = 0;
    while kept.len() < width {
        let before = kept.len();
        for shape in &order {
            if let Some(flow) = groups[shape].get(round)
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

fn shape(engine: &Engine<'_>, flow: &Flow) -> Vec<u64> {
    let mut shape = Vec::new();
    for (_, block) in flow.state.blocks() {
        let status = match block.status {
            Status::Allocated => 0,
            Status::Freed(_) => 1,
            Status::ScopeEnded(_) => 2,
        };
        let nulls = block.cells.iter().filter(|cell| engine.terms.value(cell.value) == Some(0)).count();
        shape.push(
            status | u64::from(block.is_heap()) << 2 | u64::from(block.escaped) << 3 | (nulls as u64) << 8,
        );
    }
    shape
}
