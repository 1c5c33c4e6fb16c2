//! The secret by which this user knows what this user's indict has written.
//!
//! A store lies in the project, so it can come with a checkout, a pull request or a tarball. What is read
//! from it is believed only if it carries a mark that only we can make: a hash that is keyed with 32 random
//! bytes, kept in the user's own state directory, outside of every project.
//! Source: the XDG Base Directory Specification (`$XDG_STATE_HOME`, else `~/.local/state`); BLAKE3's keyed
//! mode.
//! Departures: where there is no home, or nothing can be written there, the secret lasts as long as the
//! process, and nothing is reused.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use files::Links;
use serde::{Deserialize, Serialize};

/// The file below the state directory.
const FILE: &str = "store-key";

const BYTES: usize = 32;

/// The key of all marks.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Secret([u8; BYTES]);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    /// The secret of the user, made at the first need.
    pub(crate) fn of_user() -> Secret {
        static SECRET: OnceLock<Secret> = OnceLock::new();
        *SECRET.get_or_init(|| {
            directory().and_then(|dir| Secret::kept_in(&dir).ok()).unwrap_or_else(Secret::new)
        })
    }

    /// The mark of a content that belongs to a place. Each part is told from its neighbors.
    pub(crate) fn mark(&self, place: &[&[u8]], content: &[u8]) -> [u8; BYTES] {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        for part in place.iter().copied().chain([content]) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        *hasher.finalize().as_bytes()
    }

    fn new() -> Secret {
        let mut bytes = [0; BYTES];
        let mut filled = 0;
        while filled < BYTES {
            // It fails only if interrupted.
            filled += rustix::rand::getrandom(&mut bytes[filled..], rustix::rand::GetRandomFlags::empty())
                .unwrap_or(0);
        }
        Secret(bytes)
    }

    /// The secret in that directory; a new one if there is none, or none that is whole.
    fn kept_in(dir: &Path) -> io::Result<Secret> {
        let file = dir.join(FILE);
        if let Some(secret) = Secret::read(&file) {
            return Ok(secret);
        }
        DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
        let aside = dir.join(format!("{FILE}.{}", std::process::id()));
        let written = File::options()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&aside)?
            .write_all(&Secret::new().0);
        // Whoever comes first decides; a damaged one is in nobody's way.
        let linked = written.and_then(|()| match fs::hard_link(&aside, &file) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && Secret::read(&file).is_none() => {
                fs::rename(&aside, &file)
            }
            _ => Ok(()),
        });
        let _ = fs::remove_file(&aside);
        linked?;
        Secret::read(&file).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    fn read(file: &Path) -> Option<Secret> {
        let bytes = files::read_by(file, BYTES as u64, Links::Refuse).ok()?;
        bytes.try_into().ok().map(Secret)
    }
}

/// Where secrets of the user are kept; `None` without a home.
pub(crate) fn directory() -> Option<PathBuf> {
    let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?;
    Some(state.join("indict"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_secret_is_made_once_and_kept_from_others() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("a/b");
        let first = Secret::kept_in(&dir).unwrap();
        assert!(Secret::kept_in(&dir).unwrap() == first);
        assert!(first != Secret::new());
        assert_eq!(fs::metadata(dir.join(FILE)).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 1);
        fs::write(dir.join(FILE), "short").unwrap();
        assert!(Secret::kept_in(&dir).unwrap() != first);
    }

    #[test]
    fn marks_depend_on_place_and_content() {
        let secret = Secret::new();
        let mark = secret.mark(&[b"ab", b"c"], b"d");
        assert_eq!(mark, secret.mark(&[b"ab", b"c"], b"d"));
        assert_ne!(mark, secret.mark(&[b"a", b"bc"], b"d"));
        assert_ne!(mark, secret.mark(&[b"ab", b"c"], b"e"));
        assert_ne!(mark, Secret::new().mark(&[b"ab", b"c"], b"d"));
    }
}
