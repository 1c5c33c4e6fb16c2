//! The verdict on an error: from all paths that lead to it.
//!
//! [`conditions`] decides when an error happens and who can prevent it; here is what the engine asks it about, and what it makes of the answer.

use std::collections::BTreeSet;

use base::limits;
use catalog::{Issue, Verdict};
use conditions::{Case, Judged, Wanted, is_plainly_latent, judge};
use heap::path::Reason;
use heap::{Kind, Made, State};
use summary::{Bug, Ended, How, Step};
use term::{Binary, Node, Origin, TermId, Terms, VarId};

use crate::arena::Arena;
use crate::cx::Cx;
use crate::errors::{ErrorPath, MUST_NOT_BE_CALLED};
use crate::finish::Finding;
use crate::words;

/// Values in the memory of callers that a leak may depend on, if some of them are known.
const MAX_ASKED_OF_CALLERS: usize = 1;
/// The same if nobody is known to call the function.
const MAX_ASKED_OF_ANYBODY: usize = 5;

/// Other places of the same error that are told.
const MAX_OTHERS: usize = 3;

/// What is thought of an error.
struct Opinion {
    /// The paths that count.
    paths: Vec<ErrorPath>,
    /// The same, as the verdict sees them.
    cases: Vec<Case>,
    judged: Judged,
    /// Whether all paths rest on values that were not followed: nobody knows whether they can be taken.
    is_suspicion: bool,
}

/// One cause of errors at several places. Callers may be able to prevent each of them, but not all: then the errors are one, told at the place of the least demanding path.
///
/// ```c
/// p = malloc(8); if (flag) p->a = 1; else p->b = 2;      // fails at one place or the other
/// ```
pub(crate) fn judge_groups(
    cx: &Cx<'_>,
    arena: &mut Arena,
    groups: Vec<Vec<ErrorPath>>,
    findings: &mut Vec<Finding>,
    judged: &mut Vec<Ended>,
) {
    if groups.len() == 1 || !is_certain_together(arena, &groups) {
        return groups.into_iter().for_each(|paths| judge_group(cx, arena, paths, findings, judged));
    }
    let mut all: Vec<ErrorPath> = groups.into_iter().flatten().collect();
    let told = all.iter().min_by_key(|path| path.state.path.conditions.len());
    let told = told.map(|path| path.bug.made);
    let places: BTreeSet<Made> = all.iter().map(|path| path.bug.made).collect();
    for path in &mut all {
        let others = places.iter().filter(|made| **made != path.bug.made).take(MAX_OTHERS);
        path.bug.story.extend(others.map(|made| Step::new(*made, "on other paths it happens here")));
        path.bug.with = told;
    }
    judge_group(cx, arena, all, findings, judged);
}

/// Whether errors at several places are certain together, and none of them is alone.
fn is_certain_together(arena: &mut Arena, groups: &[Vec<ErrorPath>]) -> bool {
    let cases: Vec<Vec<Case>> =
        groups.iter().map(|paths| paths.iter().map(|path| case(arena, &path.state)).collect()).collect();
    let all: Vec<Case> = cases.iter().flatten().cloned().collect();
    let mut is_certain = |cases: &[Case]| {
        !is_plainly_latent(&arena.terms, cases)
            && judge(&mut arena.heap.terms, &mut arena.prover.solver, cases, Wanted::Certainty)
                .is_some_and(|it| it.verdict == Verdict::Manifest)
    };
    is_certain(&all) && !cases.iter().any(|cases| is_certain(cases))
}

