//! The engine as it is shipped: what `indict run` does with a project and prints; and beside it what is
//! needed to replay that.
//!
//! The judged run has the options that a user has who asks for nothing: [`session::Options::default`] with
//! the library of the project's configuration, and [`session::Selection::default`]. The second run differs in
//! one option: its summaries keep all conditions and choices. Its triples are checked as promises of their
//! own, and states and scripts for the findings of the first come from them; what is judged is always the
//! first.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use models::{Library, Source};
use project::Project;
use report::{Files, Finding, Report};
use session::Selection;
use session::{Analysis, Options};

use crate::programs::types::CONFIGURATION;

/// What `indict run` says of a project.
pub(crate) struct Shipped {
    /// What is shown.
    pub(crate) findings: Vec<Finding>,
    /// What the engines know.
    pub(crate) analysis: Analysis,
}

/// A hand in what the engines say before it is selected: to see that wrong verdicts are noticed.
pub(crate) type Tamper = fn(&mut Report);

/// The library of projects with the configuration of random programs.
pub(crate) fn library() -> Result<Arc<Library>> {
    let source = Source { file: "indict.toml".to_owned(), text: CONFIGURATION.to_owned(), settings: &[] };
    let mistakes = |errors: Vec<models::Error>| anyhow!("{}", errors[0]);
    Ok(Arc::new(Library::new(&[source]).map_err(mistakes)?))
}

/// Analyzes a project as `indict run` does.
pub(crate) fn run(project: &Project, library: &Arc<Library>, tamper: Tamper) -> Shipped {
    let selection = Selection::default();
    let mut options = Options { library: Arc::clone(library), ..Options::default() };
    options.report(&selection);
    let mut analysis = session::analyze(project, &options, &session::Watch::nobody());
    let as_it_is = |file: &str| file.to_owned();
    let files = Files { shown: &as_it_is, anchored: &as_it_is, bytes: &|_| None };
    let mut report = session::named(std::mem::take(&mut analysis.report), &files);
    tamper(&mut report);
    Shipped { findings: selection.of(report).findings, analysis }
}

/// The options of the second run.
pub(crate) fn replay_options(library: &Arc<Library>) -> Options {
    let mut options = Options { library: Arc::clone(library), ..Options::default() };
    options.engines.doomed = false;
    options.split.replay = true;
    options
}
