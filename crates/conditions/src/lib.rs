//! The verdict: when does an error happen, and can a caller prevent it?
//!
//! Judgment: for the error triples of one site and kind, `C = ∨ᵢ ∃ unobservables. conditionᵢ` and `A = ∧ᵢ (the memory of presumptionᵢ exists)`.
//! *Manifest* iff `A ⇒ C` is valid and no presumption asks for freed memory; *latent* iff `A ∧ C` is satisfiable.
//! Source: Le et al., OOPSLA 2022, Thm 3.5: (1) the presumption asks for nothing, relaxed by Def. 3.6 to positive memory; (2) the result is satisfiable;
//! (3) new locations are existentially quantified, which holds by construction because allocation makes fresh variables; (4) the pure part holds for some choice of the
//! unobservables, for all observables, which is validity of the strongest necessary condition (Dillig et al., PLDI 2008, Def. 5).
//! Departures: all triples of a site are judged together (rule Disj of ISL); values that the engine did not follow are for all, as observables are, and a latent
//! error does not rest on them.

use std::collections::BTreeSet;

use catalog::Verdict;
use solver::Solver;
use solver::eliminate::{necessary, unobservable};
use solver::simplify::simplify;
use term::{Origin, TermId, Terms, VarId};

/// An error triple, as far as the verdict is concerned.
#[derive(Clone, Debug)]
pub struct Case {
    /// All that must hold on the path.
    pub conditions: Vec<TermId>,
    /// What holds because the memory of the presumption exists.
    pub laws: Vec<TermId>,
    /// What must hold, or C leaves undefined what happens on the path. A context in which the path is taken and this does not hold is none that counts.
    pub defined: Vec<TermId>,
    /// Whether the presumption asks for freed memory.
    pub negative: bool,
    /// Addresses of new memory: nobody chooses them, neither caller nor environment.
    pub locations: Vec<VarId>,
}

/// Whether it is plain that a caller can prevent an error: all its cases ask for one and the same simple fact about a value that the laws of memory say
/// nothing about. Then `A ⇒ C` is not valid, and no solver need be asked.
pub fn is_plainly_latent(terms: &Terms, cases: &[Case]) -> bool {
    let Some((first, others)) = cases.split_first() else { return false };
    let laws = cases.iter().flat_map(|case| &case.laws);
    let bound: BTreeSet<VarId> = laws.flat_map(|&law| terms.vars_of(law)).collect();
    first.conditions.iter().any(|condition| {
        let tested = terms.tested(*condition);
        tested.is_some_and(|var| is_fixed(terms, var) && !bound.contains(&var))
            && others.iter().all(|other| other.conditions.contains(condition))
    })
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

/// Decides about all triples of one error. `None`: none of them can happen, or nobody knows. The condition is worked out only if somebody reads it.
pub fn judge(terms: &mut Terms, solver: &mut Solver, cases: &[Case], is_read: bool) -> Option<Judged> {
    let mut possible = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        // (2) sat(q)
        let all: Vec<TermId> =
            case.conditions.iter().chain(&case.laws).chain(&case.defined).copied().collect();
        if solver.check(terms, &all).is_sat() {
            possible.push(at);
        }
    }
    if possible.is_empty() {
        return None;
    }
    let positive: Vec<&Case> = possible.iter().map(|&at| &cases[at]).filter(|case| !case.negative).collect();
    let laws: Vec<TermId> = positive.iter().flat_map(|case| case.laws.iter().copied()).collect();
    // Each C implies what its case says of observables alone; if that is not valid, C is not.
    let mut weak = terms.no();
    // What asks for freed memory is never manifest; it is told under its own conditions if there is nothing else.
    let told: Vec<&Case> = match positive.is_empty() {
        true => possible.iter().map(|&at| &cases[at]).collect(),
        false => positive.clone(),
    };
    for case in &told {
        let visible = visible_conditions(terms, case);
        let visible = terms.conjunction(&visible);
        weak = terms.or(weak, visible);
    }
    let latent = |condition| Some(Judged { verdict: Verdict::Latent, condition, possible: possible.clone() });
    if positive.is_empty() || !is_implied(terms, solver, &laws, weak) {
        let small = is_read && told.iter().all(|case| case.conditions.len() <= MAX_READ);
        if !small {
            return latent(weak);
        }
        let (any, _) = necessary_condition(terms, solver, &told);
        return latent(simplify(terms, solver, any));
    }
    // (4) A ⇒ C
    let (any, exact) = necessary_condition(terms, solver, &positive);
    // Laws of different paths that contradict one another would imply everything.
    let laws = if solver.check(terms, &laws).is_sat() { laws } else { Vec::new() };
    if exact && is_implied(terms, solver, &laws, any) {
        let condition = terms.yes();
        return Some(Judged { verdict: Verdict::Manifest, condition, possible });
    }
    latent(any)
}

/// Conditions of the longest path whose condition is worked out for people.
const MAX_READ: usize = 12;

/// `C`, and whether it is exact.
fn necessary_condition(terms: &mut Terms, solver: &mut Solver, cases: &[&Case]) -> (TermId, bool) {
    let mut any = terms.no();
    let mut exact = true;
    for case in cases {
        let conditions = open_conditions(terms, solver, case);
        let condition = terms.conjunction(&conditions);
        let mut vars = unobservable(terms, condition);
        vars.retain(|var| !case.locations.contains(var) && !is_fixed(terms, *var));
        let result = necessary(terms, solver, condition, &vars);
        exact &= result.exact;
        any = terms.or(any, result.condition);
    }
    (any, exact)
}

/// Whether nobody chooses a value for the error to happen: it is the caller's, or one that the program computes and the engine did not follow.
fn is_fixed(terms: &Terms, var: VarId) -> bool {
    let origin = terms.var(var).origin;
    origin.is_observable() || origin == Origin::LoopHavoc
}

/// The conditions about nothing but what callers choose, and locations.
fn visible_conditions(terms: &Terms, case: &Case) -> Vec<TermId> {
    let is_visible = |var: &VarId| is_fixed(terms, *var) || case.locations.contains(var);
    let conditions = case.conditions.iter().copied();
    conditions.filter(|&it| terms.vars_of(it).iter().all(is_visible)).collect()
}

fn is_implied(terms: &mut Terms, solver: &mut Solver, laws: &[TermId], condition: TermId) -> bool {
    let mut refutation = laws.to_vec();
    refutation.push(terms.not(condition));
    solver.check(terms, &refutation).is_unsat()
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
