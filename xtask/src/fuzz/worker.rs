//! A process that feeds a range of inputs, one after the other.

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use anyhow::{Result, anyhow};
use cap::Cap;
use mimalloc::MiMalloc;

use super::subject::{Subject, run_one};

/// The most memory that an input may need, with everything else in the process.
pub(crate) const ALLOCATOR_LIMIT: usize = 1 << 30;

/// That of `indict`, so that what is measured here is what users get.
#[global_allocator]
static ALLOCATOR: Cap<MiMalloc> = Cap::new(MiMalloc, usize::MAX);

/// Feeds the inputs. A failing allocation aborts, a panic ends the process: the parent sees both.
pub(crate) fn work(
    subject: Subject,
    seeds: &[Vec<u8>],
    seed: u64,
    numbers: Range<u64>,
    note: &Path,
) -> Result<()> {
    ALLOCATOR
        .set_limit(ALLOCATOR_LIMIT)
        .map_err(|()| anyhow!("the process itself needs more memory than an input may"))?;
    let mut note = OpenOptions::new().write(true).open(note)?;
    for number in numbers {
        note.seek(SeekFrom::Start(0))?;
        note.write_all(&number.to_le_bytes())?;
        run_one(subject, seeds, seed, number);
    }
    Ok(())
}
