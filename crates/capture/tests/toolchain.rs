//! Clang with the headers of other compilers. The tests need `gcc`, `g++` and clang; those about a cross compiler also need
//! `arm-linux-gnueabihf-g++`, and say so when it is missing.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use capture::{Clang, Database, Language, Toolchains, Trust, Unit};
use tempfile::TempDir;

/// What a C program may ask of its compiler and its library, in headers that must fit each other.
const C: &str = "#include <stddef.h>\n#include <limits.h>\n#include <stdint.h>\n#include <stdatomic.h>\n\
    #include <stdarg.h>\n#include <float.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <tgmath.h>\n\
    #include <threads.h>\n#include <unistd.h>\n#include <sys/socket.h>\n\
    #ifdef __x86_64__\n#include <immintrin.h>\n#endif\n\
    _Static_assert(LONG_MAX == (sizeof(long) == 8 ? 0x7fffffffffffffffLL : 0x7fffffffLL), \"limits\");\n\
    atomic_int a; int path = PATH_MAX; size_t s; uint64_t u;\n";

const CXX: &str = "#include <vector>\n#include <cstdlib>\n#include <limits>\n#include <atomic>\n#include <thread>\n\
    #include <cmath>\n#include <climits>\n#include <memory>\n#include <filesystem>\n#include <iostream>\n\
    #include <stdlib.h>\n#include <math.h>\n\
    std::vector<int> v; std::atomic<int> a; int m = std::numeric_limits<int>::max();\n";

/// A unit as a database has it.
fn unit(dir: &TempDir, file: &str, text: &str, command: &str) -> Unit {
    fs::write(dir.path().join(file), text).unwrap();
    let entry = serde_json::json!([{"directory": dir.path(), "file": file, "command": format!("{command} -c {file}")}]);
    fs::write(dir.path().join("compile_commands.json"), entry.to_string()).unwrap();
    Database::load(dir.path()).unwrap().units.remove(0)
}

/// Clang's messages about the unit, if it rejects it.
fn check(unit: &Unit, args: &[String]) -> Result<(), String> {
    let clang = Clang::find(None).expect("the tests need a clang: run scripts/setup");
    let output = Command::new(clang.path())
        .args(&unit.args)
        .args(args)
        .args(["-w", "-fsyntax-only"])
        .arg(&unit.file)
        .current_dir(&unit.dir)
        .output()
        .unwrap();
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(format!("{args:?}\n{messages}")) }
}

