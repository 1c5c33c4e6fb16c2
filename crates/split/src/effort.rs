//! How far paths are followed, and why they are not.

use base::limits;

/// How far paths are followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How often a path may go back to the head of a loop.
    pub unroll: u32,
    /// How many paths are kept at each point.
    pub width: usize,
    /// Whether calls of functions with a body are skipped: what they do is as unknown as if they had none.
    pub intraprocedural: bool,
    /// Whether summaries keep all that a test needs to replay their paths.
    pub replay: bool,
}

impl Default for Options {
    fn default() -> Options {
        let (unroll, width) = (limits::SPLIT_UNROLL, limits::SPLIT_WIDTH);
        Options { unroll, width, intraprocedural: false, replay: false }
    }
}

/// Why a path was not followed to its end, or a function not at all. Counted and told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stopped {
    /// There were more paths than `width`.
    Width,
    /// A loop was not followed further.
    Unroll,
    /// The budget of steps of the function ran out.
    Steps,
    /// The budget of memory of the function ran out.
    Memory,
    /// The budget of memory of the run ran out before it was begun.
    RunMemory,
    /// Something that is not modeled: integers of more than 128 bits, computed jumps.
    Unsupported,
    /// A call, none of whose triples could be applied.
    Call,
    /// Aliasing that was not resolved.
    Alias,
    /// The solver could not tell whether a value that was never written matters.
    Undecided,
}
