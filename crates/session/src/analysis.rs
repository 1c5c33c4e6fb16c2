//! Running the engines over all functions of a project, on several threads.
//!
//! The split engine works bottom-up, as described here; the engine for doomed points in [`points`].
//! Components of the call graph are taken in the order of their levels; what a function knows of its callees
//! is what lower levels say, so the result does not depend on the number of threads. Who asks for what a
//! lower level has not said yet waits: somebody is at it. A recursive component is gone through twice: first
//! nothing is known of its own calls, then they use what came out. A panic costs the function it happens in: it
//! counts as given up.
//!
//! Reading order: [`around`] (what an engine is told), [`findings`](mod@findings) (places spelled out),
//! [`again`] (one function once more).

mod again;
mod around;
mod budget;
mod findings;
mod out_of_memory;
mod points;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use base::{IdVec, limits};
use catalog::{Issue, Verdict};
use ir::GlobalId;
use models::Library;
use project::lasting::{self, Lasting};
use project::{FnId, Keys, Node, Project, UnitId};
use report::{Coverage, Report};
use split::Stopped;
use summary::{Contract, Summary, Triples};
use world::{FnKey, Sites, Specialization};

use crate::shown::Selection;
use crate::watch::{Event, Phase, Watch};
use crate::workers;
pub use again::Again;
use around::FnWorld;
use budget::Budget;
use out_of_memory::OutOfMemory;
pub use points::Doomed;

/// How to analyze.
#[derive(Clone, Debug)]
pub struct Options {
    /// How far paths are followed.
    pub split: split::Options,
    /// How doomed points are looked for.
    pub doomed: doomed::Options,
    /// Which engines run.
    pub engines: Engines,
    /// What library functions do, and what the user says of functions of the project.
    pub library: Arc<Library>,
    /// Threads.
    pub jobs: usize,
    /// Bytes of code, summaries and findings that may be kept; beyond it functions are given up.
    pub run_bytes: usize,
    /// How files are called wherever the project lies.
    pub anchored: Anchored,
}

/// How a file is called wherever its project lies.
#[derive(Clone)]
pub struct Anchored(pub Arc<dyn Fn(&str) -> String + Send + Sync>);

impl Default for Anchored {
    /// By the path that it has.
    fn default() -> Anchored {
        Anchored(Arc::new(str::to_owned))
    }
}

impl std::fmt::Debug for Anchored {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Anchored")
    }
}

impl Default for Options {
    fn default() -> Options {
        let library = Arc::new(Library::standard());
        let (split, doomed) = (split::Options::default(), doomed::Options::default());
        Options {
            split,
            doomed,
            engines: Engines::default(),
            library,
            jobs: 1,
            run_bytes: limits::RUN_BYTES,
            anchored: Anchored::default(),
        }
    }
}

impl Options {
    /// Does what is needed to report what is wanted, and no more.
    pub fn report(&mut self, wanted: &Selection) {
        self.engines = Engines::reporting(wanted);
        self.doomed.dead_code = wanted.wants(Issue::DeadCode, Verdict::Doomed);
    }
}

/// Which engines run. Who wants to see only what one of them reports need not wait for the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engines {
    /// One path at a time.
    pub split: bool,
    /// Doomed points.
    pub doomed: bool,
}

impl Default for Engines {
    fn default() -> Engines {
        Engines { split: true, doomed: true }
    }
}

impl Engines {
    /// Those that report something of what is wanted.
    pub fn reporting(wanted: &Selection) -> Engines {
        // What is doomed alone is no business of the other engine.
        let by_doomed_alone = [Issue::Endless, Issue::DeadCode];
        let by_split = |kind: &&Issue| !by_doomed_alone.contains(kind);
        let split = Issue::ALL.iter().filter(by_split).any(|&it| wanted.wants(it, Verdict::Manifest));
        Engines { split, doomed: doomed::KINDS.iter().any(|&it| wanted.wants(it, Verdict::Doomed)) }
    }
}

