//! Guards from terms and terms from guards.

use rustc_hash::{FxHashMap, FxHashSet};

use super::bdd::{Branch, Edge};
use super::{Guard, Guards};
use crate::arena::{TermId, Terms};
use crate::node::{Binary, Node, Unary};

impl Guards {
    /// The guard of a condition that is taken apart at its Boolean operations; what is left gets names.
    #[must_use]
    pub fn of_term(&mut self, terms: &mut Terms, term: TermId) -> Guard {
        let mut done: FxHashMap<TermId, Guard> = FxHashMap::default();
        for part in skeleton(terms, term) {
            let of = |operand: TermId| done[&operand];
            let guard = match terms.node(part) {
                Node::Unary(Unary::Not, a) => self.not(terms, of(a)),
                Node::Binary(Binary::And, a, b) => self.and(terms, of(a), of(b)),
                Node::Binary(Binary::Or, a, b) => self.or(terms, of(a), of(b)),
                Node::Binary(Binary::Xor, a, b) => self.xor(terms, of(a), of(b)),
                Node::Binary(Binary::Eq, a, b) if terms.width(a) == 1 => {
                    let differ = self.xor(terms, of(a), of(b));
                    self.not(terms, differ)
                }
                Node::Ite(c, a, b) => self.ite(terms, of(c), of(a), of(b)),
                _ => self.condition(terms, part),
            };
            done.insert(part, guard);
        }
        done[&term]
    }

    /// The term that a guard means. Small: nodes that the diagram shares are shared, and a node becomes a conjunction or a
    /// disjunction wherever it is one.
    #[must_use]
    pub fn to_term(&mut self, terms: &mut Terms, guard: Guard) -> TermId {
        match guard {
            Guard::TRUE => terms.yes(),
            Guard::FALSE => terms.no(),
            Guard::Term(term) => term,
            Guard::Bdd(edge) => {
                for node in self.bdd.below(edge) {
                    if !self.converted.contains_key(&node) {
                        let term = self.node_to_term(terms, node);
                        self.converted.insert(node, term);
                    }
                }
                self.converted_edge(terms, edge)
            }
        }
    }

    /// The term of an edge whose node was converted, or of a constant.
    fn converted_edge(&mut self, terms: &mut Terms, edge: Edge) -> TermId {
        if edge.is_constant() {
            return terms.constant(1, u128::from(edge == Edge::TRUE));
        }
        if let Some(&term) = self.converted.get(&edge) {
            return term;
        }
        // Negation goes inside conjunctions and disjunctions: `!a || !b` reads better than `!(a && b)`, and either shares
        // the terms of its parts.
        let positive = self.converted[&edge.not()];
        let term = match terms.node(positive) {
            Node::Binary(Binary::And | Binary::Or, ..) => self.node_to_term(terms, edge),
            _ => terms.not(positive),
        };
        self.converted.insert(edge, term);
        term
    }

    /// The term of an edge whose children were converted.
    fn node_to_term(&mut self, terms: &mut Terms, edge: Edge) -> TermId {
        let Branch { var, high, low } = self.bdd.top(edge);
        let condition = self.conditions[var as usize];
        let (h, l) = (self.converted_edge(terms, high), self.converted_edge(terms, low));
        self.bdd.begin();
        if !high.is_constant() && !low.is_constant() {
            // if c { h } else { l }  =  (c && h) || l  where l implies h
            if self.bdd.ite(low, high, Edge::TRUE) == Some(Edge::TRUE) {
                let first = terms.and(condition, h);
                return terms.or(first, l);
            }
            // if c { h } else { l }  =  (!c && l) || h  where h implies l
            if self.bdd.ite(high, low, Edge::TRUE) == Some(Edge::TRUE) {
                let negated = terms.not(condition);
                let first = terms.and(negated, l);
                return terms.or(first, h);
            }
        }
        boolean_ite(terms, condition, h, l)
    }
}

/// `if condition { a } else { b }` for truth values, by the simplest operation.
pub(super) fn boolean_ite(terms: &mut Terms, condition: TermId, a: TermId, b: TermId) -> TermId {
    match (terms.value(a), terms.value(b)) {
        // ite(c, 1, b) = c || b    ite(c, 0, b) = !c && b    ite(c, a, 0) = c && a    ite(c, a, 1) = !c || a
        (Some(1), _) => terms.or(condition, b),
        (_, Some(0)) => terms.and(condition, a),
        (Some(_), _) => {
            let negated = terms.not(condition);
            terms.and(negated, b)
        }
        (_, Some(_)) => {
            let negated = terms.not(condition);
            terms.or(negated, a)
        }
        _ => terms.ite(condition, a, b),
    }
}

/// The parts of a condition down to what is no Boolean operation, operands before what is made of them.
fn skeleton(terms: &Terms, term: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut todo = vec![term];
    while let Some(part) = todo.pop() {
        if !seen.insert(part) {
            continue;
        }
        found.push(part);
        let is_boolean = match terms.node(part) {
            Node::Unary(Unary::Not, _) | Node::Ite(..) => true,
            Node::Binary(Binary::And | Binary::Or | Binary::Xor, ..) => true,
            Node::Binary(Binary::Eq, a, _) => terms.width(a) == 1,
            _ => false,
        };
        if is_boolean {
            terms.for_each_operand(part, |operand| todo.push(operand));
        }
    }
    // Operands are older than what is made of them.
    found.sort_unstable();
    found
}