/// One error, from all paths that lead to it.
pub(crate) fn judge_group(
    cx: &Cx<'_>,
    arena: &mut Arena,
    paths: Vec<ErrorPath>,
    findings: &mut Vec<Finding>,
    judged: &mut Vec<Ended>,
) {
    let cases: Vec<Case> = paths.iter().map(|path| case(arena, &path.state)).collect();
    let Some(opinion) = opinion_on(cx, arena, paths, cases) else { return };
    let Opinion { paths: kept, cases, judged: result, is_suspicion } = opinion;
    // That a function must not be called is for its callers to know.
    let is_contract =
        kept.iter().all(|path| path.bug.made.via.is_none() && path.bug.message == MUST_NOT_BE_CALLED);
    let is_belief = is_belief(arena, &kept, &cases);
    let result = match is_contract || is_belief {
        true => Judged { verdict: Verdict::Latent, ..result },
        false => result,
    };
    let is_certain =
        cx.callers.is_main && !is_belief && !is_suspicion && !rest_on_constructors(cx, arena, &cases);
    let verdict = if is_certain { Verdict::Manifest } else { result.verdict };
    let is_latent_leak = verdict == Verdict::Latent && kept.iter().all(|path| path.bug.issue.is_leak());
    let left = is_latent_leak
        && (is_suspicion
            || cx.callers.are_known
            || is_demanding(cx, arena, result.condition)
            || needs_missing_argument(arena, &kept));
    let best = result.possible.iter().copied().min_by_key(|&at| cases[at].conditions.len());
    // What depends on callers in a callee and still does so here is the callee's finding.
    let bug = best
        .map(|best| &kept[best].bug)
        .filter(|bug| verdict != Verdict::Latent || bug.made.via.is_none() || bug.reported.is_some());
    if let Some(bug) = bug {
        let is_shown = cx.options.latent || verdict != Verdict::Latent || bug.issue.is_leak() && !left;
        let condition = match is_shown {
            true if is_suspicion => {
                words::about_callers(&mut arena.heap.terms, &mut arena.prover.solver, result.condition)
            }
            true => words::shortest(&mut arena.heap.terms, &mut arena.prover.solver, result.condition),
            false => result.condition,
        };
        let judged = (verdict, words::text(&arena.terms, condition));
        let finding = Finding::new(cx.key(), &arena.calls, bug, judged);
        findings.push(Finding { left, suspected: is_suspicion, ..finding });
    }
    let mut told: Vec<ErrorPath> = kept
        .into_iter()
        .enumerate()
        .filter(|(at, path)| {
            result.possible.contains(at) && !is_suspicion && is_callers(cx, path, result.verdict, left)
        })
        .map(|(_, path)| path)
        .collect();
    if !cx.options.replay {
        told.sort_by_key(|path| path.state.path.conditions.len());
        told.truncate(limits::SPLIT_TOLD_PER_SITE);
    }
    for path in told {
        let bug = Bug { verdict: result.verdict, left, ..path.bug };
        judged.push(Ended { state: path.state, results: Vec::new(), how: How::Error(bug) });
    }
}

/// Whether an assertion only fails if unknown code does something that the programmer, who wrote the assertion, says it never does.
fn is_belief(arena: &Arena, paths: &[ErrorPath], cases: &[Case]) -> bool {
    let rests_on_unknown = |case: &Case| {
        let is_outside = |origin| matches!(origin, Origin::UnknownCall | Origin::UnknownMemory);
        case.conditions.iter().any(|&it| arena.terms.mentions(it, is_outside))
    };
    paths.iter().all(|path| path.bug.issue == Issue::AssertFailure) && cases.iter().all(rests_on_unknown)
}

/// Whether an error of `main` needs something of variables that constructors ran over: what they left there is not the environment's choice.
fn rest_on_constructors(cx: &Cx<'_>, arena: &Arena, cases: &[Case]) -> bool {
    if cx.callers.begins_program {
        return false;
    }
    let mut contents: BTreeSet<VarId> = BTreeSet::new();
    let is_global = |contents: &BTreeSet<VarId>, base: TermId| {
        let vars = arena.terms.vars_of(base);
        vars.iter()
            .any(|var| contents.contains(var) || matches!(arena.roles()[*var], heap::VarRole::Global(_)))
    };
    loop {
        let found = arena.initial_contents().filter(|(base, _)| is_global(&contents, *base));
        let found: Vec<VarId> = found.filter_map(|(_, content)| arena.as_var(content)).collect();
        let before = contents.len();
        contents.extend(found);
        if contents.len() == before {
            break;
        }
    }
    let is_about = |&term: &TermId| arena.terms.vars_of(term).iter().any(|var| contents.contains(var));
    cases.iter().all(|case| case.conditions.iter().any(is_about))
}

