//! Whether the engine finds a seeded bug, and if not, why.

use base::Id;
use catalog::{Evidence, Issue, Verdict};
use ir::{Body, LocId, Module};
use project::{Node, Project};
use session::analysis::Again;
use split::{Options, Stopped};
use world::{Site, Sites};

use super::change;
use super::seeds::{Kind, Seed};

/// What became of a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The engine finds the same in the code as it is, so that nothing can be said.
    There,
    /// The engine calls it manifest.
    Manifest,
    /// The engine calls it latent, or a summary tells callers of it.
    Latent,
    /// Only with decisions about values that were not followed, so that nobody knows whether it can happen.
    Suspected,
    /// The engine does not find it.
    Missed(Cause),
}

/// Why a bug was missed; the first that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The engine gave up on the function, or failed.
    GivenUp,
    /// With more paths it is found.
    Width,
    /// With more rounds of loops it is found.
    Unroll,
    /// Something of the kind is found, but at another place.
    Elsewhere,
    /// The place is not reached, and the budget of steps ran out.
    Steps,
    /// The place is not reached, and no triple of some call fits.
    Call,
    /// The place is not reached, and aliasing was not resolved.
    Alias,
    /// The place is not reached, or only on paths that rest on inexact values.
    Unreached,
    /// The place is reached, but the allocator or deallocator is called through a pointer.
    Pointer,
    /// The place is reached, but there is no summary of the allocator or deallocator, or it lacks the outcome.
    Callee,
    /// The place is reached.
    Reached,
}

impl Cause {
    /// All of them.
    pub const ALL: [Cause; 11] = [
        Cause::GivenUp,
        Cause::Width,
        Cause::Unroll,
        Cause::Elsewhere,
        Cause::Steps,
        Cause::Call,
        Cause::Alias,
        Cause::Unreached,
        Cause::Pointer,
        Cause::Callee,
        Cause::Reached,
    ];

    /// What it is called in tables.
    pub fn words(self) -> &'static str {
        match self {
            Cause::GivenUp => "given up",
            Cause::Width => "width",
            Cause::Unroll => "unroll",
            Cause::Pointer => "called through a pointer",
            Cause::Callee => "callee's summary",
            Cause::Steps => "steps",
            Cause::Call => "no triple fits",
            Cause::Alias => "alias",
            Cause::Unreached => "not reached",
            Cause::Elsewhere => "found elsewhere",
            Cause::Reached => "reached, not seen",
        }
    }
}

/// Paths and rounds of the probes for [`Cause::Width`] and [`Cause::Unroll`].
const WIDE: usize = 100;
const LONG: u32 = 8;

/// A function whose copies are analyzed.
pub(super) struct Subject<'a> {
    pub(super) project: &'a Project,
    pub(super) whole: &'a session::Analysis,
    pub(super) again: &'a Again<'a>,
    pub(super) options: &'a Options,
    /// A copy of its module, to change; and the place of new instructions in it.
    pub(super) module: &'a mut Module,
    pub(super) place: LocId,
    /// The function as it is.
    pub(super) body: Body,
    pub(super) base: Option<split::Analysis>,
}

impl Subject<'_> {
    pub(super) fn judge(&mut self, seed: &Seed) -> Outcome {
        let Some(base) = self.base.take() else { return Outcome::Missed(Cause::GivenUp) };
        let outcome = self.compare(seed, &base);
        self.base = Some(base);
        outcome
    }

    fn compare(&mut self, seed: &Seed, base: &split::Analysis) -> Outcome {
        if !matches_of((&self.body, &Sites::of(&self.body)), seed, base, self.place).is_empty() {
            return Outcome::There;
        }
        let mutant = change::seeded(&self.body, seed.change, self.place);
        let sites = Sites::of(&mutant);
        let Some(analysis) = self.analyze(seed, mutant.clone(), self.options) else {
            return Outcome::Missed(Cause::GivenUp);
        };
        let found = matches_of((&self.body, &sites), seed, &analysis, self.place);
        match found.into_iter().min() {
            Some(outcome) => outcome,
            None => Outcome::Missed(self.cause(seed, base, &analysis, mutant)),
        }
    }

    fn analyze(&mut self, seed: &Seed, body: Body, options: &Options) -> Option<split::Analysis> {
        let func = self.project.function(seed.function).func;
        self.module.functions[func].body = Some(body);
        self.again.analyze(seed.function, self.module, options)
    }

    fn cause(
        &mut self,
        seed: &Seed,
        base: &split::Analysis,
        analysis: &split::Analysis,
        mutant: Body,
    ) -> Cause {
        if analysis.triples.gave_up {
            return Cause::GivenUp;
        }
        let sites = Sites::of(&mutant);
        let probes = [
            (Stopped::Width, Options { width: WIDE, ..self.options.clone() }, Cause::Width),
            (Stopped::Unroll, Options { unroll: LONG, ..self.options.clone() }, Cause::Unroll),
        ];
        for (stopped, options, cause) in probes {
            let wider =
                analysis.stopped.contains_key(&stopped).then(|| self.analyze(seed, mutant.clone(), &options));
            if wider
                .flatten()
                .is_some_and(|it| !matches_of((&self.body, &sites), seed, &it, self.place).is_empty())
            {
                return cause;
            }
        }
        if is_elsewhere(seed, base, analysis) {
            return Cause::Elsewhere;
        }
        let probe = change::probe(&self.body, seed, self.place);
        let sites = Sites::of(&probe);
        let reached = self.analyze(seed, probe, self.options);
        if reached.is_some_and(|it| is_null_at(&sites, &it, self.place)) {
            return self.callee(seed).unwrap_or(Cause::Reached);
        }
        let order =
            [(Stopped::Steps, Cause::Steps), (Stopped::Call, Cause::Call), (Stopped::Alias, Cause::Alias)];
        let stopped = order.into_iter().find(|(stopped, _)| analysis.stopped.contains_key(stopped));
        stopped.map_or(Cause::Unreached, |(_, cause)| cause)
    }

    /// Whether the engine does not know what allocates or frees.
    fn callee(&self, seed: &Seed) -> Option<Cause> {
        let graph = self.project.call_graph();
        let wanted = seed.allocation.or(seed.shows.first().copied());
        let edges = graph.callees(seed.function).iter();
        let mut cause = None;
        for edge in edges.filter(|edge| Some(graph.sites()[edge.site as usize].inst) == wanted) {
            let summary = match edge.callee {
                Node::Function(function) => Some(&self.whole.summaries[function.index()]),
                Node::External(_) => None,
            };
            if edge.kind != project::EdgeKind::Direct {
                return Some(Cause::Pointer);
            }
            if edge.callee.function().is_some() && summary.is_none_or(|it| lacks(it, seed.kind)) {
                cause = Some(Cause::Callee);
            }
        }
        cause
    }
}

