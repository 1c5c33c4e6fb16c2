//! From a triple to a concrete state: a model of its presumption and path condition, as memory and arguments.
//!
//! The solver is told where everything will lie (the interpreter's addresses are known beforehand), then what
//! is preferred: small blocks, valid pointers from unknown code. What it answers is one state of the
//! presumption.

use base::Id;
use catalog::Issue;
use heap::{AccessKind, Block, Choice, Exit, Kind, Place, PreBlock, Spec, VarRole};
use interp::replay::{
    Cell, Concrete, Fill, PreBlock as StateBlock, PreKind, PreState, Script, Where, allocation_address,
    block_address, function_address, global_address,
};
use interp::{Family, FnRef, GlobalRef, Program};
use solver::{Model, Solver, Verdict};
use summary::Summary;
use term::{Origin, TermId, Terms, VarId};

use super::located::called_at;
use super::names::Names;

/// Room on both sides of a base at which a block is accessed by an index.
const ROOM: i64 = 4096;

/// Allocations larger than this are avoided where the path allows it.
const LARGE: u128 = 1 << 16;

/// Bytes of a block of zeros that pointers may lead to: as many as the largest structure has.
const SPARE_BYTES: u64 = 64;

/// Bytes of memory behind pointers of unknown code.
const UNKNOWN_BYTES: u64 = 256;

/// Values of the caller that are chosen at random where the path allows it.
const ARBITRARY: usize = 24;

/// Why many paths cannot be replayed.
pub(super) const OPAQUE: &str = "unknown code or a loop changed memory";

/// Why no state of a kind is one of the triple's.
pub(super) const ADDRESSES: &str = "addresses";

/// Parameters that a random function has at most.
const ARGUMENTS: usize = 8;

/// The arena of a summary, with a solver for it.
pub(super) struct Arena {
    pub(super) terms: Terms,
    pub(super) roles: Vec<(VarId, VarRole)>,
    pub(super) solver: Solver,
    /// To show triples.
    pub(super) summary: Summary,
}

impl Arena {
    pub(super) fn of(summary: &Summary) -> Arena {
        let roles = summary.split.roles.iter_ids().map(|(var, role)| (var, *role)).collect();
        Arena { terms: summary.split.terms.clone(), roles, solver: Solver::new(), summary: summary.clone() }
    }
}

/// A state that a triple presumes, and what the environment must do.
#[derive(Clone)]
pub(super) struct Drawn {
    pub(super) state: PreState,
    pub(super) script: Script,
    pub(super) model: Model,
    /// Where each block of the presumption lies.
    pub(super) places: Vec<Lies>,
    /// How many entries of the state's globals are arbitrary: what no presumption mentions.
    pub(super) n_arbitrary: usize,
}

/// Where a block of a presumption lies.
#[derive(Clone, Copy)]
pub(super) enum Lies {
    /// In memory; and how many bytes its base is from the start.
    In(Where, i64),
    /// It is called: a function.
    Code(FnRef),
}

/// What became of drawing.
pub(super) enum Draw {
    State(Box<Drawn>),
    /// No state satisfies the triple: it promises nothing, and must not be.
    Contradictory,
    /// Some cannot be replayed, and why.
    Unfit(&'static str),
}

/// What is known of the state besides the triple.
#[derive(Clone, Copy, Default)]
pub(super) struct Given<'a> {
    /// What holds, too.
    pub(super) facts: &'a [TermId],
    /// For each block of the presumption, its position among the blocks of the state; in order if there is none.
    pub(super) positions: Option<&'a [usize]>,
    /// Where everything else comes from.
    pub(super) seed: u64,
    /// Whether the program begins here: globals hold their initializers.
    pub(super) begins: bool,
    /// Whether values that nobody knows may be anything: what comes out is worth a try, and promises nothing.
    pub(super) is_try: bool,
    /// Whether the path may do something that C leaves undefined.
    pub(super) is_undefined: bool,
    /// What no presumption mentions, if it is not arbitrary bytes.
    pub(super) rest: Option<&'a Rest>,
}

/// What no presumption mentions, of a state that some program could have made.
pub(super) struct Rest {
    /// By parameter.
    pub(super) args: Vec<u64>,
    pub(super) globals: Vec<(GlobalRef, Vec<Cell>)>,
    /// The position of a block of zeros.
    pub(super) spare: usize,
}

