//! Directories for the time of a run. They go when their owner does, or when somebody ends the process in the
//! middle of its work.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

/// All that are there.
static KNOWN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A new directory, which is deleted with this value.
#[derive(Debug)]
pub struct Scratch {
    dir: TempDir,
}

impl Scratch {
    /// An empty directory, whose name begins with `prefix`, where the system keeps such things.
    pub fn new(prefix: &str) -> io::Result<Scratch> {
        // Whoever deletes all does not miss one that is being made.
        let mut known = known();
        let dir = tempfile::Builder::new().prefix(prefix).tempdir()?;
        known.insert(dir.path().to_owned());
        Ok(Scratch { dir })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Deletes all that are there, for a process that is about to end without going back to their owners.
    pub fn delete_all() {
        for dir in std::mem::take(&mut *known()) {
            // What cannot be deleted stays for the system to clean up.
            let _ = fs::remove_dir_all(dir);
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        known().remove(self.dir.path());
    }
}

fn known() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_goes_with_its_owner_or_before() {
        let owned = Scratch::new("indict-test-").unwrap();
        let path = owned.path().to_owned();
        fs::write(path.join("file"), "").unwrap();
        drop(owned);
        assert!(!path.exists());
        let kept = Scratch::new("indict-test-").unwrap();
        fs::write(kept.path().join("file"), "").unwrap();
        Scratch::delete_all();
        assert!(!kept.path().exists());
    }
}
