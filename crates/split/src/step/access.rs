//! Access to memory: which block, whether it is valid, which bytes.
//!
//! ```text
//! [p ↦ X * X ↦ V] access(p) [ok: …]     [p ↦ X ∧ X = nil] access(p) [er: null]     [p ↦ X * X ↦̸] access(p) [er: freed]
//! ```
//! (Le et al. Fig. 3.) The `ok` rule abduces `X ↦ V` for pointers of the caller; the `er` rules apply in place only if the state forces them; otherwise they are implied by the
//! presumption (`summary::derived_errors`).

use heap::block::Content;
use heap::path::Reason;
use heap::{
    AccessKind, Block, BlockId, Condition, Kind, Located, Place, PreBlock, State, Written, locate, settle,
};
use ir::Operand;
use term::{Origin, TermId};

use crate::engine::Engine;
use crate::flow::Flow;
use crate::world::Stopped;

/// Some bytes of a block that can be accessed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes {
    pub(crate) block: BlockId,
    pub(crate) place: Place,
}

/// What an access needs to know.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    /// The address.
    pub(crate) address: TermId,
    /// How it is called, for messages.
    pub(crate) operand: Option<Operand>,
    /// Bytes; 0: the block must exist, no matter how large.
    pub(crate) bytes: u64,
    pub(crate) kind: AccessKind,
}

