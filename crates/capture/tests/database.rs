//! Compilation databases, good and bad.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use capture::{Database, Error};
use tempfile::TempDir;

/// Loads a database with that text, beside the files `a.c`, `b.c`, `x y.c` and `a.s`.
fn load(text: &[u8]) -> (TempDir, Result<Database, Error>) {
    let dir = tempfile::tempdir().unwrap();
    for file in ["a.c", "b.c", "x y.c", "a.s"] {
        fs::write(dir.path().join(file), "int x;").unwrap();
    }
    fs::write(dir.path().join("compile_commands.json"), text).unwrap();
    let database = Database::load(dir.path());
    (dir, database)
}

fn args(text: &str) -> Vec<String> {
    let (_dir, database) = load(text.as_bytes());
    let mut database = database.unwrap();
    assert!(database.rejected.is_empty(), "{:?}", database.rejected);
    database.units.remove(0).args
}

#[test]
fn commands_are_split_like_a_shell_does() {
    let command = r#"[{"directory": ".", "file": "a.c",
        "command": "cc -DNAME=\"\\\"a b\\\"\" '-DOTHER=c d' -I\"in c\" -c a.c"}]"#;
    assert_eq!(args(command), [r#"-DNAME="a b""#, "-DOTHER=c d", "-Iin c"]);
}

#[test]
fn arguments_are_taken_as_they_are() {
    let arguments = r#"[{"directory": ".", "file": "x y.c",
        "arguments": ["cc", "-DNAME=\"a b\"", "-c", "x y.c"], "command": "ignored"}]"#;
    assert_eq!(args(arguments), [r#"-DNAME="a b""#]);
}

#[test]
fn response_files_are_expanded() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.c"), "").unwrap();
    fs::write(dir.path().join("outer.rsp"), "-DA '-DB=b c' @inner.rsp @gone.rsp @inner.rsp @outer.rsp")
        .unwrap();
    fs::write(dir.path().join("inner.rsp"), "-DC -o out.o @outer.rsp a.c").unwrap();
    let text = r#"[{"directory": ".", "file": "a.c", "command": "cc @outer.rsp -c a.c"}]"#;
    fs::write(dir.path().join("compile_commands.json"), text).unwrap();
    let database = Database::load(dir.path()).unwrap();
    assert_eq!(database.units[0].args[..3], ["-DA", "-DB=b c", "-DC"]);
}

#[test]
fn the_file_itself_may_be_named() {
    let (dir, _) = load(br#"[{"directory": ".", "file": "a.c", "command": "cc a.c"}]"#);
    let database = Database::load(&dir.path().join("compile_commands.json")).unwrap();
    assert_eq!(database.units.len(), 1);
    assert!(database.units[0].dir.is_absolute());
}

#[test]
fn equal_compilations_are_one_unit() {
    let text = r#"[{"directory": ".", "file": "a.c", "command": "cc -O1 -c a.c -o 1.o"},
        {"directory": ".", "file": "a.c", "command": "cc -O2 -fPIC -c a.c -o 2.o"},
        {"directory": ".", "file": "a.c", "command": "cc -O2 -c a.c -o 3.o"}]"#;
    let (_dir, database) = load(text.as_bytes());
    assert_eq!(database.unwrap().units.len(), 2);
}

#[test]
fn invalid_json_has_line_and_column() {
    let (dir, database) = load(b"[\n  {\"directory\": \".\",\n   \"file\": }\n]");
    let path = dir.path().join("compile_commands.json");
    let expected = format!("{}:3:12: invalid compilation database: expected value", path.display());
    assert_eq!(database.unwrap_err().to_string(), expected);
}

#[test]
fn other_json_is_no_database() {
    for text in ["{}", "", "[1]", "[{\"file\": 1}]", "null", "\u{feff}[", "[{\"arguments\": \"cc\"}]"] {
        let (_dir, database) = load(text.as_bytes());
        assert!(matches!(database, Err(Error::Database { line: 1, .. })), "{text}");
    }
    let (_dir, database) = load(b"[{\"file\": \"\xFF\"}]");
    assert!(matches!(database, Err(Error::Database { .. })));
    let (_dir, database) = load("[".repeat(100_000).as_bytes());
    assert!(matches!(database, Err(Error::Database { .. })));
}

#[test]
fn bad_entries_are_named_by_index_and_cost_only_themselves() {
    let text = r#"[{"directory": ".", "command": "cc a.c"},
        {"file": "a.c", "command": "cc a.c"},
        {"directory": ".", "file": "a.c"},
        {"directory": ".", "file": "a.c", "command": "cc 'a.c"},
        {"directory": ".", "file": "a.c", "arguments": []},
        {"directory": ".", "file": "gone.c", "command": "cc gone.c"},
        {"directory": ".", "file": "a.s", "command": "cc a.s"},
        {"directory": ".", "file": "b.c", "command": "cc b.c"}]"#;
    let (_dir, database) = load(text.as_bytes());
    let database = database.unwrap();
    assert_eq!(database.units.len(), 1);
    let messages: Vec<String> = database.rejected.iter().map(ToString::to_string).collect();
    let ends = [
        "entry 0: has no `file`",
        "entry 1: has no `directory`",
        "entry 2: has neither `command` nor `arguments`",
        "entry 3: `command` has a quote that is not closed",
        "entry 4: has no `command`",
        "gone.c: no such file",
        "a.s: is assembly; only C, C++ and LLVM bitcode are analyzed",
    ];
    assert_eq!(messages.len(), ends.len(), "{messages:?}");
    for (message, end) in messages.iter().zip(ends) {
        assert!(message.ends_with(end), "{message}");
    }
}

#[test]
fn a_missing_database_says_how_to_make_one() {
    let dir = tempfile::tempdir().unwrap();
    let message = Database::load(dir.path()).unwrap_err().to_string();
    assert!(message.contains("there is no compile_commands.json"), "{message}");
    let gone = Database::load(Path::new("/no/such/file.json"));
    assert!(matches!(gone, Err(Error::NoSuchFile { .. })));
}

#[test]
fn an_empty_database_is_no_error() {
    let (_dir, database) = load(b"[]");
    assert!(database.unwrap().units.is_empty());
}