/// Whether a summary does not say that the function returns null, or a new block, or frees.
fn lacks(summary: &summary::Summary, kind: Kind) -> bool {
    let is_block = |spec: &heap::Spec| {
        let result = spec.results.first();
        spec.post.iter().any(|block| block.is_heap() && result == Some(&block.base))
    };
    let returns = || summary.split.specs.iter().filter(|spec| spec.exit == heap::Exit::Ok);
    let frees = |spec: &heap::Spec| spec.post.iter().any(|block| !block.status.is_allocated());
    summary.split.gave_up
        || match kind {
            Kind::Check => returns().all(is_block),
            Kind::ErrorFree | Kind::Free => !returns().any(is_block),
            Kind::Twice | Kind::Use => !returns().any(frees),
        }
}

fn kinds(kind: Kind) -> &'static [Issue] {
    match kind {
        Kind::Check => &[Issue::NullDeref],
        Kind::ErrorFree | Kind::Free => &[Issue::MemoryLeak],
        Kind::Twice => &[Issue::DoubleFree, Issue::UseAfterFree],
        Kind::Use => &[Issue::UseAfterFree],
    }
}

/// What is said of all errors of the kind at the place where a seed shows. What a summary tells its callers counts as latent.
fn matches_of(
    (body, sites): (&Body, &Sites),
    seed: &Seed,
    analysis: &split::Analysis,
    place: LocId,
) -> Vec<Outcome> {
    let loc = |inst: &ir::InstId| body.insts[*inst].loc;
    let places: Vec<LocId> = match seed.kind {
        Kind::Check => seed.shows.iter().map(loc).collect(),
        Kind::ErrorFree | Kind::Free => seed.allocation.iter().map(loc).collect(),
        Kind::Twice | Kind::Use => vec![place],
    };
    // The null of an allocation may be told at any place where it fails, if the story begins with the allocation.
    let cause = seed.allocation.as_ref().filter(|_| seed.kind == Kind::Check).map(loc);
    let is_there = |issue: Issue, at: Site, story: Vec<Site>| {
        kinds(seed.kind).contains(&issue)
            && (places.contains(&sites.loc(at))
                || story.into_iter().any(|step| Some(sites.loc(step)) == cause))
    };
    let findings = analysis.findings.iter().filter(|it| !it.derived);
    let found = findings
        .filter(|it| {
            let at = it.reported.as_ref().unwrap_or(&it.made).own().1;
            is_there(it.issue, at, it.story.iter().map(|step| step.at.own().1).collect())
        })
        .map(|it| match it.verdict {
            Verdict::Latent if it.evidence == Evidence::Suspected => Outcome::Suspected,
            Verdict::Latent => Outcome::Latent,
            Verdict::Manifest | Verdict::Doomed => Outcome::Manifest,
        });
    let (bugs, calls) = (analysis.triples.bugs.iter(), &analysis.triples.calls);
    let told = bugs
        .filter(|it| {
            let at = calls.own_site(it.reported.unwrap_or(it.made));
            is_there(it.issue, at, it.story.iter().map(|step| calls.own_site(step.made)).collect())
        })
        .map(|_| Outcome::Latent);
    found.chain(told).collect()
}

fn is_elsewhere(seed: &Seed, base: &split::Analysis, analysis: &split::Analysis) -> bool {
    let is_known = |it: &split::Finding| {
        base.findings.iter().any(|known| (known.issue, &known.made) == (it.issue, &it.made))
    };
    let mut findings = analysis.findings.iter().filter(|it| !it.derived);
    findings.any(|it| kinds(seed.kind).contains(&it.issue) && !is_known(it))
}

fn is_null_at(sites: &Sites, analysis: &split::Analysis, place: LocId) -> bool {
    let is_there = |issue, at: Site| issue == Issue::NullDeref && sites.loc(at) == place;
    let calls = &analysis.triples.calls;
    analysis.findings.iter().any(|it| is_there(it.issue, it.made.own().1))
        || analysis.triples.bugs.iter().any(|it| is_there(it.issue, calls.own_site(it.made)))
}
