//! SAT solvers and what they are told.

mod batsat;
#[cfg(feature = "cadical")]
mod cadical;
mod clauses;
mod session;

use std::fmt::Debug;

use crate::gates::{Gates, Wire};
use crate::options::Stats;

pub(crate) use crate::sat::batsat::Batsat;
#[cfg(feature = "cadical")]
pub(crate) use crate::sat::cadical::Cadical;

/// What a SAT solver says about wires of a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// All can be 1; the inputs that then are 1.
    Sat(Vec<u32>),
    /// These of them cannot be 1 at once.
    Unsat(Vec<Wire>),
    /// The budget ran out.
    Unknown,
}

/// A SAT solver.
pub(crate) trait Sat: Debug + Send {
    /// Can all of these wires be 1 at once? They are distinct, of distinct gates, and not constant. `budget` counts conflicts.
    fn solve(&mut self, gates: &Gates, wires: &[Wire], budget: u64, stats: &mut Stats) -> Answer;
}

/// What CaDiCaL says about any wires, without a budget.
#[cfg(feature = "cadical")]
pub(crate) fn second_opinion(gates: &Gates, wires: &[Wire]) -> Option<bool> {
    if wires.contains(&Wire::FALSE) {
        return Some(false);
    }
    let wires: Vec<Wire> = wires.iter().copied().filter(|&wire| wire != Wire::TRUE).collect();
    match Cadical.solve(gates, &wires, u64::MAX, &mut Stats::default()) {
        Answer::Sat(_) => Some(true),
        Answer::Unsat(_) => Some(false),
        Answer::Unknown => None,
    }
}
