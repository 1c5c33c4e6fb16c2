//! What comes out: findings with their verdicts, and the triples that callers get.
//!
//! Judgment: `[m] f [ε: q]` for every path that ended, if what callers cannot find out themselves is
//! satisfiable.
//! Source: Le et al., OOPSLA 2022, §4.1, *Generating Procedure Summaries*.
//! Departures: (1) ways to return that do the same are joined (Disj); of too many, the most different ones
//! stay; (2) what callers are told of is not asked: a contradiction in it ends their path, and whoever judges
//! an error asks the solver about all of it.

use std::collections::{BTreeMap, BTreeSet};

use base::limits;
use catalog::{Cause, Clause, Condition, Evidence, Fate, Issue, Verdict, What};
use conditions::disposition::{self, Answers, Circumstances};
use conditions::words;
use heap::{Made, Site, State, Trail, Vias};
use summary::{Bug, Builder, Ended, How, Told, Triples, Visible, implied_nulls};
use term::{Answer, Facts, Import, TermId, Terms};
use world::FnKey;

use crate::arena::Arena;
use crate::cx::Cx;
use crate::effort::Stopped;
use crate::errors::ErrorPath;
use crate::judge::{judge_group, judge_groups};
use crate::lost::{forget_leaks_without_end, forget_losses_before_errors};
use crate::returned::always_returned;
use crate::select;
use crate::sink::Sink;
use crate::varargs::takes_varargs;

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
    /// Whether it is manifest for those callers only whose memory exists (Def. 3.6): the condition says which.
    pub relaxed: bool,
    /// Who makes it happen.
    pub cause: Cause,
    /// How we know.
    pub evidence: Evidence,
    /// What becomes of it.
    pub fate: Fate,
    /// Where it happens.
    pub made: Trail,
    /// Where it is reported, if not there.
    pub reported: Option<Trail>,
    /// What happens.
    pub what: What,
    /// How it came about.
    pub story: Vec<Step>,
    /// When, in the program's own names.
    pub condition: Condition,
    /// The functions that nobody knows on whose results it rests.
    pub assumes: Vec<String>,
    /// Whether it follows from an access to the caller's memory alone: `p` may be null.
    pub derived: bool,
}

/// What was decided about an error.
pub(crate) struct Said {
    pub(crate) verdict: Verdict,
    pub(crate) relaxed: bool,
    pub(crate) evidence: Evidence,
    pub(crate) fate: Fate,
    pub(crate) condition: Condition,
}

/// Something that led to an error.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where.
    pub at: Trail,
    /// What happens there.
    pub event: catalog::Event,
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
        Said { verdict, relaxed, evidence, fate, condition }: Said,
    ) -> Finding {
        let trail = |made: Made| calls.trail(own, made);
        let event = |step: &summary::Step| Step {
            at: trail(step.made),
            event: step.event.clone(),
            fatal: step.fatal,
        };
        Finding {
            issue: bug.issue,
            verdict,
            relaxed,
            cause: bug.cause,
            evidence,
            fate,
            made: trail(bug.made),
            reported: bug.reported.map(trail),
            what: bug.what.clone(),
            story: bug.story.iter().map(event).collect(),
            condition,
            assumes: Vec::new(),
            derived: false,
        }
    }

    /// Bytes, about.
    pub fn bytes(&self) -> usize {
        let story = self.story.len() * (size_of::<Step>() + TEXT_BYTES);
        size_of::<Finding>() + self.condition.bytes() + story
    }
}

/// Bytes of the names in what is said, about.
const TEXT_BYTES: usize = 32;

/// Sums up all paths.
pub(crate) fn finish(cx: &Cx<'_>, arena: &mut Arena, mut sink: Sink, gave_up: bool) -> Analysis {
    let mut findings = Vec::new();
    forget_losses_before_errors(&mut sink);
    forget_leaks_without_end(&mut sink);
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
    triples.cut = sink.stopped.contains_key(&Stopped::Unroll);
    if triples.bytes() > limits::SUMMARY_BYTES {
        sink.stop(Stopped::Memory);
        triples = unknown();
    }
    add_derived(cx, &triples, &mut findings);
    findings.sort_by(|a, b| (&a.made, a.issue, &a.what).cmp(&(&b.made, b.issue, &b.what)));
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
    if query.iter().all(|&it| arena.terms.tested(it).is_some()) || query.len() > limits::SPLIT_ASKED {
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

/// Errors that follow from accesses to the caller's memory in this function itself. The same access on several paths is one error; it is told by the path that asks for least.
fn add_derived(cx: &Cx<'_>, triples: &Triples, findings: &mut Vec<Finding>) {
    let mut terms = triples.terms.clone();
    let mut errors: BTreeMap<(Site, String), (Bug, &[heap::Condition])> = BTreeMap::new();
    for (bug, pointer, conditions) in implied_nulls(triples).filter(|(bug, ..)| bug.made.via.is_none()) {
        let What::MayBeNull { pointer: name, .. } = &bug.what else { continue };
        let key = (bug.made.site, name.clone());
        let is_least = errors.get(&key).is_none_or(|(_, least)| conditions.len() < least.len());
        if is_least && !is_excluded(&mut terms, pointer, conditions) {
            errors.insert(key, (bug, conditions));
        }
    }
    let known: BTreeSet<(FnKey, Site)> =
        findings.iter().filter(|it| it.issue == Issue::NullDeref).map(|it| it.made.at).collect();
    let around = Circumstances { is_implied: true, ..Circumstances::default() };
    let (verdict, evidence) = (Verdict::Latent, Evidence::Proved);
    let errors = errors.into_values().filter(|(bug, _)| !known.contains(&(cx.key(), bug.made.site)));
    let errors: Vec<(Bug, &[heap::Condition])> = errors.collect();
    for (bug, conditions) in errors {
        let answers = Answers { issue: bug.issue, verdict, cause: bug.cause, evidence, around };
        let all: Vec<TermId> = conditions.iter().map(|it| it.term).collect();
        let condition = terms.conjunction(&all);
        let mut condition = words::read(&terms, condition, &|var| triples.pointers[var]);
        if let What::MayBeNull { pointer, .. } = &bug.what {
            condition.all.push(Clause::Null(pointer.clone()));
        }
        let said = Said { verdict, relaxed: false, evidence, fate: disposition::fate(&answers), condition };
        findings.push(Finding { derived: true, ..Finding::new(cx.key(), &triples.calls, &bug, said) });
    }
}

/// Whether the conditions of an access say themselves that its pointer is not null.
fn is_excluded(terms: &mut Terms, pointer: TermId, conditions: &[heap::Condition]) -> bool {
    let zero = terms.constant(terms.width(pointer), 0);
    let is_null = terms.eq(pointer, zero);
    let mut facts = Facts::new();
    let mut assumed = conditions.iter().map(|it| it.term).chain([is_null]);
    assumed.any(|it| facts.assume(terms, it) == Answer::Unsat)
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
