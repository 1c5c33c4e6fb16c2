//! The fast tier against this one.

use term::Facts;

use crate::soak::Tally;
use crate::soak::queries::{Formulas, Shape};
use crate::soak::rng::Rng;
use crate::{Solver, Verdict};

/// How conjunctions were judged by both tiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// By the SAT tier.
    pub exact: Tally,
    /// Contradictory ones that the fast tier found.
    pub found: u64,
}

/// Conjunctions of conditions of up to 64 bits: what the fast tier calls contradictory must be.
pub fn fast_tier(count: u64, seed: u64) -> Result<Agreement, String> {
    let mut rng = Rng::new(seed);
    let mut agreement = Agreement::default();
    while agreement.exact.queries() < count {
        let width = rng.pick(&[1, 3, 7, 8, 16, 32, 64]);
        let shape = Shape { width, vars: 3, words: 8, conditions: 10, hard: width <= 8 };
        let mut formulas = Formulas::new(&mut rng, shape);
        let mut solver = Solver::new();
        for _ in 0..16 {
            let query = formulas.query(&mut rng);
            let mut facts = Facts::new();
            for &condition in &query {
                let _ = facts.assume(&formulas.terms, condition);
            }
            let verdict = solver.check(&formulas.terms, &query);
            agreement.exact.count(&verdict);
            if facts.is_unsat() && matches!(verdict, Verdict::Sat(_)) {
                return Err(format!("{query:?} is not contradictory: {verdict:?} in {:?}", formulas.terms));
            }
            agreement.found += u64::from(facts.is_unsat());
        }
    }
    Ok(agreement)
}
