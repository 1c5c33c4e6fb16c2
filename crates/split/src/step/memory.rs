//! Loads, stores, and the lives of local variables.

use heap::block::Content;
use heap::{AccessKind, Block, BlockId, Kind, Place, State, Status, VarRole};
use ir::{InstId, Operand, SymbolRef, Type, VarId};
use summary::Source;
use term::{Origin, TermId, Terms};

use super::access::{Bytes, Wanted};
use super::fast_path::Direct;
use crate::engine::Engine;
use crate::flow::Flow;

impl Engine<'_> {
    pub(super) fn load(
        &mut self,
        mut flow: Flow,
        id: InstId,
        (ptr, access): (Operand, ir::Access),
        next: &mut Vec<Flow>,
    ) {
        let result = self.body.insts[id].first_result;
        let ty = self.body.values[result].ty;
        let bytes = ty.store_bytes(self.module.target.pointer_bytes);
        let address = self.operand(&mut flow, ptr);
        let wanted = Wanted { address, operand: Some(ptr), bytes, kind: AccessKind::Read };
        let name = || ir::names::describe_place(self.module, self.function, ptr, Some(bytes));
        let name = if bytes <= 16 { name() } else { None };
        let direct = Direct { address, bytes, stored: None, name: name.as_deref() };
        let expected = if access.volatile { None } else { self.by_triple(&flow.state, direct) };
        let mut done = Vec::new();
        for (mut flow, at) in self.access(flow, wanted) {
            let is_read = bytes <= 16 && !(access.volatile && can_change(flow.state.block(at.block)));
            let term = if !is_read {
                flow.state.choose(heap::Choice::Opaque);
                self.unknown(ty, name.as_deref().unwrap_or("a volatile value"))
            } else {
                let term = self.read(&mut flow.state, at, bytes as u32, name.as_deref());
                if expected.is_some() {
                    done.push((flow.state.clone(), vec![term]));
                }
                let term = self.narrowed(term, ty);
                // What callees have put together.
                if self.is_too_large(term) { self.inexact(&mut flow.state, self.width(ty)) } else { term }
            };
            if ty == Type::Ptr && self.as_var(term).is_some() {
                self.pointers.insert(term);
            }
            flow.set(result, term);
            next.push(flow);
        }
        if let Some(expected) = expected {
            self.hold_against(expected, &done);
        }
    }

    /// The bits of a type out of whole bytes.
    fn narrowed(&mut self, term: TermId, ty: Type) -> TermId {
        let width = self.width(ty);
        self.terms.trunc(term, width)
    }

    /// Reads bytes that can be accessed.
    pub(crate) fn read(&mut self, state: &mut State, at: Bytes, bytes: u32, name: Option<&str>) -> TermId {
        let rest = state.block(at.block).rest;
        let kind = state.block(at.block).kind;
        let mut found = state.block(at.block).clone();
        let mut new_cells = Vec::new();
        // `Block::read` asks for what is missing; the engine answers, so the arena goes back and forth.
        let mut arena = std::mem::take(&mut self.terms);
        let order = self.order;
        let value = found.read(&mut arena, order, (at.place, bytes), &mut |terms, place, len| {
            std::mem::swap(terms, &mut self.terms);
            let value = self.missing(state, (at.block, kind, rest), place, len, name);
            std::mem::swap(terms, &mut self.terms);
            new_cells.push(heap::Cell { place, bytes: len, value });
            value
        });
        self.terms = arena;
        if new_cells.is_empty() {
            return value;
        }
        let found_cells = found.cells;
        state.block_mut(at.block).cells = found_cells;
        if rest == Content::Initial
            && let Some(pre) = state.pre_mut(at.block)
        {
            pre.cells.extend(new_cells);
        }
        value
    }

    /// What bytes hold that no cell covers.
    fn missing(
        &mut self,
        state: &mut State,
        (block, kind, rest): (BlockId, Kind, Content),
        place: Place,
        bytes: u32,
        name: Option<&str>,
    ) -> TermId {
        let width = bytes * 8;
        if let Some(kept) = self.kept_function(state, kind, place, bytes) {
            return kept;
        }
        let (origin, what) = match rest {
            Content::Zero => return self.terms.constant(width, 0),
            Content::Image => match kind {
                Kind::Constant(global) | Kind::Global(global) => {
                    return self.image(state, global, place, bytes);
                }
                _ => (Origin::UnknownCall, "unknown content"),
            },
            // What was written at an index may have been written here.
            Content::Undefined if has_symbolic(state, block) => {
                (Origin::NotFollowed, "content that is not followed")
            }
            Content::Undefined => (Origin::Uninit, "unwritten memory"),
            Content::Initial => return self.initial((state.block(block).base, place, bytes), name),
            Content::Unknown if kind == Kind::Unknown => (Origin::UnknownMemory, "unknown content"),
            Content::Unknown => (Origin::UnknownCall, "unknown content"),
            Content::NotFollowed => (Origin::NotFollowed, "content that is not followed"),
        };
        let name = name.unwrap_or(what);
        if origin.is_unknown() {
            state.choose(heap::Choice::Opaque);
        }
        if !matches!(rest, Content::Unknown | Content::NotFollowed) {
            return self.fresh(width, origin, name, VarRole::Local, None);
        }
        let (base, epoch) = (state.block(block).base, state.block(block).epoch.number());
        let at = (base, epoch, place, bytes);
        if let Some(&known) = self.unknown.get(&at) {
            return known;
        }
        let value = self.fresh(width, origin, name, VarRole::Local, None);
        self.unknown.insert(at, value);
        value
    }

    /// What memory of the caller held when the function began: the same on all paths.
    fn initial(&mut self, at: (TermId, Place, u32), name: Option<&str>) -> TermId {
        if let Some(&known) = self.initial.get(&at) {
            return known;
        }
        let name = name.unwrap_or("memory");
        let value = self.fresh(at.2 * 8, Origin::InitialMemory, name, VarRole::Local, None);
        self.initial.insert(at, value);
        self.found_in.insert(value, at.0);
        value
    }

    /// The function that a variable holds from the beginning and for ever, as far as the project has a say in it.
    fn kept_function(&mut self, state: &mut State, kind: Kind, place: Place, bytes: u32) -> Option<TermId> {
        let is_one = place.symbolic.is_none() && bytes * 8 == self.pointer_bits;
        let function = self.function_in(kind, place.offset).filter(|_| is_one)?;
        Some(self.symbol(state, VarRole::Function(function)))
    }

    /// The function whose address a variable holds for ever at some byte.
    pub(super) fn function_in(&self, kind: Kind, offset: i64) -> Option<u32> {
        let (Kind::Global(global) | Kind::Constant(global)) = kind else { return None };
        let info = self.world.global_info(global);
        let init = info.init.filter(|_| info.keeps_functions || info.constant)?;
        let reloc = init.relocs.iter().find(|it| it.offset as i64 == offset)?;
        let is_whole = reloc.bytes * 8 == self.pointer_bits && reloc.minus.is_none() && reloc.addend == 0;
        match self.world.symbol(global, reloc.plus).filter(|_| is_whole)? {
            VarRole::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Bytes of a constant.
    fn image(&mut self, state: &mut State, global: u32, place: Place, bytes: u32) -> TermId {
        let known = self.world.global_info(global).init.cloned();
        let (Some(init), None) = (known, place.symbolic) else {
            return self.image_at_any(state, global, place, bytes);
        };
        let from = place.offset;
        let to = from + i64::from(bytes);
        let reloc = init
            .relocs
            .iter()
            .find(|it| (it.offset as i64) < to && it.offset as i64 + i64::from(it.bytes) > from);
        if let Some(reloc) = reloc {
            let whole = reloc.offset as i64 == from && reloc.bytes == bytes && reloc.minus.is_none();
            let role = whole.then(|| self.world.symbol(global, reloc.plus)).flatten();
            let is_label = matches!(reloc.plus, SymbolRef::Block(..));
            if let (Some(role), false) = (role, is_label) {
                let base = self.symbol(state, role);
                let addend = self.terms.constant(self.pointer_bits, i128::from(reloc.addend) as u128);
                return self.terms.add(base, addend);
            }
            return self.inexact(state, bytes * 8);
        }
        if init.partial || from < 0 {
            return self.inexact(state, bytes * 8);
        }
        let mut value: u128 = 0;
        for at in 0..bytes {
            let byte = init.byte(from as u64 + u64::from(at));
            let shift = match self.order {
                heap::bytes::Order::Little => at * 8,
                heap::bytes::Order::Big => (bytes - 1 - at) * 8,
            };
            value |= u128::from(byte) << shift;
        }
        self.terms.constant(bytes * 8, value)
    }

    /// Bytes of a constant table at an index that is not known: a choice among its elements, if they are few.
    fn image_at_any(&mut self, state: &mut State, global: u32, place: Place, bytes: u32) -> TermId {
        let size = self.world.global_info(global).size;
        let (Some(symbolic), true) = (place.symbolic, size <= MAX_TABLE * u64::from(bytes)) else {
            return self.inexact(state, bytes * 8);
        };
        let start = place.offset.rem_euclid(i64::from(bytes));
        let mut offsets = Vec::new();
        let mut at = start;
        while at + i64::from(bytes) <= size as i64 {
            offsets.push(at);
            at += i64::from(bytes);
        }
        let index = heap::locate::offset_term(
            &mut self.terms,
            Place { symbolic: Some(symbolic), ..place },
            self.pointer_bits,
        );
        let mut value = self.terms.constant(bytes * 8, 0);
        for &offset in offsets.iter().rev() {
            let element = self.image(state, global, Place::at(offset), bytes);
            let here = self.terms.constant(self.pointer_bits, offset as u128);
            let is_here = self.terms.eq(index, here);
            value = self.terms.ite(is_here, element, value);
        }
        value
    }

    pub(super) fn store(
        &mut self,
        mut flow: Flow,
        (ptr, value, access): (Operand, Operand, ir::Access),
        next: &mut Vec<Flow>,
    ) {
        let ty = self.body.ty(value);
        let bytes = ty.store_bytes(self.module.target.pointer_bytes);
        let (address, term) = (self.operand(&mut flow, ptr), self.operand(&mut flow, value));
        let wanted = Wanted { address, operand: Some(ptr), bytes, kind: AccessKind::Write };
        let expected = self.by_triple(&flow.state, Direct { address, bytes, stored: Some(term), name: None });
        let before = next.len();
        for (mut flow, at) in self.access(flow, wanted) {
            if bytes > 16 {
                flow.state.block_mut(at.block).forget(Content::NotFollowed, self.epoch.begin());
            } else {
                let term = self.terms.zext(term, bytes as u32 * 8);
                self.write(&mut flow.state, at, bytes as u32, term);
            }
            // What is read from there is not followed.
            if access.volatile && can_change(flow.state.block(at.block)) {
                self.let_escape(&mut flow.state, &[term]);
            }
            next.push(flow);
        }
        if let Some(expected) = expected {
            let done: Vec<_> = next[before..].iter().map(|flow| (flow.state.clone(), Vec::new())).collect();
            self.hold_against(expected, &done);
        }
    }

    /// Writes bytes that can be accessed.
    pub(crate) fn write(&mut self, state: &mut State, at: Bytes, bytes: u32, value: TermId) {
        let order = self.order;
        let mut arena: Terms = std::mem::take(&mut self.terms);
        state.block_mut(at.block).write(&mut arena, order, (at.place, bytes), value);
        self.terms = arena;
    }

    pub(super) fn alloca(
        &mut self,
        mut flow: Flow,
        id: InstId,
        (var, size): (Option<VarId>, Operand),
        next: &mut Vec<Flow>,
    ) {
        let size = self.operand(&mut flow, size);
        let made = self.here();
        if !self.check_defined(&flow.state, size, &made, "as the size of an array") {
            return;
        }
        let name = var.map_or("a temporary", |var| self.module.symbols.resolve(self.body.vars[var].name));
        let name = format!("&{name}");
        let declared = var.map(|var| self.body.vars[var].loc);
        let made = declared.map_or(made, |loc| {
            heap::Made::here(heap::Site { function: self.key, place: base::Id::index(loc) as u32 })
        });
        let source = Source { made: made.clone(), what: "is a local variable".to_owned() };
        let base = self.fresh(self.pointer_bits, Origin::Allocation, &name, VarRole::Local, Some(source));
        self.pointers.insert(base);
        let _ = flow.state.path.know_nonnull(&mut self.terms, base);
        let size = self.as_size(size);
        let mut block = Block::new(base, Some(size), Kind::Stack, Content::Undefined);
        block.made = Some(made);
        flow.state.add_block(block);
        self.set(&mut flow, id, base);
        next.push(flow);
    }

    pub(super) fn scope_begins(&mut self, mut flow: Flow, ptr: Operand, next: &mut Vec<Flow>) {
        let address = self.operand(&mut flow, ptr);
        if let Some(id) = flow.state.block_at(address) {
            let block = flow.state.block_mut(id);
            block.status = Status::Allocated;
            block.forget(Content::Undefined, self.epoch.begin());
        }
        next.push(flow);
    }

    pub(super) fn scope_ends(&mut self, mut flow: Flow, ptr: Operand, next: &mut Vec<Flow>) {
        let address = self.operand(&mut flow, ptr);
        if let Some(id) = flow.state.block_at(address) {
            let made = self.here();
            flow.state.block_mut(id).status = Status::ScopeEnded(made);
        }
        next.push(flow);
    }

    pub(super) fn stack_save(&mut self, mut flow: Flow, id: InstId, next: &mut Vec<Flow>) {
        let height = self.terms.constant(self.pointer_bits, flow.state.n_blocks() as u128);
        self.set(&mut flow, id, height);
        next.push(flow);
    }

    pub(super) fn stack_restore(&mut self, mut flow: Flow, saved: Operand, next: &mut Vec<Flow>) {
        let height = self.operand(&mut flow, saved);
        if let Some(height) = self.terms.value(height) {
            let made = self.here();
            let ended: Vec<BlockId> = flow
                .state
                .blocks()
                .filter(|(id, block)| base::Id::index(*id) as u128 >= height && block.kind == Kind::Stack)
                .map(|(id, _)| id)
                .collect();
            for id in ended {
                flow.state.block_mut(id).status = Status::ScopeEnded(made.clone());
            }
        }
        next.push(flow);
    }

    pub(super) fn va_list(&mut self, mut flow: Flow, list: Operand, next: &mut Vec<Flow>) {
        let address = self.operand(&mut flow, list);
        let wanted = Wanted { address, operand: Some(list), bytes: 1, kind: AccessKind::Write };
        for (mut flow, at) in self.access(flow, wanted) {
            flow.state.block_mut(at.block).forget(Content::NotFollowed, self.epoch.begin());
            flow.state.choose(heap::Choice::Opaque);
            next.push(flow);
        }
    }
}

/// Elements of the largest constant table that are told apart at an unknown index.
const MAX_TABLE: u64 = 16;

/// Whether something was written to a block at an index that is not known.
fn has_symbolic(state: &State, block: BlockId) -> bool {
    state.block(block).cells.iter().any(|cell| cell.place.symbolic.is_some())
}

/// Whether others can write a block at any time: a device, a signal handler, another thread.
fn can_change(block: &Block) -> bool {
    block.escaped || !(block.is_heap() || block.kind == Kind::Stack)
}
