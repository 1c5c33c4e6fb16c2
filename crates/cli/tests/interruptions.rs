//! What goes on around a run: another run at the same time, Ctrl-C, kill -9, places that cannot be written, terminals.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::{entries, files, indict};

const LEAK: (&str, &str) =
    ("leak.c", "#include <stdlib.h>\nint main(void) {\n  malloc(8);\n  return 0;\n}\n");

fn start(dir: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_indict"));
    command.args(args).current_dir(dir).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits until a file is there.
#[track_caller]
fn wait_for(file: &Path) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !file.exists() {
        assert!(Instant::now() < deadline, "{} does not come", file.display());
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_second_of_two_runs_in_one_directory_waits() {
    let dir = files(&[LEAK]);
    let script = "gcc -c leak.c; touch begun; while ! [ -e go ]; do sleep 0.05; done";
    let first = start(dir.path(), &["run", "--", "sh", "-ec", script]);
    wait_for(&dir.path().join("begun"));
    let pid = first.id();
    let second = start(dir.path(), &["run", "leak.c"]);
    std::thread::sleep(Duration::from_millis(500));
    fs::write(dir.path().join("go"), "").unwrap();
    let (first, second) = (first.wait_with_output().unwrap(), second.wait_with_output().unwrap());
    assert_eq!(first.status.code(), Some(1), "{}", stderr(&first));
    assert_eq!(second.status.code(), Some(1), "{}", stderr(&second));
    let waiting = format!("waiting for another indict (process {pid})");
    assert!(stderr(&second).contains(&waiting), "{}", stderr(&second));
    assert_eq!(first.stdout, second.stdout);
}

#[test]
fn a_build_that_runs_indict_itself_does_not_wait_for_ever() {
    let dir = files(&[LEAK]);
    let inner = format!("gcc -c leak.c; '{}' run leak.c > inner || true", env!("CARGO_BIN_EXE_indict"));
    indict(dir.path(), &["capture", "--", "sh", "-ec", &inner]).check(0, &["1 compilation in"]);
    assert!(fs::read_to_string(dir.path().join("inner")).unwrap().contains("memory-leak"));
}

#[test]
fn an_interrupted_build_keeps_what_compiled() {
    let dir = files(&[LEAK]);
    let script = "gcc -c leak.c; touch begun; exec sleep 100";
    let child = start(dir.path(), &["run", "--", "sh", "-ec", script]);
    wait_for(&dir.path().join("begun"));
    let begun = Instant::now();
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("the build was interrupted"), "{}", stderr(&output));
    assert_eq!(entries(dir.path()), ["leak.c -> leak.o"]);
    indict(dir.path(), &["run", "-p", ".indict"]).check(1, &["1 unit"]);
}

/// Many units, so that a run takes a while.
fn many(dir: &Path) {
    let entry = |n: usize| {
        let text = format!("#include <stdio.h>\n#include <stdlib.h>\nint f{n}(void) {{ return {n}; }}\n");
        fs::write(dir.join(format!("f{n}.c")), text).unwrap();
        serde_json::json!({"directory": dir, "file": format!("f{n}.c"), "arguments": ["cc", "-c", format!("f{n}.c")]})
    };
    let entries: Vec<_> = (0..100).map(entry).collect();
    fs::write(dir.join("compile_commands.json"), serde_json::to_vec(&entries).unwrap()).unwrap();
}

#[test]
fn an_interrupted_run_goes_on_where_it_was() {
    let dir = files(&[LEAK]);
    many(dir.path());
    for name in ["-INT", "-KILL"] {
        let child = start(dir.path(), &["run", "-p", "."]);
        std::thread::sleep(Duration::from_millis(1500));
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        match name {
            "-INT" => {
                assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
                assert!(stderr(&output).contains("interrupted"), "{}", stderr(&output));
            }
            _ => assert!(output.status.signal().is_some() || output.status.code() == Some(0)),
        }
    }
    let said = indict(dir.path(), &["run", "-p", "."]);
    said.check(0, &["100 units:", "reused"]);
    indict(dir.path(), &["run", "-p", "."]).check(0, &["100 units: 100 reused"]);
}

#[test]
fn a_store_that_cannot_be_written_costs_only_the_reuse() {
    // A file in its place stops even root, whom permissions do not stop.
    let dir = files(&[LEAK, (".indict", "")]);
    let said = indict(dir.path(), &["run", "--", "gcc", "-c", "leak.c"]);
    said.check(1, &[".indict", "nothing is kept for the next run", "--store"]);
    assert!(said.stdout.contains("memory-leak"), "{said:#?}");
    let said = indict(dir.path(), &["run", "--store", ".indict", "leak.c"]);
    said.check(2, &[".indict"]);
    indict(dir.path(), &["run", "--store", "elsewhere", "--", "gcc", "-c", "leak.c"])
        .check(1, &["1 unit: 1 compiled"]);
    assert!(dir.path().join("elsewhere/compile_commands.json").exists());
}

#[test]
fn sources_in_a_tree_that_cannot_be_written() {
    let dir = files(&[("src/leak.c", LEAK.1), ("work/empty", "")]);
    let source = dir.path().join("src");
    let mut permissions = fs::metadata(&source).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&source, permissions.clone()).unwrap();
    let said = indict(&dir.path().join("work"), &["run", "--", "gcc", "-c", "../src/leak.c"]);
    said.check(1, &["1 unit"]);
    assert_eq!(fs::read_dir(&source).unwrap().count(), 1, "nothing is written beside the sources");
    #[expect(clippy::permissions_set_readonly_false, reason = "the directory is about to be deleted")]
    permissions.set_readonly(false);
    fs::set_permissions(&source, permissions).unwrap();
}

