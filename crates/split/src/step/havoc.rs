//! Memory that somebody else may have written.

use heap::block::Content;
use heap::{BlockId, Kind, State};
use ir::{Callee, Inst};
use term::{Binary, Node, TermId};

use crate::engine::Engine;
use crate::flow::Flow;

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

    /// Everything that is reachable from some values may be known to somebody.
    pub(super) fn let_escape(&self, state: &mut State, values: &[TermId]) {
        for block in self.reachable(state, values) {
            state.block_mut(block).escaped = true;
        }
    }

    /// Whether a value can be a pointer to memory of the caller that the path has not met.
    fn is_callers_pointer(&self, value: TermId) -> bool {
        let vars = self.terms.vars_of(value);
        let is_callers = |var: &term::VarId| self.terms.var(*var).origin.is_observable();
        self.terms.width(value) == self.pointer_bits && !vars.is_empty() && vars.iter().all(is_callers)
    }

    /// Somebody may keep a pointer of the caller that the path has not followed.
    pub(super) fn keep_callers(&mut self, state: &mut State, value: TermId) {
        if self.is_callers_pointer(value) && self.blocks_of(state, value).is_empty() {
            self.give_away(state, value, false, true);
        }
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
            let given = heap::Given { pointer: value, written: may_write, kept: may_keep };
            if !state.given.contains(&given) {
                std::sync::Arc::make_mut(&mut state.given).push(given);
            }
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

    /// Everything that a loop may write is any value. `false`: it may do more than write.
    pub(crate) fn havoc_memory(&mut self, flow: &mut Flow, blocks: &[ir::BlockId]) -> bool {
        let mut writes = false;
        let mut keeps = false;
        for &block in blocks {
            for &inst in &self.body.blocks[block].insts {
                match &self.body.insts[inst].inst {
                    Inst::Store { value, .. } => {
                        writes = true;
                        let ty = self.body.ty(*value);
                        keeps |= self.width(ty) >= self.pointer_bits;
                    }
                    Inst::MemCopy { .. } => (writes, keeps) = (true, true),
                    Inst::MemSet { .. } | Inst::VaStart { .. } => writes = true,
                    Inst::Call { call } => {
                        let call = &self.body.calls[*call];
                        let reads_only = match call.callee {
                            Callee::Func(function) => {
                                let memory = self.module.functions[function].attrs.memory;
                                !memory.args.write && !memory.other.write
                            }
                            _ => false,
                        };
                        if !reads_only {
                            return false;
                        }
                    }
                    Inst::Alloca { .. } | Inst::Lifetime { .. } | Inst::StackRestore { .. } => writes = true,
                    _ => {}
                }
            }
        }
        if writes {
            let all: Vec<BlockId> = flow.state.blocks().map(|(id, _)| id).collect();
            for id in all {
                if !matches!(flow.state.block(id).kind, Kind::Constant(_) | Kind::Function(_)) {
                    self.presume_global(&mut flow.state, id, heap::AccessKind::Write);
                    if keeps {
                        flow.state.block_mut(id).escaped = true;
                    }
                    self.havoc_block(flow, id);
                }
            }
        }
        true
    }

    /// The content of a block that a loop may have written: values that nothing may rest on.
    fn havoc_block(&mut self, flow: &mut Flow, id: BlockId) {
        let cells = flow.state.block(id).cells.clone();
        // What was stored before may still be there.
        let values = flow.state.block(id).values();
        flow.state.lose(&self.terms, &values);
        flow.state.block_mut(id).forget(Content::Inexact);
        for cell in cells {
            let havoc = self.fresh(cell.bytes * 8, term::Origin::LoopHavoc, "", heap::VarRole::Local, None);
            self.write(
                &mut flow.state,
                super::access::Bytes { block: id, place: cell.place },
                cell.bytes,
                havoc,
            );
        }
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

/// Bytes of the largest variable that one result is returned in.
const WORD: u128 = 8;
