//! Errors: what is said where they happen, with their story.

use catalog::Issue;
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
use crate::words;

/// What is said of a function that fails at once.
pub(crate) const MUST_NOT_BE_CALLED: &str =
    "a function is called that fails an assertion whatever it is given";

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
    fn pointer_name(&self, cx: &Cx<'_>) -> String {
        cx.name_of(self.operand.map(|operand| cx.base_of(operand)), "a pointer")
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
            let how =
                if accessed.kind == AccessKind::Call { "as a function to call" } else { "as an address" };
            unwritten(cx, arena, state, (var, cx.here()), how)
        }
        Fault::Undecided => return Ends::stop(Stopped::Undecided),
        Fault::NoPointer => return Ends::stop(Stopped::Unsupported),
        Fault::NotData => return Ends::default(),
        Fault::Limit => return Ends::give_up(state, Stopped::Alias),
    })
}

/// An error at the present place.
fn here(cx: &Cx<'_>, state: State, issue: Issue, (message, story): (String, Vec<Step>)) -> ErrorPath {
    ErrorPath { state, bug: Bug::new(issue, cx.here(), message, story), pointer: None }
}

/// `[p = nil] access(p) [er: null-deref]`
fn null(cx: &Cx<'_>, arena: &mut Arena, mut state: State, accessed: &Accessed<'_>) -> ErrorPath {
    let name = accessed.pointer_name(cx);
    let what = accessed.kind.done();
    let pointer = cx.pointer_behind(accessed.operand);
    let story = story::of_null(cx, arena, &state, (accessed.address, pointer));
    doubt_defensive(cx, arena, &mut state, accessed.address);
    let error = here(cx, state, Issue::NullDeref, (format!("{name} is null and is {what}"), story));
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
    let is_outside = |origin| matches!(origin, Origin::UnknownCall | Origin::UnknownMemory);
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
    let name = accessed.pointer_name(cx);
    let (issue, message) = match (&state.block(at.block).status, accessed.kind) {
        (Status::ScopeEnded(_), _) => {
            let object = object_name(cx, arena, &state, at.block);
            (Issue::UseAfterScope, format!("{name} refers to {object}, whose scope has ended"))
        }
        (_, AccessKind::Free) => (Issue::DoubleFree, format!("{name} is freed a second time")),
        (_, AccessKind::Call) => (Issue::UseAfterFree, format!("{name} is called after it was freed")),
        _ => (Issue::UseAfterFree, format!("{name} is used after it was freed")),
    };
    let story = story::of_block(cx, arena, &state, at.block);
    ErrorPath { pointer: cx.pointer_behind(accessed.operand), ..here(cx, state, issue, (message, story)) }
}

/// `[p ↦ X + o * X ↦ _[n] ∧ n < o + k] access k bytes at p [er: out-of-bounds]`
pub(crate) fn out_of_bounds(
    cx: &Cx<'_>,
    arena: &mut Arena,
    state: State,
    accessed: &Accessed<'_>,
    at: Bytes,
) -> ErrorPath {
    let object = object_name(cx, arena, &state, at.block);
    let size = state.block(at.block).size.map(|size| match arena.terms.value(size) {
        Some(size) => size.to_string(),
        None => format!("`{}`", arena.terms.show(size)),
    });
    let size = size.unwrap_or_else(|| "?".to_owned());
    let pointer_bits = arena.pointer_bits();
    let offset = heap::locate::offset_term(&mut arena.terms, at.place, pointer_bits);
    let place = match arena.terms.value(offset) {
        Some(_) => format!("at offset {} of", at.place.offset),
        // What a loop leaves has no name.
        None if arena.mentions_not_followed(offset) => "outside of".to_owned(),
        None => format!("at offset {} of", arena.terms.show(offset)),
    };
    let done = if accessed.kind == AccessKind::Write { "written" } else { "read" };
    let bytes = accessed.bytes;
    let message = format!("{} bytes are {done} {place} {object}, which has {size} bytes", bytes.max(1));
    let message = message.replacen("1 bytes are", "1 byte is", usize::from(bytes <= 1));
    let story = story::of_block(cx, arena, &state, at.block);
    here(cx, state, Issue::OutOfBounds, (message, story))
}

