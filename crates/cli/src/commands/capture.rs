//! `indict capture`: run a build and write down what it compiles, for later.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Result, bail};
use capture::{FrontEnd, Sandbox, Trust};

use crate::build::BuildOptions;
use crate::output;
use crate::paths::Here;
use crate::status::Status;
use crate::store::StoreOptions;

const EXAMPLES: &str = "\
Examples:
  indict capture -- make -j8
  indict capture -- sh -c './configure && make'
  indict capture -- cmake --build build
  indict run -p .indict                   then analyze what was captured

The build runs as it always does; its output and its exit status are its own. What compiled is written to
.indict/compile_commands.json (a compilation database, which other tools read as well) and .indict/links.json, also if the build fails.

Exit status: that of the build.";

/// Runs a build and writes a compilation database of what it compiles.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Capture {
    #[command(flatten)]
    building: BuildOptions,

    #[command(flatten)]
    store: StoreOptions,

    /// The clang for sources that the build generates and may delete, 15 or newer.
    #[arg(long, value_name = "PATH")]
    clang: Option<PathBuf>,

    /// The build command.
    #[arg(last = true, required = true, value_name = "BUILD")]
    build: Vec<OsString>,
}

impl Capture {
    pub(crate) fn run(&self) -> Result<Status> {
        let store = self.store.open(None)?;
        if !store.is_lasting() {
            bail!("what the build compiles could not be written; name a place for it with --store DIR");
        }
        let front_end = FrontEnd::new(self.clang.as_deref(), Some(store.cache()), Trust::SearchPath);
        let built = self.building.run(&self.build, &store, &front_end, (&[], Sandbox::On))?;
        let Some(database) = &built.database else { return Ok(Status::Build(built.status)) };
        let database = Here::find().shorten(database);
        let skipped = match built.skipped.len() {
            0 => String::new(),
            count => format!("; {} in other languages skipped", output::counted(count, "source")),
        };
        let compilations = output::counted(built.compilations, "compilation");
        output::complain(&format!("{compilations} in {database}{skipped}"));
        Ok(Status::Build(built.status))
    }
}
