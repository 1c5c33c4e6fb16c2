//! Who is to blame? An error of a callee that depends on what it gets, told from the call.
//!
//! ```text
//! [pre] f [er: bug]    p * m ⊣ pre * f    the state p forces it            [pre] f [ok: q]    p ⊢ not pre: an access of f fails
//! -----------------------------------------------------------            ----------------------------------------------------
//! (er, m, bug seen through the call)                                     (er, emp, that access seen through the call)
//! ```
//! Source: Le et al. Fig. 5 (Eval of calls); Raad et al. §5: an error is forced by the present state, never
//! assumed.

use catalog::{Cause, Event, Issue, Name, Need, What};
use heap::path::Reason;
use heap::{
    Access, AccessKind, BlockId, Bytes, Exit, Fault, Imported, Kind, Place, Refused, State, Status, Stuck,
};
use summary::{Bug, Step, Summary};
use term::{Node, Origin, TermId};

use super::Calling;
use super::triples::{apply_triple, name_here};
use crate::arena::Arena;
use crate::cx::Cx;
use crate::effort::Stopped;
use crate::errors::{self, ErrorPath};
use crate::flow::Flow;
use crate::outcome::Ends;
use crate::story;

/// Whether the path ends in an error of the callee that is reported there.
pub(super) fn fails_there(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &Flow,
    calling: &Calling<'_>,
    (summary, ends): (&Summary, &mut Ends),
) -> bool {
    summary.split.specs.iter().enumerate().any(|(at, spec)| {
        let is_reported =
            matches!(spec.exit, Exit::Er(bug) if summary.split.bugs[bug as usize].is_reported_there());
        is_reported && {
            let imported = &mut Imported::new(cx.at, summary.function);
            let (results, steps) = apply_triple(cx, arena, flow, calling, (summary, at, imported));
            ends.steps += steps;
            results.iter().any(Result::is_ok)
        }
    })
}

/// Whether the error itself rests on nothing that unknown code returned, unless the path forces it.
///
/// A failing assertion that merely tests such a value is the programmer's own check.
pub(super) fn is_error_forced(arena: &mut Arena, before: &State, after: &State, issue: Issue) -> bool {
    let known = before.path.conditions.len();
    let Some(last) = after.path.conditions.get(known..).and_then(<[_]>::last) else { return true };
    // What is lost at the end is not the fault of the last decision.
    if issue.is_leak() {
        return true;
    }
    if issue == Issue::AssertFailure {
        return !arena.is_chosen(last.term);
    }
    if last.reason != Reason::Needed || !arena.terms.mentions(last.term, Origin::is_unknown) {
        return true;
    }
    let ok = arena.terms.not(last.term);
    arena.is_forced(before, ok)
}

/// An error of the callee, told from here. `n_known`: the conditions of the path before the call.
pub(super) fn imported(
    cx: &Cx<'_>,
    arena: &Arena,
    state: State,
    summary: &Summary,
    (bug, blocks, n_known): (Bug, &[(BlockId, Place)], usize),
) -> ErrorPath {
    let callee = cx.world.name(summary.function);
    // What the caller passes is wrong, or it merely chooses a way on which the callee goes wrong by itself.
    let is_fatal = bug.issue == Issue::AssertFailure
        || state.path.conditions.last().is_some_and(|it| it.reason == Reason::Needed);
    let event = match bug.issue.is_leak() {
        true => Event::CallLoses(callee.clone()),
        false => Event::CallFails(callee.clone()),
    };
    let call = if is_fatal { Step::fatal(cx.here(), event) } else { Step::new(cx.here(), event) };
    let mut bug = bug;
    // What the caller of the callee makes wrong, somebody here makes wrong: this function, if the error adds no condition.
    if bug.cause == Cause::Caller {
        let added = state.path.conditions.get(n_known..).and_then(<[_]>::last);
        bug.cause = added.map_or(Cause::Program, |added| arena.cause_of(added.term));
    }
    bug.story.insert(0, call);
    if bug.issue.is_leak() {
        bug.what = What::LeakIn { callee };
    }
    if bug.issue == Issue::UseAfterFree
        && blocks.iter().any(|(block, _)| matches!(state.block(*block).status, Status::ScopeEnded(_)))
    {
        bug.issue = Issue::UseAfterScope;
    }
    ErrorPath { state, bug, pointer: None }
}

