//! Dominators: `a` dominates `b` if every path from the entry to `b` passes `a`.
//!
//! Source: Lengauer and Tarjan, *A Fast Algorithm for Finding Dominators in a Flowgraph*, TOPLAS 1979
//! (semidominators, path compression); Georgiadis, *Linear-Time Algorithms for Dominators and Related
//! Problems*, 2005, §2.3 (Semi-NCA: the immediate dominator is the nearest common ancestor of the
//! semidominator and the parent). Iterated frontiers: Sreedhar and Gao, *A Linear Time Algorithm for Placing
//! φ-Nodes*, POPL 1995.
//! Departures: none in the results; all walks are loops, so that a body of a million blocks needs no deep
//! stack.

use std::collections::BinaryHeap;

use base::Id;

use crate::cfg::Cfg;
use crate::function::{BlockId, Body};

/// The dominator tree of the blocks that the entry reaches.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// By block: its immediate dominator; itself for the entry and for blocks that the entry does not reach.
    parent: Vec<BlockId>,
    /// By block: first and last number of its subtree in preorder; the entry's is 1, 0 stands for unreached blocks.
    interval: Vec<(u32, u32)>,
    /// By block: its depth in the tree.
    depth: Vec<u32>,
    /// The blocks of the tree in preorder.
    preorder: Vec<BlockId>,
}

impl Dominators {
    /// The dominator tree of a graph.
    pub fn new(cfg: &Cfg) -> Self {
        let parent = semi_nca(cfg);
        let preorder = preorder(cfg, &parent);
        let mut interval = vec![(0, 0); cfg.n_blocks()];
        let mut depth = vec![0; cfg.n_blocks()];
        for (index, &block) in preorder.iter().enumerate() {
            let number = index as u32 + 1;
            interval[block.index()] = (number, number);
            let above = parent[block.index()];
            depth[block.index()] = if above == block { 0 } else { depth[above.index()] + 1 };
        }
        for &block in preorder.iter().rev() {
            let (last, above) = (interval[block.index()].1, parent[block.index()].index());
            interval[above].1 = interval[above].1.max(last);
        }
        Self { parent, interval, depth, preorder }
    }

    /// The closest other block that every path from the entry to `block` passes; none for the entry and unreached blocks.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        let parent = self.parent[block.index()];
        (parent != block).then_some(parent)
    }

    /// Whether every path from the entry to `below` passes `above`. A block dominates itself; what the entry does not reach
    /// dominates nothing else and is dominated by nothing else.
    pub fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        let (first, last) = self.interval[above.index()];
        let (number, _) = self.interval[below.index()];
        above == below || (first != 0 && number >= first && number <= last)
    }

    /// How many other blocks dominate `block`.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.depth[block.index()]
    }

    /// The blocks that the entry reaches, each after those that dominate it, subtrees together.
    pub fn preorder(&self) -> &[BlockId] {
        &self.preorder
    }

    /// The blocks that `block` dominates, itself first.
    pub fn subtree(&self, block: BlockId) -> &[BlockId] {
        match self.interval[block.index()] {
            (0, _) => &[],
            (first, last) => &self.preorder[first as usize - 1..last as usize],
        }
    }

    /// The dominance frontier of each block: the joins where its influence ends. `b` is in the frontier of `a` if `a` dominates
    /// a predecessor of `b`, but not `b` itself (or `a = b`).
    ///
    /// The lists of all blocks together can be quadratic; [`iterated_frontier`](Self::iterated_frontier) needs none of them.
    pub fn frontiers(&self, cfg: &Cfg) -> Vec<Vec<BlockId>> {
        let mut frontiers = vec![Vec::new(); cfg.n_blocks()];
        for &join in cfg.reverse_postorder() {
            let stop = self.immediate(join);
            for &source in cfg.predecessors(join).iter().filter(|&&source| cfg.is_reachable(source)) {
                let mut runner = Some(source);
                while let Some(block) = runner.filter(|_| runner != stop) {
                    let frontier: &mut Vec<BlockId> = &mut frontiers[block.index()];
                    if frontier.last() == Some(&join) {
                        break;
                    }
                    frontier.push(join);
                    runner = self.immediate(block);
                }
            }
        }
        frontiers
    }

    /// The joins where definitions in `defs` meet, and the joins of those, as far as `wanted` (which should be closed: what is not
    /// wanted counts as no definition). `scratch` is used by all calls for one graph.
    pub fn iterated_frontier(
        &self,
        cfg: &Cfg,
        defs: impl IntoIterator<Item = BlockId>,
        wanted: impl Fn(BlockId) -> bool,
        scratch: &mut FrontierScratch,
    ) -> Vec<BlockId> {
        scratch.next_round(cfg.n_blocks());
        let mut joins = Vec::new();
        // Deepest first: then a join that is found later is never deeper than what was looked at before.
        let mut queue = std::mem::take(&mut scratch.queue);
        for def in defs.into_iter().filter(|&def| cfg.is_reachable(def)) {
            if scratch.enqueue(def) {
                queue.push((self.depth(def), def));
            }
        }
        while let Some((root_depth, root)) = queue.pop() {
            // The entry's subtree is everything, and nothing is above it: its frontier is empty.
            if root_depth == 0 {
                continue;
            }
            let mut index = self.interval[root.index()].0 as usize - 1;
            let end = self.interval[root.index()].1 as usize;
            while index < end {
                let block = self.preorder[index];
                if !scratch.visit(block) {
                    // Its whole subtree was looked at from a deeper root.
                    index = self.interval[block.index()].1 as usize;
                    continue;
                }
                index += 1;
                for &join in cfg.successors(block) {
                    if self.depth(join) <= root_depth && wanted(join) && scratch.add(join) {
                        joins.push(join);
                        if scratch.enqueue(join) {
                            queue.push((self.depth(join), join));
                        }
                    }
                }
            }
        }
        scratch.queue = queue;
        joins.sort_unstable();
        joins
    }
}

