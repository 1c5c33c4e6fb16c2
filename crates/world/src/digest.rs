//! Digests of answers: equal content gives equal digests, in every run and on every machine.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

/// 128 bits of a digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Digest([u8; 16]);

/// Something that can be an answer, with a digest of all that it says.
pub trait Digested {
    /// The digest.
    fn digest(&self) -> Digest;
}

impl Digest {
    /// Of bytes.
    pub fn of_bytes(bytes: &[u8]) -> Digest {
        Digest::cut(&blake3::hash(bytes))
    }

    /// Of parts with their lengths, so that parts cannot flow into one another; `tag` tells uses apart.
    pub fn of_parts(tag: &str, parts: &[&str]) -> Digest {
        let mut hasher = blake3::Hasher::new();
        for part in std::iter::once(&tag).chain(parts) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        Digest::cut(&hasher.finalize())
    }

    /// Of anything that says what it is made of. Types whose `Hash` depends on addresses or on the order of a hash map are none.
    pub fn of(content: &impl Hash) -> Digest {
        let mut bytes = Vec::new();
        content.hash(&mut StableBytes(&mut bytes));
        Digest::of_bytes(&bytes)
    }

    /// The first half, as a number.
    pub(crate) fn short(self) -> u64 {
        let mut half = [0; 8];
        half.copy_from_slice(&self.0[..8]);
        u64::from_le_bytes(half)
    }

    fn cut(hash: &blake3::Hash) -> Digest {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash.as_bytes()[..16]);
        Digest(bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Collects what is hashed instead of hashing it: bytes that depend neither on the byte order of the machine nor on the width of its pointers.
#[derive(Debug)]
pub struct StableBytes<'b>(pub &'b mut Vec<u8>);

impl Hasher for StableBytes<'_> {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn write_u16(&mut self, number: u16) {
        self.write(&number.to_le_bytes());
    }

    fn write_u32(&mut self, number: u32) {
        self.write(&number.to_le_bytes());
    }

    fn write_u64(&mut self, number: u64) {
        self.write(&number.to_le_bytes());
    }

    fn write_u128(&mut self, number: u128) {
        self.write(&number.to_le_bytes());
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_i16(&mut self, number: i16) {
        self.write_u16(number as u16);
    }

    fn write_i32(&mut self, number: i32) {
        self.write_u32(number as u32);
    }

    fn write_i64(&mut self, number: i64) {
        self.write_u64(number as u64);
    }

    fn write_i128(&mut self, number: i128) {
        self.write_u128(number as u128);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        Digest::of_bytes(self.0).short()
    }
}
