//! Application of a triple to a state: bi-abduction.
//!
//! Rule (Le et al. Fig. 5, Eval of instructions):
//! ```text
//!   [a] inst [ε: b]     (m, f) ∈ BiabDiscover(p, a)     p * m ⊣ a * f
//!   ------------------------------------------------------------------
//!            (ε, m, b * f) ∈ Eval(p, inst)
//! ```
//! `f` is what stays as it is, because a state is only changed where the triple says so; `m` is what
//! [`Arena::abduce`](crate::Arena::abduce) and [`Arena::read`](crate::Arena::read) add to the presumption.
//! Blocks of the triple's presumption are matched in the order of discovery, so that each base is known when
//! its turn comes.
//! Departure: two blocks of the presumption that are one block of the caller refuse the triple
//! ([`Refused::Aliased`]); the engine asks for a specialized one.

mod leave;
mod presumed;

use std::collections::HashMap;

use base::{IdVec, limits};
use term::{Binary, Import, Node, Origin, Room, TermId, Terms, VarId};
use world::FnKey;

use crate::access::Fault;
use crate::arena::{Arena, Source};
use crate::block::{BlockId, Place};
use crate::contents::Bytes;
use crate::locate::{settle, sum};
use crate::outside::{Dependence, Outside};
use crate::path::{Condition, Reason};
use crate::plan::{Item, Plan};
use crate::site::{Made, Seen, Site, Vias};
use crate::spec::{Roles, Spec, VarRole};
use crate::state::{Access, AccessKind, State};

/// A triple of a callee, with what it is made of.
#[derive(Clone, Copy)]
pub struct ForeignSpec<'a> {
    /// The arena of its terms.
    pub terms: &'a Terms,
    /// What its variables stand for.
    pub roles: &'a Roles,
    /// Where their values come from.
    pub sources: &'a IdVec<VarId, Option<Source>>,
    /// Which of them are pointers.
    pub pointers: &'a IdVec<VarId, bool>,
    /// The triple.
    pub spec: &'a Spec,
    /// How it is applied.
    pub plan: &'a Plan,
    /// The callee.
    pub function: FnKey,
    /// The calls inside of it.
    pub calls: &'a Vias,
}

/// A call of it.
pub struct Call<'a> {
    /// The triple.
    pub callee: ForeignSpec<'a>,
    /// Where it is called.
    pub site: Site,
    /// How the caller would write what the callee calls by a variable.
    pub name: &'a dyn Fn(VarId) -> String,
    /// What other triples of the callee have brought along.
    pub imported: &'a mut Imported,
}

/// What a call has brought along from the callee's summary: all its triples mean the same.
#[derive(Clone, Debug)]
pub struct Imported {
    /// Values that the callee found and that are not compared with the caller's state, by variable of the callee: what happens for all of them is certain.
    found: HashMap<VarId, TermId>,
    /// Places in the callee.
    seen: Seen,
}

impl Imported {
    /// Nothing yet.
    pub fn new(call: Site, callee: FnKey) -> Imported {
        Imported { found: HashMap::new(), seen: Seen::through(call, callee) }
    }

    /// Something that happened in the callee, as the caller sees it.
    pub fn made(&mut self, arena: &mut Arena, calls: &Vias, made: Made) -> Made {
        self.seen.made(&mut arena.calls, calls, made)
    }
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
    /// An access of the callee goes wrong.
    Fault(Box<Stuck>),
    /// A condition or an address of the callee depends on bits that were never written.
    Undefined(Box<Undefined>),
    /// Nobody can tell whether it does.
    Undecided,
    /// A block that must have been freed was not.
    Valid,
    /// Two blocks of the presumption, by position, are one block of the caller.
    Aliased(usize, usize),
    /// Something was too complicated.
    Limit,
}

/// A value of the callee that depends on bits which were never written.
#[derive(Clone, Debug)]
pub struct Undefined {
    /// The state, which says when.
    pub state: State,
    /// The variable that was never written.
    pub var: VarId,
    /// Where the value is used.
    pub made: Made,
    /// What for: as a condition, or as an address.
    pub is_condition: bool,
}

