//! Paths as the user wants to read them: relative to the working directory where they lie below it.

use std::path::{Component, Path, PathBuf};

/// The working directory. It may have two names: the one that the system gives, and the one by which the user went
/// there through a symbolic link, which is what clang writes into debug information.
#[derive(Clone, Debug)]
pub(crate) struct Here {
    names: Vec<PathBuf>,
}

impl Here {
    /// The working directory of this process.
    pub(crate) fn find() -> Here {
        let physical = std::env::current_dir().ok();
        let logical = std::env::var_os("PWD").map(PathBuf::from);
        let is_here = |name: &PathBuf| physical.is_some() && name.canonicalize().ok() == physical;
        let logical = logical.filter(is_here);
        Here { names: physical.into_iter().chain(logical).collect() }
    }

    /// The path without `.`, `..` and the working directory.
    pub(crate) fn shorten(&self, path: &Path) -> String {
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
