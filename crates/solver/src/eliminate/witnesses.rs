//! Proof that a weakened condition is exact after all.
//!
//! `ψ` is necessary for `∃X. φ`. If it implies `φ[v₁/X] ∨ … ∨ φ[vₙ/X]` for some values, it is sufficient,
//! too. The values come from counterexamples: a point where `ψ` holds and no value so far will do is given to
//! the solver together with `φ`, which finds new values or says that `ψ` is too weak there.
//!
//! Source: the counterexample-guided scheme of Bjørner and Janota, *Playing with Quantified Satisfaction*,
//! LPAR 2015, with values only instead of a model-based projection.

use base::limits;
use term::{Substitution, TermId, VarId};

use super::Cx;
use crate::Verdict;
use crate::shape::and_all;

impl Cx<'_> {
    /// Whether a necessary condition of `∃ vars. parts` is known to be the strongest.
    pub(super) fn is_strongest(&mut self, weaker: TermId, parts: &[TermId], vars: &[VarId]) -> bool {
        let mut open = vec![weaker];
        for _ in 0..limits::ELIMINATE_WITNESSES {
            let point = match self.ask(&open) {
                Some(Verdict::Unsat(_)) => return true,
                Some(Verdict::Sat(model)) => model,
                _ => return false,
            };
            let mut others = self.walk.vars_of(self.terms, parts);
            others.retain(|var| !vars.contains(var));
            let at_point = self.values_of(&others, |var| point.assignment().get(var));
            let there: Vec<TermId> =
                parts.iter().map(|&part| self.walk.substitute(self.terms, part, &at_point)).collect();
            let Some(Verdict::Sat(witness)) = self.ask(&there) else { return false };
            let witness = self.values_of(vars, |var| witness.assignment().get(var));
            let instance: Vec<TermId> =
                parts.iter().map(|&part| self.walk.substitute(self.terms, part, &witness)).collect();
            let instance = and_all(self.terms, &instance);
            open.push(self.terms.not(instance));
        }
        false
    }

    /// One query, if there is one left and it is small.
    pub(super) fn ask(&mut self, conditions: &[TermId]) -> Option<Verdict> {
        if self.walk.size(self.terms, conditions) > limits::ELIMINATE_ASKED {
            return None;
        }
        self.queries = self.queries.checked_sub(1)?;
        Some(self.solver.check(self.terms, conditions))
    }

    fn values_of(&mut self, vars: &[VarId], value: impl Fn(VarId) -> u128) -> Substitution {
        vars.iter().map(|&var| (var, self.terms.constant(self.terms.var(var).width, value(var)))).collect()
    }
}
