//! Function bodies: their blocks, records beside instructions, and the numbering of values.

use base::Id;
use llvm_bitcode::schema::blocks::FunctionCode as Code;

use super::metadata::{md_id, optional_id};
use super::module::value_id;
use super::{Fault, Fields, Reader, block_id, text};
use crate::bitstream::{Block as Stream, Entry, Record};
use crate::error::Error;
use crate::function::{Block, Body, DebugLoc, DebugRecord, DebugRecordKind, Inst, Op, RecordValue};
use crate::metadata::MdId;
use crate::module::{BlockId, FunctionId, InstId, ValueId};
use crate::types::{Type, TypeId};

/// A body while it is read.
pub(super) struct BodyReader {
    pub(super) body: Body,
    /// The number of blocks that were announced.
    n_blocks: u64,
    /// The first instruction of the block at hand.
    block_start: usize,
    /// Operand bundles for the next call.
    pub(super) bundles: Vec<(u32, Box<[ValueId]>)>,
    /// One more than the highest value number that an operand named.
    highest_value: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn function_block(&mut self, block: Stream<'a>) -> Result<(), Error> {
        let Some(function) = self.bodies.pop_front() else {
            return Err(Error::Malformed {
                what: "a body should belong to a function",
                offset: block.offset(),
            });
        };
        let module_values = self.value_types.len();
        match self.body(function, block) {
            Ok(body) => self.module.functions[function].body = Some(body),
            Err(error) => self.module.functions[function].broken = Some(error.to_string()),
        }
        self.value_types.truncate(module_values);
        Ok(())
    }

    fn body(&mut self, function: FunctionId, mut block: Stream<'a>) -> Result<Body, Error> {
        let mut body = Body::default();
        if let Type::Function { params, .. } = &self.module.types[self.module.functions[function].ty] {
            body.arguments = params.to_vec();
        }
        self.value_types.extend(&body.arguments);
        let mut reader =
            BodyReader { body, n_blocks: 0, block_start: 0, bundles: Vec::new(), highest_value: 0 };
        let mut record = Record::default();
        loop {
            let offset = block.offset();
            match block.next(&mut self.info, &mut record)? {
                Entry::Block(inner) => self.body_block(&mut reader, inner)?,
                Entry::Record => self
                    .body_record(&mut reader, &record)
                    .map_err(|what| Error::Malformed { what, offset })?,
                Entry::End => {
                    reader.check(self.value_types.len()).map_err(|what| Error::Malformed { what, offset })?;
                    reader.body.shrink();
                    return Ok(reader.body);
                }
            }
        }
    }

    fn body_block(&mut self, reader: &mut BodyReader, block: Stream<'a>) -> Result<(), Error> {
        let body = &mut reader.body;
        match block.id {
            block_id::CONSTANTS => {
                let first = body.constants.len();
                self.constants(block, &mut body.constants)?;
                self.value_types.extend(body.constants[first..].iter().map(|constant| constant.ty));
                Ok(())
            }
            block_id::METADATA => self.body_metadata(block, &mut body.metadata),
            block_id::METADATA_ATTACHMENT => {
                self.records(block, |_, record| attachment(body, &record.values))
            }
            block_id::VALUE_SYMTAB => {
                self.records(block, |_, record| value_name(body, record))?;
                // The file has them in the order of LLVM's hash table.
                body.value_names.sort_by_key(|&(value, _)| value);
                Ok(())
            }
            block_id::USELIST => Ok(()),
            id => {
                self.note_unknown(id, None);
                Ok(())
            }
        }
    }

