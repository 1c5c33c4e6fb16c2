//! The payload of `split`: the triples of a function, in an arena of their own, in normal form.

use base::IdVec;
use heap::{Exit, Plan, Source, Spec, VarRole, Vias};
use serde::{Deserialize, Serialize};
use term::{Node, TermId, Terms, VarId};

use crate::bug::Bug;

/// The paths of a function.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Triples {
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
    /// How each triple is applied; follows from the triples.
    #[serde(skip)]
    pub plans: Vec<Plan>,
    /// The errors that triples end in.
    pub bugs: Vec<Bug>,
    /// The calls through which things happened that triples and errors mention.
    pub calls: Vias,
    /// Whether the function was given up: the caller takes what it returns and writes for values that nobody follows.
    pub gave_up: bool,
    /// Whether some paths were not followed to their end, and the function may return on them: a state that no triple fits may be one of theirs.
    pub incomplete: bool,
    /// Whether loops or recursion of it were not followed to their end: for who knows more of the arguments, they may be.
    pub cut: bool,
    /// Whether it may come to call itself: that it comes back from where it was not followed is a guess.
    pub recursive: bool,
    /// What it returns on all paths, also on those that were not followed, if it is always the same.
    pub returned: Option<Returned>,
    /// Whether it may free or keep what it gets behind its parameters (`…`).
    pub takes_varargs: bool,
}

/// What a function always returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Returned {
    /// What it gets, unchanged.
    Param(u32),
    /// A number, or null.
    Number(u128),
}

impl Triples {
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
        size_of::<Triples>()
            + self.calls.bytes()
            + self.terms.bytes()
            + specs
            + plans
            + bugs
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
