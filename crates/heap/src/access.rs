//! The one access rule: whoever touches memory (a load, a store, a library function, a callee's triple) comes
//! through here.
//!
//! ```text
//! [p ↦ X * X ↦ V] access(p) [ok: …]    [p ↦ X ∧ X = nil] access(p) [er: Null]    [p ↦ X * X ↦̸] access(p) [er: Invalid]
//! [p ↦ X + o * X ↦ _[n] ∧ n < o + k] access k bytes at p [er: OutOfBounds]       [p ↦ X + o * X ↦ V ∧ o ≠ 0] free(p) [er: NotFreeable]
//! [p = nil] access(p + k) [er: Null]
//! [p = nil] free(p) [ok: p = nil]      [p ↦ X * X ↦ V] free(p) [ok: X ↦̸]          [p undefined] access(p) [er: Undefined]
//! ```
//! Source: Le et al. Fig. 3 and Fig. 5 (Eval); Raad et al. Fig. 5. The `ok` rule abduces `X ↦ V` for pointers
//! of the caller. The `er` rules apply in place only if the state forces them (Raad et al. §5); otherwise
//! they are implied by the presumption (`summary::derived_errors`).
//! Departures: (1) memory has bytes and bounds; whether an access stays within them may be open, and then
//! whoever asked decides ([`Went::Open`]); (2) memory that the caller's structures lead to may be where the
//! path came from ([`Arena::back_pointer`]); (3) where nothing is known to be wrong but the rule knows too
//! little, it says so ([`Fault::Limit`], [`Fault::NoPointer`], [`Fault::NotData`], [`Fault::Undecided`]).

use term::{TermId, VarId};
use world::FamilyKey;

use crate::arena::Arena;
use crate::block::{Block, BlockId, Cell, Content, Kind, Place, Status};
use crate::contents::Bytes;
use crate::locate::{Located, fits, locate, offset_term, sum};
use crate::outside::{Dependence, Outside};
use crate::path::{Condition, Reason};
use crate::site::Made;
use crate::state::{Access, AccessKind, PreBlock, State, Written};

/// What is to be accessed.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The address.
    pub address: TermId,
    /// The pointer that the address was computed from, if somebody knows: where it is null, so is `p[-1]`.
    pub base: Option<TermId>,
    /// Which bytes, counted from there.
    pub span: Span,
    /// What is done with them.
    pub kind: AccessKind,
    /// Of [`AccessKind::Free`]: what is freed.
    pub frees: Option<Frees>,
    /// Where.
    pub made: Made,
}

/// Some bytes from an address on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first one.
    pub from: Place,
    /// How many; 0 without a `len`: the block must exist, no matter how large.
    pub bytes: u64,
    /// How many, if that is not constant.
    pub len: Option<TermId>,
}

/// What a deallocation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frees {
    /// Blocks of this family.
    pub family: FamilyKey,
    /// At this distance from the address.
    pub offset: i64,
    /// Whether null is no error, and nothing happens then.
    pub null_ok: bool,
}

/// A way in which an access goes.
#[derive(Clone, Debug)]
pub struct Way {
    /// The state behind it; of a fault, the one in which it happens.
    pub state: State,
    /// How it goes.
    pub went: Went,
}

/// How an access goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Went {
    /// The bytes are there.
    Ok(Bytes),
    /// There is nothing to free.
    Nothing,
    /// The block is there; whether the bytes lie inside of it is not decided.
    Open(Bytes, Bounds),
    /// Something is wrong.
    Wrong(Fault),
}

/// When bytes lie inside of their block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// They do.
    pub within: TermId,
    /// The value that decides it: the offset, or the number of bytes.
    pub decider: TermId,
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// `X = nil`: the pointer is null.
    Null,
    /// `X ↦̸`: the block was freed, or its scope has ended.
    Invalid(Bytes),
    /// The block is too small.
    OutOfBounds(Bytes),
    /// The address cannot be freed.
    NotFreeable(Bytes, Unfreeable),
    /// The address, or a number of bytes, depends on bits that were never written: on this variable. The state says when.
    Undefined(VarId),
    /// Nobody can tell whether it does.
    Undecided,
    /// The address is a number: nothing is said about what is there.
    NoPointer,
    /// Code is accessed, or a constant written. A machine stops here, for a reason that the catalog does not know.
    NotData,
    /// Where a block of somebody else begins that is freed nobody knows, but hardly behind its first known byte.
    Limit,
}

/// Why an address cannot be freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfreeable {
    /// It points into the middle of a block.
    Inner,
    /// The block is of this family, and not of the one that is freed.
    Family(FamilyKey),
    /// The block was never allocated.
    NotHeap,
}

