//! One rule: a load, a store or a free that is written as a triple and applied does what it does when it is done directly.
//!
//! Source: the triples of Le et al., OOPSLA 2022, Fig. 3; what becomes of them in a state is rule Eval of Fig. 5.

use base::{Id, IdVec};
use heap::apply::{Callee, Caller};
use heap::bytes::Order;
use heap::path::Reason;
use heap::spec::Roles;
use heap::{
    Access, AccessKind, Applied, Block, BlockId, Cell, Choice, Condition, Content, Exit, Given, Import, Kind,
    Located, Made, Place, PreBlock, Refused, Site, Spec, State, Status, VarRole, apply, locate,
};
use term::{Assignment, Node, Origin, TermId, Terms, VarId};

/// The number of the callee.
const CALLEE: u32 = 7;
const CALL: Site = Site { function: 1, place: 10 };
const INSIDE: Site = Site { function: CALLEE, place: 20 };

/// An engine without instructions: what application asks for, and nothing else.
struct Engine {
    order: Order,
}

impl Engine {
    /// Content that the caller left becomes part of the presumption; of other content nothing is known.
    fn read_bytes(&self, terms: &mut Terms, state: &mut State, at: (BlockId, Place, u32)) -> TermId {
        let (block, place, bytes) = at;
        let is_initial = state.block(block).rest == Content::Initial;
        let origin = if is_initial { Origin::InitialMemory } else { Origin::UnknownCall };
        let mut initial = Vec::new();
        let mut missing = |terms: &mut Terms, place: Place, bytes: u32| {
            let value = terms.fresh(bytes * 8, origin, "content");
            initial.push(Cell { place, bytes, value });
            value
        };
        let value = state.block_mut(block).read(terms, self.order, (place, bytes), &mut missing);
        if let Some(pre) = state.pre_mut(block).filter(|_| is_initial) {
            pre.cells.extend(initial);
        }
        value
    }
}

impl Caller for Engine {
    fn order(&self) -> Order {
        self.order
    }

    fn is_pointer(&self, _: TermId) -> bool {
        false
    }

    fn address(&mut self, _: &mut Terms, _: &mut State, role: VarRole) -> TermId {
        panic!("{role:?} should not occur: these triples know no globals")
    }

    fn fresh(&mut self, terms: &mut Terms, callee: &Terms, var: VarId) -> TermId {
        let data = callee.var(var);
        terms.fresh(data.width, data.origin, callee.name(var))
    }

    fn abduce(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        base: TermId,
        access: &Access,
    ) -> Option<BlockId> {
        let zero = terms.constant(64, 0);
        let nonnull = terms.ne(base, zero);
        state.path.know(terms, nonnull).then(|| {
            let block = state.add_block(Block::new(base, None, Kind::Abduced, Content::Initial));
            state.add_pre(PreBlock { block, ..presumed(base, access.clone()) });
            block
        })
    }

    fn give_away(&mut self, _: &mut Terms, _: &mut State, given: Given) {
        panic!("{given:?} should not occur: these triples know no unknown code")
    }

    fn can_decide(&mut self, _: &mut Terms, _: &State, _: TermId, _: &Made) -> bool {
        true
    }

    fn can_address(&mut self, _: &mut Terms, _: &State, _: TermId, _: &Made) -> bool {
        true
    }

    fn read(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        at: (BlockId, Place, u32),
        _: (&Terms, VarId),
    ) -> TermId {
        self.read_bytes(terms, state, at)
    }
}

/// A block of a presumption with its first access.
fn presumed(base: TermId, access: Access) -> PreBlock {
    let extent = (access.extent.0.min(0), access.extent.1.max(0));
    let (cells, accesses) = (Vec::new(), vec![access]);
    PreBlock { block: BlockId::new(0), base, cells, extent, accesses, freeable: None, negative: false }
}

/// A triple with its terms. The first variables are its parameters.
struct Triple {
    terms: Terms,
    roles: Roles,
    spec: Spec,
}

impl Triple {
    fn new(widths: &[u32]) -> Triple {
        let mut terms = Terms::new();
        let mut roles = IdVec::new();
        for (at, &width) in widths.iter().enumerate() {
            terms.fresh(width, Origin::Parameter, "parameter");
            roles.push(VarRole::Param(at as u32));
        }
        let (pre, conditions, defined, post) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (results, choices, given) = (Vec::new(), Vec::new(), Vec::new());
        let spec = Spec { pre, conditions, defined, exit: Exit::Ok, post, results, choices, given };
        Triple { terms, roles, spec }
    }

    fn parameter(&self, at: usize) -> TermId {
        self.terms.var_term(VarId::new(at))
    }

