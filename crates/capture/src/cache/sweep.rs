//! Keeping the cache at a size that nobody complains about.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use base::limits;

use super::manifest::Manifest;
use super::sealed::Seal;
use super::{BLOBS, FILES, UNITS, hex, read};
use crate::secret::Secret;
use crate::store_dir;

/// What was not used for so long belongs to a branch or a configuration that is not worked on.
const UNUSED: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Makes room, if the cache has grown beyond [`limits::CACHE_BYTES`].
pub(crate) fn sweep(cache: &Path, secret: &Secret) {
    sweep_to(cache, secret, limits::CACHE_BYTES, SystemTime::now());
    // It never forgets a file, and is quickly made again.
    if size_of(&cache.join(FILES)) > limits::CACHE_TABLE_BYTES {
        let _ = fs::remove_file(cache.join(FILES));
    }
}

/// Removes the units that were not used for long, then those that were used least recently until `limit` holds, and all bitcode that
/// belongs to none.
fn sweep_to(cache: &Path, secret: &Secret, limit: u64, now: SystemTime) {
    let mut units = files(&cache.join(UNITS));
    let blobs = files(&cache.join(BLOBS));
    let total: u64 = units.iter().chain(&blobs).map(|file| file.size).sum();
    if total <= limit {
        return;
    }
    units.sort_by(|left, right| right.used.cmp(&left.used).then_with(|| left.path.cmp(&right.path)));
    let mut kept = BTreeSet::new();
    let mut room = limit;
    for unit in &units {
        let blob = blob_of(&unit.path, secret).map(|name| cache.join(BLOBS).join(name));
        let blob_size = blob.as_ref().filter(|blob| !kept.contains(*blob)).map_or(0, |blob| size_of(blob));
        let unused = now.duration_since(unit.used).is_ok_and(|age| age > UNUSED);
        let left = room.checked_sub(unit.size + blob_size);
        match (blob, left) {
            (Some(blob), Some(left)) if !unused => {
                room = left;
                kept.insert(blob);
            }
            _ => drop(fs::remove_file(&unit.path)),
        }
    }
    for blob in blobs.iter().filter(|blob| !kept.contains(&blob.path)) {
        let _ = fs::remove_file(&blob.path);
    }
}

struct Entry {
    path: PathBuf,
    size: u64,
    used: SystemTime,
}

fn files(dir: &Path) -> Vec<Entry> {
    let entry = |entry: fs::DirEntry| {
        let metadata = entry.metadata().ok()?;
        Some(Entry { path: entry.path(), size: metadata.len(), used: metadata.modified().ok()? })
    };
    store_dir::entries(dir).filter_map(entry).collect()
}

fn size_of(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// The name of the bitcode of a unit; `None` if its manifest is damaged, or not ours.
fn blob_of(manifest: &Path, secret: &Secret) -> Option<String> {
    let bytes = read(manifest)?;
    let name = manifest.file_name()?.to_str()?;
    let opened = Seal { secret, kind: UNITS, name }.open(&bytes);
    opened.ok().map(|manifest: Manifest<'_>| hex(&manifest.blob))
}

#[cfg(test)]
mod tests {
    use super::super::manifest::ReadDir;
    use super::super::search::Search;
    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    /// Writes a unit that was used so many days ago, with 1000 bytes of bitcode.
    fn write(cache: &Path, unit: &str, blob: u8, days: u32) {
        for kind in [UNITS, BLOBS] {
            fs::create_dir_all(cache.join(kind)).unwrap();
        }
        let manifest = Manifest {
            blob: [blob; 32],
            cpu_micros: 0,
            during_build: false,
            dirs: Vec::<ReadDir<'_>>::new(),
            search: Search::default(),
        };
        let path = cache.join(UNITS).join(unit);
        let seal = Seal { secret: &Secret::of_user(), kind: UNITS, name: unit };
        fs::write(&path, seal.close(&manifest)).unwrap();
        let used = SystemTime::now() - DAY * days;
        fs::File::options().write(true).open(path).unwrap().set_modified(used).unwrap();
        fs::write(cache.join(BLOBS).join(hex(&[blob; 32])), [0; 1000]).unwrap();
    }

    fn names(dir: &Path) -> BTreeSet<String> {
        files(dir).iter().map(|file| file.path.file_name().unwrap().to_str().unwrap().into()).collect()
    }

    #[track_caller]
    fn check(limit: u64, units: &[&str], blobs: &[u8]) {
        let cache = tempfile::tempdir().unwrap();
        let cache = cache.path();
        for (unit, blob, days) in [("new", 1, 0), ("twin", 1, 2), ("older", 2, 3), ("unused", 3, 31)] {
            write(cache, unit, blob, days);
        }
        fs::write(cache.join(UNITS).join("damaged"), "?").unwrap();
        fs::write(cache.join(BLOBS).join("orphan"), [0; 1000]).unwrap();
        sweep_to(cache, &Secret::of_user(), limit, SystemTime::now());
        assert_eq!(names(&cache.join(UNITS)), units.iter().map(|unit| (*unit).into()).collect());
        let left: BTreeSet<String> =
            names(&cache.join(BLOBS)).into_iter().filter(|name| name != "orphan").collect();
        assert_eq!(left, blobs.iter().map(|blob| hex(&[*blob; 32])).collect());
    }

    #[test]
    fn a_small_cache_is_left_alone() {
        check(1 << 20, &["damaged", "new", "older", "twin", "unused"], &[1, 2, 3]);
    }

    #[test]
    fn unused_and_damaged_units_go_first() {
        check(4000, &["new", "older", "twin"], &[1, 2]);
    }

    #[test]
    fn the_limit_holds() {
        check(2000, &["new", "twin"], &[1]);
        check(100, &[], &[]);
    }

    #[test]
    fn bitcode_without_a_unit_goes() {
        let cache = tempfile::tempdir().unwrap();
        write(cache.path(), "new", 1, 0);
        fs::write(cache.path().join(BLOBS).join("orphan"), [0; 1000]).unwrap();
        sweep_to(cache.path(), &Secret::of_user(), 1500, SystemTime::now());
        assert_eq!(names(&cache.path().join(BLOBS)), [hex(&[1; 32])].into());
    }
}
