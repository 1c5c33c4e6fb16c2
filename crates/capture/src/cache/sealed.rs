//! Small files that are believed only as a whole, from our own hand, and in their own place: a mark that only
//! this user can make, then postcard's encoding of a value.

use serde::{Deserialize, Serialize};

use crate::secret::Secret;

/// How all of them begin. What begins otherwise was written by another version, or is damaged, and is simply made again.
const START: &[u8] = b"indict 2";

/// Bytes of the mark.
const MARK: usize = 32;

/// Why a file is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// It is not there, or of another version.
    Other,
    /// Somebody else made it, moved it or changed it.
    Strange,
}

/// A place for a value, and the secret that binds them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seal<'a> {
    pub(super) secret: &'a Secret,
    /// The kind of file, and its name.
    pub(super) kind: &'a str,
    pub(super) name: &'a str,
}

impl Seal<'_> {
    /// The value as bytes.
    pub(super) fn close<T: Serialize>(&self, value: &T) -> Vec<u8> {
        let content = postcard::to_stdvec(value).expect("invariant: writing to memory cannot fail");
        [START, &self.mark(&content), &content].concat()
    }

    /// The value, if the bytes are as we wrote them for this place.
    pub(super) fn open<'a, T: Deserialize<'a>>(&self, bytes: &'a [u8]) -> Result<T, Doubt> {
        let rest = bytes.strip_prefix(START).ok_or(Doubt::Other)?;
        let (mark, content) = rest.split_at_checked(MARK).ok_or(Doubt::Strange)?;
        // No secret depends on how long the comparison takes: who could measure it could read our files.
        if mark != self.mark(content) {
            return Err(Doubt::Strange);
        }
        postcard::from_bytes(content).map_err(|_| Doubt::Other)
    }

    fn mark(&self, content: &[u8]) -> [u8; MARK] {
        self.secret.mark(&[self.kind.as_bytes(), self.name.as_bytes()], content)
    }
}
