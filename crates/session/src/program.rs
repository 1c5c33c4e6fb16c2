//! From what the user names to the report on it: load, put together, analyze.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};
use project::Project;
use report::{Files, Report};
use session::{Analysis, Options};

use crate::config::{Config, ConfigOptions};
use crate::inputs::Inputs;
use crate::output;
use crate::paths::{Here, SourceFiles};
use crate::pipeline::{self, Loaded};
use crate::progress::Progress;
use crate::roots::Roots;
use crate::stop;

/// How many notes on the linking of units are shown of each kind.
const NOTES_PER_KIND: usize = 3;

/// How thorough the analysis is: options of all commands that analyze.
#[derive(clap::Args)]
pub(crate) struct Effort {
    /// How often a path may go round a loop. Without this option: 3.
    #[arg(long, value_name = "N")]
    unroll: Option<u32>,

    /// How many paths of a function are followed at the same time; what is more is dropped, the most similar first. Without this
    /// option: 20.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    width: Option<usize>,

    #[command(flatten)]
    config: ConfigOptions,
}

/// What is analyzed, and how the project wants it.
pub(crate) struct Subject {
    pub(crate) project: Project,
    pub(crate) loaded: Loaded,
    pub(crate) config: Config,
    /// For the engines.
    pub(crate) options: Options,
}

impl Effort {
    /// Reads the configuration and then all that it leaves to read; none if nothing can be analyzed.
    pub(crate) fn prepare(&self, inputs: &Inputs, latent: bool, here: &Here) -> Result<Option<Subject>> {
        let mut config = self.config.load(here)?;
        let jobs = inputs.jobs_or(config.jobs);
        let mut work = inputs.prepare(here)?;
        work.jobs = jobs;
        config.exclude(&mut work, inputs.names_files());
        work.sort();
        let (project, loaded) = pipeline::project(work, here)?;
        if loaded.units == 0 {
            output::complain("nothing could be analyzed");
            return Ok(None);
        }
        let options = self.options(jobs, latent || config.latent, &config);
        Ok(Some(Subject { project, loaded, config, options }))
    }

    fn options(&self, jobs: usize, latent: bool, config: &Config) -> Options {
        let library = Arc::clone(&config.library);
        let mut options = Options { jobs, library, stop: stop::is_wanted, ..Options::default() };
        let split = &mut options.split;
        split.unroll = self.unroll.or(config.unroll).unwrap_or(split.unroll);
        split.width = self.width.or(config.width).unwrap_or(split.width);
        split.latent = latent;
        options
    }
}

impl Subject {
    /// Analyzes all functions.
    pub(crate) fn analyze(&self) -> Result<Analysis> {
        let progress = Progress::of("functions", self.project.functions().len());
        let analysis = session::analyze(&self.project, &self.options, &|done, _, findings| {
            progress.reach(done);
            progress.say(output::counted(findings, "finding"));
        });
        drop(progress);
        if stop::is_wanted() {
            bail!(stop::Interrupted);
        }
        Ok(analysis)
    }

    /// What the engines say of it, with what is to say of loading it.
    pub(crate) fn report(&self, report: Report, here: &Here) -> Report {
        let (sources, roots) = (self.sources(here), Roots::default());
        let mut report = report.with_files(&Files {
            shown: &|file| here.name(Path::new(file)),
            anchored: &|file| roots.anchored(Path::new(file)),
            // A name without a directory is another file from everywhere.
            bytes: &|file| Path::new(file).is_absolute().then(|| sources.read(file)).flatten(),
        });
        report.findings.retain(|finding| !self.config.excludes(Path::new(&finding.file)));
        let mut notes = self.config.notes(&self.project);
        notes.extend(self.notes());
        notes.append(&mut report.notes);
        report.notes = notes;
        // Functions that were not even read count as given up.
        report.summary.functions += self.loaded.skipped;
        report.summary.gave_up += self.loaded.skipped;
        report
    }

    /// Where the sources are that findings name.
    pub(crate) fn sources(&self, here: &Here) -> SourceFiles {
        SourceFiles::of(self.project.units().iter().map(|unit| unit.path.as_path()), here)
    }

    /// What was left out, and what was not obvious about putting the rest together.
    fn notes(&self) -> Vec<String> {
        let left_out = self.loaded.left_out.iter().map(|message| {
            let first_line = message.lines().next().unwrap_or_default().trim_end_matches(':');
            format!("left out: {first_line}")
        });
        let doubts = self.loaded.notes.iter().cloned();
        left_out.chain(doubts).chain(project::notes::shown(self.project.notes(), NOTES_PER_KIND)).collect()
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least one path must be followed".to_owned()),
        Ok(width) => Ok(width),
        Err(error) => Err(format!("{error}")),
    }
}
