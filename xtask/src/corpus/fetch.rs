//! `cargo x corpus fetch`: gets the projects, builds each its own way, and keeps the compile commands.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use super::projects::{MANIFEST, PROJECTS};
use super::wrapper::{COMPILERS, Invocation, LOG};
use super::{database, directory};

/// Fetches and builds all projects, once.
pub(crate) fn fetch() -> Result<()> {
    if PROJECTS.iter().all(|project| database(project.name).exists()) {
        println!("the corpus is there: {}", directory().display());
        return Ok(());
    }
    let build = directory().join("build");
    fs::create_dir_all(build.join("src"))?;
    fs::write(build.join("Cargo.toml"), MANIFEST)?;
    fs::write(build.join("src/lib.rs"), "")?;
    let log = directory().join("invocations.jsonl");
    if log.exists() {
        fs::remove_file(&log)?;
    }
    run_build(&build, &log)?;
    write_databases(&log)
}

fn run_build(build: &Path, log: &Path) -> Result<()> {
    let wrappers = directory().join("bin");
    fs::create_dir_all(&wrappers)?;
    let program = std::env::current_exe()?;
    let mut paths = Vec::new();
    for (name, _) in COMPILERS {
        let link = wrappers.join(name);
        if link.exists() {
            fs::remove_file(&link)?;
        }
        fs::copy(&program, &link)?;
        paths.push(link);
    }
    println!("building the corpus with its own build scripts (about ten minutes)");
    // A build that is already there would start no compiler.
    let target = build.join("target");
    if target.exists() {
        fs::remove_dir_all(&target)?;
    }
    let status = Command::new("cargo")
        .args(["build", "--quiet"])
        .current_dir(build)
        .env("CARGO_TARGET_DIR", &target)
        .env("CC", &paths[0])
        .env("CXX", &paths[1])
        .env("CFLAGS", "-w")
        .env("CXXFLAGS", "-w")
        .env(LOG, log)
        .status()
        .context("while starting cargo")?;
    ensure!(status.success(), "the build of the corpus failed (is cmake installed? `apt-get install cmake`)");
    Ok(())
}

fn write_databases(log: &Path) -> Result<()> {
    let mut entries: BTreeMap<&str, BTreeMap<(PathBuf, String), serde_json::Value>> = BTreeMap::new();
    let text = fs::read_to_string(log).with_context(|| format!("while reading {}", log.display()))?;
    for line in text.lines() {
        let invocation: Invocation = serde_json::from_str(line).context("while reading an invocation")?;
        for file in invocation.arguments.iter().filter(|arg| is_source(arg)) {
            let path = invocation.directory.join(file);
            let shown = path.to_string_lossy().into_owned();
            let Some(project) = PROJECTS.iter().find(|project| shown.contains(project.path)) else { continue };
            if !path.exists() || shown.contains("CMakeFiles") {
                continue;
            }
            let entry = json!({
                "directory": invocation.directory, "file": file, "arguments": invocation.arguments,
            });
            entries.entry(project.name).or_default().insert((path, file.clone()), entry);
        }
    }
    for project in PROJECTS {
        let Some(units) = entries.get(project.name) else { bail!("no units of {} were compiled", project.name) };
        let list: Vec<_> = units.values().collect();
        fs::create_dir_all(database(project.name).parent().expect("invariant: a database lies in a directory"))?;
        fs::write(database(project.name), serde_json::to_vec_pretty(&list)?)?;
        println!("{:>8}: {} units", project.name, list.len());
    }
    Ok(())
}

fn is_source(arg: &str) -> bool {
    let extension = Path::new(arg).extension().and_then(|extension| extension.to_str());
    !arg.starts_with('-') && matches!(extension, Some("c" | "cc" | "cpp" | "cxx"))
}
