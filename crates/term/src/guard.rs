//! Guards: under which of a function's conditions a place is reached or a value taken.
//!
//! A guard is a Boolean combination of *named conditions*. A name stands for a whole term of one bit
//! (`n < 16`), and the guard knows nothing of what is inside; so `c` joined with `!c` is `true` without a
//! question to a solver, and no term is built until somebody asks for one ([`Guards::to_term`]).
//!
//! Source: SATURN (Xie, Aiken 2007) §3.3.
//! Departures: (1) a condition and its negation share a name; (2) [`Guards::of_term`] takes conditions apart
//! at their Boolean operations, so that the branches of `if (a && b)` and of `if (a)` are related; (3) a size
//! limit, as follows.
//!
//! Diagrams can be exponentially large. So a guard is an enum: [`Guard::Bdd`] as long as the diagrams of the
//! function stay within the limit, [`Guard::Term`] afterwards. An operation on a guard of the second form, or
//! one whose result would not fit, builds a term instead, which is always possible and always small. Nothing
//! is lost but canonicity: two guards of the form `Term` may mean the same and differ. Whether an operation
//! falls back depends only on the operations before it.

mod bdd;
mod convert;

use base::limits;
use rustc_hash::FxHashMap;

use crate::arena::{TermId, Terms};
use crate::node::{Node, Unary};
use bdd::Bdd;

pub use bdd::Edge;

/// A Boolean combination of conditions.
///
/// Two guards of the form [`Guard::Bdd`] of one [`Guards`] are equal if and only if they mean the same for all values of
/// their named conditions. `true` and `false` always have that form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Guard {
    /// A diagram over named conditions.
    Bdd(Edge),
    /// A term of one bit, where a diagram would have been too large.
    Term(TermId),
}

impl Guard {
    /// Always.
    pub const TRUE: Guard = Guard::Bdd(Edge::TRUE);
    /// Never.
    pub const FALSE: Guard = Guard::Bdd(Edge::FALSE);

    /// `true` or `false`.
    pub fn constant(value: bool) -> Guard {
        if value { Guard::TRUE } else { Guard::FALSE }
    }
}

/// The guards of one function; all its terms come from one arena, which every operation is given.
///
/// Costs nothing until the first condition is named. Dropped with the function.
#[derive(Clone, Debug)]
pub struct Guards {
    bdd: Bdd,
    /// The named conditions, in the order of the diagram's variables. None is a constant or a negation.
    conditions: Vec<TermId>,
    names: FxHashMap<TermId, u32>,
    max_conditions: usize,
    /// Terms of diagram nodes that were converted, and of their negations.
    converted: FxHashMap<Edge, TermId>,
}

impl Default for Guards {
    fn default() -> Guards {
        Guards::new()
    }
}

impl Guards {
    /// No conditions yet, and the limits of [`base::limits`].
    pub fn new() -> Guards {
        Guards::with_limits(limits::GUARD_CONDITIONS, limits::GUARD_NODES)
    }

    /// At most so many named conditions and nodes of diagrams; what does not fit becomes a term.
    pub fn with_limits(max_conditions: usize, max_nodes: usize) -> Guards {
        Guards {
            bdd: Bdd::new(max_nodes),
            conditions: Vec::new(),
            names: FxHashMap::default(),
            max_conditions,
            converted: FxHashMap::default(),
        }
    }

    /// How many nodes all diagrams have together.
    pub fn len(&self) -> usize {
        self.bdd.len()
    }

    /// Whether no diagram has been made.
    pub fn is_empty(&self) -> bool {
        self.bdd.len() == 0
    }

    /// The guard that a condition holds: it gets a name, unless it has one or is a constant.
    pub fn condition(&mut self, terms: &Terms, condition: TermId) -> Guard {
        debug_assert!(terms.width(condition) == 1, "a condition should have one bit");
        match terms.node(condition) {
            Node::Const(value) => Guard::constant(value != 0),
            Node::Unary(Unary::Not, inner) => match self.named(inner) {
                Some(edge) => Guard::Bdd(edge.not()),
                None => Guard::Term(condition),
            },
            _ => self.named(condition).map_or(Guard::Term(condition), Guard::Bdd),
        }
    }

    fn named(&mut self, condition: TermId) -> Option<Edge> {
        let var = match self.names.get(&condition) {
            Some(&var) => var,
            None if self.conditions.len() >= self.max_conditions => return None,
            None => {
                let var = self.conditions.len() as u32;
                self.conditions.push(condition);
                self.names.insert(condition, var);
                var
            }
        };
        self.bdd.variable(var)
    }

    /// `!a`.
    #[must_use]
    pub fn not(&mut self, terms: &mut Terms, a: Guard) -> Guard {
        match a {
            Guard::Bdd(edge) => Guard::Bdd(edge.not()),
            Guard::Term(term) => {
                let term = terms.not(term);
                of_built(terms, term)
            }
        }
    }

    /// `a && b`.
    #[must_use]
    pub fn and(&mut self, terms: &mut Terms, a: Guard, b: Guard) -> Guard {
        self.ite(terms, a, b, Guard::FALSE)
    }

    /// `a || b`.
    #[must_use]
    pub fn or(&mut self, terms: &mut Terms, a: Guard, b: Guard) -> Guard {
        self.ite(terms, a, Guard::TRUE, b)
    }

