//! Queries against the second back ends.

use crate::Solver;
use crate::options::{CrossCheck, Options};
use crate::soak::queries::{Formulas, Shape};
use crate::soak::rng::Rng;
use crate::soak::{Outcome, Tally};

/// Queries of up to 64 bits, about the same circuit.
#[cfg(feature = "cadical")]
pub fn cadical(count: u64, seed: u64) -> Outcome {
    compare(CrossCheck::Cadical, count, seed)
}

/// Queries of up to 64 bits, about the same terms.
#[cfg(feature = "z3")]
pub fn z3(count: u64, seed: u64) -> Outcome {
    compare(CrossCheck::Z3, count, seed)
}

fn compare(cross_check: CrossCheck, count: u64, seed: u64) -> Outcome {
    let mut rng = Rng::new(seed);
    let mut tally = Tally::default();
    while tally.queries() < count {
        let width = rng.pick(&[1, 3, 7, 8, 16, 32, 64]);
        // Products and quotients of wider words are too hard for all.
        let shape = Shape { width, vars: 3, words: 14, conditions: 10, hard: width <= 8 };
        let mut formulas = Formulas::new(&mut rng, shape);
        let guess = rng.one_in(2);
        let mut solver = Solver::with(Options { guess, cross_check, verify: true, ..Options::default() });
        for _ in 0..16 {
            let query = formulas.query(&mut rng);
            let verdict = solver.check(&formulas.terms, &query);
            tally.count(&verdict);
            if solver.stats().disagreements > 0 {
                return Err(format!("{query:?} is not {verdict:?} in {:?}", formulas.terms));
            }
        }
    }
    Ok(tally)
}