pub(crate) fn division_by_zero(
    cx: &Cx<'_>,
    arena: &mut Arena,
    state: State,
    (divisor, term): (Operand, TermId),
) -> ErrorPath {
    let name = cx.name_of(Some(divisor), "a value");
    let story = story::decisions(cx, arena, &state, &[term]);
    here(cx, state, Issue::DivByZero, (format!("division by {name}, which is zero"), story))
}

/// A value is used that depends on bits which were never written.
pub(crate) fn unwritten(
    cx: &Cx<'_>,
    arena: &mut Arena,
    state: State,
    (var, made): (VarId, Made),
    how: &str,
) -> ErrorPath {
    let name = arena.terms.name(var);
    let name = if name.is_empty() { "a value".to_owned() } else { format!("`{name}`") };
    let message = format!("{name} is used {how} but was never written");
    let story = story::decisions(cx, arena, &state, &[]);
    ErrorPath { state, bug: Bug::new(Issue::UninitRead, made, message, story), pointer: None }
}

/// `[p ↦ X + o * X ↦ V ∧ o ≠ 0] free(p) [er: invalid-free]`, and its kind.
fn not_freeable(
    cx: &Cx<'_>,
    arena: &mut Arena,
    state: State,
    accessed: &Accessed<'_>,
    (block, why): (BlockId, Unfreeable),
) -> ErrorPath {
    let name = accessed.pointer_name(cx);
    let object = object_name(cx, arena, &state, block);
    let message = match why {
        Unfreeable::Inner => format!("{name} is freed, but points into the middle of {object}"),
        Unfreeable::NotHeap => format!("{name} is freed, but points to {object}"),
        // `new[]` and `delete`: the block is freed by a function for another family.
        Unfreeable::Family(own) => {
            let (by, allocator) = (accessed.by, cx.allocator_of(own));
            format!("{name} is freed by `{by}`, but was allocated by `{allocator}`")
        }
    };
    let story = story::of_block(cx, arena, &state, block);
    here(cx, state, Issue::InvalidFree, (message, story))
}

/// `is_tested`: the program decided something before. `assert(0)` where a function begins says that it must not be called.
pub(crate) fn assertion_fails(cx: &Cx<'_>, arena: &mut Arena, state: State, is_tested: bool) -> ErrorPath {
    let conditions: Vec<TermId> = state.path.conditions.iter().map(|it| it.term).collect();
    let story = story::decisions(cx, arena, &state, &conditions);
    let message = if is_tested { "an assertion fails" } else { MUST_NOT_BE_CALLED };
    here(cx, state, Issue::AssertFailure, (message.to_owned(), story))
}

pub(crate) fn returned_address(cx: &Cx<'_>, arena: &mut Arena, state: State, block: BlockId) -> ErrorPath {
    let object = object_name(cx, arena, &state, block);
    let story = story::of_block(cx, arena, &state, block);
    let message = format!("the address of {object} is returned, whose scope ends here");
    here(cx, state, Issue::UseAfterScope, (message, story))
}

/// What a block is, in words.
fn object_name(cx: &Cx<'_>, arena: &Arena, state: &State, block: BlockId) -> String {
    let data = state.block(block);
    let name = words::text(&arena.terms, data.base);
    match data.kind {
        Kind::Heap(_) => "a block of the heap".to_owned(),
        Kind::Stack => format!("local variable `{}`", name.trim_start_matches('&')),
        Kind::Global(global) | Kind::Constant(global) => match cx.world.global_info(global).name {
            name if name.starts_with(".str") => "a string literal".to_owned(),
            name => format!("global `{name}`"),
        },
        Kind::Function(function) => format!("function `{}`", cx.world.name(function)),
        Kind::Abduced => format!("the memory of `{name}`"),
        Kind::Unknown => "memory of unknown origin".to_owned(),
    }
}

impl Arena {
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

    pub(crate) fn decision_text(&self, condition: &heap::Condition) -> String {
        match self.failure_of(condition.term) {
            Some((name, true)) if condition.reason == Reason::Choice => {
                format!("`{}` fails and returns null", name.trim_end_matches("()"))
            }
            Some((name, true)) => format!("the path goes where `{name}` is null"),
            _ if self.mentions_not_followed(condition.term) => {
                "the path takes one way of a decision about a value that is not followed".to_owned()
            }
            _ => format!("the path goes where `{}`", words::text(&self.terms, condition.term)),
        }
    }
}
