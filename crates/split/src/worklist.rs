//! The worklist: Eval of Fig. 5 over the blocks of a body.
//!
//! `Eval(p, C₁; C₂)`: the states behind one instruction are those before the next; an error ends its path
//! (short-circuit). `Eval(p, C₁ + C₂)`: a branch forks. `Eval(p, C*)`: a path goes back to the head of a loop
//! at most `unroll` times.
//! Source: Le et al., OOPSLA 2022, Fig. 5. Departures: those of the crate, and the order of blocks (reverse
//! postorder), so that paths meet where they can be joined.

use catalog::Need;
use std::collections::BTreeMap;

use base::limits;
use heap::path::Reason;
use ir::{BlockId, Body, Const, InstId, Operand, Target, Terminator, UnreachableCause};
use term::TermId;

use crate::arena::Arena;
use crate::casts::unasked;
use crate::cx::Cx;
use crate::effort::Stopped;
use crate::flow::{Flow, Round};
use crate::loops::{WaysOut, leave_loop};
use crate::memory::Memory;
use crate::outcome::Ends;
use crate::select;
use crate::sink::Sink;
use crate::start::start;
use crate::step::step;
use crate::uninit::check_defined;
use crate::{lost, returns};

/// Sides of a branch that are made without a look at the budget of memory.
const FEW_SIDES: usize = 64;

/// Paths that wait, by the place of their next block in the order of work.
#[derive(Default)]
struct Worklist {
    queue: BTreeMap<(usize, BlockId), Waiting>,
    memory: Memory,
    ways_out: WaysOut,
}

/// The paths that wait at one block.
#[derive(Default)]
struct Waiting {
    flows: Vec<Flow>,
    bytes: usize,
}

impl Worklist {
    fn push(&mut self, cx: &Cx<'_>, block: BlockId, flow: Flow) {
        let bytes = flow.bytes();
        let waiting = self.queue.entry((cx.graph.position(block), block)).or_default();
        waiting.flows.push(flow);
        waiting.bytes += bytes;
        self.memory.waiting += bytes;
    }

    /// The paths at the first of all blocks, with its place in the order of work.
    fn pop_first(&mut self) -> Option<(usize, BlockId, Vec<Flow>)> {
        let ((place, block), waiting) = self.queue.pop_first()?;
        self.memory.waiting -= waiting.bytes;
        Some((place, block, waiting.flows))
    }
}

/// Follows all paths from the entry to their ends. `false`: there is not enough memory.
pub(crate) fn follow_all(cx: &Cx<'_>, arena: &mut Arena, sink: &mut Sink) -> bool {
    let mut list = Worklist::default();
    list.memory.code = cx.body.bytes() + cx.graph.bytes();
    if list.memory.has_room(arena, sink) {
        let flow = start(cx, arena);
        list.push(cx, Body::ENTRY, flow);
        work(cx, arena, sink, &mut list);
    }
    !list.memory.is_full
}

fn work(cx: &Cx<'_>, arena: &mut Arena, sink: &mut Sink, list: &mut Worklist) {
    while let Some((place, block, flows)) = list.pop_first() {
        let data = &cx.body.blocks[block];
        let cx = &cx.at(data.insts.first().map_or(data.term_loc, |&inst| cx.body.insts[inst].loc));
        list.memory.weigh(steps(arena, sink), &flows);
        if !list.memory.has_room(arena, sink) {
            return cut(arena, sink, flows);
        }
        let width = |arena: &Arena, sink: &Sink| n_followed(cx, place, steps(arena, sink));
        let flows = select::merge(cx, arena, block, flows);
        let mut flows = leave_loop(cx, arena, block, flows);
        for flow in &mut flows {
            lost::check_lost(cx, arena, sink, flow, block);
        }
        if flows.len() > width(arena, sink) {
            flows = select::merge_visible(cx, arena, block, flows);
        }
        // A path that ends here costs nothing more.
        let ends = matches!(data.term, Terminator::Return { .. }) && data.insts.is_empty();
        if !ends {
            flows = limit(arena, sink, flows, width(arena, sink));
        }
        follow(cx, arena, sink, list, (place, block, flows));
    }
}

/// Steps so far.
fn steps(arena: &Arena, sink: &Sink) -> usize {
    sink.steps + arena.prover.steps()
}

/// Paths are not followed further.
fn cut(arena: &Arena, sink: &mut Sink, flows: Vec<Flow>) {
    flows.into_iter().for_each(|flow| sink.take(arena, Ends::cut(flow.state)));
}

/// How many paths are followed: fewer when the budget shrinks, because it is better to follow some to their end than many halfway.
/// Half of the budget is released on the way to the end, lest a loop at the beginning takes all.
fn n_followed(cx: &Cx<'_>, place: usize, steps: usize) -> usize {
    let last = cx.graph.cfg.reverse_postorder().len().max(2) - 1;
    let released = limits::SPLIT_STEPS / 2 * (last + place.min(last)) / last;
    match steps * 8 / released {
        0 | 1 => cx.options.width,
        2 | 3 => cx.options.width.min(8),
        4 | 5 => cx.options.width.min(3),
        _ => 1,
    }
}

