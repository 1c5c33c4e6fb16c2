//! The compiler that the projects' builds are given: it writes down what it was asked and lets clang do it.
//!
//! The builds of the `-sys` crates take the compiler from `CC` and `CXX`. Those name links to this very program, which knows
//! by its own name that it is meant.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// The names under which this program is a compiler, with the compiler it stands for.
pub(crate) const COMPILERS: [(&str, &str); 2] = [("corpus-cc", "clang-19"), ("corpus-c++", "clang++-19")];

/// Where invocations are written down.
pub(crate) const LOG: &str = "INDICT_CORPUS_LOG";

/// One invocation of the compiler.
#[derive(Serialize, Deserialize)]
pub(crate) struct Invocation {
    pub(crate) directory: PathBuf,
    pub(crate) arguments: Vec<String>,
}

/// Acts as a compiler if this program was called as one.
pub(crate) fn act() -> Option<ExitCode> {
    let mut args = std::env::args_os();
    let name = PathBuf::from(args.next()?);
    let name = name.file_name()?.to_str()?;
    let &(_, compiler) = COMPILERS.iter().find(|(wrapper, _)| *wrapper == name)?;
    Some(compile(compiler, args.collect()).unwrap_or_else(|error| {
        eprintln!("{name}: {error:#}");
        ExitCode::FAILURE
    }))
}

fn compile(compiler: &str, args: Vec<OsString>) -> Result<ExitCode> {
    if let Some(log) = std::env::var_os(LOG) {
        write_down(Path::new(&log), compiler, &args)?;
    }
    // The objects only have to exist: without optimization they are there sooner.
    let plain = args.iter().map(|arg| match arg.to_str() {
        Some("-O1" | "-O2" | "-O3" | "-Os") => OsString::from("-O0"),
        _ => arg.clone(),
    });
    let status =
        Command::new(compiler).args(plain).status().with_context(|| format!("while starting {compiler}"))?;
    Ok(ExitCode::from(status.code().map_or(1, |code| code as u8)))
}

fn write_down(log: &Path, compiler: &str, args: &[OsString]) -> Result<()> {
    let mut arguments = vec![compiler.to_owned()];
    arguments.extend(args.iter().map(|arg| arg.to_string_lossy().into_owned()));
    let invocation = Invocation { directory: std::env::current_dir()?, arguments };
    let mut line = serde_json::to_vec(&invocation)?;
    line.push(b'\n');
    // One write per line: builds run in parallel.
    OpenOptions::new().create(true).append(true).open(log)?.write_all(&line)?;
    Ok(())
}
