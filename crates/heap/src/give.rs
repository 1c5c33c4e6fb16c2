//! Memory that somebody else may know: what escapes, what unknown code may have written, and what it may have
//! kept.
//!
//! Source: Le et al. §4.1 skip unknown code. Departure: what it can reach is forgotten, and what it can keep
//! is not reported as leaked.

use std::sync::Arc;

use base::Id;
use term::{Node, TermId, Walk};

use crate::arena::Arena;
use crate::block::{Block, BlockId, Content, Kind};
use crate::site::Made;
use crate::state::{AccessKind, Given, State, Written};

/// Bytes of the largest variable that one result is returned in.
const WORD: u128 = 8;

impl Arena {
    /// The blocks that a value points to or into, as far as the path has met them.
    pub fn blocks_of(&self, state: &State, term: TermId) -> Vec<BlockId> {
        let mut blocks: Vec<BlockId> = Vec::new();
        Walk::lend(|walk| {
            walk.subterms_while(&self.terms, &[term], |next| {
                if let Node::Var(_) = self.terms.node(next) {
                    blocks.extend(state.block_at(next));
                }
                // What is true or false leads nowhere.
                self.terms.width(next) > 1
            });
        });
        blocks.sort();
        if blocks.is_empty() && self.terms.width(term) == self.pointer_bits() {
            blocks.extend(state.block_at(term));
        }
        blocks
    }

    /// Everything that is reachable from some values, those blocks included.
    pub fn reachable(&self, state: &State, roots: &[TermId]) -> Vec<BlockId> {
        let mut seen = vec![false; state.n_blocks()];
        let mut found = Vec::new();
        let mut todo: Vec<TermId> = roots.to_vec();
        while let Some(term) = todo.pop() {
            for block in self.blocks_of(state, term) {
                if !std::mem::replace(&mut seen[block.index()], true) {
                    found.push(block);
                    todo.extend(state.block(block).cells.iter().map(|cell| cell.value));
                }
            }
        }
        found.sort();
        found
    }

    /// Everything that is reachable from some values may be known to somebody, also memory of the caller that the path has not met.
    pub fn let_escape(&self, state: &mut State, values: &[TermId]) {
        let mut inside = values.to_vec();
        for block in self.reachable(state, values) {
            state.block_mut(block).escaped = true;
            inside.extend(state.block(block).values());
        }
        for value in inside {
            if self.is_unmet(state, value) {
                note_given(state, Given::kept(value));
            }
        }
    }

    /// Whether a value is a pointer to memory of the caller that the path has not met.
    fn is_unmet(&self, state: &State, value: TermId) -> bool {
        self.is_callers_pointer(value)
            && self.terms.vars_of(value).iter().any(|&var| self.is_pointer(self.terms.var_term(var)))
            && self.blocks_of(state, value).is_empty()
    }

    /// Whether a value can be a pointer to memory of the caller that the path has not met.
    fn is_callers_pointer(&self, value: TermId) -> bool {
        self.terms.width(value) == self.pointer_bits()
            && self.terms.mentions(value, |_| true)
            && !self.terms.mentions(value, |origin| !origin.is_given())
    }

    /// Somebody may have kept a pointer. Says whether it leads to memory that the path has not met.
    pub fn keep(&self, state: &mut State, pointer: TermId) -> bool {
        let is_unmet = self.blocks_of(state, pointer).is_empty() && self.is_callers_pointer(pointer);
        match is_unmet {
            true => note_given(state, Given::kept(pointer)),
            false => self.let_escape(state, &[pointer]),
        }
        is_unmet
    }

    /// Code that is not followed got a pointer at some place: what is behind it may be anything, and everything reachable may be kept by somebody. Says whether
    /// memory changed.
    pub fn give_away(&mut self, state: &mut State, given: Given, made: Made) -> bool {
        let Given { pointer, written, kept } = given;
        let direct = self.blocks_of(state, pointer);
        let is_any = written != Written::No || kept;
        if direct.is_empty() && is_any && self.is_callers_pointer(pointer) {
            note_given(state, given);
            return true;
        }
        if kept {
            self.let_escape(state, &[pointer]);
        }
        match written {
            Written::No => false,
            Written::Unknown => {
                self.fill_behind(state, pointer);
                let left = |arena: &Arena, state: &State, block| arena.left_by_unknown_code(state, block);
                self.forget_blocks(state, &direct, left, made)
            }
            Written::NotFollowed => {
                let reached = self.reachable(state, &[pointer]);
                let inside: Vec<TermId> =
                    reached.iter().flat_map(|&block| state.block(block).values()).collect();
                for pointer in inside {
                    if self.is_unmet(state, pointer) {
                        note_given(state, Given { pointer, ..given });
                    }
                }
                self.forget_blocks(state, &reached, |_, _, _| Content::NotFollowed, made)
            }
        }
    }

