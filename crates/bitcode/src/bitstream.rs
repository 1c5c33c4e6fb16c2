//! The bitstream container: blocks, abbreviations, records.
//!
//! Source: *LLVM Bitcode File Format*, sections "Bitstream Format" and "BLOCKINFO Block".
//! Departures: none in what is accepted from LLVM's writer. Of what the format allows in theory, arrays of
//! literals (which would take no bits per element) are refused, as LLVM's own reader does.
//!
//! The container layer of the `llvm-bitcode` crate is not used: it trusts lengths in the file (see
//! `docs/adr/001`).

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::error::Error;

/// A position in a bit string.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    data: &'a [u8],
    /// The next bit.
    position: usize,
    /// The first bit that is not ours.
    end: usize,
}

/// What comes next in a block.
pub(crate) enum Entry<'a> {
    /// A block inside this one.
    Block(Block<'a>),
    /// A record; it is in the buffer that was handed in.
    Record,
    /// Nothing more.
    End,
}

/// A block that is being read.
pub(crate) struct Block<'a> {
    /// The kind of block.
    pub(crate) id: u32,
    cursor: Cursor<'a>,
    width: u32,
    /// Those that hold in all blocks of the kind, then the block's own.
    abbreviations: Vec<Rc<Abbreviation>>,
}

/// A record: a code and numbers.
#[derive(Default)]
pub(crate) struct Record<'a> {
    /// What the record is.
    pub(crate) code: u64,
    /// Its numbers.
    pub(crate) values: Vec<u64>,
    /// Raw bytes, if it has some.
    pub(crate) blob: Option<&'a [u8]>,
}

/// Abbreviations that hold in all blocks of a kind.
#[derive(Default)]
pub(crate) struct BlockInfo {
    abbreviations: BTreeMap<u32, Vec<Rc<Abbreviation>>>,
}

struct Abbreviation {
    fields: Vec<Field>,
    payload: Payload,
}

#[derive(Clone, Copy)]
enum Field {
    Literal(u64),
    Fixed(u32),
    Vbr(u32),
    Char6,
}

#[derive(Clone, Copy)]
enum Payload {
    None,
    Array(Field),
    Blob,
}

const END_BLOCK: u64 = 0;
const ENTER_SUBBLOCK: u64 = 1;
const DEFINE_ABBREVIATION: u64 = 2;
const UNABBREVIATED_RECORD: u64 = 3;
const BLOCKINFO_BLOCK: u32 = 0;
const BLOCKINFO_SETBID: u64 = 1;

impl<'a> Cursor<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self { data, position: 0, end: data.len().saturating_mul(8) }
    }

    /// Bytes from the start of the data.
    pub(crate) fn offset(&self) -> u64 {
        (self.position / 8) as u64
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.position >= self.end
    }

    fn remaining(&self) -> usize {
        self.end - self.position
    }

    fn truncated(&self) -> Error {
        Error::Truncated { what: "a block", offset: (self.end / 8) as u64 }
    }

    fn malformed(&self, what: &'static str) -> Error {
        Error::Malformed { what, offset: self.offset() }
    }

    /// The next `width` (at most 64) bits.
    #[inline]
    pub(crate) fn read(&mut self, width: u32) -> Result<u64, Error> {
        debug_assert!(width <= 64, "a number should have at most 64 bits");
        if width as usize > self.remaining() {
            return Err(self.truncated());
        }
        if width == 0 {
            return Ok(0);
        }
        let (byte, shift) = (self.position / 8, (self.position % 8) as u32);
        self.position += width as usize;
        let mut word = [0; 8];
        let available = &self.data[byte..];
        let low = match available.first_chunk::<8>() {
            Some(chunk) => u64::from_le_bytes(*chunk),
            None => {
                word[..available.len()].copy_from_slice(available);
                u64::from_le_bytes(word)
            }
        };
        let mut bits = low >> shift;
        if shift + width > 64 {
            bits |= u64::from(available[8]) << (64 - shift);
        }
        Ok(if width == 64 { bits } else { bits & ((1 << width) - 1) })
    }

    /// A number in pieces of `width` bits, of which the highest says whether another one follows.
    #[inline]
    pub(crate) fn read_vbr(&mut self, width: u32) -> Result<u64, Error> {
        let (byte, shift) = (self.position / 8, (self.position % 8) as u32);
        let chunk = self.data.get(byte..).and_then(|data| data.first_chunk::<8>());
        let Some(chunk) = chunk.filter(|_| self.remaining() >= 64) else { return self.read_long_vbr(width) };
        // Most numbers are short: all their pieces lie in one word.
        let mut word = u64::from_le_bytes(*chunk) >> shift;
        let more = 1u64 << (width - 1);
        let (mut value, mut value_shift, mut taken) = (0, 0, width);
        while taken <= 64 - shift {
            value |= (word & (more - 1)) << value_shift;
            if word & more == 0 {
                self.position += taken as usize;
                return Ok(value);
            }
            word = word.unbounded_shr(width);
            value_shift += width - 1;
            taken += width;
        }
        self.read_long_vbr(width)
    }

    fn read_long_vbr(&mut self, width: u32) -> Result<u64, Error> {
        let more = 1u64 << (width - 1);
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let piece = self.read(width)?;
            let bits = piece & (more - 1);
            // LLVM writes 64-bit numbers in pieces that may reach beyond bit 63; those bits are zero.
            if shift < 64 {
                value |= bits << shift;
            } else if bits != 0 {
                return Err(self.malformed("a number should fit 64 bits"));
            }
            if piece & more == 0 {
                return Ok(value);
            }
            shift += width - 1;
            if shift > 128 {
                return Err(self.malformed("a number should fit 64 bits"));
            }
        }
    }

    fn align32(&mut self) {
        self.position = self.position.next_multiple_of(32).min(self.end);
    }

    /// The next `len` bytes, from an aligned position.
    fn bytes(&mut self, len: usize) -> Result<&'a [u8], Error> {
        let start = self.position / 8;
        let end =
            start.checked_add(len).filter(|&end| end <= self.end / 8).ok_or_else(|| self.truncated())?;
        self.position = end * 8;
        Ok(&self.data[start..end])
    }

    fn field(&mut self, field: Field) -> Result<u64, Error> {
        match field {
            Field::Literal(value) => Ok(value),
            Field::Fixed(width) => self.read(width),
            Field::Vbr(width) => self.read_vbr(width),
            Field::Char6 => self.read(6).map(|index| u64::from(CHAR6[index as usize])),
        }
    }
}

