//! Contracts for the engine for doomed points: worked out on all threads, and the same for any number of
//! them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use base::Id;
use project::{Links, Project, UnitIr};
use session::{Engines, Options, Watch};

/// `f0` ends the program, and `f1` to `f999` call their predecessor; `g0` to `g999` are the same, but `g0`
/// comes back and calls the last of them.
fn chains() -> Project {
    let mut text = String::from("target pointer 8\nfunc @abort()\n");
    let mut add = |name: &str, n: usize, callee: String| {
        text.push_str(&format!("func @{name}{n}() {{\nb0:\n  call @{callee}()\n  return\n}}\n"));
    };
    add("f", 0, "abort".to_owned());
    (1..1000).for_each(|n| add("f", n, format!("f{}", n - 1)));
    add("g", 0, "g999".to_owned());
    (1..1000).for_each(|n| add("g", n, format!("g{}", n - 1)));
    let (path, file) = ("/p/a.c".into(), "a.c".to_owned());
    let module = ir::parse(&text).unwrap();
    Project::new(
        vec![UnitIr { path, file, args: Vec::new(), outputs: Vec::new(), module }],
        &Links::default(),
    )
}

#[test]
fn contracts_are_the_same_for_any_number_of_threads() {
    let project = chains();
    let engines = Engines { split: false, doomed: true };
    let contracts = |jobs: usize| {
        let options = Options { jobs, engines, ..Options::default() };
        let summaries = session::analyze(&project, &options, &Watch::nobody()).summaries;
        summaries.iter().map(|summary| summary.doomed).collect::<Vec<_>>()
    };
    let alone = contracts(1);
    for function in project.functions() {
        let name = project.function(function).name();
        assert_eq!(alone[function.index()].returns, name.starts_with('g'), "{name}");
    }
    for jobs in [2, 4] {
        assert_eq!(contracts(jobs), alone, "{jobs} threads");
    }
}
