//! One defect is one finding, whoever calls; order.

#[path = "../../report/tests/common/mod.rs"]
mod common;

use catalog::Issue::{self, MemoryLeak, NullDeref, UseAfterFree};
use catalog::Verdict::{self, Doomed, Latent, Manifest};
use catalog::{Choice, Fate};
use common::{finding, step};
use report::{Coverage, Files, Finding, Report};
use session::{Selection, named};

/// A finding at the first place, with a story of `place function depth`.
fn found(kind: Issue, verdict: Verdict, story: &[(&str, &str, usize)]) -> Finding {
    let own = story.iter().find(|(_, _, depth)| *depth == 0).expect("a step in the function itself");
    let mut finding = finding(kind, verdict, &format!("a.c:{}:1", own.0), own.1, "it goes wrong");
    finding.trace = story
        .iter()
        .map(|(line, function, depth)| step(&format!("a.c:{line}:1"), function, *depth, "something"))
        .collect();
    finding
}

/// One finding for each defect.
fn one_each(findings: Vec<Finding>) -> Report {
    let files = Files { shown: &str::to_owned, anchored: &str::to_owned, bytes: &|_| None };
    named(Report::new(findings, Coverage::default(), Vec::new()), &files)
}

/// `function verdict` of what is left.
fn left(findings: Vec<Finding>) -> Vec<String> {
    let mut shuffled = findings.clone();
    shuffled.reverse();
    let report = one_each(findings);
    let again = one_each(shuffled);
    assert_eq!(report, again, "the order of discovery does not matter");
    report.findings.iter().map(|it| format!("{} {}", it.function, it.verdict)).collect()
}

#[test]
fn a_defect_inside_of_a_callee_is_one() {
    let inside = |caller: &str, line: &str| {
        found(NullDeref, Manifest, &[(line, caller, 0), ("2", "fill", 1), ("3", "fill", 1)])
    };
    assert_eq!(left(vec![inside("one", "10"), inside("two", "20")]), ["one manifest"]);
}

#[test]
fn the_finding_nearest_to_the_cause_is_kept() {
    let own = found(NullDeref, Manifest, &[("2", "fill", 0), ("3", "fill", 0)]);
    let near = found(NullDeref, Manifest, &[("10", "one", 0), ("2", "fill", 1), ("3", "fill", 1)]);
    let steps = [("1", "far", 0), ("10", "one", 1), ("2", "fill", 2), ("3", "fill", 2)];
    let far = found(NullDeref, Manifest, &steps);
    assert_eq!(left(vec![far.clone(), near.clone()]), ["one manifest"]);
    assert_eq!(left(vec![far, near, own]), ["fill manifest"]);
}

#[test]
fn callers_that_pass_a_fatal_value_on_are_told_apart() {
    let connects = |caller: &str, lines: [&str; 2]| {
        let steps = [(lines[0], caller, 0), ("2", "make", 1), (lines[1], caller, 0), ("5", "use", 1)];
        found(NullDeref, Manifest, &steps)
    };
    let (one, two) = (connects("one", ["10", "11"]), connects("two", ["20", "21"]));
    assert_eq!(left(vec![one.clone(), two]), ["one manifest", "two manifest"]);
    let later = connects("one", ["12", "13"]);
    assert_eq!(left(vec![one, later]), ["one manifest", "one manifest"]);
}

#[test]
fn the_named_origin_counts() {
    let freed = |line: &str| {
        let mut it = found(UseAfterFree, Manifest, &[("1", "f", 0), (line, "f", 0), ("9", "f", 0)]);
        it.origin = Some(1);
        it
    };
    assert_eq!(left(vec![freed("3"), freed("4")]), ["f manifest", "f manifest"]);
    assert_eq!(left(vec![freed("3"), freed("3")]), ["f manifest"]);
    let mut odd = freed("3");
    odd.origin = Some(99);
    assert_eq!(left(vec![odd]), ["f manifest"], "an origin that is not there does no harm");
}

#[test]
fn kinds_are_different_defects() {
    let story = [("1", "f", 0), ("2", "f", 0)];
    let findings = vec![found(NullDeref, Manifest, &story), found(UseAfterFree, Manifest, &story)];
    assert_eq!(left(findings).len(), 2);
    let bare = |function: &str| finding(NullDeref, Manifest, "a.c:1:1", function, "it goes wrong");
    assert_eq!(left(vec![bare("f"), bare("f"), bare("g")]), ["f manifest", "g manifest"]);
}

#[test]
fn the_exit_of_a_leak_does_not_count() {
    let leaks = |caller: &str, call: &str, exit: &str| {
        found(MemoryLeak, Manifest, &[(call, caller, 0), ("2", "make", 1), (exit, caller, 0)])
    };
    let (early, late) = (leaks("one", "10", "12"), leaks("one", "10", "15"));
    assert_eq!(left(vec![early.clone(), late]), ["one manifest"]);
    assert_eq!(left(vec![early.clone(), leaks("one", "11", "15")]).len(), 2);
    assert_eq!(left(vec![early, leaks("two", "20", "22")]).len(), 2);
}

