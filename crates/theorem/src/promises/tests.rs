//! The theorem test in small, and that it would notice.

use std::sync::Arc;

use heap::Exit;
use interp::Program;
use report::Report;

use super::shipped::Tamper;
use super::*;
use crate::programs::generate::UNITS;
use crate::programs::{TOGETHER, sample};

fn compiler() -> Compiler {
    Compiler::new(None).expect("there should be a clang")
}

#[test]
fn the_same_seed_makes_the_same_program() {
    assert_eq!(generate::generate(7).lines, generate::generate(7).lines);
    assert_ne!(generate::generate(7).lines, generate::generate(8).lines);
}

#[test]
fn random_programs_compile_and_meet_errors_of_many_kinds() {
    let compiler = compiler();
    let programs: Vec<Generated> = (1..=2 * TOGETHER).map(generate::generate).collect();
    let project = compiler.project(&programs).expect("programs should compile");
    assert!(project.units().len() > UNITS, "some programs should have a `main`");
    let elsewhere = compiler.elsewhere().expect("it should compile");
    let program = Program::link(project.units().iter().map(|unit| &unit.module).chain([&elsewhere]));
    let mut kinds = std::collections::BTreeSet::new();
    for generated in &programs {
        for signature in &generated.functions {
            let Some(function) = program.function(&signature.name) else { continue };
            let sampled = sample::sample(&program, generated, (function, signature), 20);
            let errors = sampled.expect("every function should run").errors;
            kinds.extend(errors.keys().map(|(kind, _)| *kind));
        }
    }
    assert!(kinds.len() >= 7, "only {kinds:?}");
    let indirect = project.call_graph().sites().iter().filter(|site| site.indirect).count();
    assert!(indirect > 10, "only {indirect} calls through pointers");
}

/// One program per promise that was broken once.
const BROKEN_ONCE: [&str; 13] = [
    // A parameter and a global point at the same block.
    "struct node *gl;
     void a(struct node *p0) { free(gl); p0->key = 1; }
     void c(void) { a(gl); }",
    // A parameter points at a global.
    "struct box gb;
     void a(struct box *p0) { gb.u.l = 1; gb.in.b = p0->u.half[1]; }
     void c(void) { a(&gb); }",
    // The callee decides about a global before the access that fails.
    "int *gp; struct box gb;
     int b(struct node *p2, struct box *p3) { if (!gp) return 1; p2->key = gb.u.l; return 3; }
     int c(void) { b(0, &gb); return 1; }",
    // The callee decides about an allocation before the access that fails.
    "int *gp;
     int a(void) { int *m = malloc(4); if (!m) return *gp; free(m); return 0; }
     int c(void) { return a(); }",
    // The callee does something that must be defined before the access that fails.
    "int gi;
     int a(int p, int *q) { int x = (unsigned)p << gi; *q = x; return 1; }
     int c(int p) { return a(p, 0); }",
    // The callee overwrites all of a block.
    "struct box gb;
     void a(void) { memset(&gb, 0, 32); }
     int c(void) { if (gb.in.a == 3) return 1; a(); return 0; }",
    // The callee writes a global that the caller only takes the address of.
    "int *gp;
     int a(int **p) { *p = malloc(4); return 0; }
     int b(void) { return a(&gp); }",
    // Whether bits that were never written matter depends on an argument.
    "int a(int k) { int x[2]; x[1] = 0; int y = x[0] | k; if (y != 0) return 1; return 0; }",
    // Bits that were never written make no difference, though the interpreter cannot tell.
    "int a(void) { unsigned x[2]; x[1] = 0; if (x[0] - (x[0] + 3) == 5) return 1; return 0; }",
    // They make none in the callee, but some behind the call.
    "int a(unsigned p) { p = p & 255; if (p + 2 - (p + p) == 7) return 1; return 0; }
     int c(void) { unsigned x[2]; x[1] = 0; a(x[0]); if (x[0] > 5) return 1; return 0; }",
    // They are the size of a block, and its allocation fails.
    "int a(int *g) { int x[2]; x[1] = 0; int *r = realloc(g, 8 + (x[0] & 1)); if (r) g = r; free(g); return 0; }",
    // In all contexts without overflow the allocation can fail.
    "int *gp;
     void a(void) { int f = *gp > 3; int k = f * 5 + 0x7fffffff; int *m = malloc(4); *m = k; free(m); }",
    // A local is freed after the end of its scope.
    "void a(int k) { int *q; { int x = k; q = &x; } free(q); }",
];

