//! Contents of files as digests, most of them without reading the files.
//!
//! A stamp stands for the content as in git's index: equal stamps, equal content. Departures: the time of the
//! last change of the inode counts too, because package managers and archivers give files old times of
//! modification. A file that was changed a moment ago can change again within the same tick of the clock; its
//! stamp is *fresh* and says nothing (git calls such entries racy).
//!
//! There are two memories. [`Contents`] is about files as they are whenever it is asked, and outlives the
//! process; [`Seen`] is about files as they were when it was first asked, and spares thousands of units from
//! asking for the same headers.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{SystemTime, UNIX_EPOCH};

use base::limits;
use files::Links;
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

    fn new(metadata: &Metadata) -> Stamp {
        Stamp {
            modified: nanos(metadata.mtime(), metadata.mtime_nsec()),
            changed: nanos(metadata.ctime(), metadata.ctime_nsec()),
            size: metadata.size(),
        }
    }

    /// Whether something was done to the file after that time.
    pub(super) fn is_after(&self, time: Nanos) -> bool {
        self.changed > time
    }

    /// Whether the content that was read at `time` can change without changing the stamp.
    fn is_fresh(&self, time: Nanos) -> bool {
        self.is_after(time.saturating_sub(FRESH))
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

/// A file as it was when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Content {
    pub(super) stamp: Stamp,
    pub(super) digest: Digest,
}

/// Contents of files as they are now, each read once per stamp unless that is fresh.
#[derive(Debug, Default)]
pub(super) struct Contents {
    known: RwLock<HashMap<PathBuf, Content>>,
    /// Whether something is known that was not loaded.
    learned: AtomicBool,
}

impl Contents {
    /// With what was known at the end of an earlier process.
    pub(super) fn new(known: Vec<(PathBuf, Content)>) -> Contents {
        Contents { known: RwLock::new(known.into_iter().collect()), learned: AtomicBool::new(false) }
    }

    /// All that is known, if some of it is new since the last time.
    pub(super) fn news(&self) -> Option<Vec<(PathBuf, Content)>> {
        let learned = self.learned.swap(false, Ordering::Relaxed);
        learned.then(|| read(&self.known).iter().map(|(path, content)| (path.clone(), *content)).collect())
    }

    /// The content of a file; `None` if it cannot be read or is being written.
    pub(super) fn now(&self, path: &Path) -> Option<Content> {
        let stamp = Stamp::of_file(path)?;
        if let Some(known) = read(&self.known).get(path).filter(|known| known.stamp == stamp) {
            return Some(*known);
        }
        let time = now();
        let content = Content { stamp, digest: read_digest(path)? };
        if Stamp::of_file(path) != Some(stamp) {
            return None;
        }
        if !stamp.is_fresh(time) {
            write(&self.known).insert(path.to_owned(), content);
            self.learned.store(true, Ordering::Relaxed);
        }
        Some(content)
    }
}

/// Files and directories as they were when somebody first asked.
#[derive(Debug, Default)]
pub(super) struct Seen {
    dirs: RwLock<HashMap<Box<[u8]>, Arc<SeenDir>>>,
}

/// A directory, which may also be missing.
#[derive(Debug)]
pub(super) struct SeenDir {
    path: PathBuf,
    digests: RwLock<HashMap<Box<[u8]>, Option<Digest>>>,
    names: OnceLock<HashSet<Box<[u8]>>>,
}

impl Seen {
    pub(super) fn dir(&self, path: &[u8]) -> Arc<SeenDir> {
        if let Some(dir) = read(&self.dirs).get(path) {
            return Arc::clone(dir);
        }
        let dir = SeenDir {
            path: PathBuf::from(OsStr::from_bytes(path)),
            digests: RwLock::default(),
            names: OnceLock::new(),
        };
        // Another thread may have been faster: all see what the first one saw.
        Arc::clone(write(&self.dirs).entry(path.into()).or_insert(Arc::new(dir)))
    }
}

impl SeenDir {
    /// The digests of many files at the price of one lock; `None` for one that is missing.
    pub(super) fn digests<'n>(
        &self,
        names: impl Iterator<Item = &'n [u8]> + Clone,
        contents: &Contents,
    ) -> Vec<Option<Digest>> {
        let known = read(&self.digests);
        if let Some(digests) = names.clone().map(|name| known.get(name).copied()).collect() {
            return digests;
        }
        drop(known);
        let now = |name| contents.now(&self.path.join(OsStr::from_bytes(name))).map(|content| content.digest);
        let mut known = write(&self.digests);
        names.map(|name| *known.entry(name.into()).or_insert_with(|| now(name))).collect()
    }

    /// The names in it.
    pub(super) fn names(&self) -> &HashSet<Box<[u8]>> {
        let list =
            || store_dir::entries(&self.path).map(|entry| entry.file_name().as_bytes().into()).collect();
        self.names.get_or_init(list)
    }
}

fn read_digest(path: &Path) -> Option<Digest> {
    let mut hasher = blake3::Hasher::new();
    let (file, _) = files::open(path, Links::Follow).ok()?;
    let mut content = file.take(limits::FILE_BYTES);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match content.read(&mut buffer).ok()? {
            0 => return Some(short(&hasher.finalize())),
            read => hasher.update(&buffer[..read]),
        };
    }
}

fn short(hash: &blake3::Hash) -> Digest {
    *hash.as_bytes().first_chunk().expect("invariant: a hash is longer than a digest")
}

// A panic of another thread leaves these maps whole: they only ever grow by one entry at a time.

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_outlive_the_process_unless_fresh() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.h");
        fs::write(&file, "text").unwrap();
        let contents = Contents::default();
        let fresh = contents.now(&file).unwrap();
        assert_eq!(contents.news(), None, "there is nothing to write down");
        std::thread::sleep(std::time::Duration::from_nanos(FRESH as u64));
        assert_eq!(contents.now(&file), Some(fresh));
        let news = contents.news().unwrap();
        assert_eq!(news, [(file.clone(), fresh)]);
        assert_eq!(contents.news(), None, "it was told already");
        assert_eq!(read(&Contents::new(news).known).get(&file), Some(&fresh));
    }

    #[test]
    fn what_is_seen_stays() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.h");
        fs::write(&file, "text").unwrap();
        let (seen, contents) = (Seen::default(), Contents::default());
        let look = || {
            let seen = seen.dir(dir.path().as_os_str().as_bytes());
            let names: [&[u8]; 2] = [b"a.h", b"b.h"];
            (seen.digests(names.into_iter(), &contents), seen.names().len())
        };
        let first = look();
        assert!(first.0[0].is_some() && first.0[1].is_none() && first.1 == 1);
        fs::write(&file, "other").unwrap();
        fs::write(dir.path().join("b.h"), "").unwrap();
        assert_eq!(look(), first);
    }

    #[test]
    fn only_regular_files_have_contents() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Contents::default().now(dir.path()), None);
        assert_eq!(Contents::default().now(Path::new("/dev/zero")), None);
    }
}
