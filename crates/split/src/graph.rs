//! What the worklist must know of a body: order, loops, and which values matter where.

use std::cell::OnceCell;

use base::Id;
use ir::{BlockId, Body, Cfg, Dominators, LocId, LoopId, Loops, Operand, ValueId};
use rustc_hash::FxHashMap;

pub(crate) struct Graph {
    pub(crate) cfg: Cfg,
    pub(crate) loops: Loops,
    dominators: Dominators,
    /// By block: the values that are used in it or behind it, defined before it; ascending.
    live: Vec<Vec<ValueId>>,
    /// Worked out when the first story is told.
    places: OnceCell<Places>,
}

/// Instructions by their places in the source.
pub(crate) struct Places {
    first: FxHashMap<u32, Place>,
}

/// The first instruction at a place of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) block: BlockId,
    /// Its number in the block.
    pub(crate) inst: usize,
}

impl Places {
    fn new(body: &Body, cfg: &Cfg) -> Places {
        let mut first: FxHashMap<u32, Place> = FxHashMap::default();
        for &block in cfg.reverse_postorder() {
            let data = &body.blocks[block];
            let locs = data.insts.iter().map(|&inst| body.insts[inst].loc).chain([data.term_loc]);
            for (inst, loc) in locs.enumerate().filter(|(_, loc)| *loc != LocId::FIRST) {
                first.entry(loc.index() as u32).or_insert(Place { block, inst });
            }
        }
        Places { first }
    }

    /// None: no instruction is there.
    pub(crate) fn get(&self, place: u32) -> Option<Place> {
        self.first.get(&place).copied()
    }
}

impl Graph {
    pub(crate) fn new(body: &Body) -> Graph {
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(&cfg);
        let loops = Loops::new(&cfg, &dominators);
        let live = live_in(body, &cfg);
        Graph { cfg, loops, dominators, live, places: OnceCell::new() }
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
        self.places.get_or_init(|| Places::new(body, &self.cfg))
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

    pub(crate) fn live_in(&self, block: BlockId) -> &[ValueId] {
        &self.live[block.index()]
    }
}

/// Backward data flow: used in the block before any definition, or live behind it and not defined in it.
fn live_in(body: &Body, cfg: &Cfg) -> Vec<Vec<ValueId>> {
    let n_blocks = body.blocks.len();
    let words = body.values.len().div_ceil(64);
    let mut live = vec![vec![0_u64; words]; n_blocks];
    let mut changed = true;
    while changed {
        changed = false;
        for &block in cfg.reverse_postorder().iter().rev() {
            let mut set = vec![0_u64; words];
            for &next in cfg.successors(block) {
                set.iter_mut().zip(&live[next.index()]).for_each(|(to, from)| *to |= from);
            }
            let data = &body.blocks[block];
            let add = |set: &mut Vec<u64>, operand: Operand| {
                if let Operand::Value(value) = operand {
                    set[value.index() / 64] |= 1 << (value.index() % 64);
                }
            };
            data.term.each_operand(|operand| add(&mut set, operand));
            for &inst in data.insts.iter().rev() {
                body.results(inst).for_each(|it| set[it.index() / 64] &= !(1 << (it.index() % 64)));
                body.each_operand(inst, |operand| add(&mut set, operand));
            }
            data.params.iter().for_each(|it| set[it.index() / 64] &= !(1 << (it.index() % 64)));
            if set != live[block.index()] {
                live[block.index()] = set;
                changed = true;
            }
        }
    }
    let bits = |set: &Vec<u64>| {
        let of_word = |(at, &word): (usize, &u64)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| ValueId::new(at * 64 + bit))
        };
        set.iter().enumerate().flat_map(of_word).collect()
    };
    live.iter().map(bits).collect()
}
