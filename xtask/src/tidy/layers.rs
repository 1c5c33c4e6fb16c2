//! The arrows between the rooms are those of `docs/layers.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::Problem;

const FILE: &str = "docs/layers.toml";

/// The content of `docs/layers.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Layers {
    tests_may: BTreeSet<String>,
    room: BTreeMap<String, Room>,
    doors: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Room {
    #[expect(dead_code, reason = "for the reader of the file")]
    purpose: String,
    #[serde(default)]
    core: bool,
    may: BTreeSet<String>,
}

/// The part of `cargo metadata` that matters here.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// `None` for an ordinary one, else `dev` or `build`.
    kind: Option<String>,
}

/// Compares the workspace with the table.
pub(crate) fn check(root: &Path) -> Result<Vec<Problem>> {
    compare(&load(root)?, &metadata(root)?)
}

/// The rooms that do no IO.
pub(crate) fn core_rooms(root: &Path) -> Result<BTreeSet<String>> {
    let layers = load(root)?;
    let core = layers.room.into_iter().filter(|(_, room)| room.core);
    Ok(core.map(|(name, _)| name).collect())
}

fn load(root: &Path) -> Result<Layers> {
    let text = fs::read_to_string(root.join(FILE)).with_context(|| format!("while reading {FILE}"))?;
    toml::from_str(&text).with_context(|| format!("while reading {FILE}"))
}

fn metadata(root: &Path) -> Result<Metadata> {
    let output = Command::new("cargo")
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root)
        .output()
        .context("while running cargo metadata")?;
    let message = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cargo metadata failed: {message}");
    serde_json::from_slice(&output.stdout).context("while reading the output of cargo metadata")
}

fn compare(layers: &Layers, metadata: &Metadata) -> Result<Vec<Problem>> {
    let reach = reachable(layers)?;
    let mut problems = Vec::new();
    for package in &metadata.packages {
        let Some(allowed) = reach.get(package.name.as_str()) else {
            problems.push(problem(&package.name, format!("is no room of {FILE}")));
            continue;
        };
        for dependency in &package.dependencies {
            if let Some(message) = judge(layers, allowed, package, dependency) {
                problems.push(problem(&package.name, message));
            }
        }
    }
    Ok(problems)
}

fn judge(
    layers: &Layers,
    allowed: &BTreeSet<&str>,
    package: &Package,
    dependency: &Dependency,
) -> Option<String> {
    let name = dependency.name.as_str();
    let for_tests = dependency.kind.as_deref() == Some("dev");
    if layers.room.contains_key(name) {
        let fine = allowed.contains(name) || for_tests && layers.tests_may.contains(name);
        return (!fine).then(|| format!("must not depend on `{name}` (see {FILE})"));
    }
    let door = layers.doors.get(name).filter(|_| !for_tests)?;
    let fine = door.contains(&package.name);
    (!fine).then(|| format!("must not depend on `{name}`, which stops at the door of {door:?}"))
}

/// For each room, all rooms that its arrows lead to. A cycle is an error of the table.
fn reachable(layers: &Layers) -> Result<BTreeMap<&str, BTreeSet<&str>>> {
    let mut reach = BTreeMap::new();
    for name in layers.room.keys() {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut todo = vec![name.as_str()];
        while let Some(next) = todo.pop() {
            let room = layers.room.get(next).with_context(|| format!("{FILE}: no room `{next}`"))?;
            todo.extend(room.may.iter().map(String::as_str).filter(|target| seen.insert(target)));
        }
        ensure!(!seen.contains(name.as_str()), "{FILE}: `{name}` leads back to itself");
        reach.insert(name.as_str(), seen);
    }
    Ok(reach)
}

fn problem(package: &str, message: String) -> Problem {
    let file = match package {
        "xtask" => "xtask/Cargo.toml".into(),
        _ => format!("crates/{package}/Cargo.toml").into(),
    };
    Problem { file, line: 0, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "tests_may = ['kit']\n\
        room.low = { purpose = '', may = [] }\n\
        room.middle = { purpose = '', may = ['low'] }\n\
        room.high = { purpose = '', may = ['middle'] }\n\
        room.kit = { purpose = '', may = [] }\n\
        doors.foreign = ['low']\n";

    fn layers(text: &str) -> Layers {
        toml::from_str(text).unwrap()
    }

    #[track_caller]
    fn check_arrow(package: &str, dependency: &str, kind: Option<&str>, expected: &[&str]) {
        let dependency = Dependency { name: dependency.into(), kind: kind.map(String::from) };
        let package = Package { name: package.into(), dependencies: vec![dependency] };
        let problems = compare(&layers(TABLE), &Metadata { packages: vec![package] }).unwrap();
        let found: Vec<String> = problems.into_iter().map(|problem| problem.message).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn arrows_lead_down() {
        check_arrow("middle", "low", None, &[]);
        check_arrow("high", "low", None, &[]);
        check_arrow("low", "high", None, &["must not depend on `high` (see docs/layers.toml)"]);
        check_arrow("low", "high", Some("build"), &["must not depend on `high` (see docs/layers.toml)"]);
        check_arrow("low", "serde", None, &[]);
    }

    #[test]
    fn tests_may_use_more() {
        check_arrow("low", "kit", Some("dev"), &[]);
        check_arrow("low", "kit", None, &["must not depend on `kit` (see docs/layers.toml)"]);
        check_arrow("low", "high", Some("dev"), &["must not depend on `high` (see docs/layers.toml)"]);
    }

    #[test]
    fn foreign_things_stop_at_the_door() {
        check_arrow("low", "foreign", None, &[]);
        check_arrow("high", "foreign", Some("dev"), &[]);
        let message = "must not depend on `foreign`, which stops at the door of {\"low\"}";
        check_arrow("high", "foreign", None, &[message]);
    }

    #[test]
    fn strangers_and_cycles_are_found() {
        check_arrow("new", "low", None, &["is no room of docs/layers.toml"]);
        let cycle = "tests_may = []\ndoors = {}\n\
            room.a = { purpose = '', may = ['b'] }\nroom.b = { purpose = '', may = ['a'] }\n";
        assert!(reachable(&layers(cycle)).is_err());
        let unknown = "tests_may = []\ndoors = {}\nroom.a = { purpose = '', may = ['b'] }\n";
        assert!(reachable(&layers(unknown)).is_err());
    }
}
