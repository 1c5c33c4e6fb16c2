//! What comes out: findings with their verdicts, and the summary.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::limits;
use catalog::{Issue, Verdict};
use heap::{BlockId, Exit, Import, Kind, Made, State};
use summary::{Bug, Builder, Derived, Ended, How, Step, Summary, Told, Variables, Visible, derived_errors};
use term::TermId;

use crate::engine::Engine;
use crate::errors::ErrorPath;
use crate::flow::Flow;
use crate::select;
use crate::words;
use crate::world::{Callee, Stopped};

/// The result of an analysis.
#[derive(Debug)]
pub struct Analysis {
    /// What callers know.
    pub summary: Arc<Summary>,
    /// The errors, with their verdicts.
    pub findings: Vec<Finding>,
    /// What was not followed, with how often.
    pub stopped: BTreeMap<Stopped, u32>,
    /// By function of which nothing is known, by its number in the project: how often a path went through it.
    pub unknown_calls: BTreeMap<u32, u32>,
    /// Instructions that were executed.
    pub steps: usize,
}

impl Analysis {
    /// Of a function that was not even begun.
    pub fn given_up(function: u32, why: Stopped) -> Analysis {
        Analysis {
            summary: Arc::new(unknown(function)),
            findings: Vec::new(),
            stopped: BTreeMap::from([(why, 1)]),
            unknown_calls: BTreeMap::new(),
            steps: 0,
        }
    }

    /// Bytes, about.
    pub fn bytes(&self) -> usize {
        let findings: usize = self.findings.iter().map(Finding::bytes).sum();
        self.summary.bytes() + findings
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
    pub made: Made,
    /// Where it is reported, if not there.
    pub reported: Option<Made>,
    /// What happens.
    pub message: String,
    /// How it came about.
    pub story: Vec<Step>,
    /// When, in the program's own names.
    pub condition: String,
    /// Whether it follows from an access to the caller's memory alone (`p` may be null): shown only if asked for.
    pub derived: bool,
    /// Whether it is a leak that is left to callers: shown only if asked for.
    pub left: bool,
    /// Whether all paths to it decided about values that were not followed: nobody knows whether they can be taken.
    pub suspected: bool,
}

/// The summary of a function that was given up altogether.
fn unknown(function: u32) -> Summary {
    Summary { function, gave_up: true, incomplete: true, ..Summary::default() }
}

impl Finding {
    fn bytes(&self) -> usize {
        let story: usize = self.story.iter().map(|step| size_of::<Step>() + step.text.len()).sum();
        size_of::<Finding>() + self.message.len() + self.condition.len() + story
    }
}

/// Conditions of the longest path that the solver is asked about.
const MAX_ASKED: usize = 60;

impl Engine<'_> {
    /// The function returns.
    pub(crate) fn returned(&mut self, mut flow: Flow, results: Vec<TermId>) {
        let types = &self.function.signature.results;
        let pointers = results.iter().zip(types).filter(|(_, ty)| **ty == ir::Type::Ptr);
        let local = pointers.into_iter().find_map(|(&result, _)| self.local_at(&flow.state, result));
        if let Some(block) = local {
            return self.returned_address(&flow.state, block);
        }
        let mut roots = results.clone();
        // The program ends with `main`: what its variables hold is not lost before.
        if self.world.is_main() {
            roots.extend(flow.held.values());
            let locals = flow.state.blocks().filter(|(_, block)| block.kind == Kind::Stack);
            roots.extend(locals.flat_map(|(_, block)| block.cells.iter().map(|cell| cell.value)));
        }
        self.check_leaks(&flow.state, &roots);
        self.let_be_kept_by_unknown_code(&mut flow.state);
        self.keep_bytes(&flow.state);
        self.ended.push(Ended { state: flow.state, results, how: How::Return });
    }

    /// The local variable that an address is in: `&x`, `&array[i]`, `&object.member`.
    fn local_at(&self, state: &State, address: TermId) -> Option<BlockId> {
        let linear = self.terms.linear(address);
        let mut bases =
            linear.monomials.iter().filter_map(|it| Some((state.block_at(it.base)?, it.coefficient)));
        let (block, coefficient) = bases.next()?;
        let is_address = coefficient == 1 && bases.next().is_none();
        (is_address && state.block(block).kind == Kind::Stack).then_some(block)
    }