/// What came out.
#[derive(Debug)]
pub struct Analysis {
    /// All findings, latent ones included; places as debug info has them.
    pub report: Report,
    /// The summaries, by function.
    pub summaries: Vec<Arc<Summary>>,
    /// Processor time of each function, in the order of the summaries. It includes summaries that were made
    /// for its calls alone, and differs from run to run.
    pub costs: Vec<(FnId, Duration)>,
    /// The functions that were given up, with the reason; none if that is an error of ours.
    pub given_up: Vec<(FnId, Option<Stopped>)>,
    /// What was not followed, with the number of functions.
    pub stopped: BTreeMap<Stopped, usize>,
    /// How often paths went through functions of which nothing is known.
    pub unknown_calls: BTreeMap<Node, usize>,
    /// What the engine for doomed points did.
    pub doomed: Doomed,
}

/// What all workers share.
pub(crate) struct Shared<'p> {
    pub(crate) project: &'p Project,
    pub(crate) options: &'p Options,
    pub(crate) keys: Keys,
    /// By unit and global variable: what lasts of its initializer.
    pub(crate) lasting: IdVec<UnitId, IdVec<GlobalId, Lasting>>,
    /// By function; set when its component is done.
    pub(crate) summaries: Vec<OnceLock<Arc<Summary>>>,
    /// By function: the places of its body, worked out when somebody asks.
    sites: Vec<OnceLock<Sites>>,
    pub(crate) special: Mutex<HashMap<SpecialKey, Arc<Summary>>>,
}

/// A function, what is known of its arguments, and the level and depth at which somebody asks.
pub(crate) type SpecialKey = (FnKey, Specialization, (u32, u32));

impl<'p> Shared<'p> {
    /// Before anything is known.
    fn new(project: &'p Project, options: &'p Options) -> Shared<'p> {
        let n_functions = project.functions().len();
        let keys = Keys::of(project, &*options.anchored.0);
        Shared {
            project,
            options,
            lasting: lasting_in(project, &keys),
            keys,
            summaries: (0..n_functions).map(|_| OnceLock::new()).collect(),
            sites: (0..n_functions).map(|_| OnceLock::new()).collect(),
            special: Mutex::new(HashMap::new()),
        }
    }

    /// The places of a function.
    pub(crate) fn sites(&self, function: FnId) -> &Sites {
        self.sites[base::Id::index(function)].get_or_init(|| {
            let body = self.project.function(function).function.body.as_ref();
            Sites::of(body.expect("invariant: functions of a project have a body"))
        })
    }
}

/// One function, done.
struct Done {
    function: FnId,
    summary: Arc<Summary>,
    /// What the split engine found; none if it did not run.
    split: Option<Split>,
    /// Whether it failed.
    has_failed: bool,
    /// Processor time, of all rounds.
    cpu: Duration,
}

/// What the split engine found in a function, besides its triples.
struct Split {
    findings: Vec<split::Finding>,
    stopped: BTreeMap<Stopped, u32>,
    unknown_calls: BTreeMap<FnKey, u32>,
}

impl Split {
    /// Why the function was given up, if it was.
    fn reason(&self) -> Stopped {
        let whole = [Stopped::RunMemory, Stopped::Memory, Stopped::Unsupported];
        whole.into_iter().find(|why| self.stopped.contains_key(why)).unwrap_or(Stopped::Steps)
    }
}

impl Done {
    /// A function that nobody has looked at yet.
    fn open(shared: &Shared<'_>, function: FnId) -> Done {
        let summary = Arc::new(Summary::open(shared.keys.function(function)));
        Done { function, summary, split: None, has_failed: false, cpu: Duration::ZERO }
    }

    /// A function that the budget of the run does not allow to analyze.
    fn given_up(shared: &Shared<'_>, function: FnId) -> Done {
        let mut done = Done::open(shared, function);
        done.take(split::Analysis::given_up(Stopped::RunMemory));
        done
    }

    /// Takes what the split engine says.
    fn take(&mut self, analysis: split::Analysis) {
        let split::Analysis { triples, findings, stopped, unknown_calls, steps: _ } = analysis;
        self.summary = Arc::new(Summary { split: triples, ..Summary::clone(&self.summary) });
        self.split = Some(Split { findings, stopped, unknown_calls });
    }

