//! Input that cannot be analyzed: every kind has a message that names it, and status 2 if nothing is left to do.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{Said, files, indict, run};

const GOOD: (&str, &str) = ("good.c", "int main(void) { return 0; }\n");

/// Analyzes one file of a directory that contains it and nothing else.
fn analyze(name: &str, bytes: &[u8]) -> Said {
    let dir = files(&[]);
    fs::write(dir.path().join(name), bytes).unwrap();
    indict(dir.path(), &["run", name])
}

/// Bitcode of a small function.
fn bitcode() -> Vec<u8> {
    let dir = files(&[("a.c", "int twice(int n) { return 2 * n; }\n")]);
    let clang = capture::Clang::find(None).unwrap();
    let units = capture::units_from_files(&[dir.path().join("a.c")], &[]);
    capture::compile(&clang, units[0].as_ref().unwrap()).unwrap().bitcode
}

#[test]
fn a_missing_file() {
    let dir = files(&[]);
    let said = indict(dir.path(), &["run", "src/gone.c"]);
    said.check(2, &["indict: src/gone.c: no such file\n", "indict: nothing could be analyzed\n"]);
    assert_eq!(said.stdout, "");
}

#[test]
fn things_that_are_no_source() {
    analyze("notes.txt", b"buy milk").check(2, &["notes.txt: is not C or C++"]);
    analyze("list.h", b"struct list;")
        .check(2, &["list.h: is a header; name a source file that includes it"]);
    analyze("start.s", b"nop").check(2, &["start.s: is assembly"]);
    let dir = files(&[]);
    fs::create_dir(dir.path().join("src")).unwrap();
    indict(dir.path(), &["run", "src"])
        .check(2, &["src: is a directory; name source files, or a compilation database"]);
}

#[test]
fn a_compile_error_is_clangs_own_message_shortened() {
    let source = "int f(void)\n{\n    return undeclared;\n}\nint a = b;\nint c = d;\nint e = g;\n";
    let said = analyze("bad.c", source.as_bytes());
    said.check(
        2,
        &[
            "indict: bad.c: does not compile:\n",
            "  bad.c:3:12: error: use of undeclared identifier",
            "(and 1 more)",
        ],
    );
    assert!(!said.stderr.contains("bad.c:7"), "{}", said.stderr);
}

#[test]
fn text_that_is_no_c_is_a_compile_error() {
    analyze("poem.c", b"Tyger Tyger, burning bright\n")
        .check(2, &["poem.c: does not compile:", "poem.c:1:1: error: "]);
}

#[test]
fn truncated_bitcode() {
    let whole = bitcode();
    analyze("whole.bc", &whole).check(0, &[]);
    analyze("half.bc", &whole[..whole.len() / 2])
        .check(2, &["indict: half.bc: truncated bitcode: it ends inside"]);
    analyze("empty.bc", b"").check(2, &["indict: empty.bc: not LLVM bitcode: the file starts with nothing"]);
    analyze("zip.bc", b"PK\x03\x04....")
        .check(2, &["indict: zip.bc: not LLVM bitcode: the file starts with 50 4b 03 04"]);
}

/// `tests/data/typed_pointers.bc` is what clang 15 makes of `int first(int *numbers) { return numbers[0]; }` with
/// `-Xclang -no-opaque-pointers`.
#[test]
fn bitcode_of_an_unsupported_version() {
    let old = include_bytes!("data/typed_pointers.bc");
    let said = analyze("old.bc", old);
    said.check(
        2,
        &["indict: old.bc: unsupported bitcode of LLVM15", "bitcode of LLVM 15 or later is needed"],
    );
}

#[test]
fn bad_text_form() {
    analyze("bad.ll", b"define i32 @f( {\n")
        .check(2, &["bad.ll: does not compile:", "bad.ll:2:1: error: expected type"]);
}

#[test]
fn an_invalid_database_is_named_with_line_and_column() {
    let dir = files(&[("compile_commands.json", "[\n  {\"directory\": \".\",, }\n]\n")]);
    let message = "compile_commands.json:2:21: invalid compilation database: ";
    indict(dir.path(), &["run", "-p", "."]).check(2, &[message]);
    indict(dir.path(), &["stats", "-p", "compile_commands.json"]).check(2, &[message]);
    indict(dir.path(), &["ir", "-p", "gone"]).check(2, &["indict: gone: no such file"]);
    let empty = files(&[]);
    let said = indict(empty.path(), &["run", "-p", "."]);
    said.check(2, &["there is no compile_commands.json; make one with", "indict capture -- make"]);
}

