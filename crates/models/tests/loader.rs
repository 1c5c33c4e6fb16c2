//! What the loader accepts from users, and what it says when it does not.

use models::{Library, Ret, Size, Source};

fn load(texts: &[&str]) -> Result<Library, String> {
    let sources: Vec<Source> = texts
        .iter()
        .enumerate()
        .map(|(i, text)| Source {
            file: format!("user{i}.toml"),
            text: (*text).to_owned(),
            settings: &["unroll"],
        })
        .collect();
    Library::new(&sources)
        .map_err(|mistakes| mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

/// A row with the given lines besides a name and a citation.
#[track_caller]
fn check_row(lines: &str, expected: &str) {
    check(&[&format!("[[fn]]\nnames = [\"f\"]\ncite = \"manual\"\n{lines}")], expected);
}

/// What is said, but for the lines, which have tests of their own.
#[track_caller]
fn check(texts: &[&str], expected: &str) {
    match load(texts) {
        Ok(_) => panic!("accepted: {texts:?}"),
        Err(message) => {
            let lines: Vec<String> = message.lines().map(without_line).collect();
            assert_eq!(lines.join("\n"), expected, "{texts:?}");
        }
    }
}

/// `user0.toml: …` for `user0.toml:4: …`.
fn without_line(message: &str) -> String {
    let (file, rest) = message.split_once(".toml:").expect("a message names its file");
    format!("{file}.toml:{}", rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':'))
}

/// A mistake and the line it is on.
#[track_caller]
fn check_line(text: &str, expected: &str) {
    let message = load(&[text]).expect_err("the file has a mistake");
    assert!(message.starts_with(expected), "{message}");
}

#[test]
fn rows_need_names_and_something_to_say() {
    check(
        &["[[fn]]\nlike = \"free\"\n"],
        "user0.toml: a row needs `name = \"…\"` or `proto = \"…\"` to say which function it is about (row 1 of the file)",
    );
    let unfinished = concat!(
        "user0.toml: `f`: `like` is missing; the row says nothing of the function; write `like = \"malloc\"`, ",
        "`nonnull-return = true`, `noreturn = \"abort\"`, or what it does in `arg0`, `ret` and so on"
    );
    check(&["[[fn]]\nname = \"f\"\n"], unfinished);
    check(&["[[fn]]\nname = \"f\"\nnonnull-return = false\n"], unfinished);
    check(
        &["[[fn]]\nproto = \"int f(void);\"\n"],
        "user0.toml: `f`: `ret` is missing; the function returns a value; write which, or `ret = \"any\"`",
    );
    check(&["[[fn]]\nname = 1\n"], "user0.toml: `name = 1` should be a string");
}

#[test]
fn no_function_is_modeled_twice_in_a_tier() {
    let row = "[[fn]]\nname = \"f\"\nlike = \"free\"\n";
    let promise = "[[fn]]\nname = \"f\"\nnonnull-return = true\n";
    check(&[row, row], "user1.toml: `f`: is modeled a second time; the first is in user0.toml");
    check(&[&format!("{row}{row}")], "user0.toml: `f`: is modeled a second time; the first is in user0.toml");
    check(&[row, promise], "user1.toml: `f`: is modeled a second time; the first is in user0.toml");
    check(&[promise, row], "user1.toml: `f`: is modeled a second time; the first is in user0.toml");
    let family = "[[family]]\nname = \"pool\"\nleak = \"memory-leak\"\nwords = \"pool_get\"\n";
    check(&[family, family], "user1.toml: `pool`: is modeled a second time; the first is in user0.toml");
}

#[test]
fn unknown_words_are_refused() {
    check_row(
        "arg0 = { eats = true }",
        concat!(
            "user0.toml: `f`: `eats` in `arg0` is not known; known are: reads, takes, uses, writes, input, havoc, fill, copy, freeable, freeable_behind, frees, ",
            "frees_behind, out, keeps, output, format"
        ),
    );
    check_row(
        "arg0 = { frees = \"pool\" }",
        "user0.toml: `f`: the family `pool` is not defined; define it by a `[[family]]` with `name`, `leak` and `words`",
    );
    check_row(
        "arg0 = { out = { bytes = 8, value = { alloc = \"pool\", size = 1 } } }",
        "user0.toml: `f`: the family `pool` is not defined; define it by a `[[family]]` with `name`, `leak` and `words`",
    );
    check_row(
        "argh = 1",
        "user0.toml: `f`: `argh` in `fn` is not known; did you mean `args`? Known are: proto, name, names, cite, like, args, nonnull-return, params, noreturn, pure, others, again, runs, ret, case, argN, rest",
    );
    check_row(
        "ret = \"nul\"",
        "user0.toml: `f`: `nul` in `ret` is not known; did you mean `null`? Known are: any, input, null, nonnull, argN, a number, a table",
    );
    check_row(
        "ret = { alloc = \"malloc\", size = \"arg\" }",
        "user0.toml: `f`: `arg` in `size` is not known; did you mean `argN`? Known are: a number, argN, argN*argM, string(argN), unknown",
    );
    check_row(
        "ret = { alloc = \"malloc\", size = 1, content = \"ones\" }",
        "user0.toml: `f`: `ones` in `content` is not known; known are: uninit, zero, unknown, string, argN",
    );
    check_row(
        "ret = { range = [0, 1], size = 1 }",
        "user0.toml: `f`: `size` in `ret` is not known; known are: range, or",
    );
    check_row(
        "arg0 = { reads = \"strin\" }",
        "user0.toml: `f`: `strin` in `arg0.reads` is not known; did you mean `string`? Known are: a number, argN, argN*argM, string, string<=argN, any, any<=argN, any<=99",
    );
    check_row(
        "noreturn = \"never\"",
        "user0.toml: `f`: `never` in `noreturn` is not known; known are: exit, abort, assert, jump",
    );
    check_row(
        "[[fn.case]]\nwhen = [\"arg0 > 0\"]",
        "user0.toml: `f`: `arg0 > 0` in `when` is not known; did you mean `argN == 0`? Known are: argN == 0, argN != 0",
    );
    check_row(
        "[[fn.case]]\nif = 1",
        "user0.toml: `f`: `if` in `case` is not known; known are: when, label, ret, argN, rest",
    );
    check_row(
        "arg0 = { format = \"scan\" }",
        "user0.toml: `f`: `scan` in `arg0.format` is not known; did you mean `scanf`? Known are: printf, scanf",
    );
    check(
        &["[[func]]\n"],
        "user0.toml: `func` in `the file` is not known; did you mean `fn`? Known are: fn, family, headers, unroll",
    );
    check(
        &["[[family]]\nname = \"pool\"\nleak = \"doomed\"\nwords = \"pool_get\"\n"],
        "user0.toml: `pool`: `doomed` in `leak` is not known; known are: memory-leak, resource-leak",
    );
}

#[test]
fn shapes_are_checked() {
    check_row("arg0 = true", "user0.toml: `f`: `arg0 = true` should be a table of effects or \"untouched\"");
    check_row("arg0 = { keeps = 1 }", "user0.toml: `f`: `arg0.keeps = 1` should be true or false");
    check_row(
        "arg0 = { reads = -1 }",
        "user0.toml: `f`: `arg0.reads = -1` should be a number that is not negative",
    );
    check_row(
        "arg0 = { fill = { byte = 256, len = 1 } }",
        "user0.toml: `f`: `arg0.fill = 256` should be a byte from 0 to 255 or an argument such as \"arg1\"",
    );
    check_row(
        "arg0 = { copy = { from = \"arg1\" } }",
        "user0.toml: `f`: `len` is missing; `fill`, `copy` and `out` need all their parts",
    );
    check_row(
        "ret = { range = [1, 0] }",
        "user0.toml: `f`: `ret.range = [1, 0]` should be the least and the greatest number, such as [-1, 0] or [0, \"arg2\"]",
    );
    check_row(
        "ret = { alloc = \"malloc\" }",
        "user0.toml: `f`: `size` is missing; write how large the new block is, or `size = \"unknown\"`",
    );
    check_row(
        "case = []",
        "user0.toml: `f`: `case` is missing; an empty list of cases says that the function cannot be called at all",
    );
    check_row(
        "arg0 = { out = { bytes = 8, value = { is = \"any\", or = \"null\" } } }",
        "user0.toml: `f`: `arg0.out = { is = \"any\", or = \"null\" }` should be one value; write two cases instead of `or`",
    );
}

#[test]
fn prototypes_bind_the_effects() {
    let row = |proto: &str, rest: &str| format!("[[fn]]\nproto = {proto}\ncite = \"x\"\n{rest}");
    let refuse =
        |proto, rest, expected: &str| check(&[&row(proto, rest)], &format!("user0.toml: {expected}"));
    refuse(
        "\"void f(int a)\"",
        "",
        "`void f(int a)`: the prototype `void f(int a)` cannot be read; write one function declaration as in a C header, such as `void *malloc(size_t size);`",
    );
    refuse(
        "\"void f(char *a);\"",
        "",
        "`f`: `arg0` is a pointer, but nothing is said about it; write what is done with it, or `arg0 = \"untouched\"`",
    );
    refuse(
        "\"void f(int a);\"",
        "arg1 = { output = true }",
        "`f`: `arg1` names an argument that the prototype does not have: it has 1",
    );
    refuse(
        "\"void *f(int a);\"",
        "ret = { alloc = \"malloc\", size = \"arg1\" }",
        "`f`: `size = arg1` names an argument that the prototype does not have: it has 1",
    );
    refuse(
        "\"void f(int a);\"",
        "rest = { output = true }",
        "`f`: `rest` names an argument that the prototype does not have: it has 1",
    );
    refuse(
        "[\"void f(int a);\", \"void g(int *a);\"]",
        "",
        "`f`: `f` and `g` take different parameters or results, so they need a row each",
    );
}

#[test]
fn syntax_errors_show_the_line() {
    let message = load(&["[[fn]]\nnames = [\n"]).expect_err("this is no TOML");
    assert!(
        message.starts_with("user0.toml: this is not valid TOML: ") && message.contains("line 2"),
        "{message}"
    );
}

#[test]
fn a_users_row_hides_the_fact() {
    let library = load(&[
        "[[fn]]\nnames = [\"malloc\"]\ncite = \"ours never fails\"\nret = { alloc = \"malloc\", size = \"arg0\" }\n",
    ]);
    let library = library.expect("this is a good row");
    let malloc = library.lookup("malloc").expect("malloc has a model");
    assert_eq!((malloc.file.as_str(), malloc.cases.len()), ("user0.toml", 1));
}

#[test]
fn wrappers_are_like_what_they_wrap() {
    let text = r#"
        [[fn]]
        names = ["CRYPTO_malloc"]
        cite  = "the wrapper's manual"
        like  = "malloc"
        [[fn]]
        names = ["pool_get_or_die"]
        cite  = "pool.h"
        like  = "malloc"
        args  = [1]
        nonnull = true
        [[fn]]
        names = ["pool_put"]
        cite  = "pool.h"
        like  = "free"
        args  = [1]
        [[fn]]
        names = ["die"]
        cite  = "die.h"
        like  = "abort"
    "#;
    let library = load(&[text]).expect("these are good rows");
    let cases = |name| library.lookup(name).expect("a model").cases.as_slice();
    assert_eq!(cases("CRYPTO_malloc"), cases("malloc"));
    assert_eq!(library.lookup("CRYPTO_malloc").expect("a model").params, None);
    assert!(
        matches!(cases("pool_get_or_die"), [only] if matches!(only.ret, Ret::New { size: Size::Arg(1), .. }))
    );
    assert_eq!(
        library.lookup("die").expect("a model").noreturn,
        library.lookup("abort").expect("a model").noreturn
    );
    assert!(library.family("malloc").expect("the family").deallocators.contains(&"pool_put".to_owned()));
}

/// With time or memory in the square of the rows, or with recursion, none of these would end well.
#[test]
fn many_rows_are_loaded_in_time() {
    const N: usize = 30_000;
    let rows =
        |row: &dyn Fn(usize) -> String| (0..N).map(|n| format!("[[fn]]\n{}\n", row(n))).collect::<String>();
    let count = |text: &str| load(&[text]).expect("these are good rows").named_by_user().len();
    assert_eq!(count(&rows(&|n| format!("name = \"f{n}\"\nlike = \"malloc\""))), N);
    let chain = rows(&|n| format!("name = \"f{n}\"\nlike = \"f{}\"", n + 1));
    assert_eq!(count(&format!("{chain}[[fn]]\nname = \"f{N}\"\nlike = \"malloc\"\n")), N + 1);
    let names: Vec<String> = (0..N).map(|n| format!("\"f{n}\"")).collect();
    assert_eq!(count(&format!("[[fn]]\nnames = [{}]\nlike = \"malloc\"\n", names.join(", "))), N);
    let mistakes = |text: &str| load(&[text]).expect_err("these are mistakes").lines().count();
    assert_eq!(mistakes(&rows(&|n| format!("name = \"f{n}\"\nlike = \"f{}\"", (n + 1) % N))), N);
    assert_eq!(mistakes(&rows(&|n| format!("name = \"f{n}\"\nlike = \"gone{n}\""))), N);
    assert_eq!(mistakes(&rows(&|_| "name = \"f\"\nlike = \"malloc\"".to_owned())), N - 1);
    assert_eq!(mistakes(&rows(&|n| format!("name = \"f{n}\"\nlik = \"malloc\""))), N);
}

#[test]
fn like_must_lead_somewhere() {
    check_row(
        "like = \"mallok\"",
        "user0.toml: `f`: `like = \"mallok\"` names a function that has no model; did you mean `malloc`?",
    );
    check_row("like = \"f\"", "user0.toml: `f`: `like = \"f\"` leads back to this function");
    check(
        &[
            "[[fn]]\nnames = [\"f\"]\ncite = \"x\"\nlike = \"g\"\n[[fn]]\nnames = [\"g\"]\ncite = \"x\"\nlike = \"f\"\n",
        ],
        "user0.toml: `f`: `like = \"g\"` leads back to this function\nuser0.toml: `g`: `like = \"f\"` leads back to this function",
    );
    check_row(
        "like = \"malloc\"\nret = \"any\"",
        "user0.toml: `f`: `ret` in `a row with `like`` is not known; known are: proto, name, names, cite, like, args, nonnull-return, params",
    );
    check_row(
        "like = \"realloc\"\nargs = [0]",
        "user0.toml: `f`: `args` does not say which argument stands for `arg1` of `realloc`; its list must be longer",
    );
    check(
        &[
            "[[fn]]\nnames = [\"f\"]\ncite = \"x\"\nret = \"null\"\n[[fn]]\nnames = [\"g\"]\ncite = \"x\"\nlike = \"f\"\nnonnull = true\n",
        ],
        "user0.toml: `g`: with `nonnull-return = true` no outcome is left: every case of `f` returns null",
    );
    check_row(
        "nonnull-return = true\nret = \"any\"",
        concat!(
            "user0.toml: `f`: `like` is missing; `args` and `nonnull-return` change what another function is said to do, ",
            "or `nonnull-return` stands alone"
        ),
    );
}

#[test]
fn all_mistakes_are_told_at_once() {
    let text = "[[fn]]\nname = \"f\"\n[[fn]]\nname = \"g\"\n";
    let message = load(&[text]).expect_err("both rows say nothing");
    assert_eq!(message.lines().count(), 2, "{message}");
}

#[test]
fn messages_name_the_line() {
    check_line("[[fn]]\nname = \"f\"\n\nlike = \"mallok\"\n", "user0.toml:4: `f`: `like = \"mallok\"`");
    check_line(
        "[[fn]]\nname = \"f\"\nlike = \"free\"\n[[fn]]\nname = \"g\"\n",
        "user0.toml:4: `g`: `like` is missing",
    );
    check_line("[[fn]]\nname = \"f\"\nlike = \"free\"\nagrs = [1]\n", "user0.toml:4: `f`: `agrs` in `fn`");
    check_line(
        "[[fn]]\nname = \"f\"\nret = \"any\"\narg0 = { reads = -1 }\n",
        "user0.toml:4: `f`: `arg0.reads = -1`",
    );
    check_line("[[fn]]\nname = \"f\"\n[[fn.case]]\nwhen = [\"arg0 > 0\"]\n", "user0.toml:4: `f`: `arg0 > 0`");
    check_line("\nfunc = 1\n", "user0.toml:2: `func` in `the file`");
    check_line(
        "[[family]]\nname = \"pool\"\nwords = \"x\"\nleak = \"doomed\"\n",
        "user0.toml:4: `pool`: `doomed` in `leak`",
    );
    check_line(
        "[[fn]]\nname = \"f\"\nlike = \"free\"\n[[fn]]\nname = \"f\"\nlike = \"free\"\n",
        "user0.toml:4: `f`: is modeled",
    );
}

#[test]
fn what_users_name_is_told_apart() {
    let library = load(&[
        "unroll = 2\n[[fn]]\nname = \"xmalloc\"\nlike = \"malloc\"\nnonnull-return = true\n",
        "[[fn]]\nnames = [\"lookup\", \"strchr\"]\nnonnull-return = true\n",
    ]);
    let library = library.expect("these are good rows");
    assert!(library.users("xmalloc").is_some_and(|model| model.cases.len() == 1 && model.cite.is_empty()));
    assert!(library.users("malloc").is_none() && library.lookup("malloc").is_some());
    // A promise says nothing else of the function: what is known of it stays.
    assert!(library.never_returns_null("lookup") && library.lookup("lookup").is_none());
    assert!(library.never_returns_null("strchr") && library.lookup("strchr").is_some());
    assert!(!library.never_returns_null("xmalloc"));
    let named: Vec<(&str, &str)> = library.named_by_user().into_iter().collect();
    assert_eq!(named, [("lookup", "user1.toml"), ("strchr", "user1.toml"), ("xmalloc", "user0.toml")]);
}
