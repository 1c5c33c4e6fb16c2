//! Traces are told in the order of time.

mod common;

use common::{files, indict};
use serde_json::Value;

/// `line message` of all steps of the only finding of a kind.
#[track_caller]
fn story(source: &str, kind: &str) -> Vec<String> {
    let dir = files(&[("a.c", source)]);
    let said = indict(dir.path(), &["run", "a.c", "--format", "json", "--only", kind]);
    let report: Value = serde_json::from_str(&said.stdout).expect("a report is JSON");
    let findings = report["findings"].as_array().expect("findings are a list");
    assert_eq!(findings.len(), 1, "{}", said.stdout);
    let step = |step: &Value| format!("{} {}", step["line"], step["message"].as_str().unwrap_or_default());
    findings[0]["trace"].as_array().expect("a trace is a list").iter().map(step).collect()
}

const STUBS: &str = "void *malloc(unsigned long); void free(void *); int any(void);\n";

#[track_caller]
fn check(source: &str, kind: &str, expected: &[&str]) {
    assert_eq!(story(&format!("{STUBS}{source}"), kind), expected);
}

#[test]
fn a_decision_before_the_allocation_comes_first() {
    let source = "\
int f(void) {
  if (any() > 3) {
    int *p = malloc(4);
    if (!p)
      return 1;
    free(p);
    if (any() == 7)
      return *p;
  }
  return 0;
}";
    let expected = [
        "3 taking the branch where `any() >= 4`",
        "4 the block is allocated",
        "7 the block is freed",
        "8 taking the branch where `any() == 7`",
        "9 `p` is used after it was freed",
    ];
    check(source, "use-after-free", &expected);
}

#[test]
fn a_pointer_is_made_before_it_is_tested() {
    let source = "\
int f(void) {
  if (any() > 3) {
    int *p = malloc(4);
    if (any() == 7)
      return *p;
    free(p);
  }
  return 0;
}";
    let expected = [
        "3 taking the branch where `any() >= 4`",
        "4 `malloc` returns null",
        "5 taking the branch where `any() == 7`",
        "6 `p` is null and is dereferenced",
    ];
    check(source, "null-deref", &expected);
}

/// The block is freed in the second round, and used behind the loop.
#[test]
fn rounds_of_a_loop_are_told_one_after_the_other() {
    let source = "\
int f(void) {
  int *p = malloc(4);
  if (!p)
    return 1;
  *p = 0;
  for (int i = 0; any() != 5; i++) {
    if (i == 1)
      free(p);
  }
  return *p;
}";
    let expected = [
        "3 the block is allocated",
        "7 taking the branch where `any() != 5`",
        "7 taking the branch where `any() != 5`",
        "9 the block is freed",
        "7 taking the branch where `any() == 5`",
        "11 `p` is used after it was freed",
    ];
    check(source, "use-after-free", &expected);
}

#[test]
fn a_leak_begins_with_the_allocation_unless_something_was_decided_before() {
    let source = "\
int f(void) {
  if (any() > 3) {
    int *p = malloc(4);
    if (!p)
      return 1;
    if (any() == 7)
      return 2;
    free(p);
  }
  return 0;
}";
    let expected = [
        "3 taking the branch where `any() >= 4`",
        "4 the block is allocated",
        "7 taking the branch where `any() == 7`",
        "12 the function returns, and nothing points to the block",
    ];
    check(source, "memory-leak", &expected);
}

#[test]
fn what_happens_in_a_call_is_told_where_it_is_called() {
    let source = "\
static void drop(int *p, int hard) { if (hard > 2) free(p); }
int f(int *p) {
  int hard = any();
  if (any() == 9)
    return 0;
  drop(p, hard);
  if (any() == 7 && hard > 2)
    return *p;
  return 0;
}
int main(void) { int *p = malloc(4); if (!p) return 1; *p = 0; return f(p); }";
    let told = story(&format!("{STUBS}{source}"), "use-after-free");
    let at = |text: &str| {
        let position = told.iter().position(|step| step.ends_with(text));
        position.unwrap_or_else(|| panic!("{text} should be among {told:#?}"))
    };
    assert!(at("`any() != 9`") < at("the block is freed"), "{told:#?}");
    assert!(at("the block is freed") < at("`any() == 7`"), "{told:#?}");
}
