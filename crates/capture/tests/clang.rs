//! Everything here runs a real clang on real files.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scripts;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use capture::{Clang, Database, Error, Language, Unit, command_line, compile, units_from_files};
use tempfile::TempDir;

fn clang() -> Clang {
    Clang::find(None).expect("the tests need a clang: run scripts/setup")
}

/// A directory with the given files.
fn dir(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn unit(dir: &TempDir, file: &str, flags: &str) -> Unit {
    let flags: Vec<String> = flags.split_whitespace().map(String::from).collect();
    let mut units = units_from_files(&[dir.path().join(file)], &flags);
    units.remove(0).unwrap()
}

fn bitcode(unit: &Unit) -> Vec<u8> {
    compile(&clang(), unit).unwrap().bitcode
}

fn message(unit: &Unit) -> String {
    compile(&clang(), unit).unwrap_err().to_string()
}

/// Whether the bytes occur; names of functions stand in the string table of a bitcode file.
fn mentions(bitcode: &[u8], name: &str) -> bool {
    bitcode.windows(name.len()).any(|window| window == name.as_bytes())
}

/// A program that answers like another compiler.
fn impostor(dir: &TempDir, script: &str) -> PathBuf {
    let path = dir.path().join("compiler");
    scripts::install(&path, &format!("#!/bin/sh\n{script}\n"));
    path
}

#[test]
fn c_and_cxx_become_bitcode() {
    let dir = dir(&[
        ("a.c", "int c_function(int x) { return x; }"),
        ("b.cc", "struct S { int f() const; }; int S::f() const { return 1; }"),
    ]);
    let c = unit(&dir, "a.c", "");
    assert_eq!(c.language, Language::C);
    assert!(mentions(&bitcode(&c), "c_function"));
    let cxx = unit(&dir, "b.cc", "");
    assert_eq!(cxx.language, Language::Cxx);
    assert!(mentions(&bitcode(&cxx), "_ZNK1S1fEv"));
}

#[test]
fn clang_time_is_measured() {
    let dir = dir(&[("a.c", "#include <stdio.h>\nint x;")]);
    let compiled = compile(&clang(), &unit(&dir, "a.c", "")).unwrap();
    assert!(compiled.cpu > Duration::ZERO);
}

#[test]
fn fortified_and_optimized_builds_show_the_plain_calls() {
    let text = "#include <string.h>\nvoid copy(char *to, const char *from) { strcpy(to, from); }\n\
        #ifdef __OPTIMIZE__\n#error optimized\n#endif\n";
    let dir = dir(&[("a.c", text)]);
    for flags in
        ["-O2 -D_FORTIFY_SOURCE=3", "-O2 -Wp,-D_FORTIFY_SOURCE=2", "-O3 -D _FORTIFY_SOURCE=2 -Werror"]
    {
        let bitcode = bitcode(&unit(&dir, "a.c", flags));
        assert!(mentions(&bitcode, "strcpy") && !mentions(&bitcode, "_chk"), "{flags}");
    }
}

#[test]
fn foreign_flags_do_not_stop_the_unit() {
    let dir = dir(&[("a.c", "int x;")]);
    let flags = "-fconserve-stack -fno-such-thing -mno-such-thing -march=no-such-cpu --param max=1 \
        -mcmodel=nothing -Werror=nothing -flto -fsanitize=address -MD -MF x.d -c -o x.o -save-temps";
    bitcode(&unit(&dir, "a.c", flags));
    let left: Vec<PathBuf> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left, [dir.path().join("a.c")], "no files beside the source");
}

/// All clangs that are supported and installed here.
fn installed() -> Vec<Clang> {
    let names = (15..=22).map(|major| format!("clang-{major}"));
    let found: Vec<Clang> = names.filter_map(|name| Clang::find(Some(Path::new(&name))).ok()).collect();
    assert!(!found.is_empty(), "the tests need a clang: run scripts/setup");
    found
}

/// Each line is C that GCC compiles, at most with a warning.
const OLD_C: &str = "\
f() { int *p = 3; return undeclared(p); }
void g() { return 1; }
int h(int x) { if (x) return; return 1; }
int knr(a, b) int a; long b; { return a + b; }
implicit(x) { return x; }
static later(); int user(void) { return later(1, 2); } static later(a, b) { return a + b; }
void main(void) { }
struct a { int x; }; struct b { int x; }; void take(struct a *); void give(struct b *b) { take(b); }
void callback(int); void install(void (*)(char *)); void start(void) { install(callback); }
char *pointer(int x) { int *p = x; int y = p; return x; }
void constant(const char *s) { char *t = s; char **u = &s; *t = **u; }
const one = 1; static two; extern three; *four();
static int *five = 5; int six[3] = { 1, 2, 3, 4 };
int prototype(char); int prototype(a) char a; { return a; }
char *malloc(); int printf(); void eight(void) { char *p = malloc(3); printf(p); }
void nine(int *p, unsigned u) { p = u; u = p; if (p == 4) p = 1 ? u : 0; }
";

