//! The budget of memory of a run: the same functions are given up for any number of threads, and it is told.

use project::{Links, Project, UnitIr};
use session::{Analysis, Options, Watch};

/// Functions on three levels: `f1000` calls `f0`, and `g2000` of the other unit `f1000`.
fn many() -> Project {
    let function = |name: &str, n: usize, callee: Option<usize>| {
        let call = callee.map(|callee| format!("  call @f{callee}()\n")).unwrap_or_default();
        format!("func @{name}{n}() {{\nb0:\n{call}  return\n}}\n")
    };
    let first = (0..2000).map(|n: usize| function("f", n, n.checked_sub(1000)));
    let second = (2000..3500).map(|n| function("g", n, Some(n - 1000)));
    let declared = (1000..2500).map(|n| format!("func @f{n}()\n"));
    let unit = |file: &str, text: String| {
        let module = ir::parse(&format!("target pointer 8\n{text}")).expect("the text is IR");
        UnitIr { path: file.into(), file: file.to_owned(), args: Vec::new(), outputs: Vec::new(), module }
    };
    let units = vec![unit("/p/a.c", first.collect()), unit("/p/b.c", second.chain(declared).collect())];
    Project::new(units, &Links::default())
}

fn analyze(project: &Project, jobs: usize, run_bytes: usize) -> Analysis {
    session::analyze(project, &Options { jobs, run_bytes, ..Options::default() }, &Watch::nobody())
}

fn given_up(analysis: &Analysis) -> Vec<bool> {
    analysis.summaries.iter().map(|it| it.split.gave_up).collect()
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
