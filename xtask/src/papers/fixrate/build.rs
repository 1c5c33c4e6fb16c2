//! How a version of a package is built: by its own `configure` or CMake, watched by our capture; else every
//! C file is listed with all directories of headers, and units that do not compile are left out.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use serde::Serialize;

use crate::corpus::fetch;

/// Prepares a source that has a `configure`, or what makes one, or a `CMakeLists.txt`. Not watched: it compiles tests of the system.
const CONFIGURE: &str = "
export CFLAGS='-w -O0' FORCE_UNSAFE_CONFIGURE=1
if [ ! -x configure ] && [ -f configure.ac ]; then timeout 300 autoreconf -fi; fi
if [ -x configure ]; then timeout 300 ./configure --disable-dependency-tracking
elif [ -f CMakeLists.txt ]; then timeout 300 cmake -B indict-build .
fi";

/// Builds what is prepared, as far as that is possible. What an earlier build left would not be compiled again.
const MAKE: &str = "
{ make clean || true; } > /dev/null 2>&1
if [ -f indict-build/Makefile ]; then timeout 900 make -k -C indict-build
elif [ -f Makefile ] || [ -f GNUmakefile ] || [ -f makefile ]; then timeout 900 make -k
fi > /dev/null 2>&1; true";

/// The file that has the compile commands.
const DATABASE: &str = "compile_commands.json";

#[derive(Serialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Vec<String>,
}

/// The compile commands of a version: those that are there, or those of its build.
pub(crate) fn database(dir: &Path, script: Option<&str>) -> Result<PathBuf> {
    let there = dir.join(DATABASE);
    if there.exists() {
        return Ok(there);
    }
    if script.is_none() {
        let log = fs::File::create(dir.join("indict-configure.log"))?;
        Command::new("sh")
            .args(["-c", CONFIGURE])
            .current_dir(dir)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .status()?;
    }
    let arguments: [OsString; 0] = [];
    let mut captured = fetch::watch(script.unwrap_or(MAKE), dir, &arguments)?;
    captured.compilations.retain(|it| it.dir.join(&it.file).exists());
    match captured.compilations.len() < 2 {
        true => generic(dir, &there)?,
        false => {
            captured.save(dir, false)?;
        }
    }
    Ok(there)
}

/// Lists all C files.
fn generic(dir: &Path, database: &Path) -> Result<()> {
    let files = files(dir)?;
    let has_suffix = |file: &&PathBuf, suffix: &str| file.extension().is_some_and(|it| it == suffix);
    let headers = files.iter().filter(|file| has_suffix(file, "h"));
    let mut dirs: BTreeSet<&Path> = headers.filter_map(|file| file.parent()).collect();
    dirs.insert(dir);
    let mut arguments = vec!["cc".to_owned(), "-w".to_owned(), "-D_GNU_SOURCE".to_owned()];
    if files.iter().any(|file| file.ends_with("config.h")) {
        arguments.push("-DHAVE_CONFIG_H".to_owned());
    }
    arguments.extend(dirs.iter().map(|dir| format!("-I{}", dir.display())));
    let entry = |file: &PathBuf| Entry {
        directory: dir.to_owned(),
        file: file.clone(),
        arguments: [arguments.as_slice(), &["-c".to_owned(), file.display().to_string()]].concat(),
    };
    let entries: Vec<Entry> = files.iter().filter(|file| has_suffix(file, "c")).map(entry).collect();
    fs::write(database, serde_json::to_vec_pretty(&entries)?)?;
    Ok(())
}

/// All files below a directory, in order; links are not followed.
pub(crate) fn files(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        let entries = fs::read_dir(&dir).with_context(|| format!("while reading {}", dir.display()))?;
        for entry in entries {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                dirs.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}
