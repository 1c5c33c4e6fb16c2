//! The control-flow graph of a body: successors, predecessors, reverse postorder.
//!
//! A block is a successor once, however many targets of a terminator name it; who needs the arguments of each
//! target reads [`Terminator::targets`](crate::Terminator::targets). Everything is computed once, in linear
//! time, without recursion.

use base::Id;

use crate::function::{BlockId, Body};

/// The edges between blocks, and an order in which a block comes after its predecessors but for loops.
#[derive(Clone, Debug)]
pub struct Cfg {
    successors: Edges,
    predecessors: Edges,
    /// The blocks that the entry reaches, in reverse postorder.
    order: Vec<BlockId>,
    /// By block: its position in `order`, [`UNREACHABLE`] if the entry does not reach it.
    position: Vec<u32>,
}

/// The position of blocks that the entry does not reach.
const UNREACHABLE: u32 = u32::MAX;

impl Cfg {
    /// The graph of `body`, whose targets should exist (law L2 of the verifier).
    pub fn new(body: &Body) -> Self {
        let n_blocks = body.blocks.len();
        let mut last_source = vec![u32::MAX; n_blocks];
        let mut edges = Vec::new();
        for (source, block) in body.blocks.iter_ids() {
            for target in block.term.targets() {
                let seen = &mut last_source[target.block.index()];
                if *seen != source.index() as u32 {
                    *seen = source.index() as u32;
                    edges.push((source, target.block));
                }
            }
        }
        Self::from_edges(n_blocks, &edges)
    }

    /// The graph with the given number of blocks and edges, which should be distinct.
    pub fn from_edges(n_blocks: usize, edges: &[(BlockId, BlockId)]) -> Self {
        let successors = Edges::new(n_blocks, edges.iter().copied());
        let predecessors = Edges::new(n_blocks, edges.iter().map(|&(source, target)| (target, source)));
        let order = reverse_postorder(&successors, n_blocks);
        let mut position = vec![UNREACHABLE; n_blocks];
        for (index, block) in order.iter().enumerate() {
            position[block.index()] = index as u32;
        }
        Self { successors, predecessors, order, position }
    }

    /// The number of blocks, those included that the entry does not reach.
    pub fn n_blocks(&self) -> usize {
        self.position.len()
    }

    /// The blocks that may follow `block`, each once, in the order of the terminator's targets.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        self.successors.of(block)
    }

    /// The blocks that `block` may follow, each once, ascending; also those that the entry does not reach.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        self.predecessors.of(block)
    }

    /// The blocks that the entry reaches, in reverse postorder: the entry first.
    pub fn reverse_postorder(&self) -> &[BlockId] {
        &self.order
    }

    /// The position of a block in reverse postorder, if the entry reaches it.
    pub fn position(&self, block: BlockId) -> Option<usize> {
        let position = self.position[block.index()];
        (position != UNREACHABLE).then_some(position as usize)
    }

    /// Whether the entry reaches `block`.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position[block.index()] != UNREACHABLE
    }
}

/// Lists of blocks, one per block, in one vector.
#[derive(Clone, Debug)]
struct Edges {
    /// By block: where its list starts; one more at the end.
    starts: Vec<u32>,
    lists: Vec<BlockId>,
}

impl Edges {
    /// Sorts edges by their source; the targets of one source keep their order.
    fn new(n_blocks: usize, edges: impl Iterator<Item = (BlockId, BlockId)> + Clone) -> Self {
        let mut starts = vec![0_u32; n_blocks + 1];
        edges.clone().for_each(|(source, _)| starts[source.index() + 1] += 1);
        for index in 0..n_blocks {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut lists = vec![BlockId::FIRST; starts[n_blocks] as usize];
        for (source, target) in edges {
            let place = &mut next[source.index()];
            lists[*place as usize] = target;
            *place += 1;
        }
        Self { starts, lists }
    }

    fn of(&self, block: BlockId) -> &[BlockId] {
        let index = block.index();
        &self.lists[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

fn reverse_postorder(successors: &Edges, n_blocks: usize) -> Vec<BlockId> {
    if n_blocks == 0 {
        return Vec::new();
    }
    let mut visited = vec![false; n_blocks];
    let mut order = Vec::with_capacity(n_blocks);
    // Each entry is a block with the number of its successors that are already done.
    let mut stack = vec![(Body::ENTRY, 0)];
    visited[Body::ENTRY.index()] = true;
    while let Some((block, n_done)) = stack.last_mut() {
        match successors.of(*block).get(*n_done) {
            Some(&next) => {
                *n_done += 1;
                if !std::mem::replace(&mut visited[next.index()], true) {
                    stack.push((next, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
