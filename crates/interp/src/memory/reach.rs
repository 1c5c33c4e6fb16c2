//! Which heap blocks the program can still reach.
//!
//! Source: LeakSanitizer's design: every aligned word of reachable memory that is an address inside a heap
//! block keeps that block, wherever in the block it points.
//! Departures: undefined words hold no address (a real machine may find a stale one there).

use ir::Type;
use rustc_hash::FxHashSet;

use super::{Block, BlockKind, Memory};
use crate::value::{BlockRef, Value};

/// Where reachability starts.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    /// Values in registers of live frames.
    pub values: Vec<Value>,
}

impl Memory {
    /// The live heap blocks that neither globals, nor the live stack, nor `roots` reach, in order of creation.
    pub fn unreachable_heap(&self, roots: &Roots) -> Vec<BlockRef> {
        let mut reached = FxHashSet::default();
        let mut work: Vec<BlockRef> = Vec::new();
        for value in &roots.values {
            for word in value.words().as_slice() {
                self.reach(*word, &mut reached, &mut work);
            }
        }
        let is_root = |block: &Block| block.is_alive() && !matches!(block.kind, BlockKind::Heap { .. });
        for (root, _) in self.blocks().filter(|(_, block)| is_root(block)) {
            self.scan(root, &mut reached, &mut work);
        }
        while let Some(block) = work.pop() {
            self.scan(block, &mut reached, &mut work);
        }
        self.blocks()
            .filter(|(id, block)| block.is_live_heap() && !reached.contains(id))
            .map(|(id, _)| id)
            .collect()
    }

    /// Reaches all that the words of a live block point at.
    fn scan(&self, block: BlockRef, reached: &mut FxHashSet<BlockRef>, work: &mut Vec<BlockRef>) {
        let entry = self.block(block);
        if matches!(entry.kind, BlockKind::Function(_)) {
            return;
        }
        let step = self.pointer_bytes as usize;
        let last = (entry.size as usize).checked_sub(step);
        for offset in (0..=last.unwrap_or(0)).step_by(step).filter(|_| last.is_some()) {
            let word = self.read(block, offset, Type::Ptr);
            if word.is_defined() {
                self.reach(word.low(), reached, work);
            }
        }
    }

    fn reach(&self, address: u64, reached: &mut FxHashSet<BlockRef>, work: &mut Vec<BlockRef>) {
        let Some(block) = self.find_exact(address) else { return };
        if self.block(block).is_live_heap() && reached.insert(block) {
            work.push(block);
        }
    }
}
