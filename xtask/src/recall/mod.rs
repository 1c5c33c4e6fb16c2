//! `cargo x recall`: bugs seeded into real functions, and the share of them that the engine finds.

mod table;

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use capture::{FrontEnd, Trust};
use theorem::recall::{self, Choice, Judged, Outcome};

use crate::corpus;

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

/// The seeds of a project with what became of them.
struct OfProject {
    name: &'static str,
    judged: Vec<Judged>,
}

impl Recall {
    pub(crate) fn run(self) -> Result<()> {
        let mut all = Vec::new();
        for project in corpus::projects::selected(&self.project)? {
            all.push(OfProject { name: project.name, judged: self.project(project.name)? });
        }
        for OfProject { name, judged } in &all {
            for it in judged {
                let is_missed = matches!(it.outcome, Outcome::Missed(_));
                if self.list_all || (self.list && is_missed) {
                    println!("{name} {:?} {:?}: {}", it.kind, it.outcome, it.place);
                }
            }
        }
        let tables = table::tables(&all);
        println!("{tables}");
        if self.write {
            let names: Vec<&str> = all.iter().map(|it| it.name).collect();
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
        let options = session::Options { jobs: self.jobs, ..session::Options::default() };
        let whole = session::analyze(&project, &options, &session::Watch::nobody());
        eprintln!(
            "{name}: {} functions analyzed after {} s",
            project.functions().len(),
            start.elapsed().as_secs()
        );
        let judged = recall::judge(&project, &whole, &options, &self.choice())?;
        eprintln!("{name}: {} seeds judged after {} s", judged.len(), start.elapsed().as_secs());
        Ok(judged)
    }

    fn choice(&self) -> Choice {
        let Recall { seed, each, per_function, .. } = *self;
        Choice { seed, each, per_function, function: self.function.clone() }
    }

    fn write(&self, projects: &str, tables: &str) -> Result<()> {
        let text = format!(
            "# Recall: seeded bugs\n\nLast run of `cargo x recall --project {projects} --seed {} --each {} --per-function {} --write`.\n\
             What is seeded, when it counts as a real bug and when as found, says the header of `crates/theorem/src/recall/mod.rs`.\n\
             Unlocks are not seeded: nothing checks locks yet.\n\n{tables}",
            self.seed, self.each, self.per_function
        );
        let file = crate::root().join("docs/benchmarks/recall.md");
        std::fs::write(&file, text).with_context(|| format!("while writing {}", file.display()))
    }
}
