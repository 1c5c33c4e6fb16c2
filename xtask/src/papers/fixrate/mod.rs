//! `cargo x papers fixrate`: what became of the functions in which we find something in an old version.
//!
//! Source: Pulse-X, §5, hypothesis H1 (after Distefano, Fähndrich, Logozzo, O'Hearn, *Scaling Static Analyses
//! at Facebook*, CACM 2019): the share of reports on a legacy version that were fixed later. 19 of 26 for
//! Pulse-X, 39 of 80 for Infer, on OpenSSL 1.0.1h.
//! Departures: the decision is made from texts, by [`fate`]; whether the hunk mends the error that we tell has
//! to be read by a person.
//!
//! Reading order: [`hunk`] (what differs), [`fate`] (the decision), [`build`] and [`version`] (one version),
//! [`debian`] (where versions come from), [`table`].

mod fate;
mod hunk;

mod build;
pub(crate) mod version;

mod debian;

mod table;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::found::Found;
use super::page::{self, Section};
use crate::corpus;
use debian::Suite;
use fate::{Fate, InVersion, Subject};
use table::Row;
use version::{How, Place, Version};

/// A version of a package of which fewer functions compile was not really built.
const FEWEST_FUNCTIONS: usize = 50;

/// Compare the findings in an old version of a project with what a new one made of their functions.
#[derive(clap::Args)]
pub(crate) struct FixRate {
    /// Directories of the old and the new version, each with a compile_commands.json, or to be built; or, with --debian, names of packages.
    #[arg(value_name = "OLD NEW | PACKAGE", required_unless_present = "stored")]
    names: Vec<String>,
    /// Get both versions of packages from the machine's mirror of Debian.
    #[arg(long)]
    debian: bool,
    /// The old suite, and the new one.
    #[arg(long, num_args = 2, default_values = ["bullseye", "sid"])]
    suites: Vec<String>,
    /// Write the section of the document from all packages that were compared so far.
    #[arg(long)]
    write: bool,
    /// Compare nothing: print the table of all packages that were compared so far.
    #[arg(long)]
    stored: bool,
    #[command(flatten)]
    how: How,
}

impl FixRate {
    pub(crate) fn run(self) -> Result<()> {
        if self.debian {
            for package in &self.names {
                if let Err(error) = self.package(package) {
                    eprintln!("{package}: {error:#}");
                }
            }
        } else if !self.stored {
            let [old, new] = self.names.as_slice() else { anyhow::bail!("two versions are compared") };
            let kept = tempfile::tempdir()?;
            let load =
                |name: &str, dir: &str| Version::load(Path::new(dir), &kept.path().join(name), &self.how);
            let row = compare(&load("old", old)?, &load("new", new)?, [old, new]);
            println!("{}", table::table(&[("project".to_owned(), row)]));
            return Ok(());
        }
        let rows = stored()?;
        let table = table::table(&rows);
        println!("{table}");
        if self.write {
            let command = "cargo x papers fixrate --write --debian PACKAGE…";
            page::publish(Section::FixRate, command, &table::section(&self.suites, &table, &rows))?;
        }
        Ok(())
    }

    fn package(&self, package: &str) -> Result<()> {
        let dir = directory();
        fs::create_dir_all(&dir)?;
        let mut versions = Vec::new();
        for suite in &self.suites {
            let suite = Suite::open(suite, &dir)?;
            versions.push(suite.source(package, &dir)?);
        }
        let [(old, old_name), (new, new_name)] = versions.as_slice() else {
            anyhow::bail!("two suites are compared")
        };
        ensure!(old_name != new_name, "both suites have {old_name}");
        let load = |dir: &Path| {
            let stored = dir.with_file_name(if self.how.latent { "latent.json" } else { "analyzed.json" });
            Version::load(dir, &stored, &self.how)
                .with_context(|| format!("while analyzing {}", dir.display()))
        };
        let (old, new) = (load(old)?, load(new)?);
        let fewest = old.analyzed.n_functions.min(new.analyzed.n_functions);
        ensure!(fewest >= FEWEST_FUNCTIONS, "only {fewest} functions of a version compile; see --build");
        let row = compare(&old, &new, [old_name, new_name]);
        fs::write(dir.join(format!("{package}.json")), serde_json::to_vec_pretty(&row)?)?;
        Ok(())
    }
}

/// Where sources and results are kept.
fn directory() -> PathBuf {
    corpus::directory().join("fixrate")
}

/// What was compared so far, by package.
fn stored() -> Result<Vec<(String, Row)>> {
    let mut rows = Vec::new();
    for file in fs::read_dir(directory()).context("nothing was compared yet")? {
        let file = file?.path();
        if file.extension().is_some_and(|it| it == "json") {
            let row = serde_json::from_slice(&fs::read(&file)?)
                .with_context(|| format!("while reading {}", file.display()))?;
            rows.push((file.file_stem().unwrap_or_default().to_string_lossy().into_owned(), row));
        }
    }
    rows.sort_by(|left: &(String, Row), right| left.0.cmp(&right.0));
    Ok(rows)
}

/// Judges all findings of the old version, prints those whose functions differ, and counts.
fn compare(old: &Version, new: &Version, names: [&str; 2]) -> Row {
    let functions = [old.analyzed.n_functions, new.analyzed.n_functions];
    let left_out = [old.analyzed.left_out, new.analyzed.left_out];
    let mut row = Row::new(names, functions, left_out);
    for found in &old.analyzed.findings {
        let fate = judge(found, old, new);
        print!("{}", table::told(found, &fate));
        row.add(found, &fate);
    }
    row
}

fn judge(found: &Found, old: &Version, new: &Version) -> Fate {
    let Some(place) = old.around(found) else { return Fate::NotAnalyzed };
    let Some(now) = new.place(&place.file, &place.function.name) else {
        return Fate::Deleted;
    };
    if !new.has_analyzed(&now) {
        return Fate::NotAnalyzed;
    }
    let within = |line: u32| (place.function.first..=place.function.last).contains(&(line as usize));
    let own = std::iter::once((&found.file, found.line))
        .chain(found.trace.iter().map(|step| (&step.file, step.line)))
        .filter(|(file, line)| **file == place.file && within(*line));
    let subject = Subject {
        kind: &found.kind,
        lines: own.map(|(_, line)| line as usize).collect(),
        place: old.essence(&found.file, found.line),
    };
    let (before, after) = (old.lines(&place), new.lines(&now));
    let old = InVersion { lines: &before, findings: findings_in(old, &place) };
    let new = InVersion { lines: &after, findings: findings_in(new, &now) };
    fate::fate(&subject, &old, &new)
}

/// The findings in a function: kind, and text of the place.
fn findings_in<'v>(version: &'v Version, place: &Place) -> Vec<(&'v str, String)> {
    let of_function = version.analyzed.findings.iter().filter(|it| it.function == place.function.name);
    let here = of_function.filter(|it| version.around(it).as_ref() == Some(place));
    here.map(|it| (it.kind.as_str(), version.essence(&it.file, it.line))).collect()
}
