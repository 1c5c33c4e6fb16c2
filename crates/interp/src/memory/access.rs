//! Finding the bytes that a pointer points at, and reading and writing values there.

use ir::Type;
use smallvec::SmallVec;

use super::{AccessError, BlockKind, Defined, Memory, NULL_PAGE, Status};
use crate::value::{BlockRef, Value, Wide, width_of};
use crate::words::{Words, low_mask};

impl Memory {
    /// The block and offset of `len` bytes at `pointer`, all of which may be accessed.
    #[inline]
    pub fn locate(&self, pointer: &Value, len: u64, write: bool) -> Result<(BlockRef, usize), AccessError> {
        if !pointer.is_defined() {
            return Err(AccessError::Undefined);
        }
        let address = pointer.low();
        if address < NULL_PAGE {
            return Err(AccessError::Null);
        }
        let block = match pointer.prov() {
            Some(block) => block,
            None => self.find(address).ok_or(AccessError::Wild)?,
        };
        let entry = self.block(block);
        let offset = address.wrapping_sub(entry.address);
        let in_bounds = offset <= entry.size && len <= entry.size - offset;
        if in_bounds && entry.is_alive() && (entry.writable || !write) && !is_code(entry.kind) {
            return Ok((block, offset as usize));
        }
        Err(self.refusal(block, in_bounds))
    }

    /// Why the access to the block is refused.
    fn refusal(&self, block: BlockRef, in_bounds: bool) -> AccessError {
        let entry = self.block(block);
        match entry.status {
            Status::Freed(_) => AccessError::Freed(block),
            Status::ScopeEnded(_) | Status::Returned(_) => AccessError::ScopeEnded(block),
            Status::Alive if is_code(entry.kind) => AccessError::Code(block),
            Status::Alive if !in_bounds => AccessError::OutOfBounds(block),
            Status::Alive => AccessError::Constant(block),
        }
    }

    /// Reads a value of type `ty`; the bytes were located.
    #[inline]
    pub fn read(&self, block: BlockRef, offset: usize, ty: Type) -> Value {
        let len = ty.store_bytes(self.pointer_bytes) as usize;
        if len > 8 {
            return self.read_wide(block, offset, ty, len);
        }
        let content = self.content(block);
        let width = width_of(ty, self.pointer_bytes * 8);
        let mask = low_mask(width);
        let bits = self.number(&content.data[offset..offset + len]) & mask;
        let undef = match content.defined {
            Defined::All => 0,
            Defined::None => mask,
            Defined::Mixed => !self.number(&content.mask[offset..offset + len]) & mask,
        };
        let prov = if content.provs.is_empty() { None } else { common(&content.provs[offset..offset + len]) };
        Value::narrow(ty, bits, undef, prov)
    }

    /// Writes a value; the bytes were located.
    #[inline]
    pub fn write(&mut self, block: BlockRef, offset: usize, value: &Value) {
        let len = value.ty().store_bytes(self.pointer_bytes) as usize;
        let Some(narrow) = value.as_narrow() else { return self.write_wide(block, offset, value, len) };
        let big_endian = self.big_endian;
        let content = self.content_mut(block);
        store_number(&mut content.data[offset..offset + len], narrow.bits, big_endian);
        if narrow.undef == 0 {
            content.define(offset, len);
        } else {
            store_number(&mut content.mixed()[offset..offset + len], !narrow.undef, big_endian);
        }
        if narrow.prov.is_some() {
            self.provs_mut(block)[offset..offset + len].fill(narrow.prov);
        } else if !content.provs.is_empty() {
            content.provs[offset..offset + len].fill(None);
        }
    }

    /// The number that bytes stand for.
    fn number(&self, bytes: &[u8]) -> u64 {
        match (self.big_endian, bytes) {
            (false, [a]) => (*a).into(),
            (false, [a, b]) => u16::from_le_bytes([*a, *b]).into(),
            (false, [a, b, c, d]) => u32::from_le_bytes([*a, *b, *c, *d]).into(),
            (false, [a, b, c, d, e, f, g, h]) => u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
            (false, _) => bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
            (true, _) => bytes.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
        }
    }

    fn read_wide(&self, block: BlockRef, offset: usize, ty: Type, len: usize) -> Value {
        let content = self.content(block);
        let width = width_of(ty, self.pointer_bits());
        let bits = self.words(width, &content.data[offset..offset + len]);
        let undef = match content.defined {
            Defined::All => Words::zero(width),
            Defined::None => Words::ones(width),
            Defined::Mixed => self.words(width, &content.mask[offset..offset + len]).not(width),
        };
        let mut prov: SmallVec<[Option<BlockRef>; 2]> = SmallVec::from_elem(None, bits.as_slice().len());
        if !content.provs.is_empty() {
            let mut provs = content.provs[offset..offset + len].to_vec();
            if self.big_endian {
                provs.reverse();
            }
            for (word, bytes) in provs.chunks(8).enumerate().take(prov.len()) {
                prov[word] = common(bytes);
            }
        }
        Value::wide(ty, Wide { bits, undef, prov })
    }

    fn write_wide(&mut self, block: BlockRef, offset: usize, value: &Value, len: usize) {
        let big_endian = self.big_endian;
        let bytes_of = |words: &Words| -> Vec<u8> {
            let mut bytes: Vec<u8> = words.as_slice().iter().flat_map(|word| word.to_le_bytes()).collect();
            bytes.resize(len, 0);
            if big_endian {
                bytes.reverse();
            }
            bytes
        };
        let undef = value.undef_words();
        let mut provs: Vec<_> = (0..len).map(|byte| value.prov_of_word(byte / 8)).collect();
        if big_endian {
            provs.reverse();
        }
        let has_prov = provs.iter().any(Option::is_some);
        let content = self.content_mut(block);
        content.data[offset..offset + len].copy_from_slice(&bytes_of(&value.words()));
        content.define(offset, len);
        if !undef.is_zero() {
            let defined: Vec<u8> = bytes_of(&undef).iter().map(|byte| !byte).collect();
            content.mixed()[offset..offset + len].copy_from_slice(&defined);
        }
        if has_prov || !content.provs.is_empty() {
            self.provs_mut(block)[offset..offset + len].copy_from_slice(&provs);
        }
    }

    fn words(&self, width: u32, bytes: &[u8]) -> Words {
        let mut bytes = bytes.to_vec();
        if self.big_endian {
            bytes.reverse();
        }
        let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        let words: Vec<u64> = bytes.chunks(8).map(word).collect();
        Words::from_words(width, &words)
    }
}

fn is_code(kind: BlockKind) -> bool {
    matches!(kind, BlockKind::Function(_))
}

/// The only provenance among some bytes; bytes without any do not matter (a tag written over the lowest byte).
fn common(provs: &[Option<BlockRef>]) -> Option<BlockRef> {
    let mut found = provs.iter().flatten();
    let first = *found.next()?;
    found.all(|other| *other == first).then_some(first)
}

fn store_number(to: &mut [u8], number: u64, big_endian: bool) {
    let bytes = number.to_le_bytes();
    match to.len() {
        1 => to[0] = bytes[0],
        len => to.copy_from_slice(&bytes[..len]),
    }
    if big_endian {
        to.reverse();
    }
}
