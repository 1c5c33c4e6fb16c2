//! One instruction on one path. This file only dispatches; the work is in the files beside it, one per kind.

mod access;
mod call;
mod compute;
mod copy;
mod fast_path;
mod havoc;
mod known;
mod memory;
mod model;
mod model_effects;
mod summary_call;

pub(crate) use access::{Bytes, Wanted};

use ir::{Inst, InstId, Lifetime};

use crate::engine::Engine;
use crate::flow::Flow;

impl Engine<'_> {
    /// Executes an instruction; the paths that go on are pushed to `next`.
    pub(crate) fn step(&mut self, flow: Flow, id: InstId, next: &mut Vec<Flow>) {
        let body = self.body;
        match &body.insts[id].inst {
            Inst::Assign { value, .. } => self.assign(flow, id, *value, next),
            Inst::Uninit { var } => self.uninit(flow, id, *var, next),
            Inst::Nondet { .. } => self.nondet(flow, id, next),
            Inst::Unary { op, arg } => self.unary(flow, id, (*op, *arg), next),
            Inst::Binary { op, flags, lhs, rhs } => self.binary(flow, id, (*op, *flags), (*lhs, *rhs), next),
            Inst::Funnel { left, high, low, amount } => {
                self.funnel(flow, id, *left, [*high, *low, *amount], next);
            }
            Inst::Compare { op, lhs, rhs } => self.compare(flow, id, *op, (*lhs, *rhs), next),
            Inst::Cast { op, arg } => self.cast(flow, id, (*op, *arg), next),
            Inst::Select { cond, on_true, on_false } => {
                self.select(flow, id, [*cond, *on_true, *on_false], next);
            }
            Inst::Freeze { arg } => self.freeze(flow, id, *arg, next),
            Inst::PtrAdd { base, index, scale, .. } => self.ptr_add(flow, id, (*base, *index, *scale), next),
            Inst::Alloca { var, size, .. } => self.alloca(flow, id, (*var, *size), next),
            Inst::Lifetime { ptr, event: Lifetime::Start } => self.scope_begins(flow, *ptr, next),
            Inst::Lifetime { ptr, event: Lifetime::End } => self.scope_ends(flow, *ptr, next),
            Inst::StackSave => self.stack_save(flow, id, next),
            Inst::StackRestore { saved } => self.stack_restore(flow, *saved, next),
            Inst::Load { ptr, access } => self.load(flow, id, (*ptr, *access), next),
            Inst::Store { ptr, value, access } => self.store(flow, (*ptr, *value, *access), next),
            Inst::MemCopy { dst, src, len, .. } => self.mem_copy(flow, [*dst, *src, *len], next),
            Inst::MemSet { dst, byte, len } => self.mem_set(flow, [*dst, *byte, *len], next),
            Inst::Call { call } => self.call(flow, id, *call, next),
            Inst::VaStart { list } | Inst::VaEnd { list } => self.va_list(flow, *list, next),
            Inst::VaCopy { dst, .. } => self.va_list(flow, *dst, next),
            Inst::Assume { cond } => self.assumption(flow, *cond, next),
        }
    }
}