/// Draws a state for a triple.
pub(super) fn draw(names: &Names<'_>, arena: &mut Arena, spec: &Spec, given: &Given<'_>) -> Draw {
    if spec.choices.contains(&Choice::Opaque) && !given.is_try {
        return Draw::Unfit(OPAQUE);
    }
    let mut query: Vec<TermId> = spec.conditions.iter().map(|condition| condition.term).collect();
    query.extend(spec.defined.iter().filter(|_| !given.is_undefined));
    if arena.solver.check(&arena.terms, &query).is_unsat() {
        return Draw::Contradictory;
    }
    if !given.is_try
        && query.iter().any(|term| is_vague(arena, spec, *term) && !is_said_uninit(arena, spec, *term))
    {
        return Draw::Unfit("a decision about the address of a local, or about an undefined value");
    }
    complete(names, arena, spec, (given, query))
}

/// Draws a state that only has the memory of a triple: whether it goes its path is another question.
pub(super) fn draw_context(names: &Names<'_>, arena: &mut Arena, spec: &Spec, given: &Given<'_>) -> Draw {
    complete(names, arena, spec, (given, Vec::new()))
}

fn complete(
    names: &Names<'_>,
    arena: &mut Arena,
    spec: &Spec,
    (given, mut query): (&Given<'_>, Vec<TermId>),
) -> Draw {
    query.extend(given.facts);
    let Some(places) = places(names, arena, spec, given) else {
        return Draw::Unfit("memory that cannot be given");
    };
    query.extend(pins(names, arena, spec, &places));
    let used = unknown_pointers(arena, spec, least_blocks(&places, given)).into_iter();
    let used = used.filter(|(term, _)| spec.post.iter().any(|block| block.base == *term));
    let used: Vec<(TermId, u64)> = used.collect();
    query.extend(used.into_iter().map(|(term, address)| equals(&mut arena.terms, term, address.into())));
    if !arena.solver.check(&arena.terms, &query).is_sat() {
        return Draw::Unfit(ADDRESSES);
    }
    let mut wishes = wishes(arena, spec, least_blocks(&places, given));
    wishes.extend(arbitrary_values(arena, spec, given.seed));
    let Some(model) = grant(arena, &query, wishes) else { return Draw::Unfit("the solver gave up") };
    match build(names.program, arena, spec, (places, model), given) {
        Some(drawn) => Draw::State(Box::new(drawn)),
        None => Draw::Unfit("an offset far from its base"),
    }
}

fn body<'s>(spec: &'s Spec, pre: &PreBlock) -> &'s Block {
    &spec.post[pre.block.index()]
}

/// Whether a value has parts that neither state nor script give: bits never written, addresses of locals.
pub(super) fn is_vague(arena: &Arena, spec: &Spec, term: TermId) -> bool {
    let is_chosen = |var: &VarId| {
        let chosen = spec.choices.iter().filter_map(|choice| choice.term());
        chosen.into_iter().any(|term| arena.terms.vars_of(term).contains(var))
    };
    let vars = arena.terms.vars_of(term);
    vars.iter().any(|var| !arena.terms.var(*var).origin.is_observable() && !is_chosen(var))
}

/// Whether the triple ends in a use of bits that were never written, and a term is vague because of such bits alone: that they make
/// a difference is what it says.
fn is_said_uninit(arena: &Arena, spec: &Spec, term: TermId) -> bool {
    let Exit::Er(bug) = spec.exit else { return false };
    let is_known = |var: &VarId| {
        let term = arena.terms.var_term(*var);
        arena.terms.var(*var).origin == Origin::Uninit || !is_vague(arena, spec, term)
    };
    let issue = arena.summary.split.bugs.get(bug as usize).map(|bug| bug.issue);
    issue == Some(Issue::UninitRead) && arena.terms.vars_of(term).iter().all(is_known)
}

/// Where the blocks of the presumption will lie.
fn places(names: &Names<'_>, arena: &Arena, spec: &Spec, given: &Given<'_>) -> Option<Vec<Lies>> {
    let mut places: Vec<Lies> = Vec::new();
    for (at, pre) in spec.pre.iter().enumerate() {
        let place = match (body(spec, pre).kind, given.positions, called_at(&arena.summary, pre)) {
            (Kind::Global(global), _, _) => Lies::In(Where::Global(names.global(global)?), 0),
            (Kind::Abduced, _, Some(site)) => Lies::Code(names.hook_at(site)?),
            (Kind::Abduced, None, None) => Lies::In(Where::State(n_blocks(&places)), slack(spec, pre)),
            (Kind::Abduced, Some(positions), None) => Lies::In(Where::State(*positions.get(at)?), 0),
            _ => return None,
        };
        places.push(place);
    }
    Some(places)
}

