//! The verdict on an error: from all paths that lead to it.
//!
//! Judgment: all error triples of one kind and place are judged together, `C₁ ∨ C₂` (rule Disj of ISL); so
//! are those of one cause at several places, if none of them is certain alone.
//! Source: Le et al., OOPSLA 2022, Thm 3.5 and Def. 3.6, as [`conditions::judge`] decides them; here is what
//! it is asked about.
//! Departures: (1) paths that decided about values which were not followed count if all of these decisions
//! lead to the error, or if there are no others; (2) so do paths that combine contents of memory of unknown
//! code.
//! Not covered: what becomes of the error; that is decided by [`conditions::disposition`].

use std::collections::BTreeSet;

use base::limits;
use catalog::{Cause, Clause, Event, Evidence, Fate, Issue, Verdict, What};
use conditions::disposition::{self, Answers, Circumstances};
use conditions::{Case, Judged, Memory, Wanted, can_happen, is_plainly_latent, judge};
use heap::path::Reason;
use heap::{Kind, Made, State};
use summary::{Bug, Ended, How, Step};
use term::{Binary, Node, Origin, TermId, Terms, VarId};

use crate::arena::Arena;
use crate::assumed::assumed;
use crate::cx::Cx;
use crate::errors::ErrorPath;
use crate::finish::{Finding, Said};
use conditions::words;

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
        let others = places.iter().filter(|made| **made != path.bug.made).take(limits::SPLIT_OTHERS);
        // What a call passes on and what the callee does with it belong together.
        let story = &mut path.bug.story;
        let passed = story.iter().rposition(|step| step.event == Event::Passed);
        let at = passed.unwrap_or(story.len());
        story.splice(at..at, others.map(|made| Step::new(*made, Event::OtherPaths)));
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
    let by_condition = answers(cx, arena, &opinion);
    let answers = Answers { verdict: disposition::verdict(&by_condition), ..by_condition };
    let fate = disposition::fate(&answers);
    // The solver is asked about latent errors here at the latest.
    let best = match fate {
        Fate::Forgotten => None,
        Fate::Shown => opinion.best(),
        _ => opinion.first_possible(arena),
    };
    if let Some(best) = best {
        let condition = opinion.judged.condition;
        let (terms, solver) = (&mut arena.heap.terms, &mut arena.prover.solver);
        // What nobody sees need not be short.
        let condition = match (fate, answers.evidence) {
            (Fate::Shown, Evidence::Suspected) => words::about_callers(terms, solver, condition),
            (Fate::Shown, _) => words::shortest(terms, solver, condition),
            _ => condition,
        };
        let mut condition = arena.condition(condition);
        let memory = &opinion.judged.memory;
        // The system sees to the memory of `main`.
        let relaxed = answers.verdict == Verdict::Manifest && !memory.is_empty() && !cx.callers.is_main;
        if relaxed {
            condition.all.extend(needed(arena, memory));
        }
        let bug = Bug { cause: answers.cause, ..opinion.paths[best].bug.clone() };
        let said = Said { verdict: answers.verdict, relaxed, evidence: answers.evidence, fate, condition };
        let counted = opinion.judged.possible.iter().map(|&at| &opinion.paths[at].state);
        let assumes = assumed(arena, counted);
        findings.push(Finding { assumes, ..Finding::new(cx.key(), &arena.calls, &bug, said) });
    }
    tell_callers(cx, opinion, &by_condition, fate, judged);
}

/// What must be true of the caller's memory, in words: it exists, and what is changed is no other object that the path looks at.
fn needed(arena: &Arena, memory: &[Memory]) -> Vec<Clause> {
    let name = |needed: &Memory| words::text(&arena.terms, needed.base);
    let is_passed = |needed: &Memory| matches!(arena.role_of(needed.base), Some(heap::VarRole::Param(_)));
    let valid = memory.iter().map(|it| Clause::Valid { pointer: name(it), passed: is_passed(it) });
    let mut clauses: Vec<Clause> = valid.collect();
    for (at, later) in memory.iter().enumerate() {
        let others = memory[..at].iter().filter(|earlier| earlier.must_be_apart(later));
        clauses.extend(others.map(|earlier| Clause::Apart(name(earlier), name(later))));
    }
    clauses
}

