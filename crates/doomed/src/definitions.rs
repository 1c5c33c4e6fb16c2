//! Where values come from, as far as the text of a function shows it.

use ir::{Body, Inst, InstId, Operand, ValueDef};

/// The value that an operand is, behind assignments to variables.
pub(crate) fn behind(body: &Body, mut operand: Operand) -> Operand {
    while let Some((_, Inst::Assign { value, .. })) = made_by(body, operand) {
        operand = *value;
    }
    operand
}

/// The instruction that makes an operand.
fn made_by(body: &Body, operand: Operand) -> Option<(InstId, &Inst)> {
    match body.values[operand.value()?].def {
        ValueDef::Result(inst, _) => Some((inst, &body.insts[inst].inst)),
        ValueDef::Param(..) => None,
    }
}

/// The instruction that makes an operand, behind assignments.
pub(crate) fn definition(body: &Body, operand: Operand) -> Option<&Inst> {
    made_by(body, behind(body, operand)).map(|it| it.1)
}

/// The pointer that an address was computed from, by the variable that it was last assigned to.
pub(crate) fn pointer(body: &Body, mut operand: Operand) -> Operand {
    while let Some(Inst::PtrAdd { base, .. }) = definition(body, operand) {
        operand = *base;
    }
    operand
}

/// What the text shows of the memory that a pointer leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Root {
    /// That of a local variable.
    Local(InstId),
    /// What a parameter of the function points to.
    Parameter(u32),
    /// That of a constant address.
    Constant(ir::ConstId),
    Other,
}

/// Whose memory a pointer leads to.
pub(crate) fn root(body: &Body, address: Operand) -> Root {
    let value = match behind(body, pointer(body, address)) {
        Operand::Const(constant) => return Root::Constant(constant),
        Operand::Value(value) => value,
    };
    match body.values[value].def {
        ValueDef::Param(Body::ENTRY, at) => Root::Parameter(at),
        ValueDef::Param(..) => Root::Other,
        ValueDef::Result(inst, _) if matches!(body.insts[inst].inst, Inst::Alloca { .. }) => {
            Root::Local(inst)
        }
        ValueDef::Result(..) => Root::Other,
    }
}

/// The local variable that a pointer leads to.
pub(crate) fn local(body: &Body, pointer: Operand) -> Option<InstId> {
    match root(body, pointer) {
        Root::Local(alloca) => Some(alloca),
        _ => None,
    }
}

/// The pointer through which an instruction writes, but for calls.
pub(crate) fn written_by(inst: &Inst) -> Option<Operand> {
    match inst {
        Inst::Store { ptr, .. } => Some(*ptr),
        Inst::MemCopy { dst, .. } | Inst::MemSet { dst, .. } => Some(*dst),
        Inst::VaStart { list } | Inst::VaEnd { list } | Inst::VaCopy { dst: list, .. } => Some(*list),
        Inst::Lifetime { ptr, .. } => Some(*ptr),
        _ => None,
    }
}