/// How many blocks the state has at least.
fn n_blocks(places: &[Lies]) -> usize {
    let position = |place: &Lies| match place {
        Lies::In(Where::State(index), _) => index + 1,
        Lies::In(..) | Lies::Code(_) => 0,
    };
    places.iter().map(position).max().unwrap_or(0)
}

/// The same with what no presumption mentions.
fn least_blocks(places: &[Lies], given: &Given<'_>) -> usize {
    n_blocks(places).max(given.rest.map_or(0, |rest| rest.spare + 1))
}

/// Bytes of a block before its base.
fn slack(spec: &Spec, pre: &PreBlock) -> i64 {
    // What is freed begins at its base.
    if pre.freeable.is_some() {
        return 0;
    }
    let before = pre.extent.0.min(0).unsigned_abs().next_multiple_of(16) as i64;
    before + if is_indexed(spec, pre) { ROOM } else { 0 }
}

/// Whether the block is accessed at an offset that is no constant.
fn is_indexed(spec: &Spec, pre: &PreBlock) -> bool {
    let cells = pre.cells.iter().chain(&body(spec, pre).cells);
    cells.into_iter().any(|cell| cell.place.symbolic.is_some())
}

/// Equations about addresses: where blocks, globals, functions and allocations lie.
fn pins(names: &Names<'_>, arena: &mut Arena, spec: &Spec, places: &[Lies]) -> Vec<TermId> {
    let program = names.program;
    let mut pins = Vec::new();
    for &(var, role) in &arena.roles {
        let address = match role {
            VarRole::Global(global) => names.global(global).map(|it| global_address(program, it)),
            VarRole::Function(function) => names.function(function).map(|it| function_address(program, it)),
            VarRole::Param(_) | VarRole::Local => None,
        };
        if let Some(address) = address {
            let term = arena.terms.var_term(var);
            pins.push(equals(&mut arena.terms, term, address.into()));
        }
    }
    for (pre, place) in spec.pre.iter().zip(places) {
        let address = match place {
            Lies::In(Where::State(index), slack) => block_address(*index).wrapping_add_signed(*slack),
            Lies::In(..) => continue,
            Lies::Code(function) => function_address(program, *function),
        };
        pins.push(equals(&mut arena.terms, pre.base, address.into()));
    }
    let allocations = spec.choices.iter().filter_map(|choice| match choice {
        Choice::Allocation(term) => Some(*term),
        Choice::Value(_) | Choice::Opaque => None,
    });
    for (number, term) in allocations.enumerate() {
        let fails = equals(&mut arena.terms, term, 0);
        let succeeds = equals(&mut arena.terms, term, allocation_address(number).into());
        // That an allocation fails is a condition of the path; that it succeeds is a law of memory.
        let is_failure = spec.conditions.iter().any(|condition| condition.term == fails);
        pins.push(if is_failure { fails } else { succeeds });
    }
    pins
}

/// What is preferred: small blocks, offsets near their base, memory behind pointers of unknown code.
fn wishes(arena: &mut Arena, spec: &Spec, n_blocks: usize) -> Vec<TermId> {
    let mut wishes = Vec::new();
    let terms = &mut arena.terms;
    for place in all_places(spec) {
        let Some(symbolic) = place.symbolic else { continue };
        let width = terms.width(symbolic);
        let room = terms.constant(width, (ROOM / 2) as u128);
        let (shifted, double) = (terms.add(symbolic, room), terms.add(room, room));
        wishes.push(terms.ult(shifted, double));
    }
    for size in spec.post.iter().filter_map(|block| block.size) {
        let most = terms.constant(terms.width(size), LARGE);
        wishes.push(terms.ule(size, most));
    }
    for (term, address) in unknown_pointers(arena, spec, n_blocks) {
        wishes.push(equals(&mut arena.terms, term, address.into()));
    }
    wishes
}

