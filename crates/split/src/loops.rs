//! The last round of a loop.
//!
//! Source: `Eval(p, C*)` of Le et al. Fig. 5 follows a bounded number of rounds and drops what goes on.
//! Departure: the path that went round often enough is not dropped, but taken to *some* later round: what the
//! rounds in between may have changed is any value (`NotFollowed`), and nothing is reported that rests on one
//! of them. That the loop ends is assumed, not decided ([`Reason::Havoc`](heap::path::Reason::Havoc)).
//!
//! ```c
//! for (i = 0; i < n; i++) s += a[i];
//! p = malloc(8); *p = 0;               // happens for every n, not only for those that were followed.
//! ```
//!
//! What a round may change is read off the code: memory behind pointers that are the same in all rounds is
//! changed where it is stored to; a pointer that varies may lead to whatever the values of the loop lead to,
//! and so may code that is called. What was kept or freed in the rounds that were followed is known; what the
//! others may have kept or freed is taken for kept.

use std::collections::{BTreeSet, HashMap};

use base::limits;
use heap::block::Content;
use heap::{BlockId, Bytes, Exit, Given, Kind, Place, State, Written};
use ir::{BlockId as CodeBlock, Callee, Const, Inst, LoopId, Operand, ValueDef, ValueId};
use models::What;
use summary::Summary;
use term::{Origin, TermId};

use crate::arena::Arena;
use crate::cx::Cx;
use crate::flow::{Flow, Round};
use crate::select;
use world::Knowledge;

/// Values in the last round of a loop: the same for all paths that go on in it together.
#[derive(Default)]
struct Later {
    values: HashMap<ValueId, TermId>,
    cells: HashMap<(TermId, i64, u32), TermId>,
}

/// What some rounds of a loop may change.
#[derive(Default)]
struct Changes {
    /// Single cells, and their bytes.
    cells: Vec<(BlockId, i64, u32)>,
    /// Whole blocks.
    blocks: BTreeSet<BlockId>,
    /// Whether everything may be changed that the loop has a way to.
    all: bool,
    /// Whether code is called that may know memory of its own.
    calls: bool,
    /// Whether pointers may be kept.
    keeps: bool,
    /// What may be kept or freed for certain.
    taken: Vec<TermId>,
}

/// Paths that have gone round once go on in the last round, too, joined as far as they differ in their decisions only.
pub(crate) fn leave_loop(cx: &Cx<'_>, arena: &mut Arena, header: CodeBlock, flows: Vec<Flow>) -> Vec<Flow> {
    let (mut over, mut flows): (Vec<Flow>, Vec<Flow>) =
        flows.into_iter().partition(|flow| flow.round(header) == Some(Round::Over));
    let Some(id) = cx.graph.loops.with_header(header).filter(|_| !over.is_empty()) else {
        return flows;
    };
    let mut later = Later::default();
    for flow in &mut over {
        enter_last_round(cx, arena, id, flow, &mut later);
    }
    let mut last = select::merge_visible(cx, arena, header, over);
    last.sort_by_key(|flow| select::demand(arena, &flow.state));
    last.truncate(limits::SPLIT_LAST_ROUNDS);
    flows.extend(last);
    flows
}

/// Ways out of loops before their end, and whether it is the environment that decides about them.
#[derive(Default)]
pub(crate) struct WaysOut {
    known: HashMap<(CodeBlock, CodeBlock), bool>,
}

impl WaysOut {
    /// Notes by whose decision a loop is left before its end.
    pub(crate) fn note(&mut self, cx: &Cx<'_>, arena: &Arena, edge: (CodeBlock, CodeBlock), term: TermId) {
        let Some((_, false)) = cx.graph.way_out(edge.0, edge.1) else { return };
        let vars = arena.terms.vars_of(term);
        let is_chosen = |&var: &term::VarId| arena.terms.var(var).origin.is_chosen();
        let is_chosen = !vars.is_empty() && vars.iter().all(is_chosen);
        *self.known.entry(edge).or_insert(true) &= is_chosen;
    }