/// All ways in which an access goes.
pub fn access(cx: &mut dyn Outside, arena: &mut Arena, mut state: State, wanted: &Wanted) -> Vec<Way> {
    let parts = [Some(wanted.address), wanted.span.from.symbolic, wanted.span.len];
    for part in parts.into_iter().flatten() {
        match defined(cx, arena, state, (part, wanted.made)) {
            Ok(checked) => state = checked,
            Err(way) => return way.map_or(Vec::new(), |way| vec![*way]),
        }
    }
    let mut ways = Vec::new();
    access_defined(arena, state, wanted, &mut ways);
    ways
}

/// The ways in which further bytes of a block are accessed; `at` is where the address points.
pub fn access_again(
    cx: &mut dyn Outside,
    arena: &mut Arena,
    mut state: State,
    at: Bytes,
    wanted: &Wanted,
) -> Option<Way> {
    for part in [wanted.span.from.symbolic, wanted.span.len].into_iter().flatten() {
        match defined(cx, arena, state, (part, wanted.made)) {
            Ok(checked) => state = checked,
            Err(way) => return way.map(|way| *way),
        }
    }
    Some(access_block(arena, state, at, wanted))
}

/// The ways in which an access goes whose address is known.
fn access_defined(arena: &mut Arena, state: State, wanted: &Wanted, ways: &mut Vec<Way>) {
    for (mut state, located) in locate(arena, state, wanted.address, wanted.made) {
        match located {
            Located::Null => ways.push(null(arena, state, wanted)),
            Located::New(..) if wanted.base.is_some_and(|base| is_null(arena, &state, base)) => {
                ways.push(Way { state, went: Went::Wrong(Fault::Null) })
            }
            Located::In(block, place) => {
                ways.push(access_block(arena, state, Bytes { block, place }, wanted));
            }
            Located::New(base, _) if is_only_number(arena, base, wanted) => {
                ways.push(Way { state, went: Went::Wrong(Fault::NoPointer) })
            }
            Located::New(base, place) => {
                if let Some(back) = arena.back_pointer(&state, base, (place, wanted)) {
                    let needed = |term| Condition { term, made: wanted.made, reason: Reason::Needed };
                    let mut same = state.clone();
                    if arena.assume(&mut same, needed(back)) {
                        access_defined(arena, same, wanted, ways);
                    }
                    let apart = arena.terms.not(back);
                    if !arena.assume(&mut state, needed(apart)) {
                        continue;
                    }
                }
                access_new(arena, state, (base, place), wanted, ways);
            }
        }
    }
}

/// What an access through null is, or so near to null that it comes from it. `free((void *)1)` is not `free(NULL)`.
fn null(arena: &Arena, state: State, wanted: &Wanted) -> Way {
    let went = match wanted.frees {
        Some(frees) if frees.null_ok && is_null(arena, &state, wanted.address) => Went::Nothing,
        Some(frees) if frees.null_ok && !wanted.base.is_some_and(|base| is_null(arena, &state, base)) => {
            Went::Wrong(Fault::NoPointer)
        }
        _ => Went::Wrong(Fault::Null),
    };
    Way { state, went }
}

/// Whether an address that nobody knows is a number: nothing is said about what is there, but that nobody allocated it.
fn is_only_number(arena: &Arena, base: TermId, wanted: &Wanted) -> bool {
    match wanted.kind {
        AccessKind::Call => false,
        AccessKind::Free if arena.terms.value(base).is_some() => true,
        AccessKind::Free | AccessKind::Read | AccessKind::Write => arena.is_number(base),
    }
}

/// Whether the path knows that a pointer is null.
fn is_null(arena: &Arena, state: &State, pointer: TermId) -> bool {
    let value = || state.path.facts.range(&arena.terms, pointer).constant();
    arena.terms.value(pointer).or_else(value) == Some(0)
}

/// The pointer was not met before: the block is the caller's, or that of unknown code.
fn access_new(
    arena: &mut Arena,
    mut state: State,
    (base, place): (TermId, Place),
    wanted: &Wanted,
    ways: &mut Vec<Way>,
) {
    if let Some(frees) = wanted.frees {
        if frees.null_ok && place == Place::at(0) {
            let mut nothing = state.clone();
            let term = arena.terms.is_zero(base);
            let condition = Condition { term, made: wanted.made, reason: Reason::Needed };
            if arena.assume(&mut nothing, condition) {
                ways.push(Way { state: nothing, went: Went::Nothing });
            }
        }
        if place.plus(frees.offset).is_inside() {
            return ways.push(Way { state, went: Went::Wrong(Fault::Limit) });
        }
    }
    let access = arena.access_of(&state, wanted, place);
    let Some(block) = arena.abduce(&mut state, base, &access) else {
        // The path says that it is null.
        return match wanted.frees {
            Some(frees) if frees.null_ok => {}
            _ => ways.push(Way { state, went: Went::Wrong(Fault::Null) }),
        };
    };
    note_freeable(&mut state, Bytes { block, place }, wanted);
    ways.push(Way { state, went: Went::Ok(Bytes { block, place }) });
}

