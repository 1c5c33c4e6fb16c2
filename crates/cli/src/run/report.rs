//! From a project to the report on it.

use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};

use anyhow::Result;
use catalog::Issue;
use driver::{Note, Project};
use report::{Coverage, Report, Selection};

use crate::paths::Here;
use crate::run::execute;
use crate::run::judge::{Judge, Judged};
use crate::run::places::Places;
use crate::run::programs::{Functions, Programs};

/// How many notes on the linking of units are shown of each kind.
const NOTES_PER_KIND: usize = 3;

/// What the user chose.
pub(crate) struct Settings {
    /// The kinds to report.
    pub(crate) kinds: BTreeSet<Issue>,
    /// Threads to work with.
    pub(crate) jobs: usize,
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
    let coverage = Coverage {
        functions: functions.total(),
        analyzed: functions.executed_except(&judged.gave_up),
        gave_up: functions.skipped() + judged.gave_up.len(),
    };
    let selection = Selection { kinds: settings.kinds.clone(), latent: true };
    Report::new(judged.findings, coverage, judged.notes.into_list()).select(&selection)
}
