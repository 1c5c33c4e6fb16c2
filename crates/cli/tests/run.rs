//! `indict run`: what is found, what is not, and that it is the same every time.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::path::PathBuf;

use common::{Said, files, found_of, indict, root, words};
use serde_json::{Value, json};
use testkit::{CTest, Found, Normalizer};

/// Analyzes a file and gives the report.
fn report(source: &str) -> Value {
    report_with(source, &[])
}

fn report_with(source: &str, options: &[&str]) -> Value {
    let dir = files(&[("a.c", source)]);
    let mut args = vec!["run", "a.c", "--format", "json"];
    args.extend(options);
    read(&indict(dir.path(), &args))
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

/// `line kind verdict` of all findings, in order.
fn found(report: &Value) -> Vec<String> {
    let text = |it: &Value, key: &str| it[key].as_str().unwrap().to_owned();
    let findings = report["findings"].as_array().unwrap();
    findings.iter().map(|it| format!("{} {} {}", it["line"], text(it, "kind"), text(it, "verdict"))).collect()
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
        let test = CTest::parse(&source, &text, words()).unwrap();
        kinds.extend(test.expected.iter().map(|expectation| expectation.kind.clone()));
        let name = format!("examples/ledger/{}", source.file_name().unwrap().to_str().unwrap());
        let of_file =
            report["findings"].as_array().unwrap().iter().filter(|finding| finding["file"] == *name);
        let of_file: Vec<Found> = of_file.map(found_of).collect();
        test.compare(&of_file).unwrap_or_else(|difference| panic!("{difference}"));
    }
    assert!(kinds.len() >= 6, "{kinds:?}");
}

/// A project of two files: a null dereference in a callee, a latent leak, a use after free, and code that is right.
const STACK: [(&str, &str); 2] = [
    (
        "stack.c",
        "\
#include \"stack.h\"

struct stack *stack_new(void)
{
    struct stack *stack = malloc(sizeof *stack);
    stack_clear(stack);
    return stack;
}

void stack_clear(struct stack *stack)
{
    stack->top = NULL;
}

int stack_push(struct stack *stack, int value, int limit)
{
    struct item *item = malloc(sizeof *item);
    if (!item)
        return -1;
    if (value > limit)
        return -1;
    item->value = value;
    item->next = stack->top;
    stack->top = item;
    return 0;
}

int stack_pop(struct stack *stack)
{
    struct item *item = stack->top;
    if (!item)
        return 0;
    stack->top = item->next;
    free(item);
    return item->value;
}

int stack_peek(const struct stack *stack)
{
    return stack->top ? stack->top->value : 0;
}
",
    ),
    (
        "stack.h",
        "\
#include <stdlib.h>

struct item {
    int value;
    struct item *next;
};

struct stack {
    struct item *top;
};

void stack_clear(struct stack *stack);
",
    ),
];

#[test]
fn a_report_as_json() {
    let said = indict(files(&STACK).path(), &["run", "stack.c", "--format", "json"]);
    read(&said);
    let text = Normalizer::new().text(env!("CARGO_PKG_VERSION"), "VERSION").apply(&said.stdout);
    insta::assert_snapshot!("report_json", text);
}

