//! Constants of the module and of function bodies.

use base::Id;
use llvm_bitcode::schema::blocks::ConstantsCodes as Code;

use super::attributes::range;
use super::instructions::{binary_op, cast_op, gep_flags, predicate};
use super::module::value_id;
use super::{Fault, Fields, Reader, block_id, signed, text};
use crate::bitstream::{Block, Record};
use crate::constants::{Constant, ConstantKind};
use crate::error::Error;
use crate::function::{GepFlags, UnaryOp};
use crate::module::{BlockId, GlobalValue, ValueId};
use crate::types::{FloatType, Type, TypeId};

impl<'a> Reader<'a> {
    pub(super) fn module_constants(&mut self, block: Block<'a>) -> Result<(), Error> {
        let mut constants = std::mem::take(&mut self.module.constants);
        let first = constants.len();
        let result = self.constants(block, &mut constants);
        for (index, constant) in constants.iter().enumerate().skip(first) {
            self.module.values.push(GlobalValue::Constant(index as u32));
            self.value_types.push(constant.ty);
        }
        self.module.constants = constants;
        result
    }

    pub(super) fn constants(&mut self, block: Block<'a>, constants: &mut Vec<Constant>) -> Result<(), Error> {
        let mut ty = None;
        self.records(block, |reader, record| {
            if record.code == Code::Settype as u64 {
                ty = Some(reader.type_id(*record.values.first().ok_or("a record should be long enough")?)?);
                return Ok(());
            }
            let ty = ty.ok_or("a constant should have a type")?;
            let kind = reader.constant(record, ty)?;
            constants.push(Constant { ty, kind });
            Ok(())
        })
    }

    fn constant(&mut self, record: &Record<'_>, ty: TypeId) -> Result<ConstantKind, Fault> {
        let values = &record.values;
        let mut fields = Fields::new(values);
        let Some(code) = u8::try_from(record.code).ok().and_then(|code| Code::try_from(code).ok()) else {
            self.note_unknown(block_id::CONSTANTS, Some(record.code));
            return Ok(ConstantKind::Unknown { code: record.code });
        };
        Ok(match code {
            Code::Null => ConstantKind::Null,
            Code::Undef => ConstantKind::Undef,
            Code::Poison => ConstantKind::Poison,
            Code::Integer => ConstantKind::Integer(signed(fields.next()?)),
            Code::WideInteger => {
                ConstantKind::WideInteger(values.iter().map(|&word| signed(word) as u64).collect())
            }
            Code::Float => ConstantKind::Float(self.float_words(ty, values)?),
            Code::Aggregate => ConstantKind::Aggregate(value_list(values)?),
            Code::String => ConstantKind::Bytes(values.iter().map(|&byte| byte as u8).collect()),
            Code::CString => ConstantKind::Bytes(values.iter().map(|&byte| byte as u8).chain([0]).collect()),
            Code::Data => ConstantKind::Data(values.as_slice().into()),
            Code::BinOp => self.constant_binary(&mut fields, ty)?,
            Code::UnOp => {
                fields.next()?;
                ConstantKind::Unary { op: UnaryOp::FNeg, arg: value_id(fields.next()?)? }
            }
            Code::Cast => {
                let op = cast_op(fields.next()?)?;
                let from = self.type_id(fields.next()?)?;
                ConstantKind::Cast { op, from, arg: value_id(fields.next()?)? }
            }
            #[expect(deprecated, reason = "LLVM 15 to 18 write these codes")]
            Code::GepOld
            | Code::InboundsGep
            | Code::GepWithInrangeIndexOld
            | Code::GepWithInrange
            | Code::Gep => self.constant_gep(code, &mut fields)?,
            Code::Select => ConstantKind::Select {
                cond: value_id(fields.next()?)?,
                on_true: value_id(fields.next()?)?,
                on_false: value_id(fields.next()?)?,
            },
            #[expect(deprecated, reason = "LLVM 15 to 18 write this code")]
            Code::Cmp => {
                fields.next()?;
                let (lhs, rhs) = (value_id(fields.next()?)?, value_id(fields.next()?)?);
                ConstantKind::Compare { predicate: predicate(fields.next()?)?, lhs, rhs }
            }
            Code::ExtractElt => {
                fields.next()?;
                let vector = value_id(fields.next()?)?;
                ConstantKind::ExtractElement { vector, index: last_value(&mut fields)? }
            }
            Code::InsertElt => {
                let vector = value_id(fields.next()?)?;
                let element = value_id(fields.next()?)?;
                ConstantKind::InsertElement { vector, element, index: last_value(&mut fields)? }
            }
            Code::ShuffleVec | Code::ShufVecEx => {
                if code == Code::ShufVecEx {
                    fields.next()?;
                }
                ConstantKind::ShuffleVector {
                    lhs: value_id(fields.next()?)?,
                    rhs: value_id(fields.next()?)?,
                    mask: value_id(fields.next()?)?,
                }
            }
            Code::BlockAddress => {
                fields.next()?;
                let function = value_id(fields.next()?)?;
                let block =
                    u32::try_from(fields.next()?).map_err(|_| "a block's number should fit 32 bits")?;
                ConstantKind::BlockAddress { function, block: BlockId::new(block as usize) }
            }
            #[expect(deprecated, reason = "LLVM 15 may write the older code")]
            Code::InlineAsm | Code::InlineAsmOld3 | Code::InlineAsmOld2 => {
                self.inline_asm(code, &mut fields)?
            }
            Code::DsoLocalEquivalent => {
                fields.next()?;
                ConstantKind::DsoLocalEquivalent(value_id(fields.next()?)?)
            }
            Code::NoCfiValue => {
                fields.next()?;
                ConstantKind::NoCfi(value_id(fields.next()?)?)
            }
            Code::PtrAuth => ConstantKind::PtrAuth(value_list(values)?),
            _ => {
                self.note_unknown(block_id::CONSTANTS, Some(record.code));
                ConstantKind::Unknown { code: record.code }
            }
        })
    }

