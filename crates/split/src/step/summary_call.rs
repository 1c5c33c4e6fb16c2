//! Calls of functions that were analyzed: their triples are applied.

use std::collections::HashMap;
use std::sync::Arc;

use base::Id;
use catalog::Issue;
use heap::apply::Callee as HeapCallee;
use heap::bytes::Order;
use heap::path::Reason;
use heap::{
    Access, AccessKind, Applied, BlockId, Condition, Exit, Import, Kind, Made, Place, Refused, State, Status,
    VarRole, apply,
};
use summary::{Bug, Step, Summary};
use term::{Answer, Binary, Node, Origin, TermId, Terms, VarId};

use super::access::Bytes;
use super::call::Calling;
use super::known::Known;
use crate::engine::Engine;
use crate::flow::Flow;
use crate::world::{Specialization, Stopped};

impl Engine<'_> {
    /// Applies all triples of a callee.
    pub(super) fn call_summary(
        &mut self,
        flow: Flow,
        calling: &Calling<'_>,
        summary: &Arc<Summary>,
        next: &mut Vec<Flow>,
    ) {
        let mut how = self.known_functions(&flow.state, calling, summary);
        let special = if how.is_empty() { None } else { self.world.specialized(summary.function, &how) };
        let mut summary = special.unwrap_or_else(|| summary.clone());
        let before = (next.len(), self.errors.len());
        let mut tried = self.try_triples(&flow, calling, (&summary, !how.is_empty()), next);
        // What the triples take for different and is the same here is told to the callee.
        for _ in 0..MAX_SPECIAL {
            let Some(more) = tried.same.take().map(|more| how.and(&more)).filter(|more| *more != how) else {
                break;
            };
            let Some(special) = self.world.specialized(summary.function, &more) else { break };
            next.truncate(before.0);
            self.errors.truncate(before.1);
            (how, summary) = (more, special);
            tried = self.try_triples(&flow, calling, (&summary, true), next);
        }
        if self.has_better_model(&flow, calling, summary.function, &next[before.0..]) {
            next.truncate(before.0);
            return self.call_stand_in(flow, calling, &summary, next);
        }
        // Where a leak is left to callers, the path goes on.
        let fails = self.errors[before.1..].iter().any(|it| !it.bug.issue.is_leak());
        if next.len() > before.0 || fails {
            let is_guessed = self.is_followed(&flow.state)
                && next[before.0..].iter().any(|it| !self.is_followed(&it.state));
            if (summary.incomplete || is_guessed) && self.leaves_some(&flow.state, &next[before.0..]) {
                match fails || summary.has(Exit::NoReturn) {
                    true => self.knows_callees_in_part = true,
                    false => {
                        let is_void = self.body.results(calling.inst).next().is_none();
                        if is_guessed && is_void {
                            self.drop_guesses(&flow.state, before.0, next);
                        }
                        self.call_inexactly(flow, calling, &summary, next);
                    }
                }
            }
            return;
        }
        if self.fails_there(&flow, calling, &summary) {
            return;
        }
        if tried.is_beyond_us && !summary.has(Exit::NoReturn) || summary.incomplete {
            self.stop(if tried.is_beyond_us { Stopped::Alias } else { Stopped::Call });
            return self.call_stand_in(flow, calling, &summary, next);
        }
        if !summary.specs.is_empty() {
            self.give_up(flow.state, Stopped::Call);
        }
    }

    /// Whether there is a model of a callee, and its triples only lead to states that rest on values which were not followed.
    fn has_better_model(&self, flow: &Flow, calling: &Calling<'_>, function: u32, returned: &[Flow]) -> bool {
        self.stand_in(calling, function).is_some()
            && self.is_followed(&flow.state)
            && !returned.iter().any(|it| self.is_followed(&it.state))
    }

    /// Drops paths behind a call that decided about values which were not followed and allocated and freed nothing: the path that knows nothing of the call is as good.
    fn drop_guesses(&self, before: &State, from: usize, next: &mut Vec<Flow>) {
        let is_handled = |flow: &Flow| {
            flow.state.blocks().any(|(id, block)| match id.index() < before.n_blocks() {
                true => block.status.is_allocated() != before.block(id).status.is_allocated(),
                false => block.is_heap() && !block.escaped,
            })
        };
        let behind = next.split_off(from);
        next.extend(behind.into_iter().filter(|it| self.is_followed(&it.state) || is_handled(it)));
    }

    /// Whether the state before a call may be one that none of the triples is about by which the callee has returned. Those that decided about values which were not followed
    /// are left out: nobody knows what they are about.
    fn leaves_some(&mut self, before: &State, returned: &[Flow]) -> bool {
        let known = before.path.conditions.len();
        let mut facts = before.path.facts.clone();
        let was_followed = self.is_followed(before);
        for flow in returned {
            if was_followed && !self.is_followed(&flow.state) {
                continue;
            }
            let is_asked = |it: &&Condition| {
                matches!(it.reason, Reason::Branch | Reason::Joined) && !self.is_chosen(it.term)
            };
            let asked: Vec<TermId> =
                flow.state.path.conditions[known..].iter().filter(is_asked).map(|it| it.term).collect();
            let all = self.terms.conjunction(&asked);
            let others = self.terms.not(all);
            if self.terms.value(others) == Some(0) || facts.assume(&self.terms, others) == Answer::Unsat {
                return false;
            }
        }
        true
    }

    /// Whether the path ends in an error of the callee that is reported there.
    fn fails_there(&mut self, flow: &Flow, calling: &Calling<'_>, summary: &Summary) -> bool {
        summary.specs.iter().enumerate().any(|(at, spec)| {
            let is_reported =
                matches!(spec.exit, Exit::Er(bug) if summary.bugs[bug as usize].is_reported_there());
            let mut found = Found::default();
            is_reported && self.apply_spec(flow, calling, (summary, at), &mut found).iter().any(Result::is_ok)
        })
    }

    /// What callers must provide for a function that was not followed to any end: errors are recorded.
    pub(super) fn call_given_up(&mut self, flow: &Flow, calling: &Calling<'_>, summary: &Summary) {
        self.try_triples(flow, calling, (summary, false), &mut Vec::new());
    }

    /// Applies the triples of a summary.
    fn try_triples(
        &mut self,
        flow: &Flow,
        calling: &Calling<'_>,
        (summary, is_special): (&Summary, bool),
        next: &mut Vec<Flow>,
    ) -> Tried {
        let mut tried = Tried::default();
        // The budget is nearly spent: a way through is worth more than further errors.
        let is_hurried = self.share == 1;
        let mut known = Known::of(summary, &self.terms, &calling.args, &self.symbols);
        let mut found = Found::default();
        for (at, spec) in summary.specs.iter().enumerate() {
            let is_enough = match spec.exit {
                Exit::Ok => tried.returned >= self.share,
                Exit::NoReturn => tried.ended > 0,
                Exit::Er(bug) => is_hurried || !is_special && summary.bugs[bug as usize].is_reported_there(),
                Exit::Cut => is_hurried,
            };
            if is_enough {
                continue;
            }
            if known.contradict(&mut self.terms, &flow.state, summary, at) {
                self.steps += 1;
                continue;
            }
            for result in self.apply_spec(flow, calling, (summary, at), &mut found) {
                match result {
                    Ok(mut applied) => {
                        if calls_known_code(spec, &applied) {
                            self.mark_as_guess(&mut applied.state);
                        }
                        tried.returned += usize::from(spec.exit == Exit::Ok);
                        tried.ended += usize::from(spec.exit == Exit::NoReturn);
                        self.applied(flow, calling, (summary, spec.exit), applied, next);
                    }
                    Err(Refused::Aliased(a, b)) => {
                        tried.is_beyond_us = true;
                        tried.same =
                            tried.same.or_else(|| self.alias_pattern(calling, summary, (spec, a, b)));
                    }
                    Err(Refused::Limit) => tried.is_beyond_us = true,
                    Err(refused) => self.refused(calling, (summary, at), refused),
                }
            }
        }
        if tried.returned >= self.share {
            self.stop(Stopped::Width);
        }
        tried
    }

    /// Lets a path rest on a value that is not followed.
    pub(crate) fn mark_as_guess(&mut self, state: &mut State) {
        let guess = self.inexact(state, 1);
        let condition = Condition { term: guess, made: self.here(), reason: Reason::Branch };
        let _ = state.path.assume(&mut self.terms, condition);
    }

    fn apply_spec(
        &mut self,
        flow: &Flow,
        calling: &Calling<'_>,
        (summary, at): (&Summary, usize),
        found: &mut Found,
    ) -> Vec<Result<Applied, Refused>> {
        let (spec, plan) = (&summary.specs[at], &summary.plans[at]);
        self.steps +=
            4 + spec.conditions.len() + spec.pre.iter().map(|pre| 1 + pre.cells.len()).sum::<usize>();
        let mut import = Import::default();
        for (var, &role) in summary.roles.iter_ids() {
            if let VarRole::Param(at) = role {
                let width = summary.terms.var(var).width;
                let term = match calling.args.get(at as usize) {
                    Some(&arg) => self.resized(arg, width),
                    None => {
                        self.fresh(width, Origin::UnknownCall, "a missing argument", VarRole::Local, None)
                    }
                };
                import.bind(var, term);
            }
        }
        let Summary { terms: callee_terms, roles, function, .. } = summary;
        let callee = HeapCallee { terms: callee_terms, roles, spec, plan, function: *function };
        let mut terms = std::mem::take(&mut self.terms);
        let call = self.at;
        let mut caller = Caller { engine: self, summary, calling, call, found };
        let results = apply(&mut caller, &mut terms, flow.state.clone(), callee, import, call);
        self.terms = terms;
        results
    }

    fn applied(
        &mut self,
        flow: &Flow,
        calling: &Calling<'_>,
        (summary, exit): (&Summary, Exit),
        applied: Applied,
        next: &mut Vec<Flow>,
    ) {
        let before = &flow.state;
        let mut flow = flow.with(applied.state);
        match exit {
            Exit::Ok => {
                self.set_results(&mut flow, calling.inst, &applied.results);
                next.push(flow);
            }
            Exit::NoReturn => self.end_program(flow),
            Exit::Cut => {}
            Exit::Er(bug) if !self.is_error_forced(before, &flow.state, summary.bugs[bug as usize].issue) => {
            }
            Exit::Er(bug) => {
                let bug =
                    self.imported_bug(&flow.state, summary, &summary.bugs[bug as usize], &applied.blocks);
                self.error(flow.state, bug);
            }
        }
    }

    /// Whether the error itself rests on nothing that unknown code returned, unless the path forces it.
    ///
    /// A failing assertion that merely tests such a value is the programmer's own check.
    fn is_error_forced(&mut self, before: &State, after: &State, issue: Issue) -> bool {
        let known = before.path.conditions.len();
        let Some(last) = after.path.conditions.get(known..).and_then(<[_]>::last) else { return true };
        // What is lost at the end is not the fault of the last decision.
        if issue.is_leak() {
            return true;
        }
        if issue == Issue::AssertFailure {
            return !self.is_chosen(last.term);
        }
        if last.reason != Reason::Needed || !self.terms.mentions(last.term, Origin::is_unknown) {
            return true;
        }
        let ok = self.terms.not(last.term);
        self.is_forced(before, ok)
    }

    /// Whether a condition says that a pointer which unknown code made, or which was not followed, leads to an object that is also known by another pointer. What nobody decided
    /// is not assumed: structures have their shapes.
    fn is_coincidence(&self, state: &State, condition: TermId) -> bool {
        let Node::Binary(Binary::Eq, a, b) = self.terms.node(condition) else { return false };
        let is_strange = |&var: &VarId| {
            self.pointers.contains(&self.terms.var_term(var)) && self.terms.var(var).origin.is_unknown()
        };
        let is_null = self.terms.value(a).is_some() || self.terms.value(b).is_some();
        !is_null
            && self.terms.vars_of(condition).iter().any(is_strange)
            && state.path.facts.decide(&self.terms, condition).is_none()
    }

    /// An error of the callee, told from here.
    fn imported_bug(
        &mut self,
        state: &State,
        summary: &Summary,
        bug: &Bug,
        blocks: &[(BlockId, Place)],
    ) -> Bug {
        let callee = self.world.name(summary.function);
        // What the caller passes is wrong, or it merely chooses a way on which the callee goes wrong by itself.
        let is_fatal = bug.issue == Issue::AssertFailure
            || state.path.conditions.last().is_some_and(|it| it.reason == Reason::Needed);
        let text = match bug.issue.is_leak() {
            true => format!("this call makes `{callee}` lose memory"),
            false => format!("this call makes `{callee}` fail"),
        };
        let call = if is_fatal { Step::fatal(self.here(), text) } else { Step::new(self.here(), text) };
        let mut bug = bug.through(self.at, summary.function);
        bug.story.insert(0, call);
        if bug.issue.is_leak() {
            bug.message = format!("memory that `{callee}` allocates is never freed and becomes unreachable");
        }
        if bug.issue == Issue::UseAfterFree
            && blocks.iter().any(|(block, _)| matches!(state.block(*block).status, Status::ScopeEnded(_)))
        {
            bug.issue = Issue::UseAfterScope;
        }
        bug
    }

    /// A triple did not fit, because something the callee does would be an error here.
    fn refused(&mut self, calling: &Calling<'_>, (summary, at): (&Summary, usize), refused: Refused) {
        let callee = || self.world.name(summary.function);
        let (issue, stuck, block, what) = match refused {
            // In C, `free(NULL)` is no error.
            Refused::Null(stuck) if stuck.access.kind == AccessKind::Free => return,
            Refused::Null(stuck) => {
                let what = format!(
                    "is null and is passed to `{}`, where it is {}",
                    callee(),
                    stuck.access.kind.done()
                );
                (Issue::NullDeref, stuck, None, what)
            }
            Refused::Invalid(stuck, block) => {
                let ended = matches!(stuck.state.block(block).status, Status::ScopeEnded(_));
                let issue = match (stuck.access.kind, ended) {
                    // A local never was a block that can be freed.
                    (AccessKind::Free, true) => Issue::InvalidFree,
                    (_, true) => Issue::UseAfterScope,
                    (AccessKind::Free, false) => Issue::DoubleFree,
                    _ => Issue::UseAfterFree,
                };
                let state = if ended { "refers to a variable whose scope has ended" } else { "was freed" };
                let done = stuck.access.kind.done();
                let what = format!("{state} and is passed to `{}`, where it is {done}", callee());
                (issue, stuck, Some(block), what)
            }
            Refused::OutOfBounds(stuck, block) => {
                let Access { extent: (_, to), symbolic, len, .. } = stuck.access;
                let where_to = match symbolic.or(len) {
                    None => format!("it up to byte {to}, beyond its end"),
                    Some(_) => "bytes outside of it".to_owned(),
                };
                let what = format!("is passed to `{}`, which accesses {where_to}", callee());
                (Issue::OutOfBounds, stuck, Some(block), what)
            }
            Refused::NotFreeable(stuck, block, _) => {
                let why = match stuck.state.block(block).kind {
                    Kind::Heap(family) => format!("was allocated by `{}`", self.allocator_of(family)),
                    _ => "is no block that can be freed".to_owned(),
                };
                let what = format!("is passed to `{}`, which frees it, but it {why}", callee());
                (Issue::InvalidFree, stuck, Some(block), what)
            }
            Refused::Contradiction | Refused::Valid | Refused::Aliased(..) | Refused::Limit => return,
        };
        let passed = summary.param(summary.specs[at].pre[stuck.pre].base);
        let passed = passed.and_then(|param| calling.call.args.get(param as usize).copied());
        let name = self.name_of(passed, "a pointer");
        let mut story = match block {
            None => self.null_story(&stuck.state, (stuck.address, self.pointer_behind(passed))),
            Some(block) => self.block_story(&stuck.state, block),
        };
        story.push(Step::fatal(self.here(), "the pointer is passed here"));
        let made = stuck.access.made.through(self.at, summary.function);
        let message = format!("{name} {what}");
        let bug = Bug::new(issue, made, message, story);
        let mut state = stuck.state;
        if issue == Issue::NullDeref {
            self.doubt_defensive(&mut state, stuck.address);
        }
        self.error_of(state, bug, self.pointer_behind(passed));
    }

    /// Arguments that are addresses of functions on this path, or lead to one that the callee calls.
    fn known_functions(&self, state: &State, calling: &Calling<'_>, summary: &Summary) -> Specialization {
        let mut how = Specialization::default();
        for (param, offset) in called_members(summary) {
            let Some(&arg) = calling.args.get(param as usize) else { continue };
            let function = match offset {
                None => self.function_at(state, arg),
                Some(offset) => state.block_at(arg).and_then(|block| {
                    let (place, data) = (Place::at(offset), state.block(block));
                    match data.cells.iter().find(|cell| cell.place == place) {
                        Some(cell) => self.function_at(state, cell.value),
                        None => self.function_in(data.kind, offset),
                    }
                }),
            };
            how.functions.extend(function.map(|function| (param, offset, function)));
        }
        how
    }

    /// Which parameters are equal, or point into a global, in a call whose callee took them for different.
    fn alias_pattern(
        &self,
        calling: &Calling<'_>,
        summary: &Summary,
        (spec, a, b): (&heap::Spec, usize, usize),
    ) -> Option<Specialization> {
        let (a, b) = (spec.pre[a].base, spec.pre[b].base);
        match (summary.param(a), summary.param(b)) {
            (Some(a), Some(b)) => {
                let (earlier, later) = (a.min(b), a.max(b));
                let is_equal = calling.args.get(earlier as usize)? == calling.args.get(later as usize)?;
                is_equal
                    .then(|| Specialization { equal: vec![(later, earlier)], ..Specialization::default() })
            }
            (Some(param), None) | (None, Some(param)) => {
                let linear = self.terms.linear(*calling.args.get(param as usize)?);
                let [only] = linear.monomials.as_slice() else { return None };
                let VarRole::Global(global) = self.roles[self.as_var(only.base)?] else { return None };
                let globals = vec![(param, global, linear.constant as i64)];
                (only.coefficient == 1).then(|| Specialization { globals, ..Specialization::default() })
            }
            (None, None) => None,
        }
    }

    fn function_at(&self, state: &State, address: TermId) -> Option<u32> {
        match state.block(state.block_at(address)?).kind {
            Kind::Function(function) => Some(function),
            _ => None,
        }
    }
}

