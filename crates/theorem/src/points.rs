//! Doomed points against runs.
//!
//! *Sound*: no run of a random program passes a point that is called doomed, and ends normally. *Complete*:
//! in loop-free programs over small domains ([`tiny`]), whose runs can all be tried, every point that no
//! normally ending run passes is called doomed.
//! Source: Hoenicke et al., Thm 1 (soundness), Prop. 5 (completeness for loop-free programs); `DESIGN.md`
//! §13.2.

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use doomed::{Analysis, Options};
use interp::replay::{Concrete, PreState, Script, replay};
use interp::{FnRef, Outcome, Program, UndefinedPolicy};
use ir::{BlockId, Body, Module};

use crate::Event;
use crate::programs::compile::{Compiler, Text};
use crate::programs::generate::{self, Generated, Signature};
use crate::programs::sample::{draw_state, options};
use crate::programs::{groups, tiny};

/// A block, or an edge by the position of its target.
pub type Point = (BlockId, Option<usize>);

/// What was seen.
#[derive(Debug, Default)]
pub struct Seen {
    /// Functions, and those among them that the engine gave up.
    pub functions: u64,
    /// See `functions`.
    pub gave_up: u64,
    /// Functions with findings, and points that no normal execution passes.
    pub found: u64,
    /// See `found`.
    pub points: u64,
    /// Runs.
    pub runs: u64,
    /// Runs that ended normally.
    pub normal: u64,
    /// Runs that came to a doomed point and then failed.
    pub confirmed: u64,
    /// Runs that passed a doomed point and ended normally.
    pub violations: u64,
    /// Points of small programs, those that no normal run passes, and those of them that were not found.
    pub small: u64,
    /// See `small`.
    pub small_doomed: u64,
    /// See `small`.
    pub missed: u64,
    /// Seconds that the engine took.
    pub engine: f64,
}

impl Seen {
    /// An error if a point was called doomed that is not, or the other way round.
    pub fn ensure_right(&self) -> Result<()> {
        ensure!(self.violations == 0, "{} points are called doomed, but were passed", self.violations);
        ensure!(self.missed == 0, "{} doomed points of small programs were missed", self.missed);
        Ok(())
    }
}

/// Checks the programs of some seeds: random ones with so many runs of each function, and as many small ones
/// whose runs are all tried.
pub fn check(
    compiler: &Compiler,
    seeds: Range<u64>,
    runs: u64,
    tell: &mut dyn FnMut(Event<'_>),
) -> Result<Seen> {
    let mut check = Check { compiler, tell, seen: Seen::default() };
    for group in groups(seeds) {
        check.random(group.clone(), runs)?;
        check.small(group)?;
    }
    Ok(check.seen)
}

/// What it takes to check programs.
struct Check<'c> {
    compiler: &'c Compiler,
    tell: &'c mut dyn FnMut(Event<'_>),
    seen: Seen,
}

