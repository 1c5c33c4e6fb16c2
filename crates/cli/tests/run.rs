//! `indict run`: what is found, what is not, and that it is the same every time.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::path::PathBuf;

use common::{Said, files, indict, root};
use serde_json::{Value, json};
use testkit::{CTest, Found, Normalizer};

/// Runs a program of one file and gives the report.
fn report(source: &str) -> Value {
    let dir = files(&[("a.c", source)]);
    read(&indict(dir.path(), &["run", "a.c", "--format", "json"]))
}

#[track_caller]
fn read(said: &Said) -> Value {
    let report: Value =
        serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{error}: {said:#?}"));
    let findings = report["findings"].as_array().unwrap().len();
    assert_eq!(said.status, Some(i32::from(findings > 0)), "{said:#?}");
    assert_eq!(report["summary"]["findings"], findings);
    report
}

/// `line kind` of all findings, in order.
fn found(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().unwrap();
    findings.iter().map(|it| format!("{} {}", it["line"], it["kind"].as_str().unwrap())).collect()
}

fn notes(report: &Value) -> Vec<&str> {
    report["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap()).collect()
}

fn sources_of_example() -> Vec<PathBuf> {
    let mut sources: Vec<PathBuf> =
        fs::read_dir(root().join("examples/ledger")).unwrap().map(|entry| entry.unwrap().path()).collect();
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    sources.sort();
    sources
}

#[test]
fn the_example_has_exactly_the_errors_it_says() {
    let report = read(&indict(&root(), &["run", "-p", "examples/ledger", "--format", "json"]));
    let mut kinds = std::collections::BTreeSet::new();
    for source in sources_of_example() {
        let text = fs::read_to_string(&source).unwrap();
        let test = CTest::parse(&source, &text, |kind| catalog::Issue::from_id(kind).is_some()).unwrap();
        kinds.extend(test.expected.iter().map(|expectation| expectation.kind.clone()));
        let name = format!("examples/ledger/{}", source.file_name().unwrap().to_str().unwrap());
        let of_file =
            report["findings"].as_array().unwrap().iter().filter(|finding| finding["file"] == *name);
        let of_file: Vec<Found> = of_file
            .map(|finding| Found {
                line: finding["line"].as_u64().unwrap() as u32,
                latent: finding["verdict"] == "latent",
                kind: finding["kind"].as_str().unwrap().to_owned(),
                message: finding["message"].as_str().unwrap().to_owned(),
            })
            .collect();
        test.compare(&of_file).unwrap_or_else(|difference| panic!("{difference}"));
    }
    assert!(kinds.len() >= 6, "{kinds:?}");
}

#[test]
fn the_example_as_json() {
    let said = indict(&root(), &["run", "-p", "examples/ledger", "--format", "json"]);
    read(&said);
    insta::assert_snapshot!(
        "ledger_json",
        Normalizer::new().text(env!("CARGO_PKG_VERSION"), "VERSION").apply(&said.stdout)
    );
}

#[test]
fn the_example_as_text() {
    let said = indict(&root(), &["run", "-p", "examples/ledger"]);
    said.check(1, &[]);
    insta::assert_snapshot!("ledger_text", said.stdout);
}

#[test]
fn the_output_is_the_same_for_any_number_of_threads_and_any_order() {
    let dir = root().join("examples/ledger");
    let names: Vec<String> = sources_of_example()
        .iter()
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    let run = |jobs: &str, rotate: usize, command: &[&str]| {
        let mut names = names.clone();
        names.rotate_left(rotate);
        let mut args = command.to_vec();
        args.extend(["--jobs", jobs, "--cflag=-D_POSIX_C_SOURCE=200809L"]);
        args.extend(names.iter().map(String::as_str));
        indict(&dir, &args)
    };
    for command in [&["run"][..], &["run", "--format", "json"], &["stats"]] {
        let first = run("1", 0, command);
        assert!(first.stdout.len() > 100, "{first:#?}");
        for (jobs, rotate) in [("4", 0), ("1", 3), ("4", 5)] {
            let again = run(jobs, rotate, command);
            assert_eq!((first.status, &first.stdout), (again.status, &again.stdout));
        }
    }
}

#[test]
fn kinds_can_be_chosen() {
    let run = |args: &[&str]| {
        let mut all = vec!["run", "-p", "examples/ledger", "--format", "json"];
        all.extend(args);
        let report = read(&indict(&root(), &all));
        found(&report).iter().map(|it| it.split_once(' ').unwrap().1.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(run(&["--only", "double-free,null-deref"]), ["double-free", "null-deref"]);
    assert_eq!(run(&["--only", "assert-failure"]), [""; 0]);
    assert!(!run(&["--skip", "memory-leak"]).contains(&"memory-leak".to_owned()));
    assert_eq!(run(&["--only", "double-free", "--skip", "double-free"]), [""; 0]);
}

#[test]
fn reports_go_to_files() {
    let dir = files(&[("a.c", "int main(void) { return 0; }\n"), ("old.json", &"x".repeat(5000))]);
    let said = indict(dir.path(), &["run", "a.c", "--format", "json", "--output", "old.json"]);
    said.check(0, &[]);
    assert_eq!(said.stdout, "");
    let report: Value =
        serde_json::from_str(&fs::read_to_string(dir.path().join("old.json")).unwrap()).unwrap();
    assert_eq!((report["schema"].as_u64(), report["tool"]["name"].as_str()), (Some(1), Some("indict")));
}

#[test]
fn a_program_that_is_right_has_no_findings() {
    let source = "#include <stdlib.h>\nint main(void)\n{\n    int *p = malloc(sizeof *p);\n    if (!p)\n        return 1;\n    \
        *p = 0;\n    int result = *p;\n    free(p);\n    return result;\n}\n";
    let report = report(source);
    assert_eq!(found(&report), [""; 0]);
    assert_eq!(notes(&report), [""; 0]);
    let summary = json!({"functions": 1, "analyzed": 1, "gave_up": 0, "findings": 0, "latent": 0});
    assert_eq!(report["summary"], summary);
}

#[test]
fn without_main_there_is_nothing_to_execute() {
    let report = report("int *f(void) { return 0; }\nint g(void) { return *f(); }\n");
    assert_eq!(found(&report), [""; 0]);
    assert_eq!(notes(&report), ["nothing to execute: no unit defines main"]);
}

#[test]
fn an_unknown_function_ends_the_run() {
    let source = "int weather(void);\nint main(void)\n{\n    int *p = 0;\n    if (weather())\n        return *p;\n    return *p;\n}\n";
    let report = report(source);
    assert_eq!(found(&report), [""; 0]);
    assert_eq!(notes(&report), ["main was followed up to the call of `weather` (a.c:5): it is not known"]);
    assert_eq!(report["summary"]["gave_up"], 1);
}

#[test]
fn what_happens_before_an_unknown_function_counts() {
    let report = report(
        "int weather(void);\nint main(void)\n{\n    int *p = 0;\n    *p = 1;\n    return weather();\n}\n",
    );
    assert_eq!(found(&report), ["5 null-deref"]);
}

#[test]
fn nothing_rests_on_a_signed_overflow() {
    let source = "#include <limits.h>\nint main(void)\n{\n    int big = INT_MAX;\n    volatile int one = 1;\n    \
        int *p = big + one < 0 ? 0 : &big;\n    return *p;\n}\n";
    let report = report(source);
    assert_eq!(found(&report), [""; 0]);
    let note = "what happens behind a signed overflow, which C leaves undefined (a.c:6) is not judged";
    assert_eq!(notes(&report), [note]);
}

#[test]
fn an_assertion_on_an_allocation_is_the_programmers_own_check() {
    let source = "#include <assert.h>\n#include <stdlib.h>\nint main(void)\n{\n    char *p = malloc(1);\n    assert(p);\n    \
        free(p);\n    return 0;\n}\n";
    assert_eq!(found(&report(source)), [""; 0]);
    let failing =
        "#include <assert.h>\nint main(void)\n{\n    int n = 2;\n    assert(n == 3);\n    return 0;\n}\n";
    assert_eq!(found(&report(failing)), ["5 assert-failure"]);
}

#[test]
fn several_programs_are_kept_apart() {
    let library = "int value(void) { return 7; }\n";
    let one = "int value(void);\nstatic int *p;\nint main(void)\n{\n    return *p + value();\n}\n";
    let two = "int value(void);\nint main(void)\n{\n    int zero = value() - 7;\n    return 1 / zero;\n}\n";
    let dir = files(&[("lib.c", library), ("one.c", one), ("two.c", two)]);
    let report = read(&indict(dir.path(), &["run", "two.c", "lib.c", "one.c", "--format", "json"]));
    assert_eq!(found(&report), ["5 null-deref", "5 div-by-zero"]);
    assert_eq!(
        notes(&report),
        ["2 units define main; each is executed with the units that define none: one.c, two.c"]
    );
}

#[test]
fn a_function_that_two_units_define_is_not_followed() {
    let main = "int pick(void);\nint main(void) { int *p = 0; return pick() ? *p : 0; }\n";
    let dir = files(&[
        ("main.c", main),
        ("a.c", "int pick(void) { return 1; }\n"),
        ("b.c", "int pick(void) { return 0; }\n"),
    ]);
    let report = read(&indict(dir.path(), &["run", "main.c", "a.c", "b.c", "--format", "json"]));
    assert_eq!(found(&report), [""; 0]);
    assert_eq!(
        notes(&report),
        [
            "defined in several units, and therefore not followed: pick",
            "main was followed up to the call of `pick` (main.c:2): it is not known"
        ]
    );
    let report = read(&indict(dir.path(), &["run", "main.c", "a.c", "--format", "json"]));
    assert_eq!(found(&report), ["2 null-deref"]);
}

#[test]
fn endless_programs_are_given_up() {
    let report = report("int main(void) { volatile int i = 0; for (;;) i = 1 - i; }\n");
    assert_eq!(found(&report), [""; 0]);
    assert_eq!(notes(&report), ["main was given up after 50000000 instructions"]);
}

#[test]
fn a_trace_is_a_story() {
    let source = "#include <stdlib.h>\nstatic int *make(void)\n{\n    return malloc(4);\n}\nstatic void drop(int *p)\n{\n    \
        free(p);\n}\nint main(void)\n{\n    int *p = make();\n    if (!p)\n        return 1;\n    drop(p);\n    return *p;\n}\n";
    let report = report(source);
    let steps: Vec<String> = report["findings"][0]["trace"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| {
            format!(
                "{} {} {} {}",
                step["line"],
                step["depth"],
                step["function"].as_str().unwrap(),
                step["message"].as_str().unwrap()
            )
        })
        .collect();
    let expected = [
        "12 0 main calls `make`",
        "4 1 make allocated here: 4 bytes",
        "15 0 main calls `drop`",
        "8 1 drop freed here",
        "16 0 main used here",
    ];
    assert_eq!(steps, expected);
}

#[test]
fn ids_survive_moved_lines() {
    let id = |source: &str| report(source)["findings"][0]["id"].as_str().unwrap().to_owned();
    let source = "int main(void)\n{\n    int *p = 0;\n    return *p;\n}\n";
    assert_eq!(id(source), id(&format!("/* moved */\n\n\n{source}")));
    assert_ne!(id(source), id("int main(void)\n{\n    int *q = 0;\n    return *q;\n}\n"));
}

#[test]
fn excerpts_survive_missing_sources() {
    let dir = files(&[("a.c", "int main(void)\n{\n    int *p = 0;\n    return *p;\n}\n")]);
    let clang = capture::Clang::find(None).unwrap();
    let units = capture::units_from_files(&[dir.path().join("a.c")], &[]);
    let compiled = capture::compile(&clang, units[0].as_ref().unwrap()).unwrap();
    fs::write(dir.path().join("a.bc"), compiled.bitcode).unwrap();
    fs::remove_file(dir.path().join("a.c")).unwrap();
    let said = indict(dir.path(), &["run", "a.bc"]);
    assert!(said.check(1, &[]).stdout.contains("a.c:4:12"), "{}", said.stdout);
}

#[test]
fn a_variable_that_nobody_defines_is_no_ground_to_stand_on() {
    let report = report("extern int *shared;\nint main(void)\n{\n    return *shared;\n}\n");
    assert_eq!(found(&report), [""; 0]);
    assert_eq!(notes(&report), ["nothing is judged, because of a global variable that no unit defines"]);
}

#[test]
fn cpp_programs_are_told_in_their_own_names() {
    let source = "namespace shop {\nstruct Cart {\n    int *prices;\n    explicit Cart(int n) : prices(new int[n]) {}\n    \
        ~Cart() { delete prices; }\n};\n}\nint main()\n{\n    shop::Cart cart(3);\n    return 0;\n}\n";
    let dir = files(&[("cart.cpp", source)]);
    let report = read(&indict(dir.path(), &["run", "cart.cpp", "--format", "json"]));
    assert_eq!(found(&report), ["5 invalid-free"]);
    assert_eq!(report["findings"][0]["function"], "shop::Cart::~Cart()");
}