/// Lets callers know of the paths to an error that concern them.
fn tell_callers(cx: &Cx<'_>, opinion: Opinion, answers: &Answers, fate: Fate, judged: &mut Vec<Ended>) {
    let Opinion { paths, judged: Judged { possible, .. }, .. } = opinion;
    let is_told = |path: &ErrorPath| {
        let about_own = Circumstances { is_about_own: path.bug.reported.is_some(), ..answers.around };
        let is_suspicion = answers.evidence == Evidence::Suspected;
        disposition::is_told(&Answers { around: about_own, ..*answers }) || cx.options.replay && !is_suspicion
    };
    let paths = paths.into_iter().enumerate().filter(|(at, path)| possible.contains(at) && is_told(path));
    let mut told: Vec<ErrorPath> = paths.map(|(_, path)| path).collect();
    if !cx.options.replay {
        told.sort_by_key(|path| path.state.path.conditions.len());
        told.truncate(limits::SPLIT_TOLD_PER_SITE);
    }
    for path in told {
        let left = fate == Fate::LeftToCallers;
        let bug = Bug { verdict: answers.verdict, left, cause: answers.cause, ..path.bug };
        judged.push(Ended { state: path.state, results: Vec::new(), how: How::Error(bug) });
    }
}

/// What is to say of an error before anybody decides what becomes of it; the verdict is that of its condition.
fn answers(cx: &Cx<'_>, arena: &Arena, opinion: &Opinion) -> Answers {
    let Opinion { paths, cases, judged, .. } = opinion;
    let best = opinion.best().map(|best| &paths[best]);
    let is_leak = paths.iter().all(|path| path.bug.issue.is_leak());
    let around = Circumstances {
        is_in_main: cx.callers.is_main,
        rests_on_others: cx.callers.is_main && rest_on_others(cx, arena, cases),
        must_not_be_called: !cx.callers.is_main
            && paths.iter().all(|path| path.bug.made.via.is_none() && path.bug.what == What::MustNotBeCalled),
        contradicts_belief: is_belief(arena, paths, cases),
        is_in_callee: best.is_some_and(|path| path.bug.made.via.is_some()),
        is_about_own: best.is_some_and(|path| path.bug.reported.is_some()),
        is_implied: false,
        has_known_callers: cx.callers.are_known,
        is_called: cx.callers.is_called,
        n_asked: if is_leak { n_asked(arena, judged.condition) } else { 0 },
        needs_missing_argument: is_leak && needs_missing_argument(arena, paths),
        is_special: !cx.how.is_empty(),
    };
    let evidence = if opinion.is_suspicion { Evidence::Suspected } else { Evidence::Proved };
    let verdict =
        if around.must_not_be_called || around.contradicts_belief { Verdict::Latent } else { judged.verdict };
    Answers {
        issue: paths[0].bug.issue,
        verdict,
        // Nobody calls `main`: what it is given is the environment's choice.
        cause: match best.map_or(Cause::Unknown, |path| path.bug.cause) {
            Cause::Caller if cx.callers.is_main => Cause::Environment,
            _ if around.is_in_main && verdict == Verdict::Latent => Cause::Environment,
            cause => cause,
        },
        evidence,
        around,
    }
}

impl Opinion {
    /// The path that is told: the shortest that may be taken.
    fn best(&self) -> Option<usize> {
        self.judged.possible.iter().copied().min_by_key(|&at| self.cases[at].conditions.len())
    }

    /// The same, if the solver was not asked yet.
    fn first_possible(&self, arena: &mut Arena) -> Option<usize> {
        let mut shortest_first = self.judged.possible.clone();
        shortest_first.sort_by_key(|&at| self.cases[at].conditions.len());
        let mut asked = shortest_first.into_iter().take(limits::SPLIT_TRIED);
        asked.find(|&at| can_happen(&arena.heap.terms, &mut arena.prover.solver, &self.cases[at]))
    }
}

