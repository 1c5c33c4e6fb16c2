//! The laws of [`Facts`](super::Facts) against brute force, in any number: for tests, and at full number for
//! `cargo x soak`.
//!
//! Each case is a random conjunction. At small widths all values of its variables are tried: `Unsat` must
//! have no model, what is decided must hold in all models, and ranges must contain the values of all models.
//! At full widths the conjunction is made to be true under a random assignment, which must not be excluded.

mod random;

use base::Id;

use super::{Answer, Facts};
use crate::arena::{TermId, Terms};
use crate::eval;
use crate::node::Node;
use crate::value::mask;
use random::{Generator, Shape};

/// What a run has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Conjunctions.
    pub cases: usize,
    /// Those without a model.
    pub unsat: usize,
    /// Those of them that were found.
    pub found: usize,
    /// Conditions that were asked for, are decided by the facts, and those of them that were.
    pub decidable: usize,
    /// See `decidable`.
    pub decided: usize,
}

impl Statistics {
    /// The share of conjunctions without a model that were found, in percent.
    pub fn recall(&self) -> usize {
        (self.found * 100).checked_div(self.unsat).unwrap_or(100)
    }
}

/// Conjunctions of all operations, at width 3 and 4.
pub fn any(count: usize, seed: u64) -> Result<Statistics, String> {
    small(count, seed, Shape::Any)
}

/// Conjunctions as the branches of C functions make them, at width 3 and 4.
pub fn branches(count: usize, seed: u64) -> Result<Statistics, String> {
    small(count, seed, Shape::Branches)
}

/// Conjunctions at widths of 8 to 128 bits that a random assignment makes true.
pub fn full_width(count: usize, seed: u64) -> Result<Statistics, String> {
    let mut statistics = Statistics::default();
    for case in 0..count {
        statistics.cases += 1;
        let mut generator = Generator::new(seed.wrapping_add(case as u64));
        let shape = if generator.chance(2) { Shape::Any } else { Shape::Branches };
        let width = [8, 16, 32, 64, 128][generator.below(5)];
        let (mut terms, mut conditions) = generator.conjunction(shape, width, 3);
        let assignment = generator.assignment(&terms);
        for condition in &mut conditions {
            if terms.eval(*condition, &assignment) == 0 {
                *condition = terms.not(*condition);
            }
        }
        let mut facts = Facts::new();
        for &condition in &conditions {
            if facts.assume(&terms, condition) == Answer::Unsat {
                return Err(complaint(&terms, &conditions, "has a model, but counts as unsat", seed, case));
            }
        }
        let count = terms.len();
        for term in (0..count).map(TermId::new) {
            if !facts.range(&terms, term).contains(terms.eval(term, &assignment)) {
                let what = format!("excludes the value of {term}");
                return Err(complaint(&terms, &conditions, &what, seed, case));
            }
        }
    }
    Ok(statistics)
}

fn small(count: usize, seed: u64, shape: Shape) -> Result<Statistics, String> {
    let mut statistics = Statistics::default();
    for case in 0..count {
        let mut generator = Generator::new(seed.wrapping_add(case as u64));
        let (width, n_vars) = if generator.chance(2) { (4, 2) } else { (3, 3) };
        let (mut terms, conditions) = generator.conjunction(shape, width, n_vars);
        check(&mut terms, &conditions, &mut generator, &mut statistics)
            .map_err(|what| complaint(&terms, &conditions, &what, seed, case))?;
    }
    Ok(statistics)
}