    /// The split engine failed: callers go on without the function, as if it had been given up.
    fn fail(&mut self) {
        let split = Triples { gave_up: true, incomplete: true, ..Triples::default() };
        self.summary = Arc::new(Summary { split, ..Summary::clone(&self.summary) });
        self.has_failed = true;
    }

    /// Bytes that are kept of it to the end, about.
    fn bytes(&self) -> usize {
        let findings = self.split.iter().flat_map(|it| &it.findings).map(split::Finding::bytes);
        size_of::<Done>() + self.summary.bytes() + findings.sum::<usize>()
    }
}

/// What lasts of variables, after what all units do with them.
fn lasting_in(project: &Project, keys: &Keys) -> IdVec<UnitId, IdVec<GlobalId, Lasting>> {
    let own: IdVec<UnitId, IdVec<GlobalId, Lasting>> =
        project.units().iter().map(|unit| lasting::of(&unit.module)).collect();
    let mut all = own.clone();
    for (unit, data) in project.units().iter_ids() {
        let shared = data.module.globals.iter_ids().filter(|(_, it)| it.linkage != ir::Linkage::Internal);
        for (id, _) in shared {
            let (home, known) = keys.global_of(keys.global(unit, id));
            all[home][known] = all[home][known].min(own[unit][id]);
        }
    }
    all
}

/// Analyzes all functions. If the work is stopped, what comes out is what was done until then.
pub fn analyze(project: &Project, options: &Options, watch: &Watch<'_>) -> Analysis {
    let _begun = watch.begin(Phase::Functions, project.functions().len());
    let shared = Shared::new(project, options);
    let all = summarize_all(&shared, watch);
    finish(&shared, all, watch)
}

/// Works out what callers know of all functions, in the order of the levels.
fn summarize_all(shared: &Shared<'_>, watch: &Watch<'_>) -> Vec<Done> {
    let options = shared.options;
    let n_functions = shared.project.functions().len();
    let graph = shared.project.call_graph();
    let mut components: Vec<(u32, &[FnId])> = graph
        .order()
        .iter()
        .zip(graph.levels())
        .map(|(component, &level)| (level, component.as_slice()))
        .collect();
    // What takes long begins early, lest all wait for it.
    components.sort_by_cached_key(|(level, component)| (*level, Reverse(n_insts(shared.project, component))));
    let components: Vec<(usize, (u32, &[FnId]))> = components.into_iter().enumerate().collect();
    let code = shared.project.units().iter().map(|unit| unit.module.bytes()).sum();
    let budget = Budget::new(options.run_bytes, code);
    let work = |&(number, (level, component)): &(usize, (u32, &[FnId]))| {
        let done = match budget.allows(number) {
            true => component_of(shared, component, level),
            false => component.iter().map(|&function| Done::given_up(shared, function)).collect(),
        };
        budget.note(number, done.iter().map(Done::bytes).sum());
        for one in &done {
            let _ = shared.summaries[base::Id::index(one.function)].set(Arc::clone(&one.summary));
        }
        done
    };
    let mut all: Vec<Done> = Vec::with_capacity(n_functions);
    let mut n_found = 0;
    let is_unwanted = || watch.cancel().is_wanted();
    workers::in_order(&components, options.jobs, is_unwanted, work, |done: Vec<Done>| {
        let findings = done.iter().filter_map(|one| one.split.as_ref()).flat_map(|it| &it.findings);
        n_found += findings.filter(|it| !it.derived).count();
        all.extend(done);
        watch.tell(Event::FunctionsDone { done: all.len(), findings: n_found });
    })
    .expect("invariant: the machine has room for another thread");
    all
}

fn n_insts(project: &Project, component: &[FnId]) -> usize {
    let bodies = component.iter().filter_map(|&it| project.function(it).function.body.as_ref());
    bodies.map(|body| body.insts.len()).sum()
}

