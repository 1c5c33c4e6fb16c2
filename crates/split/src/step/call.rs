//! Calls: who is called, and by which of the three ways its effect is known.

use heap::path::Reason;
use heap::{Given, Kind, VarRole, Written};
use ir::{Call, CallId, Callee as Whom, FuncId, InstId, ParamAttrs, Type};
use models::Model;
use smallvec::SmallVec;
use summary::{Returned, Source, Summary};
use term::{Origin, TermId};

use crate::engine::Engine;
use crate::flow::Flow;
use crate::world::Callee;

/// A call under way.
#[derive(Clone)]
pub(crate) struct Calling<'c> {
    pub(crate) inst: InstId,
    pub(crate) call: &'c Call,
    pub(crate) id: CallId,
    pub(crate) args: Vec<TermId>,
    /// The declaration of the callee, if the call names it.
    pub(crate) declared: Option<FuncId>,
}

/// Functions that one call through a pointer is followed into.
const MAX_TARGETS: usize = 8;

impl<'a> Engine<'a> {
    pub(super) fn call(&mut self, mut flow: Flow, inst: InstId, call: CallId, next: &mut Vec<Flow>) {
        let body = self.body;
        let id = call;
        let call = &body.calls[id];
        let args: Vec<TermId> = call.args.iter().map(|&arg| self.operand(&mut flow, arg)).collect();
        match call.callee {
            Whom::Func(function) => {
                let calling = Calling { inst, call, id, args, declared: Some(function) };
                let targets = self.world.function(function);
                self.call_any(flow, &calling, &targets, next);
            }
            Whom::Ptr(pointer) => {
                let calling = Calling { inst, call, id, args, declared: None };
                let address = self.operand(&mut flow, pointer);
                self.call_pointer(flow, &calling, (pointer, address), next);
            }
            Whom::Asm(_) => {
                let calling = Calling { inst, call, id, args, declared: None };
                self.call_unknown(flow, &calling, "inline assembly", next);
            }
        }
    }

    fn call_any(&mut self, flow: Flow, calling: &Calling<'_>, targets: &[u32], next: &mut Vec<Flow>) {
        for &target in targets {
            let before = next.len();
            let mut flow = flow.clone();
            match self.world.callee(target) {
                Callee::Summary(summary) if !summary.gave_up => {
                    self.let_rest_escape(&mut flow, calling, &summary);
                    self.call_summary(flow, calling, &summary, next);
                }
                Callee::Model(model) => self.call_model(flow, calling, model, next),
                Callee::Summary(summary) => {
                    *self.unknown_calls.entry(target).or_default() += 1;
                    self.let_rest_escape(&mut flow, calling, &summary);
                    self.call_given_up(&flow, calling, &summary);
                    self.call_stand_in(flow, calling, &summary, next);
                }
                Callee::Unknown => {
                    *self.unknown_calls.entry(target).or_default() += 1;
                    let name = self.world.name(target);
                    self.call_unknown(flow, calling, &name, next);
                }
            }
            if self.world.never_returns_null(target) {
                let returned = next.split_off(before);
                next.extend(returned.into_iter().filter_map(|flow| self.without_null(flow, calling)));
            }
        }
    }

    /// What a function takes out of its variadic arguments may be anywhere behind the call.
    fn let_rest_escape(&self, flow: &mut Flow, calling: &Calling<'_>, summary: &Summary) {
        let n_params = calling.call.signature.params.len();
        if let Some(rest) = calling.args.get(n_params..).filter(|_| summary.takes_rest) {
            self.let_escape(&mut flow.state, rest);
        }
    }

    /// The path, if the first result of the call can be other than null: the user says that it is.
    fn without_null(&mut self, mut flow: Flow, calling: &Calling<'_>) -> Option<Flow> {
        let Some(result) = self.body.results(calling.inst).next() else { return Some(flow) };
        let term = self.operand(&mut flow, result.into());
        let nonzero = self.terms.nonzero(term);
        self.assume(&mut flow, nonzero, Reason::Choice).then_some(flow)
    }

    /// A call through a pointer: whatever functions it can be on this path.
    fn call_pointer(
        &mut self,
        flow: Flow,
        calling: &Calling<'_>,
        (pointer, address): (ir::Operand, TermId),
        next: &mut Vec<Flow>,
    ) {
        let made = self.here();
        if !self.check_defined(&flow.state, address, &made, "as a function to call") {
            return;
        }
        let wanted =
            super::access::Wanted { address, operand: Some(pointer), bytes: 0, kind: heap::AccessKind::Call };
        let mut targets = 0;
        for (mut state, located) in self.locate(flow.state.clone(), address) {
            targets += 1;
            if targets > MAX_TARGETS {
                return;
            }
            match located {
                heap::Located::Null => self.null_access(&state, &wanted),
                heap::Located::In(block, _) => match state.block(block).kind {
                    Kind::Function(function) => {
                        self.call_any(flow.with(state), calling, &[function], next);
                    }
                    _ => self.call_known(flow.with(state), calling, next),
                },
                heap::Located::New(base, _) => {
                    let access = state.access(self.here(), heap::AccessKind::Call, (0, 1));
                    if self.abduce_block(&mut state, base, &access).is_some() {
                        self.call_known(flow.with(state), calling, next);
                    } else {
                        self.null_access(&state, &wanted);
                    }
                }
            }
        }
    }

