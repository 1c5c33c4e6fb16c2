//! Bits that were never written, where they matter.
//!
//! Rule: a condition, address, divisor, size or output that *depends* on such bits is an error. It depends on
//! them if two choices of them can make a difference on this path: `path ∧ t[u] ≠ t[u']` is satisfiable.

use catalog::Need;
use heap::path::Reason;
use heap::{Condition, Dependence, State};
use term::{Node, Origin, Substitution, TermId, VarId};

use crate::arena::{Arena, Prover};
use crate::cx::Cx;
use crate::effort::Stopped;
use crate::errors;
use crate::outcome::Ends;

/// Whether and when a term depends on bits that were never written.
pub(crate) fn dependence(
    prover: &mut Prover,
    arena: &mut heap::Arena,
    state: &State,
    term: TermId,
) -> Dependence {
    if !arena.has_uninit() {
        return Dependence::None;
    }
    let vars = arena.terms.vars_of(term);
    let uninit: Vec<VarId> =
        vars.into_iter().filter(|&var| arena.terms.var(var).origin == Origin::Uninit).collect();
    let Some(&first) = uninit.first() else { return Dependence::None };
    let mut other = Substitution::new();
    for &var in &uninit {
        let width = arena.terms.var(var).width;
        let name = arena.terms.name(var).to_owned();
        let fresh = arena.local(width, Origin::Uninit, &name);
        other.set(var, fresh);
    }
    let image = arena.terms.substitute(term, &other);
    let differs = arena.terms.ne(term, image);
    let mut query = state.path.terms();
    query.push(differs);
    match prover.check(&arena.terms, &query) {
        answer if answer.is_sat() => Dependence::On(first, differs),
        answer if answer.is_unsat() => Dependence::None,
        _ => Dependence::Unknown,
    }
}

/// What becomes of a path that uses a term, if the term depends on bits that were never written: an error, or nobody knows.
pub(crate) fn check_defined(
    cx: &Cx<'_>,
    arena: &mut Arena,
    state: &State,
    term: TermId,
    need: Need,
) -> Option<Ends> {
    match dependence(&mut arena.prover, &mut arena.heap, state, term) {
        Dependence::None => None,
        Dependence::Unknown => Some(Ends::stop(Stopped::Undecided)),
        Dependence::On(var, differs) => {
            let mut state = state.clone();
            let made = cx.here();
            let condition = Condition { term: differs, made, reason: Reason::Needed };
            Some(match state.path.assume(&mut arena.terms, condition) {
                true => Ends::error(errors::unwritten(cx, arena, state, (var, made), need)),
                false => Ends::default(),
            })
        }
    }
}

impl Arena {
    /// The term with bits that were never written replaced by some fixed ones.
    pub(crate) fn frozen(&mut self, term: TermId) -> TermId {
        if !self.has_uninit() {
            return term;
        }
        let mut fixed = Substitution::new();
        for var in self.terms.vars_of(term) {
            if self.terms.var(var).origin == Origin::Uninit {
                let width = self.terms.var(var).width;
                let fresh = self.local(width, Origin::UnknownCall, "");
                fixed.set(var, fresh);
            }
        }
        match self.terms.node(term) {
            Node::Const(_) => term,
            _ => self.terms.substitute(term, &fixed),
        }
    }
}