    fn local(&mut self, width: u32, origin: Origin) -> TermId {
        self.roles.push(VarRole::Local);
        self.terms.fresh(width, origin, "local")
    }

    /// `base ↦ …`, found by an access.
    fn presume(&mut self, base: TermId, kind: AccessKind, bytes: u32) -> usize {
        let at = self.spec.pre.len();
        let access = State::default().access(Made::here(INSIDE), kind, (0, i64::from(bytes)));
        let access = Access { order: at as u32, n_pre: at, ..access };
        self.spec.pre.push(PreBlock { block: BlockId::new(at), ..presumed(base, access) });
        self.spec.post.push(Block::new(base, None, Kind::Abduced, Content::Initial));
        at
    }

    /// `base ↦ V`; the value stays.
    fn presume_cell(&mut self, base: TermId, bytes: u32) -> TermId {
        let at = self.presume(base, AccessKind::Read, bytes);
        let value = self.local(bytes * 8, Origin::InitialMemory);
        let cell = Cell { place: Place::at(0), bytes, value };
        self.spec.pre[at].cells.push(cell);
        self.spec.post[at].cells.push(cell);
        value
    }
}

/// `[p ↦ V] y = *p [ok: p ↦ V ∧ y = V]`
fn load(bytes: u32) -> Triple {
    let mut triple = Triple::new(&[64]);
    let value = triple.presume_cell(triple.parameter(0), bytes);
    triple.spec.results.push(value);
    triple
}

/// `[p ↦ X * X ↦ V] y = **p [ok: p ↦ X * X ↦ V ∧ y = V]`
fn load_twice(bytes: u32) -> Triple {
    let mut triple = Triple::new(&[64]);
    let inner = triple.presume_cell(triple.parameter(0), 8);
    let value = triple.presume_cell(inner, bytes);
    triple.spec.results.push(value);
    triple
}

/// `[p ↦ _] *p = v [ok: p ↦ v]`
fn store(bytes: u32) -> Triple {
    let mut triple = Triple::new(&[64, bytes * 8]);
    let at = triple.presume(triple.parameter(0), AccessKind::Write, bytes);
    let value = triple.parameter(1);
    triple.spec.post[at].cells.push(Cell { place: Place::at(0), bytes, value });
    triple
}

/// `[p ↦ _ * q ↦ V] *p = V [ok: p ↦ V * q ↦ V]`
fn copy(bytes: u32) -> Triple {
    let mut triple = Triple::new(&[64, 64]);
    let value = triple.presume_cell(triple.parameter(1), bytes);
    let at = triple.presume(triple.parameter(0), AccessKind::Write, bytes);
    triple.spec.post[at].cells.push(Cell { place: Place::at(0), bytes, value });
    triple
}

/// `[p ↦ _] free(p) [ok: p ↦̸]`
fn free() -> Triple {
    let mut triple = Triple::new(&[64]);
    let at = triple.presume(triple.parameter(0), AccessKind::Free, 0);
    triple.spec.pre[at].freeable = Some((0, 0));
    triple.spec.post[at].status = Status::Freed(Made::here(INSIDE));
    triple
}

/// `[p ↦̸] *p [er: p ↦̸]`
fn load_freed() -> Triple {
    let triple = load(4);
    let access = triple.spec.pre[0].accesses[0].clone();
    let spec = triple.spec.until(&access, 0);
    let block = triple.spec.post[0].clone();
    let spec = spec.and_freed(triple.parameter(0), access, block);
    Triple { spec, ..triple }
}

/// `[n ≠ 0] r = malloc(n) [ok: r ↦ undefined]`
fn malloc() -> Triple {
    let mut triple = Triple::new(&[64]);
    let size = triple.parameter(0);
    let result = triple.local(64, Origin::Allocation);
    let term = triple.terms.nonzero(size);
    let made = Made::here(INSIDE);
    triple.spec.conditions.push(Condition { term, made: made.clone(), reason: Reason::Branch });
    let block = Block::new(result, Some(size), Kind::Heap(0), Content::Undefined);
    triple.spec.post.push(Block { made: Some(made), ..block });
    triple.spec.results.push(result);
    triple.spec.choices.push(Choice::Allocation(result));
    triple
}

/// The caller.
struct Function {
    engine: Engine,
    terms: Terms,
    state: State,
}

impl Function {
    fn new(order: Order) -> Function {
        Function { engine: Engine { order }, terms: Terms::new(), state: State::default() }
    }

    fn parameter(&mut self, width: u32) -> TermId {
        self.terms.fresh(width, Origin::Parameter, "own")
    }

