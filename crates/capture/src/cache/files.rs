//! What is known about files without reading them, and their contents as digests.
//!
//! A stamp stands for the content as in git's index: equal stamps, equal content. Departures: the time of the last change of the
//! inode counts too, because package managers and archivers give files old times of modification. A file that was changed a moment
//! ago can change again within the same tick of the clock; its stamp is *fresh* and says nothing (git calls such entries racy).

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use base::limits;
use serde::{Deserialize, Serialize};

use crate::store_dir;

/// Nanoseconds since 1970.
pub(crate) type Nanos = i64;

/// A digest of a file's content. Half of a blake3 hash: nobody gains by a collision in a cache of his own.
pub(super) type Digest = [u8; 16];

/// How long a stamp stays fresh: the coarsest clock of a file system still in use (FAT) ticks every two seconds.
const FRESH: Nanos = 2_000_000_000;

/// What the system says about a file without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    modified: Nanos,
    changed: Nanos,
    size: u64,
}

impl Stamp {
    /// The stamp of a regular file, links followed; `None` if there is none.
    pub(crate) fn of_file(path: &Path) -> Option<Stamp> {
        let metadata = fs::metadata(path).ok()?;
        metadata.is_file().then(|| Stamp::new(&metadata))
    }

    /// The stamp of a directory, which changes with the names in it; `None` if there is none.
    pub(super) fn of_dir(path: &Path) -> Option<Stamp> {
        let metadata = fs::metadata(path).ok()?;
        metadata.is_dir().then(|| Stamp::new(&metadata))
    }

    fn new(metadata: &Metadata) -> Stamp {
        Stamp {
            modified: nanos(metadata.mtime(), metadata.mtime_nsec()),
            changed: nanos(metadata.ctime(), metadata.ctime_nsec()),
            size: metadata.size(),
        }
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Whether something was done to the file after that time.
    pub(super) fn is_after(&self, time: Nanos) -> bool {
        self.changed > time
    }

    /// The stamp, if it stands for the content that was seen at `time`.
    pub(super) fn unless_fresh(self, time: Nanos) -> Option<Stamp> {
        (!self.is_after(time.saturating_sub(FRESH))).then_some(self)
    }

    /// For digests of what the stamp belongs to.
    pub(crate) fn to_bytes(self) -> [u8; 24] {
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&self.modified.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.changed.to_le_bytes());
        bytes[16..].copy_from_slice(&self.size.to_le_bytes());
        bytes
    }
}

/// The precise time. File systems use a clock that ticks more slowly: whatever was done to a file before now has an earlier time.
pub(super) fn now() -> Nanos {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Nanos::try_from(since.as_nanos()).unwrap_or(Nanos::MAX)
}

fn nanos(seconds: i64, nanos: i64) -> Nanos {
    seconds.saturating_mul(1_000_000_000).saturating_add(nanos)
}

/// Stamps and directories as they were when somebody first asked. Thousands of units share their headers.
#[derive(Debug, Default)]
pub(super) struct Seen {
    dirs: Mutex<HashMap<Box<[u8]>, Arc<SeenDir>>>,
}

/// A directory, which may also be missing.
#[derive(Debug)]
pub(super) struct SeenDir {
    path: PathBuf,
    stamp: Option<Stamp>,
    files: Mutex<HashMap<Box<[u8]>, Option<Stamp>>>,
    names: OnceLock<HashSet<Box<[u8]>>>,
}

impl Seen {
    pub(super) fn dir(&self, path: &[u8]) -> Arc<SeenDir> {
        let mut dirs = lock(&self.dirs);
        if let Some(dir) = dirs.get(path) {
            return Arc::clone(dir);
        }
        let dir = Arc::new(SeenDir::new(Path::new(OsStr::from_bytes(path))));
        dirs.insert(path.into(), Arc::clone(&dir));
        dir
    }
}

impl SeenDir {
    fn new(path: &Path) -> SeenDir {
        SeenDir {
            path: path.to_owned(),
            stamp: Stamp::of_dir(path),
            files: Mutex::default(),
            names: OnceLock::new(),
        }
    }

    pub(super) fn stamp(&self) -> Option<Stamp> {
        self.stamp
    }

    pub(super) fn join(&self, name: &[u8]) -> PathBuf {
        self.path.join(OsStr::from_bytes(name))
    }

    /// A way to ask for many files at the price of one lock.
    pub(super) fn files(&self) -> SeenFiles<'_> {
        SeenFiles { dir: self, stamps: lock(&self.files) }
    }

    /// The names in it.
    pub(super) fn names(&self) -> &HashSet<Box<[u8]>> {
        let list =
            || store_dir::entries(&self.path).map(|entry| entry.file_name().as_bytes().into()).collect();
        self.names.get_or_init(list)
    }
}

/// The files of a directory.
pub(super) struct SeenFiles<'a> {
    dir: &'a SeenDir,
    stamps: MutexGuard<'a, HashMap<Box<[u8]>, Option<Stamp>>>,
}

impl SeenFiles<'_> {
    pub(super) fn stamp(&mut self, name: &[u8]) -> Option<Stamp> {
        if let Some(stamp) = self.stamps.get(name) {
            return *stamp;
        }
        let stamp = self.dir.stamp.and_then(|_| Stamp::of_file(&self.dir.join(name)));
        self.stamps.insert(name.into(), stamp);
        stamp
    }
}

/// Digests of files, each computed once per stamp.
#[derive(Debug, Default)]
pub(super) struct Digests {
    known: Mutex<HashMap<PathBuf, (Stamp, Digest)>>,
}

impl Digests {
    /// The digest of a file as it is now, and the stamp that belongs to it. `None` if it cannot be read or is being written.
    pub(super) fn of(&self, path: &Path) -> Option<(Stamp, Digest)> {
        let stamp = Stamp::of_file(path)?;
        if let Some(known) = lock(&self.known).get(path).filter(|(its, _)| *its == stamp) {
            return Some(*known);
        }
        let asked = now();
        let digest = read_digest(path)?;
        if Stamp::of_file(path) != Some(stamp) {
            return None;
        }
        if stamp.unless_fresh(asked).is_some() {
            lock(&self.known).insert(path.to_owned(), (stamp, digest));
        }
        Some((stamp, digest))
    }
}

fn read_digest(path: &Path) -> Option<Digest> {
    let mut hasher = blake3::Hasher::new();
    let mut content = File::open(path).ok()?.take(limits::FILE_BYTES);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match content.read(&mut buffer).ok()? {
            0 => return Some(shorten(&hasher.finalize())),
            read => hasher.update(&buffer[..read]),
        };
    }
}

fn shorten(hash: &blake3::Hash) -> Digest {
    *hash.as_bytes().first_chunk().expect("invariant: a hash is longer than a digest")
}

/// A panic of another thread leaves these maps whole: they only ever grow by one entry at a time.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