    /// The words of a float, least significant first.
    fn float_words(&self, ty: TypeId, values: &[u64]) -> Result<Box<[u64]>, Fault> {
        match (&self.module.types[ty], values) {
            // The 80 bits are written as the upper 64 and the lower 16.
            (Type::Float(FloatType::X86Fp80), &[high, low]) => {
                Ok([low & 0xffff | high << 16, high >> 48].into())
            }
            (Type::Float(FloatType::Fp128 | FloatType::PpcFp128), &[low, high]) => Ok([low, high].into()),
            (Type::Float(_), &[bits]) => Ok([bits].into()),
            _ => Err("a float constant should fit its type"),
        }
    }

    fn constant_binary(&mut self, fields: &mut Fields<'_>, ty: TypeId) -> Result<ConstantKind, Fault> {
        let op = binary_op(fields.next()?, self.is_float(ty))?;
        let (lhs, rhs) = (value_id(fields.next()?)?, value_id(fields.next()?)?);
        Ok(ConstantKind::Binary { op, flags: fields.optional().unwrap_or(0), lhs, rhs })
    }

    #[expect(deprecated, reason = "LLVM 15 to 18 write the older codes")]
    fn constant_gep(&mut self, code: Code, fields: &mut Fields<'_>) -> Result<ConstantKind, Fault> {
        let explicit = matches!(code, Code::GepWithInrangeIndexOld | Code::GepWithInrange | Code::Gep);
        if !explicit && fields.remaining().is_multiple_of(2) {
            return Err("a constant address should name the type it walks");
        }
        let source = self.type_id(fields.next()?)?;
        let mut in_range = None;
        let flags = match code {
            Code::GepWithInrange => {
                let flags = gep_flags(fields.next()?);
                let width = fields.next()? as u32;
                let (low, high) = range(fields, width)?;
                in_range = Some((width, low.into(), high.into()));
                flags
            }
            // The upper bits say which index may not leave its array; we do not use it.
            Code::GepWithInrangeIndexOld => gep_flags(fields.next()? & 1),
            Code::Gep => gep_flags(fields.next()?),
            Code::InboundsGep => gep_flags(1),
            _ => GepFlags::default(),
        };
        let operands = fields.rest();
        if operands.is_empty() || !operands.len().is_multiple_of(2) {
            return Err("operands of a constant address should come with types");
        }
        let mut operands = operands.chunks_exact(2).map(|pair| value_id(pair[1]));
        let base = operands.next().ok_or("a constant address should have a base")??;
        let indices = operands.collect::<Result<_, _>>()?;
        Ok(ConstantKind::Gep { source, flags, in_range, base, indices })
    }

    fn inline_asm(&mut self, code: Code, fields: &mut Fields<'_>) -> Result<ConstantKind, Fault> {
        let function_type = match code {
            Code::InlineAsm => Some(self.type_id(fields.next()?)?),
            _ => None,
        };
        let flags = fields.next()? as u32;
        let len = fields.next()?;
        let code = text(fields.take(len)?).into();
        let len = fields.next()?;
        let constraints = text(fields.take(len)?).into();
        Ok(ConstantKind::InlineAsm { function_type, flags, text: code, constraints })
    }

    /// Whether operations on this type are those of floats.
    pub(super) fn is_float(&self, ty: TypeId) -> bool {
        match &self.module.types[ty] {
            Type::Float(_) => true,
            Type::Vector { element, .. } => matches!(self.module.types[*element], Type::Float(_)),
            _ => false,
        }
    }
}

fn value_list(numbers: &[u64]) -> Result<Box<[ValueId]>, Fault> {
    numbers.iter().map(|&number| value_id(number)).collect()
}

/// An index, which newer files precede with its type.
fn last_value(fields: &mut Fields<'_>) -> Result<ValueId, Fault> {
    let rest = fields.rest();
    value_id(*rest.last().ok_or("a record should be long enough")?)
}