    fn plus(&mut self, term: TermId, bytes: i64) -> TermId {
        let bytes = self.terms.constant(64, i128::from(bytes) as u128);
        self.terms.add(term, bytes)
    }

    /// A heap block of so many bytes, filled with eight-byte variables.
    fn heap_block(&mut self, size: u32) -> (BlockId, TermId) {
        let base = self.terms.fresh(64, Origin::Allocation, "block");
        let bytes = self.terms.constant(64, size.into());
        let mut block = Block::new(base, Some(bytes), Kind::Heap(0), Content::Undefined);
        for at in (0..i64::from(size)).step_by(8) {
            let value = self.terms.fresh(64, Origin::UnknownCall, "content");
            block.write(&mut self.terms, self.engine.order, (Place::at(at), 8), value);
        }
        (self.state.add_block(block), base)
    }

    fn apply(&mut self, triple: &Triple, arguments: &[TermId]) -> Vec<Result<Applied, Refused>> {
        let Triple { terms, roles, spec } = triple;
        let callee = Callee { terms, roles, spec, function: CALLEE };
        let mut import = Import::default();
        for (at, &argument) in arguments.iter().enumerate() {
            import.bind(VarId::new(at), argument);
        }
        apply(&mut self.engine, &mut self.terms, self.state.clone(), callee, import, CALL)
    }

    /// The only way in which a triple fits.
    fn applied(&mut self, triple: &Triple, arguments: &[TermId]) -> Applied {
        let mut ways = self.apply(triple, arguments);
        assert_eq!(ways.len(), 1, "there should be one way");
        ways.remove(0).expect("the triple should fit")
    }

    /// Why a triple does not fit, in the only way.
    fn refused(&mut self, triple: &Triple, arguments: &[TermId]) -> Refused {
        let mut ways = self.apply(triple, arguments);
        assert_eq!(ways.len(), 1, "there should be one way");
        ways.remove(0).expect_err("the triple should not fit")
    }

    /// The bytes that an address points to, with the block abduced if need be.
    fn find(&mut self, address: TermId, kind: AccessKind, bytes: u32) -> (BlockId, Place) {
        let made = Made::here(INSIDE).through(CALL, CALLEE);
        let mut ways = locate(&mut self.terms, self.state.clone(), address, &made, &|_| false);
        assert_eq!(ways.len(), 1, "there should be one way");
        let (state, located) = ways.remove(0);
        self.state = state;
        match located {
            Located::Null => panic!("the address should not be null"),
            Located::In(block, place) => {
                let extent = (place.offset, place.offset + i64::from(bytes));
                self.state.touch(block, &self.state.access(made, kind, extent));
                (block, place)
            }
            Located::New(base, place) => {
                let extent = (place.offset, place.offset + i64::from(bytes));
                let access = self.state.access(made, kind, extent);
                let block = self.engine.abduce(&mut self.terms, &mut self.state, base, &access);
                (block.expect("the block should exist"), place)
            }
        }
    }

    fn load_directly(&mut self, address: TermId, bytes: u32) -> TermId {
        let (block, place) = self.find(address, AccessKind::Read, bytes);
        self.engine.read_bytes(&mut self.terms, &mut self.state, (block, place, bytes))
    }

    fn store_directly(&mut self, address: TermId, bytes: u32, value: TermId) {
        let (block, place) = self.find(address, AccessKind::Write, bytes);
        let target = self.state.block_mut(block);
        target.write(&mut self.terms, self.engine.order, (place, bytes), value);
    }

    fn free_directly(&mut self, address: TermId) {
        let (block, place) = self.find(address, AccessKind::Free, 0);
        let made = Made::here(INSIDE).through(CALL, CALLEE);
        self.state.block_mut(block).status = Status::Freed(made);
        if let Some(pre) = self.state.pre_mut(block) {
            pre.freeable = Some((0, place.offset));
        }
    }

    fn null(&mut self) -> TermId {
        self.terms.constant(64, 0)
    }
}

