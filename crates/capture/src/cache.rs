//! Compiled units and what compilers said about themselves, kept from run to run.
//!
//! ```text
//! cache/units/KEY    the manifest of a unit: which files clang read, and the name of the bitcode
//! cache/blobs/HASH   bitcode, by its content
//! cache/answers/KEY  what a compiler said about itself
//! cache/files        digests of files, with the stamps that stand for them
//! ```
//!
//! A key is a hash of all that clang is told; a manifest is valid while all that clang read is the same.
//! Nothing here is an error: what is missing, damaged, of another version of indict or from another hand is
//! made again; of the last it is counted how often that was ([`Cache::n_strange`]). Bitcode needs no mark:
//! its name is its hash, and it is asked for by a manifest that has one. Decision and rejected alternatives:
//! `docs/adr/003-cache-keys.md`.

mod dependencies;
mod files;
mod manifest;
mod sealed;
mod search;
mod sweep;

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

pub(crate) use dependencies::TARGET;
pub(crate) use files::{Nanos, Stamp};
pub(crate) use manifest::When;
pub(crate) use sweep::sweep;

use ::files::Links;
use base::limits;
use serde::Deserialize;

use crate::compile::Compiled;
use crate::error::Error;
use crate::secret::Secret;
use crate::store_dir::{self, Temporary};
use files::{Content, Contents, Seen};
use manifest::{Manifest, Validity, read_dirs};
use sealed::{Doubt, Seal};
use search::Search;

const UNITS: &str = "units";
const BLOBS: &str = "blobs";
const ANSWERS: &str = "answers";
const FILES: &str = "files";

/// The directories in it.
pub(crate) const DIRECTORIES: [&str; 3] = [UNITS, BLOBS, ANSWERS];

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
    secret: Secret,
    /// The files at rest, loaded at the first need.
    at_rest: OnceLock<Files>,
    /// Files that were not believed because of who wrote them.
    strange: AtomicUsize,
}

/// What is known about the files that units depend on.
#[derive(Debug, Default)]
struct Files {
    seen: Seen,
    contents: Contents,
}

impl Cache {
    /// The cache in that directory, of which is believed what was written with that secret.
    pub(crate) fn new(dir: &Path, secret: Secret) -> Cache {
        let dir = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
        Cache { dir, secret, at_rest: OnceLock::new(), strange: AtomicUsize::new(0) }
    }

    /// How many files were not believed because somebody else made, moved or changed them.
    pub(crate) fn n_strange(&self) -> usize {
        self.strange.load(Ordering::Relaxed)
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
        let name = key.name();
        let path = self.dir.join(UNITS).join(&name);
        let bytes = read_and_mark(&path)?;
        let mut manifest: Manifest<'_> = self.open((UNITS, &name), &bytes)?;
        let validity = self.with_files(when, |files| manifest.validate(&files.seen, &files.contents, when));
        if validity == Validity::Invalid {
            return None;
        }
        let bitcode = self.blob(&manifest.blob)?;
        if validity == Validity::Corrected {
            // Without it, what the user removes later would be taken for what the build removes.
            let _ = store_dir::replace_file(&path, &self.seal((UNITS, &name)).close(&manifest));
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
        let name = key.name();
        self.write(UNITS, &name, &self.seal((UNITS, &name)).close(&manifest))
    }

    fn seal<'a>(&'a self, (kind, name): (&'a str, &'a str)) -> Seal<'a> {
        Seal { secret: &self.secret, kind, name }
    }

    /// What a file of the cache says, if it is ours.
    fn open<'b, T: Deserialize<'b>>(&self, place: (&str, &str), bytes: &'b [u8]) -> Option<T> {
        let opened = self.seal(place).open(bytes);
        if let Err(Doubt::Strange) = &opened {
            self.strange.fetch_add(1, Ordering::Relaxed);
        }
        opened.ok()
    }

    /// While a build runs, each unit has a process of its own and knows nothing: there are too many to share what they learn.
    fn with_files<R>(&self, when: When, run: impl FnOnce(&Files) -> R) -> R {
        let load = || Files { seen: Seen::default(), contents: Contents::new(self.known_contents()) };
        match when {
            When::DuringBuild => run(&Files::default()),
            When::AtRest => run(self.at_rest.get_or_init(load)),
        }
    }

    /// What was known of files at the end of an earlier process.
    fn known_contents(&self) -> Vec<(PathBuf, Content)> {
        let bytes = read(&self.dir.join(FILES)).unwrap_or_default();
        let entries: Option<Vec<(&[u8], Content)>> = self.open((FILES, FILES), &bytes);
        let entries = entries.unwrap_or_default().into_iter();
        entries.map(|(path, content)| (PathBuf::from(OsStr::from_bytes(path)), content)).collect()
    }

    /// A short text that was kept under this key.
    pub(crate) fn load_text(&self, key: &Key) -> Option<String> {
        let name = key.name();
        let bytes = read(&self.dir.join(ANSWERS).join(&name))?;
        self.open((ANSWERS, &name), &bytes)
    }

    /// Keeps a short text.
    pub(crate) fn store_text(&self, key: &Key, text: &str) -> io::Result<()> {
        let name = key.name();
        self.write(ANSWERS, &name, &self.seal((ANSWERS, &name)).close(&text))
    }

    fn write(&self, kind: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
        let dir = self.dir.join(kind);
        fs::create_dir_all(&dir)?;
        store_dir::replace_file(&dir.join(name), bytes)
    }

    fn blob(&self, hash: &[u8; 32]) -> Option<Vec<u8>> {
        let bytes = read(&self.dir.join(BLOBS).join(hex(hash)))?;
        (blake3::hash(&bytes).as_bytes() == hash).then_some(bytes)
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        let news = self.at_rest.get().and_then(|files| files.contents.news());
        if let Some(mut known) = news {
            known.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
            let entries: Vec<(&[u8], Content)> =
                known.iter().map(|(path, content)| (path.as_os_str().as_bytes(), *content)).collect();
            // Without it, the next run reads the files again.
            let _ =
                store_dir::replace_file(&self.dir.join(FILES), &self.seal((FILES, FILES)).close(&entries));
        }
    }
}

/// Reads a file of the cache. It has no links.
fn read(path: &Path) -> Option<Vec<u8>> {
    ::files::read_by(path, limits::FILE_BYTES, Links::Refuse).ok()
}

/// Reads a file, and marks it as used.
fn read_and_mark(path: &Path) -> Option<Vec<u8>> {
    let (file, metadata) = ::files::open(path, Links::Refuse).ok()?;
    let mut bytes = Vec::new();
    (&file).take(limits::FILE_BYTES).read_to_end(&mut bytes).ok()?;
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
