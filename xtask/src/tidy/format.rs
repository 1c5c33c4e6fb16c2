//! The code is formatted by rustfmt.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::Problem;

pub(crate) fn check(root: &Path) -> Result<Vec<Problem>> {
    let output = Command::new("cargo")
        .args(["fmt", "--all", "--", "--check", "-l"])
        .current_dir(root)
        .output()
        .context("while running cargo fmt")?;
    if output.status.success() {
        return Ok(Vec::new());
    }
    let listed = String::from_utf8_lossy(&output.stdout);
    let mut problems: Vec<Problem> = listed.lines().map(|file| unformatted(root, Path::new(file))).collect();
    if problems.is_empty() {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        problems.push(Problem { file: "Cargo.toml".into(), line: 0, message });
    }
    Ok(problems)
}

fn unformatted(root: &Path, file: &Path) -> Problem {
    Problem {
        file: file.strip_prefix(root).unwrap_or(file).to_owned(),
        line: 0,
        message: "is not formatted; run `cargo fmt`".into(),
    }
}
