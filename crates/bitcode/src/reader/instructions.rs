//! Instruction records.
//!
//! Operands are numbers relative to the next value's. Where an operand may come later in the function, its
//! type follows ("pair" in the layouts below).

use base::Id;
use llvm_bitcode::schema::blocks::FunctionCode as Code;

use super::body::BodyReader;
use super::module::value_id;
use super::{Fault, Fields, Reader, alignment, block_id, signed};
use crate::attributes::AttributeListId;
use crate::bitstream::Record;
use crate::function::{
    BinaryFlags, BinaryOp, Call, CastOp, GepFlags, MemoryAccess, Op, Predicate, RmwOp, UnaryOp,
};
use crate::module::{BlockId, ValueId};
use crate::types::{Type, TypeId};

impl Reader<'_> {
    /// The instruction of a record and the type of its result.
    pub(super) fn instruction(
        &mut self,
        reader: &mut BodyReader,
        record: &Record<'_>,
        code: Option<Code>,
    ) -> Result<(Op, TypeId), Fault> {
        let fields = &mut Fields::new(&record.values);
        match code {
            Some(Code::BinOp) => self.binary(reader, fields),
            Some(Code::UnOp) => self.unary(reader, fields),
            Some(Code::Cast) => self.cast(reader, fields),
            Some(Code::Cmp2) => self.compare(reader, fields),
            #[expect(deprecated, reason = "LLVM still writes this code for comparisons of scalars")]
            Some(Code::Cmp) => self.compare(reader, fields),
            Some(Code::Vselect) => self.select(reader, fields),
            Some(Code::Gep) => self.gep(reader, fields),
            Some(Code::ExtractElt) => self.extract_element(reader, fields),
            Some(Code::InsertElt) => self.insert_element(reader, fields),
            Some(Code::ShuffleVec) => self.shuffle_vector(reader, fields),
            Some(Code::ExtractVal) => self.extract_value(reader, fields),
            Some(Code::InsertVal) => self.insert_value(reader, fields),
            Some(Code::Phi) => self.phi(reader, fields),
            Some(Code::Alloca) => self.alloca(reader, fields),
            Some(Code::Load) => self.load(reader, fields, false),
            Some(Code::LoadAtomic) => self.load(reader, fields, true),
            Some(Code::Store) => self.store(reader, fields, false),
            Some(Code::StoreAtomic) => self.store(reader, fields, true),
            Some(Code::AtomicCmpXchg) => self.compare_exchange(reader, fields),
            Some(Code::AtomicRmw) => self.atomic_rmw(reader, fields),
            Some(Code::Fence) => {
                let (order, scope) = (fields.next()? as u8, fields.next()? as u8);
                Ok((Op::Fence { order, scope }, self.void_type()))
            }
            Some(Code::Call) => self.call(reader, fields),
            Some(Code::Invoke) => self.invoke(reader, fields),
            Some(Code::CallBr) => self.call_br(reader, fields),
            Some(Code::VaArg) => self.va_arg(reader, fields),
            Some(Code::Freeze) => {
                let (arg, ty) = self.value_and_type(reader, fields)?;
                Ok((Op::Freeze { arg }, ty))
            }
            Some(Code::LandingPad) => self.landing_pad(reader, fields),
            Some(Code::CatchPad) => self.funclet_pad(reader, fields, true),
            Some(Code::CleanupPad) => self.funclet_pad(reader, fields, false),
            Some(Code::CatchSwitch) => self.catch_switch(reader, fields),
            Some(code) => match self.terminator(reader, fields, code)? {
                Some(op) => Ok((op, self.void_type())),
                None => Ok(self.unknown_instruction(record.code)),
            },
            None => Ok(self.unknown_instruction(record.code)),
        }
    }

    fn unknown_instruction(&mut self, code: u64) -> (Op, TypeId) {
        self.note_unknown(block_id::FUNCTION, Some(code));
        (Op::Unknown { code }, self.void_type())
    }

    fn terminator(
        &mut self,
        reader: &mut BodyReader,
        fields: &mut Fields<'_>,
        code: Code,
    ) -> Result<Option<Op>, Fault> {
        Ok(Some(match code {
            Code::Ret if fields.is_empty() => Op::Return { value: None },
            Code::Ret => Op::Return { value: Some(self.value_and_type(reader, fields)?.0) },
            Code::Br => self.branch(reader, fields)?,
            Code::Switch => self.switch(reader, fields)?,
            Code::IndirectBr => {
                fields.next()?;
                let address = self.value(reader, fields)?;
                Op::IndirectBranch { address, targets: blocks(reader, fields.rest())? }
            }
            Code::Unreachable => Op::Unreachable,
            Code::Resume => Op::Resume { value: self.value_and_type(reader, fields)?.0 },
            Code::CatchRet => {
                let pad = self.value(reader, fields)?;
                Op::CatchRet { pad, target: reader.block(fields.next()?)? }
            }
            Code::CleanupRet => {
                let pad = self.value(reader, fields)?;
                let unwind = fields.optional().map(|number| reader.block(number)).transpose()?;
                Op::CleanupRet { pad, unwind }
            }
            _ => return Ok(None),
        }))
    }

    // [pair, value, opcode, flags?]
    fn binary(&mut self, reader: &mut BodyReader, fields: &mut Fields<'_>) -> Result<(Op, TypeId), Fault> {
        let (lhs, ty) = self.value_and_type(reader, fields)?;
        let rhs = self.value(reader, fields)?;
        let op = binary_op(fields.next()?, self.is_float(ty))?;
        let flags = binary_flags(op, fields.optional().unwrap_or(0));
        Ok((Op::Binary { op, flags, lhs, rhs }, ty))
    }

    // [pair, opcode, flags?]
    fn unary(&mut self, reader: &mut BodyReader, fields: &mut Fields<'_>) -> Result<(Op, TypeId), Fault> {
        let (arg, ty) = self.value_and_type(reader, fields)?;
        if fields.next()? != 0 {
            return Err("a unary operation should be a negation");
        }
        let fast_math = fields.optional().unwrap_or(0) as u32;
        Ok((Op::Unary { op: UnaryOp::FNeg, fast_math, arg }, ty))
    }

    // [pair, type, opcode, flags?]
    fn cast(&mut self, reader: &mut BodyReader, fields: &mut Fields<'_>) -> Result<(Op, TypeId), Fault> {
        let (arg, _) = self.value_and_type(reader, fields)?;
        let ty = self.type_id(fields.next()?)?;
        let op = cast_op(fields.next()?)?;
        Ok((Op::Cast { op, flags: fields.optional().unwrap_or(0) as u32, arg }, ty))
    }

    // [pair, value, predicate, flags?]
    fn compare(&mut self, reader: &mut BodyReader, fields: &mut Fields<'_>) -> Result<(Op, TypeId), Fault> {
        let (lhs, operand_type) = self.value_and_type(reader, fields)?;
        let rhs = self.value(reader, fields)?;
        let predicate = predicate(fields.next()?)?;
        let flags = fields.optional().unwrap_or(0) as u32;
        let bool_type = self.bool_type();
        let ty = self.lanes_like(operand_type, bool_type);
        Ok((Op::Compare { predicate, flags, lhs, rhs }, ty))
    }

    // [pair (true), value (false), pair (condition), fast-math?]
    fn select(&mut self, reader: &mut BodyReader, fields: &mut Fields<'_>) -> Result<(Op, TypeId), Fault> {
        let (on_true, ty) = self.value_and_type(reader, fields)?;
        let on_false = self.value(reader, fields)?;
        let (cond, _) = self.value_and_type(reader, fields)?;
        let fast_math = fields.optional().unwrap_or(0) as u32;
        Ok((Op::Select { cond, on_true, on_false, fast_math }, ty))
    }

    // [flags, type, pair (base), pair (index)…]
    fn gep(&mut self, reader: &mut BodyReader, fields: &mut Fields<'_>) -> Result<(Op, TypeId), Fault> {
        let flags = gep_flags(fields.next()?);
        let source = self.type_id(fields.next()?)?;
        let (base, mut ty) = self.value_and_type(reader, fields)?;
        let mut indices = Vec::with_capacity(fields.remaining());
        while !fields.is_empty() {
            let (index, index_type) = self.value_and_type(reader, fields)?;
            if !matches!(self.module.types[ty], Type::Vector { .. }) {
                ty = self.lanes_like(index_type, ty);
            }
            indices.push(index);
        }
        Ok((Op::Gep { source, flags, base, indices: indices.into() }, ty))
    }

    // [pair (vector), pair (index)]
    fn extract_element(
        &mut self,
        reader: &mut BodyReader,
        fields: &mut Fields<'_>,
    ) -> Result<(Op, TypeId), Fault> {
        let (vector, vector_type) = self.value_and_type(reader, fields)?;
        let (index, _) = self.value_and_type(reader, fields)?;
        let Type::Vector { element, .. } = self.module.types[vector_type] else {
            return Err("lanes should be taken from vectors");
        };
        Ok((Op::ExtractElement { vector, index }, element))
    }

    // [pair (vector), value (element), pair (index)]
    fn insert_element(
        &mut self,
        reader: &mut BodyReader,
        fields: &mut Fields<'_>,
    ) -> Result<(Op, TypeId), Fault> {
        let (vector, ty) = self.value_and_type(reader, fields)?;
        let element = self.value(reader, fields)?;
        let (index, _) = self.value_and_type(reader, fields)?;
        Ok((Op::InsertElement { vector, element, index }, ty))
    }

    // [pair, value, pair (mask)]
    fn shuffle_vector(
        &mut self,
        reader: &mut BodyReader,
        fields: &mut Fields<'_>,
    ) -> Result<(Op, TypeId), Fault> {
        let (lhs, vector_type) = self.value_and_type(reader, fields)?;
        let rhs = self.value(reader, fields)?;
        let (mask, mask_type) = self.value_and_type(reader, fields)?;
        let Type::Vector { element, .. } = self.module.types[vector_type] else {
            return Err("lanes should be taken from vectors");
        };
        let ty = self.lanes_like(mask_type, element);
        Ok((Op::ShuffleVector { lhs, rhs, mask }, ty))
    }

    // [pair (aggregate), index…]
    fn extract_value(
        &mut self,
        reader: &mut BodyReader,
        fields: &mut Fields<'_>,
    ) -> Result<(Op, TypeId), Fault> {
        let (aggregate, mut ty) = self.value_and_type(reader, fields)?;
        let indices: Box<[u32]> = fields.rest().iter().map(|&index| index as u32).collect();
        for &index in &indices {
            ty = match &self.module.types[ty] {
                Type::Struct { fields, .. } => *fields.get(index as usize).ok_or("a member should exist")?,
                Type::Array { element, .. } => *element,
                _ => return Err("members should be taken from structs and arrays"),
            };
        }
        Ok((Op::ExtractValue { aggregate, indices }, ty))
    }

    // [pair (aggregate), pair (member), index…]
    fn insert_value(
        &mut self,
        reader: &mut BodyReader,
        fields: &mut Fields<'_>,
    ) -> Result<(Op, TypeId), Fault> {
        let (aggregate, ty) = self.value_and_type(reader, fields)?;
        let (element, _) = self.value_and_type(reader, fields)?;
        let indices = fields.rest().iter().map(|&index| index as u32).collect();
        Ok((Op::InsertValue { aggregate, element, indices }, ty))
    }

    // [type, (signed value, block)*, fast-math?]
    fn phi(&mut self, reader: &mut BodyReader, fields: &mut Fields<'_>) -> Result<(Op, TypeId), Fault> {
        let ty = self.type_id(fields.next()?)?;
        let rest = fields.rest();
        let next = self.value_types.len() as i64;
        let incoming = rest
            .chunks_exact(2)
            .map(|pair| {
                let value = next.wrapping_sub(signed(pair[0]));
                Ok((reader.use_value(value as u64)?, reader.block(pair[1])?))
            })
            .collect::<Result<_, Fault>>()?;
        let fast_math = if rest.len().is_multiple_of(2) { 0 } else { rest[rest.len() - 1] as u32 };
        Ok((Op::Phi { incoming, fast_math }, ty))
    }

    // [type, type of the count, count (absolute), alignment and flags, address space?]
    fn alloca(&mut self, reader: &mut BodyReader, fields: &mut Fields<'_>) -> Result<(Op, TypeId), Fault> {
        let allocated = self.type_id(fields.next()?)?;
        fields.next()?;
        let count = reader.use_value(fields.next()?)?;
        let bits = fields.next()?;
        let address_space = fields.optional().map_or(self.alloca_space, |number| number as u32);
        let align = alignment(bits & 0x1f | (bits >> 8 & 7) << 5);
        let (inalloca, swift_error) = (bits & 1 << 5 != 0, bits & 1 << 7 != 0);
        let ty = self.pointer_type(address_space);
        Ok((Op::Alloca { allocated, count, align, inalloca, swift_error, address_space }, ty))
    }

    // [pair (pointer), type, alignment, volatile, (order, scope)?]
    fn load(
        &mut self,
        reader: &mut BodyReader,
        fields: &mut Fields<'_>,
        atomic: bool,
    ) -> Result<(Op, TypeId), Fault> {
        let (pointer, _) = self.value_and_type(reader, fields)?;
        let ty = self.type_id(fields.next()?)?;
        let access = memory_access(fields, atomic)?;
        Ok((Op::Load { pointer, access }, ty))
    }

    // [pair (pointer), pair (value), alignment, volatile, (order, scope)?]
    fn store(
        &mut self,
        reader: &mut BodyReader,
        fields: &mut Fields<'_>,
        atomic: bool,
    ) -> Result<(Op, TypeId), Fault> {
        let (pointer, _) = self.value_and_type(reader, fields)?;
        let (value, _) = self.value_and_type(reader, fields)?;
        let access = memory_access(fields, atomic)?;
        Ok((Op::Store { pointer, value, access }, self.void_type()))
    }

    // [pair (pointer), pair (expected), value (new), volatile, order, scope, failure order, weak, alignment?]
    fn compare_exchange(
        &mut self,
        reader: &mut BodyReader,
        fields: &mut Fields<'_>,
    ) -> Result<(Op, TypeId), Fault> {
        let (pointer, _) = self.value_and_type(reader, fields)?;
        let (expected, expected_type) = self.value_and_type(reader, fields)?;
        let new = self.value(reader, fields)?;
        let volatile = fields.next()? != 0;
        let (order, scope) = (fields.next()? as u8, fields.next()? as u8);
        let failure_order = fields.next()? as u8;
        let weak = fields.next()? != 0;
        let align = access_alignment(fields.optional().unwrap_or(0));
        let access = MemoryAccess { align, volatile, order, scope };
        let bool_type = self.bool_type();
        let ty = self.pair_type(expected_type, bool_type);
        Ok((Op::CompareExchange { pointer, expected, new, access, failure_order, weak }, ty))
    }

    // [pair (pointer), pair (value), operation, volatile, order, scope, alignment?]
    fn atomic_rmw(
        &mut self,
        reader: &mut BodyReader,
        fields: &mut Fields<'_>,
    ) -> Result<(Op, TypeId), Fault> {
        let (pointer, _) = self.value_and_type(reader, fields)?;
        let (value, ty) = self.value_and_type(reader, fields)?;
        let op = rmw_op(fields.next()?);
        let volatile = fields.next()? != 0;
        let (order, scope) = (fields.next()? as u8, fields.next()? as u8);
        let align = access_alignment(fields.optional().unwrap_or(0));
        Ok((Op::AtomicRmw { op, pointer, value, access: MemoryAccess { align, volatile, order, scope } }, ty))
    }

    // [attributes, convention and flags, fast-math?, function type, pair (callee), arguments…]
    fn call(&mut self, reader: &mut BodyReader, fields: &mut Fields<'_>) -> Result<(Op, TypeId), Fault> {
        let attributes = fields.next()?;
        let convention = fields.next()?;
        let fast_math = if convention & 1 << 17 != 0 { fields.next()? as u32 } else { 0 };
        let tail = match (convention & 1, convention >> 14 & 1, convention >> 16 & 1) {
            (_, 1, _) => 2,
            (1, ..) => 1,
            (_, _, 1) => 3,
            _ => 0,
        };
        if convention & 1 << 15 == 0 {
            return Err("a call should name its function type");
        }
        let head = CallHead { attributes, convention: (convention & 0x7ff) >> 1, tail, fast_math };
        let (call, ty) = self.call_rest(reader, fields, head)?;
        Ok((Op::Call(call), ty))
    }

    // [attributes, convention and flags, normal, unwind, function type, pair (callee), arguments…]
    fn invoke(&mut self, reader: &mut BodyReader, fields: &mut Fields<'_>) -> Result<(Op, TypeId), Fault> {
        let attributes = fields.next()?;
        let convention = fields.next()?;
        let normal = reader.block(fields.next()?)?;
        let unwind = reader.block(fields.next()?)?;
        if convention & 1 << 13 == 0 {
            return Err("a call should name its function type");
        }
        let head = CallHead { attributes, convention: convention & 0x3ff, tail: 0, fast_math: 0 };
        let (call, ty) = self.call_rest(reader, fields, head)?;
        Ok((Op::Invoke { call, normal, unwind }, ty))
    }

    // [attributes, convention and flags, fallthrough, count, labels…, function type, pair (callee), arguments…]
    fn call_br(&mut self, reader: &mut BodyReader, fields: &mut Fields<'_>) -> Result<(Op, TypeId), Fault> {
        let attributes = fields.next()?;
        let convention = fields.next()?;
        let fallthrough = reader.block(fields.next()?)?;
        let count = fields.next()?;
        let indirect = blocks(reader, fields.take(count)?)?;
        if convention & 1 << 15 == 0 {
            return Err("a call should name its function type");
        }
        let head = CallHead { attributes, convention: (convention & 0x7ff) >> 1, tail: 0, fast_math: 0 };
        let (call, ty) = self.call_rest(reader, fields, head)?;
        Ok((Op::CallBr { call, fallthrough, indirect }, ty))
    }

    // [function type, pair (callee), arguments: values for parameters, pairs for variadic ones]
    fn call_rest(
        &mut self,
        reader: &mut BodyReader,
        fields: &mut Fields<'_>,
        head: CallHead,
    ) -> Result<(Box<Call>, TypeId), Fault> {
        let function_type = self.type_id(fields.next()?)?;
        let (callee, _) = self.value_and_type(reader, fields)?;
        let Type::Function { result, ref params, variadic } = self.module.types[function_type] else {
            return Err("a call should name its function type");
        };
        let params = params.clone();
        let mut args = Vec::with_capacity(params.len().min(fields.remaining()));
        for &param in &params {
            args.push(match self.module.types[param] {
                // The number is that of a metadata node or block, not of a value.
                Type::Metadata => {
                    let relative = fields.next()? as u32;
                    value_id(u64::from((self.value_types.len() as u32).wrapping_sub(relative)))?
                }
                Type::Label => ValueId::new(reader.block(fields.next()?)?.index()),
                _ => self.value(reader, fields)?,
            });
        }
        while variadic && !fields.is_empty() {
            args.push(self.value_and_type(reader, fields)?.0);
        }
        let call = Call {
            callee,
            function_type,
            args: args.into(),
            attributes: AttributeListId::from_record(head.attributes, &self.module.attribute_lists),
            calling_convention: head.convention as u32,
            tail: head.tail,
            fast_math: head.fast_math,
            bundles: std::mem::take(&mut reader.bundles).into(),
        };
        Ok((Box::new(call), result))
    }

    // [type of the list, list, type]
    fn va_arg(&mut self, reader: &mut BodyReader, fields: &mut Fields<'_>) -> Result<(Op, TypeId), Fault> {
        fields.next()?;
        let list = self.value(reader, fields)?;
        let ty = self.type_id(fields.next()?)?;
        Ok((Op::VaArg { list }, ty))
    }

    // [type, cleanup, count, (kind, pair)*]
    fn landing_pad(
        &mut self,
        reader: &mut BodyReader,
        fields: &mut Fields<'_>,
    ) -> Result<(Op, TypeId), Fault> {
        let ty = self.type_id(fields.next()?)?;
        let cleanup = fields.next()? != 0;
        fields.next()?;
        let mut clauses = Vec::new();
        while let Some(kind) = fields.optional() {
            clauses.push((kind != 0, self.value_and_type(reader, fields)?.0));
        }
        Ok((Op::LandingPad { cleanup, clauses: clauses.into() }, ty))
    }

    // [parent, count, pair (argument)…]
    fn funclet_pad(
        &mut self,
        reader: &mut BodyReader,
        fields: &mut Fields<'_>,
        catch: bool,
    ) -> Result<(Op, TypeId), Fault> {
        let parent = self.value(reader, fields)?;
        fields.next()?;
        let mut args = Vec::new();
        while !fields.is_empty() {
            args.push(self.value_and_type(reader, fields)?.0);
        }
        Ok((Op::FuncletPad { catch, parent, args: args.into() }, self.token_type()))
    }

    // [parent, count, handlers…, unwind?]
    fn catch_switch(
        &mut self,
        reader: &mut BodyReader,
        fields: &mut Fields<'_>,
    ) -> Result<(Op, TypeId), Fault> {
        let parent = self.value(reader, fields)?;
        let count = fields.next()?;
        let handlers = blocks(reader, fields.take(count)?)?;
        let unwind = fields.optional().map(|number| reader.block(number)).transpose()?;
        Ok((Op::CatchSwitch { parent, handlers, unwind }, self.token_type()))
    }

    // [block] or [block, block, condition]
    fn branch(&mut self, reader: &mut BodyReader, fields: &mut Fields<'_>) -> Result<Op, Fault> {
        let on_true = reader.block(fields.next()?)?;
        if fields.is_empty() {
            return Ok(Op::Branch { target: on_true });
        }
        let on_false = reader.block(fields.next()?)?;
        Ok(Op::CondBranch { cond: self.value(reader, fields)?, on_true, on_false })
    }

    // [type, value, default, (constant (absolute), block)*]
    fn switch(&mut self, reader: &mut BodyReader, fields: &mut Fields<'_>) -> Result<Op, Fault> {
        fields.next()?;
        let value = self.value(reader, fields)?;
        let default = reader.block(fields.next()?)?;
        let cases = fields
            .rest()
            .chunks_exact(2)
            .map(|pair| Ok((reader.use_value(pair[0])?, reader.block(pair[1])?)))
            .collect::<Result<_, Fault>>()?;
        Ok(Op::Switch { value, default, cases })
    }
}

