//! Executing programs and reporting what goes wrong.
//!
//! Judgment: a finding is an error that the interpreter met in an execution which the real program can have, too. Allowed
//! are all outcomes of allocations (each of the first hundred fails once), no input, and no arguments. Nothing that rests on a
//! guess is reported: a run ends where the program calls code that is not known.
//! Source: the design, §1 *What may be chosen* and §12 (the form of a finding).
//! Not covered: functions that `main` does not reach. The engines that prove errors of every function come later, and with
//! them a crate for reports.
//!
//! Reading order: [`programs`] (which units belong together), [`execute`] (which runs are made), [`judge`] (what of
//! them counts), [`story`] (how it came about), [`report`](mod@report).

mod execute;
mod judge;
mod notes;
mod places;
mod programs;
mod report;
mod story;

pub(crate) use report::{Settings, analyze};
