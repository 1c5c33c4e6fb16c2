//! Which loops are wrong if they never end.
//!
//! ```c
//! while (i < n) sum += a[0];            // nothing that decides changes: an error
//! while (running) { serve(); }          // the callee may end the program, wait, or change what decides
//! for (;;) { ticks++; }                 // meant to run for ever
//! ```
//!
//! Source: Hoenicke et al., §3 (an execution that diverges is inadmissible) and §7 (simple cases of
//! non-termination). Departures: a loop that calls anything, or touches volatile or atomic memory, does
//! something for the world while it runs; one without a decision that leaves it is meant to be endless. What
//! is doomed is the body: the test may be passed by who does not enter the loop.

use std::collections::BTreeSet;

use catalog::{Condition, What};
use ir::{BlockId, Body, Inst, LoopId, Loops, Operand, Terminator, ValueDef};

use crate::access::arguments;
use crate::definitions::written_by;
use crate::frame::Frame;
use crate::told::is_statement;
use crate::words;

/// Whether running for ever in this loop is an error.
pub(crate) fn is_error(body: &Body, loops: &Loops, id: LoopId) -> bool {
    let mut decides = false;
    for &block in loops.blocks(id) {
        let data = &body.blocks[block];
        if data.insts.iter().any(|&inst| is_visible(body, &body.insts[inst].inst)) {
            return false;
        }
        let leaves = data.term.targets().any(|it| !loops.contains(id, it.block));
        let on_value = |operand: &Operand| matches!(operand, Operand::Value(_));
        decides |= match &data.term {
            Terminator::Branch { cond, .. } => leaves && on_value(cond),
            Terminator::Switch { value, .. } => leaves && on_value(value),
            Terminator::IndirectJump { .. } | Terminator::Return { .. } | Terminator::Unreachable { .. } => {
                return false;
            }
            Terminator::Jump(_) => false,
        };
    }
    decides
}

/// Whether the world outside may notice, or change, something.
fn is_visible(body: &Body, inst: &Inst) -> bool {
    match inst {
        Inst::Call { .. } | Inst::Nondet { .. } => true,
        Inst::Load { access, ptr } => access.volatile || access.atomic || is_symbol(body, *ptr),
        Inst::Store { access, .. } => access.volatile || access.atomic,
        _ => false,
    }
}

/// Another thread or a signal handler may change a global variable that a loop waits for.
fn is_symbol(body: &Body, operand: Operand) -> bool {
    matches!(operand, Operand::Const(constant) if matches!(body.consts[constant], ir::Const::Global { .. }))
}

/// Where the body of a loop begins: behind the tests, if it begins with some.
pub(crate) fn body(frame: &Frame<'_>, id: LoopId) -> BlockId {
    let loops = &frame.copies.loops;
    let mut block = loops.get(id).header;
    for _ in 0..loops.blocks(id).len() {
        let targets: Vec<BlockId> = frame.body.blocks[block].term.targets().map(|it| it.block).collect();
        let is_test = targets.iter().any(|&it| !loops.contains(id, it));
        let next = targets.into_iter().find(|&it| loops.contains(id, it) && it != loops.get(id).header);
        match next {
            Some(next) if is_test && !is_statement(frame, block) => block = next,
            _ => break,
        }
    }
    block
}

/// Why a loop never ends: what its tests read does not change, or they have one outcome whatever changes.
pub(crate) fn what(frame: &Frame<'_>, id: LoopId) -> What {
    let (mut unchanged, mut holds) = (BTreeSet::new(), BTreeSet::new());
    for &block in frame.copies.loops.blocks(id) {
        let term = &frame.body.blocks[block].term;
        let stays = |target: &usize| {
            let to = term.targets().nth(*target).map(|it| it.block);
            to.is_some_and(|it| frame.copies.loops.contains(id, it))
        };
        let n_targets = term.targets().count();
        let staying: Vec<usize> = (0..n_targets).filter(stays).collect();
        if staying.len() == n_targets {
            continue;
        }
        let decided = match term {
            Terminator::Branch { cond, .. } => *cond,
            Terminator::Switch { value, .. } => *value,
            _ => continue,
        };
        match read(frame, id, decided) {
            Some(names) => unchanged.extend(names),
            None => holds.extend(
                staying
                    .into_iter()
                    .filter_map(|it| words::decision(frame.code.module, frame.code.function(), term, it)),
            ),
        }
    }
    let unchanged = if holds.is_empty() { unchanged.into_iter().collect() } else { Vec::new() };
    let holds: Vec<Condition> = holds.into_iter().collect();
    What::Endless { unchanged, holds }
}

/// The names of all that a test reads, if the loop changes nothing of it.
fn read(frame: &Frame<'_>, id: LoopId, test: Operand) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    let mut todo = vec![test];
    for _ in 0..100 {
        let Some(operand) = todo.pop() else { return Some(names) };
        let Some(value) = operand.value() else { continue };
        let block = frame.block_of(value);
        let is_leaf = match frame.body.values[value].def {
            _ if !frame.copies.loops.contains(id, block) => true,
            ValueDef::Param(_, at) if block == frame.copies.loops.get(id).header => {
                (!frame.changes(block, at as usize)).then_some(true)?
            }
            // Two operands of `||` meet in a value.
            ValueDef::Param(_, at) => {
                todo.extend(arguments(frame.body, block, at));
                false
            }
            ValueDef::Result(inst, _) => match &frame.body.insts[inst].inst {
                Inst::Load { .. } => (!writes(frame, id)).then_some(true)?,
                _ => {
                    frame.body.each_operand(inst, |it| todo.push(it));
                    false
                }
            },
        };
        if is_leaf {
            names.insert(ir::names::describe(frame.code.module, frame.code.function(), operand)?);
        }
    }
    None
}

/// Whether a loop writes to memory.
fn writes(frame: &Frame<'_>, id: LoopId) -> bool {
    let mut insts = frame.copies.loops.blocks(id).iter().flat_map(|&it| &frame.body.blocks[it].insts);
    insts.any(|&inst| written_by(&frame.body.insts[inst].inst).is_some())
}