    /// Somebody may have written some blocks. Says whether there are some that can be written.
    fn forget_blocks(
        &mut self,
        state: &mut State,
        blocks: &[BlockId],
        left: impl Fn(&Arena, &State, BlockId) -> Content,
        made: Made,
    ) -> bool {
        let mut changed = false;
        for &block in blocks {
            let data = state.block(block);
            if !data.kind.is_writable() || !data.status.is_allocated() {
                continue;
            }
            state.presume_global(block, AccessKind::Write, made);
            // What only the old content pointed to may be anywhere now.
            let values = state.block(block).values();
            self.let_escape(state, &values);
            let rest = left(self, state, block);
            self.forget(state, block, rest);
            changed = true;
        }
        changed
    }

    /// What memory points to that unknown code made or has a pointer to is kept by it, also memory of the caller that the path has not met:
    ///
    /// ```c
    /// void keep(char *text) { registry()->text = text; }
    /// ```
    pub fn let_be_kept_by_unknown_code(&self, state: &mut State) {
        let is_outside = |block: &Block| block.kind == Kind::Unknown || block.is_heap() && block.escaped;
        let outside = state.blocks().filter(|(_, block)| is_outside(block));
        let values: Vec<TermId> = outside.flat_map(|(_, block)| block.values()).collect();
        self.let_escape(state, &values);
    }

    /// Memory that nobody has written, and that unknown code finds behind what it got, is there to be filled: `get(&(struct wanted){ .result = &n })`.
    fn fill_behind(&mut self, state: &mut State, value: TermId) {
        for block in self.reachable(state, &[value]) {
            let data = state.block(block);
            if data.rest == Content::Undefined && data.status.is_allocated() {
                let rest = self.left_by_unknown_code(state, block);
                let epoch = self.begin_epoch();
                let block = state.block_mut(block);
                (block.rest, block.epoch) = (rest, epoch);
            }
        }
    }

    /// Unknown code ran at some place: it may have written what it got before, and globals. Says whether there is anything of the kind.
    pub fn expose(&mut self, state: &mut State, made: Made) -> bool {
        state.exposed = true;
        let written: Vec<BlockId> = state
            .blocks()
            .filter(|(_, block)| {
                // Few functions keep the address of a local variable for later.
                let exposed = block.escaped && matches!(block.kind, Kind::Heap(_) | Kind::Abduced);
                (exposed || matches!(block.kind, Kind::Global(_))) && block.status.is_allocated()
            })
            .map(|(id, _)| id)
            .collect();
        let is_known = |&block: &BlockId| {
            !state.block(block).cells.is_empty() || state.block(block).rest != Content::Unknown
        };
        let changed: Vec<BlockId> = written.iter().copied().filter(is_known).collect();
        let left = |arena: &Arena, state: &State, block| arena.left_by_unknown_code(state, block);
        self.forget_blocks(state, &changed, left, made);
        !written.is_empty()
    }

    /// What unknown code leaves in a block.
    ///
    /// A local variable of one word is an out-parameter: what is found there is a result like any other. Structures keep their invariants, which
    /// nobody knows here: nothing may rest on what they hold afterwards.
    fn left_by_unknown_code(&self, state: &State, block: BlockId) -> Content {
        let block = state.block(block);
        let size = block.size.and_then(|size| self.terms.value(size));
        match (block.kind, size) {
            (Kind::Stack, Some(0..=WORD)) => Content::Unknown,
            _ => Content::NotFollowed,
        }
    }
}

fn note_given(state: &mut State, given: Given) {
    if !state.given.contains(&given) {
        Arc::make_mut(&mut state.given).push(given);
    }
}
