//! Calls of library functions: the cases of their models.
//!
//! Departure: a model is data that is interpreted here, not a triple, because lengths of copies and strings are arguments; each access goes through the
//! same rules as that of an instruction (`access`).

use heap::block::Content;
use heap::path::Reason;
use heap::{Block, Kind, Place, Spec, VarRole};
use models::{Arg, Case, Content as NewContent, Model, NoReturn, Ret, Size, Test};
use summary::{Source, Summary};
use term::{Origin, TermId};

use super::call::Calling;
use crate::engine::Engine;
use crate::flow::Flow;
use crate::world::Callee;

impl Engine<'_> {
    pub(super) fn call_model(
        &mut self,
        flow: Flow,
        calling: &Calling<'_>,
        model: &Model,
        next: &mut Vec<Flow>,
    ) {
        if !model.fits(calling.args.len()) {
            return self.call_unknown(flow, calling, &model.name, next);
        }
        if !self.are_sizes_defined(&flow, calling, model) {
            return;
        }
        for case in &model.cases {
            let mut flow = flow.clone();
            if case.when.iter().all(|&test| self.assume_test(&mut flow, calling, test)) {
                self.call_case(flow, calling, (model, case), next);
            }
        }
    }

    /// Whether the sizes of new blocks were written; if not, that is the error of the path, whether the allocation fails or not.
    fn are_sizes_defined(&mut self, flow: &Flow, calling: &Calling<'_>, model: &Model) -> bool {
        let made = self.here();
        let mut checked = Vec::new();
        for case in &model.cases {
            let args = match case.ret {
                Ret::New { size: Size::Arg(at), .. } => [Some(at), None],
                Ret::New { size: Size::Product(a, b), .. } => [Some(a), Some(b)],
                _ => [None, None],
            };
            for at in args.into_iter().flatten() {
                let Some(&size) = calling.args.get(at).filter(|_| !checked.contains(&at)) else { continue };
                if !self.check_defined(&flow.state, size, &made, "as the size of a block") {
                    return false;
                }
                checked.push(at);
            }
        }
        true
    }

    fn assume_test(&mut self, flow: &mut Flow, calling: &Calling<'_>, test: Test) -> bool {
        let (at, zero) = match test {
            Test::Zero(at) => (at, true),
            Test::NonZero(at) => (at, false),
        };
        let Some(&arg) = calling.args.get(at) else { return true };
        let is_zero = self.is_zero(arg);
        let term = if zero { is_zero } else { self.terms.not(is_zero) };
        self.assume(flow, term, Reason::Choice)
    }

    fn call_case(
        &mut self,
        flow: Flow,
        calling: &Calling<'_>,
        (model, case): (&Model, &Case),
        next: &mut Vec<Flow>,
    ) {
        let mut flows = vec![flow];
        for effect in &case.effects {
            let mut after = Vec::new();
            for flow in flows {
                match effect.arg {
                    Arg::At(at) => self.effect(flow, calling, (effect, at), &mut after),
                    Arg::Rest => {
                        let mut each = vec![flow];
                        for at in model.params.unwrap_or(0)..calling.args.len() {
                            let mut done = Vec::new();
                            for flow in each {
                                self.effect(flow, calling, (effect, at), &mut done);
                            }
                            each = done;
                        }
                        after.extend(each);
                    }
                }
            }
            flows = after;
        }
        for flow in flows {
            match model.noreturn {
                Some(NoReturn::Exit | NoReturn::Abort) => self.end_program(flow),
                Some(NoReturn::AssertFailure) => self.assertion(flow),
                Some(NoReturn::Jump) => {}
                None => self.return_behind_others(flow, calling, (model, case), next),
            }
        }
    }

    /// Other code of the program runs before the function returns, if it is one of those.
    fn return_behind_others(
        &mut self,
        mut flow: Flow,
        calling: &Calling<'_>,
        case: (&Model, &Case),
        next: &mut Vec<Flow>,
    ) {
        let habits = case.0.habits;
        if let Some(&function) = habits.runs.and_then(|at| calling.args.get(at)) {
            let alone = Calling { args: Vec::new(), declared: None, ..*calling };
            let n_before = flow.state.n_blocks();
            let mut behind = Vec::new();
            self.call_function_at(flow, &alone, function, &mut behind);
            for mut flow in behind {
                // What it makes is made once, and for ever.
                let made = (n_before..flow.state.n_blocks()).map(base::Id::new);
                made.for_each(|block| flow.state.block_mut(block).escaped = true);
                self.return_case(flow, calling, case, next);
            }
            return;
        }
        if habits.others || self.gets_a_writer(calling) {
            self.havoc_escaped(&mut flow.state);
        }
        self.return_case(flow, calling, case, next);
    }

    /// Whether a library function gets the address of a function of the project that may write variables of the program.
    fn gets_a_writer(&self, calling: &Calling<'_>) -> bool {
        let mut called = calling.args.iter().filter_map(|&arg| match self.roles[self.as_var(arg)?] {
            VarRole::Function(function) => Some(self.world.callee(function)),
            _ => None,
        });
        called.any(|callee| match callee {
            Callee::Model(_) => false,
            Callee::Unknown => true,
            Callee::Summary(it) => {
                it.gave_up || it.incomplete || it.specs.iter().any(|spec| writes_beyond_params(&it, spec))
            }
        })
    }

    /// An assertion that tests what the environment chose is the programmer's own check.
    fn assertion(&mut self, flow: Flow) {
        let is_own = flow.tested.is_some_and(|term| self.is_chosen(term));
        if is_own {
            self.end_program(flow);
        } else {
            self.assertion_fails(&flow.state, flow.tested.is_some());
        }
    }

    fn return_case(
        &mut self,
        mut flow: Flow,
        calling: &Calling<'_>,
        (model, case): (&Model, &Case),
        next: &mut Vec<Flow>,
    ) {
        let body = self.body;
        let Some(result) = body.results(calling.inst).next() else {
            if let Ret::New { .. } = case.ret {
                // The result is thrown away: the block is lost at once.
                let _ = self.value_of(&mut flow, calling, (model, &case.ret), self.pointer_bits);
            }
            next.push(flow);
            return;
        };
        let width = self.width(body.values[result].ty);
        if model.habits.again {
            self.return_again(flow.clone(), calling, width, next);
        }
        if let Some(term) = self.value_of(&mut flow, calling, (model, &case.ret), width) {
            let term = self.resized(term, width);
            self.set_results(&mut flow, calling.inst, &[term]);
            next.push(flow);
        }
    }

    /// `setjmp` returns from `longjmp`: what was written meanwhile is not followed.
    fn return_again(&mut self, mut flow: Flow, calling: &Calling<'_>, width: u32, next: &mut Vec<Flow>) {
        let number = self.inexact(&mut flow.state, width);
        let nonzero = self.terms.nonzero(number);
        if self.assume(&mut flow, nonzero, Reason::Branch) {
            self.set_results(&mut flow, calling.inst, &[number]);
            next.push(flow);
        }
    }

    /// A returned or stored value of `width` bits. None: the path cannot go on.
    pub(super) fn value_of(
        &mut self,
        flow: &mut Flow,
        calling: &Calling<'_>,
        (model, ret): (&Model, &Ret),
        width: u32,
    ) -> Option<TermId> {
        let name = model.name.as_str();
        let origin = self.who_decides(&flow.state, calling, model);
        let arg = |at: usize| calling.args.get(at).copied();
        Some(match ret {
            Ret::Nothing | Ret::Any => self.chosen(flow, name, width, origin),
            Ret::Input => self.chosen(flow, name, width, Origin::Input),
            Ret::Null => self.null_result(flow, (model, origin), width)?,
            Ret::Arg(at) => arg(*at)?,
            Ret::Into(at) => {
                let offset = self.chosen(flow, name, self.pointer_bits, origin);
                let base = arg(*at)?;
                flow.state.choose(heap::Choice::Opaque);
                self.inside(flow, base, offset)?
            }
            Ret::Length(at) => match self.text_length(flow, arg(*at)?) {
                Some(length) => self.terms.constant(width, length.into()),
                None => {
                    let length = self.chosen(flow, name, width, origin);
                    let size = self.as_size(length);
                    self.inside(flow, arg(*at)?, size)?;
                    length
                }
            },
            Ret::Span(at) => {
                let term = self.chosen(flow, name, width, origin);
                if let Some(length) = self.text_length(flow, arg(*at)?) {
                    let most = self.terms.constant(width, length.into());
                    let within = self.terms.ule(term, most);
                    self.assume(flow, within, Reason::Choice).then_some(())?;
                }
                term
            }
            Ret::UpTo { lo, arg: at } => {
                let term = self.chosen(flow, name, width, origin);
                let most = self.resized(arg(*at)?, width);
                let lo = self.number(width, *lo);
                let (above, below) = (self.terms.sle(lo, term), self.terms.sle(term, most));
                let (at_least, within) = (self.terms.eq(term, lo), self.terms.and(above, below));
                let either = self.terms.or(at_least, within);
                self.assume(flow, either, Reason::Choice).then_some(term)?
            }
            Ret::NonNull => {
                let term = self.chosen(flow, name, width, origin);
                self.pointers.insert(term);
                let nonzero = self.terms.nonzero(term);
                self.assume(flow, nonzero, Reason::Choice).then_some(term)?
            }
            Ret::Range { lo, hi } => {
                let term = self.chosen(flow, name, width, origin);
                let (lo, hi) = (self.number(width, *lo), self.number(width, *hi));
                let (above, below) = (self.terms.sle(lo, term), self.terms.sle(term, hi));
                let within = self.terms.and(above, below);
                self.assume(flow, within, Reason::Choice).then_some(term)?
            }
            Ret::Const(value) => self.number(width, *value),
            Ret::New { family, size, content } => {
                self.new_block(flow, calling, (name, family), (*size, *content))?
            }
        })
    }

    fn number(&mut self, width: u32, value: i64) -> TermId {
        self.terms.constant(width, i128::from(value) as u128)
    }

    /// A value that the environment chooses.
    pub(super) fn chosen(&mut self, flow: &mut Flow, name: &str, width: u32, origin: Origin) -> TermId {
        let source = Source { made: self.here(), what: format!("is returned by `{name}`") };
        let term = self.fresh(width, origin, &format!("{name}()"), VarRole::Local, Some(source));
        flow.state.choose(heap::Choice::Opaque);
        term
    }

    /// Who decides what a function returns. One that only reads (`strchr`) is decided by the memory that it is given: the caller's is the caller's
    /// business, and what the function itself put there is not followed. Everything else is the environment.
    fn who_decides(&self, state: &heap::State, calling: &Calling<'_>, model: &Model) -> Origin {
        if !self.declared_memory(calling).writes_nothing() && !model.habits.pure {
            return Origin::UnknownCall;
        }
        let mut decider = Origin::NotFollowed;
        for &arg in &calling.args {
            let blocks = self.blocks_of(state, arg);
            if blocks.is_empty() && self.terms.mentions(arg, Origin::is_observable) {
                decider = Origin::InitialMemory;
            }
            for block in blocks {
                match state.block(block).rest {
                    Content::Unknown => return Origin::UnknownCall,
                    Content::Initial => decider = Origin::InitialMemory,
                    Content::Undefined | Content::Zero | Content::NotFollowed | Content::Image => {}
                }
            }
            let is_outside = |origin: Origin| origin.is_unknown() && origin != Origin::NotFollowed;
            if self.terms.mentions(arg, is_outside) {
                return Origin::UnknownCall;
            }
        }
        decider
    }

    /// The result of a function that failed: null, because the environment chose so.
    fn null_result(
        &mut self,
        flow: &mut Flow,
        (model, decider): (&Model, Origin),
        width: u32,
    ) -> Option<TermId> {
        let name = &model.name;
        let origin = if decider == Origin::UnknownCall { Origin::Allocation } else { decider };
        let source = Source { made: self.here(), what: format!("is returned by `{name}`, which may fail") };
        let term = self.fresh(width, origin, &format!("{name}()"), VarRole::Local, Some(source));
        flow.state.choose(if allocates(model) {
            heap::Choice::Allocation(term)
        } else {
            heap::Choice::Opaque
        });
        let is_null = self.is_zero(term);
        self.assume(flow, is_null, Reason::Choice).then_some(term)
    }

    /// A pointer into the block of another one, not before it and not beyond its end.
    fn inside(&mut self, flow: &mut Flow, base: TermId, offset: TermId) -> Option<TermId> {
        let limit = self.number(self.pointer_bits, i64::from(i32::MAX));
        let mut near = self.terms.ule(offset, limit);
        if let [(_, heap::Located::In(block, place))] = self.locate(flow.state.clone(), base)[..]
            && let Some(size) = flow.state.block(block).size
        {
            let from = heap::locate::offset_term(&mut self.terms, place, self.pointer_bits);
            let at = self.terms.add(from, offset);
            let within = self.terms.ult(at, size);
            near = self.terms.and(near, within);
        }
        // That it is near is a law, not a choice of the environment.
        flow.state.path.define(&self.terms, near);
        flow.state.path.know(&mut self.terms, near).then(|| self.terms.add(base, offset))
    }

    /// `[emp] x = malloc(n) [ok: ∃L. x = L * L ↦ _[n]]`
    fn new_block(
        &mut self,
        flow: &mut Flow,
        calling: &Calling<'_>,
        (name, family): (&str, &str),
        (size, content): (Size, NewContent),
    ) -> Option<TermId> {
        let made = self.here();
        let source = Source { made: made.clone(), what: format!("is allocated by `{name}`") };
        let base = self.fresh(
            self.pointer_bits,
            Origin::Allocation,
            &format!("{name}()"),
            VarRole::Local,
            Some(source),
        );
        self.pointers.insert(base);
        if !flow.state.path.know_nonnull(&mut self.terms, base) {
            return None;
        }
        let size = self.size_of(flow, calling, size)?;
        self.define_size(flow, size);
        let family = self.family_number(family);
        let rest = match content {
            NewContent::Uninit | NewContent::From(_) => Content::Undefined,
            NewContent::Zeroed => Content::Zero,
            NewContent::String => Content::Unknown,
            // What a library makes has invariants that nobody knows here.
            NewContent::Unknown => Content::NotFollowed,
        };
        let mut block = Block::new(base, size, Kind::Heap(family), rest);
        block.made = Some(made);
        let id = flow.state.add_block(block);
        flow.state.choose(heap::Choice::Allocation(base));
        if let NewContent::From(at) = content
            && let Some(&from) = calling.args.get(at)
        {
            self.copy_content(flow, from, id);
        }
        Some(base)
    }

    /// No block is larger than the address space: contexts that ask for one do not count.
    fn define_size(&mut self, flow: &mut Flow, size: Option<TermId>) {
        let Some(size) = size.filter(|&size| self.terms.value(size).is_none()) else { return };
        let most = self.terms.constant(self.pointer_bits, heap::state::ADDRESS_END);
        let fits = self.terms.ule(size, most);
        flow.state.path.define(&self.terms, fits);
    }

    /// The bytes of a new block. `Some(None)`: nobody knows.
    fn size_of(&mut self, flow: &mut Flow, calling: &Calling<'_>, size: Size) -> Option<Option<TermId>> {
        let arg = |at: usize| calling.args.get(at).copied();
        Some(match size {
            Size::Const(bytes) => Some(self.terms.constant(self.pointer_bits, bytes.into())),
            Size::Arg(at) => Some(self.as_size(arg(at)?)),
            Size::Product(a, b) => {
                let (a, b) = (self.as_size(arg(a)?), self.as_size(arg(b)?));
                let overflows = self.terms.umul_overflow(a, b);
                let fits = self.terms.not(overflows);
                if self.terms.value(fits) == Some(0) {
                    return None;
                }
                flow.state.path.define(&self.terms, fits);
                Some(self.terms.mul(a, b))
            }
            Size::StringOf(at) => {
                let length = self.text_length(flow, arg(at)?);
                length.map(|length| self.terms.constant(self.pointer_bits, u128::from(length) + 1))
            }
            Size::Unknown => None,
        })
    }

    /// The content of an old block, as far as both reach, in a new one.
    fn copy_content(&mut self, flow: &mut Flow, from: TermId, to: heap::BlockId) {
        let Some(old_id) = flow.state.block_at(from) else { return };
        let old = flow.state.block(old_id).clone();
        let bytes = |size: Option<TermId>| size.and_then(|size| self.terms.value(size));
        let (old_bytes, new_bytes) = (bytes(old.size), bytes(flow.state.block(to).size));
        if let (Some(old_bytes), Some(new_bytes)) = (old_bytes, new_bytes)
            && old_bytes.min(new_bytes) <= base::limits::SPLIT_COPY.into()
        {
            let (from, to) = (
                super::Bytes { block: old_id, place: Place::at(0) },
                super::Bytes { block: to, place: Place::at(0) },
            );
            let len = old_bytes.min(new_bytes) as u64;
            return self.copy_known(&mut flow.state, to, from, len);
        }
        let fits = |cell: &&heap::Cell| match (new_bytes, cell.place.symbolic) {
            (Some(size), None) => cell.end() as i128 <= size as i128,
            _ => true,
        };
        let cells: Vec<heap::Cell> = old.cells.iter().filter(fits).copied().collect();
        flow.state.block_mut(old_id).copied = true;
        let epoch = self.epoch.begin();
        let block = flow.state.block_mut(to);
        block.cells = cells;
        block.epoch = epoch;
        // Bytes that were never looked at are copied, too; nothing is said of them.
        block.rest = if old.rest == Content::Undefined { Content::Undefined } else { Content::NotFollowed };
    }

    pub(crate) fn family_number(&self, name: &str) -> u16 {
        self.world.library().families().position(|family| family.name == name).unwrap_or(0) as u16
    }

    /// What is reported when a block of a family is lost.
    pub(crate) fn leak_issue(&self, family: u16) -> catalog::Issue {
        let family = self.world.library().families().nth(family.into());
        family.map_or(catalog::Issue::MemoryLeak, |family| family.leak)
    }

    /// The length of a text whose bytes are all known.
    pub(super) fn text_length(&mut self, flow: &mut Flow, pointer: TermId) -> Option<u64> {
        let located = self.locate(flow.state.clone(), pointer);
        let [(_, heap::Located::In(block, place))] = located[..] else { return None };
        if place.symbolic.is_some() {
            return None;
        }
        for at in 0..MAX_TEXT {
            let size = flow.state.block(block).size.and_then(|size| self.terms.value(size))?;
            let place: Place = place.plus(at as i64);
            if place.offset < 0 || place.offset as u128 >= size {
                return None;
            }
            let byte = self.read(&mut flow.state, super::Bytes { block, place }, 1, None);
            match self.terms.value(byte)? {
                0 => return Some(at),
                _ => continue,
            }
        }
        None
    }
}

/// Bytes of the longest text that is read byte by byte.
const MAX_TEXT: u64 = 256;

/// Whether some outcome of the function is a new block that only an allocation can refuse.
fn allocates(model: &Model) -> bool {
    model.cases.iter().any(|case| matches!(&case.ret, Ret::New { family, .. } if family == "malloc"))
}

/// Whether a triple changes memory of the program that it was not given.
fn writes_beyond_params(summary: &Summary, spec: &Spec) -> bool {
    let is_changed = |pre: &heap::PreBlock| {
        let post = &spec.post[base::Id::index(pre.block)];
        post.rest != Content::Initial || post.cells.iter().any(|cell| !pre.cells.contains(cell))
    };
    spec.exposed || spec.pre.iter().any(|pre| summary.param(pre.base).is_none() && is_changed(pre))
}
