//! A program that is loaded, and what can be asked of it.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};
use base::limits;
use project::{FnId, Project, Proposal};
use report::{Files, Finding, Report};

use crate::analysis::{self, Analysis, Anchored, Engines, Options};
use crate::calls::{Calls, Part};
use crate::close;
use crate::config::Config;
use crate::explain::explain;
use crate::load::Loaded;
use crate::paths::{Here, SourceFiles};
use crate::request::Request;
use crate::roots::Roots;
use crate::shown::{self, Selection};
use crate::suggest::suggest;
use crate::watch::Watch;

/// How many notes on the linking of units are shown of each kind.
const NOTES_PER_KIND: usize = 3;

/// Units put together, with what the user and the project want of them. It never changes, and can be shared.
pub struct Program {
    pub(crate) project: Project,
    pub(crate) loaded: Loaded,
    pub(crate) config: Config,
    pub(crate) request: Request,
    pub(crate) here: Here,
    /// Threads to work with.
    pub(crate) jobs: usize,
}

impl Program {
    /// Whether nothing could be read, so that there is nothing to ask about.
    pub fn is_empty(&self) -> bool {
        self.loaded.units == 0
    }

    /// The units with their functions and calls.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The functions of that name, as the linker or the user knows it. An error proposes similar names if
    /// there are none.
    pub fn functions_named(&self, name: &str) -> Result<Vec<FnId>> {
        let found = self.project.functions_named(name);
        if found.is_empty() {
            let known = self.project.functions().map(|id| self.project.function(id).pretty());
            bail!("there is no function `{name}`{}", close::suggestion(name, known));
        }
        Ok(found)
    }

    /// Who calls whom, all of it or a part.
    pub fn calls(&self, part: &Part) -> Result<Calls> {
        Calls::of(&self.project, part, &self.here)
    }

    /// What the user and the project want to see.
    pub fn selection(&self) -> Selection {
        self.config.selection(&self.request.shown)
    }

    /// How functions are analyzed, by all engines and as the user and the project want it.
    pub fn options(&self) -> Options {
        let (effort, config) = (&self.request.effort, &self.config);
        let mut split = split::Options::default();
        split.unroll = effort.unroll.or(config.unroll).unwrap_or(split.unroll);
        split.width = effort.width.or(config.width).unwrap_or(split.width);
        split.intraprocedural = effort.intraprocedural;
        Options {
            split,
            doomed: doomed::Options::default(),
            engines: Engines::default(),
            library: Arc::clone(config.library()),
            jobs: self.jobs,
            run_bytes: limits::RUN_BYTES,
            anchored: Anchored::default(),
        }
    }

    /// Analyzes all functions.
    pub fn analyze(&self, options: &Options, watch: &Watch<'_>) -> Result<Analysis> {
        let analysis = analysis::analyze(&self.project, options, watch);
        watch.cancel().check()?;
        Ok(analysis)
    }

    /// What engines found, with ids and the names of files that the user knows, and with what is to say of
    /// loading.
    pub fn report(&self, found: Report) -> Report {
        let (sources, roots) = (self.sources(), Roots::default());
        let files = Files {
            shown: &|file| self.here.name(Path::new(file)),
            anchored: &|file| roots.anchored(Path::new(file)),
            // A name without a directory is another file from everywhere.
            bytes: &|file| Path::new(file).is_absolute().then(|| sources.read(file)).flatten(),
        };
        let mut report = shown::named(found, &files);
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

    /// What is known of functions, as text: their triples.
    pub fn explain(&self, analysis: &Analysis, functions: &[FnId]) -> Vec<String> {
        explain(&self.project, analysis, functions)
    }

    /// What could be said of functions of which nothing is known. `findings` are those that the user sees.
    pub fn suggest(&self, analysis: &Analysis, findings: &[Finding]) -> Vec<Proposal> {
        suggest(&self.project, self.config.library(), &analysis.unknown_calls, findings)
    }

    /// Where the sources are that findings name.
    pub fn sources(&self) -> SourceFiles {
        SourceFiles::of(self.project.units().iter().map(|unit| unit.path.as_path()), &self.here)
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
