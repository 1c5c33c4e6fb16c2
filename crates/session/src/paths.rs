//! Paths as the user wants to read them: relative to the working directory where they lie below it.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use base::{limits, visible};

/// The working directory. It may have two names: the one that the system gives, and the one by which the user
/// went there through a symbolic link, which is what clang writes into debug information.
#[derive(Clone, Debug)]
pub struct Here {
    names: Vec<PathBuf>,
}

impl Here {
    /// The working directory of this process.
    pub fn find() -> Here {
        let physical = std::env::current_dir().ok();
        let logical = std::env::var_os("PWD").map(PathBuf::from);
        let is_here = |name: &PathBuf| physical.is_some() && name.canonicalize().ok() == physical;
        let logical = logical.filter(is_here);
        Here { names: physical.into_iter().chain(logical).collect() }
    }

    /// The path without `.`, `..` and the working directory, for a sentence.
    pub fn shorten(&self, path: &Path) -> String {
        visible::line(&self.name(path))
    }

    /// The same for programs: with all characters that it has. What is not UTF-8 is replaced by U+FFFD.
    pub fn name(&self, path: &Path) -> String {
        let mut clean = normalize(path);
        // `link/../a.c` is not `a.c` if `link` leads elsewhere.
        if !clean.exists() && path.exists() {
            clean = path.to_owned();
        }
        let below = self.names.iter().find_map(|name| clean.strip_prefix(name).ok());
        let short = below.filter(|short| !short.as_os_str().is_empty()).unwrap_or(&clean);
        short.to_string_lossy().into_owned()
    }
}

/// Source files by their names in debug info and in reports.
pub struct SourceFiles {
    /// Those whose names are not UTF-8, by what became of them.
    odd: BTreeMap<String, PathBuf>,
}

impl SourceFiles {
    /// Of a project with these units.
    pub(crate) fn of<'u>(units: impl Iterator<Item = &'u Path>, here: &Here) -> SourceFiles {
        let odd = units.filter(|path| path.to_str().is_none());
        let names = odd.flat_map(|path| {
            [path.to_string_lossy().into_owned(), here.name(path)].map(|name| (name, path.to_owned()))
        });
        SourceFiles { odd: names.collect() }
    }

    /// What is in a file; none if it cannot be read any more, or if it is nobody's business: a directive
    /// `#line 1 "/dev/zero"` can name anything.
    pub fn read(&self, file: &str) -> Option<Vec<u8>> {
        let path = self.odd.get(file).map_or(Path::new(file), PathBuf::as_path);
        if capture::is_hidden(path) {
            return None;
        }
        files::read(path, limits::FILE_BYTES).ok()
    }
}

/// The path without `.` and without `..` after a name.
fn normalize(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(clean.components().next_back(), Some(Component::Normal(_))) => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lose_what_says_nothing() {
        let here = Here { names: vec!["/src/project".into(), "/link".into()] };
        let shorten = |path: &str| here.shorten(Path::new(path));
        assert_eq!(shorten("/src/project/src/a.c"), "src/a.c");
        assert_eq!(shorten("/src/project/build/../src/./a.c"), "src/a.c");
        assert_eq!(shorten("/link/src/a.c"), "src/a.c");
        assert_eq!(shorten("/src/projects/a.c"), "/src/projects/a.c");
        assert_eq!(shorten("../a.c"), "../a.c");
        assert_eq!(shorten("./src//a.c"), "src/a.c");
        assert_eq!(shorten("/src/project"), "/src/project");
        assert_eq!(shorten("/src/project/\u{1b}[2J\n.c"), "\\x1b[2J\\n.c");
        assert_eq!(here.name(Path::new("/src/project/\n.c")), "\n.c");
    }

    #[test]
    fn a_parent_behind_a_link_stays() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("far/inner")).unwrap();
        std::fs::write(dir.path().join("far/a.c"), "").unwrap();
        std::os::unix::fs::symlink(dir.path().join("far/inner"), dir.path().join("near")).unwrap();
        let here = Here { names: vec![dir.path().to_owned()] };
        assert_eq!(here.shorten(&dir.path().join("near/../a.c")), "near/../a.c");
    }
}
