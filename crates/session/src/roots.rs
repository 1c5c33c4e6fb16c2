//! Where a source file lies in its project, wherever the project lies.
//!
//! Ids of findings must be the same in every checkout and from every working directory (ADR 008). What says
//! where a project begins is there in each of them: the mark of a version control system. A file of no
//! project (a header of the system, a generated file in a build directory elsewhere, a source of another
//! machine that only debug info knows) goes by its name alone.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What version control systems leave at the root of a checkout; `.git` is a file in worktrees and
/// submodules.
const MARKS: &[&str] = &[".git", ".hg", ".svn", ".jj", ".bzr", "_darcs", ".pijul", ".fslckout"];

/// The roots of projects, each looked for once.
#[derive(Default)]
pub(crate) struct Roots {
    /// By directory.
    known: RefCell<BTreeMap<PathBuf, Option<PathBuf>>>,
}

impl Roots {
    /// The file as seen from the root of its project.
    pub(crate) fn anchored(&self, file: &Path) -> String {
        // A name without a directory in debug info is another file from every working directory.
        let real = if file.is_absolute() { real(file) } else { file.to_owned() };
        let dir = real.parent().filter(|dir| dir.is_absolute());
        let root = dir.and_then(|dir| self.root(dir));
        let inside = root.and_then(|root| real.strip_prefix(root).ok().map(Path::to_owned));
        let name = || real.file_name().map(PathBuf::from).unwrap_or_default();
        inside.unwrap_or_else(name).to_string_lossy().into_owned()
    }

    /// The root of the project that a directory belongs to.
    fn root(&self, dir: &Path) -> Option<PathBuf> {
        if let Some(known) = self.known.borrow().get(dir) {
            return known.clone();
        }
        let is_root = |dir: &&Path| MARKS.iter().any(|mark| dir.join(mark).exists());
        let root = dir.ancestors().find(is_root).map(Path::to_owned);
        self.known.borrow_mut().insert(dir.to_owned(), root.clone());
        root
    }
}

/// The file without symbolic links, as far as it is there.
fn real(file: &Path) -> PathBuf {
    let real = |dir: &Path| Some((dir.canonicalize().ok()?, file.strip_prefix(dir).ok()?));
    match file.ancestors().find_map(real) {
        Some((dir, rest)) if rest.as_os_str().is_empty() => dir,
        Some((dir, rest)) => dir.join(rest),
        None => file.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn files_are_seen_from_the_root_of_their_project() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        for path in ["git/.git", "git/src", "git/sub/.hg", "none/src"] {
            fs::create_dir_all(at(path)).unwrap();
        }
        for path in ["git/src/a.c", "git/sub/a.c", "none/src/a.c", "none/indict.toml"] {
            fs::write(at(path), "").unwrap();
        }
        symlink(at("git"), at("link")).unwrap();
        let roots = Roots::default();
        let check = |path: &str, expected: &str| assert_eq!(roots.anchored(&at(path)), expected, "{path}");
        check("git/src/a.c", "src/a.c");
        check("git/src/../src/./a.c", "src/a.c");
        check("link/src/a.c", "src/a.c");
        check("git/sub/a.c", "a.c");
        check("git/src/gone/b.c", "src/gone/b.c");
        check("none/src/a.c", "a.c");
        assert_eq!(roots.anchored(Path::new("/build/of/somebody/x.c")), "x.c");
        assert_eq!(roots.anchored(Path::new("")), "");
        assert_eq!(roots.anchored(Path::new("src/gone.c")), "gone.c");
    }
}