    /// Whether a path leaves a loop in its last round, at its end: not if the loop looks for something and may be left where that is found.
    pub(crate) fn is_end(&self, cx: &Cx<'_>, flow: &Flow, edge: (CodeBlock, CodeBlock)) -> bool {
        let Some((id, is_between)) = cx.graph.way_out(edge.0, edge.1) else { return false };
        if flow.round(cx.graph.loops.get(id).header) != Some(Round::Last) {
            return false;
        }
        let mut others = cx.graph.ways_out(id).filter(|&it| it != edge && cx.may_return_from(it.1));
        others.all(|it| is_between && self.known.get(&it) == Some(&true))
    }
}

fn enter_last_round(cx: &Cx<'_>, arena: &mut Arena, id: LoopId, flow: &mut Flow, later: &mut Later) {
    let header = cx.graph.loops.get(id).header;
    let blocks = cx.graph.loops.blocks(id).to_vec();
    let own = values_of(cx, &blocks);
    forget_changes(cx, arena, flow, &blocks, &own, later);
    flow.state.choose(heap::Choice::Opaque);
    // Values of the loop that are used behind it are those of its last round.
    for &value in own.iter().filter(|value| flow.get(**value).is_some()).collect::<Vec<_>>() {
        let ty = cx.body.values[value].ty;
        let width = cx.width(ty);
        let havoc = *later.values.entry(value).or_insert_with(|| later_value(arena, width));
        // What only the old value pointed to may be anywhere.
        let old: Vec<TermId> = flow.get(value).into_iter().collect();
        flow.state.lose(&arena.terms, &old);
        if ty == ir::Type::Ptr {
            arena.note_pointer(havoc);
        }
        flow.set(value, havoc);
    }
    flow.set_round(header, Round::Last);
}

fn later_value(arena: &mut Arena, width: term::Width) -> TermId {
    arena.fresh(width, Origin::NotFollowed, "", heap::VarRole::Local, None)
}

/// The values that are defined in some blocks of code.
fn values_of(cx: &Cx<'_>, blocks: &[CodeBlock]) -> BTreeSet<ValueId> {
    let of_block = |&block: &CodeBlock| {
        let data = &cx.body.blocks[block];
        let results = data.insts.iter().flat_map(|&inst| cx.body.results(inst));
        data.params.iter().copied().chain(results).collect::<Vec<ValueId>>()
    };
    blocks.iter().flat_map(of_block).collect()
}

/// Whatever rounds of a loop may change becomes content that nothing may rest on.
fn forget_changes(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &mut Flow,
    blocks: &[CodeBlock],
    own: &BTreeSet<ValueId>,
    later: &mut Later,
) {
    let mut changes = Changes::default();
    for &block in blocks {
        for &inst in &cx.body.blocks[block].insts {
            note_changes(cx, arena, flow, inst, own, &mut changes);
        }
    }
    let ways = if changes.all || changes.keeps { ways_of(cx, arena, flow, blocks) } else { Vec::new() };
    let reached = arena.reachable(&flow.state, &ways);
    let inside = reached.iter().flat_map(|&block| flow.state.block(block).values());
    let all: Vec<TermId> = ways.into_iter().chain(inside).collect();
    for value in all {
        // Memory of the caller that the rounds which were followed have not met.
        if arena.blocks_of(&flow.state, value).is_empty() {
            let written = if changes.all { Written::NotFollowed } else { Written::No };
            let given = Given { pointer: value, written, kept: changes.keeps };
            arena.give_away(&mut flow.state, given, cx.here());
        }
    }
    if changes.keeps {
        let_be_kept(arena, flow, &reached, own, &changes.taken);
    }
    if changes.all {
        changes.blocks.extend(reached);
    }
    if changes.calls {
        let is_known_elsewhere = |block: &heap::Block| block.escaped || matches!(block.kind, Kind::Global(_));
        let elsewhere = flow.state.blocks().filter(|(_, block)| is_known_elsewhere(block));
        changes.blocks.extend(elsewhere.map(|(id, _)| id));
    }
    for block in changes.blocks {
        forget_block(cx, arena, &mut flow.state, block);
    }
    for (block, offset, bytes) in changes.cells {
        forget_cell(cx, arena, &mut flow.state, (block, offset, bytes), later);
    }
}

