//! The verdict: when does an error happen, and can a caller prevent it?
//!
//! Judgment: for the error triples of one site and kind, `C = ∨ᵢ ∃ unobservables. conditionᵢ` and
//! `A = ∧ᵢ (the memory of presumptionᵢ exists)`. *Manifest* iff `A ⇒ C` is valid and no presumption asks for
//! freed memory; *latent* iff `A ∧ C` is satisfiable. A manifest error is *relaxed* if `A` asks for memory;
//! then it says which.
//! Source: Le et al., OOPSLA 2022, Thm 3.5: (1) the presumption asks for nothing, relaxed by Def. 3.6 to
//! positive memory; (2) the result is satisfiable; (3) new locations are existentially quantified, which
//! holds by construction because allocation makes fresh variables; (4) the pure part holds for some choice of
//! the unobservables, for all observables, which is validity of the strongest necessary condition (Dillig et
//! al., PLDI 2008, Def. 5).
//! Departures: all triples of a site are judged together (rule Disj of ISL); values that the engine did not
//! follow are for all, as observables are, and a latent error does not rest on them.
//!
//! Reading order: this file (the verdict), [`disposition`] (what becomes of an error), [`words`] (its
//! condition, for people).

pub mod disposition;
pub mod words;

use std::collections::{BTreeMap, BTreeSet};

use base::limits;
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
    /// That different blocks of the presumption are apart: so it is on the path, but a caller may have pointers to one block in their places.
    pub apart: Vec<TermId>,
    /// What must hold, or C leaves undefined what happens on the path. A context in which the path is taken and this does not hold is none that counts.
    pub defined: Vec<TermId>,
    /// Whether the presumption asks for freed memory.
    pub negative: bool,
    /// Addresses of new memory: nobody chooses them, neither caller nor environment.
    pub locations: Vec<VarId>,
    /// The caller's memory that the path needs, in the order of discovery.
    pub memory: Vec<Memory>,
}

/// Memory of the caller's that must exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The pointer by which it is found.
    pub base: TermId,
    /// The bytes that the path looks at or changes, behind the pointer: from, to.
    pub touched: (i64, i64),
    /// The bytes that it changes; empty if it changes none.
    pub changed: (i64, i64),
}

impl Memory {
    /// Whether it matters that two pointers lead to different objects: one path changes what the other looks at.
    pub fn must_be_apart(&self, other: &Memory) -> bool {
        let meet = |a: (i64, i64), b: (i64, i64)| a.0.max(b.0) < a.1.min(b.1);
        meet(self.changed, other.touched) || meet(other.changed, self.touched)
    }

    /// Both of what two paths do with the memory.
    fn join(&mut self, other: &Memory) {
        let hull = |a: (i64, i64), b: (i64, i64)| if a.0 >= a.1 { b } else { (a.0.min(b.0), a.1.max(b.1)) };
        self.touched = hull(self.touched, other.touched);
        self.changed =
            if other.changed.0 < other.changed.1 { hull(self.changed, other.changed) } else { self.changed };
    }
}

/// Whether it is plain that a caller can prevent an error: each of its cases asks for a simple fact about a value that the laws of memory say nothing
/// about, and no two of them for different facts about the same value. Then `A ⇒ C` is not valid, and no solver need be asked.
pub fn is_plainly_latent(terms: &Terms, cases: &[Case]) -> bool {
    let laws = cases.iter().flat_map(|case| &case.laws);
    let bound: BTreeSet<VarId> = laws.flat_map(|&law| terms.vars_of(law)).collect();
    let mut prevented: BTreeMap<VarId, TermId> = BTreeMap::new();
    let mut prevent = |case: &Case| {
        let tests =
            case.conditions.iter().filter_map(|&condition| Some((terms.tested(condition)?, condition)));
        let tests: Vec<(VarId, TermId)> =
            tests.filter(|(var, _)| is_fixed(terms, *var) && !bound.contains(var)).collect();
        if tests.iter().any(|(var, condition)| prevented.get(var) == Some(condition)) {
            return true;
        }
        let free = tests.into_iter().find(|(var, _)| !prevented.contains_key(var));
        free.is_some_and(|(var, condition)| prevented.insert(var, condition).is_none())
    };
    !cases.is_empty() && cases.iter().all(&mut prevent)
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
    /// Of a manifest error: the memory of the caller's that must exist for it to happen (Def. 3.6); if none must, no caller can prevent it (Thm 3.5).
    pub memory: Vec<Memory>,
}

/// What somebody wants to know of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The verdict, and the condition for people to read.
    Condition,
    /// The verdict.
    Verdict,
    /// The verdict if it is manifest. Otherwise callers judge it, and find out which cases can happen.
    Certainty,
}

