//! Blocks against an array of bytes: whatever is written and read, in whatever widths, the terms say what the bytes are.

use heap::bytes::{Order, repeated};
use heap::{Block, Cell, Content, Kind, Place};
use term::{Assignment, Node, Origin, TermId, Terms};

/// The bytes of the array, from [`FIRST`] on.
const BYTES: usize = 40;
/// The offset of its first byte: pointers may point into the middle of a block.
const FIRST: i64 = -8;
const WIDTHS: [u32; 5] = [1, 2, 4, 8, 16];

/// A block and the bytes that it should hold.
struct Twin {
    terms: Terms,
    order: Order,
    block: Block,
    bytes: [u8; BYTES],
    /// The bytes that were written or asked for: they must not be asked for again.
    known: [bool; BYTES],
    values: Assignment,
}

impl Twin {
    fn new(order: Order, random: &mut fastrand::Rng) -> Twin {
        let mut terms = Terms::new();
        let base = terms.fresh(64, Origin::Parameter, "p");
        let block = Block::new(base, None, Kind::Abduced, Content::Initial);
        let mut bytes = [0; BYTES];
        random.fill(&mut bytes);
        Twin { terms, order, block, bytes, known: [false; BYTES], values: Assignment::new() }
    }

    /// Writes a new variable that stands for these bytes.
    fn write(&mut self, offset: i64, content: &[u8]) {
        let width = content.len() as u32;
        let value = variable(&mut self.terms, &mut self.values, self.order, content);
        self.block.write(&mut self.terms, self.order, (Place::at(offset), width), value);
        self.bytes[range(offset, width)].copy_from_slice(content);
        self.known[range(offset, width)].fill(true);
        self.check_law();
    }

    /// Reads, and compares with the array. Missing bytes are what the array holds there.
    fn read(&mut self, offset: i64, width: u32) -> TermId {
        let at = (Place::at(offset), width);
        for (place, len) in
            self.block.gaps(at.0, width).expect("the array should lie within the address space")
        {
            assert_eq!(place.symbolic, None, "a gap should lie where the read does");
            let gap = range(place.offset, len);
            assert!(!self.known[gap.clone()].contains(&true), "known bytes should not be asked for: {gap:?}");
            self.known[gap.clone()].fill(true);
            let value = variable(&mut self.terms, &mut self.values, self.order, &self.bytes[gap]);
            self.block.insert(Cell { place, bytes: len, value });
        }
        let term = self.block.covered(&mut self.terms, self.order, at);
        assert_eq!(self.terms.width(term), width * 8);
        let value = self.terms.eval(term, &self.values);
        assert_eq!(value, number(self.order, &self.bytes[range(offset, width)]), "{width} bytes at {offset}");
        self.check_law();
        term
    }

    /// Reads bytes that are all known.
    fn known(&mut self, place: Place, width: u32) -> TermId {
        let gaps = self.block.gaps(place, width).expect("the bytes should lie within the address space");
        assert!(gaps.is_empty(), "nothing should be missing: {gaps:?}");
        self.block.covered(&mut self.terms, self.order, (place, width))
    }

    /// The law of [`Block::cells`].
    fn check_law(&self) {
        for pair in self.block.cells.windows(2) {
            assert!(pair[0].end() <= pair[1].place.offset, "cells should be sorted and apart: {pair:?}");
        }
    }
}

fn range(offset: i64, width: u32) -> std::ops::Range<usize> {
    let from = (offset - FIRST) as usize;
    from..from + width as usize
}

/// The number that bytes are.
fn number(order: Order, bytes: &[u8]) -> u128 {
    let append = |number: u128, &byte: &u8| number << 8 | u128::from(byte);
    match order {
        Order::Little => bytes.iter().rev().fold(0, append),
        Order::Big => bytes.iter().fold(0, append),
    }
}

/// A new variable whose value is these bytes.
fn variable(terms: &mut Terms, values: &mut Assignment, order: Order, bytes: &[u8]) -> TermId {
    let term = terms.fresh(bytes.len() as u32 * 8, Origin::InitialMemory, "v");
    let Node::Var(var) = terms.node(term) else { panic!("a fresh term should be a variable") };
    values.set(var, number(order, bytes));
    term
}

