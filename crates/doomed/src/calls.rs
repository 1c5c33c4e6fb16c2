//! Calls in the passive form: inlined bodies and contracts; library functions are in [`crate::library`].
//!
//! Law: whatever a callee does is among what is assumed here; a check is added only for what every such call
//! does under its condition.
//! Source: Hoenicke et al., §7, Function Calls (inlining up to a depth, then trivial contracts). Departure:
//! contracts are what [`Contract`] says.

use base::limits;
use ir::{Call, CallId, Callee, FuncId, Type};
use summary::{Contract, Writes};
use term::{Origin, TermId};

use crate::code::{Behavior, Code};
use crate::contracts::{of_callee, written_args};
use crate::frame::Frame;
use crate::memory::Memory;
use crate::passive::{GaveUp, Item, Passive};
use crate::step::At;

impl<'w> Passive<'w> {
    pub(crate) fn call(
        &mut self,
        frame: &mut Frame<'w>,
        at: At,
        memory: &mut Memory,
        call: CallId,
        callers: &[usize],
    ) -> Result<(), GaveUp> {
        let body = frame.body;
        let data = &body.calls[call];
        let func = match data.callee {
            Callee::Func(func) => func,
            Callee::Ptr(address) => {
                if let Some(pointer) = self.operand(frame, at.node, address) {
                    self.access_if(frame, at, memory, (address, pointer), None, None);
                }
                return self.unknown(frame, at, memory, data);
            }
            Callee::Asm(_) => return self.unknown(frame, at, memory, data),
        };
        let declared = &frame.code.module.functions[func];
        if declared.attrs.returns_twice {
            // What local variables hold after the second return is not followed.
            return Err(GaveUp);
        }
        let callee = frame.code.callee(func);
        match callee {
            Behavior::Model(model) if model.fits(data.args.len()) => {
                self.model(frame, at, memory, data, model)
            }
            Behavior::Model(_) => self.unknown(frame, at, memory, data),
            Behavior::Body(code, contract) if self.is_small(frame, code, data, contract, callers) => {
                self.inline(frame, at, memory, (call, func), code, callers)
            }
            _ => {
                let contract = of_callee(callee, declared);
                self.contract(frame, at, memory, data, contract)
            }
        }
    }

    fn unknown(
        &mut self,
        frame: &mut Frame<'w>,
        at: At,
        memory: &mut Memory,
        data: &Call,
    ) -> Result<(), GaveUp> {
        self.contract(frame, at, memory, data, Contract::UNKNOWN)
    }

    /// A call of which only this much is known.
    fn contract(
        &mut self,
        frame: &mut Frame<'w>,
        at: At,
        memory: &mut Memory,
        data: &Call,
        contract: Contract,
    ) -> Result<(), GaveUp> {
        match contract.writes {
            Writes::Anything => memory.write_anywhere(&self.objects),
            Writes::Through(params) => {
                for arg in written_args(params, data.args.len()) {
                    self.overwrite(frame, at.node, memory, data.args[arg]);
                }
            }
        }
        self.define(frame, at, None);
        if contract.nonnull && frame.body.results(at.inst).len() == 1 {
            self.assume_nonnull(frame, at);
        }
        if !contract.returns || data.noreturn {
            self.stop(frame, at);
        } else if contract.exits {
            let exits = self.terms.fresh(1, Origin::UnknownCall, "");
            frame.items[at.node].push(Item::Ends(exits));
            self.ends(frame, at.node, exits);
        }
        Ok(())
    }

    fn assume_nonnull(&mut self, frame: &mut Frame<'w>, at: At) {
        let result = frame.body.insts[at.inst].first_result;
        let is_pointer = frame.body.values[result].ty == Type::Ptr;
        if let Some(&term) = frame.values.get(&(at.node, result)).filter(|_| is_pointer) {
            let nonnull = self.terms.nonzero(term);
            frame.items[at.node].push(Item::Assume(nonnull));
        }
    }

    /// The program ends here, or goes on elsewhere, as its author wished.
    pub(crate) fn stop(&mut self, frame: &mut Frame<'w>, at: At) {
        let yes = self.terms.yes();
        frame.items[at.node].push(Item::Ends(yes));
        self.ends(frame, at.node, yes);
    }

