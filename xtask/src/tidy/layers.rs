//! The arrows between the rooms are those of `docs/layers.toml`: direct ones, whatever they lead to.

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
    /// What every room may use; of these themselves, each may use those before it.
    all_may: Vec<String>,
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
    let allowed = allowed(layers)?;
    let mut problems = Vec::new();
    for package in &metadata.packages {
        let Some(allowed) = allowed.get(package.name.as_str()) else {
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

/// For each room, what it may use directly. A name that is no room, or a cycle, is an error of the table.
fn allowed(layers: &Layers) -> Result<BTreeMap<&str, BTreeSet<&str>>> {
    let mut allowed = BTreeMap::new();
    for (name, room) in &layers.room {
        let common = layers.all_may.iter().take_while(|it| *it != name);
        let targets: BTreeSet<&str> = room.may.iter().chain(common).map(String::as_str).collect();
        let stranger = targets.iter().find(|target| !layers.room.contains_key(**target));
        ensure!(stranger.is_none(), "{FILE}: `{name}` may use {stranger:?}, which is no room");
        allowed.insert(name.as_str(), targets);
    }
    for name in allowed.keys() {
        ensure!(!reaches_itself(&allowed, name), "{FILE}: `{name}` leads back to itself");
    }
    Ok(allowed)
}

fn reaches_itself(allowed: &BTreeMap<&str, BTreeSet<&str>>, name: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut todo = vec![name];
    while let Some(next) = todo.pop() {
        todo.extend(allowed[next].iter().filter(|target| seen.insert(**target)));
    }
    seen.contains(name)
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

    const TABLE: &str = "all_may = ['ground', 'words']\n\
        tests_may = ['kit']\n\
        room.ground = { purpose = '', may = [] }\n\
        room.words = { purpose = '', may = [] }\n\
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
        check_arrow("high", "middle", None, &[]);
        check_arrow("low", "high", None, &["must not depend on `high` (see docs/layers.toml)"]);
        check_arrow("low", "high", Some("build"), &["must not depend on `high` (see docs/layers.toml)"]);
        check_arrow("low", "serde", None, &[]);
    }

    #[test]
    fn only_direct_arrows_count() {
        check_arrow("high", "low", None, &["must not depend on `low` (see docs/layers.toml)"]);
        check_arrow("high", "low", Some("dev"), &["must not depend on `low` (see docs/layers.toml)"]);
    }

    #[test]
    fn all_rooms_stand_on_the_ground() {
        check_arrow("high", "ground", None, &[]);
        check_arrow("low", "words", None, &[]);
        check_arrow("words", "ground", None, &[]);
        check_arrow("ground", "words", None, &["must not depend on `words` (see docs/layers.toml)"]);
        check_arrow("ground", "low", None, &["must not depend on `low` (see docs/layers.toml)"]);
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
        let table = |all_may: &str, a: &str, b: &str| {
            let rooms =
                format!("room.a = {{ purpose = '', may = {a} }}\nroom.b = {{ purpose = '', may = {b} }}\n");
            layers(&format!("all_may = {all_may}\ntests_may = []\ndoors = {{}}\n{rooms}"))
        };
        assert!(allowed(&table("[]", "['b']", "[]")).is_ok());
        assert!(allowed(&table("[]", "['b']", "['a']")).is_err(), "a cycle");
        assert!(allowed(&table("['a']", "['b']", "[]")).is_err(), "a cycle with what all may use");
        assert!(allowed(&table("[]", "['c']", "[]")).is_err(), "no room");
        assert!(allowed(&table("['c']", "[]", "[]")).is_err(), "no room");
    }
}
