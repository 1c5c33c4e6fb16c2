//! Databases that want more than to be compiled: each names an option that runs something, writes something or never ends, in one
//! of its spellings. Beside every one lie a library and scripts that leave a mark when they are run, and a file that must stay as
//! it is.
//!
//! Each database is compiled twice: by the table of options alone, without the kernel's help, and as users run it. And to be sure
//! that the traps are traps, the commands are also given to clang as they are: most of them must bite.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use capture::{Clang, Database, FrontEnd, Sandbox, Trust};
use tempfile::TempDir;

/// Commands that run or write something. `LIB` is the library, `TOOLS` the directory with scripts, `FILE` the precious file, `DIR` the
/// project; `rsp:` puts the words into a response file.
const COMMANDS: &[&str] = &[
    // Plugins.
    "clang -fplugin=LIB",
    "clang -fplugin=LIB -fplugin-arg-x-y=z",
    "clang -fpass-plugin=LIB",
    "clang -Xclang -fpass-plugin=LIB",
    "clang -Xclang -fpass-plugin=LIB -Xclang -O2",
    "clang -Xclang -load -Xclang LIB",
    "clang -Xclang=-load -Xclang=LIB",
    "clang -Xclang -load -Xclang LIB -Xclang -load -Xclang LIB",
    "clang -Xclang -load -Xclang LIB -Xclang -add-plugin -Xclang x",
    "clang -Xclang -load -Xclang LIB -Xclang -plugin -Xclang x",
    "clang -Xclang -DX -Xclang -load -Xclang LIB -Xclang -DY",
    "clang -load LIB",
    "clang -mllvm -load=LIB",
    "clang -mllvm=-load=LIB",
    "clang -Xclang -mllvm -Xclang -load=LIB",
    "clang -mllvm -load-pass-plugin=LIB",
    "clang -Wp,-fplugin=LIB",
    "clang -Wp,-Xclang,-load,-Xclang,LIB",
    "clang -Xpreprocessor -fplugin=LIB",
    "clang -Xpreprocessor -Xclang -Xpreprocessor -load -Xpreprocessor -Xclang -Xpreprocessor LIB",
    "clang -Xarch_x86_64 -fplugin=LIB",
    "clang -Xarch_host -fplugin=LIB",
    "clang -Xarch_host -Xclang -Xarch_host -load -Xarch_host -Xclang -Xarch_host LIB",
    "clang -Xanalyzer -load -Xanalyzer LIB --analyze",
    "clang -cc1 -load LIB -emit-llvm",
    "clang --driver-mode=g++ -fplugin=LIB",
    "clang -clang:-fplugin=LIB --driver-mode=cl",
    "gcc -fplugin=LIB",
    "g++ -fplugin=LIB -x c++",
    // The same out of files.
    "clang rsp:-fplugin=LIB",
    "clang rsp:-Xclang -load -Xclang LIB",
    "clang rsp:rsp:-fplugin=LIB",
    "clang -I rsp:-fplugin=LIB",
    "clang -D rsp:-fplugin=LIB",
    "clang -Xclang rsp:-load -Xclang LIB",
    "clang -include rsp:-fplugin=LIB",
    "clang --config=cfg:-fplugin=LIB",
    "clang --config cfg:-fplugin=LIB",
    "clang -config cfg:-fplugin=LIB",
    "clang --config-user-dir=TOOLS",
    "clang --config-system-dir=TOOLS",
    // Words that change their place: a joined value becomes one of its own, an option loses its value.
    "clang -I@DIR/loose -I-",
    "clang -I@inner",
    "clang -D@inner",
    "clang -isystem@inner",
    "clang -iquote@inner",
    "clang --sysroot=@inner",
    "clang -isysroot@inner",
    "clang -march=@inner",
    "clang -Wp,-I@inner",
    "clang -Wp,-I@DIR/loose,-I-",
    "clang -Wp,-D -I-fplugin=LIB --include-barrier",
    "clang -Xclang -I -fplugin=LIB",
    "clang -Xpreprocessor -D -fplugin=LIB",
    "clang -I- -I @DIR/loose",
    // Other programs for a part of the work.
    "clang -fno-integrated-as -BTOOLS",
    "clang -fno-integrated-as -B TOOLS",
    "clang -no-integrated-as -BTOOLS/",
    "clang -fno-integrated-as --prefix=TOOLS",
    "clang -fno-integrated-as --prefix TOOLS",
    "clang -fno-integrated-as --prefix=TOOLS/",
    "clang rsp:-fno-integrated-as -BTOOLS",
    "clang -via-file-asm -fno-integrated-as -BTOOLS",
    "clang -fno-integrated-cc1 -ccc-install-dir TOOLS",
    "clang -ccc-gcc-name TOOLS/gcc -x f95",
    "clang -fuse-ld=TOOLS/ld LINK",
    "clang -fuse-ld=lld -BTOOLS LINK",
    "clang --ld-path=TOOLS/ld LINK",
    "clang -BTOOLS LINK",
    "clang -flto -fuse-ld=TOOLS/ld LINK",
    "clang -x cuda --cuda-path=DIR -nocudainc -nocudalib",
    "clang -x cuda --cuda-path=DIR --ptxas-path=TOOLS/ptxas -nocudainc -nocudalib",
    "clang -x hip --offload-arch=native --offload-arch-tool=TOOLS/as",
    "clang -x hip --offload-arch=native --amdgpu-arch-tool=TOOLS/as",
    "clang -x cuda --offload-arch=native --nvptx-arch-tool=TOOLS/as -nocudainc -nocudalib",
    "clang --target=amdgcn-amd-amdhsa -mcpu=native --amdgpu-arch-tool=TOOLS/as",
    "clang --target=amdgcn-amd-amdhsa -mcpu=native --offload-arch-tool=TOOLS/as",
    "clang --target=nvptx64-nvidia-cuda -march=native --nvptx-arch-tool=TOOLS/as",
    "clang -fopenmp -fopenmp-targets=nvptx64 -BTOOLS",
    "clang -fopenmp -fopenmp-targets=amdgcn-amd-amdhsa --offload-arch=native --amdgpu-arch-tool=TOOLS/as",
    "clang -Xopenmp-target -fplugin=LIB -fopenmp",
    "clang -Xopenmp-target=x86_64 -fplugin=LIB -fopenmp",
    "gcc -BTOOLS",
    "gcc -B TOOLS",
    "gcc -BTOOLS/",
    "gcc --prefix=TOOLS/",
    "gcc -wrapper TOOLS/as",
    "gcc -specs=specs:TOOLS/as",
    "gcc --specs=specs:TOOLS/as",
    "gcc -specs specs:TOOLS/as",
    "gcc -specs=evil.specs",
    "gcc --sysroot=DIR/root -specs=evil.specs",
    "gcc --sysroot=DIR/root",
    "gcc --sysroot DIR/root --specs=evil.specs",
    "gcc -no-integrated-cpp -BTOOLS/",
    "gcc --sysroot=TOOLS -BTOOLS/",
    "TOOLS/gcc",
    "TOOLS/arm-none-eabi-gcc",
    "TOOLS/g++ -x c++",
    "TOOLS/cc",
    "TOOLS/clang",
    "tools/gcc",
    "./tools/gcc",
    "ccache TOOLS/gcc",
    "TOOLS/ccache gcc",
    // Outputs.
    "clang -o FILE",
    "clang -oFILE",
    "clang --output=FILE",
    "clang --output FILE",
    "clang -E -o FILE",
    "clang -S -o FILE",
    "clang -emit-ast -o FILE",
    "clang --precompile -x c++-header -o FILE",
    "clang -Xclang -o -Xclang FILE",
    "clang -Xclang -emit-pch -o FILE",
    "clang -Xclang -rewrite-macros -o FILE",
    "clang -Xclang=-o -Xclang=FILE",
    // Lists of dependencies.
    "clang -MD -MF FILE",
    "clang -MMD -MFFILE",
    "clang -Wp,-MD,FILE",
    "clang -Wp,-MMD,FILE",
    "clang -Xpreprocessor -MD -Xpreprocessor -MF -Xpreprocessor FILE",
    "clang -Xclang -dependency-file -Xclang FILE -Xclang -MT -Xclang x",
    "clang -MJ FILE",
    "clang -MJFILE",
    "clang -dependency-dot FILE",
    "clang -Xclang -dependency-dot -Xclang FILE",
    "clang -module-dependency-dir DIR/out",
    "clang -Xclang -module-dependency-dir -Xclang DIR/out",
    // Records, statistics, caches.
    "clang -serialize-diagnostics FILE -Wall",
    "clang --serialize-diagnostics FILE -Wall",
    "clang -Xclang -serialize-diagnostic-file -Xclang FILE",
    "clang -ftime-trace",
    "clang -ftime-trace=FILE",
    "clang -Xclang -ftime-trace=FILE",
    "clang -O2 -fsave-optimization-record",
    "clang -O2 -foptimization-record-file=FILE",
    "clang -O2 -Xclang -opt-record-file -Xclang FILE",
    "clang -save-stats",
    "clang -save-stats=cwd",
    "clang --save-stats=obj",
    "clang -Xclang -stats-file=FILE",
    "clang -save-temps",
    "clang -save-temps=cwd",
    "clang --save-temps",
    "clang -fproc-stat-report=FILE",
    "clang -fproc-stat-report",
    "clang -Xclang -header-include-file -Xclang FILE -H",
    "clang -fmodules -fmodules-cache-path=DIR/out",
    "clang -fmodules -fcxx-modules -fimplicit-modules -fmodules-cache-path=DIR/out -fmodule-map-file=DIR/module.modulemap",
    "clang -x c++-module --precompile -std=c++20 -o FILE",
    "clang -x c++-module -std=c++20 -fmodule-output=FILE",
    "clang -fthin-link-bitcode=FILE -flto=thin",
    "clang -Xclang -fthin-link-bitcode=FILE",
    "clang -g -gsplit-dwarf",
    "clang -g -gsplit-dwarf=split -dumpdir DIR/out",
    "clang -g -Xclang -split-dwarf-output -Xclang FILE -Xclang -split-dwarf-file -Xclang FILE",
    "clang --coverage",
    "clang -ftest-coverage -fprofile-arcs",
    "clang -ftest-coverage -Xclang -coverage-notes-file=FILE",
    "clang -ftest-coverage -Xclang -coverage-notes-file -Xclang FILE",
    "clang -fstack-usage",
    "clang -fcrash-diagnostics=all -fcrash-diagnostics-dir=DIR/out -gen-reproducer=always",
    "clang -index-store-path DIR/out",
    "clang -mllvm -info-output-file=FILE -mllvm -stats",
    "clang -mllvm -info-output-file=FILE -ftime-report",
    "clang -Xclang -mllvm -Xclang -info-output-file=FILE -Xclang -print-stats",
    "clang -O2 -mllvm -pass-remarks-output=FILE",
    "clang -emit-llvm -fcodegen-data-generate=FILE",
    // Sources that are rewritten.
    "clang -Xclang -fixit",
    "clang -Xclang -fixit=fixed",
    "clang -Xclang -fixit-recompile",
    "clang -Xclang -fixit -Xclang -fix-what-you-can",
    "clang -fixit",
    "clang -ccc-arcmt-modify -x objective-c",
    "clang -ccc-arcmt-migrate DIR/out -x objective-c",
    "clang --migrate -x objective-c",
    "clang -rewrite-objc -x objective-c -o FILE",
];