/// A triple did not fit: an error, if something that the callee does would be one here.
pub(super) fn refused(
    cx: &Cx<'_>,
    arena: &mut Arena,
    calling: &Calling<'_>,
    (summary, at, imported): (&Summary, usize, &mut Imported),
    refused: Refused,
) -> Ends {
    match refused {
        Refused::Fault(stuck) => {
            let error = fault(cx, arena, calling, (summary, at, imported), *stuck);
            Ends { errors: error.into_iter().collect(), ..Ends::default() }
        }
        Refused::Undefined(undefined) => {
            let heap::Undefined { state, var, made, is_condition } = *undefined;
            let need = if is_condition { Need::Condition } else { Need::Address };
            Ends::error(errors::unwritten(cx, arena, state, (var, made), need))
        }
        Refused::Undecided => Ends::stop(Stopped::Undecided),
        Refused::Contradiction | Refused::Valid | Refused::Aliased(..) | Refused::Limit => Ends::default(),
    }
}

/// What the callee calls a pointer that it finds in memory, as the caller would write it.
fn name_of_base(cx: &Cx<'_>, calling: &Calling<'_>, summary: &Summary, base: TermId) -> Name {
    let Node::Var(var) = summary.split.terms.node(base) else { return None };
    Some(name_here(cx, calling, summary, var)).filter(|name| !name.is_empty())
}

/// What an access of the callee that goes wrong is, told from here.
fn fault(
    cx: &Cx<'_>,
    arena: &mut Arena,
    calling: &Calling<'_>,
    (summary, at, imported): (&Summary, usize, &mut Imported),
    stuck: Stuck,
) -> Option<ErrorPath> {
    let callee = cx.world.name(summary.function);
    let (kind, used) = (stuck.access.kind, stuck.access.kind.as_use());
    let passed = summary.split.param(summary.split.specs[at].pre[stuck.pre].base);
    let passed = passed.and_then(|param| calling.call.args.get(param as usize).copied());
    let base = summary.split.specs[at].pre[stuck.pre].base;
    let (name, to) = (cx.name_of(passed).or_else(|| name_of_base(cx, calling, summary, base)), callee);
    let pointer = cx.pointer_behind(passed);
    let (issue, block, what) = match stuck.fault {
        // In C, `free(NULL)` is no error.
        Fault::Null if kind == AccessKind::Free => return None,
        Fault::Null => (Issue::NullDeref, None, What::Null { pointer: name, used, to: Some(to) }),
        Fault::Invalid(Bytes { block, .. }) => {
            let (pointer, to) = (name, Some(to));
            let (issue, what) = match (&stuck.state.block(block).status, kind) {
                (Status::ScopeEnded(_), _) => {
                    (Issue::UseAfterScope, What::ScopeEnded { pointer, object: None, used, to })
                }
                (_, AccessKind::Free) => (Issue::DoubleFree, What::Freed { pointer, used, to }),
                _ => (Issue::UseAfterFree, What::Freed { pointer, used, to }),
            };
            (issue, Some(block), what)
        }
        Fault::OutOfBounds(Bytes { block, .. }) => {
            let Access { extent: (_, end), symbolic, len, .. } = stuck.access;
            let up_to = symbolic.or(len).is_none().then_some(end);
            (Issue::OutOfBounds, Some(block), What::OutOfBoundsIn { pointer: name, to, up_to })
        }
        Fault::NotFreeable(Bytes { block, .. }, _) => {
            let made_by = match stuck.state.block(block).kind {
                Kind::Heap(family) => cx.allocator_of(family).map(str::to_owned),
                _ => None,
            };
            (Issue::InvalidFree, Some(block), What::NotFreeableIn { pointer: name, to, made_by })
        }
        Fault::Undefined(_) | Fault::Undecided | Fault::NoPointer | Fault::NotData | Fault::Limit => {
            return None;
        }
    };
    let mut story = match block {
        None => story::of_null(cx, arena, &stuck.state, (stuck.address, pointer)),
        Some(block) => story::of_block(cx, arena, &stuck.state, block),
    };
    // What the callee decides comes after it was given the pointer.
    let here = cx.here();
    let is_inside = |step: &&Step| {
        matches!(step.event, Event::Branch(_) | Event::UnknownBranch)
            && step.made.via.is_some()
            && arena.calls.own_site(step.made) == here.site
    };
    let n_inside = story.iter().rev().take_while(is_inside).count();
    story.insert(story.len() - n_inside, Step::fatal(here, Event::Passed));
    let made = imported.made(&mut arena.heap, &summary.split.calls, stuck.access.made);
    let cause = match block {
        None => arena.cause_of(stuck.address),
        Some(block) => errors::of_block(&stuck.state, block),
    };
    let bug = Bug { cause, ..Bug::new(issue, made, what, story) };
    let mut state = stuck.state;
    if issue == Issue::NullDeref {
        errors::doubt_defensive(cx, arena, &mut state, stuck.address);
    }
    Some(ErrorPath { state, bug, pointer })
}
