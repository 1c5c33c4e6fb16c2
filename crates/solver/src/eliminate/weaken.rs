//! The last resort: a weaker condition without the variables.
//!
//! An atom that mentions a variable may be true or false; so in a necessary condition both it and its
//! negation become `true`, or what the range of the variable's side says of the other side.

use rustc_hash::FxHashMap;
use term::{Binary, Extend, Node, TermId, Unary, VarId, mask};

use super::Cx;
use crate::shape::skeleton;

/// Over-approximations of a condition and of its negation.
#[derive(Clone, Copy)]
struct Weak {
    holds: TermId,
    fails: TermId,
}

impl Cx<'_> {
    /// A condition that is implied, without the variables. Linear, without recursion.
    pub(super) fn weakened(&mut self, condition: TermId, vars: &[VarId]) -> TermId {
        let mut done: FxHashMap<TermId, Weak> = FxHashMap::default();
        for part in skeleton(self.terms, condition) {
            let of = |operand: TermId| done[&operand];
            let weak = match self.terms.node(part) {
                Node::Unary(Unary::Not, a) => Weak { holds: of(a).fails, fails: of(a).holds },
                Node::Binary(Binary::And, a, b) => Weak {
                    holds: self.terms.and(of(a).holds, of(b).holds),
                    fails: self.terms.or(of(a).fails, of(b).fails),
                },
                Node::Binary(Binary::Or, a, b) => Weak {
                    holds: self.terms.or(of(a).holds, of(b).holds),
                    fails: self.terms.and(of(a).fails, of(b).fails),
                },
                Node::Binary(Binary::Xor, a, b) => Weak {
                    holds: self.weak_choice(of(a), of(b).fails, of(b).holds),
                    fails: self.weak_choice(of(a), of(b).holds, of(b).fails),
                },
                Node::Binary(Binary::Eq, a, b) if self.terms.width(a) == 1 => Weak {
                    holds: self.weak_choice(of(a), of(b).holds, of(b).fails),
                    fails: self.weak_choice(of(a), of(b).fails, of(b).holds),
                },
                Node::Ite(c, a, b) => Weak {
                    holds: self.weak_choice(of(c), of(a).holds, of(b).holds),
                    fails: self.weak_choice(of(c), of(a).fails, of(b).fails),
                },
                _ => self.weak_atom(part, vars),
            };
            done.insert(part, weak);
        }
        done[&condition].holds
    }

    // if c { a } else { b }  ⇒  (c ∧ a) ∨ (¬c ∧ b), each part weakened
    fn weak_choice(&mut self, condition: Weak, yes: TermId, no: TermId) -> TermId {
        let yes = self.terms.and(condition.holds, yes);
        let no = self.terms.and(condition.fails, no);
        self.terms.or(yes, no)
    }

    fn weak_atom(&mut self, atom: TermId, vars: &[VarId]) -> Weak {
        let yes = self.terms.yes();
        if self.occurring(&[atom], vars).is_empty() {
            return Weak { holds: atom, fails: self.terms.not(atom) };
        }
        let Node::Binary(op @ (Binary::Eq | Binary::Ult), a, b) = self.terms.node(atom) else {
            return Weak { holds: yes, fails: yes };
        };
        let (a_free, b_free) = (self.occurring(&[a], vars).is_empty(), self.occurring(&[b], vars).is_empty());
        match (op, a_free, b_free) {
            (Binary::Eq, true, false) => Weak { holds: self.in_range(a, b), fails: yes },
            (Binary::Eq, false, true) => Weak { holds: self.in_range(b, a), fails: yes },
            // a < b  ⇒  a < max b        b <= a  ⇒  min b <= a
            (Binary::Ult, true, false) => {
                let (low, high) = self.range(b);
                let (low, high) = self.bounds_of(b, low, high);
                Weak { holds: self.terms.ult(a, high), fails: self.terms.ule(low, a) }
            }
            (Binary::Ult, false, true) => {
                let (low, high) = self.range(a);
                let (low, high) = self.bounds_of(a, low, high);
                Weak { holds: self.terms.ult(low, b), fails: self.terms.ule(b, high) }
            }
            _ => Weak { holds: yes, fails: yes },
        }
    }

    // a = b  ⇒  min b <= a <= max b
    fn in_range(&mut self, a: TermId, b: TermId) -> TermId {
        let (low, high) = self.range(b);
        let (low, high) = self.bounds_of(b, low, high);
        let (above, below) = (self.terms.ule(low, a), self.terms.ule(a, high));
        self.terms.and(above, below)
    }

    fn bounds_of(&mut self, term: TermId, low: u128, high: u128) -> (TermId, TermId) {
        let width = self.terms.width(term);
        (self.terms.constant(width, low), self.terms.constant(width, high))
    }

    /// The least and the greatest value that a term can have by its outermost operation.
    fn range(&self, term: TermId) -> (u128, u128) {
        let all = mask(self.terms.width(term));
        match self.terms.node(term) {
            Node::Const(value) => (value, value),
            Node::Extend(Extend::Zero, a) => (0, mask(self.terms.width(a))),
            Node::Binary(op, _, b) => match (op, self.terms.value(b)) {
                (Binary::And, Some(bits)) => (0, bits),
                (Binary::Or, Some(bits)) => (bits, all),
                (Binary::Urem, Some(by)) if by != 0 => (0, by - 1),
                (Binary::Udiv, Some(by)) if by != 0 => (0, all / by),
                (Binary::Lshr, Some(by)) if by < u128::from(self.terms.width(term)) => (0, all >> by),
                _ => (0, all),
            },
            _ => (0, all),
        }
    }
}
