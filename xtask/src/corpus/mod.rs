//! `cargo x corpus`: our tools on real code.
//!
//! `fetch` gets the projects and builds them once; `run` compiles every unit to bitcode, reads it, lowers it and verifies the
//! result, and prints what it cost beside what clang cost for the same unit in the same run.

mod fetch;
mod projects;
mod run;
mod table;

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::root;

/// Run on real C and C++: OpenSSL, SQLite, curl, libgit2, Lua, zlib, LevelDB.
#[derive(clap::Args)]
pub(crate) struct Corpus {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Get the sources from the package registry and build them once.
    Fetch,
    /// Compile, read, lower and verify every unit, and print costs and what is not modeled.
    Run(run::Run),
    /// Read and lower one bitcode file and print the peak of memory (used by `run`).
    #[command(hide = true)]
    One {
        /// The bitcode file.
        file: PathBuf,
    },
}

impl Corpus {
    pub(crate) fn run(self) -> Result<()> {
        match self.action {
            Action::Fetch => fetch::fetch(),
            Action::Run(run) => run.run(),
            Action::One { file } => run::one(&file),
        }
    }
}

/// Where the corpus lives: outside of what is committed.
fn directory() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => Path::new(&target).join("corpus"),
        None => root().join("target/corpus"),
    }
}

/// The compile commands of a project.
fn database(project: &str) -> PathBuf {
    directory().join("databases").join(project).join("compile_commands.json")
}
