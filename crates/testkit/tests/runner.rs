//! The runner itself: suites over temporary directories, run in this process, counted.
//!
//! This target has no harness, because the runner is one: it returns a status only if every count is as expected.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use tempfile::TempDir;
use testkit::{CTest, Found, IrTest, Said, Words, c_trials, ir_trials, run};

/// A subject that repeats what stands behind `say` on each line, unless it is told not to work.
fn echo(test: &IrTest) -> Result<Vec<Said>, String> {
    if test.source.contains("broken") {
        return Err("broken".into());
    }
    let lines = (1..).zip(test.source.lines());
    Ok(lines
        .filter_map(|(line, text)| Some(Said { line, text: text.strip_prefix("say ")?.into() }))
        .collect())
}

/// A tool that finds a leak on every line with `malloc`, unless it is told not to work.
fn leaks(test: &CTest) -> Result<Vec<Found>, String> {
    if test.args.iter().any(|arg| arg == "--broken") {
        return Err("broken".into());
    }
    let lines = (1..).zip(test.source.lines()).filter(|(_, text)| text.contains("malloc"));
    let found = |(line, _)| Found { line, kind: "leak".into(), message: "lost".into(), ..Found::default() };
    Ok(lines.map(found).collect())
}

const WORDS: Words = Words { is_kind: |kind| kind == "leak", is_cause: |_| true };

fn directory(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

/// How many trials pass and fail. The suite's own output goes to a file, so that nobody takes it for ours.
fn counts(trials: Vec<Trial>) -> (u64, u64) {
    let log = tempfile::tempdir().unwrap();
    let logfile = log.path().join("log").to_string_lossy().into_owned();
    let arguments = Arguments { logfile: Some(logfile), ..Arguments::from_iter(["runner"]) };
    let conclusion = libtest_mimic::run(&arguments, trials);
    (conclusion.num_passed, conclusion.num_failed)
}

fn ir_files_pass_and_fail() {
    let dir = directory(&[
        ("good.ir", "// test echo: repeats.\nsay hello\n//~ hello\n"),
        ("sub/silent.ir", "// test echo: is silent.\n"),
        ("different.ir", "// test echo: differs.\nsay hello\n//~ goodbye\n"),
        ("missing.ir", "// test echo: is silent.\n//~ hello\n"),
        ("surplus.ir", "// test echo: says too much.\nsay hello\n"),
        ("stranger.ir", "// test other: is not ours.\n"),
        ("broken.ir", "// test echo: does not work.\nbroken\n"),
        ("nothing.ir", "say hello\n"),
        ("notes.txt", "not a test"),
    ]);
    assert_eq!(counts(ir_trials(dir.path(), "echo", echo)), (2, 6));
}

fn c_files_pass_and_fail() {
    let dir = directory(&[
        ("a/good.c", "void f_bad(void) { malloc(1); } //~ leak \"lost\"\n"),
        ("a/surplus.c", "void f_ok(void) { malloc(1); }\n"),
        ("b/missing.cc", "void f_bad(void) { } //~ leak\n"),
        ("b/mistake.c", "void f(void) { malloc(1); } //~ leek\n"),
        ("b/broken.c", "// args: --broken\n"),
    ]);
    assert_eq!(counts(c_trials(dir.path(), WORDS, leaks)), (1, 4));
}

fn a_directory_without_tests_fails() {
    let dir = directory(&[("notes.txt", "")]);
    assert_eq!(counts(ir_trials(dir.path(), "echo", echo)), (0, 1));
    assert_eq!(counts(c_trials(Path::new("no/such/directory"), WORDS, leaks)), (0, 1));
}

fn main() -> ExitCode {
    let test = |name: &str, check: fn()| {
        Trial::test(name, move || {
            check();
            Ok(())
        })
    };
    run(vec![
        test("ir_files_pass_and_fail", ir_files_pass_and_fail),
        test("c_files_pass_and_fail", c_files_pass_and_fail),
        test("a_directory_without_tests_fails", a_directory_without_tests_fails),
    ])
}
