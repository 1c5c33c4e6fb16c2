//! `cargo x recall`: bugs seeded into real functions, and the share of them that the engine finds.
//!
//! Only changes count that are certainly real bugs. What that rests on is the control flow of the function and what models say of the
//! library; the engine is not asked. Paths of the code as it is are taken to be possible: nobody writes dead code on purpose. Common to all: `p` is followed from value to value along paths
//! ([`walk`]), a test of `p` against null goes the way that the question is about, a condition that every path to the start has decided goes that way, all other branches go both ways; what callees do is known by [`facts`].
//!
//! * **Removed check of an allocation.** `p` is the result of a function that may fail; a path on which it did comes to a test of it. The test is decided for "not null". Criterion:
//!   from there a path on which `p` is null comes to an access through it, or to a callee that accesses it for certain, before anybody else gets to look at it.
//! * **Removed free.** `p` is a new block; on a path on which nobody keeps it, it is freed for certain. That call is left out. Criterion: from there a path comes to a return, without `p` being freed, kept
//!   or returned. It is *on an error path* if `p` is kept or returned on another path.
//! * **Free done twice.** A call that frees its argument for certain is done again behind itself. Criterion: the call can be reached.
//! * **Use behind a free.** A byte is read through the pointer behind such a call. Criterion: the same.
//!
//! A seed counts as found if an error of the kind is reported at the place of the access, of the allocation or of what was inserted, or is told to callers by the summary, and
//! the code as it is has no such report. The null of an allocation may be told at another place, too, if the allocation is in the story. It is *proven* if the report rests on nothing but what was followed, and *suspected* otherwise. Callees are known by one analysis of the whole project.
//! Not covered: unlocks (nothing checks locks yet); blocks that are returned through a parameter; pointers kept in variables whose address is taken.

mod change;
mod facts;
mod judge;
mod seeds;
mod table;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use capture::{FrontEnd, Trust};
use ir::{Loc, Module};
use models::Library;
use project::{FnId, Project, UnitId};
use session::analysis::Again;
use session::workers;

use crate::corpus;
use facts::Facts;
use judge::{Outcome, Subject};
use seeds::{Kind, Seed};

/// Seed bugs into the corpus and print the share that the engine finds.
#[derive(clap::Args)]
pub(crate) struct Recall {
    /// Only these projects of the corpus.
    #[arg(long, value_delimiter = ',')]
    project: Vec<String>,
    /// What decides which places are taken.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seeds of each kind in each project, at most.
    #[arg(long, default_value_t = 60)]
    each: usize,
    /// Seeds of each kind in each function, at most.
    #[arg(long, default_value_t = 2)]
    per_function: usize,
    /// Only functions of this name.
    #[arg(long)]
    function: Option<String>,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// List what was missed, with function and place.
    #[arg(long)]
    list: bool,
    /// List what was found, too.
    #[arg(long)]
    list_all: bool,
    /// Write the tables to docs/benchmarks/recall.md.
    #[arg(long)]
    write: bool,
}

/// A seed with what became of it.
struct Judged {
    project: String,
    kind: Kind,
    outcome: Outcome,
    /// The function and place.
    place: String,
}

impl Recall {
    pub(crate) fn run(self) -> Result<()> {
        let mut judged = Vec::new();
        let projects = corpus::projects::selected(&self.project)?;
        for project in &projects {
            judged.extend(self.project(project.name)?);
        }
        for it in &judged {
            let is_missed = matches!(it.outcome, Outcome::Missed(_));
            if self.list_all || (self.list && is_missed) {
                println!("{} {:?} {:?}: {}", it.project, it.kind, it.outcome, it.place);
            }
        }
        let tables = table::tables(&judged);
        println!("{tables}");
        if self.write {
            let names: Vec<&str> = projects.iter().map(|project| project.name).collect();
            self.write(&names.join(","), &tables)?;
        }
        Ok(())
    }

    fn project(&self, name: &str) -> Result<Vec<Judged>> {
        let start = Instant::now();
        let cache = corpus::directory().join("cache");
        let front_end = FrontEnd::new(None, Some(&cache), Trust::Build);
        let (project, numbers) = corpus::load::load(name, &front_end, self.jobs, None)
            .with_context(|| format!("while reading {name}; `cargo x corpus fetch` gets it"))?;
        numbers.failed.iter().for_each(|failed| eprintln!("{name}: left out: {failed}"));
        ensure!(project.functions().len() > 0, "{name} has no functions; `cargo x corpus fetch` builds it");
        let options = options(self.jobs);
        let whole = session::analyze(&project, &options, &|_, _, _| {});
        eprintln!(
            "{name}: {} functions analyzed after {} s",
            project.functions().len(),
            start.elapsed().as_secs()
        );
        let judged = self.judged(name, &project, &whole, &options)?;
        eprintln!("{name}: {} seeds judged after {} s", judged.len(), start.elapsed().as_secs());
        Ok(judged)
    }

    /// Seeds bugs into a project, and says what became of them.
    fn judged(
        &self,
        name: &str,
        project: &Project,
        whole: &session::Analysis,
        options: &session::Options,
    ) -> Result<Vec<Judged>> {
        let facts = Facts::of(project, &Library::standard());
        let chosen = self.choose(project, &facts);
        let again = Again::new(project, whole, options);
        let mut by_unit: BTreeMap<UnitId, Vec<Seed>> = BTreeMap::new();
        for seed in chosen {
            by_unit.entry(project.function(seed.function).unit).or_default().push(seed);
        }
        let groups: Vec<(UnitId, Vec<Seed>)> = by_unit.into_iter().collect();
        let work = |(unit, seeds): &(UnitId, Vec<Seed>)| {
            judge_unit(project, whole, (&again, &options.split), *unit, seeds)
        };
        let mut judged = Vec::new();
        workers::in_order(&groups, self.jobs, || false, work, |unit: Vec<Judged>| judged.extend(unit))
            .context("while starting a thread")?;
        judged.iter_mut().for_each(|it| it.project = name.to_owned());
        Ok(judged)
    }

    /// Which seeds to try: random ones, not too many of a kind, in the order of functions.
    fn choose(&self, project: &Project, facts: &Facts) -> Vec<Seed> {
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

    fn write(&self, projects: &str, tables: &str) -> Result<()> {
        let text = format!(
            "# Recall: seeded bugs\n\nLast run of `cargo x recall --project {projects} --seed {} --each {} --per-function {} --write`.\n\
             What is seeded, when it counts as a real bug and when as found, says the header of `xtask/src/recall/mod.rs`.\n\
             Unlocks are not seeded: nothing checks locks yet.\n\n{tables}",
            self.seed, self.each, self.per_function
        );
        let file = crate::root().join("docs/benchmarks/recall.md");
        std::fs::write(&file, text).with_context(|| format!("while writing {}", file.display()))
    }
}

fn options(jobs: usize) -> session::Options {
    session::Options { jobs, ..session::Options::default() }
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
            judged.push(Judged {
                project: String::new(),
                kind: seed.kind,
                outcome,
                place: shown(project, seed),
            });
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
