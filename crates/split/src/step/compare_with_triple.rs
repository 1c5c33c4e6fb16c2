//! Loads and stores are done directly; debug builds compare that with the application of their triples.
//!
//! ```text
//! [p ↦ X * X ↦ V] y := *p [ok: p ↦ X * X ↦ V ∧ y = V]          [p ↦ X * X ↦ U] *p := V [ok: p ↦ X * X ↦ V]
//! ```
//! Source: Le et al. Fig. 3, applied by rule Eval of Fig. 5 (`heap::apply`). Both ways start from the same
//! arena; the results must be equal up to the names of new variables.
//! Not covered: errors, which the triples leave to `summary::derived_errors`, and stores into arrays with
//! elements at unknown indices, where application forgets more. What is asked of a presumption twice counts
//! once, and a block whose size is known has its bytes anyway.

use base::{Id, IdVec, limits};
use heap::apply::{Call, ForeignSpec};
use heap::{
    AccessKind, Block, BlockId, Cell, Content, Exit, Imported, Kind, Made, Place, Plan, PreBlock, Spec,
    State, VarRole, Vias, apply,
};
use term::{Import, Node, Origin, TermId, Terms, VarId};

use crate::arena::Arena;
use crate::cx::Cx;
use crate::flow::Flow;
use crate::outcome::Outcomes;

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

/// A path behind an access, and what was read.
type Done = (Flow, Option<TermId>);

/// What the triple of an access does.
struct Expected {
    ways: Vec<(State, Vec<TermId>)>,
    terms: Terms,
    calls: Vias,
    /// Variables that both ways know.
    n_vars: usize,
    is_store: bool,
}

/// Does an access, and compares it with the application of its triple; release builds and what is too large are not compared.
pub(super) fn compared(
    cx: &Cx<'_>,
    arena: &mut Arena,
    (state, access): (&State, Direct<'_>),
    done: impl FnOnce(&mut Arena) -> Outcomes<Done>,
) -> Outcomes<Done> {
    let is_small = arena.terms.vars().len() <= limits::SPLIT_COMPARED_VARS
        && state.n_blocks() <= limits::SPLIT_COMPARED_BLOCKS;
    let is_whole = (1..=16).contains(&access.bytes);
    if !cfg!(debug_assertions) || !is_small || !is_whole {
        return done(arena);
    }
    let expected = by_triple(cx, arena.clone(), state, access);
    let outcomes = done(arena);
    hold_against(arena, &expected, &outcomes);
    outcomes
}

/// What the triple of an access gives.
fn by_triple(cx: &Cx<'_>, mut arena: Arena, state: &State, access: Direct<'_>) -> Expected {
    let n_vars = arena.terms.vars().len();
    let Triple { terms, roles, spec } = Triple::of(access, arena.pointer_bits(), cx.here());
    let mut import = Import::default();
    import.bind(VarId::new(0), access.address);
    if let Some(stored) = access.stored {
        let stored = arena.terms.zext(stored, access.bytes as u32 * 8);
        import.bind(VarId::new(1), stored);
    }
    let plan = Plan::of(&terms, &spec);
    let sources = IdVec::from_vec(vec![None, None]);
    let pointers = IdVec::from_vec(vec![false, false]);
    let callee = ForeignSpec {
        terms: &terms,
        roles: &roles,
        sources: &sources,
        pointers: &pointers,
        spec: &spec,
        plan: &plan,
        function: cx.key(),
        calls: &Vias::default(),
    };
    let name = |_| access.name.unwrap_or_default().to_owned();
    let mut call = Call { callee, site: cx.at, name: &name, imported: &mut Imported::new(cx.at, cx.key()) };
    let (mut outside, heap) = arena.parts(cx);
    let ways = apply(&mut outside, heap, state.clone(), &mut call, import);
    let ways = ways.into_iter().flatten().map(|applied| (applied.state, applied.results)).collect();
    Expected {
        ways,
        calls: arena.heap.calls.into_table(),
        terms: arena.heap.terms,
        n_vars,
        is_store: access.stored.is_some(),
    }
}

/// Both ways should have led to the same, unless one of them met an error.
fn hold_against(arena: &Arena, expected: &Expected, direct: &Outcomes<Done>) {
    let has_stopped = !direct.ends.errors.is_empty() || !direct.ends.stopped.is_empty();
    let direct = &direct.next;
    // A store at an unknown index is told apart from all elements directly; application of a triple forgets them.
    let n_conditions = |state: &State| state.path.conditions.len();
    let is_settled = direct.len() > expected.ways.len()
        || direct
            .iter()
            .zip(&expected.ways)
            .any(|(own, their)| n_conditions(&own.0.state) > n_conditions(&their.0))
        || direct.iter().any(|it| has_index(&it.0.state));
    if has_stopped || direct.is_empty() || expected.is_store && is_settled {
        return;
    }
    assert_eq!(direct.len(), expected.ways.len(), "an access should have as many ways as its triple");
    let mut terms = arena.terms.clone();
    for ((flow, read), applied) in direct.iter().zip(&expected.ways) {
        let ((facts, mut own), (expected_facts, mut theirs)) =
            (parts(&arena.calls, &flow.state), parts(&expected.calls, &applied.0));
        assert_eq!(facts, expected_facts, "an access should do what its triple does");
        own.extend(read);
        theirs.extend(&applied.1);
        let is_same = same_terms(&mut terms, &own, expected, &theirs);
        assert!(is_same, "an access should give the values that its triple gives");
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
fn parts(calls: &Vias, state: &State) -> (Vec<String>, Vec<TermId>) {
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
            facts.push(asked(calls, pre));
        }
    }
    for condition in state.path.conditions.iter() {
        terms.push(condition.term);
        facts.push(format!("{:?} at {:?}", condition.reason, calls.own_site(condition.made)));
    }
    terms.extend(state.path.defined.iter());
    terms.extend(state.choices.iter().filter_map(|choice| choice.term()));
    terms.extend(state.given.iter().map(|given| given.pointer));
    facts.push(format!("{} choices, {} terms", state.choices.len(), terms.len()));
    (facts, terms)
}

/// What the accesses of a presumption ask for.
fn asked(calls: &Vias, pre: &PreBlock) -> String {
    let mut asked: Vec<String> = Vec::new();
    for access in &pre.accesses {
        let is_constant = access.is_constant();
        let text =
            format!("{:?} {:?} {is_constant} {:?}", access.kind, access.extent, calls.own_site(access.made));
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