#[test]
fn warnings_of_old_code_stay_warnings() {
    for (number, line) in OLD_C.lines().enumerate() {
        let dir = dir(&[("a.c", line)]);
        let unit = unit(&dir, "a.c", "-Wall -Werror -pedantic-errors -std=gnu99");
        for clang in installed() {
            let result = compile(&clang, &unit);
            assert!(result.is_ok(), "line {}, clang {}: {result:?}", number + 1, clang.version());
        }
    }
}

#[test]
fn what_only_clang_rejects_in_cxx_compiles() {
    let text = "void variadic(int, ...);\nstruct P { P(const P &); ~P(); };\n\
        void f(P p, int i, double d) { variadic(1, p); char c[] = {i, 1}; register int r = 1; }\n\
        #define NAME \"x\"\nconst char *s = \"a\"NAME;\nunsigned u{-1};\n";
    let dir = dir(&[("a.cc", text)]);
    for clang in installed() {
        let result = compile(&clang, &unit(&dir, "a.cc", "-std=gnu++17"));
        assert!(result.is_ok(), "clang {}: {result:?}", clang.version());
    }
}

#[test]
fn the_same_input_gives_the_same_bitcode() {
    let dir = dir(&[("a.c", "const char *made = __DATE__ __TIME__ __TIMESTAMP__;")]);
    let unit = unit(&dir, "a.c", "");
    let first = bitcode(&unit);
    std::thread::sleep(Duration::from_millis(1100));
    fs::File::options()
        .append(true)
        .open(dir.path().join("a.c"))
        .unwrap()
        .set_modified(SystemTime::now())
        .unwrap();
    assert_eq!(bitcode(&unit), first);
}

/// Reports name the files as the build does.
#[test]
fn the_directory_keeps_its_name() {
    let dir = dir(&[("real/a.c", "int f(void) { return 1; }")]);
    std::os::unix::fs::symlink(dir.path().join("real"), dir.path().join("linked")).unwrap();
    let mut unit = unit(&dir, "real/a.c", "");
    unit.file = "a.c".into();
    unit.dir = dir.path().join("linked");
    assert!(mentions(&bitcode(&unit), unit.dir.to_str().unwrap()));
}

#[test]
fn compile_errors_are_shown_shortened() {
    let text = "int f(void) { return a; }\nint g(void) { return b; }\nint h(void) { return c; }\n\
        int i(void) { return d; }\n";
    let dir = dir(&[("a.c", text)]);
    let message = message(&unit(&dir, "a.c", ""));
    assert!(message.contains("a.c: does not compile:"), "{message}");
    assert!(message.contains("a.c:3:22: error: use of undeclared identifier 'c'"), "{message}");
    assert!(!message.contains("'d'") && message.ends_with("(and 1 more)"), "{message}");
}

#[test]
fn a_missing_header_is_a_compile_error() {
    let dir = dir(&[("a.c", "#include \"gone.h\"\n")]);
    assert!(message(&unit(&dir, "a.c", "")).contains("'gone.h' file not found"));
}

#[test]
fn text_that_is_not_c_is_a_compile_error() {
    let dir = dir(&[("a.c", "\u{1}\u{2} this is a letter, dear aunt\n"), ("b.cc", "")]);
    fs::write(dir.path().join("b.cc"), [0xFF, 0x00, 0x7F, 0x45, 0x4C, 0x46]).unwrap();
    assert!(message(&unit(&dir, "a.c", "")).contains("does not compile"));
    assert!(message(&unit(&dir, "b.cc", "")).contains("does not compile"));
}

#[test]
fn a_source_may_have_a_strange_name() {
    let dir = dir(&[("-o x.c", "int strange;"), ("@y.c", "int at;")]);
    for (file, name) in [("-o x.c", "strange"), ("@y.c", "at")] {
        let unit = Unit {
            file: file.into(),
            dir: dir.path().to_owned(),
            args: Vec::new(),
            language: Language::C,
            gcc: None,
            left_out: BTreeSet::new(),
            outputs: Vec::new(),
        };
        assert!(mentions(&bitcode(&unit), name));
    }
}

#[test]
fn bitcode_and_its_text_are_inputs() {
    let dir = dir(&[
        ("a.c", "int answer(void) { return 42; }"),
        ("t.ll", "define i32 @text(i32 %unused) {\n ret i32 1\n}\n"),
    ]);
    let made = bitcode(&unit(&dir, "a.c", ""));
    fs::write(dir.path().join("a.bc"), &made).unwrap();
    let taken = unit(&dir, "a.bc", "");
    assert_eq!(taken.language, Language::Bitcode);
    assert_eq!(bitcode(&taken), made);
    assert!(mentions(&bitcode(&unit(&dir, "t.ll", "-DX")), "text"));
}

