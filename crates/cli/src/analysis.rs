//! From what the user names to the report on it: load, put together, analyze.

use anyhow::{Result, bail};
use driver::{Analysis, Options, Project};
use report::Report;

use crate::output;
use crate::paths::Here;
use crate::pipeline::Loaded;
use crate::progress::Progress;
use crate::stop;

/// How many notes on the linking of units are shown of each kind.
const NOTES_PER_KIND: usize = 3;

/// How thorough the analysis is: options of all commands that analyze.
#[derive(clap::Args)]
pub(crate) struct Effort {
    /// How often a path may go round a loop.
    #[arg(long, value_name = "N", default_value_t = 3)]
    unroll: u32,

    /// How many paths of a function are followed at the same time; what is more is dropped, the most similar first.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = at_least_one)]
    width: usize,
}

impl Effort {
    /// For the engines.
    pub(crate) fn options(&self, jobs: usize, latent: bool) -> Options {
        let mut options = Options { jobs, stop: stop::is_wanted, ..Options::default() };
        options.split.unroll = self.unroll;
        options.split.width = self.width;
        options.split.latent = latent;
        options
    }
}

/// Analyzes all functions of a project.
pub(crate) fn analyze(project: &Project, options: &Options) -> Result<Analysis> {
    let progress = Progress::of("functions", project.functions().len());
    let analysis = driver::analyze(project, options, &|done, _, findings| {
        progress.reach(done);
        progress.say(output::counted(findings, "finding"));
    });
    drop(progress);
    if stop::is_wanted() {
        bail!(stop::Interrupted);
    }
    Ok(analysis)
}

/// What the engines say of a project, with what is to say of loading it.
pub(crate) fn report(analysis: Analysis, project: &Project, loaded: &Loaded, here: &Here) -> Report {
    let mut report = analysis.report.with_files(|file| here.shorten(file.as_ref()));
    let mut notes = notes(project, loaded);
    notes.append(&mut report.notes);
    report.notes = notes;
    // Functions that were not even read count as given up.
    report.summary.functions += loaded.skipped;
    report.summary.gave_up += loaded.skipped;
    report
}

/// What was left out, and what was not obvious about putting the rest together.
fn notes(project: &Project, loaded: &Loaded) -> Vec<String> {
    let left_out = loaded.left_out.iter().map(|message| {
        let first_line = message.lines().next().unwrap_or_default().trim_end_matches(':');
        format!("left out: {first_line}")
    });
    left_out.chain(driver::notes::shown(project.notes(), NOTES_PER_KIND)).collect()
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least one path must be followed".to_owned()),
        Ok(width) => Ok(width),
        Err(error) => Err(format!("{error}")),
    }
}
