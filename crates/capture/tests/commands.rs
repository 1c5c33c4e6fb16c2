//! Commands of builds, and what we understand of them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use capture::{
    Artifact, Compilation, Input, Skipped, Understood, expand_response_files, is_probe, tool_names,
    understand,
};
use proptest::prelude::*;

/// Where the commands of the tables run.
const DIR: &str = "/w";

fn words(command: &str) -> Vec<String> {
    command.split_whitespace().map(String::from).collect()
}

/// Everything understood, a line each:
/// `ARGUMENTS`, `KIND PATH: INPUTS` with `*` behind what is taken whole, and `skip FILE`.
fn text(understood: &Understood) -> String {
    let mut text = String::new();
    for Compilation { arguments, output, .. } in &understood.compilations {
        assert_eq!(arguments.last().map(Path::new), Some(output.as_path()));
        writeln!(text, "{}", arguments.join(" ")).unwrap();
    }
    if let Some(Artifact { path, kind, inputs }) = &understood.artifact {
        let inputs: Vec<String> = inputs.iter().map(input_text).collect();
        writeln!(text, "{kind:?} {}: {}", path.display(), inputs.join(" ")).unwrap();
    }
    for Skipped { file, .. } in &understood.skipped {
        writeln!(text, "skip {}", file.display()).unwrap();
    }
    text
}

fn input_text(input: &Input) -> String {
    let star = |whole: bool| if whole { "*" } else { "" };
    match input {
        Input::File { path, whole } => format!("{}{}", path.display(), star(*whole)),
        Input::Library { name, dirs, whole } => {
            let dirs: Vec<String> = dirs.iter().map(|dir| dir.display().to_string()).collect();
            format!("-l{name}[{}]{}", dirs.join(","), star(*whole))
        }
    }
}

#[track_caller]
fn check(command: &str, expected: &[&str]) {
    let understood = understand(&words(command), Path::new(DIR), &[]);
    let expected: String = expected.iter().map(|line| format!("{line}\n")).collect();
    assert_eq!(text(&understood), expected, "{command}");
}

#[test]
fn one_source_is_one_compilation() {
    check("cc -c a.c", &["cc -c a.c -o /w/a.o"]);
    check("gcc -O2 -Wall -c -o x/a.o ../src/a.c", &["gcc -O2 -Wall -c ../src/a.c -o /w/x/a.o"]);
    check("clang++-19 -std=c++17 -cx/a.cc", &[]);
    check("clang++-19 -std=c++17 -c x/a.cc", &["clang++-19 -std=c++17 -c x/a.cc -o /w/a.o"]);
    check("/usr/bin/arm-none-eabi-gcc -c -oa.o a.c", &["/usr/bin/arm-none-eabi-gcc -c a.c -o /w/a.o"]);
    check("ccache gcc -MD -MF a.d -c a.c", &["gcc -MD -MF a.d -c a.c -o /w/a.o"]);
    check("gcc -c -- -o.c", &["gcc -c ./-o.c -o /w/-o.o"]);
}

#[test]
fn several_sources_are_several_compilations() {
    check("cc -c -DX a.c b.cc y.o -lm", &["cc -DX -c a.c -o /w/a.o", "cc -DX -c b.cc -o /w/b.o"]);
    check(
        "gcc -x c a.txt -x c++ b.c -x none c.c -c",
        &["gcc -c -x c a.txt -o /w/a.o", "gcc -c -x c++ b.c -o /w/b.o", "gcc -c c.c -o /w/c.o"],
    );
    check("gcc a.c -xc++ b.c -c", &["gcc -c a.c -o /w/a.o", "gcc -c -x c++ b.c -o /w/b.o"]);
    // GCC refuses this.
    check("gcc -c a.c b.c -o c.o", &[]);
}

#[test]
fn compiling_and_linking_in_one() {
    check(
        "cc -o bin/prog src/a.c x.o src/b.c lib/libz.a -Llib -lfoo -pthread",
        &[
            "cc -pthread -c src/a.c -o /w/bin/prog-a.o",
            "cc -pthread -c src/b.c -o /w/bin/prog-b.o",
            "Program /w/bin/prog: /w/bin/prog-a.o /w/x.o /w/bin/prog-b.o /w/lib/libz.a -lfoo[/w/lib]",
        ],
    );
    check("cc a.c", &["cc -c a.c -o /w/a-a.o", "Program /w/a.out: /w/a-a.o"]);
    check("cc a.c -o p.exe", &["cc -c a.c -o /w/p-a.o", "Program /w/p.exe: /w/p-a.o"]);
    check(
        "cc x/a.c y/a.c a-2.c -o p",
        &[
            "cc -c x/a.c -o /w/p-a.o",
            "cc -c y/a.c -o /w/p-a-2.o",
            "cc -c a-2.c -o /w/p-a-2-2.o",
            "Program /w/p: /w/p-a.o /w/p-a-2.o /w/p-a-2-2.o",
        ],
    );
    check(
        "g++ -shared -fPIC a.cpp -o libx.so -Wl,-soname,libx.so.1 -Wl,-L,sub -lm",
        &["g++ -fPIC -c a.cpp -o /w/libx.so-a.o", "Shared /w/libx.so: /w/libx.so-a.o -lm[/w/sub]"],
    );
}

