//! Which loader an executable names: the one other file that the kernel executes for it.
//!
//! Source: *System V Application Binary Interface*, chapters 4 (object files) and 5 (program loading), for 64
//! and 32 bits.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use base::limits;
use files::Links;

/// The type of the part of the program that names the loader (`PT_INTERP`).
const INTERPRETER: u64 = 3;

/// The loader of an executable; `None` for scripts, and for programs that need none.
pub(crate) fn interpreter(program: &Path) -> Option<PathBuf> {
    let (file, _) = files::open(program, Links::Follow).ok()?;
    let read = |at: u64, len: u64| {
        let mut bytes = vec![0; usize::try_from(len).ok()?];
        file.read_exact_at(&mut bytes, at).ok().map(|()| bytes)
    };
    let header = read(0, 64)?;
    let layout = Layout::of(&header)?;
    let (table, size, count) = (
        layout.number(&header, layout.table)?,
        layout.half(&header, layout.size)?,
        layout.half(&header, layout.size + 2)?,
    );
    (0..count).find_map(|row| {
        let row = read(table.checked_add(row * size)?, 56.min(size))?;
        let of = |at| layout.number(&row, at);
        let (at, len) = (of(layout.offset)?, of(layout.length)?);
        let kind = layout.fixed(&row, 0, 4)?;
        let name = (kind == INTERPRETER && len <= limits::ELF_NAME).then(|| read(at, len)).flatten()?;
        let name = name.split(|byte| *byte == 0).next()?;
        Some(PathBuf::from(OsStr::from_bytes(name)))
    })
}

/// Where things stand in an executable.
struct Layout {
    big_endian: bool,
    /// Bytes of an address.
    width: usize,
    /// In the header: where the table of parts is, and the size of its rows, with their number behind it.
    table: usize,
    size: usize,
    /// In a row: where the part is, and how long.
    offset: usize,
    length: usize,
}

impl Layout {
    fn of(header: &[u8]) -> Option<Layout> {
        let big_endian = *header.get(5)? == 2;
        match header {
            [0x7f, b'E', b'L', b'F', 2, ..] => {
                Some(Layout { big_endian, width: 8, table: 32, size: 54, offset: 8, length: 32 })
            }
            [0x7f, b'E', b'L', b'F', 1, ..] => {
                Some(Layout { big_endian, width: 4, table: 28, size: 42, offset: 4, length: 16 })
            }
            _ => None,
        }
    }

    fn number(&self, bytes: &[u8], at: usize) -> Option<u64> {
        self.fixed(bytes, at, self.width)
    }

    fn half(&self, bytes: &[u8], at: usize) -> Option<u64> {
        self.fixed(bytes, at, 2)
    }

    fn fixed(&self, bytes: &[u8], at: usize, width: usize) -> Option<u64> {
        let bytes = bytes.get(at..at + width)?;
        let add = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        Some(match self.big_endian {
            true => bytes.iter().fold(0, add),
            false => bytes.iter().rev().fold(0, add),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loaders_are_found() {
        let loader = interpreter(&std::env::current_exe().unwrap()).unwrap();
        assert!(loader.is_absolute() && loader.exists(), "{loader:?}");
        assert_eq!(interpreter(Path::new("/etc/passwd")), None);
        assert_eq!(interpreter(Path::new("/dev/null")), None);
    }
}
