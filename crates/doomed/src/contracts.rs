//! Contracts of callees: what always holds of a call, worked out bottom-up.
//!
//! Judgment: the [`Contract`] of a function over-approximates all its executions that come back. It is never
//! what some execution does.
//! Source: Hoenicke et al., §7 (calls beyond the depth of inlining have trivial contracts); the design, §8.
//! Departure: the contracts say which memory may be written, whether the function comes back, and whether its
//! result can be null.

use ir::{Body, Callee, Const, Inst, Operand, Terminator, UnreachableCause};
use models::{Alone, NoReturn, Ret, What};
use smallvec::SmallVec;

use summary::{Contract, Summary, Writes};

use crate::code::{Behavior, Code};
use crate::definitions::{Root, root, written_by};

/// What attributes of a function promise, in its own unit or in that of a caller.
pub(crate) fn promised(function: &ir::Function) -> Contract {
    let memory = function.attrs.memory;
    let writes_nothing = !(memory.args.write || memory.other.write || memory.inaccessible.write);
    Contract {
        returns: !function.attrs.noreturn,
        nonnull: function.result_attrs.first().is_some_and(|it| it.nonnull),
        writes: if writes_nothing { Writes::Through(0) } else { Writes::Anything },
        may_end: true,
        exits: function.attrs.noreturn,
    }
}

/// What a body says of its function, with what is known of its callees.
pub fn contract_of(world: &models::World<'_>) -> Contract {
    let Some(code) = Code::of(world) else { return Contract::UNKNOWN };
    let function = code.function();
    // Whatever else has the name may take the place of a weak definition.
    if function.linkage == ir::Linkage::Weak {
        return Contract::UNKNOWN;
    }
    let promised = promised(function);
    let Some(body) = &function.body else { return promised };
    let mut found = Finder { code, body, writes: Writes::Through(0), exits: false };
    let returns = found.look_for_return();
    Contract {
        returns: returns && promised.returns,
        nonnull: promised.nonnull || found.never_null(),
        writes: if matches!(promised.writes, Writes::Through(0)) { promised.writes } else { found.writes },
        may_end: found.ends_with_unknown(),
        exits: found.exits,
    }
}

/// A module on its own, with the contracts of all functions; nothing is known of those that come later in the text.
pub fn alone(module: &ir::Module) -> Alone<'_> {
    let mut alone = Alone::new(module);
    for func in module.functions.ids().filter(|&func| module.functions[func].body.is_some()) {
        let doomed = contract_of(&alone.around(func));
        alone.learn(Summary { doomed, ..Summary::open(alone.key(func)) });
    }
    alone
}

struct Finder<'w> {
    code: Code<'w>,
    body: &'w Body,
    writes: Writes,
    exits: bool,
}

impl<'w> Finder<'w> {
    /// Looks at all blocks that may be reached, given that some calls do not come back; whether one of them returns.
    fn look_for_return(&mut self) -> bool {
        let mut seen = vec![false; self.body.blocks.len()];
        let mut todo = vec![Body::ENTRY];
        let mut returns = false;
        while let Some(block) = todo.pop() {
            if std::mem::replace(&mut seen[base::Id::index(block)], true) {
                continue;
            }
            let data = &self.body.blocks[block];
            if !data.insts.iter().all(|&inst| self.goes_on(inst)) {
                continue;
            }
            match &data.term {
                Terminator::Return { .. } => returns = true,
                Terminator::Unreachable { cause } => self.exits |= *cause != UnreachableCause::NoReturn,
                term => todo.extend(term.targets().map(|it| it.block)),
            }
        }
        returns
    }

    /// Notes what an instruction does; whether control may go on behind it.
    fn goes_on(&mut self, inst: ir::InstId) -> bool {
        let inst = &self.body.insts[inst].inst;
        match inst {
            Inst::Call { call } => return self.call(*call),
            Inst::Nondet { .. } => self.writes = Writes::Anything,
            _ => {
                if let Some(pointer) = written_by(inst) {
                    self.writes = self.writes.and(self.through(pointer));
                }
            }
        }
        true
    }

    fn call(&mut self, call: ir::CallId) -> bool {
        let data = &self.body.calls[call];
        let contract = of_call(self.code, data);
        match contract.writes {
            Writes::Anything => self.writes = Writes::Anything,
            Writes::Through(params) => {
                for arg in written_args(params, data.args.len()) {
                    self.writes = self.writes.and(self.through(data.args[arg]));
                }
            }
        }
        self.exits |= contract.exits;
        contract.returns && !data.noreturn
    }

