//! Appending instructions to the block at hand.

use ir::{
    Access, ArithFlags, BinOp, CastOp, CmpOp, Const, Inst, Operand, ReasonId, Terminator, Type, UnOp,
    ValueDef, ValueId,
};
use smallvec::SmallVec;

use super::Translator;

/// The lanes of a value.
pub(crate) type Lanes = SmallVec<[Operand; 2]>;

impl Translator<'_, '_> {
    /// Appends an instruction with one result.
    pub(crate) fn emit(&mut self, inst: Inst, ty: Type) -> Operand {
        Operand::Value(self.emit_many(inst, &[ty]))
    }

    /// Appends an instruction with the given results; returns the first of them.
    pub(crate) fn emit_many(&mut self, inst: Inst, types: &[Type]) -> ValueId {
        let id = self.body.add_inst(inst, self.loc, types);
        self.body.blocks[self.block].insts.push(id);
        self.body.insts[id].first_result
    }

    /// Appends an instruction without result.
    pub(crate) fn effect(&mut self, inst: Inst) {
        self.emit_many(inst, &[]);
    }

    /// Ends the block.
    pub(crate) fn terminate(&mut self, term: Terminator) {
        self.body.blocks[self.block].term = term;
    }

    /// A constant as an operand.
    pub(crate) fn constant_operand(&mut self, constant: Const) -> Operand {
        Operand::Const(self.body.consts.insert(constant))
    }

    /// An integer constant; `value` is cut to the width.
    pub(crate) fn int(&mut self, width: u32, value: u128) -> Operand {
        let constant = if width <= 128 {
            Const::int(width, value)
        } else {
            wide(width, &[value as u64, (value >> 64) as u64], 0)
        };
        self.constant_operand(constant)
    }

    /// The integer of type `ty` that `value` is, extended with its sign.
    pub(crate) fn signed(&mut self, width: u32, value: i64) -> Operand {
        let constant = if width <= 128 {
            Const::int(width, i128::from(value) as u128)
        } else {
            wide(width, &[value as u64], if value < 0 { u64::MAX } else { 0 })
        };
        self.constant_operand(constant)
    }

    /// A byte count or offset: an integer of pointer width.
    pub(crate) fn bytes(&mut self, bytes: u64) -> Operand {
        self.int(self.env.pointer_bits, u128::from(bytes))
    }

    /// The type of an operand.
    pub(crate) fn ty(&self, operand: Operand) -> Type {
        self.body.ty(operand)
    }

    pub(crate) fn unary(&mut self, op: UnOp, arg: Operand) -> Operand {
        let ty = self.ty(arg);
        self.emit(Inst::Unary { op, arg }, ty)
    }

    /// A binary operation without flags.
    pub(crate) fn binary(&mut self, op: BinOp, lhs: Operand, rhs: Operand) -> Operand {
        let ty = if op.is_overflow_test() { Type::BOOL } else { self.ty(lhs) };
        self.emit(Inst::Binary { op, flags: ArithFlags::default(), lhs, rhs }, ty)
    }

    pub(crate) fn compare(&mut self, op: CmpOp, lhs: Operand, rhs: Operand) -> Operand {
        self.emit(Inst::Compare { op, lhs, rhs }, Type::BOOL)
    }

    pub(crate) fn select(&mut self, cond: Operand, on_true: Operand, on_false: Operand) -> Operand {
        let ty = self.ty(on_true);
        self.emit(Inst::Select { cond, on_true, on_false }, ty)
    }

    /// A conversion, left out if it is none.
    pub(crate) fn cast(&mut self, op: CastOp, arg: Operand, to: Type) -> Operand {
        if self.ty(arg) == to { arg } else { self.emit(Inst::Cast { op, arg }, to) }
    }

    /// An integer cut or widened to `width`.
    pub(crate) fn resize(&mut self, arg: Operand, width: u32, signed: bool) -> Operand {
        let Type::Int(from) = self.ty(arg) else { return arg };
        if let Operand::Const(id) = arg
            && let Const::Int { value, .. } = self.body.consts[id]
            && width <= 128
        {
            let shift = 128 - from;
            let extended = if signed { ((value << shift) as i128 >> shift) as u128 } else { value };
            return self.int(width, extended);
        }
        let op = if width < from {
            CastOp::Trunc
        } else if signed {
            CastOp::SExt
        } else {
            CastOp::ZExt
        };
        self.cast(op, arg, Type::Int(width))
    }

    /// `base + bytes`, folded into the constant if `base` is the address of a global.
    pub(crate) fn offset(&mut self, base: Operand, bytes: i64, inbounds: bool) -> Operand {
        if bytes == 0 {
            return base;
        }
        if let Operand::Const(id) = base
            && let Const::Global { global, offset } = self.body.consts[id]
        {
            return self.constant_operand(Const::Global { global, offset: offset.wrapping_add(bytes) });
        }
        let index = self.signed(self.env.pointer_bits, bytes);
        self.emit(Inst::PtrAdd { base, index, scale: 1, inbounds }, Type::Ptr)
    }

    pub(crate) fn load(&mut self, ptr: Operand, ty: Type, access: Access) -> Operand {
        self.emit(Inst::Load { ptr, access }, ty)
    }

    pub(crate) fn store(&mut self, ptr: Operand, value: Operand, access: Access) {
        self.effect(Inst::Store { ptr, value, access });
    }

    /// Any values of the given types.
    pub(crate) fn nondet(&mut self, reason: ReasonId, types: &[Type]) -> Lanes {
        let first = base::Id::index(self.emit_many(Inst::Nondet { reason }, types));
        (first..first + types.len()).map(|it| Operand::Value(base::Id::new(it))).collect()
    }

    /// The instruction that makes an operand, if one does.
    pub(crate) fn maker(&self, operand: Operand) -> Option<&Inst> {
        match self.body.values[operand.value()?].def {
            ValueDef::Result(inst, _) => Some(&self.body.insts[inst].inst),
            ValueDef::Param(..) => None,
        }
    }
}

/// An integer wider than 128 bits: `words`, then `fill` words.
pub(super) fn wide(width: u32, words: &[u64], fill: u64) -> Const {
    let n_words = width.div_ceil(64) as usize;
    let mut all: Vec<u64> = words.iter().copied().chain(std::iter::repeat(fill)).take(n_words).collect();
    if let (Some(top), bits @ 1..) = (all.last_mut(), width % 64) {
        *top &= (1 << bits) - 1;
    }
    Const::WideInt { width, words: all.into() }
}
