//! Paths compared by their components, without asking the file system.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// The path without `.` and `..`.
///
/// Departure: `..` behind a symbolic link leads elsewhere in truth; builds that rely on it are not known.
pub(crate) fn normalized(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if ends_in_name(&clean) => {
                clean.pop();
            }
            // The parent of the root is the root.
            Component::ParentDir if clean.has_root() => {}
            _ => clean.push(component),
        }
    }
    clean
}

fn ends_in_name(path: &Path) -> bool {
    matches!(path.components().next_back(), Some(Component::Normal(_)))
}

/// How many directories two files have in common, from the root on.
pub(crate) fn nearness(a: &Path, b: &Path) -> usize {
    let (a, b) = (a.parent().unwrap_or(a), b.parent().unwrap_or(b));
    a.components().zip(b.components()).take_while(|(a, b)| a == b).count()
}

/// The last component as text.
pub(crate) fn file_name(path: &Path) -> &str {
    path.file_name().and_then(OsStr::to_str).unwrap_or("")
}

/// Whether the file is a static or shared library by its name: `libx.a`, `libx.so`, `libx.so.1.2`, `libx.dylib`.
pub(crate) fn is_library(path: &Path) -> bool {
    let name = file_name(path);
    name.ends_with(".a") || name.ends_with(".so") || name.contains(".so.") || name.ends_with(".dylib")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_go() {
        let check = |path: &str, expected: &str| assert_eq!(normalized(Path::new(path)), Path::new(expected));
        check("/src/apps/../include/./x.h", "/src/include/x.h");
        check("/../x", "/x");
        check("../../x/../y", "../../y");
        check("./a.c", "a.c");
    }

    #[test]
    fn near_files_share_directories() {
        let check = |a: &str, b: &str, expected| assert_eq!(nearness(Path::new(a), Path::new(b)), expected);
        check("/p/apps/s.c", "/p/apps/lib/apps.c", 3);
        check("/p/apps/s.c", "/p/test/util.c", 2);
        check("/p/a.c", "/q/a.c", 1);
        check("/p/apps.c", "/p/apps/x.c", 2);
    }

    #[test]
    fn libraries_are_known_by_name() {
        let check = |path: &str, expected| assert_eq!(is_library(Path::new(path)), expected, "{path}");
        check("/p/libz.a", true);
        check("/p/libz.so.1.2", true);
        check("/p/libz.o", false);
        check("/p/a", false);
    }
}
