//! Noticing a new file that clang would now find before the header that it read.
//!
//! ```text
//! -I gen -I include    #include <x/config.h>    read: include/x/config.h    not there: gen/x/config.h
//! ```
//!
//! For a file `S[k]/sub/name` that clang read, where `S` is the search path, the directories `S[i]/sub` with `i < k` had no `name`.
//! As long as they keep their stamps they have none. If one of them changed (builds put objects beside the sources), its names decide.
//! Departures: the directory of the unit's file stands first in `S`, since `#include "…"` looks there; a directory that does not exist
//! stands at the front, wherever it was named. Both can only cause a needless compilation.
//! Not covered: directories of other including files; `__has_include` and failed lookups that read nothing; frameworks.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::files::{Nanos, Seen, Stamp};
use super::manifest::{DirState, ReadDir, Search, SearchedDir};

/// The directories that clang searches for headers of `file` when it runs in `dir`, from what it prints when it is verbose.
///
/// ```text
/// ignoring nonexistent directory "gen"
/// #include "..." search starts here:
///  quoted
/// #include <...> search starts here:
///  /usr/include
/// End of search list.
/// ```
pub(super) fn search_path(messages: &[u8], dir: &Path, file: &Path) -> Vec<PathBuf> {
    let lines = || messages.split(|byte| *byte == b'\n');
    let missing = lines()
        .filter_map(|line| line.strip_prefix(b"ignoring nonexistent directory \"")?.strip_suffix(b"\""));
    let searched = lines()
        .skip_while(|line| *line != b"#include \"...\" search starts here:")
        .take_while(|line| *line != b"End of search list.")
        .filter_map(|line| line.strip_prefix(b" "));
    let beside = file.parent().map(|parent| parent.as_os_str().as_bytes());
    let all = beside.into_iter().chain(missing).chain(searched);
    all.map(|searched| dir.join(OsStr::from_bytes(searched))).collect()
}

/// A directory in which files of `read` were not found, with the part of the path that it shares with theirs.
struct Probe<'r, 'a> {
    dir: PathBuf,
    read: &'r ReadDir<'a>,
}

/// All directories in which the files that were read were not found.
fn probes<'r, 'a>(path: &'r [PathBuf], read: &'r [ReadDir<'a>]) -> impl Iterator<Item = Probe<'r, 'a>> {
    let of_dir = move |read: &'r ReadDir<'a>| {
        let dir = Path::new(OsStr::from_bytes(read.path));
        let found =
            path.iter().enumerate().filter_map(move |(k, root)| Some((k, dir.strip_prefix(root).ok()?)));
        found.flat_map(move |(k, sub)| path[..k].iter().map(move |root| Probe { dir: root.join(sub), read }))
    };
    read.iter().flat_map(of_dir)
}

impl Probe<'_, '_> {
    /// The path of the directory in a form that is the same for the same components.
    fn key(&self) -> PathBuf {
        self.dir.components().collect()
    }
}

/// What [`Search`] remembers, with owned names.
pub(super) struct Searched {
    path: Vec<PathBuf>,
    dirs: BTreeMap<PathBuf, DirState>,
    known: BTreeSet<Vec<u8>>,
}

impl Searched {
    /// How the directories are now, after a clang that was started at `start` and searched `path` (absolute).
    pub(super) fn now(path: Vec<PathBuf>, read: &[ReadDir<'_>], start: Nanos) -> Searched {
        let seen = Seen::default();
        let mut dirs = BTreeMap::new();
        let mut known = BTreeSet::new();
        for probe in probes(&path, read) {
            let dir = probe.key();
            let seen = seen.dir(dir.as_os_str().as_bytes());
            // What came while clang ran may not have been there when it looked.
            if seen.stamp().is_some_and(|stamp| !stamp.is_after(start)) {
                let names = seen.names();
                let there = probe.read.files.iter().filter(|file| names.contains(file.name));
                known.extend(there.map(|file| seen.join(file.name).into_os_string().into_vec()));
            }
            dirs.insert(dir, state(seen.stamp(), start));
        }
        Searched { path, dirs, known }
    }

    pub(super) fn as_search(&self) -> Search<'_> {
        Search {
            path: self.path.iter().map(|dir| dir.as_os_str().as_bytes()).collect(),
            dirs: self
                .dirs
                .iter()
                .map(|(path, state)| SearchedDir { path: path.as_os_str().as_bytes(), state: *state })
                .collect(),
            known: self.known.iter().map(Vec::as_slice).collect(),
        }
    }
}

fn state(stamp: Option<Stamp>, start: Nanos) -> DirState {
    match stamp {
        None => DirState::Missing,
        Some(stamp) => stamp.unless_fresh(start).map_or(DirState::Fresh, DirState::At),
    }
}

/// Whether there is now a file that clang would read instead of one of `read`.
pub(super) fn finds_another(search: &Search<'_>, read: &[ReadDir<'_>], seen: &Seen) -> bool {
    let changed = |dir: &SearchedDir<'_>| match (dir.state, seen.dir(dir.path).stamp()) {
        (_, None) => false,
        (DirState::At(then), Some(now)) => then != now,
        (DirState::Missing | DirState::Fresh, Some(_)) => true,
    };
    let changed: BTreeSet<&[u8]> =
        search.dirs.iter().filter(|dir| changed(dir)).map(|dir| dir.path).collect();
    if changed.is_empty() {
        return false;
    }
    let path: Vec<PathBuf> = search.path.iter().map(|dir| PathBuf::from(OsStr::from_bytes(dir))).collect();
    probes(&path, read).any(|probe| {
        let dir = probe.key();
        let dir = dir.as_os_str().as_bytes();
        changed.contains(dir) && {
            let seen = seen.dir(dir);
            let names = seen.names();
            let new = |name: &[u8]| {
                let known = |path: &PathBuf| search.known.binary_search(&path.as_os_str().as_bytes()).is_ok();
                names.contains(name) && !known(&seen.join(name))
            };
            probe.read.files.iter().any(|file| new(file.name))
        }
    })
}
