//! The one door to files that somebody else named: a database, a configuration, a source, a store.
//!
//! Purpose: whatever such a name leads to, we neither wait for ever nor fill the memory. A pipe is not waited
//! for, a device is not touched, a terminal does not become ours, a file beyond its limit is not read, and
//! where links could lead out of a directory that is ours, they are not followed. The error says which of
//! these it was.
//! Not covered: files that change while they are read; whoever can do that can do anything else.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// Why a file is not read. The message goes behind the name of the file.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// There is no file of this name.
    #[error("no such file")]
    Missing,
    /// It is a directory.
    #[error("is a directory")]
    Directory,
    /// It is a pipe, a device or a socket, which could make us wait for ever.
    #[error("is not a regular file")]
    Special,
    /// It is a link where links are not followed.
    #[error("is a link, which is not followed here")]
    Link,
    /// It is larger than such a file may be.
    #[error("has more than {}", megabytes(*.limit))]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// It is not text.
    #[error("is not UTF-8 text")]
    NotText,
    /// The system does not let us.
    #[error("cannot be read: {0}")]
    Io(io::Error),
}

/// Whether the last part of a name may be a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// A user may put a link wherever a file is expected.
    Follow,
    /// In a directory that is ours nobody else has links.
    Refuse,
}

/// All bytes of a regular file, if it has at most `limit`.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Trouble> {
    read_by(path, limit, Links::Follow)
}

/// The same, where links may be refused.
pub fn read_by(path: &Path, limit: u64, links: Links) -> Result<Vec<u8>, Trouble> {
    let (file, metadata) = open(path, links)?;
    if metadata.len() > limit {
        return Err(Trouble::TooLarge { limit });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(Trouble::Io)?;
    match bytes.len() as u64 > limit {
        true => Err(Trouble::TooLarge { limit }),
        false => Ok(bytes),
    }
}

/// All text of a regular file, if it has at most `limit` bytes.
pub fn read_text(path: &Path, limit: u64) -> Result<String, Trouble> {
    String::from_utf8(read(path, limit)?).map_err(|_| Trouble::NotText)
}

/// Opens a regular file for reading. Opening never waits, and never makes a terminal ours.
pub fn open(path: &Path, links: Links) -> Result<(File, Metadata), Trouble> {
    let mut flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    if links == Links::Refuse {
        flags |= OFlags::NOFOLLOW;
    }
    let file = rustix::fs::open(path, flags, Mode::empty()).map_err(|errno| match errno {
        Errno::NOENT | Errno::NOTDIR => Trouble::Missing,
        Errno::LOOP if links == Links::Refuse => Trouble::Link,
        // A socket, or a device without a driver.
        Errno::NXIO | Errno::NODEV => Trouble::Special,
        _ => Trouble::Io(errno.into()),
    })?;
    let file = File::from(file);
    let metadata = file.metadata().map_err(Trouble::Io)?;
    match metadata.file_type() {
        kind if kind.is_dir() => Err(Trouble::Directory),
        kind if kind.is_file() => Ok((file, metadata)),
        _ => Err(Trouble::Special),
    }
}

fn megabytes(limit: u64) -> String {
    match limit >> 20 {
        0 => format!("{limit} bytes"),
        megabytes => format!("{megabytes} MB"),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::time::{Duration, Instant};

    use super::*;

    #[track_caller]
    fn says(result: Result<Vec<u8>, Trouble>, text: &str) {
        assert_eq!(result.unwrap_err().to_string(), text);
    }

    #[test]
    fn regular_files_are_read_up_to_their_limit() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a");
        fs::write(&file, "12345").unwrap();
        assert_eq!(read(&file, 5).unwrap(), b"12345");
        says(read(&file, 4), "has more than 4 bytes");
        // Files of /proc say that they are empty.
        says(read(Path::new("/proc/self/maps"), 10), "has more than 10 bytes");
        assert_eq!(read_text(&file, 5).unwrap(), "12345");
        fs::write(&file, b"\xff").unwrap();
        assert!(matches!(read_text(&file, 5), Err(Trouble::NotText)));
    }

    #[test]
    fn nothing_makes_us_wait() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        rustix::fs::mknodat(rustix::fs::CWD, at("pipe"), rustix::fs::FileType::Fifo, Mode::RUSR, 0).unwrap();
        let _socket = UnixListener::bind(at("socket")).unwrap();
        let begun = Instant::now();
        for name in [at("pipe"), at("socket"), "/dev/zero".into(), "/dev/tty".into(), "/dev/null".into()] {
            let trouble = read(&name, 1 << 20).unwrap_err();
            assert!(matches!(trouble, Trouble::Special | Trouble::Missing), "{name:?}: {trouble}");
        }
        assert!(begun.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let dir = tempfile::tempdir().unwrap();
        says(read(dir.path(), 1), "is a directory");
        says(read(&dir.path().join("gone"), 1), "no such file");
        fs::write(dir.path().join("a"), "x").unwrap();
        says(read(&dir.path().join("a/b"), 1), "no such file");
        let link = dir.path().join("link");
        symlink(dir.path().join("a"), &link).unwrap();
        assert_eq!(read(&link, 1).unwrap(), b"x");
        says(read_by(&link, 1, Links::Refuse), "is a link, which is not followed here");
    }
}
