//! Dense ids: drops instructions, values and calls that no block refers to, and numbers the others in the
//! order of the text.

use base::{Id, IdVec};

use crate::function::{BlockId, Body, InstData, InstId, Value, ValueDef, ValueId};
use crate::inst::{Call, Inst};
use crate::types::Operand;

/// Renumbers the instructions, values and calls of `body`; blocks, variables and constants keep their ids.
///
/// Every value that is used should be defined in a block (law L12).
pub fn compact(body: &mut Body) {
    let mut old_insts = std::mem::take(&mut body.insts);
    let mut old_calls = std::mem::take(&mut body.calls);
    let mut renumbering = Renumbering {
        old: &body.values,
        new_ids: vec![GONE; body.values.len()],
        values: with_capacity(body.values.len()),
    };
    let mut insts = with_capacity(body.blocks.iter().map(|block| block.insts.len()).sum());
    let mut calls = with_capacity(old_calls.len());
    for (index, block) in body.blocks.iter_mut().enumerate() {
        let id = BlockId::new(index);
        for (position, param) in block.params.iter_mut().enumerate() {
            *param = renumbering.define(*param, ValueDef::Param(id, position as u32));
        }
        for inst in &mut block.insts {
            let new_id: InstId = insts.next_id();
            let mut data = take_inst(&mut old_insts[*inst]);
            let first = data.first_result.index();
            data.first_result = renumbering.values.next_id();
            for position in 0..data.n_results {
                let old = ValueId::new(first + position as usize);
                renumbering.define(old, ValueDef::Result(new_id, position));
            }
            if let Inst::Call { call } = &mut data.inst {
                *call = calls.push(take_call(&mut old_calls[*call]));
            }
            insts.push(data);
            *inst = new_id;
        }
    }
    let Renumbering { new_ids, values, .. } = renumbering;
    (body.insts, body.values, body.calls) = (insts, values, calls);
    rename_operands(body, &new_ids);
}

/// An empty vector with room for `n` items.
fn with_capacity<I: Id, T>(n: usize) -> IdVec<I, T> {
    IdVec::from_vec(Vec::with_capacity(n))
}

/// The new id of a value that no block defines.
const GONE: u32 = u32::MAX;

struct Renumbering<'b> {
    old: &'b IdVec<ValueId, Value>,
    /// By old id.
    new_ids: Vec<u32>,
    values: IdVec<ValueId, Value>,
}

impl Renumbering<'_> {
    fn define(&mut self, old: ValueId, def: ValueDef) -> ValueId {
        let new = self.values.push(Value { def, ..self.old[old] });
        self.new_ids[old.index()] = new.index() as u32;
        new
    }
}

/// Moves an instruction out of the old table.
fn take_inst(data: &mut InstData) -> InstData {
    let gone = InstData { inst: Inst::StackSave, loc: data.loc, first_result: ValueId::FIRST, n_results: 0 };
    std::mem::replace(data, gone)
}

/// Moves a call out of the old table; it belongs to one instruction (law L10).
fn take_call(call: &mut Call) -> Call {
    let (callee, noreturn) = (call.callee, call.noreturn);
    let (args, arg_attrs, signature) = Default::default();
    std::mem::replace(call, Call { callee, args, arg_attrs, signature, noreturn })
}

fn rename_operands(body: &mut Body, new_ids: &[u32]) {
    let rename = |operand: &mut Operand| {
        if let Operand::Value(value) = operand {
            let new = new_ids[value.index()];
            assert!(new != GONE, "invariant: the definition of {value} dominates its uses (law L12)");
            *value = ValueId::new(new as usize);
        }
    };
    for inst in body.insts.ids() {
        body.each_operand_mut(inst, rename);
    }
    for block in body.blocks.iter_mut() {
        block.term.each_operand_mut(rename);
    }
}
