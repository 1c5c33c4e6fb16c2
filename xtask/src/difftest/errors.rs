//! Programs with one error each: the interpreter must report the kind on the line that says so, and so must a
//! sanitizer.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use capture::Clang;
use interp::{Bug, Options, Outcome, Run};

use super::{native, ours, sanitizer};

/// What a program says of itself: `//~ kind` on the line of the error.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) kind: String,
    pub(crate) line: u32,
}

/// Runs a program both ways. The result says what is different.
pub(crate) fn check(clang: &Clang, file: &Path, scratch: &Path) -> Result<Option<String>> {
    let text = std::fs::read_to_string(file)?;
    let expected = expectation(&text)?;
    let flags = native::own_flags(&text);
    let ours = ours::run(clang, file, &flags, Options::default())?;
    if let Some(problem) = interpreter_differs(&ours, expected.as_ref()) {
        return Ok(Some(problem));
    }
    let tool = match (&expected, native::header(&text, "sanitizer")) {
        (Some(_), tool) => tool.context("a program should name its sanitizer")?,
        (None, tool) => tool.unwrap_or(sanitizer::ALL),
    };
    let program = scratch.join("program");
    native::compile(file, &program, &[flags, sanitizer::flags(tool)?].concat())?;
    let native = native::run(&program, Duration::from_secs(20), &sanitizer::environment(tool))?;
    Ok(sanitizer::differs(tool, &native, expected.as_ref(), file))
}

/// The one expectation of a program; none for clean look-alikes.
fn expectation(text: &str) -> Result<Option<Expected>> {
    let mut found = None;
    for (line, content) in (1..).zip(text.lines()) {
        let Some((_, kind)) = content.split_once("//~ ") else { continue };
        if found.is_some() {
            bail!("a program should have one error");
        }
        found = Some(Expected { kind: kind.trim().to_owned(), line });
    }
    Ok(found)
}

fn interpreter_differs(run: &Run, expected: Option<&Expected>) -> Option<String> {
    let found: Vec<&Bug> = run.outcome.bug().into_iter().chain(&run.leaks).collect();
    match (expected, found.as_slice()) {
        (None, []) if matches!(run.outcome, Outcome::Exited(0)) => None,
        (None, []) => Some(format!("a clean program ends with {:?}", run.outcome)),
        (Some(expected), [bug]) if bug.issue.id() == expected.kind && bug.place.line == expected.line => None,
        (_, [bug, ..]) => {
            Some(format!("the interpreter reports {} at {}: {}", bug.issue.id(), bug.place, bug.message))
        }
        (Some(expected), []) => Some(format!(
            "the interpreter misses {} in line {}: {:?}",
            expected.kind, expected.line, run.outcome
        )),
    }
}
