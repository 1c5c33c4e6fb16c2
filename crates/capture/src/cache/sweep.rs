//! Keeping the cache at a size that nobody complains about.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use base::limits;

use super::manifest::Manifest;
use super::{BLOBS, UNITS, hex};
use crate::store_dir;

/// What was not used for so long belongs to a branch or a configuration that is not worked on.
const UNUSED: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Makes room, if the cache has grown beyond [`limits::CACHE_BYTES`].
pub(crate) fn sweep(cache: &Path) {
    sweep_to(cache, limits::CACHE_BYTES, SystemTime::now());
}

/// Removes the units that were not used for long, then those that were used least recently until `limit` holds, and all bitcode that
/// belongs to none.
fn sweep_to(cache: &Path, limit: u64, now: SystemTime) {
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
        let blob = blob_of(&unit.path).map(|name| cache.join(BLOBS).join(name));
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

/// The name of the bitcode of a unit; `None` if its manifest is damaged.
fn blob_of(manifest: &Path) -> Option<String> {
    let bytes = fs::read(manifest).ok()?;
    Manifest::decode(&bytes).map(|manifest| hex(&manifest.blob))
}
