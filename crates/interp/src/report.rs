//! What a run tells: how it ended, what it printed, which errors and which undefined operations it met.
//!
//! All of it is plain data with names and places spelled out, so that it outlives machine and program.

use std::fmt;

use catalog::Issue;
use ir::LocId;

use crate::value::Value;

/// All that is known of a run of `main`.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// What it wrote to the standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to the standard error stream.
    pub stderr: Vec<u8>,
    /// Heap blocks that nothing reached at the end, by address. Only looked for after a normal exit.
    pub leaks: Vec<Bug>,
    /// Operations that C leaves undefined and that do not stop a machine, in order of first occurrence.
    pub undefined: Vec<Event>,
    /// Calls of functions with neither body nor model, in order of first occurrence.
    pub unknown_calls: Vec<UnknownCall>,
    /// Global variables that neither a module nor the library defines, by the linker's name; their content is zero.
    pub undefined_globals: Vec<String>,
    /// What was done without being modeled exactly, in order of first occurrence.
    pub notes: Vec<Event>,
    /// Instructions executed.
    pub steps: u64,
    /// Allocations of the `malloc` family that were asked for: what [`AllocPolicy::Nth`](crate::AllocPolicy::Nth) counts.
    pub allocations: u64,
    /// The first of them that failed, in order.
    pub failed_allocations: Vec<FailedAllocation>,
    /// Where control was at the end; unknown if `main` returned.
    pub end: Spot,
}

/// An allocation that failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailedAllocation {
    /// The call of the allocation function.
    pub place: Spot,
    /// The calls around it, innermost first.
    pub callers: Vec<Spot>,
    /// The number of memory blocks made before, to compare with [`BlockInfo::number`].
    pub n_blocks: usize,
}

/// How an execution ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// `main` returned or `exit` was called, with this status.
    Exited(i32),
    /// The called function returned.
    Returned(Vec<Value>),
    /// The program stopped itself: `abort`, `__builtin_trap`, a pure virtual call, `std::terminate`.
    Aborted {
        /// By what.
        what: String,
        /// Where.
        place: Spot,
    },
    /// An error of the catalog.
    Bug(Box<Bug>),
    /// Control came where that is undefined behavior, or jumped to an address that is no label.
    Unreachable(Spot),
    /// A real machine would have stopped with a signal, for a reason that the catalog does not know.
    Fault {
        /// What was tried.
        fault: Fault,
        /// Where.
        place: Spot,
    },
    /// A limit of [`Options`](crate::Options) was reached.
    OutOfBudget(Budget),
    /// The program did something that the interpreter cannot do.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        place: Spot,
    },
}

/// Reasons for a signal outside of the catalog.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fault {
    /// A write to a constant or a string literal.
    WriteToConstant,
    /// A read or write of a function's code.
    AccessToCode,
    /// A call of something that is no function.
    CallOfData,
}

impl Fault {
    /// A short description.
    pub fn word(self) -> &'static str {
        match self {
            Fault::WriteToConstant => "write to constant memory",
            Fault::AccessToCode => "access to code as data",
            Fault::CallOfData => "call of something that is no function",
        }
    }
}

/// Limits of [`Options`](crate::Options).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Budget {
    /// `max_steps`.
    Steps,
    /// `max_depth`, or calls back from library functions nested too deeply.
    Depth,
    /// `max_memory`.
    Memory,
}

/// An error of the catalog, as it happened.
#[derive(Clone, PartialEq, Debug)]
pub struct Bug {
    /// The kind.
    pub issue: Issue,
    /// What happened, with names and numbers.
    pub message: String,
    /// Where: the failing instruction, or the call of the library function that failed; for a leak the allocation.
    pub place: Spot,
    /// The calls around that place, innermost first, without the place itself.
    pub callers: Vec<Spot>,
    /// The block concerned, if there is one.
    pub block: Option<BlockInfo>,
}