    fn body_record(&mut self, reader: &mut BodyReader, record: &Record<'_>) -> Result<(), Fault> {
        let mut fields = Fields::new(&record.values);
        let code = u8::try_from(record.code).ok().and_then(|code| Code::try_from(code).ok());
        match code {
            Some(Code::DeclareBlocks) => reader.n_blocks = fields.next()?,
            Some(Code::DebugLoc) => reader.debug_loc(&mut fields)?,
            Some(Code::DebugLocAgain) => reader.debug_loc_again(),
            Some(Code::BlockaddrUsers) => {}
            Some(Code::OperandBundle) => self.operand_bundle(reader, &mut fields)?,
            Some(
                code @ (Code::DebugRecordValue
                | Code::DebugRecordDeclare
                | Code::DebugRecordAssign
                | Code::DebugRecordValueSimple
                | Code::DebugRecordLabel),
            ) => self.debug_record(reader, code, &mut fields)?,
            None if record.code == DEBUG_RECORD_DECLARE_VALUE => {
                let (location, variable, expression) = record_head(&mut fields)?;
                let kind = DebugRecordKind::DeclareValue {
                    variable,
                    expression,
                    value: Some(md_id(fields.next()?)?),
                };
                reader.push_record(location, kind);
            }
            _ => {
                let (op, ty) = self.instruction(reader, record, code)?;
                self.push_inst(reader, op, ty);
            }
        }
        Ok(())
    }

    fn push_inst(&mut self, reader: &mut BodyReader, op: Op, ty: TypeId) {
        let ends_block = is_terminator(&op);
        let inst = reader.body.insts.push(Inst { op, ty, loc: None });
        if self.module.types[ty] != Type::Void {
            reader.body.results.push(inst);
            self.value_types.push(ty);
        }
        if ends_block {
            let first = InstId::new(reader.block_start);
            let len = (reader.body.insts.len() - reader.block_start) as u32;
            reader.body.blocks.push(Block { first, len });
            reader.block_start = reader.body.insts.len();
        }
    }

    // [tag, values…]
    fn operand_bundle(&mut self, reader: &mut BodyReader, fields: &mut Fields<'_>) -> Result<(), Fault> {
        let tag = fields.next()? as u32;
        let mut values = Vec::new();
        while !fields.is_empty() {
            values.push(self.value_and_type(reader, fields)?.0);
        }
        reader.bundles.push((tag, values.into()));
        Ok(())
    }

    // [location, variable, expression, value…]
    fn debug_record(
        &mut self,
        reader: &mut BodyReader,
        code: Code,
        fields: &mut Fields<'_>,
    ) -> Result<(), Fault> {
        if code == Code::DebugRecordLabel {
            let location = md_id(fields.next()?)?;
            let label = Some(md_id(fields.next()?)?);
            reader.push_record(location, DebugRecordKind::Label { label });
            return Ok(());
        }
        let (location, variable, expression) = record_head(fields)?;
        let kind = match code {
            Code::DebugRecordValueSimple => {
                let value = RecordValue::Value(self.value_and_type(reader, fields)?.0);
                DebugRecordKind::Value { variable, expression, value }
            }
            Code::DebugRecordValue => {
                let value = RecordValue::Metadata(Some(md_id(fields.next()?)?));
                DebugRecordKind::Value { variable, expression, value }
            }
            Code::DebugRecordDeclare => {
                DebugRecordKind::Declare { variable, expression, address: Some(md_id(fields.next()?)?) }
            }
            _ => DebugRecordKind::Assign {
                variable,
                expression,
                value: Some(md_id(fields.next()?)?),
                assign_id: Some(md_id(fields.next()?)?),
                address_expression: Some(md_id(fields.next()?)?),
                address: Some(md_id(fields.next()?)?),
            },
        };
        reader.push_record(location, kind);
        Ok(())
    }

    /// A value whose number is relative to the next instruction's; a value that comes later brings its type.
    pub(super) fn value_and_type(
        &mut self,
        reader: &mut BodyReader,
        fields: &mut Fields<'_>,
    ) -> Result<(ValueId, TypeId), Fault> {
        let value = self.value(reader, fields)?;
        let ty = match self.value_types.get(value.index()) {
            Some(&ty) => ty,
            None => self.type_id(fields.next()?)?,
        };
        Ok((value, ty))
    }

    /// A value whose number is relative to the next instruction's.
    pub(super) fn value(
        &mut self,
        reader: &mut BodyReader,
        fields: &mut Fields<'_>,
    ) -> Result<ValueId, Fault> {
        let relative = fields.next()? as u32;
        reader.use_value(u64::from((self.value_types.len() as u32).wrapping_sub(relative)))
    }
}

/// LLVM 22; not yet in the table of codes.
const DEBUG_RECORD_DECLARE_VALUE: u64 = 66;

