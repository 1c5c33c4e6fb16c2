//! Reading and writing cells of any width, exact on bytes.
//!
//! Rules (little endian): a read of bytes that several cells cover is their concatenation,
//! `[o, o+a) ↦ x * [o+a, o+a+b) ↦ y` gives `y:x`; a read inside of a cell is an extraction; a write cuts what
//! it overlaps. Bytes that no cell covers are asked for once and become a cell.

use smallvec::SmallVec;
use term::{TermId, Terms};

use crate::block::{Block, Cell, Place};

/// The order of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

/// The largest number of bytes that one cell holds.
pub const CELL_BYTES: u32 = 16;

impl Block {
    /// The gaps between the cells of some bytes (at most [`CELL_BYTES`]): where, and how many bytes. None: the bytes reach around the end of the address space.
    pub fn gaps(&self, place: Place, bytes: u32) -> Option<SmallVec<[(Place, u32); 2]>> {
        debug_assert!((1..=CELL_BYTES).contains(&bytes), "a read should have 1 to 16 bytes");
        let mut gaps = SmallVec::new();
        if self.cells.iter().any(|cell| cell.place == place && cell.bytes == bytes) {
            return Some(gaps);
        }
        let end = place.offset.checked_add(i64::from(bytes))?;
        let mut at = place.offset;
        while at < end {
            let own = self.cells.iter().filter(|cell| cell.place.symbolic == place.symbolic);
            if let Some(cell) = own.clone().find(|cell| cell.place.offset <= at && at < cell.end()) {
                at = cell.end();
                continue;
            }
            let next = own.map(|cell| cell.place.offset).filter(|&offset| offset > at).min();
            let until = next.unwrap_or(end).min(end);
            gaps.push((Place { offset: at, ..place }, (until - at) as u32));
            at = until;
        }
        Some(gaps)
    }

    /// The value of bytes without gaps.
    pub fn covered(&self, terms: &mut Terms, order: Order, (place, bytes): (Place, u32)) -> TermId {
        if let Some(cell) = self.cells.iter().find(|cell| cell.place == place && cell.bytes == bytes) {
            return cell.value;
        }
        let end = place.offset + i64::from(bytes);
        let mut parts: SmallVec<[TermId; 8]> = SmallVec::new();
        for cell in &self.cells {
            if cell.place.symbolic == place.symbolic && cell.end() > place.offset && cell.place.offset < end {
                let from = place.offset.max(cell.place.offset) - cell.place.offset;
                let to = end.min(cell.end()) - cell.place.offset;
                parts.push(slice(terms, order, *cell, from as u32, (to - from) as u32));
            }
        }
        join(terms, order, &parts)
    }

    /// Writes `bytes` (at most [`CELL_BYTES`]); the value has eight bits for each.
    pub fn write(&mut self, terms: &mut Terms, order: Order, (place, bytes): (Place, u32), value: TermId) {
        debug_assert!(terms.width(value) == bytes * 8, "a value should fill its bytes");
        self.clear(terms, order, place, i64::from(bytes));
        self.insert(Cell { place, bytes, value });
    }

    /// Removes what is known about some bytes (with the same symbolic part).
    pub fn clear(&mut self, terms: &mut Terms, order: Order, place: Place, bytes: i64) {
        let end = place.offset.wrapping_add(bytes);
        let overlaps = |cell: &Cell| {
            cell.place.symbolic == place.symbolic && cell.end() > place.offset && cell.place.offset < end
        };
        let cut: SmallVec<[Cell; 4]> = self.cells.iter().copied().filter(|cell| overlaps(cell)).collect();
        if cut.is_empty() {
            return;
        }
        self.cells.retain(|cell| !overlaps(cell));
        for cell in cut {
            let before = place.offset - cell.place.offset;
            if before > 0 {
                let value = slice(terms, order, cell, 0, before as u32);
                self.insert(Cell { place: cell.place, bytes: before as u32, value });
            }
            let after = cell.end() - end;
            if after > 0 {
                let value = slice(terms, order, cell, cell.bytes - after as u32, after as u32);
                self.insert(Cell { place: Place { offset: end, ..place }, bytes: after as u32, value });
            }
        }
    }

    /// Adds a cell where there is a gap.
    pub fn insert(&mut self, cell: Cell) {
        let at = self.cells.partition_point(|other| other.place < cell.place);
        self.cells.insert(at, cell);
    }
}

/// Some bytes of a cell.
pub fn slice(terms: &mut Terms, order: Order, cell: Cell, from: u32, bytes: u32) -> TermId {
    if from == 0 && bytes == cell.bytes {
        return cell.value;
    }
    let low = match order {
        Order::Little => from,
        Order::Big => cell.bytes - from - bytes,
    };
    terms.extract(cell.value, low * 8, bytes * 8)
}

/// Values of adjacent bytes, first address first, as one.
fn join(terms: &mut Terms, order: Order, parts: &[TermId]) -> TermId {
    let mut joined: Option<TermId> = None;
    for &part in parts {
        joined = Some(match (joined, order) {
            (None, _) => part,
            (Some(lower), Order::Little) => terms.concat(part, lower),
            (Some(upper), Order::Big) => terms.concat(upper, part),
        });
    }
    joined.expect("invariant: a filled range has at least one cell")
}

/// The value of some bytes that repeat one byte.
pub fn repeated(terms: &mut Terms, byte: TermId, bytes: u32) -> TermId {
    debug_assert!(terms.width(byte) == 8, "a byte should have eight bits");
    let mut value = byte;
    for _ in 1..bytes {
        value = terms.concat(value, byte);
    }
    value
}
