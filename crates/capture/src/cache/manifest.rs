//! What is remembered of a unit: its bitcode, by name, and all files that clang read for it.
//!
//! Files are grouped by directory because headers come in directories.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::files::{Contents, Digest, Nanos, Seen};
use super::search::{self, Search};

/// What is remembered of a unit.
#[derive(Debug, Serialize, Deserialize)]
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
    /// Where it looked for them.
    #[serde(borrow)]
    pub(super) search: Search<'a>,
}

/// Files that clang read in one directory.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ReadDir<'a> {
    /// Absolute.
    pub(super) path: &'a [u8],
    #[serde(borrow)]
    pub(super) files: Vec<ReadFile<'a>>,
}

/// A file that clang read.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ReadFile<'a> {
    pub(super) name: &'a [u8],
    /// `None` if the file changed or vanished while clang ran, so that nobody knows what clang read.
    digest: Option<Digest>,
    /// The build removed it, so that it need not be there.
    gone: bool,
}

/// When something is looked up or kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// Files come and go. Each is looked at anew.
    DuringBuild,
    /// Files stay as they are. Each is looked at once.
    AtRest,
}

/// What became of a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Validity {
    Valid,
    /// Valid, and it says something new about what the build removes.
    Corrected,
    Invalid,
}

impl Manifest<'_> {
    /// Whether it says of each file what clang read.
    pub(super) fn is_exact(&self) -> bool {
        self.dirs.iter().flat_map(|dir| &dir.files).all(|file| file.digest.is_some())
    }

    /// Compares it with the files.
    pub(super) fn validate(&mut self, seen: &Seen, contents: &Contents, when: When) -> Validity {
        let mut corrected = false;
        for dir in &mut self.dirs {
            let digests = seen.dir(dir.path).digests(dir.files.iter().map(|file| file.name), contents);
            for (file, digest) in dir.files.iter_mut().zip(digests) {
                let gone = digest.is_none();
                let may_be_gone = when == When::AtRest && (self.during_build || file.gone);
                let same = if gone { may_be_gone } else { digest == file.digest };
                if !same {
                    return Validity::Invalid;
                }
                corrected |= std::mem::replace(&mut file.gone, gone) != gone;
            }
        }
        if search::finds_another(&self.search, &self.dirs, seen) {
            return Validity::Invalid;
        }
        let during_build = when == When::DuringBuild;
        corrected |= std::mem::replace(&mut self.during_build, during_build) != during_build;
        if corrected { Validity::Corrected } else { Validity::Valid }
    }
}

/// The files (absolute, as clang named them) as they are now, after a clang that was started at `start`.
pub(super) fn read_dirs<'a>(
    files: impl Iterator<Item = &'a Path>,
    contents: &Contents,
    start: Nanos,
) -> Vec<ReadDir<'a>> {
    let mut dirs: BTreeMap<&[u8], Vec<ReadFile<'_>>> = BTreeMap::new();
    for path in files {
        let dir = path.parent().map_or(&b"/"[..], |dir| dir.as_os_str().as_bytes());
        let name = path.file_name().map_or(&b""[..], OsStr::as_bytes);
        let content = contents.now(path).filter(|content| !content.stamp.is_after(start));
        let file = ReadFile { name, digest: content.map(|content| content.digest), gone: false };
        dirs.entry(dir).or_default().push(file);
    }
    dirs.into_iter().map(|(path, files)| ReadDir { path, files }).collect()
}
