//! `indict explain`: what is known of a function.

use anyhow::{Result, bail};

use crate::analysis::Effort;
use crate::commands::close;
use crate::inputs::Inputs;
use crate::output;
use crate::paths::Here;
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  indict explain push list.c                   what callers of push can rely on, in one file
  indict explain push main.c list.c            with the callees in other files
  indict explain shop::Cart::total -p build/   a function of a project, by its name in the source

A triple has three parts. The presumption says from which states the path starts: memory that must be there, and
conditions on parameters and globals. `ok` or an error says how the path ends. The result says what memory and values are then. From
every state that the result describes, there is one of the presumption that leads to it: nothing in it is a guess.
Callers see a function only through its triples; an error triple is a latent error, unless every caller must meet it.";

/// Prints what is known of a function: its paths with what they need and what they leave behind.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Explain {
    /// The function, by its name in the source or the linker's name.
    #[arg(value_name = "FUNCTION")]
    function: String,

    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    effort: Effort,
}

impl Explain {
    pub(crate) fn run(&self) -> Result<Status> {
        let here = Here::find();
        let Some(subject) = self.effort.prepare(&self.inputs, false, &here)? else {
            return Ok(Status::Failed);
        };
        let project = &subject.project;
        let name = &self.function;
        if project.functions_named(name).is_empty() {
            let known = project.functions().map(|id| project.function(id).pretty());
            bail!("there is no function `{name}`{}", close::suggestion(name, known));
        }
        output::print(&session::explain(project, &subject.analyze()?, name).join("\n"))?;
        Ok(Status::Clean)
    }
}
