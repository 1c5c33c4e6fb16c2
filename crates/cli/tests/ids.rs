//! Ids of findings are the same from any working directory, in any checkout, and for any way in which the project is named.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use common::{files, indict, write};
use serde_json::Value;

const FILES: &[(&str, &str)] = &[
    (
        "src/a.c",
        "#include <stdlib.h>\n#include \"inline.h\"\nvoid twice(void)\n{\n    int *p = malloc(4);\n    *p = 1;\n    free(p);\n    p = malloc(8);\n    *p = 1;\n    free(p);\n}\nint use_a(void) { return of_null(); }\n",
    ),
    (
        "src/b.c",
        "#include <stdlib.h>\nstatic int help(int n) { int *p = malloc(4); *p = n; free(p); return n; }\nint b(void) { return help(1); }\n",
    ),
    (
        "lib/b.c",
        "#include <stdlib.h>\nstatic int help(int n) { int *p = malloc(4); *p = n; free(p); return n + 1; }\nint lib(void) { return help(1); }\n",
    ),
    ("include/inline.h", "static inline int of_null(void) { int *p = 0; return *p; }\n"),
];

const SOURCES: &[&str] = &["src/a.c", "src/b.c", "lib/b.c"];

/// Writes the project, with a database in `build`.
fn make(dir: &Path, mark: &str) {
    write(dir, FILES);
    fs::create_dir_all(dir.join(mark)).unwrap();
    let entry = |file: &&str| {
        // As cmake, and as make: absolute and relative names.
        let name =
            if file.starts_with("lib") { format!("../{file}") } else { dir.join(file).display().to_string() };
        serde_json::json!({"directory": dir.join("build"), "file": name, "arguments": ["cc", "-I../include", "-c", name]})
    };
    let entries: Vec<Value> = SOURCES.iter().map(entry).collect();
    write(dir, &[("build/compile_commands.json", &Value::from(entries).to_string())]);
}

/// The names of files by the ids of findings.
fn ids(dir: &Path, args: &[&str]) -> BTreeMap<String, String> {
    let args = [&["run", "--format", "json", "--no-cache"], args].concat();
    let said = indict(dir, &args);
    let report: Value = serde_json::from_str(&said.check(1, &[]).stdout).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let text = |it: &Value| it.as_str().unwrap().to_owned();
    let ids: BTreeMap<String, String> = findings.map(|it| (text(&it["id"]), text(&it["file"]))).collect();
    assert_eq!(ids.len(), report["findings"].as_array().unwrap().len(), "ids are different");
    assert!(ids.len() >= 5, "{ids:?}");
    ids
}

fn keys(ids: &BTreeMap<String, String>) -> Vec<&String> {
    ids.keys().collect()
}

#[test]
fn a_baseline_holds_in_every_checkout() {
    let place = files(&[]);
    for mark in [".git", "."] {
        let (one, two) = (place.path().join("one/project"), place.path().join("other/deep/er/name"));
        make(&one, mark);
        make(&two, mark);
        let link = place.path().join("link");
        let _ = fs::remove_file(&link);
        symlink(&two, &link).unwrap();
        let baseline = ids(&one, &["-p", "build"]);
        let all = [
            ids(&one, &["-p", "build", "--jobs", "1"]),
            ids(&one, &["-p", "build", "--jobs", "2"]),
            ids(&one.join("src"), &["-p", "../build"]),
            ids(place.path(), &["-p", "one/project/build"]),
            ids(&two, &["-p", "build"]),
            ids(&two.join("build"), &["-p", "."]),
            ids(&link, &["-p", "build"]),
            ids(place.path(), &["-p", "link/build"]),
            ids(&two, &["--cflag=-Iinclude", "src/a.c", "src/b.c", "lib/b.c"]),
            ids(&two, &["--cflag=-Iinclude", "lib/b.c", "src/b.c", "src/a.c"]),
            ids(&two.join("lib"), &["--cflag=-I../include", "b.c", "../src/b.c", "../src/a.c"]),
            ids(place.path(), &["--cflag=-Ilink/include", "link/src/a.c", "link/src/b.c", "link/lib/b.c"]),
        ];
        for (number, run) in all.iter().enumerate() {
            assert_eq!(keys(run), keys(&baseline), "run {number}, {mark}: {run:#?} instead of {baseline:#?}");
        }
        assert_ne!(all[3], baseline, "what is shown depends on where one looks from");
        fs::remove_dir_all(place.path().join("one")).unwrap();
        fs::remove_dir_all(place.path().join("other")).unwrap();
    }
}

#[test]
fn new_lines_and_functions_make_no_new_findings() {
    let dir = files(&[(".git/HEAD", "")]);
    make(dir.path(), ".git");
    let before = ids(dir.path(), &["-p", "build"]);
    for (file, text) in FILES {
        let text = text.replace("    *p = 1;", "    /* why */\n    *p\n        = 1;");
        let start = format!("/* moved */\n\nint unrelated_{}(void) {{ return 0; }}\n", file.len());
        fs::write(dir.path().join(file), start + &text).unwrap();
    }
    assert_eq!(before, ids(dir.path(), &["-p", "build"]));
}

#[test]
fn bitcode_of_elsewhere_has_the_same_ids_everywhere() {
    let dir = files(FILES);
    let clang = capture::Clang::find(None).unwrap();
    let flags = [format!("-I{}", dir.path().join("include").display())];
    let units = capture::units_from_files(&[dir.path().join("src/a.c")], &flags);
    let bitcode = capture::compile(&clang, units[0].as_ref().unwrap()).unwrap().bitcode;
    drop(dir);
    let places = files(&[("one/x", ""), ("two/.git/HEAD", "")]);
    let all = ["one", "two"].map(|place| {
        fs::write(places.path().join(place).join("a.bc"), &bitcode).unwrap();
        let said = indict(&places.path().join(place), &["run", "--format", "json", "a.bc"]);
        let report: Value = serde_json::from_str(&said.check(1, &[]).stdout).unwrap();
        report["findings"].as_array().unwrap().iter().map(|it| it["id"].clone()).collect::<Vec<_>>()
    });
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0].len(), 3);
}
