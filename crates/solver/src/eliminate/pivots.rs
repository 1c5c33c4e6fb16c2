//! Variables that occur only inside one term to which they can give any value.
//!
//! Whatever `n` is, `x + n` runs through all values as `x` does. So if `x` occurs nowhere else,
//! `∃x. φ(x + n)` is `∃y. φ(y)`. This goes on upward, through `y == t`, which may be true and false, whatever
//! `t` is; `y < t` may, unless `t` is 0. (In SMT solvers this is the elimination of unconstrained terms.)

use rustc_hash::FxHashMap;
use term::{Binary, Node, Origin, TermId, Unary, VarId, mask};

use super::{Cx, Eliminated, Rule};

impl Cx<'_> {
    /// Replaces the largest term that one of the variables can give any value by a new variable.
    pub(super) fn pivot(&mut self, parts: &[TermId], vars: &[VarId]) -> Option<Eliminated> {
        let parents = self.parents(parts);
        let (var, pivot) = vars.iter().find_map(|&var| Some((var, self.largest_pivot(var, &parents)?)))?;
        self.used.push(Rule::Pivot);
        let fresh = self.terms.fresh(self.terms.width(pivot), Origin::UnknownCall, "");
        let mut image = fresh;
        if let Some(possible) = self.possible(pivot, var) {
            image = self.terms.and(fresh, possible);
        }
        let left = self.replace(parts, pivot, image);
        let mut vars = vars.to_vec();
        vars.retain(|&it| it != var);
        vars.extend(self.terms.vars_of(fresh));
        Some(self.conjunction(&left, &vars))
    }

    /// The term of which each term is an operand, if there is only one and it is so only once.
    fn parents(&mut self, parts: &[TermId]) -> FxHashMap<TermId, Option<TermId>> {
        let mut parents: FxHashMap<TermId, Option<TermId>> = FxHashMap::default();
        // A part is needed as it is: as if it had a second parent.
        parents.extend(parts.iter().map(|&part| (part, None)));
        let terms = &*self.terms;
        self.walk.subterms(terms, parts, |parent| {
            terms.for_each_operand(parent, |operand| {
                parents.entry(operand).and_modify(|other| *other = None).or_insert(Some(parent));
            });
        });
        parents
    }

    fn largest_pivot(&mut self, var: VarId, parents: &FxHashMap<TermId, Option<TermId>>) -> Option<TermId> {
        let mut pivot = None;
        let mut inside = self.variable(var);
        while let Some(&Some(parent)) = parents.get(&inside) {
            if !self.takes_all_values(parent, inside) {
                break;
            }
            pivot = Some(parent);
            inside = parent;
            if self.is_order(parent) {
                // Its image has a condition, so nothing above it is free.
                break;
            }
        }
        pivot
    }

    /// Whether `parent` takes all values as its operand `inside` does, whatever the other operand is; of an order, whether it
    /// does wherever [`possible`](Cx::possible) holds.
    fn takes_all_values(&self, parent: TermId, inside: TermId) -> bool {
        match self.terms.node(parent) {
            Node::Unary(Unary::Not, _) | Node::Extract { .. } => true,
            Node::Binary(op, a, b) => match op {
                Binary::Add | Binary::Xor | Binary::Eq | Binary::Ult | Binary::Slt => a != b,
                Binary::Mul => a == inside && self.terms.value(b).is_some_and(|by| by & 1 == 1),
                _ => false,
            },
            _ => false,
        }
    }

    fn is_order(&self, term: TermId) -> bool {
        matches!(self.terms.node(term), Node::Binary(Binary::Ult | Binary::Slt, ..))
    }

    /// For an order: when it can hold. `x < t ⇔ t ≠ min`, `t < x ⇔ t ≠ max`.
    fn possible(&mut self, pivot: TermId, var: VarId) -> Option<TermId> {
        let Node::Binary(op @ (Binary::Ult | Binary::Slt), a, b) = self.terms.node(pivot) else {
            return None;
        };
        let width = self.terms.width(a);
        let all = mask(width);
        let (least, greatest) = if op == Binary::Ult { (0, all) } else { (all ^ (all >> 1), all >> 1) };
        let (other, end) = if self.mentions(a, var) { (b, least) } else { (a, greatest) };
        let end = self.terms.constant(width, end);
        Some(self.terms.ne(other, end))
    }

    /// The conditions with a subterm replaced.
    pub(super) fn replace(&mut self, parts: &[TermId], from: TermId, to: TermId) -> Vec<TermId> {
        let mut found = Vec::new();
        self.walk.subterms(self.terms, parts, |term| found.push(term));
        // Operands are older than what is made of them.
        found.sort_unstable();
        let mut image: FxHashMap<TermId, TermId> = FxHashMap::default();
        for term in found {
            let node = self.terms.node(term);
            let new = node.map(|operand| image[&operand]);
            let becomes = match term {
                _ if term == from => to,
                _ if new == node => term,
                _ => self.terms.build(new, self.terms.width(term)),
            };
            image.insert(term, becomes);
        }
        parts.iter().map(|part| image[part]).collect()
    }
}