#[test]
fn linking_alone() {
    check("cc a.o b.o -o prog", &["Program /w/prog: /w/a.o /w/b.o"]);
    check("cc -o prog a.o -z now -T x.ld -u sym -e start", &["Program /w/prog: /w/a.o"]);
    check("cc -shared a.o -o ../l.so", &["Shared /l.so: /w/a.o"]);
    check("clang -dynamiclib a.o -install_name x -o l.dylib", &["Shared /w/l.dylib: /w/a.o"]);
    check("clang -bundle a.o -o l.bundle", &["Shared /w/l.bundle: /w/a.o"]);
    check("gcc -r -nostdlib a.o b.o -o c.o", &["Relocatable /w/c.o: /w/a.o /w/b.o"]);
    check("gcc -nostdlib -Wl,-r a.o -o c.o", &["Relocatable /w/c.o: /w/a.o"]);
    check("gcc a.o -Xlinker -L -Xlinker /x -lfoo -L rel", &["Program /w/a.out: /w/a.o -lfoo[/x,/w/rel]"]);
    check(
        "gcc a.o -Wl,--whole-archive b.a -lc -Wl,--no-whole-archive d.a -l:libe.a -l:libf.so.3 -o p",
        &["Program /w/p: /w/a.o /w/b.a* -lc[]* /w/d.a -le[] -lf[]"],
    );
    check(
        "gcc a.o -Wl,--push-state,--whole-archive b.a -Wl,--pop-state c.a -Wl,-force_load,d.a",
        &["Program /w/a.out: /w/a.o /w/b.a* /w/c.a /w/d.a*"],
    );
    check("cc -o prog", &[]);
    check("cc a.o -o /dev/null", &[]);
}

#[test]
fn linkers() {
    check(
        "ld -o p crt1.o a.o -lc --start-group x.a --end-group",
        &["Program /w/p: /w/crt1.o /w/a.o -lc[] /w/x.a"],
    );
    check(
        "ld.lld -shared -soname x -o l.so a.o --library=z --library-path /q",
        &["Shared /w/l.so: /w/a.o -lz[/q]"],
    );
    check("arm-none-eabi-ld -r -o c.o a.o b.o", &["Relocatable /w/c.o: /w/a.o /w/b.o"]);
    check(
        "ld -m elf_x86_64 -dynamic-linker /lib/ld.so -plugin x.so -plugin-opt=-y -z relro a.o",
        &["Program /w/a.out: /w/a.o"],
    );
    check(
        "ld --output=p -T script.ld -Map map a.o --defsym x=1 -whole-archive b.a",
        &["Program /w/p: /w/a.o /w/b.a*"],
    );
    check("ld --version", &[]);
    check("ld -v", &[]);
}

#[test]
fn archivers() {
    for command in
        ["ar rcs l.a a.o b.o", "ar -rcs l.a a.o b.o", "ar cru l.a a.o b.o", "gcc-ar qc l.a a.o b.o"]
    {
        check(command, &["Archive /w/l.a: /w/a.o /w/b.o"]);
    }
    for command in
        ["llvm-ar-19 --target=x rcs l.a a.o b.o", "ar -r -c l.a a.o b.o", "ar --plugin p.so rcsT l.a a.o b.o"]
    {
        check(command, &["Archive /w/l.a: /w/a.o /w/b.o"]);
    }
    check("arm-none-eabi-ar ra old.o l.a a.o", &["Archive /w/l.a: /w/a.o"]);
    check("ar --thin -rc l.a a.o", &["Archive /w/l.a: /w/a.o"]);
    check("ar -X64 rc l.a a.o", &["Archive /w/l.a: /w/a.o"]);
    for command in [
        "ar t l.a",
        "ar x l.a a.o",
        "ar d l.a a.o",
        "ar s l.a",
        "ar",
        "ar -M",
        "ar rcs l.a",
        "ar -V",
        "ar --version",
    ] {
        check(command, &[]);
    }
}

