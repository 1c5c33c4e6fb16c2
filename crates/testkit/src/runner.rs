//! A directory of files becomes a test suite, one test per file, named by its path.
//!
//! ```no_run
//! use std::path::Path;
//! use std::process::ExitCode;
//! use testkit::{IrTest, Said, ir_trials, run};
//!
//! fn triples(test: &IrTest) -> Result<Vec<Said>, String> {
//!     unimplemented!("parse {} and return the triples of its functions", test.source)
//! }
//!
//! fn main() -> ExitCode {
//!     run(ir_trials(Path::new("tests/ir/split"), "split", triples))
//! }
//! ```
//!
//! The test target says `harness = false` in its `Cargo.toml`.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::c::{CTest, Words};
use crate::expectation::Found;
use crate::ir::{IrTest, Said};

/// What a subject says about an IR file, or why it could not look.
pub type IrSubject = fn(&IrTest) -> Result<Vec<Said>, String>;

/// What the tool finds in a C file, or why it could not look.
pub type CSubject = fn(&CTest) -> Result<Vec<Found>, String>;

/// Runs the tests with the options of the command line, which are those of `cargo test`.
pub fn run(trials: Vec<Trial>) -> ExitCode {
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// A test per `.ir` file below `dir`, which all have this subject. With `BLESS=1`, the files are written anew instead.
pub fn ir_trials(dir: &Path, name: &'static str, subject: IrSubject) -> Vec<Trial> {
    trials(dir, &["ir"], move |path, source| {
        let test = IrTest::parse(path, source, name)?;
        let said = subject(&test)?;
        match env::var_os("BLESS") {
            Some(_) => Ok(fs::write(path, test.blessed(&said))?),
            None => Ok(test.compare(&said)?),
        }
    })
}

/// A test per C or C++ file below `dir`.
pub fn c_trials(dir: &Path, words: Words, subject: CSubject) -> Vec<Trial> {
    trials(dir, &["c", "cc", "cpp"], move |path, source| {
        let test = CTest::parse(path, source, words)?;
        Ok(test.compare(&subject(&test)?)?)
    })
}

/// A directory without tests is a failing test, because a wrong path would otherwise pass for ever.
fn trials(
    dir: &Path,
    extensions: &[&str],
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
            Ok(source) => {
                let check = check.clone();
                trials.push(Trial::test(name, move || check(&path, &source)));
            }
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