/// What stands before the callee in a call's record.
struct CallHead {
    attributes: u64,
    convention: u64,
    tail: u8,
    fast_math: u32,
}

// [alignment, volatile, (order, scope)?]
fn memory_access(fields: &mut Fields<'_>, atomic: bool) -> Result<MemoryAccess, Fault> {
    let (align, volatile) = (access_alignment(fields.next()?), fields.next()? != 0);
    let (order, scope) = match atomic {
        true => (fields.next()? as u8, fields.next()? as u8),
        false => (0, 0),
    };
    Ok(MemoryAccess { align, volatile, order, scope })
}

/// The alignment of an access; no machine has one that does not fit.
fn access_alignment(encoded: u64) -> u32 {
    u32::try_from(alignment(encoded)).unwrap_or(1 << 31)
}

fn blocks(reader: &BodyReader, numbers: &[u64]) -> Result<Box<[BlockId]>, Fault> {
    numbers.iter().map(|&number| reader.block(number)).collect()
}

pub(super) fn binary_op(number: u64, float: bool) -> Result<BinaryOp, Fault> {
    use BinaryOp::{
        AShr, Add, And, FAdd, FDiv, FMul, FRem, FSub, LShr, Mul, Or, SDiv, SRem, Shl, Sub, UDiv, URem, Xor,
    };
    Ok(match (number, float) {
        (0, false) => Add,
        (0, true) => FAdd,
        (1, false) => Sub,
        (1, true) => FSub,
        (2, false) => Mul,
        (2, true) => FMul,
        (3, false) => UDiv,
        (4, false) => SDiv,
        (4, true) => FDiv,
        (5, false) => URem,
        (6, false) => SRem,
        (6, true) => FRem,
        (7, false) => Shl,
        (8, false) => LShr,
        (9, false) => AShr,
        (10, false) => And,
        (11, false) => Or,
        (12, false) => Xor,
        _ => return Err("an operation should be known and fit its type"),
    })
}

