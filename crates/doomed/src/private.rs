//! Local variables whose address nobody else ever has.

use ir::{Body, Inst, InstId, Operand};
use rustc_hash::FxHashSet;

use crate::definitions::local;

/// The allocas whose address is only loaded from, stored to, compared, or moved by arithmetic.
pub(crate) fn objects(body: &Body) -> FxHashSet<InstId> {
    let mut escaped: FxHashSet<InstId> = FxHashSet::default();
    let mut escape = |operand: Operand| {
        escaped.extend(local(body, operand));
    };
    for block in body.blocks.iter() {
        for &inst in &block.insts {
            match &body.insts[inst].inst {
                Inst::Load { .. }
                | Inst::Lifetime { .. }
                | Inst::PtrAdd { .. }
                | Inst::Assign { .. }
                | Inst::Compare { .. }
                | Inst::MemCopy { .. }
                | Inst::MemSet { .. } => {}
                Inst::Store { value, .. } => escape(*value),
                _ => body.each_operand(inst, &mut escape),
            }
        }
        block.term.each_operand(&mut escape);
    }
    let all = body.insts.iter_ids().filter(|(_, data)| matches!(data.inst, Inst::Alloca { .. }));
    all.map(|(inst, _)| inst).filter(|inst| !escaped.contains(inst)).collect()
}
