//! `cargo x doomed`: doomed points against runs.
//!
//! *Sound*: no run of a random program passes a point that is called doomed, and ends normally. *Complete*: in loop-free programs over small domains ([`tiny`]), whose runs can all be tried,
//! every point that no normally ending run passes is called doomed.
//! Source: Hoenicke et al., Thm 1 (soundness), Prop. 5 (completeness for loop-free programs); `DESIGN.md` §13.2.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use capture::Clang;
use doomed::{Alone, Analysis, Options};
use interp::replay::{Concrete, PreState, Script, replay};
use interp::{FnRef, Outcome, Program, UndefinedPolicy};
use ir::{BlockId, Body, Module};

use super::generate::{self, Generated, Signature};
use super::sample::{draw_state, options};
use super::tiny;
use super::{TOGETHER, compile};

/// Test doomed program points on random programs, against the interpreter.
#[derive(clap::Args)]
pub(crate) struct Doomed {
    /// The seed of the first program.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Programs to make: random ones, and as many small ones whose runs are all tried.
    #[arg(long, default_value_t = 2000)]
    programs: u64,
    /// Random states per function.
    #[arg(long, default_value_t = 60)]
    runs: u64,
    /// Only the program of this seed, with everything told.
    #[arg(long)]
    only_seed: Option<u64>,
    /// The clang that makes the bitcode.
    #[arg(long)]
    clang: Option<PathBuf>,
}

impl Doomed {
    pub(crate) fn run(self) -> Result<()> {
        let clang = Clang::find(self.clang.as_deref())?;
        let scratch = tempfile::tempdir()?;
        let seeds = match self.only_seed {
            Some(seed) => seed..seed + 1,
            None => self.seed..self.seed + self.programs,
        };
        let begun = Instant::now();
        let mut seen = Seen { tell: self.only_seed.is_some(), ..Seen::default() };
        let mut next = seeds.start;
        while next < seeds.end {
            let end = seeds.end.min(next + TOGETHER);
            random(&clang, next..end, self.runs, scratch.path(), &mut seen)?;
            small(&clang, next..end, scratch.path(), &mut seen)?;
            next = end;
        }
        seen.print(begun.elapsed().as_secs_f64());
        ensure!(seen.violations == 0, "{} points are called doomed, but were passed", seen.violations);
        ensure!(seen.missed == 0, "{} doomed points of small programs were missed", seen.missed);
        Ok(())
    }
}

/// What was seen.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) functions: u64,
    pub(super) gave_up: u64,
    /// Functions with findings, and points that no normal execution passes.
    pub(super) found: u64,
    pub(super) points: u64,
    pub(super) runs: u64,
    /// Runs that ended normally.
    pub(super) normal: u64,
    /// Runs that came to a doomed point and then failed.
    pub(super) confirmed: u64,
    pub(super) violations: u64,
    /// Points of small programs, those that no normal run passes, and those of them that were not found.
    pub(super) small: u64,
    pub(super) small_doomed: u64,
    pub(super) missed: u64,
    engine: f64,
    tell: bool,
}

impl Seen {
    fn print(&self, seconds: f64) {
        println!(
            "{} functions ({} given up), {} with findings, {} doomed or dead points; {:.1} of {seconds:.1} seconds in the engine",
            self.functions, self.gave_up, self.found, self.points, self.engine
        );
        println!(
            "{} runs, {} ended normally; {} failed behind a doomed point; VIOLATIONS: {}",
            self.runs, self.normal, self.confirmed, self.violations
        );
        println!(
            "small programs: {} points, {} that no normal run passes, of which {} were missed",
            self.small, self.small_doomed, self.missed
        );
    }
}

/// Random programs, from random states.
pub(super) fn random(
    clang: &Clang,
    seeds: std::ops::Range<u64>,
    runs: u64,
    scratch: &Path,
    seen: &mut Seen,
) -> Result<()> {
    let programs: Vec<Generated> = seeds.map(|seed| generate::generate(seed).without_main()).collect();
    each_function(clang, &programs, scratch, seen, |function, seen| {
        let Judged { program, generated, signature, id, doomed, .. } = function;
        if doomed.points.is_empty() {
            return Ok(());
        }
        for run in 0..runs {
            let seed = generated.seed.wrapping_mul(1_000_003).wrapping_add(run);
            let (state, script) = draw_state(program, generated, signature, seed);
            check_run(program, id, &doomed.points, (&state, script, seed), seen);
        }
        Ok(())
    })
}

/// Small programs, from all states.
pub(super) fn small(
    clang: &Clang,
    seeds: std::ops::Range<u64>,
    scratch: &Path,
    seen: &mut Seen,
) -> Result<()> {
    let programs: Vec<Generated> = seeds.map(tiny::generate).collect();
    each_function(clang, &programs, scratch, seen, |function, seen| {
        let Judged { module, program, generated, signature, id, doomed } = function;
        let mut passed = BTreeSet::new();
        for args in tiny::inputs() {
            let args = args.into_iter().map(Concrete::Int).collect();
            let state = PreState { args, ..PreState::default() };
            passed.extend(check_run(program, id, &doomed.points, (&state, Script::default(), 1), seen));
        }
        let body = program.functions()[id].function.body.as_ref().context("it has a body")?;
        for point in points(module, body) {
            seen.small += 1;
            if !passed.contains(&point) {
                seen.small_doomed += 1;
                let is_missed = !doomed.points.contains(&point);
                seen.missed += u64::from(is_missed);
                if is_missed && seen.missed <= 10 {
                    println!("MISSED in seed {}: {}, {point:?}", generated.seed, signature.name);
                }
            }
        }
        Ok(())
    })
}