/// The canary library and the directory with scripts, the same for all projects.
struct Traps {
    dir: TempDir,
}

/// The text of the unit, and one that clang would like to correct.
const SOURCE: &str = "#include \"h.h\"\nint f(struct h *p) { return p->x; }\nint main(void) { return 0; }\n";
const FAULTY: &str = "#include \"h.h\"\nint main(void) { return 0 }\n";

const LIBRARY: &str = "#include <fcntl.h>\n#include <unistd.h>\n\
    __attribute__((constructor)) static void run(void) { close(open(MARK, O_CREAT | O_WRONLY, 0600)); }\n";

impl Traps {
    fn new() -> Traps {
        let traps = Traps { dir: tempfile::tempdir().unwrap() };
        let (source, library) = (traps.path("lib.c"), traps.path("lib.so"));
        fs::write(&source, LIBRARY).unwrap();
        let mark = format!("-DMARK=\"{}\"", traps.path("executed").display());
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(mark).arg(&source);
        assert!(compiler.status().unwrap().success());
        traps
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Whether something was run since the last time.
    fn were_sprung(&self) -> bool {
        fs::remove_file(self.path("executed")).is_ok()
    }

    /// A project with scripts, a precious file, and a unit.
    fn project(&self, source: &str) -> TempDir {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("tools")).unwrap();
        let script = format!("#!/bin/sh\n: > '{}'\n", self.path("executed").display());
        for name in [
            "as",
            "ld",
            "ld.lld",
            "gcc",
            "g++",
            "cc",
            "clang",
            "arm-none-eabi-gcc",
            "ccache",
            "ptxas",
            "cc1",
            "cc1plus",
            "collect2",
        ] {
            let path = at("tools").join(name);
            fs::write(&path, &script).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        for name in ["clang.cfg", "clang++.cfg", "x86_64-pc-linux-gnu-clang.cfg"] {
            fs::write(at("tools").join(name), format!("-fplugin={}\n", self.path("lib.so").display()))
                .unwrap();
        }
        fs::write(
            at("evil.specs"),
            format!("*cpp:\n%(run {0})\n*cc1:\n%:x({0})\n", at("tools/as").display()),
        )
        .unwrap();
        for dir in ["root/lib", "root/usr/lib"] {
            fs::create_dir_all(at(dir)).unwrap();
            let specs = format!("@c:\n/bin/sh {}\n\n", at("tools/as").display());
            for name in ["evil.specs", "specs"] {
                fs::write(at(dir).join(name), &specs).unwrap();
            }
        }
        fs::write(at("loose"), format!("x -fplugin={}\n", self.path("lib.so").display())).unwrap();
        fs::write(at("inner"), format!("x -load {}\n", self.path("lib.so").display())).unwrap();
        fs::write(at("a.c"), source).unwrap();
        fs::write(at("h.h"), "struct h { int x; };\n").unwrap();
        fs::write(at("module.modulemap"), "module h { header \"h.h\" export * }\n").unwrap();
        fs::write(at("precious"), "precious").unwrap();
        dir
    }

    /// The words of a command in that project, with the files that they need.
    fn words(&self, command: &str, project: &Path) -> Vec<String> {
        let link = command.contains(" LINK");
        let text = command
            .replace(" LINK", "")
            .replace("LIB", &self.path("lib.so").display().to_string())
            .replace("TOOLS", &project.join("tools").display().to_string())
            .replace("DIR", &project.display().to_string())
            .replace("FILE", &project.join("precious").display().to_string());
        let mut words = Vec::new();
        let mut rest = text.split(' ');
        while let Some(word) = rest.next() {
            let (start, file) = match ["rsp:", "cfg:", "specs:"].iter().find(|mark| word.contains(**mark)) {
                Some(mark) => word
                    .split_once(mark)
                    .map(|(start, text)| (format!("{start}{mark}"), text.to_owned()))
                    .unwrap(),
                None => {
                    words.push(word.to_owned());
                    continue;
                }
            };
            let rest: Vec<&str> = rest.by_ref().collect();
            words.push(put_aside(
                project,
                &start,
                [file.as_str()].into_iter().chain(rest).collect::<Vec<_>>().join(" "),
            ));
        }
        if !link {
            words.push("-c".to_owned());
        }
        words.push("a.c".to_owned());
        words
    }
}

/// Puts words into a file of that kind, and says how it is named.
fn put_aside(project: &Path, start: &str, text: String) -> String {
    let name = |kind: &str| project.join(format!("{kind}{}", text.len()));
    if let Some(before) = start.strip_suffix("rsp:") {
        let text = match text.strip_prefix("rsp:") {
            Some(inner) => put_aside(project, "rsp:", inner.to_owned()),
            None => text.clone(),
        };
        fs::write(name("rsp"), text).unwrap();
        return format!("{before}@{}", name("rsp").display());
    }
    if let Some(before) = start.strip_suffix("cfg:") {
        fs::write(name("cfg"), &text).unwrap();
        return format!("{before}{}", name("cfg").display());
    }
    let before = start.strip_suffix("specs:").unwrap();
    fs::write(
        name("specs"),
        format!("*cc1:\n%(cc1_cpu) -wrapper {text}\n*cpp:\n-wrapper {text}\n\n%rename cpp old\n"),
    )
    .unwrap();
    format!("{before}{}", name("specs").display())
}

/// All files below a directory, with their contents.
fn snapshot(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => {
                files.insert(path.clone(), Vec::new());
                files.extend(snapshot(&path));
            }
            false => drop(files.insert(path.clone(), fs::read(&path).unwrap())),
        }
    }
    files
}

