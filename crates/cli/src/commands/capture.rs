//! `indict capture`: run a build and write down what it compiles, for later.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;
use base::counted;
use session::{Here, Watch};

use crate::options::{BuildOptions, StoreOptions};
use crate::output;
use crate::status::Status;

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
    pub(crate) fn run(&self, watch: &Watch<'_>) -> Result<Status> {
        let build = self.building.request(&self.build);
        let built = session::capture_build(&build, &self.store.choice(), self.clang.as_deref(), watch)?;
        let status = built.status.map_or(Status::Interrupted, Status::Build);
        let Some(database) = &built.database else { return Ok(status) };
        let database = Here::find().shorten(database);
        let skipped = match built.skipped.len() {
            0 => String::new(),
            count => format!("; {} in other languages skipped", counted(count, "source")),
        };
        let compilations = counted(built.compilations, "compilation");
        output::complain(&format!("{compilations} in {database}{skipped}"));
        Ok(status)
    }
}
