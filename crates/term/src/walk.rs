//! Walks over terms: which variables occur, how many subterms there are, what a term becomes when variables
//! are replaced, and what it is when they have values.
//!
//! No walk recurses, so a term may be as deep as it likes; each visits a shared subterm once. A [`Walk`]
//! keeps its room between walks: one that has been used costs time in the number of subterms, not in the size
//! of the arena.

use std::cell::Cell;
use std::mem;

use base::{Id, IdVec};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::arena::{TermId, Terms};
use crate::eval::Assignment;
use crate::node::{Binary, Node, Unary};
use crate::var::VarId;

/// What variables are replaced by. A variable without a term stays what it is.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    terms: IdVec<VarId, Option<TermId>>,
}

impl Substitution {
    /// Every variable stays.
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// Replaces a variable by a term, which should have its width.
    pub fn set(&mut self, var: VarId, term: TermId) {
        while self.terms.len() <= var.index() {
            self.terms.push(None);
        }
        self.terms[var] = Some(term);
    }

    /// What a variable is replaced by.
    pub fn get(&self, var: VarId) -> Option<TermId> {
        self.terms.get(var).copied().flatten()
    }

    /// Forgets all replacements and keeps the room.
    pub fn clear(&mut self) {
        self.terms.truncate(0);
    }
}

impl FromIterator<(VarId, TermId)> for Substitution {
    fn from_iter<I: IntoIterator<Item = (VarId, TermId)>>(pairs: I) -> Substitution {
        let mut substitution = Substitution::new();
        pairs.into_iter().for_each(|(var, term)| substitution.set(var, term));
        substitution
    }
}

/// Room for walks over terms, to be used again.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// For each term the walk that saw it last, by number.
    seen: Vec<u32>,
    /// For each term what it became, if this walk replaces and has seen it.
    image: Vec<TermId>,
    /// For each term its value, if this walk evaluates and has seen it.
    values: Vec<u128>,
    todo: Vec<TermId>,
    number: u32,
}

impl Walk {
    /// Room that has not been used yet.
    pub fn new() -> Walk {
        Walk::default()
    }

    /// Calls `action` with every different subterm of the roots, themselves included, each once; in an order that depends on
    /// nothing but the terms.
    pub fn subterms(&mut self, terms: &Terms, roots: &[TermId], mut action: impl FnMut(TermId)) {
        self.subterms_while(terms, roots, |term| {
            action(term);
            true
        });
    }

    /// The same, without what is only below terms for which `action` says no.
    pub fn subterms_while(
        &mut self,
        terms: &Terms,
        roots: &[TermId],
        mut action: impl FnMut(TermId) -> bool,
    ) {
        self.begin(terms);
        for &root in roots {
            self.visit(root);
        }
        while let Some(next) = self.todo.pop() {
            if action(next) {
                terms.for_each_operand(next, |operand| self.visit(operand));
            }
        }
    }

    /// The variables that occur in any of the roots, in the order of their ids.
    pub fn vars_of(&mut self, terms: &Terms, roots: &[TermId]) -> Vec<VarId> {
        let mut vars = Vec::new();
        self.subterms(terms, roots, |term| {
            if let Node::Var(var) = terms.node(term) {
                vars.push(var);
            }
        });
        vars.sort_unstable();
        vars
    }

    /// The number of different subterms of the roots, themselves included.
    pub fn size(&mut self, terms: &Terms, roots: &[TermId]) -> usize {
        let mut size = 0;
        self.subterms(terms, roots, |_| size += 1);
        size
    }

    /// The term with variables replaced, all at once: replacements are not looked into.
    pub fn substitute(&mut self, terms: &mut Terms, term: TermId, by: &Substitution) -> TermId {
        self.begin(terms);
        grow(&mut self.image, self.seen.len(), TermId::FIRST);
        self.todo.push(term);
        while let Some(next) = self.next_ready(terms) {
            self.image[next.index()] = self.replaced(terms, next, by);
        }
        self.image[term.index()]
    }

