//! Which member or variable a pointer points at, by the user's types.

use ir::{
    Block, Body, Callee, Const, GlobalId, Inst, Operand, SourceTypeId, SymbolRef, ValueDef, ValueId, VarId,
};

use super::Flow;
use crate::fields::{self, Keeper};
use crate::resolve::{Resolution, Target};
use crate::unit::UnitId;

/// A memory place by the user's types.
struct Slot {
    /// The unit of the type.
    unit: UnitId,
    ty: Option<SourceTypeId>,
    offset: u64,
    /// The variable it is in, if it is in one.
    variable: Option<(UnitId, GlobalId)>,
}

impl<'p> Flow<'_, 'p> {
    /// What keeps the value that is `further` bytes behind a pointer.
    pub(super) fn keeper(&mut self, ptr: Operand, further: u64) -> Option<Keeper<'p>> {
        let place = self.place(ptr)?;
        let offset = place.offset.checked_add(further)?;
        let member = place.ty.and_then(|ty| self.linked.member(place.unit, ty, offset));
        member.or(place.variable.map(|(unit, global)| Keeper::Variable(unit, global)))
    }

    /// The memory behind a pointer, by the types of the variables and members that the pointer comes from.
    fn place(&mut self, ptr: Operand) -> Option<Slot> {
        self.steps_left = self.steps_left.checked_sub(1)?;
        let value = match ptr {
            Operand::Const(constant) => return self.constant_place(&self.body.consts[constant]),
            Operand::Value(value) => value,
        };
        let inst = match self.body.values[value].def {
            ValueDef::Param(block, _) if block == Body::ENTRY => None,
            ValueDef::Param(..) => return self.behind(self.body.values[value].var?),
            ValueDef::Result(inst, _) => Some(&self.body.insts[inst].inst),
        };
        match inst {
            None => self.behind(self.param_var(value)?),
            Some(&Inst::Alloca { var, .. }) => self.typed(self.body.vars[var?].source_type?),
            Some(&Inst::Assign { var, value: arg }) => match self.behind(var) {
                Some(place) => Some(place),
                None => self.place(arg),
            },
            Some(&Inst::Freeze { arg }) => self.place(arg),
            Some(&Inst::Select { on_true, on_false, .. }) => match self.place(on_true) {
                Some(place) => Some(place),
                None => self.place(on_false),
            },
            Some(&Inst::PtrAdd { base, index, scale, .. }) => {
                let place = self.place(base)?;
                // An index that is computed stays in its array.
                let by =
                    self.int(index).map_or(Some(0), |index| index.checked_mul(i64::try_from(scale).ok()?))?;
                Some(Slot { offset: place.offset.checked_add_signed(by)?, ..place })
            }
            Some(&Inst::Load { ptr, .. }) => {
                let place = self.place(ptr)?;
                let leaf = fields::leaf(self.linked.records, place.unit, place.ty?, place.offset)?;
                let to = fields::pointee(self.linked.module(leaf.unit), leaf.ty)?;
                Some(Slot { unit: leaf.unit, ty: Some(to), offset: 0, variable: None })
            }
            Some(&Inst::Call { call }) => {
                let Callee::Func(callee) = self.body.calls[call].callee else { return None };
                let ty = self.module.functions[callee].source_type?;
                self.typed(fields::pointee(self.module, fields::result(self.module, ty)?)?)
            }
            Some(_) => None,
        }
    }

    fn constant_place(&self, constant: &Const) -> Option<Slot> {
        let Const::Global { global, offset } = *constant else { return None };
        let resolution = self.linked.resolve(self.unit, SymbolRef::Global(global));
        let (unit, global, start) = match resolution {
            Resolution::Known(Target::Global { unit, global, offset }) => (unit, global, offset),
            _ => (self.unit, global, 0),
        };
        let offset = u64::try_from(start.checked_add(offset)?).ok()?;
        let ty = self.linked.module(unit).globals[global].source_type;
        Some(Slot { unit, ty, offset, variable: Some((unit, global)) })
    }

    fn typed(&self, ty: SourceTypeId) -> Option<Slot> {
        Some(Slot { unit: self.unit, ty: Some(ty), offset: 0, variable: None })
    }

    /// The memory behind a pointer variable; none if its type tells nothing.
    fn behind(&self, var: VarId) -> Option<Slot> {
        self.typed(fields::pointee(self.module, self.body.vars[var].source_type?)?)
    }

    /// The variable that a parameter of the function is first assigned to.
    fn param_var(&self, param: ValueId) -> Option<VarId> {
        let entry: &Block = self.body.blocks.get(Body::ENTRY)?;
        self.body.values[param].var.or_else(|| {
            entry.insts.iter().find_map(|&inst| match self.body.insts[inst].inst {
                Inst::Assign { var, value } if value == param.into() => Some(var),
                _ => None,
            })
        })
    }
}