/// How often a callee is told more about a call.
const MAX_SPECIAL: usize = 3;

/// What became of the triples of a callee.
#[derive(Default)]
struct Tried {
    /// What is the same here, and a triple takes for different.
    same: Option<Specialization>,
    /// Whether some triple was refused because application is not clever enough.
    is_beyond_us: bool,
    /// States in which the callee returned, and in which the program ended.
    returned: usize,
    /// See `returned`.
    ended: usize,
}

/// Parameters that a callee calls, and members of what they point to: parameter, offset.
fn called_members(summary: &Summary) -> Vec<(u32, Option<i64>)> {
    let mut members = Vec::new();
    for spec in &summary.specs {
        let is_call =
            |pre: &&heap::PreBlock| pre.accesses.first().is_some_and(|it| it.kind == AccessKind::Call);
        for called in spec.pre.iter().filter(is_call) {
            members.extend(summary.param(called.base).map(|param| (param, None)));
            for pre in &spec.pre {
                let Some(param) = summary.param(pre.base) else { continue };
                let cells = pre.cells.iter().filter(|cell| cell.value == called.base);
                let constant = cells.filter(|cell| cell.place.symbolic.is_none());
                members.extend(constant.map(|cell| (param, Some(cell.place.offset))));
            }
        }
    }
    members.sort_unstable();
    members.dedup();
    members
}

