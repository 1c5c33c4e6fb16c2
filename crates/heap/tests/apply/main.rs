//! One rule: a load, a store or a free that is written as a triple and applied does what it does when it is done directly.
//!
//! Source: the triples of Le et al., OOPSLA 2022, Fig. 3; what becomes of them in a state is rule Eval of Fig. 5.

mod engine;
mod indices;
mod triples;

use heap::bytes::Order;
use heap::path::Reason;
use heap::{
    AccessKind, Applied, Block, BlockId, Cell, Choice, Condition, Content, Fault, Kind, Made, Place,
    PreBlock, Refused, Unfreeable,
};
use term::{Node, Origin, TermId};

use engine::{Function, assert_same, call, family, inside};
use triples::{copy, free, load, load_freed, load_twice, malloc, store};

#[test]
fn known_memory_is_used_as_it_is() {
    for order in [Order::Little, Order::Big] {
        let mut function = Function::new(order);
        let (_, base) = function.heap_block(32);
        let (inside, value) = (function.plus(base, 12), function.parameter(32));

        let applied = function.applied(&load(4), &[inside]);
        let before = function.state.clone();
        assert_eq!(applied.results, [function.load_directly(inside, 4)]);
        assert_same(&applied.state, &function.state);
        assert!(before.same_memory(&function.state), "a load of known memory should change nothing");

        let applied = function.applied(&store(4), &[inside, value]);
        function.store_directly(inside, 4, value);
        assert_same(&applied.state, &function.state);
        assert_eq!(function.load_directly(inside, 4), value);

        let applied = function.applied(&free(), &[base]);
        function.free_directly(base);
        assert_same(&applied.state, &function.state);
    }
}

#[test]
fn unknown_memory_is_abduced() {
    let mut function = Function::new(Order::Little);
    let (p, value) = (function.parameter(64), function.parameter(32));
    let applied = function.applied(&load(4), &[p]);
    let pre: Vec<&PreBlock> = applied.state.pre().collect();
    assert_eq!((pre.len(), pre[0].base, pre[0].extent, pre[0].negative), (1, p, (0, 4), false));
    assert_eq!(pre[0].cells, [Cell { place: Place::at(0), bytes: 4, value: applied.results[0] }]);
    assert_eq!(function.arena.calls.own_site(pre[0].accesses[0].made), call());

    // Done directly, it differs by the name of the content only; so go on from there.
    function.state = applied.state;
    let applied = function.applied(&load(4), &[p]);
    assert_eq!(applied.results, [function.load_directly(p, 4)]);
    assert_same(&applied.state, &function.state);

    // A store presumes that there is memory, and not what it holds.
    let (q, member) = (function.parameter(64), 8);
    let address = function.plus(q, member);
    let applied = function.applied(&store(4), &[address, value]);
    function.store_directly(address, 4, value);
    assert_same(&applied.state, &function.state);
    let last = function.state.pre().last().expect("the block should be presumed");
    assert_eq!((last.base, last.extent, last.cells.len()), (q, (0, 12), 0));
}

#[test]
fn freeing_unknown_memory_presumes_that_it_can_be_freed() {
    let mut function = Function::new(Order::Little);
    let p = function.parameter(64);
    let applied = function.applied(&free(), &[p]);
    let pre = applied.state.pre().next().expect("the block should be presumed");
    assert_eq!((pre.base, pre.freeable, pre.negative), (p, Some((family(), 0)), false));
    assert!(!applied.state.block(applied.blocks[0].0).status.is_allocated());
    // Twice is an error.
    function.state = applied.state;
    assert!(matches!(function.fault(&free(), &[p]), Fault::Invalid(_)));
}

#[test]
fn blocks_are_found_in_the_order_of_discovery() {
    let mut function = Function::new(Order::Little);
    let ((_, outer), (_, inner)) = (function.heap_block(16), function.heap_block(16));
    let (slot, target) = (function.plus(outer, 8), function.plus(inner, 4));
    function.store_directly(slot, 8, target);
    let applied = function.applied(&load_twice(4), &[slot]);
    assert_eq!(applied.results, [function.load_directly(target, 4)]);
    assert_same(&applied.state, &function.state);
    // Behind memory of the caller is more memory of the caller.
    let p = function.parameter(64);
    let applied = function.applied(&load_twice(4), &[p]);
    let bases: Vec<TermId> = applied.state.pre().map(|pre| pre.base).collect();
    let first = applied.state.pre().next().expect("the block should be presumed");
    assert_eq!(bases, [p, first.cells[0].value]);
}

