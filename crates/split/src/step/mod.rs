//! One instruction on one path. This file only dispatches; the work is in the files beside it, one per kind.

mod access;
mod call;
mod compare_with_triple;
mod compute;
mod copy;
mod memory;
mod model;

use ir::{Inst, InstId, Lifetime};

use crate::arena::Arena;
use crate::cx::Cx;
use crate::flow::Flow;
use crate::outcome::Outcomes;

/// What becomes of a path behind an instruction.
pub(crate) fn step(cx: &Cx<'_>, arena: &mut Arena, flow: Flow, id: InstId) -> Outcomes {
    match &cx.body.insts[id].inst {
        Inst::Assign { value, .. } => compute::assign(cx, arena, flow, id, *value),
        Inst::Uninit { var } => compute::uninit(cx, arena, flow, id, *var),
        Inst::Nondet { .. } => compute::nondet(cx, arena, flow, id),
        Inst::Unary { op, arg } => compute::unary(cx, arena, flow, id, (*op, *arg)),
        Inst::Binary { op, flags, lhs, rhs } => {
            compute::binary(cx, arena, flow, id, ((*op, *flags), (*lhs, *rhs)))
        }
        Inst::Funnel { left, high, low, amount } => {
            compute::funnel(cx, arena, flow, id, (*left, [*high, *low, *amount]))
        }
        Inst::Compare { op, lhs, rhs } => compute::compare(cx, arena, flow, id, (*op, *lhs, *rhs)),
        Inst::Cast { op, arg } => compute::cast(cx, arena, flow, id, (*op, *arg)),
        Inst::Select { cond, on_true, on_false } => {
            compute::select(cx, arena, flow, id, [*cond, *on_true, *on_false])
        }
        Inst::Freeze { arg } => compute::freeze(cx, arena, flow, id, *arg),
        Inst::PtrAdd { base, index, scale, .. } => {
            compute::ptr_add(cx, arena, flow, id, (*base, *index, *scale))
        }
        Inst::Assume { cond } => compute::assumption(cx, arena, flow, *cond),
        Inst::Alloca { var, size, .. } => memory::alloca(cx, arena, flow, id, (*var, *size)),
        Inst::Lifetime { ptr, event: Lifetime::Start } => memory::scope_begins(cx, arena, flow, *ptr),
        Inst::Lifetime { ptr, event: Lifetime::End } => memory::scope_ends(cx, arena, flow, *ptr),
        Inst::StackSave => memory::stack_save(cx, arena, flow, id),
        Inst::StackRestore { saved } => memory::stack_restore(cx, arena, flow, *saved),
        Inst::Load { ptr, access } => memory::load(cx, arena, flow, id, (*ptr, *access)),
        Inst::Store { ptr, value, access } => memory::store(cx, arena, flow, (*ptr, *value, *access)),
        Inst::VaStart { list } | Inst::VaEnd { list } => memory::va_list(cx, arena, flow, *list),
        Inst::VaCopy { dst, .. } => memory::va_list(cx, arena, flow, *dst),
        Inst::MemCopy { dst, src, len, .. } => copy::mem_copy(cx, arena, flow, [*dst, *src, *len]),
        Inst::MemSet { dst, byte, len } => copy::mem_set(cx, arena, flow, [*dst, *byte, *len]),
        Inst::Call { call } => call::call(cx, arena, flow, id, *call),
    }
}
