//! What comes out: findings with their verdicts, and the summary.

use std::collections::BTreeMap;

use base::limits;
use catalog::{Issue, Verdict};
use heap::{Made, State, Trail, Vias};
use summary::{Bug, Builder, Derived, Ended, How, Step, Told, Triples, Visible, derived_errors};
use term::{Import, TermId};
use world::FnKey;

use crate::arena::Arena;
use crate::cx::Cx;
use crate::effort::Stopped;
use crate::errors::ErrorPath;
use crate::judge::{judge_group, judge_groups};
use crate::lost::forget_losses_before_errors;
use crate::returned::always_returned;
use crate::select;
use crate::sink::Sink;
use crate::varargs::takes_varargs;
use crate::words;

/// The result of an analysis.
#[derive(Debug)]
pub struct Analysis {
    /// What callers know.
    pub triples: Triples,
    /// The errors, with their verdicts.
    pub findings: Vec<Finding>,
    /// What was not followed, with how often.
    pub stopped: BTreeMap<Stopped, u32>,
    /// By function of which nothing is known: how often a path went through it.
    pub unknown_calls: BTreeMap<FnKey, u32>,
    /// Instructions that were executed.
    pub steps: usize,
}

impl Analysis {
    /// Of a function that was not even begun.
    pub fn given_up(why: Stopped) -> Analysis {
        Analysis {
            triples: unknown(),
            findings: Vec::new(),
            stopped: BTreeMap::from([(why, 1)]),
            unknown_calls: BTreeMap::new(),
            steps: 0,
        }
    }

    /// Bytes, about.
    pub fn bytes(&self) -> usize {
        let findings: usize = self.findings.iter().map(Finding::bytes).sum();
        self.triples.bytes() + findings
    }
}

/// An error, judged.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The kind.
    pub issue: Issue,
    /// How certain it is.
    pub verdict: Verdict,
    /// Where it happens.
    pub made: Trail,
    /// Where it is reported, if not there.
    pub reported: Option<Trail>,
    /// What happens.
    pub message: String,
    /// How it came about.
    pub story: Vec<Event>,
    /// When, in the program's own names.
    pub condition: String,
    /// Whether it follows from an access to the caller's memory alone (`p` may be null): shown only if asked for.
    pub derived: bool,
    /// Whether it is a leak that is left to callers: shown only if asked for.
    pub left: bool,
    /// Whether all paths to it decided about values that were not followed: nobody knows whether they can be taken.
    pub suspected: bool,
}

/// Something that led to an error.
#[derive(Clone, Debug)]
pub struct Event {
    /// Where.
    pub at: Trail,
    /// What happens there.
    pub text: String,
    /// Whether this is where things go wrong, whatever happened before.
    pub fatal: bool,
}

/// The triples of a function that was given up altogether.
fn unknown() -> Triples {
    Triples { gave_up: true, incomplete: true, ..Triples::default() }
}

impl Finding {
    /// An error of the function, with a condition in words.
    pub(crate) fn new(
        own: FnKey,
        calls: &Vias,
        bug: &Bug,
        (verdict, condition): (Verdict, String),
    ) -> Finding {
        let trail = |made: Made| calls.trail(own, made);
        let event = |step: &Step| Event { at: trail(step.made), text: step.text.clone(), fatal: step.fatal };
        Finding {
            issue: bug.issue,
            verdict,
            made: trail(bug.made),
            reported: bug.reported.map(trail),
            message: bug.message.clone(),
            story: bug.story.iter().map(event).collect(),
            condition,
            derived: false,
            left: false,
            suspected: false,
        }
    }

    /// Bytes, about.
    pub fn bytes(&self) -> usize {
        let story: usize = self.story.iter().map(|step| size_of::<Event>() + step.text.len()).sum();
        size_of::<Finding>() + self.message.len() + self.condition.len() + story
    }
}

/// Conditions of the longest path that the solver is asked about.
const MAX_ASKED: usize = 60;

