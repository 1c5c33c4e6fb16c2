//! What reaches a terminal: whatever files, symbols, directives, messages, settings and arguments contain, no control character of theirs does.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::process::{Command, Output};

use base::visible;
use common::files;
use tempfile::TempDir;

/// Clears the screen, sets a title, begins a line of our own, turns the rest around; also by C1, which needs no escape.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;pwned\u{7}\r\n\u{9b}31m\u{7f}\u{202e}\u{2066}\u{2028}\u{200b}";

/// The same in a string of C, with the line end.
const IN_C: &str = "\\033[2J\\033]0;pwned\\007\\r\\n\\302\\233\\177\\342\\200\\256";

fn start(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_indict")).args(args).current_dir(dir).env_remove("PWD").output().unwrap()
}

/// Fails if there is something in it that a terminal would obey.
#[track_caller]
fn check_bytes(what: &str, bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
    let harmful = text.chars().find(|&it| !visible::is_plain(it) && it != '\n' && it != '\t');
    assert_eq!(harmful, None, "{what}: {text:?}");
}

#[track_caller]
fn check(dir: &Path, args: &[&str]) -> (String, String) {
    let said = start(dir, args);
    check_bytes(&format!("standard output of {args:?}"), &said.stdout);
    check_bytes(&format!("standard error of {args:?}"), &said.stderr);
    (String::from_utf8(said.stdout).unwrap(), String::from_utf8(said.stderr).unwrap())
}

/// A source with hostile symbols, names of files, texts of assertions and excerpts.
fn source() -> String {
    let lines = [
        "#include <stdlib.h>",
        "#include <assert.h>",
        &format!("int *get(int) __asm__(\"get{IN_C}\");"),
        &format!("void put(int *) __asm__(\"put{IN_C}\");"),
        &format!("int global __asm__(\"global{IN_C}\");"),
        &format!("int deref(int *p) __asm__(\"deref{IN_C}\");"),
        &format!(
            "__attribute__((annotate(\"{0}\"))) int deref(int *p) {{ return *p + global; }} // {0}",
            HOSTILE.replace(['\n', '\r'], "")
        ),
        &format!(
            "int call(void) {{ int *p = 0; /* {} */ return deref(p); }}",
            HOSTILE.replace(['\n', '\r'], "")
        ),
        &format!("void sure(int n) {{ assert(n > 0 && \"{IN_C}\"); }}"),
        "void caller(void) { sure(0); put(get(1)); put(get(2)); free(get(3)); }",
        "int leak(int n) { char *p = malloc(n); if (p && global) return 1; free(p); return 0; }",
        &format!("#line 1 \"lined{IN_C}.c\""),
        "int lined(void) { int *p = 0; return *p; }",
    ];
    lines.join("\n") + "\n"
}

fn hostile_name() -> String {
    format!("file{}.c", HOSTILE.replace('/', ""))
}

/// A directory with the source, its database, and settings.
fn project() -> TempDir {
    let name = hostile_name();
    let dir = files(&[(&name, &source())]);
    let entry = serde_json::json!([
        {"directory": dir.path(), "file": name, "arguments": ["cc", "-c", format!("-DX={HOSTILE}"), name]},
        {"directory": dir.path(), "file": format!("gone{HOSTILE}.c"), "arguments": ["cc", "-c", format!("gone{HOSTILE}.c")]},
        {"directory": format!("/gone{HOSTILE}"), "file": "a.c", "arguments": [HOSTILE, "-c", "a.c"]},
    ]);
    fs::write(dir.path().join("compile_commands.json"), entry.to_string()).unwrap();
    dir
}

const COMMANDS: &[&[&str]] = &[
    &["run", "--latent"],
    &["run", "--latent", "--format", "json"],
    &["ir"],
    &["stats"],
    &["callgraph"],
    &["callgraph", "--format", "dot"],
    &["suggest"],
    &["explain", "call"],
    &["explain", "leak"],
    &["explain", "caller"],
];

