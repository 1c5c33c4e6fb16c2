//! Who is to blame? An error of a callee that depends on what it gets, told from the call.
//!
//! ```text
//! [pre] f [er: bug]    p * m ⊣ pre * f    the state p forces it            [pre] f [ok: q]    p ⊢ not pre: an access of f fails
//! -----------------------------------------------------------            ----------------------------------------------------
//! (er, m, bug seen through the call)                                     (er, emp, that access seen through the call)
//! ```
//! Source: Le et al. Fig. 5 (Eval of calls); Raad et al. §5: an error is forced by the present state, never assumed.

use catalog::Issue;
use heap::path::Reason;
use heap::{
    Access, AccessKind, BlockId, Bytes, Exit, Fault, Imported, Kind, Place, Refused, State, Status, Stuck,
};
use summary::{Bug, Step, Summary};
use term::Origin;

use super::Calling;
use super::triples::apply_triple;
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

/// An error of the callee, told from here.
pub(super) fn imported(
    cx: &Cx<'_>,
    state: State,
    summary: &Summary,
    (bug, blocks): (Bug, &[(BlockId, Place)]),
) -> ErrorPath {
    let callee = cx.world.name(summary.function);
    // What the caller passes is wrong, or it merely chooses a way on which the callee goes wrong by itself.
    let is_fatal = bug.issue == Issue::AssertFailure
        || state.path.conditions.last().is_some_and(|it| it.reason == Reason::Needed);
    let text = match bug.issue.is_leak() {
        true => format!("this call makes `{callee}` lose memory"),
        false => format!("this call makes `{callee}` fail"),
    };
    let call = if is_fatal { Step::fatal(cx.here(), text) } else { Step::new(cx.here(), text) };
    let mut bug = bug;
    bug.story.insert(0, call);
    if bug.issue.is_leak() {
        bug.message = format!("memory that `{callee}` allocates is never freed and becomes unreachable");
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
            let how = if is_condition { "in a condition" } else { "as an address" };
            Ends::error(errors::unwritten(cx, arena, state, (var, made), how))
        }
        Refused::Undecided => Ends::stop(Stopped::Undecided),
        Refused::Contradiction | Refused::Valid | Refused::Aliased(..) | Refused::Limit => Ends::default(),
    }
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
    let kind = stuck.access.kind;
    let (issue, block, what) = match stuck.fault {
        // In C, `free(NULL)` is no error.
        Fault::Null if kind == AccessKind::Free => return None,
        Fault::Null => {
            let what = format!("is null and is passed to `{callee}`, where it is {}", kind.done());
            (Issue::NullDeref, None, what)
        }
        Fault::Invalid(Bytes { block, .. }) => {
            let ended = matches!(stuck.state.block(block).status, Status::ScopeEnded(_));
            let issue = match (kind, ended) {
                (_, true) => Issue::UseAfterScope,
                (AccessKind::Free, false) => Issue::DoubleFree,
                _ => Issue::UseAfterFree,
            };
            let state = if ended { "refers to a variable whose scope has ended" } else { "was freed" };
            let what = format!("{state} and is passed to `{callee}`, where it is {}", kind.done());
            (issue, Some(block), what)
        }
        Fault::OutOfBounds(Bytes { block, .. }) => {
            let Access { extent: (_, to), symbolic, len, .. } = stuck.access;
            let where_to = match symbolic.or(len) {
                None => format!("it up to byte {to}, beyond its end"),
                Some(_) => "bytes outside of it".to_owned(),
            };
            let what = format!("is passed to `{callee}`, which accesses {where_to}");
            (Issue::OutOfBounds, Some(block), what)
        }
        Fault::NotFreeable(Bytes { block, .. }, _) => {
            let why = match stuck.state.block(block).kind {
                Kind::Heap(family) => format!("was allocated by `{}`", cx.allocator_of(family)),
                _ => "is no block that can be freed".to_owned(),
            };
            let what = format!("is passed to `{callee}`, which frees it, but it {why}");
            (Issue::InvalidFree, Some(block), what)
        }
        Fault::Undefined(_) | Fault::Undecided | Fault::NoPointer | Fault::NotData | Fault::Limit => {
            return None;
        }
    };
    let passed = summary.split.param(summary.split.specs[at].pre[stuck.pre].base);
    let passed = passed.and_then(|param| calling.call.args.get(param as usize).copied());
    let name = cx.name_of(passed, "a pointer");
    let pointer = cx.pointer_behind(passed);
    let mut story = match block {
        None => story::of_null(cx, arena, &stuck.state, (stuck.address, pointer)),
        Some(block) => story::of_block(cx, arena, &stuck.state, block),
    };
    story.push(Step::fatal(cx.here(), "the pointer is passed here"));
    let made = imported.made(&mut arena.heap, &summary.split.calls, stuck.access.made);
    let bug = Bug::new(issue, made, format!("{name} {what}"), story);
    let mut state = stuck.state;
    if issue == Issue::NullDeref {
        errors::doubt_defensive(cx, arena, &mut state, stuck.address);
    }
    Some(ErrorPath { state, bug, pointer })
}
