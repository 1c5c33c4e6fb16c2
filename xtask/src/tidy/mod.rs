//! `cargo x tidy`: the rules of the house that a program can check.
//!
//! Each check returns [`Problem`]s, which fail the command; [`sizes`] only points at places to look
//! at. Source: STYLE §§1, 17, 31, 48, 54, 57; RA `xtask/src/tidy.rs` is the example.

pub(crate) mod files;
mod format;
mod headers;
mod layers;
mod limits;
mod sizes;
mod words;

use std::fmt;
use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::root;

/// Check layers, headers, words, formatting; point at long files and functions.
#[derive(clap::Args)]
pub(crate) struct Tidy {}

/// Something that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The file, relative to the workspace.
    file: PathBuf,
    /// The line from 1; 0 if it is about the whole file.
    line: usize,
    message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file.display(), self.message),
            line => write!(f, "{}:{line}: {}", self.file.display(), self.message),
        }
    }
}

impl Tidy {
    pub(crate) fn run(&self) -> Result<()> {
        let files = files::all(root())?;
        let mut problems = layers::check(root())?;
        problems.extend(headers::check(&files));
        problems.extend(words::check(&files, &layers::core_rooms(root())?));
        problems.extend(limits::check(&files));
        problems.extend(format::check(root())?);
        for place in sizes::places(&files) {
            println!("{place}");
        }
        for problem in &problems {
            eprintln!("{problem}");
        }
        match problems.len() {
            0 => Ok(()),
            count => bail!("{count} rules are broken; see above"),
        }
    }
}
