//! Answers to queries.

use term::{Assignment, TermId, Terms};

/// The answer to: *is the conjunction of these conditions satisfiable?*
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// `∃ variables. ⋀ conditions`, and these values show it.
    Sat(Model),
    /// `∀ variables. ¬ ⋀ core`.
    Unsat(Core),
    /// Nobody knows: a budget ran out.
    Unknown(Limit),
}

impl Verdict {
    /// Whether it is [`Verdict::Sat`].
    pub fn is_sat(&self) -> bool {
        matches!(self, Verdict::Sat(_))
    }

    /// Whether it is [`Verdict::Unsat`].
    pub fn is_unsat(&self) -> bool {
        matches!(self, Verdict::Unsat(_))
    }

    /// Whether there is a solution, if that is known.
    pub fn satisfiable(&self) -> Option<bool> {
        match self {
            Verdict::Sat(_) => Some(true),
            Verdict::Unsat(_) => Some(false),
            Verdict::Unknown(_) => None,
        }
    }
}

/// Values of variables under which all conditions of the query hold. Variables that do not matter are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    assignment: Assignment,
}

impl Model {
    pub(crate) fn new(assignment: Assignment) -> Model {
        Model { assignment }
    }

    /// The values of the variables.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// The value of any term.
    pub fn value(&self, terms: &Terms, term: TermId) -> u128 {
        terms.eval(term, &self.assignment)
    }
}

/// Those of the assumed conditions that contradict one another, in the order of the query; not necessarily the fewest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Core {
    conditions: Vec<TermId>,
}

impl Core {
    pub(crate) fn new(conditions: Vec<TermId>) -> Core {
        Core { conditions }
    }

    /// The contradictory conditions.
    pub fn conditions(&self) -> &[TermId] {
        &self.conditions
    }
}

/// The budget that ran out. None of them counts seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// Conflicts of the last SAT solver that was asked.
    Conflicts,
    /// Gates of the conditions' circuit.
    Gates,
}