const CHAR6: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

impl<'a> Block<'a> {
    /// The file itself as a block.
    pub(crate) fn top_level(cursor: Cursor<'a>) -> Self {
        Self { id: u32::MAX, cursor, width: 2, abbreviations: Vec::new() }
    }

    /// The position in the file.
    pub(crate) fn offset(&self) -> u64 {
        self.cursor.offset()
    }

    /// Whether the data of this block are used up.
    pub(crate) fn is_at_end(&self) -> bool {
        self.cursor.is_at_end()
    }

    /// Reads on to the next record (into `record`), block or the end.
    pub(crate) fn next(&mut self, info: &mut BlockInfo, record: &mut Record<'a>) -> Result<Entry<'a>, Error> {
        loop {
            let id = self.cursor.read(self.width)?;
            match id {
                END_BLOCK => return Ok(Entry::End),
                ENTER_SUBBLOCK => {
                    let block = self.enter(info)?;
                    if block.id != BLOCKINFO_BLOCK {
                        return Ok(Entry::Block(block));
                    }
                    read_block_info(block, info)?;
                }
                DEFINE_ABBREVIATION => {
                    let abbreviation = define_abbreviation(&mut self.cursor)?;
                    self.abbreviations.push(Rc::new(abbreviation));
                }
                UNABBREVIATED_RECORD => {
                    unabbreviated(&mut self.cursor, record)?;
                    return Ok(Entry::Record);
                }
                _ => {
                    let Some(abbreviation) = self.abbreviations.get(id as usize - 4) else {
                        return Err(self
                            .cursor
                            .malformed("an abbreviation should be defined before its use"));
                    };
                    abbreviated(&mut self.cursor, abbreviation, record)?;
                    return Ok(Entry::Record);
                }
            }
        }
    }

    fn enter(&mut self, info: &BlockInfo) -> Result<Block<'a>, Error> {
        let cursor = &mut self.cursor;
        let id = cursor.read_vbr(8)?;
        let width = cursor.read_vbr(4)?;
        cursor.align32();
        let words = cursor.read(32)? as usize;
        let id = u32::try_from(id).map_err(|_| cursor.malformed("a block's kind should fit 32 bits"))?;
        if !(2..=32).contains(&width) {
            return Err(cursor.malformed("abbreviation ids should have 2 to 32 bits"));
        }
        let end = words.checked_mul(32).and_then(|bits| cursor.position.checked_add(bits));
        let end = end.filter(|&end| end <= cursor.end).ok_or_else(|| cursor.truncated())?;
        let inner = Cursor { data: cursor.data, position: cursor.position, end };
        cursor.position = end;
        let abbreviations = info.abbreviations.get(&id).cloned().unwrap_or_default();
        Ok(Block { id, cursor: inner, width: width as u32, abbreviations })
    }
}

fn read_block_info(mut block: Block<'_>, info: &mut BlockInfo) -> Result<(), Error> {
    let mut record = Record::default();
    let mut target = None;
    loop {
        match block.cursor.read(block.width)? {
            END_BLOCK => return Ok(()),
            DEFINE_ABBREVIATION => {
                let abbreviation = define_abbreviation(&mut block.cursor)?;
                let target =
                    target.ok_or_else(|| block.cursor.malformed("an abbreviation should be for a block"))?;
                info.abbreviations.entry(target).or_default().push(Rc::new(abbreviation));
            }
            UNABBREVIATED_RECORD => {
                unabbreviated(&mut block.cursor, &mut record)?;
                if record.code == BLOCKINFO_SETBID {
                    target = record.values.first().and_then(|&id| u32::try_from(id).ok());
                }
            }
            _ => return Err(block.cursor.malformed("block info should hold only abbreviations")),
        }
    }
}

