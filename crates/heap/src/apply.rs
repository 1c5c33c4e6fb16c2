//! Application of a triple to a state: bi-abduction.
//!
//! Rule (Le et al. Fig. 5, Eval of instructions):
//! ```text
//!   [a] inst [ε: b]     (m, f) ∈ BiabDiscover(p, a)     p * m ⊣ a * f
//!   ------------------------------------------------------------------
//!            (ε, m, b * f) ∈ Eval(p, inst)
//! ```
//! `f` is what stays as it is, because a state is only changed where the triple says so; `m` is what [`Caller::abduce`] and [`Caller::read`] add to the presumption.
//! Blocks of the triple's presumption are matched in the order of discovery, so that each base is known when its turn comes.
//! Departure: two blocks of the presumption that are one block of the caller refuse the triple ([`Refused::Aliased`]); the engine asks for a specialized one.

mod access;
mod leave;

use term::{Node, TermId, Terms, VarId};

use crate::block::{BlockId, Epoch, Place};
use crate::bytes::Order;
use crate::import::Import;
use crate::locate::{Located, locate, settle, sum};
use crate::path::{Condition, Reason};
use crate::plan::{Item, Plan};
use crate::site::{Calls, Made, Site};
use crate::spec::{Roles, Spec, VarRole};
use crate::state::{Access, Given, State};

/// What application asks of the engine.
pub trait Caller {
    /// The byte order.
    fn order(&self) -> Order;
    /// The calls that were met.
    fn calls(&mut self) -> &mut Calls;
    /// When content is forgotten that is forgotten now.
    fn epoch(&mut self) -> Epoch;
    /// Whether a term is known to be a pointer.
    fn is_pointer(&self, term: TermId) -> bool;
    /// The address of a global or function of the project. Its block must be in the state afterwards.
    fn address(&mut self, terms: &mut Terms, state: &mut State, role: VarRole) -> TermId;
    /// A variable that nobody outside of the callee knows.
    fn fresh(&mut self, terms: &mut Terms, callee: &Terms, var: VarId) -> TermId;
    /// The block behind a pointer that the path has not met, as part of the presumption if the pointer is the caller's.
    /// None: there can be no memory.
    fn abduce(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        base: TermId,
        access: &Access,
    ) -> Option<BlockId>;
    /// When an address in memory that the path has not met is that of a pointer to the object by which the address was found; so many bytes are accessed there.
    /// None: there is no such pointer.
    fn back_pointer(&mut self, terms: &mut Terms, state: &State, at: (TermId, Place, u64)) -> Option<TermId>;
    /// Unknown code ran that may have written whatever it can reach.
    fn expose(&mut self, terms: &mut Terms, state: &mut State);
    /// Unknown code got a pointer.
    fn give_away(&mut self, terms: &mut Terms, state: &mut State, given: Given);
    /// Whether a condition of the callee can be decided here: not if it depends on bits that were never written.
    fn can_decide(&mut self, terms: &mut Terms, state: &State, condition: &Condition) -> bool;
    /// Whether an address of the callee, or a part of one, is known here: not if it depends on bits that were never written. None: nobody
    /// knows where it is used.
    fn can_address(&mut self, terms: &mut Terms, state: &State, address: TermId, made: Option<&Made>)
    -> bool;
    /// Reads bytes of a block that is there; `callee` and `var` are for the name.
    fn read(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        at: (BlockId, Place, u32),
        var: (&Terms, VarId),
    ) -> TermId;
}

/// A triple of a callee, with what it is made of.
#[derive(Clone, Copy)]
pub struct Callee<'a> {
    /// The arena of its terms.
    pub terms: &'a Terms,
    /// What its variables stand for.
    pub roles: &'a Roles,
    /// The triple.
    pub spec: &'a Spec,
    /// How it is applied.
    pub plan: &'a Plan,
    /// The number of the callee.
    pub function: u32,
}

/// A state after a triple was applied.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The state.
    pub state: State,
    /// The values that were returned.
    pub results: Vec<TermId>,
    /// The blocks of the state that those of the triple's presumption are, and where in them its bases point.
    pub blocks: Vec<(BlockId, Place)>,
}

