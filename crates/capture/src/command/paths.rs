//! Paths as builds write them, made comparable.

use std::path::{Component, Path, PathBuf};

/// The path from the root, without `.` and `..`. Symbolic links stay: a build names one file by one spelling, and an
/// artifact must be found after the build has moved on.
pub(crate) fn absolute(dir: &Path, path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in dir.join(path).components() {
        match component {
            Component::CurDir => {}
            // The parent of the root is the root.
            Component::ParentDir => drop(clean.pop()),
            _ => clean.push(component),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cleaned_by_their_letters() {
        let check = |path: &str, expected: &str| {
            assert_eq!(absolute(Path::new("/a/b"), Path::new(path)), Path::new(expected));
        };
        check("x.o", "/a/b/x.o");
        check("./c//../x.o", "/a/b/x.o");
        check("../../../../x.o", "/x.o");
        check("/y/./x.o", "/y/x.o");
        check("", "/a/b");
    }
}