#[test]
fn a_latent_leak_is_not_shown_twice() {
    let own = found(MemoryLeak, Latent, &[("2", "fill", 0), ("3", "fill", 0)]);
    let caller = found(MemoryLeak, Manifest, &[("10", "one", 0), ("2", "fill", 1), ("3", "fill", 1)]);
    assert_eq!(left(vec![own.clone(), caller.clone()]).len(), 2, "they are two statements");
    let shown = |findings: Vec<Finding>, latent| {
        let selection = Selection::everything(latent);
        let report = selection.of(one_each(findings));
        assert_eq!(report.summary.findings, report.findings.len());
        assert_eq!(report.summary.latent, 1);
        (report.findings.iter().map(|it| it.function.clone()).collect::<Vec<_>>(), report.n_kept())
    };
    assert_eq!(shown(vec![own.clone(), caller.clone()], false), (vec!["one".to_owned()], 1));
    assert_eq!(shown(vec![own.clone(), caller], true), (vec!["fill".to_owned(), "one".to_owned()], 0));
    assert_eq!(shown(vec![own], false), (vec!["fill".to_owned()], 0));
}

#[test]
fn files_can_be_renamed() {
    let at = |file: &str| finding(NullDeref, Manifest, &format!("{file}:1:1"), "f", "it goes wrong");
    let far = Report::new(vec![at("/b/x/a.c"), at("/a/y/b.c")], Coverage::default(), Vec::new());
    let name = |file: &str| file.rsplit('/').next().unwrap_or_default().to_owned();
    let near = far.with_files(&Files { shown: &name, anchored: &name, bytes: &|_| None });
    let files: Vec<&str> = near.findings.iter().map(|it| it.file.as_str()).collect();
    assert_eq!(files, ["a.c", "b.c"]);
}

/// A doomed finding, with another story than the other engine tells.
fn doomed(kind: Issue, line: &str, function: &str) -> Finding {
    let mut found = found(kind, Doomed, &[("1", function, 0), (line, function, 0)]);
    found.line = line.parse().expect("a line is a number");
    found.engine = "doomed".to_owned();
    found
}

#[test]
fn what_two_engines_find_is_one_finding_with_one_id() {
    let manifest = found(NullDeref, Manifest, &[("3", "f", 0)]);
    assert_eq!(left(vec![manifest.clone(), doomed(NullDeref, "3", "f")]), ["f manifest"]);
    let ids = |findings: Vec<Finding>| -> Vec<String> {
        one_each(findings).findings.into_iter().map(|it| it.id).collect()
    };
    let one = ids(vec![manifest.clone()]);
    assert_eq!(ids(vec![doomed(NullDeref, "3", "f")]), one);
    assert_eq!(ids(vec![manifest.clone(), doomed(NullDeref, "3", "f")]), one);
    // Another kind, line or function is another failure.
    for other in [doomed(UseAfterFree, "3", "f"), doomed(NullDeref, "4", "f"), doomed(NullDeref, "3", "g")] {
        assert_eq!(left(vec![manifest.clone(), other]).len(), 2);
    }
}

#[test]
fn what_is_doomed_is_not_left_to_callers() {
    let mut latent = found(NullDeref, Latent, &[("3", "f", 0)]);
    latent.fate = Fate::LeftToCallers;
    let report = Selection::everything(true).of(one_each(vec![latent, doomed(NullDeref, "3", "f")]));
    assert_eq!(report.findings.iter().map(|it| it.verdict).collect::<Vec<_>>(), [Doomed]);
    assert_eq!(report.summary.latent, 1);
}

#[test]
fn doomed_is_chosen_by_the_verdict() {
    let all = [found(NullDeref, Manifest, &[("3", "f", 0)]), doomed(NullDeref, "9", "g")];
    let dead = doomed(Issue::DeadCode, "20", "h");
    let shown = |only: &[Choice], skip: &[Choice]| -> Vec<u32> {
        let (only, skip) = (only.iter().copied().collect(), skip.iter().copied().collect());
        let findings = all.iter().chain([&dead]).cloned().collect();
        let report = Selection { only, skip, ..Selection::default() }.of(one_each(findings));
        report.findings.iter().map(|it| it.line).collect()
    };
    let null = Choice::Kind(NullDeref);
    assert_eq!(shown(&[], &[]), [3, 9]);
    assert_eq!(shown(&[Choice::Doomed], &[]), [9]);
    assert_eq!(shown(&[null], &[]), [3, 9]);
    assert_eq!(shown(&[], &[Choice::Doomed]), [3]);
    assert_eq!(shown(&[Choice::Doomed], &[null]), [0; 0]);
    assert_eq!(shown(&[Choice::Kind(Issue::DeadCode)], &[]), [20]);
}
