//! Loads and stores are done directly; debug builds compare that with the application of their triples.
//!
//! ```text
//! [p ↦ X * X ↦ V] y := *p [ok: p ↦ X * X ↦ V ∧ y = V]          [p ↦ X * X ↦ U] *p := V [ok: p ↦ X * X ↦ V]
//! ```
//! Source: Le et al. Fig. 3, applied by rule Eval of Fig. 5 (`heap::apply`). Both ways start from the same arena; the results must be equal up to the names of new variables.
//! Not covered: errors, which the triples leave to `summary::derived_errors`, and stores into arrays with elements at unknown indices, where application forgets more. What is
//! asked of a presumption twice counts once, and a block whose size is known has its bytes anyway.

use base::{Id, IdVec};
use heap::apply::{Callee, Caller};
use heap::block::Content;
use heap::bytes::Order;
use heap::{
    Access, AccessKind, Block, BlockId, Cell, Condition, Exit, Given, Import, Kind, Made, Place, Plan,
    PreBlock, Spec, State, VarRole, apply,
};
use term::{Node, Origin, TermId, Terms, VarId};

use super::access::Bytes;
use crate::engine::Engine;

/// An access of at most sixteen bytes.
#[derive(Clone, Copy)]
pub(super) struct Direct<'n> {
    pub(super) address: TermId,
    pub(super) bytes: u64,
    /// What is stored; none for a load.
    pub(super) stored: Option<TermId>,
    /// How what is loaded is called.
    pub(super) name: Option<&'n str>,
}

/// What the triple of an access does.
pub(super) struct Expected {
    ways: Vec<(State, Vec<TermId>)>,
    terms: Terms,
    /// Variables that both ways know.
    n_vars: usize,
    is_store: bool,
    n_errors: usize,
    n_stopped: u32,
}

/// Instructions at the beginning of an analysis whose accesses are compared: enough for most functions of the tests, and soon over for large ones.
const COMPARED_STEPS: usize = 400;
/// Blocks of the largest state that is compared.
const COMPARED_BLOCKS: usize = 24;

impl Engine<'_> {
    /// What the triple of an access gives; nothing in release builds, and for what is not compared.
    pub(super) fn by_triple(&mut self, state: &State, access: Direct<'_>) -> Option<Expected> {
        let is_small = self.steps <= COMPARED_STEPS && state.n_blocks() <= COMPARED_BLOCKS;
        if !cfg!(debug_assertions) || !is_small || access.bytes == 0 || access.bytes > 16 {
            return None;
        }
        let before = Before::of(self);
        let expected = self.apply_triple(state, access);
        Some(before.restore(self, expected, access.stored.is_some()))
    }

    fn apply_triple(&mut self, state: &State, access: Direct<'_>) -> Vec<(State, Vec<TermId>)> {
        let triple = Triple::of(access, self.pointer_bits, self.here());
        let mut import = Import::default();
        import.bind(VarId::new(0), access.address);
        if let Some(stored) = access.stored {
            let stored = self.terms.zext(stored, access.bytes as u32 * 8);
            import.bind(VarId::new(1), stored);
        }
        let Triple { terms: callee_terms, roles, spec, .. } = &triple;
        let plan = Plan::of(callee_terms, spec);
        let callee = Callee { terms: callee_terms, roles, spec, plan: &plan, function: self.key };
        let mut terms = std::mem::take(&mut self.terms);
        let call = self.at;
        let mut caller = Instruction { engine: self, name: access.name };
        let ways = apply(&mut caller, &mut terms, state.clone(), callee, import, call);
        self.terms = terms;
        ways.into_iter().flatten().map(|applied| (applied.state, applied.results)).collect()
    }

    /// Both ways should have led to the same, unless one of them met an error.
    pub(super) fn hold_against(&self, expected: Expected, direct: &[(State, Vec<TermId>)]) {
        let has_stopped = self.errors.len() != expected.n_errors
            || self.stopped.values().sum::<u32>() != expected.n_stopped;
        // A store at an unknown index is told apart from all elements directly; application of a triple forgets them.
        let n_conditions = |(state, _): &(State, Vec<TermId>)| state.path.conditions.len();
        let is_settled = direct.len() > expected.ways.len()
            || direct.iter().zip(&expected.ways).any(|(own, their)| n_conditions(own) > n_conditions(their))
            || direct.iter().any(|it| has_index(&it.0));
        if has_stopped || direct.is_empty() || expected.is_store && is_settled {
            return;
        }
        assert_eq!(direct.len(), expected.ways.len(), "an access should have as many ways as its triple");
        let mut terms = self.terms.clone();
        for (direct, applied) in direct.iter().zip(&expected.ways) {
            let ((facts, mut own), (expected_facts, mut theirs)) = (parts(&direct.0), parts(&applied.0));
            assert_eq!(facts, expected_facts, "an access should do what its triple does");
            own.extend(&direct.1);
            theirs.extend(&applied.1);
            let is_same = same_terms(&mut terms, &own, &expected, &theirs);
            assert!(is_same, "an access should give the values that its triple gives");
        }
    }
}

