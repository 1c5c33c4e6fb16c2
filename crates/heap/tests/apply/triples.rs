//! The triples of Le et al., OOPSLA 2022, Fig. 3, as a callee's summary would have them.

use base::{Id, IdVec};
use heap::path::Reason;
use heap::spec::Roles;
use heap::{
    Access, AccessKind, Block, BlockId, Cell, Choice, Condition, Content, Exit, Kind, Made, Place, PreBlock,
    Spec, State, Status, VarRole,
};
use term::{Origin, TermId, Terms, VarId};

use crate::engine::{family, inside, presumed};

/// A triple with its terms. The first variables are its parameters.
pub(crate) struct Triple {
    pub(crate) terms: Terms,
    pub(crate) roles: Roles,
    pub(crate) spec: Spec,
}

impl Triple {
    pub(crate) fn new(widths: &[u32]) -> Triple {
        let mut terms = Terms::new();
        let mut roles = IdVec::new();
        for (at, &width) in widths.iter().enumerate() {
            terms.fresh(width, Origin::Parameter, "parameter");
            roles.push(VarRole::Param(at as u32));
        }
        let (pre, conditions, defined, post) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (results, choices, given) = (Vec::new(), Vec::new(), Vec::new());
        let spec =
            Spec { pre, conditions, defined, exit: Exit::Ok, post, results, choices, given, exposed: false };
        Triple { terms, roles, spec }
    }

    pub(crate) fn parameter(&self, at: usize) -> TermId {
        self.terms.var_term(VarId::new(at))
    }

    pub(crate) fn local(&mut self, width: u32, origin: Origin) -> TermId {
        self.roles.push(VarRole::Local);
        self.terms.fresh(width, origin, "local")
    }

    /// `base ↦ …`, found by an access.
    pub(crate) fn presume(&mut self, base: TermId, kind: AccessKind, bytes: u32) -> usize {
        let at = self.spec.pre.len();
        let access = State::default().access(Made::here(inside()), kind, (0, i64::from(bytes)));
        let access = Access { order: at as u32, n_pre: at, ..access };
        self.spec.pre.push(PreBlock { block: BlockId::new(at), ..presumed(base, access) });
        self.spec.post.push(Block::new(base, None, Kind::Abduced, Content::Initial));
        at
    }

    /// `base ↦ V`; the value stays.
    pub(crate) fn presume_cell(&mut self, base: TermId, bytes: u32) -> TermId {
        let at = self.presume(base, AccessKind::Read, bytes);
        let value = self.local(bytes * 8, Origin::InitialMemory);
        let cell = Cell { place: Place::at(0), bytes, value };
        self.spec.pre[at].cells.push(cell);
        self.spec.post[at].cells.push(cell);
        value
    }
}

/// `[p ↦ V] y = *p [ok: p ↦ V ∧ y = V]`
pub(crate) fn load(bytes: u32) -> Triple {
    let mut triple = Triple::new(&[64]);
    let value = triple.presume_cell(triple.parameter(0), bytes);
    triple.spec.results.push(value);
    triple
}

/// `[p ↦ X * X ↦ V] y = **p [ok: p ↦ X * X ↦ V ∧ y = V]`
pub(crate) fn load_twice(bytes: u32) -> Triple {
    let mut triple = Triple::new(&[64]);
    let inner = triple.presume_cell(triple.parameter(0), 8);
    let value = triple.presume_cell(inner, bytes);
    triple.spec.results.push(value);
    triple
}

/// `[p ↦ _] *p = v [ok: p ↦ v]`
pub(crate) fn store(bytes: u32) -> Triple {
    let mut triple = Triple::new(&[64, bytes * 8]);
    let at = triple.presume(triple.parameter(0), AccessKind::Write, bytes);
    let value = triple.parameter(1);
    triple.spec.post[at].cells.push(Cell { place: Place::at(0), bytes, value });
    triple
}

/// `[p ↦ _ * q ↦ V] *p = V [ok: p ↦ V * q ↦ V]`
pub(crate) fn copy(bytes: u32) -> Triple {
    let mut triple = Triple::new(&[64, 64]);
    let value = triple.presume_cell(triple.parameter(1), bytes);
    let at = triple.presume(triple.parameter(0), AccessKind::Write, bytes);
    triple.spec.post[at].cells.push(Cell { place: Place::at(0), bytes, value });
    triple
}

/// `[p ↦ _] free(p) [ok: p ↦̸]`
pub(crate) fn free() -> Triple {
    let mut triple = Triple::new(&[64]);
    let at = triple.presume(triple.parameter(0), AccessKind::Free, 0);
    triple.spec.pre[at].freeable = Some((family(), 0));
    triple.spec.post[at].status = Status::Freed(Made::here(inside()));
    triple
}

/// `[p ↦̸] *p [er: p ↦̸]`
pub(crate) fn load_freed() -> Triple {
    let triple = load(4);
    let access = triple.spec.pre[0].accesses[0].clone();
    let spec = triple.spec.until(&access, 0);
    let block = triple.spec.post[0].clone();
    let spec = spec.and_freed(triple.parameter(0), access, block);
    Triple { spec, ..triple }
}

/// `[n ≠ 0] r = malloc(n) [ok: r ↦ undefined]`
pub(crate) fn malloc() -> Triple {
    let mut triple = Triple::new(&[64]);
    let size = triple.parameter(0);
    let result = triple.local(64, Origin::Allocation);
    let term = triple.terms.nonzero(size);
    let made = Made::here(inside());
    triple.spec.conditions.push(Condition { term, made, reason: Reason::Branch });
    let block = Block::new(result, Some(size), Kind::Heap(family()), Content::Undefined);
    triple.spec.post.push(Block { made: Some(made), ..block });
    triple.spec.results.push(result);
    triple.spec.choices.push(Choice::Allocation(result));
    triple
}
