//! Replaces the accesses of promoted slots, before and after the reaching definitions are known.

use base::{Id, IdVec};
use ir::ssa::{Problem, Reaching, UseId};
use ir::{Body, CastOp, Inst, InstData, InstId, LocId, Operand, Type, Value, ValueDef, ValueId, VarId};

use super::{Slot, Slots, same_bits};

/// What is left to do when the reaching definitions are known.
#[derive(Default)]
pub(super) struct Plan {
    /// Loads that go: what they read is what reaches the use.
    loads: Vec<(ValueId, UseId)>,
    /// Loads that became casts of what reaches the use.
    casts: Vec<(InstId, UseId)>,
    /// The instructions that stand for unspecified content; they go if nothing reads it.
    uninits: Vec<InstId>,
}

/// Turns accesses into definitions and uses of variables. Operands still name the results of loads that go.
pub(super) fn replace_accesses(
    body: &mut Body,
    slots: &Slots,
    problem: &mut Problem,
    pointer_bytes: u32,
) -> Plan {
    let mut plan = Plan::default();
    let mut rewriter = Rewriter { body, slots, problem, plan: &mut plan, pointer_bytes };
    for block in rewriter.body.blocks.ids() {
        rewriter.problem.begin_block(block);
        let before = std::mem::take(&mut rewriter.body.blocks[block].insts);
        let mut after = Vec::with_capacity(before.len());
        for inst in before {
            rewriter.inst(inst, &mut after);
        }
        rewriter.body.blocks[block].insts = after;
    }
    plan
}

struct Rewriter<'b> {
    body: &'b mut Body,
    slots: &'b Slots,
    problem: &'b mut Problem,
    plan: &'b mut Plan,
    pointer_bytes: u32,
}

impl Rewriter<'_> {
    fn inst(&mut self, inst: InstId, after: &mut Vec<InstId>) {
        let slots = self.slots;
        match self.body.insts[inst].inst {
            Inst::Alloca { .. } => self.unspecified(inst, self.body.insts[inst].first_result.into(), after),
            Inst::Lifetime { ptr, .. } => self.unspecified(inst, ptr, after),
            Inst::Load { ptr, .. } => match slots.promoted(ptr) {
                Some((_, variable, ty)) => {
                    let id = self.problem.add_use(variable);
                    self.load(inst, id, ty, after);
                }
                None => after.push(inst),
            },
            Inst::Store { ptr, value, .. } => match slots.promoted(ptr) {
                Some((slot, variable, ty)) => {
                    let operand = self.store(inst, slot, value, ty, after);
                    self.problem.define(variable, operand);
                }
                None => after.push(inst),
            },
            _ => after.push(inst),
        }
    }

    /// Where the content becomes unspecified: by the alloca itself, or by the begin or end of the scope.
    fn unspecified(&mut self, inst: InstId, address: Operand, after: &mut Vec<InstId>) {
        after.push(inst);
        let Some((slot, variable, ty)) = self.slots.promoted(address) else { return };
        if slot.ty.is_none() {
            // Nothing accesses it.
            after.pop();
            return;
        }
        let result = self.become_inst(inst, Inst::Uninit { var: slot.var }, ty, slot.var);
        let data = &mut self.body.insts[inst];
        if let Some(var) = slot.var.filter(|_| data.loc == LocId::FIRST) {
            data.loc = self.body.vars[var].loc;
        }
        self.problem.define(variable, result.into());
        self.plan.uninits.push(inst);
    }

    fn load(&mut self, inst: InstId, id: UseId, ty: Type, after: &mut Vec<InstId>) {
        let result = self.body.insts[inst].first_result;
        let wanted = self.body.values[result].ty;
        if wanted == ty {
            return self.plan.loads.push((result, id));
        }
        // The operand is filled in when it is known.
        let op = self.cast_op(ty, wanted);
        self.body.insts[inst].inst = Inst::Cast { op, arg: result.into() };
        self.plan.casts.push((inst, id));
        after.push(inst);
    }

    /// What the variable is after the store.
    fn store(
        &mut self,
        inst: InstId,
        slot: &Slot,
        value: Operand,
        ty: Type,
        after: &mut Vec<InstId>,
    ) -> Operand {
        let stored = self.body.ty(value);
        match (slot.var, stored == ty) {
            (None, true) => value,
            (None, false) => {
                let op = self.cast_op(stored, ty);
                after.push(inst);
                self.become_inst(inst, Inst::Cast { op, arg: value }, ty, None).into()
            }
            (Some(var), true) => {
                after.push(inst);
                self.become_inst(inst, Inst::Assign { var, value }, ty, Some(var)).into()
            }
            (Some(var), false) => {
                let op = self.cast_op(stored, ty);
                let loc = self.body.insts[inst].loc;
                let cast = self.body.add_inst(Inst::Cast { op, arg: value }, loc, &[ty]);
                let value = self.body.insts[cast].first_result.into();
                after.extend([cast, inst]);
                self.become_inst(inst, Inst::Assign { var, value }, ty, Some(var)).into()
            }
        }
    }

    fn cast_op(&self, from: Type, to: Type) -> CastOp {
        same_bits(from, to, self.pointer_bytes)
            .expect("invariant: all accesses of a promoted slot have the same bits")
    }

    /// Replaces an instruction by one with a new result, at the same place.
    fn become_inst(&mut self, id: InstId, inst: Inst, ty: Type, var: Option<VarId>) -> ValueId {
        let first_result = self.body.values.push(Value { ty, def: ValueDef::Result(id, 0), var });
        let loc = self.body.insts[id].loc;
        self.body.insts[id] = InstData { inst, loc, first_result, n_results: 1 };
        first_result
    }
}

