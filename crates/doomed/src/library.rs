//! Calls of library functions, as their models say.
//!
//! Law: whatever the function does is among what is assumed here; a check is added only for what every such
//! call does under its condition.

use ir::{Body, Call, Inst, LocId, Operand, Terminator, Type, ValueDef};
use models::{Arg, Case, Effect, Len, Model, NoReturn, Ret, Size, Test, What};
use term::{Origin, TermId};

use crate::frame::Frame;
use crate::memory::{Kind, Memory, Object};
use crate::passive::{Failure, Freeing, GaveUp, Item, Passive};
use crate::step::At;

impl<'w> Passive<'w> {
    /// A call of a library function.
    pub(crate) fn model(
        &mut self,
        frame: &mut Frame<'w>,
        at: At,
        memory: &mut Memory,
        data: &Call,
        model: &Model,
    ) -> Result<(), GaveUp> {
        if model.noreturn == Some(NoReturn::AssertFailure) {
            if is_tested(frame, at) {
                self.fails(frame, at.node, Failure::Assertion, at.loc);
            }
            self.stop(frame, at);
            return Ok(());
        }
        let args: Vec<Option<TermId>> =
            data.args.iter().map(|&it| self.operand(frame, at.node, it)).collect();
        let mut values = Vec::new();
        let chosen = self.cases(frame, at, &args, &model.cases);
        let may_fail = is_plain_allocation(&model.cases);
        for (case, &when) in model.cases.iter().zip(&chosen) {
            if self.terms.value(when) == Some(0) {
                continue;
            }
            let freed_before = memory.clone();
            for effect in &case.effects {
                self.effect(frame, at, memory, (data, &args), effect, (when, &freed_before));
            }
            values.push((when, self.returns(frame, at, &args, (&case.ret, may_fail), when)));
        }
        let each: Option<Vec<TermId>> = values.iter().map(|it| it.1).collect();
        let ways: Vec<TermId> = values.iter().map(|it| it.0).collect();
        let value = each.filter(|it| !it.is_empty()).map(|each| self.join(&ways, &each));
        self.define(frame, at, value);
        if model.noreturn.is_some() || data.noreturn {
            self.stop(frame, at);
        }
        Ok(())
    }

    /// When each case happens: any of those whose tests hold.
    fn cases(
        &mut self,
        frame: &mut Frame<'w>,
        at: At,
        args: &[Option<TermId>],
        cases: &[Case],
    ) -> Vec<TermId> {
        let tested: Vec<TermId> = cases
            .iter()
            .map(|case| {
                let tests: Vec<TermId> = case.when.iter().map(|&it| self.test(args, it)).collect();
                self.terms.conjunction(&tests)
            })
            .collect();
        if is_plain_allocation(cases) || cases.len() == 1 {
            return tested;
        }
        let which = self.any(8);
        let mut chosen = Vec::with_capacity(cases.len());
        for (number, &tests) in tested.iter().enumerate() {
            let number = self.terms.constant(8, number as u128);
            let is_this = self.terms.eq(which, number);
            chosen.push(self.terms.and(is_this, tests));
        }
        let some = self.terms.disjunction(&chosen);
        frame.items[at.node].push(Item::Assume(some));
        chosen
    }

    fn test(&mut self, args: &[Option<TermId>], test: Test) -> TermId {
        let (number, zero) = match test {
            Test::Zero(number) => (number, true),
            Test::NonZero(number) => (number, false),
        };
        match args.get(number).copied().flatten() {
            Some(arg) if zero => self.terms.is_zero(arg),
            Some(arg) => self.terms.nonzero(arg),
            None => self.any(1),
        }
    }

