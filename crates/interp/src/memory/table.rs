//! All blocks by their numbers, without keeping every dead one for ever.
//!
//! A program may make a hundred million stack slots. Blocks that died long ago are forgotten, except that
//! they were heap blocks or stack slots: a pointer to one is still known to be stale, but no longer where it
//! came from.

use base::limits::INTERP_BLOCKS;
use ir::LocId;
use rustc_hash::FxHashMap;

use super::block::{Block, BlockKind, Family, Site, Status};
use crate::program::FnRef;
use crate::value::BlockRef;

#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The first ones: functions and globals, which live for ever.
    fixed: Vec<Block>,
    /// Of those between the fixed and the recent ones, the blocks that lived when the window passed.
    survivors: FxHashMap<BlockRef, Block>,
    /// For all between the fixed and the recent ones: whether it was a heap block.
    was_heap: Vec<u64>,
    /// The number of the first recent block.
    first_recent: usize,
    recent: Vec<Block>,
    /// What stands for a forgotten stack slot and a forgotten heap block.
    forgotten: [Block; 2],
}

impl Default for Table {
    fn default() -> Self {
        let forgotten = |kind, status| Block {
            address: 0,
            size: 0,
            kind,
            status,
            made: Site::NONE,
            writable: false,
            content: 0,
        };
        let slot = BlockKind::Stack { function: FnRef::FIRST, var: None };
        let heap = BlockKind::Heap { family: Family::Malloc, callers: u32::MAX };
        debug_assert_eq!(Site::NONE.loc, LocId::FIRST, "forgotten blocks have no place");
        Table {
            fixed: Vec::new(),
            survivors: FxHashMap::default(),
            was_heap: Vec::new(),
            first_recent: 0,
            recent: Vec::new(),
            forgotten: [
                forgotten(slot, Status::Returned(Site::NONE)),
                forgotten(heap, Status::Freed(Site::NONE)),
            ],
        }
    }
}

impl Table {
    /// How many blocks there ever were.
    pub(super) fn len(&self) -> usize {
        self.first_recent + self.recent.len()
    }

    /// Adds a block; its number is the old length.
    pub(super) fn push(&mut self, block: Block) {
        self.recent.push(block);
    }

    /// Declares all blocks made so far to be the fixed ones.
    pub(super) fn fix(&mut self) {
        debug_assert!(self.survivors.is_empty(), "blocks are fixed before any is forgotten");
        self.fixed.append(&mut self.recent);
        self.first_recent = self.fixed.len();
    }

    #[inline]
    pub(super) fn get(&self, block: BlockRef) -> &Block {
        let index = block.index();
        if let Some(recent) = index.checked_sub(self.first_recent) {
            return &self.recent[recent];
        }
        match self.fixed.get(index) {
            Some(fixed) => fixed,
            None => self.survivors.get(&block).unwrap_or_else(|| &self.forgotten[self.was_heap(index)]),
        }
    }

    /// The block to change; none if it was forgotten.
    #[inline]
    pub(super) fn get_mut(&mut self, block: BlockRef) -> Option<&mut Block> {
        let index = block.index();
        if let Some(recent) = index.checked_sub(self.first_recent) {
            return self.recent.get_mut(recent);
        }
        match self.fixed.get_mut(index) {
            Some(fixed) => Some(fixed),
            None => self.survivors.get_mut(&block),
        }
    }

    /// Whether more is known of the block than that it is dead.
    pub(super) fn knows(&self, block: BlockRef) -> bool {
        let index = block.index();
        index >= self.first_recent || index < self.fixed.len() || self.survivors.contains_key(&block)
    }

    /// All known blocks, in order of creation.
    pub(super) fn iter(&self) -> impl Iterator<Item = (BlockRef, &Block)> {
        let mut survivors: Vec<BlockRef> = self.survivors.keys().copied().collect();
        survivors.sort_unstable();
        let number = |first: usize| move |(index, block)| (BlockRef::new(first + index), block);
        let fixed = self.fixed.iter().enumerate().map(number(0));
        let recent = self.recent.iter().enumerate().map(number(self.first_recent));
        fixed.chain(survivors.into_iter().map(|block| (block, &self.survivors[&block]))).chain(recent)
    }

    /// Whether it is time to forget.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.recent.len() >= 2 * INTERP_BLOCKS
    }

    /// Forgets the older dead blocks; how many.
    pub(super) fn forget(&mut self) -> usize {
        let known = self.survivors.len() + INTERP_BLOCKS.min(self.recent.len());
        let fixed = self.fixed.len();
        let was_heap = &mut self.was_heap;
        let mut mark = |block: BlockRef, entry: &Block| {
            let index = block.index() - fixed;
            was_heap.resize(was_heap.len().max(index / 64 + 1), 0);
            if matches!(entry.kind, BlockKind::Heap { .. }) {
                was_heap[index / 64] |= 1 << (index % 64);
            }
        };
        self.survivors.retain(|block, entry| {
            mark(*block, entry);
            entry.is_alive()
        });
        let n_old = INTERP_BLOCKS.min(self.recent.len());
        for (index, entry) in self.recent.drain(..n_old).enumerate() {
            let block = BlockRef::new(self.first_recent + index);
            mark(block, &entry);
            if entry.is_alive() {
                self.survivors.insert(block, entry);
            }
        }
        self.first_recent += n_old;
        known - self.survivors.len()
    }

    fn was_heap(&self, index: usize) -> usize {
        let index = index - self.fixed.len();
        self.was_heap.get(index / 64).map_or(0, |word| (word >> (index % 64) & 1) as usize)
    }
}
