//! The first SAT solver: batsat, made anew for each query because that costs a microsecond.

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use std::cell::Cell;

use crate::clauses::{Cone, Literal};
use crate::gates::Gates;

/// What a SAT solver says.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// Satisfiable; the values of all variables.
    Sat(Vec<bool>),
    /// Contradictory; the assumptions that are, by their place.
    Unsat(Vec<usize>),
    /// The budget ran out.
    Unknown,
}

/// Counts conflicts and stops when there are too many.
struct Budget {
    conflicts: u64,
    most: u64,
    // `stop` is asked regularly, in a loop that may not find any conflict.
    asked: Cell<u64>,
}

impl Callbacks for Budget {
    fn on_new_clause(&mut self, _: &[Lit], kind: batsat::ClauseKind) {
        if matches!(kind, batsat::ClauseKind::Learnt) {
            self.conflicts += 1;
        }
    }

    fn stop(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.conflicts > self.most
    }
}

/// Are the cone's gates satisfiable with these wires at 1?
pub(crate) fn solve(gates: &Gates, cone: &Cone, assumed: &[Literal], most: u64) -> Answer {
    let mut solver = Solver::new(SolverOpts::default(), Budget { conflicts: 0, most, asked: Cell::new(0) });
    for _ in 0..cone.len() {
        solver.new_var_default();
    }
    let mut clause = Vec::new();
    cone.clauses(gates, |literals| {
        clause.clear();
        clause.extend(literals.iter().map(|&literal| foreign(literal)));
        solver.add_clause_reuse(&mut clause);
    });
    let assumptions: Vec<Lit> = assumed.iter().map(|&literal| foreign(literal)).collect();
    let result = solver.solve_limited(&assumptions);
    if result == lbool::TRUE {
        Answer::Sat(solver.get_model().iter().map(|&value| value == lbool::TRUE).collect())
    } else if result == lbool::FALSE {
        let in_core = |literal: &Lit| {
            solver.unsat_core_contains_lit(*literal) || solver.unsat_core_contains_lit(!*literal)
        };
        Answer::Unsat((0..assumptions.len()).filter(|&at| in_core(&assumptions[at])).collect())
    } else {
        Answer::Unknown
    }
}

fn foreign(literal: Literal) -> Lit {
    Lit::new(Var::unsafe_from_idx(literal.variable()), !literal.is_negated())
}
