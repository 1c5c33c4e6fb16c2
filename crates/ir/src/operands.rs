//! The operands of instructions and the targets of terminators, listed once for readers and once more for
//! writers.

use crate::function::{Body, InstId};
use crate::inst::{Callee, Inst, Target, Terminator};
use crate::types::Operand;

/// Calls `$f` on each operand of an instruction, in the order of its fields; `$call` stands for the particulars of a call.
macro_rules! each_operand {
    ($inst:expr, $calls:expr, $f:expr, $iter:ident, $($by:tt)*) => {
        match $inst {
            Inst::Uninit { .. } | Inst::Nondet { .. } | Inst::StackSave => {}
            Inst::Assign { value: arg, .. }
            | Inst::Unary { arg, .. }
            | Inst::Cast { arg, .. }
            | Inst::Freeze { arg }
            | Inst::Alloca { size: arg, .. }
            | Inst::Lifetime { ptr: arg, .. }
            | Inst::StackRestore { saved: arg }
            | Inst::Load { ptr: arg, .. }
            | Inst::VaStart { list: arg }
            | Inst::VaEnd { list: arg }
            | Inst::Assume { cond: arg } => $f(arg),
            Inst::Binary { lhs: first, rhs: second, .. }
            | Inst::Compare { lhs: first, rhs: second, .. }
            | Inst::PtrAdd { base: first, index: second, .. }
            | Inst::Store { ptr: first, value: second, .. }
            | Inst::VaCopy { dst: first, src: second } => {
                $f(first);
                $f(second);
            }
            Inst::Funnel { high: first, low: second, amount: third, .. }
            | Inst::Select { cond: first, on_true: second, on_false: third }
            | Inst::MemCopy { dst: first, src: second, len: third, .. }
            | Inst::MemSet { dst: first, byte: second, len: third } => {
                $f(first);
                $f(second);
                $f(third);
            }
            Inst::Call { call } => {
                let call = $($by)* $calls[*call];
                if let Callee::Ptr(address) = $($by)* call.callee {
                    $f(address);
                }
                call.args.$iter().for_each($f);
            }
        }
    };
}

impl Body {
    /// Calls `f` on each operand of an instruction, the callee's address before the arguments.
    #[inline]
    pub fn each_operand(&self, inst: InstId, mut f: impl FnMut(Operand)) {
        let mut f = |operand: &Operand| f(*operand);
        each_operand!(&self.insts[inst].inst, self.calls, &mut f, iter, &);
    }

    /// Calls `f` on each operand of an instruction, to change it.
    #[inline]
    pub fn each_operand_mut(&mut self, inst: InstId, mut f: impl FnMut(&mut Operand)) {
        each_operand!(&mut self.insts[inst].inst, self.calls, &mut f, iter_mut, &mut);
    }
}

impl Terminator {
    /// The blocks control may go to, with their arguments; a block comes as often as it is named.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        let (listed, cases, last): (&[Target], &[_], Option<&Target>) = match self {
            Terminator::Jump(target) => (std::slice::from_ref(target), &[], None),
            Terminator::Branch { on_true, on_false, .. } => {
                (std::slice::from_ref(on_true), &[], Some(on_false))
            }
            Terminator::Switch { cases, default, .. } => (&[], cases, Some(default)),
            Terminator::IndirectJump { targets, .. } => (targets, &[], None),
            Terminator::Return { .. } | Terminator::Unreachable { .. } => (&[], &[], None),
        };
        listed.iter().chain(cases.iter().map(|(_, target)| target)).chain(last)
    }

    /// The same targets in the same order, to change them.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut Target> {
        let (listed, cases, last): (&mut [Target], &mut [_], Option<&mut Target>) = match self {
            Terminator::Jump(target) => (std::slice::from_mut(target), &mut [], None),
            Terminator::Branch { on_true, on_false, .. } => {
                (std::slice::from_mut(on_true), &mut [], Some(on_false))
            }
            Terminator::Switch { cases, default, .. } => (&mut [], cases, Some(default)),
            Terminator::IndirectJump { targets, .. } => (targets, &mut [], None),
            Terminator::Return { .. } | Terminator::Unreachable { .. } => (&mut [], &mut [], None),
        };
        listed.iter_mut().chain(cases.iter_mut().map(|(_, target)| target)).chain(last)
    }

    /// What decides where control goes, or what is returned; not the arguments of targets.
    pub fn own_operands(&self) -> &[Operand] {
        match self {
            Terminator::Branch { cond: operand, .. }
            | Terminator::Switch { value: operand, .. }
            | Terminator::IndirectJump { address: operand, .. } => std::slice::from_ref(operand),
            Terminator::Return { values } => values,
            Terminator::Jump(_) | Terminator::Unreachable { .. } => &[],
        }
    }

    /// Calls `f` on each operand, those of targets included (not on the cases of a switch).
    #[inline]
    pub fn each_operand(&self, mut f: impl FnMut(Operand)) {
        self.own_operands().iter().for_each(|&operand| f(operand));
        self.targets().for_each(|target| target.args.iter().for_each(|&operand| f(operand)));
    }

    /// Calls `f` on each operand, those of targets included, to change it.
    #[inline]
    pub fn each_operand_mut(&mut self, mut f: impl FnMut(&mut Operand)) {
        match self {
            Terminator::Branch { cond: operand, .. }
            | Terminator::Switch { value: operand, .. }
            | Terminator::IndirectJump { address: operand, .. } => f(operand),
            Terminator::Return { values } => values.iter_mut().for_each(&mut f),
            Terminator::Jump(_) | Terminator::Unreachable { .. } => {}
        }
        self.targets_mut().for_each(|target| target.args.iter_mut().for_each(&mut f));
    }
}