/// How bytes of a block are accessed that an address leads to; `at` is where the address points.
fn access_block(arena: &mut Arena, mut state: State, at: Bytes, wanted: &Wanted) -> Way {
    if let Some(fault) = fault_of(state.block(at.block), at, wanted) {
        return Way { state, went: Went::Wrong(fault) };
    }
    state.presume_global(at.block, wanted.kind, wanted.made);
    if let Some(bounds) = arena.bounds(&state, at, wanted) {
        match state.path.facts.decide(&arena.terms, bounds.within) {
            Some(false) => return Way { state, went: Went::Wrong(Fault::OutOfBounds(at)) },
            None => return Way { state, went: Went::Open(at, bounds) },
            Some(true) => {}
        }
    }
    // The bytes of a block whose size is known exist anyway.
    if state.block(at.block).size.is_none() {
        let access = arena.access_of(&state, wanted, at.place);
        state.touch(at.block, &access);
    }
    note_freeable(&mut state, at, wanted);
    Way { state, went: Went::Ok(at) }
}

/// What is wrong with a block, whatever its size.
fn fault_of(block: &Block, at: Bytes, wanted: &Wanted) -> Option<Fault> {
    if let Some(frees) = wanted.frees {
        return unfreeable(block, at, frees);
    }
    if !block.status.is_allocated() {
        return Some(Fault::Invalid(at));
    }
    let is_data = match wanted.kind {
        AccessKind::Read => !matches!(block.kind, Kind::Function(_)),
        AccessKind::Write => block.kind.is_writable(),
        AccessKind::Free | AccessKind::Call => true,
    };
    (!is_data).then_some(Fault::NotData)
}

/// Why a block cannot be freed. What never was an address to free is none after the end of the block, either.
fn unfreeable(block: &Block, at: Bytes, frees: Frees) -> Option<Fault> {
    let place = at.place.plus(frees.offset);
    let why = match block.kind {
        Kind::Heap(_) if place != Place::at(0) && place.symbolic.is_none() => Unfreeable::Inner,
        Kind::Stack => Unfreeable::NotHeap,
        _ if !block.status.is_allocated() => return Some(Fault::Invalid(at)),
        Kind::Heap(own) if own != frees.family => Unfreeable::Family(own),
        Kind::Global(_) | Kind::Constant(_) | Kind::Function(_) => Unfreeable::NotHeap,
        Kind::Abduced | Kind::Unknown if place.is_inside() => return Some(Fault::Limit),
        Kind::Heap(_) | Kind::Abduced | Kind::Unknown => return None,
    };
    Some(Fault::NotFreeable(at, why))
}

/// Lets the presumption ask for a block that can be freed.
fn note_freeable(state: &mut State, at: Bytes, wanted: &Wanted) {
    if let (Some(frees), Some(pre)) = (wanted.frees, state.pre_mut(at.block)) {
        pre.freeable = Some((frees.family, at.place.offset.wrapping_add(frees.offset)));
    }
}

/// The state, if a term does not depend on bits that were never written; else the fault, if the path allows it.
fn defined(
    cx: &mut dyn Outside,
    arena: &mut Arena,
    mut state: State,
    (term, made): (TermId, Made),
) -> Result<State, Option<Box<Way>>> {
    let fault = match cx.dependence(arena, &state, term) {
        Dependence::None => return Ok(state),
        Dependence::Unknown => Fault::Undecided,
        Dependence::On(var, differs) => {
            let condition = Condition { term: differs, made, reason: Reason::Needed };
            if !state.path.assume(&mut arena.terms, condition) {
                return Err(None);
            }
            Fault::Undefined(var)
        }
    };
    Err(Some(Box::new(Way { state, went: Went::Wrong(fault) })))
}

impl Arena {
    /// An access, as a presumption notes it; `place` is where its address points.
    fn access_of(&mut self, state: &State, wanted: &Wanted, place: Place) -> Access {
        if wanted.kind == AccessKind::Free {
            return state.access(wanted.made, wanted.kind, (0, 0));
        }
        let from = sum(&mut self.terms, place, wanted.span.from);
        let bytes = i64::try_from(wanted.span.bytes).unwrap_or(i64::MAX);
        let extent = (from.offset, from.offset.saturating_add(bytes));
        let made = wanted.made;
        Access { symbolic: from.symbolic, len: wanted.span.len, ..state.access(made, wanted.kind, extent) }
    }