/// A function of a program that was made, and what the engine says of it.
struct Judged<'p> {
    module: &'p Module,
    program: &'p Program<'p>,
    generated: &'p Generated,
    signature: &'p Signature,
    id: FnRef,
    doomed: Analysis,
}

/// Compiles programs, and hands on each of their functions with its doomed points.
fn each_function(
    clang: &Clang,
    programs: &[Generated],
    scratch: &Path,
    seen: &mut Seen,
    mut check: impl FnMut(Judged<'_>, &mut Seen) -> Result<()>,
) -> Result<()> {
    let module = compile::module(clang, programs, scratch)?;
    let program = Program::link(std::slice::from_ref(&module));
    let project = Alone::new(&module);
    for generated in programs {
        if seen.tell {
            println!("{}", compile::text(std::slice::from_ref(generated)));
        }
        for signature in &generated.functions {
            // Nobody calls it and nobody else sees it: clang leaves it out.
            let Some(id) = program.any_function(&signature.name) else { continue };
            let doomed =
                judge(&project, &signature.name, seen).context("every function should have a body")?;
            check(Judged { module: &module, program: &program, generated, signature, id, doomed }, seen)?;
        }
    }
    Ok(())
}

/// A block, or an edge by the position of its target.
pub(super) type Point = (BlockId, Option<usize>);

/// The points that the engine judges: all blocks, and edges from a decision to a join, but for failing branches of assertions.
fn points(module: &Module, body: &Body) -> Vec<Point> {
    let cfg = ir::Cfg::new(body);
    let fails = |block: BlockId| {
        body.blocks[block].insts.iter().any(|&inst| match &body.insts[inst].inst {
            ir::Inst::Call { call } => match body.calls[*call].callee {
                ir::Callee::Func(func) => {
                    module.symbols.resolve(module.functions[func].name) == "__assert_fail"
                }
                _ => false,
            },
            _ => false,
        })
    };
    let mut points = Vec::new();
    for &block in cfg.reverse_postorder().iter().filter(|it| !fails(**it)) {
        points.push((block, None));
        let targets: Vec<BlockId> = body.blocks[block].term.targets().map(|it| it.block).collect();
        let is_edge = |to: BlockId| targets.len() > 1 && cfg.predecessors(to).len() > 1 && !fails(to);
        points.extend(
            targets.iter().enumerate().filter(|(_, to)| is_edge(**to)).map(|(at, _)| (block, Some(at))),
        );
    }
    points
}

/// Runs a function; the points that it passed, if it ended normally.
pub(super) fn check_run(
    program: &Program<'_>,
    function: FnRef,
    doomed: &[Point],
    (state, script, seed): (&PreState, Script, u64),
    seen: &mut Seen,
) -> BTreeSet<Point> {
    let mut options = options(seed);
    options.record_ways = true;
    options.undefined = UndefinedPolicy::Chosen(seed);
    let Ok(run) = replay(program, function, state, script, options) else { return BTreeSet::new() };
    let data = &program.functions()[function];
    let Some(body) = data.function.body.as_ref() else { return BTreeSet::new() };
    let mut passed: BTreeSet<Point> = [(Body::ENTRY, None)].into();
    for &(_, block, target) in run.machine().taken().iter().filter(|it| it.0 == function) {
        passed.insert((block, Some(target)));
        passed.extend(body.blocks[block].term.targets().nth(target).map(|it| (it.block, None)));
    }
    let hit: Vec<&Point> = doomed.iter().filter(|it| passed.contains(it)).collect();
    seen.runs += 1;
    let is_normal =
        matches!(run.outcome, Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted { .. });
    if !is_normal {
        seen.confirmed +=
            u64::from(!hit.is_empty() && matches!(run.outcome, Outcome::Bug(_) | Outcome::Fault { .. }));
        return BTreeSet::new();
    }
    seen.normal += 1;
    if !hit.is_empty() {
        seen.violations += 1;
        if seen.violations <= 10 {
            println!(
                "VIOLATION: {} passes {hit:?} and ends normally, from {state:?} (seed {seed})",
                data.name
            );
        }
    }
    passed
}

/// What the engine says of a function.
fn judge(project: &Alone<'_>, name: &str, seen: &mut Seen) -> Option<Analysis> {
    let code = project.find(name)?;
    let begun = Instant::now();
    let analysis = doomed::analyze(code, &Options { dead_code: true });
    seen.engine += begun.elapsed().as_secs_f64();
    seen.functions += 1;
    seen.gave_up += u64::from(analysis.stats.gave_up);
    seen.found += u64::from(!analysis.findings.is_empty());
    seen.points += analysis.points.len() as u64;
    Some(analysis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_run_passes_a_doomed_point_and_ends_normally() {
        let clang = Clang::find(None).expect("there should be a clang");
        let scratch = tempfile::tempdir().expect("there should be room for temporary files");
        let mut seen = Seen::default();
        for first in (1..=300).step_by(TOGETHER as usize) {
            let seeds = first..(first + TOGETHER).min(301);
            random(&clang, seeds.clone(), 30, scratch.path(), &mut seen).expect("programs should compile");
            small(&clang, seeds, scratch.path(), &mut seen).expect("programs should compile");
        }
        assert_eq!((seen.violations, seen.missed, seen.gave_up), (0, 0, 0), "{seen:?}");
        // The test would notice: many points are doomed, many runs come to them and fail, and many runs end normally.
        assert!(seen.confirmed > 1000 && seen.normal > 1000 && seen.small_doomed > 1000, "{seen:?}");
    }
}