/// What unknown code returns that may be a pointer, with the address of the memory that is provided for it.
fn unknown_pointers(arena: &Arena, spec: &Spec, n_blocks: usize) -> Vec<(TermId, u64)> {
    let values = spec.choices.iter().filter_map(|choice| match choice {
        Choice::Value(term) if arena.terms.width(*term) == 64 => Some(*term),
        _ => None,
    });
    values.enumerate().map(|(at, term)| (term, block_address(n_blocks + at))).collect()
}

fn all_places(spec: &Spec) -> Vec<Place> {
    let cells = spec.pre.iter().flat_map(|pre| &pre.cells);
    cells.chain(spec.post.iter().flat_map(|block| &block.cells)).map(|cell| cell.place).collect()
}

/// A model of the query with as many wishes as it allows; earlier ones matter more.
fn grant(arena: &mut Arena, query: &[TermId], mut wishes: Vec<TermId>) -> Option<Model> {
    loop {
        let all: Vec<TermId> = query.iter().chain(&wishes).copied().collect();
        match arena.solver.check(&arena.terms, &all) {
            Verdict::Sat(model) => return Some(model),
            Verdict::Unsat(core) => {
                let last = wishes.iter().rposition(|wish| core.conditions().contains(wish))?;
                wishes.remove(last);
            }
            Verdict::Unknown(_) => {
                wishes.pop()?;
            }
        }
    }
}

/// Values for what the caller chooses: models that are asked for nothing are full of zeros, in which wrong promises hide.
fn arbitrary_values(arena: &mut Arena, spec: &Spec, seed: u64) -> Vec<TermId> {
    let mut rng = fastrand::Rng::with_seed(seed ^ 0x51ed);
    let params = arena.roles.iter().filter(|(_, role)| matches!(role, VarRole::Param(_)));
    let mut vars: Vec<TermId> = params.map(|(var, _)| arena.terms.var_term(*var)).collect();
    vars.extend(spec.pre.iter().flat_map(|pre| &pre.cells).map(|cell| cell.value));
    vars.extend(spec.choices.iter().filter_map(|choice| match choice {
        Choice::Value(term) => Some(*term),
        Choice::Allocation(_) | Choice::Opaque => None,
    }));
    let is_base = |var: &TermId| spec.pre.iter().any(|pre| pre.base == *var);
    vars.retain(|var| !is_base(var));
    vars.truncate(ARBITRARY);
    let value = |rng: &mut fastrand::Rng| match rng.u32(0..4) {
        0 => rng.u128(0..8),
        1 => rng.u128(0..300),
        _ => rng.u128(..),
    };
    vars.into_iter().map(|var| equals(&mut arena.terms, var, value(&mut rng))).collect()
}

/// The state of a model.
fn build(
    program: &Program<'_>,
    arena: &Arena,
    spec: &Spec,
    (places, model): (Vec<Lies>, Model),
    given: &Given<'_>,
) -> Option<Drawn> {
    let seed = given.seed;
    let globals = match given.rest {
        _ if given.begins => Vec::new(),
        Some(rest) => rest.globals.clone(),
        None => arbitrary_globals(program, seed),
    };
    let n_arbitrary = globals.len();
    let mut state = PreState { globals, ..PreState::default() };
    let nothing = StateBlock { size: 1, kind: PreKind::Caller, cells: Vec::new(), fill: Fill::Seeded };
    state.blocks.resize(least_blocks(&places, given), nothing);
    if let Some(rest) = given.rest {
        let (kind, fill) = (PreKind::Heap(Family::Malloc), Fill::Byte(0));
        state.blocks[rest.spare] = StateBlock { size: SPARE_BYTES, kind, cells: Vec::new(), fill };
    }
    for (pre, place) in spec.pre.iter().zip(&places) {
        let Lies::In(place, slack) = place else { continue };
        let cells = cells(arena, &model, &pre.cells, *slack)?;
        match place {
            Where::Global(global) => state.globals.push((*global, cells)),
            Where::State(index) => join(&mut state.blocks[*index], block(spec, pre, *slack, cells)),
            Where::Allocation(_) => {}
        }
    }
    let mut script = Script::default();
    for choice in &spec.choices {
        match choice {
            Choice::Allocation(term) => script.allocations.push(model.value(&arena.terms, *term) != 0),
            Choice::Value(term) => {
                script.results.push(Concrete::Int(model.value(&arena.terms, *term)));
                if arena.terms.width(*term) == 64 {
                    let (kind, fill) = (PreKind::Unknown, Fill::Seeded);
                    state.blocks.push(StateBlock { size: UNKNOWN_BYTES, kind, cells: Vec::new(), fill });
                }
            }
            Choice::Opaque => {}
        }
    }
    state.args = arguments(arena, &model, given);
    Some(Drawn { state, script, model, places, n_arbitrary })
}