    /// The value that a case returns. `may_fail`: a new block stands for null, too.
    fn returns(
        &mut self,
        frame: &mut Frame<'w>,
        at: At,
        args: &[Option<TermId>],
        (ret, may_fail): (&Ret, bool),
        when: TermId,
    ) -> Option<TermId> {
        let result = frame.body.results(at.inst).next()?;
        let ty = frame.body.values[result].ty;
        let any = self.fresh(ty, Origin::UnknownCall)?;
        let width = self.terms.width(any);
        let holds = match *ret {
            Ret::Null => return Some(self.terms.constant(width, 0)),
            Ret::Const(value) => return Some(self.terms.constant(width, i128::from(value) as u128)),
            Ret::Arg(number) => {
                return args
                    .get(number)
                    .copied()
                    .flatten()
                    .filter(|&it| self.terms.width(it) == width)
                    .or(Some(any));
            }
            Ret::NonNull | Ret::Into(_) if ty == Type::Ptr => self.terms.nonzero(any),
            Ret::New { size, .. } if ty == Type::Ptr => {
                let size = self.size(args, size);
                self.objects.add(any, Object { kind: Kind::Heap, size });
                if may_fail {
                    return Some(any);
                }
                self.terms.nonzero(any)
            }
            Ret::Range { lo, hi } => {
                let lo = self.terms.constant(width, i128::from(lo) as u128);
                let hi = self.terms.constant(width, i128::from(hi) as u128);
                let (above, below) = (self.terms.sle(lo, any), self.terms.sle(any, hi));
                self.terms.and(above, below)
            }
            _ => return Some(any),
        };
        let holds = self.terms.implies(when, holds);
        frame.items[at.node].push(Item::Assume(holds));
        Some(any)
    }

    /// An argument that is a number of bytes or elements.
    fn count(&self, args: &[Option<TermId>], number: usize) -> Option<TermId> {
        args.get(number).copied().flatten().filter(|&it| self.terms.width(it) == self.pointer_bits)
    }

    fn size(&mut self, args: &[Option<TermId>], size: Size) -> Option<TermId> {
        match size {
            Size::Const(bytes) => Some(self.terms.constant(self.pointer_bits, bytes.into())),
            Size::Arg(number) => self.count(args, number),
            Size::Product(a, b) => {
                let (a, b) = (self.count(args, a)?, self.count(args, b)?);
                // A product that wraps is no size.
                (self.terms.value(a).is_some() && self.terms.value(b).is_some()).then(|| self.terms.mul(a, b))
            }
            Size::StringOf(_) | Size::Unknown => None,
        }
    }

    /// One step of a case.
    fn effect(
        &mut self,
        frame: &mut Frame<'w>,
        at: At,
        memory: &mut Memory,
        (data, args): (&Call, &[Option<TermId>]),
        effect: &Effect,
        (when, before): (TermId, &Memory),
    ) {
        let numbers: Vec<usize> = match effect.arg {
            Arg::At(number) => vec![number],
            Arg::Rest => (data.signature.params.len()..args.len()).collect(),
        };
        for number in numbers {
            let (Some(&operand), Some(&Some(pointer))) = (data.args.get(number), args.get(number)) else {
                continue;
            };
            if frame.body.ty(operand) != Type::Ptr {
                continue;
            }
            let when = if effect.null_ok {
                let nonnull = self.terms.nonzero(pointer);
                self.terms.and(when, nonnull)
            } else {
                when
            };
            let place = Given { at, operand, pointer, when };
            match &effect.what {
                What::Access { len, .. } => self.touch(frame, before, place, args, *len),
                What::Fill { len, .. } => {
                    self.touch(frame, before, place, args, *len);
                    self.overwrite(frame, at.node, memory, operand);
                }
                What::Copy { src, len, .. } => {
                    self.touch(frame, before, place, args, *len);
                    if let (Some(&operand), Some(&Some(pointer))) = (data.args.get(*src), args.get(*src)) {
                        self.touch(frame, before, Given { operand, pointer, ..place }, args, *len);
                    }
                    self.overwrite(frame, at.node, memory, operand);
                }
                What::Write { bytes, .. } => {
                    let len = Len::Const(u64::from(*bytes));
                    self.touch(frame, before, place, args, len);
                    self.overwrite(frame, at.node, memory, operand);
                }
                What::Havoc { .. } => self.overwrite(frame, at.node, memory, operand),
                What::Free { behind: false, .. } => self.release(frame, memory, place),
                What::Free { behind: true, .. } => self.overwrite(frame, at.node, memory, operand),
                What::Format { .. } => {
                    for &rest in &data.args[data.signature.params.len().min(data.args.len())..] {
                        self.overwrite(frame, at.node, memory, rest);
                    }
                }
                What::Freeable { .. } | What::Escape | What::Output => {}
            }
        }
    }