fn exists(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// A program in that directory. It is copied by another process: a file that is open for writing cannot be run, and the
/// processes that other tests start may inherit what we have open.
fn script(dir: &TempDir, name: &str, text: &str) -> PathBuf {
    let (source, path) = (dir.path().join(format!("{name}.text")), dir.path().join(name));
    fs::write(&source, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&source, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(Command::new("cp").args([&source, &path]).status().unwrap().success());
    path
}

/// What a build would ask. The compilers of some tests write down that they were asked.
fn toolchains(cache: Option<&Path>) -> Toolchains {
    Toolchains::new(cache, Trust::Build).unconfined()
}

#[track_caller]
fn compiles_with_the_headers_of(c: &str, cxx: &str) {
    let dir = tempfile::tempdir().unwrap();
    let asking = toolchains(None);
    for (file, text, command) in [("a.c", C, c), ("a.cc", CXX, cxx)] {
        let unit = unit(&dir, file, text, command);
        let args = asking.args_for(&unit);
        assert!(args.iter().any(|arg| arg == "-nostdlibinc"), "{command}: {args:?}");
        assert_eq!(check(&unit, &args), Ok(()), "{command}");
    }
}

#[test]
fn clang_reads_the_headers_of_gcc() {
    compiles_with_the_headers_of("gcc -std=gnu11", "g++ -std=c++17");
    compiles_with_the_headers_of("gcc -mavx2", "c++ -std=gnu++20");
}

#[test]
fn clang_reads_the_headers_of_a_cross_compiler() {
    if !exists("arm-linux-gnueabihf-g++") {
        println!("skipped: there is no arm-linux-gnueabihf-g++");
        return;
    }
    compiles_with_the_headers_of("arm-linux-gnueabihf-gcc -std=gnu11", "arm-linux-gnueabihf-g++ -std=c++17");
    // Under a name that says nothing, it must say its target itself.
    let dir = tempfile::tempdir().unwrap();
    let gcc = script(&dir, "gcc", "exec arm-linux-gnueabihf-gcc \"$@\"");
    let text = format!("{C}_Static_assert(sizeof(long) == 4, \"for ARM\");\n");
    let unit = unit(&dir, "a.c", &text, gcc.to_str().unwrap());
    let args = toolchains(None).args_for(&unit);
    assert_eq!(args[0], "--target=arm-linux-gnueabihf");
    assert_eq!(check(&unit, &args), Ok(()));
}

#[test]
fn units_of_clang_need_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let asking = toolchains(None);
    assert!(asking.args_for(&unit(&dir, "a.c", "", "clang")).is_empty());
    // Clang under the name of GCC.
    let clang = Clang::find(None).unwrap();
    let impostor = script(&dir, "gcc", &format!("exec '{}' \"$@\"", clang.path().display()));
    assert!(asking.args_for(&unit(&dir, "a.c", "", impostor.to_str().unwrap())).is_empty());
    let mut text = unit(&dir, "a.c", "", "gcc");
    text.language = Language::LlvmText;
    assert!(asking.args_for(&text).is_empty());
}

#[test]
fn nostdinc_is_respected() {
    let dir = tempfile::tempdir().unwrap();
    let unit = unit(&dir, "a.c", "#include <stdio.h>\n", "gcc -nostdinc");
    let args = toolchains(None).args_for(&unit);
    assert!(!args.iter().any(|arg| arg.contains("isystem")), "{args:?}");
    assert!(check(&unit, &args).unwrap_err().contains("'stdio.h' file not found"));
}

#[test]
fn the_default_standard_is_that_of_the_compiler() {
    let dir = tempfile::tempdir().unwrap();
    let old = script(&dir, "gcc", "exec /usr/bin/env gcc -std=gnu89 \"$@\"");
    // Defines `f` here, and in C99 does not.
    let text = "inline int f(void) { return 1; }\n#ifdef __STDC_VERSION__\n#error\n#endif\n";
    let standards = |flags: &str| -> Vec<String> {
        let unit = unit(&dir, "a.c", text, &format!("{} {flags}", old.display()));
        let args = toolchains(None).args_for(&unit);
        args.iter().filter(|arg| arg.starts_with("-std=")).cloned().collect()
    };
    assert_eq!(standards(""), ["-std=gnu89"]);
    assert_eq!(standards("-std=gnu99"), [""; 0]);
    assert_eq!(standards("-ansi"), [""; 0]);
}

/// A GCC that counts how often it is asked, and lists the directory `include` and one that is not there.
fn counting_gcc(dir: &TempDir) -> PathBuf {
    fs::create_dir(dir.path().join("include")).unwrap();
    let here = dir.path().display();
    let text = format!(
        "echo \"$*\" >> '{here}/asked'\n\
         echo 'Target: mips-foo-elf' >&2\necho 'gcc version 1.0' >&2\n\
         [ -d '{here}/later' ] || echo 'ignoring nonexistent directory \"{here}/later\"' >&2\n\
         echo '#include <...> search starts here:' >&2\necho ' {here}/include' >&2\n\
         [ -d '{here}/later' ] && echo ' {here}/later' >&2\necho 'End of search list.' >&2"
    );
    script(dir, "my-gcc", &text)
}

#[test]
fn a_compiler_is_asked_once_for_each_question() {
    let dir = tempfile::tempdir().unwrap();
    let gcc = counting_gcc(&dir);
    let cache = dir.path().join("cache");
    let asked = || fs::read_to_string(dir.path().join("asked")).map_or(0, |text| text.lines().count());
    let with = |flags: &str| unit(&dir, "a.c", "", &format!("{} {flags}", gcc.display()));
    let asking = toolchains(Some(&cache));
    let first = asking.args_for(&with("-DX -O2"));
    assert_eq!(first[0], "--target=mips-foo-elf");
    assert!(first[4].ends_with("/include"), "{first:?}");
    assert_eq!(asking.args_for(&with("-DY -fPIC -Iz")), first);
    assert_eq!(asked(), 1);
    asking.args_for(&with("-mabi=n32"));
    asking.args_for(&with("-mabi=n32 --sysroot=/x"));
    assert_eq!(asked(), 3);
    // Another process starts no compiler.
    let again = toolchains(Some(&cache));
    assert_eq!(again.args_for(&with("-DZ")), first);
    again.args_for(&with("-mabi=n32"));
    assert_eq!(asked(), 3);
    // A directory that was not there, and now is.
    fs::create_dir(dir.path().join("later")).unwrap();
    let later = toolchains(Some(&cache)).args_for(&with("-DZ"));
    assert!(later.iter().any(|arg| arg.ends_with("/later")), "{later:?}");
    assert_eq!(asked(), 4);
    // Another compiler under the same name.
    let text = fs::read_to_string(&gcc).unwrap().replace("mips-foo-elf", "riscv32-foo-elf");
    script(&dir, "my-gcc", &text);
    let other = toolchains(Some(&cache)).args_for(&with("-DZ"));
    assert_eq!(other[0], "--target=riscv32-foo-elf");
}

#[test]
fn many_threads_ask_once() {
    let dir = tempfile::tempdir().unwrap();
    let unit = unit(&dir, "a.c", "", counting_gcc(&dir).to_str().unwrap());
    let asking = toolchains(None);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| asking.args_for(&unit));
        }
    });
    assert_eq!(fs::read_to_string(dir.path().join("asked")).unwrap().lines().count(), 1);
}