impl Engine<'_> {
    /// All ways in which some bytes can be accessed; errors are recorded.
    pub(crate) fn access(&mut self, flow: Flow, wanted: Wanted) -> Vec<(Flow, Bytes)> {
        let made = self.here();
        if !self.check_defined(&flow.state, wanted.address, &made, "as an address") {
            return Vec::new();
        }
        let mut ways = Vec::new();
        for (state, located) in self.locate(flow.state.clone(), wanted.address) {
            let flow = flow.with(state);
            match located {
                Located::Null => self.null_access(&flow.state, &wanted),
                Located::In(block, place) => {
                    self.access_block(flow, wanted, Bytes { block, place }, &mut ways)
                }
                // An offset from null, or a number: nothing is said about what is there.
                Located::New(base, _) if self.is_number(base) => self.stop(Stopped::Unsupported),
                Located::New(base, place) => {
                    let is_at_part = wanted.kind.is_at_part();
                    let at = (base, place, wanted.bytes);
                    match is_at_part.then(|| self.back_pointer(&flow.state, at)).flatten() {
                        Some(back) => self.access_behind(flow, wanted, (base, place, back), &mut ways),
                        None => self.access_new(flow, wanted, (base, place), &mut ways),
                    }
                }
            }
        }
        ways
    }

    /// Whether a variable is no pointer, as far as the types of the program tell.
    pub(crate) fn is_number(&self, base: TermId) -> bool {
        self.as_var(base).is_some() && !self.pointers.contains(&base)
    }

    pub(crate) fn locate(&mut self, state: State, address: TermId) -> Vec<(State, Located)> {
        let made = self.here();
        let Engine { terms, pointers, .. } = self;
        locate(terms, state, address, &made, &|term| pointers.contains(&term))
    }

    /// The pointer was not met before: the block is the caller's, or that of unknown code.
    fn access_new(
        &mut self,
        mut flow: Flow,
        wanted: Wanted,
        (base, place): (TermId, Place),
        ways: &mut Vec<(Flow, Bytes)>,
    ) {
        let access = self.access_of(&flow.state, wanted, place);
        match self.abduce_block(&mut flow.state, base, &access) {
            Some(block) => self.settle(flow, wanted, Bytes { block, place }, ways),
            None => self.null_access(&flow.state, &wanted),
        }
    }

    /// An address that a member of an object leads to may be that of the very pointer by which the object was found, or another one.
    ///
    /// ```c
    /// e = list->first; *e->previous = e->next;   // `list->first`, in a list whose elements know where they are pointed to from
    /// ```
    fn access_behind(
        &mut self,
        flow: Flow,
        wanted: Wanted,
        (base, place, back): (TermId, Place, TermId),
        ways: &mut Vec<(Flow, Bytes)>,
    ) {
        let apart = self.terms.not(back);
        let mut same = flow.clone();
        if self.assume(&mut same, back, Reason::Needed) {
            ways.extend(self.access(same, wanted));
        }
        let mut other = flow;
        if self.assume(&mut other, apart, Reason::Needed) {
            self.access_new(other, wanted, (base, place), ways);
        }
    }

    /// When an address, which a member of some object of the caller's leads to, is that of a pointer to the object. None: no such pointer is known, or it is decided.
    pub(super) fn back_pointer(
        &mut self,
        state: &State,
        (base, place, bytes): (TermId, Place, u64),
    ) -> Option<TermId> {
        let object = *self.found_in.get(&base)?;
        let own = state.block_at(object)?;
        let leads_to_object = |value: TermId| {
            let linear = self.terms.linear(value);
            matches!(linear.monomials.as_slice(), [only] if only.base == object && only.coefficient == 1)
        };
        // The address is that of the pointer itself, or it is the same member of the structure that the pointer is in.
        let is_candidate = |cell: &&heap::Cell| {
            let is_plausible = place.offset == 0 || place.offset == cell.place.offset;
            cell.place.symbolic.is_none()
                && is_plausible
                && cell.bytes * 8 == self.pointer_bits
                && u64::from(cell.bytes) == bytes
                && leads_to_object(cell.value)
        };
        let mut blocks = state.blocks().filter(|(id, block)| *id != own && block.kind.is_outside());
        let (at, cell) =
            blocks.find_map(|(_, block)| Some((block.base, block.cells.iter().find(is_candidate)?.place)))?;
        if place.symbolic.is_some() {
            return None;
        }
        let (from, to) = (self.plus(base, place.offset), self.plus(at, cell.offset));
        let equal = self.terms.eq(from, to);
        let is_open =
            self.terms.value(equal).is_none() && state.path.facts.decide(&self.terms, equal).is_none();
        is_open.then_some(equal)
    }

    fn plus(&mut self, base: TermId, offset: i64) -> TermId {
        let offset = self.terms.constant(self.pointer_bits, i128::from(offset) as u128);
        self.terms.add(base, offset)
    }

    fn access_of(&self, state: &State, wanted: Wanted, place: Place) -> heap::Access {
        let bytes = i64::try_from(wanted.bytes).unwrap_or(i64::MAX);
        let extent = (place.offset, place.offset.saturating_add(bytes));
        heap::Access { symbolic: place.symbolic, ..state.access(self.here(), wanted.kind, extent) }
    }

    /// A block behind a pointer that the path has not met. None: the path knows that the pointer is null.
    pub(crate) fn abduce_block(
        &mut self,
        state: &mut State,
        base: TermId,
        access: &heap::Access,
    ) -> Option<BlockId> {
        if !state.path.know_nonnull(&mut self.terms, base) {
            return None;
        }
        let vars = self.terms.vars_of(base);
        let is_callers =
            !vars.is_empty() && vars.iter().all(|&var| self.terms.var(var).origin.is_observable());
        let kind = if is_callers { Kind::Abduced } else { Kind::Unknown };
        let was_given =
            state.given.iter().any(|it| it.written != Written::No && self.terms.vars_of(it.pointer) == vars);
        let rest = match is_callers {
            true if was_given => Content::NotFollowed,
            true => Content::Initial,
            false if self.mentions_havoc(base) => Content::NotFollowed,
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

    /// The same for what may be no pointer at all: then nothing is there.
    pub(crate) fn abduce_pointer(
        &mut self,
        state: &mut State,
        base: TermId,
        access: &heap::Access,
    ) -> Option<BlockId> {
        if self.is_number(base) { None } else { self.abduce_block(state, base, access) }
    }

    fn access_block(&mut self, mut flow: Flow, wanted: Wanted, bytes: Bytes, ways: &mut Vec<(Flow, Bytes)>) {
        let block = flow.state.block(bytes.block);
        let (kind, is_allocated, size) = (block.kind, block.status.is_allocated(), block.size);
        if !is_allocated {
            return self.invalid_access(&flow.state, &wanted, bytes);
        }
        if matches!(kind, Kind::Function(_))
            || matches!(kind, Kind::Constant(_)) && wanted.kind == AccessKind::Write
        {
            // A machine stops here, for a reason that the catalog does not know.
            return;
        }
        self.presume_global(&mut flow.state, bytes.block, wanted.kind);
        if let Some(size) = size
            && wanted.bytes > 0
        {
            let from = heap::locate::offset_term(&mut self.terms, bytes.place, self.pointer_bits);
            let fits = heap::locate::fits(&mut self.terms, from, wanted.bytes.into(), size);
            let outside = self.terms.not(fits);
            let ok = self.possible_error(&mut flow, (outside, from), |engine, state| {
                engine.out_of_bounds(state, &wanted, bytes)
            });
            if !ok {
                return;
            }
        } else {
            let access = self.access_of(&flow.state, wanted, bytes.place);
            flow.state.touch(bytes.block, &access);
        }
        self.settle(flow, wanted, bytes, ways);
    }

    /// A global variable becomes part of the presumption when it is first used.
    pub(crate) fn presume_global(&mut self, state: &mut State, block: BlockId, kind: AccessKind) {
        let made = self.here();
        state.presume_global(block, |state| state.access(made, kind, (0, 0)));
    }

    fn settle(&mut self, flow: Flow, wanted: Wanted, bytes: Bytes, ways: &mut Vec<(Flow, Bytes)>) {
        let made = self.here();
        let Ok(len) = u32::try_from(wanted.bytes.max(1)) else {
            ways.push((flow, bytes));
            return;
        };
        let at = (bytes.place, len);
        let settled = settle(&mut self.terms, flow.state.clone(), bytes.block, at, &made);
        if settled.is_empty() {
            self.give_up(flow.state.clone(), Stopped::Alias);
        }
        for (state, place) in settled {
            ways.push((flow.with(state), Bytes { block: bytes.block, place }));
        }
    }

    /// Forks on a condition about a value that would be an error. The error is recorded if the path forces it, or if it is the caller's doing; the path goes on without it.
    /// `false`: it cannot.
    pub(crate) fn possible_error(
        &mut self,
        flow: &mut Flow,
        (error, value): (TermId, TermId),
        record: impl FnOnce(&mut Self, &State),
    ) -> bool {
        if self.terms.value(error) == Some(0) {
            return true;
        }
        match flow.state.path.facts.decide(&self.terms, error) {
            Some(false) => return true,
            Some(true) => {
                record(self, &flow.state);
                return false;
            }
            None => {}
        }
        let ok = self.terms.not(error);
        if self.is_callers_doing(error) {
            let mut wrong = flow.clone();
            let condition = Condition { term: error, made: self.here(), reason: Reason::Needed };
            if wrong.state.path.assume(&mut self.terms, condition) {
                record(self, &wrong.state);
            }
        } else if self.is_forced(&flow.state, ok) {
            record(self, &flow.state);
            return false;
        } else if let Some(wrong) = self.forced_by_a_choice(flow, error, value) {
            record(self, &wrong.state);
        }
        self.assume(flow, ok, Reason::Needed)
    }

    /// The path on which a choice inside of a value (`c ? 0 : n`) makes an error certain.
    fn forced_by_a_choice(&mut self, flow: &Flow, error: TermId, value: TermId) -> Option<Flow> {
        let mut choices = Vec::new();
        term::Walk::lend(|walk| {
            walk.subterms(&self.terms, &[value], |term| {
                if let term::Node::Ite(condition, ..) = self.terms.node(term) {
                    choices.push(condition);
                }
            });
        });
        for condition in choices.into_iter().take(MAX_CHOICES) {
            let negation = self.terms.not(condition);
            for side in [condition, negation] {
                let mut way = flow.clone();
                if self.assume(&mut way, side, Reason::Branch)
                    && way.state.path.facts.decide(&self.terms, error) == Some(true)
                {
                    return Some(way);
                }
            }
        }
        None
    }

    /// Whether a condition is about nothing but what a caller chooses.
    pub(crate) fn is_callers_doing(&self, condition: TermId) -> bool {
        let mut vars = self.terms.vars_of(condition);
        vars.retain(|&var| {
            self.roles[var] != heap::VarRole::Local || self.terms.var(var).origin != Origin::Allocation
        });
        vars.iter().all(|&var| self.terms.var(var).origin.is_observable())
    }

    /// Whether the path contradicts a condition, down to the bits.
    pub(super) fn is_forced(&mut self, state: &State, ok: TermId) -> bool {
        if self.forced_queries >= base::limits::SPLIT_FORCED {
            return false;
        }
        let mut query = self.terms.connected(&[ok], state.path.terms());
        // What no decision of the path is about cannot be forced.
        if query.is_empty() {
            return false;
        }
        self.forced_queries += 1;
        self.steps += base::limits::SPLIT_QUERY;
        query.push(ok);
        self.solver.check(&self.terms, &query).is_unsat()
    }
}

/// Choices inside of one value that are looked at.
const MAX_CHOICES: usize = 4;
