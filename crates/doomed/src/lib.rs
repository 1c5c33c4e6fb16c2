//! Doomed program points: code from which no execution ends normally.
//!
//! Reading order: [`code`] (a function, and what is known of its callees), the crate [`unfold`] (the
//! loop-free form and dominators of it), [`memory`], [`passive`] with [`frame`], `ways`, `values`, `step`,
//! `access`, `calls` and `library` (the passive form), [`contracts`] (contracts of callees), [`outcome`]
//! (when an execution ends normally), [`exorcise`] (the queries), [`run`] (executions that fail), [`told`]
//! (which points are worth a report), [`story`] and `dead` (what the user reads).
//!
//! Source: Hoenicke, Leino, Podelski, Schäf, Wies, *It's doomed; we can prove it*, FM 2009. By section: §2
//! the examples are tests (`tests/c/doomed`); §3 Def. 1 is what [`analyze`] decides; §4 the language is our
//! IR; §5 [`unfold`], [`passive`], [`outcome`]; §6 [`outcome`] (reachability), [`exorcise`] (one query per
//! point); §7 [`unfold`] (three iterations), [`calls`] (inlining), [`endless`] (non-termination), Tables 3
//! and 4 (`cargo x corpus doomed`); §8 [`exorcise`] (models discharge points).
//! Departures are listed where they are made. What holds everywhere: whatever is not known is
//! over-approximated, so that a point that is called doomed is doomed for every behavior of unknown code, of
//! memory and of loops.

mod access;
mod arith;
mod calls;
mod code;
mod contracts;
mod dead;
mod definitions;
mod endless;
mod exorcise;
mod frame;
mod library;
mod memory;
mod outcome;
mod passive;
mod private;
mod run;
mod step;
mod story;
#[cfg(test)]
mod testing;
mod told;
mod values;
mod ways;
mod words;

pub use contracts::{alone, contract_of};
pub use exorcise::{Analysis, KINDS, Options, Progress, Stats, analyze, analyze_watched};
pub use story::{Found, Spot, Step};
