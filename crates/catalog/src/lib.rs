//! The issue table: every kind of error that indict can report, in one place.
//!
//! Purpose: options (`--only`, `--skip`), SARIF rules, LSP codes, web pages, `indict issues` and the
//! check of test annotations all derive from [`Issue::ALL`]; nothing else lists the kinds.
//! Source: the kinds are those of the fixed interface in the design (§12); the verdicts are defined
//! by Le et al. (manifest, latent) and Hoenicke et al. (doomed).
//! Besides: what engines say of an error, as data ([`What`], [`Event`], [`Condition`], [`Cause`],
//! [`Evidence`]).
//! Not covered: how a kind is found; that is the engines' business. Sentences are made in `report`.

mod cause;
mod choice;
mod condition;
mod issues;
mod said;
mod verdict;
mod words;

pub use cause::{Cause, Evidence, Fate};
pub use choice::Choice;
pub use condition::{Clause, Condition};
pub use issues::{Issue, Severity, Status};
pub use said::{Event, Extent, Name, Need, Object, Offset, Origin, Unfreeable, Use, What};
pub use verdict::Verdict;