/// Values that a callee found and that are not compared with the caller's state: all its triples mean the same ones, so that what happens for all of them is certain.
type Found = HashMap<VarId, TermId>;

/// The engine, as application of triples sees it. The arena is taken out while it works.
struct Caller<'e, 'a, 'c> {
    engine: &'e mut Engine<'a>,
    summary: &'c Summary,
    calling: &'c Calling<'c>,
    call: heap::Site,
    found: &'e mut Found,
}

impl Caller<'_, '_, '_> {
    /// The name of a variable of the callee, as the caller would write it.
    fn name(&self, callee: &Terms, var: VarId) -> String {
        let name = callee.name(var);
        for (at, _) in self.calling.args.iter().enumerate() {
            let param = self.summary.roles.iter_ids().find(|(_, role)| **role == VarRole::Param(at as u32));
            let Some((param, _)) = param else { continue };
            let formal = callee.name(param);
            let rest = name.strip_prefix(formal);
            let Some(rest) = rest.filter(|rest| rest.starts_with(['-', '.', '['])) else { continue };
            let operand = self.calling.call.args.get(at).copied();
            let actual = operand
                .and_then(|operand| ir::names::describe(self.engine.module, self.engine.function, operand));
            if let Some(actual) = actual {
                return match (actual.strip_prefix('&'), rest.strip_prefix("->")) {
                    (Some(object), Some(member)) => format!("{object}.{member}"),
                    _ => format!("{actual}{rest}"),
                };
            }
        }
        name.to_owned()
    }
}

