//! A project on the bench: analyzed twice, linked to run, and checked function by function.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result};
use base::Id;
use heap::Spec;
use interp::Program;
use models::Library;
use project::{FnId, Project};
use report::Finding;
use session::Analysis;
use session::analysis::Again;
use split::Stopped;
use summary::Summary;

use super::Totals;
use super::located::say;
use super::misses::Known;
use super::names::Names;
use super::shipped::{self, Shipped, Tamper};
use super::triples::{Seen, Subject};
use crate::programs::generate::{Generated, Signature};
use crate::programs::sample;
use crate::{Event, points};

/// A project that was analyzed, and the program to run.
pub(super) struct Bench<'p> {
    project: &'p Project,
    library: &'p Arc<Library>,
    pub(super) program: Program<'p>,
    pub(super) shipped: Shipped,
    /// The second run.
    pub(super) replayable: Analysis,
    /// Seconds that the engine took, for both runs.
    seconds: f64,
}

impl<'p> Bench<'p> {
    pub(super) fn new(
        project: &'p Project,
        elsewhere: &'p ir::Module,
        library: &'p Arc<Library>,
        tamper: Tamper,
    ) -> Bench<'p> {
        let modules = project.units().iter().map(|unit| &unit.module).chain([elsewhere]);
        let program = Program::link(modules);
        let begun = Instant::now();
        let shipped = shipped::run(project, library, tamper);
        let replayable =
            session::analyze(project, &shipped::replay_options(library), &session::Watch::nobody());
        let seconds = begun.elapsed().as_secs_f64();
        Bench { project, library, program, shipped, replayable, seconds }
    }

    /// Checks all that is said of some programs.
    pub(super) fn check(
        &self,
        programs: &[Generated],
        runs: u64,
        totals: &mut Totals,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<()> {
        let options = shipped::replay_options(self.library);
        let again = Again::new(self.project, &self.replayable, &options);
        let names = Names::new(self.project, &self.program, &again);
        totals.engine += self.seconds;
        for program in programs {
            totals.programs += 1;
            let mut summaries: BTreeMap<&str, &Summary> = BTreeMap::new();
            for signature in &program.functions {
                // Nobody calls it and nobody else sees it: clang leaves it out.
                let Some(id) = self.function_of(program, signature) else { continue };
                let Some(subject) = self.subject(&names, id, Some((program, signature))) else { continue };
                totals.functions += 1;
                for spec in &subject.summary.split.specs {
                    let triple = &Shown(subject.summary, spec);
                    tell(Event::Triple { function: &signature.name, triple });
                }
                let before = totals.seen.violations.len();
                self.check_function(&subject, (id, Some(program)), &mut totals.seen);
                for violation in &totals.seen.violations[before..] {
                    tell(Event::Broken { seed: program.seed, violation });
                }
                self.check_points(&subject, (id, program, signature), runs, (&mut totals.doomed, tell));
                summaries.insert(&signature.name, subject.summary);
                let sampled = sample::sample(&self.program, program, (subject.function, signature), runs);
                let sampled = sampled.with_context(|| format!("{} should be runnable", signature.name))?;
                let stopped = || self.stopped_in(&again, program);
                let known = Known { summaries: &summaries, stopped: &stopped };
                let missed = totals.misses.add(&names, &known, (&signature.name, subject.function), &sampled);
                for (cause, met) in &missed {
                    tell(Event::MissedError { function: &signature.name, cause, met });
                }
            }
        }
        Ok(())
    }

    /// Checks triples and findings of a function.
    pub(super) fn check_function(
        &self,
        subject: &Subject<'_>,
        (id, program): (FnId, Option<&Generated>),
        seen: &mut Seen,
    ) {
        subject.check(seen);
        if let Some(summary) = self.shipped.analysis.summaries.get(id.index()) {
            subject.check_shipped(summary, seen);
        }
        for finding in self.shipped.findings.iter().filter(|it| self.is_of(it, id)) {
            subject.judge(program, finding, seen);
        }
    }

    /// Whether a finding is about a function: the name is not enough for `main`.
    fn is_of(&self, finding: &Finding, id: FnId) -> bool {
        let function = self.project.function(id);
        let at = function.function.body.as_ref().map(|body| body.blocks[ir::Body::ENTRY].term_loc);
        let file = at.and_then(|at| function.place(at)).map(|(file, ..)| file);
        function.pretty() == finding.function && file.is_none_or(|file| file == finding.file)
    }

    fn check_points(
        &self,
        subject: &Subject<'_>,
        (id, program, signature): (FnId, &Generated, &Signature),
        runs: u64,
        (seen, tell): (&mut points::Seen, &mut dyn FnMut(Event<'_>)),
    ) {
        let points = &self.shipped.analysis.doomed.points;
        for (_, points) in points.iter().filter(|(function, _)| *function == id) {
            seen.points += points.len() as u64;
            for run in 0..runs {
                let seed = program.seed.wrapping_mul(1_000_003).wrapping_add(run);
                let (state, script) = sample::draw_state(&self.program, program, signature, seed);
                let run = (&state, script, seed);
                let ran = points::check_run(&self.program, subject.function, points, run, seen);
                if let Some(how) = &ran.violation {
                    tell(Event::Passed(how));
                }
            }
        }
    }

    pub(super) fn subject<'a>(
        &'a self,
        names: &'a Names<'a>,
        id: FnId,
        of: Option<(&'a Generated, &'a Signature)>,
    ) -> Option<Subject<'a>> {
        let summary = self.replayable.summaries.get(id.index())?;
        let function = names.of(id)?;
        let begins = self.project.function(id).name() == "main";
        let (seed, signature) = (of.map_or(0, |it| it.0.seed), of.map(|it| it.1));
        Some(Subject { names, function, signature, summary, seed, begins })
    }

    fn function_of(&self, program: &Generated, signature: &Signature) -> Option<FnId> {
        let own = format!("main{}.c", program.seed);
        let is_own = |id: &FnId| {
            let unit = self.project.function(*id).unit;
            signature.name != "main" || self.project.units()[unit].file == own
        };
        self.project.functions_named(&signature.name).into_iter().find(is_own)
    }

    /// What was not followed in the functions of a program.
    fn stopped_in(&self, again: &Again<'_>, program: &Generated) -> Vec<Stopped> {
        let options = shipped::replay_options(self.library).split;
        let functions = program.functions.iter().filter_map(|it| self.function_of(program, it));
        let analyses =
            functions.filter_map(|id| again.analyze(id, self.project.function(id).module, &options));
        analyses.flat_map(|analysis| analysis.stopped.into_keys()).collect()
    }
}

/// A triple, to be shown.
pub(super) struct Shown<'a>(pub(super) &'a Summary, pub(super) &'a Spec);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.split.show(self.1, &say))
    }
}