/// A block of memory, as an error report tells of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockInfo {
    /// What it is: "local variable `x`", "block from `malloc`" …
    pub what: String,
    /// Its bytes.
    pub size: u64,
    /// Bytes from its start to the address concerned; may lie outside.
    pub offset: i64,
    /// Where it was allocated or declared.
    pub allocated: Spot,
    /// The calls around the allocation, innermost first; only for heap blocks.
    pub allocated_callers: Vec<Spot>,
    /// Where it was freed or its scope ended, if it was.
    pub ended: Option<Spot>,
    /// The calls around that place, innermost first; only for heap blocks.
    pub ended_callers: Vec<Spot>,
    /// The number of memory blocks made before it.
    pub number: usize,
}

/// A place in the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Spot {
    /// The function, by the name the user knows; empty outside of any function.
    pub function: String,
    /// The file; empty if unknown.
    pub file: String,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    /// The place in its module.
    pub loc: Option<(usize, LocId)>,
}

/// Something worth telling that does not stop the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// Where.
    pub place: Spot,
    /// How often at this place.
    pub count: u64,
}

/// Kinds of events. The first group is undefined behavior, the second what the interpreter does not know exactly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EventKind {
    /// A signed result does not fit (`nsw`).
    SignedOverflow,
    /// An unsigned result does not fit although it was promised (`nuw`).
    UnsignedOverflow,
    /// A division or right shift lost bits although it was promised that it does not (`exact`).
    NotFollowed,
    /// A shift by the width or more.
    OversizedShift,
    /// The least number divided by -1.
    DivisionOverflow,
    /// A pointer left its object although that is undefined (`inbounds`).
    PointerOverflow,
    /// An access at an address that is less aligned than clang assumes.
    Misaligned,
    /// A float that does not fit the integer it is converted to.
    FloatToInt,
    /// A stated fact does not hold.
    AssumeViolated,
    /// An argument or result has undefined bits although it must not (`noundef`).
    UndefinedArgument,
    /// A null argument or result where null is excluded (`nonnull`).
    NullArgument,
    /// `memcpy` with overlapping ranges.
    Overlap,
    /// A call with fewer arguments or arguments of other types than the function takes.
    CallMismatch,
    /// Inline assembly; its results are from the seed.
    InlineAsm,
    /// An effect that `lower` does not model; its results are from the seed.
    Nondet,
    /// A global that no module defines; its content is zero.
    UndefinedGlobal,
    /// A library function whose result is less precise than the real one's.
    Approximation,
}

impl EventKind {
    /// Whether it is undefined behavior of the program, not a limit of the interpreter.
    pub fn is_undefined_behavior(self) -> bool {
        self < EventKind::InlineAsm
    }
}

/// A call of a function with neither body nor model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownCall {
    /// The linker's name.
    pub name: String,
    /// Where.
    pub place: Spot,
    /// How often there.
    pub count: u64,
}

impl Outcome {
    /// The error, if it is one.
    pub fn bug(&self) -> Option<&Bug> {
        match self {
            Outcome::Bug(bug) => Some(bug),
            _ => None,
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.file.is_empty() {
            return write!(f, "{}", self.function);
        }
        write!(f, "{}:{}:{}", self.file, self.line, self.column)?;
        if self.function.is_empty() { Ok(()) } else { write!(f, " in {}", self.function) }
    }
}

impl fmt::Display for Bug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.place, self.issue, self.message)?;
        for caller in &self.callers {
            write!(f, "\n  called from {caller}")?;
        }
        if let Some(block) = &self.block {
            write!(f, "\n  {} of {} bytes, allocated at {}", block.what, block.size, block.allocated)?;
            for caller in &block.allocated_callers {
                write!(f, "\n    called from {caller}")?;
            }
            if let Some(ended) = &block.ended {
                write!(f, "\n  ended at {ended}")?;
            }
        }
        Ok(())
    }
}
