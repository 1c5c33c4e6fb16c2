//! The prototypes of the facts against the system's headers: one run of clang on a generated file in which each function is first used,
//! so that it must be declared, and then declared again, so that the declarations must agree.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::Command;

use capture::Clang;
use models::{Library, facts};
use toml::{Table, Value};

/// The headers that a file of facts speaks of.
fn headers(text: &str) -> Vec<String> {
    let table: Table = text.parse().expect("the facts are TOML");
    let list = table.get("headers").and_then(Value::as_array).cloned().unwrap_or_default();
    list.iter().map(|it| it.as_str().expect("a header's name").to_owned()).collect()
}

/// The generated file, and how many functions it checks.
fn unit() -> (String, usize) {
    let (mut includes, mut checked) = (BTreeSet::new(), BTreeSet::new());
    for source in facts() {
        let headers = headers(&source.text);
        if !headers.is_empty() {
            includes.extend(headers);
            checked.insert(source.file);
        }
    }
    let library = Library::standard();
    let stated = library.models().filter(|it| checked.contains(&it.file));
    let rows: Vec<_> = stated.filter_map(|it| Some((it.name.as_str(), it.prototype.as_deref()?))).collect();
    let mut text = String::from("#define _GNU_SOURCE\n");
    includes.iter().for_each(|header| writeln!(text, "#include <{header}>").expect("writing to a string"));
    // Some functions are macros, too.
    rows.iter().for_each(|(name, _)| writeln!(text, "#undef {name}").expect("writing to a string"));
    writeln!(text, "void *used[] = {{").expect("writing to a string");
    rows.iter().for_each(|(name, _)| writeln!(text, "    (void *){name},").expect("writing to a string"));
    writeln!(text, "}};").expect("writing to a string");
    rows.iter().for_each(|(_, prototype)| writeln!(text, "{prototype}").expect("writing to a string"));
    (text, rows.len())
}

/// What clang says against a unit.
fn complaints(text: &str) -> String {
    let clang = Clang::find(None).expect("a clang is installed");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("prototypes.c");
    std::fs::write(&path, text).expect("the unit can be written");
    let output = Command::new(clang.path())
        .args(["-fsyntax-only", "-w", "-ferror-limit=0"])
        .arg(&path)
        .output()
        .expect("clang runs");
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.success(), words.is_empty(), "{words}");
    words
}

#[test]
fn prototypes_agree_with_the_headers() {
    let (text, n_checked) = unit();
    assert!(n_checked >= 350, "only {n_checked} prototypes are compared");
    let words = complaints(&text);
    assert!(words.is_empty(), "{words}");
}

/// The check can fail: a wrong prototype and a function that no header declares.
#[test]
fn disagreement_is_seen() {
    assert!(complaints("#include <stdlib.h>\nvoid *malloc(int size);\n").contains("conflicting types"));
    assert!(
        complaints("#include <stdlib.h>\nvoid *used[] = { (void *)no_such_function };\n")
            .contains("undeclared")
    );
}

#[test]
fn c_bodies_compile() {
    for body in models::c_bodies() {
        assert_eq!(complaints(body.text), "", "{}", body.file);
    }
}
