//! Findings, and the report they are part of. Plain data: two renderings are made of it.

use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};

use anyhow::Result;
use catalog::{Issue, Verdict};
use driver::{Note, Project};
use serde::Serialize;

use crate::paths::Here;
use crate::run::judge::{Judge, Judged};
use crate::run::places::Places;
use crate::run::programs::{Functions, Programs};
use crate::run::{execute, fingerprint};

/// How many notes on the linking of units are shown of each kind.
const NOTES_PER_KIND: usize = 3;

/// What the user chose.
pub(crate) struct Settings {
    /// The kinds to report.
    pub(crate) kinds: BTreeSet<Issue>,
    /// Threads to work with.
    pub(crate) jobs: usize,
}

/// All that a run says.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    pub(crate) findings: Vec<Finding>,
    pub(crate) summary: Summary,
    pub(crate) notes: Vec<String>,
}

/// An error, as it is reported.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Finding {
    /// The same for the same error, wherever its lines move.
    pub(crate) id: String,
    #[serde(serialize_with = "issue_id")]
    pub(crate) kind: Issue,
    #[serde(serialize_with = "verdict_id")]
    pub(crate) verdict: Verdict,
    pub(crate) function: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) message: String,
    /// When it happens, over what a caller can choose.
    pub(crate) condition: &'static str,
    pub(crate) engine: &'static str,
    pub(crate) trace: Vec<Step>,
}

/// A step of the story that leads to the error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Step {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) function: String,
    /// Calls around it, 0 in `main`.
    pub(crate) depth: usize,
    pub(crate) message: String,
}

/// Numbers for the end.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Summary {
    /// Functions with a body.
    pub(crate) functions: usize,
    /// Functions that were executed to an end.
    pub(crate) analyzed: usize,
    /// Functions that could not be lowered, or in which an execution had to stop for want of knowledge.
    pub(crate) gave_up: usize,
    pub(crate) findings: usize,
    pub(crate) latent: usize,
}

/// Executes the programs of a project. `skipped` functions could not be lowered; `left_out` says which inputs could not be used.
pub(crate) fn analyze(
    project: Project,
    skipped: usize,
    left_out: &[String],
    here: &Here,
    settings: &Settings,
) -> Result<Report> {
    let mut judged = Judged::default();
    let mut functions = Functions::of(project.units().iter(), skipped);
    for message in left_out {
        let first_line = message.lines().next().unwrap_or_default().trim_end_matches(':');
        judged.notes.add(format!("left out: {first_line}"));
    }
    // What is ambiguous is not followed here, which is told below.
    let is_followed = |note: &&Note| !matches!(note, Note::Ambiguous { .. });
    let linking: Vec<Note> = project.notes().iter().filter(is_followed).cloned().collect();
    driver::notes::shown(&linking, NOTES_PER_KIND).into_iter().for_each(|note| judged.notes.add(note));
    let programs = Programs::of(project, &mut judged.notes);
    programs.each(|modules, files| {
        let mut whole = || {
            let places = Places::new(here, files);
            let program = interp::Program::link(modules.iter().copied());
            let executions = execute::all(&program, settings.jobs, &mut judged.notes)?;
            Judge::new(&program, &places).judge(&executions, &mut judged);
            functions.add_executed(&program, files);
            Ok(())
        };
        // An error of ours must not take the other programs with it.
        panic::catch_unwind(AssertUnwindSafe(&mut whole)).unwrap_or_else(|_| {
            judged.notes.add(format!("internal error while executing {}; please report it", files[0]));
            Ok(())
        })
    })?;
    Ok(finish(judged, &functions, settings))
}

fn finish(judged: Judged, functions: &Functions, settings: &Settings) -> Report {
    let mut findings = judged.findings;
    findings.sort_by(|left, right| left.order().cmp(&right.order()));
    fingerprint::assign(&mut findings);
    findings.retain(|finding| settings.kinds.contains(&finding.kind));
    let latent = findings.iter().filter(|finding| finding.verdict == Verdict::Latent).count();
    let summary = Summary {
        functions: functions.total(),
        analyzed: functions.executed_except(&judged.gave_up),
        gave_up: functions.skipped() + judged.gave_up.len(),
        findings: findings.len(),
        latent,
    };
    Report { findings, summary, notes: judged.notes.into_list() }
}

impl Finding {
    /// What findings are sorted by. The message makes the order total.
    fn order(&self) -> (&str, u32, u32, &str, &str, &str) {
        (&self.file, self.line, self.column, self.kind.id(), &self.function, &self.message)
    }
}

fn issue_id<S: serde::Serializer>(issue: &Issue, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(issue.id())
}

fn verdict_id<S: serde::Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.id())
}
