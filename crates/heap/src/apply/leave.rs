//! What the callee leaves: its postcondition, written over the state of the caller.

use std::collections::HashMap;

use base::Id;
use term::TermId;

use super::{Applied, Applier, Partial, Refused};
use crate::block::{Block, BlockId, Cell, Content, Epoch, Place, Status};
use crate::locate::sum;
use crate::site::Made;
use crate::state::{Given, PreBlock};

impl Applier<'_, '_, '_> {
    /// All blocks are found: the conditions, then the result.
    pub(super) fn finish(&mut self, mut partial: Partial) -> Result<Applied, Refused> {
        let spec = self.callee.spec;
        self.assume_until(&mut partial, spec.conditions.len())?;
        for (at, &condition) in spec.defined.iter().enumerate() {
            let condition = self.term(&mut partial, condition);
            let terms = &mut self.arena.terms;
            let is_simple = terms.tested(condition).is_some();
            if terms.value(condition) == Some(0) || is_simple && !partial.state.path.know(terms, condition) {
                return Err(Refused::Contradiction);
            }
            if !partial.defined[at] {
                partial.state.path.define(&self.arena.terms, condition);
            }
        }
        self.check_places(&mut partial, false)?;
        let blocks: Vec<(BlockId, Place)> = partial.blocks.iter().copied().flatten().collect();
        let of_post: HashMap<BlockId, (BlockId, Place)> =
            spec.pre.iter().zip(&blocks).map(|(pre, &own)| (pre.block, own)).collect();
        let mut new = Vec::new();
        for (at, post) in spec.post.iter().enumerate() {
            if !of_post.contains_key(&BlockId::new(at)) {
                new.push((self.new_block(&mut partial, post), post));
            }
        }
        // Unknown code may have kept what was there before the callee changed or freed it.
        for given in spec.given.iter().filter(|given| given.kept) {
            let pointer = self.term(&mut partial, given.pointer);
            self.arena.keep(&mut partial.state, pointer);
        }
        for (pre, &(block, place)) in spec.pre.iter().zip(&blocks) {
            if !pre.negative {
                self.change(&mut partial, (block, place), (pre, &spec.post[pre.block.index()]));
            }
        }
        for (block, post) in new {
            for cell in &post.cells {
                self.write(&mut partial, (block, Place::at(0)), *cell);
            }
        }
        for given in &spec.given {
            let pointer = self.term(&mut partial, given.pointer);
            let here = Made::here(self.call.site);
            self.arena.give_away(&mut partial.state, Given { pointer, ..*given }, here);
        }
        if spec.exposed {
            self.arena.expose(&mut partial.state, Made::here(self.call.site));
        }
        let results = spec.results.iter().map(|&it| self.term(&mut partial, it)).collect();
        self.choose_until(&mut partial, spec.choices.len());
        Ok(Applied { state: partial.state, results, blocks })
    }

    /// Whether it is known where the callee writes, as far as arguments tell (`early`) or at the end: not if that depends on bits that were never written.
    pub(super) fn check_places(&mut self, partial: &mut Partial, early: bool) -> Result<(), Refused> {
        let spec = self.callee.spec;
        let cells = spec.post.iter().flat_map(|block| &block.cells);
        for symbolic in cells.filter_map(|cell| cell.place.symbolic) {
            if early && !self.is_bound(partial, symbolic) {
                continue;
            }
            let symbolic = self.term(partial, symbolic);
            self.check_defined(&partial.state, (symbolic, false), None)?;
        }
        Ok(())
    }

    /// Memory that the callee allocated.
    fn new_block(&mut self, partial: &mut Partial, post: &Block) -> BlockId {
        let base = self.term(partial, post.base);
        let size = post.size.map(|size| self.term(partial, size));
        let _ = partial.state.path.know_nonnull(&mut self.arena.terms, base);
        if let Some(known) = partial.state.block_at(base) {
            return known;
        }
        partial.state.add_block(Block {
            base,
            size,
            status: match &post.status {
                Status::Allocated => Status::Allocated,
                Status::Freed(made) => Status::Freed(self.through(*made)),
                Status::ScopeEnded(made) => Status::ScopeEnded(self.through(*made)),
            },
            epoch: self.arena.begin_epoch(),
            cells: Vec::new(),
            made: post.made.map(|made| self.through(made)),
            ..post.clone()
        })
    }

    /// What the callee did to a block of its presumption.
    fn change(&mut self, partial: &mut Partial, at: (BlockId, Place), (pre, post): (&PreBlock, &Block)) {
        if post.escaped && !partial.state.block(at.0).escaped {
            let pointer = partial.state.block(at.0).base;
            self.arena.keep(&mut partial.state, pointer);
        }
        if post.copied && !partial.state.block(at.0).copied {
            let values = partial.state.block(at.0).values();
            partial.state.lose(&self.arena.terms, &values);
            partial.state.block_mut(at.0).copied = true;
        }
        let is_lost = matches!(post.rest, Content::Unknown | Content::NotFollowed);
        if is_lost {
            let values = partial.state.block(at.0).values();
            partial.state.lose(&self.arena.terms, &values);
            let epoch = self.arena.begin_epoch();
            partial.state.block_mut(at.0).forget(post.rest, epoch);
        }
        let is_new = matches!(post.rest, Content::Zero | Content::Undefined);
        if is_new {
            partial.state.block_mut(at.0).forget(post.rest, Epoch::default());
        }
        for cell in &post.cells {
            if is_new || !pre.cells.contains(cell) {
                self.write(partial, at, *cell);
            }
        }
        if let Status::Freed(made) = &post.status {
            let made = self.through(*made);
            partial.state.block_mut(at.0).status = Status::Freed(made);
        }
    }

    fn write(&mut self, partial: &mut Partial, (block, base): (BlockId, Place), cell: Cell) {
        let value = self.term(partial, cell.value);
        let symbolic = cell.place.symbolic.map(|symbolic| self.term(partial, symbolic));
        let place = sum(&mut self.arena.terms, base, Place { symbolic, offset: cell.place.offset });
        let order = self.arena.machine.order;
        // What lies at other symbolic offsets may be overwritten; nothing is known of it any more.
        let others = partial.state.block(block).cells.iter();
        let others = others.filter(|other| other.place.symbolic != place.symbolic);
        let others: Vec<TermId> = others.map(|other| other.value).collect();
        partial.state.lose(&self.arena.terms, &others);
        let epoch = self.arena.begin_epoch();
        let target = partial.state.block_mut(block);
        if !others.is_empty() {
            target.cells.retain(|other| other.place.symbolic == place.symbolic);
            target.rest = Content::NotFollowed;
            target.epoch = epoch;
        }
        target.write(&mut self.arena.terms, order, (place, cell.bytes), value);
    }
}
