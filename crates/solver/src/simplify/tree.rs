//! Conditions as trees of conjunctions and disjunctions over literals.

use term::{TermId, Terms};

use crate::shape::{Shape, and_all, or_all, shape};

/// A condition in negation normal form.
///
/// Invariant of what [`Tree::and`] and [`Tree::or`] make: no conjunction is a part of a conjunction, no disjunction of a
/// disjunction, none has exactly one part, and none without parts (`true`, `false`) is a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tree {
    Leaf(TermId),
    And(Vec<Tree>),
    Or(Vec<Tree>),
}

impl Tree {
    /// Recurses as deep as the condition is nested, so the caller bounds its atoms.
    pub(super) fn of(terms: &mut Terms, condition: TermId) -> Tree {
        match terms.value(condition) {
            Some(0) => return Tree::Or(Vec::new()),
            Some(_) => return Tree::And(Vec::new()),
            None => {}
        }
        match shape(terms, condition) {
            Shape::And(a, b) => Tree::and(vec![Tree::of(terms, a), Tree::of(terms, b)]),
            Shape::Or(a, b) => Tree::or(vec![Tree::of(terms, a), Tree::of(terms, b)]),
            // if c { a } else { b }  =  (c ∧ a) ∨ (¬c ∧ b)
            Shape::Choice { condition, yes, no } => {
                let negation = terms.not(condition);
                let yes = Tree::and(vec![Tree::of(terms, condition), Tree::of(terms, yes)]);
                let no = Tree::and(vec![Tree::of(terms, negation), Tree::of(terms, no)]);
                Tree::or(vec![yes, no])
            }
            Shape::Literal => Tree::Leaf(condition),
        }
    }

    /// The conjunction. Parts that occur twice are written once.
    pub(super) fn and(parts: Vec<Tree>) -> Tree {
        let mut flat: Vec<Tree> = Vec::new();
        for part in parts {
            match part {
                Tree::And(inner) => inner.into_iter().for_each(|it| push_new(&mut flat, it)),
                Tree::Or(inner) if inner.is_empty() => return Tree::Or(inner),
                _ => push_new(&mut flat, part),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Tree::And(flat) }
    }

    /// The disjunction. Parts that occur twice are written once.
    pub(super) fn or(parts: Vec<Tree>) -> Tree {
        let mut flat: Vec<Tree> = Vec::new();
        for part in parts {
            match part {
                Tree::Or(inner) => inner.into_iter().for_each(|it| push_new(&mut flat, it)),
                Tree::And(inner) if inner.is_empty() => return Tree::And(inner),
                _ => push_new(&mut flat, part),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Tree::Or(flat) }
    }

    pub(super) fn leaves(&self) -> usize {
        match self {
            Tree::Leaf(_) => 1,
            Tree::And(parts) | Tree::Or(parts) => parts.iter().map(Tree::leaves).sum(),
        }
    }

    pub(super) fn term(&self, terms: &mut Terms) -> TermId {
        match self {
            Tree::Leaf(leaf) => *leaf,
            Tree::And(parts) => {
                let parts: Vec<TermId> = parts.iter().map(|it| it.term(terms)).collect();
                and_all(terms, &parts)
            }
            Tree::Or(parts) => {
                let parts: Vec<TermId> = parts.iter().map(|it| it.term(terms)).collect();
                or_all(terms, &parts)
            }
        }
    }

    /// Common factors pulled out, everywhere.
    pub(super) fn factored(self) -> Tree {
        match self {
            Tree::Leaf(_) => self,
            // (a ∧ b) ∨ (a ∧ c) = a ∧ (b ∨ c)
            Tree::Or(parts) => {
                let parts = parts.into_iter().map(Tree::factored).collect();
                factor(parts, Tree::factors, Tree::and, Tree::or)
            }
            // (a ∨ b) ∧ (a ∨ c) = a ∨ (b ∧ c)
            Tree::And(parts) => {
                let parts = parts.into_iter().map(Tree::factored).collect();
                factor(parts, Tree::summands, Tree::or, Tree::and)
            }
        }
    }

    fn factors(&self) -> &[Tree] {
        match self {
            Tree::And(parts) => parts,
            _ => std::slice::from_ref(self),
        }
    }

    fn summands(&self) -> &[Tree] {
        match self {
            Tree::Or(parts) => parts,
            _ => std::slice::from_ref(self),
        }
    }
}

fn push_new(parts: &mut Vec<Tree>, part: Tree) {
    if !parts.contains(&part) {
        parts.push(part);
    }
}

/// How a tree is taken apart, and put together.
type Apart = fn(&Tree) -> &[Tree];
type Together = fn(Vec<Tree>) -> Tree;

/// Pulls the factor that most parts share out of them, again and again. Each time a factor is written less often, so it ends.
fn factor(parts: Vec<Tree>, apart: Apart, inner: Together, outer: Together) -> Tree {
    let Some(common) = most_shared(&parts, apart) else { return outer(parts) };
    let (mut others, mut left) = (Vec::new(), Vec::new());
    let mut place = 0;
    for part in parts {
        if apart(&part).contains(&common) {
            if left.is_empty() {
                place = others.len();
            }
            let rest = apart(&part).iter().filter(|&it| *it != common).cloned().collect();
            left.push(inner(rest));
        } else {
            others.push(part);
        }
    }
    others.insert(place, inner(vec![common, outer(left).factored()]));
    factor(others, apart, inner, outer)
}

/// The factor that is in most parts, the first of them if there are several; `None` if each is in one only.
fn most_shared(parts: &[Tree], apart: Apart) -> Option<Tree> {
    let mut best: Option<(usize, &Tree)> = None;
    for candidate in parts.iter().flat_map(apart) {
        let count = parts.iter().filter(|part| apart(part).contains(candidate)).count();
        if count > best.map_or(1, |(most, _)| most) {
            best = Some((count, candidate));
        }
    }
    best.map(|(_, common)| common.clone())
}
