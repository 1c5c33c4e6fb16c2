//! Bugs seeded into real functions, and whether the engine finds them.
//!
//! Only changes count that are certainly real bugs. What that rests on is the control flow of the function
//! and what models say of the library; the engine is not asked. Paths of the code as it is are taken to be
//! possible: nobody writes dead code on purpose. Common to all: `p` is followed from value to value along
//! paths ([`walk`]), a test of `p` against null goes the way that the question is about, a condition that
//! every path to the start has decided goes that way, all other branches go both ways; what callees do is
//! known by [`facts`].
//!
//! * **Removed check of an allocation.** `p` is the result of a function that may fail; a path on which it
//!   did comes to a test of it. The test is decided for "not null". Criterion: from there a path on which `p`
//!   is null comes to an access through it, or to a callee that accesses it for certain, before anybody else
//!   gets to look at it.
//! * **Removed free.** `p` is a new block; on a path on which nobody keeps it, it is freed for certain. That
//!   call is left out. Criterion: from there a path comes to a return, without `p` being freed, kept or
//!   returned. It is *on an error path* if `p` is kept or returned on another path.
//! * **Free done twice.** A call that frees its argument for certain is done again behind itself. Criterion:
//!   the call can be reached.
//! * **Use behind a free.** A byte is read through the pointer behind such a call. Criterion: the same.
//!
//! A seed counts as found if an error of the kind is reported at the place of the access, of the allocation
//! or of what was inserted, or is told to callers by the summary, and the code as it is has no such report.
//! The null of an allocation may be told at another place, too, if the allocation is in the story. It is
//! *proven* if the report rests on nothing but what was followed, and *suspected* otherwise. Callees are
//! known by one analysis of the whole project.
//! Not covered: unlocks (nothing checks locks yet); blocks that are returned through a parameter; pointers
//! kept in variables whose address is taken.

mod change;
mod facts;
mod judge;
mod seeds;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use ir::{Loc, Module};
use models::Library;
use project::{FnId, Project, UnitId};
use session::analysis::Again;
use session::workers;

pub use judge::{Cause, Outcome};
pub use seeds::Kind;

use facts::Facts;
use judge::Subject;
use seeds::Seed;

/// Which seeds are tried.
pub struct Choice {
    /// What decides which places are taken.
    pub seed: u64,
    /// Seeds of each kind in the project, at most.
    pub each: usize,
    /// Seeds of each kind in each function, at most.
    pub per_function: usize,
    /// Only functions of this name.
    pub function: Option<String>,
}

/// A seed with what became of it.
pub struct Judged {
    /// What was seeded.
    pub kind: Kind,
    /// What became of it.
    pub outcome: Outcome,
    /// The function and place, for people.
    pub place: String,
}

/// Seeds bugs into a project, and says what became of them; `whole` is what the engine says of the project as
/// it is, with these options.
pub fn judge(
    project: &Project,
    whole: &session::Analysis,
    options: &session::Options,
    choice: &Choice,
) -> Result<Vec<Judged>> {
    let facts = Facts::of(project, &Library::standard());
    let again = Again::new(project, whole, options);
    let mut by_unit: BTreeMap<UnitId, Vec<Seed>> = BTreeMap::new();
    for seed in choice.of(project, &facts) {
        by_unit.entry(project.function(seed.function).unit).or_default().push(seed);
    }
    let groups: Vec<(UnitId, Vec<Seed>)> = by_unit.into_iter().collect();
    let work = |(unit, seeds): &(UnitId, Vec<Seed>)| {
        judge_unit(project, whole, (&again, &options.split), *unit, seeds)
    };
    let mut judged = Vec::new();
    workers::in_order(&groups, options.jobs, || false, work, |unit: Vec<Judged>| judged.extend(unit))
        .context("while starting a thread")?;
    Ok(judged)
}

impl Choice {
    /// Which seeds to try: random ones, not too many of a kind, in the order of functions.
    fn of(&self, project: &Project, facts: &Facts) -> Vec<Seed> {
        let is_wanted =
            |id: &FnId| self.function.as_deref().is_none_or(|name| project.function(*id).pretty() == name);
        let mut all: Vec<Seed> =
            project.functions().filter(is_wanted).flat_map(|id| seeds::seeds(project, facts, id)).collect();
        fastrand::Rng::with_seed(self.seed).shuffle(&mut all);
        let mut by_kind: BTreeMap<Kind, usize> = BTreeMap::new();
        let mut by_function: BTreeMap<(Kind, FnId), usize> = BTreeMap::new();
        all.retain(|seed| {
            let in_function = by_function.entry((seed.kind, seed.function)).or_default();
            let of_kind = by_kind.entry(seed.kind).or_default();
            let is_taken = *of_kind < self.each && *in_function < self.per_function;
            *of_kind += usize::from(is_taken);
            *in_function += usize::from(is_taken);
            is_taken
        });
        all.sort_by(|a, b| (a.function, a).cmp(&(b.function, b)));
        all
    }
}

/// Judges the seeds of a unit, one after the other in a copy of its module.
fn judge_unit(
    project: &Project,
    whole: &session::Analysis,
    (again, options): (&Again<'_>, &split::Options),
    unit: UnitId,
    seeds: &[Seed],
) -> Vec<Judged> {
    let mut module: Module = project.units()[unit].module.clone();
    let place = module.locs.push(Loc { file: None, line: 0, column: 0, function: None, inlined_at: None });
    let mut judged = Vec::new();
    for of_function in seeds.chunk_by(|a, b| a.function == b.function) {
        let data = project.function(of_function[0].function);
        let Some(body) = data.function.body.clone() else { continue };
        let base = again.analyze(data.id, &module, options);
        let mut subject =
            Subject { project, whole, again, options, module: &mut module, place, body: body.clone(), base };
        for seed in of_function {
            let outcome = subject.judge(seed);
            judged.push(Judged { kind: seed.kind, outcome, place: shown(project, seed) });
        }
        module.functions[data.func].body = Some(body);
    }
    judged
}

/// "`f` (file.c:12:3), allocated at line 9, shows at line 14".
fn shown(project: &Project, seed: &Seed) -> String {
    let data = project.function(seed.function);
    let Some(body) = data.function.body.as_ref() else { return String::new() };
    let line = |inst: &ir::InstId| data.place(body.insts[*inst].loc).map_or(0, |(_, line, _)| line);
    let (file, at, column) = data.place(seed.loc(body)).unwrap_or_default();
    let shows: Vec<String> = seed.shows.iter().map(|inst| line(inst).to_string()).collect();
    let allocated =
        seed.allocation.map_or(String::new(), |inst| format!(", allocated at line {}", line(&inst)));
    let file = std::path::Path::new(file).file_name().map_or(file.into(), |name| name.to_string_lossy());
    format!("`{}` ({file}:{at}:{column}){allocated}, shows at line {}", data.pretty(), shows.join(", "))
}
