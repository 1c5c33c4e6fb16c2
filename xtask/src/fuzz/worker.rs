//! A process that feeds a range of inputs, one after the other.

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use rustix::param::page_size;
use rustix::process::{Resource, Rlimit, setrlimit};

use super::subject::{Subject, run_one};

/// The most memory that an input may need, beyond what the allocator reserves at the beginning (1 GiB of addresses).
pub(crate) const MEMORY: u64 = 1 << 30;

/// Feeds the inputs. A failing allocation aborts, a panic ends the process: the parent sees both.
pub(crate) fn work(
    subject: Subject,
    seeds: &[Vec<u8>],
    seed: u64,
    numbers: Range<u64>,
    note: &Path,
) -> Result<()> {
    limit_memory()?;
    let mut note = OpenOptions::new().write(true).open(note)?;
    for number in numbers {
        note.seek(SeekFrom::Start(0))?;
        note.write_all(&number.to_le_bytes())?;
        run_one(subject, seeds, seed, number);
    }
    Ok(())
}

/// Lets allocations fail that need more than an input may, beyond what the process has now.
fn limit_memory() -> Result<()> {
    let sizes = std::fs::read_to_string("/proc/self/statm")?;
    let pages: u64 = sizes.split(' ').next().context("/proc/self/statm is empty")?.parse()?;
    let most = Some(pages * page_size() as u64 + MEMORY);
    setrlimit(Resource::As, Rlimit { current: most, maximum: most })?;
    Ok(())
}
