//! From a source file to IR, all the way and in one process.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use capture::Clang;

/// Compiles, reads, lowers and verifies a file. Whatever the product would leave out or complain about is an error.
pub fn module_of(clang: &Clang, file: &Path, flags: &[String]) -> Result<ir::Module> {
    let units = capture::units_from_files(&[PathBuf::from(file)], flags);
    let unit = units.into_iter().next().context("a file should be a unit")??;
    let bitcode = capture::compile(clang, &unit)?.bitcode;
    let module = bitcode::read(&bitcode)?;
    let lowered = lower::lower(&module);
    ensure!(lowered.skipped.is_empty(), "lowering left out a function: {}", lowered.skipped[0].cause);
    let violations = ir::verify::verify(&lowered.module);
    ensure!(violations.is_empty(), "lowering broke a law: {}", violations[0].message);
    Ok(lowered.module)
}
