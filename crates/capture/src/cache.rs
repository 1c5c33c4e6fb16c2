//! Compiled units and what compilers said about themselves, kept from run to run.
//!
//! ```text
//! cache/units/KEY    the manifest of a unit: which files clang read, and the name of the bitcode
//! cache/blobs/HASH   bitcode, by its content
//! cache/answers/KEY  what a compiler said about itself
//! cache/files        digests of files, with the stamps that stand for them
//! ```
//!
//! A key is a hash of all that clang is told; a manifest is valid while all that clang read is the same. Nothing here is an error: what is
//! missing, damaged or of another version of indict is made again.
//! Decision and rejected alternatives: `docs/adr/003-cache-keys.md`.

mod dependencies;
mod files;
mod manifest;
mod sealed;
mod search;
mod sweep;

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

pub(crate) use dependencies::TARGET;
pub(crate) use files::{Nanos, Stamp};
pub(crate) use manifest::When;
pub(crate) use sweep::sweep;

use crate::compile::Compiled;
use crate::error::Error;
use crate::store_dir::{self, Temporary};
use files::{Contents, Seen};
use manifest::{Manifest, Validity, read_dirs};
use search::Search;

const UNITS: &str = "units";
const BLOBS: &str = "blobs";
const ANSWERS: &str = "answers";
const FILES: &str = "files";

/// A manifest that is used gets a new time of modification if it is older than this; [`sweep()`] goes by it.
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// All that decides about an answer, as a hash. Each part is told from its neighbors.
pub(crate) struct Key(blake3::Hasher);

impl Key {
    /// `kind` keeps keys of different things apart.
    pub(crate) fn new(kind: &str) -> Key {
        let mut key = Key(blake3::Hasher::new());
        key.add(kind.as_bytes());
        key
    }

    pub(crate) fn add(&mut self, part: &[u8]) {
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    fn name(&self) -> String {
        self.0.finalize().to_hex().to_string()
    }
}

/// What a successful clang made of a unit.
pub(crate) struct Made<'a> {
    pub(crate) bitcode: &'a [u8],
    pub(crate) cpu: Duration,
    /// Its working directory.
    pub(crate) dir: &'a Path,
    /// The unit's file, as clang was told.
    pub(crate) file: &'a Path,
    /// The rule of make that it wrote; `None` if it reads nothing but the unit's file.
    pub(crate) rule: Option<&'a [u8]>,
    /// What it printed about the directories that it searches, among other things.
    pub(crate) messages: &'a [u8],
    /// When it was started, by [`Cache::now`].
    pub(crate) start: Nanos,
}

/// A directory with compiled units, used by all threads of a process and by several processes at once.
#[derive(Debug)]
pub(crate) struct Cache {
    /// Absolute.
    dir: PathBuf,
    /// The files at rest, loaded at the first need.
    at_rest: OnceLock<Files>,
}

/// What is known about the files that units depend on.
#[derive(Debug, Default)]
struct Files {
    seen: Seen,
    contents: Contents,
}

impl Cache {
    pub(crate) fn new(dir: &Path) -> Cache {
        let dir = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
        Cache { dir, at_rest: OnceLock::new() }
    }

    /// The time by which changes of files are judged.
    pub(crate) fn now() -> Nanos {
        files::now()
    }

    /// The error of a result that had to be kept and was not.
    pub(crate) fn unwritable(&self, source: io::Error) -> Error {
        Error::StoreUnwritable { dir: self.dir.clone(), source }
    }

    /// A file for clang to write into, on our side of the file system.
    pub(crate) fn temporary(&self) -> io::Result<Temporary> {
        fs::create_dir_all(&self.dir)?;
        Temporary::create(&self.dir).map(|(_, temporary)| temporary)
    }

