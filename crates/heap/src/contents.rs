//! What bytes hold: reading, writing and copying them.
//!
//! ```text
//! [p ↦ X * X ↦ V] y := *p [ok: y = V]     [p ↦ X * X ↦ _] *p := V [ok: X ↦ V]     [d ↦ _[n] * s ↦ V[n]] memcpy(d, s, n) [ok: d ↦ V[n] * s ↦ V[n]]
//! ```
//! Source: Le et al. Fig. 3, on bytes. Bytes that no cell covers get a value when they are first read: a
//! variable for what the caller left there, which becomes part of the presumption, and for what unknown code
//! left there; the initializer of a constant; zero.

use base::limits;
use term::{Origin, TermId};
use world::{FnKey, GlobalKey};

use crate::arena::Arena;
use crate::block::{BlockId, Cell, Content, Kind, Place};
use crate::bytes::repeated;
use crate::locate::offset_term;
use crate::outside::{Image, Symbols};
use crate::spec::{Choice, VarRole};
use crate::state::State;

/// What memory without a name that was never written is called.
pub const UNWRITTEN: &str = "unwritten memory";

/// Some bytes of a block that can be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// The block.
    pub block: BlockId,
    /// Where they begin.
    pub place: Place,
}

impl Bytes {
    /// Those some bytes further.
    pub fn plus(self, bytes: i64) -> Bytes {
        Bytes { place: self.place.plus(bytes), ..self }
    }
}

impl Arena {
    /// Reads some bytes (at most 16). `name` is what the program calls them.
    pub fn read(
        &mut self,
        symbols: &dyn Symbols,
        state: &mut State,
        at: Bytes,
        (bytes, name): (u32, Option<&str>),
    ) -> TermId {
        let rest = state.block(at.block).rest;
        let Some(gaps) = state.block(at.block).gaps(at.place, bytes) else {
            // No cell reaches around the end of the address space.
            let value = self.missing(symbols, state, at, (bytes, name));
            self.presume_cell(state, at.block, Cell { place: at.place, bytes, value });
            return value;
        };
        for (place, len) in gaps {
            let value = self.missing(symbols, state, Bytes { place, ..at }, (len, name));
            let cell = Cell { place, bytes: len, value };
            state.block_mut(at.block).insert(cell);
            if rest == Content::Initial {
                self.presume_cell(state, at.block, cell);
            }
        }
        state.block(at.block).covered(&mut self.terms, self.machine.order, (at.place, bytes))
    }

    fn presume_cell(&self, state: &mut State, block: BlockId, cell: Cell) {
        if state.block(block).rest == Content::Initial
            && let Some(pre) = state.pre_mut(block)
        {
            pre.cells.push(cell);
        }
    }

    /// Writes some bytes (at most 16).
    pub fn write(&mut self, state: &mut State, at: Bytes, bytes: u32, value: TermId) {
        let order = self.machine.order;
        state.block_mut(at.block).write(&mut self.terms, order, (at.place, bytes), value);
    }

    /// What bytes hold that no cell covers.
    fn missing(
        &mut self,
        symbols: &dyn Symbols,
        state: &mut State,
        at: Bytes,
        (bytes, name): (u32, Option<&str>),
    ) -> TermId {
        let width = bytes * 8;
        let block = state.block(at.block);
        let (kind, rest, base, epoch) = (block.kind, block.rest, block.base, block.epoch.number());
        if let Some(function) = self.kept_function(symbols, kind, (at.place, bytes)) {
            return self.symbol(symbols, state, VarRole::Function(function));
        }
        let (origin, what) = match rest {
            Content::Zero => return self.terms.constant(width, 0),
            Content::Image => match kind {
                Kind::Constant(global) | Kind::Global(global) => {
                    return self.image(symbols, state, global, (at.place, bytes));
                }
                _ => (Origin::UnknownCall, "unknown content"),
            },
            // What was written at an index may have been written here.
            Content::Undefined if block.has_symbolic() => {
                (Origin::NotFollowed, "content that is not followed")
            }
            Content::Undefined => (Origin::Uninit, UNWRITTEN),
            Content::Initial => return self.initial((base, at.place, bytes), name),
            Content::Unknown if kind == Kind::Unknown => (Origin::UnknownMemory, "unknown content"),
            Content::Unknown => (Origin::UnknownCall, "unknown content"),
            Content::NotFollowed => (Origin::NotFollowed, "content that is not followed"),
        };
        let name = name.unwrap_or(what);
        if origin.is_unknown() {
            state.choose(Choice::Opaque);
        }
        if !matches!(rest, Content::Unknown | Content::NotFollowed) {
            return self.local(width, origin, name);
        }
        let at = (base, epoch, at.place, bytes);
        if let Some(&known) = self.contents.unknown.get(&at) {
            return known;
        }
        let value = self.local(width, origin, name);
        self.contents.unknown.insert(at, value);
        if origin == Origin::UnknownMemory {
            self.contents.holders.insert(value, base);
        }
        value
    }

    /// What memory of the caller held when the function began: the same on all paths.
    fn initial(&mut self, at: (TermId, Place, u32), name: Option<&str>) -> TermId {
        if let Some(&known) = self.contents.initial.get(&at) {
            return known;
        }
        let value = self.local(at.2 * 8, Origin::InitialMemory, name.unwrap_or("memory"));
        self.contents.initial.insert(at, value);
        self.contents.found_in.insert(value, at.0);
        value
    }