/// Decides about all triples of one error. `None`: none of them can happen, or nobody knows.
pub fn judge(terms: &mut Terms, solver: &mut Solver, cases: &[Case], wanted: Wanted) -> Option<Judged> {
    if wanted == Wanted::Certainty {
        let every: Vec<&Case> = cases.iter().collect();
        if let Some(condition) = weakly_latent(terms, solver, &positive(&every), &told(&every)) {
            let possible = (0..cases.len()).collect();
            return Some(Judged { verdict: Verdict::Latent, condition, possible, memory: Vec::new() });
        }
    }
    let mut possible = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        if can_happen(terms, solver, case) {
            possible.push(at);
        }
    }
    if possible.is_empty() {
        return None;
    }
    let able: Vec<&Case> = possible.iter().map(|&at| &cases[at]).collect();
    let (positive, told) = (positive(&able), told(&able));
    if let Some(weak) = weakly_latent(terms, solver, &positive, &told) {
        let small = wanted == Wanted::Condition
            && told.iter().all(|case| case.conditions.len() <= limits::CONDITION_READ);
        let condition = match small {
            true => {
                let (any, _) = necessary_condition(terms, solver, &told);
                simplify(terms, solver, any)
            }
            false => weak,
        };
        return Some(Judged { verdict: Verdict::Latent, condition, possible, memory: Vec::new() });
    }
    match is_certain(terms, solver, &positive) {
        Ok(()) => {
            let (condition, memory) = (terms.yes(), least_memory(terms, solver, &positive));
            Some(Judged { verdict: Verdict::Manifest, condition, possible, memory })
        }
        Err(condition) => Some(Judged { verdict: Verdict::Latent, condition, possible, memory: Vec::new() }),
    }
}

/// Thm 3.5 (4): `A ⇒ C` is valid. Otherwise `C`.
fn is_certain(terms: &mut Terms, solver: &mut Solver, cases: &[&Case]) -> Result<(), TermId> {
    let laws = laws_of(cases);
    let (any, exact) = necessary_condition(terms, solver, cases);
    // Laws of different paths that contradict one another would imply everything.
    let laws = if solver.check(terms, &laws).is_sat() { laws } else { Vec::new() };
    if exact && is_implied(terms, solver, &laws, any) { Ok(()) } else { Err(any) }
}

/// The memory that must exist for a manifest error to happen: of the cases that suffice, those that ask for least.
fn least_memory(terms: &mut Terms, solver: &mut Solver, cases: &[&Case]) -> Vec<Memory> {
    let amounts: BTreeSet<usize> = cases.iter().map(|case| case.memory.len()).collect();
    let most = amounts.last().copied().unwrap_or(0);
    let enough = amounts.into_iter().find(|&amount| {
        let able: Vec<&Case> = cases.iter().copied().filter(|case| case.memory.len() <= amount).collect();
        amount == most || is_certain(terms, solver, &able).is_ok()
    });
    let mut memory: Vec<Memory> = Vec::new();
    for needed in cases.iter().filter(|case| Some(case.memory.len()) <= enough).flat_map(|case| &case.memory)
    {
        match memory.iter_mut().find(|it| it.base == needed.base) {
            Some(known) => known.join(needed),
            None => memory.push(*needed),
        }
    }
    memory
}

/// Thm 3.5 (2): sat(q).
pub fn can_happen(terms: &Terms, solver: &mut Solver, case: &Case) -> bool {
    let all = [&case.conditions, &case.laws, &case.apart, &case.defined];
    let all: Vec<TermId> = all.into_iter().flatten().copied().collect();
    solver.check(terms, &all).is_sat()
}

/// The cases that ask for no freed memory.
fn positive<'a>(cases: &[&'a Case]) -> Vec<&'a Case> {
    cases.iter().copied().filter(|case| !case.negative).collect()
}

/// The cases that people are told of. What asks for freed memory is never manifest; it is told under its own conditions if there is nothing else.
fn told<'a>(cases: &[&'a Case]) -> Vec<&'a Case> {
    let positive = positive(cases);
    if positive.is_empty() { cases.to_vec() } else { positive }
}

fn laws_of(cases: &[&Case]) -> Vec<TermId> {
    cases.iter().flat_map(|case| case.laws.iter().copied()).collect()
}

/// A condition that each `C` implies and that is not valid, if there is one: what the cases say of observables alone.
fn weakly_latent(
    terms: &mut Terms,
    solver: &mut Solver,
    positive: &[&Case],
    told: &[&Case],
) -> Option<TermId> {
    let mut weak = terms.no();
    for case in told {
        let visible = visible_conditions(terms, case);
        let visible = terms.conjunction(&visible);
        weak = terms.or(weak, visible);
    }
    (positive.is_empty() || !is_implied(terms, solver, &laws_of(positive), weak)).then_some(weak)
}

/// What cases say of observables alone, of all of them together: what each error implies.
pub fn weakest(terms: &mut Terms, cases: &[Case]) -> TermId {
    let mut weak = terms.no();
    for case in cases {
        let visible = visible_conditions(terms, case);
        let visible = terms.conjunction(&visible);
        weak = terms.or(weak, visible);
    }
    weak
}

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
    origin.is_observable() || origin == Origin::NotFollowed
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
