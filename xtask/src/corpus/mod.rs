//! `cargo x corpus`: our tools on real code.
//!
//! `fetch` gets the projects and builds them once; `run` compiles every unit to bitcode, reads it, lowers it,
//! verifies the result and analyzes all functions, and prints what was found and what it cost beside what
//! clang cost for the same units; `compare` prints what two runs found differently.
//!
//! Reading order: [`projects`] (the table), [`fetch`], [`numbers`] (what is kept of a run), [`load`] and
//! [`one`] (the work on a project, in a process of its own), [`run`], [`table`], [`compare`]; [`doomed`]
//! (doomed points alone), [`growth`] (whether analysis is linear) and [`peers`] (other analyzers on the same
//! files) stand aside.

pub(crate) mod projects;

pub(crate) mod fetch;

pub(crate) mod load;
mod numbers;
pub(crate) mod one;

mod run;
mod table;

mod compare;

pub(crate) mod doomed;
mod growth;
pub(crate) mod peers;

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::root;

/// Run on real C and C++: OpenSSL, SQLite, curl, libgit2, LevelDB and others.
#[derive(clap::Args)]
pub(crate) struct Corpus {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Get the sources from the package registry and build them once.
    Fetch {
        /// Only these.
        #[arg(value_name = "PROJECT")]
        projects: Vec<String>,
    },
    /// Compile, read, lower and analyze every unit; print findings, costs, and what was given up or is not modeled.
    Run(run::Run),
    /// Print the findings that are in one stored run and not in the other.
    Compare(compare::Compare),
    /// Look for doomed points only; print findings, queries and costs, and write docs/benchmarks/doomed.md.
    Doomed(doomed::Doomed),
    /// Analyze growing parts of a project, and the whole of it with two threads: what does another function cost?
    Growth(growth::Growth),
    /// Run clang's analyzer, GCC's and cppcheck on the same units, and print what they and we find.
    Peers(peers::Peers),
    /// Print the table of a stored run again, and write it to docs/benchmarks/corpus.md.
    Table {
        /// The run.
        #[arg(default_value = run::LAST)]
        name: String,
    },
    /// Work on one project in this process (used by `run`).
    #[command(hide = true)]
    One(one::One),
}

impl Corpus {
    pub(crate) fn run(self) -> Result<()> {
        match self.action {
            Action::Fetch { projects } => fetch::fetch(&projects::selected(&projects)?),
            Action::Run(run) => run.run(),
            Action::Compare(compare) => compare.run(),
            Action::Doomed(doomed) => doomed.run(),
            Action::Growth(growth) => growth.run(),
            Action::Peers(peers) => peers.run(),
            Action::Table { name } => table::publish(&name),
            Action::One(one) => one.run(),
        }
    }
}

/// Where the corpus lives: outside of what is committed.
pub(crate) fn directory() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => Path::new(&target).join("corpus"),
        None => root().join("target/corpus"),
    }
}

/// The compile commands of a project.
fn database(project: &str) -> PathBuf {
    directory().join("databases").join(project).join("compile_commands.json")
}

/// Where bitcode is kept between runs.
pub(crate) fn cache() -> PathBuf {
    directory().join("store/cache")
}

/// Where a run keeps what came out.
fn stored(run: &str) -> PathBuf {
    directory().join("runs").join(run)
}
