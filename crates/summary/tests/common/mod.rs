//! A function whose paths are made by hand: each starts from nothing, and abduces what it needs.

#![allow(dead_code, reason = "not every suite needs everything")]
#![allow(unreachable_pub, reason = "shared by suites")]

use base::Id;
use heap::bytes::Order;
use heap::path::Reason;
use heap::{
    AccessKind, Arena, Block, BlockId, Bytes, Condition, Content, Dependence, Frees, Image, Kind, Machine,
    Made, Site, Span, State, Symbol, Symbols, VarRole, Wanted, Went, access,
};
use summary::{Builder, Ended, How, Summary, Triples, Visible};
use term::{Import, Origin, TermId};
use world::{FamilyKey, FnKey, GlobalKey};

/// Where everything happens.
pub fn here() -> Made {
    Made::here(Site::new(7))
}

/// A family of allocators.
pub fn family() -> FamilyKey {
    FamilyKey::of(&["family"])
}

/// A project without symbols, in which all bits were written.
struct Nothing;

impl Symbols for Nothing {
    fn name(&self, role: VarRole) -> String {
        panic!("{role:?} should not occur: these paths know no globals")
    }

    fn symbol(&self, role: VarRole) -> Symbol {
        panic!("{role:?} should not occur: these paths know no globals")
    }

    fn image(&self, global: GlobalKey, _: i64, _: u32) -> Image {
        panic!("global {global} should not occur: these paths know no globals")
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

/// The function.
pub struct Function {
    pub arena: Arena,
    params: u32,
}

impl Function {
    pub fn new() -> Function {
        Function { arena: Arena::new(Machine { pointer_bits: 64, order: Order::Little }), params: 0 }
    }

    /// The next parameter; one of 64 bits is a pointer.
    pub fn param(&mut self, width: u32, name: &str) -> TermId {
        let role = VarRole::Param(self.params);
        self.params += 1;
        let term = self.arena.fresh(width, Origin::Parameter, name, role, None);
        if width == 64 {
            self.arena.note_pointer(term);
        }
        term
    }

    /// A value that the environment chooses.
    pub fn input(&mut self, width: u32) -> TermId {
        self.arena.local(width, Origin::Input, "input")
    }

    fn access(
        &mut self,
        state: &mut State,
        (address, bytes, kind): (TermId, u64, AccessKind),
        frees: Option<Frees>,
    ) -> Bytes {
        let wanted = Wanted { address, base: None, span: Span::of(bytes), kind, frees, made: here() };
        let mut ways = access(&mut Nothing, &mut self.arena, state.clone(), &wanted);
        assert_eq!(ways.len(), 1, "there should be one way");
        let way = ways.remove(0);
        *state = way.state;
        match way.went {
            Went::Ok(bytes) => bytes,
            other => panic!("{other:?} should be a way without an error"),
        }
    }

    /// `*address`
    pub fn load(&mut self, state: &mut State, address: TermId, bytes: u32) -> TermId {
        let at = self.access(state, (address, bytes.into(), AccessKind::Read), None);
        self.arena.read(&Nothing, state, at, (bytes, Some("content")))
    }

    /// `*address = value`
    pub fn store(&mut self, state: &mut State, address: TermId, value: TermId) {
        let bytes = self.arena.terms.width(value) / 8;
        let at = self.access(state, (address, bytes.into(), AccessKind::Write), None);
        self.arena.write(state, at, bytes, value);
    }

    /// `free(address)`
    pub fn free(&mut self, state: &mut State, address: TermId) {
        let frees = Frees { family: family(), offset: 0, null_ok: false };
        let at = self.access(state, (address, 0, AccessKind::Free), Some(frees));
        heap::access::mark_freed(state, at.block, here());
    }

    /// A new block of so many bytes.
    pub fn allocate(&mut self, state: &mut State, bytes: i64) -> (BlockId, TermId) {
        let base = self.arena.local(64, Origin::Allocation, "block");
        let size = self.arena.number(bytes);
        let block = Block::new(base, Some(size), Kind::Heap(family()), Content::Undefined);
        (state.add_block(Block { made: Some(here()), ..block }), base)
    }

    /// A local variable of so many bytes.
    pub fn variable(&mut self, state: &mut State, bytes: i64) -> TermId {
        let base = self.arena.local(64, Origin::Allocation, "variable");
        let size = self.arena.number(bytes);
        let block = Block::new(base, Some(size), Kind::Stack, Content::Undefined);
        state.add_block(Block { made: Some(here()), ..block });
        base
    }

    /// The path goes on where a condition holds.
    pub fn assume(&mut self, state: &mut State, term: TermId) {
        let condition = Condition { term, made: here(), reason: Reason::Branch };
        assert!(self.arena.assume(state, condition), "the path should be possible");
    }

    /// What callers are told of these paths.
    pub fn triples(&self, paths: &[Ended]) -> Triples {
        self.triples_with(paths, Visible::Needed)
    }

    pub fn triples_with(&self, paths: &[Ended], keep: Visible) -> Triples {
        let mut builder = Builder::new(&self.arena, keep);
        let mut import = Import::default();
        for ended in paths {
            let told = builder.told(ended);
            builder.add(ended, &told, &mut import);
        }
        builder.finish(false, false)
    }

    /// They, as a whole summary.
    pub fn summary(&self, paths: &[Ended]) -> Summary {
        Summary { split: self.triples(paths), ..Summary::open(FnKey::of(&["f"])) }
    }
}

/// The end of a path that returns.
pub fn returns(state: State, results: &[TermId]) -> Ended {
    Ended { state, results: results.to_vec(), how: How::Return }
}

/// The triples, as people read them.
pub fn shown(triples: &Triples) -> Vec<String> {
    triples.specs.iter().map(|spec| triples.show(spec, &|_| "goes wrong".to_owned())).collect()
}