    /// Whose memory a pointer leads to.
    fn through(&self, pointer: Operand) -> Writes {
        match root(self.body, pointer) {
            Root::Parameter(at) if at < 32 => Writes::Through(1 << at),
            // Its own local variables; whoever else has their address got it from here.
            Root::Local(_) => Writes::Through(0),
            _ => Writes::Anything,
        }
    }

    /// Whether the last that is done before each return is a call that may be the end of the program.
    fn ends_with_unknown(&self) -> bool {
        let cfg = ir::Cfg::new(self.body);
        let is_return = |it: &ir::BlockId| matches!(self.body.blocks[*it].term, Terminator::Return { .. });
        let mut todo: Vec<ir::BlockId> = cfg.reverse_postorder().iter().copied().filter(is_return).collect();
        let mut seen = vec![false; self.body.blocks.len()];
        let mut ends = false;
        while let Some(block) = todo.pop() {
            if std::mem::replace(&mut seen[base::Id::index(block)], true) {
                continue;
            }
            match last_done(self.body, block) {
                Some(inst) if may_end(self.code, self.body, inst) => ends = true,
                Some(_) => return false,
                None if block == Body::ENTRY => return false,
                None => todo.extend(cfg.predecessors(block)),
            }
        }
        ends
    }

    /// Whether all that is returned is an address of something.
    fn never_null(&self) -> bool {
        let mut returned = self.body.blocks.iter().filter_map(|block| match &block.term {
            Terminator::Return { values } => values.first().copied(),
            _ => None,
        });
        let is_address = |operand: Operand| match operand {
            Operand::Const(constant) => {
                matches!(self.body.consts[constant], Const::Global { .. } | Const::Func(_))
            }
            Operand::Value(_) => matches!(root(self.body, operand), Root::Local(_)),
        };
        let first = returned.next();
        first.is_some_and(is_address) && returned.all(is_address)
    }
}

/// The last statement of a block that does something.
pub(crate) fn last_done(body: &Body, block: ir::BlockId) -> Option<ir::InstId> {
    body.blocks[block].insts.iter().rev().copied().find(|&inst| is_done(&body.insts[inst].inst))
}

/// Whether an instruction does something that somebody wrote as a statement.
pub(crate) fn is_done(inst: &Inst) -> bool {
    matches!(inst, Inst::Assign { .. } | Inst::Store { .. } | Inst::Call { .. })
}

/// Whether an instruction is a call that may be the end of the program.
pub(crate) fn may_end(code: Code<'_>, body: &Body, inst: ir::InstId) -> bool {
    match &body.insts[inst].inst {
        Inst::Call { call } => {
            let data = &body.calls[*call];
            !matches!(data.callee, Callee::Asm(_)) && of_call(code, data).may_end
        }
        _ => false,
    }
}

/// What always holds of a call.
fn of_call(code: Code<'_>, data: &ir::Call) -> Contract {
    match data.callee {
        Callee::Func(func) => of_callee(code.callee(func), &code.module.functions[func]),
        Callee::Ptr(_) | Callee::Asm(_) => Contract::UNKNOWN,
    }
}

/// What always holds of a callee.
pub(crate) fn of_callee(callee: Behavior<'_>, declared: &ir::Function) -> Contract {
    let promised = promised(declared);
    match callee {
        Behavior::Body(_, contract) | Behavior::Contract(contract) => Contract {
            returns: contract.returns && promised.returns,
            nonnull: contract.nonnull || promised.nonnull,
            ..contract
        },
        Behavior::Model(model) => {
            let is_null = |ret: &Ret| !matches!(ret, Ret::NonNull | Ret::New { .. } | Ret::Into(_));
            let mut writes = Writes::Through(0);
            for effect in model.cases.iter().flat_map(|case| &case.effects) {
                writes = writes.and(written(effect));
            }
            Contract {
                returns: model.noreturn.is_none() && promised.returns,
                nonnull: promised.nonnull || model.cases.iter().all(|case| !is_null(&case.ret)),
                writes,
                may_end: false,
                exits: model.noreturn.is_some_and(|it| it != NoReturn::AssertFailure),
            }
        }
    }
}

/// What an effect of a library function writes.
fn written(effect: &models::Effect) -> Writes {
    let writes = matches!(
        effect.what,
        What::Havoc { .. } | What::Fill { .. } | What::Copy { .. } | What::Write { .. } | What::Format { .. }
    );
    match effect.arg {
        _ if !writes => Writes::Through(0),
        models::Arg::At(at) if at < 32 && !matches!(effect.what, What::Format { .. }) => {
            Writes::Through(1 << at)
        }
        _ => Writes::Anything,
    }
}