/// Marks for [`Dominators::iterated_frontier`], reused so that a call costs no more than what it looks at.
#[derive(Clone, Debug, Default)]
pub struct FrontierScratch {
    /// The current call; marks of earlier calls are smaller.
    round: u32,
    queued: Vec<u32>,
    visited: Vec<u32>,
    added: Vec<u32>,
    /// Empty between calls; kept for its memory.
    queue: BinaryHeap<(u32, BlockId)>,
}

impl FrontierScratch {
    fn next_round(&mut self, n_blocks: usize) {
        self.round += 1;
        for marks in [&mut self.queued, &mut self.visited, &mut self.added] {
            marks.resize(n_blocks, 0);
        }
    }

    fn enqueue(&mut self, block: BlockId) -> bool {
        std::mem::replace(&mut self.queued[block.index()], self.round) != self.round
    }

    fn visit(&mut self, block: BlockId) -> bool {
        std::mem::replace(&mut self.visited[block.index()], self.round) != self.round
    }

    fn add(&mut self, block: BlockId) -> bool {
        std::mem::replace(&mut self.added[block.index()], self.round) != self.round
    }
}

/// The state of the depth-first search and of path compression; blocks are named by their number in preorder of the search.
struct Forest {
    /// The parent in the search tree, then the ancestor that compressed paths lead to.
    ancestor: Vec<u32>,
    /// The semidominator.
    semi: Vec<u32>,
    /// The vertex of least semidominator on the compressed path.
    label: Vec<u32>,
}

/// By block: the immediate dominator, itself for the entry and unreached blocks.
fn semi_nca(cfg: &Cfg) -> Vec<BlockId> {
    let (order, number, parent) = depth_first(cfg);
    let n = order.len() as u32;
    let mut forest = Forest { ancestor: parent.clone(), semi: (0..n).collect(), label: (0..n).collect() };
    let mut path = Vec::new();
    for vertex in (1..n).rev() {
        for source in cfg.predecessors(order[vertex as usize]) {
            let source = number[source.index()];
            if source == u32::MAX {
                continue;
            }
            let best = forest.eval(source, vertex, &mut path);
            forest.semi[vertex as usize] = forest.semi[vertex as usize].min(forest.semi[best as usize]);
        }
    }
    // idom(v) is the nearest ancestor of v's parent, in the tree built so far, that is not below semi(v).
    let mut idom = parent;
    for vertex in 1..n as usize {
        while idom[vertex] > forest.semi[vertex] {
            idom[vertex] = idom[idom[vertex] as usize];
        }
    }
    let mut result: Vec<BlockId> = (0..cfg.n_blocks()).map(BlockId::new).collect();
    for vertex in 1..n as usize {
        result[order[vertex].index()] = order[idom[vertex] as usize];
    }
    result
}

impl Forest {
    /// The vertex of least semidominator on the path from `vertex` up to what is already linked (vertices above `last_linked`).
    fn eval(&mut self, vertex: u32, last_linked: u32, path: &mut Vec<u32>) -> u32 {
        if vertex <= last_linked {
            return vertex;
        }
        let mut at = vertex;
        while self.ancestor[at as usize] > last_linked {
            path.push(at);
            at = self.ancestor[at as usize];
        }
        // `at` is the topmost linked vertex; those below take over its label where it is smaller, from the top down.
        let mut above = at;
        while let Some(below) = path.pop() {
            let (below_label, above_label) = (self.label[below as usize], self.label[above as usize]);
            if self.semi[above_label as usize] < self.semi[below_label as usize] {
                self.label[below as usize] = above_label;
            }
            self.ancestor[below as usize] = self.ancestor[above as usize];
            above = below;
        }
        self.label[vertex as usize]
    }
}

/// Blocks in preorder of a depth-first search, the number of each block in it, and the parent of each number.
fn depth_first(cfg: &Cfg) -> (Vec<BlockId>, Vec<u32>, Vec<u32>) {
    let mut number = vec![u32::MAX; cfg.n_blocks()];
    let (mut order, mut parent) = (Vec::new(), Vec::new());
    let mut stack = Vec::new();
    if cfg.n_blocks() > 0 {
        stack.push((Body::ENTRY, 0_u32));
    }
    while let Some((block, from)) = stack.pop() {
        if number[block.index()] != u32::MAX {
            continue;
        }
        let own = order.len() as u32;
        number[block.index()] = own;
        order.push(block);
        parent.push(from);
        for &next in cfg.successors(block).iter().rev() {
            if number[next.index()] == u32::MAX {
                stack.push((next, own));
            }
        }
    }
    (order, number, parent)
}

/// The blocks of the dominator tree in preorder, children in reverse postorder of the graph.
fn preorder(cfg: &Cfg, parent: &[BlockId]) -> Vec<BlockId> {
    let order = cfg.reverse_postorder();
    // Children as linked lists: pushing in postorder leaves them in reverse postorder.
    let mut first_child = vec![None; cfg.n_blocks()];
    let mut next_sibling = vec![None; cfg.n_blocks()];
    for &block in order.iter().skip(1).rev() {
        let above = parent[block.index()].index();
        next_sibling[block.index()] = first_child[above].replace(block);
    }
    let mut result = Vec::with_capacity(order.len());
    let mut stack: Vec<BlockId> = order.first().copied().into_iter().collect();
    while let Some(block) = stack.pop() {
        result.push(block);
        if block != Body::ENTRY {
            stack.extend(next_sibling[block.index()]);
        }
        stack.extend(first_child[block.index()]);
    }
    result
}