    /// The value of a term.
    pub fn eval(&mut self, terms: &Terms, term: TermId, assignment: &Assignment) -> u128 {
        self.begin(terms);
        grow(&mut self.values, self.seen.len(), 0);
        self.todo.push(term);
        while let Some(next) = self.next_ready(terms) {
            self.values[next.index()] = terms.apply(next, |operand| self.values[operand.index()], assignment);
        }
        self.values[term.index()]
    }

    /// The values of several terms under one assignment; what they share is computed once.
    pub fn eval_all(&mut self, terms: &Terms, roots: &[TermId], assignment: &Assignment) -> Vec<u128> {
        self.begin(terms);
        grow(&mut self.values, self.seen.len(), 0);
        self.todo.extend(roots.iter().rev());
        while let Some(next) = self.next_ready(terms) {
            self.values[next.index()] = terms.apply(next, |operand| self.values[operand.index()], assignment);
        }
        roots.iter().map(|root| self.values[root.index()]).collect()
    }

    /// The next term whose operands have all been seen, and marks it as seen; none if the walk is over.
    fn next_ready(&mut self, terms: &Terms) -> Option<TermId> {
        loop {
            let next = *self.todo.last()?;
            let before = self.todo.len();
            if self.seen[next.index()] != self.number {
                terms.for_each_operand(next, |operand| {
                    if self.seen[operand.index()] != self.number {
                        self.todo.push(operand);
                    }
                });
                if self.todo.len() > before {
                    continue;
                }
                self.seen[next.index()] = self.number;
                self.todo.pop();
                return Some(next);
            }
            self.todo.pop();
        }
    }

    /// The term with its operands replaced by what they became.
    fn replaced(&self, terms: &mut Terms, term: TermId, by: &Substitution) -> TermId {
        let node = terms.node(term);
        if let Node::Var(var) = node {
            return by.get(var).unwrap_or(term);
        }
        let image = node.map(|operand| self.image[operand.index()]);
        if image == node { term } else { terms.build(image, terms.width(term)) }
    }

    /// Starts a walk in which no term of the arena has been seen.
    fn begin(&mut self, terms: &Terms) {
        self.todo.clear();
        if self.number == u32::MAX {
            self.seen.clear();
            self.number = 0;
        }
        self.number += 1;
        grow(&mut self.seen, terms.len(), 0);
    }

    fn visit(&mut self, term: TermId) {
        let seen = &mut self.seen[term.index()];
        if *seen != self.number {
            *seen = self.number;
            self.todo.push(term);
        }
    }
}

thread_local! {
    /// Room for walks of those who keep none.
    static SPARE: Cell<Walk> = Cell::new(Walk::new());
}

impl Walk {
    /// Lends the thread's room for walks. Whoever asks meanwhile gets new room.
    pub fn lend<T>(use_it: impl FnOnce(&mut Walk) -> T) -> T {
        let mut walk = SPARE.take();
        let result = use_it(&mut walk);
        SPARE.set(walk);
        result
    }
}

/// Subterms of a small term.
const SMALL: usize = 24;

/// Makes a vector at least so long. A new one comes from the allocator as zeros, so it costs little until it is used.
fn grow<T: Clone>(items: &mut Vec<T>, len: usize, zero: T) {
    if items.is_empty() {
        *items = vec![zero; len];
    } else if items.len() < len {
        items.resize(len, zero);
    }
}

impl Terms {
    /// The variables that occur in a term, in the order of their ids.
    pub fn vars_of(&self, term: TermId) -> Vec<VarId> {
        self.few_vars_of(term).unwrap_or_else(|| Walk::lend(|walk| walk.vars_of(self, &[term])))
    }

    /// The variables of a small term, without room for a walk over a large one.
    fn few_vars_of(&self, term: TermId) -> Option<Vec<VarId>> {
        let mut seen: SmallVec<[TermId; SMALL]> = smallvec![term];
        let mut vars = Vec::new();
        let mut next = 0;
        while let Some(&term) = seen.get(next) {
            next += 1;
            if let Node::Var(var) = self.node(term) {
                vars.push(var);
            }
            self.for_each_operand(term, |operand| {
                if !seen.contains(&operand) {
                    seen.push(operand);
                }
            });
            if seen.len() > SMALL {
                return None;
            }
        }
        vars.sort_unstable();
        Some(vars)
    }

