//! Errors: recorded where they happen, with their story.

use base::limits;
use catalog::Issue;
use heap::path::Reason;
use heap::{AccessKind, BlockId, Kind, Made, State, Status};
use ir::{Operand, ValueId};
use summary::{Bug, Step};
use term::{Binary, Node, Origin, TermId, Unary, VarId};

use crate::engine::Engine;
use crate::judge::decided_on;
use crate::step::{Bytes, Wanted};
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

impl Engine<'_> {
    /// Records that a path ends in an error. Of too many, those stay that rest on nothing but what was followed.
    pub(crate) fn error(&mut self, state: State, bug: Bug) {
        self.error_of(state, bug, None);
    }

    /// The same, about a pointer.
    pub(crate) fn error_of(&mut self, state: State, bug: Bug, pointer: Option<ValueId>) {
        let is_same = |it: &ErrorPath| {
            (it.bug.issue, &it.bug.made, &it.bug.reported) == (bug.issue, &bug.made, &bug.reported)
        };
        let same: Vec<&ErrorPath> = self.errors.iter().filter(|it| is_same(it)).collect();
        // All triples of a callee may need what is not there.
        if same.iter().any(|it| it.state.path.conditions == state.path.conditions) {
            return;
        }
        if same.len() < limits::SPLIT_ERRORS_PER_SITE && self.errors.len() < limits::SPLIT_ERRORS {
            self.keep_bytes(&state);
            self.errors.push(ErrorPath { state, bug, pointer });
        } else if self.is_followed(&state)
            && let Some(at) = self.errors.iter().position(|it| is_same(it) && !self.is_followed(&it.state))
        {
            self.errors[at] = ErrorPath { state, bug, pointer };
        }
    }

    /// Whether no decision of a path is about a value that was not followed.
    pub(crate) fn is_followed(&self, state: &State) -> bool {
        self.are_followed(&decided_on(state))
    }

    fn bug_here(&mut self, state: &State, issue: Issue, message: String, story: Vec<Step>) {
        let made = self.here();
        let bug = Bug::new(issue, made, message, story);
        self.error(state.clone(), bug);
    }

    /// If a pointer of unknown code is null only because a callee tests for it, which may be called with others in mind, the path is a guess:
    ///
    /// ```c
    /// struct node *node = lookup(key);
    /// log_node(node); /* does nothing for null */
    /// node->count++;
    /// ```
    pub(crate) fn doubt_defensive(&mut self, state: &mut State, pointer: TermId) {
        let vars = self.terms.vars_of(pointer);
        let is_outside = |origin| matches!(origin, Origin::UnknownCall | Origin::UnknownMemory);
        let is_about = |it: &&heap::Condition| {
            it.reason != Reason::Havoc && self.terms.vars_of(it.term).iter().any(|var| vars.contains(var))
        };
        let mut deciding = state.path.conditions.iter().filter(is_about).peekable();
        let is_defensive = deciding.peek().is_some() && deciding.all(|it| it.made.via.is_some());
        if is_defensive && self.terms.mentions(pointer, is_outside) {
            self.mark_as_guess(state);
        }
    }

    /// How the user calls a value.
    pub(crate) fn name_of(&self, operand: Option<Operand>, otherwise: &str) -> String {
        let name = operand.and_then(|operand| ir::names::describe(self.module, self.function, operand));
        name.map_or(otherwise.to_owned(), |name| format!("`{name}`"))
    }

    /// `[p = nil] access(p) [er: null-deref]`
    pub(crate) fn null_access(&mut self, state: &State, wanted: &Wanted) {
        let name = self.pointer_name(wanted);
        let what = wanted.kind.done();
        let pointer = self.pointer_behind(wanted.operand);
        let story = self.null_story(state, (wanted.address, pointer));
        let bug = Bug::new(Issue::NullDeref, self.here(), format!("{name} is null and is {what}"), story);
        let mut state = state.clone();
        self.doubt_defensive(&mut state, wanted.address);
        self.error_of(state, bug, pointer);
    }

    /// The pointer behind an address: the base if the address is that of a member.
    fn pointer_name(&self, wanted: &Wanted) -> String {
        self.name_of(wanted.operand.map(|operand| self.base_of(operand)), "a pointer")
    }

    /// `&p->member` is null because `p` is.
    fn base_of(&self, mut operand: Operand) -> Operand {
        while let Operand::Value(value) = operand
            && let ir::ValueDef::Result(inst, _) = self.body.values[value].def
            && let ir::Inst::PtrAdd { base, .. } = self.body.insts[inst].inst
        {
            operand = base;
        }
        operand
    }

    /// The pointer of the function that an address begins at, whatever variables it went through.
    pub(crate) fn pointer_behind(&self, operand: Option<Operand>) -> Option<ValueId> {
        let mut operand = self.base_of(operand?);
        while let Operand::Value(value) = operand
            && let ir::ValueDef::Result(inst, _) = self.body.values[value].def
            && let ir::Inst::Assign { value, .. } = self.body.insts[inst].inst
        {
            operand = self.base_of(value);
        }
        operand.value()
    }

    /// `[p ↦ X * X ↦̸] access(p) [er: …]`
    pub(crate) fn invalid_access(&mut self, state: &State, wanted: &Wanted, at: Bytes) {
        let name = self.pointer_name(wanted);
        let (issue, message) = match (&state.block(at.block).status, wanted.kind) {
            (Status::ScopeEnded(_), _) => {
                let object = self.object_name(state, at.block);
                (Issue::UseAfterScope, format!("{name} refers to {object}, whose scope has ended"))
            }
            (_, AccessKind::Free) => (Issue::DoubleFree, format!("{name} is freed a second time")),
            (_, AccessKind::Call) => (Issue::UseAfterFree, format!("{name} is called after it was freed")),
            _ => (Issue::UseAfterFree, format!("{name} is used after it was freed")),
        };
        let story = self.block_story(state, at.block);
        let bug = Bug::new(issue, self.here(), message, story);
        self.error_of(state.clone(), bug, self.pointer_behind(wanted.operand));
    }

    pub(crate) fn out_of_bounds(&mut self, state: &State, wanted: &Wanted, at: Bytes) {
        let object = self.object_name(state, at.block);
        let size = state.block(at.block).size.map(|size| match self.terms.value(size) {
            Some(size) => size.to_string(),
            None => format!("`{}`", self.terms.show(size)),
        });
        let size = size.unwrap_or_else(|| "?".to_owned());
        let offset = heap::locate::offset_term(&mut self.terms, at.place, self.pointer_bits);
        let place = match self.terms.value(offset) {
            Some(_) => format!("at offset {} of", at.place.offset),
            // What a loop leaves has no name.
            None if self.mentions_havoc(offset) => "outside of".to_owned(),
            None => format!("at offset {} of", self.terms.show(offset)),
        };
        let done = if wanted.kind == AccessKind::Write { "written" } else { "read" };
        let message =
            format!("{} bytes are {done} {place} {object}, which has {size} bytes", wanted.bytes.max(1));
        let message = message.replacen("1 bytes are", "1 byte is", usize::from(wanted.bytes <= 1));
        let story = self.block_story(state, at.block);
        self.bug_here(state, Issue::OutOfBounds, message, story);
    }

    pub(crate) fn division_by_zero(&mut self, state: &State, (divisor, term): (Operand, TermId)) {
        let name = self.name_of(Some(divisor), "a value");
        let story = self.decisions(state, &[term]);
        self.bug_here(state, Issue::DivByZero, format!("division by {name}, which is zero"), story);
    }

    pub(crate) fn uninit_error(&mut self, state: &State, var: VarId, made: &Made, how: &str) {
        let name = self.terms.name(var);
        let name = if name.is_empty() { "a value".to_owned() } else { format!("`{name}`") };
        let message = format!("{name} is used {how} but was never written");
        let story = self.decisions(state, &[]);
        let bug = Bug::new(Issue::UninitRead, made.clone(), message, story);
        self.error(state.clone(), bug);
    }

    pub(crate) fn invalid_free(&mut self, state: &State, wanted: &Wanted, block: BlockId, why: &str) {
        let name = self.pointer_name(wanted);
        let object = self.object_name(state, block);
        let story = self.block_story(state, block);
        self.bug_here(state, Issue::InvalidFree, format!("{name} is freed, but {why} {object}"), story);
    }

    /// `new[]` and `delete`: the block is freed by a function for another family.
    pub(crate) fn wrong_family(
        &mut self,
        state: &State,
        wanted: &Wanted,
        (block, own): (BlockId, u16),
        by: &str,
    ) {
        let name = self.pointer_name(wanted);
        let allocator = self.allocator_of(own);
        let message = format!("{name} is freed by `{by}`, but was allocated by `{allocator}`");
        let story = self.block_story(state, block);
        self.bug_here(state, Issue::InvalidFree, message, story);
    }

    /// What allocates blocks of a family, in words.
    pub(crate) fn allocator_of(&self, family: u16) -> &str {
        let family = self.world.library().families().nth(family.into());
        family.map_or("another function", |family| family.words.as_str())
    }

    /// `is_tested`: the program decided something before. `assert(0)` where a function begins says that it must not be called.
    pub(crate) fn assertion_fails(&mut self, state: &State, is_tested: bool) {
        let conditions: Vec<TermId> = state.path.conditions.iter().map(|it| it.term).collect();
        let story = self.decisions(state, &conditions);
        let message = if is_tested { "an assertion fails" } else { MUST_NOT_BE_CALLED };
        self.bug_here(state, Issue::AssertFailure, message.to_owned(), story);
    }

    pub(crate) fn returned_address(&mut self, state: &State, block: BlockId) {
        let object = self.object_name(state, block);
        let story = self.block_story(state, block);
        let message = format!("the address of {object} is returned, whose scope ends here");
        self.bug_here(state, Issue::UseAfterScope, message, story);
    }

    /// What a block is, in words.
    pub(crate) fn object_name(&self, state: &State, block: BlockId) -> String {
        let data = state.block(block);
        let name = words::text(&self.terms, data.base);
        match data.kind {
            Kind::Heap(_) => "a block of the heap".to_owned(),
            Kind::Stack => format!("local variable `{}`", name.trim_start_matches('&')),
            Kind::Global(global) | Kind::Constant(global) => match self.world.global_info(global).name {
                name if name.starts_with(".str") => "a string literal".to_owned(),
                name => format!("global `{name}`"),
            },
            Kind::Function(function) => format!("function `{}`", self.world.name(function)),
            Kind::Abduced => format!("the memory of `{name}`"),
            Kind::Unknown => "memory of unknown origin".to_owned(),
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

    pub(crate) fn decision_text(&self, condition: &heap::Condition) -> String {
        match self.failure_of(condition.term) {
            Some((name, true)) if condition.reason == Reason::Choice => {
                format!("`{}` fails and returns null", name.trim_end_matches("()"))
            }
            Some((name, true)) => format!("the path goes where `{name}` is null"),
            _ if self.mentions_havoc(condition.term) => {
                "the path takes one way of a decision about a value that is not followed".to_owned()
            }
            _ => format!("the path goes where `{}`", words::text(&self.terms, condition.term)),
        }
    }
}