/// More arguments than any function has; those that the triple does not mention may be anything.
fn arguments(arena: &Arena, model: &Model, given: &Given<'_>) -> Vec<Concrete> {
    let mut rng = fastrand::Rng::with_seed(given.seed ^ 0xabcd);
    let mut args: Vec<Concrete> = (0..ARGUMENTS).map(|_| Concrete::Int(rng.u64(..).into())).collect();
    for (arg, value) in args.iter_mut().zip(given.rest.iter().flat_map(|rest| &rest.args)) {
        *arg = Concrete::Int((*value).into());
    }
    for &(var, role) in &arena.roles {
        if let VarRole::Param(at) = role {
            args[at as usize] = Concrete::Int(model.value(&arena.terms, arena.terms.var_term(var)));
        }
    }
    args
}

/// One block that is what two say.
pub(super) fn join(own: &mut StateBlock, other: StateBlock) {
    own.size = own.size.max(other.size);
    own.cells.extend(other.cells);
    if own.kind == PreKind::Caller {
        own.kind = other.kind;
    }
}

fn block(spec: &Spec, pre: &PreBlock, slack: i64, cells: Vec<Cell>) -> StateBlock {
    let family = Family::Malloc;
    let is_freed = pre.freeable.is_some() || pre.accesses.iter().any(|it| it.kind == AccessKind::Free);
    let kind = match (pre.negative, is_freed) {
        (true, _) => PreKind::Freed(family),
        (false, true) => PreKind::Heap(family),
        (false, false) => PreKind::Caller,
    };
    let after = if is_indexed(spec, pre) { ROOM } else { 0 };
    let end = cells.iter().map(|cell| cell.offset + u64::from(cell.bytes)).max().unwrap_or(0);
    let needed =
        pre.accesses.iter().map(|access| access.extent.1).chain([pre.extent.1, 1]).max().unwrap_or(1);
    let size = ((slack + needed + after) as u64).max(end);
    StateBlock { size, kind, cells, fill: Fill::Seeded }
}

/// Cells with their values in the model; none if one lies far from its base.
fn cells(arena: &Arena, model: &Model, cells: &[heap::Cell], slack: i64) -> Option<Vec<Cell>> {
    let mut found = Vec::new();
    for cell in cells {
        let offset = slack.checked_add(offset(arena, model, cell.place))?;
        if !(0..slack + 2 * ROOM).contains(&offset) {
            return None;
        }
        let value = Concrete::Int(model.value(&arena.terms, cell.value));
        found.push(Cell { offset: offset as u64, bytes: cell.bytes, value });
    }
    // Where cells overlap, later ones were read behind the end of an implied triple: earlier ones count.
    found.reverse();
    Some(found)
}

/// The offset of a place in a model.
pub(super) fn offset(arena: &Arena, model: &Model, place: Place) -> i64 {
    let symbolic = place.symbolic.map_or(0, |symbolic| model.value(&arena.terms, symbolic) as i64);
    symbolic.wrapping_add(place.offset)
}

/// Bytes for the variables of the program: what a presumption does not mention may be anything. What only one unit sees may last as it is,
/// and so do addresses of functions (`project::lasting`).
fn arbitrary_globals(program: &Program<'_>, seed: u64) -> Vec<(GlobalRef, Vec<Cell>)> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut globals = Vec::new();
    for (global, linked) in program.globals().iter_ids() {
        let has_functions = linked.global.init.as_ref().is_some_and(|init| !init.relocs.is_empty());
        if linked.global.constant || linked.global.linkage == ir::Linkage::Internal || has_functions {
            continue;
        }
        let byte = |offset| Cell { offset, bytes: 1, value: Concrete::Int(rng.u8(..).into()) };
        globals.push((global, (0..linked.size.min(64)).map(byte).collect()));
    }
    globals
}

fn equals(terms: &mut Terms, term: TermId, value: u128) -> TermId {
    let constant = terms.constant(terms.width(term), value);
    terms.eq(term, constant)
}
