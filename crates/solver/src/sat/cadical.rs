//! The second SAT solver: CaDiCaL, for what is too hard for the first. It begins anew with each query,
//! because it is made for single large ones.

use rustsat::solvers::{GetInternalStats, LimitConflicts, Solve, SolveIncremental, SolverResult};
use rustsat::types::{Clause, Lit, TernaryVal};
use rustsat_cadical::CaDiCaL;

use crate::gates::{Gates, Wire};
use crate::options::Stats;
use crate::sat::clauses::Literal;
use crate::sat::session::Session;
use crate::sat::{Answer, Sat};

/// What the library's results stand for: it fails only without memory, or if it is used in a wrong state.
const LAW: &str = "invariant: CaDiCaL has memory and is asked in the right state";

/// CaDiCaL, under assumptions.
#[derive(Debug)]
pub(crate) struct Cadical;

impl Sat for Cadical {
    fn solve(&mut self, gates: &Gates, wires: &[Wire], budget: u64, stats: &mut Stats) -> Answer {
        let mut solver = CaDiCaL::default();
        solver.limit_conflicts(Some(u32::try_from(budget).unwrap_or(i32::MAX as u32))).expect(LAW);
        stats.sessions += 1;
        let mut session = Session::default();
        let cone = session.cone(gates, wires);
        session.load(gates, &cone, |literals| {
            let clause: Clause = literals.iter().map(|&literal| foreign(literal)).collect();
            solver.add_clause(clause).expect(LAW);
            stats.clauses += 1;
        });
        let assumed: Vec<Lit> = wires.iter().map(|&wire| foreign(session.literal(wire))).collect();
        let result = solver.solve_assumps(&assumed).expect(LAW);
        stats.conflicts += solver.conflicts() as u64;
        match result {
            SolverResult::Sat => {
                let mut ones = cone.inputs;
                ones.retain(|&gate| {
                    let literal = foreign(session.literal(Wire::of_gate(gate)));
                    solver.lit_val(literal).expect(LAW) == TernaryVal::True
                });
                Answer::Sat(ones)
            }
            SolverResult::Unsat => {
                // The core is a clause that follows: it has the negations of assumptions.
                let core = solver.core().expect(LAW);
                let in_core = |at: &usize| core.contains(&!assumed[*at]);
                Answer::Unsat((0..wires.len()).filter(in_core).map(|at| wires[at]).collect())
            }
            SolverResult::Interrupted => Answer::Unknown,
        }
    }
}

fn foreign(literal: Literal) -> Lit {
    Lit::new(literal.variable(), literal.is_negated())
}
