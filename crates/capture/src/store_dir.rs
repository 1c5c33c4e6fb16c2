//! The directory in which indict keeps what it may reuse: `.indict`, or what `--store` names.
//!
//! Several processes may meet in it. Whoever works in it holds its lock; whoever writes a file writes it
//! aside and renames it, so that a process that is killed at any moment leaves whole files and some temporary
//! ones, which the next one sweeps away.
//! Source: the Cache Directory Tagging Specification (`CACHEDIR.TAG`), which keeps backups from copying it.

use std::fs::{self, DirEntry, File};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use files::Links;
use rustix::fs::{Access, FlockOperation, OFlags};

use crate::cache;
use crate::error::Error;
use crate::secret::Secret;

/// How the names of files start that are being written.
const TEMPORARY: &str = ".tmp-";

/// How often we look whether the other has ended. A signal would not end a wait in the kernel.
const PULSE: Duration = Duration::from_millis(50);

const TAG: &str = "CACHEDIR.TAG";
const IGNORE: &str = ".gitignore";
const IGNORE_TEXT: &str = "*\n";
const LOCK: &str = "lock";
const CACHE: &str = "cache";
/// Wrapper executables of a build that is watched by them.
pub(crate) const SHIMS: &str = "bin";

/// Bytes of the small files of ours; others of these names are not ours.
const SMALL: u64 = 4096;

/// The first line is the specification's; the second is ours, and tells our directories from those of others.
const TAG_TEXT: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# This directory belongs to indict.\n";

/// A directory that belongs to indict.
#[derive(Debug)]
pub struct StoreDir {
    path: PathBuf,
}

/// The right to work in a [`StoreDir`], until it is dropped or the process ends in whatever way.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl StoreDir {
    /// Opens the directory, and makes it if needed.
    ///
    /// A directory with foreign files in it is refused: it would be swept, and hidden from git. So is one in which links stand for
    /// directories or the lock: they could make us write and delete somewhere else.
    pub fn open(path: &Path) -> Result<StoreDir, Error> {
        let unwritable = |source| Error::StoreUnwritable { dir: path.to_owned(), source };
        let absolute = std::path::absolute(path).map_err(unwritable)?;
        fs::create_dir_all(&absolute).map_err(unwritable)?;
        let parts = [CACHE, SHIMS, LOCK].into_iter().map(|name| absolute.join(name));
        let below = cache::DIRECTORIES.iter().map(|name| absolute.join(CACHE).join(name));
        if let Some(link) = parts.chain(below).find(|path| path.is_symlink()) {
            return Err(Error::StoreHasLink { dir: path.to_owned(), link });
        }
        if !StoreDir::is_one(&absolute) {
            if !is_empty(&absolute).map_err(unwritable)? {
                return Err(Error::NotAStore { dir: path.to_owned() });
            }
            // The tag comes last: a directory with the tag has all the rest.
            replace_file(&absolute.join(IGNORE), IGNORE_TEXT.as_bytes()).map_err(unwritable)?;
            replace_file(&absolute.join(TAG), TAG_TEXT.as_bytes()).map_err(unwritable)?;
        }
        rustix::fs::access(&absolute, Access::WRITE_OK | Access::EXEC_OK)
            .map_err(|error| unwritable(error.into()))?;
        Ok(StoreDir { path: absolute })
    }

    /// Whether there is a directory of indict.
    pub fn is_one(path: &Path) -> bool {
        has_text(&path.join(TAG), TAG_TEXT)
    }

    /// Where it is, as an absolute path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The part of it with compiled units and what compilers said about themselves.
    pub fn cache(&self) -> PathBuf {
        self.path.join(CACHE)
    }

    /// Waits until no other process works in this directory, or until `stop` says so; then there is no lock.
    ///
    /// `waiting` is called once before that takes time, with the process id of the other if it is known.
    pub fn lock(
        &self,
        waiting: impl FnOnce(Option<u32>),
        stop: impl Fn() -> bool,
    ) -> Result<Option<Lock>, Error> {
        let path = self.path.join(LOCK);
        let failed = |source| Error::StoreUnwritable { dir: self.path.clone(), source };
        let mut file = open_lock(&path).map_err(failed)?;
        let mut waiting = Some(waiting);
        loop {
            match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => break,
                Err(rustix::io::Errno::WOULDBLOCK) if stop() => return Ok(None),
                Err(rustix::io::Errno::WOULDBLOCK) => {
                    if let Some(waiting) = waiting.take() {
                        waiting(holder(&mut file));
                    }
                    thread::sleep(PULSE);
                }
                Err(error) => return Err(failed(error.into())),
            }
        }
        // Whoever waits for us is told our id; the lock does not depend on it.
        let _ = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| write!(file, "{}", std::process::id()));
        Ok(Some(Lock { file }))
    }

    /// Removes what killed processes left behind, and what the cache no longer needs.
    ///
    /// Nothing depends on its success, and nobody else works here while the lock is held.
    pub fn sweep(&self, _lock: &Lock) {
        let cache = self.cache();
        let below = entries(&cache).filter(is_dir).map(|entry| entry.path());
        for dir in [self.path.clone(), cache.clone()].into_iter().chain(below) {
            for entry in entries(&dir).filter(|entry| name_starts_with(entry, TEMPORARY)) {
                let _ = fs::remove_file(entry.path());
            }
        }
        cache::sweep(&cache, &Secret::of_user());
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The next holder must not be taken for us. The kernel frees the lock with the file.
        let _ = self.file.set_len(0);
    }
}

