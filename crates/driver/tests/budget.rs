//! The budget of memory of a run: the same functions are given up for any number of threads, and it is told.

mod common;

use common::sketch;
use driver::{Analysis, Options, Project};

/// Functions on three levels.
fn many() -> Project {
    let line = |n: usize| match n {
        0..1000 => format!("a.c: f{n}\n"),
        1000..2000 => format!("a.c: f{n} -> f{}\n", n - 1000),
        _ => format!("b.c: g{n} -> f{}\n", n - 1000),
    };
    sketch(&(0..3500).map(line).collect::<String>(), "")
}

fn analyze(project: &Project, jobs: usize, run_bytes: usize) -> Analysis {
    driver::analyze(project, &Options { jobs, run_bytes, ..Options::default() }, &|_, _, _| ())
}

fn given_up(analysis: &Analysis) -> Vec<bool> {
    analysis.summaries.iter().map(|it| it.as_ref().is_some_and(|it| it.gave_up)).collect()
}

#[test]
fn what_does_not_fit_is_given_up_whoever_comes_first() {
    let project = many();
    let code: usize = project.units().iter().map(|unit| unit.module.bytes()).sum();
    let budget = code + 500_000;
    let alone = analyze(&project, 1, budget);
    let n_given_up = alone.report.summary.gave_up;
    assert!((500..3000).contains(&n_given_up), "some should be given up: {n_given_up}");
    let note =
        alone.report.notes.iter().find(|note| note.starts_with("given up, because code and summaries"));
    assert!(note.is_some_and(|note| note.ends_with(&format!("and {} more", n_given_up - 3))), "{note:?}");
    for jobs in [2, 5] {
        let several = analyze(&project, jobs, budget);
        assert_eq!(given_up(&several), given_up(&alone), "{jobs} threads");
        assert_eq!(several.report.notes, alone.report.notes);
    }
}

#[test]
fn a_budget_that_is_large_enough_gives_nothing_up() {
    let project = many();
    assert_eq!(analyze(&project, 2, usize::MAX).report.summary.gave_up, 0);
    assert_eq!(analyze(&project, 2, 1).report.summary.gave_up, 3500);
}
