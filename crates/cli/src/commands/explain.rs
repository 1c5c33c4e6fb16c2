//! `indict explain`: what is known of a function.

use anyhow::Result;
use session::{Session, Watch};

use crate::commands::nothing;
use crate::options::{EffortOptions, Inputs};
use crate::output;
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  indict explain push list.c                   what callers of push can rely on, in one file
  indict explain push main.c list.c            with the callees in other files
  indict explain shop::Cart::total -p build/   a function of a project, by its name in the source

Each path is shown as a triple. The presumption says from which states the path starts: memory that must be there, and
conditions on parameters and globals. `ok` or an error says how the path ends. The result describes memory and values then. Every
state of the result is reached from some state of the presumption: nothing in it is a guess.
Callers see a function only through its triples; an error triple is a latent error, unless every caller must meet it.";

/// Prints what is known about a function: what each of its paths needs and what it leaves behind.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Explain {
    /// The function, by its name in the source or the linker's name.
    #[arg(value_name = "FUNCTION")]
    function: String,

    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    effort: EffortOptions,
}

impl Explain {
    pub(crate) fn run(&self, watch: &Watch<'_>) -> Result<Status> {
        let program = Session::open(&self.effort.request(&self.inputs), watch)?.load(watch)?;
        if program.is_empty() {
            return Ok(nothing());
        }
        let functions = program.functions_named(&self.function)?;
        let analysis = program.analyze(&program.options(), watch)?;
        output::print(&program.explain(&analysis, &functions).join("\n"))?;
        Ok(Status::Clean)
    }
}