/// Sums up all paths.
pub(crate) fn finish(cx: &Cx<'_>, arena: &mut Arena, mut sink: Sink, gave_up: bool) -> Analysis {
    let mut findings = Vec::new();
    forget_losses_before_errors(&mut sink);
    let mut judged = Vec::new();
    for groups in with_one_cause(std::mem::take(&mut sink.errors)) {
        judge_groups(cx, arena, groups, &mut findings, &mut judged);
    }
    for paths in lost_only(cx, arena, std::mem::take(&mut sink.lost), (&judged, &findings)) {
        judge_group(cx, arena, paths, &mut findings, &mut judged);
    }
    let mut kept = Vec::new();
    let mut all_ended = std::mem::take(&mut sink.ended);
    if all_ended.len() > limits::SPLIT_SPECS {
        all_ended = select::merge_ended(arena, all_ended);
        // The least demanding ones are what callers mostly meet.
        all_ended.sort_by_cached_key(|ended| select::demand(arena, &ended.state));
    }
    for ended in all_ended {
        if kept.len() >= limits::SPLIT_SPECS {
            sink.stop(Stopped::Width);
            break;
        }
        kept.extend(if_possible(cx, arena, ended));
    }
    if !cx.options.replay {
        judged.truncate(limits::SPLIT_TOLD);
    }
    for ended in std::mem::take(&mut sink.given_up).into_iter().chain(judged) {
        kept.extend(if_possible(cx, arena, ended));
    }
    let is_partial = !sink.stopped.is_empty() || sink.knows_callees_in_part;
    let is_partial = is_partial && cx.may_return_from(ir::Body::ENTRY);
    let mut triples = summarize(cx, arena, &kept, (gave_up, is_partial));
    if triples.bytes() > limits::SUMMARY_BYTES {
        sink.stop(Stopped::Memory);
        triples = unknown();
    }
    add_derived(cx, &triples, &mut findings);
    findings.sort_by(|a, b| (&a.made, a.issue, &a.message).cmp(&(&b.made, b.issue, &b.message)));
    let findings = one_leak_per_call(findings);
    Analysis {
        triples,
        findings,
        stopped: sink.stopped,
        unknown_calls: sink.unknown_calls,
        steps: sink.steps + arena.prover.steps(),
    }
}

/// Blocks that are lost on some path, and that no path which comes to the end is known to leak; by block.
fn lost_only(
    cx: &Cx<'_>,
    arena: &Arena,
    lost: Vec<ErrorPath>,
    (judged, findings): (&[Ended], &[Finding]),
) -> Vec<Vec<ErrorPath>> {
    let mut groups: BTreeMap<Option<Made>, Vec<ErrorPath>> = BTreeMap::new();
    for path in lost {
        let is_told = judged
            .iter()
            .any(|it| matches!(&it.how, How::Error(bug) if bug.issue.is_leak() && bug.reported == path.bug.reported));
        let reported = path.bug.reported.map(|made| arena.calls.trail(cx.key(), made));
        let is_found = findings.iter().any(|it| it.issue == path.bug.issue && it.reported == reported);
        if !is_told && !is_found {
            let group = groups.entry(path.bug.reported).or_default();
            // Wherever it is lost, it is one error.
            let made = group.first().map_or(path.bug.made, |first: &ErrorPath| first.bug.made);
            group.push(ErrorPath { bug: Bug { made, ..path.bug }, ..path });
        }
    }
    groups.into_values().collect()
}

/// A path with what callers are told of it, if it can be taken as far as callers could not find out themselves: a contradiction that they are told of ends their paths, or keeps
/// the solver from believing in an error.
fn if_possible(cx: &Cx<'_>, arena: &mut Arena, ended: Ended) -> Option<(Ended, Told)> {
    let builder = builder(cx, arena);
    let told = builder.told(&ended);
    let untold = builder.untold(&ended, &told);
    is_possible(cx, arena, &ended.state, untold).then_some((ended, told))
}

fn is_possible(cx: &Cx<'_>, arena: &mut Arena, state: &State, untold: Vec<TermId>) -> bool {
    let conditions: Vec<TermId> = state.path.conditions.iter().map(|it| it.term).collect();
    // Tests want triples that promise something.
    let untold = if cx.options.replay { conditions.clone() } else { untold };
    if untold.is_empty() {
        return true;
    }
    let (laws, apart) = arena.laws(state, &conditions);
    let mut query = [laws, apart].concat();
    query.extend(arena.defined(state));
    query.extend(conditions);
    let query = arena.terms.connected(&untold, query);
    // The fast tier knows all about tests of single values, and that memory is not at null.
    if query.iter().all(|&it| arena.terms.tested(it).is_some()) || query.len() > MAX_ASKED {
        return true;
    }
    !arena.prover.solver.check(&arena.heap.terms, &query).is_unsat()
}

