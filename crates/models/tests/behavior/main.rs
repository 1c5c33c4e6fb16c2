//! The models against the real library: a generated program calls every function that can be called, and what happened must be allowed
//! by the function's model.
//!
//! Judgment: for each recorded call there is a case of the model that describes it (`judge`). The other direction, that each case of a model
//! does happen, is not asked: allocation never fails here.
//! What is called is said in `calls.toml`, together with what is not, and why: a model that is neither called nor excused is a mistake.
//! The counts are in `docs/models.md`; `BLESS=1` writes it.

mod judge;
mod page;
mod plan;
mod program;
mod record;
mod signature;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use capture::Clang;
use models::{Library, Source};

use crate::judge::judge;
use crate::plan::Plan;
use crate::record::Record;

const CALLS: &str = include_str!("calls.toml");

/// Compiles the program and runs it in a directory of its own.
fn records(text: &str) -> Vec<Record> {
    let clang = Clang::find(None).expect("a clang is installed");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (source, binary) = (dir.path().join("calls.c"), dir.path().join("calls"));
    std::fs::write(&source, text).expect("the program can be written");
    let compiled = Command::new(clang.path())
        .args(["-w", "-O0", "-fno-builtin", "-ferror-limit=0", "-pthread", "-o"])
        .args([&binary, &source])
        // clang itself needs the library of C++, so it is there, other than what links C++ programs.
        .args(["-lm", "-ldl", "-l:libstdc++.so.6"])
        .output()
        .expect("clang runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&binary).current_dir(dir.path()).output().expect("the program runs");
    assert!(output.status.success(), "the program ended with {}", output.status);
    record::read(&String::from_utf8(output.stdout).expect("records are text"))
}

/// The calls that no case of a model describes, and the departures that were needed.
fn complaints(library: &Library, plan: &Plan<'_>) -> (Vec<String>, BTreeSet<String>) {
    let records = records(&program::program(plan));
    assert_eq!(records.len(), plan.runs.iter().map(|it| it.calls.len()).sum::<usize>());
    let (mut complaints, mut needed) = (Vec::new(), BTreeSet::new());
    for record in &records {
        let run = &plan.runs[record.function];
        let name = &run.model.name;
        let Some(reason) = judge(library, run, record) else { continue };
        if plan.departures.get(name).is_some_and(|expected| reason.contains(expected)) {
            needed.insert(name.clone());
            continue;
        }
        let call: Vec<String> = run.calls[record.call].iter().map(|it| format!("{it:?}")).collect();
        complaints.push(format!("{name}({}): {reason}", call.join(", ")));
    }
    (complaints, needed)
}

#[test]
fn models_allow_what_the_library_does() {
    let library = Library::standard();
    let plan = Plan::new(&library, CALLS);
    assert!(plan.mistakes.is_empty(), "{}", plan.mistakes.join("\n"));
    let (complaints, needed) = complaints(&library, &plan);
    assert!(complaints.is_empty(), "{} disagreements:\n{}", complaints.len(), complaints.join("\n"));
    let idle: Vec<_> = plan.departures.keys().filter(|it| !needed.contains(*it)).collect();
    assert!(idle.is_empty(), "no call needs the departure of {idle:?}");
}

/// The check can fail: each of these rows says something that is not true, and what is said about it.
#[test]
fn disagreement_is_seen() {
    let wrong = [
        ("size_t strlen(const char *text);", "arg0 = { reads = \"string\" }\nret = 5", "the result is"),
        (
            "void *memset(void *dst, int byte, size_t size);",
            "arg0 = { fill = { byte = 1, len = \"arg2\" } }\nret = \"arg0\"",
            "is not filled",
        ),
        (
            "char *strcpy(char *dst, const char *src);",
            "arg0 = { writes = 1 }\narg1 = { reads = \"string\" }\nret = \"arg0\"",
            "changes, 1 may",
        ),
        (
            "char *stpcpy(char *dst, const char *src);",
            "arg0 = { writes = \"string\" }\narg1 = { reads = \"string\" }\nret = \"arg0\"",
            "not Arg(0)",
        ),
        (
            "char *strdup(const char *text);",
            "arg0 = { reads = \"string\" }\nret = \"nonnull\"",
            "a new block",
        ),
        ("void *malloc(size_t size);", "ret = { alloc = \"malloc\", size = 100 }", "bytes, not 100"),
        ("void free(void *ptr);", "arg0 = \"untouched\"", "argument 0 is freed"),
        (
            "time_t time(time_t *result);",
            "arg0 = { writes = 16, null_ok = true }\nret = \"any\"",
            "byte 8 of argument 0 is not written",
        ),
        (
            "int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);",
            "arg0 = { writes = \"any<=41\" }\narg1 = \"untouched\"\nret = 0",
            "points to only 40 bytes",
        ),
        ("void _exit(int status);", "", "does not return"),
        ("int rand(void);", "noreturn = \"exit\"", "returns or crashes"),
    ];
    let rows: String = wrong
        .iter()
        .map(|(proto, row, _)| format!("[[fn]]\nproto = \"{proto}\"\ncite = \"-\"\n{row}\n"))
        .collect();
    let user = Source { file: "wrong.toml".to_owned(), text: rows, settings: &[] };
    let library = Library::new(&[user]).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let mut plan = Plan::new(&library, CALLS);
    plan.runs.retain(|it| it.model.file == "wrong.toml");
    let (complaints, _) = complaints(&library, &plan);
    for (proto, _, expected) in wrong {
        let name = proto.split('(').next().and_then(|it| it.rsplit([' ', '*']).next()).expect("a name");
        let about = |it: &&String| it.starts_with(&format!("{name}(")) && it.contains(expected);
        assert!(complaints.iter().any(|it| about(&it)), "{proto}: {complaints:#?}");
    }
}

#[test]
fn the_page_tells_what_is_covered() {
    let library = Library::standard();
    let page = page::page(&library, &Plan::new(&library, CALLS));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/models.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/models.md does not agree with the facts; BLESS=1 writes it anew");
}
