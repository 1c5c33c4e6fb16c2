//! Builds that do unusual things: each was once broken by being watched, or not understood.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use common::{capture, entries, files, indict, run, write};

const A: (&str, &str) = ("a.c", "int b(void);\nint main(void) { return b(); }\n");
const B: (&str, &str) = ("b.c", "int b(void) { return 0; }\n");

/// Writes a program that can be called.
fn script(dir: &Path, name: &str, text: &str) {
    write(dir, &[(name, text)]);
    fs::set_permissions(dir.join(name), PermissionsExt::from_mode(0o755)).unwrap();
}

fn capture_with(dir: &Path, variable: &str, value: &str, script: &str) -> common::Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_indict"));
    command.args(["capture", "--", "sh", "-ec", script]).current_dir(dir).env(variable, value);
    run(&mut command)
}

#[test]
fn tools_with_sanitizers_run_whatever_their_options_are() {
    let dir = files(&[("t.c", "int main(void) { return 0; }\n")]);
    let script = "gcc -fsanitize=address t.c -o t; ASAN_OPTIONS=detect_leaks=0 ./t; env -i ./t; unset ASAN_OPTIONS; ./t";
    capture(dir.path(), script).check(0, &["1 compilation in"]);
}

#[test]
fn a_compiler_variable_may_name_a_script_for_a_shell() {
    let dir = files(&[B]);
    write(dir.path(), &[("mycc", "exec gcc \"$@\"\n")]);
    capture_with(dir.path(), "CC", "sh ./mycc", "$CC -c b.c").check(0, &["1 compilation in"]);
    capture_with(dir.path(), "CC", "env gcc", "$CC -c b.c; nice gcc -c b.c -o c.o")
        .check(0, &["2 compilations"]);
    assert_eq!(entries(dir.path()), ["b.c -> b.o", "b.c -> c.o"]);
}

#[test]
fn directories_on_the_search_path_are_no_compilers() {
    let dir = files(&[B, ("bin/gcc/file", "")]);
    let call = "PATH=\"$PWD/bin:$PATH\" perl -e 'exit system(\"gcc\",\"-c\",\"b.c\")>>8'";
    capture(dir.path(), call).check(0, &["1 compilation in"]);
}

#[test]
fn scripts_need_no_first_line() {
    let dir = files(&[B]);
    script(dir.path(), "bin/gcc", "/usr/bin/gcc \"$@\"\n");
    capture(dir.path(), "PATH=\"$PWD/bin:$PATH\"; gcc -c b.c").check(0, &["1 compilation in"]);
}

#[test]
fn callers_may_ignore_the_end_of_children() {
    let dir = files(&[B]);
    let call = "perl -e '$SIG{CHLD}=\"IGNORE\"; exec \"gcc\",\"-c\",\"b.c\"'";
    capture(dir.path(), call).check(0, &["1 compilation in"]);
}

#[test]
fn who_ends_a_compiler_ends_the_real_one() {
    let dir = files(&[B]);
    script(
        dir.path(),
        "bin/gcc",
        "#!/bin/sh\ntrap 'exit 1' TERM\ntouch begun\nsleep 3 & wait\ntouch survived\n",
    );
    let call = "\"$PWD/bin/gcc\" -c b.c & until [ -e begun ]; do sleep 0.02; done; kill $!; wait $! || true; sleep 4";
    capture(dir.path(), call).check(0, &[]);
    assert!(!dir.path().join("survived").exists());
}

#[test]
fn a_compiler_that_is_killed_looks_killed() {
    let dir = files(&[B]);
    script(dir.path(), "bin/gcc", "#!/bin/sh\nkill -SEGV $$\n");
    let call = "perl -e 'system(\"$ENV{PWD}/bin/gcc\",\"-c\",\"b.c\"); print $? & 127'";
    assert_eq!(capture(dir.path(), call).check(0, &[]).stdout, "11");
}

#[test]
fn processes_that_outlive_the_build_are_left_in_peace() {
    let dir = files(&[B]);
    let call = "(while ! [ -e go ]; do sleep 0.05; done; gcc -c b.c -o late.o; touch done) > late.log 2>&1 & gcc -c b.c";
    capture(dir.path(), call).check(0, &["1 compilation in"]);
    fs::write(dir.path().join("go"), "").unwrap();
    while !dir.path().join("done").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(fs::read_to_string(dir.path().join("late.log")).unwrap(), "");
    assert!(dir.path().join("late.o").exists());
}

#[test]
fn copies_with_old_times_may_be_deleted() {
    let dir = files(&[("src/b.c", B.1)]);
    let script = "touch -d 2020-01-01 src/b.c; cp -rp src x; gcc -c x/b.c -o b.o; rm -r x";
    indict(dir.path(), &["stats", "--", "sh", "-ec", script]).check(0, &["1 unit: 1 reused"]);
}