/// Puts what reaches each load in its place, and drops what nothing reads.
pub(super) fn rename(body: &mut Body, plan: Plan, reaching: &Reaching) {
    for &(inst, id) in &plan.casts {
        if let Inst::Cast { arg, .. } = &mut body.insts[inst].inst {
            *arg = reaching[id];
        }
    }
    let mut replaced = Replaced { by: IdVec::from_vec(vec![None; body.values.len()]) };
    for &(load, id) in &plan.loads {
        replaced.by[load] = Some(reaching[id]);
    }
    let mut is_used = vec![false; body.values.len()];
    let mut change = |operand: &mut Operand| {
        if let Operand::Value(value) = *operand {
            *operand = replaced.resolve(value);
            operand.value().into_iter().for_each(|value| is_used[value.index()] = true);
        }
    };
    for block in body.blocks.ids() {
        for position in 0..body.blocks[block].insts.len() {
            let inst = body.blocks[block].insts[position];
            body.each_operand_mut(inst, &mut change);
        }
        body.blocks[block].term.each_operand_mut(&mut change);
    }
    let mut goes = vec![false; body.insts.len()];
    for &inst in &plan.uninits {
        goes[inst.index()] = !is_used[body.insts[inst].first_result.index()];
    }
    for block in body.blocks.iter_mut() {
        block.insts.retain(|inst| !goes[inst.index()]);
    }
}

/// What stands for the results of loads that went.
struct Replaced {
    by: IdVec<ValueId, Option<Operand>>,
}

impl Replaced {
    /// What stands for `value` in the end: a load may have read what another load had read.
    fn resolve(&mut self, value: ValueId) -> Operand {
        let mut end = Operand::Value(value);
        while let Some(next) = end.value().and_then(|it| self.by[it]) {
            end = next;
        }
        // All on the way lead to the end at once from now on, so that long chains are walked once.
        let mut at = value;
        while let Some(next) = self.by[at].filter(|&next| next != end) {
            self.by[at] = Some(end);
            at = next.value().expect("invariant: only the end of a chain can be a constant");
        }
        end
    }
}
