//! `cargo x corpus peers`: other analyzers on the files of the corpus, beside what we find there.
//!
//! `clang --analyze`, `gcc -fanalyzer` and `cppcheck` get each unit with its own flags, in a process of its
//! own with a limit of time and memory. What they say is translated into our kinds ([`kinds`], a table) and
//! compared with the findings of a stored run of ours by file, line and family of kinds ([`overlap`]).
//! Nothing here judges who is right: that is done by reading, in `docs/comparison.md`.
//!
//! Reading order: [`tool`] (who they are), [`clang`], [`gcc`], [`cppcheck`] (how each is asked and what it
//! answers), [`process`], [`work`] (all units of a project), [`kinds`], [`overlap`], [`table`], [`sample`].

pub(crate) mod tool;

mod clang;
mod cppcheck;
mod gcc;

pub(crate) mod process;
pub(crate) mod work;

pub(crate) mod kinds;
mod overlap;

mod sample;
mod table;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use super::projects::{self, Project};
use super::{directory, fetch, run};
use overlap::Compared;
use process::Limits;
use tool::{Asked, Tool};

/// Options of `cargo x corpus peers`.
#[derive(clap::Args)]
pub(crate) struct Peers {
    /// Only these.
    #[arg(value_name = "PROJECT")]
    projects: Vec<String>,
    /// Only these of the tools.
    #[arg(long, value_delimiter = ',', value_name = "TOOL")]
    tool: Vec<Tool>,
    /// Only so many units of each project, spread evenly.
    #[arg(long)]
    units: Option<usize>,
    /// Seconds of a processor for each unit and tool.
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Memory for each unit and tool.
    #[arg(long, default_value_t = 2000)]
    megabytes: u64,
    /// Processes at a time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Run no tool: compare what is stored, and write docs/benchmarks/peers.md again.
    #[arg(long)]
    stored: bool,
    /// The run of ours to compare with.
    #[arg(long, default_value = run::LAST)]
    name: String,
    /// Print so many findings of each tool that only it has, spread over projects and kinds.
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
}

impl Peers {
    pub(crate) fn run(self) -> Result<()> {
        let projects = projects::selected(&self.projects)?;
        if !self.stored {
            self.ask_all(&projects)?;
        }
        let mut all = Vec::new();
        for project in projects {
            all.extend(Compared::load(project, &self.name)?);
        }
        ensure!(!all.is_empty(), "no result is stored in {}; leave out --stored", results().display());
        print!("{}", table::tables(&all));
        if let Some(count) = self.sample {
            print!("{}", sample::listing(&all, count));
        }
        // Half a table in the documents would be taken for a whole one.
        if self.projects.is_empty() {
            table::publish(&all, &self.name)?;
        }
        Ok(())
    }

    fn ask_all(&self, projects: &[&Project]) -> Result<()> {
        fetch::fetch(projects)?;
        fs::create_dir_all(results())?;
        let tools = Tool::ALL.iter().filter(|tool| self.tool.is_empty() || self.tool.contains(tool));
        let asked = tools.map(|&tool| Asked::find(tool)).collect::<Result<Vec<Asked>>>()?;
        let limits = Limits { seconds: self.limit, megabytes: self.megabytes };
        for project in projects {
            for asked in &asked {
                let result = work::work(project, asked, limits, self.units, self.jobs)
                    .with_context(|| format!("while running {} on {}", asked.tool.id(), project.name))?;
                println!("{}", table::progress(project.name, asked.tool, &result));
                result.save(project.name, asked.tool)?;
            }
        }
        Ok(())
    }
}

/// Where the answers of the tools are kept.
pub(crate) fn results() -> PathBuf {
    directory().join("peers")
}
