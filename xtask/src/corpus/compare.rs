//! `cargo x corpus compare`: what two stored runs found differently.
//!
//! Findings are told apart by their ids, which survive moved lines. A finding that only changed its verdict
//! is named as such.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::numbers::Numbers;
use super::projects;
use super::stored;

/// Options of `cargo x corpus compare`.
#[derive(clap::Args)]
pub(crate) struct Compare {
    /// The name of the earlier run.
    old: String,
    /// The name of the later run.
    new: String,
    /// Only these.
    #[arg(value_name = "PROJECT")]
    projects: Vec<String>,
    /// Compare all latent findings, too.
    #[arg(long)]
    latent: bool,
}

/// What is read of a stored report.
#[derive(Deserialize)]
struct Stored {
    findings: Vec<Finding>,
}

/// A finding, as far as a person wants to know it here.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Finding {
    id: String,
    kind: String,
    verdict: String,
    function: String,
    file: String,
    line: u32,
    message: String,
}

type Findings = BTreeMap<String, Finding>;

/// What differs between two runs on a project, in the order of files and lines.
#[derive(Debug, Default, PartialEq, Eq)]
struct Difference<'f> {
    gained: Vec<&'f Finding>,
    lost: Vec<&'f Finding>,
    /// With the verdict before.
    judged: Vec<(&'f str, &'f Finding)>,
}

impl Compare {
    pub(crate) fn run(self) -> Result<()> {
        let dirs = [stored(&self.old), stored(&self.new)];
        for dir in &dirs {
            ensure!(dir.is_dir(), "no run is stored in {}", dir.display());
        }
        let suffix = if self.latent { "all.json" } else { "json" };
        let mut sums = (0, 0, 0);
        for project in projects::selected(&self.projects)? {
            let load = |dir: &Path| findings(&dir.join(format!("{}.{suffix}", project.name)));
            let (old, new) = match (load(&dirs[0])?, load(&dirs[1])?) {
                (Some(old), Some(new)) => (old, new),
                (None, None) => continue,
                (old, _) => {
                    let run = if old.is_some() { &self.new } else { &self.old };
                    println!("{}: not in `{run}`", project.name);
                    continue;
                }
            };
            let difference = difference(&old, &new);
            sums.0 += difference.gained.len();
            sums.1 += difference.lost.len();
            sums.2 += difference.judged.len();
            print(project.name, old.len(), new.len(), &difference);
            for (dir, name) in dirs.iter().zip([&self.old, &self.new]) {
                if Numbers::load(dir, project.name)?.is_none_or(|numbers| !numbers.is_complete()) {
                    println!("  note: `{name}` did not come to all functions");
                }
            }
        }
        println!("in all: {} gained, {} lost, {} judged differently", sums.0, sums.1, sums.2);
        Ok(())
    }
}

/// The findings in a file, by id; none if there is no such file.
fn findings(file: &Path) -> Result<Option<Findings>> {
    if !file.exists() {
        return Ok(None);
    }
    let text = fs::read(file)?;
    let stored: Stored =
        serde_json::from_slice(&text).with_context(|| format!("while reading {}", file.display()))?;
    Ok(Some(stored.findings.into_iter().map(|finding| (finding.id.clone(), finding)).collect()))
}

fn difference<'f>(old: &'f Findings, new: &'f Findings) -> Difference<'f> {
    let mut difference = Difference::default();
    difference.lost.extend(old.iter().filter(|(id, _)| !new.contains_key(*id)).map(|(_, finding)| finding));
    for (id, finding) in new {
        match old.get(id) {
            None => difference.gained.push(finding),
            Some(before) if before.verdict != finding.verdict => {
                difference.judged.push((&before.verdict, finding));
            }
            Some(_) => {}
        }
    }
    difference.gained.sort_by_key(|finding| place(finding));
    difference.lost.sort_by_key(|finding| place(finding));
    difference.judged.sort_by_key(|(_, finding)| place(finding));
    difference
}

fn place(finding: &Finding) -> (&str, u32, &str) {
    (&finding.file, finding.line, &finding.id)
}

fn print(project: &str, n_old: usize, n_new: usize, difference: &Difference<'_>) {
    let Difference { gained, lost, judged } = difference;
    println!("{project}: {n_old} → {n_new} findings, {} gained, {} lost", gained.len(), lost.len());
    for finding in gained {
        println!("  + {}", line(finding));
    }
    for finding in lost {
        println!("  - {}", line(finding));
    }
    for (before, finding) in judged {
        println!("  ~ {} (was {before})", line(finding));
    }
}

fn line(finding: &Finding) -> String {
    let Finding { id, kind, verdict, function, file, line, message } = finding;
    format!("{file}:{line}: {verdict} {kind} in {function}: {message} [{id}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(findings: &[(&str, &str, u32)]) -> Findings {
        let finding = |&(id, verdict, line): &(&str, &str, u32)| Finding {
            id: id.to_owned(),
            kind: "null-deref".to_owned(),
            verdict: verdict.to_owned(),
            function: "f".to_owned(),
            file: "a.c".to_owned(),
            line,
            message: "`p` is null".to_owned(),
        };
        findings.iter().map(finding).map(|finding| (finding.id.clone(), finding)).collect()
    }

    #[test]
    fn what_moved_is_no_difference() {
        let old = run(&[("a", "manifest", 1), ("b", "manifest", 7)]);
        let new = run(&[("a", "manifest", 3), ("b", "manifest", 9)]);
        assert_eq!(difference(&old, &new), Difference::default());
    }

    #[test]
    fn gained_lost_and_judged_are_three_things() {
        let old = run(&[("a", "manifest", 1), ("b", "latent", 7), ("d", "latent", 2)]);
        let new = run(&[("c", "manifest", 3), ("b", "manifest", 9), ("d", "latent", 2)]);
        let difference = difference(&old, &new);
        assert_eq!(difference.gained, [&new["c"]]);
        assert_eq!(difference.lost, [&old["a"]]);
        assert_eq!(difference.judged, [("latent", &new["b"])]);
    }
}