#[test]
fn null_is_refused() {
    let mut function = Function::new(Order::Little);
    let (null, value, p) = (function.null(), function.parameter(32), function.parameter(64));
    let is_null = function.arena.terms.eq(p, null);
    let condition = Condition { term: is_null, made: Made::here(call()), reason: Reason::Branch };
    assert!(function.state.path.assume(&mut function.arena.terms, condition));
    for address in [null, p] {
        let refused = function.refused(&load(4), &[address]);
        let Refused::Fault(stuck) = refused else { panic!("{refused:?} should be a fault") };
        assert_eq!(stuck.fault, Fault::Null);
        assert_eq!((stuck.pre, stuck.access.kind, stuck.access.made.site), (0, AccessKind::Read, inside()));
        assert!(stuck.state.same_memory(&function.state));
        assert_eq!(function.fault(&store(4), &[address, value]), Fault::Null);
        assert_eq!(function.fault(&free(), &[address]), Fault::Null);
    }
    // Null in memory: the block before it was found.
    let (_, base) = function.heap_block(8);
    function.store_directly(base, 8, null);
    let refused = function.refused(&load_twice(4), &[base]);
    assert!(matches!(&refused, Refused::Fault(stuck) if stuck.fault == Fault::Null && stuck.pre == 1));
}

#[test]
fn freed_memory_is_refused_unless_the_triple_asks_for_it() {
    let mut function = Function::new(Order::Little);
    let (block, base) = function.heap_block(8);
    let (inside, value) = (function.plus(base, 4), function.parameter(32));
    assert!(matches!(function.refused(&load_freed(), &[inside]), Refused::Valid));
    function.free_directly(base);
    for (triple, arguments) in
        [(load(4), vec![inside]), (store(4), vec![inside, value]), (free(), vec![base])]
    {
        let fault = function.fault(&triple, &arguments);
        assert!(matches!(fault, Fault::Invalid(at) if at.block == block), "{fault:?}");
    }
    let applied = function.applied(&load_freed(), &[inside]);
    assert!(applied.state.same_memory(&function.state));
    // Of memory that nobody knows, the caller must have freed it.
    let p = function.parameter(64);
    let applied = function.applied(&load_freed(), &[p]);
    assert!(applied.state.pre().next().is_some_and(|pre| pre.negative));
}

#[test]
fn accesses_stay_inside_of_their_block() {
    let mut function = Function::new(Order::Little);
    let (block, base) = function.heap_block(8);
    for (offset, is_inside) in [(-1, false), (0, true), (4, true), (5, false), (8, false)] {
        let address = function.plus(base, offset);
        let ways = function.apply(&load(4), &[address]);
        match &ways[..] {
            [Ok(_)] => assert!(is_inside, "{offset}"),
            [Err(Refused::Fault(stuck))] => {
                let Fault::OutOfBounds(at) = stuck.fault else {
                    panic!("{:?} should be about bounds", stuck.fault)
                };
                assert!(!is_inside && at.block == block, "{offset}");
            }
            other => panic!("{other:?} should be about bounds"),
        }
    }
}

#[test]
fn only_the_start_of_heap_blocks_can_be_freed() {
    let mut function = Function::new(Order::Little);
    let (_, base) = function.heap_block(8);
    let inside = function.plus(base, 4);
    assert!(matches!(function.fault(&free(), &[inside]), Fault::NotFreeable(_, Unfreeable::Inner)));
    let local = function.arena.local(64, Origin::Allocation, "local");
    function.state.add_block(Block::new(local, None, Kind::Stack, Content::Undefined));
    assert!(matches!(function.fault(&free(), &[local]), Fault::NotFreeable(_, Unfreeable::NotHeap)));
}