/// At most as many paths as are followed.
fn limit(arena: &Arena, sink: &mut Sink, flows: Vec<Flow>, width: usize) -> Vec<Flow> {
    if flows.len() <= width {
        return flows;
    }
    sink.stop(Stopped::Width);
    select::most_different(arena, flows, width)
}

/// Executes a block on all paths that have come to it.
fn follow(
    cx: &Cx<'_>,
    arena: &mut Arena,
    sink: &mut Sink,
    list: &mut Worklist,
    (place, block, mut flows): (usize, BlockId, Vec<Flow>),
) {
    let data = &cx.body.blocks[block];
    let has_poison = cx.body.consts.iter().any(|it| matches!(it, Const::Poison(_)));
    for &inst in &data.insts {
        let cx = &cx.at(cx.body.insts[inst].loc);
        if has_poison && cx.uses_poison(inst) {
            return cut(arena, sink, flows);
        }
        flows = execute(cx, arena, sink, (place, inst), flows);
        list.memory.weigh(steps(arena, sink), &flows);
        if flows.is_empty() {
            return;
        }
        if !list.memory.has_room(arena, sink) {
            return cut(arena, sink, flows);
        }
    }
    let cx = &cx.at(data.term_loc);
    for flow in flows {
        let ends = terminator(cx, arena, (sink, list), block, flow);
        sink.take(arena, ends);
    }
}

/// Executes an instruction on some paths.
fn execute(
    cx: &Cx<'_>,
    arena: &mut Arena,
    sink: &mut Sink,
    (place, inst): (usize, InstId),
    flows: Vec<Flow>,
) -> Vec<Flow> {
    // Twice as many as can stay, so that there is something to choose from. When only one can, the first is taken.
    let share = match n_followed(cx, place, steps(arena, sink)) {
        1 => 1,
        width => (2 * width).div_ceil(flows.len()).max(2),
    };
    let cx = &Cx { share, ..*cx };
    let mut next = Vec::with_capacity(flows.len());
    for flow in flows {
        sink.steps += 1;
        if steps(arena, sink) > limits::SPLIT_STEPS {
            sink.take(arena, Ends::give_up(flow.state, Stopped::Steps));
            continue;
        }
        let outcomes = step(cx, arena, flow, inst);
        sink.take(arena, outcomes.ends);
        next.extend(outcomes.next);
    }
    let width = n_followed(cx, place, steps(arena, sink));
    limit(arena, sink, next, width)
}

/// Goes on at the blocks behind, or ends.
fn terminator(
    cx: &Cx<'_>,
    arena: &mut Arena,
    (sink, list): (&mut Sink, &mut Worklist),
    block: BlockId,
    mut flow: Flow,
) -> Ends {
    if cx.ends_with_poison(block) {
        return Ends::cut(flow.state);
    }
    match &cx.body.blocks[block].term {
        Terminator::Jump(target) => {
            go(cx, arena, (sink, list), (block, target), flow);
            Ends::default()
        }
        Terminator::Branch { cond, on_true, on_false } => {
            let term = arena.operand(cx, &mut flow, *cond);
            if let Some(ends) = check_defined(cx, arena, &flow.state, term, Need::Condition) {
                return ends;
            }
            let negation = arena.terms.not(term);
            let sides = [(term, on_true), (negation, on_false)];
            match unasked(cx, arena, &flow, block, (term, sides)) {
                Some(side) => fork(cx, arena, (sink, list), (block, &[side]), flow),
                None => fork(cx, arena, (sink, list), (block, &sides), flow),
            }
        }
        Terminator::Switch { value, cases, default } => {
            let term = arena.operand(cx, &mut flow, *value);
            if let Some(ends) = check_defined(cx, arena, &flow.state, term, Need::Switch) {
                return ends;
            }
            let mut none = arena.terms.yes();
            let mut sides = Vec::with_capacity(cases.len() + 1);
            for (constant, target) in cases {
                let constant = arena.operand(cx, &mut flow, Operand::Const(*constant));
                let equal = arena.terms.eq(term, constant);
                let differs = arena.terms.not(equal);
                none = arena.terms.and(none, differs);
                sides.push((equal, target));
            }
            sides.push((none, default));
            fork(cx, arena, (sink, list), (block, &sides), flow)
        }
        Terminator::IndirectJump { address, targets } => {
            let term = arena.operand(cx, &mut flow, *address);
            let mut sides = Vec::with_capacity(targets.len());
            for target in targets {
                let label = arena.label(target.block);
                sides.push((arena.terms.eq(term, label), target));
            }
            fork(cx, arena, (sink, list), (block, &sides), flow)
        }
        Terminator::Return { values } => {
            let results = values.iter().map(|&value| arena.operand(cx, &mut flow, value)).collect();
            returns::returned(cx, arena, sink, flow, results)
        }
        Terminator::Unreachable { cause } => match cause {
            UnreachableCause::NoReturn | UnreachableCause::Trap => Ends::exit(flow.state),
            // Coming here is undefined, or an exception: no claim is made.
            UnreachableCause::Undefined | UnreachableCause::Unwind => Ends::cut(flow.state),
        },
    }
}

