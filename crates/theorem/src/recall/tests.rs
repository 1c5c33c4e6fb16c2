//! The tool in small: what is seeded into a known file, and that it is found.

use capture::Clang;
use project::UnitIr;

use super::*;
use crate::module_of;
/// What becomes of all seeds in a text.
fn judged(text: &str) -> Vec<Judged> {
    let clang = Clang::find(None).expect("there should be a clang");
    let scratch = tempfile::tempdir().expect("there should be room for temporary files");
    let path = scratch.path().join("t.c");
    let prelude =
        "typedef unsigned long size_t; void *malloc(size_t); void free(void *); void other(int *);\n";
    std::fs::write(&path, format!("{prelude}{text}")).expect("the file should be written");
    let module = module_of(&clang, &path, &[]).expect("the text should compile");
    let unit = UnitIr { path, file: "t.c".to_owned(), args: Vec::new(), outputs: Vec::new(), module };
    let project = Project::new(vec![unit], &project::Links::default());
    let options = session::Options { jobs: 1, ..session::Options::default() };
    let whole = session::analyze(&project, &options, &session::Watch::nobody());
    let choice = Choice { seed: 1, each: 100, per_function: 100, function: None };
    judge(&project, &whole, &options, &choice).expect("seeds should be judged")
}

fn outcomes(text: &str) -> Vec<(Kind, Outcome)> {
    judged(text).into_iter().map(|it| (it.kind, it.outcome)).collect()
}

#[test]
fn every_kind_is_seeded_and_found() {
    let text = "int *make(int n) {
        int *p = malloc(sizeof *p);
        if (!p) return 0;
        *p = n;
        if (n < 0) { free(p); return 0; }
        return p;
    }
    int sum(int n) {
        int *p = make(n), s;
        if (p == 0) return -1;
        s = *p;
        free(p);
        return s;
    }";
    let found = outcomes(text);
    for (kind, outcome) in &found {
        assert!(matches!(outcome, Outcome::Manifest | Outcome::Latent), "{kind:?} is not found: {outcome:?}");
    }
    let count = |kind| found.iter().filter(|it| it.0 == kind).count();
    assert_eq!(Kind::ALL.map(count), [2, 1, 1, 2, 2]);
}

#[test]
fn what_is_no_bug_for_certain_is_not_seeded() {
    // Somebody else may keep the block; nothing is accessed without the check; the loss may be somebody's plan; the callee looks for itself; what
    // would be lost was never made.
    let text = "int *kept;
    void keep(void) { int *p = malloc(4); other(p); free(p); }
    int *pass(void) { int *p = malloc(4); if (!p) return 0; return p; }
    void store(void) { int *p = malloc(4); if (!p) return; kept = p; }
    int look(int *p) { return p ? *p : 0; }
    void *both(int *t) { int *p = 0; if (t) p = malloc(4); if (!(p && t)) goto out; kept = p; return t; out: free(p); return 0; }
    int ask(void) { int *p = malloc(4); if (!p) return 0; return look(p); }";
    let found = outcomes(text);
    assert!(found.iter().all(|(kind, _)| matches!(kind, Kind::Twice | Kind::Use)), "{found:?}");
}

#[test]
fn what_the_engine_reports_anyway_is_not_counted() {
    // The block is lost on another path already.
    let text =
        "int f(int c) { int *p = malloc(4); if (!p) return 0; *p = c; if (c) return 1; free(p); return 0; }";
    let found = outcomes(text);
    let frees: Vec<Outcome> = found.iter().filter(|it| it.0 == Kind::Free).map(|it| it.1).collect();
    assert_eq!(frees, [Outcome::There]);
}

#[test]
fn misses_have_causes() {
    let text = "void *(*get)(size_t) = malloc;
    int f(void) { int *p = get(4); if (!p) return 1; *p = 2; free(p); return 0; }";
    let checks: Vec<Outcome> =
        judged(text).iter().filter(|it| it.kind == Kind::Check).map(|it| it.outcome).collect();
    assert!(
        checks
            .iter()
            .all(|it| matches!(it, Outcome::Missed(Cause::Pointer) | Outcome::Manifest | Outcome::Latent)),
        "{checks:?}"
    );
    assert_eq!(checks.len(), 1);
}
