//! C files that state their findings on the line (`tests/c`), one test per file.
//!
//! Each file is analyzed as a user would do it, by `indict run FILE` with the options of its `// args:`, so a finding that is
//! missing, surplus, misplaced or of the wrong verdict fails the file.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::process::ExitCode;

use common::{found_of, indict, root, words};
use serde_json::Value;
use testkit::{CTest, Found, c_trials, run};

fn main() -> ExitCode {
    run(c_trials(&root().join("tests/c"), words(), analyze))
}

/// What the tool finds in the file.
///
/// The analysis starts in an empty directory, because the tool keeps its store in the working directory, and tests run side
/// by side.
fn analyze(test: &CTest) -> Result<Vec<Found>, String> {
    let dir = tempfile::tempdir().unwrap();
    let file = test.path.to_str().unwrap();
    let mut args = vec!["run", file, "--format", "json"];
    args.extend(test.args.iter().map(String::as_str));
    let said = indict(dir.path(), &args);
    let report: Value =
        serde_json::from_str(&said.stdout).map_err(|error| format!("no report: {error}\n{}", said.stderr))?;
    let findings: Result<Vec<Found>, String> =
        report["findings"].as_array().unwrap().iter().map(|it| found(file, it)).collect();
    let findings = findings?;
    complete(&report)?;
    let expected = i32::from(!findings.is_empty());
    match said.status {
        Some(status) if status == expected => Ok(findings),
        status => Err(format!("ended with {status:?} instead of {expected}\n{}", said.stderr)),
    }
}

/// A file in which a function was given up, or which says that something else went wrong, has not been tested.
fn complete(report: &Value) -> Result<(), String> {
    let gave_up = &report["summary"]["gave_up"];
    if *gave_up != 0 {
        return Err(format!("{gave_up} functions were given up: {}", report["notes"]));
    }
    Ok(())
}

fn found(file: &str, finding: &Value) -> Result<Found, String> {
    if finding["file"] != file {
        return Err(format!("a finding in another file: {finding}"));
    }
    Ok(found_of(finding))
}