    /// Exactly one of them.
    #[must_use]
    pub fn xor(&mut self, terms: &mut Terms, a: Guard, b: Guard) -> Guard {
        let not_b = self.not(terms, b);
        self.ite(terms, a, not_b, b)
    }

    /// `!a || b`.
    #[must_use]
    pub fn implies(&mut self, terms: &mut Terms, a: Guard, b: Guard) -> Guard {
        self.ite(terms, a, b, Guard::TRUE)
    }

    /// `if condition { a } else { b }`.
    #[must_use]
    pub fn ite(&mut self, terms: &mut Terms, condition: Guard, a: Guard, b: Guard) -> Guard {
        match (condition, a, b) {
            (Guard::TRUE, ..) => return a,
            (Guard::FALSE, ..) => return b,
            _ if a == b => return a,
            (Guard::Bdd(f), Guard::Bdd(g), Guard::Bdd(h)) => {
                self.bdd.begin();
                if let Some(edge) = self.bdd.ite(f, g, h) {
                    return Guard::Bdd(edge);
                }
            }
            _ => {}
        }
        let [condition, a, b] = [condition, a, b].map(|guard| self.to_term(terms, guard));
        let term = convert::boolean_ite(terms, condition, a, b);
        of_built(terms, term)
    }

    /// `∃ conditions. a`: there are truth values of these names, independent of all others, under which `a` holds.
    ///
    /// `None` if the guard is a term or the result would not fit; the solver's elimination works on terms.
    #[must_use]
    pub fn exists(&mut self, terms: &Terms, a: Guard, conditions: &[TermId]) -> Option<Guard> {
        let Guard::Bdd(edge) = a else { return None };
        let mut vars: Vec<u32> = conditions.iter().filter_map(|&it| self.name(terms, it)).collect();
        vars.sort_unstable();
        self.bdd.begin();
        self.bdd.exists(edge, &vars).map(Guard::Bdd)
    }

    /// `a` with the truth value of a condition known: agrees with `a` wherever the condition has that value, and, unless it
    /// is a term, does not depend on the condition.
    #[must_use]
    pub fn cofactor(&mut self, terms: &Terms, a: Guard, condition: TermId, value: bool) -> Guard {
        let (Guard::Bdd(edge), Some(var)) = (a, self.name(terms, condition)) else { return a };
        let value = value != matches!(terms.node(condition), Node::Unary(Unary::Not, _));
        self.bdd.begin();
        self.bdd.cofactor(edge, var, value).map_or(a, Guard::Bdd)
    }

    /// A guard that agrees with `a` wherever `care` holds and is free elsewhere, so that it may be smaller: what is left to
    /// test once `care` is known.
    #[must_use]
    pub fn restrict(&mut self, a: Guard, care: Guard) -> Guard {
        let (Guard::Bdd(f), Guard::Bdd(known)) = (a, care) else { return a };
        self.bdd.begin();
        self.bdd.constrain_to(f, known).map_or(a, Guard::Bdd)
    }

    /// The conditions that a guard depends on, in the order in which they were named; `None` if it is a term.
    pub fn support(&self, a: Guard) -> Option<Vec<TermId>> {
        let Guard::Bdd(edge) = a else { return None };
        let mut vars: Vec<u32> = self.bdd.below(edge).iter().map(|&it| self.bdd.branch(it).var).collect();
        vars.sort_unstable();
        vars.dedup();
        Some(vars.into_iter().map(|var| self.conditions[var as usize]).collect())
    }

    /// How many nodes the diagram of a guard has; `None` if it is a term.
    pub fn nodes(&self, a: Guard) -> Option<usize> {
        let Guard::Bdd(edge) = a else { return None };
        Some(self.bdd.below(edge).len())
    }

    /// The value of a guard; `holds` says it of conditions, also of one that is a whole term.
    pub fn eval(&self, a: Guard, mut holds: impl FnMut(TermId) -> bool) -> bool {
        let mut edge = match a {
            Guard::Bdd(edge) => edge,
            Guard::Term(term) => return holds(term),
        };
        while !edge.is_constant() {
            let top = self.bdd.top(edge);
            edge = if holds(self.conditions[top.var as usize]) { top.high } else { top.low };
        }
        edge == Edge::TRUE
    }

    /// Truth values of some conditions that together make the guard hold, as few as the diagram has in one path; `None` if
    /// nothing does.
    pub fn one_path(&self, a: Guard) -> Option<Vec<(TermId, bool)>> {
        let mut edge = match a {
            Guard::FALSE => return None,
            Guard::Bdd(edge) => edge,
            Guard::Term(term) => return Some(vec![(term, true)]),
        };
        let mut path = Vec::new();
        while !edge.is_constant() {
            // Every node that is not a constant leads to `true`; the high edge is followed unless it is `false`.
            let top = self.bdd.top(edge);
            let value = top.high != Edge::FALSE;
            path.push((self.conditions[top.var as usize], value));
            edge = if value { top.high } else { top.low };
        }
        Some(path)
    }

    /// The name of a condition or of its negation.
    fn name(&self, terms: &Terms, condition: TermId) -> Option<u32> {
        let condition = match terms.node(condition) {
            Node::Unary(Unary::Not, inner) => inner,
            _ => condition,
        };
        self.names.get(&condition).copied()
    }
}

/// The guard of a term that was built because diagrams were too large.
fn of_built(terms: &Terms, term: TermId) -> Guard {
    match terms.value(term) {
        Some(value) => Guard::constant(value != 0),
        None => Guard::Term(term),
    }
}
