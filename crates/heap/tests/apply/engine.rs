//! A caller: a state in an arena, and a project without symbols.

use base::{Id, IdVec};
use heap::apply::{Call, ForeignSpec};
use heap::bytes::Order;
use heap::{
    Access, AccessKind, Applied, Arena, Block, BlockId, Bytes, Content, Dependence, Fault, Frees, Image,
    Imported, Kind, Machine, Made, Place, Plan, PreBlock, Refused, Site, Span, State, Symbol, Symbols,
    VarRole, Vias, Wanted, Way, Went, access, apply,
};
use term::{Import, Origin, TermId, VarId};
use world::{FamilyKey, FnKey, GlobalKey};

use crate::triples::Triple;

/// The callee.
pub(crate) fn callee() -> FnKey {
    FnKey::of(&["callee"])
}

/// A family of allocators.
pub(crate) fn family() -> FamilyKey {
    FamilyKey::of(&["family"])
}

/// Where it is called.
pub(crate) fn call() -> Site {
    Site::new(10)
}

/// Where it does what it does.
pub(crate) fn inside() -> Site {
    Site::new(20)
}

/// A project without symbols, in which all bits were written.
pub(crate) struct Nothing;

impl Symbols for Nothing {
    fn name(&self, role: VarRole) -> String {
        panic!("{role:?} should not occur: these triples know no globals")
    }

    fn symbol(&self, role: VarRole) -> Symbol {
        panic!("{role:?} should not occur: these triples know no globals")
    }

    fn image(&self, global: GlobalKey, _: i64, _: u32) -> Image {
        panic!("global {global} should not occur: these triples know no globals")
    }

    fn function_in(&self, _: GlobalKey, _: i64) -> Option<FnKey> {
        None
    }
}

impl heap::Outside for Nothing {
    fn dependence(&mut self, _: &mut Arena, _: &State, _: TermId) -> Dependence {
        Dependence::None
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
    pub(crate) arena: Arena,
    pub(crate) state: State,
}

impl Function {
    pub(crate) fn new(order: Order) -> Function {
        Function { arena: Arena::new(Machine { pointer_bits: 64, order }), state: State::default() }
    }

    /// A parameter of 64 bits is a pointer, as far as anybody knows.
    pub(crate) fn parameter(&mut self, width: u32) -> TermId {
        let term = self.arena.local(width, Origin::Parameter, "own");
        if width == 64 {
            self.arena.note_pointer(term);
        }
        term
    }

    pub(crate) fn index(&mut self) -> TermId {
        self.arena.local(64, Origin::Parameter, "index")
    }

    pub(crate) fn plus(&mut self, term: TermId, bytes: i64) -> TermId {
        self.arena.plus(term, bytes)
    }

    /// A heap block of so many bytes, filled with eight-byte variables.
    pub(crate) fn heap_block(&mut self, size: u32) -> (BlockId, TermId) {
        let base = self.arena.local(64, Origin::Allocation, "block");
        let bytes = self.arena.number(size.into());
        let mut block = Block::new(base, Some(bytes), Kind::Heap(family()), Content::Undefined);
        for at in (0..i64::from(size)).step_by(8) {
            let value = self.arena.local(64, Origin::UnknownCall, "content");
            block.write(&mut self.arena.terms, self.arena.machine.order, (Place::at(at), 8), value);
        }
        (self.state.add_block(block), base)
    }

    pub(crate) fn apply(&mut self, triple: &Triple, arguments: &[TermId]) -> Vec<Result<Applied, Refused>> {
        let Triple { terms, roles, spec } = triple;
        let plan = Plan::of(terms, spec);
        let sources = IdVec::from_vec(vec![None; terms.vars().len()]);
        let pointers = terms.vars().map(|var| terms.width(terms.var_term(var)) == 64);
        let pointers = IdVec::from_vec(pointers.collect());
        let imported = &mut Imported::new(call(), callee());
        let callee = ForeignSpec {
            terms,
            roles,
            sources: &sources,
            pointers: &pointers,
            spec,
            plan: &plan,
            function: callee(),
            calls: &Vias::default(),
        };
        let mut import = Import::default();
        for (at, &argument) in arguments.iter().enumerate() {
            import.bind(VarId::new(at), argument);
        }
        let mut call = Call { callee, site: call(), name: &|_| "content".to_owned(), imported };
        apply(&mut Nothing, &mut self.arena, self.state.clone(), &mut call, import)
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

    /// The only way in which a triple goes wrong.
    pub(crate) fn fault(&mut self, triple: &Triple, arguments: &[TermId]) -> Fault {
        match self.refused(triple, arguments) {
            Refused::Fault(stuck) => stuck.fault,
            other => panic!("{other:?} should be a fault"),
        }
    }

    /// The bytes that an address points to, with the block abduced if need be.
    fn access(&mut self, address: TermId, kind: AccessKind, bytes: u32) -> Bytes {
        let made = self.made();
        let frees =
            (kind == AccessKind::Free).then_some(Frees { family: family(), offset: 0, null_ok: false });
        let wanted = Wanted { address, base: None, span: Span::of(bytes.into()), kind, frees, made };
        let mut ways = access(&mut Nothing, &mut self.arena, self.state.clone(), &wanted);
        assert_eq!(ways.len(), 1, "there should be one way");
        let Way { state, went } = ways.remove(0);
        self.state = state;
        match went {
            Went::Ok(bytes) => bytes,
            other => panic!("{other:?} should be a way without an error"),
        }
    }

    pub(crate) fn load_directly(&mut self, address: TermId, bytes: u32) -> TermId {
        let at = self.access(address, AccessKind::Read, bytes);
        self.arena.read(&Nothing, &mut self.state, at, (bytes, Some("content")))
    }

    pub(crate) fn store_directly(&mut self, address: TermId, bytes: u32, value: TermId) {
        let at = self.access(address, AccessKind::Write, bytes);
        self.arena.write(&mut self.state, at, bytes, value);
    }

    pub(crate) fn free_directly(&mut self, address: TermId) {
        let at = self.access(address, AccessKind::Free, 0);
        let made = self.made();
        heap::access::mark_freed(&mut self.state, at.block, made);
    }

    /// What the callee does, as the caller sees it.
    pub(crate) fn made(&mut self) -> Made {
        Imported::new(call(), callee()).made(&mut self.arena, &Vias::default(), Made::here(inside()))
    }

    pub(crate) fn null(&mut self) -> TermId {
        self.arena.number(0)
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
