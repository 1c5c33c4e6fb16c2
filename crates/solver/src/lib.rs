//! The bit-precise tier: decides conditions about the terms of one function, exactly.

mod batsat;
mod blast;
mod clauses;
mod gates;
mod verdict;

use term::{Assignment, TermId, Terms};

use crate::batsat::Answer;
use crate::blast::Circuit;
use crate::clauses::{Cone, Literal};
use crate::gates::{Gate, Wire};

pub use verdict::{Core, Limit, Model, Verdict};

/// Decides conditions about the terms of one function; used for all its queries and dropped with it.
#[derive(Debug)]
pub struct Solver {
    circuit: Circuit,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// With the options that the engines use.
    pub fn new() -> Solver {
        Solver { circuit: Circuit::new() }
    }

    /// Is the conjunction of these conditions (one bit each) satisfiable?
    pub fn check(&mut self, terms: &Terms, conditions: &[TermId]) -> Verdict {
        let mut assumed: Vec<(Wire, TermId)> = Vec::new();
        for &condition in conditions {
            match self.circuit.condition(terms, condition) {
                Wire::TRUE => {}
                Wire::FALSE => return Verdict::Unsat(Core::new(vec![condition])),
                wire if assumed.iter().any(|&(other, _)| other == wire) => {}
                wire => assumed.push((wire, condition)),
            }
        }
        let wires: Vec<Wire> = assumed.iter().map(|&(wire, _)| wire).collect();
        let gates = &self.circuit.gates;
        let cone = Cone::of(gates, &wires);
        let literals: Vec<Literal> = wires.iter().map(|&wire| cone.literal(wire)).collect();
        match crate::batsat::solve(gates, &cone, &literals, u64::MAX) {
            Answer::Sat(values) => Verdict::Sat(self.model(&cone, &values)),
            Answer::Unsat(places) => {
                Verdict::Unsat(Core::new(places.iter().map(|&at| assumed[at].1).collect()))
            }
            Answer::Unknown => Verdict::Unknown(Limit::Conflicts),
        }
    }

    /// Does it hold for all values? `None`: a budget ran out.
    pub fn is_valid(&mut self, terms: &mut Terms, condition: TermId) -> Option<bool> {
        let negation = terms.not(condition);
        self.check(terms, &[negation]).satisfiable().map(|satisfiable| !satisfiable)
    }

    /// Does `b` hold wherever `a` does? `None`: a budget ran out.
    pub fn implies(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> Option<bool> {
        let negation = terms.not(b);
        self.check(terms, &[a, negation]).satisfiable().map(|satisfiable| !satisfiable)
    }

    fn model(&self, cone: &Cone, values: &[bool]) -> Model {
        let mut assignment = Assignment::new();
        for (&gate, &value) in cone.gates().iter().zip(values) {
            if value && matches!(self.circuit.gates.gate(gate), Gate::Input) {
                let input = self.circuit.input(gate);
                let so_far = assignment.get(input.var);
                assignment.set(input.var, so_far | 1 << input.bit);
            }
        }
        Model::new(assignment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Origin;

    #[test]
    fn wrapping_is_seen() {
        let mut terms = Terms::new();
        let mut solver = Solver::new();
        let x = terms.fresh(32, Origin::Parameter, "x");
        let one = terms.constant(32, 1);
        let next = terms.add(x, one);
        let grows = terms.ult(x, next);
        assert_eq!(solver.is_valid(&mut terms, grows), Some(false));
        let not = terms.not(grows);
        let Verdict::Sat(model) = solver.check(&terms, &[not]) else { panic!("wraps") };
        assert_eq!(model.value(&terms, x), 0xffff_ffff);
        let three = terms.constant(32, 3);
        let small = terms.ult(x, three);
        assert_eq!(solver.implies(&mut terms, small, grows), Some(true));
        let Verdict::Unsat(core) = solver.check(&terms, &[small, not]) else { panic!("contradicts") };
        assert_eq!(core.conditions(), [small, not]);
    }
}
