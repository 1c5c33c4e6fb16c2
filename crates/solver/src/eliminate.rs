//! Quantifier elimination over conditions: strongest necessary and weakest sufficient conditions.
//!
//! Judgment: `necessary(φ, X) = ψ` with `∃X. φ ⇒ ψ` and no variable of `X` in `ψ`; if it is marked exact,
//! also `ψ ⇒ ∃X. φ`. `sufficient(φ, X) = ¬ necessary(¬φ, X)`, so that `ψ ⇒ ∀X. φ`.
//!
//! Source: Dillig, Dillig, Aiken, *Sound, Complete and Scalable Path-Sensitive Analysis*, PLDI 2008:
//! Definitions 5 and 6; §6.1, Lemma 4 (`SNC(φ, v) = φ[true/v] ∨ φ[false/v]`) and Definition 7.
//! Departures: (1) their variables range over finitely many abstract values, ours over bit-vectors: where all
//! atoms on a variable are about it alone, its values fall into finitely many classes, and *existence* and
//! *uniqueness* (§4.1) hold by construction, because a class is a value that is put in for the variable
//! (module [`classes`]). (2) Other atoms are solved for the variable ([`equalities`]), made free of it
//! ([`pivots`], [`bounds`], [`starts`]), taken apart ([`cases`]), or weakened ([`weaken`]); the last makes
//! the result inexact. (3) The result is simplified.
//! Not covered: variables beyond 3 bits under multiplication, division and shifts together with other
//! variables. There the result is exact only if some few values of the variable serve for all others
//! ([`witnesses`]).
//!
//! A budget in steps bounds the work; when it is spent, what is left is weakened, never guessed.

mod bounds;
mod cases;
mod classes;
mod equalities;
mod pivots;
#[doc(hidden)]
pub mod soak;
mod starts;
mod weaken;
mod witnesses;

use base::{Id, limits};
use term::{Node, Substitution, TermId, Terms, VarId, Walk};

use crate::Solver;
use crate::shape::{Shape, and_all, conjuncts, disjuncts, shape};
use crate::simplify::simplify;

/// A condition without the variables that were to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eliminated {
    /// What is left.
    pub condition: TermId,
    /// Whether it is the strongest necessary, or the weakest sufficient, condition, not merely one of them.
    pub exact: bool,
}

/// `∃ vars. condition`: the strongest necessary condition without them, or a weaker one that is marked as such.
pub fn necessary(terms: &mut Terms, solver: &mut Solver, condition: TermId, vars: &[VarId]) -> Eliminated {
    let result = Cx::new(terms, solver).necessary(condition, vars);
    Eliminated { condition: simplify(terms, solver, result.condition), exact: result.exact }
}

/// `∀ vars. condition`: the weakest sufficient condition without them, or a stronger one that is marked as such.
pub fn sufficient(terms: &mut Terms, solver: &mut Solver, condition: TermId, vars: &[VarId]) -> Eliminated {
    // ∀X. φ = ¬∃X. ¬φ
    let negation = terms.not(condition);
    let result = Cx::new(terms, solver).necessary(negation, vars);
    let condition = terms.not(result.condition);
    Eliminated { condition: simplify(terms, solver, condition), exact: result.exact }
}

/// The variables of a condition that no caller chooses.
pub fn unobservable(terms: &Terms, condition: TermId) -> Vec<VarId> {
    let mut vars = terms.vars_of(condition);
    vars.retain(|&var| !terms.var(var).origin.is_observable());
    vars
}

/// The rules by which variables go, and the reasons for which a result is inexact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A conjunct says what the variable is.
    Solved,
    /// The variable occurs only in a term that it can give any value.
    Pivot,
    /// The values fall into finitely many classes.
    Classes,
    /// A variable of few bits has every value in turn.
    Values,
    /// The variable lies between bounds.
    Bounds,
    /// The variable is where one of the intervals of its atoms starts.
    Starts,
    /// A conjunction was distributed over a disjunction.
    Distributed,
    /// A value that is an if-then-else was taken apart.
    Cases,
    /// A conjunction has no solution at all, says the solver.
    Unsatisfiable,
    /// Atoms were weakened, and the result is the strongest condition nevertheless, says the solver.
    Witnessed,
    /// No rule applied: atoms were weakened.
    Weakened,
    /// The budget was spent: atoms were weakened.
    Spent,
}

/// The environment of one elimination.
struct Cx<'a> {
    terms: &'a mut Terms,
    solver: &'a mut Solver,
    walk: Walk,
    /// Subterms that may still be visited.
    steps: usize,
    /// Queries that the solver may still be asked.
    queries: usize,
    depth: usize,
    /// The first variable that this elimination made; it and all after it are to go, too.
    first_new: VarId,
    used: Vec<Rule>,
}

