//! The last stages: SAT solvers with a budget.

use crate::chain::{Cx, Found, Stage};
use crate::gates::Wire;
use crate::options::Stats;
use crate::sat::{Answer, Sat};

/// Asks a SAT solver; hands on what is too hard for it.
#[derive(Debug)]
pub(super) struct Search<S> {
    sat: S,
    /// Conflicts.
    budget: u64,
    /// What to count an answer as.
    counter: fn(&mut Stats) -> &mut u64,
    next: Box<dyn Stage>,
}

impl<S: Sat> Search<S> {
    pub(super) fn new(
        sat: S,
        budget: u64,
        counter: fn(&mut Stats) -> &mut u64,
        next: Box<dyn Stage>,
    ) -> Search<S> {
        Search { sat, budget, counter, next }
    }
}

impl<S: Sat> Stage for Search<S> {
    fn check(&mut self, cx: &mut Cx<'_>, wires: &[Wire]) -> Found {
        let found = match self.sat.solve(&cx.circuit.gates, wires, self.budget, cx.stats) {
            Answer::Sat(ones) => Found::Sat(ones),
            Answer::Unsat(core) => Found::Unsat(core),
            Answer::Unknown => return self.next.check(cx, wires),
        };
        *(self.counter)(cx.stats) += 1;
        found
    }
}
