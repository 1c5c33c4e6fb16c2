//! All units of a project, one tool: what it said, what it cost, and what it could not do.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use capture::{Database, Unit};
use serde::{Deserialize, Serialize};
use session::workers;

use super::process::{self, Limits};
use super::results;
use super::tool::{Answer, Asked, Said, Tool};
use crate::corpus::database;
use crate::corpus::projects::Project;

/// What a tool said about a project.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Results {
    pub(crate) version: String,
    /// Seconds of a processor that a unit might take.
    pub(crate) limit: u64,
    /// Units of the project.
    pub(crate) n_units: usize,
    /// The units that it was asked about.
    pub(crate) asked: BTreeSet<String>,
    /// Units that it could not compile or read, with the reason.
    pub(crate) failed: BTreeMap<String, String>,
    /// Units that it did not finish in the time that it had.
    pub(crate) stopped: Vec<String>,
    /// Seconds of a processor, also those spent in vain.
    pub(crate) cpu: f64,
    /// What it said, each once, in the order of places.
    pub(crate) said: BTreeSet<Said>,
}

/// What became of a unit.
pub(crate) enum Outcome {
    Said(Vec<Said>),
    Failed(String),
    Stopped,
}

impl Results {
    fn file(project: &str, tool: Tool) -> PathBuf {
        results().join(format!("{project}.{}.json", tool.id()))
    }

    /// Those that are stored, if any are.
    pub(crate) fn load(project: &str, tool: Tool) -> Result<Option<Results>> {
        let file = Results::file(project, tool);
        if !file.exists() {
            return Ok(None);
        }
        let results = serde_json::from_slice(&fs::read(&file)?);
        results.map(Some).with_context(|| format!("while reading {}", file.display()))
    }

    pub(crate) fn save(&self, project: &str, tool: Tool) -> Result<()> {
        Ok(fs::write(Results::file(project, tool), serde_json::to_vec_pretty(self)?)?)
    }
}

/// Asks a tool about the units of a project, or some of them.
pub(crate) fn work(
    project: &Project,
    asked: &Asked,
    limits: Limits,
    at_most: Option<usize>,
    jobs: usize,
) -> Result<Results> {
    let units = Database::load(&database(project.name))?.units;
    let mut results = Results {
        version: asked.version.clone(),
        limit: limits.seconds,
        n_units: units.len(),
        ..Results::default()
    };
    let mut broken = None;
    let chosen = spread(&units, at_most.unwrap_or(units.len()));
    let mut turn = chosen.iter();
    let mut sink = |outcome| match (turn.next(), outcome) {
        (Some(unit), Ok((cpu, outcome))) => add(&mut results, project, unit, cpu, outcome),
        (_, outcome) => broken = broken.take().or(outcome.err()),
    };
    workers::in_order(&chosen, jobs, || false, |unit| ask(asked, unit, limits), &mut sink)?;
    match broken {
        Some(error) => Err(error),
        None => Ok(results),
    }
}

/// So many items, at equal distances.
fn spread<T>(items: &[T], count: usize) -> Vec<&T> {
    let count = count.min(items.len());
    (0..count).map(|index| &items[index * items.len() / count]).collect()
}

/// Runs a tool on a unit, with other options if it fails; gives its cost in all and what became of it.
pub(crate) fn ask(asked: &Asked, unit: &Unit, limits: Limits) -> Result<(f64, Outcome)> {
    let mut sum = 0.0;
    let mut first = None;
    for attempt in &asked.attempts {
        let (cpu, outcome) = ask_once(asked, unit, attempt, limits)?;
        sum += cpu;
        match outcome {
            Outcome::Failed(reason) => first = first.or(Some(reason)),
            outcome => return Ok((sum, outcome)),
        }
    }
    Ok((sum, Outcome::Failed(first.unwrap_or_default())))
}

fn ask_once(asked: &Asked, unit: &Unit, attempt: &[String], limits: Limits) -> Result<(f64, Outcome)> {
    let scratch = tempfile::tempdir()?;
    let write = scratch.path().join("answer");
    let ended = process::run(&asked.command(unit, attempt, &write), &unit.dir, limits, scratch.path())?;
    let written = fs::read(&write).unwrap_or_default();
    let answer = Answer { messages: &ended.messages, written: &String::from_utf8_lossy(&written) };
    // The clock of the limit and that of the bill differ a little.
    let is_over = ended.cpu >= 0.98 * limits.seconds as f64;
    let outcome = match asked.tool.parse(&answer) {
        _ if is_over && !ended.status.success() => Outcome::Stopped,
        Ok(said) if ended.status.success() => Outcome::Said(said),
        Ok(_) => Outcome::Failed(first_error(&ended.messages, &ended.status.to_string())),
        Err(error) => Outcome::Failed(first_error(&ended.messages, &error.to_string())),
    };
    Ok((ended.cpu, outcome))
}

/// The first error in the messages of a compiler, or else what we know.
fn first_error(messages: &str, otherwise: &str) -> String {
    let error = messages.lines().filter(|line| !line.starts_with('[')).find(|line| line.contains("error: "));
    error.unwrap_or(otherwise).to_owned()
}

fn add(results: &mut Results, project: &Project, unit: &Unit, cpu: f64, outcome: Outcome) {
    let file = shortened(project, unit, &unit.file);
    results.cpu += cpu;
    results.asked.insert(file.clone());
    match outcome {
        Outcome::Stopped => results.stopped.push(file),
        Outcome::Failed(reason) => {
            results.failed.insert(file, reason);
        }
        Outcome::Said(said) => results.said.extend(
            said.into_iter()
                .map(|said| Said { file: shortened(project, unit, Path::new(&said.file)), ..said }),
        ),
    }
}

/// A path in the form in which our findings have it.
fn shortened(project: &Project, unit: &Unit, file: &Path) -> String {
    let mut path = PathBuf::new();
    for part in unit.dir.join(file).components() {
        match part {
            std::path::Component::ParentDir => drop(path.pop()),
            std::path::Component::CurDir => {}
            part => path.push(part),
        }
    }
    project.shorten(&path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_chosen_at_equal_distances() {
        let items: Vec<u32> = (0..10).collect();
        assert_eq!(spread(&items, 4), [&0, &2, &5, &7]);
        assert_eq!(spread(&items, 99).len(), 10);
        assert!(spread(&items[..0], 3).is_empty());
    }

    #[test]
    fn the_reason_of_a_failure_is_the_first_error() {
        let messages = "[{}]\nx.c:1: warning: odd\nx.c:2: error: bad\nx.c:3: error: worse\n";
        assert_eq!(first_error(messages, "nothing"), "x.c:2: error: bad");
        assert_eq!(first_error("", "nothing"), "nothing");
    }
}
