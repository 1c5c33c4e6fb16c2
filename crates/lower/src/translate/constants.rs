//! Constants as operands.
//!
//! What LLVM could not fold has an address in it. The address of a global plus a number is a constant of
//! ours, too; the rest becomes instructions before the use.

use base::limits;
use bitcode::{Constant, ConstantKind, GlobalValue, ValueId};
use ir::{CastOp, Const, Operand, ReasonKind, Type};

use super::emit::wide;
use super::{Lanes, Translator};
use crate::error::{Cause, Stop};
use crate::flat::Shape;

impl<'e> Translator<'e, '_> {
    /// The lanes of a constant.
    pub(super) fn constant(&mut self, value: ValueId, constant: &'e Constant) -> Result<Lanes, Stop> {
        // A constant inside of another one shares its budget.
        if self.constant_depth == 0 {
            self.constant_parts = limits::LOWER_PARTS;
        }
        if self.constant_depth == limits::LOWER_CONSTANT || self.constant_parts == 0 {
            return Err(Cause::Constant(value).into());
        }
        self.constant_parts -= 1;
        self.constant_depth += 1;
        let result = self.constant_lanes(value, constant);
        self.constant_depth -= 1;
        result
    }

    fn constant_lanes(&mut self, value: ValueId, constant: &'e Constant) -> Result<Lanes, Stop> {
        let types = match self.env.shape(constant.ty) {
            Shape::Unmodeled(why) => return self.unmodeled(why.kind, &why.detail),
            shape => shape.lanes(),
        };
        if types.is_empty() {
            return Ok(Lanes::new());
        }
        let lanes = match &constant.kind {
            ConstantKind::Null => types.iter().map(|&it| self.zero(it)).collect(),
            ConstantKind::Undef => types.iter().map(|&it| self.constant_operand(Const::Undef(it))).collect(),
            ConstantKind::Poison => {
                types.iter().map(|&it| self.constant_operand(Const::Poison(it))).collect()
            }
            ConstantKind::Integer(number) => match types[0] {
                Type::Int(width) => Lanes::from_slice(&[self.signed(width, *number)]),
                _ => Lanes::new(),
            },
            ConstantKind::WideInteger(words) | ConstantKind::Float(words) => {
                Lanes::from_slice(&[self.number_constant(types[0], words)])
            }
            ConstantKind::Bytes(bytes) => self.data(types, bytes.iter().map(|it| u64::from(*it))),
            ConstantKind::Data(words) => self.data(types, words.iter().copied()),
            ConstantKind::Aggregate(elements) => self.aggregate(types.len(), elements)?,
            _ => self.expression(constant)?,
        };
        if self.have_types(&lanes, types) { Ok(lanes) } else { Err(Cause::Constant(value).into()) }
    }

    /// The zero of a type.
    pub(crate) fn zero(&mut self, ty: Type) -> Operand {
        match ty {
            Type::Int(width) => self.int(width, 0),
            Type::Ptr => self.constant_operand(Const::Null),
            Type::Float(kind) => self.constant_operand(Const::Float { kind, bits: 0 }),
        }
    }

    /// A number by its words, least significant first.
    fn number_constant(&mut self, ty: Type, words: &[u64]) -> Operand {
        let word = |index: usize| words.get(index).copied().map_or(0, u128::from);
        let low = word(1) << 64 | word(0);
        match ty {
            Type::Int(width) if width > 128 => self.constant_operand(wide(width, words, 0)),
            Type::Int(width) => self.int(width, low),
            Type::Float(kind) => {
                let bits = low & (u128::MAX >> (128 - kind.bits()));
                self.constant_operand(Const::Float { kind, bits })
            }
            Type::Ptr => self.zero(Type::Ptr),
        }
    }

    fn data(&mut self, types: &[Type], words: impl Iterator<Item = u64>) -> Lanes {
        types.iter().zip(words).map(|(&ty, word)| self.number_constant(ty, &[word])).collect()
    }

    fn aggregate(&mut self, n_lanes: usize, elements: &[ValueId]) -> Result<Lanes, Stop> {
        let mut lanes = Lanes::new();
        for &element in elements {
            lanes.extend(self.lanes_or_none(element)?);
            if lanes.len() > n_lanes {
                return Err(Stop::Operands);
            }
        }
        Ok(lanes)
    }

    fn expression(&mut self, constant: &'e Constant) -> Result<Lanes, Stop> {
        let shape = self.env.shape(constant.ty);
        match &constant.kind {
            ConstantKind::Binary { op, lhs, rhs, .. } => {
                let (lhs, rhs) = (self.lanes(*lhs)?, self.lanes(*rhs)?);
                self.binary_lanes(*op, bitcode::BinaryFlags::default(), &lhs, &rhs)
            }
            ConstantKind::Unary { arg, .. } => {
                let arg = self.lanes(*arg)?;
                self.negate_lanes(&arg)
            }
            ConstantKind::Cast { op, arg, .. } => {
                let arg = self.lanes(*arg)?;
                self.cast_lanes(*op, &arg, shape)
            }
            ConstantKind::Gep { source, flags, base, indices, .. } => {
                self.gep_lanes(*source, flags.inbounds, *base, indices, shape)
            }
            ConstantKind::Select { cond, on_true, on_false } => {
                let (cond, on_true) = (self.lanes(*cond)?, self.lanes(*on_true)?);
                let on_false = self.lanes(*on_false)?;
                self.select_lanes(&cond, &on_true, &on_false)
            }
            ConstantKind::Compare { predicate, lhs, rhs } => {
                let (lhs, rhs) = (self.lanes(*lhs)?, self.lanes(*rhs)?);
                self.compare_lanes(*predicate, &lhs, &rhs)
            }
            ConstantKind::ExtractElement { vector, index } => {
                let (vector, index) = (self.lanes(*vector)?, self.scalar(*index)?);
                self.extract_lane(&vector, index)
            }
            ConstantKind::InsertElement { vector, element, index } => {
                let (vector, element) = (self.lanes(*vector)?, self.scalar(*element)?);
                let index = self.scalar(*index)?;
                self.insert_lane(&vector, element, index)
            }
            ConstantKind::ShuffleVector { lhs, rhs, mask } => self.shuffle_lanes(*lhs, *rhs, *mask),
            ConstantKind::BlockAddress { function, block } => self.label(*function, *block),
            ConstantKind::DsoLocalEquivalent(target) | ConstantKind::NoCfi(target) => self.lanes(*target),
            ConstantKind::PtrAuth(parts) => self.lanes(*parts.first().ok_or(Stop::Operands)?),
            ConstantKind::InlineAsm { .. } => self.unmodeled(ReasonKind::Constant, "inline assembly"),
            ConstantKind::Unknown { code } => self.unmodeled(ReasonKind::Constant, &format!("record {code}")),
            // The other kinds are no expressions.
            _ => Err(Stop::Operands),
        }
    }

    /// The address of a label of this function.
    fn label(&mut self, function: ValueId, block: bitcode::BlockId) -> Result<Lanes, Stop> {
        let own =
            matches!(self.env.module.values.get(function), Some(GlobalValue::Function(it)) if *it == self.id);
        if !own {
            return self.unmodeled(ReasonKind::Constant, "label of another function");
        }
        let lane = match self.plan.blocks.get(base::Id::index(block)) {
            Some(Some(block)) => self.constant_operand(Const::Block(*block)),
            // A label that nothing jumps to was removed; LLVM gives it the address 1, too.
            _ => {
                let one = self.bytes(1);
                self.cast(CastOp::IntToPtr, one, Type::Ptr)
            }
        };
        Ok(Lanes::from_slice(&[lane]))
    }
}