#[test]
fn nothing_is_kept_if_the_user_wants_so() {
    let dir = files(&[LEAK]);
    for _ in 0..2 {
        let said = indict(dir.path(), &["run", "--no-cache", "--", "gcc", "-c", "leak.c"]);
        said.check(1, &["1 unit: 1 compiled"]);
    }
}

#[test]
fn progress_is_for_terminals() {
    let dir = files(&[LEAK]);
    many(dir.path());
    let said = indict(dir.path(), &["stats", "-p", "."]);
    said.check(0, &["100 units: 100 compiled"]);
    assert!(!said.stderr.contains('\r') && !said.stderr.contains("\u{1b}["), "{said:#?}");
    // `script` gives a command a terminal.
    let line = format!("'{}' stats -p . --no-cache", env!("CARGO_BIN_EXE_indict"));
    let shown =
        Command::new("script").args(["-qec", &line, "/dev/null"]).current_dir(dir.path()).output().unwrap();
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("/100 units") && shown.contains("/s"), "{shown}");
}

#[test]
fn who_waits_for_another_run_can_be_interrupted() {
    let dir = files(&[LEAK]);
    let script = "gcc -c leak.c; touch begun; while ! [ -e go ]; do sleep 0.05; done";
    let first = start(dir.path(), &["capture", "--", "sh", "-ec", script]);
    wait_for(&dir.path().join("begun"));
    let second = start(dir.path(), &["run", "--", "touch", "ran"]);
    std::thread::sleep(Duration::from_millis(500));
    signal(&second, "-INT");
    let second = second.wait_with_output().unwrap();
    assert_eq!(second.status.code(), Some(130), "{}", stderr(&second));
    assert!(!dir.path().join("ran").exists(), "its build must not begin");
    fs::write(dir.path().join("go"), "").unwrap();
    assert!(first.wait_with_output().unwrap().status.success());
    assert_eq!(entries(dir.path()), ["leak.c -> leak.o"]);
}

#[test]
fn a_capture_that_cannot_be_kept_does_not_begin() {
    let dir = files(&[LEAK, (".indict", "")]);
    let said = indict(dir.path(), &["capture", "--", "touch", "ran"]);
    said.check(2, &["could not be written", "--store DIR"]);
    assert!(!dir.path().join("ran").exists());
}
