//! `indict capture` and `indict run` on real builds: make, ninja, CMake, Meson, autotools, shell scripts.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use common::{Said, capture, entries, files, indict, run, write};

const A: (&str, &str) = ("a.c", "int b(void);\nint main(void) { return b(); }\n");
const B: (&str, &str) = ("b.c", "int b(void) { return 0; }\n");

/// A program with a leak, to be found whatever build compiles it.
const LEAK: (&str, &str) =
    ("leak.c", "#include <stdlib.h>\nint main(void) {\n  malloc(8);\n  return 0;\n}\n");

#[track_caller]
fn finds_the_leak(said: &Said) {
    said.check(1, &[]);
    assert!(said.stdout.contains("memory-leak") && said.stdout.contains("leak.c:3"), "{said:#?}");
}

#[test]
fn make_recursive_and_parallel() {
    let dir = files(&[
        ("Makefile", "all: ; $(MAKE) -C one && $(MAKE) -C two && $(CC) -o prog one/a.o two/b.o two/c.o\n"),
        ("one/Makefile", "all: a.o\n"),
        ("two/Makefile", "all: b.o c.o\nCFLAGS = -DN=1\n"),
        ("one/a.c", A.1),
        ("two/b.c", B.1),
        ("two/c.c", "int c(void) { return N; }\n"),
    ]);
    let said = indict(dir.path(), &["capture", "--", "make", "-j4"]);
    said.check(0, &["3 compilations in .indict/compile_commands.json"]);
    assert!(said.stdout.contains("make"), "the output of the build is the user's: {said:#?}");
    let expected = ["one/a.c -> one/a.o", "two/b.c -> two/b.o", "two/c.c -> two/c.o"];
    assert_eq!(entries(dir.path()), expected);
    indict(dir.path(), &["run", "-p", ".indict"]).check(0, &["3 units: 3 compiled"]);
    indict(dir.path(), &["run", "-p", ".indict"]).check(0, &["3 units: 3 reused"]);
}

#[test]
fn make_run_finds_what_is_wrong() {
    let dir = files(&[("Makefile", "leak: leak.o\n"), LEAK]);
    finds_the_leak(&indict(dir.path(), &["run", "--", "make"]));
}

#[test]
fn a_build_with_nothing_to_do_says_how_to_get_a_full_one() {
    let dir = files(&[("Makefile", "leak: leak.o\n"), LEAK]);
    finds_the_leak(&indict(dir.path(), &["run", "--", "make"]));
    indict(dir.path(), &["run", "--", "make"])
        .check(2, &["the build compiled nothing", "`make -B`", "make clean"]);
    finds_the_leak(&indict(dir.path(), &["run", "--", "make", "-B"]));
}

#[test]
fn what_was_captured_before_can_be_kept() {
    let dir = files(&[A, B]);
    capture(dir.path(), "cc -c a.c").check(0, &[]);
    let said = indict(dir.path(), &["capture", "--append", "--", "cc", "-c", "b.c"]);
    said.check(0, &["1 compilation of earlier builds kept"]);
    assert_eq!(entries(dir.path()), ["a.c -> a.o", "b.c -> b.o"]);
    capture(dir.path(), "cc -c b.c").check(0, &[]);
    assert_eq!(entries(dir.path()), ["b.c -> b.o"]);
}

#[test]
fn a_failing_build_yields_what_compiled() {
    let dir = files(&[A, ("bad.c", "int x = ;\n"), LEAK]);
    let script = "cc -c leak.c -o leak.o; cc -c bad.c || exit 7";
    let said = indict(dir.path(), &["capture", "--", "sh", "-c", script]);
    said.check(7, &["the build failed", "bad.c: the build could not compile it"]);
    assert!(said.stderr.contains("bad.c:1"), "the compiler's own message is the user's: {said:#?}");
    assert_eq!(entries(dir.path()), ["leak.c -> leak.o"]);
    finds_the_leak(&indict(dir.path(), &["run", "--", "sh", "-c", script]));
}

