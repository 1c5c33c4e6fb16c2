//! Errors: what goes wrong at a place, who makes it happen, and what led to it; as data.
//!
//! Judgment: a path `(m, q)` on which the access rule finds a fault ([`heap::Fault`]), or an operation is
//! undefined, is a triple `[m] f [er: q]`. Its cause is that of the variables in the value to blame.
//! Source: Le et al., OOPSLA 2022, Fig. 3 (the `er` triples); Raad et al., CAV 2020, Fig. 5 (the same).
//! Departure: what only a callee's test makes null is a guess, and the path is marked as one
//! ([`doubt_defensive`]).

use catalog::{Cause, Clause, Condition, Event, Issue, Name, Need, Object, Offset, What};
use conditions::words;
use heap::path::Reason;
use heap::{AccessKind, BlockId, Bytes, Fault, Kind, Made, State, Status, Unfreeable};
use ir::{Operand, ValueId};
use summary::{Bug, Step};
use term::{Binary, Node, Origin, TermId, Unary, VarId};

use crate::arena::Arena;
use crate::cx::Cx;
use crate::effort::Stopped;
use crate::outcome::Ends;
use crate::story;

/// A path that ends in an error.
pub(crate) struct ErrorPath {
    pub(crate) state: State,
    pub(crate) bug: Bug,
    /// The pointer of the function that is null, or leads to freed memory.
    pub(crate) pointer: Option<ValueId>,
}

/// What is accessed, as the program calls it.
#[derive(Clone, Copy)]
pub(crate) struct Accessed<'n> {
    pub(crate) address: TermId,
    pub(crate) operand: Option<Operand>,
    /// Bytes, if they are known.
    pub(crate) bytes: u64,
    pub(crate) kind: AccessKind,
    /// The function that frees, as the user knows it.
    pub(crate) by: &'n str,
}

impl Accessed<'_> {
    /// The pointer behind an address: the base if the address is that of a member.
    fn pointer_name(&self, cx: &Cx<'_>) -> Name {
        cx.name_of(self.operand.map(|operand| cx.base_of(operand)))
    }
}

/// What becomes of a path on which an access goes wrong.
pub(crate) fn fault(
    cx: &Cx<'_>,
    arena: &mut Arena,
    state: State,
    accessed: &Accessed<'_>,
    fault: Fault,
) -> Ends {
    Ends::error(match fault {
        Fault::Null => null(cx, arena, state, accessed),
        Fault::Invalid(at) => invalid(cx, arena, state, accessed, at),
        Fault::OutOfBounds(at) => out_of_bounds(cx, arena, state, accessed, at),
        Fault::NotFreeable(at, why) => not_freeable(cx, arena, state, accessed, (at.block, why)),
        Fault::Undefined(var) => {
            let is_call = accessed.kind == AccessKind::Call;
            let need = if is_call { Need::Function } else { Need::Address };
            unwritten(cx, arena, state, (var, cx.here()), need)
        }
        Fault::Undecided => return Ends::stop(Stopped::Undecided),
        Fault::NoPointer => return Ends::stop(Stopped::Unsupported),
        Fault::NotData => return Ends::default(),
        Fault::Limit => return Ends::give_up(state, Stopped::Alias),
    })
}

/// An error at the present place.
fn here(
    cx: &Cx<'_>,
    state: State,
    (issue, cause): (Issue, Cause),
    (what, story): (What, Vec<Step>),
) -> ErrorPath {
    let bug = Bug { cause, ..Bug::new(issue, cx.here(), what, story) };
    ErrorPath { state, bug, pointer: None }
}

/// `[p = nil] access(p) [er: null-deref]`
fn null(cx: &Cx<'_>, arena: &mut Arena, mut state: State, accessed: &Accessed<'_>) -> ErrorPath {
    let is_null = state.path.facts.range(&arena.terms, accessed.address).constant() == Some(0);
    let name = match is_null {
        true => accessed.pointer_name(cx),
        false => cx.name_of(accessed.operand.map(|operand| cx.origin_of(operand))),
    };
    let what = What::Null { pointer: name, used: accessed.kind.as_use(), to: None };
    let pointer = cx.pointer_behind(accessed.operand);
    let story = story::of_null(cx, arena, &state, (accessed.address, pointer));
    doubt_defensive(cx, arena, &mut state, accessed.address);
    let error = here(cx, state, (Issue::NullDeref, arena.cause_of(accessed.address)), (what, story));
    ErrorPath { pointer, ..error }
}

