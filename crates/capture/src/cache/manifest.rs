//! What is remembered of a unit: its bitcode, by name, and all files that clang read for it.
//!
//! On the disk: a digest of the rest, then the manifest in postcard's encoding, grouped by directory because headers come in
//! directories. Whatever does not decode, or has another digest, does not exist.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::files::{Digest, Digests, Nanos, Stamp};

/// What is remembered of a unit.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest<'a> {
    /// The hash of the bitcode, which is also the name of its file.
    pub(super) blob: [u8; 32],
    /// Processor time that clang took.
    pub(super) cpu_micros: u64,
    /// Made while the build ran, and not used since: what is missing now was removed by the build.
    pub(super) during_build: bool,
    /// The files that clang read, by directory.
    #[serde(borrow)]
    pub(super) dirs: Vec<ReadDir<'a>>,
    /// Where it did not find them.
    #[serde(borrow)]
    pub(super) search: Search<'a>,
}

/// Files that clang read in one directory.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReadDir<'a> {
    /// Absolute.
    pub(super) path: &'a [u8],
    #[serde(borrow)]
    pub(super) files: Vec<ReadFile<'a>>,
}

/// A file that clang read.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReadFile<'a> {
    pub(super) name: &'a [u8],
    pub(super) size: u64,
    /// `None` if it says nothing, so that the content must be looked at.
    pub(super) stamp: Option<Stamp>,
    /// `None` if the file changed or vanished while clang ran, so that nobody knows what clang read.
    pub(super) digest: Option<Digest>,
    /// The build removed it, so that it need not be there.
    pub(super) gone: bool,
}

/// Where headers were looked for and not found: a new file there would be read instead.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Search<'a> {
    /// The directories that are searched, absolute, in order.
    #[serde(borrow)]
    pub(super) path: Vec<&'a [u8]>,
    /// The directories in which there was no such file.
    #[serde(borrow)]
    pub(super) dirs: Vec<SearchedDir<'a>>,
    /// Files in them that look like such files and were there already, sorted.
    #[serde(borrow)]
    pub(super) known: Vec<&'a [u8]>,
}

/// A directory in which there was no such file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SearchedDir<'a> {
    pub(super) path: &'a [u8],
    pub(super) state: DirState,
}

/// How a directory was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum DirState {
    /// There was none.
    Missing,
    /// Its names are the same as long as it has this stamp.
    At(Stamp),
    /// Its stamp says nothing.
    Fresh,
}

impl<'a> Manifest<'a> {
    pub(super) fn encode(&self) -> Vec<u8> {
        let content = postcard::to_stdvec(self).expect("invariant: writing to memory cannot fail");
        seal(&content)
    }

    pub(super) fn decode(bytes: &'a [u8]) -> Option<Manifest<'a>> {
        postcard::from_bytes(unseal(bytes)?).ok()
    }

    /// Whether it says of each file what clang read.
    pub(super) fn is_exact(&self) -> bool {
        self.dirs.iter().flat_map(|dir| &dir.files).all(|file| file.digest.is_some())
    }
}

/// The files (absolute, as clang named them) as they are now, after a clang that was started at `start`.
pub(super) fn read_dirs<'a>(
    files: impl Iterator<Item = &'a Path>,
    digests: &Digests,
    start: Nanos,
) -> Vec<ReadDir<'a>> {
    let mut dirs: BTreeMap<&[u8], Vec<ReadFile<'_>>> = BTreeMap::new();
    for path in files {
        let dir = path.parent().map_or(&b"/"[..], |dir| dir.as_os_str().as_bytes());
        dirs.entry(dir).or_default().push(ReadFile::now(path, digests, start));
    }
    dirs.into_iter().map(|(path, files)| ReadDir { path, files }).collect()
}

impl<'a> ReadFile<'a> {
    fn now(path: &'a Path, digests: &Digests, start: Nanos) -> ReadFile<'a> {
        let name = path.file_name().map_or(&b""[..], OsStr::as_bytes);
        let unknown = ReadFile { name, size: 0, stamp: None, digest: None, gone: false };
        match digests.of(path) {
            Some((stamp, digest)) if !stamp.is_after(start) => ReadFile {
                size: stamp.size(),
                stamp: stamp.unless_fresh(start),
                digest: Some(digest),
                ..unknown
            },
            _ => unknown,
        }
    }
}

/// Bytes with a digest in front.
pub(super) fn seal(content: &[u8]) -> Vec<u8> {
    let mut sealed = blake3::hash(content).as_bytes()[..SEAL].to_vec();
    sealed.extend_from_slice(content);
    sealed
}

/// The bytes behind the digest, if they are still the same.
pub(super) fn unseal(sealed: &[u8]) -> Option<&[u8]> {
    let (digest, content) = sealed.split_at_checked(SEAL)?;
    (blake3::hash(content).as_bytes()[..SEAL] == *digest).then_some(content)
}

const SEAL: usize = 16;
