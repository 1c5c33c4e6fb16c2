//! The first SAT solver: batsat.
//!
//! It lives as long as the queries need most of what it knows, and is then begun again, which costs a
//! microsecond and the clauses of the cone.

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use std::fmt;

use crate::gates::{Gates, Wire};
use crate::options::Stats;
use crate::sat::clauses::Literal;
use crate::sat::session::{Cone, Session};
use crate::sat::{Answer, Sat};

/// Batsat, under assumptions.
pub(crate) struct Batsat {
    session: Session,
    solver: Solver<Budget>,
}

/// Stops the search after so many conflicts.
struct Budget {
    conflicts: u64,
    most: u64,
}

impl Callbacks for Budget {
    // Called once for each conflict.
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        self.conflicts += u64::from(matches!(kind, ClauseKind::Learnt));
    }

    fn stop(&self) -> bool {
        self.conflicts > self.most
    }
}

impl fmt::Debug for Batsat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batsat").field("variables", &self.session.len()).finish_non_exhaustive()
    }
}

impl Batsat {
    /// A solver that knows nothing.
    pub(crate) fn new() -> Batsat {
        Batsat { session: Session::default(), solver: new_solver() }
    }

    /// Makes the cone of the wires known.
    fn prepare(&mut self, gates: &Gates, wires: &[Wire], stats: &mut Stats) -> Cone {
        let mut cone = self.session.cone(gates, wires);
        if self.session.is_wasteful_for(&cone) {
            self.session.clear();
            self.solver = new_solver();
            cone = self.session.cone(gates, wires);
        }
        if self.session.len() == 0 {
            stats.sessions += 1;
        }
        for _ in 0..cone.new_gates() {
            self.solver.new_var_default();
        }
        let mut clause = Vec::with_capacity(3);
        self.session.load(gates, &cone, |literals| {
            clause.clear();
            clause.extend(literals.iter().map(|&literal| foreign(literal)));
            self.solver.add_clause_reuse(&mut clause);
            stats.clauses += 1;
        });
        cone
    }
}

impl Sat for Batsat {
    fn solve(&mut self, gates: &Gates, wires: &[Wire], budget: u64, stats: &mut Stats) -> Answer {
        let cone = self.prepare(gates, wires, stats);
        let assumed: Vec<Lit> = wires.iter().map(|&wire| foreign(self.session.literal(wire))).collect();
        *self.solver.cb_mut() = Budget { conflicts: 0, most: budget };
        let result = self.solver.solve_limited(&assumed);
        stats.conflicts += self.solver.cb().conflicts;
        if result == lbool::TRUE {
            let is_one = |gate: &u32| {
                let literal = self.session.literal(Wire::of_gate(*gate));
                self.solver.value_lit(foreign(literal)) == lbool::TRUE
            };
            Answer::Sat(cone.inputs.iter().copied().filter(is_one).collect())
        } else if result == lbool::FALSE {
            // The core is a clause that follows: it has the negations of assumptions.
            let in_core = |at: &usize| self.solver.unsat_core_contains_lit(!assumed[*at]);
            Answer::Unsat((0..wires.len()).filter(in_core).map(|at| wires[at]).collect())
        } else {
            Answer::Unknown
        }
    }
}

fn new_solver() -> Solver<Budget> {
    Solver::new(SolverOpts::default(), Budget { conflicts: 0, most: u64::MAX })
}

fn foreign(literal: Literal) -> Lit {
    Lit::new(Var::unsafe_from_idx(literal.variable()), !literal.is_negated())
}