#[test]
fn a_build_that_cannot_be_started_is_named() {
    let dir = files(&[A]);
    indict(dir.path(), &["run", "--", "no-such-build-tool"]).check(2, &["cannot run no-such-build-tool"]);
}

#[test]
fn shell_scripts_call_compilers_in_every_way() {
    let dir = files(&[
        A,
        B,
        ("c.cc", "int c() { return 0; }\n"),
        ("sub/d.c", "int d(void) { return 0; }\n"),
        ("e.s", ".globl e\ne: ret\n"),
        (
            "build",
            "#!/bin/sh -e\ncc -c a.c -o by-name.o\n\"$(command -v gcc)\" -c a.c -o by-path.o\n$CC -c a.c -o by-cc.o\n\
            g++ -c c.cc -o gxx.o\nc++ -c c.cc -o cxx.o\nclang-19 -c b.c -o clang.o\n(cd sub; gcc -c d.c)\n\
            gcc -c a.c b.c\ngcc a.c b.c e.s -o prog\necho '-DX=1 -c b.c -o rsp.o' > words.rsp\ngcc @words.rsp\nrm words.rsp\n\
            env -i PATH=\"$PATH\" gcc -c b.c -o emptied.o\n",
        ),
    ]);
    fs::set_permissions(dir.path().join("build"), PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_indict"));
    command.args(["capture", "--", "./build"]).current_dir(dir.path()).env("CC", "/usr/bin/cc -DY");
    run(&mut command).check(0, &["1 source in other languages skipped"]);
    let expected = [
        "a.c -> a.o",
        "a.c -> by-cc.o",
        "a.c -> by-name.o",
        "a.c -> by-path.o",
        "a.c -> prog-a.o",
        "b.c -> b.o",
        "b.c -> clang.o",
        "b.c -> emptied.o",
        "b.c -> prog-b.o",
        "b.c -> rsp.o",
        "c.cc -> cxx.o",
        "c.cc -> gxx.o",
        "sub/d.c -> sub/d.o",
    ];
    assert_eq!(entries(dir.path()), expected);
    // One unit per meaning: a.c and b.c plain and with a macro, c.cc, d.c.
    indict(dir.path(), &["run", "-p", ".indict"]).check(0, &["6 units: 6 compiled"]);
}

#[test]
fn generated_sources_and_headers_may_be_deleted() {
    let dir = files(&[("keep.c", "#include \"made.h\"\nint keep(void) { return MADE; }\n")]);
    let script = "mkdir gen; echo '#define MADE 1' > gen/made.h; gcc -Igen -c keep.c; \
        printf '#include <stdlib.h>\\nint main(void) {\\n  malloc(8);\\n  return 0;\\n}\\n' > gen/leak.c; \
        gcc -c gen/leak.c -o leak.o; rm -r gen";
    finds_the_leak(indict(dir.path(), &["run", "--", "sh", "-ec", script]).check(1, &["2 units: 2 reused"]));
    finds_the_leak(&indict(dir.path(), &["run", "-p", ".indict"]));
}

#[test]
fn builds_in_other_directories_and_their_result_elsewhere() {
    let dir = files(&[("src/a.c", A.1), ("src/b.c", B.1), ("work/empty", "")]);
    let script = "mkdir ../out; cd ../out; gcc -c ../src/a.c ../src/b.c; gcc a.o b.o -o prog";
    indict(&dir.path().join("work"), &["capture", "--", "sh", "-ec", script]).check(0, &["2 compilations"]);
    assert!(dir.path().join("work/.indict/compile_commands.json").exists());
    indict(dir.path(), &["run", "-p", "work/.indict"]).check(0, &["2 units: 2 compiled"]);
    assert!(!dir.path().join(".indict").exists(), "the store of the capture is used");
}

#[test]
fn spaces_and_foreign_letters_in_paths() {
    let dir = files(&[("dir with spaces/größe ß.c", LEAK.1)]);
    let inner = dir.path().join("dir with spaces");
    let script = "gcc -c 'größe ß.c' -I'dir ü' -DTEXT='\"a b\"' -o 'ö 1.o'; gcc 'ö 1.o' -o 'pro gram'";
    capture(&inner, script).check(0, &["1 compilation in"]);
    assert_eq!(entries(&inner), ["größe ß.c -> ö 1.o"]);
    let said = indict(&inner, &["run", "-p", ".indict"]);
    said.check(1, &["1 unit"]);
    assert!(said.stdout.contains("größe ß.c:3"), "{said:#?}");
}

#[test]
fn ninja_with_response_files() {
    let rules = "rule cc\n command = gcc -MD -MF $out.d @$out.rsp -o $out\n rspfile = $out.rsp\n rspfile_content = -c $in\n\
        build a.o: cc a.c\nbuild b.o: cc b.c\n";
    let dir = files(&[A, B, ("build.ninja", rules)]);
    indict(dir.path(), &["capture", "--", "ninja"]).check(0, &[]);
    assert_eq!(entries(dir.path()), ["a.c -> a.o", "b.c -> b.o"]);
}

const CMAKE: &str = "cmake_minimum_required(VERSION 3.10)\nproject(p C CXX)\ninclude(CheckFunctionExists)\n\
    check_function_exists(printf HAVE_PRINTF)\nadd_library(b STATIC b.c)\nadd_executable(a a.c)\ntarget_link_libraries(a b)\n";

#[test]
fn cmake_from_nothing_and_no_trace_in_its_files() {
    let dir = files(&[A, B, ("CMakeLists.txt", CMAKE)]);
    capture(dir.path(), "cmake -S . -B out; cmake --build out").check(0, &["2 compilations"]);
    let expected = ["a.c -> out/CMakeFiles/a.dir/a.c.o", "b.c -> out/CMakeFiles/b.dir/b.c.o"];
    assert_eq!(entries(dir.path()), expected);
    let cache = fs::read_to_string(dir.path().join("out/CMakeCache.txt")).unwrap();
    assert!(!cache.contains("indict"), "CMake must not remember a file of ours");
}

#[test]
fn cmake_with_ninja_that_was_configured_before() {
    let dir = files(&[A, B, ("CMakeLists.txt", CMAKE)]);
    let configured =
        run(Command::new("cmake").args(["-G", "Ninja", "-S", ".", "-B", "out"]).current_dir(dir.path()));
    configured.check(0, &[]);
    indict(dir.path(), &["capture", "--", "cmake", "--build", "out"]).check(0, &["2 compilations"]);
    indict(dir.path(), &["run", "--", "cmake", "--build", "out"])
        .check(2, &["`cmake --build out --clean-first`"]);
}

#[test]
fn meson() {
    let script = "project('p', 'c')\ncc = meson.get_compiler('c')\ncc.has_function('printf')\n\
        executable('a', 'a.c', link_with: static_library('b', 'b.c'))\n";
    let dir = files(&[A, B, ("meson.build", script)]);
    capture(dir.path(), "meson setup out; meson compile -C out").check(0, &["2 compilations"]);
    assert_eq!(entries(dir.path()), ["a.c -> out/a.p/a.c.o", "b.c -> out/libb.a.p/b.c.o"]);
}

#[test]
fn autotools_with_libtool() {
    let dir = files(&[
        A,
        B,
        (
            "configure.ac",
            "AC_INIT([p],[1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAM_PROG_AR\nLT_INIT\nAC_CHECK_FUNCS([printf])\n\
            AC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n",
        ),
        (
            "Makefile.am",
            "lib_LTLIBRARIES = libb.la\nlibb_la_SOURCES = b.c\nbin_PROGRAMS = prog\nprog_SOURCES = a.c\nprog_LDADD = libb.la\n",
        ),
    ]);
    capture(dir.path(), "autoreconf -i >/dev/null 2>&1; ./configure >/dev/null; make")
        .check(0, &["3 compilations"]);
    assert_eq!(entries(dir.path()), ["a.c -> a.o", "b.c -> .libs/b.o", "b.c -> b.o"]);
    let links = fs::read_to_string(dir.path().join(".indict/links.json")).unwrap();
    for artifact in ["/.libs/libb.so.0.0.0\"", "/.libs/libb.a\"", "/.libs/prog\""] {
        assert!(links.contains(artifact), "{artifact} is missing in {links}");
    }
}

#[test]
fn ccache_is_seen_before_it_looks_into_its_cache() {
    let dir = files(&[B]);
    let script = "export CCACHE_DIR=\"$PWD/cc\"; ccache gcc -c b.c; rm b.o; ccache gcc -c b.c; \
        PATH=\"/usr/lib/ccache:$PATH\"; gcc -c b.c -o again.o";
    capture(dir.path(), script).check(0, &["2 compilations"]);
    assert_eq!(entries(dir.path()), ["b.c -> again.o", "b.c -> b.o"]);
    let entry = fs::read_to_string(dir.path().join(".indict/compile_commands.json")).unwrap();
    assert!(entry.contains("gcc"), "{entry}");
}

/// A compiler for another machine: a script, because there need not be a real one here.
fn fake_cross_compiler(dir: &Path) {
    write(dir, &[("tools/arm-none-eabi-gcc", "#!/bin/sh -e\nexec gcc \"$@\"\n")]);
    fs::set_permissions(dir.join("tools/arm-none-eabi-gcc"), PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn cross_compilers_set_the_target() {
    let dir = files(&[("a.c", "int size(void) { return sizeof(void *); }\n")]);
    fake_cross_compiler(dir.path());
    capture(
        dir.path(),
        "PATH=\"$PWD/tools:$PATH\"; arm-none-eabi-gcc -c a.c; \"$PWD/tools/arm-none-eabi-gcc\" -c a.c -o b.o",
    )
    .check(0, &["2 compilations"]);
    let said = indict(dir.path(), &["ir", "-p", ".indict"]);
    said.check(0, &[]);
    assert!(said.stdout.contains("arm") && said.stdout.contains("return i32 4"), "{said:#?}");
}

#[test]
fn static_programs_are_no_hiding_place() {
    let caller = "#include <unistd.h>\nextern char **environ;\nint main(void) {\n  char *argv[] = {\"gcc\", \"-c\", \"b.c\", 0};\n  \
        return execve(\"/usr/bin/gcc\", argv, environ);\n}\n";
    let dir = files(&[B, ("caller.c", caller)]);
    let made = run(Command::new("gcc").args(["-static", "caller.c", "-o", "caller"]).current_dir(dir.path()));
    made.check(0, &[]);
    indict(dir.path(), &["capture", "--", "./caller"]).check(0, &["1 compilation in"]);
    assert_eq!(entries(dir.path()), ["b.c -> b.o"]);
}

#[test]
fn wrappers_see_calls_by_name_and_by_variable() {
    let dir = files(&[A, B]);
    fake_cross_compiler(dir.path());
    let script = "cc -c a.c; $CC -c b.c; cc a.o b.o -o prog";
    let mut command = Command::new(env!("CARGO_BIN_EXE_indict"));
    command.args(["capture", "--intercept", "wrappers", "--", "sh", "-ec", script]).current_dir(dir.path());
    command.env("CC", dir.path().join("tools/arm-none-eabi-gcc"));
    run(&mut command).check(0, &["2 compilations"]);
    assert_eq!(entries(dir.path()), ["a.c -> a.o", "b.c -> b.o"]);
    // What CMake or configure may have remembered still works, and is nothing but the compiler.
    let again =
        run(Command::new(dir.path().join(".indict/bin/cc")).args(["-c", "b.c"]).current_dir(dir.path()));
    again.check(0, &[]);
    assert_eq!(entries(dir.path()).len(), 2);
}

#[test]
fn compilers_with_unusual_names_can_be_named() {
    let dir = files(&[B, ("tools/translate", "#!/bin/sh -e\nexec gcc \"$@\"\n")]);
    fs::set_permissions(dir.path().join("tools/translate"), PermissionsExt::from_mode(0o755)).unwrap();
    let args = ["capture", "--compiler", "translate", "--", "tools/translate", "-c", "b.c"];
    indict(dir.path(), &args).check(0, &["1 compilation in"]);
}

#[test]
fn the_build_is_not_changed_by_being_watched() {
    let show = "#include <stdio.h>\nint main(int argc, char **argv, char **env) {\n  for (; *env; env++) puts(*env);\n  \
        while (*++argv) puts(*argv);\n  return argc == 0;\n}\n";
    let dir = files(&[A, ("show.c", show)]);
    let made = run(Command::new("gcc").args(["show.c", "-o", "gcc"]).current_dir(dir.path()));
    made.check(0, &[]);
    // A tool sees the environment it would have had; only this build's own processes see ours.
    let said = capture(dir.path(), "./gcc -c 'a b.c' > seen; printf x | cat; exit 3");
    said.check(3, &[]);
    assert_eq!(said.stdout, "x");
    let seen = fs::read_to_string(dir.path().join("seen")).unwrap();
    assert!(seen.ends_with("-c\na b.c\n"), "{seen}");
    for ours in ["INDICT", "LD_PRELOAD", "ASAN_OPTIONS"] {
        assert!(!seen.contains(ours), "{seen}");
    }
}

/// The story of `app_malloc` (Le et al. §2.1): the tool has one that never returns null, the tests have one that does.
#[test]
fn programs_are_kept_apart_by_what_was_linked() {
    let main = "int use(void);\nint main(void) { return use() - 1; }\n";
    let dir = files(&[
        (
            "lib/util.c",
            "#include <stdlib.h>\nvoid *app_malloc(size_t n);\nint use(void) {\n  int *p = app_malloc(4);\n  *p = 1;\n  \
            int one = *p;\n  free(p);\n  return one;\n}\n",
        ),
        (
            "app/mem.c",
            "#include <stdlib.h>\nvoid *app_malloc(size_t n) {\n  void *p = malloc(n);\n  if (!p) exit(1);\n  return p;\n}\n",
        ),
        ("app/main.c", main),
        ("test/mem.c", "#include <stdlib.h>\nvoid *app_malloc(size_t n) {\n  return malloc(n);\n}\n"),
        ("test/main.c", main),
        (
            "Makefile",
            "all: lib/libu.a\n\t$(CC) app/main.c app/mem.c -Llib -lu -o app/app\n\t$(MAKE) test\n\
            test: lib/libu.a\n\t$(CC) test/main.c test/mem.c lib/libu.a -o test/test\n\
            lib/libu.a: lib/util.o\n\tar rcs $@ $^\n.PHONY: test\n",
        ),
    ]);
    let said = indict(dir.path(), &["run", "--", "make", "test"]);
    said.check(1, &["3 units"]);
    assert!(said.stdout.contains("null-deref") && said.stdout.contains("lib/util.c:5"), "{said:#?}");
    indict(dir.path(), &["capture", "--", "make", "-B"]).check(0, &["5 compilations"]);
    let both = indict(dir.path(), &["run", "-p", ".indict"]);
    both.check(1, &["5 units"]);
    assert!(both.stdout.contains("1 finding: 1 null-deref"), "{both:#?}");
    let note = "`app_malloc` is defined in app/mem.c and test/mem.c; which one is used by lib/util.c depends on the program";
    assert!(both.stdout.contains(note), "{both:#?}");
    let graph = indict(dir.path(), &["callgraph", "-p", ".indict", "--function", "use", "--depth", "1"]);
    graph.check(0, &[]);
    for line in ["app_malloc (app/mem.c)   direct, of several", "app_malloc (test/mem.c)  direct, of several"]
    {
        assert!(graph.stdout.contains(line), "{graph:#?}");
    }
    let dot = indict(dir.path(), &["callgraph", "-p", ".indict", "--format", "dot"]);
    assert!(dot.stdout.starts_with("digraph calls {") && dot.stdout.trim_end().ends_with('}'), "{dot:#?}");
}