impl Check<'_> {
    /// Random programs, from random states.
    fn random(&mut self, seeds: Range<u64>, runs: u64) -> Result<()> {
        let programs: Vec<Generated> = seeds.map(|seed| generate::generate(seed).without_main()).collect();
        self.each_function(&programs, |check, function| {
            let Judged { program, generated, signature, id, doomed, .. } = function;
            if doomed.points.is_empty() {
                return Ok(());
            }
            for run in 0..runs {
                let seed = generated.seed.wrapping_mul(1_000_003).wrapping_add(run);
                let (state, script) = draw_state(program, generated, signature, seed);
                check.run(program, id, &doomed.points, (&state, script, seed));
            }
            Ok(())
        })
    }

    /// Small programs, from all states.
    fn small(&mut self, seeds: Range<u64>) -> Result<()> {
        let programs: Vec<Generated> = seeds.map(tiny::generate).collect();
        self.each_function(&programs, |check, function| {
            let Judged { module, program, generated, signature, id, doomed } = function;
            let mut passed = BTreeSet::new();
            for args in tiny::inputs() {
                let args = args.into_iter().map(Concrete::Int).collect();
                let state = PreState { args, ..PreState::default() };
                passed.extend(check.run(program, id, &doomed.points, (&state, Script::default(), 1)));
            }
            let body = program.functions()[id].function.body.as_ref().context("it has a body")?;
            for point in points(module, body) {
                check.seen.small += 1;
                if !passed.contains(&point) {
                    check.seen.small_doomed += 1;
                    if !doomed.points.contains(&point) {
                        check.seen.missed += 1;
                        let (seed, function) = (generated.seed, signature.name.as_str());
                        (check.tell)(Event::MissedPoint { seed, function, point });
                    }
                }
            }
            Ok(())
        })
    }

    /// Compiles programs, and hands on each of their functions with its doomed points.
    fn each_function(
        &mut self,
        programs: &[Generated],
        mut check: impl FnMut(&mut Self, Judged<'_>) -> Result<()>,
    ) -> Result<()> {
        let module = self.compiler.module(programs)?;
        let program = Program::link(std::slice::from_ref(&module));
        let project = doomed::alone(&module);
        for generated in programs {
            (self.tell)(Event::Programs(&Text(std::slice::from_ref(generated))));
            for signature in &generated.functions {
                // Nobody calls it and nobody else sees it: clang leaves it out.
                let Some(id) = program.any_function(&signature.name) else { continue };
                let doomed =
                    self.judge(&project, &signature.name).context("every function should have a body")?;
                check(self, Judged { module: &module, program: &program, generated, signature, id, doomed })?;
            }
        }
        Ok(())
    }

    /// What the engine says of a function.
    fn judge(&mut self, project: &models::Alone<'_>, name: &str) -> Option<Analysis> {
        let function = project.find(name)?;
        let begun = Instant::now();
        let analysis = doomed::analyze(&project.around(function), &Options { dead_code: true });
        let seen = &mut self.seen;
        seen.engine += begun.elapsed().as_secs_f64();
        seen.functions += 1;
        seen.gave_up += u64::from(analysis.stats.gave_up);
        seen.found += u64::from(!analysis.findings.is_empty());
        seen.points += analysis.points.len() as u64;
        Some(analysis)
    }

    /// Runs a function; the points that it passed, if it ended normally.
    fn run(
        &mut self,
        program: &Program<'_>,
        function: FnRef,
        doomed: &[Point],
        run: (&PreState, Script, u64),
    ) -> BTreeSet<Point> {
        let ran = check_run(program, function, doomed, run, &mut self.seen);
        if let Some(how) = &ran.violation {
            (self.tell)(Event::Passed(how));
        }
        ran.passed
    }
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

/// The points that the engine judges: all blocks, and edges from a decision to a join, but for failing
/// branches of assertions.
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

/// What a run did.
#[derive(Default)]
pub(crate) struct Ran {
    /// The points that it passed, if it ended normally.
    passed: BTreeSet<Point>,
    /// Which run passed which doomed points, if it did and ended normally.
    pub(crate) violation: Option<String>,
}

/// Runs a function from a state.
pub(crate) fn check_run(
    program: &Program<'_>,
    function: FnRef,
    doomed: &[Point],
    (state, script, seed): (&PreState, Script, u64),
    seen: &mut Seen,
) -> Ran {
    let mut options = options(seed);
    options.record_ways = true;
    options.undefined = UndefinedPolicy::Chosen(seed);
    let Ok(run) = replay(program, function, state, script, options) else { return Ran::default() };
    let data = &program.functions()[function];
    let Some(body) = data.function.body.as_ref() else { return Ran::default() };
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
        return Ran::default();
    }
    seen.normal += 1;
    seen.violations += u64::from(!hit.is_empty());
    let violation = (!hit.is_empty())
        .then(|| format!("{} passes {hit:?} and ends normally, from {state:?} (seed {seed})", data.name));
    Ran { passed, violation }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_run_passes_a_doomed_point_and_ends_normally() {
        let compiler = Compiler::new(None).expect("there should be a clang");
        let seen = check(&compiler, 1..301, 30, &mut |_| ()).expect("programs should compile");
        assert_eq!((seen.violations, seen.missed, seen.gave_up), (0, 0, 0), "{seen:?}");
        // The test would notice: many points are doomed, many runs come to them and fail, and many runs end
        // normally.
        assert!(seen.confirmed > 1000 && seen.normal > 1000 && seen.small_doomed > 1000, "{seen:?}");
    }
}