#[test]
fn promises_that_were_broken_once_are_kept() {
    for text in BROKEN_ONCE {
        let seen = check(text, |_| {});
        let texts: Vec<&String> = seen.violations.iter().map(|violation| &violation.text).collect();
        assert!(texts.is_empty(), "{text}: {texts:#?}");
    }
}

#[test]
fn triples_of_random_programs_keep_their_promises() {
    let totals = super::check(&compiler(), 1..301, 20, &mut |_| ()).expect("programs should compile");
    let texts: Vec<&String> = totals.seen.violations.iter().map(|violation| &violation.text).collect();
    totals.ensure_kept().unwrap_or_else(|error| panic!("{error}: {texts:#?}"));
}

/// Checks the triples of the functions of a text, after somebody had a hand in each of them; and the findings.
fn check(text: &str, tamper: impl Fn(&mut Summary)) -> Seen {
    let compiler = compiler();
    let tamper = |summary: &mut Arc<Summary>| tamper(Arc::make_mut(summary));
    check_one(&compiler, text, &mut |_| (), (&tamper, |_| ())).expect("the text should compile")
}

/// The same, after somebody had a hand in the findings.
fn check_findings(text: &str, tamper: Tamper) -> Seen {
    let compiler = compiler();
    check_one(&compiler, text, &mut |_| (), (&|_| (), tamper)).expect("the text should compile")
}

fn kinds(seen: &Seen) -> Vec<&'static str> {
    seen.violations.iter().map(|violation| violation.kind).collect()
}

const PROGRAM: &str = "int f(int *p, int n) { if (n > 3) { free(p); return 1; } *p = n; return n; }
void g(void) { int *m = malloc(4); *m = 1; free(m); free(m); }";

#[test]
fn promises_that_are_kept_are_no_violations() {
    let seen = check(PROGRAM, |_| {});
    assert_eq!(kinds(&seen), Vec::<&str>::new());
    assert!(seen.triples["returns"].1 >= 2, "{:?}", seen.triples);
    assert!(seen.triples["null-deref"].1 >= 1 && seen.triples["double-free"].1 >= 1, "{:?}", seen.triples);
    assert!(seen.judged.n_held() >= 16, "manifest findings should be run: {}", seen.judged.n_held());
}

/// What a world of stubs did not have: models by configuration, hooks that are unknown and hooks that are known, `main`.
const WORLD: &str = "int f(void) { int *m = pool_alloc(1, 4); *m = 1; pool_free(1, m); return 0; }
int g(hook h) { int *m = malloc(4); int r = h(1); *m = r; free(m); return r; }
int half(int n) { return n / 2; }
static const hook table[1] = { half };
int i(void) { int *m = must_alloc(4); *m = table[0](4); pool_free(2, m); return *m; }
int zero;
int main(void) { int *p = zero ? &zero : 0; return *p; }";

#[test]
fn the_world_of_the_shipped_engine_is_there() {
    let seen = check(WORLD, |_| {});
    assert_eq!(kinds(&seen), Vec::<&str>::new());
    assert_eq!(seen.judged.findings["manifest"], 4);
    assert!(seen.judged.n_held() >= 3 * 16, "{} states", seen.judged.n_held());
    assert_eq!(seen.judged.possible, 1, "the error in `main` should happen");
    assert_eq!(seen.judged.skipped.len(), 0);
}

const UNDEFINED: &str = "int f(void) { int x[2]; x[1] = 0; if (x[0] > 0) return 1; return 0; }";