/// Opens the file of the lock, which is written: a link could make that another file.
fn open_lock(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let flags = flags.bits().cast_signed();
    let file =
        File::options().read(true).write(true).create(true).truncate(false).custom_flags(flags).open(path)?;
    let metadata = file.metadata()?;
    match metadata.is_file() && metadata.nlink() == 1 {
        true => Ok(file),
        false => Err(io::Error::other(format!("{} is not a file of ours", path.display()))),
    }
}

/// Whether a file of ours has this text.
fn has_text(path: &Path, text: &str) -> bool {
    files::read_by(path, SMALL, Links::Refuse).is_ok_and(|bytes| bytes == text.as_bytes())
}

/// Gives a file new content at once: others see the old content or the new one, and never a part.
///
/// It is not forced to the disk: after a power failure the file may be damaged, so readers must check it.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let (mut file, temporary) = Temporary::create(dir)?;
    file.write_all(bytes)?;
    drop(file);
    temporary.rename(path)
}

/// A file that is removed when it is dropped, unless it was renamed.
#[derive(Debug)]
pub(crate) struct Temporary {
    /// Empty if it was renamed.
    path: PathBuf,
}

impl Temporary {
    /// A new empty file with a name that no process or thread uses.
    pub(crate) fn create(dir: &Path) -> io::Result<(File, Temporary)> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = dir.join(format!("{TEMPORARY}{}-{number}", std::process::id()));
            match File::options().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((file, Temporary { path })),
                // Left behind by a process that had our id, or made by one in another container that has it now.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn rename(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.path = PathBuf::new();
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The files and directories in `dir`; none if it cannot be read.
pub(crate) fn entries(dir: &Path) -> impl Iterator<Item = DirEntry> + use<> {
    fs::read_dir(dir).into_iter().flatten().flatten()
}

fn name_starts_with(entry: &DirEntry, prefix: &str) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(prefix.as_bytes())
}

/// Symbolic links are none, wherever they lead.
fn is_dir(entry: &DirEntry) -> bool {
    entry.file_type().is_ok_and(|kind| kind.is_dir())
}

/// Whether there is nothing in `dir` but what a process left that was killed while it made a store of it.
fn is_empty(dir: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let is_ours = entry.file_name() == IGNORE && has_text(&entry.path(), IGNORE_TEXT);
        if !is_ours && !name_starts_with(&entry, TEMPORARY) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The process id that the holder of the lock wrote into its file.
fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    text.parse().ok()
}
