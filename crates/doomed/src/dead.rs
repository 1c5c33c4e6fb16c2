//! The story of code that no execution reaches.

use base::limits;
use catalog::{Event, Issue, What};
use ir::{BlockId, Inst, Operand, Terminator, ValueDef};
use solver::Verdict;

use crate::exorcise::{Exorcist, Point};
use crate::frame::Frame;
use crate::story::{Found, Step, first_loc, spot};
use crate::words;

/// The story of code that no execution reaches; none where it is a precaution.
pub(crate) fn dead(exorcist: &mut Exorcist<'_, '_>, point: Point) -> Option<Found> {
    let frame = &exorcist.frame;
    if is_precaution(frame, point.block) {
        return None;
    }
    // Behind a certain failure nothing is dead: the failure is the finding.
    if !matches!(exorcist.ask(&[point.passed]), Verdict::Unsat(_)) {
        return None;
    }
    let frame = &exorcist.frame;
    let at = spot(frame.code, first_loc(frame, point.block)?);
    let mut steps = Vec::new();
    let mut above = Some(point.block);
    while let Some(block) = above {
        let preds = frame.copies.cfg.predecessors(block);
        if let [pred] = preds {
            let data = &frame.body.blocks[*pred];
            let target = data.term.targets().position(|it| it.block == block).unwrap_or(0);
            let decision = words::decision(frame.code.module, frame.code.function(), &data.term, target);
            if let Some(decision) = decision {
                let at = spot(frame.code, data.term_loc);
                steps.push(Step { calls: Vec::new(), at, event: Event::Branch(decision) });
            }
        }
        above = frame.copies.dominators.immediate(block);
    }
    steps.truncate(limits::DOOMED_STORY);
    steps.reverse();
    steps.push(Step { calls: Vec::new(), at: at.clone(), event: Event::Error(What::Dead) });
    Some(Found { issue: Issue::DeadCode, at, what: What::Dead, extent: None, steps })
}

/// Whether code is meant not to be reached: switched off by a constant, a default that cannot happen, an end of the program.
fn is_precaution(frame: &Frame<'_>, block: BlockId) -> bool {
    let data = &frame.body.blocks[block];
    let is_plumbing =
        data.insts.is_empty() && matches!(&data.term, Terminator::Jump(target) if target.args.is_empty());
    if matches!(data.term, Terminator::Unreachable { .. }) || is_plumbing {
        return true;
    }
    let preds = frame.copies.cfg.predecessors(block);
    preds.iter().any(|&pred| match &frame.body.blocks[pred].term {
        Terminator::Branch { cond, .. } => is_constant(frame, *cond),
        Terminator::Switch { default, .. } => default.block == block,
        Terminator::Jump(_) => true,
        _ => false,
    })
}

/// Whether a condition compares constants, or nothing at all.
fn is_constant(frame: &Frame<'_>, cond: Operand) -> bool {
    let Some(value) = cond.value() else { return true };
    match frame.body.values[value].def {
        ValueDef::Result(inst, _) => match &frame.body.insts[inst].inst {
            Inst::Compare { lhs: Operand::Const(_), rhs: Operand::Const(_), .. } => true,
            Inst::Assign { value, .. } | Inst::Cast { arg: value, .. } => is_constant(frame, *value),
            _ => false,
        },
        ValueDef::Param(..) => false,
    }
}
