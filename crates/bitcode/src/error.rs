//! What can be wrong with a file as a whole.

use thiserror::Error;

/// Why a file is not read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// The first bytes are not those of bitcode.
    #[error("not LLVM bitcode: the file starts with {}", first_bytes(.start))]
    NotBitcode {
        /// The first bytes of the file, at most four.
        start: Vec<u8>,
    },
    /// The file ends in the middle.
    #[error("truncated bitcode: it ends inside {what}, at byte {offset}")]
    Truncated {
        /// What was being read.
        what: &'static str,
        /// Where the data end.
        offset: u64,
    },
    /// The file contradicts its format.
    #[error("malformed bitcode at byte {offset}: {what}")]
    Malformed {
        /// What should have held.
        what: &'static str,
        /// Where.
        offset: u64,
    },
    /// The file is from an LLVM that we do not read.
    #[error(
        "unsupported bitcode of {producer}: {why}; bitcode of LLVM 15 or later is needed (recompile with clang 15 or later)"
    )]
    Unsupported {
        /// Who wrote it.
        producer: String,
        /// What we do not read.
        why: &'static str,
    },
    /// There is no module in the file.
    #[error("no module in the bitcode file")]
    NoModule,
}

fn first_bytes(start: &[u8]) -> String {
    if start.is_empty() {
        return "nothing (it is empty)".to_owned();
    }
    start.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}
