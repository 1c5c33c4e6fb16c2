//! Findings as plain data, and what is made of them: one per defect, in order, with stable ids, as text or JSON.
//!
//! Engines hand over [`Finding`]s with all places spelled out; [`Report::new`] makes a report of them, [`Report::select`]
//! keeps what the user wants to see, [`text()`] and [`json()`] render it.
//! Source: the design, §11 and §12 (the form of a finding), and the reporting policy of Le, Raad, Villard, Berdine, Dreyer,
//! O'Hearn, *Finding Real Bugs in Big Programs with Incorrectness Logic*, OOPSLA 2022, §2.3.
//! Not covered: SARIF, HTML, baselines and suppressions; they come with the issues that need them.
//!
//! Nothing here reads files: who renders text hands in a function that knows the sources.
//!
//! Reading order: [`finding`] (the data), [`story`] (how engines make a trace), [`report`](mod@report) (how a report is made and what of it is shown), [`defect`] (when two
//! findings are one), [`fingerprint`] (ids), [`mod@json`], [`mod@text`].

pub mod finding;
pub mod report;
pub mod story;

mod defect;
mod fingerprint;
mod json;
mod text;

pub use finding::{Finding, Step};
pub use json::json;
pub use report::{Coverage, Report, Selection, Summary};
pub use story::{Spot, Story};
pub use text::text;
