//! The bit-precise tier: decides conditions about the terms of one function, exactly.
//!
//! Terms become circuits ([`blast`], [`gates`]), once per function; a chain of deciders ([`chain`]) answers
//! what it can without a search and hands the rest to SAT solvers ([`sat`]), which see only the cone of the
//! query. All budgets count steps.
//!
//! Source: SATURN (Xie, Aiken 2007) §3.1. Departures: see [`blast`] and [`chain`].

#[doc(hidden)]
pub mod bench;
mod blast;
mod chain;
pub mod eliminate;
mod gates;
mod guess;
mod options;
#[cfg(feature = "z3")]
#[doc(hidden)]
pub mod oracle;
mod sat;
mod shape;
pub mod simplify;
#[doc(hidden)]
pub mod soak;
mod verdict;

use base::limits;
use term::{Assignment, TermId, Terms};

use crate::blast::Circuit;
use crate::chain::{Cx, Found, Stage};
use crate::gates::Wire;
use crate::guess::Guesser;

pub use options::{CrossCheck, Options, Stats};
pub use verdict::{Core, Limit, Model, Verdict};

/// Decides conditions about the terms of one function.
///
/// Keeps circuits, models, contradictions and what SAT solvers have learned from query to query: use one for all queries about an
/// arena of terms, in which more terms may appear in between, and drop it with the arena. The answers to a sequence of queries
/// are always the same.
#[derive(Debug)]
pub struct Solver {
    options: Options,
    guesser: Guesser,
    circuit: Circuit,
    chain: Box<dyn Stage>,
    stats: Stats,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// With the options that the engines use.
    pub fn new() -> Solver {
        Solver::with(Options::default())
    }

    /// With other options.
    pub fn with(options: Options) -> Solver {
        let chain = chain::assemble(&options);
        Solver {
            guesser: Guesser::default(),
            circuit: Circuit::new(options.gates),
            chain,
            stats: Stats::default(),
            options,
        }
    }

    /// Is the conjunction of these conditions (one bit each) satisfiable?
    ///
    /// `∃ variables. ⋀ conditions`; for no conditions at all, yes.
    pub fn check(&mut self, terms: &Terms, conditions: &[TermId]) -> Verdict {
        self.stats.queries += 1;
        let verdict = self.decide(terms, conditions);
        if self.options.verify {
            verify(terms, conditions, &verdict);
        }
        self.cross_check(terms, conditions, &verdict);
        self.stats.unknown += u64::from(verdict.satisfiable().is_none());
        verdict
    }

    /// Does the condition hold for all values?  `∀ variables. condition`;  `None`: a budget ran out.
    pub fn is_valid(&mut self, terms: &mut Terms, condition: TermId) -> Option<bool> {
        let negation = terms.not(condition);
        self.check(terms, &[negation]).satisfiable().map(|satisfiable| !satisfiable)
    }

    /// Does `b` hold wherever `a` does?  `∀ variables. a → b`;  `None`: a budget ran out.
    pub fn implies(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> Option<bool> {
        let negation = terms.not(b);
        self.check(terms, &[a, negation]).satisfiable().map(|satisfiable| !satisfiable)
    }

    /// Bytes, about: of the circuit, and of what SAT solvers keep of it.
    pub fn bytes(&self) -> usize {
        self.circuit.gates.len() * limits::GATE_BYTES
    }

    /// What was done so far.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    fn decide(&mut self, terms: &Terms, conditions: &[TermId]) -> Verdict {
        if self.options.guess
            && let Some(assignment) = self.guesser.guess(terms, conditions)
        {
            self.stats.by_guesses += 1;
            return Verdict::Sat(Model::new(assignment));
        }
        let mut wires = Vec::with_capacity(conditions.len());
        for &condition in conditions {
            match self.circuit.condition(terms, condition) {
                Some(wire) => wires.push(wire),
                None => return Verdict::Unknown(Limit::Gates),
            }
        }
        let mut cx = Cx { circuit: &self.circuit, stats: &mut self.stats };
        match self.chain.check(&mut cx, &wires) {
            Found::Sat(ones) => Verdict::Sat(self.model(&ones)),
            Found::Unsat(core) => Verdict::Unsat(core_of(conditions, &wires, core)),
            Found::Unknown(limit) => Verdict::Unknown(limit),
        }
    }

    /// Asks the second back end; says so if it disagrees, and in debug builds goes no further.
    fn cross_check(&mut self, terms: &Terms, conditions: &[TermId], verdict: &Verdict) {
        let (Some(ours), Some(other)) = (verdict.satisfiable(), self.second_opinion(terms, conditions))
        else {
            return;
        };
        self.stats.disagreements += u64::from(ours != other);
        debug_assert_eq!(ours, other, "the second back end should agree about {conditions:?}");
    }

    /// What the second back end says, if there is one and it knows.
    #[cfg_attr(
        not(any(feature = "cadical", feature = "z3")),
        expect(unused_variables, reason = "without a second back end there is nobody to ask")
    )]
    fn second_opinion(&mut self, terms: &Terms, conditions: &[TermId]) -> Option<bool> {
        match self.options.cross_check {
            CrossCheck::Off => None,
            #[cfg(feature = "cadical")]
            CrossCheck::Cadical => {
                let wires: Option<Vec<Wire>> =
                    conditions.iter().map(|&condition| self.circuit.condition(terms, condition)).collect();
                sat::second_opinion(&self.circuit.gates, &wires?)
            }
            #[cfg(feature = "z3")]
            CrossCheck::Z3 => oracle::satisfiable(terms, conditions),
        }
    }

    /// The values of variables of which these bits are 1.
    fn model(&self, ones: &[u32]) -> Model {
        let mut assignment = Assignment::new();
        for &gate in ones {
            let input = self.circuit.input(gate);
            let lower = assignment.get(input.var);
            assignment.set(input.var, lower | 1 << input.bit);
        }
        Model::new(assignment)
    }
}

/// The first condition for each wire of a core.
fn core_of(conditions: &[TermId], wires: &[Wire], mut core: Vec<Wire>) -> Core {
    let mut found = Vec::with_capacity(core.len());
    for (&condition, wire) in conditions.iter().zip(wires) {
        if let Some(at) = core.iter().position(|other| other == wire) {
            core.swap_remove(at);
            found.push(condition);
        }
    }
    Core::new(found)
}

/// Panics if a model does not satisfy the conditions, or a core is not a part of them: the circuit or a stage is wrong.
fn verify(terms: &Terms, conditions: &[TermId], verdict: &Verdict) {
    match verdict {
        Verdict::Sat(model) => {
            for &condition in conditions {
                assert_eq!(
                    model.value(terms, condition),
                    1,
                    "a model should satisfy all conditions of its query"
                );
            }
        }
        Verdict::Unsat(core) => {
            let rest = conditions.iter().filter(|condition| core.conditions().contains(condition));
            assert!(
                !core.conditions().is_empty() && rest.count() >= core.conditions().len(),
                "a core should be a part of its query"
            );
        }
        Verdict::Unknown(_) => {}
    }
}