/// Where application got stuck: an error of the callee, if the state is right.
#[derive(Clone, Debug)]
pub struct Stuck {
    /// The state with everything before.
    pub state: State,
    /// What goes wrong.
    pub fault: Fault,
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

/// Applies a triple: all ways in which it fits, and why it does not.
pub fn apply(
    cx: &mut dyn Outside,
    arena: &mut Arena,
    state: State,
    call: &mut Call<'_>,
    import: Import,
) -> Vec<Result<Applied, Refused>> {
    let (spec, plan) = (call.callee.spec, call.callee.plan);
    let mut partials = vec![Partial {
        state,
        import,
        blocks: vec![None; spec.pre.len()],
        todo: plan.items.clone(),
        assumed: vec![false; spec.conditions.len()],
        defined: vec![false; spec.defined.len()],
        n_choices: 0,
    }];
    let mut results = Vec::new();
    let mut applier = Applier { cx, arena, callee: call.callee, call };
    if let Err(refused) = applier.check_places(&mut partials[0], true) {
        return vec![Err(refused)];
    }
    let mut n_partials = 1;
    while let Some(mut partial) = partials.pop() {
        let Some(at) = applier.next_item(&partial) else {
            results.push(applier.finish(partial));
            continue;
        };
        let steps = match partial.todo.remove(at) {
            Item::Block(pre) => applier.block(partial, pre as usize),
            Item::Cell(pre, cell) => applier.cell(partial, pre as usize, cell as usize),
            Item::Access(pre, access) => {
                vec![applier.further_access(partial, pre as usize, access as usize)]
            }
        };
        n_partials += steps.len().saturating_sub(1);
        for step in steps.into_iter().rev() {
            match step {
                Ok(partial) if n_partials <= limits::HEAP_PARTIAL => partials.push(partial),
                Ok(_) => results.push(Err(Refused::Limit)),
                Err(refused) => results.push(Err(refused)),
            }
        }
    }
    results
}

/// The caller's arena, in which variables of the callee that no cell and no argument is bound to get values.
struct Caller<'s, 'a, 'c, 'f> {
    applier: &'s mut Applier<'a, 'c, 'f>,
    state: &'s mut State,
}

impl Room for Caller<'_, '_, '_, '_> {
    fn terms(&mut self) -> &mut Terms {
        &mut self.applier.arena.terms
    }

    fn unbound(&mut self, var: VarId) -> TermId {
        let Applier { cx, arena, callee, .. } = self.applier;
        match callee.roles[var] {
            VarRole::Local | VarRole::Param(_) => self.applier.fresh(var),
            role => arena.symbol(*cx, self.state, role),
        }
    }
}

/// Application of one triple to one state.
struct Applier<'a, 'c, 'f> {
    cx: &'c mut dyn Outside,
    arena: &'c mut Arena,
    callee: ForeignSpec<'a>,
    call: &'c mut Call<'f>,
}

type Matched = Result<Partial, Refused>;

