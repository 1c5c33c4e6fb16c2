//! Whether a function does something with its variadic arguments that is not followed. What library functions
//! do with a list that they get (`vfprintf`) is known; what the function itself takes out of the list, or
//! what other functions do with it, may be freed or kept.

use std::collections::BTreeSet;

use ir::{Inst, InstId, Operand, ValueId};

use crate::cx::Cx;
use world::Knowledge;

/// Whether variadic arguments may be freed or kept.
pub(crate) fn takes_varargs(cx: &Cx<'_>) -> bool {
    let all = || cx.body.blocks.iter().flat_map(|block| &block.insts);
    let started = |&id: &InstId| match cx.body.insts[id].inst {
        Inst::VaStart { list } | Inst::VaCopy { dst: list, .. } => list.value(),
        _ => None,
    };
    let lists: BTreeSet<ValueId> = all().filter_map(started).collect();
    let is_list = |operand: Operand| operand.value().is_some_and(|value| lists.contains(&value));
    !lists.is_empty() && all().any(|&id| takes_from(cx, id, &is_list))
}

fn takes_from(cx: &Cx<'_>, id: InstId, is_list: &dyn Fn(Operand) -> bool) -> bool {
    match &cx.body.insts[id].inst {
        Inst::VaStart { .. } | Inst::VaCopy { .. } | Inst::VaEnd { .. } | Inst::Lifetime { .. } => false,
        Inst::Call { call } => {
            let call = &cx.body.calls[*call];
            call.args.iter().any(|&arg| is_list(arg)) && !is_of_library(cx, call.callee)
        }
        _ => {
            let mut takes = false;
            cx.body.each_operand(id, |operand| takes |= is_list(operand));
            takes
        }
    }
}

fn is_of_library(cx: &Cx<'_>, callee: ir::Callee) -> bool {
    let ir::Callee::Func(function) = callee else { return false };
    let targets = cx.world.function(cx.unit, function);
    targets.iter().all(|&target| matches!(cx.world.callee(target), Knowledge::Model(_)))
}
