//! `cargo x theorem`: the theorems of the papers as tests, on random programs.
//!
//! Random small programs ([`generate`]) are compiled together into a project of several units ([`compile`]) and analyzed as `indict run` does it ([`shipped`]). The findings that it
//! prints must happen ([`findings`], [`expected`]): manifest ones from states that nobody chose ([`manifest`], [`context`]), others from some state; no run passes
//! a doomed point and ends normally ([`points`]).
//!
//! What is needed to replay paths comes from a second run that keeps it. For every triple of that one a state is
//! drawn from a model of it ([`draw`]) and run in the interpreter, which must do what the triple says ([`check`], [`verify`]); so must triples of the shipped run where nothing but the state
//! decides. Where the interpreter stops at bits that were
//! never written and the triple does not, a second opinion is asked for ([`opinion`]). The other way round, the interpreter runs functions from random states
//! ([`sample`]), and the errors it meets are looked up among the triples ([`misses`]).
//! Source: `DESIGN.md` §13.2; Le, Raad, Villard, Berdine, Dreyer, O'Hearn, *Finding Real Bugs in Big Programs with
//! Incorrectness Logic*, OOPSLA 2022, Thm 3.5 and Def. 3.6.

mod calls;
mod check;
mod compile;
mod context;
mod draw;
mod expected;
mod expressions;
mod findings;
mod generate;
mod manifest;
mod misses;
mod names;
mod opinion;
mod points;
mod sample;
mod shipped;
mod statements;
mod tiny;
mod types;
mod verify;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use base::Id;
use capture::Clang;
use interp::Program;
use models::Library;
use project::{FnId, Project};
use report::Finding;
use session::Analysis;
use session::analysis::Again;
use split::Stopped;
use summary::Summary;

pub(crate) use points::Doomed;

use check::{Seen, Subject};
use generate::{Generated, Signature};
use misses::{Known, Misses};
use names::Names;
use shipped::{Shipped, Tamper};

/// Programs in one project.
const TOGETHER: u64 = 20;

/// Violations of one kind that are told in full.
const MAX_TOLD: usize = 10;

/// Test what the engine proves on random programs, against the interpreter.
#[derive(clap::Args)]
pub(crate) struct Theorem {
    /// The seed of the first program.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Programs to make.
    #[arg(long, default_value_t = 400)]
    programs: u64,
    /// Only the program of this seed, with everything told.
    #[arg(long)]
    only_seed: Option<u64>,
    /// Only the functions of this file, in the order of the text; it may use what random programs use.
    #[arg(long)]
    file: Option<PathBuf>,
    /// Random states per function.
    #[arg(long, default_value_t = 40)]
    runs: u64,
    /// The clang that makes the bitcode.
    #[arg(long)]
    clang: Option<PathBuf>,
}

impl Theorem {
    pub(crate) fn run(self) -> Result<()> {
        let clang = Clang::find(self.clang.as_deref())?;
        let scratch = tempfile::tempdir()?;
        if let Some(file) = &self.file {
            let text =
                std::fs::read_to_string(file).with_context(|| format!("while reading {}", file.display()))?;
            let seen = check_text(&clang, &text, (scratch.path(), true), (&|_| (), |_| ()))?;
            return ensured(&seen, 0);
        }
        let begun = Instant::now();
        let totals = self.check_all(&clang, scratch.path(), |_| ())?;
        totals.tell(begun.elapsed().as_secs_f64());
        ensured(&totals.seen, totals.doomed.violations)
    }

