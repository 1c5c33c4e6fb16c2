//! Simplification: the condition that the user reads.
//!
//! Judgment: `simplify(φ) = ψ` with `ψ ⇔ φ`, and `ψ` has no more atoms than `φ`.
//!
//! Source: Dillig, Dillig, Aiken, *Small Formulas for Large Programs: On-Line Constraint Simplification in
//! Scalable Static Analysis*, SAS 2010: a leaf of the ∧/∨ tree is redundant if what stands around it (its
//! *critical constraint*: the conjuncts beside it and beside its ancestors, and the negations of the
//! disjuncts) implies the leaf or its negation. A formula without redundant leaves is `false` only if it says
//! so, and `true` likewise.
//! Departures: (1) a budget in queries; what is not asked stays. (2) Common factors are pulled out,
//! `(a ∧ b) ∨ (a ∧ c) = a ∧ (b ∨ c)`. (3) Later leaves go first, because the first ones are what the program
//! asked first.

mod tree;

use base::limits;
use term::{TermId, Terms};

use crate::Solver;
use crate::shape::skeleton;
use tree::Tree;

/// An equivalent condition without parts that say nothing, as far as the budget goes.
pub fn simplify(terms: &mut Terms, solver: &mut Solver, condition: TermId) -> TermId {
    let before = atoms(terms, condition);
    if before == 0 || before > limits::SIMPLIFY_ATOMS {
        return condition;
    }
    let mut tree = Tree::of(terms, condition);
    let mut cx = Cx { terms, solver, queries: limits::SIMPLIFY_QUERIES };
    loop {
        let size = tree.leaves();
        tree = cx.simplified(tree, &mut Vec::new());
        tree = tree.factored();
        if tree.leaves() >= size || cx.queries == 0 {
            break;
        }
    }
    let result = tree.term(terms);
    if atoms(terms, result) <= before { result } else { condition }
}

/// How many atoms a reader sees in a condition: shared parts count as often as they are written.
pub fn atoms(terms: &Terms, condition: TermId) -> usize {
    let parts = skeleton(terms, condition);
    let mut counts: Vec<usize> = Vec::with_capacity(parts.len());
    for &part in &parts {
        let count = if crate::shape::is_atom(terms, part) {
            usize::from(terms.value(part).is_none())
        } else {
            let mut sum = 0usize;
            terms.for_each_operand(part, |operand| {
                let at = parts
                    .binary_search(&operand)
                    .expect("invariant: operands of Boolean operations are parts");
                sum = sum.saturating_add(counts[at]);
            });
            sum
        };
        counts.push(count);
    }
    counts.last().copied().unwrap_or(0)
}

/// The environment of one simplification.
struct Cx<'a> {
    terms: &'a mut Terms,
    solver: &'a mut Solver,
    queries: usize,
}

impl Cx<'_> {
    /// The tree without leaves that are redundant where `around` holds. Leaves `around` as it was.
    fn simplified(&mut self, tree: Tree, around: &mut Vec<TermId>) -> Tree {
        match tree {
            Tree::Leaf(leaf) => self.leaf(leaf, around),
            Tree::And(parts) => Tree::and(self.parts(parts, around, true)),
            Tree::Or(parts) => Tree::or(self.parts(parts, around, false)),
        }
    }

    /// Each part, where the others hold (of a conjunction) or fail (of a disjunction); from the last to the first.
    fn parts(&mut self, mut parts: Vec<Tree>, around: &mut Vec<TermId>, hold: bool) -> Vec<Tree> {
        for at in (0..parts.len()).rev() {
            let outside = around.len();
            for (_, other) in parts.iter().enumerate().filter(|&(other, _)| other != at) {
                let other = other.term(self.terms);
                around.push(if hold { other } else { self.terms.not(other) });
            }
            let part = std::mem::replace(&mut parts[at], Tree::And(Vec::new()));
            parts[at] = self.simplified(part, around);
            around.truncate(outside);
        }
        parts
    }

    /// `true` if what stands around implies the leaf, `false` if it contradicts it.
    fn leaf(&mut self, leaf: TermId, around: &mut Vec<TermId>) -> Tree {
        let negation = self.terms.not(leaf);
        if self.contradicts(around, negation) {
            return Tree::And(Vec::new());
        }
        if self.contradicts(around, leaf) {
            return Tree::Or(Vec::new());
        }
        Tree::Leaf(leaf)
    }

    fn contradicts(&mut self, around: &mut Vec<TermId>, condition: TermId) -> bool {
        if self.terms.value(condition) == Some(0) || around.iter().any(|&it| self.terms.not(it) == condition)
        {
            return true;
        }
        if self.queries == 0 || around.is_empty() && self.terms.vars_of(condition).is_empty() {
            return false;
        }
        self.queries -= 1;
        around.push(condition);
        let verdict = self.solver.check(self.terms, around);
        around.pop();
        verdict.is_unsat()
    }
}
