//! The blocks of a body without seams: what is executed one after the other in any case is one chain.
//!
//! Clang splits a block behind a call of a function that may throw, and knows of an inline function that it
//! cannot only if its body came before. The same header thus gives bodies that differ by jumps from one block
//! to the next. As chains they are equal.

use base::IdVec;
use ir::{Block, BlockId, Body, Terminator};

/// All blocks, chain by chain; chains in the order of their first blocks.
pub(crate) fn chains(body: &Body) -> Vec<Vec<BlockId>> {
    let mut n_incoming: IdVec<BlockId, u32> = IdVec::from_vec(vec![0; body.blocks.len()]);
    for target in body.blocks.iter().flat_map(|block| block.term.targets()) {
        n_incoming[target.block] += 1;
    }
    let next = |block: BlockId| next(&body.blocks[block]).filter(|&next| n_incoming[next] == 1);
    let mut continues: IdVec<BlockId, bool> = IdVec::from_vec(vec![false; body.blocks.len()]);
    body.blocks.ids().filter_map(next).for_each(|block| continues[block] = true);
    let heads = body.blocks.ids().filter(|&block| !continues[block]);
    heads.map(|head| std::iter::successors(Some(head), |&block| next(block)).collect()).collect()
}

/// The block that follows without choice and without handing anything over.
fn next(block: &Block) -> Option<BlockId> {
    match &block.term {
        Terminator::Jump(target) if target.args.is_empty() => Some(target.block),
        _ => None,
    }
}

/// By block: the position of the chain that it begins.
pub(crate) fn positions(chains: &[Vec<BlockId>], n_blocks: usize) -> IdVec<BlockId, u32> {
    let mut positions = IdVec::from_vec(vec![u32::MAX; n_blocks]);
    for (position, chain) in (0..).zip(chains) {
        positions[chain[0]] = position;
    }
    positions
}