impl BodyReader {
    /// Remembers that an operand names this value, so that it can be checked at the end.
    pub(super) fn use_value(&mut self, number: u64) -> Result<ValueId, Fault> {
        let value = value_id(number)?;
        self.highest_value = self.highest_value.max(value.index() + 1);
        Ok(value)
    }

    pub(super) fn block(&self, number: u64) -> Result<BlockId, Fault> {
        if number >= self.n_blocks {
            return Err("a branch should lead to a block of the function");
        }
        u32::try_from(number)
            .map(|index| BlockId::new(index as usize))
            .map_err(|_| "a block's number should fit 32 bits")
    }

    fn check(&self, n_values: usize) -> Result<(), Fault> {
        if self.body.blocks.len() as u64 != self.n_blocks || self.block_start != self.body.insts.len() {
            return Err("a function should have as many blocks as it announces, each with an end");
        }
        if self.highest_value > n_values {
            return Err("operands should name values of the function");
        }
        Ok(())
    }

    // [line, column, scope + 1, inlined at + 1, implicit, …]
    fn debug_loc(&mut self, fields: &mut Fields<'_>) -> Result<(), Fault> {
        let loc = DebugLoc {
            line: fields.next()? as u32,
            column: fields.next()? as u32,
            scope: optional_id(fields.next()?),
            inlined_at: optional_id(fields.next()?),
            implicit: fields.optional().unwrap_or(0) != 0,
        };
        self.body.locs.push(loc);
        self.debug_loc_again();
        Ok(())
    }

    fn debug_loc_again(&mut self) {
        let last_loc = self.body.locs.ids().next_back();
        if let Some(inst) = self.body.insts.iter_mut().next_back() {
            inst.loc = last_loc;
        }
    }

    fn push_record(&mut self, location: MdId, kind: DebugRecordKind) {
        // The record follows the instruction that it stands before.
        let Some(before) = self.body.insts.ids().next_back() else { return };
        self.body.records.push(DebugRecord { before, location: Some(location), kind });
    }
}

fn record_head(fields: &mut Fields<'_>) -> Result<(MdId, Option<MdId>, Option<MdId>), Fault> {
    Ok((md_id(fields.next()?)?, Some(md_id(fields.next()?)?), Some(md_id(fields.next()?)?)))
}

// [instruction, (kind, node)*] or [(kind, node)*] for the function
fn attachment(body: &mut Body, values: &[u64]) -> Result<(), Fault> {
    let (inst, pairs) = match values {
        pairs if pairs.len().is_multiple_of(2) => (None, pairs),
        [inst, pairs @ ..] => (Some(*inst), pairs),
        [] => return Ok(()),
    };
    let pairs = pairs.chunks_exact(2).map(|pair| Ok((pair[0] as u32, md_id(pair[1])?)));
    let Some(inst) = inst else {
        body.attachments.extend(pairs.collect::<Result<Vec<_>, Fault>>()?);
        return Ok(());
    };
    let inst = usize::try_from(inst).ok().filter(|&inst| inst < body.insts.len());
    let inst = InstId::new(inst.ok_or("an attachment should be for an instruction of the function")?);
    for pair in pairs {
        let (kind, node) = pair?;
        body.inst_attachments.push((inst, kind, node));
    }
    Ok(())
}

// [value, characters…]
fn value_name(body: &mut Body, record: &Record<'_>) -> Result<(), Fault> {
    const ENTRY: u64 = 1;
    if let (ENTRY, [value, name @ ..]) = (record.code, record.values.as_slice()) {
        body.value_names.push((value_id(*value)?, text(name).into()));
    }
    Ok(())
}

fn is_terminator(op: &Op) -> bool {
    matches!(
        op,
        Op::Invoke { .. }
            | Op::CallBr { .. }
            | Op::CatchSwitch { .. }
            | Op::CatchRet { .. }
            | Op::CleanupRet { .. }
            | Op::Resume { .. }
            | Op::Return { .. }
            | Op::Branch { .. }
            | Op::CondBranch { .. }
            | Op::Switch { .. }
            | Op::IndirectBranch { .. }
            | Op::Unreachable
    )
}