#[test]
fn a_bad_entry_of_a_database_costs_only_itself() {
    let database = r#"[{"directory": "sub", "file": "gone.c", "command": "cc -c gone.c"},
        {"directory": ".", "file": "good.c", "command": "cc -c good.c"},
        {"directory": ".", "file": "good.c"}]"#;
    let dir = files(&[GOOD, ("compile_commands.json", database)]);
    let said = indict(dir.path(), &["run", "-p", "."]);
    said.check(0, &["indict: sub/gone.c: no such file\n", "entry 2: has neither `command` nor `arguments`"]);
    assert!(said.stdout.contains("note: left out: sub/gone.c: no such file\n"), "{}", said.stdout);
}

#[test]
fn a_database_without_units_is_nothing() {
    let dir = files(&[("compile_commands.json", "[]")]);
    indict(dir.path(), &["run", "-p", "."]).check(2, &["nothing could be analyzed"]);
}

#[test]
fn files_that_the_database_does_not_know() {
    let database = r#"[{"directory": ".", "file": "good.c", "command": "cc -c good.c"}]"#;
    let dir = files(&[GOOD, ("other.c", ""), ("compile_commands.json", database)]);
    let said = indict(dir.path(), &["run", "-p", ".", "./good.c", "other.c"]);
    said.check(0, &["indict: other.c: is not in the compilation database .\n"]);
    assert!(said.stdout.contains("1 function, 1 analyzed"), "{}", said.stdout);
}

#[test]
fn one_bad_file_does_not_end_the_run() {
    let dir = files(&[GOOD, ("bad.c", "int x = ;\n")]);
    let said = indict(dir.path(), &["run", "bad.c", "gone.c", "good.c"]);
    said.check(
        0,
        &["indict: gone.c: no such file\n", "indict: bad.c: does not compile:\n  bad.c:1:9: error: "],
    );
    assert_eq!(
        said.stdout,
        "note: left out: gone.c: no such file\nnote: left out: bad.c: does not compile\n\
         no findings; 1 function, 1 analyzed\n"
    );
}

#[test]
fn a_missing_clang_says_what_to_install() {
    let dir = files(&[GOOD]);
    let bare = Command::new(env!("CARGO_BIN_EXE_indict"))
        .args(["run", "good.c"])
        .current_dir(dir.path())
        .env("PATH", dir.path())
        .output()
        .unwrap();
    let stderr = String::from_utf8(bare.stderr).unwrap();
    assert_eq!(bare.status.code(), Some(2));
    assert!(stderr.contains("no clang 15 or newer was found on PATH"), "{stderr}");
    assert!(stderr.contains("apt-get install clang-19"), "{stderr}");
    let named = |clang: &str| indict(dir.path(), &["run", "good.c", "--clang", clang]);
    named("/no/such/clang").check(2, &["there is no clang at /no/such/clang", "apt-get install clang-19"]);
    named("true").check(2, &["true is not clang", "apt-get install clang-19"]);
}

#[test]
fn bitcode_needs_no_clang() {
    let dir = files(&[GOOD]);
    fs::write(dir.path().join("a.bc"), bitcode()).unwrap();
    let without_clang = |args: &[&str]| {
        run(Command::new(env!("CARGO_BIN_EXE_indict"))
            .args(args)
            .current_dir(dir.path())
            .env("PATH", dir.path()))
    };
    let said = without_clang(&["ir", "a.bc", "--function", "twice"]);
    said.check(0, &[]);
    assert!(said.stdout.contains("@twice"), "{}", said.stdout);
    without_clang(&["stats", "a.bc", "good.c"]).check(0, &["no clang 15 or newer was found on PATH"]);
}

#[test]
fn nothing_named_is_explained() {
    indict(Path::new("."), &["run"]).check(2, &["required", "<FILE>"]);
    indict(Path::new("."), &[]).check(2, &["Usage: indict <COMMAND>"]);
}

#[test]
fn unknown_kinds_are_refused_before_the_work() {
    let dir = files(&[GOOD]);
    let said = indict(dir.path(), &["run", "good.c", "--only", "null-deref,use-after-fre"]);
    said.check(2, &["there is no kind `use-after-fre`; did you mean `use-after-free`"]);
    indict(dir.path(), &["run", "good.c", "--skip", "xyz"])
        .check(2, &["there is no kind `xyz` (`indict issues` lists them)"]);
}

#[test]
fn a_report_that_cannot_be_written_is_said_before_the_work() {
    let dir = files(&[("bad.c", "int x = ;\n")]);
    let said = indict(dir.path(), &["run", "bad.c", "--output", "no/such/dir/report.txt"]);
    said.check(2, &["cannot write no/such/dir/report.txt"]);
    assert!(!said.stderr.contains("does not compile"), "{}", said.stderr);
}
