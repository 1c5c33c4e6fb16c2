//! Bits that were never written, where they matter.
//!
//! Rule: a condition, address, divisor, size or output that *depends* on such bits is an error. It depends on them if two choices of them can make a
//! difference on this path: `path ∧ t[u] ≠ t[u']` is satisfiable.

use heap::path::Reason;
use heap::{Condition, Made, State, VarRole};
use term::{Node, Origin, Substitution, TermId, VarId};

use crate::engine::Engine;

impl Engine<'_> {
    /// The never written variable that a term depends on, and when it does.
    fn depends_on_uninit(&mut self, state: &State, term: TermId) -> Option<(VarId, TermId)> {
        if !self.has_uninit {
            return None;
        }
        let vars = self.terms.vars_of(term);
        let uninit: Vec<VarId> =
            vars.into_iter().filter(|&var| self.terms.var(var).origin == Origin::Uninit).collect();
        let &first = uninit.first()?;
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
        self.solver.check(&self.terms, &query).is_sat().then_some((first, differs))
    }

    /// Whether a condition can be decided; if not, the error is recorded.
    pub(crate) fn check_defined(&mut self, state: &State, term: TermId, made: &Made, how: &str) -> bool {
        let Some((var, differs)) = self.depends_on_uninit(state, term) else { return true };
        let mut state = state.clone();
        let condition = Condition { term: differs, made: made.clone(), reason: Reason::Needed };
        if state.path.assume(&mut self.terms, condition) {
            self.uninit_error(&state, var, made, how);
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
