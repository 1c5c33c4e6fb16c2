//! Which doomed points are worth telling: those at which somebody wrote something.
//!
//! Every point that is found is doomed in the sense of the definition. But C has points that nobody thinks of as one, and where what dooms them cannot happen:
//!
//! ```c
//! #define GET(v, i) ((i) < (v)->length ? (v)->items[i] : NULL)
//! GET(v, i)->size                                       // the third operand is doomed; but i is never that large
//! for (i = 0; i < N; i++) if (t[i].key == key) break;
//! return t[i].value;                                    // the end of the search is doomed; but the key is there
//! ```
//!
//! Judgment: a doomed point is told if the failure lies in code that is doomed itself, so that nobody ever gets past it; or if the point is a statement of its own, or an `if` without an `else`.
//! Source: Hoenicke et al., §1: a report must be one that no programmer would doubt. Departure: the paper has no macros and no expressions with control flow.

use ir::{BlockId, CmpOp, Inst, LocId, Operand, Terminator, Type};

use crate::copies::Dest;
use crate::definitions::{definition, pointer};
use crate::exorcise::{Exorcist, Point};
use crate::frame::Frame;
use crate::passive::Failure;
use crate::run::{End, Failing};
use crate::story::is_own;

/// Whether a doomed point should be told, given an execution that fails behind it.
pub(crate) fn is_told(
    exorcist: &Exorcist<'_, '_>,
    point: Point,
    failing: &Failing,
    doomed: &[Point],
) -> bool {
    let frame = &exorcist.frame;
    if is_last_resort(exorcist, point) {
        return false;
    }
    if is_own(frame, failing, doomed) || matches!(failing.end, End::Endless(_)) {
        return true;
    }
    match point.target {
        None => is_statement(frame, point.block),
        Some(target) => {
            let is_whole = !is_part(frame, point.block, target) || is_about(frame, point.block, failing);
            is_whole && is_edge_told(frame, point.block, target)
        }
    }
}

/// Whether it might be told that an edge is doomed: if it is an `if` without an `else`, or a pointer is tested.
pub(crate) fn is_edge_told(frame: &Frame<'_>, block: BlockId, target: usize) -> bool {
    let tests_null = match &frame.body.blocks[block].term {
        Terminator::Branch { cond, .. } => {
            compared(frame, *cond).is_some_and(|(tested, _)| frame.body.ty(tested) == Type::Ptr)
        }
        _ => false,
    };
    (tests_null || !is_part(frame, block, target))
        && !is_in_macro(frame, block, target)
        && !is_exhausted(frame, block, target)
}

/// Whether an edge is the way of those for whom nothing that was tried fits: the end of a search, the default that a `switch` does not have, the end of a
/// chain of `else if`. Nobody wrote code for it, mostly because it cannot happen.
fn is_exhausted(frame: &Frame<'_>, block: BlockId, target: usize) -> bool {
    let Some(to) = frame.body.blocks[block].term.targets().nth(target).map(|it| it.block) else {
        return false;
    };
    let loops = &frame.copies.loops;
    let leaves = loops.innermost(block).is_some_and(|id| !loops.contains(id, to));
    match &frame.body.blocks[block].term {
        Terminator::Switch { cases, .. } => leaves || target == cases.len(),
        Terminator::Branch { cond, .. } => leaves || is_tried_again(frame, block, *cond),
        _ => leaves,
    }
}

/// Whether a decision compares a value with a constant that the decision before it compared with another one.
fn is_tried_again(frame: &Frame<'_>, block: BlockId, cond: Operand) -> bool {
    let [before] = frame.copies.cfg.predecessors(block) else { return false };
    let Terminator::Branch { cond: earlier, .. } = &frame.body.blocks[*before].term else { return false };
    let name = |cond: Operand| {
        let (value, constant) = compared(frame, cond)?;
        matches!(constant, Operand::Const(_)).then_some(())?;
        ir::names::describe(frame.code.module, frame.code.function(), value)
    };
    name(cond).is_some() && name(cond) == name(*earlier)
}

/// The two values whose equality a condition tests.
fn compared(frame: &Frame<'_>, cond: Operand) -> Option<(Operand, Operand)> {
    match definition(frame.body, cond)? {
        Inst::Compare { op: CmpOp::Eq | CmpOp::Ne, lhs, rhs } => Some((*lhs, *rhs)),
        _ => None,
    }
}