/// If a pointer of unknown code is null only because a callee tests for it, which may be called with others in mind, the path is a guess:
///
/// ```c
/// struct node *node = lookup(key);
/// log_node(node); /* does nothing for null */
/// node->count++;
/// ```
pub(crate) fn doubt_defensive(cx: &Cx<'_>, arena: &mut Arena, state: &mut State, pointer: TermId) {
    let vars = arena.terms.vars_of(pointer);
    let is_outside = Origin::is_foreign;
    let is_about = |it: &&heap::Condition| {
        it.reason != Reason::Havoc && arena.terms.vars_of(it.term).iter().any(|var| vars.contains(var))
    };
    let mut deciding = state.path.conditions.iter().filter(is_about).peekable();
    let is_defensive = deciding.peek().is_some() && deciding.all(|it| it.made.via.is_some());
    if is_defensive && arena.terms.mentions(pointer, is_outside) {
        arena.mark_as_guess(cx, state);
    }
}

/// `[p ↦ X * X ↦̸] access(p) [er: …]`
fn invalid(cx: &Cx<'_>, arena: &mut Arena, state: State, accessed: &Accessed<'_>, at: Bytes) -> ErrorPath {
    let (pointer, used) = (accessed.pointer_name(cx), accessed.kind.as_use());
    let cause = of_block(&state, at.block);
    let (issue, what) = match (&state.block(at.block).status, accessed.kind) {
        (Status::ScopeEnded(_), _) => {
            let object = Some(object(cx, arena, &state, at.block));
            (Issue::UseAfterScope, What::ScopeEnded { pointer, object, used, to: None })
        }
        (_, AccessKind::Free) => (Issue::DoubleFree, What::Freed { pointer, used, to: None }),
        _ => (Issue::UseAfterFree, What::Freed { pointer, used, to: None }),
    };
    let story = story::of_block(cx, arena, &state, at.block);
    ErrorPath {
        pointer: cx.pointer_behind(accessed.operand),
        ..here(cx, state, (issue, cause), (what, story))
    }
}

/// `[p ↦ X + o * X ↦ _[n] ∧ n < o + k] access k bytes at p [er: out-of-bounds]`
pub(crate) fn out_of_bounds(
    cx: &Cx<'_>,
    arena: &mut Arena,
    state: State,
    accessed: &Accessed<'_>,
    at: Bytes,
) -> ErrorPath {
    let object = object(cx, arena, &state, at.block);
    let size = state.block(at.block).size.map(|size| words::text(&arena.terms, size));
    let pointer_bits = arena.pointer_bits();
    let offset = heap::locate::offset_term(&mut arena.terms, at.place, pointer_bits);
    let of_parts: Vec<TermId> = [offset].into_iter().chain(state.block(at.block).size).collect();
    let offset = match arena.terms.value(offset) {
        Some(_) => Offset::At(at.place.offset.to_string()),
        // What a loop leaves has no name.
        None if arena.mentions_not_followed(offset) => Offset::Unknown,
        None => Offset::At(words::text(&arena.terms, offset)),
    };
    let (used, bytes) = (accessed.kind.as_use(), accessed.bytes.max(1));
    let what = What::OutOfBounds { object, size, used, bytes, offset };
    let cause = of_parts.into_iter().map(|part| arena.cause_of(part)).max().unwrap_or(Cause::Program);
    let story = story::of_block(cx, arena, &state, at.block);
    here(cx, state, (Issue::OutOfBounds, cause), (what, story))
}

pub(crate) fn division_by_zero(
    cx: &Cx<'_>,
    arena: &mut Arena,
    state: State,
    (divisor, term): (Operand, TermId),
) -> ErrorPath {
    let what = What::DivisionByZero { divisor: cx.name_of(Some(divisor)) };
    let story = story::decisions(cx, arena, &state, &[term]);
    here(cx, state, (Issue::DivByZero, arena.cause_of(term)), (what, story))
}

/// A value is used that depends on bits which were never written.
pub(crate) fn unwritten(
    cx: &Cx<'_>,
    arena: &mut Arena,
    state: State,
    (var, made): (VarId, Made),
    need: Need,
) -> ErrorPath {
    let name = arena.terms.name(var);
    let value = (!name.is_empty() && name != heap::UNWRITTEN).then(|| name.to_owned());
    let what = What::Unwritten { value, need };
    let story = story::decisions(cx, arena, &state, &[]);
    let bug = Bug { cause: Cause::Program, ..Bug::new(Issue::UninitRead, made, what, story) };
    ErrorPath { state, bug, pointer: None }
}

/// `[p ↦ X + o * X ↦ V ∧ o ≠ 0] free(p) [er: invalid-free]`, and its kind.
fn not_freeable(
    cx: &Cx<'_>,
    arena: &mut Arena,
    state: State,
    accessed: &Accessed<'_>,
    (block, why): (BlockId, Unfreeable),
) -> ErrorPath {
    let why = match why {
        Unfreeable::Inner => catalog::Unfreeable::Inner,
        Unfreeable::NotHeap => catalog::Unfreeable::NotAllocated,
        // `new[]` and `delete`: the block is freed by a function for another family.
        Unfreeable::Family(own) => {
            let (by, made_by) = (accessed.by.to_owned(), cx.allocator_of(own).unwrap_or_default().to_owned());
            catalog::Unfreeable::Family { by, made_by }
        }
    };
    let object = Some(object(cx, arena, &state, block));
    let what = What::NotFreeable { pointer: accessed.pointer_name(cx), object, why };
    let story = story::of_block(cx, arena, &state, block);
    here(cx, state, (Issue::InvalidFree, Cause::Program), (what, story))
}