impl Applier<'_, '_, '_> {
    /// Something that happened in the callee, as the caller sees it.
    fn through(&mut self, made: Made) -> Made {
        self.call.imported.made(self.arena, self.callee.calls, made)
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
    fn advance(&mut self, partial: &mut Partial, access: &Access) -> Result<(), Refused> {
        self.assume_until(partial, access.n_conditions)?;
        self.choose_until(partial, access.n_choices);
        for (at, &condition) in self.callee.spec.defined.iter().enumerate() {
            if !partial.defined[at] && self.is_decidable(partial, self.callee.plan.defined_vars.get(at)) {
                partial.defined[at] = true;
                let condition = self.term(partial, condition);
                partial.state.path.define(&self.arena.terms, condition);
            }
        }
        Ok(())
    }

    /// What the environment chose in the callee.
    fn choose_until(&mut self, partial: &mut Partial, end: usize) {
        while partial.n_choices < end {
            let choice = self.callee.spec.choices[partial.n_choices];
            partial.n_choices += 1;
            let term = choice.term().map(|it| self.term(partial, it));
            partial.state.choose(choice.map(|it| term.unwrap_or(it)));
        }
    }

    /// A term of the callee in the caller's arena.
    fn term(&mut self, partial: &mut Partial, term: TermId) -> TermId {
        let Partial { import, state, .. } = partial;
        let terms = self.callee.terms;
        import.term_in(&mut Caller { applier: self, state }, terms, term)
    }

    /// A variable that nobody outside of the callee knows.
    fn fresh(&mut self, var: VarId) -> TermId {
        let data = self.callee.terms.var(var);
        // What the callee found in memory that is not compared here is nobody's choice.
        let origin = if data.origin.is_given() { Origin::NotFollowed } else { data.origin };
        let is_found = origin == Origin::NotFollowed;
        if let Some(&known) = self.call.imported.found.get(&var).filter(|_| is_found) {
            return known;
        }
        let source = self.callee.sources[var].clone();
        let source = source.map(|source| Source { made: self.through(source.made), ..source });
        let name = self.callee.terms.name(var);
        let term = self.arena.fresh(data.width, origin, name, VarRole::Local, source);
        if self.callee.pointers[var] {
            self.arena.note_pointer(term);
        }
        if is_found {
            self.call.imported.found.insert(var, term);
        }
        term
    }

    /// Assumes the conditions up to `end` whose variables are known.
    fn assume_until(&mut self, partial: &mut Partial, end: usize) -> Result<(), Refused> {
        for at in 0..end {
            let condition = &self.callee.spec.conditions[at];
            if partial.assumed[at] || !self.is_decidable(partial, self.callee.plan.condition_vars.get(at)) {
                continue;
            }
            partial.assumed[at] = true;
            let term = self.term(partial, condition.term);
            let made = self.through(condition.made);
            let condition = Condition { term, made, reason: condition.reason };
            self.check_decided(&partial.state, &condition)?;
            if !partial.state.assume(&mut self.arena.terms, condition) {
                return Err(Refused::Contradiction);
            }
        }
        Ok(())
    }

    /// Whether a condition of the callee can be decided here: not if it depends on bits that were never written, and not if it were a coincidence.
    fn check_decided(&mut self, state: &State, condition: &Condition) -> Result<(), Refused> {
        if condition.reason == Reason::Needed && self.is_coincidence(state, condition.term) {
            return Err(Refused::Contradiction);
        }
        // Nobody knows at which of several places it is decided.
        let made = Some(condition.made).filter(|_| condition.reason != Reason::Joined);
        self.check_defined(state, (condition.term, true), made)
    }

    /// Whether a condition (`true`) or a part of an address does not depend on bits that were never written. None: nobody knows where it is used.
    fn check_defined(
        &mut self,
        state: &State,
        (term, is_condition): (TermId, bool),
        made: Option<Made>,
    ) -> Result<(), Refused> {
        let dependence = self.cx.dependence(self.arena, state, term);
        let (Some(made), false) = (made, dependence == Dependence::None) else {
            return if dependence == Dependence::None { Ok(()) } else { Err(Refused::Contradiction) };
        };
        let Dependence::On(var, differs) = dependence else { return Err(Refused::Undecided) };
        let mut state = state.clone();
        let condition = Condition { term: differs, made, reason: Reason::Needed };
        match state.path.assume(&mut self.arena.terms, condition) {
            true => Err(Refused::Undefined(Box::new(Undefined { state, var, made, is_condition }))),
            false => Err(Refused::Contradiction),
        }
    }

    /// Whether a condition says that a pointer which unknown code made, or which was not followed, leads to an object that is also known by another pointer. What nobody decided
    /// is not assumed: structures have their shapes.
    fn is_coincidence(&self, state: &State, condition: TermId) -> bool {
        let terms = &self.arena.terms;
        let Node::Binary(Binary::Eq, a, b) = terms.node(condition) else { return false };
        let is_strange =
            |&var: &VarId| self.arena.is_pointer(terms.var_term(var)) && terms.var(var).origin.is_unknown();
        let is_null = terms.value(a).is_some() || terms.value(b).is_some();
        !is_null
            && terms.vars_of(condition).iter().any(is_strange)
            && state.path.facts.decide(terms, condition).is_none()
    }

    /// Reads a cell of the presumption, and binds its variable.
    fn cell(&mut self, mut partial: Partial, at: usize, cell: usize) -> Vec<Matched> {
        let pre = &self.callee.spec.pre[at];
        let cell = pre.cells[cell];
        let Some((block, base)) = partial.blocks[at] else { return vec![Err(Refused::Limit)] };
        let symbolic = cell.place.symbolic.map(|symbolic| self.term(&mut partial, symbolic));
        let place = sum(&mut self.arena.terms, base, Place { symbolic, offset: cell.place.offset });
        let access = pre.accesses.iter().find(|access| access.symbolic == cell.place.symbolic);
        let used = access.map(|access| self.through(access.made));
        if let Some(symbolic) = symbolic
            && let Err(refused) = self.check_defined(&partial.state, (symbolic, false), used)
        {
            return vec![Err(refused)];
        }
        let made = used.unwrap_or_else(|| self.through(pre.accesses[0].made));
        let Node::Var(var) = self.callee.terms.node(cell.value) else { return vec![Err(Refused::Limit)] };
        let state = std::mem::take(&mut partial.state);
        let settled = settle(&mut self.arena.terms, state, block, (place, cell.bytes), made);
        let name = (self.call.name)(var);
        let mut steps = Vec::new();
        for (mut partial, place) in partial.in_each(settled) {
            let here = Made::here(self.call.site);
            partial.state.presume_global(block, AccessKind::Read, here);
            let at = Bytes { block, place };
            let value = self.arena.read(self.cx, &mut partial.state, at, (cell.bytes, Some(&name)));
            if self.callee.pointers[var] {
                self.arena.note_pointer_variable(value);
            }
            partial.import.bind(var, value);
            steps.push(Ok(partial));
        }
        if steps.is_empty() { vec![Err(Refused::Limit)] } else { steps }
    }
}
