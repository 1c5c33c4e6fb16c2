//! Where addresses point, and which cells they meet.

use heap::bytes::Order;
use heap::locate::offset_term;
use heap::path::Reason;
use heap::{
    Arena, Block, BlockId, Condition, Content, Kind, Located, Machine, Made, Place, Site, State, locate,
    settle,
};
use term::{Assignment, Node, Origin, TermId};

/// A function with one block behind its parameter `p`.
struct Function {
    arena: Arena,
    state: State,
    p: TermId,
    block: BlockId,
}

impl Function {
    fn new() -> Function {
        let mut arena = Arena::new(Machine { pointer_bits: 64, order: Order::Little });
        let p = arena.local(64, Origin::Parameter, "p");
        let mut state = State::default();
        let block = state.add_block(Block::new(p, None, Kind::Abduced, Content::Initial));
        Function { arena, state, p, block }
    }

    fn parameter(&mut self, name: &str) -> TermId {
        self.arena.local(64, Origin::Parameter, name)
    }

    fn plus(&mut self, term: TermId, bytes: i64) -> TermId {
        let bytes = self.arena.terms.constant(64, i128::from(bytes) as u128);
        self.arena.terms.add(term, bytes)
    }

    fn times(&mut self, term: TermId, factor: u128) -> TermId {
        let factor = self.arena.terms.constant(64, factor);
        self.arena.terms.mul(term, factor)
    }

    fn assume(&mut self, term: TermId) {
        let condition = Condition { term, made: here(), reason: Reason::Branch };
        assert!(self.state.path.assume(&mut self.arena.terms, condition), "the path should be possible");
    }

    fn locate(&mut self, address: TermId) -> Vec<(State, Located)> {
        locate(&mut self.arena, self.state.clone(), address, here())
    }

    /// The only way.
    fn locate_one(&mut self, address: TermId) -> Located {
        let mut ways = self.locate(address);
        assert_eq!(ways.len(), 1, "there should be one way");
        ways.remove(0).1
    }

    fn settle(&mut self, place: Place, bytes: u32) -> Vec<(State, Place)> {
        settle(&mut self.arena.terms, self.state.clone(), self.block, (place, bytes), here())
    }

    /// Whether all conditions of a path hold for these values.
    fn holds(&self, state: &State, values: &[(TermId, u128)]) -> bool {
        let mut assignment = Assignment::new();
        for &(term, value) in values {
            let Node::Var(var) = self.arena.terms.node(term) else {
                panic!("a value should be a variable's")
            };
            assignment.set(var, value);
        }
        state.path.terms().iter().all(|&condition| self.arena.terms.eval(condition, &assignment) == 1)
    }
}

fn here() -> Made {
    Made::here(Site::FIRST)
}

fn at_index(symbolic: TermId, offset: i64) -> Place {
    Place { symbolic: Some(symbolic), offset }
}

#[test]
fn interior_pointers_are_in_their_block() {
    let mut function = Function::new();
    let (p, block) = (function.p, function.block);
    assert_eq!(function.locate_one(p), Located::In(block, Place::at(0)));
    for offset in [8, -16] {
        let inside = function.plus(p, offset);
        assert_eq!(function.locate_one(inside), Located::In(block, Place::at(offset)));
    }
    // &p[i].member: the constant part of the offset is apart from the other one.
    let index = function.parameter("i");
    let scaled = function.times(index, 12);
    let element = function.arena.terms.add(p, scaled);
    let member = function.plus(element, 4);
    assert_eq!(function.locate_one(member), Located::In(block, at_index(scaled, 4)));
    // p[i] where the path knows i.
    let three = function.arena.terms.constant(64, 3);
    let known = function.arena.terms.eq(index, three);
    function.assume(known);
    assert_eq!(function.locate_one(member), Located::In(block, Place::at(40)));
}

#[test]
fn equal_bases_are_one_block() {
    let mut function = Function::new();
    let (p, block) = (function.p, function.block);
    let q = function.parameter("q");
    let behind = function.plus(q, 4);
    assert_eq!(function.locate_one(behind), Located::New(q, Place::at(4)));
    let middle = function.plus(p, 16);
    let equal = function.arena.terms.eq(q, middle);
    function.assume(equal);
    assert_eq!(function.locate_one(q), Located::In(block, Place::at(16)));
    assert_eq!(function.locate_one(behind), Located::In(block, Place::at(20)));
    // By a further equality.
    let r = function.parameter("r");
    let equal = function.arena.terms.eq(r, behind);
    function.assume(equal);
    assert_eq!(function.locate_one(r), Located::In(block, Place::at(20)));
}

#[test]
fn null_and_what_is_near_it_is_nowhere() {
    let mut function = Function::new();
    for value in [0, 24] {
        let address = function.arena.terms.constant(64, value);
        assert_eq!(function.locate_one(address), Located::Null);
    }
    let q = function.parameter("q");
    let zero = function.arena.terms.constant(64, 0);
    let null = function.arena.terms.eq(q, zero);
    function.assume(null);
    let member = function.plus(q, 24);
    assert_eq!(function.locate_one(member), Located::Null);
}