/// `is_tested`: the program decided something before. `assert(0)` where a function begins says that it must not be called.
pub(crate) fn assertion_fails(cx: &Cx<'_>, arena: &mut Arena, state: State, is_tested: bool) -> ErrorPath {
    let conditions: Vec<TermId> = state.path.conditions.iter().map(|it| it.term).collect();
    let story = story::decisions(cx, arena, &state, &conditions);
    let what = if is_tested { What::Assertion } else { What::MustNotBeCalled };
    let cause = conditions.last().map_or(Cause::Program, |&last| arena.cause_of(last));
    here(cx, state, (Issue::AssertFailure, cause), (what, story))
}

pub(crate) fn returned_address(cx: &Cx<'_>, arena: &mut Arena, state: State, block: BlockId) -> ErrorPath {
    let object = object(cx, arena, &state, block);
    let mut story = story::of_block(cx, arena, &state, block);
    // That it ends now is what the error says.
    story.retain(|step| step.event != Event::ScopeEnds);
    here(cx, state, (Issue::UseAfterScope, Cause::Program), (What::AddressReturned { object }, story))
}

/// Who makes it wrong to use a block: whoever freed it.
pub(crate) fn of_block(state: &State, block: BlockId) -> Cause {
    match state.pre_of(block).is_some_and(|pre| pre.negative) {
        true => Cause::Caller,
        false => Cause::Program,
    }
}

/// What a block is, for people.
fn object(cx: &Cx<'_>, arena: &Arena, state: &State, block: BlockId) -> Object {
    let data = state.block(block);
    let name = words::text(&arena.terms, data.base);
    match data.kind {
        Kind::Heap(_) => Object::Heap,
        Kind::Stack => Object::Local(name.trim_start_matches('&').to_owned()),
        Kind::Global(global) | Kind::Constant(global) => match cx.world.global_info(global).name {
            name if name.starts_with(".str") => Object::Literal,
            name => Object::Global(name.to_owned()),
        },
        Kind::Function(function) => Object::Function(cx.world.name(function)),
        Kind::Abduced => Object::Behind(name),
        Kind::Unknown => Object::Unknown,
    }
}

impl Arena {
    /// Who chooses a value.
    pub(crate) fn cause_of(&self, term: TermId) -> Cause {
        let is_environment = |origin| matches!(origin, Origin::Allocation | Origin::Input);
        match () {
            () if self.terms.mentions(term, is_environment) => Cause::Environment,
            () if self.terms.mentions(term, Origin::is_unknown) => Cause::Unknown,
            () if self.terms.mentions(term, Origin::is_observable) => Cause::Caller,
            () => Cause::Program,
        }
    }

    /// Decisions of the program are told, and what failed. That something did not fail says nothing.
    pub(crate) fn is_told(&self, condition: &heap::Condition) -> bool {
        match condition.reason {
            Reason::Branch | Reason::Joined => self.failure_of(condition.term).is_none_or(|(_, fails)| fails),
            Reason::Choice => self.failure_of(condition.term).is_some_and(|(_, fails)| fails),
            Reason::Needed | Reason::Havoc => false,
        }
    }

    /// The name of what an allocation returned, and whether a condition says that it is null.
    fn failure_of(&self, condition: TermId) -> Option<(String, bool)> {
        let (equality, fails) = match self.terms.node(condition) {
            Node::Unary(Unary::Not, inner) => (inner, false),
            _ => (condition, true),
        };
        let Node::Binary(Binary::Eq, a, b) = self.terms.node(equality) else { return None };
        let (var, other) = if self.as_var(a).is_some() { (a, b) } else { (b, a) };
        let var = self.as_var(var).filter(|_| self.terms.value(other) == Some(0))?;
        let is_allocation = self.terms.var(var).origin == Origin::Allocation;
        is_allocation.then(|| (self.terms.name(var).to_owned(), fails))
    }

    /// A decision of the path, as an event.
    pub(crate) fn decision(&self, condition: &heap::Condition) -> Event {
        match self.failure_of(condition.term) {
            Some((name, true)) if condition.reason == Reason::Choice => {
                Event::Fails(name.trim_end_matches("()").to_owned())
            }
            Some((name, true)) => Event::Branch(Condition::of(Clause::Null(name))),
            _ if self.mentions_not_followed(condition.term) => Event::UnknownBranch,
            _ => Event::Branch(self.condition(condition.term)),
        }
    }

    /// A condition, for people.
    pub(crate) fn condition(&self, term: TermId) -> Condition {
        words::read(&self.terms, term, &|var| self.is_pointer(self.terms.var_term(var)))
    }
}
