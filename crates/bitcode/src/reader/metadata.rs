//! Metadata blocks of the module and of function bodies.

use base::Id;
use llvm_bitcode::schema::blocks::MetadataCode as Code;

use super::module::value_id;
use super::{Fault, Reader, block_id, text};
use crate::bitstream::{Block, Cursor, Record};
use crate::error::Error;
use crate::metadata::{MdId, Node};
use crate::module::GlobalValue;

impl<'a> Reader<'a> {
    pub(super) fn module_metadata(&mut self, block: Block<'a>) -> Result<(), Error> {
        let mut nodes = Vec::new();
        let mut name = None;
        self.records(block, |reader, record| {
            match metadata_code(record.code) {
                Some(Code::Name) => name = Some(text(&record.values).into_boxed_str()),
                Some(Code::NamedNode) => {
                    let members =
                        record.values.iter().map(|&number| md_id(number)).collect::<Result<_, _>>()?;
                    reader.module.metadata.named.push((name.take().unwrap_or_default(), members));
                }
                Some(Code::GlobalDeclAttachment) => reader.global_attachment(&record.values)?,
                _ => reader.metadata_record(record, &mut nodes)?,
            }
            Ok(())
        })?;
        for node in nodes {
            self.module.metadata.nodes.push(node);
        }
        Ok(())
    }

    pub(super) fn body_metadata(&mut self, block: Block<'a>, nodes: &mut Vec<Node>) -> Result<(), Error> {
        self.records(block, |reader, record| reader.metadata_record(record, nodes))?;
        self.resolve_sizes(nodes);
        Ok(())
    }

    pub(super) fn metadata_kinds(&mut self, block: Block<'a>) -> Result<(), Error> {
        self.records(block, |reader, record| {
            if let (Some(Code::Kind), [id, name @ ..]) =
                (metadata_code(record.code), record.values.as_slice())
            {
                reader.module.metadata.kinds.push((*id as u32, text(name).into()));
            }
            Ok(())
        })
    }

    fn metadata_record(&mut self, record: &Record<'a>, nodes: &mut Vec<Node>) -> Result<(), Fault> {
        let values = &record.values;
        let node = match metadata_code(record.code) {
            Some(Code::Strings) => return strings(record, nodes),
            Some(Code::IndexOffset | Code::Index | Code::Kind) => return Ok(()),
            Some(Code::Value) => {
                let &[ty, value] = values.as_slice() else {
                    return Err("a value as metadata should have a type");
                };
                Node::Value { ty: self.type_id(ty)?, value: value_id(value)? }
            }
            Some(Code::Node) => Node::Tuple { distinct: false, elements: optional_ids(values) },
            Some(Code::DistinctNode) => Node::Tuple { distinct: true, elements: optional_ids(values) },
            Some(Code::ArgList) => {
                Node::ArgList { args: values.iter().map(|&number| md_id(number)).collect::<Result<_, _>>()? }
            }
            Some(Code::AssignId) => Node::AssignId,
            Some(code) => self.debug_info(code, record, self.module.metadata.nodes.len() + nodes.len()),
            // LLVM gives every record it does not know no number.
            None if record.code == SUBRANGE_TYPE || record.code == FIXED_POINT_TYPE => other(record),
            None => {
                self.note_unknown(block_id::METADATA, Some(record.code));
                return Ok(());
            }
        };
        nodes.push(node);
        Ok(())
    }

    // [value, (kind, node)*]
    fn global_attachment(&mut self, values: &[u64]) -> Result<(), Fault> {
        let [value, attachments @ ..] = values else { return Err("an attachment should name a value") };
        let attachments = attachments
            .chunks_exact(2)
            .map(|pair| Ok((pair[0] as u32, md_id(pair[1])?)))
            .collect::<Result<Vec<_>, Fault>>()?;
        match self.module.values.get(value_id(*value)?) {
            Some(&GlobalValue::Global(id)) => self.module.globals[id].attachments.extend(attachments),
            Some(&GlobalValue::Function(id)) => self.module.functions[id].attachments.extend(attachments),
            _ => return Err("an attachment should name a global or a function"),
        }
        Ok(())
    }
}

/// LLVM 21 and later; not yet in the table of codes.
const SUBRANGE_TYPE: u64 = 48;
const FIXED_POINT_TYPE: u64 = 49;

pub(super) fn other(record: &Record<'_>) -> Node {
    Node::Other { code: record.code, numbers: record.values.as_slice().into() }
}

fn metadata_code(code: u64) -> Option<Code> {
    u8::try_from(code).ok().and_then(|code| Code::try_from(code).ok())
}

/// A node's number as it is.
pub(super) fn md_id(number: u64) -> Result<MdId, Fault> {
    match u32::try_from(number) {
        Ok(index) if index < u32::MAX => Ok(MdId::new(index as usize)),
        _ => Err("a metadata node's number should fit 32 bits"),
    }
}

/// A node's number plus one; 0 is none.
pub(super) fn optional_id(number: u64) -> Option<MdId> {
    number.checked_sub(1).and_then(|number| md_id(number).ok())
}

fn optional_ids(numbers: &[u64]) -> Box<[Option<MdId>]> {
    numbers.iter().map(|&number| optional_id(number)).collect()
}

// [count, offset of the characters] blob: lengths as vbr6, then characters
fn strings(record: &Record<'_>, nodes: &mut Vec<Node>) -> Result<(), Fault> {
    let (&[count, offset], Some(blob)) = (record.values.as_slice(), record.blob) else {
        return Err("metadata strings should have a count, an offset and characters");
    };
    let offset = usize::try_from(offset).ok().filter(|&offset| offset <= blob.len());
    let (lengths, mut characters) =
        blob.split_at(offset.ok_or("metadata strings should lie in their record")?);
    let mut lengths = Cursor::new(lengths);
    for _ in 0..count {
        let len = lengths.read_vbr(6).map_err(|_| "metadata strings should have lengths")?;
        let len = usize::try_from(len).ok().filter(|&len| len <= characters.len());
        let (string, rest) = characters.split_at(len.ok_or("metadata strings should lie in their record")?);
        characters = rest;
        nodes.push(Node::String(String::from_utf8_lossy(string).into()));
    }
    Ok(())
}