fn place(random: &mut fastrand::Rng) -> (i64, u32) {
    let width = WIDTHS[random.usize(..WIDTHS.len())];
    (FIRST + random.i64(0..=BYTES as i64 - i64::from(width)), width)
}

#[test]
fn random_sequences_agree_with_an_array() {
    for order in [Order::Little, Order::Big] {
        for seed in 0..300 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut twin = Twin::new(order, &mut random);
            for _ in 0..40 {
                let (offset, width) = place(&mut random);
                if random.bool() {
                    let content: Vec<u8> = (0..width).map(|_| random.u8(..)).collect();
                    twin.write(offset, &content);
                } else {
                    twin.read(offset, width);
                }
            }
        }
    }
}

#[test]
fn what_was_cleared_is_asked_for_again() {
    for order in [Order::Little, Order::Big] {
        for seed in 0..100 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut twin = Twin::new(order, &mut random);
            for _ in 0..20 {
                let (offset, width) = place(&mut random);
                let content: Vec<u8> = (0..width).map(|_| random.u8(..)).collect();
                twin.write(offset, &content);
                // Somebody else changes some bytes behind our back: all others stay as they are.
                let (offset, width) = place(&mut random);
                random.fill(&mut twin.bytes[range(offset, width)]);
                twin.known[range(offset, width)].fill(false);
                twin.block.clear(&mut twin.terms, order, Place::at(offset), i64::from(width));
                twin.check_law();
                let (offset, width) = place(&mut random);
                twin.read(offset, width);
            }
        }
    }
}

#[test]
fn reading_twice_gives_one_term() {
    for seed in 0..100 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut twin = Twin::new(Order::Little, &mut random);
        for _ in 0..10 {
            let (offset, width) = place(&mut random);
            let first = twin.read(offset, width);
            let n_vars = twin.terms.vars().len();
            assert_eq!(twin.read(offset, width), first);
            assert_eq!(twin.terms.vars().len(), n_vars, "known bytes should not be asked for");
        }
    }
}

#[test]
fn a_read_of_what_was_written_is_the_value_itself() {
    for order in [Order::Little, Order::Big] {
        let mut random = fastrand::Rng::with_seed(1);
        for width in WIDTHS {
            let mut twin = Twin::new(order, &mut random);
            let value = twin.terms.fresh(width * 8, Origin::Parameter, "x");
            twin.block.write(&mut twin.terms, order, (Place::at(3), width), value);
            assert_eq!(twin.known(Place::at(3), width), value);
            // Byte by byte and back again.
            for at in 0..width {
                let byte = (Place::at(3 + i64::from(at)), 1);
                let part = twin.known(byte.0, 1);
                twin.block.write(&mut twin.terms, order, byte, part);
            }
            assert_eq!(twin.known(Place::at(3), width), value, "parts of a value should join to it");
        }
    }
}

#[test]
fn cells_at_other_symbolic_offsets_are_left_alone() {
    let mut random = fastrand::Rng::with_seed(2);
    let mut twin = Twin::new(Order::Little, &mut random);
    let index = twin.terms.fresh(64, Origin::Parameter, "i");
    let value = twin.terms.fresh(32, Origin::Parameter, "x");
    let at_index = (Place { symbolic: Some(index), offset: 0 }, 4);
    twin.block.write(&mut twin.terms, Order::Little, at_index, value);
    twin.block.clear(&mut twin.terms, Order::Little, Place::at(0), 8);
    assert_eq!(twin.known(at_index.0, 4), value);
}

#[test]
fn a_repeated_byte_fills_its_bytes() {
    let mut terms = Terms::new();
    let mut values = Assignment::new();
    let byte = variable(&mut terms, &mut values, Order::Little, &[0xa5]);
    for width in WIDTHS {
        let value = repeated(&mut terms, byte, width);
        assert_eq!(terms.width(value), width * 8);
        assert_eq!(terms.eval(value, &values), number(Order::Little, &vec![0xa5; width as usize]));
    }
}

#[test]
fn no_gaps_are_listed_around_the_end_of_the_address_space() {
    let twin = Twin::new(Order::Little, &mut fastrand::Rng::with_seed(1));
    assert_eq!(twin.block.gaps(Place::at(i64::MAX - 2), 8), None);
}