#[test]
fn commands_that_make_no_code() {
    for option in [
        "-E",
        "-M",
        "-MM",
        "-fsyntax-only",
        "--version",
        "-print-search-dirs",
        "-dumpmachine",
        "-###",
        "-cc1",
    ] {
        check(&format!("gcc {option} -c a.c"), &[]);
    }
    for command in
        ["gcc -v", "gcc -c -", "gcc -x c -c /dev/null -o x.o", "gcc a.h", "gcc -x c-header a.h -o a.h.gch"]
    {
        check(command, &[]);
    }
    for command in [
        "gcc",
        "",
        "make all",
        "ccache -s",
        "gcc a.c -Xclang",
        "gcc -c a.c -o",
        "gcc -c a.c -o /dev/null",
        "cc1 a.c -o a.s",
        "--",
        "gcc --help",
    ] {
        check(command, &[]);
    }
    check("gcc -MMD -MP -c a.c", &["gcc -MMD -MP -c a.c -o /w/a.o"]);
    check("gcc -dumpbase x -c a.c", &["gcc -dumpbase x -c a.c -o /w/a.o"]);
}

#[test]
fn assembly_is_skipped_and_followed() {
    check("gcc -S a.c", &["gcc -S a.c -o /w/a.s"]);
    check("gcc -S -c a.c -o x.s", &["gcc -S a.c -o /w/x.s"]);
    check("gcc -c a.s -o a.o", &["Relocatable /w/a.o: /w/a.s", "skip a.s"]);
    check("gcc -c x/start.S", &["Relocatable /w/start.o: /w/x/start.S", "skip x/start.S"]);
    check("gcc a.c b.s -o p", &["gcc -c a.c -o /w/p-a.o", "Program /w/p: /w/p-a.o /w/b.s", "skip b.s"]);
    check("clang -emit-llvm -c a.c", &["clang -emit-llvm -c a.c -o /w/a.bc"]);
    check("clang -S -emit-llvm a.c", &["clang -emit-llvm -S a.c -o /w/a.ll"]);
    check("clang -c a.bc -o a.o", &["Relocatable /w/a.o: /w/a.bc"]);
}

#[test]
fn other_languages_are_skipped() {
    check("gcc -c a.f90 b.m -x ada c.txt", &["skip a.f90", "skip b.m", "skip c.txt"]);
    check("gcc a.o b.f", &["Program /w/a.out: /w/a.o /w/b.f", "skip b.f"]);
}

#[test]
fn other_compilers_may_be_named() {
    let extra = ["my-tool".to_owned()];
    let understood = understand(&words("/opt/my-tool -c a.c"), Path::new(DIR), &extra);
    assert_eq!(text(&understood), "/opt/my-tool -c a.c -o /w/a.o\n");
    check("my-tool -c a.c", &[]);
}

#[test]
fn the_interceptor_knows_the_names() {
    let names: Vec<&str> = tool_names().collect();
    for name in ["cc", "gcc", "g++", "clang", "ar", "ld", "ccache"] {
        assert!(names.contains(&name), "{name}");
    }
}

#[test]
fn response_files_are_read_from_the_directory_of_the_command() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.rsp"), "-DX='a b' @b.rsp @gone @a.rsp # end").unwrap();
    std::fs::write(dir.path().join("b.rsp"), "a.c\r\n").unwrap();
    let expanded = expand_response_files(&words("gcc @a.rsp @gone -c"), dir.path());
    assert_eq!(expanded[..5], ["gcc", "-DX=a b", "a.c", "@gone", "-DX=a b"]);
    assert_eq!(expanded[expanded.len() - 2..], ["@gone", "-c"]);
}