    /// Sums up all paths.
    pub(crate) fn finish(mut self, gave_up: bool) -> Analysis {
        let mut findings = Vec::new();
        self.forget_losses_before_errors();
        let errors = std::mem::take(&mut self.errors);
        let mut judged = Vec::new();
        for groups in with_one_cause(errors) {
            self.judge_groups(groups, &mut findings, &mut judged);
        }
        for paths in self.lost_only(&judged, &findings) {
            self.judge_group(paths, &mut findings, &mut judged);
        }
        let mut kept = Vec::new();
        let mut all_ended = std::mem::take(&mut self.ended);
        if all_ended.len() > limits::SPLIT_SPECS {
            all_ended = select::merge_ended(&mut self, all_ended);
            // The least demanding ones are what callers mostly meet.
            all_ended.sort_by_cached_key(|ended| self.demand(&ended.state));
        }
        for ended in all_ended {
            if kept.len() >= limits::SPLIT_SPECS {
                self.stop(Stopped::Width);
                break;
            }
            kept.extend(self.if_possible(ended));
        }
        if !self.options.replay {
            judged.truncate(limits::SPLIT_TOLD);
        }
        for ended in std::mem::take(&mut self.given_up).into_iter().chain(judged) {
            kept.extend(self.if_possible(ended));
        }
        let mut summary = self.summarize(&kept, gave_up);
        if summary.bytes() > limits::SUMMARY_BYTES {
            self.stop(Stopped::Memory);
            summary = unknown(self.key);
        }
        self.add_derived(&summary, &mut findings);
        findings.sort_by(|a, b| (&a.made, a.issue, &a.message).cmp(&(&b.made, b.issue, &b.message)));
        let findings = one_leak_per_call(findings);
        Analysis {
            summary: Arc::new(summary),
            findings,
            stopped: self.stopped,
            unknown_calls: self.unknown_calls,
            steps: self.steps,
        }
    }

    /// Blocks that are lost on some path, and that no path which comes to the end is known to leak; by block.
    fn lost_only(&mut self, judged: &[Ended], findings: &[Finding]) -> Vec<Vec<ErrorPath>> {
        let mut groups: BTreeMap<Option<Made>, Vec<ErrorPath>> = BTreeMap::new();
        for path in std::mem::take(&mut self.lost) {
            let is_told = judged
                .iter()
                .any(|it| matches!(&it.how, How::Error(bug) if bug.issue.is_leak() && bug.reported == path.bug.reported));
            let is_found =
                findings.iter().any(|it| it.issue == path.bug.issue && it.reported == path.bug.reported);
            if !is_told && !is_found {
                let group = groups.entry(path.bug.reported.clone()).or_default();
                // Wherever it is lost, it is one error.
                let made = group.first().map_or(&path.bug.made, |first: &ErrorPath| &first.bug.made).clone();
                group.push(ErrorPath { bug: Bug { made, ..path.bug }, ..path });
            }
        }
        groups.into_values().collect()
    }

    /// A path with what callers are told of it, if it can be taken as far as callers could not find out themselves: a contradiction that they are told of ends their paths, or keeps
    /// the solver from believing in an error.
    fn if_possible(&mut self, ended: Ended) -> Option<(Ended, Told)> {
        let builder = self.builder();
        let told = builder.told(&ended);
        let untold = builder.untold(&ended, &told);
        self.is_possible(&ended.state, untold).then_some((ended, told))
    }

    fn is_possible(&mut self, state: &State, untold: Vec<TermId>) -> bool {
        let conditions: Vec<TermId> = state.path.conditions.iter().map(|it| it.term).collect();
        // Tests want triples that promise something.
        let untold = if self.options.replay { conditions.clone() } else { untold };
        if untold.is_empty() {
            return true;
        }
        let (laws, apart) = self.laws(state, &conditions);
        let mut query = [laws, apart].concat();
        query.extend(self.defined(state));
        query.extend(conditions);
        let query = self.terms.connected(&untold, query);
        // The fast tier knows all about tests of single values, and that memory is not at null.
        if query.iter().all(|&it| self.terms.tested(it).is_some()) || query.len() > MAX_ASKED {
            return true;
        }
        !self.solver.check(&self.terms, &query).is_unsat()
    }