/// Whether an assertion only fails if unknown code does something that the programmer, who wrote the assertion, says it never does.
fn is_belief(arena: &Arena, paths: &[ErrorPath], cases: &[Case]) -> bool {
    let rests_on_unknown =
        |case: &Case| case.conditions.iter().any(|&it| arena.terms.mentions(it, Origin::is_foreign));
    paths.iter().all(|path| path.bug.issue == Issue::AssertFailure) && cases.iter().all(rests_on_unknown)
}

/// Whether an error of `main` needs something of functions that nobody knows, or of variables that constructors ran over: what they left there is not the environment's choice.
fn rest_on_others(cx: &Cx<'_>, arena: &Arena, cases: &[Case]) -> bool {
    let is_answer = |&it: &TermId| arena.terms.mentions(it, |origin| origin == Origin::Callback);
    if cx.callers.begins_program {
        return cases.iter().all(|case| case.conditions.iter().any(is_answer));
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
    cases.iter().all(|case| case.conditions.iter().any(|it| is_about(it) || is_answer(it)))
}

/// Contents of the callers' memory that a condition is about.
fn n_asked(arena: &Arena, condition: TermId) -> usize {
    let vars = arena.terms.vars_of(condition);
    let is_asked =
        |content: TermId| arena.as_var(content).is_some_and(|var| vars.binary_search(&var).is_ok());
    let is_global = |base: TermId| {
        arena.as_var(base).is_some_and(|var| matches!(arena.roles()[var], heap::VarRole::Global(_)))
    };
    arena.initial_contents().filter(|&(base, content)| !is_global(base) && is_asked(content)).count()
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
    let judged = Judged { verdict: Verdict::Latent, ..latent(&mut arena.terms, &cases) };
    let opinion = Opinion { paths, cases, judged, is_suspicion: true };
    (disposition::fate(&answers(cx, arena, &opinion)) != Fate::Forgotten).then_some(opinion)
}

/// The verdict on one error. The solver is not asked about what nobody sees: a latent error is left to the callers anyway.
fn verdict(cx: &Cx<'_>, arena: &mut Arena, paths: &[ErrorPath], cases: &[Case]) -> Option<Judged> {
    let is_leak = paths.iter().any(|path| path.bug.issue.is_leak());
    let is_shown_leak = is_leak && !cx.callers.are_known;
    let is_seen = cx.callers.is_main || is_shown_leak;
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
    let negative = state.pre().any(|pre| pre.negative);
    Case { conditions, laws, apart, defined, negative, locations, memory: memory_of(state) }
}

/// The memory of the caller's that a path needs: global variables are always there.
fn memory_of(state: &State) -> Vec<Memory> {
    let needed = state.pre().map(|pre| (pre, state.block(pre.block)));
    let needed = needed.filter(|(pre, block)| block.kind == Kind::Abduced && !pre.negative);
    // Who frees memory looks at all of it.
    let touched = |pre: &heap::PreBlock| if pre.freeable.is_some() { EVERYWHERE } else { pre.extent };
    needed
        .map(|(pre, block)| Memory { base: pre.base, touched: touched(pre), changed: changed(pre, block) })
        .collect()
}

/// All bytes.
const EVERYWHERE: (i64, i64) = (i64::MIN, i64::MAX);

/// The bytes of a block that a path changes.
fn changed(pre: &heap::PreBlock, block: &heap::Block) -> (i64, i64) {
    let new = || block.cells.iter().filter(|cell| !pre.cells.contains(cell));
    let is_everywhere = !block.status.is_allocated()
        || block.rest != heap::Content::Initial
        || new().any(|cell| cell.place.symbolic.is_some());
    if is_everywhere {
        return EVERYWHERE;
    }
    let spans = new().map(|cell| (cell.place.offset, cell.place.offset + i64::from(cell.bytes)));
    spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, 0))
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

/// A latent error that nobody looks at, with what its cases say of callers alone.
fn latent(terms: &mut Terms, cases: &[Case]) -> Judged {
    let condition = conditions::weakest(terms, cases);
    Judged { verdict: Verdict::Latent, condition, possible: (0..cases.len()).collect(), memory: Vec::new() }
}

/// What a path decided. That it left a loop is assumed.
pub(crate) fn decided_on(state: &State) -> Vec<TermId> {
    let decided = state.path.conditions.iter().filter(|it| it.reason != Reason::Havoc);
    decided.map(|it| it.term).collect()
}
