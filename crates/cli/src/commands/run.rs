//! `indict run`: analyze programs and report what goes wrong.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use catalog::Issue;
use report::Report;

use crate::commands::issues;
use crate::inputs::Inputs;
use crate::output;
use crate::paths::Here;
use crate::pipeline;
use crate::run::{self, Settings};
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  indict run main.c list.c                        execute the program of two files
  indict run -p build/                            all units of build/compile_commands.json
  indict run -p build/ --format json --output report.json
  indict run main.c --only use-after-free,double-free
  indict run main.c --cflag=-Iinclude --cflag=-DNDEBUG

How it works in this version: the program is executed in an interpreter that knows of every byte whether it is allocated and
written. It gets no arguments and no input. Then it is executed again for each of its first 100 allocations, which fails
that time. Every error met this way is real. A run ends where the program calls code that is not known, and a note says
where. Functions that main does not reach are not judged yet; the engines that do so without a main come with later versions.

Exit status: 0 no findings, 1 findings, 2 nothing could be analyzed (the cause is on standard error).";

/// Analyzes programs and reports the errors found.
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

    /// Report only these kinds (see `indict issues`).
    #[arg(long, value_name = "KIND,…", value_delimiter = ',')]
    only: Vec<String>,

    /// Do not report these kinds.
    #[arg(long, value_name = "KIND,…", value_delimiter = ',')]
    skip: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people, with excerpts of the source.
    Text,
    /// For programs.
    Json,
}

impl Run {
    pub(crate) fn run(&self) -> Result<Status> {
        let settings = Settings { kinds: self.kinds()?, jobs: self.inputs.jobs() };
        let file = self.output.as_deref().map(open).transpose()?;
        let here = Here::find();
        let mut work = self.inputs.prepare(&here)?;
        work.sort();
        let (project, loaded) = pipeline::project(work, &here)?;
        if loaded.units == 0 {
            output::complain("nothing could be analyzed");
            return Ok(Status::Failed);
        }
        let report = run::analyze(project, loaded.skipped, &loaded.left_out, &here, &settings)?;
        self.write(&report, file)?;
        Ok(if report.findings.is_empty() { Status::Clean } else { Status::Findings })
    }

    fn kinds(&self) -> Result<BTreeSet<Issue>> {
        let find = |ids: &[String]| {
            ids.iter().map(|id| issues::find(id.trim())).collect::<Result<BTreeSet<Issue>>>()
        };
        let only = match self.only.is_empty() {
            true => Issue::ALL.iter().copied().collect(),
            false => find(&self.only)?,
        };
        Ok(&only - &find(&self.skip)?)
    }

    fn write(&self, report: &Report, file: Option<File>) -> Result<()> {
        let colors =
            file.is_none() && std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let text = match self.format {
            Format::Text => report::text(report, &source, colors),
            Format::Json => report::json(report),
        };
        match (file, &self.output) {
            (Some(file), Some(path)) => {
                replace(file, &text).with_context(|| format!("while writing {}", path.display()))
            }
            _ => output::print(&text),
        }
    }
}

/// The text of a source file; none if it cannot be read any more.
fn source(file: &str) -> Option<String> {
    fs::read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Opens the file before the work begins: a misspelt path should not cost the work. The old content stays until the end.
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