    /// A library function calls what it got.
    pub(super) fn call_function_at(
        &mut self,
        flow: Flow,
        calling: &Calling<'_>,
        address: TermId,
        next: &mut Vec<Flow>,
    ) {
        for (mut state, located) in self.locate(flow.state.clone(), address).into_iter().take(MAX_TARGETS) {
            match located {
                heap::Located::Null => {}
                heap::Located::In(block, _) => match state.block(block).kind {
                    Kind::Function(function) => self.call_any(flow.with(state), calling, &[function], next),
                    _ => self.call_unknown(flow.with(state), calling, "a function pointer", next),
                },
                heap::Located::New(base, _) => {
                    let access = state.access(self.here(), heap::AccessKind::Call, (0, 1));
                    if self.abduce_block(&mut state, base, &access).is_some() {
                        self.call_unknown(flow.with(state), calling, "a function pointer", next);
                    }
                }
            }
        }
    }

    /// A call through a pointer that came from elsewhere: to the function that the project puts there, if it puts one there and no other.
    ///
    /// Which of several it is would be for the caller to choose.
    fn call_known(&mut self, flow: Flow, calling: &Calling<'_>, next: &mut Vec<Flow>) {
        match self.world.targets(calling.id).as_slice() {
            [target] => self.call_any(flow, calling, &[*target], next),
            _ => self.call_unknown(flow, calling, "a function pointer", next),
        }
    }

    /// Code that nobody knows: any result; memory behind pointers may be written, and pointers kept.
    pub(crate) fn call_unknown(
        &mut self,
        mut flow: Flow,
        calling: &Calling<'_>,
        name: &str,
        next: &mut Vec<Flow>,
    ) {
        if self.is_noreturn(calling) {
            return self.end_program(flow);
        }
        if !self.passes_written_pointers(&flow, calling) {
            return;
        }
        if let Some(again) = self.answered_again(&mut flow, calling) {
            self.set_results(&mut flow, calling.inst, &[again]);
            next.push(flow);
            return;
        }
        self.let_write(&mut flow, calling, Written::Unknown);
        let results = self.unknown_results(&mut flow, calling, name);
        if let (Some(id), true) = (calling.declared, self.declared_memory(calling).writes_nothing()) {
            let asked = (id, calling.args.to_vec());
            results.iter().for_each(|&result| drop(self.answers.insert(result, asked.clone())));
        }
        self.set_results(&mut flow, calling.inst, &results);
        next.push(flow);
    }

    /// What unknown code that writes nothing returns if the path has asked it the same before: the same, if it reads nothing either; else nobody knows.
    ///
    /// ```c
    /// int is_verbose(void) __attribute__((const));
    /// ```
    fn answered_again(&mut self, flow: &mut Flow, calling: &Calling<'_>) -> Option<TermId> {
        let id = calling.declared?;
        let is_answer = |&term: &TermId| {
            self.answers.get(&term).is_some_and(|(asked, args)| *asked == id && *args == *calling.args)
        };
        let known = flow.state.choices.iter().filter_map(|choice| choice.term()).find(is_answer)?;
        match self.declared_memory(calling).reads_nothing() {
            true => Some(known),
            false => Some(self.inexact(&mut flow.state, self.terms.width(known))),
        }
    }

    pub(super) fn declared_memory(&self, calling: &Calling<'_>) -> ir::MemoryEffects {
        calling.declared.map(|id| self.module.functions[id].attrs.memory).unwrap_or_default()
    }

    /// Whether all pointers that are passed were written. Numbers may be passed without being looked at, and parts of structures are left unwritten; who
    /// passes a pointer means something by it.
    fn passes_written_pointers(&mut self, flow: &Flow, calling: &Calling<'_>) -> bool {
        let made = self.here();
        (0..calling.args.len()).all(|at| {
            let is_pointer = calling.call.args.get(at).is_some_and(|&arg| self.body.ty(arg) == Type::Ptr);
            !is_pointer
                || !self.promises(calling, at).noundef
                || self.check_defined(&flow.state, calling.args[at], &made, "as an argument")
        })
    }

    fn is_noreturn(&self, calling: &Calling<'_>) -> bool {
        let declared = calling.declared.map(|id| &self.module.functions[id]);
        calling.call.noreturn || declared.is_some_and(|function| function.attrs.noreturn)
    }

