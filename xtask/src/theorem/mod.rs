//! `cargo x theorem`: the theorems of the papers as tests, on random programs.
//!
//! Random small programs ([`generate`]) are compiled together ([`compile`]) and analyzed ([`world`]). For every triple a state is
//! drawn from a model of it ([`draw`]) and run in the interpreter, which must do what the triple says ([`check`], [`verify`]); errors that
//! are called manifest must happen from states that nobody chose ([`manifest`], [`context`]). Where the interpreter stops at bits that were
//! never written and the triple does not, a second opinion is asked for ([`opinion`]). The other way round, the interpreter runs functions from random states
//! ([`sample`]), and the errors it meets are looked up among the triples ([`misses`]).
//! Source: `DESIGN.md` §13.2; Le, Raad, Villard, Berdine, Dreyer, O'Hearn, *Finding Real Bugs in Big Programs with
//! Incorrectness Logic*, OOPSLA 2022, Thm 3.5 and Def. 3.6.

mod check;
mod compile;
mod context;
mod draw;
mod expressions;
mod generate;
mod manifest;
mod misses;
mod opinion;
mod points;
mod sample;
mod statements;
mod tiny;
mod types;
mod verify;
mod world;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use capture::Clang;
use interp::Program;
use split::Analysis;

pub(crate) use points::Doomed;

use check::{Seen, Subject};
use draw::Names;
use generate::Generated;
use misses::Misses;
use world::Project;

/// Programs in one file.
const TOGETHER: u64 = 40;

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
            return check_file(&clang, file, scratch.path());
        }
        let seeds = match self.only_seed {
            Some(seed) => seed..seed + 1,
            None => self.seed..self.seed + self.programs,
        };
        let begun = Instant::now();
        let mut totals = Totals::default();
        let mut next = seeds.start;
        while next < seeds.end {
            let end = seeds.end.min(next + TOGETHER);
            let programs: Vec<Generated> = (next..end).map(generate::generate).collect();
            self.check_together(&clang, &programs, scratch.path(), &mut totals)
                .with_context(|| format!("in the programs of seeds {next} to {}", end - 1))?;
            next = end;
        }
        totals.tell(begun.elapsed().as_secs_f64());
        let n_violations = totals.seen.violations.len();
        ensure!(n_violations == 0, "{n_violations} promises of triples were not kept");
        ensure!(!totals.seen.has_too_many_void(), "too many triples are such that no state satisfies them");
        Ok(())
    }

    fn check_together(
        &self,
        clang: &Clang,
        programs: &[Generated],
        scratch: &Path,
        totals: &mut Totals,
    ) -> Result<()> {
        let module = compile::compile(clang, programs, scratch)?;
        let program = Program::link(std::slice::from_ref(&module));
        let project = Project::new(&module);
        let names = names(&program, &module);
        for generated in programs {
            self.check(&program, &project, &names, (generated, totals))?;
        }
        Ok(())
    }

    fn check(
        &self,
        program: &Program<'_>,
        project: &Project<'_>,
        names: &Names,
        (generated, totals): (&Generated, &mut Totals),
    ) -> Result<()> {
        if self.only_seed.is_some() {
            println!("{}", compile::text(std::slice::from_ref(generated)));
        }
        totals.programs += 1;
        let mut analyses: BTreeMap<&str, Analysis> = BTreeMap::new();
        for signature in &generated.functions {
            let function = program.function(&signature.name).context("every function should be there")?;
            let begun = Instant::now();
            let analysis = project.analyze(&signature.name).context("every function should have a body")?;
            let seconds = begun.elapsed().as_secs_f64();
            totals.analysis += seconds;
            totals.slowest = totals.slowest.clone().max(((seconds * 1000.0) as u64, signature.name.clone()));
            if self.only_seed.is_some() {
                for spec in &analysis.summary.specs {
                    println!("{}: {}", signature.name, analysis.summary.show(spec));
                }
            }
            let subject = Subject { program, names, function, analysis: &analysis, seed: generated.seed };
            let before = totals.seen.violations.len();
            subject.check(&mut totals.seen);
            for violation in &totals.seen.violations[before..] {
                let told = totals.told.entry(violation.kind).or_default();
                if *told < MAX_TOLD {
                    *told += 1;
                    println!("VIOLATION ({}) in seed {}: {}", violation.kind, generated.seed, violation.text);
                }
            }
            analyses.insert(&signature.name, analysis);
            let sampled = sample::sample(program, generated, signature, self.runs);
            let sampled = sampled.with_context(|| format!("{} should be runnable", signature.name))?;
            let missed = totals.misses.add(program, &analyses, &signature.name, &sampled);
            totals.functions += 1;
            if self.only_seed.is_some() {
                for (cause, met) in missed {
                    println!("MISSED ({cause}) in {}: {:?}: {}", signature.name, met.class, met.bug);
                    println!("  for example from {:?}\n  with {:?}", met.state, met.script);
                }
            }
        }
        Ok(())
    }
}