/// Whether the point is a default that is there to end the program: what it does before is no matter.
fn is_last_resort(exorcist: &Exorcist<'_, '_>, point: Point) -> bool {
    let frame = &exorcist.frame;
    let is_default = frame.copies.cfg.predecessors(point.block).iter().any(|&pred| {
        matches!(&frame.body.blocks[pred].term, Terminator::Switch { default, .. } if default.block == point.block)
    });
    if !is_default {
        return false;
    }
    // Whether the end is come to is not asked: the condition of an assertion may be hard to see through.
    let region = frame.copies.dominators.subtree(point.block);
    region.iter().any(|&block| exorcist.ends_program(block)) || !may_return(exorcist, point.block)
}

/// Whether the function may be left after a block, as far as can be seen from the conditions of branches.
fn may_return(exorcist: &Exorcist<'_, '_>, block: BlockId) -> bool {
    let frame = &exorcist.frame;
    let mut seen = vec![false; frame.copies.nodes.len()];
    let mut todo = exorcist.nodes_of(block).to_vec();
    while let Some(node) = todo.pop() {
        if std::mem::replace(&mut seen[node], true) || exorcist.always_ends(node) {
            continue;
        }
        let data = &frame.copies.nodes[node];
        if matches!(frame.body.blocks[data.block].term, Terminator::Return { .. }) {
            return true;
        }
        for (way, &cond) in data.ways.iter().zip(&frame.conds[node]) {
            match way.to {
                _ if exorcist.passive.terms.value(cond) == Some(0) => {}
                Dest::Node(to) => todo.push(to),
                Dest::Anything | Dest::Never(_) => return true,
            }
        }
    }
    false
}

/// Whether somebody wrote a statement here: something is set, stored or called at another place than the decision that leads here.
pub(crate) fn is_statement(frame: &Frame<'_>, block: BlockId) -> bool {
    let decisions: Vec<_> = frame
        .copies
        .cfg
        .predecessors(block)
        .iter()
        .map(|&pred| place(frame, frame.body.blocks[pred].term_loc))
        .collect();
    frame.body.blocks[block].insts.iter().any(|&inst| {
        let data = &frame.body.insts[inst];
        matches!(data.inst, Inst::Assign { .. } | Inst::Store { .. } | Inst::Call { .. })
            && !decisions.contains(&place(frame, data.loc))
    })
}

/// Whether a decision and what it decides about stand at one place: both come out of one macro.
fn is_in_macro(frame: &Frame<'_>, block: BlockId, target: usize) -> bool {
    let decision = place(frame, frame.body.blocks[block].term_loc);
    let others = frame.body.blocks[block].term.targets().enumerate().filter(|(at, _)| *at != target);
    others.into_iter().any(|(_, other)| {
        let data = &frame.body.blocks[other.block];
        let first = data.insts.first().map_or(data.term_loc, |&inst| frame.body.insts[inst].loc);
        place(frame, first) == decision
    })
}

/// Whether a decision is only a part of one: an operand of `&&` or `||`. The blocks of two operands lead to one block, and the one to the other.
fn is_part(frame: &Frame<'_>, block: BlockId, target: usize) -> bool {
    let Some(to) = frame.body.blocks[block].term.targets().nth(target).map(|it| it.block) else {
        return false;
    };
    let cfg = &frame.copies.cfg;
    let is_decision = |it: BlockId| frame.body.blocks[it].term.targets().count() > 1;
    cfg.predecessors(to).iter().any(|&other| {
        other != block
            && is_decision(other)
            && (cfg.successors(block).contains(&other) || cfg.successors(other).contains(&block))
    })
}

/// Whether the decision is about the very pointer that is null in the end: it is tested, and then used anyway.
fn is_about(frame: &Frame<'_>, block: BlockId, failing: &Failing) -> bool {
    let End::Failed { check, frame: None, .. } = &failing.end else { return false };
    let Failure::Null(operand) = check.what else { return false };
    let Terminator::Branch { cond, .. } = &frame.body.blocks[block].term else { return false };
    let Some((tested, _)) = compared(frame, *cond) else { return false };
    let name = |it: Operand| ir::names::describe(frame.code.module, frame.code.function(), it);
    let used = pointer(frame.body, operand);
    tested == used || name(tested).is_some() && name(tested) == name(used)
}

fn place(frame: &Frame<'_>, loc: LocId) -> (Option<ir::FileId>, u32, u32) {
    let data = frame.code.module.locs[loc];
    (data.file, data.line, data.column)
}