    /// The bitcode that is kept under this key, if all that clang read for it is still the same.
    pub(crate) fn load(&self, key: &Key, when: When) -> Option<Compiled> {
        let path = self.dir.join(UNITS).join(key.name());
        let bytes = read_and_mark(&path)?;
        let mut manifest: Manifest<'_> = sealed::open(&bytes)?;
        let validity = self.with_files(when, |files| manifest.validate(&files.seen, &files.contents, when));
        if validity == Validity::Invalid {
            return None;
        }
        let bitcode = self.blob(&manifest.blob)?;
        if validity == Validity::Corrected {
            // Without it, what the user removes later would be taken for what the build removes.
            let _ = store_dir::replace_file(&path, &sealed::seal(&manifest));
        }
        Some(Compiled { bitcode, cpu: Duration::from_micros(manifest.cpu_micros), reused: true })
    }

    /// Keeps what clang made, if it can be told what clang read.
    pub(crate) fn store(&self, key: &Key, made: &Made<'_>, when: When) -> io::Result<()> {
        let read = match made.rule {
            None => Some(vec![made.file.to_owned()]),
            Some(rule) => dependencies::parse(rule),
        };
        let unknown = || io::Error::other("clang did not tell which files it read");
        let read: Vec<PathBuf> = read.ok_or_else(unknown)?;
        let read: Vec<PathBuf> = read.iter().map(|file| made.dir.join(file)).collect();
        let read = read.iter().map(PathBuf::as_path);
        let dirs = self.with_files(when, |files| read_dirs(read, &files.contents, made.start));
        let path = search::search_path(made.messages, made.dir, made.file);
        let path: Vec<&[u8]> = path.iter().map(|dir| dir.as_os_str().as_bytes()).collect();
        let known = search::known(&path, &dirs);
        let manifest = Manifest {
            blob: *blake3::hash(made.bitcode).as_bytes(),
            cpu_micros: u64::try_from(made.cpu.as_micros()).unwrap_or(u64::MAX),
            during_build: when == When::DuringBuild,
            dirs,
            search: Search::new(path, &known),
        };
        // A result with gaps serves only when the files are gone.
        if when == When::AtRest && !manifest.is_exact() {
            return Ok(());
        }
        self.write(BLOBS, &hex(&manifest.blob), made.bitcode)?;
        self.write(UNITS, &key.name(), &sealed::seal(&manifest))
    }

    /// While a build runs, each unit has a process of its own and knows nothing: there are too many to share what they learn.
    fn with_files<R>(&self, when: When, run: impl FnOnce(&Files) -> R) -> R {
        let load = || Files { seen: Seen::default(), contents: Contents::load(&self.dir.join(FILES)) };
        match when {
            When::DuringBuild => run(&Files::default()),
            When::AtRest => run(self.at_rest.get_or_init(load)),
        }
    }

    /// A short text that was kept under this key.
    pub(crate) fn load_text(&self, key: &Key) -> Option<String> {
        let bytes = fs::read(self.dir.join(ANSWERS).join(key.name())).ok()?;
        sealed::open(&bytes)
    }

    /// Keeps a short text.
    pub(crate) fn store_text(&self, key: &Key, text: &str) -> io::Result<()> {
        self.write(ANSWERS, &key.name(), &sealed::seal(&text))
    }

    fn write(&self, kind: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
        let dir = self.dir.join(kind);
        fs::create_dir_all(&dir)?;
        store_dir::replace_file(&dir.join(name), bytes)
    }

    fn blob(&self, hash: &[u8; 32]) -> Option<Vec<u8>> {
        let bytes = fs::read(self.dir.join(BLOBS).join(hex(hash))).ok()?;
        (blake3::hash(&bytes).as_bytes() == hash).then_some(bytes)
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        if let Some(files) = self.at_rest.get() {
            // Without it, the next run reads the files again.
            let _ = files.contents.save(&self.dir.join(FILES));
        }
    }
}

/// Reads a file, and marks it as used.
fn read_and_mark(path: &Path) -> Option<Vec<u8>> {
    let mut file = File::open(path).ok()?;
    let metadata = file.metadata().ok()?;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    file.read_to_end(&mut bytes).ok()?;
    let now = SystemTime::now();
    let used = metadata.modified().ok().and_then(|time| now.duration_since(time).ok());
    if used.is_some_and(|age| age > A_DAY) {
        let _ = file.set_modified(now);
    }
    Some(bytes)
}

fn hex(hash: &[u8; 32]) -> String {
    blake3::Hash::from_bytes(*hash).to_hex().to_string()
}