    /// Checks all programs, with a hand in what the engine says of them.
    fn check_all(&self, clang: &Clang, scratch: &Path, tamper: Tamper) -> Result<Totals> {
        let seeds = match self.only_seed {
            Some(seed) => seed..seed + 1,
            None => self.seed..self.seed + self.programs,
        };
        let mut totals = Totals::default();
        let elsewhere = compile::elsewhere(clang, scratch)?;
        let library = shipped::library()?;
        let mut next = seeds.start;
        while next < seeds.end {
            let end = seeds.end.min(next + TOGETHER);
            let programs: Vec<Generated> = (next..end).map(generate::generate).collect();
            if self.only_seed.is_some() {
                println!("{}", compile::text(&programs));
            }
            let mut check = || -> Result<()> {
                let project = compile::project(clang, &programs, scratch)?;
                let bench = Bench::new(&project, &elsewhere, &library, tamper);
                bench.check(&programs, (self.runs, self.only_seed.is_some()), &mut totals)
            };
            check().with_context(|| format!("in the programs of seeds {next} to {}", end - 1))?;
            next = end;
        }
        Ok(totals)
    }
}

/// Whether all promises were kept, and enough of them were tried.
fn ensured(seen: &Seen, n_doomed: u64) -> Result<()> {
    let n_violations = seen.violations.len();
    ensure!(n_violations == 0, "{n_violations} promises were not kept");
    ensure!(n_doomed == 0, "{n_doomed} points are called doomed, but were passed");
    ensure!(!seen.has_too_many_void(), "too many triples are such that no state satisfies them");
    ensure!(!seen.judged.has_too_many_skipped(), "too many states of manifest findings were skipped");
    Ok(())
}

/// A project that was analyzed, and the program to run.
struct Bench<'p> {
    project: &'p Project,
    library: &'p Arc<Library>,
    program: Program<'p>,
    shipped: Shipped,
    /// The second run.
    replayable: Analysis,
    /// Seconds that the engine took, for both runs.
    seconds: f64,
}

impl<'p> Bench<'p> {
    fn new(
        project: &'p Project,
        elsewhere: &'p ir::Module,
        library: &'p Arc<Library>,
        tamper: Tamper,
    ) -> Bench<'p> {
        let modules = project.units().iter().map(|unit| &unit.module).chain([elsewhere]);
        let program = Program::link(modules);
        let begun = Instant::now();
        let shipped = shipped::run(project, library, tamper);
        let replayable = session::analyze(project, &shipped::replay_options(library), &|_, _, _| ());
        let seconds = begun.elapsed().as_secs_f64();
        Bench { project, library, program, shipped, replayable, seconds }
    }

    /// Checks all that is said of some programs.
    fn check(&self, programs: &[Generated], (runs, tell): (u64, bool), totals: &mut Totals) -> Result<()> {
        let options = shipped::replay_options(self.library);
        let again = Again::new(self.project, &self.replayable, &options);
        let names = Names::new(self.project, &self.program, &again);
        totals.analysis += self.seconds;
        for program in programs {
            totals.programs += 1;
            let mut summaries: BTreeMap<&str, &Summary> = BTreeMap::new();
            for signature in &program.functions {
                // Nobody calls it and nobody else sees it: clang leaves it out.
                let Some(id) = self.function_of(program, signature) else { continue };
                let Some(subject) = self.subject(&names, id, Some((program, signature))) else { continue };
                totals.functions += 1;
                if tell {
                    subject
                        .summary
                        .specs
                        .iter()
                        .for_each(|it| println!("{}: {}", signature.name, subject.summary.show(it)));
                }
                let before = totals.seen.violations.len();
                self.check_function(&subject, (id, Some(program)), &mut totals.seen);
                totals.report(before, program.seed);
                self.check_points(&subject, (id, program, signature), runs, totals);
                summaries.insert(&signature.name, subject.summary);
                let sampled = sample::sample(&self.program, program, (subject.function, signature), runs);
                let sampled = sampled.with_context(|| format!("{} should be runnable", signature.name))?;
                let stopped = || self.stopped_in(&again, program);
                let known = Known { summaries: &summaries, stopped: &stopped };
                let missed = totals.misses.add(&names, &known, (&signature.name, subject.function), &sampled);
                for (cause, met) in missed.into_iter().filter(|_| tell) {
                    println!("MISSED ({cause}) in {}: {:?}: {}", signature.name, met.class, met.bug);
                    println!("  for example from {:?}\n  with {:?}", met.state, met.script);
                }
            }
        }
        Ok(())
    }

    /// Checks triples and findings of a function.
    fn check_function(
        &self,
        subject: &Subject<'_>,
        (id, program): (FnId, Option<&Generated>),
        seen: &mut Seen,
    ) {
        subject.check(seen);
        if let Some(Some(summary)) = self.shipped.analysis.summaries.get(id.index()) {
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
        totals: &mut Totals,
    ) {
        let points = &self.shipped.analysis.doomed.points;
        for (_, points) in points.iter().filter(|(function, _)| *function == id) {
            totals.doomed.points += points.len() as u64;
            for run in 0..runs {
                let seed = program.seed.wrapping_mul(1_000_003).wrapping_add(run);
                let (state, script) = sample::draw_state(&self.program, program, signature, seed);
                let run = (&state, script, seed);
                points::check_run(&self.program, subject.function, points, run, &mut totals.doomed);
            }
        }
    }

    fn subject<'a>(
        &'a self,
        names: &'a Names<'a>,
        id: FnId,
        of: Option<(&'a Generated, &'a Signature)>,
    ) -> Option<Subject<'a>> {
        let summary = self.replayable.summaries.get(id.index())?.as_deref()?;
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

