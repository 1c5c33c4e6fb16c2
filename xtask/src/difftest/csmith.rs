//! Random programs: csmith makes programs that print a checksum of all their variables.
//!
//! csmith promises no undefined behavior, but does not always keep it: a program at which a sanitizer stops,
//! or that does not end soon, does not count. The sanitizer is asked only if the two runs differ or the
//! interpreter speaks of undefined behavior.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use capture::Clang;
use interp::{Budget, EventKind, Options};

use super::native::{self, Status};
use super::{Outcome, ours};

/// Sorts of programs, chosen by the seed: everything csmith does by default, then with floats, then small and dense.
const SORTS: [&[&str]; 4] = [
    &[],
    &["--float"],
    &["--max-funcs", "4", "--max-block-depth", "3", "--max-array-dim", "2"],
    &["--inline-function", "--max-struct-fields", "8", "--max-union-fields", "6"],
];

/// How long the program may run natively; most take a millisecond.
const NATIVE_LIMIT: Duration = Duration::from_secs(2);

/// The interpreter's budget: a native second of a dense loop is about as much.
const STEPS: u64 = 300_000_000;

/// Makes and runs the program of a seed.
pub(crate) fn check(clang: &Clang, seed: u64, scratch: &Path) -> Result<Outcome> {
    let source = scratch.join("csmith.c");
    generate(seed, &source, scratch)?;
    let program = scratch.join("csmith");
    let flags = vec!["-I/usr/include/csmith".to_owned()];
    native::compile(&source, &program, &flags)?;
    let native = native::run(&program, NATIVE_LIMIT, &[])?;
    if native.status == Status::TimedOut {
        return Ok(Outcome::DoesNotCount("it does not end soon"));
    }
    let ours = ours::run(clang, &source, &flags, Options { max_steps: STEPS, ..Options::default() })?;
    if ours.outcome == interp::Outcome::OutOfBudget(Budget::Steps) {
        return Ok(Outcome::DoesNotCount("it needs more steps than the budget"));
    }
    // The sanitizers do not look at the alignment of volatile accesses, and csmith takes addresses in packed structs.
    let claim = ours.undefined.iter().find(|event| event.kind != EventKind::Misaligned);
    let claim =
        claim.map(|event| format!("undefined behavior is reported: {:?} at {}", event.kind, event.place));
    let Some(problem) = ours::difference(&native, &ours).or(claim) else { return Ok(Outcome::Same) };
    if !is_defined(&source, &program, &flags)? {
        return Ok(Outcome::DoesNotCount("a sanitizer stops at it"));
    }
    Ok(Outcome::Different(problem))
}

/// csmith also writes a file `platform.info` where it runs.
fn generate(seed: u64, source: &Path, scratch: &Path) -> Result<()> {
    let sort = SORTS[(seed % SORTS.len() as u64) as usize];
    let status = Command::new("csmith")
        .args(["--seed", &seed.to_string(), "--output"])
        .arg(source)
        .args(sort)
        .current_dir(scratch)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .context("while starting csmith; scripts/setup installs it")?;
    ensure!(status.success(), "csmith fails for seed {seed}");
    Ok(())
}

fn is_defined(source: &Path, program: &Path, flags: &[String]) -> Result<bool> {
    let mut flags = flags.to_vec();
    flags.extend(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"].map(str::to_owned));
    native::compile(source, program, &flags)?;
    let run = native::run(program, NATIVE_LIMIT * 10, &[("ASAN_OPTIONS", "detect_leaks=0")])?;
    Ok(run.status == Status::Exited(0))
}