    /// An access of a library function.
    fn touch(
        &mut self,
        frame: &mut Frame<'w>,
        memory: &Memory,
        place: Given,
        args: &[Option<TermId>],
        len: Len,
    ) {
        // Where it is not known how many bytes are meant, one is, unless the greatest number is zero.
        let (bytes, needs) = match len {
            Len::Const(0) => return,
            Len::Const(bytes) => (Some(self.terms.constant(self.pointer_bits, bytes.into())), None),
            Len::Arg(number) => match self.count(args, number) {
                Some(len) => (Some(len), Some(self.terms.nonzero(len))),
                None => return,
            },
            Len::Product(a, b) => match (self.count(args, a), self.count(args, b)) {
                (Some(a), Some(b)) => {
                    let (a, b) = (self.terms.nonzero(a), self.terms.nonzero(b));
                    (None, Some(self.terms.and(a, b)))
                }
                _ => return,
            },
            Len::StringMax(number) | Len::AnyMax(number) => match self.count(args, number) {
                Some(len) => (None, Some(self.terms.nonzero(len))),
                None => return,
            },
            Len::String | Len::Any | Len::Within(_) => (None, None),
        };
        let when = match needs {
            Some(needs) => self.terms.and(place.when, needs),
            None => place.when,
        };
        if self.terms.value(when) == Some(0) {
            return;
        }
        self.access_if(frame, place.at, memory, (place.operand, place.pointer), bytes, Some(when));
    }

    /// `free(p)`: not twice, and not what was not allocated.
    fn release(&mut self, frame: &mut Frame<'w>, memory: &mut Memory, place: Given) {
        let Given { at, operand, pointer, when } = place;
        let (root, offset) = self.objects.origin(&mut self.terms, pointer);
        if self.objects.is_address(root) {
            let ok = self.terms.not(when);
            self.checked(frame, at, ok, None, Failure::InvalidFree(operand), None);
            return;
        }
        let freed = memory.is_freed(&mut self.terms, root);
        if self.terms.value(freed) != Some(0) {
            let ok = self.terms.not(freed);
            self.checked(frame, at, ok, Some(when), Failure::FreedAgain(operand, root), None);
        }
        if self.terms.value(offset) == Some(0) {
            let nonnull = self.terms.nonzero(root);
            let when = self.terms.and(when, nonnull);
            memory.free(&mut self.terms, root, when);
            frame.items[at.node].push(Item::Free(Freeing { root, when, loc: at.loc }));
        }
    }
}

/// A pointer that a library function is given.
#[derive(Clone, Copy)]
struct Given {
    at: At,
    operand: Operand,
    pointer: TermId,
    /// When it is used.
    when: TermId,
}

/// `malloc`: a new block or null, and nothing else happens. One variable stands for both.
fn is_plain_allocation(cases: &[Case]) -> bool {
    cases.len() == 2
        && cases.iter().all(|case| case.effects.is_empty() && case.when.is_empty())
        && matches!((&cases[0].ret, &cases[1].ret), (Ret::New { .. }, Ret::Null))
}

/// Whether the failure of an assertion is decided by its own test: a branch at the very place of the call. `assert(0)` has none, and `assert(!"text")` one that no variable decides: they are
/// meant as they stand.
fn is_tested(frame: &Frame<'_>, at: At) -> bool {
    let module = frame.code.module;
    let place = |loc: LocId| {
        let data = module.locs[loc];
        (data.file, data.line, data.column)
    };
    let preds = frame.copies.cfg.predecessors(frame.copies.nodes[at.node].block);
    !preds.is_empty()
        && preds.iter().all(|&pred| {
            let data = &frame.body.blocks[pred];
            let is_decided =
                matches!(data.term, Terminator::Branch { cond, .. } if !is_literal(frame.body, cond, 8));
            is_decided && place(data.term_loc) == place(at.loc)
        })
}

/// Whether a value is made of literals only, the text of a string included.
fn is_literal(body: &Body, operand: Operand, depth: u32) -> bool {
    let Some(value) = operand.value() else { return true };
    let ValueDef::Result(inst, _) = body.values[value].def else { return false };
    let is_made = matches!(
        body.insts[inst].inst,
        Inst::Compare { .. }
            | Inst::Cast { .. }
            | Inst::Unary { .. }
            | Inst::Binary { .. }
            | Inst::PtrAdd { .. }
            | Inst::Load { .. }
    );
    let mut all = is_made && depth > 0;
    body.each_operand(inst, |operand| all = all && is_literal(body, operand, depth - 1));
    all
}
