//! Small files that are believed only as a whole: a digest, then postcard's encoding of a value.

use serde::{Deserialize, Serialize};

/// Bytes of the digest.
const SEAL: usize = 16;

/// The value as bytes.
pub(super) fn seal<T: Serialize>(value: &T) -> Vec<u8> {
    let content = postcard::to_stdvec(value).expect("invariant: writing to memory cannot fail");
    let mut sealed = blake3::hash(&content).as_bytes()[..SEAL].to_vec();
    sealed.extend_from_slice(&content);
    sealed
}

/// The value, if the bytes are as they were written.
pub(super) fn open<'a, T: Deserialize<'a>>(sealed: &'a [u8]) -> Option<T> {
    let (digest, content) = sealed.split_at_checked(SEAL)?;
    let whole = blake3::hash(content).as_bytes()[..SEAL] == *digest;
    whole.then(|| postcard::from_bytes(content).ok()).flatten()
}