fn note_changes(
    cx: &Cx<'_>,
    arena: &Arena,
    flow: &Flow,
    inst: ir::InstId,
    own: &BTreeSet<ValueId>,
    changes: &mut Changes,
) {
    match &cx.body.insts[inst].inst {
        Inst::Store { ptr, value, .. } => {
            let width = cx.width(cx.body.ty(*value));
            if width >= arena.pointer_bits() {
                changes.keeps = true;
                changes.taken.extend(known_value(flow, *value));
            }
            note_write(cx, arena, flow, *ptr, Some(width.div_ceil(8)), own, changes);
        }
        Inst::MemCopy { dst, .. } => {
            changes.keeps = true;
            note_write(cx, arena, flow, *dst, None, own, changes);
        }
        Inst::MemSet { dst: ptr, .. }
        | Inst::VaStart { list: ptr }
        | Inst::VaCopy { dst: ptr, .. }
        | Inst::Lifetime { ptr, .. } => note_write(cx, arena, flow, *ptr, None, own, changes),
        Inst::Call { call } if may_change(cx, *call) => {
            (changes.all, changes.calls, changes.keeps) = (true, true, true);
            let taken = taken_by(cx, *call).filter_map(|arg| known_value(flow, arg));
            changes.taken.extend(taken);
        }
        _ => {}
    }
}

/// A write of some bytes, or of nobody knows how many.
fn note_write(
    cx: &Cx<'_>,
    arena: &Arena,
    flow: &Flow,
    ptr: Operand,
    bytes: Option<u32>,
    own: &BTreeSet<ValueId>,
    changes: &mut Changes,
) {
    let Some((base, offset)) = lasting_base(cx, arena, flow, ptr, own) else {
        changes.all = true;
        return;
    };
    // What a base is that has no block yet, nobody has looked at.
    for block in arena.blocks_of(&flow.state, base) {
        let from = flow.state.block(block).base;
        let is_start = base == from;
        match (offset, bytes) {
            (Some(offset), Some(bytes)) if is_start => changes.cells.push((block, offset, bytes)),
            _ => drop(changes.blocks.insert(block)),
        }
    }
}

/// The pointer that an address of the loop begins at, if it is the same in all rounds, and the distance, if that is, too.
fn lasting_base(
    cx: &Cx<'_>,
    arena: &Arena,
    flow: &Flow,
    ptr: Operand,
    own: &BTreeSet<ValueId>,
) -> Option<(TermId, Option<i64>)> {
    let (mut at, mut offset) = (ptr, Some(0_i64));
    loop {
        let value = match at {
            Operand::Value(value) => value,
            Operand::Const(constant) => {
                let Const::Global { global, offset: further } = cx.body.consts[constant] else {
                    return None;
                };
                let role = heap::VarRole::Global(cx.world.global(cx.unit, global));
                let base = *arena.symbols().get(&role)?;
                return Some((base, offset.map(|offset| offset.wrapping_add(further))));
            }
        };
        if !own.contains(&value) {
            return Some((flow.get(value)?, offset));
        }
        let ValueDef::Result(inst, _) = cx.body.values[value].def else { return None };
        match &cx.body.insts[inst].inst {
            Inst::Assign { value, .. } => at = *value,
            Inst::PtrAdd { base, index, scale, .. } => {
                let step = constant_of(cx, *index).and_then(|it| it.checked_mul(i64::try_from(*scale).ok()?));
                offset = offset.zip(step).map(|(offset, step)| offset.wrapping_add(step));
                at = *base;
            }
            _ => return None,
        }
    }
}

