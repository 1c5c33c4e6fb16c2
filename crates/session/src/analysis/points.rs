//! Running the engine for doomed points over all functions of a project.
//!
//! Contracts of callees are in their summaries; every function is on its own, on as many threads as there
//! are.

use std::collections::BTreeMap;
use std::time::Duration;

use base::Id;
use catalog::{Cause, Condition, Evidence, Fate, Verdict};
use conditions::disposition::defects;
use ir::BlockId;
use project::FnId;
use report::{Finding, Story, words};

use super::around::FnWorld;
use super::{Shared, findings, guarded};
use crate::shown;
use crate::watch::Watch;
use crate::workers;

/// What the engine for doomed points did.
#[derive(Clone, Debug, Default)]
pub struct Doomed {
    /// By function that something can fail in: what was done, and processor time.
    pub asked: Vec<(FnId, doomed::Stats, Duration)>,
    /// By function that has some: the points that no normally ending execution passes; see [`doomed::Analysis::points`].
    pub points: Vec<(FnId, Vec<BlockId>)>,
    /// Functions that were given up.
    pub gave_up: usize,
    /// Processor time of all functions.
    pub cpu: Duration,
}

/// Looks for the doomed points of all functions.
pub(super) fn analyze(shared: &Shared<'_>, found: &mut Vec<Finding>, watch: &Watch<'_>) -> Doomed {
    let options = shared.options;
    let n_functions = shared.project.functions().len();
    let mut points = Vec::new();
    let mut result = Doomed::default();
    let functions: Vec<FnId> = (0..n_functions).map(FnId::new).collect();
    let work = |&function: &FnId| {
        let started = workers::thread_cpu();
        let nothing = BTreeMap::new();
        let world = FnWorld::new(shared, function, &nothing);
        let analysis = guarded(|| doomed::analyze(&world, &options.doomed));
        (function, analysis, workers::thread_cpu().saturating_sub(started))
    };
    let is_unwanted = || watch.cancel().is_wanted();
    workers::in_order(&functions, options.jobs, is_unwanted, work, |(function, analysis, cpu)| {
        result.cpu += cpu;
        let Some(analysis) = analysis else {
            result.gave_up += 1;
            return;
        };
        result.gave_up += usize::from(analysis.stats.gave_up);
        if analysis.stats.asked {
            result.asked.push((function, analysis.stats, cpu));
        }
        if !analysis.points.is_empty() {
            result.points.push((function, analysis.points));
        }
        let spelled_out = |found: &doomed::Found| spelled_out(shared, function, found);
        let mut own: Vec<Finding> = analysis.findings.iter().map(spelled_out).collect();
        shown::keep(&mut own, defects::one_per_cause);
        points.extend(own);
    })
    .expect("invariant: the machine has room for another thread");
    shown::keep(&mut points, defects::without_consequences);
    found.extend(points);
    result
}

/// A finding of the engine, for people.
fn spelled_out(shared: &Shared<'_>, function: FnId, found: &doomed::Found) -> Finding {
    let mut story = Story::new();
    for step in &found.steps {
        let calls: Vec<report::Spot> = step.calls.iter().map(spot).collect();
        story.tell(&calls, &spot(&step.at), &words::event(&step.event));
    }
    Finding {
        id: String::new(),
        kind: found.issue,
        verdict: Verdict::Doomed,
        relaxed: false,
        function: found.at.function.clone(),
        file: found.at.file.clone(),
        line: found.at.line,
        column: found.at.column,
        message: words::message(&found.what, found.extent.as_ref()),
        condition: Condition::always(),
        assumes: Vec::new(),
        engine: "doomed".to_owned(),
        trace: story.into_trace(),
        // What dooms a point is what the program does.
        cause: Cause::Program,
        evidence: Evidence::Proved,
        origin: None,
        fate: Fate::Shown,
        anchor: findings::anchor(shared, function),
    }
}

fn spot(spot: &doomed::Spot) -> report::Spot {
    let doomed::Spot { file, line, column, function } = spot.clone();
    report::Spot { file, line, column, function }
}
