//! Findings as plain data, and what is made of them: sentences, stable ids, text and JSON.
//!
//! Engines hand over data ([`catalog::What`], [`catalog::Event`]); [`words`] makes all sentences of them, so
//! that all engines speak with one voice. [`Report::new`] puts [`Finding`]s in order, [`Report::with_files`]
//! gives them the names of files that the user knows, [`Report::with_ids`] ids, and [`text()`] and [`json()`]
//! render them. What is one defect with what, and what is shown, is decided elsewhere; [`Report::keep`]
//! leaves the rest out.
//! Source: the design, §11 and §12 (the form of a finding), and the house style, §10.62 (one room, one
//! voice).
//! Not covered: SARIF, HTML, baselines and suppressions; they come with the issues that need them.
//!
//! Nothing here reads files: sources are handed in. What comes from the program or its source is made visible
//! where it is rendered: [`text()`] has no control characters but its own colors and line ends, and
//! [`json()`] none at all but line ends.
//!
//! Reading order: [`finding`] (the data), [`words`], [`story`] (how engines make a trace),
//! [`report`](mod@report) (how a report is made), [`fingerprint`] and [`statement`] (ids), [`sources`],
//! [`mod@json`], [`mod@text`].

pub mod finding;
pub mod report;
pub mod story;
pub mod words;

mod fingerprint;
mod json;
mod sources;
mod statement;
mod text;

pub use finding::{Anchor, Finding, Step};
pub use json::json;
pub use report::{Coverage, Files, Report, Summary};
pub use story::{Spot, Story};
pub use text::text;