#[test]
fn questions_of_configure_systems_are_told_apart() {
    let probe = |dir: &str, file: &str| {
        is_probe(&Compilation {
            file: PathBuf::from(file),
            dir: PathBuf::from(dir),
            arguments: Vec::new(),
            output: Path::new(dir).join("x.o"),
        })
    };
    for (dir, file) in [
        ("/w", "conftest.c"),
        ("/w", "conftest.cpp"),
        ("/w/.sconf_temp", "conftest_0.c"),
        ("/b/CMakeFiles/CMakeScratch/TryCompile-x1", "/usr/share/cmake-3.25/Modules/CMakeCCompilerABI.c"),
        ("/b/CMakeFiles/CMakeTmp", "src.c"),
        ("/b/CMakeFiles/3.25.1/CompilerIdC", "CMakeCCompilerId.c"),
        ("/b/meson-private/tmpab", "testfile.c"),
        ("/tmp/tmpxyz", "testfile.c"),
        ("/b/meson-private", "sanitycheckc.c"),
        ("/b/.conf_check_12ab", "test.c"),
        ("/w", "/tmp/ffconf.abc/test.c"),
        ("/w/UU", "try.c"),
        ("/w", "objs/autotest.c"),
        ("/w", "_configtest.c"),
        ("/w", "ztest4711.c"),
        ("/t/debug/build/rdkafka-sys-1a2b/out", "_mkltmp0EMOCW.c"),
        ("/r/zstd-sys-2.1.2", "/t/debug/build/zstd-sys-1a2b/out/build/flag_check.c"),
        ("/w/config.tests/x11", "main.cpp"),
    ] {
        assert!(probe(dir, file), "{dir} {file}");
    }
    for (dir, file) in [
        ("/w", "test.c"),
        ("/w", "testfile.c"),
        ("/w/tests", "try.c"),
        ("/w", "config.c"),
        ("/w", "conf.c"),
        ("/w/CMakeFiles", "a.c"),
        ("/w/src", "flag_check.c"),
    ] {
        assert!(!probe(dir, file), "{dir} {file}");
    }
}

/// GCC itself says how it calls the object between source and program. Where that would be the object of the source compiled
/// alone (`gcc a.c -o a`), we call it otherwise.
#[test]
fn objects_are_named_like_gcc_does() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("bin")).unwrap();
    std::fs::write(dir.path().join("a.c"), "int main(void) { return 0; }").unwrap();
    std::fs::write(dir.path().join("b.c"), "int b;").unwrap();
    for options in ["-o bin/prog", "", "-o p.exe", "-shared -fPIC -o bin/l.so"] {
        let words = words(&format!("gcc -save-temps a.c b.c {options}"));
        assert!(Command::new("gcc").args(&words[1..]).current_dir(dir.path()).status().unwrap().success());
        for compilation in understand(&words, dir.path(), &[]).compilations {
            assert!(compilation.output.is_file(), "{}", compilation.output.display());
        }
    }
}

/// Words of commands, in any order.
fn any_word() -> impl Strategy<Value = String> {
    const KNOWN: &[&str] = &[
        "gcc",
        "g++",
        "clang-19",
        "ar",
        "ld",
        "ccache",
        "-c",
        "-S",
        "-E",
        "-o",
        "-x",
        "c",
        "c++",
        "none",
        "-xc",
        "a.c",
        "b/b.cc",
        "c.s",
        "d.o",
        "e.a",
        "-",
        "--",
        "-l",
        "-lm",
        "-L",
        "-Wl,",
        "-Wl,-r,--whole-archive",
        "-Xlinker",
        "-shared",
        "rcs",
        "-rcs",
        "ra",
        "@x",
        "/dev/null",
        "-Xclang",
        "-include",
        "h.h",
        "-l:",
        "-l:x",
        "--target",
        "=",
        "-Wp,",
        "--push-state",
        "..",
    ];
    prop_oneof![8 => prop::sample::select(KNOWN).prop_map(String::from), 1 => "[-@=:,.a-z/é]{0,6}"]
}

proptest! {
    #[test]
    fn nothing_is_made_up(words in prop::collection::vec(any_word(), 0..12)) {
        let understood = understand(&words, Path::new(DIR), &[]);
        let named = |file: &Path| words.iter().any(|word| Path::new(word) == file);
        for compilation in &understood.compilations {
            prop_assert!(named(&compilation.file));
            prop_assert!(compilation.output.is_absolute());
        }
        for skipped in &understood.skipped {
            prop_assert!(named(&skipped.file));
        }
        if let Some(artifact) = &understood.artifact {
            prop_assert!(artifact.path.is_absolute() && !artifact.inputs.is_empty());
        }
    }

    #[test]
    fn any_text_is_survived(words in prop::collection::vec(".{0,12}", 0..8), tool in prop::sample::select(&["gcc", "ld", "ar"][..])) {
        let mut command = vec![tool.to_owned()];
        command.extend(words);
        understand(&command, Path::new(DIR), &[]);
    }

    /// What was understood of a command is understood again of the entry that was made of it.
    #[test]
    fn an_entry_means_itself(words in prop::collection::vec(any_word(), 0..12)) {
        for compilation in understand(&words, Path::new(DIR), &[]).compilations {
            let again = understand(&compilation.arguments, Path::new(DIR), &[]);
            prop_assert_eq!(again.compilations.len(), 1);
            prop_assert_eq!(&again.compilations[0].output, &compilation.output);
        }
    }
}
