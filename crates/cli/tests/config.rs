//! `indict.toml` and `indict suggest`: what a project says of functions that cannot be analyzed.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::path::Path;

use common::{Said, files, indict, write};
use serde_json::Value;

/// A project whose allocator, deallocator and error function are somebody else's.
const POOL: (&str, &str) = (
    "pool.c",
    "\
#include <stddef.h>
struct node { int value; struct node *next; };
void *pool_alloc(void *pool, size_t size);
void pool_free(void *pool, void *block);
void die(const char *message);
struct node *first(void *list);

int careful(void *pool)
{
    struct node *node = pool_alloc(pool, sizeof *node);
    if (!node)
        return -1;
    node->value = 1;
    int value = node->value;
    pool_free(pool, node);
    return value;
}

int careless(void *pool)
{
    struct node *node = pool_alloc(pool, sizeof *node);
    node->value = 1;
    pool_free(pool, node);
    return 0;
}

int lost(void *pool)
{
    struct node *node = pool_alloc(pool, sizeof *node);
    return node == NULL;
}

int stopped(void *pool)
{
    struct node *node = pool_alloc(pool, sizeof *node);
    if (!node)
        die(\"out of memory\");
    node->value = 2;
    int value = node->value;
    pool_free(pool, node);
    return value;
}

int head(void *list)
{
    struct node *node = first(list);
    int found = node != NULL;
    return found ? found : node->value;
}
",
);

const ALLOCATOR: &str = "\
[[fn]]
name = \"pool_alloc\"
like = \"malloc\"
args = [1]
[[fn]]
name = \"pool_free\"
like = \"free\"
args = [1]
";

/// `line kind` of all findings, in order.
#[track_caller]
fn found(said: &Said) -> Vec<String> {
    let report: Value =
        serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{error}: {said:#?}"));
    let findings = report["findings"].as_array().unwrap();
    findings.iter().map(|it| format!("{} {}", it["line"], it["kind"].as_str().unwrap())).collect()
}

fn run(dir: &Path, options: &[&str]) -> Said {
    indict(dir, &[&["run", "pool.c", "--format", "json"], options].concat())
}

/// What is found if `indict.toml` has this text.
#[track_caller]
fn check(config: &str, expected: &[&str]) {
    let dir = files(&[POOL, ("indict.toml", config)]);
    assert_eq!(found(&run(dir.path(), &[])), expected, "{config}");
}

/// What is wrong with an `indict.toml`.
#[track_caller]
fn refuse(config: &str, expected: &[&str]) {
    let dir = files(&[POOL, ("indict.toml", config)]);
    let said = run(dir.path(), &[]);
    said.check(2, &[]);
    let lines: Vec<&str> = said.stderr.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{said:#?}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.starts_with(&format!("indict: {expected}")), "{line}\nshould begin with {expected}");
    }
}

#[test]
fn wrappers_are_what_the_file_says() {
    check("", &["38 null-deref", "48 null-deref"]);
    check(ALLOCATOR, &["22 null-deref", "29 memory-leak", "38 null-deref", "48 null-deref"]);
    let with_die = format!("{ALLOCATOR}[[fn]]\nname = \"die\"\nlike = \"abort\"\n");
    check(&with_die, &["22 null-deref", "29 memory-leak", "48 null-deref"]);
    let all = format!("{with_die}[[fn]]\nname = \"first\"\nnonnull-return = true\n");
    check(&all, &["22 null-deref", "29 memory-leak"]);
    let never_fails = all.replacen("args = [1]", "args = [1]\nnonnull-return = true", 1);
    check(&never_fails, &["29 memory-leak"]);
    let own = "[[fn]]\nname = \"pool_alloc\"\nret = { alloc = \"malloc\", size = \"arg1\", or = \"null\" }\n";
    check(own, &["22 null-deref", "29 memory-leak", "38 null-deref", "48 null-deref"]);
}

#[test]
fn the_user_knows_better_than_the_body() {
    let source = "\
#include <stdlib.h>
static void *get(size_t size) { return malloc(size); }
int use(void)
{
    int *p = get(sizeof *p);
    *p = 1;
    free(p);
    return 0;
}
";
    let dir = files(&[("pool.c", source)]);
    let found_with = |row: &str| {
        write(dir.path(), &[("indict.toml", row)]);
        found(&run(dir.path(), &[]))
    };
    assert_eq!(found_with(""), ["6 null-deref"]);
    assert!(found_with("[[fn]]\nname = \"get\"\nlike = \"malloc\"\nnonnull-return = true\n").is_empty());
    // Only the outcome null is left out: what the body allocates is still freed.
    assert!(found_with("[[fn]]\nname = \"get\"\nnonnull-return = true\n").is_empty());
    assert!(found_with("[[fn]]\nname = \"malloc\"\nnonnull-return = true\n").is_empty());
    assert_eq!(found_with("[[fn]]\nname = \"get\"\nret = \"null\"\n"), ["6 null-deref"]);
}

#[test]
fn rows_that_do_not_fit_to_the_call_do_no_harm() {
    let source = "void f(void); int g(int); int use(int a) { f(); return g(a); }\n";
    let rows = "[[fn]]\nnames = [\"f\", \"g\"]\nlike = \"realloc\"\nargs = [3, 7]\n";
    let dir = files(&[("pool.c", source), ("indict.toml", rows)]);
    assert!(found(&run(dir.path(), &[])).is_empty());
}

#[test]
fn models_can_be_in_files_of_their_own() {
    let dir = files(&[POOL, ("etc/pool.toml", ALLOCATOR), ("indict.toml", "models = [\"etc/pool.toml\"]\n")]);
    let all = ["22 null-deref", "29 memory-leak", "38 null-deref", "48 null-deref"];
    assert_eq!(found(&run(dir.path(), &[])), all);
    write(dir.path(), &[("indict.toml", "")]);
    assert_eq!(found(&run(dir.path(), &["--models", "etc/pool.toml"])), all);
    assert_eq!(found(&run(dir.path(), &["--config", "etc/pool.toml"])), all);
    run(dir.path(), &["--models", "none.toml"]).check(2, &["cannot read none.toml: no such file"]);
    run(dir.path(), &["--config", "none.toml"]).check(2, &["cannot read none.toml: no such file"]);
    write(dir.path(), &[("indict.toml", "\nmodels = [\"none.toml\"]\n")]);
    run(dir.path(), &[]).check(2, &["indict.toml:2: in `models`: cannot read none.toml"]);
    // A file of models has no options.
    write(dir.path(), &[("indict.toml", ""), ("more.toml", "unroll = 1\n")]);
    run(dir.path(), &["--models", "more.toml"])
        .check(2, &["more.toml:1: `unroll` in `the file` is not known"]);
}

#[test]
fn options_of_the_file_hold_unless_the_command_line_says_otherwise() {
    let dir = files(&[POOL]);
    let found_with = |settings: &str, options: &[&str]| {
        write(dir.path(), &[("indict.toml", &format!("{settings}\n{ALLOCATOR}"))]);
        found(&run(dir.path(), options))
    };
    assert_eq!(found_with("only = [\"memory-leak\"]", &[]), ["29 memory-leak"]);
    assert_eq!(found_with("skip = [\"null-deref\", \"doomed\"]", &[]), ["29 memory-leak"]);
    let nulls = ["22 null-deref", "38 null-deref", "48 null-deref"];
    assert_eq!(found_with("skip = [\"null-deref\"]", &["--only", "null-deref"]), nulls);
    assert_eq!(found_with("only = [\"memory-leak\"]", &["--skip", "memory-leak"]), [""; 0]);
    let latent = "struct s { int x; }; int f(struct s *s) { return s ? 0 : s->x; }\nint loop(int n) { int *p = 0; for (int i = 0; i < 5; i++) if (i == n) n++; if (n == 7) return *p; return 0; }\n";
    write(dir.path(), &[("pool.c", latent)]);
    assert_eq!(found_with("", &["--skip", "doomed"]), [""; 0]);
    assert_eq!(found_with("latent = true", &[]), found_with("", &["--latent"]));
    assert!(!found_with("latent = true", &[]).is_empty());
    assert_eq!(
        found_with(
            "unroll = 0\nwidth = 1\njobs = 1",
            &["--latent", "--unroll", "3", "--width", "20", "-j", "2"]
        ),
        found_with("", &["--latent"])
    );
}

#[test]
fn excluded_files_are_left_alone() {
    let bug = "int f(void) { int *p = 0; return *p; }\n";
    let command =
        |file: &str| format!("{{\"directory\": \".\", \"file\": \"{file}\", \"command\": \"cc -c {file}\"}}");
    let database = format!("[{}, {}, {}]", command("a.c"), command("lib/b.c"), command("lib/x/c.c"));
    let dir = files(&[
        (
            "a.c",
            "#include \"lib/h.h\"\nint a(void) { int *p = 0; return *p; }\nint b(void) { return h(); }\n",
        ),
        ("lib/h.h", "static inline int h(void) { int *p = 0; return *p; }\n"),
        ("lib/b.c", bug),
        ("lib/x/c.c", "int g(void) { int *p = 0; return *p; }\n"),
        ("compile_commands.json", &database),
        ("indict.toml", "exclude = [\"lib/**\"]\n"),
    ]);
    let files_of = |args: &[&str]| {
        let said = indict(dir.path(), &[&["run", "--format", "json"], args].concat());
        let report: Value = serde_json::from_str(&said.stdout).unwrap();
        let findings = report["findings"].as_array().unwrap();
        (findings.iter().map(|it| it["file"].as_str().unwrap().to_owned()).collect::<Vec<_>>(), said.stderr)
    };
    let (found, said) = files_of(&["-p", "."]);
    assert_eq!(found, ["a.c"]);
    assert!(said.contains("2 units excluded by indict.toml"), "{said}");
    // Who names a file means it.
    assert_eq!(files_of(&["lib/b.c"]).0, ["lib/b.c"]);
    write(dir.path(), &[("indict.toml", "exclude = [\"lib/x\"]\n")]);
    assert_eq!(files_of(&["-p", "."]).0, ["a.c", "lib/b.c", "lib/h.h"]);
}

#[test]
fn the_file_is_looked_for_up_to_the_repository() {
    let dir = files(&[("repo/indict.toml", ALLOCATOR), ("repo/src/pool.c", POOL.1), ("repo/.git/HEAD", "")]);
    let said = run(&dir.path().join("repo/src"), &[]);
    assert_eq!(found(&said).len(), 4);
    assert!(said.stderr.contains("settings from ") && said.stderr.contains("repo/indict.toml"), "{said:#?}");
    // Outside of a repository, only the working directory counts.
    let dir = files(&[("repo/indict.toml", ALLOCATOR), ("repo/src/pool.c", POOL.1)]);
    assert_eq!(found(&run(&dir.path().join("repo/src"), &[])).len(), 2);
    // What is above the repository is somebody else's.
    let dir = files(&[("indict.toml", ALLOCATOR), ("repo/src/pool.c", POOL.1), ("repo/.git/HEAD", "")]);
    assert_eq!(found(&run(&dir.path().join("repo/src"), &[])).len(), 2);
}

#[test]
fn mistakes_name_the_line_and_what_would_be_right() {
    refuse(
        "unrol = 3\nonly = [\"double-fre\"]\nlatent = 1\nwidth = 0\njobs = \"all\"\nskip = \"doomed\"\nexclude = [1]\n",
        &[
            "indict.toml:1: `unrol` in `the file` is not known; did you mean `unroll`? Known are: fn, family, headers, models, only,",
            "indict.toml:2: there is no kind `double-fre`; did you mean `double-free`",
            "indict.toml:3: `latent = 1` should be true or false",
            "indict.toml:4: `width = 0` should be a number, 1 or more",
            "indict.toml:5: `jobs = \"all\"` should be a number, 1 or more",
            "indict.toml:6: `skip = \"doomed\"` should be a list of kinds, such as [\"double-free\"]",
            "indict.toml:7: `exclude = [1]` should be a list of patterns, such as [\"third_party/**\"]",
        ],
    );
    refuse(
        "[[fn]]\nname = \"f\"\nlike = \"mallocc\"\n[[fn]]\nname = \"g\"\nlike = \"free\"\nagrs = [1]\n",
        &[
            "indict.toml:3: `f`: `like = \"mallocc\"` names a function that has no model; did you mean `malloc`?",
            "indict.toml:7: `g`: `agrs` in `fn` is not known; did you mean `args`?",
        ],
    );
    let dir = files(&[POOL, ("indict.toml", "only = [\n")]);
    run(dir.path(), &[]).check(2, &["indict.toml: this is not valid TOML: TOML parse error at line "]);
}

#[test]
fn a_misspelt_function_is_pointed_out() {
    let dir = files(&[
        POOL,
        ("indict.toml", "[[fn]]\nnames = [\"pool_aloc\", \"of_another_part\"]\nlike = \"malloc\"\n"),
    ]);
    let said = indict(dir.path(), &["run", "pool.c"]);
    let note =
        "note: indict.toml names `pool_aloc`, which nothing here defines or calls; did you mean `pool_alloc`";
    assert!(said.stdout.contains(note) && !said.stdout.contains("of_another_part"), "{said:#?}");
}

#[test]
fn proposals_can_be_used_as_they_are() {
    let dir = files(&[POOL]);
    let said = indict(dir.path(), &["suggest", "pool.c"]);
    said.check(0, &[]);
    for row in [
        "[[fn]]\nname = \"pool_alloc\"\nlike = \"malloc\"\nargs = [1]\n",
        "[[fn]]\nname = \"pool_free\"\nlike = \"free\"\nargs = [1]\n",
        "[[fn]]\nname = \"die\"\nlike = \"abort\"\n",
    ] {
        assert!(said.stdout.contains(row), "{row} is missing in\n{}", said.stdout);
    }
    assert!(said.stdout.contains("These are guesses"), "{}", said.stdout);
    assert!(said.stdout.contains("#   first: called at 1 place in 1 function"), "{}", said.stdout);
    let text = indict(dir.path(), &["run", "pool.c"]);
    let note = "note: `indict suggest` proposes 3 entries for indict.toml (`";
    assert!(text.stdout.contains(note), "{}", text.stdout);
    assert!(!run(dir.path(), &[]).stdout.contains("indict suggest"), "programs do not read advice");

    write(dir.path(), &[("indict.toml", &said.stdout)]);
    assert_eq!(found(&run(dir.path(), &[])), ["22 null-deref", "29 memory-leak", "48 null-deref"]);
    // What is in the file is not proposed again.
    let again = indict(dir.path(), &["suggest", "pool.c"]);
    assert!(!again.stdout.contains("[[fn]]") && again.stdout.contains("#   first: "), "{}", again.stdout);
    assert!(!indict(dir.path(), &["run", "pool.c"]).stdout.contains("indict suggest"));
}

/// Uses of functions that somebody else wrote, each a reason to propose something or not to.
const USES: &str = "\
#include <stdio.h>
#include <stdlib.h>
char *read_all(const char *file);
char *xstrdup(const char *text);
void *my_calloc(size_t n, size_t size);
void my_free(void *block);
void *grow_realloc(void *block, size_t size);
FILE *open_log(const char *name, int level);
void log_it(const char *text);
void unreachable_state(int state);
void obj_release(void *object);
void *key_new(void);
void *method_new(void);
void method_free_later(void *method);
void key_free(void *key);
int key_up_ref(void *key);
char *name_of(int key);
static void discard(void *block) { free(block); }

int reads(void) { char *t = read_all(\"a\"); if (!t) return 0; int c = t[0]; discard(t); return c; }
int copies(const char *s) { char *t = xstrdup(s); int c = t[0]; free(t); return c; }
int copies_too(const char *s) { char *t = xstrdup(s); int c = t[1]; free(t); return c; }
int table(int n) { int *t = my_calloc(n, 4); if (!t) return 0; int c = t[0]; my_free(t); return c; }
int grows(void *p) { char *q = grow_realloc(p, 20); if (!q) return 1; q[0] = 1; free(q); return 0; }
int logs(void) { FILE *f = open_log(\"x\", 1); if (!f) return 1; fputc('a', f); fclose(f); return 0; }
int checks(int *p) { if (!p) { log_it(\"null\"); return 1; } return *p; }
int state(int s) { switch (s) { case 1: return 2; case 2: return 3; } unreachable_state(s); }
int state_too(int s) { if (s == 1) return 2; unreachable_state(s); }
int holds(void *o) { obj_release(o); return 0; }
int counts(void) { void *k = key_new(); if (!k) return 1; key_up_ref(k); key_free(k); return 0; }
void *made(void) { void *m = method_new(); if (!m) return NULL; method_free_later(m); return m; }
int shared(int k) { char *n = name_of(k); if (k) n = xstrdup(n); int c = n[0]; if (k) free(n); return c; }
";

#[test]
fn proposals_follow_from_how_functions_are_used() {
    let dir = files(&[("uses.c", USES)]);
    let said = indict(dir.path(), &["suggest", "uses.c"]);
    let text = &said.stdout;
    let new = "ret = { alloc = \"malloc\", size = \"unknown\", content = \"unknown\", or = \"null\" }";
    let log = "ret = { alloc = \"file\", size = \"unknown\", content = \"unknown\", or = \"null\" }";
    for row in [
        // It is freed through a wrapper of the project.
        format!("\n[[fn]]\nname = \"read_all\"\narg0 = {{ havoc = \"any\", keeps = true }}\n{new}\n"),
        "\n[[fn]]\nname = \"my_calloc\"\nlike = \"calloc\"\n".to_owned(),
        "\n[[fn]]\nname = \"my_free\"\nlike = \"free\"\n".to_owned(),
        "\n[[fn]]\nname = \"grow_realloc\"\nlike = \"realloc\"\n".to_owned(),
        "\n[[fn]]\nname = \"xstrdup\"\nlike = \"strdup\"\nnonnull-return = true\n".to_owned(),
        format!("\n[[fn]]\nname = \"open_log\"\narg0 = {{ havoc = \"any\", keeps = true }}\n{log}\n"),
        "\n[[fn]]\nname = \"unreachable_state\"\nlike = \"abort\"\n".to_owned(),
        // It may only give up a reference.
        "\n# [[fn]]\n# name = \"key_free\"\n# like = \"free\"\n".to_owned(),
        // A name alone is no reason to be sure.
        "\n# [[fn]]\n# name = \"obj_release\"\n# like = \"free\"\n".to_owned(),
    ] {
        assert!(text.contains(&row), "{row} is missing in\n{text}");
    }
    // What is returned afterwards was not freed.
    assert!(
        !text.contains("\n[[fn]]\nname = \"method_") && text.contains("#   method_free_later: "),
        "{text}"
    );
    assert!(text.contains("#   log_it: ") && text.contains("#   name_of: "), "{text}");
    write(dir.path(), &[("indict.toml", text)]);
    indict(dir.path(), &["suggest", "uses.c"]).check(0, &[]);
}

#[test]
fn proposals_are_the_same_every_time() {
    let dir = files(&[POOL, ("uses.c", USES)]);
    let first = indict(dir.path(), &["suggest", "pool.c", "uses.c", "-j", "1"]);
    for args in [["uses.c", "pool.c", "-j", "4"], ["pool.c", "uses.c", "-j", "3"]] {
        let again = indict(dir.path(), &[&["suggest"], &args[..]].concat());
        assert_eq!(again.stdout, first.stdout);
    }
}

#[test]
fn nothing_unknown_means_nothing_to_propose() {
    let dir = files(&[("a.c", "#include <stdlib.h>\nint f(void) { free(malloc(1)); return 0; }\n")]);
    let said = indict(dir.path(), &["suggest", "a.c"]);
    assert_eq!(said.stdout, "# Nothing to propose: all functions that are called have a body or a model.\n");
    indict(dir.path(), &["suggest", "none.c"]).check(2, &["nothing could be analyzed"]);
}
