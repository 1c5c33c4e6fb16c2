//! The dispatcher: one line per instruction of LLVM.

use bitcode::{Inst, InstId, Op};
use ir::{ReasonKind, UnreachableCause};

use super::Translator;
use crate::error::{Cause, Stop};

impl<'e> Translator<'e, '_> {
    /// Translates one instruction. What is not modeled becomes `Nondet`.
    pub(super) fn step(&mut self, id: InstId) -> Result<(), Cause> {
        let inst = &self.source.insts[id];
        match self.dispatch(id, inst) {
            Ok(()) => Ok(()),
            Err(Stop::Broken(cause)) => Err(cause),
            Err(Stop::Operands) => Err(Cause::Operands(id)),
            Err(Stop::Unmodeled(_)) if is_end(&inst.op) => Err(Cause::Operands(id)),
            Err(Stop::Unmodeled(reason)) => {
                let lanes = self.nondet(reason, self.env.shape(inst.ty).lanes());
                self.define(id, &lanes).map_err(|_| Cause::Operands(id))
            }
        }
    }

    fn dispatch(&mut self, id: InstId, inst: &'e Inst) -> Result<(), Stop> {
        let lanes = match &inst.op {
            Op::Phi { .. } | Op::Fence { .. } => return Ok(()),
            Op::Alloca { allocated, count, align, .. } => self.alloca(id, *allocated, *count, *align)?,
            Op::Load { pointer, access } => self.load_lanes(*pointer, inst.ty, *access)?,
            Op::Store { pointer, value, access } => return self.store_at(id, *pointer, *value, *access),
            Op::Unary { arg, .. } => {
                let arg = self.lanes(*arg)?;
                self.negate_lanes(&arg)?
            }
            Op::Binary { op, flags, lhs, rhs } => {
                let (lhs, rhs) = (self.lanes(*lhs)?, self.lanes(*rhs)?);
                self.binary_lanes(*op, *flags, &lhs, &rhs)?
            }
            Op::Cast { op, arg, .. } => {
                let arg = self.lanes(*arg)?;
                self.cast_lanes(*op, &arg, self.env.shape(inst.ty))?
            }
            Op::Compare { predicate, lhs, rhs, .. } => {
                let (lhs, rhs) = (self.lanes(*lhs)?, self.lanes(*rhs)?);
                self.compare_lanes(*predicate, &lhs, &rhs)?
            }
            Op::Select { cond, on_true, on_false, .. } => {
                let (cond, on_true) = (self.lanes(*cond)?, self.lanes(*on_true)?);
                let on_false = self.lanes(*on_false)?;
                self.select_lanes(&cond, &on_true, &on_false)?
            }
            Op::Gep { source, flags, base, indices } => {
                self.gep_lanes(*source, flags.inbounds, *base, indices, self.env.shape(inst.ty))?
            }
            Op::ExtractElement { vector, index } => {
                let (vector, index) = (self.lanes(*vector)?, self.scalar(*index)?);
                self.extract_lane(&vector, index)?
            }
            Op::InsertElement { vector, element, index } => {
                let (vector, element) = (self.lanes(*vector)?, self.scalar(*element)?);
                let index = self.scalar(*index)?;
                self.insert_lane(&vector, element, index)?
            }
            Op::ShuffleVector { lhs, rhs, mask } => self.shuffle_lanes(*lhs, *rhs, *mask)?,
            Op::ExtractValue { aggregate, indices } => self.extract_value(*aggregate, indices)?,
            Op::InsertValue { aggregate, element, indices } => {
                self.insert_value(*aggregate, *element, indices)?
            }
            Op::CompareExchange { pointer, expected, new, access, .. } => {
                self.compare_exchange(*pointer, (*expected, *new), *access)?
            }
            Op::AtomicRmw { op, pointer, value, access } => {
                self.atomic_rmw(*op, *pointer, *value, *access)?
            }
            Op::Freeze { arg } => {
                let arg = self.lanes(*arg)?;
                self.freeze_lanes(&arg)
            }
            Op::Call(call) => self.call(call)?,
            Op::VaArg { .. } => self.unmodeled(ReasonKind::Instruction, "va_arg")?,
            Op::LandingPad { .. } | Op::FuncletPad { .. } => self.unmodeled(ReasonKind::Exception, "pad")?,
            Op::Unknown { code } => return self.unknown(*code),
            _ => return self.end(id, &inst.op),
        };
        self.define(id, &lanes)
    }

    fn end(&mut self, id: InstId, op: &'e Op) -> Result<(), Stop> {
        match op {
            Op::Return { value } => self.return_values(*value),
            Op::Branch { target } => self.jump(*target),
            Op::CondBranch { cond, on_true, on_false } => self.branch(*cond, *on_true, *on_false),
            Op::Switch { value, default, cases } => self.switch(*value, *default, cases),
            Op::IndirectBranch { address, targets } => self.indirect_jump(*address, targets),
            Op::Invoke { call, normal, .. } => {
                let lanes = self.call(call)?;
                self.define(id, &lanes)?;
                // If the callee does not return, the block was cut and `normal` may not even be reached.
                if self.plan.is_reached(*normal) { self.jump(*normal) } else { Ok(()) }
            }
            Op::CallBr { call, fallthrough, indirect } => {
                let lanes = self.call(call)?;
                self.define(id, &lanes)?;
                self.asm_goto(*fallthrough, indirect)
            }
            Op::Unreachable => {
                self.unreachable(UnreachableCause::Undefined);
                Ok(())
            }
            Op::Resume { .. } | Op::CatchSwitch { .. } | Op::CatchRet { .. } | Op::CleanupRet { .. } => {
                self.unreachable(UnreachableCause::Unwind);
                Ok(())
            }
            _ => Err(Stop::Operands),
        }
    }

    /// A record that the reader does not know. If it was the end of its block, control is lost there.
    fn unknown(&mut self, code: u64) -> Result<(), Stop> {
        let reason = self.out.reason(ReasonKind::Instruction, &format!("record {code}"));
        self.nondet(reason, &[]);
        Ok(())
    }
}

fn is_end(op: &Op) -> bool {
    matches!(
        op,
        Op::Return { .. }
            | Op::Branch { .. }
            | Op::CondBranch { .. }
            | Op::Switch { .. }
            | Op::IndirectBranch { .. }
    )
}
