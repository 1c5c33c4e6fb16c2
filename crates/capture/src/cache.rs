//! Compiled units and what compilers said about themselves, kept from run to run.
//!
//! ```text
//! cache/units/KEY    the manifest of a unit: which files clang read, and the name of the bitcode
//! cache/blobs/HASH   bitcode, by its content
//! cache/clangs/KEY   the version of an executable
//! ```
//!
//! A key is a hash of all that clang is told; a manifest is valid while all that clang read is the same. Nothing here is an error: what is
//! missing, damaged or of another version of indict is made again.
//! Decision and rejected alternatives: `docs/adr/003-cache-keys.md`.

mod dependencies;
mod files;
mod manifest;
mod search;
mod sweep;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub(crate) use dependencies::TARGET;
pub(crate) use files::{Nanos, Stamp};
pub(crate) use sweep::sweep;

use crate::compile::Compiled;
use crate::error::Error;
use crate::store_dir::{self, Temporary};
use files::{Digests, Seen};
use manifest::{Manifest, ReadFile, read_dirs, seal, unseal};
use search::Searched;

const UNITS: &str = "units";
const BLOBS: &str = "blobs";
const CLANGS: &str = "clangs";

/// A manifest that is used gets a new time of modification if it is older than this; [`sweep`] goes by it.
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

/// When something is looked up or kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// Files come and go. Each is looked at anew.
    DuringBuild,
    /// Files stay as they are. Each is looked at once.
    AtRest,
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
    seen: Seen,
    digests: Digests,
}

impl Cache {
    pub(crate) fn new(dir: &Path) -> Cache {
        let dir = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
        Cache { dir, seen: Seen::default(), digests: Digests::default() }
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
        let mut manifest = Manifest::decode(&bytes)?;
        let anew = Seen::default();
        let seen = match when {
            When::DuringBuild => &anew,
            When::AtRest => &self.seen,
        };
        let validity = self.validate(&mut manifest, seen, when);
        if validity == Validity::Invalid {
            return None;
        }
        let bitcode = self.blob(&manifest.blob)?;
        if validity == Validity::Corrected {
            // Only the next look would be slower without it.
            let _ = store_dir::replace_file(&path, &manifest.encode());
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
        let dirs = read_dirs(read.iter().map(PathBuf::as_path), &self.digests, made.start);
        let path = search::search_path(made.messages, made.dir, made.file);
        let searched = Searched::now(path, &dirs, made.start);
        let manifest = Manifest {
            blob: *blake3::hash(made.bitcode).as_bytes(),
            cpu_micros: u64::try_from(made.cpu.as_micros()).unwrap_or(u64::MAX),
            during_build: when == When::DuringBuild,
            dirs,
            search: searched.as_search(),
        };
        // A result with gaps serves only when the files are gone.
        if when == When::AtRest && !manifest.is_exact() {
            return Ok(());
        }
        self.write(BLOBS, &hex(&manifest.blob), made.bitcode)?;
        self.write(UNITS, &key.name(), &manifest.encode())
    }

    /// A short text that was kept under this key.
    pub(crate) fn load_text(&self, key: &Key) -> Option<String> {
        let bytes = fs::read(self.dir.join(CLANGS).join(key.name())).ok()?;
        String::from_utf8(unseal(&bytes)?.to_vec()).ok()
    }

    /// Keeps a short text.
    pub(crate) fn store_text(&self, key: &Key, text: &str) -> io::Result<()> {
        self.write(CLANGS, &key.name(), &seal(text.as_bytes()))
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

    /// Compares the manifest with the files, and corrects what it says about them.
    fn validate(&self, manifest: &mut Manifest<'_>, seen: &Seen, when: When) -> Validity {
        let mut validity = Validity::Valid;
        for dir in &mut manifest.dirs {
            let seen = seen.dir(dir.path);
            let mut files = seen.files();
            for file in &mut dir.files {
                let stamp = files.stamp(file.name);
                let unchanged = stamp.is_some() && stamp == file.stamp && !file.gone;
                if unchanged {
                    continue;
                }
                let may_be_gone = when == When::AtRest && (manifest.during_build || file.gone);
                let path = || seen.join(file.name);
                match self.correct(file, stamp, may_be_gone, path) {
                    Validity::Invalid => return Validity::Invalid,
                    Validity::Corrected => validity = Validity::Corrected,
                    Validity::Valid => {}
                }
            }
        }
        if search::finds_another(&manifest.search, &manifest.dirs, seen) {
            return Validity::Invalid;
        }
        let during_build = when == When::DuringBuild;
        if manifest.during_build != during_build {
            manifest.during_build = during_build;
            validity = Validity::Corrected;
        }
        validity
    }

    /// Looks at a file whose stamp is not the one that is remembered.
    fn correct(
        &self,
        file: &mut ReadFile<'_>,
        stamp: Option<Stamp>,
        may_be_gone: bool,
        path: impl FnOnce() -> PathBuf,
    ) -> Validity {
        let Some(stamp) = stamp else {
            let corrected = if file.gone { Validity::Valid } else { Validity::Corrected };
            file.gone = true;
            return if may_be_gone { corrected } else { Validity::Invalid };
        };
        if file.digest.is_none() || file.size != stamp.size() {
            return Validity::Invalid;
        }
        let asked = Cache::now();
        match self.digests.of(&path()) {
            Some((stamp, digest)) if file.digest == Some(digest) => {
                let corrected = stamp.unless_fresh(asked);
                let same = corrected == file.stamp && !file.gone;
                file.stamp = corrected;
                file.gone = false;
                if same { Validity::Valid } else { Validity::Corrected }
            }
            _ => Validity::Invalid,
        }
    }
}

/// What became of a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Validity {
    Valid,
    /// Valid, and it says something new about the files.
    Corrected,
    Invalid,
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