/// Why a triple cannot be applied.
#[derive(Clone, Debug)]
pub enum Refused {
    /// A path condition contradicts the state.
    Contradiction,
    /// A pointer that must be valid is null.
    Null(Box<Stuck>),
    /// A block that must be there was freed, or its scope has ended.
    Invalid(Box<Stuck>, BlockId),
    /// A block is too small, by what the path knows.
    OutOfBounds(Box<Stuck>, BlockId),
    /// A block that is freed is none that can be, or not at its start.
    NotFreeable(Box<Stuck>, BlockId, Place),
    /// A block that must have been freed was not.
    Valid,
    /// Two blocks of the presumption, by position, are one block of the caller.
    Aliased(usize, usize),
    /// Something was too complicated.
    Limit,
}

/// Where application got stuck: an error of the callee, if the state is right.
#[derive(Clone, Debug)]
pub struct Stuck {
    /// The state with everything before.
    pub state: State,
    /// The access, as the callee has it.
    pub access: Access,
    /// The block of the triple's presumption.
    pub pre: usize,
    /// The address that it should be at, in the caller's terms.
    pub address: TermId,
}

/// A triple that is being applied.
#[derive(Clone)]
struct Partial {
    state: State,
    import: Import,
    /// By position in `pre`.
    blocks: Vec<Option<(BlockId, Place)>>,
    /// What is still to be matched, in the order of execution.
    todo: Vec<Item>,
    /// Conditions that were assumed, by position.
    assumed: Vec<bool>,
    /// Conditions of definedness that were noted, by position.
    defined: Vec<bool>,
    /// Choices that were made.
    n_choices: usize,
}

impl Partial {
    /// Goes on in each of these states.
    fn in_each<T>(self, states: Vec<(State, T)>) -> Vec<(Partial, T)> {
        let mut partials = Vec::with_capacity(states.len());
        let mut own = Some(self);
        let n_states = states.len();
        for (at, (state, what)) in states.into_iter().enumerate() {
            // The last one need not be copied.
            let partial = if at + 1 == n_states { own.take() } else { own.clone() };
            partials.extend(partial.map(|partial| (Partial { state, ..partial }, what)));
        }
        partials
    }
}

/// Partial applications of one triple: each symbolic offset may double them.
const MAX_PARTIAL: usize = 16;

/// Applies a triple: all ways in which it fits, and why it does not.
pub fn apply(
    cx: &mut dyn Caller,
    terms: &mut Terms,
    state: State,
    callee: Callee<'_>,
    import: Import,
    call: Site,
) -> Vec<Result<Applied, Refused>> {
    let spec = callee.spec;
    let mut partials = vec![Partial {
        state,
        import,
        blocks: vec![None; spec.pre.len()],
        todo: callee.plan.items.clone(),
        assumed: vec![false; spec.conditions.len()],
        defined: vec![false; spec.defined.len()],
        n_choices: 0,
    }];
    let mut results = Vec::new();
    let mut applier = Applier { cx, callee, call };
    if !applier.knows_places(terms, &mut partials[0], true) {
        return vec![Err(Refused::Contradiction)];
    }
    let mut n_partials = 1;
    while let Some(mut partial) = partials.pop() {
        match applier.next_item(&partial) {
            Some(at) => {
                let steps = match partial.todo.remove(at) {
                    Item::Block(pre) => applier.block(terms, partial, pre as usize),
                    Item::Cell(pre, cell) => applier.cell(terms, partial, pre as usize, cell as usize),
                    Item::Access(pre, access) => {
                        vec![applier.further_access(terms, partial, pre as usize, access as usize)]
                    }
                };
                n_partials += steps.len().saturating_sub(1);
                for step in steps.into_iter().rev() {
                    match step {
                        Ok(partial) if n_partials <= MAX_PARTIAL => partials.push(partial),
                        Ok(_) => results.push(Err(Refused::Limit)),
                        Err(refused) => results.push(Err(refused)),
                    }
                }
            }
            None => results.push(applier.finish(terms, partial)),
        }
    }
    results
}

struct Applier<'a, 'c> {
    cx: &'c mut dyn Caller,
    callee: Callee<'a>,
    call: Site,
}

type Step = Result<Partial, Refused>;

impl Applier<'_, '_> {
    /// Something that happened in the callee, as the caller sees it.
    fn through(&mut self, made: &Made) -> Made {
        self.cx.calls().through(made, self.call, self.callee.function)
    }

