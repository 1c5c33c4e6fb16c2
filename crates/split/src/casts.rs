//! Tests for null that the compiler puts into C++ code: a cast to a base class that does not come first,
//! `dynamic_cast` and `delete` leave a null pointer alone. Nobody asks there whether a pointer is null.
//!
//! ```cpp
//! Second *second = derived;
//! ```

use ir::{BlockId, CmpOp, Const, Inst, Operand, Target, Terminator, ValueDef};
use term::{Origin, TermId};

use crate::arena::Arena;
use crate::cx::Cx;
use crate::flow::Flow;

/// Where a branch goes for a pointer of unknown code if the test is one of the compiler's: where it is not null.
pub(crate) fn unasked<'t>(
    cx: &Cx<'_>,
    arena: &Arena,
    flow: &Flow,
    block: BlockId,
    (condition, sides): (TermId, [(TermId, &'t Target); 2]),
) -> Option<(TermId, &'t Target)> {
    let data = &cx.body.blocks[block];
    let Terminator::Branch { cond: Operand::Value(cond), .. } = data.term else { return None };
    let ValueDef::Result(inst, _) = cx.body.values[cond].def else { return None };
    let Inst::Compare { op, lhs, rhs } = cx.body.insts[inst].inst else { return None };
    let is_null = |it: Operand| matches!(it, Operand::Const(id) if cx.body.consts[id] == Const::Null);
    let nonnull = match op {
        CmpOp::Eq => sides[1],
        CmpOp::Ne => sides[0],
        _ => return None,
    };
    let is_outside = Origin::is_foreign;
    let is_open = flow.state.path.facts.decide(&arena.terms, condition).is_none();
    let is_unasked = (is_null(lhs) || is_null(rhs))
        && is_open
        && arena.terms.mentions(condition, is_outside)
        && is_cxx(cx)
        && is_one_expression(cx, inst, block, nonnull.1.block);
    is_unasked.then_some(nonnull)
}

/// Whether a test, its branch and what is done for pointers that are not null come from one place of the source.
fn is_one_expression(cx: &Cx<'_>, test: ir::InstId, from: BlockId, to: BlockId) -> bool {
    let place = cx.body.insts[test].loc;
    let data = &cx.body.blocks[to];
    cx.body.blocks[from].term_loc == place
        && data.term_loc == place
        && matches!(data.term, Terminator::Jump(_))
        && !data.insts.is_empty()
        && data.insts.iter().all(|&inst| cx.body.insts[inst].loc == place)
}

fn is_cxx(cx: &Cx<'_>) -> bool {
    cx.module.functions.iter().any(|it| cx.module.symbols.resolve(it.name).starts_with("_Z"))
}
