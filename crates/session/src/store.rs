//! The directory in which things are kept between runs, as the user chose it.

use std::path::{Path, PathBuf};

use anyhow::Result;
use capture::{Lock, Scratch, StoreDir};

use crate::cancel::Interrupted;
use crate::notice::Notice;
use crate::request::StoreChoice;
use crate::watch::Watch;

/// The directory, seen from the working directory.
const DEFAULT: &str = ".indict";

/// How the names of directories begin that go with us.
const PREFIX: &str = "indict-store-";

/// A place to keep things, held for this process.
pub(crate) struct Store {
    dir: PathBuf,
    cache: PathBuf,
    /// Freed at the end; none for a store that goes with us.
    lock: Option<Lock>,
    /// What may not be kept goes with us.
    _scratch: Option<Scratch>,
}

impl Store {
    /// Opens the store that the user chose. `database` is where units come from: the store of an earlier
    /// capture is used for what it captured.
    ///
    /// A directory that cannot be written costs only the reuse; that is told.
    pub(crate) fn open(choice: &StoreChoice, database: Option<&Path>, watch: &Watch<'_>) -> Result<Store> {
        // Inside of a build that is being captured, the store is held by the indict that runs the build.
        if capture::is_captured() {
            return Store::for_now();
        }
        let path = place(choice, database);
        if path == Path::new(DEFAULT) && path.is_symlink() {
            watch.notice(&Notice::StoreIsLink);
            return Store::for_now();
        }
        match StoreDir::open(&path) {
            Ok(dir) => Store::hold(&dir, choice.forget, watch),
            // What the user asked for by name must not be passed over.
            Err(error) if choice.dir.is_some() => Err(error.into()),
            Err(error) => {
                watch.notice(&Notice::StoreUnusable(error.to_string()));
                Store::for_now()
            }
        }
    }

    fn hold(dir: &StoreDir, forget: bool, watch: &Watch<'_>) -> Result<Store> {
        let waiting = |other| watch.notice(&Notice::Waiting(other));
        let lock = dir.lock(waiting, || watch.cancel().is_wanted())?.ok_or(Interrupted)?;
        dir.sweep(&lock);
        let scratch = if forget { Some(Scratch::new(PREFIX)?) } else { None };
        let cache = scratch.as_ref().map_or_else(|| dir.cache(), |scratch| scratch.path().to_owned());
        Ok(Store { dir: dir.path().to_owned(), cache, lock: Some(lock), _scratch: scratch })
    }

    /// A store that is gone when the work is done.
    fn for_now() -> Result<Store> {
        let scratch = Scratch::new(PREFIX)?;
        let dir = scratch.path().to_owned();
        Ok(Store { cache: dir.join("cache"), dir, lock: None, _scratch: Some(scratch) })
    }

    /// Whether what is written into it is there for the next run.
    pub(crate) fn is_lasting(&self) -> bool {
        self.lock.is_some()
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.dir
    }

    /// Where compiled units are kept.
    pub(crate) fn cache(&self) -> &Path {
        &self.cache
    }
}

/// Where the store is.
fn place(choice: &StoreChoice, database: Option<&Path>) -> PathBuf {
    let captured = || {
        let dir = database?;
        let dir = if dir.is_dir() { dir } else { dir.parent()? };
        StoreDir::is_one(dir).then(|| dir.to_owned())
    };
    choice.dir.clone().or_else(captured).unwrap_or_else(|| PathBuf::from(DEFAULT))
}
