//! Small queries against trying all values.

use term::{Assignment, TermId, Terms};

use crate::options::Options;
use crate::soak::queries::{Formulas, Shape};
use crate::soak::rng::Rng;
use crate::soak::{Outcome, Tally};
use crate::{Solver, Verdict};

/// Queries about variables of 9 bits or fewer in all, against all assignments; cores must be contradictory by themselves.
pub fn brute_force(count: u64, seed: u64) -> Outcome {
    let mut rng = Rng::new(seed);
    let mut tally = Tally::default();
    while tally.queries() < count {
        let (width, vars) = rng.pick(&[(1, 5), (2, 4), (3, 3), (4, 2), (8, 1)]);
        let shape = Shape { width, vars, words: 14, conditions: 10, hard: true };
        let mut formulas = Formulas::new(&mut rng, shape);
        // Guesses answer most of what is satisfiable; without them the circuits do.
        let mut solver = Solver::with(Options { guess: rng.one_in(2), ..Options::default() });
        for _ in 0..16 {
            let query = formulas.query(&mut rng);
            let verdict = solver.check(&formulas.terms, &query);
            tally.count(&verdict);
            compare(&formulas.terms, &query, &verdict, width * vars as u32)?;
        }
    }
    Ok(tally)
}

fn compare(terms: &Terms, query: &[TermId], verdict: &Verdict, bits: u32) -> Result<(), String> {
    let wrong = match verdict {
        Verdict::Sat(model) => query.iter().any(|&condition| model.value(terms, condition) != 1),
        Verdict::Unsat(core) => {
            !is_part(core.conditions(), query) || has_solution(terms, core.conditions(), bits)
        }
        Verdict::Unknown(_) => true,
    };
    if wrong { Err(format!("{query:?} is not {verdict:?} in {terms:?}")) } else { Ok(()) }
}

/// Whether the first is a subsequence of the second.
fn is_part(few: &[TermId], many: &[TermId]) -> bool {
    let mut many = many.iter();
    few.iter().all(|condition| many.any(|other| other == condition))
}

fn has_solution(terms: &Terms, conditions: &[TermId], bits: u32) -> bool {
    (0u128..1 << bits).any(|number| {
        let mut assignment = Assignment::new();
        let mut rest = number;
        for var in terms.vars() {
            assignment.set(var, rest);
            rest >>= terms.var(var).width;
        }
        conditions.iter().all(|&condition| terms.eval(condition, &assignment) == 1)
    })
}