fn constant_of(cx: &Cx<'_>, operand: Operand) -> Option<i64> {
    let Operand::Const(constant) = operand else { return None };
    match cx.body.consts[constant] {
        Const::Int { width, value } => i64::try_from(term::signed(width, value)).ok(),
        _ => None,
    }
}

/// Whether a call may change memory.
fn may_change(cx: &Cx<'_>, call: ir::CallId) -> bool {
    let call = &cx.body.calls[call];
    let Callee::Func(function) = call.callee else { return true };
    let memory = cx.module.functions[function].attrs.memory;
    let writes = memory.args.write || memory.other.write;
    writes
        && cx.world.function(cx.unit, function).iter().any(|&target| match cx.world.callee(target) {
            Knowledge::Summary(summary) => !changes_nothing(&summary),
            Knowledge::Model(model) => {
                let effects = model.cases.iter().flat_map(|case| &case.effects);
                let is_read = |what: &What| {
                    matches!(
                        what,
                        What::Access { .. }
                            | What::Output
                            | What::Format { style: models::FormatStyle::Printf }
                    )
                };
                !effects.into_iter().all(|effect| is_read(&effect.what))
            }
            Knowledge::Unknown => true,
        })
}

/// All values that the loop looks at.
fn ways_of(cx: &Cx<'_>, arena: &Arena, flow: &Flow, blocks: &[CodeBlock]) -> Vec<TermId> {
    let mut used: BTreeSet<ValueId> = BTreeSet::new();
    let mut symbols: Vec<TermId> = Vec::new();
    let mut note = |operand: Operand| match operand {
        Operand::Value(value) => drop(used.insert(value)),
        Operand::Const(constant) => {
            if let Const::Global { global, .. } = cx.body.consts[constant] {
                let role = heap::VarRole::Global(cx.world.global(cx.unit, global));
                symbols.extend(arena.symbols().get(&role));
            }
        }
    };
    for &block in blocks {
        let data = &cx.body.blocks[block];
        data.insts.iter().for_each(|&inst| cx.body.each_operand(inst, &mut note));
        data.term.each_operand(&mut note);
    }
    used.into_iter().filter_map(|value| flow.get(value)).chain(symbols).collect()
}

/// What is behind the values of the loop may be kept or freed in some round.
fn let_be_kept(
    arena: &Arena,
    flow: &mut Flow,
    reached: &[BlockId],
    own: &BTreeSet<ValueId>,
    taken: &[TermId],
) {
    let varying = own.iter().filter_map(|&value| flow.get(value));
    let inside = reached.iter().flat_map(|&block| flow.state.block(block).values());
    let values: Vec<TermId> = varying.chain(inside).chain(taken.iter().copied()).collect();
    for block in arena.reachable(&flow.state, &values) {
        flow.state.block_mut(block).escaped = true;
    }
}

fn known_value(flow: &Flow, operand: Operand) -> Option<TermId> {
    match operand {
        Operand::Value(value) => flow.get(value),
        Operand::Const(_) => None,
    }
}

/// The arguments that a callee may keep or free.
fn taken_by(cx: &Cx<'_>, call: ir::CallId) -> impl Iterator<Item = Operand> {
    let call = &cx.body.calls[call];
    let targets = match call.callee {
        Callee::Func(function) => Some(cx.world.function(cx.unit, function)),
        _ => None,
    };
    let is_taken = move |at: &usize| {
        let Some(targets) = &targets else { return true };
        targets.iter().any(|&target| match cx.world.callee(target) {
            Knowledge::Summary(summary) => takes(&summary, *at as u32),
            Knowledge::Model(model) => model_takes(model, *at),
            Knowledge::Unknown => true,
        })
    };
    (0..call.args.len()).filter(is_taken).map(|at| call.args[at])
}