#[test]
fn one_block_is_not_two() {
    let mut function = Function::new(Order::Little);
    let (_, base) = function.heap_block(16);
    let (overlapping, apart) = (function.plus(base, 2), function.plus(base, 4));
    assert!(matches!(function.refused(&copy(4), &[base, base]), Refused::Aliased(0, 1)));
    assert!(matches!(function.refused(&copy(4), &[overlapping, base]), Refused::Aliased(0, 1)));
    // Different bytes of one block are as good as two blocks.
    let applied = function.applied(&copy(4), &[apart, base]);
    let value = function.load_directly(base, 4);
    function.store_directly(apart, 4, value);
    assert_same(&applied.state, &function.state);
    // By an equality of the path.
    let p = function.parameter(64);
    let equal = function.arena.terms.eq(p, base);
    let condition = Condition { term: equal, made: Made::here(call()), reason: Reason::Branch };
    assert!(function.state.path.assume(&mut function.arena.terms, condition));
    assert!(matches!(function.refused(&copy(4), &[p, base]), Refused::Aliased(0, 1)));
}

#[test]
fn new_memory_is_new_at_each_call() {
    let mut function = Function::new(Order::Little);
    let size = function.arena.terms.constant(64, 24);
    let first = function.applied(&malloc(), &[size]);
    function.state = first.state;
    let second = function.applied(&malloc(), &[size]);
    assert_ne!(first.results, second.results);
    assert_eq!(second.state.n_blocks(), 2);
    let block = second.state.block_at(second.results[0]).expect("the result should be a block");
    let block = second.state.block(block);
    assert_eq!((block.size, block.kind, block.rest), (Some(size), Kind::Heap(family()), Content::Undefined));
    assert_eq!(*second.state.choices, [first.results[0], second.results[0]].map(Choice::Allocation));
    let null = function.null();
    assert!(matches!(function.refused(&malloc(), &[null]), Refused::Contradiction));
}

#[test]
fn conditions_of_the_triple_are_those_of_the_path() {
    let mut function = Function::new(Order::Little);
    let n = function.parameter(64);
    let applied = function.applied(&malloc(), &[n]);
    let expected = function.arena.terms.nonzero(n);
    let conditions: Vec<TermId> = applied.state.path.conditions.iter().map(|it| it.term).collect();
    assert_eq!(conditions, [expected]);
    assert_eq!(applied.state.path.conditions[0].made, function.made());
}

/// `*(c ? p : q)`: a triple fits in two ways.
#[test]
fn a_choice_of_pointers_is_two_ways() {
    let mut function = Function::new(Order::Little);
    let ((first, p), (second, q)) = (function.heap_block(8), function.heap_block(8));
    let c = function.parameter(64);
    let taken = function.arena.terms.nonzero(c);
    let address = function.arena.terms.ite(taken, p, q);
    let ways: Vec<Applied> =
        function.apply(&load(8), &[address]).into_iter().map(|way| way.expect("it should fit")).collect();
    let mut found: Vec<BlockId> = ways.iter().map(|way| way.blocks[0].0).collect();
    found.sort();
    assert_eq!(found, [first, second]);
    for way in &ways {
        let own = function.state.block(way.blocks[0].0).cells[0].value;
        assert_eq!(way.results, [own]);
        assert!(matches!(function.arena.terms.node(own), Node::Var(_)));
        assert_eq!(way.state.path.conditions.len(), 1);
    }
}

#[test]
fn random_programs_do_the_same_by_triples() {
    for order in [Order::Little, Order::Big] {
        for seed in 0..200 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut function = Function::new(order);
            let mut alive = [function.heap_block(32).1, function.heap_block(32).1].to_vec();
            for _ in 0..30 {
                let Some(&base) = random.choice(&alive) else { break };
                let bytes = [1, 2, 4, 8][random.usize(..4)];
                let address = function.plus(base, random.i64(0..=32 - i64::from(bytes)));
                match random.u8(..20) {
                    0 => {
                        let applied = function.applied(&free(), &[base]);
                        function.free_directly(base);
                        assert_same(&applied.state, &function.state);
                        alive.retain(|&other| other != base);
                    }
                    1..10 => {
                        let value = function.parameter(bytes * 8);
                        let applied = function.applied(&store(bytes), &[address, value]);
                        function.store_directly(address, bytes, value);
                        assert_same(&applied.state, &function.state);
                    }
                    _ => {
                        let applied = function.applied(&load(bytes), &[address]);
                        assert_eq!(applied.results, [function.load_directly(address, bytes)]);
                        assert_same(&applied.state, &function.state);
                    }
                }
            }
        }
    }
}
