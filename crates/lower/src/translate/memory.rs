//! Stack slots, loads, stores and atomic updates.
//!
//! A load or store of an aggregate is one access per lane at the lane's place. Atomic updates are a load, the
//! operation and a store, all atomic; that no other thread comes between is the reader's knowledge.

use bitcode::{InstId, MemoryAccess, RmwOp, TypeId, ValueId};
use ir::{
    Access, BinOp, Call, Callee, CastOp, CmpOp, Inst, Operand, ParamAttrs, ReasonKind, Signature, Type,
};

use super::{Lanes, Translator};
use crate::error::Stop;
use crate::flat::{Part, PartKind, Shape, Unmodeled};

/// Bytes up to which a value that is not modeled is stored as one unknown integer.
const UNKNOWN_BYTES: u64 = base::limits::INT_BITS as u64 / 8;

impl<'e> Translator<'e, '_> {
    /// `alloca`: a block of `count` elements.
    pub(super) fn alloca(
        &mut self,
        id: InstId,
        allocated: TypeId,
        count: ValueId,
        align: u64,
    ) -> Result<Lanes, Stop> {
        let env = self.env;
        let Some(layout) = env.layout.get(allocated) else {
            return self.unmodeled(ReasonKind::Type, "stack slot of a type without size");
        };
        let size = layout.alloc_size();
        let count = self.scalar(count)?;
        let bytes = match (self.small_constant(count), self.ty(count)) {
            (Some(count), _) => self.bytes(size.wrapping_mul(count as u64)),
            (None, Type::Int(_)) => {
                let count = self.resize(count, env.pointer_bits, false);
                let scale = self.bytes(size);
                if size == 1 { count } else { self.binary(BinOp::Mul, count, scale) }
            }
            _ => return Err(Stop::Operands),
        };
        let var = self.number(id).and_then(|it| self.vars.slot(it));
        let before = self.loc;
        self.loc = self.place(id).unwrap_or_else(|| self.slot_loc(var));
        let align = power_of_two(align).unwrap_or(layout.align);
        let slot = self.emit(Inst::Alloca { var, size: bytes, align }, Type::Ptr);
        self.loc = before;
        Ok(Lanes::from_slice(&[slot]))
    }

    /// The place of a slot that the compiler gives none: where its variable is declared, else the function.
    fn slot_loc(&self, var: Option<ir::VarId>) -> ir::LocId {
        let declared = var.map(|it| self.body.vars[it].loc);
        declared.filter(|it| *it != crate::debug::Places::UNKNOWN).unwrap_or(self.function_loc)
    }

    /// `load` of a value of type `ty`.
    pub(super) fn load_lanes(
        &mut self,
        pointer: ValueId,
        ty: TypeId,
        access: MemoryAccess,
    ) -> Result<Lanes, Stop> {
        let env = self.env;
        let access = self.access(access, ty);
        let pointer = self.pointer(pointer)?;
        match env.shape(ty) {
            Shape::Scalar(ty) => Ok(Lanes::from_slice(&[self.load(pointer, *ty, access)])),
            Shape::Lanes(flat) => {
                let mut lanes = Lanes::new();
                for part in &flat.parts {
                    let ty = flat.lanes.get(lanes.len()).copied().unwrap_or(Type::BOOL);
                    self.load_part(pointer, part, ty, access, &mut lanes);
                }
                Ok(lanes)
            }
            Shape::Unmodeled(why) => self.unmodeled(why.kind, &why.detail),
        }
    }

    fn load_part(&mut self, pointer: Operand, part: &Part, ty: Type, access: Access, lanes: &mut Lanes) {
        let (pointer, access) = self.part_access(pointer, part, access);
        match part.kind {
            PartKind::Plain => lanes.push(self.load(pointer, ty, access)),
            PartKind::Packed { width, count } => {
                let packed = self.load(pointer, Type::Int(width * count), access);
                lanes.extend(self.split(packed, width, count as usize));
            }
            PartKind::Address { bits } => {
                let address = self.load(pointer, Type::Int(bits), access);
                lanes.push(self.cast(CastOp::IntToPtr, address, Type::Ptr));
            }
        }
    }

    /// `store` of a value.
    pub(super) fn store_lanes(
        &mut self,
        pointer: ValueId,
        value: ValueId,
        access: MemoryAccess,
    ) -> Result<(), Stop> {
        let (env, source) = (self.env, self.source);
        let pointer = self.pointer(pointer)?;
        let ty = env.module.value_type(Some(source), value);
        let access = match ty {
            Some(ty) => self.access(access, ty),
            None => self.pointer_access(access),
        };
        match env.value_shape(Some(source), value) {
            Shape::Scalar(_) => {
                let value = self.scalar(value)?;
                self.store(pointer, value, access);
            }
            Shape::Lanes(flat) => {
                let lanes = self.lanes(value)?;
                let mut rest = &lanes[..];
                for part in &flat.parts {
                    rest = self.store_part(pointer, part, rest, access)?;
                }
            }
            Shape::Unmodeled(why) => self.store_unknown(pointer, ty, access, why),
        }
        Ok(())
    }

    /// Stores the first lanes of `lanes`; returns the others.
    fn store_part<'l>(
        &mut self,
        pointer: Operand,
        part: &Part,
        lanes: &'l [Operand],
        access: Access,
    ) -> Result<&'l [Operand], Stop> {
        let (pointer, access) = self.part_access(pointer, part, access);
        let n_lanes = if let PartKind::Packed { count, .. } = part.kind { count as usize } else { 1 };
        let (own, rest) = lanes.split_at_checked(n_lanes).ok_or(Stop::Operands)?;
        let value = match part.kind {
            PartKind::Plain => own[0],
            PartKind::Packed { width, .. } => self.join(own, width),
            PartKind::Address { bits } => self.cast(CastOp::PtrToInt, own[0], Type::Int(bits)),
        };
        self.store(pointer, value, access);
        Ok(rest)
    }

    /// Stores a value that is not modeled: the memory holds any bytes afterwards. If there are many, all are equal.
    fn store_unknown(&mut self, pointer: Operand, ty: Option<TypeId>, access: Access, why: &Unmodeled) {
        let reason = self.out.reason(why.kind, &why.detail);
        match ty.and_then(|it| self.env.layout.get(it)).map(|it| it.store_size()) {
            Some(size @ 1..=UNKNOWN_BYTES) => {
                let value = self.nondet(reason, &[Type::Int(8 * size as u32)]);
                self.store(pointer, value[0], access);
            }
            Some(size) => {
                let byte = self.nondet(reason, &[Type::Int(8)])[0];
                let len = self.bytes(size);
                self.effect(Inst::MemSet { dst: pointer, byte, len });
            }
            None => {
                // How many bytes, only the hardware knows: like assembly that is given the address.
                self.nondet(reason, &[]);
                let callee = Callee::Asm(self.out.asm("store of a scalable vector"));
                let signature = Signature { params: vec![Type::Ptr], ..Signature::default() };
                let (args, arg_attrs) = (vec![pointer], vec![ParamAttrs::default()]);
                self.emit_call(Call { callee, args, arg_attrs, signature, noreturn: false });
            }
        }
    }

    fn part_access(&mut self, pointer: Operand, part: &Part, access: Access) -> (Operand, Access) {
        let pointer = self.offset(pointer, part.offset as i64, true);
        let align = match part.offset {
            0 => access.align,
            offset => access.align.min(1 << offset.trailing_zeros().min(31)),
        };
        (pointer, Access { align, ..access })
    }

    fn access(&self, access: MemoryAccess, ty: TypeId) -> Access {
        let natural = self.env.layout.get(ty).map_or(1, |it| it.align);
        Access {
            align: power_of_two(access.align.into()).unwrap_or(natural),
            volatile: access.volatile,
            atomic: access.order != 0,
        }
    }

    fn pointer_access(&self, access: MemoryAccess) -> Access {
        let align = power_of_two(access.align.into()).unwrap_or(self.env.pointer_bits / 8);
        Access { align, volatile: access.volatile, atomic: access.order != 0 }
    }

    /// `cmpxchg`: the old value and whether it was the expected one.
    ///
    /// The store happens in any case, of the old value if the comparison fails, as processors do it.
    pub(super) fn compare_exchange(
        &mut self,
        pointer: ValueId,
        (expected, new): (ValueId, ValueId),
        access: MemoryAccess,
    ) -> Result<Lanes, Stop> {
        let access = Access { atomic: true, ..self.operand_access(access, expected) };
        let pointer = self.pointer(pointer)?;
        let (expected, new) = (self.scalar(expected)?, self.scalar(new)?);
        self.pairs(&[expected], &[new])?;
        let ty = self.ty(expected);
        if matches!(ty, Type::Float(_)) {
            return Err(Stop::Operands);
        }
        let old = self.load(pointer, ty, access);
        let equal = self.compare(CmpOp::Eq, old, expected);
        let stored = self.select(equal, new, old);
        self.store(pointer, stored, access);
        Ok(Lanes::from_slice(&[old, equal]))
    }

    /// `atomicrmw`: the old value.
    pub(super) fn atomic_rmw(
        &mut self,
        op: RmwOp,
        pointer: ValueId,
        value: ValueId,
        access: MemoryAccess,
    ) -> Result<Lanes, Stop> {
        let access = Access { atomic: true, ..self.operand_access(access, value) };
        let pointer = self.pointer(pointer)?;
        let value = self.scalar(value)?;
        let ty = self.ty(value);
        let old = self.load(pointer, ty, access);
        let new = self.rmw(op, old, value)?;
        self.store(pointer, new, access);
        Ok(Lanes::from_slice(&[old]))
    }

    fn operand_access(&self, access: MemoryAccess, value: ValueId) -> Access {
        match self.env.module.value_type(Some(self.source), value) {
            Some(ty) => self.access(access, ty),
            None => self.pointer_access(access),
        }
    }

    fn rmw(&mut self, op: RmwOp, old: Operand, value: Operand) -> Result<Operand, Stop> {
        let ty = self.ty(old);
        let simple = match op {
            RmwOp::Xchg => return Ok(value),
            RmwOp::Add => BinOp::Add,
            RmwOp::Sub => BinOp::Sub,
            RmwOp::And | RmwOp::Nand => BinOp::And,
            RmwOp::Or => BinOp::Or,
            RmwOp::Xor => BinOp::Xor,
            RmwOp::Max => BinOp::SMax,
            RmwOp::Min => BinOp::SMin,
            RmwOp::UMax => BinOp::UMax,
            RmwOp::UMin => BinOp::UMin,
            RmwOp::FAdd => BinOp::FAdd,
            RmwOp::FSub => BinOp::FSub,
            RmwOp::FMax => BinOp::FMax,
            RmwOp::FMin => BinOp::FMin,
            RmwOp::USubSat => BinOp::USubSat,
            RmwOp::UIncWrap | RmwOp::UDecWrap | RmwOp::USubCond => {
                return self.rmw_conditional(op, old, value);
            }
            RmwOp::FMaximum | RmwOp::FMinimum | RmwOp::Unknown(_) => {
                let reason = self.out.reason(ReasonKind::Instruction, "atomicrmw");
                return Ok(self.nondet(reason, &[ty])[0]);
            }
        };
        if matches!(ty, Type::Float(_)) != simple.is_float() || ty == Type::Ptr {
            return Err(Stop::Operands);
        }
        let result = self.binary(simple, old, value);
        if op != RmwOp::Nand {
            return Ok(result);
        }
        let Type::Int(width) = ty else { return Err(Stop::Operands) };
        let ones = self.signed(width, -1);
        Ok(self.binary(BinOp::Xor, result, ones))
    }

    fn rmw_conditional(&mut self, op: RmwOp, old: Operand, value: Operand) -> Result<Operand, Stop> {
        let Type::Int(width) = self.ty(old) else { return Err(Stop::Operands) };
        let (zero, one) = (self.int(width, 0), self.int(width, 1));
        Ok(match op {
            // old >= value ? 0 : old + 1
            RmwOp::UIncWrap => {
                let wraps = self.compare(CmpOp::Uge, old, value);
                let next = self.binary(BinOp::Add, old, one);
                self.select(wraps, zero, next)
            }
            // old == 0 || old > value ? value : old - 1
            RmwOp::UDecWrap => {
                let is_zero = self.compare(CmpOp::Eq, old, zero);
                let above = self.compare(CmpOp::Ugt, old, value);
                let wraps = self.binary(BinOp::Or, is_zero, above);
                let next = self.binary(BinOp::Sub, old, one);
                self.select(wraps, value, next)
            }
            // old >= value ? old - value : old
            _ => {
                let fits = self.compare(CmpOp::Uge, old, value);
                let difference = self.binary(BinOp::Sub, old, value);
                self.select(fits, difference, old)
            }
        })
    }
}

/// An alignment as the IR holds it; none for 0 and for what is no alignment.
fn power_of_two(bytes: u64) -> Option<u32> {
    u32::try_from(bytes).ok().filter(|it| it.is_power_of_two())
}