#[test]
fn uses_of_undefined_bits_are_replayed() {
    let seen = check(UNDEFINED, |_| {});
    assert_eq!(kinds(&seen), Vec::<&str>::new());
    assert_eq!(seen.triples["uninit-read"], (1, 1));
}

#[test]
fn undefined_bits_that_matter_are_noticed() {
    let seen = check(UNDEFINED, |summary| {
        let result = summary.split.terms.constant(32, 1);
        for spec in &mut summary.split.specs {
            spec.exit = Exit::Ok;
            spec.conditions.clear();
            spec.results = [result].into_iter().collect();
        }
    });
    assert!(kinds(&seen).contains(&"ok triple"), "not every choice of the bits returns 1");
}

#[test]
fn a_wrong_result_is_noticed() {
    let seen = check(PROGRAM, |summary| {
        for spec in summary.split.specs.iter_mut().filter(|spec| !spec.results.is_empty()) {
            spec.results[0] = summary.split.terms.constant(32, 77);
        }
    });
    assert!(kinds(&seen).contains(&"ok triple"), "{:?}", kinds(&seen));
}

#[test]
fn wrong_memory_is_noticed() {
    let seen = check(PROGRAM, |summary| {
        for block in summary.split.specs.iter_mut().flat_map(|spec| &mut spec.post) {
            block.status = heap::Status::Allocated;
            block.cells.clear();
        }
    });
    assert!(kinds(&seen).contains(&"ok triple"), "a block that is said to live is freed");
}

#[test]
fn a_wrong_kind_is_noticed() {
    let seen = check(PROGRAM, |summary| {
        for bug in &mut summary.split.bugs {
            bug.issue = catalog::Issue::DivByZero;
        }
    });
    assert!(kinds(&seen).contains(&"error triple"), "{:?}", kinds(&seen));
}

#[test]
fn a_forgotten_condition_is_noticed() {
    let seen = check("int f(int *p, int n) { if (n > 3) return *p; return 0; }", |summary| {
        let yes = summary.split.terms.yes();
        for condition in summary.split.specs.iter_mut().flat_map(|spec| &mut spec.conditions) {
            condition.term = yes;
        }
    });
    assert!(!seen.violations.is_empty(), "the branch should be missed");
}

/// Says manifest for latent, and shows it.
fn call_manifest(report: &mut Report) {
    report.findings.iter_mut().for_each(|finding| {
        if finding.verdict == catalog::Verdict::Latent {
            finding.verdict = catalog::Verdict::Manifest;
            finding.fate = catalog::Fate::Shown;
        }
    });
}

#[test]
fn a_latent_error_that_is_called_manifest_is_noticed() {
    let text = "int f(int n) { int *p = 0; if (n == 12345) return *p; return 0; }";
    let seen = check_findings(text, call_manifest);
    assert!(kinds(&seen).contains(&"manifest verdict"), "{:?}", kinds(&seen));
    assert!(kinds(&seen).len() >= 16, "it should not happen from any state: {}", kinds(&seen).len());
}

#[test]
fn a_wrong_verdict_is_noticed_by_hundreds_of_violations() {
    let compiler = compiler();
    let totals =
        check_all(&compiler, 1..61, 1, (&mut |_| (), call_manifest)).expect("programs should compile");
    let noticed = totals.seen.violations.iter().filter(|it| it.kind.starts_with("manifest verdict")).count();
    assert!(noticed >= 200, "only {noticed} violations");
}

#[test]
fn too_many_skipped_states_are_noticed() {
    let mut judged = findings::Judged::default();
    judged.held.insert("at random", 90);
    judged.skipped.insert("something", 10);
    assert!(!judged.has_too_many_skipped());
    judged.skipped.insert("something else", 1);
    assert!(judged.has_too_many_skipped());
}

#[test]
fn a_contradictory_triple_is_noticed() {
    let seen = check(PROGRAM, |summary| {
        let no = summary.split.terms.no();
        for spec in summary.split.specs.iter_mut().filter(|spec| spec.exit == Exit::Ok) {
            spec.defined.push(no);
        }
    });
    assert!(seen.has_too_many_void(), "{:?}", seen.contradictory);
}