/// Analyzes a component of the call graph.
fn component_of(shared: &Shared<'_>, component: &[FnId], level: u32) -> Vec<Done> {
    let graph = shared.project.call_graph();
    let of_component = |function: FnId| Some(graph.component_of(function));
    let own_component = component.first().and_then(|&first| of_component(first));
    let calls_itself = |function: &FnId| {
        let mut callees = graph.callees(*function).iter().filter_map(|edge| edge.callee.function());
        callees.any(|callee| of_component(callee) == own_component)
    };
    let rounds = if component.iter().any(calls_itself) { 2 } else { 1 };
    let mut own: BTreeMap<FnId, Arc<Summary>> = BTreeMap::new();
    let mut all: Vec<Done> = component.iter().map(|&function| Done::open(shared, function)).collect();
    let is_loop = rounds > 1 && all.len() <= limits::RECURSIVE_FUNCTIONS;
    let (nothing, component) = (BTreeMap::new(), own_component);
    let around = |function| FnWorld { level, component, ..FnWorld::new(shared, function, &nothing) };
    for done in &mut all {
        let contract = guarded(|| doomed::contract_of(&FnWorld { own: &own, ..around(done.function) }));
        let doomed = contract.unwrap_or(Contract::NOT_LOOKED_AT);
        let open = Summary::clone(&done.summary);
        // What is called from inside of itself is a loop, too.
        let split = Triples { recursive: is_loop, ..open.split };
        done.summary = Arc::new(Summary { doomed, split, ..open });
        own.insert(done.function, Arc::clone(&done.summary));
    }
    for _ in 0..if shared.options.engines.split { rounds } else { 0 } {
        for done in &mut all {
            let started = workers::thread_cpu();
            match guarded(|| {
                FnWorld { own: &own, ..around(done.function) }.analyze(&Specialization::default())
            }) {
                Some(mut analysis) => {
                    analysis.triples.recursive = is_loop;
                    analysis.triples.cut |= is_loop;
                    done.take(analysis);
                }
                None => done.fail(),
            }
            own.insert(done.function, Arc::clone(&done.summary));
            done.cpu += workers::thread_cpu().saturating_sub(started);
        }
    }
    all
}

/// An error of ours must not take other functions with it.
fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    panic::catch_unwind(AssertUnwindSafe(work)).ok()
}

fn finish(shared: &Shared<'_>, mut all: Vec<Done>, watch: &Watch<'_>) -> Analysis {
    all.sort_by_key(|done| done.function);
    let mut found = Vec::new();
    let mut stopped: BTreeMap<Stopped, usize> = BTreeMap::new();
    let mut unknown_calls: BTreeMap<Node, usize> = BTreeMap::new();
    let mut notes = Vec::new();
    let mut given_up = Vec::new();
    let mut out_of_memory = OutOfMemory::default();
    let mut summaries = Vec::with_capacity(all.len());
    for done in &all {
        summaries.push(Arc::clone(&done.summary));
        if done.has_failed {
            let name = shared.project.function(done.function).pretty();
            notes.push(format!("internal error while analyzing `{name}`; please report it"));
        }
        let Some(split) = &done.split else {
            given_up.extend(done.has_failed.then_some((done.function, None)));
            continue;
        };
        if done.summary.split.gave_up {
            given_up.push((done.function, (!done.has_failed).then(|| split.reason())));
        }
        out_of_memory.add(shared, done.function, &split.stopped);
        for &why in split.stopped.keys() {
            *stopped.entry(why).or_default() += 1;
        }
        for (&callee, &often) in &split.unknown_calls {
            if let Some(node) = shared.keys.node(callee) {
                *unknown_calls.entry(node).or_default() += often as usize;
            }
        }
        found.extend(split.findings.iter().map(|it| findings::spelled_out(shared, done.function, it)));
    }
    notes.extend(out_of_memory.notes(shared.options.run_bytes));
    let doomed = match shared.options.engines.doomed {
        true => points::analyze(shared, &mut found, watch),
        false => Doomed::default(),
    };
    let functions = shared.project.functions().len();
    let coverage = Coverage { functions, analyzed: functions - given_up.len(), gave_up: given_up.len() };
    let costs = all.iter().map(|done| (done.function, done.cpu)).collect();
    Analysis {
        report: Report::new(found, coverage, notes),
        summaries,
        costs,
        given_up,
        stopped,
        unknown_calls,
        doomed,
    }
}
