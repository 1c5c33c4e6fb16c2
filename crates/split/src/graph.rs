//! What the worklist must know of a body: order, loops, and which values matter where.
//!
//! Worked out once for each function, and what only stories ask for, when the first one is told.

use std::cell::OnceCell;

use base::{Id, limits};
use ir::{BlockId, Body, Cfg, Dominators, InstId, LocId, LoopId, Loops, Operand, Terminator, ValueId};
use rustc_hash::FxHashMap;
use world::{Site, Sites};

pub(crate) struct Graph {
    pub(crate) cfg: Cfg,
    pub(crate) loops: Loops,
    dominators: Dominators,
    /// The places of the body.
    pub(crate) sites: Sites,
    /// By block: the values that are used in it or behind it, defined before it; ascending.
    live: Vec<Vec<ValueId>>,
    /// Worked out when the first story is told.
    places: OnceCell<Places>,
    /// By block: whether control can come from it to a return; worked out when somebody asks.
    returning: OnceCell<Vec<bool>>,
}

/// Instructions by their places in the source.
pub(crate) struct Places {
    first: FxHashMap<Site, Position>,
}

/// The first instruction at a place of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) block: BlockId,
    /// Its number in the block.
    pub(crate) inst: usize,
}

impl Places {
    fn new(body: &Body, cfg: &Cfg, sites: &Sites) -> Places {
        let mut first: FxHashMap<Site, Position> = FxHashMap::default();
        for &block in cfg.reverse_postorder() {
            let data = &body.blocks[block];
            let locs = data.insts.iter().map(|&inst| body.insts[inst].loc).chain([data.term_loc]);
            for (inst, loc) in locs.enumerate().filter(|(_, loc)| *loc != LocId::FIRST) {
                first.entry(sites.get(loc)).or_insert(Position { block, inst });
            }
        }
        Places { first }
    }

    /// None: no instruction is there.
    pub(crate) fn get(&self, place: Site) -> Option<Position> {
        self.first.get(&place).copied()
    }
}

impl Graph {
    pub(crate) fn new(body: &Body) -> Graph {
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(&cfg);
        let loops = Loops::new(&cfg, &dominators);
        let live = live_in(body, &cfg);
        Graph {
            cfg,
            loops,
            dominators,
            sites: Sites::of(body),
            live,
            places: OnceCell::new(),
            returning: OnceCell::new(),
        }
    }

    /// Bytes, about.
    pub(crate) fn bytes(&self) -> usize {
        // Predecessors, successors, positions, dominators.
        const BLOCK_BYTES: usize = 200;
        let live: usize = self.live.iter().map(|values| size_of_val(&values[..])).sum();
        live + self.live.len() * BLOCK_BYTES
    }

    /// The place of a block in the order of work: callees of the worklist take the least first.
    pub(crate) fn position(&self, block: BlockId) -> usize {
        self.cfg.position(block).unwrap_or(usize::MAX)
    }

    /// The loop that an edge goes back to the head of.
    pub(crate) fn back_edge(&self, from: BlockId, to: BlockId) -> Option<LoopId> {
        self.dominators.dominates(to, from).then(|| self.loops.with_header(to)).flatten()
    }

    /// Whether the edge closes a cycle of blocks that is no natural loop, in the order of work.
    pub(crate) fn goes_back(&self, from: BlockId, to: BlockId) -> bool {
        self.position(to) <= self.position(from)
    }

    /// The loop that an edge leaves, and whether it does so between two rounds.
    pub(crate) fn way_out(&self, from: BlockId, to: BlockId) -> Option<(LoopId, bool)> {
        let id = self.loops.innermost(from).filter(|&id| !self.loops.contains(id, to))?;
        let header = self.loops.get(id).header;
        Some((id, from == header || self.cfg.successors(from).contains(&header)))
    }

    /// The edges that leave a loop.
    pub(crate) fn ways_out(&self, id: LoopId) -> impl Iterator<Item = (BlockId, BlockId)> {
        let of_block = move |&from: &BlockId| {
            let out = self.cfg.successors(from).iter().filter(move |next| !self.loops.contains(id, **next));
            out.map(move |&to| (from, to))
        };
        self.loops.blocks(id).iter().flat_map(of_block)
    }

