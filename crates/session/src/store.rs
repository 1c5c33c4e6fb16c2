//! The directory in which things are kept between runs, as the user chose it.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use capture::{Lock, Scratch, StoreDir};

use crate::output;
use crate::stop;

/// The directory, seen from the working directory.
const DEFAULT: &str = ".indict";

/// How the names of directories begin that go with us.
const PREFIX: &str = "indict-store-";

/// Options of all commands that keep or reuse something.
#[derive(clap::Args)]
pub(crate) struct StoreOptions {
    /// Where to keep compiled units and captured builds. Without this option: .indict in the working directory.
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,

    /// Compile everything anew and keep nothing.
    #[arg(long)]
    no_cache: bool,
}

/// A place to keep things, held for this process.
pub(crate) struct Store {
    dir: PathBuf,
    cache: PathBuf,
    /// Freed at the end; none for a store that goes with us.
    lock: Option<Lock>,
    /// What may not be kept goes with us.
    _scratch: Option<Scratch>,
}

impl StoreOptions {
    /// Opens the store. `database` is what `-p` names: the store of an earlier capture is used for what it captured.
    ///
    /// A directory that cannot be written costs only the reuse; that is told.
    pub(crate) fn open(&self, database: Option<&Path>) -> Result<Store> {
        // Inside of a build that is being captured, the store is held by the indict that runs the build.
        if capture::is_captured() {
            return Store::for_now();
        }
        let path = self.path(database);
        if path == Path::new(DEFAULT) && path.is_symlink() {
            output::complain(&format!(
                "{DEFAULT} is a link, which may have come with the code: nothing is kept for the next run (--store DIR names a place)"
            ));
            return Store::for_now();
        }
        match StoreDir::open(&path) {
            Ok(dir) => self.hold(&dir),
            // What the user asked for by name must not be passed over.
            Err(error) if self.store.is_some() => Err(error.into()),
            Err(error) => {
                output::complain(&format!(
                    "{error}; nothing is kept for the next run (--store DIR names another place)"
                ));
                Store::for_now()
            }
        }
    }

    fn hold(&self, dir: &StoreDir) -> Result<Store> {
        let Some(lock) = dir.lock(tell_of_waiting, stop::is_wanted)? else { bail!(stop::Interrupted) };
        dir.sweep(&lock);
        let scratch = if self.no_cache { Some(Scratch::new(PREFIX)?) } else { None };
        let cache = scratch.as_ref().map_or_else(|| dir.cache(), |scratch| scratch.path().to_owned());
        Ok(Store { dir: dir.path().to_owned(), cache, lock: Some(lock), _scratch: scratch })
    }

    fn path(&self, database: Option<&Path>) -> PathBuf {
        let captured = || {
            let dir = database?;
            let dir = if dir.is_dir() { dir } else { dir.parent()? };
            StoreDir::is_one(dir).then(|| dir.to_owned())
        };
        self.store.clone().or_else(captured).unwrap_or_else(|| PathBuf::from(DEFAULT))
    }
}

impl Store {
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

fn tell_of_waiting(other: Option<u32>) {
    let who =
        other.map_or_else(|| "another indict".to_owned(), |pid| format!("another indict (process {pid})"));
    output::complain(&format!("waiting for {who}, which works in the same store"));
}