fn binary_flags(op: BinaryOp, bits: u64) -> BinaryFlags {
    let mut flags = BinaryFlags::default();
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => {
            flags.nuw = bits & 1 != 0;
            flags.nsw = bits & 2 != 0;
        }
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::LShr | BinaryOp::AShr => flags.exact = bits & 1 != 0,
        BinaryOp::Or => flags.disjoint = bits & 1 != 0,
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            flags.fast_math = bits as u32;
        }
        BinaryOp::URem | BinaryOp::SRem | BinaryOp::And | BinaryOp::Xor => {}
    }
    flags
}

pub(super) fn cast_op(number: u64) -> Result<CastOp, Fault> {
    const OPS: [CastOp; 14] = [
        CastOp::Trunc,
        CastOp::ZExt,
        CastOp::SExt,
        CastOp::FpToUi,
        CastOp::FpToSi,
        CastOp::UiToFp,
        CastOp::SiToFp,
        CastOp::FpTrunc,
        CastOp::FpExt,
        CastOp::PtrToInt,
        CastOp::IntToPtr,
        CastOp::BitCast,
        CastOp::AddrSpaceCast,
        CastOp::PtrToAddr,
    ];
    at(&OPS, number, "a conversion should be known")
}

pub(super) fn predicate(number: u64) -> Result<Predicate, Fault> {
    const FLOAT: [Predicate; 16] = [
        Predicate::FFalse,
        Predicate::FOeq,
        Predicate::FOgt,
        Predicate::FOge,
        Predicate::FOlt,
        Predicate::FOle,
        Predicate::FOne,
        Predicate::FOrd,
        Predicate::FUno,
        Predicate::FUeq,
        Predicate::FUgt,
        Predicate::FUge,
        Predicate::FUlt,
        Predicate::FUle,
        Predicate::FUne,
        Predicate::FTrue,
    ];
    const INTEGER: [Predicate; 10] = [
        Predicate::Eq,
        Predicate::Ne,
        Predicate::Ugt,
        Predicate::Uge,
        Predicate::Ult,
        Predicate::Ule,
        Predicate::Sgt,
        Predicate::Sge,
        Predicate::Slt,
        Predicate::Sle,
    ];
    match number.checked_sub(32) {
        None => at(&FLOAT, number, "a comparison should be known"),
        Some(number) => at(&INTEGER, number, "a comparison should be known"),
    }
}

