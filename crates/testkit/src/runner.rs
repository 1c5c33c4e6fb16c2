//! A directory of files becomes a test suite, one test per file, named by its path.
//!
//! ```no_run
//! use std::path::Path;
//! use std::process::ExitCode;
//! use testkit::{IrTest, Message, ir_trials, run};
//!
//! fn verify(test: &IrTest) -> Vec<Message> {
//!     unimplemented!("parse {} and return what the verifier says", test.source)
//! }
//!
//! fn main() -> ExitCode {
//!     run(ir_trials(Path::new("tests/ir"), &[("verify", verify)]))
//! }
//! ```
//!
//! The test target says `harness = false` in its `Cargo.toml`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::c::{CTest, Found};
use crate::ir::{IrTest, Message};

/// What a subject says about an IR file; a file that it cannot read is a message too.
pub type IrSubject = fn(&IrTest) -> Vec<Message>;

/// What the tool finds in a C file, or why it could not look.
pub type CSubject = fn(&CTest) -> Result<Vec<Found>, String>;

/// Runs the tests with the options of the command line, which are those of `cargo test`.
pub fn run(trials: Vec<Trial>) -> ExitCode {
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// A test per `.ir` file below `dir`. Files with a subject that is not listed fail, unless `dir` holds files for other
/// suites too: then see [`ir_trials_of`].
pub fn ir_trials(dir: &Path, subjects: &[(&'static str, IrSubject)]) -> Vec<Trial> {
    let subjects = subjects.to_vec();
    trials(dir, &["ir"], move |path, source| {
        let test = IrTest::parse(path, source)?;
        let known = subjects.iter().find(|(name, _)| *name == test.subject);
        let (_, subject) = known.ok_or_else(|| format!("unknown subject `{}`", test.subject))?;
        Ok(test.compare(&subject(&test))?)
    })
}

/// Like [`ir_trials`] for one subject, leaving out the files of all others.
pub fn ir_trials_of(dir: &Path, name: &'static str, subject: IrSubject) -> Vec<Trial> {
    let is_ours = move |source: &str| match IrTest::parse(Path::new(""), source) {
        Ok(test) => test.subject == name,
        // A file that picks no subject is everybody's.
        Err(_) => true,
    };
    trials_where(dir, &["ir"], is_ours, move |path, source| {
        let test = IrTest::parse(path, source)?;
        Ok(test.compare(&subject(&test))?)
    })
}

/// A test per C or C++ file below `dir`; `is_kind` knows the ids of issues.
pub fn c_trials(dir: &Path, is_kind: fn(&str) -> bool, subject: CSubject) -> Vec<Trial> {
    trials(dir, &["c", "cc", "cpp"], move |path, source| {
        let test = CTest::parse(path, source, is_kind)?;
        Ok(test.compare(&subject(&test)?)?)
    })
}

fn trials(
    dir: &Path,
    extensions: &[&str],
    check: impl Fn(&Path, &str) -> Result<(), Failed> + Clone + Send + 'static,
) -> Vec<Trial> {
    trials_where(dir, extensions, |_| true, check)
}

/// A directory without tests is a failing test, because a wrong path would otherwise pass for ever.
fn trials_where(
    dir: &Path,
    extensions: &[&str],
    is_ours: impl Fn(&str) -> bool,
    check: impl Fn(&Path, &str) -> Result<(), Failed> + Clone + Send + 'static,
) -> Vec<Trial> {
    let files = match files_below(dir, extensions) {
        Ok(files) => files,
        Err(error) => return vec![failing(dir, format!("cannot be listed: {error}"))],
    };
    let mut trials = Vec::new();
    for path in files {
        let name = path.strip_prefix(dir).unwrap_or(&path).to_string_lossy().into_owned();
        match fs::read_to_string(&path) {
            Err(error) => trials.push(failing(&path, format!("cannot be read: {error}"))),
            Ok(source) if is_ours(&source) => {
                let check = check.clone();
                trials.push(Trial::test(name, move || check(&path, &source)));
            }
            Ok(_) => {}
        }
    }
    if trials.is_empty() {
        trials.push(failing(dir, "has no tests".into()));
    }
    trials
}

fn failing(path: &Path, message: String) -> Trial {
    let name = path.display().to_string();
    let message = format!("{name}: {message}");
    Trial::test(name, move || Err(message.into()))
}

fn files_below(dir: &Path, extensions: &[&str]) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files_below(&path, extensions)?);
        } else if path.extension().is_some_and(|found| extensions.iter().any(|it| found == *it)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