#[test]
fn a_report_as_text() {
    let said = indict(files(&STACK).path(), &["run", "stack.c"]);
    said.check(1, &[]);
    insta::assert_snapshot!("report_text", said.stdout);
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
    for command in [&["run", "--latent", "--format", "json"][..], &["stats"]] {
        let first = run("1", 0, command);
        assert!(first.stdout.len() > 100, "{first:#?}");
        for (jobs, rotate) in [("2", 0), ("8", 0), ("1", 3), ("2", 5), ("8", 6)] {
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
        found(&report).iter().map(|it| it.split(' ').nth(1).unwrap().to_owned()).collect::<Vec<_>>()
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
fn code_that_is_right_has_no_findings() {
    let source = "#include <stdlib.h>\nint main(void)\n{\n    int *p = malloc(sizeof *p);\n    if (!p)\n        return 1;\n    \
        *p = 0;\n    int result = *p;\n    free(p);\n    return result;\n}\n";
    let report = report(source);
    assert_eq!(found(&report), [""; 0]);
    assert_eq!(notes(&report), [""; 0]);
    let summary = json!({"functions": 1, "analyzed": 1, "gave_up": 0, "findings": 0, "latent": 0});
    assert_eq!(report["summary"], summary);
}

#[test]
fn no_main_is_needed() {
    let report = report("static int *none(void) { return 0; }\nint g(void)\n{\n    return *none();\n}\n");
    assert_eq!(found(&report), ["4 null-deref manifest"]);
    assert_eq!(report["findings"][0]["function"], "g");
    assert_eq!(report["findings"][0]["condition"], "true");
    assert_eq!(report["findings"][0]["engine"], "split");
}

const LATENT: &str = "int get(int *p, int flag)\n{\n    if (flag)\n        p = 0;\n    return *p;\n}\n";

#[test]
fn latent_errors_are_shown_to_those_who_ask() {
    let shown = report_with(LATENT, &["--latent", "--skip", "doomed"]);
    assert!(found(&shown).contains(&"5 null-deref latent".to_owned()), "{shown:#}");
    // The branch of the null is doomed, whoever calls: that is not said twice.
    assert_eq!(found(&report(LATENT)), ["5 null-deref doomed"]);
    assert_eq!(found(&report_with(LATENT, &["--only", "doomed"])), ["5 null-deref doomed"]);
    let hidden = report_with(LATENT, &["--skip", "doomed"]);
    assert_eq!(found(&hidden), [""; 0]);
    assert_eq!(hidden["summary"]["latent"], shown["summary"]["latent"]);
    let dir = files(&[("a.c", LATENT)]);
    let text = indict(dir.path(), &["run", "a.c", "--skip", "doomed"]);
    assert!(text.check(0, &[]).stdout.contains("kept (--latent shows"), "{text:#?}");
    indict(dir.path(), &["run", "a.c", "--latent"]).check(1, &[]);
}

#[test]
fn a_caller_makes_a_latent_error_manifest() {
    let caller = format!(
        "{LATENT}int bad(int *p)\n{{\n    return get(p, 1);\n}}\nint good(void)\n{{\n    int n = 0;\n    return get(&n, 0);\n}}\n"
    );
    let report = report(&caller);
    assert_eq!(found(&report), ["9 null-deref manifest"]);
    assert_eq!(report["findings"][0]["function"], "bad");
}

#[test]
fn latent_leaks_are_always_shown() {
    let source = "#include <stdlib.h>\nvoid f(int keep)\n{\n    char *p = malloc(8);\n    if (!keep)\n        free(p);\n}\n";
    let report = report(source);
    assert_eq!(found(&report), ["4 memory-leak latent"]);
    let condition = report["findings"][0]["condition"].as_str().unwrap();
    assert!(condition.contains("keep"), "{condition}");
}

#[test]
fn an_unknown_function_is_not_suspected() {
    let source = "int *weather(void);\nint f(void)\n{\n    return *weather();\n}\nint g(void)\n{\n    int *p = weather();\n    \
        if (!p)\n        return *p;\n    return 0;\n}\n";
    assert_eq!(found(&report(source)), ["10 null-deref manifest"]);
}

#[test]
fn nothing_rests_on_a_signed_overflow() {
    let source = "#include <limits.h>\nint main(void)\n{\n    int big = INT_MAX;\n    int one = 1;\n    \
        int *p = big + one < 0 ? 0 : &big;\n    return *p;\n}\n";
    assert_eq!(found(&report(source)), [""; 0]);
}

#[test]
fn an_assertion_on_an_allocation_is_the_programmers_own_check() {
    let source = "#include <assert.h>\n#include <stdlib.h>\nint main(void)\n{\n    char *p = malloc(1);\n    assert(p);\n    \
        free(p);\n    return 0;\n}\n";
    assert_eq!(found(&report(source)), [""; 0]);
    let failing =
        "#include <assert.h>\nint main(void)\n{\n    int n = 2;\n    assert(n == 3);\n    return 0;\n}\n";
    assert_eq!(found(&report(failing)), ["5 assert-failure manifest"]);
}

#[test]
fn errors_cross_files() {
    let library = "int value(void) { return 7; }\n";
    let one = "int value(void);\nint main(void)\n{\n    int *p = value() == 7 ? 0 : &(int){1};\n    return *p;\n}\n";
    let two = "int value(void);\nint main(void)\n{\n    int zero = value() - 7;\n    return 1 / zero;\n}\n";
    let dir = files(&[("lib.c", library), ("one.c", one), ("two.c", two)]);
    let report = read(&indict(dir.path(), &["run", "two.c", "lib.c", "one.c", "--format", "json"]));
    assert_eq!(found(&report), ["5 null-deref manifest", "5 div-by-zero manifest"]);
}

#[test]
fn loops_without_end_are_analyzed() {
    let report = report("int main(void) { volatile int i = 0; for (;;) i = 1 - i; }\n");
    assert_eq!(found(&report), [""; 0]);
    assert_eq!(report["summary"]["functions"], 1);
}

#[test]
fn a_trace_is_a_story() {
    let source = "#include <stdlib.h>\nstatic int *make(void)\n{\n    return malloc(4);\n}\nstatic void drop(int *p)\n{\n    \
        free(p);\n}\nint main(void)\n{\n    int *p = make();\n    if (!p)\n        return 1;\n    drop(p);\n    return *p;\n}\n";
    let report = report(source);
    assert_eq!(found(&report), ["16 use-after-free manifest"]);
    let steps = report["findings"][0]["trace"].as_array().unwrap();
    let steps: Vec<String> = steps
        .iter()
        .map(|step| format!("{} {} {}", step["line"], step["depth"], step["function"].as_str().unwrap()))
        .collect();
    for expected in ["12 0 main", "4 1 make", "15 0 main", "8 1 drop", "16 0 main"] {
        assert!(steps.contains(&expected.to_owned()), "{expected} in {steps:?}");
    }
    assert_eq!(steps.last().map(String::as_str), Some("16 0 main"));
}

#[test]
fn one_defect_is_one_finding() {
    let mut source = "#include <stdlib.h>\nstatic void fill(int n)\n{\n    char *p = malloc(8);\n    if (n)\n        *p = 0;\n    \
        free(p);\n}\n".to_owned();
    for caller in 0..10 {
        source.push_str(&format!("void caller{caller}(void) {{ fill({}); }}\n", caller + 1));
    }
    assert_eq!(found(&report(&source)).len(), 1);
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
fn cpp_functions_are_told_in_their_own_names() {
    let source = "namespace shop {\nstruct Cart {\n    int *prices;\n    int first() const { return *prices; }\n};\n}\n\
        int main()\n{\n    shop::Cart cart{nullptr};\n    return cart.first();\n}\n";
    let dir = files(&[("cart.cpp", source)]);
    let report = read(&indict(dir.path(), &["run", "cart.cpp", "--format", "json"]));
    assert_eq!(found(&report), ["10 null-deref manifest"]);
    let last = report["findings"][0]["trace"].as_array().unwrap().last().unwrap();
    assert_eq!(last["function"], "shop::Cart::first");
}

#[test]
fn a_function_can_be_explained() {
    let dir = files(&[("a.c", LATENT)]);
    let said = indict(dir.path(), &["explain", "get", "a.c"]);
    said.check(0, &[]);
    assert!(said.stdout.contains("get") && said.stdout.contains("null-deref"), "{}", said.stdout);
    indict(dir.path(), &["explain", "got", "a.c"])
        .check(2, &["there is no function `got`; did you mean `get`?"]);
}

#[test]
fn a_finding_says_what_it_assumes_of_unknown_functions() {
    let source = "int any(void);\nint strcmp(const char *, const char *);\nvoid log_it(void);\n\
        int f(void) { int *p = 0; if (any()) return *p; return 0; }\n\
        int g(void) { int *p = 0; if (any()) log_it(); return *p; }\n\
        int h(const char *s) { int *p = 0; if (!strcmp(s, \"x\")) return 1; return *p; }\n";
    let report = report_with(source, &["--latent", "--skip", "doomed"]);
    let assumes = |line: u64| {
        let findings = report["findings"].as_array().unwrap().iter();
        let mut at: Vec<&Value> = findings.filter(|it| it["line"] == line).collect();
        at.pop().map(|it| it["assumes"].clone())
    };
    assert_eq!(assumes(4), Some(serde_json::json!(["what any() returns"])));
    assert_eq!(assumes(5), Some(serde_json::json!([])), "both answers lead to the error");
    assert_eq!(assumes(6), Some(serde_json::json!([])), "it is known what `strcmp` may return");

    let dir = files(&[("a.c", source)]);
    let text = indict(dir.path(), &["run", "a.c"]).stdout;
    assert_eq!(text.matches("  assumes: what any() returns\n").count(), 1, "{text}");
}

#[test]
fn what_rests_on_unknown_functions_can_be_left_out() {
    let source = "int any(void);\nint f(void) { int *p = 0; if (any()) return *p; return 0; }\n\
        int g(void) { int *p = 0; return *p; }\n";
    let report = report_with(source, &["--no-unknown"]);
    assert_eq!(found(&report), ["3 null-deref manifest"]);
    assert_eq!(
        notes(&report),
        ["1 finding that rests on what unknown functions return: left out (--no-unknown)"]
    );
    assert_eq!(notes(&report_with(source, &[])), [""; 0]);
}

#[test]
fn calls_can_be_skipped() {
    let source = "static int *none(void) { return 0; }\nint f(void) { return *none(); }\n\
        int g(void)\n{\n    int *p = 0;\n    return *p;\n}\n";
    assert_eq!(found(&report_with(source, &[])), ["2 null-deref manifest", "6 null-deref manifest"]);
    assert_eq!(
        found(&report_with(source, &["--intraprocedural", "--skip", "doomed"])),
        ["6 null-deref manifest"]
    );
}

#[test]
fn the_effort_can_be_chosen() {
    let source = "int any(void);\nint f(void)\n{\n    int *p = &(int){0}, i = 0;\n    while (any())\n        \
        if (++i == 4)\n            p = 0;\n    return *p;\n}\n";
    assert_eq!(found(&report_with(source, &["--unroll", "6"])), ["8 null-deref manifest"]);
    assert_eq!(found(&report_with(source, &["--unroll", "1"])), [""; 0]);
    let dir = files(&[("a.c", source)]);
    indict(dir.path(), &["run", "a.c", "--width", "0"]).check(2, &["at least one path"]);
}

#[test]
fn a_doomed_point_is_told_with_all_lines_that_make_it_certain() {
    let source = "#include <stdlib.h>\nint f(int *p, int bad)\n{\n    if (bad) {\n        free(p);\n        return *p;\n    }\n    return 0;\n}\n";
    let report = report_with(source, &[]);
    assert_eq!(found(&report), ["6 use-after-free doomed"]);
    let trace = report["findings"][0]["trace"].as_array().unwrap();
    let lines: Vec<u64> = trace.iter().map(|step| step["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [5, 6]);
}

#[test]
fn an_index_that_a_loop_leaves_is_told_without_a_name_of_ours() {
    let source = "int f(void)\n{\n    int t[800], i;\n    for (i = 0; i < 800; i++)\n        t[i] = i;\n    return t[i];\n}\n";
    let report = report_with(source, &[]);
    assert_eq!(found(&report), ["6 out-of-bounds manifest"]);
    let message = report["findings"][0]["message"].as_str().unwrap();
    assert_eq!(message, "4 bytes are read outside of local variable `t`, which has 3200 bytes");
}
