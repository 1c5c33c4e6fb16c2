//! Terms and what is known of them, with who decides about them: what all paths of a function share.
//!
//! [`heap::Arena`] says what terms mean; here is what the engine adds: values of operands, and questions to
//! the solver.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};

use base::{Id, limits};
use heap::path::Reason;
use heap::{Condition, Outside, State, Symbol, Symbols, VarRole};
use ir::{BlockId, Const, FuncId, Operand, Type};
use smallvec::SmallVec;
use solver::Solver;
use term::{Origin, TermId, Terms};
use world::{FnKey, GlobalKey};

use crate::cx::Cx;
use crate::flow::Flow;
use crate::judge::{combine_contents, decided_on};

/// Addresses of labels: numbers that are no addresses of objects.
const LABELS: u128 = 1 << 62;

/// What all paths of a function share. A copy is a world of its own, in which something can be tried out.
#[derive(Clone)]
pub(crate) struct Arena {
    pub(crate) heap: heap::Arena,
    pub(crate) prover: Prover,
    /// By result of unknown code that writes nothing: what was called, and with what.
    pub(crate) answers: HashMap<TermId, (FuncId, Vec<TermId>)>,
    /// By term: the operations in it, as far as somebody asked; 0 if nobody did.
    weights: Vec<u32>,
}

/// The solver, and what was asked of it on the way.
pub(crate) struct Prover {
    pub(crate) solver: Solver,
    /// Questions on the way.
    n_queries: usize,
    /// Those among them whether an error is forced.
    n_forced: usize,
}

/// The world outside of the heap.
pub(crate) struct Surroundings<'s, 'a> {
    pub(crate) cx: &'s Cx<'a>,
    pub(crate) prover: &'s mut Prover,
}

impl Deref for Arena {
    type Target = heap::Arena;

    fn deref(&self) -> &heap::Arena {
        &self.heap
    }
}

impl DerefMut for Arena {
    fn deref_mut(&mut self) -> &mut heap::Arena {
        &mut self.heap
    }
}

impl Prover {
    pub(crate) fn new() -> Prover {
        let options = solver::Options {
            conflicts: limits::SPLIT_CONFLICTS,
            hard_conflicts: 0,
            ..solver::Options::default()
        };
        Prover { solver: Solver::with(options), n_queries: 0, n_forced: 0 }
    }

    /// What the questions on the way cost, in steps.
    pub(crate) fn steps(&self) -> usize {
        self.n_queries * limits::SPLIT_QUERY
    }

    /// Asks a question on the way.
    pub(crate) fn check(&mut self, terms: &Terms, query: &[TermId]) -> solver::Verdict {
        self.n_queries += 1;
        self.solver.check(terms, query)
    }

    /// Whether a path contradicts a condition, down to the bits.
    pub(crate) fn is_forced(&mut self, terms: &mut Terms, state: &State, ok: TermId) -> bool {
        if self.n_forced >= limits::SPLIT_FORCED {
            return false;
        }
        let mut query = terms.connected(&[ok], state.path.terms());
        // What no decision of the path is about cannot be forced.
        if query.is_empty() {
            return false;
        }
        self.n_forced += 1;
        query.push(ok);
        self.check(terms, &query).is_unsat()
    }
}

impl Clone for Prover {
    /// What the solver has learned is about the terms of one arena, which will differ from now on.
    fn clone(&self) -> Prover {
        Prover { n_queries: self.n_queries, n_forced: self.n_forced, ..Prover::new() }
    }
}

impl Symbols for Surroundings<'_, '_> {
    fn name(&self, role: VarRole) -> String {
        self.cx.name(role)
    }

    fn symbol(&self, role: VarRole) -> Symbol {
        self.cx.symbol(role)
    }

    fn image(&self, global: GlobalKey, at: i64, bytes: u32) -> heap::Image {
        self.cx.image(global, at, bytes)
    }

    fn function_in(&self, global: GlobalKey, at: i64) -> Option<FnKey> {
        self.cx.function_in(global, at)
    }
}

impl Outside for Surroundings<'_, '_> {
    fn dependence(&mut self, arena: &mut heap::Arena, state: &State, term: TermId) -> heap::Dependence {
        crate::uninit::dependence(self.prover, arena, state, term)
    }
}

impl Arena {
    pub(crate) fn new(cx: &Cx<'_>) -> Arena {
        Arena {
            heap: heap::Arena::new(cx.machine()),
            prover: Prover::new(),
            answers: HashMap::new(),
            weights: Vec::new(),
        }
    }

    /// The heap, and the world outside of it.
    pub(crate) fn parts<'s, 'a>(&'s mut self, cx: &'s Cx<'a>) -> (Surroundings<'s, 'a>, &'s mut heap::Arena) {
        (Surroundings { cx, prover: &mut self.prover }, &mut self.heap)
    }

    /// The value of an operand on a path.
    pub(crate) fn operand(&mut self, cx: &Cx<'_>, flow: &mut Flow, operand: Operand) -> TermId {
        match operand {
            Operand::Value(value) => match flow.get(value) {
                Some(term) => term,
                None => {
                    // Only what was not expressible is without a value.
                    let term = self.unknown(cx, cx.body.values[value].ty, "an unmodeled value");
                    flow.set(value, term);
                    term
                }
            },
            Operand::Const(constant) => self.constant(cx, &mut flow.state, &cx.body.consts[constant]),
        }
    }

