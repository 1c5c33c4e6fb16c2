//! Calls: of bodies, of library models, of unknown code, through pointers.
//!
//! Arguments and parameters need not agree: old C has calls without prototypes. What is missing is undefined,
//! what is too much is ignored, and other types are taken bit by bit.

use base::limits::INTERP_NESTING;
use ir::{Body, Call, Callee, InstId, ParamAttrs, SymbolRef, Type};
use smallvec::SmallVec;

use crate::frame::Frame;
use crate::libc::{Answer, Args};
use crate::machine::{Machine, OrStop};
use crate::memory::{AccessError, BlockKind};
use crate::program::{Code, FnRef, Linked};
use crate::report::{Budget, EventKind, Fault, Outcome};
use crate::step::{Cx, Flow, nth_result, reinterpret};
use crate::value::Value;
use crate::varargs::VarArgs;

/// The arguments of a call, with what the call says about them.
#[derive(Clone, Debug)]
pub(crate) struct Actuals<'a> {
    pub(crate) values: SmallVec<[Value; 8]>,
    /// One per argument, or fewer if nothing is promised of the rest.
    pub(crate) attrs: &'a [ParamAttrs],
}

impl<'p> Machine<'p> {
    /// The call instruction.
    pub(crate) fn call_inst(&mut self, cx: Cx<'p>, inst: InstId, call: &'p Call) -> OrStop<Flow> {
        let values = call.args.iter().map(|arg| self.get(cx, *arg).clone()).collect();
        let actuals = Actuals { values, attrs: &call.arg_attrs };
        let callee = match call.callee {
            Callee::Func(function) => self.linked_function(cx, function)?,
            Callee::Ptr(pointer) => {
                let address = self.get(cx, pointer).clone();
                match self.function_at(&address) {
                    Ok(function) => function,
                    Err(error) => return Err(self.bad_call(cx, pointer, error)),
                }
            }
            Callee::Asm(asm) => {
                let answer = self.inline_asm(cx, asm, &actuals, &call.signature.results)?;
                self.deliver(cx, inst, &answer);
                return Ok(Flow::Next);
            }
        };
        self.check_promises(callee, &actuals);
        match self.enter(callee, actuals, &call.signature.results, call.noreturn)? {
            Entered::Frame | Entered::Jumped => Ok(Flow::Switched),
            Entered::Answered(values) => {
                self.deliver(cx, inst, &values);
                Ok(Flow::Next)
            }
        }
    }

    /// Calls a function from outside or from a library function and waits for it.
    pub(crate) fn call_inside(&mut self, function: FnRef, args: &[Value]) -> OrStop<Vec<Value>> {
        if self.program.image().is_too_large {
            return Err(Outcome::OutOfBudget(Budget::Memory).into());
        }
        if self.nesting >= INTERP_NESTING {
            return Err(Outcome::OutOfBudget(Budget::Depth).into());
        }
        let floor = self.frames.len();
        let actuals = Actuals { values: args.iter().cloned().collect(), attrs: &[] };
        let results = self.program.functions()[function].function.signature.results.clone();
        match self.enter(function, actuals, &results, false)? {
            Entered::Answered(values) => Ok(values.into_vec()),
            Entered::Jumped => self.unsupported("a long jump out of a library function"),
            Entered::Frame => {
                let outer = std::mem::replace(&mut self.floor, floor);
                self.nesting += 1;
                let values = self.run(floor);
                self.nesting -= 1;
                self.floor = outer;
                values
            }
        }
    }

    /// Calls the function at an address, for library functions that call back.
    pub(crate) fn call_back(&mut self, pointer: &Value, args: &[Value]) -> OrStop<Vec<Value>> {
        match self.function_at(pointer) {
            Ok(function) => self.call_inside(function, args),
            Err(CallError::NoFunction) => {
                Err(Outcome::Fault { fault: Fault::CallOfData, place: self.place() }.into())
            }
            Err(CallError::Access(error)) => Err(self.bad_library_access(error, pointer, (1, "called"))),
        }
    }

    /// Writes the results of a call, as the caller expects them.
    pub(crate) fn deliver(&mut self, cx: Cx<'p>, inst: InstId, values: &[Value]) {
        let data = &cx.body.insts[inst];
        for position in 0..data.n_results as usize {
            let result = nth_result(data.first_result, position);
            let ty = cx.body.values[result].ty;
            let bits = self.memory.pointer_bits();
            let content = match values.get(position) {
                Some(value) => reinterpret(value, ty, bits),
                None => self.unwritten(ty),
            };
            self.set(cx, result, content);
        }
    }