/// Checks the functions of one file, with everything told.
fn check_file(clang: &Clang, file: &Path, scratch: &Path) -> Result<()> {
    let text = std::fs::read_to_string(file).with_context(|| format!("while reading {}", file.display()))?;
    let lines = text.lines().map(str::to_owned).collect();
    let generated = Generated { seed: 0, lines, functions: Vec::new(), globals: Vec::new() };
    let module = compile::compile(clang, std::slice::from_ref(&generated), scratch)?;
    let program = Program::link(std::slice::from_ref(&module));
    let (project, names) = (Project::new(&module), names(&program, &module));
    let mut seen = Seen::default();
    for defined in module.functions.iter().filter(|function| function.body.is_some()) {
        let name = module.symbols.resolve(defined.name);
        let function = program.any_function(name).context("every function should be there")?;
        let analysis = project.analyze(name).context("every function should have a body")?;
        for spec in &analysis.summary.specs {
            println!("{name}: {}", analysis.summary.show(spec));
        }
        Subject { program: &program, names: &names, function, analysis: &analysis, seed: 0 }.check(&mut seen);
    }
    for violation in &seen.violations {
        println!("VIOLATION ({}): {}", violation.kind, violation.text);
    }
    seen.tell();
    ensure!(seen.violations.is_empty(), "{} promises of triples were not kept", seen.violations.len());
    Ok(())
}

/// What numbers of summaries mean in the program: positions in its one module.
fn names(program: &Program<'_>, module: &ir::Module) -> Names {
    use base::Id;
    let text = |symbol| module.symbols.resolve(symbol);
    let functions = module.functions.iter_ids();
    let functions =
        functions.filter_map(|(id, it)| Some((id.index() as u32, program.any_function(text(it.name))?)));
    let globals = module.globals.iter_ids();
    let globals = globals.filter_map(|(id, it)| Some((id.index() as u32, program.global(text(it.name))?)));
    Names { functions: functions.collect(), globals: globals.collect() }
}

/// What was seen.
#[derive(Default)]
struct Totals {
    programs: u64,
    functions: u64,
    /// Seconds that the engine took.
    analysis: f64,
    /// Milliseconds that the engine took for the slowest function.
    slowest: (u64, String),
    /// Violations that were told, by kind.
    told: BTreeMap<&'static str, usize>,
    seen: Seen,
    misses: Misses,
}

impl Totals {
    fn tell(&self, seconds: f64) {
        println!(
            "{} programs, {} functions, {:.1} programs per second ({:.1} seconds of {seconds:.1} in the engine)",
            self.programs,
            self.functions,
            self.programs as f64 / seconds,
            self.analysis
        );
        println!("the slowest function: {}, {} ms", self.slowest.1, self.slowest.0);
        self.seen.tell();
        self.misses.tell();
    }
}

#[cfg(test)]
mod tests;