    fn constant(&mut self, cx: &Cx<'_>, state: &mut State, constant: &Const) -> TermId {
        let pointer_bits = self.pointer_bits();
        match *constant {
            Const::Int { width, value } => self.terms.constant(width, value),
            Const::Null => self.terms.constant(pointer_bits, 0),
            Const::Float { kind, bits } => self.terms.constant(kind.bits(), bits),
            Const::Global { global, offset } => {
                let base = self.symbol(cx, state, VarRole::Global(cx.world.global(cx.unit, global)));
                self.plus(base, offset)
            }
            Const::Func(function) => {
                let function = cx.world.function(cx.unit, function)[0];
                self.symbol(cx, state, VarRole::Function(function))
            }
            Const::Block(block) => self.label(block),
            Const::WideInt { .. } => self.unknown(cx, constant.ty(), "a large number"),
            // What clang makes of `100 / 0`: nobody chooses it, so nothing may rest on it.
            Const::Undef(ty) | Const::Poison(ty) => {
                let width = cx.width(ty).min(term::WIDEST);
                self.not_followed(state, width)
            }
        }
    }

    /// A value that nothing is known about, and that nobody outside chooses.
    pub(crate) fn unknown(&mut self, cx: &Cx<'_>, ty: Type, name: &str) -> TermId {
        let width = cx.width(ty).min(term::WIDEST);
        self.local(width, Origin::UnknownCall, name)
    }

    /// The address of a label.
    pub(crate) fn label(&mut self, block: BlockId) -> TermId {
        let pointer_bits = self.pointer_bits();
        self.terms.constant(pointer_bits, LABELS + block.index() as u128)
    }

    /// Assumes a condition at the present place. `false`: the path ends, because it contradicts.
    #[must_use]
    pub(crate) fn assume_here(
        &mut self,
        cx: &Cx<'_>,
        flow: &mut Flow,
        (term, reason): (TermId, Reason),
    ) -> bool {
        self.assume(&mut flow.state, Condition { term, made: cx.here(), reason })
    }

    /// Lets a path rest on a value that is not followed.
    pub(crate) fn mark_as_guess(&mut self, cx: &Cx<'_>, state: &mut State) {
        let term = self.not_followed(state, 1);
        let condition = Condition { term, made: cx.here(), reason: Reason::Branch };
        let _ = state.path.assume(&mut self.terms, condition);
    }

    /// Whether a value has so many operations in it that nobody will ever decide about it.
    pub(crate) fn is_too_large(&mut self, term: TermId) -> bool {
        self.weight(term, limits::SPLIT_WEIGHT) > limits::SPLIT_WEIGHT
    }

    /// The operations in a term, up to a limit.
    fn weight(&mut self, term: TermId, limit: u32) -> u32 {
        let at = term.index();
        if let Some(&known) = self.weights.get(at).filter(|known| **known > 0) {
            return known;
        }
        let mut operands: SmallVec<[TermId; 3]> = SmallVec::new();
        self.terms.for_each_operand(term, |operand| operands.push(operand));
        let mut weight = 1_u32;
        for operand in operands {
            weight += if weight > limit { 0 } else { self.weight(operand, limit - weight) };
        }
        // What was not counted to its end is known to be more than was asked for only.
        if weight <= limit || limit == limits::SPLIT_WEIGHT {
            self.weights.resize(self.weights.len().max(at + 1), 0);
            self.weights[at] = weight;
        }
        weight
    }

    /// Whether no decision of a path is about a value that was not followed.
    pub(crate) fn is_followed(&self, state: &State) -> bool {
        self.are_followed(&decided_on(state))
    }

    /// Whether no condition mentions a value that was not followed, and not several what is in the memory of unknown code.
    pub(crate) fn are_followed(&self, conditions: &[TermId]) -> bool {
        !conditions.iter().any(|&it| self.mentions_not_followed(it))
            && !combine_contents(&self.terms, conditions)
    }

    /// Whether a condition is about something that the environment chose.
    pub(crate) fn is_chosen(&self, term: TermId) -> bool {
        self.terms.mentions(term, Origin::is_chosen)
    }

    /// Whether a condition is about nothing but what a caller chooses.
    pub(crate) fn is_callers_doing(&self, condition: TermId) -> bool {
        let mut vars = self.terms.vars_of(condition);
        vars.retain(|&var| {
            self.roles()[var] != VarRole::Local || self.terms.var(var).origin != Origin::Allocation
        });
        vars.iter().all(|&var| self.terms.var(var).origin.is_observable())
    }

    /// Whether the path contradicts a condition, down to the bits.
    pub(crate) fn is_forced(&mut self, state: &State, ok: TermId) -> bool {
        self.prover.is_forced(&mut self.heap.terms, state, ok)
    }

    /// What holds because memory exists.
    pub(crate) fn laws(&mut self, state: &State, conditions: &[TermId]) -> (Vec<TermId>, Vec<TermId>) {
        let terms = &mut self.heap.terms;
        let vars = conditions.iter().flat_map(|&it| terms.vars_of(it));
        let mentioned: Vec<TermId> = vars.map(|var| terms.var_term(var)).collect();
        state.laws(terms, &|base| mentioned.contains(&base))
    }

    /// What must hold for everything to be defined.
    pub(crate) fn defined(&self, state: &State) -> Vec<TermId> {
        state.path.defined.iter().copied().filter(|&term| !self.mentions_not_followed(term)).collect()
    }
}
