//! Findings as plain data, and what is made of them: one per defect, in order, with stable ids, as text or JSON.
//!
//! Engines hand over [`Finding`]s with all places spelled out; [`Report::new`] makes a report of them, [`Report::with_files`] gives them ids and the names of files that
//! the user knows, [`Report::select`] keeps what the user wants to see, [`text()`] and [`json()`] render it.
//! Source: the design, §11 and §12 (the form of a finding), and the reporting policy of Le, Raad, Villard, Berdine, Dreyer,
//! O'Hearn, *Finding Real Bugs in Big Programs with Incorrectness Logic*, OOPSLA 2022, §2.3.
//! Not covered: SARIF, HTML, baselines and suppressions; they come with the issues that need them.
//!
//! Nothing here reads files: sources are handed in. What comes from the program or its source is made visible where it is rendered: [`text()`] has no
//! control characters but its own colors and line ends, and [`json()`] none at all but line ends.
//!
//! Reading order: [`finding`] (the data), [`story`] (how engines make a trace), [`report`](mod@report) (how a report is made and what of it is shown), [`defect`] (when two
//! findings are one), [`fingerprint`] and [`statement`] (ids), [`sources`], [`mod@json`], [`mod@text`].

pub mod finding;
pub mod report;
pub mod story;

mod defect;
mod fingerprint;
mod json;
mod sources;
mod statement;
mod text;

pub use finding::{Anchor, Finding, Step};
pub use json::json;
pub use report::{Coverage, Files, Report, Selection, Summary};
pub use story::{Spot, Story};
pub use text::text;