fn write_database(project: &Path, words: &[String], file: &str) {
    let entry = serde_json::json!([{"directory": project, "file": file, "arguments": words}]);
    fs::write(project.join("compile_commands.json"), entry.to_string()).unwrap();
}

/// Compiles all units of the database as a run does.
fn compile(project: &Path, sandbox: Sandbox) {
    let front_end = FrontEnd::new(None, None, Trust::SearchPath).confined(sandbox);
    if let Ok(database) = Database::load(project) {
        for unit in &database.units {
            // Whether it compiles does not matter here.
            let _ = front_end.compile(unit);
        }
    }
}

#[test]
fn nothing_is_run_and_nothing_is_written() {
    assert!(COMMANDS.len() >= 120, "{}", COMMANDS.len());
    let traps = Traps::new();
    for command in COMMANDS {
        let project = traps.project(if command.contains("fix") { FAULTY } else { SOURCE });
        let words = traps.words(command, project.path());
        write_database(project.path(), &words, "a.c");
        let before = snapshot(project.path());
        for sandbox in [Sandbox::Off, Sandbox::On] {
            compile(project.path(), sandbox);
            assert!(!traps.were_sprung(), "{command}: something was run ({sandbox:?})");
            let after = snapshot(project.path());
            let changed = after.iter().filter(|(path, bytes)| before.get(*path) != Some(*bytes));
            let changed: Vec<&PathBuf> = changed.map(|(path, _)| path).collect();
            assert!(
                changed.is_empty() && after.len() == before.len(),
                "{command}: {changed:?} ({sandbox:?})"
            );
        }
    }
}