    /// A function of the project that was given up, or none of whose triples could be compared with this state: a model stands in for it, if there is one.
    pub(super) fn call_stand_in(
        &mut self,
        flow: Flow,
        calling: &Calling<'_>,
        summary: &Summary,
        next: &mut Vec<Flow>,
    ) {
        match self.stand_in(calling, summary.function) {
            Some(model) => self.call_model(flow, calling, model, next),
            None => self.call_inexactly(flow, calling, summary, next),
        }
    }

    pub(super) fn stand_in(&self, calling: &Calling<'_>, function: u32) -> Option<&'a Model> {
        self.world.stand_in(function).filter(|it| it.fits(calling.args.len()))
    }

    /// What such a function returns is not followed, and nobody's choice; unless it returns the same on all paths.
    pub(super) fn call_inexactly(
        &mut self,
        mut flow: Flow,
        calling: &Calling<'_>,
        summary: &Summary,
        next: &mut Vec<Flow>,
    ) {
        if self.is_noreturn(calling) {
            return self.end_program(flow);
        }
        self.let_write(&mut flow, calling, Written::NotFollowed);
        flow.state.choose(heap::Choice::Opaque);
        let body = self.body;
        let results: SmallVec<[TermId; 2]> = body
            .results(calling.inst)
            .enumerate()
            .map(|(at, result)| {
                let width = self.width(body.values[result].ty);
                match summary.returned.filter(|_| at == 0) {
                    Some(Returned::Param(at)) if (at as usize) < calling.args.len() => {
                        self.resized(calling.args[at as usize], width)
                    }
                    Some(Returned::Number(number)) => self.terms.constant(width, number),
                    _ => self.inexact(&mut flow.state, width),
                }
            })
            .collect();
        self.set_results(&mut flow, calling.inst, &results);
        next.push(flow);
    }

    /// Memory behind the pointers that are passed, and all that code elsewhere may know, may be written.
    fn let_write(&mut self, flow: &mut Flow, calling: &Calling<'_>, how: Written) {
        let memory = self.declared_memory(calling);
        let mut havoced = false;
        for (at, &arg) in calling.args.iter().enumerate() {
            let attrs = self.promises(calling, at);
            let may_write = memory.args.write && !attrs.readonly;
            let written = if may_write { how } else { Written::No };
            // Who writes nothing keeps nothing.
            let kept = !memory.writes_nothing() && !attrs.nocapture;
            let given = Given { pointer: arg, written, kept };
            havoced |= self.give_away(&mut flow.state, given);
        }
        if memory.other.write {
            havoced |= self.havoc_escaped(&mut flow.state);
        }
        if havoced {
            flow.state.choose(heap::Choice::Opaque);
        }
    }

    /// What is promised of an argument, by the call or by the declaration.
    fn promises(&self, calling: &Calling<'_>, at: usize) -> ParamAttrs {
        let declared = calling.declared.map(|id| &self.module.functions[id]);
        let of_param =
            declared.and_then(|function| function.param_attrs.get(at)).copied().unwrap_or_default();
        let of_arg = calling.call.arg_attrs.get(at).copied().unwrap_or_default();
        ParamAttrs {
            readonly: of_param.readonly || of_arg.readonly,
            nocapture: of_param.nocapture || of_arg.nocapture,
            noundef: of_param.noundef || of_arg.noundef,
            ..of_param
        }
    }

    fn unknown_results(
        &mut self,
        flow: &mut Flow,
        calling: &Calling<'_>,
        name: &str,
    ) -> SmallVec<[TermId; 2]> {
        let body = self.body;
        let mut results = SmallVec::new();
        for result in body.results(calling.inst) {
            let ty = body.values[result].ty;
            let source = Source { made: self.here(), what: format!("is returned by `{name}`") };
            let width = self.width(ty);
            let term =
                self.fresh(width, Origin::UnknownCall, &format!("{name}()"), VarRole::Local, Some(source));
            if ty == Type::Ptr {
                self.pointers.insert(term);
            }
            flow.state.choose(heap::Choice::Value(term));
            results.push(term);
        }
        let declared = calling.declared.map(|id| &self.module.functions[id]);
        let nonnull = declared.and_then(|it| it.result_attrs.first()).is_some_and(|attrs| attrs.nonnull);
        if nonnull && let Some(&first) = results.first() {
            let nonzero = self.terms.nonzero(first);
            let _ = self.assume(flow, nonzero, Reason::Choice);
        }
        results
    }

    /// Sets the results of a call. The caller may have another idea of their types than the callee.
    pub(crate) fn set_results(&mut self, flow: &mut Flow, inst: InstId, terms: &[TermId]) {
        let body = self.body;
        for (at, result) in body.results(inst).enumerate() {
            let ty = body.values[result].ty;
            let width = self.width(ty);
            let term = match terms.get(at) {
                Some(&term) => self.resized(term, width),
                None => self.unknown(ty, "a missing result"),
            };
            if ty == Type::Ptr && self.as_var(term).is_some() {
                self.pointers.insert(term);
            }
            flow.set(result, term);
        }
    }
}