    /// The function that a variable holds from the beginning and for ever, as far as the project has a say in it.
    fn kept_function(
        &self,
        symbols: &dyn Symbols,
        kind: Kind,
        (place, bytes): (Place, u32),
    ) -> Option<FnKey> {
        let (Kind::Global(global) | Kind::Constant(global)) = kind else { return None };
        let is_one = place.symbolic.is_none() && bytes * 8 == self.machine.pointer_bits;
        if is_one { symbols.function_in(global, place.offset) } else { None }
    }

    /// Bytes of a constant.
    fn image(
        &mut self,
        symbols: &dyn Symbols,
        state: &mut State,
        global: GlobalKey,
        (place, bytes): (Place, u32),
    ) -> TermId {
        if place.symbolic.is_some() {
            return self.image_at_any(symbols, state, global, (place, bytes));
        }
        match symbols.image(global, place.offset, bytes) {
            Image::Number(value) => self.terms.constant(bytes * 8, value),
            Image::Address(role, addend) => {
                let base = self.symbol(symbols, state, role);
                self.plus(base, addend)
            }
            Image::NotFollowed => self.not_followed(state, bytes * 8),
        }
    }

    /// Bytes of a constant table at an index that is not known: a choice among its elements, if they are few.
    fn image_at_any(
        &mut self,
        symbols: &dyn Symbols,
        state: &mut State,
        global: GlobalKey,
        (place, bytes): (Place, u32),
    ) -> TermId {
        let size = symbols.symbol(VarRole::Global(global)).size.unwrap_or(0);
        if size > limits::HEAP_TABLE * u64::from(bytes) {
            return self.not_followed(state, bytes * 8);
        }
        let step = i64::from(bytes);
        let first = place.offset.rem_euclid(step);
        let offsets: Vec<i64> =
            (first..).step_by(bytes as usize).take_while(|at| at + step <= size as i64).collect();
        let index = offset_term(&mut self.terms, place, self.machine.pointer_bits);
        let mut value = self.terms.constant(bytes * 8, 0);
        for &offset in offsets.iter().rev() {
            let element = self.image(symbols, state, global, (Place::at(offset), bytes));
            let here = self.number(offset);
            let is_here = self.terms.eq(index, here);
            value = self.terms.ite(is_here, element, value);
        }
        value
    }

    /// Copies so many bytes.
    pub fn copy(&mut self, symbols: &dyn Symbols, state: &mut State, [to, from]: [Bytes; 2], bytes: u64) {
        let pieces = self.pieces(symbols, state, from, bytes);
        self.clear(state, to, bytes);
        for (offset, bytes, value) in pieces {
            self.write(state, to.plus(offset), bytes, value);
        }
    }

    /// The content of some bytes in pieces that a cell can hold: offset from the start, bytes, value.
    fn pieces(
        &mut self,
        symbols: &dyn Symbols,
        state: &mut State,
        from: Bytes,
        bytes: u64,
    ) -> Vec<(i64, u32, TermId)> {
        let mut pieces = Vec::new();
        let mut at = 0_i64;
        let end = bytes as i64;
        while at < end {
            let place = from.place.plus(at);
            let next = piece(&state.block(from.block).cells, place, end - at);
            let value = self.read(symbols, state, Bytes { place, ..from }, (next as u32, None));
            pieces.push((at, next as u32, value));
            at += next;
        }
        pieces
    }

    /// Sets so many bytes to one value.
    pub fn fill(&mut self, state: &mut State, to: Bytes, byte: TermId, bytes: u64) {
        self.clear(state, to, bytes);
        let mut at = 0;
        while at < bytes {
            let step = (8 - (to.place.offset + at as i64).rem_euclid(8)).min((bytes - at) as i64) as u32;
            let value = repeated(&mut self.terms, byte, step);
            self.write(state, to.plus(at as i64), step, value);
            at += u64::from(step);
        }
    }

    /// Some bytes of the block, nobody knows how many, hold something of some kind.
    pub fn overwrite(&mut self, state: &mut State, block: BlockId, content: Content) {
        state.choose(Choice::Opaque);
        let values = state.block(block).values();
        self.let_escape(state, &values);
        if state.block(block).kind != Kind::Abduced {
            // The block may have held the only copy of what the caller passed.
            for &value in &values {
                self.keep(state, value);
            }
        }
        state.lose(&self.terms, &values);
        self.forget(state, block, content);
    }

    /// Forgets all content of a block: what is read from now on is `rest`.
    pub fn forget(&mut self, state: &mut State, block: BlockId, rest: Content) {
        let epoch = self.begin_epoch();
        state.block_mut(block).forget(rest, epoch);
    }

    fn clear(&mut self, state: &mut State, to: Bytes, bytes: u64) {
        let (order, epoch) = (self.machine.order, self.begin_epoch());
        let block = state.block_mut(to.block);
        block.clear(&mut self.terms, order, to.place, bytes as i64);
        block.epoch = epoch;
    }
}

/// How many bytes to take at once: a whole cell, or what is free up to the next one, in words.
fn piece(cells: &[Cell], place: Place, left: i64) -> i64 {
    let same = cells.iter().filter(|cell| cell.place.symbolic == place.symbolic);
    let mut until = place.offset + 8 - place.offset.rem_euclid(8);
    for cell in same {
        if cell.place.offset <= place.offset && place.offset < cell.end() {
            return (cell.end() - place.offset).min(left);
        }
        if cell.place.offset > place.offset {
            until = until.min(cell.place.offset);
        }
    }
    (until - place.offset).min(left)
}
