//! `indict run`: analyze programs and report what goes wrong.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use catalog::Choice;
use report::Report;
use session::{Request, Session, Shown, SourceFiles, Watch};

use crate::commands::{nothing, suggest};
use crate::options::{EffortOptions, Inputs};
use crate::output;
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  indict run list.c                               all functions of a file; it needs no main
  indict run -- make -j8                          all that a build compiles
  indict run -p build/                            all units of build/compile_commands.json
  indict run -p build/ --latent                   also what a careless caller could bring about
  indict run -p build/ --format json --output report.json
  indict run list.c --only use-after-free,double-free
  indict run list.c --cflag=-Iinclude --cflag=-DNDEBUG
  indict run -p build/ --models pool.toml          also read what functions without a body do

What is analyzed: every function that has a body, callees before callers, each on its own: its parameters, the globals and
the memory that they lead to may be anything. An allocation may fail; modeled library functions may return
whatever their manual allows. Unknown functions are not suspected: what they return is null or freed only where the program itself
tests for it and goes on; indict.toml can say what they do ([[fn]] name = \"pool_alloc\", like = \"malloc\"), and `indict suggest` proposes it.
Loops are followed a few times (--unroll), and so are the most different paths of a function (--width).

How to read a finding:
  manifest   the error can happen whatever the caller does. In main: in some run of the program.
  doomed     no execution that reaches this place ends normally.
  latent     the error needs a caller that makes the condition behind `when` true. A caller that does so has a manifest
             finding of its own. Latent leaks are always shown, unless all callers are known;
             other latent errors with --latent.
The trace lists what happens in the order of time; what a callee does is indented below its call. `indict issues KIND`
explains a kind, `indict explain FUNCTION FILE…` prints what is known about a function.

Exit status: 0 no findings, 1 findings, 2 nothing could be analyzed (the cause is on standard error). Latent errors that are
only counted do not make the status 1.";

/// Analyzes functions and reports the errors that are proved.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Run {
    #[command(flatten)]
    inputs: Inputs,

    /// The form of the report.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Write the report to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Also show errors that need a caller to make their condition true.
    #[arg(long)]
    latent: bool,

    /// Leave out errors that happen only if a function without a body or model returns something in particular. They are counted.
    #[arg(long)]
    no_unknown: bool,

    /// Report only these kinds (see `indict issues`), or `doomed` for all with that verdict.
    #[arg(long, value_name = "KIND,…", value_delimiter = ',')]
    only: Vec<String>,

    /// Do not report these kinds.
    #[arg(long, value_name = "KIND,…", value_delimiter = ',')]
    skip: Vec<String>,

    #[command(flatten)]
    effort: EffortOptions,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people, with excerpts of the source.
    Text,
    /// For programs.
    Json,
}

impl Run {
    pub(crate) fn run(&self, watch: &Watch<'_>) -> Result<Status> {
        // A misspelt kind or path should not cost the work.
        let request = self.request()?;
        let file = self.output.as_deref().map(open).transpose()?;
        let program = Session::open(&request, watch)?.load(watch)?;
        if program.is_empty() {
            return Ok(nothing());
        }
        let selection = program.selection();
        let mut options = program.options();
        options.report(&selection);
        let mut analysis = program.analyze(&options, watch)?;
        let found = std::mem::take(&mut analysis.report);
        let mut report = selection.of(program.report(found));
        if self.format == Format::Text {
            report.notes.extend(suggest::note(&program.suggest(&analysis, &report.findings)));
        }
        self.write(&report, file, &program.sources())?;
        Ok(if report.findings.is_empty() { Status::Clean } else { Status::Findings })
    }

    fn request(&self) -> Result<Request> {
        let (only, skip) = (find_all(&self.only)?, find_all(&self.skip)?);
        let shown = Shown { only, skip, latent: self.latent, no_unknown: self.no_unknown };
        Ok(Request { shown, ..self.effort.request(&self.inputs) })
    }

    fn write(&self, report: &Report, file: Option<File>, sources: &SourceFiles) -> Result<()> {
        let colors =
            file.is_none() && std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let text = match self.format {
            Format::Text => report::text(report, &|file| sources.read(file), colors),
            Format::Json => report::json(report),
        };
        match (file, &self.output) {
            (Some(file), Some(path)) => {
                replace(file, &text).with_context(|| format!("while writing {}", path.display()))
            }
            _ if colors => output::print_painted(&text),
            _ => output::print(&text),
        }
    }
}

fn find_all(ids: &[String]) -> Result<BTreeSet<Choice>> {
    ids.iter().map(|id| session::kind(id.trim())).collect()
}

/// Opens the file before the work begins: a misspelt path should not cost the work. The old content stays
/// until the end.
fn open(path: &Path) -> Result<File> {
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    file.with_context(|| format!("cannot write {}", path.display()))
}

fn replace(mut file: File, text: &str) -> std::io::Result<()> {
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    file.write_all(text.as_bytes())
}