/// A trap that never springs proves nothing: clang and GCC, given the same words, fall into most of them.
#[test]
fn the_traps_are_real() {
    let traps = Traps::new();
    let clang = Clang::find(None).expect("the tests need a clang: run scripts/setup");
    let bites = |command: &str| {
        let project = traps.project(if command.contains("fix") { FAULTY } else { SOURCE });
        let words = traps.words(command, project.path());
        let before = snapshot(project.path());
        let program = match words[0].as_str() {
            "clang" => clang.path().as_os_str(),
            other => OsStr::new(other),
        };
        let mut run = Command::new(program);
        run.args(&words[1..]).current_dir(project.path());
        run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let _ = run.status();
        let object = project.path().join("a.o");
        let after = snapshot(project.path());
        let changed = after.iter().any(|(path, bytes)| *path != object && before.get(path) != Some(bytes));
        traps.were_sprung() || changed
    };
    let (biting, tame): (Vec<&&str>, Vec<&&str>) = COMMANDS.iter().partition(|it| bites(it));
    println!("these do nothing here: {tame:#?}");
    let biting = biting.len();
    println!("{biting} of {} commands run or write something", COMMANDS.len());
    assert!(biting * 2 >= COMMANDS.len(), "only {biting} of {}", COMMANDS.len());
}