/// All that application may change in an engine.
struct Before {
    terms: Terms,
    roles: IdVec<VarId, VarRole>,
    sources: IdVec<VarId, Option<summary::Source>>,
    pointers: std::collections::HashSet<TermId>,
    symbols: std::collections::HashMap<VarRole, TermId>,
    initial: std::collections::HashMap<(TermId, Place, u32), TermId>,
    unknown: std::collections::HashMap<(TermId, u32, Place, u32), TermId>,
    epoch: heap::Epoch,
    stopped: std::collections::BTreeMap<crate::world::Stopped, u32>,
    n_given_up: usize,
    has_uninit: bool,
    n_errors: usize,
    steps: usize,
    forced_queries: usize,
}

impl Before {
    fn of(engine: &Engine<'_>) -> Before {
        Before {
            terms: engine.terms.clone(),
            roles: engine.roles.clone(),
            sources: engine.sources.clone(),
            pointers: engine.pointers.clone(),
            symbols: engine.symbols.clone(),
            initial: engine.initial.clone(),
            unknown: engine.unknown.clone(),
            epoch: engine.epoch,
            n_given_up: engine.given_up.len(),
            stopped: engine.stopped.clone(),
            has_uninit: engine.has_uninit,
            n_errors: engine.errors.len(),
            steps: engine.steps,
            forced_queries: engine.forced_queries,
        }
    }

    /// Nothing has happened, but it is known what would.
    fn restore(self, engine: &mut Engine<'_>, ways: Vec<(State, Vec<TermId>)>, is_store: bool) -> Expected {
        let n_vars = self.terms.vars().len();
        let terms = std::mem::replace(&mut engine.terms, self.terms);
        engine.roles = self.roles;
        engine.sources = self.sources;
        engine.pointers = self.pointers;
        engine.symbols = self.symbols;
        engine.initial = self.initial;
        engine.unknown = self.unknown;
        engine.epoch = self.epoch;
        engine.given_up.truncate(self.n_given_up);
        engine.has_uninit = self.has_uninit;
        engine.errors.truncate(self.n_errors);
        engine.steps = self.steps;
        engine.forced_queries = self.forced_queries;
        let n_stopped = self.stopped.values().sum();
        engine.stopped = self.stopped;
        Expected { ways, terms, n_vars, is_store, n_errors: self.n_errors, n_stopped }
    }
}

/// A triple with its own arena: variable 0 is the address, variable 1 the value.
struct Triple {
    terms: Terms,
    roles: IdVec<VarId, VarRole>,
    spec: Spec,
}

impl Triple {
    fn of(access: Direct<'_>, pointer_bits: u32, made: Made) -> Triple {
        let mut terms = Terms::new();
        let base = terms.fresh(pointer_bits, Origin::Parameter, "p");
        let bytes = access.bytes as u32;
        let (kind, role, origin) = match access.stored {
            None => (AccessKind::Read, VarRole::Local, Origin::InitialMemory),
            Some(_) => (AccessKind::Write, VarRole::Param(1), Origin::Parameter),
        };
        let value = terms.fresh(bytes * 8, origin, "value");
        let cell = Cell { place: Place::at(0), bytes, value };
        let first = State::default().access(made, kind, (0, i64::from(bytes)));
        let mut pre = PreBlock::new(BlockId::new(0), base, first);
        let mut post = Block::new(base, None, Kind::Abduced, Content::Initial);
        post.cells.push(cell);
        let mut results = Vec::new();
        if access.stored.is_none() {
            pre.cells.push(cell);
            results.push(value);
        }
        let spec = Spec {
            pre: vec![pre],
            conditions: Vec::new(),
            defined: Vec::new(),
            exit: Exit::Ok,
            post: vec![post],
            results,
            choices: Vec::new(),
            given: Vec::new(),
            exposed: false,
        };
        Triple { terms, roles: IdVec::from_vec(vec![VarRole::Param(0), role]), spec }
    }
}

/// What a state says without terms, and its terms in order.
fn parts(state: &State) -> (Vec<String>, Vec<TermId>) {
    let (mut facts, mut terms) = (Vec::new(), Vec::new());
    let cell = |terms: &mut Vec<TermId>, cell: &Cell| {
        terms.extend(cell.place.symbolic);
        terms.push(cell.value);
        format!("{}+{}", cell.place.offset, cell.bytes)
    };
    for (_, block) in state.blocks() {
        terms.push(block.base);
        terms.extend(block.size);
        let cells: Vec<String> = block.cells.iter().map(|it| cell(&mut terms, it)).collect();
        let is_allocated = block.status.is_allocated();
        facts.push(format!("{:?} {:?} {is_allocated} {} {cells:?}", block.kind, block.rest, block.escaped));
    }
    for pre in state.pre() {
        terms.push(pre.base);
        let cells: Vec<String> = pre.cells.iter().map(|it| cell(&mut terms, it)).collect();
        facts.push(format!("pre {:?} {cells:?} {:?} {}", pre.block, pre.freeable, pre.negative));
        if state.block(pre.block).size.is_none() {
            facts.push(asked(pre));
        }
    }
    for condition in state.path.conditions.iter() {
        terms.push(condition.term);
        facts.push(format!("{:?} at {:?}", condition.reason, condition.made.own_site()));
    }
    terms.extend(state.path.defined.iter());
    terms.extend(state.choices.iter().filter_map(|choice| choice.term()));
    terms.extend(state.given.iter().map(|given| given.pointer));
    facts.push(format!("{} choices, {} terms", state.choices.len(), terms.len()));
    (facts, terms)
}