    pub(crate) fn places(&self, body: &Body) -> &Places {
        self.places.get_or_init(|| Places::new(body, &self.cfg, &self.sites))
    }

    /// Whether execution can come from the end of a block to the beginning of another one without passing through some blocks.
    pub(crate) fn leads(&self, from: BlockId, to: BlockId, around: &[BlockId]) -> bool {
        let mut seen = vec![false; self.live.len()];
        let mut todo = vec![from];
        while let Some(block) = todo.pop() {
            for &next in self.cfg.successors(block) {
                if next == to {
                    return true;
                }
                if !seen[next.index()] && !around.contains(&next) {
                    seen[next.index()] = true;
                    todo.push(next);
                }
            }
        }
        false
    }

    /// Whether control can come from a block to a return, past no instruction that never does.
    pub(crate) fn may_return_from(
        &self,
        body: &Body,
        block: BlockId,
        never_returns: &dyn Fn(InstId) -> bool,
    ) -> bool {
        self.returning.get_or_init(|| self.returning_blocks(body, never_returns))[block.index()]
    }

    fn returning_blocks(&self, body: &Body, never_returns: &dyn Fn(InstId) -> bool) -> Vec<bool> {
        let mut returning = vec![false; body.blocks.len()];
        let mut is_settled = false;
        while !is_settled {
            is_settled = true;
            for &block in self.cfg.reverse_postorder().iter().rev() {
                let data = &body.blocks[block];
                let goes_on = matches!(data.term, Terminator::Return { .. })
                    || self.cfg.successors(block).iter().any(|next| returning[next.index()]);
                if goes_on && !returning[block.index()] && !data.insts.iter().any(|&it| never_returns(it)) {
                    returning[block.index()] = true;
                    is_settled = false;
                }
            }
        }
        returning
    }

    pub(crate) fn live_in(&self, block: BlockId) -> &[ValueId] {
        &self.live[block.index()]
    }
}

/// By block: what is used in it or behind it, and defined before it. From each use back to the definition, so that the work is what comes out.
///
/// Ends when that is more than the budget of memory allows; then it is of no use to anybody.
fn live_in(body: &Body, cfg: &Cfg) -> Vec<Vec<ValueId>> {
    let most = limits::FUNCTION_BYTES / size_of::<ValueId>();
    let defined_in = definitions(body, cfg);
    let mut live: Vec<Vec<ValueId>> = vec![Vec::new(); body.blocks.len()];
    let mut n_live = 0;
    let mut todo: Vec<BlockId> = Vec::new();
    for (block, value) in uses(body, cfg) {
        todo.push(block);
        while let Some(block) = todo.pop() {
            // All uses of one value come one after the other.
            if defined_in[value.index()] == Some(block) || live[block.index()].last() == Some(&value) {
                continue;
            }
            live[block.index()].push(value);
            n_live += 1;
            todo.extend(cfg.predecessors(block).iter().filter(|it| cfg.position(**it).is_some()));
        }
        if n_live > most {
            break;
        }
    }
    live
}

/// The uses of all values: by value, ascending, and then by block.
fn uses(body: &Body, cfg: &Cfg) -> Vec<(BlockId, ValueId)> {
    let mut uses = Vec::new();
    for &block in cfg.reverse_postorder() {
        let data = &body.blocks[block];
        let mut add = |operand: Operand| {
            if let Operand::Value(value) = operand {
                uses.push((block, value));
            }
        };
        data.insts.iter().for_each(|&inst| body.each_operand(inst, &mut add));
        data.term.each_operand(&mut add);
    }
    uses.sort_unstable_by_key(|&(block, value)| (value, block));
    uses.dedup();
    uses
}

/// By value: the block that defines it.
fn definitions(body: &Body, cfg: &Cfg) -> Vec<Option<BlockId>> {
    let mut defined_in = vec![None; body.values.len()];
    for &block in cfg.reverse_postorder() {
        let data = &body.blocks[block];
        let results = data.insts.iter().flat_map(|&inst| body.results(inst));
        for value in results.chain(data.params.iter().copied()) {
            defined_in[value.index()] = Some(block);
        }
    }
    defined_in
}