#[test]
fn eager_compiles_what_the_build_changes_back() {
    let dir = files(&[("b.c", "#include \"v.h\"\nint b(void) { return V; }\n"), ("v.h", "#define V 9\n")]);
    let script = "echo '#define V 7' > v.h; gcc -c b.c; echo '#define V 9' > v.h";
    let said = indict(dir.path(), &["capture", "--eager", "--", "sh", "-ec", script]);
    said.check(0, &["1 compilation in"]);
    assert!(
        fs::read_dir(dir.path().join(".indict/cache/units")).unwrap().count() > 0,
        "it was compiled at once"
    );
}

#[test]
fn programs_that_only_sound_like_compilers_are_looked_into() {
    let dir = files(&[B]);
    script(dir.path(), "build-gcc", "#!/bin/sh\ngcc -c b.c\n");
    indict(dir.path(), &["capture", "--", "./build-gcc"]).check(0, &["1 compilation in"]);
    assert_eq!(entries(dir.path()), ["b.c -> b.o"]);
}

#[test]
fn flags_that_a_script_adds_count() {
    let dir = files(&[("b.c", "int b(void) { return NEED; }\n")]);
    script(dir.path(), "bin/gcc", "#!/bin/sh\nexec /usr/bin/gcc -DNEED=1 \"$@\"\n");
    let script = "PATH=\"$PWD/bin:$PATH\"; gcc -c b.c";
    indict(dir.path(), &["stats", "--", "sh", "-ec", script]).check(0, &["1 unit: 1 compiled"]);
    assert_eq!(entries(dir.path()), ["b.c -> b.o"]);
}

#[test]
fn a_link_to_a_compiler_is_a_compiler() {
    let dir = files(&[A, B]);
    capture(dir.path(), "ln -s \"$(command -v gcc)\" hostcompiler; ./hostcompiler -c a.c; gcc -c b.c")
        .check(0, &["2 compilations"]);
}

#[test]
fn search_paths_in_the_environment_of_the_build() {
    let dir =
        files(&[("inc/q.h", "#define Q 1\n"), ("b.c", "#include \"q.h\"\nint b(void) { return Q; }\n")]);
    indict(dir.path(), &["stats", "--", "sh", "-ec", "export CPATH=inc; gcc -c b.c"])
        .check(0, &["1 unit: 1 compiled"]);
}

#[test]
fn names_that_only_look_like_probes() {
    let dir = files(&[A, ("conf1.c", B.1)]);
    capture(dir.path(), "gcc a.c conf1.c -o p").check(0, &["2 compilations"]);
}

#[test]
fn what_compiled_counts_even_if_its_command_failed() {
    let dir = files(&[A, B, ("bad.c", "int x = ;\n")]);
    let said = indict(dir.path(), &["stats", "--", "sh", "-c", "gcc a.c -o p; gcc -c b.c bad.c; true"]);
    said.check(0, &["bad.c: the build could not compile it", "2 units: 2 compiled"]);
    assert!(!said.stderr.contains("a.c: the build could not"), "{said:#?}");
}

#[test]
fn a_build_may_delete_the_store() {
    let dir = files(&[B]);
    let said = capture(dir.path(), "rm -rf .indict; gcc -c b.c");
    said.check(0, &["1 compilation in"]);
    assert!(!said.stderr.contains("ld.so"), "{said:#?}");
}

#[test]
fn a_build_with_nothing_to_do_leaves_the_last_capture() {
    let dir = files(&[A, B]);
    capture(dir.path(), "gcc -c a.c b.c").check(0, &["2 compilations"]);
    capture(dir.path(), "true").check(0, &["the build compiled nothing"]);
    assert_eq!(entries(dir.path()).len(), 2);
    capture(dir.path(), "gcc -c a.c")
        .check(0, &["1 compilation of earlier builds forgotten (--append keeps them)"]);
}

#[test]
fn objects_named_through_a_link_are_found() {
    let helper = |n: u32| format!("int helper(void) {{ return {n}; }}\n");
    let dir = files(&[("real/m.c", "int helper(void);\nint main(void) { return helper(); }\n")]);
    write(dir.path(), &[("real/x/h.c", &helper(1)), ("real/y/h.c", &helper(2))]);
    let script = "ln -s real lnk; cd lnk; gcc -c m.c; (cd x; gcc -c h.c); (cd y; gcc -c h.c); \
        gcc -o p \"$(pwd -L)/m.o\" \"$(pwd -L)/y/h.o\"; gcc -o q \"$(pwd -L)/m.o\" x/h.o";
    capture(dir.path(), script).check(0, &["3 compilations"]);
    let said = indict(dir.path(), &["callgraph", "-p", ".indict", "--function", "main"]);
    for file in ["helper (real/x/h.c)", "helper (real/y/h.c)"] {
        assert!(said.stdout.contains(file), "{said:#?}");
    }
}