fn builder<'a>(cx: &Cx<'_>, arena: &'a Arena) -> Builder<'a> {
    let keep = if cx.options.replay { Visible::Replayable } else { Visible::Needed };
    Builder::new(&arena.heap, keep)
}

fn summarize(
    cx: &Cx<'_>,
    arena: &Arena,
    paths: &[(Ended, Told)],
    (gave_up, is_partial): (bool, bool),
) -> Triples {
    let mut builder = builder(cx, arena);
    let mut import = Import::default();
    for (ended, told) in paths {
        builder.add(ended, told, &mut import);
    }
    let triples = builder.finish(gave_up, is_partial);
    Triples { returned: always_returned(cx), takes_varargs: takes_varargs(cx), ..triples }
}

/// Errors that follow from accesses to the caller's memory in this function itself.
fn add_derived(cx: &Cx<'_>, triples: &Triples, findings: &mut Vec<Finding>) {
    if !cx.options.latent {
        return;
    }
    let mut triples = triples.clone();
    // The same access on several paths is one error, whichever of them is taken.
    let mut groups: Vec<(Bug, Vec<TermId>)> = Vec::new();
    for Derived { spec, bug } in derived_errors(&mut triples) {
        let at = triples.calls.trail(cx.key(), bug.made).at;
        let is_known = findings.iter().any(|it| (it.issue, it.made.at) == (bug.issue, at));
        if bug.issue != Issue::NullDeref || bug.made.via.is_some() || is_known {
            continue;
        }
        let conditions: Vec<TermId> = spec.conditions.iter().map(|it| it.term).collect();
        let condition = triples.terms.conjunction(&conditions);
        match groups.iter_mut().find(|(known, _)| known.made == bug.made && known.message == bug.message) {
            Some((_, cases)) => cases.push(condition),
            None => groups.push((bug, vec![condition])),
        }
    }
    let mut solver = solver::Solver::new();
    for (bug, mut cases) in groups {
        let terms = &mut triples.terms;
        cases.retain(|&case| solver.check(terms, &[case]).is_sat());
        if cases.is_empty() {
            continue;
        }
        let any = cases.into_iter().fold(terms.no(), |any, case| terms.or(any, case));
        let condition = words::about_callers(terms, &mut solver, any);
        let judged = (Verdict::Latent, words::text(terms, condition));
        let finding = Finding::new(cx.key(), &triples.calls, &bug, judged);
        findings.push(Finding { derived: true, ..finding });
    }
}

/// Errors by what goes wrong, and within that by place: a pointer that is null at several places, a block that is lost at several ends.
fn with_one_cause(errors: Vec<ErrorPath>) -> Vec<Vec<Vec<ErrorPath>>> {
    let mut groups: BTreeMap<(Issue, Made, Option<Made>), Vec<ErrorPath>> = BTreeMap::new();
    for error in errors {
        let key = (error.bug.issue, error.bug.made, error.bug.reported);
        groups.entry(key).or_default().push(error);
    }
    let mut causes: Vec<Vec<Vec<ErrorPath>>> = Vec::new();
    for group in groups.into_values() {
        let cause = |path: &ErrorPath| (path.bug.issue, path.pointer, path.bug.reported);
        let own = cause(&group[0]);
        let is_known = own.1.is_some() || own.2.is_some();
        match causes.iter_mut().find(|groups| is_known && cause(&groups[0][0]) == own) {
            Some(groups) => groups.push(group),
            None => causes.push(vec![group]),
        }
    }
    causes
}

/// A call that makes several blocks which are all leaked is one mistake: the most certain of its leaks is told, of equal ones the first.
fn one_leak_per_call(findings: Vec<Finding>) -> Vec<Finding> {
    // What a callee leaks of its own is another mistake than losing what it returns.
    let own = |finding: &Finding| finding.reported.clone().filter(|_| finding.made.calls.is_empty());
    let place = |finding: &Finding| Some((finding.issue, own(finding)?.own()));
    let is_told = |at: usize, finding: &Finding| {
        let is_rival = |(other_at, other): (usize, &Finding)| {
            place(other) == place(finding) && (other.verdict, other_at) < (finding.verdict, at)
        };
        place(finding).is_none() || !findings.iter().enumerate().any(is_rival)
    };
    let told: Vec<bool> = findings.iter().enumerate().map(|(at, finding)| is_told(at, finding)).collect();
    findings.into_iter().zip(told).filter(|(_, told)| *told).map(|(finding, _)| finding).collect()
}