fn forget_block(cx: &Cx<'_>, arena: &mut Arena, state: &mut State, block: BlockId) {
    let data = state.block(block);
    if matches!(data.kind, Kind::Constant(_) | Kind::Function(_)) || !data.status.is_allocated() {
        return;
    }
    state.presume_global(block, heap::AccessKind::Write, cx.here());
    // What was stored before may still be there.
    let values = state.block(block).values();
    state.lose(&arena.terms, &values);
    arena.forget(state, block, Content::NotFollowed);
}

fn forget_cell(
    cx: &Cx<'_>,
    arena: &mut Arena,
    state: &mut State,
    (block, from, bytes): (BlockId, i64, u32),
    later: &mut Later,
) {
    let data = state.block(block);
    if !data.status.is_allocated() || data.rest == Content::NotFollowed && data.cells.is_empty() {
        return;
    }
    state.presume_global(block, heap::AccessKind::Write, cx.here());
    let to = from.wrapping_add(i64::from(bytes));
    let is_touched =
        |cell: &&heap::Cell| cell.place.symbolic.is_some() || cell.place.offset < to && cell.end() > from;
    let touched = state.block(block).cells.iter().filter(is_touched);
    let values: Vec<TermId> = touched.map(|cell| cell.value).collect();
    state.lose(&arena.terms, &values);
    let base = state.block(block).base;
    let havoc = *later.cells.entry((base, from, bytes)).or_insert_with(|| later_value(arena, bytes * 8));
    arena.write(state, Bytes { block, place: Place::at(from) }, bytes, havoc);
}

/// Whether a function leaves memory as it finds it, on all paths that were followed to their end.
fn changes_nothing(summary: &Summary) -> bool {
    let mut returns = summary.split.specs.iter().filter(|spec| spec.exit == Exit::Ok);
    let leaves = |spec: &heap::Spec| {
        let is_same = |(pre, post): (&heap::PreBlock, &heap::Block)| {
            post.status.is_allocated()
                && post.cells.iter().all(|cell| pre.cells.contains(cell))
                && post.rest == Content::Initial
        };
        spec.given.is_empty() && !spec.exposed && spec.pre.iter().zip(&spec.post).all(is_same)
    };
    !summary.split.gave_up && !summary.split.incomplete && returns.all(leaves)
}

/// Whether a function may keep or free what a parameter points to.
fn takes(summary: &Summary, param: u32) -> bool {
    let is_param = |term: TermId| {
        summary
            .split
            .terms
            .vars_of(term)
            .iter()
            .any(|&var| summary.split.roles[var] == heap::VarRole::Param(param))
    };
    let takes = |spec: &heap::Spec| {
        let is_changed = |(pre, post): (&heap::PreBlock, &heap::Block)| {
            is_param(pre.base) && (post.escaped || !post.status.is_allocated())
        };
        let cells = spec.post.iter().flat_map(|block| &block.cells);
        spec.pre.iter().zip(&spec.post).any(is_changed)
            || spec.given.iter().any(|given| given.kept && is_param(given.pointer))
            || cells.into_iter().any(|cell| is_param(cell.value))
            || spec.results.iter().any(|&result| is_param(result))
    };
    summary.split.gave_up
        || summary.split.incomplete
        || summary.split.specs.iter().filter(|spec| spec.exit == Exit::Ok).any(takes)
}

fn model_takes(model: &models::Model, at: usize) -> bool {
    let takes = |effect: &models::Effect| {
        let is_it = match effect.arg {
            models::Arg::At(arg) => arg == at,
            models::Arg::Rest => model.params.is_none_or(|params| at >= params),
        };
        is_it && matches!(effect.what, What::Free { .. } | What::Escape | What::Copy { .. })
    };
    model.cases.iter().flat_map(|case| &case.effects).any(takes)
}