impl<'a> Cx<'a> {
    fn new(terms: &'a mut Terms, solver: &'a mut Solver) -> Cx<'a> {
        let (steps, queries) = (limits::ELIMINATE_STEPS, limits::ELIMINATE_QUERIES);
        let first_new = VarId::new(terms.vars().len());
        Cx { terms, solver, walk: Walk::new(), steps, queries, depth: 0, first_new, used: Vec::new() }
    }

    /// `∃ vars. condition`, the whole elimination but for simplification.
    fn necessary(&mut self, condition: TermId, vars: &[VarId]) -> Eliminated {
        let mut vars = vars.to_vec();
        vars.sort_unstable();
        vars.dedup();
        let result = self.exists(condition, &vars);
        if result.exact || !self.is_strongest(result.condition, &[condition], &vars) {
            return result;
        }
        // A weakened part did not matter to the whole.
        self.used.push(Rule::Witnessed);
        exactly(result.condition)
    }

    /// `∃ vars. condition`. Pushes the quantifier inward as far as it goes, then removes it.
    fn exists(&mut self, condition: TermId, vars: &[VarId]) -> Eliminated {
        let vars = self.occurring(&[condition], vars);
        if vars.is_empty() {
            return exactly(condition);
        }
        if self.steps == 0 || self.depth >= limits::ELIMINATE_DEPTH {
            return self.spent(condition, &vars);
        }
        self.depth += 1;
        let result = match shape(self.terms, condition) {
            Shape::Or(..) => self.disjunction(condition, &vars),
            Shape::And(..) | Shape::Literal => self.conjunction(&[condition], &vars),
            Shape::Choice { condition, yes, no } => self.choice(condition, yes, no, &vars),
        };
        self.depth -= 1;
        result
    }

    // ∃X. a ∨ b  =  (∃X. a) ∨ (∃X. b)
    fn disjunction(&mut self, condition: TermId, vars: &[VarId]) -> Eliminated {
        let mut result = exactly(self.terms.no());
        for part in disjuncts(self.terms, condition) {
            let part = self.exists(part, vars);
            result = self.or(result, part);
            if self.terms.value(result.condition) == Some(1) {
                break;
            }
        }
        result
    }

    // ∃X. if c { a } else { b }  =  (∃X. c ∧ a) ∨ (∃X. ¬c ∧ b)
    fn choice(&mut self, condition: TermId, yes: TermId, no: TermId, vars: &[VarId]) -> Eliminated {
        if self.occurring(&[condition], vars).is_empty() {
            let (yes, no) = (self.exists(yes, vars), self.exists(no, vars));
            let condition = self.terms.ite(condition, yes.condition, no.condition);
            return Eliminated { condition, exact: yes.exact && no.exact };
        }
        let negation = self.terms.not(condition);
        let yes = self.conjunction(&[condition, yes], vars);
        let no = self.conjunction(&[negation, no], vars);
        self.or(yes, no)
    }

    // ∃X,Y. a ∧ b ∧ c  =  a ∧ (∃X. b) ∧ (∃Y. c)    if a is without X and Y, b without Y and c without X
    fn conjunction(&mut self, conditions: &[TermId], vars: &[VarId]) -> Eliminated {
        let parts = conjuncts(self.terms, conditions);
        let mut result = exactly(self.terms.yes());
        for Component { parts, vars } in self.components(&parts, vars) {
            let part = match &parts[..] {
                _ if vars.is_empty() => exactly(and_all(self.terms, &parts)),
                // A disjunction or a choice by itself: the quantifier goes on inward.
                &[part] if shape(self.terms, part) != Shape::Literal => self.exists(part, &vars),
                _ => self.component(&parts, &vars),
            };
            result = self.and(result, part);
            if self.terms.value(result.condition) == Some(0) {
                break;
            }
        }
        result
    }

    /// Conjuncts that variables connect, each component with its variables; what has none of them comes first.
    fn components(&mut self, parts: &[TermId], vars: &[VarId]) -> Vec<Component> {
        let mut components = vec![Component::default()];
        for &part in parts {
            let own = self.occurring(&[part], vars);
            if own.is_empty() {
                components[0].parts.push(part);
                continue;
            }
            let mut joined = Component { parts: Vec::new(), vars: own.clone() };
            let mut place = components.len();
            for at in (1..components.len()).rev() {
                if components[at].vars.iter().any(|var| own.binary_search(var).is_ok()) {
                    let component = components.remove(at);
                    joined.vars.extend(component.vars);
                    joined.parts.splice(0..0, component.parts);
                    place = at;
                }
            }
            joined.parts.push(part);
            joined.vars.sort_unstable();
            joined.vars.dedup();
            components.insert(place, joined);
        }
        components.retain(|it| !it.parts.is_empty());
        components
    }

    /// `∃ vars. parts` for conjuncts that belong together: the first rule that applies.
    fn component(&mut self, parts: &[TermId], vars: &[VarId]) -> Eliminated {
        if self.steps == 0 || self.depth >= limits::ELIMINATE_DEPTH {
            let all = and_all(self.terms, parts);
            return self.spent(all, vars);
        }
        self.depth += 1;
        let result = None
            .or_else(|| self.solved(parts, vars))
            .or_else(|| self.pivot(parts, vars))
            .or_else(|| self.classes(parts, vars))
            .or_else(|| self.bounds(parts, vars))
            .or_else(|| self.starts(parts, vars))
            .or_else(|| self.values(parts, vars))
            .or_else(|| self.distributed(parts, vars))
            .or_else(|| self.cases(parts, vars))
            .unwrap_or_else(|| self.stuck(parts, vars));
        self.depth -= 1;
        result
    }

    // ∃X. (a ∨ b) ∧ c  =  (∃X. a ∧ c) ∨ (∃X. b ∧ c)
    fn distributed(&mut self, parts: &[TermId], vars: &[VarId]) -> Option<Eliminated> {
        // The part with the fewest cases, so that as many as possible are contradicted soon.
        let all: Vec<Vec<TermId>> = parts.iter().map(|&part| self.alternatives(part)).collect();
        let at = (0..parts.len()).filter(|&at| all[at].len() > 1).min_by_key(|&at| all[at].len())?;
        self.used.push(Rule::Distributed);
        let mut result = exactly(self.terms.no());
        let mut with_case = parts.to_vec();
        for &case in &all[at] {
            with_case[at] = case;
            let case = self.conjunction(&with_case, vars);
            result = self.or(result, case);
        }
        Some(result)
    }

    /// Conditions of which the disjunction is the given one; itself alone if it is a literal.
    fn alternatives(&mut self, condition: TermId) -> Vec<TermId> {
        match shape(self.terms, condition) {
            Shape::Choice { condition, yes, no } => {
                let negation = self.terms.not(condition);
                vec![self.terms.and(condition, yes), self.terms.and(negation, no)]
            }
            _ => disjuncts(self.terms, condition),
        }
    }

    /// No rule applies to these literals. Perhaps they contradict one another; else those on one variable are weakened, and
    /// the others may go on without it.
    fn stuck(&mut self, parts: &[TermId], vars: &[VarId]) -> Eliminated {
        if self.ask(parts).is_some_and(|verdict| verdict.is_unsat()) {
            self.used.push(Rule::Unsatisfiable);
            return exactly(self.terms.no());
        }
        let (mut with, mut fewest) = (Vec::new(), usize::MAX);
        for &var in vars {
            let on: Vec<usize> =
                (0..parts.len()).filter(|&at| !self.occurring(&[parts[at]], &[var]).is_empty()).collect();
            if on.len() < fewest {
                fewest = on.len();
                with = on;
            }
        }
        let mut left = parts.to_vec();
        for at in with {
            left[at] = self.weakened(parts[at], vars);
        }
        let condition = self.conjunction(&left, vars).condition;
        let exact = self.is_strongest(condition, parts, vars);
        self.used.push(if exact { Rule::Witnessed } else { Rule::Weakened });
        Eliminated { condition, exact }
    }

    /// The budget does not allow more than this.
    fn spent(&mut self, condition: TermId, vars: &[VarId]) -> Eliminated {
        self.used.push(Rule::Spent);
        let condition = self.weakened(condition, vars);
        Eliminated { condition, exact: self.terms.value(condition) == Some(0) }
    }

    /// Those of the variables, which are sorted, that occur; they are, too. Costs a step for each different subterm.
    fn occurring(&mut self, conditions: &[TermId], vars: &[VarId]) -> Vec<VarId> {
        debug_assert!(vars.is_sorted(), "variables should be sorted");
        let terms = &*self.terms;
        let (mut found, mut visited) = (Vec::new(), 0);
        self.walk.subterms(terms, conditions, |term| {
            visited += 1;
            if let Node::Var(var) = terms.node(term)
                && vars.binary_search(&var).is_ok()
            {
                found.push(var);
            }
        });
        self.steps = self.steps.saturating_sub(visited);
        found.sort_unstable();
        found
    }

    /// The term that is a variable.
    fn variable(&mut self, var: VarId) -> TermId {
        self.terms.build(Node::Var(var), self.terms.var(var).width)
    }

    /// The conjuncts with a variable replaced.
    fn substitute(&mut self, parts: &[TermId], var: VarId, by: TermId) -> Vec<TermId> {
        let substitution = Substitution::from_iter([(var, by)]);
        parts.iter().map(|&part| self.walk.substitute(self.terms, part, &substitution)).collect()
    }

    fn or(&mut self, a: Eliminated, b: Eliminated) -> Eliminated {
        let condition = self.terms.or(a.condition, b.condition);
        // What is true exactly stays so, whatever is added.
        let is_true = |it: Eliminated| it.exact && self.terms.value(it.condition) == Some(1);
        Eliminated { condition, exact: a.exact && b.exact || is_true(a) || is_true(b) }
    }

    fn and(&mut self, a: Eliminated, b: Eliminated) -> Eliminated {
        let condition = self.terms.and(a.condition, b.condition);
        // A necessary condition that never holds is the strongest.
        Eliminated { condition, exact: a.exact && b.exact || self.terms.value(condition) == Some(0) }
    }
}

/// Conjuncts that belong together.
#[derive(Default)]
struct Component {
    parts: Vec<TermId>,
    vars: Vec<VarId>,
}

fn exactly(condition: TermId) -> Eliminated {
    Eliminated { condition, exact: true }
}
