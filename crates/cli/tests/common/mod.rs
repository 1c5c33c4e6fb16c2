//! Starting the tool as a user does.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// What the tool said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `indict` in a directory.
pub(crate) fn indict(dir: &Path, args: &[&str]) -> Said {
    run(Command::new(env!("CARGO_BIN_EXE_indict")).args(args).current_dir(dir))
}

pub(crate) fn run(command: &mut Command) -> Said {
    let output = command.env_remove("PWD").output().expect("the program starts");
    Said {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("output is text"),
        stderr: String::from_utf8(output.stderr).expect("messages are text"),
    }
}

/// A directory with these files.
pub(crate) fn files(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().expect("there is room for a directory");
    for (name, text) in files {
        fs::write(dir.path().join(name), text).expect("there is room for a file");
    }
    dir
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace exists")
}

impl Said {
    /// Fails unless the tool ended with this status, and standard error contains these parts.
    #[track_caller]
    pub(crate) fn check(&self, status: i32, parts: &[&str]) -> &Said {
        assert_eq!(self.status, Some(status), "{self:#?}");
        for part in parts {
            assert!(self.stderr.contains(part), "{part:?} is missing in:\n{}", self.stderr);
        }
        self
    }
}