/// The same heap, and the same presumption.
fn assert_same(applied: &State, direct: &State) {
    let blocks = |state: &State| state.blocks().map(|(_, block)| block.clone()).collect::<Vec<_>>();
    assert_eq!(blocks(applied), blocks(direct));
    assert_eq!(applied.pre().collect::<Vec<_>>(), direct.pre().collect::<Vec<_>>());
    assert_eq!(applied.path.conditions, direct.path.conditions);
    assert!(applied.same_memory(direct));
}

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
    assert_eq!(pre[0].accesses[0].made.own_site(), CALL);

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
    assert_eq!((pre.base, pre.freeable, pre.negative), (p, Some((0, 0)), false));
    assert!(!applied.state.block(applied.blocks[0].0).status.is_allocated());
    // Twice is an error.
    function.state = applied.state;
    assert!(matches!(function.refused(&free(), &[p]), Refused::Invalid(..)));
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
    let is_null = function.terms.eq(p, null);
    let condition = Condition { term: is_null, made: Made::here(CALL), reason: Reason::Branch };
    assert!(function.state.path.assume(&mut function.terms, condition));
    for address in [null, p] {
        let refused = function.refused(&load(4), &[address]);
        let Refused::Null(stuck) = refused else { panic!("{refused:?} should be about null") };
        assert_eq!((stuck.pre, stuck.access.kind, stuck.access.made.site), (0, AccessKind::Read, INSIDE));
        assert!(stuck.state.same_memory(&function.state));
        assert!(matches!(function.refused(&store(4), &[address, value]), Refused::Null(_)));
        assert!(matches!(function.refused(&free(), &[address]), Refused::Null(_)));
    }
    // Null in memory: the block before it was found.
    let (_, base) = function.heap_block(8);
    function.store_directly(base, 8, null);
    let refused = function.refused(&load_twice(4), &[base]);
    assert!(matches!(&refused, Refused::Null(stuck) if stuck.pre == 1), "{refused:?}");
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
        let refused = function.refused(&triple, &arguments);
        assert!(matches!(&refused, Refused::Invalid(_, own) if *own == block), "{refused:?}");
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
            [Err(Refused::OutOfBounds(_, own))] => assert!(!is_inside && *own == block, "{offset}"),
            other => panic!("{other:?} should be about bounds"),
        }
    }
}

#[test]
fn only_the_start_of_heap_blocks_can_be_freed() {
    let mut function = Function::new(Order::Little);
    let (_, base) = function.heap_block(8);
    let inside = function.plus(base, 4);
    assert!(matches!(function.refused(&free(), &[inside]), Refused::NotFreeable(..)));
    let local = function.terms.fresh(64, Origin::Allocation, "local");
    function.state.add_block(Block::new(local, None, Kind::Stack, Content::Undefined));
    assert!(matches!(function.refused(&free(), &[local]), Refused::NotFreeable(..)));
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
    let equal = function.terms.eq(p, base);
    let condition = Condition { term: equal, made: Made::here(CALL), reason: Reason::Branch };
    assert!(function.state.path.assume(&mut function.terms, condition));
    assert!(matches!(function.refused(&copy(4), &[p, base]), Refused::Aliased(0, 1)));
}

#[test]
fn new_memory_is_new_at_each_call() {
    let mut function = Function::new(Order::Little);
    let size = function.terms.constant(64, 24);
    let first = function.applied(&malloc(), &[size]);
    function.state = first.state;
    let second = function.applied(&malloc(), &[size]);
    assert_ne!(first.results, second.results);
    assert_eq!(second.state.n_blocks(), 2);
    let block = second.state.block_at(second.results[0]).expect("the result should be a block");
    let block = second.state.block(block);
    assert_eq!((block.size, block.kind, block.rest), (Some(size), Kind::Heap(0), Content::Undefined));
    assert_eq!(*second.state.choices, [first.results[0], second.results[0]].map(Choice::Allocation));
    let null = function.null();
    assert!(matches!(function.refused(&malloc(), &[null]), Refused::Contradiction));
}

#[test]
fn conditions_of_the_triple_are_those_of_the_path() {
    let mut function = Function::new(Order::Little);
    let n = function.parameter(64);
    let applied = function.applied(&malloc(), &[n]);
    let expected = function.terms.nonzero(n);
    let conditions: Vec<TermId> = applied.state.path.conditions.iter().map(|it| it.term).collect();
    assert_eq!(conditions, [expected]);
    assert_eq!(applied.state.path.conditions[0].made, Made::here(INSIDE).through(CALL, CALLEE));
}

