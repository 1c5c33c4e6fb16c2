//! Things that come with the code and want to be believed or obeyed: stores, links, pipes, compilers.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use common::{Said, files, indict, run};

const BUG: (&str, &str) = ("bug.c", "int f(void) { int *p = 0; return *p; }\n");
const OK: (&str, &str) = ("ok.c", "int g(int x) { return x; }\n");

/// Runs `indict` as a user whose state is kept in that directory.
fn as_user(state: &Path, dir: &Path, args: &[&str]) -> Said {
    run(Command::new(env!("CARGO_BIN_EXE_indict")).args(args).current_dir(dir).env("XDG_STATE_HOME", state))
}

fn database(dir: &Path, entries: &[(&str, &str)]) {
    let entries: Vec<serde_json::Value> = entries
        .iter()
        .map(|(file, command)| serde_json::json!({"directory": dir, "file": file, "command": format!("{command} -c {file}")}))
        .collect();
    fs::write(dir.join("compile_commands.json"), serde_json::to_vec(&entries).unwrap()).unwrap();
}

#[test]
fn a_store_of_somebody_else_is_not_believed() {
    let dir = files(&[BUG, OK]);
    database(dir.path(), &[("bug.c", "clang"), ("ok.c", "clang")]);
    let (mine, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let first = as_user(theirs.path(), dir.path(), &["run", "-p", "."]);
    first.check(1, &["2 compiled"]);
    as_user(theirs.path(), dir.path(), &["run", "-p", "."]).check(1, &["2 reused"]);
    // It came with the checkout: not believed, told once, made again, and mine from then on.
    let said = as_user(mine.path(), dir.path(), &["run", "-p", "."]);
    said.check(1, &["2 compiled", "of the store were made, moved or changed by somebody else"]);
    assert_eq!(said.stderr.matches("by somebody else").count(), 1, "{}", said.stderr);
    let said = as_user(mine.path(), dir.path(), &["run", "-p", "."]);
    said.check(1, &["2 reused"]);
    assert!(!said.stderr.contains("somebody else"), "{}", said.stderr);
}

/// The attack that it is about: a unit with a bug gets the bitcode of one without.
#[test]
fn swapped_entries_hide_nothing() {
    let dir = files(&[BUG, OK]);
    database(dir.path(), &[("bug.c", "clang"), ("ok.c", "clang")]);
    let state = tempfile::tempdir().unwrap();
    as_user(state.path(), dir.path(), &["run", "-p", "."]).check(1, &["2 compiled"]);
    let units = dir.path().join(".indict/cache/units");
    let names: Vec<_> = fs::read_dir(&units).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [one, other] = names.as_slice() else { panic!("{names:?}") };
    let aside = units.join("aside");
    for (from, to) in [(one, &aside), (other, one), (&aside, other)] {
        fs::rename(from, to).unwrap();
    }
    let said = as_user(state.path(), dir.path(), &["run", "-p", "."]);
    said.check(1, &["2 compiled", "2 entries of the store were made, moved or changed by somebody else"]);
    assert!(said.stdout.contains("null-deref"), "{}", said.stdout);
    // Bitcode that was exchanged is noticed by its name.
    let blobs = dir.path().join(".indict/cache/blobs");
    let blobs: Vec<_> = fs::read_dir(&blobs).unwrap().map(|entry| entry.unwrap().path()).collect();
    let smallest = blobs.iter().map(|it| fs::read(it).unwrap()).min_by_key(Vec::len).unwrap();
    blobs.iter().for_each(|it| fs::write(it, &smallest).unwrap());
    let said = as_user(state.path(), dir.path(), &["run", "-p", "."]);
    assert!(said.stdout.contains("null-deref"), "{}", said.stdout);
}

#[test]
fn links_of_a_store_lead_nowhere() {
    let state = tempfile::tempdir().unwrap();
    let outside = files(&[("precious", "precious")]);
    let precious = outside.path().join("precious");
    for link in ["cache", "cache/units", "cache/blobs", "cache/answers", "lock", "bin", "cache/files"] {
        let dir = files(&[BUG]);
        as_user(state.path(), dir.path(), &["run", "bug.c"]).check(1, &[]);
        let path = dir.path().join(".indict").join(link);
        let _ = fs::remove_dir_all(&path);
        let _ = fs::remove_file(&path);
        let target = if ["lock", "cache/files"].contains(&link) {
            precious.clone()
        } else {
            outside.path().to_owned()
        };
        symlink(target, &path).unwrap();
        let said = as_user(state.path(), dir.path(), &["run", "bug.c"]);
        assert!(said.stdout.contains("null-deref"), "{link}: {said:?}");
        assert_eq!(fs::read_to_string(&precious).unwrap(), "precious", "{link}");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1, "{link}");
    }
    // The store itself.
    let dir = files(&[BUG]);
    let elsewhere = tempfile::tempdir().unwrap();
    symlink(elsewhere.path(), dir.path().join(".indict")).unwrap();
    as_user(state.path(), dir.path(), &["run", "bug.c"]).check(1, &[".indict is a link"]);
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
fn pipes_and_devices_are_named() {
    let dir = files(&[BUG]);
    let pipe = dir.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let begun = Instant::now();
    let cases: [(&[&str], &str); 8] = [
        (&["run", "pipe"], "is not a regular file"),
        (&["run", "-p", "pipe"], "is not a regular file"),
        (&["run", "bug.c", "--config", "pipe"], "is not a regular file"),
        (&["run", "bug.c", "--models", "pipe"], "is not a regular file"),
        (&["run", "-p", "/dev/zero"], "is not a regular file"),
        (&["run", "/dev/zero"], "is not a regular file"),
        (&["run", "bug.c", "--config", "/dev/zero"], "is not a regular file"),
        (&["run", "bug.c", "--models", "."], "is a directory"),
    ];
    for (args, message) in cases {
        indict(dir.path(), args).check(2, &[message]);
    }
    assert!(begun.elapsed() < Duration::from_secs(30));
    // As what is found without being named.
    fs::rename(&pipe, dir.path().join("indict.toml")).unwrap();
    indict(dir.path(), &["run", "bug.c"]).check(1, &[]);
}

/// A secret in a home directory, which a unit names as its own source.
#[test]
fn excerpts_show_no_secrets() {
    let home = files(&[(".ssh/id", "a secret key\n"), ("shown.c", "shown\n")]);
    for (name, is_shown) in [(".ssh/id", false), ("shown.c", true)] {
        let path = home.path().join(name);
        let text = format!("#line 1 \"{}\"\nint f(void) {{ int *p = 0; return *p; }}\n", path.display());
        let dir = files(&[("a.c", &text)]);
        let said = run(Command::new(env!("CARGO_BIN_EXE_indict"))
            .args(["run", "a.c"])
            .current_dir(dir.path())
            .env("HOME", home.path()));
        said.check(1, &[]);
        let content = fs::read_to_string(&path).unwrap();
        assert_eq!(said.stdout.contains(content.trim()), is_shown, "{}", said.stdout);
    }
}

#[test]
fn what_is_left_out_of_a_command_is_told() {
    let dir = files(&[BUG, OK]);
    database(
        dir.path(),
        &[("bug.c", "clang -fplugin=./x.so -Btools -O2"), ("ok.c", "./tools/gcc -fplugin=./x.so -Wall")],
    );
    let said = indict(dir.path(), &["run", "-p", ".", "--format", "json"]);
    said.check(1, &["not handed to clang", "-fplugin= (2 units), -Btools (1 unit)"]);
    assert!(said.stdout.contains("not handed to clang"), "{}", said.stdout);
    assert!(!said.stderr.contains("-O2") && !said.stderr.contains("-Wall"), "{}", said.stderr);
    // A compiler of the project is not even looked at if it is not there; if it is, it is not run.
    assert!(!said.stderr.contains("not on PATH"), "{}", said.stderr);
    fs::create_dir(dir.path().join("tools")).unwrap();
    fs::copy("/bin/true", dir.path().join("tools/gcc")).unwrap();
    indict(dir.path(), &["run", "-p", ".", "--no-cache"]).check(1, &["not on PATH are not run", "tools/gcc"]);
}