    /// Those of some terms that have to do with others: they share variables, directly or through one another.
    pub fn connected(&self, seeds: &[TermId], all: Vec<TermId>) -> Vec<TermId> {
        let vars: Vec<Vec<VarId>> = all.iter().map(|&term| self.vars_of(term)).collect();
        let mut users: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
        for (at, vars) in vars.iter().enumerate() {
            vars.iter().for_each(|&var| users.entry(var).or_default().push(at));
        }
        let mut taken = vec![false; all.len()];
        let mut todo: Vec<VarId> = seeds.iter().flat_map(|&seed| self.vars_of(seed)).collect();
        while let Some(var) = todo.pop() {
            for at in users.remove(&var).unwrap_or_default() {
                if !mem::replace(&mut taken[at], true) {
                    todo.extend(&vars[at]);
                }
            }
        }
        all.into_iter().zip(taken).filter(|(_, taken)| *taken).map(|(term, _)| term).collect()
    }

    /// The variable that a condition tests: it compares some bits of it with a constant, so that some values pass and others do not.
    pub fn tested(&self, condition: TermId) -> Option<VarId> {
        let atom = match self.node(condition) {
            Node::Unary(Unary::Not, inner) => inner,
            _ => condition,
        };
        let bits = match self.node(atom) {
            Node::Binary(Binary::Eq | Binary::Ult | Binary::Slt, a, b) => {
                match (self.value(a), self.value(b)) {
                    (None, Some(_)) => a,
                    (Some(_), None) => b,
                    _ => return None,
                }
            }
            _ => atom,
        };
        match self.node(bits) {
            Node::Var(var) => Some(var),
            Node::Extract { from, .. } => match self.node(from) {
                Node::Var(var) => Some(var),
                _ => None,
            },
            _ => None,
        }
    }

    /// The number of different subterms, the term itself included.
    pub fn size(&self, term: TermId) -> usize {
        Walk::lend(|walk| walk.size(self, &[term]))
    }

    /// The term with variables replaced, all at once.
    pub fn substitute(&mut self, term: TermId, by: &Substitution) -> TermId {
        Walk::lend(|walk| walk.substitute(self, term, by))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::var::Origin;

    fn var(terms: &mut Terms, name: &str) -> (TermId, VarId) {
        let term = terms.fresh(8, Origin::Parameter, name);
        let Node::Var(var) = terms.node(term) else { unreachable!("a fresh term is a variable") };
        (term, var)
    }

    #[test]
    fn variables_are_replaced_all_at_once() {
        let mut terms = Terms::new();
        let ((x, vx), (y, vy), (z, vz)) = (var(&mut terms, "x"), var(&mut terms, "y"), var(&mut terms, "z"));
        let less = terms.ult(x, y);
        let more = terms.ult(y, x);
        let swap = Substitution::from_iter([(vx, y), (vy, x)]);
        let mut walk = Walk::new();
        assert_eq!(walk.substitute(&mut terms, less, &swap), more);
        assert_eq!(walk.vars_of(&terms, &[less, z]), [vx, vy, vz]);
        assert_eq!((walk.size(&terms, &[less]), walk.size(&terms, &[less, more])), (3, 4));
        assert_eq!(terms.substitute(less, &Substitution::from_iter([(vy, x)])), terms.no());
    }

    #[test]
    fn a_deep_term_needs_no_deep_stack() {
        let mut terms = Terms::new();
        let ((x, vx), (y, vy)) = (var(&mut terms, "x"), var(&mut terms, "y"));
        let deep = |terms: &mut Terms, mut term: TermId| {
            for _ in 0..200_000 {
                term = terms.udiv(term, y);
                term = terms.popcount(term);
            }
            term
        };
        let from = deep(&mut terms, x);
        let to = deep(&mut terms, y);
        assert_eq!(terms.substitute(from, &Substitution::from_iter([(vx, y)])), to);
        assert_eq!(terms.vars_of(to), [vy]);
        assert_eq!(terms.size(from), 400_002);
    }
}
