//! Tests that are files: expectations in C and IR, their comparison, and the runner.
//!
//! Reading order: [`c`] (`//~ kind "text"` in C files), [`expectation`] (one of them), [`names`] (what a function's name promises), [`ir`]
//! (`//~ text` in IR files), [`runner`] (a directory of files becomes a test suite), [`normalize`] (snapshots without
//! paths, positions and ids), [`stress`] (large programs).
//!
//! The caller passes the function under test, so this crate knows no other room. It is a dev-dependency only.

pub mod c;
pub mod expectation;
pub mod ir;
pub mod names;
pub mod normalize;
pub mod runner;
pub mod stress;

mod matching;
mod report;

pub use c::{CTest, Words};
pub use expectation::{Expectation, ExpectedStep, Found, FoundStep, Verdict};
pub use ir::{IrDifference, IrTest, Said};
pub use normalize::Normalizer;
pub use report::{Difference, Mistake, Mistakes};
pub use runner::{c_trials, ir_trials, run};