#[test]
fn bad_compilers_are_harmless() {
    let dir = tempfile::tempdir().unwrap();
    let target = ["--target=mips-foo-elf"];
    for text in ["exit 1", "", "echo nonsense >&2", "kill -9 $$", "head -c 3000000 /dev/urandom >&2"] {
        let gcc = script(&dir, "mips-foo-elf-gcc", text);
        let unit = unit(&dir, "a.c", "int x;", gcc.to_str().unwrap());
        assert_eq!(unit.args, target, "{text}");
        assert!(toolchains(None).args_for(&unit).is_empty(), "{text}");
        assert_eq!(check(&unit, &[]), Ok(()));
        // Whoever made the unit without its target gets it from the name.
        let bare = Unit { args: Vec::new(), ..unit };
        assert_eq!(toolchains(None).args_for(&bare)[..], target, "{text}");
    }
    let gone = unit(&dir, "a.c", "", "/no/such/arm-none-eabi-gcc");
    assert!(toolchains(None).args_for(&gone).is_empty());
    let gone = unit(&dir, "a.c", "", "no-such-compiler-gcc");
    assert!(toolchains(None).args_for(&gone).is_empty());
    let unwritable = toolchains(Some(Path::new("/dev/null/cache")));
    assert!(!unwritable.args_for(&unit(&dir, "a.c", "", "gcc")).is_empty());
}

#[test]
fn only_compilers_of_the_user_are_asked_what_a_database_names() {
    let dir = tempfile::tempdir().unwrap();
    let here = Toolchains::new(None, Trust::SearchPath);
    // By name, by path, and confined.
    for gcc in ["gcc", "/usr/bin/gcc"] {
        let args = here.args_for(&unit(&dir, "a.c", "", gcc));
        assert!(args.iter().any(|arg| arg == "-nostdlibinc"), "{gcc}: {args:?}");
    }
    assert!(here.unasked().is_empty());
    // A compiler of the project, and links of the project that lead to other programs.
    let counting = counting_gcc(&dir);
    let strange = ["python3-gcc", "gcc"].map(|name| dir.path().join(name));
    for link in &strange {
        std::os::unix::fs::symlink("/usr/bin/env", link).unwrap();
    }
    for gcc in [&counting, &strange[0], &strange[1]] {
        assert!(here.args_for(&unit(&dir, "a.c", "", gcc.to_str().unwrap())).is_empty());
    }
    assert_eq!(here.unasked().len(), 3);
    assert!(!dir.path().join("asked").exists());
    // The user's own build vouches for it.
    let unit = unit(&dir, "a.c", "", counting.to_str().unwrap());
    assert!(!Toolchains::new(None, Trust::Build).args_for(&unit).is_empty());
    assert!(!dir.path().join("asked").exists(), "it is confined");
}
