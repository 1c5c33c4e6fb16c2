//! The verdict: when does an error happen, and can a caller prevent it?
//!
//! Judgment: for the error triples of one site and kind, `C = ∨ᵢ ∃ unobservables. conditionᵢ` and `A = ∧ᵢ (the memory of presumptionᵢ exists)`.
//! *Manifest* iff `A ⇒ C` is valid and no presumption asks for freed memory; *latent* iff `A ∧ C` is satisfiable.
//! Source: Le et al., OOPSLA 2022, Thm 3.5: (1) the presumption asks for nothing, relaxed by Def. 3.6 to positive memory; (2) the result is satisfiable;
//! (3) new locations are existentially quantified, which holds by construction because allocation makes fresh variables; (4) the pure part holds for some choice of the
//! unobservables, for all observables, which is validity of the strongest necessary condition (Dillig et al., PLDI 2008, Def. 5).
//! Departure: all triples of a site are judged together (rule Disj of ISL).

use catalog::Verdict;
use solver::Solver;
use solver::eliminate::{necessary, unobservable};
use solver::simplify::simplify;
use term::{TermId, Terms, VarId};

/// An error triple, as far as the verdict is concerned.
#[derive(Clone, Debug)]
pub struct Case {
    /// All that must hold on the path.
    pub conditions: Vec<TermId>,
    /// What holds because the memory of the presumption exists, and because C defines it.
    pub laws: Vec<TermId>,
    /// Whether the presumption asks for freed memory.
    pub negative: bool,
    /// Addresses of new memory: nobody chooses them, neither caller nor environment.
    pub locations: Vec<VarId>,
}

/// What is known of an error.
#[derive(Clone, Debug)]
pub struct Judged {
    /// How certain it is.
    pub verdict: Verdict,
    /// When it happens, over what a caller can choose.
    pub condition: TermId,
    /// The cases that can happen, by position.
    pub possible: Vec<usize>,
}

/// Decides about all triples of one error. `None`: none of them can happen, or nobody knows.
pub fn judge(terms: &mut Terms, solver: &mut Solver, cases: &[Case]) -> Option<Judged> {
    let mut possible = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        // (2) sat(q)
        let all: Vec<TermId> = case.conditions.iter().chain(&case.laws).copied().collect();
        if solver.check(terms, &all).is_sat() {
            possible.push(at);
        }
    }
    if possible.is_empty() {
        return None;
    }
    let mut any = terms.no();
    let mut laws = Vec::new();
    let mut exact = true;
    for &at in possible.iter().filter(|&&at| !cases[at].negative) {
        let conditions = open_conditions(terms, solver, &cases[at]);
        let condition = terms.conjunction(&conditions);
        let mut vars = unobservable(terms, condition);
        vars.retain(|var| !cases[at].locations.contains(var));
        let result = necessary(terms, solver, condition, &vars);
        exact &= result.exact;
        any = terms.or(any, result.condition);
        laws.extend(cases[at].laws.iter().copied());
    }
    // (4) A ⇒ C
    let negation = terms.not(any);
    let mut refutation = laws.clone();
    refutation.push(negation);
    let is_positive = possible.iter().any(|&at| !cases[at].negative);
    let is_valid = is_positive && exact && solver.check(terms, &refutation).is_unsat();
    let verdict = if is_valid { Verdict::Manifest } else { Verdict::Latent };
    let condition = match is_valid {
        true => terms.yes(),
        false => simplify(terms, solver, any),
    };
    Some(Judged { verdict, condition, possible })
}

/// The conditions that do not hold anyway, because the memory exists.
fn open_conditions(terms: &mut Terms, solver: &mut Solver, case: &Case) -> Vec<TermId> {
    let mut open = Vec::with_capacity(case.conditions.len());
    for &condition in &case.conditions {
        let mut query = case.laws.clone();
        query.push(terms.not(condition));
        if case.laws.is_empty() || !solver.check(terms, &query).is_unsat() {
            open.push(condition);
        }
    }
    open
}