/// What the accesses of a presumption ask for.
fn asked(pre: &PreBlock) -> String {
    let mut asked: Vec<String> = Vec::new();
    for access in &pre.accesses {
        let is_constant = access.is_constant();
        let text =
            format!("{:?} {:?} {is_constant} {:?}", access.kind, access.extent, access.made.own_site());
        if !asked.contains(&text) {
            asked.push(text);
        }
    }
    format!("{:?} {asked:?}", pre.extent)
}

/// Whether terms are the same, if new variables are that stand at the same place.
fn same_terms(terms: &mut Terms, own: &[TermId], expected: &Expected, theirs: &[TermId]) -> bool {
    let is_new = |var: VarId| var.index() >= expected.n_vars;
    let mut import = Import::default();
    for (&own, &their) in own.iter().zip(theirs) {
        if let (Node::Var(var), Node::Var(own_var)) = (expected.terms.node(their), terms.node(own))
            && is_new(var)
            && is_new(own_var)
            && import.get(var).is_none()
        {
            import.bind(var, own);
        }
    }
    let mut unbound = |terms: &mut Terms, var: VarId| match is_new(var) {
        true => terms.fresh(expected.terms.var(var).width, Origin::NotFollowed, "of the triple"),
        false => terms.var_term(var),
    };
    own.len() == theirs.len()
        && own
            .iter()
            .zip(theirs)
            .all(|(&own, &their)| import.term(terms, &expected.terms, their, &mut unbound) == own)
}

fn has_index(state: &State) -> bool {
    state.blocks().any(|(_, block)| block.cells.iter().any(|cell| cell.place.symbolic.is_some()))
}

/// The engine, as application of the triple of an instruction sees it. The arena is taken out while it works.
struct Instruction<'e, 'a, 'n> {
    engine: &'e mut Engine<'a>,
    name: Option<&'n str>,
}

impl Caller for Instruction<'_, '_, '_> {
    fn order(&self) -> Order {
        self.engine.order
    }

    fn calls(&mut self) -> &mut heap::Calls {
        &mut self.engine.calls
    }

    fn is_pointer(&self, term: TermId) -> bool {
        self.engine.pointers.contains(&term)
    }

    fn address(&mut self, _: &mut Terms, _: &mut State, role: VarRole) -> TermId {
        unreachable!("invariant: the triple of an instruction mentions no symbol, but {role:?} was asked for")
    }

    fn fresh(&mut self, terms: &mut Terms, callee: &Terms, var: VarId) -> TermId {
        let data = callee.var(var);
        self.engine
            .with_arena(terms, |engine| engine.fresh(data.width, data.origin, "", VarRole::Local, None))
    }

    fn abduce(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        base: TermId,
        access: &Access,
    ) -> Option<BlockId> {
        self.engine.with_arena(terms, |engine| engine.abduce_pointer(state, base, access))
    }

    fn epoch(&mut self) -> heap::Epoch {
        self.engine.epoch.begin()
    }

    fn give_away(&mut self, _: &mut Terms, _: &mut State, given: Given) {
        unreachable!("invariant: the triple of an instruction gives nothing away, but {given:?} was")
    }

    fn back_pointer(
        &mut self,
        terms: &mut Terms,
        state: &State,
        at: (TermId, heap::Place, u64),
    ) -> Option<TermId> {
        self.engine.with_arena(terms, |engine| engine.back_pointer(state, at))
    }

    fn expose(&mut self, _: &mut Terms, _: &mut State) {
        unreachable!("invariant: the triple of an instruction knows all code")
    }

    fn can_decide(&mut self, _: &mut Terms, _: &State, _: &Condition) -> bool {
        unreachable!("invariant: the triple of an instruction has no conditions")
    }

    fn can_address(&mut self, terms: &mut Terms, state: &State, address: TermId, _: Option<&Made>) -> bool {
        self.engine.with_arena(terms, |engine| engine.is_defined(state, address))
    }

    fn read(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        (block, place, bytes): (BlockId, Place, u32),
        _: (&Terms, VarId),
    ) -> TermId {
        let name = self.name;
        self.engine.with_arena(terms, |engine| engine.read(state, Bytes { block, place }, bytes, name))
    }
}