/// Whether callers need to know of an error, because it depends on them. A leak is reported here and nowhere else, unless it is left to them.
fn is_callers(cx: &Cx<'_>, path: &ErrorPath, verdict: Verdict, is_left: bool) -> bool {
    let is_special = !cx.how.is_empty();
    let depends = verdict == Verdict::Latent || is_special;
    depends && (path.bug.reported.is_none() || is_special || is_left) || cx.options.replay
}

/// Whether a leak needs so much of the memory of its callers that it is left to them; see [`leaks`](crate::leaks).
fn is_demanding(cx: &Cx<'_>, arena: &Arena, condition: TermId) -> bool {
    let vars = arena.terms.vars_of(condition);
    let is_asked =
        |content: TermId| arena.as_var(content).is_some_and(|var| vars.binary_search(&var).is_ok());
    let is_global = |base: TermId| {
        arena.as_var(base).is_some_and(|var| matches!(arena.roles()[var], heap::VarRole::Global(_)))
    };
    let asked = arena.initial_contents().filter(|&(base, content)| !is_global(base) && is_asked(content));
    asked.count() > if cx.callers.is_called { MAX_ASKED_OF_CALLERS } else { MAX_ASKED_OF_ANYBODY }
}

/// Whether all ways to a leak need an argument to be null that only callees test for: they are careful, and nobody passes null.
fn needs_missing_argument(arena: &Arena, paths: &[ErrorPath]) -> bool {
    let is_null_argument = |condition: &heap::Condition| {
        let Node::Binary(Binary::Eq, a, b) = arena.terms.node(condition.term) else { return false };
        let pointer = if arena.terms.value(b) == Some(0) { a } else { b };
        let is_null = arena.terms.value(a) == Some(0) || arena.terms.value(b) == Some(0);
        let role = arena.as_var(pointer).map(|var| arena.roles()[var]);
        let is_argument = matches!(role, Some(heap::VarRole::Param(_))) && arena.is_pointer(pointer);
        condition.made.via.is_some() && is_null && is_argument
    };
    paths.iter().all(|path| path.state.path.conditions.iter().any(is_null_argument))
}

/// The verdict on one error, with the paths that it rests on. Those with decisions about values that were not followed only count if all of these decisions
/// lead to the error, or if there are no others; those that combine contents of memory of unknown code only if there are no others.
fn opinion_on(cx: &Cx<'_>, arena: &mut Arena, paths: Vec<ErrorPath>, cases: Vec<Case>) -> Option<Opinion> {
    let (alone, together): (Vec<_>, Vec<_>) =
        paths.into_iter().zip(cases).partition(|(_, case)| !combine_contents(&arena.terms, &case.conditions));
    let (paths, cases): (Vec<ErrorPath>, Vec<Case>) = match alone.is_empty() {
        true => {
            let (paths, cases) = together.into_iter().unzip();
            return suspicion(cx, arena, paths, cases);
        }
        false => alone.into_iter().unzip(),
    };
    let is_followed: Vec<bool> = cases.iter().map(|case| arena.are_followed(&case.conditions)).collect();
    if !is_followed.iter().all(|it| *it) && !is_plainly_latent(&arena.terms, &cases) {
        let judged = judge(&mut arena.heap.terms, &mut arena.prover.solver, &cases, Wanted::Certainty);
        if let Some(judged) = judged.filter(|it| it.verdict == Verdict::Manifest) {
            return Some(Opinion { paths, cases, judged, is_suspicion: false });
        }
    }
    if !is_followed.iter().any(|it| *it) {
        return suspicion(cx, arena, paths, cases);
    }
    let all = paths.into_iter().zip(cases).zip(is_followed);
    let (paths, cases): (Vec<ErrorPath>, Vec<Case>) =
        all.filter(|(_, is_followed)| *is_followed).map(|(path, _)| path).unzip();
    let judged = verdict(cx, arena, &paths, &cases)?;
    Some(Opinion { paths, cases, judged, is_suspicion: false })
}