#[test]
fn the_pointer_among_the_summands_is_the_base() {
    let mut function = Function::new();
    let (a, b) = (function.parameter("a"), function.parameter("b"));
    let address = function.arena.terms.add(a, b);
    for (base, index) in [(a, b), (b, a)] {
        let mut arena = function.arena.clone();
        arena.note_pointer(base);
        let ways = locate(&mut arena, State::default(), address, here());
        let located: Vec<Located> = ways.into_iter().map(|(_, located)| located).collect();
        assert_eq!(located, [Located::New(base, at_index(index, 0))]);
    }
}

/// `(c ? p : q) + 8`
#[test]
fn a_choice_splits_the_path() {
    let mut function = Function::new();
    let (p, block) = (function.p, function.block);
    let (c, q) = (function.parameter("c"), function.parameter("q"));
    let taken = function.arena.terms.nonzero(c);
    let chosen = function.arena.terms.ite(taken, p, q);
    let address = function.plus(chosen, 8);
    let ways = function.locate(address);
    assert_eq!(ways.len(), 2);
    for (value, expected) in [(1, Located::In(block, Place::at(8))), (0, Located::New(q, Place::at(8)))] {
        let values = [(c, value), (p, 4096), (q, 8192)];
        let fitting: Vec<_> = ways.iter().filter(|(state, _)| function.holds(state, &values)).collect();
        assert_eq!(fitting.len(), 1, "one way should be taken if c is {value}");
        assert_eq!(fitting[0].1, expected);
    }
    // Where the path knows the choice, there is none.
    function.assume(taken);
    assert_eq!(function.locate_one(address), Located::In(block, Place::at(8)));
}

/// `a[i]` is known, `a[j]` is accessed: every pair of indices takes the right way.
#[test]
fn elements_are_equal_or_apart() {
    let mut function = Function::new();
    let (i, j) = (function.parameter("i"), function.parameter("j"));
    let (known, wanted) = (function.times(i, 4), function.times(j, 4));
    let value = function.arena.local(32, Origin::InitialMemory, "a[i]");
    let order = Order::Little;
    let block = function.state.block_mut(function.block);
    block.write(&mut function.arena.terms, order, (at_index(known, 0), 4), value);
    let ways = function.settle(at_index(wanted, 0), 4);
    assert_eq!(ways.len(), 2);
    for (first, second) in (0..8).flat_map(|first| (0..8).map(move |second| (first, second))) {
        let fitting: Vec<Place> = ways
            .iter()
            .filter(|(state, _)| function.holds(state, &[(i, first), (j, second)]))
            .map(|(_, place)| *place)
            .collect();
        let expected = if first == second { known } else { wanted };
        assert_eq!(fitting, [at_index(expected, 0)], "i = {first}, j = {second}");
    }
    // The same index, other member: the offsets say enough.
    let next = at_index(known, 4);
    assert_eq!(function.settle(next, 4).len(), 1);
}

/// Bytes at any offset: equal, apart, or overlapping, which no way follows.
#[test]
fn partial_overlap_is_not_followed() {
    for (bytes, cell_bytes) in [(4, 4), (1, 8), (8, 2)] {
        let mut function = Function::new();
        let (i, j) = (function.parameter("i"), function.parameter("j"));
        let value = function.arena.local(cell_bytes * 8, Origin::InitialMemory, "v");
        let cell = (at_index(i, 2), cell_bytes);
        let order = Order::Little;
        function.state.block_mut(function.block).write(&mut function.arena.terms, order, cell, value);
        let ways = function.settle(at_index(j, 0), bytes);
        for (first, second) in (0..24).flat_map(|first| (0..24).map(move |second| (first, second))) {
            let (from, other) = (second, first + 2);
            let is_apart = from + u128::from(bytes) <= other || other + u128::from(cell_bytes) <= from;
            let expected = usize::from(is_apart || from == other);
            let fits = |(state, _): &&(State, Place)| function.holds(state, &[(i, first), (j, second)]);
            assert_eq!(ways.iter().filter(fits).count(), expected, "{second} and {first} + 2");
        }
    }
}

#[test]
fn what_the_path_knows_of_indices_settles() {
    let mut function = Function::new();
    let (i, order) = (function.parameter("i"), Order::Little);
    let value = function.arena.local(32, Origin::InitialMemory, "a[0]");
    let block = function.state.block_mut(function.block);
    block.write(&mut function.arena.terms, order, (Place::at(0), 4), value);
    let four = function.arena.terms.constant(64, 4);
    let far = function.arena.terms.uge(i, four);
    let limit = function.arena.terms.constant(64, 100);
    let small = function.arena.terms.ult(i, limit);
    function.assume(far);
    function.assume(small);
    let ways = function.settle(at_index(i, 0), 4);
    let places: Vec<Place> = ways.iter().map(|(_, place)| *place).collect();
    assert_eq!(places, [at_index(i, 0)], "an index of 4 or more is apart from the first four bytes");
}

#[test]
fn places_are_terms() {
    let mut function = Function::new();
    let i = function.parameter("i");
    let expected = function.plus(i, -4);
    assert_eq!(offset_term(&mut function.arena.terms, at_index(i, -4), 64), expected);
    let constant = offset_term(&mut function.arena.terms, Place::at(-4), 64);
    assert_eq!(function.arena.terms.value(constant), Some(u128::from(u64::MAX - 3)));
}