fn unabbreviated<'a>(cursor: &mut Cursor<'a>, record: &mut Record<'a>) -> Result<(), Error> {
    record.code = cursor.read_vbr(6)?;
    record.blob = None;
    record.values.clear();
    let count = count(cursor, 6)?;
    record.values.reserve(count);
    for _ in 0..count {
        record.values.push(cursor.read_vbr(6)?);
    }
    Ok(())
}

/// A number of elements that take at least `bits` bits each: it is checked against what is left.
fn count(cursor: &mut Cursor<'_>, bits: usize) -> Result<usize, Error> {
    let count = cursor.read_vbr(6)?;
    usize::try_from(count)
        .ok()
        .filter(|count| count.checked_mul(bits).is_some_and(|bits| bits <= cursor.remaining()))
        .ok_or_else(|| cursor.truncated())
}

fn abbreviated<'a>(
    cursor: &mut Cursor<'a>,
    abbreviation: &Abbreviation,
    record: &mut Record<'a>,
) -> Result<(), Error> {
    record.blob = None;
    record.values.clear();
    let [code, fields @ ..] = abbreviation.fields.as_slice() else {
        return Err(cursor.malformed("a record should have a code"));
    };
    record.code = cursor.field(*code)?;
    for &field in fields {
        record.values.push(cursor.field(field)?);
    }
    match abbreviation.payload {
        Payload::None => {}
        Payload::Array(field) => {
            let bits = match field {
                Field::Fixed(width) | Field::Vbr(width) => width as usize,
                Field::Char6 => 6,
                Field::Literal(_) => return Err(cursor.malformed("array elements should take bits")),
            };
            let count = count(cursor, bits)?;
            record.values.reserve(count);
            for _ in 0..count {
                record.values.push(cursor.field(field)?);
            }
        }
        Payload::Blob => {
            let len = count(cursor, 8)?;
            cursor.align32();
            record.blob = Some(cursor.bytes(len)?);
            cursor.align32();
        }
    }
    Ok(())
}

fn define_abbreviation(cursor: &mut Cursor<'_>) -> Result<Abbreviation, Error> {
    let count = cursor.read_vbr(5)?;
    let mut fields = Vec::new();
    let mut payload = Payload::None;
    let mut index = 0;
    while index < count {
        index += 1;
        if cursor.read(1)? == 1 {
            fields.push(Field::Literal(cursor.read_vbr(8)?));
            continue;
        }
        match cursor.read(3)? {
            3 if index + 1 == count => {
                payload = Payload::Array(array_element(cursor)?);
                index += 1;
            }
            5 if index == count => payload = Payload::Blob,
            encoding => fields.push(scalar(cursor, encoding)?),
        }
    }
    Ok(Abbreviation { fields, payload })
}

fn array_element(cursor: &mut Cursor<'_>) -> Result<Field, Error> {
    if cursor.read(1)? == 1 {
        return Err(cursor.malformed("array elements should take bits"));
    }
    let encoding = cursor.read(3)?;
    match scalar(cursor, encoding)? {
        Field::Literal(_) => Err(cursor.malformed("array elements should take bits")),
        field => Ok(field),
    }
}

fn scalar(cursor: &mut Cursor<'_>, encoding: u64) -> Result<Field, Error> {
    match encoding {
        1 | 2 => {
            let width = cursor.read_vbr(5)?;
            // LLVM's reader takes a width of zero for the literal zero.
            match (encoding, width) {
                (_, 0) => Ok(Field::Literal(0)),
                (1, 1..=64) => Ok(Field::Fixed(width as u32)),
                (2, 2..=32) => Ok(Field::Vbr(width as u32)),
                _ => Err(cursor.malformed("a field should have 1 to 64 bits")),
            }
        }
        4 => Ok(Field::Char6),
        _ => Err(cursor.malformed("an abbreviation should have a known encoding")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_cross_byte_and_word_borders() {
        let data: Vec<u8> = (1..=17).collect();
        for start in 0..64 {
            for width in 1..=64 {
                let mut cursor = Cursor::new(&data);
                cursor.read(start).expect("there are 136 bits");
                let mut expected = 0u64;
                for bit in 0..width {
                    let at = (start + bit) as usize;
                    expected |= u64::from(data[at / 8] >> (at % 8) & 1) << bit;
                }
                assert_eq!(cursor.read(width), Ok(expected), "{width} bits from bit {start}");
            }
        }
    }

    #[test]
    fn the_end_is_told() {
        let mut cursor = Cursor::new(&[0xff; 3]);
        assert_eq!(cursor.read(24), Ok(0xff_ffff));
        assert!(matches!(cursor.read(1), Err(Error::Truncated { offset: 3, .. })));
    }

    #[test]
    fn variable_width_numbers() {
        // 0b101_1 and 0b1_1: pieces of four bits, low piece first.
        let mut cursor = Cursor::new(&[0b0001_1011]);
        assert_eq!(cursor.read_vbr(4), Ok(0b1011));
        let endless = [0xff; 64];
        assert!(matches!(Cursor::new(&endless).read_vbr(6), Err(Error::Malformed { .. })));
    }
}
