//! Bits that were never written, where they matter.
//!
//! Rule: a condition, address, divisor, size or output that *depends* on such bits is an error. It depends on them if two choices of them can make a
//! difference on this path: `path ∧ t[u] ≠ t[u']` is satisfiable.

use heap::path::Reason;
use heap::{Condition, Made, State, VarRole};
use term::{Node, Origin, Substitution, TermId, VarId};

use crate::engine::Engine;
use crate::world::Stopped;

/// Whether a term depends on bits that were never written.
enum Dependence {
    /// It does not.
    None,
    /// On this variable, if the condition holds.
    On(VarId, TermId),
    /// The solver could not tell.
    Unknown,
}

impl Engine<'_> {
    /// Whether and when a term depends on bits that were never written.
    fn depends_on_uninit(&mut self, state: &State, term: TermId) -> Dependence {
        if !self.has_uninit {
            return Dependence::None;
        }
        let vars = self.terms.vars_of(term);
        let uninit: Vec<VarId> =
            vars.into_iter().filter(|&var| self.terms.var(var).origin == Origin::Uninit).collect();
        let Some(&first) = uninit.first() else { return Dependence::None };
        let mut other = Substitution::new();
        for &var in &uninit {
            let width = self.terms.var(var).width;
            let name = self.terms.name(var).to_owned();
            let fresh = self.fresh(width, Origin::Uninit, &name, VarRole::Local, None);
            other.set(var, fresh);
        }
        let image = self.terms.substitute(term, &other);
        let differs = self.terms.ne(term, image);
        let mut query = state.path.terms();
        query.push(differs);
        self.steps += base::limits::SPLIT_QUERY;
        match self.solver.check(&self.terms, &query) {
            answer if answer.is_sat() => Dependence::On(first, differs),
            answer if answer.is_unsat() => Dependence::None,
            _ => Dependence::Unknown,
        }
    }

    /// Whether a value is known; nothing is recorded if it is not.
    pub(crate) fn is_defined(&mut self, state: &State, term: TermId) -> bool {
        matches!(self.depends_on_uninit(state, term), Dependence::None)
    }

    /// Whether a condition can be decided; if not, the error is recorded.
    pub(crate) fn check_defined(&mut self, state: &State, term: TermId, made: &Made, how: &str) -> bool {
        match self.depends_on_uninit(state, term) {
            Dependence::None => return true,
            Dependence::Unknown => self.stop(Stopped::Undecided),
            Dependence::On(var, differs) => {
                let mut state = state.clone();
                let condition = Condition { term: differs, made: made.clone(), reason: Reason::Needed };
                if state.path.assume(&mut self.terms, condition) {
                    self.uninit_error(&state, var, made, how);
                }
            }
        }
        false
    }

    /// The term with bits that were never written replaced by some fixed ones.
    pub(crate) fn frozen(&mut self, term: TermId) -> TermId {
        if !self.has_uninit {
            return term;
        }
        let vars = self.terms.vars_of(term);
        let mut fixed = Substitution::new();
        for var in vars {
            if self.terms.var(var).origin != Origin::Uninit {
                continue;
            }
            let width = self.terms.var(var).width;
            let fresh = self.fresh(width, Origin::UnknownCall, "", VarRole::Local, None);
            fixed.set(var, fresh);
        }
        match self.terms.node(term) {
            Node::Const(_) => term,
            _ => self.terms.substitute(term, &fixed),
        }
    }
}