impl heap::apply::Caller for Caller<'_, '_, '_> {
    fn order(&self) -> Order {
        self.engine.order
    }

    fn calls(&mut self) -> &mut heap::Calls {
        &mut self.engine.calls
    }

    fn epoch(&mut self) -> heap::Epoch {
        self.engine.epoch.begin()
    }

    fn is_pointer(&self, term: TermId) -> bool {
        self.engine.pointers.contains(&term)
    }

    fn address(&mut self, terms: &mut Terms, state: &mut State, role: VarRole) -> TermId {
        self.engine.with_arena(terms, |engine| engine.symbol(state, role))
    }

    fn fresh(&mut self, terms: &mut Terms, callee: &Terms, var: VarId) -> TermId {
        let data = callee.var(var);
        let source = self.summary.sources.get(var).cloned().flatten().map(|source| summary::Source {
            made: self.engine.calls.through(&source.made, self.call, self.summary.function),
            ..source
        });
        let name = callee.name(var).to_owned();
        let is_pointer = self.summary.pointers[var];
        // What the callee found in memory that is not compared here is nobody's choice.
        let origin = if data.origin.is_observable() { Origin::NotFollowed } else { data.origin };
        let is_found = origin == Origin::NotFollowed;
        if let Some(&known) = self.found.get(&var).filter(|_| is_found) {
            return known;
        }
        let term = self.engine.with_arena(terms, |engine| {
            let term = engine.fresh(data.width, origin, &name, VarRole::Local, source);
            if is_pointer {
                engine.pointers.insert(term);
            }
            term
        });
        if is_found {
            self.found.insert(var, term);
        }
        term
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

    fn back_pointer(&mut self, terms: &mut Terms, state: &State, at: (TermId, Place, u64)) -> Option<TermId> {
        self.engine.with_arena(terms, |engine| engine.back_pointer(state, at))
    }

    fn expose(&mut self, terms: &mut Terms, state: &mut State) {
        self.engine.with_arena(terms, |engine| engine.havoc_escaped(state));
    }

    fn give_away(&mut self, terms: &mut Terms, state: &mut State, given: heap::Given) {
        self.engine.with_arena(terms, |engine| engine.give_away(state, given));
    }

    fn can_decide(&mut self, terms: &mut Terms, state: &State, condition: &Condition) -> bool {
        self.engine.with_arena(terms, |engine| match condition.reason {
            // Nobody knows at which of several places it is decided.
            Reason::Joined => engine.is_defined(state, condition.term),
            Reason::Needed if engine.is_coincidence(state, condition.term) => false,
            _ => engine.check_defined(state, condition.term, &condition.made, "in a condition"),
        })
    }

    fn can_address(
        &mut self,
        terms: &mut Terms,
        state: &State,
        address: TermId,
        made: Option<&Made>,
    ) -> bool {
        self.engine.with_arena(terms, |engine| match made {
            Some(made) => engine.check_defined(state, address, made, "as an address"),
            None => engine.is_defined(state, address),
        })
    }

    fn read(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        (block, place, bytes): (BlockId, Place, u32),
        (callee, var): (&Terms, VarId),
    ) -> TermId {
        let name = self.name(callee, var);
        let is_pointer = self.summary.pointers[var];
        self.engine.with_arena(terms, |engine| {
            engine.presume_global(state, block, AccessKind::Read);
            let term = engine.read(state, Bytes { block, place }, bytes, Some(&name));
            if is_pointer && engine.as_var(term).is_some() {
                engine.pointers.insert(term);
            }
            term
        })
    }
}

/// Whether a triple took a function for unknown code that is known here: what it says of its results and effects is not what that function does.
fn calls_known_code(spec: &heap::Spec, applied: &Applied) -> bool {
    spec.pre.iter().zip(&applied.blocks).any(|(pre, (block, _))| {
        let is_called = pre.accesses.iter().any(|it| it.kind == AccessKind::Call);
        is_called && matches!(applied.state.block(*block).kind, Kind::Function(_))
    })
}
