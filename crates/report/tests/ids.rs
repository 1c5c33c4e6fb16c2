//! What ids of findings depend on, and what not.

mod common;

use std::collections::BTreeSet;

use catalog::Fate;
use catalog::Issue::{self, MemoryLeak, NullDeref, UseAfterFree};
use catalog::Verdict::{self, Latent, Manifest};
use common::{finding, with_ids};
use report::{Coverage, Files, Finding, Report};

/// The ids of findings in a file with this text, in the order of the report.
fn ids(source: &str, findings: &[Finding]) -> Vec<String> {
    let report = Report::new(findings.to_vec(), Coverage::default(), Vec::new());
    let report = with_ids(report, &|_| Some(source.as_bytes().to_vec()));
    report.findings.into_iter().map(|finding| finding.id).collect()
}

/// A finding where the text has `at` for the nth time, from 0.
fn found(source: &str, at: &str, n: usize) -> Finding {
    let place = source.match_indices(at).nth(n).expect("a place").0;
    let line = source[..place].matches('\n').count() + 1;
    let column = place - source[..place].rfind('\n').map_or(0, |end| end + 1) + 1;
    finding(NullDeref, Manifest, &format!("a.c:{line}:{column}"), "f", "it goes wrong")
}

const SOURCE: &str = "void f(int *p)\n{\n    *p = 1;\n    *p = 2;\n    *p = 1;\n}\n";

#[test]
fn ids_do_not_depend_on_what_is_shown() {
    let report = common::example();
    let id = |report: &Report, kind: Issue| {
        report.findings.iter().find(|it| it.kind == kind).map(|it| it.id.clone())
    };
    let shown: Vec<bool> = report.findings.iter().map(|it| it.kind == MemoryLeak).collect();
    let part = report.clone().keep(&shown, &shown);
    assert_eq!(part.findings.len(), 1);
    assert_eq!(id(&part, MemoryLeak), id(&report, MemoryLeak));
}

#[test]
fn an_id_is_the_same_for_ever() {
    assert_eq!(ids(SOURCE, &[found(SOURCE, "*p = 2", 0)]), ["d10d748cee3db1ca"]);
}

#[test]
fn what_is_told_of_a_finding_is_no_part_of_its_id() {
    let plain = found(SOURCE, "*p = 2", 0);
    let mut other = plain.clone();
    other.message = "quite different words".to_owned();
    other.verdict = Latent;
    other.condition = common::holds(&["n > 3"]);
    other.engine = "doomed".to_owned();
    other.trace = vec![common::step("b.h:9:1", "g", 1, "something")];
    other.function = "pretty name".to_owned();
    assert_eq!(ids(SOURCE, &[plain]), ids(SOURCE, &[other]));
}

#[test]
fn kind_function_file_and_statement_make_the_id() {
    let plain = found(SOURCE, "*p = 2", 0);
    let mut kind = plain.clone();
    kind.kind = UseAfterFree;
    let mut function = plain.clone();
    function.anchor.function = "_Z1fPd".to_owned();
    let mut file = plain.clone();
    file.file = "b.c".to_owned();
    let statement = found(SOURCE, "*p = 1", 0);
    let all = [plain, kind, function, file, statement].map(|it| ids(SOURCE, &[it]).remove(0));
    assert_eq!(BTreeSet::from(all.clone()).len(), all.len(), "{all:?}");
    assert!(all.iter().all(|id| id.len() == 16 && id.bytes().all(|it| it.is_ascii_hexdigit())), "{all:?}");
}

#[test]
fn equal_statements_are_told_apart_by_their_order() {
    let both = ids(SOURCE, &[found(SOURCE, "*p = 1", 0), found(SOURCE, "*p = 1", 1)]);
    assert_ne!(both[0], both[1]);
    assert_eq!(ids(SOURCE, &[found(SOURCE, "*p = 1", 0)]), both[..1]);
}

#[test]
fn ids_survive_what_happens_around_them() {
    let places =
        |source: &str| [found(source, "*p = 1", 0), found(source, "*p = 2", 0), found(source, "*p = 1", 1)];
    let before = ids(SOURCE, &places(SOURCE));
    let moved = format!(
        "#include <x.h>\nvoid g(void) {{ h(); }}\n{}",
        SOURCE.replace("    *p = 2;", "k();\n  // why\n *p =  2;")
    );
    let moved = moved.replace("*p =  2", "*p = 2").replace('\n', "\r\n");
    assert_eq!(before, ids(&moved, &places(&moved)));
}

#[test]
fn latent_errors_that_are_asked_for_change_no_other_id() {
    let at = |n: usize, verdict: Verdict| {
        let mut finding = found(SOURCE, "*p = 1", n);
        finding.verdict = verdict;
        finding.fate = if verdict == Latent { Fate::OnRequest } else { Fate::Shown };
        finding
    };
    let alone = ids(SOURCE, &[at(1, Manifest)]);
    let with_latent = ids(SOURCE, &[at(0, Latent), at(1, Manifest)]);
    assert_eq!(alone[0], with_latent[1]);
}

#[test]
fn ids_do_not_depend_on_names_that_are_shown() {
    let at = |file: &str| finding(NullDeref, Manifest, &format!("{file}:1:1"), "f", "it goes wrong");
    let ids = |shown: &dyn Fn(&str) -> String| {
        let report = Report::new(vec![at("/p/a/x.c"), at("/p/b/x.c")], Coverage::default(), Vec::new());
        let files = Files { shown, anchored: &|_| "x.c".to_owned(), bytes: &|_| None };
        let named =
            report.with_files(&files).with_ids().findings.into_iter().map(|it| (it.anchor.origin, it.id));
        named.collect::<BTreeSet<_>>()
    };
    let plain = ids(&str::to_owned);
    assert_eq!(plain.iter().map(|(_, id)| id).collect::<BTreeSet<_>>().len(), 2);
    assert_eq!(plain, ids(&|file| file.replace("/p/a", "z").replace("/p/b", "../b")));
}
