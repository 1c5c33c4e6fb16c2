//! A session as a face uses it: open, load, analyze, ask.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Heard, files, load, of_files, report, request};
use session::calls::Part;
use session::{Interrupted, Request, Session, SettingsChoice, SettingsFile, Source, Watch};

const LEAK: (&str, &str) =
    ("leak.c", "#include <stdlib.h>\nint main(void) {\n  malloc(8);\n  return 0;\n}\n");
const LIST: (&str, &str) = (
    "list.c",
    "int *get(int n);\nint push(int n) { return *get(n); }\nint both(int n) { return push(n) + push(n); }\n",
);

#[test]
fn a_file_is_loaded_and_analyzed() {
    let dir = files(&[LEAK]);
    let program = load(&of_files(dir.path(), &[dir.path().join("leak.c")], 2));
    assert!(!program.is_empty());
    let report = report(&program);
    assert!(report.contains("\"memory-leak\"") && report.contains("\"line\": 3"), "{report}");
}

#[test]
fn a_program_answers_questions() {
    let dir = files(&[LEAK, LIST]);
    let program = load(&request(dir.path(), 2));
    let analysis = program.analyze(&program.options(), &Watch::nobody()).unwrap();
    let functions = program.functions_named("both").unwrap();
    assert!(program.explain(&analysis, &functions)[0].starts_with("both\n\n  triple 1\n"));
    let error = program.functions_named("bohh").unwrap_err();
    assert_eq!(error.to_string(), "there is no function `bohh`; did you mean `both`?");
    let proposals = program.suggest(&analysis, &[]);
    assert_eq!(proposals.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["get"]);
    let part = Part { function: Some("get".to_owned()), callers: true, depth: None };
    let calls = program.calls(&part).unwrap();
    let mut reached: Vec<&str> = calls.nodes.iter().map(|it| it.label.as_str()).collect();
    reached.sort_unstable();
    assert_eq!((reached, calls.totals), (vec!["both", "get", "push"], None));
}

#[test]
fn units_are_counted_and_printed() {
    let dir = files(&[LEAK, LIST]);
    let open = || Session::open(&request(dir.path(), 2), &Watch::nobody()).unwrap();
    let stats = open().stats(&Watch::nobody()).unwrap();
    let counts: Vec<usize> = stats.units.iter().map(|(_, counts)| counts.functions).collect();
    assert_eq!((counts, stats.all.functions), (vec![1, 2], 3));
    let mut printed = Vec::new();
    let names = ["push".to_owned(), "psh".to_owned()];
    let texts = open().texts(&names, |unit| printed.push(unit.text), &Watch::nobody()).unwrap();
    assert!(printed[0].is_empty() && printed[1].starts_with("func @push("), "{printed:?}");
    assert_eq!(texts.missing, ["there is no function `psh`; did you mean `push`?"]);
}

#[test]
fn events_come_in_one_order_for_any_number_of_threads() {
    let heard = |jobs: usize| {
        let dir = files(&[LIST, LEAK, ("bad.c", "int x = ;\n")]);
        let heard = Heard::default();
        let watch = heard.watch(|_| false);
        let program = Session::open(&request(dir.path(), jobs), &watch).unwrap().load(&watch).unwrap();
        program.analyze(&program.options(), &watch).unwrap();
        drop(watch);
        let lines = heard.events().into_iter().map(|it| it.lines().next().unwrap().to_owned());
        lines.map(|it| it.replace(&dir.path().display().to_string(), "DIR")).collect::<Vec<String>>()
    };
    let expected = [
        "Begun { phase: Units, total: 3 }",
        "UnitDone",
        "DIR/bad.c: does not compile:",
        "UnitDone",
        "UnitDone",
        "Ended(Units)",
        "2 units: 2 compiled; 1 failed (1 not compiled by clang)",
        "Begun { phase: Functions, total: 3 }",
        "FunctionsDone { done: 1, findings: 0 }",
        "FunctionsDone { done: 2, findings: 1 }",
        "FunctionsDone { done: 3, findings: 1 }",
        "Ended(Functions)",
    ];
    for jobs in [1, 2, 4] {
        assert_eq!(heard(jobs), expected, "{jobs} threads");
    }
}

/// Many units with a function each.
fn many() -> tempfile::TempDir {
    let units: Vec<(String, String)> =
        (0..30).map(|n| (format!("f{n}.c"), format!("int f{n}(int x) {{ return x / {n}; }}\n"))).collect();
    files(&units.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect::<Vec<_>>())
}

