//! The copy of the workspace that has all faults in it.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::list::{Fault, rooms};
use super::place::{SWITCH, switched};
use crate::root;

/// Where everything of this command lies; kept between runs.
pub(crate) fn home() -> PathBuf {
    root().join("target/mutants")
}

/// The copy.
pub(crate) fn source() -> PathBuf {
    home().join("source")
}

/// Brings the copy up to date. Files that stay the same are not touched, so that little is built again. Returns what tells two versions of the code apart.
pub(crate) fn make(faults: &[Fault]) -> Result<u64> {
    let mut files = files()?;
    let fingerprint = fingerprint(&files, faults);
    let mut own: BTreeMap<&str, Vec<&Fault>> = BTreeMap::new();
    for fault in faults {
        own.entry(&fault.file).or_default().push(fault);
    }
    for (file, faults) in own {
        let text = text_of(&mut files, file)?;
        *text = switched(text, &faults)?;
    }
    text_of(&mut files, "crates/base/src/lib.rs")?.push_str(SWITCH);
    for room in rooms(faults) {
        let manifest = text_of(&mut files, &format!("crates/{room}/Cargo.toml"))?;
        if !manifest.contains("\nbase.workspace") {
            *manifest = manifest.replacen("[dependencies]\n", "[dependencies]\nbase.workspace = true\n", 1);
        }
    }
    update(&source(), &files)?;
    Ok(fingerprint)
}

type Files = BTreeMap<String, String>;

/// Of the code of the rooms that have faults, without its tests.
fn fingerprint(files: &Files, faults: &[Fault]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for room in rooms(faults) {
        let is_own = |path: &str| path.starts_with(&format!("crates/{room}/")) && !path.contains("/tests/");
        for (path, text) in files.iter().filter(|(path, _)| is_own(path)) {
            let code = text.split("#[cfg(test)]").next().unwrap_or_default().trim_end();
            (path, code).hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// All files that git knows or would know, by path. What is no text is copied at once.
fn files() -> Result<Files> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .context("git should list the files")?;
    ensure!(listed.status.success(), "git should list the files");
    let mut files = Files::new();
    for path in String::from_utf8(listed.stdout)?.split_terminator('\0') {
        let Ok(bytes) = fs::read(root().join(path)) else { continue };
        match String::from_utf8(bytes) {
            Ok(text) => drop(files.insert(path.to_owned(), text)),
            Err(other) => write(&source().join(path), other.as_bytes())?,
        }
    }
    Ok(files)
}

fn text_of<'f>(files: &'f mut Files, path: &str) -> Result<&'f mut String> {
    files.get_mut(path).with_context(|| format!("{path} should be there"))
}

/// Writes what differs, and removes tests and code that are gone.
fn update(directory: &Path, files: &Files) -> Result<()> {
    for (path, text) in files {
        write(&directory.join(path), text.as_bytes())?;
    }
    let known: BTreeSet<PathBuf> = files.keys().map(|path| directory.join(path)).collect();
    for part in ["crates", "tests", "xtask"] {
        remove_others(&directory.join(part), &known)?;
    }
    Ok(())
}

fn remove_others(directory: &Path, known: &BTreeSet<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(&path, known)?;
        } else if !known.contains(&path) && fs::read_to_string(&path).is_ok() {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

fn write(path: &Path, content: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|known| known == content) {
        return Ok(());
    }
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(path, content).with_context(|| format!("while writing {}", path.display()))
}
