//! The prototypes of the facts against the system's headers: one run of clang on a generated file in which each function is first used,
//! so that it must be declared, and then declared again, so that the declarations must agree.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::Command;

use capture::Clang;
use models::{Library, facts};
use toml::{Table, Value};

/// The headers that a file of facts speaks of: `headers`, which every machine has, or `optional_headers` of libraries that may be missing.
fn headers(text: &str, key: &str) -> Vec<String> {
    let table: Table = text.parse().expect("the facts are TOML");
    let list = table.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    list.iter().map(|it| it.as_str().expect("a header's name").to_owned()).collect()
}

/// The generated file, and how many functions it checks on every machine.
fn unit() -> (String, usize) {
    let library = Library::standard();
    let (mut includes, mut rows) = (BTreeSet::new(), Vec::new());
    let mut optional = String::new();
    for source in facts() {
        let stated = library.models().filter(|it| it.file == source.file);
        let stated: Vec<_> = stated.filter_map(|it| Some((it.name.clone(), it.prototype.clone()?))).collect();
        let (always, sometimes) =
            (headers(&source.text, "headers"), headers(&source.text, "optional_headers"));
        if !always.is_empty() {
            includes.extend(always);
            rows.extend(stated);
        } else if !sometimes.is_empty() {
            optional.push_str(&guarded(&source.file, &sometimes, &stated));
        }
    }
    let n_checked = rows.len();
    (format!("#define _GNU_SOURCE\n{}{optional}", block("libc", includes.iter(), &rows)), n_checked)
}

/// As [`block`], where the headers are installed.
fn guarded(file: &str, headers: &[String], rows: &[(String, String)]) -> String {
    let present: Vec<String> = headers.iter().map(|it| format!("__has_include(<{it}>)")).collect();
    let name: String = file.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("#if {}\n{}#endif\n", present.join(" && "), block(&name, headers.iter(), rows))
}

/// Uses each function and declares it again.
fn block<'a>(name: &str, headers: impl Iterator<Item = &'a String>, rows: &[(String, String)]) -> String {
    let mut text = String::new();
    headers.for_each(|header| writeln!(text, "#include <{header}>").expect("writing to a string"));
    // Some functions are macros, too.
    rows.iter().for_each(|(name, _)| writeln!(text, "#undef {name}").expect("writing to a string"));
    writeln!(text, "void *used_{name}[] = {{").expect("writing to a string");
    rows.iter().for_each(|(name, _)| writeln!(text, "    (void *){name},").expect("writing to a string"));
    writeln!(text, "}};").expect("writing to a string");
    rows.iter().for_each(|(_, prototype)| writeln!(text, "{prototype}").expect("writing to a string"));
    text
}

/// Where the headers of libraries are that do not lie in the usual place; nothing if the machine cannot tell.
fn library_flags() -> Vec<String> {
    let ask = |package: &str| Command::new("pkg-config").args(["--cflags", package]).output();
    let flags = ["libxml-2.0", "glib-2.0"].iter().filter_map(|package| ask(package).ok());
    let texts =
        flags.filter(|it| it.status.success()).map(|it| String::from_utf8_lossy(&it.stdout).into_owned());
    texts.flat_map(|it| it.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// What clang says against a unit.
fn complaints(text: &str) -> String {
    let clang = Clang::find(None).expect("a clang is installed");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("prototypes.c");
    std::fs::write(&path, text).expect("the unit can be written");
    let output = Command::new(clang.path())
        .args(["-fsyntax-only", "-w", "-ferror-limit=0"])
        .args(library_flags())
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
    assert!(n_checked >= 750, "only {n_checked} prototypes are compared");
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
