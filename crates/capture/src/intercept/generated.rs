//! Units that may need files which the build makes, and may delete again.
//!
//! Judgment: a unit may vanish if its source, or a header in a directory that it searches, was written after
//! the build began. Too many are harmless: a unit is only compiled sooner, and by the build's own processes.
//! Departures: only the searched directories and those right below them are looked at, and only those that
//! changed.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base::limits;

use crate::unit::Unit;

/// Options before a directory of headers, or before a header.
const DIRECTORIES: [&str; 6] = ["-I", "-iquote", "-isystem", "-idirafter", "-include", "-imacros"];

/// Ends of the names of files that are included.
const INCLUDED: [&str; 16] =
    ["h", "hh", "hpp", "hxx", "h++", "H", "inc", "inl", "ipp", "tcc", "def", "c", "cc", "cpp", "cxx", "i"];

/// Whether the unit may not compile any more when the build has ended.
pub(crate) fn may_vanish(unit: &Unit, began: SystemTime) -> bool {
    let source = unit.path();
    is_newer(&source, began) || searched(unit, &source).iter().any(|dir| has_newer(dir, began))
}

/// Whether a file was written, renamed or copied with its old time after the build began.
fn is_newer(path: &Path, began: SystemTime) -> bool {
    let Ok(metadata) = fs::metadata(path) else { return false };
    let changed = Duration::new(metadata.ctime().max(0) as u64, metadata.ctime_nsec() as u32);
    UNIX_EPOCH + changed >= began || metadata.modified().is_ok_and(|modified| modified >= began)
}

/// The directories in which the unit's headers may be.
fn searched(unit: &Unit, source: &Path) -> BTreeSet<PathBuf> {
    let mut dirs: BTreeSet<PathBuf> = source.parent().map(Path::to_owned).into_iter().collect();
    let mut args = unit.args.iter();
    while let Some(arg) = args.next() {
        let Some(rest) = DIRECTORIES.iter().find_map(|option| arg.strip_prefix(option)) else { continue };
        let value = if rest.is_empty() { args.next().map_or("", String::as_str) } else { rest };
        let path = unit.dir.join(value);
        match path.is_file() {
            true => dirs.extend(path.parent().map(Path::to_owned)),
            false => _ = dirs.insert(path),
        }
    }
    dirs
}

/// Whether an includable file in `dir`, or right below it, is newer. Creating a file changes its directory.
fn has_newer(dir: &Path, began: SystemTime) -> bool {
    let entries = |dir: &Path| fs::read_dir(dir).into_iter().flatten().flatten().take(limits::SCANNED_FILES);
    let is_newer_header = |entry: &fs::DirEntry| {
        let path = entry.path();
        let extension = path.extension().and_then(|it| it.to_str());
        extension.is_some_and(|it| INCLUDED.contains(&it)) && is_newer(&path, began)
    };
    if is_newer(dir, began) && entries(dir).any(|entry| is_newer_header(&entry)) {
        return true;
    }
    let is_dir = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let below = entries(dir).filter(is_dir).map(|entry| entry.path());
    below.into_iter().any(|dir| is_newer(&dir, began) && entries(&dir).any(|entry| is_newer_header(&entry)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Language;

    fn unit(dir: &Path, args: &[&str]) -> Unit {
        Unit {
            file: "src/a.c".into(),
            dir: dir.to_owned(),
            args: args.iter().map(ToString::to_string).collect(),
            language: Language::C,
            gcc: None,
            left_out: Default::default(),
            outputs: Vec::new(),
        }
    }

    #[test]
    fn only_what_the_build_wrote_counts() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir_all(at("src")).unwrap();
        fs::create_dir_all(at("include/sub")).unwrap();
        for name in ["src/a.c", "include/old.h", "include/sub/old.h"] {
            fs::write(at(name), "").unwrap();
        }
        let late = SystemTime::now() + Duration::from_secs(60);
        for args in [&[][..], &["-Iinclude"], &["-iquote", "include"], &["-include", "include/old.h"]] {
            assert!(!may_vanish(&unit(dir.path(), args), late), "{args:?}");
        }
        let began =
            fs::metadata(at("include/sub/old.h")).unwrap().modified().unwrap() + Duration::from_millis(1);
        std::thread::sleep(Duration::from_millis(30));
        fs::write(at("src/a.o"), "").unwrap();
        assert!(!may_vanish(&unit(dir.path(), &["-Iinclude"]), began), "objects are not included");
        fs::write(at("include/sub/new.h"), "").unwrap();
        assert!(may_vanish(&unit(dir.path(), &["-Iinclude"]), began));
        assert!(!may_vanish(&unit(dir.path(), &[]), began));
        // An old time does not make a copied file old.
        let copied = fs::File::options().write(true).open(at("src/a.c")).unwrap();
        copied.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
        assert!(may_vanish(&unit(dir.path(), &[]), began));
    }
}
