//! Elimination and simplification against brute force, in small numbers for `cargo test`, in large ones for
//! `cargo x soak`.
//!
//! A random condition over a few variables, ten bits in all, is evaluated for all their values; so `∃` and
//! `∀` are known. An exact result must be equal to them, an inexact one on the right side. Simplification
//! must leave the values and add no atoms.

mod formula;

use term::{Assignment, TermId, Terms, VarId};

use super::{Cx, Eliminated, Rule};
use crate::Solver;
use crate::simplify::{atoms, simplify};
use crate::soak::Rng;
use formula::Formula;

/// How many conditions there were, and what became of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Eliminations: two of each condition, `∃` and `∀`.
    pub eliminations: u64,
    /// How many of them were exact.
    pub exact: u64,
    /// NotFollowed ones whose result is equal to the exact one nevertheless.
    pub exact_unnoticed: u64,
    /// In how many eliminations each rule was used.
    pub rules: Vec<(Rule, u64)>,
    /// Atoms of all conditions before elimination.
    pub atoms_before: u64,
    /// Atoms of all eliminated conditions.
    pub atoms_after: u64,
    /// Atoms of all results of elimination before they are simplified.
    pub atoms_unsimplified: u64,
}

impl Statistics {
    fn count(&mut self, mut used: Vec<Rule>, result: Eliminated, is_equal: bool) {
        self.eliminations += 1;
        self.exact += u64::from(result.exact);
        self.exact_unnoticed += u64::from(!result.exact && is_equal);
        used.sort_unstable();
        used.dedup();
        for rule in used {
            match self.rules.binary_search_by_key(&rule, |&(it, _)| it) {
                Ok(at) => self.rules[at].1 += 1,
                Err(at) => self.rules.insert(at, (rule, 1)),
            }
        }
    }
}

/// Atoms before and after simplification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Conditions.
    pub conditions: u64,
    /// Their atoms.
    pub before: u64,
    /// The atoms of what they became.
    pub after: u64,
}

/// Eliminates variables from `count` random conditions; the error describes the first wrong result.
pub fn eliminate(count: u64, seed: u64) -> Result<Statistics, String> {
    let mut statistics = Statistics::default();
    for number in 0..count {
        let mut rng = Rng::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
        let mut formula = Formula::random(&mut rng);
        let mut solver = Solver::new();
        let before = table(&formula.terms, formula.condition, &formula.vars);
        let condition = formula.condition;
        statistics.atoms_before += 2 * atoms(&formula.terms, condition) as u64;
        for universal in [false, true] {
            check(&mut formula, &mut solver, universal, &before, &mut statistics)
                .map_err(|what| format!("{what} (seed {seed}, number {number}): {}", formula.describe()))?;
        }
    }
    Ok(statistics)
}

/// One elimination, `∀` or `∃`; `before` are the values of the condition.
fn check(
    formula: &mut Formula,
    solver: &mut Solver,
    universal: bool,
    before: &[bool],
    statistics: &mut Statistics,
) -> Result<(), &'static str> {
    let terms = &mut formula.terms;
    // ∀X. φ = ¬∃X. ¬φ
    let condition = if universal { terms.not(formula.condition) } else { formula.condition };
    let mut cx = Cx::new(terms, solver);
    let raw = cx.necessary(condition, &formula.quantified);
    let used = std::mem::take(&mut cx.used);
    statistics.atoms_unsimplified += atoms(terms, raw.condition) as u64;
    let eliminate = if universal { super::sufficient } else { super::necessary };
    let result = eliminate(terms, solver, formula.condition, &formula.quantified);
    statistics.atoms_after += atoms(terms, result.condition) as u64;
    if terms
        .vars_of(result.condition)
        .iter()
        .any(|var| !formula.vars.contains(var) || formula.quantified.contains(var))
    {
        return Err("a variable is left");
    }
    let after = table(terms, result.condition, &formula.vars);
    let wanted = quantified(terms, before, &formula.vars, &formula.quantified, universal);
    statistics.count(used, result, after == wanted);
    if result.exact && after != wanted {
        return Err(if universal { "an exact ∀ is wrong" } else { "an exact ∃ is wrong" });
    }
    // ∃ implies a necessary condition, and a sufficient one implies ∀.
    let is_wrong =
        |(&after, &wanted): (&bool, &bool)| if universal { after && !wanted } else { wanted && !after };
    if after.iter().zip(&wanted).any(is_wrong) {
        return Err(if universal { "a sufficient condition is not" } else { "a necessary condition is not" });
    }
    Ok(())
}

/// Simplifies `count` random conditions; the error describes the first that has changed its meaning or has grown.
pub fn simplification(count: u64, seed: u64) -> Result<Sizes, String> {
    let mut sizes = Sizes::default();
    for number in 0..count {
        let mut rng = Rng::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
        let mut formula = Formula::random(&mut rng);
        let mut solver = Solver::new();
        let simple = simplify(&mut formula.terms, &mut solver, formula.condition);
        let terms = &formula.terms;
        let (before, after) = (atoms(terms, formula.condition), atoms(terms, simple));
        sizes.conditions += 1;
        sizes.before += before as u64;
        sizes.after += after as u64;
        let is_equal = table(terms, formula.condition, &formula.vars) == table(terms, simple, &formula.vars);
        if !is_equal || after > before {
            return Err(format!("simplified wrongly (seed {seed}, number {number}): {}", formula.describe()));
        }
    }
    Ok(sizes)
}

/// The values of a condition for all values of the variables; the first variable has the last bits of the position.
fn table(terms: &Terms, condition: TermId, vars: &[VarId]) -> Vec<bool> {
    let bits: u32 = vars.iter().map(|&var| terms.var(var).width).sum();
    let mut assignment = Assignment::new();
    (0..1u128 << bits)
        .map(|mut position| {
            for &var in vars {
                assignment.set(var, position);
                position >>= terms.var(var).width;
            }
            terms.eval(condition, &assignment) == 1
        })
        .collect()
}

/// The values of the condition with variables quantified, by the values of the condition.
fn quantified(terms: &Terms, table: &[bool], vars: &[VarId], over: &[VarId], universal: bool) -> Vec<bool> {
    let mut table = table.to_vec();
    let mut place = 0;
    for &var in vars {
        for bit in place..place + terms.var(var).width {
            if over.contains(&var) {
                let of = |at: usize| {
                    let (a, b) = (table[at], table[at ^ (1 << bit)]);
                    if universal { a && b } else { a || b }
                };
                table = (0..table.len()).map(of).collect();
            }
        }
        place += terms.var(var).width;
    }
    table
}