    /// The next part whose terms are all known; the first one if none is.
    fn next_item(&self, partial: &Partial) -> Option<usize> {
        let spec = self.callee.spec;
        let is_ready = |item: &Item| match *item {
            Item::Block(pre) => {
                let pre = &spec.pre[pre as usize];
                let first = pre.accesses.first();
                let parts = first.into_iter().flat_map(|access| [access.symbolic, access.len]).flatten();
                self.is_bound(partial, pre.base) && parts.into_iter().all(|it| self.is_bound(partial, it))
            }
            Item::Cell(pre, cell) => {
                let symbolic = spec.pre[pre as usize].cells[cell as usize].place.symbolic;
                partial.blocks[pre as usize].is_some() && symbolic.is_none_or(|it| self.is_bound(partial, it))
            }
            Item::Access(pre, access) => {
                let access = &spec.pre[pre as usize].accesses[access as usize];
                let parts = [access.symbolic, access.len].into_iter().flatten();
                partial.blocks[pre as usize].is_some()
                    && parts.into_iter().all(|it| self.is_bound(partial, it))
            }
        };
        let ready = partial.todo.iter().position(is_ready);
        ready.or_else(|| (!partial.todo.is_empty()).then_some(0))
    }

    /// Whether all variables of a term are known. The addresses of globals and functions always are.
    fn is_bound(&self, partial: &Partial, term: TermId) -> bool {
        let is_symbol =
            |var: VarId| matches!(self.callee.roles[var], VarRole::Global(_) | VarRole::Function(_));
        let known = |var: &VarId| partial.import.get(*var).is_some() || is_symbol(*var);
        match self.callee.terms.node(term) {
            Node::Var(var) => known(&var),
            _ => partial.import.is_known(term) || self.callee.terms.vars_of(term).iter().all(known),
        }
    }

    /// Whether no variable waits for a cell that is still to be read: all others are known, or will never be.
    fn is_decidable(&self, partial: &Partial, vars: &[VarId]) -> bool {
        let waits = |var: &VarId| {
            let term = self.callee.terms.var_term(*var);
            partial.import.get(*var).is_none()
                && partial.todo.iter().any(|item| match *item {
                    Item::Cell(pre, cell) => {
                        self.callee.spec.pre[pre as usize].cells[cell as usize].value == term
                    }
                    _ => false,
                })
        };
        !vars.iter().any(waits)
    }

    /// What happened in the callee before an access: conditions, choices, and that everything was defined.
    fn advance(&mut self, terms: &mut Terms, partial: &mut Partial, access: &Access) -> bool {
        if !self.assume_until(terms, partial, access.n_conditions) {
            return false;
        }
        self.choose_until(terms, partial, access.n_choices);
        for (at, &condition) in self.callee.spec.defined.iter().enumerate() {
            if !partial.defined[at] && self.is_decidable(partial, self.callee.plan.defined_vars.get(at)) {
                partial.defined[at] = true;
                let condition = self.term(terms, partial, condition);
                partial.state.path.define(terms, condition);
            }
        }
        true
    }

    /// What the environment chose in the callee.
    fn choose_until(&mut self, terms: &mut Terms, partial: &mut Partial, end: usize) {
        while partial.n_choices < end {
            let choice = self.callee.spec.choices[partial.n_choices];
            partial.n_choices += 1;
            let term = choice.term().map(|it| self.term(terms, partial, it));
            partial.state.choose(choice.map(|it| term.unwrap_or(it)));
        }
    }

    fn term(&mut self, terms: &mut Terms, partial: &mut Partial, term: TermId) -> TermId {
        let (cx, callee) = (&mut *self.cx, self.callee);
        let state = &mut partial.state;
        partial.import.term(terms, callee.terms, term, &mut |terms, var| match callee.roles[var] {
            VarRole::Local | VarRole::Param(_) => cx.fresh(terms, callee.terms, var),
            role => cx.address(terms, state, role),
        })
    }

