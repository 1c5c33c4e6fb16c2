//! The issue table: every kind of error that indict can report, in one place.
//!
//! Purpose: options (`--only`, `--skip`), SARIF rules, LSP codes, web pages, `indict issues` and the
//! check of test annotations all derive from [`Issue::ALL`]; nothing else lists the kinds.
//! Source: the kinds are those of the fixed interface in the design (§12); the verdicts are defined
//! by Le et al. (manifest, latent) and Hoenicke et al. (doomed).
//! Not covered: how a kind is found; that is the engines' business.

mod issues;
mod verdict;
mod words;

pub use issues::{Issue, Severity, Status};
pub use verdict::Verdict;