/// A hand in the triples that are replayed.
type TamperTriples<'t> = &'t dyn Fn(&mut Arc<Summary>);

/// Checks the functions of a text, with everything told if wanted.
fn check_text(
    clang: &Clang,
    text: &str,
    (scratch, tell): (&Path, bool),
    (triples, findings): (TamperTriples<'_>, Tamper),
) -> Result<Seen> {
    let project = compile::single(clang, text, scratch)?;
    let elsewhere = compile::elsewhere(clang, scratch)?;
    let library = shipped::library()?;
    let mut bench = Bench::new(&project, &elsewhere, &library, findings);
    bench.replayable.summaries.iter_mut().flatten().for_each(triples);
    let options = shipped::replay_options(&library);
    let again = Again::new(&project, &bench.replayable, &options);
    let names = Names::new(&project, &bench.program, &again);
    let mut seen = Seen::default();
    for id in project.functions() {
        let subject = bench.subject(&names, id, None).context("every function should be analyzed")?;
        for spec in subject.summary.specs.iter().filter(|_| tell) {
            println!("{}: {}", project.function(id).name(), subject.summary.show(spec));
        }
        bench.check_function(&subject, (id, None), &mut seen);
    }
    if tell {
        for Finding { file, line, verdict, kind, message, .. } in &bench.shipped.findings {
            println!("{file}:{line}: {verdict} {kind}: {message}");
        }
        seen.violations.iter().for_each(|it| println!("VIOLATION ({}): {}", it.kind, it.text));
        seen.tell();
    }
    Ok(seen)
}

/// What was seen.
#[derive(Default)]
struct Totals {
    programs: u64,
    functions: u64,
    /// Seconds that the engine took.
    analysis: f64,
    /// Violations that were told, by kind.
    told: BTreeMap<&'static str, usize>,
    seen: Seen,
    doomed: points::Seen,
    misses: Misses,
}

impl Totals {
    /// Tells of the violations since there were so many.
    fn report(&mut self, before: usize, seed: u64) {
        for violation in &self.seen.violations[before..] {
            let told = self.told.entry(violation.kind).or_default();
            if *told < MAX_TOLD {
                *told += 1;
                println!("VIOLATION ({}) in seed {seed}: {}", violation.kind, violation.text);
            }
        }
    }

    fn tell(&self, seconds: f64) {
        println!(
            "{} programs, {} functions, {:.1} programs per second ({:.1} seconds of {seconds:.1} in the engine)",
            self.programs,
            self.functions,
            self.programs as f64 / seconds,
            self.analysis
        );
        self.seen.tell();
        let points::Seen { points, runs, normal, confirmed, violations, .. } = &self.doomed;
        println!(
            "doomed points: {points}; {runs} runs, {normal} ended normally, {confirmed} failed behind one; VIOLATIONS: {violations}"
        );
        self.misses.tell();
    }
}

#[cfg(test)]
mod tests;
