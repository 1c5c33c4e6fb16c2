//! Doomed points against runs.
//!
//! *Sound*: no run of a random program passes a point that is called doomed, and ends normally. *Complete*:
//! in loop-free programs over small domains ([`tiny`]), whose runs can all be tried, every point that no
//! normally ending run passes is called doomed. Of programs with loops, all runs are tried, too, so that a
//! point which few inputs pass does not escape; how many of their doomed points are found is counted.
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
    /// Points of small programs without loops.
    pub small: Small,
    /// The same of small programs with loops.
    pub looped: Small,
    /// Seconds that the engine took.
    pub engine: f64,
}

/// Points of small programs, all of whose runs were tried.
#[derive(Clone, Copy, Debug, Default)]
pub struct Small {
    /// All of them.
    pub points: u64,
    /// Those that no normal run passes.
    pub doomed: u64,
    /// Those of them that were not found.
    pub missed: u64,
}

impl Small {
    fn add(&mut self, other: Small) {
        self.points += other.points;
        self.doomed += other.doomed;
        self.missed += other.missed;
    }
}

impl Seen {
    /// An error if a point was called doomed that is not, or the other way round.
    pub fn ensure_right(&self) -> Result<()> {
        ensure!(self.violations == 0, "{} points are called doomed, but were passed", self.violations);
        ensure!(self.small.missed == 0, "{} doomed points of small programs were missed", self.small.missed);
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
        let small = check.small(group.clone(), tiny::generate)?;
        check.seen.small.add(small);
        let looped = check.small(group, tiny::generate_with_loops)?;
        check.seen.looped.add(looped);
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
    fn small(&mut self, seeds: Range<u64>, generate: fn(u64) -> Generated) -> Result<Small> {
        let programs: Vec<Generated> = seeds.map(generate).collect();
        let mut small = Small::default();
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
                small.points += 1;
                if !passed.contains(&point) {
                    small.doomed += 1;
                    if !doomed.points.contains(&point) {
                        small.missed += 1;
                        let (seed, function) = (generated.seed, signature.name.as_str());
                        (check.tell)(Event::MissedPoint { seed, function, point });
                    }
                }
            }
            Ok(())
        })?;
        Ok(small)
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
        doomed: &[BlockId],
        run: (&PreState, Script, u64),
    ) -> BTreeSet<BlockId> {
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

/// The points that the engine judges: all blocks but failing branches of assertions.
fn points(module: &Module, body: &Body) -> Vec<BlockId> {
    let is_failure = |inst: &ir::InstId| match &body.insts[*inst].inst {
        ir::Inst::Call { call } => match body.calls[*call].callee {
            ir::Callee::Func(func) => module.symbols.resolve(module.functions[func].name) == "__assert_fail",
            _ => false,
        },
        _ => false,
    };
    let cfg = ir::Cfg::new(body);
    let blocks = cfg.reverse_postorder().iter().copied();
    blocks.filter(|&it| !body.blocks[it].insts.iter().any(is_failure)).collect()
}

/// What a run did.
#[derive(Default)]
pub(crate) struct Ran {
    /// The points that it passed, if it ended normally.
    passed: BTreeSet<BlockId>,
    /// Which run passed which doomed points, if it did and ended normally.
    pub(crate) violation: Option<String>,
}

/// Runs a function from a state.
pub(crate) fn check_run(
    program: &Program<'_>,
    function: FnRef,
    doomed: &[BlockId],
    (state, script, seed): (&PreState, Script, u64),
    seen: &mut Seen,
) -> Ran {
    let mut options = options(seed);
    options.record_ways = true;
    options.undefined = UndefinedPolicy::Chosen(seed);
    let Ok(run) = replay(program, function, state, script, options) else { return Ran::default() };
    let data = &program.functions()[function];
    let Some(body) = data.function.body.as_ref() else { return Ran::default() };
    let mut passed: BTreeSet<BlockId> = [Body::ENTRY].into();
    for &(_, block, target) in run.machine().taken().iter().filter(|it| it.0 == function) {
        passed.extend(body.blocks[block].term.targets().nth(target).map(|it| it.block));
    }
    let hit: Vec<&BlockId> = doomed.iter().filter(|it| passed.contains(it)).collect();
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
        assert_eq!((seen.violations, seen.small.missed, seen.gave_up), (0, 0, 0), "{seen:?}");
        // The test would notice: many points are doomed, many runs come to them and fail, and many runs end
        // normally.
        assert!(
            seen.confirmed > 1000
                && seen.normal > 1000
                && seen.small.doomed > 1000
                && seen.looped.doomed > 500,
            "{seen:?}"
        );
    }
}
