//! What the engine promises, against runs: the theorems of the papers as tests, on random programs.
//!
//! Random small programs are compiled together into a project of several units and analyzed as `indict run`
//! does it ([`shipped`]). The findings that it prints must happen ([`findings`], [`expected`]): manifest ones
//! from states that nobody chose ([`manifest`], [`context`]), others from some state; no run passes a doomed
//! point and ends normally ([`points`]).
//!
//! What is needed to replay paths comes from a second run that keeps it ([`mod@bench`]). For every triple of
//! that one a state is drawn from a model of it ([`draw`]) and run in the interpreter, which must do what the
//! triple says ([`triples`], [`verify`]); so must triples of the shipped run where nothing but the state
//! decides. Where the interpreter stops at bits that were never written and the triple does not, a second
//! opinion is asked for ([`opinion`]). The other way round, the interpreter runs functions from random
//! states, and the errors it meets are looked up among the triples ([`misses`]).
//! Source: `DESIGN.md` §13.2; Le, Raad, Villard, Berdine, Dreyer, O'Hearn, *Finding Real Bugs in Big Programs
//! with Incorrectness Logic*, OOPSLA 2022, Thm 3.5 and Def. 3.6.

mod bench;
mod context;
mod draw;
mod expected;
mod findings;
mod located;
mod manifest;
mod misses;
mod names;
mod opinion;
pub(crate) mod shipped;
#[cfg(test)]
mod tests;
mod triples;
mod verify;

use std::ops::Range;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use session::analysis::Again;
use summary::Summary;

pub use findings::Judged;
pub use misses::Misses;
pub use triples::{Seen, Violation};

use crate::programs::compile::{Compiler, Text};
use crate::programs::generate::{self, Generated};
use crate::programs::groups;
use crate::{Event, points};
use bench::{Bench, Shown};
use names::Names;
use shipped::Tamper;

/// What was seen.
#[derive(Default)]
pub struct Totals {
    /// Programs.
    pub programs: u64,
    /// Functions.
    pub functions: u64,
    /// Seconds that the engine took.
    pub engine: f64,
    /// Of triples and findings.
    pub seen: Seen,
    /// Of doomed points.
    pub doomed: points::Seen,
    /// Of errors that runs met.
    pub misses: Misses,
}

impl Totals {
    /// An error if a promise was not kept, or not enough of them were tried.
    pub fn ensure_kept(&self) -> Result<()> {
        ensure_kept(&self.seen, self.doomed.violations)
    }
}

impl Seen {
    /// An error if a promise was not kept, or not enough of them were tried.
    pub fn ensure_kept(&self) -> Result<()> {
        ensure_kept(self, 0)
    }
}

fn ensure_kept(seen: &Seen, n_doomed: u64) -> Result<()> {
    let n_violations = seen.violations.len();
    ensure!(n_violations == 0, "{n_violations} promises were not kept");
    ensure!(n_doomed == 0, "{n_doomed} points are called doomed, but were passed");
    ensure!(!seen.has_too_many_void(), "too many triples are such that no state satisfies them");
    ensure!(!seen.judged.has_too_many_skipped(), "too many states of manifest findings were skipped");
    Ok(())
}

/// Checks the programs of some seeds, with so many runs of each function from random states.
pub fn check(
    compiler: &Compiler,
    seeds: Range<u64>,
    runs: u64,
    tell: &mut dyn FnMut(Event<'_>),
) -> Result<Totals> {
    check_all(compiler, seeds, runs, (tell, |_| ()))
}

/// Checks the functions of a text, in its order; it may use what random programs use.
pub fn check_text(compiler: &Compiler, text: &str, tell: &mut dyn FnMut(Event<'_>)) -> Result<Seen> {
    check_one(compiler, text, tell, (&|_| (), |_| ()))
}

/// Checks programs, with a hand in what the engine says of them.
fn check_all(
    compiler: &Compiler,
    seeds: Range<u64>,
    runs: u64,
    (tell, tamper): (&mut dyn FnMut(Event<'_>), Tamper),
) -> Result<Totals> {
    let mut totals = Totals::default();
    let elsewhere = compiler.elsewhere()?;
    let library = shipped::library()?;
    for group in groups(seeds) {
        let programs: Vec<Generated> = group.clone().map(generate::generate).collect();
        tell(Event::Programs(&Text(&programs)));
        let mut check = || -> Result<()> {
            let project = compiler.project(&programs)?;
            let bench = Bench::new(&project, &elsewhere, &library, tamper);
            bench.check(&programs, runs, &mut totals, tell)
        };
        check().with_context(|| format!("in the programs of seeds {} to {}", group.start, group.end - 1))?;
    }
    Ok(totals)
}

/// A hand in the triples that are replayed.
type TamperTriples<'t> = &'t dyn Fn(&mut Arc<Summary>);

/// Checks a text, with a hand in what the engine says of it.
fn check_one(
    compiler: &Compiler,
    text: &str,
    tell: &mut dyn FnMut(Event<'_>),
    (triples, findings): (TamperTriples<'_>, Tamper),
) -> Result<Seen> {
    let project = compiler.single(text)?;
    let elsewhere = compiler.elsewhere()?;
    let library = shipped::library()?;
    let mut bench = Bench::new(&project, &elsewhere, &library, findings);
    bench.replayable.summaries.iter_mut().for_each(triples);
    let options = shipped::replay_options(&library);
    let again = Again::new(&project, &bench.replayable, &options);
    let names = Names::new(&project, &bench.program, &again);
    let mut seen = Seen::default();
    for id in project.functions() {
        let subject = bench.subject(&names, id, None).context("every function should be analyzed")?;
        let function = project.function(id);
        for spec in &subject.summary.split.specs {
            tell(Event::Triple { function: function.name(), triple: &Shown(subject.summary, spec) });
        }
        bench.check_function(&subject, (id, None), &mut seen);
    }
    bench.shipped.findings.iter().for_each(|finding| tell(Event::Finding(finding)));
    Ok(seen)
}