/// All sides of a branch that are possible. If only one is, nothing is decided.
fn fork(
    cx: &Cx<'_>,
    arena: &mut Arena,
    (sink, list): (&mut Sink, &mut Worklist),
    (from, sides): (BlockId, &[(TermId, &Target)]),
    flow: Flow,
) -> Ends {
    let mut possible: Vec<(Flow, &Target)> = Vec::with_capacity(sides.len().min(FEW_SIDES));
    for &(term, target) in sides {
        list.ways_out.note(cx, arena, (from, target.block), term);
        if arena.terms.value(term) == Some(0) {
            continue;
        }
        let mut side = flow.clone();
        side.tested = Some(term);
        let reason = reason(cx, arena, list, (&side, from, target.block), term);
        if arena.assume_here(cx, &mut side, (term, reason)) {
            possible.push((side, target));
        }
        let is_pulse = possible.len() % FEW_SIDES == FEW_SIDES - 1;
        if is_pulse && !list.memory.has_room_for(arena, sink, &possible) {
            return Ends::cut(flow.state);
        }
    }
    if let [(side, target)] = &possible[..] {
        let mut only = flow;
        only.tested = side.tested;
        go(cx, arena, (sink, list), (from, target), only);
        return Ends::default();
    }
    for (side, target) in possible {
        go(cx, arena, (sink, list), (from, target), side);
    }
    Ends::default()
}

/// Why a path goes from block to block: it decided so, or a loop comes to its end in the last round, which is not known. That it does is assumed, unless it looks for
/// something and may be left where that is found.
fn reason(
    cx: &Cx<'_>,
    arena: &Arena,
    list: &Worklist,
    (flow, from, to): (&Flow, BlockId, BlockId),
    term: TermId,
) -> Reason {
    let is_end = arena.mentions_not_followed(term) && list.ways_out.is_end(cx, flow, (from, to));
    if is_end { Reason::Havoc } else { Reason::Branch }
}

/// Goes on at a block.
fn go(
    cx: &Cx<'_>,
    arena: &mut Arena,
    (sink, list): (&mut Sink, &mut Worklist),
    (from, target): (BlockId, &Target),
    mut flow: Flow,
) {
    let to = target.block;
    if target.args.iter().any(|&arg| cx.is_poison(arg)) {
        return sink.take(arena, Ends::cut(flow.state));
    }
    let args: Vec<TermId> = target.args.iter().map(|&arg| arena.operand(cx, &mut flow, arg)).collect();
    for (&param, term) in cx.body.blocks[to].params.iter().zip(args) {
        flow.set(param, term);
        if cx.body.values[param].ty == ir::Type::Ptr {
            arena.note_pointer_variable(term);
        }
    }
    if goes_round_for_certain(cx, steps(arena, sink), (from, to), &mut flow) {
        return list.push(cx, to, flow);
    }
    if flow.round(to).is_none() && cx.graph.back_edge(from, to).is_some() {
        let mut over = flow.clone();
        over.set_round(to, Round::Over);
        list.push(cx, to, over);
    }
    match count_round(cx, (from, to), &mut flow) {
        true => list.push(cx, to, flow),
        false => sink.stop(Stopped::Unroll),
    }
}

/// Whether a path goes back to the head of a loop after a round in which nothing was decided: no other way is possible, so it is followed further.
fn goes_round_for_certain(
    cx: &Cx<'_>,
    steps: usize,
    (from, to): (BlockId, BlockId),
    flow: &mut Flow,
) -> bool {
    if !cx.graph.goes_back(from, to) || matches!(flow.round(to), Some(Round::Over | Round::Last)) {
        return false;
    }
    let n_conditions = flow.state.path.conditions.len();
    let lap = flow.lap(to);
    let is_certain = lap.n_conditions == n_conditions
        && lap.n_certain < limits::SPLIT_CERTAIN_ROUNDS
        && steps < limits::SPLIT_STEPS / 2;
    lap.n_conditions = n_conditions;
    lap.n_certain += u32::from(is_certain);
    is_certain
}

/// Counts how often the path went back to the head of a loop. `false`: often enough.
fn count_round(cx: &Cx<'_>, (from, to): (BlockId, BlockId), flow: &mut Flow) -> bool {
    if !cx.graph.goes_back(from, to) {
        let loops = &cx.graph.loops;
        flow.laps.retain(|lap| {
            loops.with_header(lap.header).is_none_or(|id| loops.contains(id, to)) && lap.header != to
        });
        if loops.with_header(to).is_some() {
            flow.lap(to);
        }
        return true;
    }
    let number = match flow.round(to) {
        None => 1,
        Some(Round::Number(number)) => number + 1,
        Some(Round::Over | Round::Last) => u32::MAX,
    };
    if number > cx.options.unroll {
        return false;
    }
    flow.set_round(to, Round::Number(number));
    true
}