#[test]
fn broken_text_of_llvm_is_a_compile_error() {
    let dir = dir(&[("t.ll", "define i32 @text( {")]);
    assert!(message(&unit(&dir, "t.ll", "")).contains("error: expected type"));
}

#[test]
fn a_unit_runs_in_its_directory() {
    let dir = dir(&[
        ("src/a.c", "#include \"config.h\"\nint CONFIGURED;"),
        ("build/gen/config.h", "#define CONFIGURED yes"),
        (
            "build/compile_commands.json",
            r#"[{"directory": ".", "file": "../src/a.c", "command": "ccache gcc -Igen -O2 -Werror -c ../src/a.c -o a.o"}]"#,
        ),
    ]);
    let database = Database::load(&dir.path().join("build")).unwrap();
    assert!(database.rejected.is_empty(), "{:?}", database.rejected);
    assert_eq!(database.units[0].args, ["-Igen"]);
    assert!(mentions(&bitcode(&database.units[0]), "yes"));
}

#[test]
fn a_cxx_driver_reads_c_files_as_cxx() {
    let dir = dir(&[
        ("a.c", "namespace n { int f() { return 1; } }"),
        (
            "compile_commands.json",
            r#"[{"directory": "", "file": "a.c", "arguments": ["/usr/bin/g++", "-c", "a.c"]}]"#,
        ),
    ]);
    let database = Database::load(dir.path()).unwrap();
    assert_eq!(database.units[0].language, Language::Cxx);
    assert!(mentions(&bitcode(&database.units[0]), "_ZN1n1fEv"));
}

#[test]
fn a_directory_that_is_gone_is_named() {
    let unit = Unit {
        file: "a.c".into(),
        dir: "/no/such/directory".into(),
        args: Vec::new(),
        language: Language::C,
        gcc: None,
        left_out: BTreeSet::new(),
        outputs: Vec::new(),
    };
    assert!(matches!(compile(&clang(), &unit), Err(Error::NoDirectory { .. })));
}

#[test]
fn a_file_that_vanished_is_a_compile_error() {
    let dir = dir(&[("a.c", "int x;")]);
    let unit = unit(&dir, "a.c", "");
    fs::remove_file(dir.path().join("a.c")).unwrap();
    assert!(message(&unit).contains("no such file or directory"));
}

#[test]
fn a_clang_that_is_missing_or_foreign_is_named() {
    let missing = Clang::find(Some(Path::new("/no/such/clang"))).unwrap_err().to_string();
    assert!(missing.contains("/no/such/clang") && missing.contains("apt-get install clang-19"));
    let dir = dir(&[]);
    let find = |script: &str| Clang::find(Some(&impostor(&dir, script))).unwrap_err().to_string();
    let gcc = find("echo 'gcc (Debian 12.2.0-14) 12.2.0'");
    assert!(gcc.contains("is not clang (it says `gcc (Debian 12.2.0-14) 12.2.0`)"), "{gcc}");
    let old = find("echo 'Debian clang version 14.0.6'");
    assert!(old.contains("is clang 14.0.6; indict needs clang 15 or newer"), "{old}");
    let silent = find("cat");
    assert!(silent.contains("is not clang"), "{silent}");
}

#[test]
fn a_file_that_cannot_be_executed_is_no_clang() {
    let dir = dir(&[("clang", "text")]);
    let error = Clang::find(Some(&dir.path().join("clang"))).unwrap_err();
    assert!(matches!(error, Error::CannotRun { .. }), "{error}");
}

#[test]
fn a_clang_that_crashes_or_writes_nonsense_is_named() {
    let dir = dir(&[("a.c", "int x;")]);
    let run = |answer: &str| {
        let script = format!("case $1 in --version) echo clang version 19.0.0;; *) {answer};; esac");
        let clang = Clang::find(Some(&impostor(&dir, &script))).unwrap();
        compile(&clang, &unit(&dir, "a.c", "")).unwrap_err()
    };
    assert!(matches!(run("kill -11 $$"), Error::ClangFailed { .. }));
    assert!(matches!(run("exit 0"), Error::NoBitcode { .. }));
    assert!(matches!(run("echo hello"), Error::NoBitcode { .. }));
}

#[test]
fn the_command_line_can_be_shown() {
    let dir = dir(&[("a.c", "int x;")]);
    let words = command_line(&clang(), &unit(&dir, "a.c", "-DX -O3"));
    assert_eq!(words[1..3], ["--no-default-config", "-DX"]);
    assert!(words.contains(&"-disable-llvm-passes".into()) && !words.contains(&"-O3".into()));
    assert!(words.last().unwrap().ends_with("a.c"));
}

/// The flags we add are known to every supported version.
#[test]
fn every_installed_clang_works() {
    let dir = dir(&[("a.cc", "int f(int *p) { return *p; }")]);
    for clang in installed() {
        let compiled = compile(&clang, &unit(&dir, "a.cc", "")).unwrap();
        assert!(mentions(&compiled.bitcode, "_Z1fPi"), "{}", clang.version());
    }
}
