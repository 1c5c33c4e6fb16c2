//! Contracts of callees: what always holds of a call, worked out bottom-up.
//!
//! Judgment: `Facts` of a function over-approximate all its executions that come back. They are never what some execution does.
//! Source: Hoenicke et al., §7 (calls beyond the depth of inlining have trivial contracts); the design, §8. Departure: the contracts say which memory may be written, whether the function comes
//! back, and whether its result can be null.

use ir::{Body, Callee as Called, Const, Inst, Operand, Terminator};
use models::{NoReturn, Ret, What};
use smallvec::SmallVec;

use crate::definitions::{Root, root, written_by};
use crate::world::{Callee, Code};

/// What always holds of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Some execution may come back.
    pub returns: bool,
    /// The first result is not null.
    pub nonnull: bool,
    /// Memory of others that may be written.
    pub writes: Writes,
    /// It calls `exit` or the like somewhere below: a call may be the end of the program.
    pub may_end: bool,
}

/// Memory that may be written, but for that of local variables whose address nobody has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writes {
    /// What these parameters point to, one bit each; 0: nothing.
    Through(u32),
    /// Anything.
    Anything,
}

impl Writes {
    fn and(self, other: Writes) -> Writes {
        match (self, other) {
            (Writes::Through(a), Writes::Through(b)) => Writes::Through(a | b),
            _ => Writes::Anything,
        }
    }
}

impl Facts {
    /// Nothing is known.
    pub const UNKNOWN: Facts =
        Facts { returns: true, nonnull: false, writes: Writes::Anything, may_end: true };

    /// What attributes of a function promise, in its own unit or in that of a caller.
    pub fn promised(function: &ir::Function) -> Facts {
        let memory = function.attrs.memory;
        let writes_nothing = !(memory.args.write || memory.other.write || memory.inaccessible.write);
        Facts {
            returns: !function.attrs.noreturn,
            nonnull: function.result_attrs.first().is_some_and(|it| it.nonnull),
            writes: if writes_nothing { Writes::Through(0) } else { Writes::Anything },
            may_end: true,
        }
    }

    /// What holds if one of two functions is called.
    pub fn or(self, other: Facts) -> Facts {
        Facts {
            returns: self.returns || other.returns,
            nonnull: self.nonnull && other.nonnull,
            writes: self.writes.and(other.writes),
            may_end: self.may_end || other.may_end,
        }
    }

    /// What a body says of its function, with what is known of its callees.
    pub fn of(code: Code<'_>) -> Facts {
        let function = code.function();
        let promised = Facts::promised(function);
        let Some(body) = &function.body else { return promised };
        let mut found = Finder { code, body, writes: Writes::Through(0), may_end: false };
        let returns = found.look_for_return();
        Facts {
            returns: returns && promised.returns,
            nonnull: promised.nonnull || found.never_null(),
            writes: if matches!(promised.writes, Writes::Through(0)) {
                promised.writes
            } else {
                found.writes
            },
            may_end: found.may_end,
        }
    }
}

struct Finder<'w> {
    code: Code<'w>,
    body: &'w Body,
    writes: Writes,
    may_end: bool,
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
                Terminator::Unreachable { .. } => self.may_end = true,
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
        let facts = match data.callee {
            Called::Func(func) => {
                facts_of(self.code.world.callee(self.code.unit, func), &self.code.module.functions[func])
            }
            Called::Ptr(_) | Called::Asm(_) => Facts::UNKNOWN,
        };
        self.may_end |= facts.may_end;
        match facts.writes {
            Writes::Anything => self.writes = Writes::Anything,
            Writes::Through(params) => {
                for arg in written_args(params, data.args.len()) {
                    self.writes = self.writes.and(self.through(data.args[arg]));
                }
            }
        }
        facts.returns && !data.noreturn
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

/// What always holds of a callee.
pub(crate) fn facts_of(callee: Callee<'_>, declared: &ir::Function) -> Facts {
    let promised = Facts::promised(declared);
    match callee {
        Callee::Body(_, facts) | Callee::Facts(facts) => Facts {
            returns: facts.returns && promised.returns,
            nonnull: facts.nonnull || promised.nonnull,
            ..facts
        },
        Callee::Model(model) => {
            let is_null = |ret: &Ret| !matches!(ret, Ret::NonNull | Ret::New { .. } | Ret::Into(_));
            let mut writes = Writes::Through(0);
            for effect in model.cases.iter().flat_map(|case| &case.effects) {
                writes = writes.and(written(effect));
            }
            Facts {
                returns: model.noreturn.is_none() && promised.returns,
                nonnull: promised.nonnull || model.cases.iter().all(|case| !is_null(&case.ret)),
                writes,
                may_end: matches!(model.noreturn, Some(NoReturn::Exit | NoReturn::Abort | NoReturn::Jump)),
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