    /// Whether a callee is worth inlining.
    fn is_small(
        &self,
        frame: &Frame<'w>,
        code: Code<'w>,
        data: &Call,
        contract: Contract,
        callers: &[usize],
    ) -> bool {
        let Some(body) = code.body() else { return false };
        let own = (code.module as *const ir::Module as usize) ^ base::Id::index(code.func);
        let function = code.function();
        frame.depth < limits::DOOMED_DEPTH
            && contract.returns
            && !data.noreturn
            && !function.signature.variadic
            && function.signature == data.signature
            && body.blocks.len() <= limits::DOOMED_INLINED_BLOCKS
            && body.insts.len() <= limits::DOOMED_INLINED_INSTS
            && self.inlined + body.insts.len() <= limits::DOOMED_INLINED
            && !callers.contains(&own)
    }

    fn inline(
        &mut self,
        frame: &mut Frame<'w>,
        at: At,
        memory: &mut Memory,
        (call, func): (CallId, FuncId),
        code: Code<'w>,
        callers: &[usize],
    ) -> Result<(), GaveUp> {
        let body = frame.body;
        let data = &body.calls[call];
        self.inlined += code.body().map_or(0, |it| it.insts.len());
        let args: Vec<Option<TermId>> =
            data.args.iter().map(|&it| self.operand(frame, at.node, it)).collect();
        let n_frames = self.frames.len();
        let Ok(returned) = self.evaluate(code, &args, memory.clone(), frame.depth + 1, callers) else {
            // What was made of it so far is not part of anything.
            self.frames.truncate(n_frames);
            let contract = of_callee(frame.code.callee(func), &frame.code.module.functions[func]);
            return self.contract(frame, at, memory, data, contract);
        };
        *memory = returned.memory;
        for (position, result) in body.results(at.inst).enumerate() {
            let term = returned.values.get(position).copied().flatten();
            self.set(frame, at.node, result, term);
        }
        frame.items[at.node].push(Item::Call(returned.frame));
        if self.terms.value(returned.ended) != Some(0) {
            self.ends(frame, at.node, returned.ended);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::points;

    const TESTED: &str =
        "  v1: i1 = cmp eq v0, i32 7\n  branch v1 ? b1 : b2\nb1:\n  return\nb2:\n  return\n}\n";

    /// Functions `@g0`, which returns 7, `@g1`, which calls it, and so on.
    fn nested(depth: usize) -> String {
        let mut text = "func @g0() -> (i32) {\nb0:\n  return i32 7\n}\n".to_owned();
        for at in 1..depth {
            text += &format!(
                "func @g{at}() -> (i32) {{\nb0:\n  v0: i32 = call @g{}()\n  return v0\n}}\n",
                at - 1
            );
        }
        text + &format!("func @f() {{\nb0:\n  v0: i32 = call @g{}()\n{TESTED}", depth - 1)
    }

    #[test]
    fn small_callees_are_inlined_two_calls_deep() {
        assert_eq!(points(&nested(1)), ["b2"]);
        assert_eq!(points(&nested(2)), ["b2"]);
        assert_eq!(points(&nested(3)), [""; 0], "what is further below returns anything");
    }

    #[test]
    fn nothing_behind_a_call_that_does_not_come_back_is_doomed() {
        let text = "func @exit(i32)\nfunc @f(ptr) {\nb0(v0: ptr):\n  call @exit(i32 1)\n  store i32 1 to null align 4\n  return\n}\n";
        assert_eq!(points(text), [""; 0]);
    }

    /// A callee that is too deep to be looked into, and may end the program.
    #[test]
    fn a_callee_that_may_exit_may_be_the_end() {
        let text = |last: &str| {
            format!(
                "func @exit(i32)\nfunc @g0(i1) {{\nb0(v0: i1):\n  branch v0 ? b1 : b2\nb1:\n  {last}\n  return\nb2:\n  return\n}}\n\
                 func @g1(i1) {{\nb0(v0: i1):\n  call @g0(v0)\n  return\n}}\nfunc @g2(i1) {{\nb0(v0: i1):\n  call @g1(v0)\n  return\n}}\n\
                 func @f(i1) {{\nb0(v0: i1):\n  branch v0 ? b1 : b2\nb1:\n  call @g2(v0)\n  store i32 1 to null align 4\n  return\nb2:\n  return\n}}\n"
            )
        };
        assert_eq!(points(&text("call @exit(i32 0)")), [""; 0]);
        assert_eq!(points(&text("call @g1(i1 0)").replace("  call @g1(i1 0)\n", "")), ["b1"]);
    }

    #[test]
    fn a_failure_of_every_call_is_one_of_the_caller() {
        let text = "func @g(ptr) {\nb0(v0: ptr):\n  store i32 1 to v0 align 4\n  return\n}\nfunc @f(i1) {\nb0(v0: i1):\n  \
                    branch v0 ? b1 : b2\nb1:\n  call @g(null)\n  return\nb2:\n  return\n}\n";
        assert_eq!(points(text), ["b1"]);
    }
}
