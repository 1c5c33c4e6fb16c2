//! Terms of one arena as terms of another.

use crate::{Node, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

/// Where terms are imported to.
pub trait Room {
    /// The arena.
    fn terms(&mut self) -> &mut Terms;
    /// What a variable is that nobody has bound.
    fn unbound(&mut self, var: VarId) -> TermId;
}

/// An arena, and somebody who gives values to variables.
struct Plain<'a> {
    terms: &'a mut Terms,
    unbound: &'a mut dyn FnMut(&mut Terms, VarId) -> TermId,
}

impl Room for Plain<'_> {
    fn terms(&mut self) -> &mut Terms {
        self.terms
    }

    fn unbound(&mut self, var: VarId) -> TermId {
        (self.unbound)(self.terms, var)
    }
}

/// Terms of a callee as terms of the caller.
#[derive(Clone, Debug, Default)]
pub struct Import {
    vars: FxHashMap<VarId, TermId>,
    known: FxHashMap<TermId, TermId>,
}

impl Import {
    /// Binds a variable of the callee.
    pub fn bind(&mut self, var: VarId, term: TermId) {
        self.vars.insert(var, term);
    }

    /// Whether a term was translated before.
    pub fn is_known(&self, term: TermId) -> bool {
        self.known.contains_key(&term)
    }

    /// What a variable of the callee is.
    pub fn get(&self, var: VarId) -> Option<TermId> {
        self.vars.get(&var).copied()
    }

    /// The term in the caller's arena. Unbound variables are given by `unbound`.
    pub fn term(
        &mut self,
        into: &mut Terms,
        from: &Terms,
        term: TermId,
        unbound: &mut dyn FnMut(&mut Terms, VarId) -> TermId,
    ) -> TermId {
        self.term_in(&mut Plain { terms: into, unbound }, from, term)
    }

    /// The same for a room that says itself what unbound variables are.
    pub fn term_in(&mut self, room: &mut impl Room, from: &Terms, term: TermId) -> TermId {
        if let Some(&image) = self.known.get(&term) {
            return image;
        }
        let mut todo = vec![term];
        while let Some(&next) = todo.last() {
            if self.known.contains_key(&next) {
                todo.pop();
                continue;
            }
            let before = todo.len();
            from.for_each_operand(next, |operand| {
                if !self.known.contains_key(&operand) {
                    todo.push(operand);
                }
            });
            if todo.len() > before {
                continue;
            }
            todo.pop();
            let image = match from.node(next) {
                Node::Var(var) => match self.vars.get(&var) {
                    Some(&bound) => bound,
                    None => {
                        let fresh = room.unbound(var);
                        self.vars.insert(var, fresh);
                        fresh
                    }
                },
                node => room.terms().build(node.map(|operand| self.known[&operand]), from.width(next)),
            };
            self.known.insert(next, image);
        }
        self.known[&term]
    }
}
