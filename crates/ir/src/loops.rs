//! Natural loops, and the regions that are loops without being natural ones.
//!
//! A *back edge* goes to a block that dominates its source; that block is the *header* of a loop, whose
//! *body* are the blocks that reach a source of its back edges without passing the header. Loops with
//! different headers are nested or disjoint. Without back edges, a graph that is *reducible* has no cycle:
//! the cycles that remain are the irreducible regions, which have several entries (`goto` into a loop).
//! [`split_nodes`](crate::split_nodes()) removes them.
//!
//! Source: Aho, Lam, Sethi, Ullman, *Compilers*, 2nd ed., §9.6. Everything is linear but for the depth of
//! nesting.

use base::{Id, IdVec, define_id};

use crate::cfg::Cfg;
use crate::dominators::Dominators;
use crate::function::BlockId;
use crate::scc::strong_components;

define_id! {
    /// A loop of a body.
    pub struct LoopId = "loop";
}

/// All loops of a body.
#[derive(Clone, Debug)]
pub struct Loops {
    /// The loops; an outer one comes before those in it.
    loops: IdVec<LoopId, Loop>,
    /// By block: the innermost loop it is in.
    innermost: Vec<Option<LoopId>>,
    /// All blocks that are in loops, so ordered that the blocks of each loop are together.
    blocks: Vec<BlockId>,
    irreducible: Vec<Region>,
}

/// A natural loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The block through which it is entered.
    pub header: BlockId,
    /// The blocks that go back to the header, ascending.
    pub latches: Vec<BlockId>,
    /// The loop around it.
    pub parent: Option<LoopId>,
    /// How many loops are around it, itself included.
    pub depth: u32,
    /// Where its blocks are in `Loops::blocks`.
    range: (u32, u32),
}

/// Blocks that lie on a common cycle that no block of theirs dominates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The blocks, ascending.
    pub blocks: Vec<BlockId>,
    /// Those that can be entered from outside, ascending: at least two.
    pub entries: Vec<BlockId>,
}

impl Loops {
    /// The loops of a graph.
    pub fn new(cfg: &Cfg, dominators: &Dominators) -> Self {
        let mut finder = Finder::new(cfg);
        // Inner headers come later in reverse postorder than the outer ones that dominate them.
        for &header in cfg.reverse_postorder().iter().rev() {
            let is_latch =
                |source: &BlockId| cfg.is_reachable(*source) && dominators.dominates(header, *source);
            let latches: Vec<BlockId> = cfg.predecessors(header).iter().copied().filter(is_latch).collect();
            if !latches.is_empty() {
                finder.add_loop(cfg, header, latches);
            }
        }
        let mut loops = finder.finish(cfg);
        loops.irreducible = irreducible_regions(cfg, dominators);
        loops
    }

    /// The loops, outer ones before those in them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (LoopId, &Loop)> {
        self.loops.iter_ids()
    }

    /// A loop by its id.
    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id]
    }

    /// The innermost loop that a block is in.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block.index()]
    }

    /// How many loops a block is in.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.innermost(block).map_or(0, |id| self.loops[id].depth)
    }

    /// The blocks of a loop, those of inner loops included; the header first.
    pub fn blocks(&self, id: LoopId) -> &[BlockId] {
        let (start, end) = self.loops[id].range;
        &self.blocks[start as usize..end as usize]
    }

    /// Whether a block is in a loop or one of its inner loops.
    pub fn contains(&self, id: LoopId, block: BlockId) -> bool {
        // The ids of the loops in a loop follow it, so its blocks' loops form an interval with the same range of blocks.
        let (start, end) = self.loops[id].range;
        self.innermost(block).is_some_and(|inner| {
            let (inner_start, inner_end) = self.loops[inner].range;
            start <= inner_start && inner_end <= end
        })
    }

    /// The loop with this header.
    pub fn with_header(&self, header: BlockId) -> Option<LoopId> {
        self.innermost(header).filter(|&id| self.loops[id].header == header)
    }

    /// The regions that are no natural loops; none if the graph is reducible.
    pub fn irreducible(&self) -> &[Region] {
        &self.irreducible
    }
}

/// Finds the loops from the innermost to the outermost.
struct Finder {
    /// Found so far: header, latches, parent as an index here.
    found: Vec<(BlockId, Vec<BlockId>, Option<usize>)>,
    /// By block: the innermost loop, as an index of `found`.
    innermost: Vec<Option<usize>>,
    /// By loop: an outermost loop around it that is known, for shortcuts.
    outermost: Vec<usize>,
}

impl Finder {
    fn new(cfg: &Cfg) -> Self {
        Self { found: Vec::new(), innermost: vec![None; cfg.n_blocks()], outermost: Vec::new() }
    }

    fn add_loop(&mut self, cfg: &Cfg, header: BlockId, latches: Vec<BlockId>) {
        let id = self.found.len();
        let mut pending = latches.clone();
        self.found.push((header, latches, None));
        self.outermost.push(id);
        self.innermost[header.index()] = self.innermost[header.index()].or(Some(id));
        while let Some(block) = pending.pop() {
            match self.innermost[block.index()] {
                None => {
                    self.innermost[block.index()] = Some(id);
                    self.pend_predecessors(cfg, block, &mut pending);
                }
                Some(inner) => {
                    // An inner loop is taken over as a whole: what comes before it comes before its header.
                    let outermost = self.find_outermost(inner);
                    if outermost != id {
                        self.found[outermost].2 = Some(id);
                        self.outermost[outermost] = id;
                        let inner_header = self.found[outermost].0;
                        self.pend_predecessors(cfg, inner_header, &mut pending);
                    }
                }
            }
        }
    }

