//! From bytes to a [`Module`].
//!
//! Reading order: [`module`] (blocks and records of a module), [`types`], [`attributes`], [`constants`],
//! [`metadata`] with [`debug_info`], [`body`] with [`instructions`].
//!
//! Errors come in two sizes. A broken container or type table ends the reading ([`Error`]). A broken function
//! body costs that function: it is kept without body, with the cause in
//! [`Function::broken`](crate::Function::broken).

mod attributes;
mod body;
mod constants;
mod debug_info;
mod instructions;
mod metadata;
mod module;
mod types;

use std::collections::{BTreeMap, VecDeque};

use crate::bitstream::{Block, BlockInfo, Cursor, Entry, Record};
use crate::error::Error;
use crate::module::{FunctionId, Module, Unknown};
use crate::types::TypeId;

/// Reads a bitcode file: the first module in it.
pub fn read(bytes: &[u8]) -> Result<Module, Error> {
    let stream = unwrap(bytes)?;
    let mut top = Block::top_level(Cursor::new(&stream[4..]));
    let mut reader = Reader::default();
    let mut record = Record::default();
    let mut module = None;
    // Names are in a table behind the module, so the module is read last.
    while !top.is_at_end() {
        match top.next(&mut reader.info, &mut record)? {
            Entry::Block(block) if block.id == block_id::IDENTIFICATION => reader.identification(block)?,
            Entry::Block(block) if block.id == block_id::MODULE && module.is_none() => module = Some(block),
            Entry::Block(block) if block.id == block_id::STRTAB && reader.names.is_empty() => {
                reader.string_table(block)?;
            }
            Entry::Block(_) | Entry::Record => {}
            Entry::End => break,
        }
    }
    reader.module(module.ok_or(Error::NoModule)?)?;
    reader.finish()
}

/// The numbers of the kinds of blocks.
mod block_id {
    pub(super) const MODULE: u32 = 8;
    pub(super) const PARAMATTR: u32 = 9;
    pub(super) const PARAMATTR_GROUP: u32 = 10;
    pub(super) const CONSTANTS: u32 = 11;
    pub(super) const FUNCTION: u32 = 12;
    pub(super) const IDENTIFICATION: u32 = 13;
    pub(super) const VALUE_SYMTAB: u32 = 14;
    pub(super) const METADATA: u32 = 15;
    pub(super) const METADATA_ATTACHMENT: u32 = 16;
    pub(super) const TYPE: u32 = 17;
    pub(super) const USELIST: u32 = 18;
    pub(super) const GLOBALVAL_SUMMARY: u32 = 20;
    pub(super) const OPERAND_BUNDLE_TAGS: u32 = 21;
    pub(super) const METADATA_KIND: u32 = 22;
    pub(super) const STRTAB: u32 = 23;
    pub(super) const FULL_LTO_SUMMARY: u32 = 24;
    pub(super) const SYNC_SCOPE_NAMES: u32 = 26;
}

const WRAPPER_MAGIC: [u8; 4] = [0xde, 0xc0, 0x17, 0x0b];
const RAW_MAGIC: [u8; 4] = *b"BC\xc0\xde";

/// The bitstream inside Apple's wrapper, or the file itself; it starts with the magic number.
fn unwrap(bytes: &[u8]) -> Result<&[u8], Error> {
    let mut stream = bytes;
    if bytes.starts_with(&WRAPPER_MAGIC) {
        let field = |at: usize| {
            let word = bytes.get(at..at + 4)?.first_chunk::<4>()?;
            Some(u32::from_le_bytes(*word) as usize)
        };
        let inner = field(8).zip(field(12)).and_then(|(start, len)| bytes.get(start..)?.get(..len));
        stream = inner.ok_or(Error::Truncated { what: "the wrapper", offset: bytes.len() as u64 })?;
    }
    if stream.starts_with(&RAW_MAGIC) {
        return Ok(stream);
    }
    Err(Error::NotBitcode { start: stream[..stream.len().min(4)].to_vec() })
}

/// What is gathered while reading.
#[derive(Default)]
struct Reader<'a> {
    info: BlockInfo,
    /// Names of globals and functions.
    names: &'a [u8],
    module: Module,
    /// The type of each value: those of the module, then those of the body at hand.
    value_types: Vec<TypeId>,
    /// Functions whose bodies are still to come, in order.
    bodies: VecDeque<FunctionId>,
    /// The name for the next named struct or target type.
    struct_name: Option<Box<str>>,
    /// The address space of stack slots that name none.
    alloca_space: u32,
    /// Sizes in debug types that are given as metadata.
    sizes: Vec<debug_info::SizeFixup>,
    unknown: BTreeMap<(u32, Option<u64>), u32>,
    types: types::TypeIndex,
}

