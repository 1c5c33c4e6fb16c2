//! Copies and fills of memory.
//!
//! ```text
//! [d ↦ _[n] * s ↦ V[n]] memcpy(d, s, n) [ok: d ↦ V[n] * s ↦ V[n]]          [d ↦ _[n]] memset(d, c, n) [ok: d ↦ c…c[n]]
//! ```

use base::limits;
use heap::block::Content;
use heap::path::Reason;
use heap::{AccessKind, Cell, Place, State};
use ir::Operand;
use term::TermId;

use super::access::{Bytes, Wanted};
use crate::engine::Engine;
use crate::flow::Flow;

impl Engine<'_> {
    pub(super) fn mem_copy(&mut self, mut flow: Flow, [dst, src, len]: [Operand; 3], next: &mut Vec<Flow>) {
        let terms = [dst, src, len].map(|operand| self.operand(&mut flow, operand));
        self.copy(flow, terms, [Some(dst), Some(src)], next);
    }

    /// Copies `len` bytes.
    pub(crate) fn copy(
        &mut self,
        flow: Flow,
        [dst, src, len]: [TermId; 3],
        [dst_name, src_name]: [Option<Operand>; 2],
        next: &mut Vec<Flow>,
    ) {
        for (flow, len) in self.lengths(flow, len, next) {
            let bytes = len.constant.unwrap_or(0);
            let from = Wanted { address: src, operand: src_name, bytes, kind: AccessKind::Read };
            for (flow, from) in self.access_range(flow, from, len) {
                let to = Wanted { address: dst, operand: dst_name, bytes, kind: AccessKind::Write };
                for (mut flow, to) in self.access_range(flow, to, len) {
                    self.copy_bytes(&mut flow.state, to, from, len);
                    next.push(flow);
                }
            }
        }
    }

    pub(super) fn mem_set(&mut self, mut flow: Flow, [dst, byte, len]: [Operand; 3], next: &mut Vec<Flow>) {
        let terms = [dst, byte, len].map(|operand| self.operand(&mut flow, operand));
        self.fill(flow, terms, Some(dst), next);
    }

    /// Sets `len` bytes.
    pub(crate) fn fill(
        &mut self,
        flow: Flow,
        [dst, byte, len]: [TermId; 3],
        name: Option<Operand>,
        next: &mut Vec<Flow>,
    ) {
        let byte = self.terms.trunc(byte, 8);
        for (flow, len) in self.lengths(flow, len, next) {
            let bytes = len.constant.unwrap_or(0);
            let wanted = Wanted { address: dst, operand: name, bytes, kind: AccessKind::Write };
            for (mut flow, to) in self.access_range(flow, wanted, len) {
                self.fill_bytes(&mut flow.state, to, byte, len);
                next.push(flow);
            }
        }
    }

    /// The ways in which a length is not zero, and what it is then. With zero, nothing happens.
    fn lengths(&mut self, mut flow: Flow, len: TermId, next: &mut Vec<Flow>) -> Vec<(Flow, Length)> {
        let len = self.as_size(len);
        let made = self.here();
        if !self.check_defined(&flow.state, len, &made, "as a length") {
            return Vec::new();
        }
        let known =
            self.terms.value(len).or_else(|| flow.state.path.facts.range(&self.terms, len).constant());
        if let Some(value) = known {
            if value == 0 {
                next.push(flow);
                return Vec::new();
            }
            let constant = u64::try_from(value).ok();
            return vec![(flow, Length { term: len, constant })];
        }
        let zero = self.is_zero(len);
        if flow.state.path.facts.decide(&self.terms, zero) == Some(false) {
            return vec![(flow, Length { term: len, constant: None })];
        }
        let mut nothing = flow.clone();
        if self.assume(&mut nothing, zero, Reason::Needed) {
            next.push(nothing);
        }
        let some = self.terms.not(zero);
        if self.assume(&mut flow, some, Reason::Needed) {
            return vec![(flow, Length { term: len, constant: None })];
        }
        Vec::new()
    }

    /// Access to bytes whose number may not be a constant.
    pub(crate) fn access_range(&mut self, flow: Flow, wanted: Wanted, len: Length) -> Vec<(Flow, Bytes)> {
        if len.constant.is_some() {
            return self.access(flow, wanted);
        }
        let mut ways = Vec::new();
        for (mut flow, at) in self.access(flow, Wanted { bytes: 1, ..wanted }) {
            let Some(size) = flow.state.block(at.block).size else {
                let here = self.here();
                let extent = (at.place.offset, at.place.offset);
                let access = heap::Access {
                    symbolic: at.place.symbolic,
                    len: Some(len.term),
                    ..flow.state.access(here, wanted.kind, extent)
                };
                flow.state.touch(at.block, &access);
                ways.push((flow, at));
                continue;
            };
            // len ≤ size - offset
            let from = heap::locate::offset_term(&mut self.terms, at.place, self.pointer_bits);
            let room = self.terms.sub(size, from);
            let fits = self.terms.ule(len.term, room);
            let outside = self.terms.not(fits);
            let ok = self.possible_error(&mut flow, (outside, len.term), |engine, state| {
                engine.out_of_bounds(state, &wanted, at);
            });
            if ok {
                ways.push((flow, at));
            }
        }
        ways
    }

    fn copy_bytes(&mut self, state: &mut State, to: Bytes, from: Bytes, len: Length) {
        match len.constant {
            Some(bytes) if bytes <= limits::SPLIT_COPY => self.copy_known(state, to, from, bytes),
            _ => {
                let values = state.block(from.block).values();
                self.let_escape(state, &values);
                state.block_mut(from.block).copied = true;
                self.overwrite(state, to);
            }
        }
    }

    /// Copies so many bytes.
    pub(super) fn copy_known(&mut self, state: &mut State, to: Bytes, from: Bytes, bytes: u64) {
        let cells = self.cells_between(state, from, bytes);
        self.clear(state, to, bytes);
        for (offset, bytes, value) in cells {
            self.write(state, Bytes { place: to.place.plus(offset), ..to }, bytes, value);
        }
    }

    /// The content of some bytes in pieces that a cell can hold: offset from the start, bytes, value.
    fn cells_between(&mut self, state: &mut State, from: Bytes, bytes: u64) -> Vec<(i64, u32, TermId)> {
        let mut pieces = Vec::new();
        let mut at = 0_i64;
        let end = bytes as i64;
        while at < end {
            let place = from.place.plus(at);
            let next = self.piece(state.block(from.block).cells.as_slice(), place, end - at);
            let value = self.read(state, Bytes { place, ..from }, next as u32, None);
            pieces.push((at, next as u32, value));
            at += next;
        }
        pieces
    }

    /// How many bytes to take at once: a whole cell, or what is free up to the next one, in words.
    fn piece(&self, cells: &[Cell], place: Place, left: i64) -> i64 {
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

    fn fill_bytes(&mut self, state: &mut State, to: Bytes, byte: TermId, len: Length) {
        let size = state.block(to.block).size;
        let is_whole = to.place == Place::at(0) && size == Some(len.term);
        if is_whole && self.terms.value(byte) == Some(0) {
            state.block_mut(to.block).forget(Content::Zero, self.epoch.begin());
            return;
        }
        match len.constant {
            Some(bytes) if bytes <= limits::SPLIT_COPY => {
                self.clear(state, to, bytes);
                let mut at = 0;
                while at < bytes {
                    let step =
                        (8 - (to.place.offset + at as i64).rem_euclid(8)).min((bytes - at) as i64) as u32;
                    let value = heap::bytes::repeated(&mut self.terms, byte, step);
                    self.write(state, Bytes { place: to.place.plus(at as i64), ..to }, step, value);
                    at += u64::from(step);
                }
            }
            _ => self.overwrite(state, to),
        }
    }

    /// Some bytes of the block, nobody knows how many, hold something defined.
    pub(crate) fn overwrite(&mut self, state: &mut State, to: Bytes) {
        self.overwrite_by(state, to, Content::NotFollowed);
    }

    /// The same, by content of some kind.
    pub(crate) fn overwrite_by(&mut self, state: &mut State, to: Bytes, content: Content) {
        state.choose(heap::Choice::Opaque);
        let values = state.block(to.block).values();
        self.let_escape(state, &values);
        if state.block(to.block).kind != heap::Kind::Abduced {
            // The block may have held the only copy of what the caller passed.
            for &value in &values {
                self.give_away(state, heap::Given::kept(value));
            }
        }
        state.lose(&self.terms, &values);
        state.block_mut(to.block).forget(content, self.epoch.begin());
    }

    fn clear(&mut self, state: &mut State, to: Bytes, bytes: u64) {
        let (order, epoch) = (self.order, self.epoch.begin());
        let block = state.block_mut(to.block);
        block.clear(&mut self.terms, order, to.place, bytes as i64);
        block.epoch = epoch;
    }
}

/// A number of bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Length {
    pub(crate) term: TermId,
    pub(crate) constant: Option<u64>,
}