    fn builder(&self) -> Builder<'_> {
        let keep = if self.options.replay { Visible::Replayable } else { Visible::Needed };
        let variables = Variables { roles: &self.roles, sources: &self.sources, pointers: &self.pointers };
        Builder::new(self.key, &self.terms, variables, keep)
    }

    fn summarize(&mut self, paths: &[(Ended, Told)], gave_up: bool) -> Summary {
        let is_partial = !self.stopped.is_empty() || self.knows_callees_in_part;
        let is_partial = is_partial && self.may_return_from(ir::Body::ENTRY);
        let mut builder = self.builder();
        let mut import = Import::default();
        for (ended, told) in paths {
            builder.add(ended, told, &mut import);
        }
        let summary = builder.finish(gave_up, is_partial);
        Summary { returned: self.always_returned(), takes_rest: self.takes_rest(), ..summary }
    }

    /// Whether an instruction calls a function that was followed to all its ends, and returns on none of them.
    pub(crate) fn never_returns(&self, inst: ir::InstId) -> bool {
        let ir::Inst::Call { call } = self.body.insts[inst].inst else { return false };
        let call = &self.body.calls[call];
        let ir::Callee::Func(function) = call.callee else { return call.noreturn };
        let ends = |&target: &u32| match self.world.callee(target) {
            Callee::Summary(it) => {
                it.has(Exit::NoReturn) && !it.has(Exit::Ok) && !it.gave_up && !it.incomplete
            }
            Callee::Model(model) => model.noreturn.is_some(),
            Callee::Unknown => call.noreturn,
        };
        self.world.function(function).iter().all(ends)
    }

    /// Errors that follow from accesses to the caller's memory in this function itself.
    fn add_derived(&mut self, summary: &Summary, findings: &mut Vec<Finding>) {
        if !self.options.latent {
            return;
        }
        let mut summary = summary.clone();
        // The same access on several paths is one error, whichever of them is taken.
        let mut groups: Vec<(Bug, Vec<TermId>)> = Vec::new();
        for Derived { spec, bug } in derived_errors(&mut summary) {
            let is_known = findings.iter().any(|it| (it.issue, it.made.site) == (bug.issue, bug.made.site));
            if bug.issue != Issue::NullDeref || bug.made.via.is_some() || is_known {
                continue;
            }
            let conditions: Vec<TermId> = spec.conditions.iter().map(|it| it.term).collect();
            let condition = summary.terms.conjunction(&conditions);
            match groups.iter_mut().find(|(known, _)| known.made == bug.made && known.message == bug.message)
            {
                Some((_, cases)) => cases.push(condition),
                None => groups.push((bug, vec![condition])),
            }
        }
        let mut solver = solver::Solver::new();
        for (bug, mut cases) in groups {
            let terms = &mut summary.terms;
            cases.retain(|&case| solver.check(terms, &[case]).is_sat());
            if cases.is_empty() {
                continue;
            }
            let any = cases.into_iter().fold(terms.no(), |any, case| terms.or(any, case));
            let condition = words::about_callers(terms, &mut solver, any);
            let Bug { issue, made, message, story, .. } = bug;
            findings.push(Finding {
                issue,
                verdict: Verdict::Latent,
                made,
                reported: None,
                message,
                story,
                condition: words::text(terms, condition),
                derived: true,
                left: false,
                suspected: false,
            });
        }
    }
}

/// Errors by what goes wrong, and within that by place: a pointer that is null at several places, a block that is lost at several ends.
fn with_one_cause(errors: Vec<ErrorPath>) -> Vec<Vec<Vec<ErrorPath>>> {
    let mut groups: BTreeMap<(Issue, Made, Option<Made>), Vec<ErrorPath>> = BTreeMap::new();
    for error in errors {
        let key = (error.bug.issue, error.bug.made.clone(), error.bug.reported.clone());
        groups.entry(key).or_default().push(error);
    }
    let mut causes: Vec<Vec<Vec<ErrorPath>>> = Vec::new();
    for group in groups.into_values() {
        let cause = |path: &ErrorPath| (path.bug.issue, path.pointer, path.bug.reported.clone());
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
    let own = |finding: &Finding| finding.reported.clone().filter(|_| finding.made.via.is_none());
    let place = |finding: &Finding| Some((finding.issue, own(finding)?.own_site()));
    let is_told = |at: usize, finding: &Finding| {
        let is_rival = |(other_at, other): (usize, &Finding)| {
            place(other) == place(finding) && (other.verdict, other_at) < (finding.verdict, at)
        };
        place(finding).is_none() || !findings.iter().enumerate().any(is_rival)
    };
    let told: Vec<bool> = findings.iter().enumerate().map(|(at, finding)| is_told(at, finding)).collect();
    findings.into_iter().zip(told).filter(|(_, told)| *told).map(|(finding, _)| finding).collect()
}
