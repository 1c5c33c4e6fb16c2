//! A caller: a state, and what application asks of an engine.

use base::Id;
use heap::apply::{Callee, Caller};
use heap::bytes::Order;
use heap::{
    Access, AccessKind, Applied, Block, BlockId, Calls, Cell, Condition, Content, Epoch, Given, Import, Kind,
    Located, Made, Place, Plan, PreBlock, Refused, Site, State, Status, VarRole, apply, locate,
};
use term::{Origin, TermId, Terms, VarId};

use crate::triples::Triple;

/// The number of the callee.
pub(crate) const CALLEE: u32 = 7;
pub(crate) const CALL: Site = Site { function: 1, place: 10 };
pub(crate) const INSIDE: Site = Site { function: CALLEE, place: 20 };

/// An engine without instructions: what application asks for, and nothing else.
pub(crate) struct Engine {
    pub(crate) order: Order,
    pub(crate) calls: Calls,
}

impl Engine {
    /// Content that the caller left becomes part of the presumption; of other content nothing is known.
    pub(crate) fn read_bytes(
        &self,
        terms: &mut Terms,
        state: &mut State,
        at: (BlockId, Place, u32),
    ) -> TermId {
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

    fn calls(&mut self) -> &mut Calls {
        &mut self.calls
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

    fn epoch(&mut self) -> Epoch {
        Epoch::default()
    }

    fn give_away(&mut self, _: &mut Terms, _: &mut State, given: Given) {
        panic!("{given:?} should not occur: these triples know no unknown code")
    }

    fn back_pointer(
        &mut self,
        _terms: &mut Terms,
        _state: &State,
        _at: (TermId, Place, u64),
    ) -> Option<TermId> {
        None
    }

    fn expose(&mut self, _: &mut Terms, _: &mut State) {
        panic!("these triples know no unknown code")
    }

    fn can_decide(&mut self, _: &mut Terms, _: &State, _: &Condition) -> bool {
        true
    }

    fn can_address(&mut self, _: &mut Terms, _: &State, _: TermId, _: Option<&Made>) -> bool {
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
pub(crate) fn presumed(base: TermId, access: Access) -> PreBlock {
    let extent = (access.extent.0.min(0), access.extent.1.max(0));
    let (cells, accesses) = (Vec::new(), vec![access]);
    PreBlock { block: BlockId::new(0), base, cells, extent, accesses, freeable: None, negative: false }
}

/// The caller.
pub(crate) struct Function {
    pub(crate) engine: Engine,
    pub(crate) terms: Terms,
    pub(crate) state: State,
}

impl Function {
    pub(crate) fn new(order: Order) -> Function {
        Function {
            engine: Engine { order, calls: Calls::default() },
            terms: Terms::new(),
            state: State::default(),
        }
    }

    pub(crate) fn parameter(&mut self, width: u32) -> TermId {
        self.terms.fresh(width, Origin::Parameter, "own")
    }

    pub(crate) fn plus(&mut self, term: TermId, bytes: i64) -> TermId {
        let bytes = self.terms.constant(64, i128::from(bytes) as u128);
        self.terms.add(term, bytes)
    }

    /// A heap block of so many bytes, filled with eight-byte variables.
    pub(crate) fn heap_block(&mut self, size: u32) -> (BlockId, TermId) {
        let base = self.terms.fresh(64, Origin::Allocation, "block");
        let bytes = self.terms.constant(64, size.into());
        let mut block = Block::new(base, Some(bytes), Kind::Heap(0), Content::Undefined);
        for at in (0..i64::from(size)).step_by(8) {
            let value = self.terms.fresh(64, Origin::UnknownCall, "content");
            block.write(&mut self.terms, self.engine.order, (Place::at(at), 8), value);
        }
        (self.state.add_block(block), base)
    }

    pub(crate) fn apply(&mut self, triple: &Triple, arguments: &[TermId]) -> Vec<Result<Applied, Refused>> {
        let Triple { terms, roles, spec } = triple;
        let plan = Plan::of(terms, spec);
        let callee = Callee { terms, roles, spec, plan: &plan, function: CALLEE };
        let mut import = Import::default();
        for (at, &argument) in arguments.iter().enumerate() {
            import.bind(VarId::new(at), argument);
        }
        apply(&mut self.engine, &mut self.terms, self.state.clone(), callee, import, CALL)
    }

    /// The only way in which a triple fits.
    pub(crate) fn applied(&mut self, triple: &Triple, arguments: &[TermId]) -> Applied {
        let mut ways = self.apply(triple, arguments);
        assert_eq!(ways.len(), 1, "there should be one way");
        ways.remove(0).expect("the triple should fit")
    }

    /// Why a triple does not fit, in the only way.
    pub(crate) fn refused(&mut self, triple: &Triple, arguments: &[TermId]) -> Refused {
        let mut ways = self.apply(triple, arguments);
        assert_eq!(ways.len(), 1, "there should be one way");
        ways.remove(0).expect_err("the triple should not fit")
    }

    /// The bytes that an address points to, with the block abduced if need be.
    pub(crate) fn find(&mut self, address: TermId, kind: AccessKind, bytes: u32) -> (BlockId, Place) {
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

    pub(crate) fn load_directly(&mut self, address: TermId, bytes: u32) -> TermId {
        let (block, place) = self.find(address, AccessKind::Read, bytes);
        self.engine.read_bytes(&mut self.terms, &mut self.state, (block, place, bytes))
    }

    pub(crate) fn store_directly(&mut self, address: TermId, bytes: u32, value: TermId) {
        let (block, place) = self.find(address, AccessKind::Write, bytes);
        let target = self.state.block_mut(block);
        target.write(&mut self.terms, self.engine.order, (place, bytes), value);
    }

    pub(crate) fn free_directly(&mut self, address: TermId) {
        let (block, place) = self.find(address, AccessKind::Free, 0);
        let made = Made::here(INSIDE).through(CALL, CALLEE);
        self.state.block_mut(block).status = Status::Freed(made);
        if let Some(pre) = self.state.pre_mut(block) {
            pre.freeable = Some((0, place.offset));
        }
    }

    pub(crate) fn null(&mut self) -> TermId {
        self.terms.constant(64, 0)
    }
}

/// The same heap, and the same presumption.
pub(crate) fn assert_same(applied: &State, direct: &State) {
    let blocks = |state: &State| state.blocks().map(|(_, block)| block.clone()).collect::<Vec<_>>();
    assert_eq!(blocks(applied), blocks(direct));
    assert_eq!(applied.pre().collect::<Vec<_>>(), direct.pre().collect::<Vec<_>>());
    assert_eq!(applied.path.conditions, direct.path.conditions);
    assert!(applied.same_memory(direct));
}