/// Commands that name a pipe or a device, by which clang or we could wait for ever.
#[test]
fn nothing_waits_for_ever() {
    let traps = Traps::new();
    let begun = Instant::now();
    for command in [
        "clang -include PIPE",
        "clang -imacros PIPE",
        "clang --include=PIPE",
        "clang --imacros PIPE",
        "clang -includePIPE",
        "clang -ivfsoverlay PIPE",
        "clang -include /dev/zero",
        "clang -Wp,-include,PIPE",
        "clang -Xclang -include -Xclang PIPE",
        "clang @PIPE",
        "clang -I @PIPE",
        "clang --config=PIPE",
        "clang -fprofile-use=PIPE",
        "clang -fsanitize-blacklist=PIPE -fsanitize=address",
        "gcc -specs=PIPE",
        "gcc @PIPE",
    ] {
        let project = traps.project(SOURCE);
        let pipe = project.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let command = command.replace("PIPE", pipe.to_str().unwrap());
        write_database(project.path(), &traps.words(&command, project.path()), "a.c");
        compile(project.path(), Sandbox::On);
        // And as the unit itself, and as the database.
        write_database(project.path(), &["clang".to_owned(), "pipe".to_owned()], "pipe");
        compile(project.path(), Sandbox::On);
        assert!(Database::load(&pipe).is_err());
    }
    assert!(begun.elapsed() < Duration::from_secs(50), "{:?}", begun.elapsed());
}
