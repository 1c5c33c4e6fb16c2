//! Builds and runs LLVM's side: `tests/oracle/dump.cpp`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result, bail, ensure};

use super::output_dir;
use crate::root;

/// The majors of LLVM that the dump program compiles with.
pub(super) const MAJORS: [u32; 2] = [19, 22];

/// Whether the headers and libraries of this major are installed.
pub(super) fn is_installed(major: u32) -> bool {
    Command::new(format!("llvm-config-{major}"))
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

/// The dump program of this major, built if it is missing or older than its source.
pub(super) fn build(major: u32) -> Result<PathBuf> {
    ensure!(is_installed(major), "llvm-config-{major} was not found: install llvm-{major}-dev");
    let source = root().join("tests/oracle");
    let program = output_dir()?.join(format!("dump-{major}"));
    if !is_stale(&program, &source)? {
        return Ok(program);
    }
    let mut command = Command::new(compiler(major)?);
    command.arg("-O1").args(llvm_flags(major, &["--cxxflags"])?);
    command.arg(source.join("dump.cpp")).arg("-o").arg(&program);
    command.args(llvm_flags(major, &["--ldflags", "--libs", "--system-libs"])?);
    let output = command.output().with_context(|| format!("while building {}", program.display()))?;
    ensure!(
        output.status.success(),
        "the dump program for LLVM {major} does not compile:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(program)
}

/// What LLVM sees in a bitcode file.
pub(super) fn run(program: &Path, bitcode: &Path) -> Result<String> {
    let output = Command::new(program).arg(bitcode).output().context("while running the dump program")?;
    if !output.status.success() {
        bail!("LLVM cannot read {}: {}", bitcode.display(), String::from_utf8_lossy(&output.stderr).trim());
    }
    String::from_utf8(output.stdout).context("the dump should be ASCII")
}

fn is_stale(program: &Path, source: &Path) -> Result<bool> {
    let Ok(built) = program.metadata().and_then(|metadata| metadata.modified()) else { return Ok(true) };
    let mut newest = SystemTime::UNIX_EPOCH;
    for entry in source.read_dir().context("while listing the oracle's source")? {
        newest = newest.max(entry?.metadata()?.modified()?);
    }
    Ok(newest > built)
}

/// GCC if it is there (every Debian that builds us has it), else clang of the same major.
fn compiler(major: u32) -> Result<String> {
    let candidates = ["g++".to_string(), format!("clang++-{major}")];
    let found = candidates.iter().find(|name| Command::new(name).arg("--version").output().is_ok());
    found.cloned().context("no C++ compiler was found: install g++")
}

fn llvm_flags(major: u32, arguments: &[&str]) -> Result<Vec<String>> {
    let output = Command::new(format!("llvm-config-{major}")).args(arguments).output()?;
    ensure!(output.status.success(), "llvm-config-{major} failed");
    Ok(String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_string).collect())
}