    /// Assumes the conditions up to `end` whose variables are known.
    fn assume_until(&mut self, terms: &mut Terms, partial: &mut Partial, end: usize) -> bool {
        for at in 0..end {
            let condition = &self.callee.spec.conditions[at];
            if partial.assumed[at] || !self.is_decidable(partial, self.callee.plan.condition_vars.get(at)) {
                continue;
            }
            partial.assumed[at] = true;
            let term = self.term(terms, partial, condition.term);
            let made = self.through(&condition.made);
            let condition = Condition { term, made, reason: condition.reason };
            if !self.cx.can_decide(terms, &partial.state, &condition)
                || !partial.state.assume(terms, condition)
            {
                return false;
            }
        }
        true
    }

    /// Finds the block that stands for one of the presumption.
    fn block(&mut self, terms: &mut Terms, mut partial: Partial, at: usize) -> Vec<Step> {
        let pre = &self.callee.spec.pre[at];
        let Some(access) = pre.accesses.first() else { return vec![Err(Refused::Limit)] };
        if !self.advance(terms, &mut partial, access) {
            return vec![Err(Refused::Contradiction)];
        }
        let address = self.term(terms, &mut partial, pre.base);
        let made = self.through(&access.made);
        if !self.cx.can_address(terms, &partial.state, address, Some(&made)) {
            return vec![Err(Refused::Contradiction)];
        }
        let is_pointer = |term| self.cx.is_pointer(term);
        let state = std::mem::take(&mut partial.state);
        let located = locate(terms, state, address, &made, &is_pointer);
        let located = self.with_back_pointers(terms, located, (address, access), &made);
        let steps = partial.in_each(located).into_iter();
        steps.map(|(partial, located)| self.found(terms, partial, (at, address), located)).collect()
    }

    /// A block that the path has not met may be where a pointer to an object is by which it was found, or elsewhere.
    fn with_back_pointers(
        &mut self,
        terms: &mut Terms,
        located: Vec<(State, Located)>,
        (address, access): (TermId, &Access),
        made: &Made,
    ) -> Vec<(State, Located)> {
        let mut all = Vec::with_capacity(located.len());
        let (from, to) = access.extent;
        for (mut state, located) in located {
            if let Located::New(base, place) = located
                && access.is_constant()
                && access.kind.is_at_part()
                && let Some(back) =
                    self.cx.back_pointer(terms, &state, (base, place.plus(from), to.abs_diff(from)))
            {
                let condition = |term| Condition { term, made: made.clone(), reason: Reason::Needed };
                let mut same = state.clone();
                if same.path.assume(terms, condition(back)) {
                    let is_pointer = |term| self.cx.is_pointer(term);
                    all.extend(locate(terms, same, address, made, &is_pointer));
                }
                let apart = terms.not(back);
                if !state.path.assume(terms, condition(apart)) {
                    continue;
                }
            }
            all.push((state, located));
        }
        all
    }

    /// Reads a cell of the presumption, and binds its variable.
    fn cell(&mut self, terms: &mut Terms, mut partial: Partial, at: usize, cell: usize) -> Vec<Step> {
        let pre = &self.callee.spec.pre[at];
        let cell = pre.cells[cell];
        let Some((block, base)) = partial.blocks[at] else { return vec![Err(Refused::Limit)] };
        let symbolic = cell.place.symbolic.map(|symbolic| self.term(terms, &mut partial, symbolic));
        let place = sum(terms, base, Place { symbolic, offset: cell.place.offset });
        let access = pre.accesses.iter().find(|access| access.symbolic == cell.place.symbolic);
        let used = access.map(|access| self.through(&access.made));
        if let Some(symbolic) = symbolic
            && !self.cx.can_address(terms, &partial.state, symbolic, used.as_ref())
        {
            return vec![Err(Refused::Contradiction)];
        }
        let made = used.unwrap_or_else(|| self.through(&pre.accesses[0].made));
        let Node::Var(var) = self.callee.terms.node(cell.value) else { return vec![Err(Refused::Limit)] };
        let state = std::mem::take(&mut partial.state);
        let settled = settle(terms, state, block, (place, cell.bytes), &made);
        let mut steps = Vec::new();
        for (mut partial, place) in partial.in_each(settled) {
            let at = (block, place, cell.bytes);
            let value = self.cx.read(terms, &mut partial.state, at, (self.callee.terms, var));
            partial.import.bind(var, value);
            steps.push(Ok(partial));
        }
        if steps.is_empty() { vec![Err(Refused::Limit)] } else { steps }
    }
}
