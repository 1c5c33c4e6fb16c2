//! Random programs and the oracles over them; seeded bugs.
//!
//! Reading order: [`programs`] (random programs, and states to start them in), [`promises`] (triples and
//! findings against runs), [`points`] (doomed points against runs), [`native`]
//! (findings against the machine), [`recall`] (bugs seeded into real
//! functions).
//!
//! Programs are compiled by clang, read and lowered as the product does it ([`module_of`], [`Compiler`]), and
//! analyzed by the code that `indict run` runs; the interpreter is the judge. Nothing here prints: what is
//! worth telling while an oracle works is handed to a listener as an [`Event`], and what was seen is
//! returned, to be counted or shown.

mod front_end;
mod programs;

pub mod native;
pub mod points;
pub mod promises;
pub mod recall;

use std::fmt;

use report::Finding;

pub use front_end::module_of;
pub use programs::compile::Compiler;

/// What an oracle tells while it works.
pub enum Event<'e> {
    /// Programs that are checked next, as C.
    Programs(&'e dyn fmt::Display),
    /// A triple of the function that is checked next.
    Triple {
        /// The name of the function.
        function: &'e str,
        /// The triple, to be shown.
        triple: &'e dyn fmt::Display,
    },
    /// What the engine prints of a text that is checked.
    Finding(&'e Finding),
    /// A promise was not kept.
    Broken {
        /// The seed of the program.
        seed: u64,
        /// Which one, and how.
        violation: &'e promises::Violation,
    },
    /// A run passed points that are called doomed, and ended normally: which run, and which points.
    Passed(&'e str),
    /// Runs met an error that no triple ends in.
    MissedError {
        /// The name of the function.
        function: &'e str,
        /// The likely cause.
        cause: &'e str,
        /// The error, and a run that meets it.
        met: &'e dyn fmt::Display,
    },
    /// No normal run passes a point of a small program, and it is not called doomed.
    MissedPoint {
        /// The seed of the program.
        seed: u64,
        /// The name of the function.
        function: &'e str,
        /// The point.
        point: ir::BlockId,
    },
}
