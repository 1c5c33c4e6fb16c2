//! Their findings against ours: same file, a line nearby, same family of kinds.
//!
//! Tools blame different lines for the same error (the allocation or the return for a leak), so a line nearby
//! anywhere in our story counts. Findings that we do not show without being asked (latent ones) are a sort of
//! their own: we know the error, but not that anybody can make it happen.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use catalog::Issue;
use serde::Deserialize;

use super::kinds;
use super::tool::{Said, Tool};
use super::work::Results;
use crate::corpus::numbers::Numbers;
use crate::corpus::projects::Project;
use crate::corpus::stored;

/// How far apart lines of the same error may be: a call over several lines, an `if` and what it guards.
const NEARBY: u32 = 3;

/// A project: what each tool said about it, beside our findings.
pub(crate) struct Compared {
    pub(crate) project: &'static Project,
    /// Of our run; none if it has nothing on the project.
    pub(crate) ours: Option<Numbers>,
    /// What we show in files that all tools were asked about, in the order of places.
    pub(crate) shown: Vec<Ours>,
    /// For each of `shown`, the tools that say it, too.
    pub(crate) shared: Vec<BTreeSet<Tool>>,
    pub(crate) tools: Vec<(Tool, Results, Vec<Theirs>)>,
}

/// A finding of ours, as far as it is compared.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Ours {
    pub(crate) kind: String,
    pub(crate) file: String,
    line: u32,
    trace: Vec<Step>,
}

#[derive(Clone, Debug, Deserialize)]
struct Step {
    file: String,
    line: u32,
}

#[derive(Deserialize)]
struct Report {
    findings: Vec<Ours>,
}

/// A finding of theirs.
pub(crate) struct Theirs {
    pub(crate) said: Said,
    /// None if we have no such kind.
    pub(crate) kind: Option<Issue>,
    pub(crate) sort: Sort,
}

/// Whether we have it, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// We show it.
    Shown,
    /// We know it, but show it only on demand.
    Latent,
    /// We do not have it.
    Only,
}

impl Compared {
    /// What is stored of a project; none if no tool was asked about it.
    pub(crate) fn load(project: &'static Project, run: &str) -> Result<Option<Compared>> {
        let dir = stored(run);
        let shown = findings(&dir.join(format!("{}.json", project.name)))?;
        let all = findings(&dir.join(format!("{}.all.json", project.name)))?;
        let mut tools = Vec::new();
        for tool in Tool::ALL {
            if let Some(results) = Results::load(project.name, tool)? {
                let theirs = results.said.iter().map(|said| judge(tool, said, &shown, &all)).collect();
                tools.push((tool, results, theirs));
            }
        }
        if tools.is_empty() {
            return Ok(None);
        }
        let shown: Vec<Ours> = shown.into_iter().filter(|ours| is_asked(ours, &tools)).collect();
        let shared = shown.iter().map(|ours| sharing(ours, &tools)).collect();
        Ok(Some(Compared { project, ours: Numbers::load(&dir, project.name)?, shown, shared, tools }))
    }
}

fn findings(file: &Path) -> Result<Vec<Ours>> {
    if !file.exists() {
        return Ok(Vec::new());
    }
    let report: Report = serde_json::from_slice(&fs::read(file)?)
        .with_context(|| format!("while reading {}", file.display()))?;
    Ok(report.findings)
}

fn judge(tool: Tool, said: &Said, shown: &[Ours], all: &[Ours]) -> Theirs {
    let kind = kinds::kind(tool, &said.check, &said.message);
    let is_in = |ours: &[Ours]| ours.iter().any(|ours| is_same(ours, kind, said));
    let sort = match (is_in(shown), is_in(all)) {
        (true, _) => Sort::Shown,
        (false, true) => Sort::Latent,
        (false, false) => Sort::Only,
    };
    Theirs { said: said.clone(), kind, sort }
}

fn is_same(ours: &Ours, kind: Option<Issue>, said: &Said) -> bool {
    let family = Issue::from_id(&ours.kind).map(kinds::family);
    let mut places = ours.trace.iter().map(|step| (&step.file, step.line)).chain([(&ours.file, ours.line)]);
    kind.is_some()
        && family == kind.map(kinds::family)
        && places.any(|(file, line)| *file == said.file && line.abs_diff(said.line) <= NEARBY)
}

/// Findings in headers belong to units that were all asked about, or to none for sure; they count.
fn is_asked(ours: &Ours, tools: &[(Tool, Results, Vec<Theirs>)]) -> bool {
    let is_header = Path::new(&ours.file).extension().is_some_and(|extension| extension == "h");
    is_header || tools.iter().all(|(_, results, _)| results.asked.contains(&ours.file))
}

fn sharing(ours: &Ours, tools: &[(Tool, Results, Vec<Theirs>)]) -> BTreeSet<Tool> {
    let says = |theirs: &[Theirs]| theirs.iter().any(|theirs| is_same(ours, theirs.kind, &theirs.said));
    tools.iter().filter(|(_, _, theirs)| says(theirs)).map(|(tool, _, _)| *tool).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(kind: &str, line: u32, told: &[u32]) -> Ours {
        let trace = told.iter().map(|&line| Step { file: "a.c".to_owned(), line }).collect();
        Ours { kind: kind.to_owned(), file: "a.c".to_owned(), line, trace }
    }

    fn sort(said: &Said, shown: &[Ours], all: &[Ours]) -> Sort {
        judge(Tool::Gcc, said, shown, all).sort
    }

    #[test]
    fn near_lines_and_the_same_family_are_the_same_error() {
        let said = Said::new("a.c", 10, "double-free", "");
        assert_eq!(sort(&said, &[ours("use-after-free", 12, &[])], &[]), Sort::Shown);
        assert_eq!(sort(&said, &[ours("use-after-free", 20, &[9])], &[]), Sort::Shown);
        assert_eq!(sort(&said, &[ours("use-after-free", 20, &[])], &[]), Sort::Only);
        assert_eq!(sort(&said, &[ours("null-deref", 10, &[])], &[]), Sort::Only);
        let elsewhere = Said::new("b.c", 10, "double-free", "");
        assert_eq!(sort(&elsewhere, &[ours("use-after-free", 10, &[])], &[]), Sort::Only);
    }

    #[test]
    fn what_we_know_but_do_not_show_is_told_apart() {
        let said = Said::new("a.c", 10, "null-dereference", "");
        assert_eq!(sort(&said, &[], &[ours("null-deref", 10, &[])]), Sort::Latent);
    }

    #[test]
    fn kinds_that_we_do_not_have_are_only_theirs() {
        let said = Said::new("a.c", 10, "tainted-size", "");
        assert_eq!(sort(&said, &[], &[ours("null-deref", 10, &[])]), Sort::Only);
    }
}