/// `*(c ? p : q)`: a triple fits in two ways.
#[test]
fn a_choice_of_pointers_is_two_ways() {
    let mut function = Function::new(Order::Little);
    let ((first, p), (second, q)) = (function.heap_block(8), function.heap_block(8));
    let c = function.parameter(64);
    let taken = function.terms.nonzero(c);
    let address = function.terms.ite(taken, p, q);
    let ways: Vec<Applied> =
        function.apply(&load(8), &[address]).into_iter().map(|way| way.expect("it should fit")).collect();
    let mut found: Vec<BlockId> = ways.iter().map(|way| way.blocks[0].0).collect();
    found.sort();
    assert_eq!(found, [first, second]);
    for way in &ways {
        let own = function.state.block(way.blocks[0].0).cells[0].value;
        assert_eq!(way.results, [own]);
        assert!(matches!(function.terms.node(own), Node::Var(_)));
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

/// Memory behind a pointer of the caller, once as an array: `a[i]` and `a[j]` for indices that only the array knows.
struct Indexed {
    function: Function,
    p: TermId,
    /// Index variables with their values.
    indices: Vec<(TermId, u128)>,
    /// The array before and now.
    before: [u8; ARRAY],
    now: [u8; ARRAY],
    /// What was stored, with its value.
    stored: Vec<(TermId, u128)>,
}

const ARRAY: usize = 32;

impl Indexed {
    fn new(random: &mut fastrand::Rng) -> Indexed {
        let mut function = Function::new(Order::Little);
        let p = function.parameter(64);
        // The first access finds the block by its pointer alone.
        function.state = function.applied(&load(1), &[p]).state;
        let indices = (0..3).map(|_| (function.parameter(64), random.u128(..6) * 2)).collect();
        let mut before = [0; ARRAY];
        random.fill(&mut before);
        Indexed { function, p, indices, before, now: before, stored: Vec::new() }
    }

    /// A random address in the array, with its index.
    fn address(&mut self, random: &mut fastrand::Rng) -> (TermId, usize) {
        let offset = random.i64(0..10) * 2;
        let (mut address, mut at) = (self.function.plus(self.p, offset), offset as usize);
        if random.u8(..4) != 0 {
            let (index, value) = self.indices[random.usize(..self.indices.len())];
            address = self.function.terms.add(address, index);
            at += value as usize;
        }
        (address, at)
    }

    /// What all variables are, as far as a state says where they come from.
    fn values(&self, state: &State) -> Assignment {
        let mut values = Assignment::new();
        let mut set = |term: TermId, value: u128| match self.function.terms.node(term) {
            Node::Var(var) => values.set(var, value),
            other => panic!("{other:?} should be a variable"),
        };
        for &(term, value) in self.indices.iter().chain(&self.stored) {
            set(term, value);
        }
        for cell in state.pre().flat_map(|pre| &pre.cells) {
            let symbolic = cell.place.symbolic.map_or(0, |term| self.index(term));
            let at = (symbolic + cell.place.offset) as usize;
            set(cell.value, number(&self.before[at..at + cell.bytes as usize]));
        }
        values
    }

    fn index(&self, term: TermId) -> i64 {
        let known = self.indices.iter().find(|(index, _)| *index == term);
        known.expect("a symbolic offset should be an index").1 as i64
    }

    /// Goes on in the way that the indices take, if one does.
    fn go_on(&mut self, ways: Vec<Result<Applied, Refused>>) -> Option<(Vec<TermId>, Assignment)> {
        let mut taken = None;
        for way in ways.into_iter().flatten() {
            let values = self.values(&way.state);
            let holds = |term: &TermId| self.function.terms.eval(*term, &values) == 1;
            if way.state.path.terms().iter().all(holds) {
                assert!(taken.is_none(), "ways should exclude one another");
                taken = Some((way, values));
            }
        }
        let (way, values) = taken?;
        self.function.state = way.state;
        Some((way.results, values))
    }
}

/// The number that bytes are, in little endian.
fn number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
}

#[test]
fn random_indices_agree_with_an_array() {
    let (mut n_compared, mut n_unknown) = (0, 0);
    for seed in 0..400 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut twin = Indexed::new(&mut random);
        for _ in 0..8 {
            let (address, at) = twin.address(&mut random);
            if random.u8(..4) == 0 {
                let value = twin.function.parameter(16);
                let bytes: [u8; 2] = [random.u8(..), random.u8(..)];
                twin.stored.push((value, number(&bytes)));
                let ways = twin.function.apply(&store(2), &[address, value]);
                if twin.go_on(ways).is_none() {
                    break;
                }
                twin.now[at..at + 2].copy_from_slice(&bytes);
                continue;
            }
            let ways = twin.function.apply(&load(2), &[address]);
            let Some((results, values)) = twin.go_on(ways) else { break };
            let vars = twin.function.terms.vars_of(results[0]);
            if vars.iter().any(|&var| twin.function.terms.var(var).origin == Origin::UnknownCall) {
                n_unknown += 1;
                continue;
            }
            let value = twin.function.terms.eval(results[0], &values);
            assert_eq!(value, number(&twin.now[at..at + 2]), "seed {seed}, at {at}");
            n_compared += 1;
        }
    }
    assert!(n_compared > 400, "{n_compared} loads were compared, {n_unknown} are unknown");
}