/// An error that happens if values which were not followed are such that it does.
fn suspicion(cx: &Cx<'_>, arena: &mut Arena, paths: Vec<ErrorPath>, cases: Vec<Case>) -> Option<Opinion> {
    if !paths.iter().all(|path| can_be_suspected(path.bug.issue)) {
        return None;
    }
    let judged = match cx.options.latent {
        true => judge(&mut arena.heap.terms, &mut arena.prover.solver, &cases, Wanted::Condition)?,
        false => latent(&mut arena.terms, &cases),
    };
    let judged = Judged { verdict: Verdict::Latent, ..judged };
    Some(Opinion { paths, cases, judged, is_suspicion: true })
}

/// The verdict on one error. The solver is not asked about what nobody sees: a latent error is left to the callers anyway.
fn verdict(cx: &Cx<'_>, arena: &mut Arena, paths: &[ErrorPath], cases: &[Case]) -> Option<Judged> {
    let is_leak = paths.iter().any(|path| path.bug.issue.is_leak());
    let is_shown_leak = is_leak && !cx.callers.are_known;
    let is_seen = cx.options.latent || cx.callers.is_main || is_shown_leak;
    if !is_seen && is_plainly_latent(&arena.terms, cases) {
        return Some(latent(&mut arena.terms, cases));
    }
    let is_own = paths.iter().any(|path| path.bug.made.via.is_none() || path.bug.reported.is_some());
    let wanted = match (is_seen, is_own) {
        (true, true) => Wanted::Condition,
        (true, false) => Wanted::Verdict,
        (false, _) => Wanted::Certainty,
    };
    judge(&mut arena.heap.terms, &mut arena.prover.solver, cases, wanted)
}

/// A path as the verdict sees it. That a loop was left is assumed.
fn case(arena: &mut Arena, state: &State) -> Case {
    let conditions = decided_on(state);
    let (laws, apart) = arena.laws(state, &conditions);
    let new = state.blocks().filter(|(_, block)| block.is_heap() || block.kind == Kind::Stack);
    let locations = new.filter_map(|(_, block)| arena.as_var(block.base)).collect();
    let defined = arena.defined(state);
    Case { conditions, laws, apart, defined, negative: state.pre().any(|pre| pre.negative), locations }
}

/// Whether conditions are about several contents of the memory of unknown code. It has invariants that nobody knows: they may not be possible together.
pub(crate) fn combine_contents(terms: &Terms, conditions: &[TermId]) -> bool {
    let mut first = None;
    let is_content = |origin| origin == Origin::UnknownMemory;
    let about = conditions.iter().filter(|&&it| terms.mentions(it, is_content));
    let mut contents =
        about.flat_map(|&it| terms.vars_of(it)).filter(|&var| is_content(terms.var(var).origin));
    contents.any(|var| *first.get_or_insert(var) != var)
}

/// A latent error that nobody looks at.
fn latent(terms: &mut Terms, cases: &[Case]) -> Judged {
    Judged { verdict: Verdict::Latent, condition: terms.yes(), possible: (0..cases.len()).collect() }
}

/// Whether a path to an error of the kind is worth telling although nobody knows whether it can be taken. What is asserted of such values, or computed from them, is not.
fn can_be_suspected(issue: Issue) -> bool {
    let of_memory = [Issue::NullDeref, Issue::UseAfterFree, Issue::DoubleFree, Issue::InvalidFree];
    issue.is_leak() || of_memory.contains(&issue)
}

/// What a path decided. That it left a loop is assumed.
pub(crate) fn decided_on(state: &State) -> Vec<TermId> {
    let decided = state.path.conditions.iter().filter(|it| it.reason != Reason::Havoc);
    decided.map(|it| it.term).collect()
}
