//! Changing the code of a function.

use ir::{Access, BlockId, Body, Const, Inst, InstId, LocId, Operand, Terminator, Type};

use super::seeds::{Change, Seed};

const ACCESS: Access = Access { align: 1, volatile: false, atomic: false };

/// The body with a bug in it. Instructions that are new stand at `place`.
pub(super) fn seeded(body: &Body, change: Change, place: LocId) -> Body {
    let mut body = body.clone();
    match change {
        Change::Decide(block, condition) => {
            if let Terminator::Branch { on_true, on_false, .. } = &body.blocks[block].term {
                let target = if condition { on_true } else { on_false };
                body.blocks[block].term = Terminator::Jump(target.clone());
            }
        }
        Change::Remove(inst) => body.blocks.iter_mut().for_each(|block| block.insts.retain(|&it| it != inst)),
        Change::Repeat(inst) => {
            let again = body.insts[inst].inst.clone();
            insert(&mut body, inst, (again, &[]), place, 1);
        }
        Change::Read(inst, at) => {
            let Inst::Call { call } = body.insts[inst].inst else { return body };
            let read = Inst::Load { ptr: body.calls[call].args[at], access: ACCESS };
            insert(&mut body, inst, (read, &[Type::Int(8)]), place, 1);
        }
    }
    body
}

/// The body in which a certain error stands where the bug of the seed would show: whether the engine comes there at all.
pub(super) fn probe(body: &Body, seed: &Seed, place: LocId) -> Body {
    let mut body = match seed.change {
        Change::Decide(..) => seeded(body, seed.change, place),
        _ => body.clone(),
    };
    let null = Operand::Const(body.consts.insert(Const::Null));
    let zero = Operand::Const(body.consts.insert(Const::int(8, 0)));
    for &inst in &seed.shows {
        let crash = Inst::Store { ptr: null, value: zero, access: ACCESS };
        let behind = usize::from(matches!(seed.change, Change::Repeat(_) | Change::Read(..)));
        insert(&mut body, inst, (crash, &[]), place, behind);
    }
    body
}

fn insert(body: &mut Body, beside: InstId, (inst, results): (Inst, &[Type]), place: LocId, behind: usize) {
    let id = body.add_inst(inst, place, results);
    let position = |body: &Body, block: BlockId| body.blocks[block].insts.iter().position(|&it| it == beside);
    let found = body.blocks.ids().find_map(|block| Some((block, position(body, block)?)));
    if let Some((block, at)) = found {
        body.blocks[block].insts.insert(at + behind, id);
    }
}
