//! Memory that somebody else may have written.

use heap::block::Content;
use heap::{BlockId, Kind, State};
use term::{Binary, Node, TermId};

use crate::engine::Engine;

impl Engine<'_> {
    /// The blocks that a value points to or into, as far as the path has met them.
    pub(crate) fn blocks_of(&self, state: &State, term: TermId) -> Vec<BlockId> {
        let mut blocks: Vec<BlockId> = Vec::new();
        let mut todo = vec![term];
        let mut seen = std::collections::HashSet::new();
        while let Some(next) = todo.pop() {
            if !seen.insert(next) {
                continue;
            }
            match self.terms.node(next) {
                Node::Var(_) => blocks.extend(state.block_at(next)),
                // The result of a comparison leads nowhere.
                Node::Binary(Binary::Eq | Binary::Ult | Binary::Slt, ..) => {}
                Node::Ite(_, a, b) => todo.extend([a, b]),
                _ => self.terms.for_each_operand(next, |operand| todo.push(operand)),
            }
        }
        blocks.sort();
        if blocks.is_empty() && self.terms.width(term) == self.pointer_bits {
            blocks.extend(state.block_at(term));
        }
        blocks
    }

    /// Everything that is reachable from some values, those blocks included.
    pub(crate) fn reachable(&self, state: &State, roots: &[TermId]) -> Vec<BlockId> {
        let mut seen = vec![false; state.n_blocks()];
        let mut found = Vec::new();
        let mut todo: Vec<TermId> = roots.to_vec();
        while let Some(term) = todo.pop() {
            for block in self.blocks_of(state, term) {
                if !std::mem::replace(&mut seen[base::Id::index(block)], true) {
                    found.push(block);
                    todo.extend(state.block(block).cells.iter().map(|cell| cell.value));
                }
            }
        }
        found.sort();
        found
    }

    /// Everything that is reachable from some values may be known to somebody, also memory of the caller that the path has not met.
    pub(super) fn let_escape(&self, state: &mut State, values: &[TermId]) {
        let mut inside = Vec::new();
        for block in self.reachable(state, values) {
            state.block_mut(block).escaped = true;
            inside.extend(state.block(block).values());
        }
        for value in inside {
            if self.is_unmet(state, value) {
                note_given(state, heap::Given { pointer: value, written: false, kept: true });
            }
        }
    }

    /// Whether a value is a pointer to memory of the caller that the path has not met.
    fn is_unmet(&self, state: &State, value: TermId) -> bool {
        self.is_callers_pointer(value)
            && self.terms.vars_of(value).iter().any(|&var| self.pointers.contains(&self.terms.var_term(var)))
            && self.blocks_of(state, value).is_empty()
    }

    /// Whether a value can be a pointer to memory of the caller that the path has not met.
    fn is_callers_pointer(&self, value: TermId) -> bool {
        let vars = self.terms.vars_of(value);
        let is_callers = |var: &term::VarId| self.terms.var(*var).origin.is_observable();
        self.terms.width(value) == self.pointer_bits && !vars.is_empty() && vars.iter().all(is_callers)
    }

    /// Unknown code got a pointer: what is behind it may be anything, and everything reachable may be kept by somebody.
    pub(crate) fn give_away(
        &mut self,
        state: &mut State,
        value: TermId,
        may_write: bool,
        may_keep: bool,
    ) -> bool {
        let direct = self.blocks_of(state, value);
        if direct.is_empty() && (may_write || may_keep) && self.is_callers_pointer(value) {
            note_given(state, heap::Given { pointer: value, written: may_write, kept: may_keep });
            return true;
        }
        let mut changed = false;
        if may_keep {
            self.let_escape(state, &[value]);
        }
        if may_write {
            self.fill_behind(state, value);
        }
        for block in direct {
            let kind = state.block(block).kind;
            if may_write
                && !matches!(kind, Kind::Constant(_) | Kind::Function(_))
                && state.block(block).status.is_allocated()
            {
                self.presume_global(state, block, heap::AccessKind::Write);
                // What only the old content pointed to may be anywhere now.
                self.let_escape(state, &[value]);
                let rest = self.left_by_unknown_code(state, block);
                state.block_mut(block).forget(rest);
                changed = true;
            }
        }
        changed
    }

    /// What memory points to that unknown code made or has a pointer to is kept by it, also memory of the caller that the path has not met:
    ///
    /// ```c
    /// void keep(char *text) { registry()->text = text; }
    /// ```
    pub(crate) fn let_be_kept_by_unknown_code(&mut self, state: &mut State) {
        let is_outside =
            |block: &heap::Block| block.kind == Kind::Unknown || block.is_heap() && block.escaped;
        let outside = state.blocks().filter(|(_, block)| is_outside(block));
        let values: Vec<TermId> = outside.flat_map(|(_, block)| block.values()).collect();
        if values.is_empty() {
            return;
        }
        self.let_escape(state, &values);
        for value in values {
            if self.is_unmet(state, value) {
                self.give_away(state, value, false, true);
            }
        }
    }

    /// Memory that nobody has written, and that unknown code finds behind what it got, is there to be filled: `get(&(struct wanted){ .result = &n })`.
    fn fill_behind(&self, state: &mut State, value: TermId) {
        for block in self.reachable(state, &[value]) {
            let data = state.block(block);
            if data.rest == Content::Undefined && data.status.is_allocated() {
                let rest = self.left_by_unknown_code(state, block);
                state.block_mut(block).rest = rest;
            }
        }
    }

    /// Unknown code ran: it may have written what it got before, and globals.
    pub(crate) fn havoc_escaped(&mut self, state: &mut State) -> bool {
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
        for &block in &written {
            if state.block(block).cells.is_empty() && state.block(block).rest == Content::Unknown {
                continue;
            }
            self.presume_global(state, block, heap::AccessKind::Write);
            let values = state.block(block).values();
            self.let_escape(state, &values);
            let rest = self.left_by_unknown_code(state, block);
            state.block_mut(block).forget(rest);
        }
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
            _ => Content::Inexact,
        }
    }
}

fn note_given(state: &mut State, given: heap::Given) {
    if !state.given.contains(&given) {
        std::sync::Arc::make_mut(&mut state.given).push(given);
    }
}

/// Bytes of the largest variable that one result is returned in.
const WORD: u128 = 8;
