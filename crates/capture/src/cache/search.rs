//! Noticing a new file that clang would now find before the header that it read.
//!
//! ```text
//! -I gen -I include    #include <x/config.h>    read: include/x/config.h    not there: gen/x/config.h
//! ```
//!
//! For a file `S[k]/sub/name` that clang read, where `S` is the search path, the directories `S[i]/sub` with
//! `i < k` had no `name`, and the question is whether they have one now. The stamps of these directories
//! would not answer it: builds put objects beside sources.
//! Departures: the directory of the unit's file stands first in `S`, since `#include "…"` looks there; a
//! directory that does not exist stands at the front, wherever it was named. Both can only cause a needless
//! compilation.
//! Not covered: directories of other including files; `__has_include` and failed lookups that read nothing;
//! frameworks.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::files::Seen;
use super::manifest::ReadDir;

/// Where headers were looked for.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Search<'a> {
    /// The directories, absolute, in order.
    #[serde(borrow)]
    path: Vec<&'a [u8]>,
    /// Files that look as if they would be found before those that were read, and were there already: the targets of
    /// `#include_next`. Sorted.
    #[serde(borrow)]
    known: Vec<&'a [u8]>,
}

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

/// Calls `found` with each file that is found in front of one of `read`, until it answers that this is enough.
fn look(path: &[&[u8]], read: &[ReadDir<'_>], seen: &Seen, mut found: impl FnMut(Vec<u8>) -> bool) -> bool {
    let roots: Vec<&Path> = path.iter().map(|root| Path::new(OsStr::from_bytes(root))).collect();
    for dir in read {
        let at = Path::new(OsStr::from_bytes(dir.path));
        let subs = roots.iter().enumerate().filter_map(|(k, root)| Some((k, at.strip_prefix(root).ok()?)));
        for (probe, root) in subs.flat_map(|(k, sub)| roots[..k].iter().map(move |root| (sub, root))) {
            // Without a slash at the end and the like, so that all units ask for the same.
            let probe: PathBuf = root.join(probe).components().collect();
            let probe = probe.as_os_str().as_bytes();
            let seen = seen.dir(probe);
            let names = seen.names();
            let there = dir.files.iter().filter(|file| !names.is_empty() && names.contains(file.name));
            for file in there {
                if found([probe, b"/", file.name].concat()) {
                    return true;
                }
            }
        }
    }
    false
}

/// The files that are there already, although clang read others that it looked for later.
pub(super) fn known(path: &[&[u8]], read: &[ReadDir<'_>]) -> BTreeSet<Vec<u8>> {
    let mut known = BTreeSet::new();
    look(path, read, &Seen::default(), |file| {
        known.insert(file);
        false
    });
    known
}

impl<'a> Search<'a> {
    pub(super) fn new(path: Vec<&'a [u8]>, known: &'a BTreeSet<Vec<u8>>) -> Search<'a> {
        Search { path, known: known.iter().map(Vec::as_slice).collect() }
    }
}

/// Whether there is now a file that clang would read instead of one of `read`.
pub(super) fn finds_another(search: &Search<'_>, read: &[ReadDir<'_>], seen: &Seen) -> bool {
    look(&search.path, read, seen, |file| search.known.binary_search(&file.as_slice()).is_err())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_path_is_read_as_clang_prints_it() {
        let messages = b"clang -cc1 version 19.1.7 based upon LLVM 19.1.7 default target x86_64-pc-linux-gnu\n\
            ignoring nonexistent directory \"new dir\"\n\
            #include \"...\" search starts here:\n quoted\n#include <...> search starts here:\n .\n /usr/include\n\
            End of search list.\n";
        let path = search_path(messages, Path::new("/w"), Path::new("src/a.c"));
        assert_eq!(path, ["/w/src", "/w/new dir", "/w/quoted", "/w/.", "/usr/include"].map(PathBuf::from));
        assert_eq!(search_path(b"", Path::new("/w"), Path::new("a.c")), [Path::new("/w")]);
    }
}