#[test]
fn loading_stops_when_it_is_wished() {
    let dir = many();
    let heard = Heard::default();
    let watch = heard.watch(|event| event == "UnitDone");
    let session = Session::open(&request(dir.path(), 2), &watch).unwrap();
    let error = session.load(&watch).err().unwrap();
    assert!(error.is::<Interrupted>(), "{error:#}");
    drop(watch);
    let events = heard.events();
    assert!(events.iter().filter(|it| *it == "UnitDone").count() < 30, "{events:?}");
    assert_eq!(events.last().unwrap(), "Ended(Units)");
    // Another session has a wish of its own, and the store is free.
    assert_eq!(load(&request(dir.path(), 2)).project().units().len(), 30);
}

#[test]
fn analysis_stops_when_it_is_wished_and_can_be_begun_again() {
    let dir = many();
    let program = load(&request(dir.path(), 2));
    let heard = Heard::default();
    let watch = heard.watch(|event| event.starts_with("FunctionsDone"));
    let error = program.analyze(&program.options(), &watch).err().unwrap();
    assert!(error.is::<Interrupted>(), "{error:#}");
    assert_eq!(session::analyze(program.project(), &program.options(), &watch).costs.len(), 0);
    assert!(report(&program).contains("div-by-zero"));
}

#[test]
fn who_is_told_to_stop_before_the_work_does_none() {
    let dir = many();
    let heard = Heard::default();
    let watch = heard.watch(|_| false);
    watch.cancel().cancel();
    let session = Session::open(&request(dir.path(), 2), &watch).unwrap();
    assert!(session.load(&watch).err().unwrap().is::<Interrupted>());
    drop(watch);
    assert_eq!(heard.events(), ["Begun { phase: Units, total: 30 }", "Ended(Units)"]);
}

#[test]
fn what_is_not_there_is_an_error() {
    let dir = files(&[LEAK]);
    let missing = Request { source: Source::Database(dir.path().join("nowhere")), ..request(dir.path(), 1) };
    let error = Session::open(&missing, &Watch::nobody()).err().unwrap();
    assert!(error.to_string().contains("nowhere"), "{error:#}");
    let file = SettingsFile::Named(dir.path().join("no.toml"));
    let settings = SettingsChoice { file, models: Vec::new() };
    let unsettled = Request { settings, ..request(dir.path(), 1) };
    let error = Session::open(&unsettled, &Watch::nobody()).err().unwrap();
    assert!(error.to_string().starts_with("cannot read ") && error.chain().count() == 2, "{error:#}");
    // A file that is not there costs only itself.
    let files = [dir.path().join("gone.c"), dir.path().join("leak.c")];
    let program = load(&of_files(dir.path(), &files, 1));
    assert!(report(&program).contains("gone.c: no such file"));
    assert!(load(&of_files(dir.path(), &files[..1], 1)).is_empty());
}

#[test]
fn all_mistakes_in_settings_are_told() {
    let dir = files(&[LEAK]);
    let file = dir.path().join("indict.toml");
    fs::write(&file, "only = [\"null-derf\"]\nwidth = 0\n").unwrap();
    let settings = SettingsChoice { file: SettingsFile::Named(file), models: Vec::new() };
    let error =
        Session::open(&Request { settings, ..request(dir.path(), 1) }, &Watch::nobody()).err().unwrap();
    let mistakes = error.downcast_ref::<session::Mistakes>().unwrap();
    assert_eq!(mistakes.messages.len(), 2, "{mistakes}");
    assert!(mistakes.messages[0].contains("did you mean `null-deref`"), "{mistakes}");
}

#[test]
fn what_a_server_keeps_can_be_shared_by_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Request>();
    is_shared::<session::Program>();
    is_shared::<session::Analysis>();
    is_shared::<Watch<'static>>();
}

/// The C files of a directory of tests.
fn c_files(name: &str) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c").join(name).canonicalize().unwrap();
    let mut files: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn the_report_is_the_same_for_any_number_of_threads() {
    let dir = files(&[]);
    let files: Vec<PathBuf> = ["doomed", "memory-leak"].into_iter().flat_map(c_files).collect();
    let reported = |jobs: usize| report(&load(&of_files(dir.path(), &files, jobs)));
    let alone = reported(1);
    assert!(alone.contains("\"doomed\"") && alone.contains("\"memory-leak\""), "{alone}");
    for jobs in [2, 4] {
        assert_eq!(reported(jobs), alone, "{jobs} threads");
    }
}
