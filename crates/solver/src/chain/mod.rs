//! The chain of deciders, each of which answers what it can and hands on the rest.
//!
//! A query, here, is a set of wires: *can all of them be 1 at once?* [`assemble`] puts the chain together:
//!
//! | stage | answers | hands on |
//! |---|---|---|
//! | [`Constants`] | constants, contradictory literals | distinct wires of distinct gates |
//! | [`Slice`] | – | parts that share no input, one after the other |
//! | [`Cores`] | supersets of known contradictions; what was given up before | what is new |
//! | [`Models`] | what one of 64 known assignments satisfies | what is new |
//! | [`Search`] | what a SAT solver decides within its budget | what is too hard for it |
//!
//! Departure from the usual order: slices come before caches, because a part of a query comes back more often
//! than the whole.

mod constants;
mod cores;
mod models;
mod search;
mod slice;

use std::fmt::Debug;

use crate::blast::Circuit;
use crate::chain::constants::Constants;
use crate::chain::cores::Cores;
use crate::chain::models::Models;
use crate::chain::search::Search;
use crate::chain::slice::Slice;
use crate::gates::Wire;
use crate::options::{Options, Stats};
use crate::sat::Batsat;
#[cfg(feature = "cadical")]
use crate::sat::Cadical;
use crate::verdict::Limit;

/// Answer about a set of wires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// All can be 1 if these inputs (numbers of gates) are, and the others are not.
    Sat(Vec<u32>),
    /// These cannot be 1 at once.
    Unsat(Vec<Wire>),
    /// A budget ran out.
    Unknown(Limit),
}

/// What all stages work on.
pub(crate) struct Cx<'a> {
    pub(crate) circuit: &'a Circuit,
    pub(crate) stats: &'a mut Stats,
}

/// A decider.
pub(crate) trait Stage: Debug + Send {
    /// Can all of these wires be 1 at once?
    fn check(&mut self, cx: &mut Cx<'_>, wires: &[Wire]) -> Found;
}

/// The chain that the options ask for.
pub(crate) fn assemble(options: &Options) -> Box<dyn Stage> {
    let mut chain = searches(options);
    if options.models {
        chain = Box::new(Models::new(chain));
    }
    if options.cores {
        chain = Box::new(Cores::new(chain));
    }
    if options.slice {
        chain = Box::new(Slice::new(chain));
    }
    Box::new(Constants::new(chain))
}

/// The SAT solvers: one with a small budget, then a stronger one.
#[cfg(feature = "cadical")]
fn searches(options: &Options) -> Box<dyn Stage> {
    let hard = Search::new(Cadical, options.hard_conflicts, |stats| &mut stats.by_second, Box::new(GiveUp));
    Box::new(Search::new(Batsat::new(), options.conflicts, |stats| &mut stats.by_first, Box::new(hard)))
}

/// The SAT solver, with the budget of both.
#[cfg(not(feature = "cadical"))]
fn searches(options: &Options) -> Box<dyn Stage> {
    let budget = options.conflicts.saturating_add(options.hard_conflicts);
    Box::new(Search::new(Batsat::new(), budget, |stats| &mut stats.by_first, Box::new(GiveUp)))
}

/// The end of the chain.
#[derive(Debug)]
struct GiveUp;

impl Stage for GiveUp {
    fn check(&mut self, _: &mut Cx<'_>, _: &[Wire]) -> Found {
        Found::Unknown(Limit::Conflicts)
    }
}