    /// When an access stays inside of its block. None: it does, or nobody knows how large the block is.
    fn bounds(&mut self, state: &State, at: Bytes, wanted: &Wanted) -> Option<Bounds> {
        let size = state.block(at.block).size?;
        if wanted.span.bytes == 0 && wanted.span.len.is_none() {
            return None;
        }
        let from = sum(&mut self.terms, at.place, wanted.span.from);
        let from = offset_term(&mut self.terms, from, self.machine.pointer_bits);
        let bounds = match wanted.span.len {
            None => {
                let within = fits(&mut self.terms, from, wanted.span.bytes.into(), size);
                Bounds { within, decider: from }
            }
            // from ≤ size  ∧  len ≤ size - from
            Some(len) => {
                let (inside, room) = (self.terms.ule(from, size), self.terms.sub(size, from));
                let enough = self.terms.ule(len, room);
                let within = match state.path.facts.decide(&self.terms, inside) {
                    Some(true) => enough,
                    _ => self.terms.and(inside, enough),
                };
                Bounds { within, decider: len }
            }
        };
        (self.terms.value(bounds.within) != Some(1)).then_some(bounds)
    }

    /// A block behind a pointer that the path has not met, as part of the presumption if the pointer is the caller's. None: the path knows that the pointer is null.
    pub fn abduce(&mut self, state: &mut State, base: TermId, access: &Access) -> Option<BlockId> {
        if !state.path.know_nonnull(&mut self.terms, base) {
            return None;
        }
        let vars = self.terms.vars_of(base);
        let is_callers = !vars.is_empty() && vars.iter().all(|&var| self.terms.var(var).origin.is_given());
        let kind = if is_callers { Kind::Abduced } else { Kind::Unknown };
        let was_given =
            state.given.iter().any(|it| it.written != Written::No && self.terms.vars_of(it.pointer) == vars);
        let rest = match is_callers {
            true if was_given => Content::NotFollowed,
            true => Content::Initial,
            false if self.mentions_not_followed(base) => Content::NotFollowed,
            false => Content::Unknown,
        };
        let mut block = Block::new(base, None, kind, rest);
        block.escaped = !is_callers;
        let id = state.add_block(block);
        if is_callers {
            state.add_pre(PreBlock::new(id, base, access.clone()));
        }
        Some(id)
    }

    /// When an address, which a member of some object of the caller's leads to, is that of the very pointer by which the object was found. None: no such pointer is known, or
    /// it is decided.
    ///
    /// ```c
    /// e = list->first; *e->previous = e->next;   // `list->first`, in a list whose elements know where they are pointed to from
    /// ```
    fn back_pointer(
        &mut self,
        state: &State,
        base: TermId,
        (place, wanted): (Place, &Wanted),
    ) -> Option<TermId> {
        let object = *self.contents.found_in.get(&base)?;
        let place = sum(&mut self.terms, place, wanted.span.from);
        if !wanted.kind.is_at_part() || wanted.span.len.is_some() || place.symbolic.is_some() {
            return None;
        }
        let own = state.block_at(object)?;
        let leads_to_object = |value: TermId| {
            let linear = self.terms.linear(value);
            matches!(linear.monomials.as_slice(), [only] if only.base == object && only.coefficient == 1)
        };
        // The address is that of the pointer itself, or it is the same member of the structure that the pointer is in.
        let is_candidate = |cell: &&Cell| {
            let is_plausible = place.offset == 0 || place.offset == cell.place.offset;
            cell.place.symbolic.is_none()
                && is_plausible
                && cell.bytes * 8 == self.machine.pointer_bits
                && u64::from(cell.bytes) == wanted.span.bytes
                && leads_to_object(cell.value)
        };
        let mut blocks = state.blocks().filter(|(id, block)| *id != own && block.kind.is_outside());
        let (at, cell) =
            blocks.find_map(|(_, block)| Some((block.base, block.cells.iter().find(is_candidate)?.place)))?;
        let (from, to) = (self.plus(base, place.offset), self.plus(at, cell.offset));
        let equal = self.terms.eq(from, to);
        let is_open =
            self.terms.value(equal).is_none() && state.path.facts.decide(&self.terms, equal).is_none();
        is_open.then_some(equal)
    }
}

impl Span {
    /// So many bytes where the address points.
    pub fn of(bytes: u64) -> Span {
        Span { from: Place::at(0), bytes, len: None }
    }
}

/// Marks a block as freed.
pub fn mark_freed(state: &mut State, block: BlockId, made: Made) {
    state.block_mut(block).status = Status::Freed(made);
}
