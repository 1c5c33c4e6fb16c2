//! `ir`, `stats`, `issues` and the help, as a user meets them.

mod common;

use std::path::Path;

use common::{files, indict};

const LIST: &str = "int push(int n) { return n + 1; }\nstatic int pop(int n) { return n - 1; }\n\
    int both(int n) { return push(pop(n)); }\n";

#[test]
fn ir_prints_units_in_the_order_of_their_names() {
    let dir = files(&[("b.c", "int b;\n"), ("a.c", "int a;\n")]);
    let said = indict(dir.path(), &["ir", "b.c", "a.c"]);
    said.check(0, &[]);
    let (b, a) = (said.stdout.find("source \"b.c\""), said.stdout.find("source \"a.c\""));
    assert!(b.is_some() && b < a, "{}", said.stdout);
}

#[test]
fn ir_is_a_text_that_parses_back() {
    let dir = files(&[("list.c", LIST)]);
    let said = indict(dir.path(), &["ir", "list.c"]);
    said.check(0, &[]);
    let module = ir::parse(&said.stdout).expect("the text form is complete");
    assert_eq!(ir::print(&module), said.stdout);
}

#[test]
fn ir_prints_functions_by_name() {
    let dir = files(&[("list.c", LIST)]);
    let said = indict(dir.path(), &["ir", "list.c", "--function", "pop"]);
    said.check(0, &[]);
    assert!(said.stdout.starts_with("func internal @pop("), "{}", said.stdout);
    assert_eq!(said.stdout.matches("func ").count(), 1, "{}", said.stdout);
    let two = indict(dir.path(), &["ir", "list.c", "-f", "pop", "-f", "push"]);
    assert_eq!(two.check(0, &[]).stdout.matches("func ").count(), 2, "{}", two.stdout);
}

#[test]
fn ir_knows_demangled_names() {
    let source = "namespace shop { struct Cart { int total(int tax) const { return tax; } }; }\n\
        int main() { shop::Cart cart; return cart.total(0); }\n";
    let dir = files(&[("cart.cpp", source)]);
    for name in ["shop::Cart::total", "shop::Cart::total(int) const", "_ZNK4shop4Cart5totalEi"] {
        let said = indict(dir.path(), &["ir", "cart.cpp", "--function", name]);
        assert_eq!(said.check(0, &[]).stdout.matches("func ").count(), 1, "{name}: {}", said.stdout);
    }
}

#[test]
fn ir_proposes_names() {
    let dir = files(&[("list.c", LIST)]);
    let said = indict(dir.path(), &["ir", "list.c", "--function", "puhs"]);
    said.check(2, &["indict: there is no function `puhs`; did you mean `push`"]);
    assert_eq!(said.stdout, "");
    let one_of_two = indict(dir.path(), &["ir", "list.c", "-f", "push", "-f", "nothing_like_it"]);
    one_of_two.check(0, &["indict: there is no function `nothing_like_it`\n"]);
}

#[test]
fn ir_takes_compiler_flags() {
    let dir = files(&[("a.c", "int f(void) { return N; }\n")]);
    indict(dir.path(), &["ir", "a.c"]).check(2, &["undeclared identifier 'N'"]);
    indict(dir.path(), &["ir", "a.c", "--cflag", "-DN=1"]).check(0, &[]);
    let database = r#"[{"directory": ".", "file": "a.c", "command": "cc -DN=wrong -c a.c"}]"#;
    std::fs::write(dir.path().join("compile_commands.json"), database).expect("there is room");
    indict(dir.path(), &["ir", "-p", ".", "--cflag=-UN", "--cflag=-DN=2"]).check(0, &[]);
}

#[test]
fn stats_count_what_is_there() {
    let vectors = "int f(int n) { return n; }\nint g(int n) { return f(n) + f(n); }\n";
    let dir = files(&[("b.c", vectors), ("a.c", LIST)]);
    let said = indict(dir.path(), &["stats", "b.c", "a.c"]);
    said.check(0, &["phase", "clang", "read", "lower", "% of clang's cpu time"]);
    let mut lines = said.stdout.lines();
    assert_eq!(lines.next(), Some("unit           functions  skipped  instructions  nondet   share"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0][..3], ["a.c", "3", "0"]);
    assert_eq!(rows[1][..3], ["b.c", "2", "0"]);
    assert_eq!(rows[2][..5], ["all", "(2", "units)", "5", "0"]);
    let number = |text: &str| text.parse::<u32>().expect("a number");
    assert_eq!(number(rows[0][3]) + number(rows[1][3]), number(rows[2][5]));
}

#[test]
fn issues_are_listed_and_explained() {
    let list = indict(Path::new("."), &["issues"]);
    list.check(0, &[]);
    // A line of heads, and one about `doomed` behind an empty one.
    assert_eq!(list.stdout.lines().count(), 3 + catalog::Issue::ALL.len());
    let doomed = indict(Path::new("."), &["issues", "doomed"]);
    assert!(doomed.check(0, &[]).stdout.starts_with("# doomed\n"), "{}", doomed.stdout);
    let one = indict(Path::new("."), &["issues", "double-free"]);
    assert!(one.check(0, &[]).stdout.starts_with("# double-free\n"), "{}", one.stdout);
    indict(Path::new("."), &["issues", "dubble-free"]).check(2, &["did you mean `double-free`"]);
}

#[test]
fn every_command_explains_itself_with_examples() {
    for args in
        [&["--help"][..], &["run", "--help"], &["ir", "--help"], &["stats", "--help"], &["issues", "--help"]]
    {
        let said = indict(Path::new("."), args);
        assert!(said.check(0, &[]).stdout.contains("Examples:\n  indict "), "{args:?}: {}", said.stdout);
    }
}