fn rmw_op(number: u64) -> RmwOp {
    const OPS: [RmwOp; 21] = [
        RmwOp::Xchg,
        RmwOp::Add,
        RmwOp::Sub,
        RmwOp::And,
        RmwOp::Nand,
        RmwOp::Or,
        RmwOp::Xor,
        RmwOp::Max,
        RmwOp::Min,
        RmwOp::UMax,
        RmwOp::UMin,
        RmwOp::FAdd,
        RmwOp::FSub,
        RmwOp::FMax,
        RmwOp::FMin,
        RmwOp::UIncWrap,
        RmwOp::UDecWrap,
        RmwOp::USubCond,
        RmwOp::USubSat,
        RmwOp::FMaximum,
        RmwOp::FMinimum,
    ];
    at(&OPS, number, "").unwrap_or(RmwOp::Unknown(number))
}

pub(super) fn gep_flags(bits: u64) -> GepFlags {
    // `inbounds` implies `nusw`; LLVM 19 and later write both.
    GepFlags { inbounds: bits & 1 != 0, nusw: bits & 3 != 0, nuw: bits & 4 != 0 }
}

fn at<T: Copy>(table: &[T], number: u64, fault: Fault) -> Result<T, Fault> {
    usize::try_from(number).ok().and_then(|index| table.get(index)).copied().ok_or(fault)
}