#[test]
fn hostile_programs_stay_on_their_side() {
    let dir = project();
    let name = hostile_name();
    for command in COMMANDS {
        let (stdout, _) = check(dir.path(), &[*command, &[&name]].concat());
        assert!(!stdout.is_empty(), "{command:?}");
        check(dir.path(), &[*command, &["-p", "."]].concat());
    }
    let (text, _) = check(dir.path(), &["run", &name]);
    assert!(text.contains("file\\x1b[2J\\x1b]0;pwned\\x07\\r\\n\\u{9b}31m\\x7f\\u{202e}"), "{text}");
    assert!(text.contains("deref\\x1b[2J") && text.contains("lined\\x1b[2J"), "{text}");
    let (json, _) = check(dir.path(), &["run", &name, "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let files: Vec<&str> =
        value["findings"].as_array().unwrap().iter().map(|it| it["file"].as_str().unwrap()).collect();
    assert!(files.contains(&name.as_str()), "programs get the real name: {files:?}");
    let (ir, _) = check(dir.path(), &["ir", &name]);
    ir::parse(&ir).unwrap_or_else(|error| panic!("{error}\n{ir}"));
    let (proposals, _) = check(dir.path(), &["suggest", &name]);
    proposals.parse::<toml::Table>().unwrap_or_else(|error| panic!("{error}\n{proposals}"));
}

#[test]
fn demangled_names_are_shown_not_obeyed() {
    let source =
        "int f() __asm__(\"_ZN5\\033[2Jx3\\302\\2336Ev\");\nint f() { int *p = nullptr; return *p; }\n";
    let dir = files(&[("a.cpp", source)]);
    for command in COMMANDS {
        check(dir.path(), &[*command, &["a.cpp"]].concat());
    }
    let (text, _) = check(dir.path(), &["run", "a.cpp"]);
    assert!(text.contains("in `_ZN5\\x1b[2Jx3\\u{9b}6Ev`"), "{text}");
}

#[test]
fn captured_builds_say_what_they_compile_without_obeying_it() {
    let (good, bad) = (format!("good{HOSTILE}.c"), format!("bad{HOSTILE}.c"));
    let dir =
        files(&[(&good, "int f(void) { int *p = 0; return *p; }\n"), (&bad, "int f(void) { return }\n")]);
    let compile = "for file in *.c; do cc -c -o out.o \"$file\" 2>/dev/null; done; true";
    let (_, stderr) = check(dir.path(), &["capture", "--", "sh", "-c", compile]);
    assert!(stderr.contains("the build could not compile it"), "{stderr}");
    let (text, stderr) = check(dir.path(), &["run", "-p", ".indict"]);
    assert!(text.contains("good\\x1b[2J"), "{text}{stderr}");
}

#[test]
fn a_report_in_a_file_is_as_harmless() {
    let dir = project();
    start(dir.path(), &["run", &hostile_name(), "--output", "report.txt"]);
    check_bytes("the report", &fs::read(dir.path().join("report.txt")).unwrap());
}

#[test]
fn messages_of_the_compiler_are_shown_not_obeyed() {
    let text = format!(
        "_Static_assert(0, \"{IN_C}\");\n#error {}\nint f(void) {{ return {}; }}\n",
        "\u{1b}[2J\u{202e}", "x\u{202e}y"
    );
    let dir = files(&[("bad.c", &text)]);
    let (_, stderr) = check(dir.path(), &["run", "bad.c"]);
    assert!(stderr.contains("does not compile"), "{stderr}");
    check(dir.path(), &["run", "--cflag", HOSTILE, "bad.c"]);
}

#[test]
fn hostile_settings_are_shown_not_obeyed() {
    let toml = |text: &str| text.chars().map(|it| format!("\\U{:08X}", u32::from(it))).collect::<String>();
    let hostile = toml(HOSTILE);
    let settings = [
        format!("only = [\"{hostile}\"]"),
        format!("\"{hostile}\" = 1"),
        format!("models = [\"{hostile}\"]"),
        format!("jobs = \"{hostile}\""),
        format!("jobs = \"{}\"", HOSTILE.replace(['\n', '\r'], "")),
        format!("[[fn]]\nname = \"{hostile}\"\nlike = \"{hostile}\""),
        format!("[[fn]]\nname = \"ge{hostile}\"\nlike = \"malloc\""),
        format!("[[fn]]\nproto = \"{hostile}\""),
        format!("[[family]]\nname = \"{hostile}\"\nleak = \"{hostile}\"\nwords = \"\""),
        format!("x = {}", "\u{1b}[2J\u{9b}\u{202e}"),
        "\u{202e}\u{1b}[2J".to_owned(),
    ];
    let dir = project();
    for text in settings {
        fs::write(dir.path().join("indict.toml"), &text).unwrap();
        check(dir.path(), &["run", &hostile_name()]);
    }
    check(dir.path(), &["run", &hostile_name(), "--config", HOSTILE]);
    check(dir.path(), &["run", &hostile_name(), "--models", HOSTILE]);
}

#[test]
fn arguments_are_shown_not_obeyed() {
    let dir = project();
    let name = hostile_name();
    let wrong: &[&[&str]] = &[
        &[HOSTILE],
        &["run", &format!("--{HOSTILE}")],
        &["run", "--format", HOSTILE, "a.c"],
        &["run", "--only", HOSTILE, "a.c"],
        &["run", "--jobs", HOSTILE, "a.c"],
        &["run", HOSTILE],
        &["run", "-p", HOSTILE],
        &["run", "-p", ".", HOSTILE],
        &["run", "--clang", HOSTILE, &name],
        &["run", "--store", "compile_commands.json", &name],
        &["run", "--output", &format!("/gone/{HOSTILE}"), &name],
        &["issues", HOSTILE],
        &["explain", HOSTILE, &name],
        &["ir", "--function", HOSTILE, &name],
        &["callgraph", "--function", HOSTILE, &name],
        &["callgraph", "--function", "get", &name],
        &["capture", "--", HOSTILE],
    ];
    for args in wrong {
        let said = start(dir.path(), args);
        assert_eq!(
            said.status.code().filter(|code| *code != 0 && *code != 101),
            said.status.code(),
            "{args:?}"
        );
        check(dir.path(), args);
    }
    let odd = OsString::from_vec(b"odd\xff\x1b[2J.c".to_vec());
    let said = Command::new(env!("CARGO_BIN_EXE_indict"))
        .arg("run")
        .arg(odd)
        .current_dir(dir.path())
        .output()
        .unwrap();
    check_bytes("a name that is no text", &said.stderr);
}

#[test]
fn colors_of_a_terminal_are_ours() {
    let dir = project();
    let command = |args: &str| {
        let line = format!("'{}' {args}", env!("CARGO_BIN_EXE_indict"));
        let mut script = Command::new("script");
        let said = script
            .args(["-qec", &line, "/dev/null"])
            .current_dir(dir.path())
            .env("TERM", "xterm")
            .output()
            .unwrap();
        String::from_utf8(said.stdout).unwrap()
    };
    let shown = command("run -p .");
    assert!(shown.contains("\u{1b}[1m"), "there are colors: {shown:?}");
    for text in [shown, command("--\u{1b}[2J\u{1b}]0\\;pwned\u{7}")] {
        // What the progress bar needs, and what the terminal itself makes of line ends.
        let rest = text.replace("\r\n", "\n").replace(['\r'], "");
        let ours = ["[K", "[2K", "[1A", "[1B", "[?25l", "[?25h"];
        for sequence in rest.split('\u{1b}').skip(1) {
            let is_color = sequence.strip_prefix('[').is_some_and(|it| {
                it.trim_start_matches(|it: char| it.is_ascii_digit() || it == ';').starts_with('m')
            });
            assert!(is_color || ours.iter().any(|it| sequence.starts_with(it)), "{sequence:?} in {rest:?}");
        }
        let harmful =
            rest.chars().find(|&it| !visible::is_plain(it) && !matches!(it, '\n' | '\t' | '\u{1b}'));
        assert_eq!(harmful, None, "{rest:?}");
    }
}

#[test]
fn odd_lines_have_an_excerpt() {
    let excerpt = |source: &[u8], args: &[&str]| {
        let dir = files(&[]);
        fs::write(dir.path().join("a.c"), source).unwrap();
        check(dir.path(), &[&["run", "a.c"], args].concat()).0
    };
    let text = excerpt(
        b"int f(void) {\r\n  int *p = 0; /* gr\xf6\xdfe */\r\n\treturn *p; /* \xff\x1b[2J */\r\n}\r\n",
        &[],
    );
    assert!(text.contains("a.c:3:9\n"), "{text}");
    assert!(text.contains("\n2 |   int *p = 0; /* gr\\xf6\\xdfe */\n3 |     return *p; /* \\xff\\x1b[2J */\n  |            ^ "), "{text}");
    let text = excerpt(b"int f(void) {\r  int *p = 0;\r  return /* \xfc */ *p;\r}\r", &[]);
    assert!(text.contains("\n3 |   return /* \\xfc */ *p;\n  |                     ^ "), "{text}");
    // Debug info has no columns beyond 65,535.
    let long = format!("int f(void) {{ int *p = 0; /* {} */ return *p; }}\n", "long ".repeat(12_000));
    let text = excerpt(long.as_bytes(), &[]);
    assert!(text.contains("long  */ return *p; }") && text.len() < 10_000, "{}", text.len());
    let marked = text.lines().skip_while(|line| !line.starts_with("1 |")).take(2).collect::<Vec<_>>();
    assert_eq!(marked[0].chars().nth(marked[1].find('^').unwrap()), Some('*'), "{text}");
    let longer = format!("int f(void) {{ int *p = 0; /* {} */ return *p; }}\n", "long ".repeat(200_000));
    let text = excerpt(longer.as_bytes(), &[]);
    assert!(text.contains("\n1 | int f(void) { int *p = 0; /* long long") && text.len() < 10_000, "{text}");
}

#[test]
fn files_whose_names_are_no_text_have_an_excerpt() {
    let dir = files(&[]);
    let name = OsString::from_vec(b"gr\xf6\xdfe.c".to_vec());
    fs::write(dir.path().join(&name), "int f(void) { int *p = 0; return *p; }\n").unwrap();
    let said = Command::new(env!("CARGO_BIN_EXE_indict"))
        .arg("run")
        .arg(&name)
        .current_dir(dir.path())
        .output()
        .unwrap();
    let text = String::from_utf8(said.stdout).unwrap();
    assert!(text.contains("1 | int f(void) { int *p = 0; return *p; }"), "{text}");
}
