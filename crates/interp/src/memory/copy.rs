//! Moving and filling runs of bytes, with all that they carry.

use super::{AccessError, Defined, Memory};
use crate::value::{BlockRef, Value};

/// A run of bytes with their masks and provenance.
#[derive(Clone, Debug)]
pub struct Bytes {
    data: Vec<u8>,
    /// The written bits of each byte; none if all are.
    defined: Option<Vec<u8>>,
    /// The provenance of each byte; none if there is none.
    provs: Option<Vec<Option<BlockRef>>>,
}

impl Bytes {
    /// Plain bytes.
    pub(crate) fn plain(bytes: &[u8]) -> Bytes {
        Bytes { data: bytes.to_vec(), defined: None, provs: None }
    }

    /// One `i8` so many times, undefined bits included.
    pub(crate) fn filled(byte: &Value, count: usize) -> Bytes {
        let undef = byte.undef_words().low() as u8;
        let defined = (undef != 0).then(|| vec![!undef; count]);
        Bytes { data: vec![byte.low() as u8; count], defined, provs: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.data.len()
    }
}

impl Memory {
    /// The bytes as they are, to be put elsewhere; they were located.
    pub fn take(&self, block: BlockRef, offset: usize, len: usize) -> Bytes {
        let content = self.content(block);
        let range = offset..offset + len;
        let defined = match content.defined {
            Defined::All => None,
            Defined::None => Some(vec![0; len]),
            Defined::Mixed => Some(content.mask[range.clone()].to_vec()),
        };
        let provs = (!content.provs.is_empty()).then(|| content.provs[range.clone()].to_vec());
        Bytes { data: content.data[range].to_vec(), defined, provs }
    }

    /// Puts bytes taken elsewhere; the place was located.
    pub fn put(&mut self, block: BlockRef, offset: usize, bytes: &Bytes) {
        let range = offset..offset + bytes.data.len();
        let content = self.content_mut(block);
        content.data[range.clone()].copy_from_slice(&bytes.data);
        match &bytes.defined {
            None => content.define(offset, bytes.data.len()),
            Some(mask) => content.mixed()[range.clone()].copy_from_slice(mask),
        }
        match &bytes.provs {
            Some(provs) if provs.iter().any(Option::is_some) => {
                self.provs_mut(block)[range].copy_from_slice(provs);
            }
            _ if !content.provs.is_empty() => content.provs[range].fill(None),
            _ => {}
        }
    }

    /// Sets bytes to an `i8` value, undefined bits included; they were located.
    pub fn fill(&mut self, block: BlockRef, offset: usize, len: usize, byte: &Value) {
        let undef = byte.undef_words().low() as u8;
        let content = self.content_mut(block);
        content.data[offset..offset + len].fill(byte.low() as u8);
        if undef == 0 {
            content.define(offset, len);
        } else {
            content.mixed()[offset..offset + len].fill(!undef);
        }
        if !content.provs.is_empty() {
            content.provs[offset..offset + len].fill(None);
        }
    }

    /// Plain bytes, if all their bits are defined; they were located.
    pub fn bytes(&self, block: BlockRef, offset: usize, len: usize) -> Result<&[u8], AccessError> {
        let content = self.content(block);
        let first_undefined = match content.defined {
            Defined::All => None,
            Defined::None => (len > 0).then_some(0),
            Defined::Mixed => content.mask[offset..offset + len].iter().position(|mask| *mask != 0xff),
        };
        match first_undefined {
            Some(index) => Err(AccessError::Uninit(block, index as u64)),
            None => Ok(&content.data[offset..offset + len]),
        }
    }

    /// Plain bytes, whether defined or not; they were located.
    pub fn raw_bytes(&self, block: BlockRef, offset: usize, len: usize) -> &[u8] {
        &self.content(block).data[offset..offset + len]
    }

    /// Writes plain bytes; they were located.
    pub fn write_bytes(&mut self, block: BlockRef, offset: usize, bytes: &[u8]) {
        let content = self.content_mut(block);
        content.data[offset..offset + bytes.len()].copy_from_slice(bytes);
        content.define(offset, bytes.len());
        if !content.provs.is_empty() {
            content.provs[offset..offset + bytes.len()].fill(None);
        }
    }

    /// Makes bytes undefined again; they were located.
    pub fn undefine(&mut self, block: BlockRef, offset: usize, len: usize) {
        let (bytes, defined) = self.leftover(len);
        self.write_bytes(block, offset, &bytes);
        if defined {
            return;
        }
        let content = self.content_mut(block);
        content.mixed()[offset..offset + len].fill(0);
        if !content.provs.is_empty() {
            content.provs[offset..offset + len].fill(None);
        }
    }

    /// Gives undefined bits of a live block from `offset` on the content that `source` makes, and declares them defined.
    pub fn settle(&mut self, block: BlockRef, offset: usize, len: usize, mut source: impl FnMut() -> u8) {
        if self.content(block).defined == Defined::All {
            return;
        }
        let content = self.content_mut(block);
        content.mixed();
        for index in offset..(offset + len).min(content.data.len()) {
            let mask = content.mask[index];
            if mask != 0xff {
                content.data[index] = content.data[index] & mask | source() & !mask;
                content.mask[index] = 0xff;
            }
        }
    }

    /// The C string that starts at a pointer: its bytes without the final zero.
    pub fn c_string(&self, pointer: &Value) -> Result<Vec<u8>, AccessError> {
        self.c_string_up_to(pointer, u64::MAX)
    }

    /// The C string that starts at a pointer, or its first `limit` bytes if it is longer.
    pub fn c_string_up_to(&self, pointer: &Value, limit: u64) -> Result<Vec<u8>, AccessError> {
        if limit == 0 {
            return Ok(Vec::new());
        }
        let (block, offset) = self.locate(pointer, 1, false)?;
        let rest = self.block(block).size as usize - offset;
        let len = rest.min(usize::try_from(limit).unwrap_or(usize::MAX));
        let raw = self.raw_bytes(block, offset, len);
        let end = raw.iter().position(|byte| *byte == 0);
        // Undefined bytes before the end decide where it is, and an undefined zero does so itself.
        let looked_at = end.map_or(len, |end| end + 1);
        self.bytes(block, offset, looked_at)?;
        match end {
            None if (len as u64) < limit => Err(AccessError::OutOfBounds(block)),
            _ => Ok(raw[..end.unwrap_or(len)].to_vec()),
        }
    }
}
