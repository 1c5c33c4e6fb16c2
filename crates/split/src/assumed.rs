//! What an error assumes of code that nobody knows.
//!
//! Judgment: an error on the paths `C₁ … Cₙ` rests on what `f` returns if that decides whether one of them is
//! taken: `∃x, x'. (C₁ ∨ … ∨ Cₙ)[x] ∧ ¬(C₁ ∨ … ∨ Cₙ)[x']`, where `x` are the results of `f` and what the memory
//! behind them holds. Decisions that do not matter cancel out: both sides of `if (f()) log();` go on to the
//! error.
//! Source: Le et al., OOPSLA 2022, §5 (false positives that rest on unknown code).
//! Not covered: what unknown code leaves in variables whose address it got.

use std::collections::{BTreeMap, BTreeSet};

use heap::State;
use heap::path::Reason;
use term::{Origin, Substitution, TermId, VarId};

use crate::arena::Arena;

/// The functions on whose results an error rests that happens on some paths.
pub(crate) fn assumed<'s>(arena: &mut Arena, paths: impl Iterator<Item = &'s State>) -> Vec<String> {
    let mut cases: Vec<TermId> = Vec::new();
    for state in paths {
        // That something did not fail on the way is no decision.
        let decided = state.path.conditions.iter();
        let decided = decided.filter(|it| !matches!(it.reason, Reason::Needed | Reason::Havoc));
        let decided: Vec<TermId> = decided.map(|it| it.term).collect();
        cases.push(arena.terms.conjunction(&decided));
    }
    let none = arena.terms.no();
    let all = cases.into_iter().fold(none, |all, case| arena.terms.or(all, case));
    let mut answers: BTreeMap<String, BTreeSet<VarId>> = BTreeMap::new();
    for var in arena.terms.vars_of(all) {
        if let Some(function) = answered_by(arena, var) {
            answers.entry(function).or_default().insert(var);
        }
    }
    answers.retain(|_, vars| decides(arena, all, vars));
    answers.into_keys().collect()
}

/// The function that nobody knows that a value comes from, directly or through its memory.
fn answered_by(arena: &Arena, var: VarId) -> Option<String> {
    match arena.terms.var(var).origin {
        Origin::UnknownCall => match arena.sources()[var].as_ref()?.origin.clone() {
            catalog::Origin::Returned(function) => Some(function),
            _ => None,
        },
        Origin::UnknownMemory => {
            let base = arena.holder_of(arena.terms.var_term(var))?;
            arena.terms.vars_of(base).into_iter().find_map(|var| answered_by(arena, var))
        }
        _ => None,
    }
}

/// Whether the values of some variables decide about a condition.
fn decides(arena: &mut Arena, condition: TermId, vars: &BTreeSet<VarId>) -> bool {
    let mut others = Substitution::new();
    for &var in vars {
        let width = arena.terms.var(var).width;
        let other = arena.local(width, Origin::UnknownCall, "");
        others.set(var, other);
    }
    let image = arena.terms.substitute(condition, &others);
    let fails = arena.terms.not(image);
    !arena.prover.solver.check(&arena.heap.terms, &[condition, fails]).is_unsat()
}
