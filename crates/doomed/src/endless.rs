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
//! something for the world while it runs; one without a decision that leaves it is meant to be endless.

use ir::{Body, Inst, LoopId, Loops, Operand, Terminator};

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
