//! Attribute groups and lists.

use std::collections::BTreeMap;

use base::Id;

use super::{Fault, Fields, Reader, block_id, signed, text};
use crate::attributes::{Attribute, AttributeGroup, AttributeKind, AttributePlace};
use crate::bitstream::{Block, Record};
use crate::error::Error;

const GROUP_ENTRY: u64 = 3;
const LIST_ENTRY: u64 = 2;

impl<'a> Reader<'a> {
    pub(super) fn attribute_groups(&mut self, block: Block<'a>) -> Result<(), Error> {
        self.records(block, |reader, record| {
            if record.code == GROUP_ENTRY {
                let group = reader.group(record)?;
                reader.module.attribute_groups.push(group);
            } else {
                reader.note_unknown(block_id::PARAMATTR_GROUP, Some(record.code));
            }
            Ok(())
        })
    }

    pub(super) fn attribute_lists(&mut self, block: Block<'a>) -> Result<(), Error> {
        let groups: BTreeMap<u64, u32> =
            (0..).zip(&self.module.attribute_groups).map(|(at, it)| (it.id, at)).collect();
        self.records(block, |reader, record| {
            if record.code == LIST_ENTRY {
                let list = record.values.iter().filter_map(|id| groups.get(id).copied()).collect();
                reader.module.attribute_lists.push(list);
            } else {
                reader.note_unknown(block_id::PARAMATTR, Some(record.code));
            }
            Ok(())
        })
    }

    fn group(&mut self, record: &Record<'_>) -> Result<AttributeGroup, Fault> {
        let mut fields = Fields::new(&record.values);
        let id = fields.next()?;
        let place = match fields.next()? {
            0 => AttributePlace::Result,
            0xffff_ffff => AttributePlace::Function,
            index => AttributePlace::Param((index - 1) as u32),
        };
        let mut attributes = Vec::new();
        while let Some(form) = fields.optional() {
            attributes.push(self.attribute(form, &mut fields)?);
        }
        Ok(AttributeGroup { id, place, attributes })
    }

    fn attribute(&self, form: u64, fields: &mut Fields<'_>) -> Result<Attribute, Fault> {
        Ok(match form {
            0 => Attribute::Enum(kind(fields)?),
            1 => match (kind(fields)?, fields.next()?) {
                (kind @ AttributeKind::MEMORY, value) => Attribute::Int(kind, memory_effects(value)),
                (kind, value) => Attribute::Int(kind, value),
            },
            3 => Attribute::Text(zero_terminated(fields)?, None),
            4 => Attribute::Text(zero_terminated(fields)?, Some(zero_terminated(fields)?)),
            5 => Attribute::Type(kind(fields)?, None),
            6 => {
                let kind = kind(fields)?;
                let number = fields.next()?;
                // The type table may come later in the file; lowering looks the type up with care.
                let ty = u32::try_from(number).map_err(|_| "a type's number should fit 32 bits")?;
                Attribute::Type(kind, Some(Id::new(ty as usize)))
            }
            7 => {
                let kind = kind(fields)?;
                let width = fields.next()? as u32;
                let (low, high) = range(fields, width)?;
                Attribute::Range(kind, width, low, high)
            }
            8 => {
                let kind = kind(fields)?;
                let count = fields.next()?;
                let width = fields.next()? as u32;
                if count > fields.remaining() as u64 {
                    return Err("a record should be long enough");
                }
                let ranges = (0..count).map(|_| range(fields, width)).collect::<Result<_, _>>()?;
                Attribute::Ranges(kind, width, ranges)
            }
            _ => return Err("an attribute should have a known form"),
        })
    }
}

/// The effects on memory in the layout of LLVM 21 and later, which put their version above the effects.
///
/// Before, `errno` was part of the other memory and had no bits of its own.
fn memory_effects(value: u64) -> u64 {
    if value >> 56 != 0 {
        return value & 0x00ff_ffff_ffff_ffff;
    }
    let (shared, other) = (value & 0b1111, value >> 4 & 0b11);
    shared | other << 4 | other << 6
}

fn kind(fields: &mut Fields<'_>) -> Result<AttributeKind, Fault> {
    fields.next().map(AttributeKind)
}

fn zero_terminated(fields: &mut Fields<'_>) -> Result<Box<str>, Fault> {
    let rest = &fields.values[fields.position..];
    let len = rest.iter().position(|&byte| byte == 0).ok_or("a string attribute should end in zero")?;
    fields.position += len + 1;
    Ok(text(&rest[..len]).into())
}

/// A half-open range of integers of `width` bits, as words.
pub(super) fn range(fields: &mut Fields<'_>, width: u32) -> Result<(Vec<u64>, Vec<u64>), Fault> {
    if width <= 64 {
        return Ok((vec![signed(fields.next()?) as u64], vec![signed(fields.next()?) as u64]));
    }
    let sizes = fields.next()?;
    let low = fields.take(sizes & 0xffff_ffff)?;
    let high = fields.take(sizes >> 32)?;
    let words = |values: &[u64]| values.iter().map(|&value| signed(value) as u64).collect();
    Ok((words(low), words(high)))
}
