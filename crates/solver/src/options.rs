//! What can be switched, and what is counted.

use base::limits;

/// How a solver decides. Each stage can be switched off, to find out what it is good for and whether it is to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Values that the fast tier leads to are tried before a circuit is built.
    pub guess: bool,
    /// Conditions that share no variable's bit are decided apart.
    pub slice: bool,
    /// Contradictions are remembered: a query that contains one needs no search.
    pub cores: bool,
    /// Values of earlier models, and some made up, are tried before a search.
    pub models: bool,
    /// Conflicts after which the first SAT solver gives up a query.
    pub conflicts: u64,
    /// Conflicts after which the second SAT solver does, which is CaDiCaL; without the feature `cadical`, conflicts that the first
    /// one may have in addition.
    pub hard_conflicts: u64,
    /// Gates that the circuit of one function's conditions may have.
    pub gates: usize,
    /// The values of every model are checked by evaluation, also in release builds.
    pub verify: bool,
    /// Who else is asked about every query.
    pub cross_check: CrossCheck,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            guess: true,
            slice: true,
            cores: true,
            models: true,
            conflicts: limits::SAT_CONFLICTS,
            hard_conflicts: limits::SAT_HARD_CONFLICTS,
            gates: limits::CIRCUIT_GATES,
            verify: cfg!(debug_assertions),
            cross_check: CrossCheck::Off,
        }
    }
}

/// A second back end that is asked about every query; it must not disagree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CrossCheck {
    /// Nobody.
    #[default]
    Off,
    /// CaDiCaL, about the same circuit.
    #[cfg(feature = "cadical")]
    Cadical,
    /// Z3, about the same terms.
    #[cfg(feature = "z3")]
    Z3,
}

/// What was done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Queries in all.
    pub queries: u64,
    /// Queries that guessed values satisfied.
    pub by_guesses: u64,
    /// Parts into which they fell.
    pub parts: u64,
    /// Queries that constants or contradictory literals decided.
    pub by_constants: u64,
    /// Parts that contained a known contradiction, or were given up before.
    pub by_cores: u64,
    /// Parts that known values satisfied.
    pub by_models: u64,
    /// Parts that the first SAT solver decided.
    pub by_first: u64,
    /// Parts that the second SAT solver decided.
    pub by_second: u64,
    /// Queries that nobody decided.
    pub unknown: u64,
    /// Conflicts of the SAT solvers.
    pub conflicts: u64,
    /// Clauses that the SAT solvers were told.
    pub clauses: u64,
    /// SAT solvers that were started.
    pub sessions: u64,
    /// Answers of the second back end that did not agree; always 0.
    pub disagreements: u64,
}