/// Why a record cannot be understood: what should have held.
type Fault = &'static str;

impl<'a> Reader<'a> {
    fn identification(&mut self, mut block: Block<'a>) -> Result<(), Error> {
        let mut record = Record::default();
        while let Entry::Record = block.next(&mut self.info, &mut record)? {
            match record.code {
                1 => self.module.producer = text(&record.values),
                2 if record.values.first() != Some(&0) => {
                    return Err(self.unsupported("its epoch is not 0"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn string_table(&mut self, mut block: Block<'a>) -> Result<(), Error> {
        let mut record = Record::default();
        while let Entry::Record = block.next(&mut self.info, &mut record)? {
            self.names = record.blob.unwrap_or(self.names);
        }
        Ok(())
    }

    fn unsupported(&self, why: &'static str) -> Error {
        let producer = match self.module.producer.as_str() {
            "" => "an unknown producer",
            producer => producer,
        };
        Error::Unsupported { producer: producer.to_owned(), why }
    }

    /// Counts something that is not understood.
    fn note_unknown(&mut self, block: u32, code: Option<u64>) {
        *self.unknown.entry((block, code)).or_default() += 1;
    }

    fn finish(mut self) -> Result<Module, Error> {
        self.resolve_sizes(&mut []);
        let unknown = std::mem::take(&mut self.unknown);
        self.module.unknown =
            unknown.into_iter().map(|((block, code), count)| Unknown { block, code, count }).collect();
        Ok(self.module)
    }

    /// Reads all records of a block that has no blocks of interest inside.
    fn records(
        &mut self,
        mut block: Block<'a>,
        mut each: impl FnMut(&mut Self, &Record<'a>) -> Result<(), Fault>,
    ) -> Result<(), Error> {
        let mut record = Record::default();
        loop {
            match block.next(&mut self.info, &mut record)? {
                Entry::Record => {
                    each(self, &record).map_err(|what| Error::Malformed { what, offset: block.offset() })?
                }
                Entry::Block(inner) => self.note_unknown(inner.id, None),
                Entry::End => return Ok(()),
            }
        }
    }

    fn type_id(&self, number: u64) -> Result<TypeId, Fault> {
        let id = usize::try_from(number).ok().filter(|&index| index < self.module.types.len());
        id.map(base::Id::new).ok_or("a type should be in the type table")
    }
}

/// The numbers of a record as text; what is no UTF-8 is replaced.
fn text(values: &[u64]) -> String {
    let bytes: Vec<u8> = values.iter().map(|&value| value as u8).collect();
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Undoes the encoding that keeps the sign in the lowest bit.
fn signed(value: u64) -> i64 {
    match value & 1 {
        0 => (value >> 1) as i64,
        // LLVM writes the least number as -0.
        _ if value == 1 => i64::MIN,
        _ => (value >> 1).wrapping_neg() as i64,
    }
}

/// The numbers of a record, one after the other.
struct Fields<'r> {
    values: &'r [u64],
    position: usize,
}

impl<'r> Fields<'r> {
    fn new(values: &'r [u64]) -> Self {
        Self { values, position: 0 }
    }

    fn next(&mut self) -> Result<u64, Fault> {
        self.optional().ok_or("a record should be long enough")
    }

    fn optional(&mut self) -> Option<u64> {
        let value = self.values.get(self.position).copied();
        self.position += usize::from(value.is_some());
        value
    }

    fn rest(&mut self) -> &'r [u64] {
        let rest = &self.values[self.position..];
        self.position = self.values.len();
        rest
    }

    fn take(&mut self, count: u64) -> Result<&'r [u64], Fault> {
        let rest = &self.values[self.position..];
        let taken = usize::try_from(count).ok().and_then(|count| rest.get(..count));
        let taken = taken.ok_or("a record should be long enough")?;
        self.position += taken.len();
        Ok(taken)
    }

    fn remaining(&self) -> usize {
        self.values.len() - self.position
    }

    fn is_empty(&self) -> bool {
        self.remaining() == 0
    }
}

/// LLVM writes alignments as their logarithm plus one; 0 is none.
fn alignment(encoded: u64) -> u64 {
    match encoded {
        1..=33 => 1 << (encoded - 1),
        _ => 0,
    }
}