/// Assumes the conditions, of which the last is only asked for, and compares everything with all models.
fn check(
    terms: &mut Terms,
    conditions: &[TermId],
    generator: &mut Generator,
    statistics: &mut Statistics,
) -> Result<(), String> {
    statistics.cases += 1;
    let Some((&asked, assumed)) = conditions.split_last() else { return Ok(()) };
    let mut facts = Facts::new();
    let mut done = 0;
    for &condition in assumed {
        // A fork that goes another way must not be seen.
        if generator.chance(2) {
            facts.clone().assume(terms, asked);
        }
        done += 1;
        if facts.assume(terms, condition) == Answer::Unsat {
            break;
        }
    }
    let models = Models::of(terms, &assumed[..done]);
    if facts.is_unsat() {
        if models.rows.is_empty() {
            statistics.unsat += 1;
            statistics.found += 1;
            return Ok(());
        }
        return Err(format!("has a model, but counts as unsat after {done} conditions"));
    }
    if models.rows.is_empty() {
        statistics.unsat += 1;
        return Ok(());
    }
    if let Some(what) = wrong_range(terms, &facts, &models) {
        return Err(what);
    }
    let both = (models.all(asked, 1), models.all(asked, 0));
    statistics.decidable += usize::from(both.0 || both.1);
    match facts.decide(terms, asked) {
        Some(true) if !both.0 => return Err(format!("decides that {asked} is true")),
        Some(false) if !both.1 => return Err(format!("decides that {asked} is false")),
        answer => statistics.decided += usize::from(answer.is_some()),
    }
    Ok(())
}

fn wrong_range(terms: &Terms, facts: &Facts, models: &Models) -> Option<String> {
    for term in (0..terms.len()).map(TermId::new) {
        let range = facts.range(terms, term);
        if let Some(row) = models.rows.iter().find(|row| !range.contains(row[term.index()])) {
            return Some(format!("excludes {} for {term}: {range:?}", row[term.index()]));
        }
        if let Some((base, offset)) = facts.base_and_offset(terms, term) {
            let sum = |row: &[u128]| row[base.index()].wrapping_add(offset) & mask(terms.width(term));
            if models.rows.iter().any(|row| row[term.index()] != sum(row)) {
                return Some(format!("takes {base} + {offset} for {term}"));
            }
        }
    }
    None
}

/// The values of all terms in all models.
struct Models {
    rows: Vec<Vec<u128>>,
}

impl Models {
    fn of(terms: &Terms, conditions: &[TermId]) -> Models {
        let widths: Vec<u32> = terms.vars().map(|var| terms.var(var).width).collect();
        let total: u32 = widths.iter().sum();
        let mut rows = Vec::new();
        for mut packed in 0..1u64 << total {
            let mut values = Vec::with_capacity(widths.len());
            for &width in &widths {
                values.push(u128::from(packed) & mask(width));
                packed >>= width;
            }
            let row = evaluated(terms, &values);
            if conditions.iter().all(|condition| row[condition.index()] == 1) {
                rows.push(row);
            }
        }
        Models { rows }
    }

    fn all(&self, condition: TermId, value: u128) -> bool {
        self.rows.iter().all(|row| row[condition.index()] == value)
    }
}

/// The values of all terms; operands are older than what they are in.
fn evaluated(terms: &Terms, vars: &[u128]) -> Vec<u128> {
    let mut row: Vec<u128> = Vec::with_capacity(terms.len());
    for term in (0..terms.len()).map(TermId::new) {
        let width = terms.width(term);
        let of = |term: TermId| row[term.index()];
        let value = match terms.node(term) {
            Node::Const(value) => value,
            Node::Var(var) => vars[var.index()],
            Node::Unary(op, a) => eval::unary(op, width, of(a)),
            Node::Binary(op, a, b) => eval::binary(op, terms.width(b), of(a), of(b)),
            Node::Extend(op, a) => eval::extend(op, terms.width(a), width, of(a)),
            Node::Extract { from, low } => eval::extract(of(from), low, width),
            Node::Ite(c, a, b) => of(if of(c) != 0 { a } else { b }),
        };
        row.push(value);
    }
    row
}

fn complaint(terms: &Terms, conditions: &[TermId], what: &str, seed: u64, case: usize) -> String {
    let mut text = format!("case {case} of seed {seed}: the conjunction {what}\n");
    for &condition in conditions {
        text += &format!("  {condition}: {}\n", terms.show(condition));
    }
    text
}