    /// The function that a pointer points at.
    pub(crate) fn function_at(&self, pointer: &Value) -> Result<FnRef, CallError> {
        if !pointer.is_defined() {
            return Err(CallError::Access(AccessError::Undefined));
        }
        if pointer.low() < crate::memory::NULL_PAGE {
            return Err(CallError::Access(AccessError::Null));
        }
        let block = pointer.prov().or_else(|| self.memory.find(pointer.low()));
        let block = block.ok_or(CallError::Access(AccessError::Wild))?;
        let entry = self.memory.block(block);
        match entry.kind {
            BlockKind::Function(function) if entry.address == pointer.low() => Ok(function),
            _ if entry.is_alive() => Err(CallError::NoFunction),
            _ => match self.memory.locate(pointer, 1, false) {
                Err(error) => Err(CallError::Access(error)),
                Ok(_) => Err(CallError::NoFunction),
            },
        }
    }

    pub(crate) fn unsupported<T>(&self, what: &str) -> OrStop<T> {
        Err(Outcome::Unsupported { what: what.to_owned(), place: self.place() }.into())
    }

    fn linked_function(&self, cx: Cx<'p>, function: ir::FuncId) -> OrStop<FnRef> {
        match self.program.lookup(cx.module, SymbolRef::Func(function)) {
            Linked::Func(function) => Ok(function),
            Linked::Null => Err(self.null_call(cx, function)),
            Linked::Global(..) => {
                Err(Outcome::Fault { fault: Fault::CallOfData, place: self.place() }.into())
            }
        }
    }

    /// Starts a call: a frame for a body, an answer for everything else.
    fn enter(
        &mut self,
        function: FnRef,
        actuals: Actuals<'_>,
        results: &[Type],
        noreturn: bool,
    ) -> OrStop<Entered> {
        let linked = &self.program.functions()[function];
        match linked.code {
            Code::Body(body) => {
                self.push_frame(function, body, actuals)?;
                Ok(Entered::Frame)
            }
            Code::Model(model) => {
                let args = Args { name: linked.name, values: &actuals.values };
                match model(self, &args)? {
                    Answer::Values(values) => Ok(Entered::Answered(values)),
                    Answer::Jumped => Ok(Entered::Jumped),
                }
            }
            Code::Unknown => {
                let noreturn = noreturn || linked.function.attrs.noreturn;
                Ok(Entered::Answered(self.unknown_call(function, &actuals, results, noreturn)?))
            }
        }
    }

    fn push_frame(&mut self, function: FnRef, body: &'p Body, actuals: Actuals<'_>) -> OrStop {
        if self.frames.len() >= self.options.max_depth {
            return Err(Outcome::OutOfBudget(Budget::Depth).into());
        }
        let base = self.frames.last().map_or(0, |frame| frame.base + frame.body.values.len());
        let end = base + body.values.len();
        if self.registers.len() < end {
            self.registers.resize(end, Value::null());
        }
        let params = &body.blocks[Body::ENTRY].params;
        let bits = self.memory.pointer_bits();
        let mut mismatch = actuals.values.len() < params.len();
        for (position, param) in params.iter().enumerate() {
            let ty = body.values[*param].ty;
            let content = match actuals.values.get(position) {
                Some(value) => reinterpret(value, ty, bits),
                None => self.unwritten(ty),
            };
            mismatch |= actuals.values.get(position).is_some_and(|value| value.ty() != ty);
            self.registers[base + base::Id::index(*param)] = content;
        }
        if mismatch {
            self.note(EventKind::CallMismatch);
        }
        let is_variadic = self.program.functions()[function].function.signature.variadic;
        let varargs = is_variadic.then(|| Box::new(VarArgs::new(&actuals, params.len())));
        self.next_serial += 1;
        self.frames.push(Frame {
            function,
            body,
            consts: self.program.consts(function),
            block: Body::ENTRY,
            next: 0,
            base,
            stack_mark: self.slots.len(),
            varargs,
            serial: self.next_serial,
        });
        Ok(())
    }

    /// Tells of arguments that break what call or callee promise of them.
    fn check_promises(&mut self, callee: FnRef, actuals: &Actuals<'_>) {
        let params = &self.program.functions()[callee].function.param_attrs;
        for (position, value) in actuals.values.iter().enumerate() {
            let promised = |pick: fn(&ParamAttrs) -> bool| {
                actuals.attrs.get(position).is_some_and(pick) || params.get(position).is_some_and(pick)
            };
            if !value.is_defined() && promised(|attrs| attrs.noundef) {
                self.note(EventKind::UndefinedArgument);
            }
            if value.ty() == Type::Ptr && value.low() == 0 && promised(|attrs| attrs.nonnull) {
                self.note(EventKind::NullArgument);
            }
        }
    }
}

/// Why there is no function at an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CallError {
    /// The address itself is bad.
    Access(AccessError),
    /// There is something else.
    NoFunction,
}

enum Entered {
    Frame,
    Jumped,
    Answered(SmallVec<[Value; 2]>),
}
