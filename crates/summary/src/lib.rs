//! Summaries: what callers know of a function.
//!
//! A [`Summary`] is the set of triples that the split engine found for a function, in an arena of its own. Only [`Builder`] makes one: it renumbers
//! variables in the order of discovery, leaves out blocks and facts that no caller can see, and drops duplicates.
//! Source: Le et al., *Finding Real Bugs in Big Programs with Incorrectness Logic*, OOPSLA 2022, §4.1 *Generating Procedure Summaries*.
//! Departure: facts are left out by elimination of whole groups of conditions that share no variable with anything visible. That is exact: a path is
//! only summarized if it is satisfiable, so the group is, too.

mod bug;
mod builder;
mod derived;
mod show;

use base::IdVec;
use heap::{Exit, Plan, Source, Spec, VarRole};
use term::{Node, TermId, Terms, VarId};

pub use bug::{Bug, Step};
pub use builder::{Builder, Ended, How, Told, Visible};
pub use derived::{Derived, derived_errors};

/// What callers know of a function.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The function, of the project.
    pub function: u32,
    /// The arena of all terms in it.
    pub terms: Terms,
    /// What each variable stands for. The caller binds parameters and symbols.
    pub roles: IdVec<VarId, VarRole>,
    /// Where the values of variables come from, if they are nobody's choice outside. The caller keeps it, with the call added.
    pub sources: IdVec<VarId, Option<Source>>,
    /// Which variables are pointers.
    pub pointers: IdVec<VarId, bool>,
    /// The triples. The caller tries each.
    pub specs: Vec<Spec>,
    /// How each triple is applied.
    pub plans: Vec<Plan>,
    /// The errors that triples end in.
    pub bugs: Vec<Bug>,
    /// Whether the function was given up: the caller takes what it returns and writes for values that nobody follows.
    pub gave_up: bool,
    /// Whether some paths were not followed to their end, and the function may return on them: a state that no triple fits may be one of theirs.
    pub incomplete: bool,
    /// What it returns on all paths, also on those that were not followed, if it is always the same.
    pub returned: Option<Returned>,
    /// Whether it may free or keep what it gets behind its parameters (`…`).
    pub takes_varargs: bool,
}

/// What a function always returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returned {
    /// What it gets, unchanged.
    Param(u32),
    /// A number, or null.
    Number(u128),
}

impl Summary {
    /// Whether some triple ends so.
    pub fn has(&self, exit: Exit) -> bool {
        self.specs.iter().any(|spec| spec.exit == exit)
    }

    /// Whether it was followed to all its ends, and returns on none of them.
    pub fn never_returns(&self) -> bool {
        self.has(Exit::NoReturn) && !self.has(Exit::Ok) && !self.gave_up && !self.incomplete
    }

    /// Bytes that it takes as long as callers may ask for it, about.
    pub fn bytes(&self) -> usize {
        let specs: usize = self.specs.iter().map(heap::Spec::bytes).sum();
        let plans: usize = self.plans.iter().map(heap::Plan::bytes).sum();
        let bugs: usize = self.bugs.iter().map(Bug::bytes).sum();
        let sources: usize = self.sources.iter().flatten().map(|source| source.what.len()).sum();
        size_of::<Summary>()
            + self.terms.bytes()
            + specs
            + plans
            + bugs
            + sources
            + size_of_val(self.roles.as_slice())
            + size_of_val(self.sources.as_slice())
            + self.pointers.len()
    }

    /// The parameter that a term is.
    pub fn param(&self, term: TermId) -> Option<u32> {
        let Node::Var(var) = self.terms.node(term) else { return None };
        match self.roles[var] {
            VarRole::Param(param) => Some(param),
            _ => None,
        }
    }
}