    fn pend_predecessors(&self, cfg: &Cfg, block: BlockId, pending: &mut Vec<BlockId>) {
        pending.extend(cfg.predecessors(block).iter().filter(|&&source| cfg.is_reachable(source)));
    }

    /// The outermost known loop around a loop, with the way there shortened.
    fn find_outermost(&mut self, mut id: usize) -> usize {
        while self.outermost[id] != id {
            self.outermost[id] = self.outermost[self.outermost[id]];
            id = self.outermost[id];
        }
        id
    }

    fn finish(self, cfg: &Cfg) -> Loops {
        // Outer loops were found last, so the reverse order has them first.
        let n_loops = self.found.len();
        let new_id = |old: usize| LoopId::new(n_loops - 1 - old);
        let mut loops: IdVec<LoopId, Loop> = IdVec::new();
        for (header, latches, parent) in self.found.into_iter().rev() {
            let parent = parent.map(new_id);
            let depth = parent.map_or(1, |parent| loops[parent].depth + 1);
            loops.push(Loop { header, latches, parent, depth, range: (0, 0) });
        }
        let innermost: Vec<Option<LoopId>> = self.innermost.iter().map(|it| it.map(new_id)).collect();
        let blocks = arrange(cfg, &mut loops, &innermost);
        Loops { loops, innermost, blocks, irreducible: Vec::new() }
    }
}

/// Sets the range of each loop, and returns the blocks in that order.
fn arrange(cfg: &Cfg, loops: &mut IdVec<LoopId, Loop>, innermost: &[Option<LoopId>]) -> Vec<BlockId> {
    // The number of blocks of each loop, with inner loops; then ranges from the outside in; then every block to its place.
    let mut n_blocks = vec![0_u32; loops.len()];
    cfg.reverse_postorder()
        .iter()
        .filter_map(|it| innermost[it.index()])
        .for_each(|it| n_blocks[it.index()] += 1);
    let n_own = n_blocks.clone();
    for id in loops.ids().rev() {
        if let Some(parent) = loops[id].parent {
            n_blocks[parent.index()] += n_blocks[id.index()];
        }
    }
    let mut next_child = vec![0_u32; loops.len()];
    let mut next_top = 0;
    for id in loops.ids() {
        let place = match loops[id].parent {
            Some(parent) => &mut next_child[parent.index()],
            None => &mut next_top,
        };
        let start = *place;
        *place += n_blocks[id.index()];
        loops[id].range = (start, start + n_blocks[id.index()]);
        // The blocks that are in no inner loop come first.
        next_child[id.index()] = start + n_own[id.index()];
    }
    let mut next: Vec<u32> = loops.iter().map(|it| it.range.0).collect();
    let mut blocks = vec![BlockId::FIRST; next_top as usize];
    for &block in cfg.reverse_postorder() {
        if let Some(id) = innermost[block.index()] {
            blocks[next[id.index()] as usize] = block;
            next[id.index()] += 1;
        }
    }
    blocks
}

/// Whether every loop has one entry: every edge against the order goes to a block that dominates its source.
pub fn is_reducible(cfg: &Cfg, dominators: &Dominators) -> bool {
    retreating_edges(cfg).all(|(source, target)| dominators.dominates(target, source))
}

/// The edges that go against reverse postorder; none if the graph has no cycle.
pub(crate) fn retreating_edges(cfg: &Cfg) -> impl Iterator<Item = (BlockId, BlockId)> {
    let edges = cfg
        .reverse_postorder()
        .iter()
        .flat_map(|&source| cfg.successors(source).iter().map(move |&it| (source, it)));
    edges.filter(|&(source, target)| cfg.position(source) >= cfg.position(target))
}

/// The cycles that are left when back edges are taken away.
fn irreducible_regions(cfg: &Cfg, dominators: &Dominators) -> Vec<Region> {
    if is_reducible(cfg, dominators) {
        return Vec::new();
    }
    let forward = |block: BlockId| {
        cfg.successors(block).iter().copied().filter(move |&target| !dominators.dominates(target, block))
    };
    let components = strong_components(cfg.n_blocks(), cfg.reverse_postorder(), forward);
    let mut regions: Vec<Region> =
        components.into_iter().filter(|it| it.len() > 1).map(|blocks| region(cfg, blocks)).collect();
    regions.sort_by_key(|it| it.blocks[0]);
    regions
}

fn region(cfg: &Cfg, mut blocks: Vec<BlockId>) -> Region {
    blocks.sort_unstable();
    let inside = |block: BlockId| blocks.binary_search(&block).is_ok();
    let is_entry = |block: &BlockId| {
        cfg.predecessors(*block).iter().any(|&source| cfg.is_reachable(source) && !inside(source))
    };
    let entries = blocks.iter().copied().filter(is_entry).collect();
    Region { blocks, entries }
}
