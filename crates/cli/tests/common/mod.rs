//! Starting the tool as a user does.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use catalog::{Cause, Issue};
use serde_json::Value;
use tempfile::TempDir;
use testkit::{Found, FoundStep, Verdict, Words};

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

/// The words that expectations are made of.
pub(crate) fn words() -> Words {
    Words {
        is_kind: |kind| Issue::from_id(kind).is_some(),
        is_cause: |cause| Cause::from_id(cause).is_some(),
    }
}

/// A finding of the report in JSON, in the words of the test kit.
pub(crate) fn found_of(finding: &Value) -> Found {
    let text = |field: &str| finding[field].as_str().expect("the field is a text").to_owned();
    let line = |it: &Value| it["line"].as_u64().expect("a line is a number") as u32;
    let step = |step: &Value| FoundStep {
        line: (step["file"] == finding["file"]).then(|| line(step)),
        message: step["message"].as_str().expect("a step says something").to_owned(),
    };
    Found {
        line: line(finding),
        verdict: Verdict::of(finding["verdict"].as_str().expect("a verdict is a word")),
        kind: text("kind"),
        message: text("message"),
        cause: text("cause"),
        condition: text("condition"),
        steps: finding["trace"].as_array().expect("a trace is a list").iter().map(step).collect(),
    }
}

/// A directory with these files.
pub(crate) fn files(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().expect("there is room for a directory");
    write(dir.path(), files);
    dir
}

/// Writes these files, and the directories they are in.
pub(crate) fn write(dir: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().expect("a file has a directory"))
            .expect("there is room for a directory");
        fs::write(path, text).expect("there is room for a file");
    }
}

/// Captures a build that a shell script does.
pub(crate) fn capture(dir: &Path, script: &str) -> Said {
    indict(dir, &["capture", "--", "sh", "-ec", script])
}

/// `file -> output` of all entries of the captured database, relative to `dir`, in order.
pub(crate) fn entries(dir: &Path) -> Vec<String> {
    let file = dir.join(".indict/compile_commands.json");
    let text = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let entries: Vec<serde_json::Value> = serde_json::from_slice(&text).expect("a database is a list");
    let dir = dir.canonicalize().expect("the directory exists");
    let path = |entry: &serde_json::Value, key: &str| {
        let place = Path::new(entry["directory"].as_str().expect("a directory")).canonicalize();
        let path = place.unwrap_or_default().join(entry[key].as_str().expect("a path"));
        let path = path.canonicalize().unwrap_or(path);
        path.strip_prefix(&dir).unwrap_or(&path).display().to_string()
    };
    let mut lines: Vec<String> =
        entries.iter().map(|entry| format!("{} -> {}", path(entry, "file"), path(entry, "output"))).collect();
    lines.sort();
    lines
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