/// The arguments through which a call may write.
pub(crate) fn written_args(params: u32, n_args: usize) -> SmallVec<[usize; 4]> {
    (0..n_args.min(32)).filter(|at| params >> at & 1 == 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{alone, module};

    /// What is known of the last function of a module, whose callees come before it.
    fn contract(text: &str) -> Contract {
        let module = module(text);
        let last = module.functions.ids().last().expect("the test has a function");
        alone(&module).summary(last).expect("the last function has a body").doomed
    }

    #[test]
    fn a_function_writes_what_it_stores_to() {
        let reads = "func @f(ptr) -> (i32) {\nb0(v0: ptr):\n  v1: i32 = load v0 align 4\n  return v1\n}\n";
        assert_eq!(contract(reads).writes, Writes::Through(0));
        let stores = "func @f(ptr, ptr) {\nb0(v0: ptr, v1: ptr):\n  v2: ptr = ptradd v1, i64 2 * 4\n  \
                      store i32 1 to v2 align 4\n  return\n}\n";
        assert_eq!(contract(stores).writes, Writes::Through(0b10));
        let behind = "func @f(ptr) {\nb0(v0: ptr):\n  v1: ptr = load v0 align 8\n  \
                      store i32 1 to v1 align 4\n  return\n}\n";
        assert_eq!(contract(behind).writes, Writes::Anything);
    }

    const STORES: &str =
        "func @g(ptr) {\nb0(v0: ptr):\n  store i32 1 to v0 align 4\n  return\n}\nfunc @any()\n";

    #[test]
    fn a_call_writes_what_the_callee_does() {
        let passes =
            format!("{STORES}func @f(i32, ptr) {{\nb0(v0: i32, v1: ptr):\n  call @g(v1)\n  return\n}}\n");
        assert_eq!(contract(&passes).writes, Writes::Through(0b10));
        let local = format!(
            "{STORES}func @f() {{\nb0:\n  v0: ptr = alloca i64 4 align 4\n  call @g(v0)\n  return\n}}\n"
        );
        assert_eq!(contract(&local).writes, Writes::Through(0), "its own variables are nobody else's");
        let unknown = format!("{STORES}func @f() {{\nb0:\n  call @any()\n  return\n}}\n");
        assert_eq!(contract(&unknown).writes, Writes::Anything);
    }

    #[test]
    fn a_function_returns_if_some_way_through_it_does() {
        const ABORT: &str = "func @abort()\n";
        let never = format!("{ABORT}func @f() {{\nb0:\n  call @abort()\n  return\n}}\n");
        assert!(!contract(&never).returns);
        let sometimes = format!(
            "{ABORT}func @f(i1) {{\nb0(v0: i1):\n  branch v0 ? b1 : b2\nb1:\n  call @abort()\n  return\nb2:\n  \
             return\n}}\n"
        );
        assert!(contract(&sometimes).returns);
    }

    #[test]
    fn a_function_that_does_nothing_behind_unknown_code_may_not_come_back() {
        let last = "func @any()\nfunc @f() {\nb0:\n  call @any()\n  jump b1\nb1:\n  return\n}\n";
        assert!(contract(last).may_end);
        let not_last = "func @any()\nfunc @f(ptr) {\nb0(v0: ptr):\n  call @any()\n  store i32 1 to v0 align 4\n  return\n}\n";
        assert!(
            !contract(not_last).may_end,
            "whoever writes something behind a call expects that it comes back"
        );
        let library = "func @puts(ptr) -> (i32)\nfunc @f(ptr) {\nb0(v0: ptr):\n  v1: i32 = call @puts(v0)\n  return\n}\n";
        assert!(!contract(library).may_end);
    }

    #[test]
    fn what_holds_of_either_of_two_functions_holds_of_both() {
        let known = Contract {
            returns: false,
            nonnull: true,
            writes: Writes::Through(1),
            may_end: false,
            exits: false,
        };
        let other = Contract { returns: true, writes: Writes::Through(4), exits: true, ..known };
        let either = Contract {
            returns: true,
            nonnull: true,
            writes: Writes::Through(5),
            may_end: false,
            exits: true,
        };
        assert_eq!(known.or(other), either);
        assert_eq!(known.or(Contract::UNKNOWN), Contract::UNKNOWN);
    }
}
