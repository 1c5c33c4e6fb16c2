//! Units are compiled once. Everything here runs a clang that writes down that it was started.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scripts;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, SystemTime};

use capture::{Clang, Compiled, Error, FrontEnd, Language, Sandbox, StoreDir, Trust, Unit, units_from_files};
use tempfile::TempDir;

/// Sources, a store, and a clang that counts.
struct Project {
    dir: TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let project = Project { dir: tempfile::tempdir().unwrap() };
        for (name, text) in files {
            project.write(name, text);
        }
        project.install_clang("");
        project
    }

    /// Puts a script in the place of clang that compiles with the real one, and then runs `extra`.
    fn install_clang(&self, extra: &str) {
        let real = Clang::find(None).expect("the tests need a clang: run scripts/setup");
        let log = self.path("log");
        let script = format!(
            "#!/bin/sh\n[ -z \"$LD_PRELOAD\" ] || exit 9\necho \"$@\" >> '{}'\n'{}' \"$@\"\nstatus=$?\n[ \"$1\" = --version ] || {{ :\n{extra}\n}}\nexit $status\n",
            log.display(),
            real.path().display()
        );
        fs::create_dir_all(self.path("bin")).unwrap();
        scripts::install(&self.clang(), &script);
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn clang(&self) -> PathBuf {
        self.path("bin/clang")
    }

    fn cache(&self) -> PathBuf {
        StoreDir::open(&self.path("store")).unwrap().cache()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn unit(&self, file: &str, flags: &[&str]) -> Unit {
        let flags: Vec<String> = flags.iter().map(|flag| (*flag).into()).collect();
        let mut unit = units_from_files(&[self.path(file)], &flags).remove(0).unwrap();
        unit.file = file.into();
        unit.dir = self.dir.path().to_owned();
        unit
    }

    /// A new run of the tool.
    fn run(&self) -> FrontEnd {
        front_end(&self.clang(), Some(&self.cache()))
    }

    /// How often clang was started since the last call.
    fn starts(&self) -> usize {
        let log = self.path("log");
        let text = fs::read_to_string(&log).unwrap_or_default();
        let _ = fs::remove_file(log);
        text.lines().count()
    }

    /// Compiles in a new run, and tells how often clang was started.
    fn compile(&self, units: &[Unit]) -> (Vec<Compiled>, usize) {
        self.starts();
        let run = self.run();
        let compiled = units.iter().map(|unit| run.compile(unit).unwrap()).collect();
        (compiled, self.starts())
    }

    /// Compiles in a new run that must reuse everything.
    #[track_caller]
    fn assert_reused(&self, units: &[Unit]) {
        let (compiled, starts) = self.compile(units);
        assert_eq!(starts, 0);
        assert!(compiled.iter().all(|it| it.reused));
    }
}

/// With a clang that writes down that it was started.
fn front_end(clang: &Path, cache: Option<&Path>) -> FrontEnd {
    FrontEnd::new(Some(clang), cache, Trust::Build).confined(Sandbox::Off)
}

fn touch(path: &Path) {
    let time = SystemTime::now() - Duration::from_secs(3600);
    File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

/// Lets everything look as if it had been written long ago, so that stamps are believed. A test cannot set the time of the last
/// change of an inode, but it can wait until it is no longer fresh.
fn settle() {
    thread::sleep(Duration::from_millis(2100));
}

fn mentions(compiled: &Compiled, name: &str) -> bool {
    compiled.bitcode.windows(name.len()).any(|window| window == name.as_bytes())
}

#[test]
fn a_second_run_starts_no_clang() {
    let header = (0..300).map(|it| format!("int use{it}(int);\n")).collect::<String>();
    let mut files = vec![("all.h".to_owned(), header)];
    files.extend((0..300).map(|it| {
        (format!("u{it}.c"), format!("#include \"all.h\"\nint f{it}(void) {{ return use{it}(1); }}"))
    }));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let project = Project::new(&files);
    let units: Vec<Unit> = files[1..].iter().map(|(name, _)| project.unit(name, &[])).collect();
    let (first, starts) = project.compile(&units);
    assert_eq!(starts, 301, "each unit and the version");
    assert!(first.iter().all(|it| !it.reused && it.cpu > Duration::ZERO));
    let (second, starts) = project.compile(&units);
    assert_eq!(starts, 0);
    for (first, second) in first.iter().zip(&second) {
        assert!(second.reused && second.bitcode == first.bitcode);
        assert_eq!(second.cpu.as_micros(), first.cpu.as_micros());
    }
    // The stamps are believed now, and nothing is read.
    settle();
    project.assert_reused(&units);
    project.assert_reused(&units);
}

#[test]
fn without_a_cache_nothing_is_kept() {
    let project = Project::new(&[("a.c", "int a;")]);
    let unit = project.unit("a.c", &[]);
    for _ in 0..2 {
        let run = front_end(&project.clang(), None);
        assert!(!run.compile(&unit).unwrap().reused);
        run.keep(&unit).unwrap();
        assert!(run.kept(&unit).is_none());
        assert_eq!(project.starts(), 2, "the version and the unit");
    }
}

#[test]
fn a_touched_header_redoes_nothing() {
    let project = Project::new(&[("a.c", "#include \"a.h\"\nint a = A;"), ("a.h", "#define A 1\n")]);
    let unit = [project.unit("a.c", &[])];
    project.compile(&unit);
    settle();
    touch(&project.path("a.h"));
    project.assert_reused(&unit);
    project.write("a.h", "#define A 1\n");
    project.assert_reused(&unit);
    project.assert_reused(&unit);
}

#[test]
fn a_changed_header_redoes_only_its_users() {
    let project = Project::new(&[
        ("a.c", "#include \"a.h\"\nint NAME;"),
        ("b.c", "#include \"b.h\"\nint NAME;"),
        ("a.h", "#define NAME first\n"),
        ("b.h", "#define NAME other\n"),
    ]);
    let units = [project.unit("a.c", &[]), project.unit("b.c", &[])];
    project.compile(&units);
    project.assert_reused(&units);
    // The same size, and within the same second.
    project.write("a.h", "#define NAME again\n");
    let (compiled, starts) = project.compile(&units);
    assert_eq!(starts, 1);
    assert!(mentions(&compiled[0], "again") && !compiled[0].reused);
    assert!(compiled[1].reused);
    project.assert_reused(&units);
}

#[test]
fn a_changed_source_is_compiled() {
    let project = Project::new(&[("a.c", "int first;")]);
    let unit = [project.unit("a.c", &[])];
    project.compile(&unit);
    settle();
    project.write("a.c", "int other;");
    let (compiled, starts) = project.compile(&unit);
    assert!(starts == 1 && mentions(&compiled[0], "other"));
}

#[test]
fn a_removed_header_is_missed() {
    let project = Project::new(&[("a.c", "#include \"a.h\"\n"), ("a.h", "int a;")]);
    let unit = project.unit("a.c", &[]);
    project.compile(std::slice::from_ref(&unit));
    fs::remove_file(project.path("a.h")).unwrap();
    let error = project.run().compile(&unit).unwrap_err();
    assert!(error.to_string().contains("'a.h' file not found"), "{error}");
    // A unit that does not compile is tried again, and its old result is still good.
    project.write("a.h", "int a;");
    project.assert_reused(&[unit]);
}

#[test]
fn other_flags_make_another_unit() {
    let project = Project::new(&[("a.c", "int NAME;")]);
    let units = [project.unit("a.c", &["-DNAME=x"]), project.unit("a.c", &["-DNAME=y"])];
    assert_eq!(project.compile(&units).1, 3, "two units and the version");
    project.assert_reused(&units);
    let mut cxx = project.unit("a.c", &["-DNAME=x"]);
    cxx.language = Language::Cxx;
    assert_eq!(project.compile(&[cxx]).1, 1);
}

#[test]
fn another_clang_makes_another_unit() {
    let project = Project::new(&[("a.c", "int a;")]);
    let unit = [project.unit("a.c", &[])];
    project.compile(&unit);
    project.install_clang("# an update");
    assert_eq!(project.compile(&unit).1, 2, "the version and the unit");
    project.assert_reused(&unit);
}

#[test]
fn a_new_header_in_front_of_the_old_one_is_found() {
    let project = Project::new(&[
        ("src/a.c", "#include \"x/name.h\"\nint NAME;"),
        ("include/x/name.h", "#define NAME first"),
        ("gen/x/other.h", ""),
    ]);
    let unit = [project.unit("src/a.c", &["-Inew", "-Igen", "-Iinclude"])];
    project.compile(&unit);
    settle();
    // Builds put files everywhere.
    project.write("gen/x/a.o", "");
    project.write("src/x/a.o", "");
    project.write("new/x/a.o", "");
    project.assert_reused(&unit);
    for (place, name) in [("gen", "second"), ("new", "third"), ("src", "fourth")] {
        project.write(&format!("{place}/x/name.h"), &format!("#define NAME {name}"));
        let (compiled, starts) = project.compile(&unit);
        assert!(starts == 1 && mentions(&compiled[0], name), "{place}");
        project.assert_reused(&unit);
    }
}

#[test]
fn names_of_all_kinds_are_followed() {
    let names = [
        "with space.h",
        "größe.h",
        "a#b.h",
        "c$d$$.h",
        "e:f.h",
        "g%h.h",
        "it's.h",
        "日本 語.h",
        "-o.h",
        "a=b;c&d.h",
    ];
    for name in names {
        let source = format!("#include \"in c/{name}\"\nint NAME;");
        let project = Project::new(&[("ä b/m n.c", source.as_str())]);
        let header = format!("ä b/in c/{name}");
        project.write(&header, "#define NAME first");
        let unit = [project.unit("ä b/m n.c", &[])];
        project.compile(&unit);
        project.assert_reused(&unit);
        project.write(&header, "#define NAME other");
        let (compiled, starts) = project.compile(&unit);
        assert!(starts == 1 && mentions(&compiled[0], "other"), "{name}");
    }
}

/// Clang writes a wrong name for it, so it is compiled each time rather than taken from another file.
#[test]
fn a_name_that_clang_cannot_write_is_not_trusted() {
    let project =
        Project::new(&[("a.c", "#include \"b\\c.h\"\nint NAME;"), ("b\\c.h", "#define NAME first")]);
    let unit = [project.unit("a.c", &[])];
    project.compile(&unit);
    assert_eq!(project.compile(&unit).1, 1);
}

#[test]
fn a_header_that_changes_under_clang_is_not_trusted() {
    let project = Project::new(&[("a.c", "#include \"a.h\"\nint NAME;"), ("a.h", "#define NAME first")]);
    let unit = [project.unit("a.c", &[])];
    project.install_clang(&format!("echo '#define NAME other' > '{}'", project.path("a.h").display()));
    let (compiled, _) = project.compile(&unit);
    assert!(mentions(&compiled[0], "first"));
    let (compiled, starts) = project.compile(&unit);
    assert!(starts == 1 && mentions(&compiled[0], "other"));
}

#[test]
fn text_of_llvm_is_kept_too() {
    let project = Project::new(&[("a.ll", "define void @first() {\n ret void\n}\n")]);
    let unit = [project.unit("a.ll", &[])];
    project.compile(&unit);
    project.assert_reused(&unit);
    project.write("a.ll", "define void @other() {\n ret void\n}\n");
    assert!(mentions(&project.compile(&unit).0[0], "other"));
}

#[test]
fn bitcode_needs_no_clang() {
    let project = Project::new(&[("a.c", "int a;")]);
    let bitcode = project.compile(&[project.unit("a.c", &[])]).0.remove(0).bitcode;
    fs::write(project.path("a.bc"), &bitcode).unwrap();
    let unit = project.unit("a.bc", &[]);
    let run = front_end(Path::new("/no/such/clang"), Some(&project.cache()));
    assert_eq!(run.compile(&unit).unwrap().bitcode, bitcode);
    assert!(matches!(run.clang(), Err(Error::ClangMissing { .. })));
}

#[test]
fn a_kept_unit_survives_its_files() {
    let project = Project::new(&[
        ("gen.c", "#include \"gen.h\"\n#include \"own.h\"\nint NAME;"),
        ("gen.h", "#define NAME made"),
        ("own.h", ""),
    ]);
    let unit = project.unit("gen.c", &[]);
    assert!(project.run().kept(&unit).is_none());
    project.run().keep(&unit).unwrap();
    for name in ["gen.c", "gen.h"] {
        fs::remove_file(project.path(name)).unwrap();
    }
    project.starts();
    assert!(mentions(&project.run().kept(&unit).unwrap(), "made"));
    assert!(mentions(&project.run().compile(&unit).unwrap(), "made"));
    assert_eq!(project.starts(), 0);
    // What was still there after the build was not the build's to remove.
    fs::remove_file(project.path("own.h")).unwrap();
    assert!(project.run().kept(&unit).is_none());
    project.write("own.h", "");
    assert!(project.run().kept(&unit).is_some());
    // The next build makes them again.
    project.write("gen.c", "#include \"gen.h\"\n#include \"own.h\"\nint NAME;");
    project.write("gen.h", "#define NAME again");
    assert!(mentions(&project.run().compile(&unit).unwrap(), "again"));
}

#[test]
fn a_unit_is_kept_by_each_build() {
    let project = Project::new(&[("gen.c", "int made;")]);
    let unit = project.unit("gen.c", &[]);
    let build = project.run();
    build.keep(&unit).unwrap();
    project.write("gen.c", "int again;");
    build.keep(&unit).unwrap();
    build.keep(&unit).unwrap();
    assert_eq!(project.starts(), 3, "the version and two units");
    fs::remove_file(project.path("gen.c")).unwrap();
    assert!(matches!(build.keep(&unit), Err(Error::CompileError { .. })));
    assert!(mentions(&project.run().kept(&unit).unwrap(), "again"));
}

#[test]
fn a_header_that_the_build_removes_under_clang_is_no_loss() {
    let project = Project::new(&[("a.c", "#include \"a.h\"\nint NAME;"), ("a.h", "#define NAME first")]);
    let unit = project.unit("a.c", &[]);
    project.install_clang(&format!("rm -f '{}'", project.path("a.h").display()));
    project.run().keep(&unit).unwrap();
    assert!(mentions(&project.run().compile(&unit).unwrap(), "first"));
    // Nobody knows what it contained.
    project.write("a.h", "#define NAME other");
    assert!(mentions(&project.run().compile(&unit).unwrap(), "other"));
}

#[test]
fn damaged_files_are_made_again() {
    let project = Project::new(&[("a.c", "int name;")]);
    let unit = [project.unit("a.c", &[])];
    for part in ["units", "blobs", "answers"] {
        for damage in [cut, flip, empty, remove] {
            project.compile(&unit);
            for entry in fs::read_dir(project.cache().join(part)).unwrap() {
                damage(&entry.unwrap().path());
            }
            let (compiled, starts) = project.compile(&unit);
            assert!(starts == 1 && mentions(&compiled[0], "name"), "{part}");
            project.assert_reused(&unit);
        }
    }
}

fn cut(path: &Path) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_len(file.metadata().unwrap().len() / 2).unwrap();
}

fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    *bytes.last_mut().unwrap() ^= 0x10;
    fs::write(path, bytes).unwrap();
}

fn empty(path: &Path) {
    fs::write(path, "").unwrap();
}

fn remove(path: &Path) {
    fs::remove_file(path).unwrap();
}

#[test]
fn a_cache_that_vanishes_costs_only_the_reuse() {
    let project = Project::new(&[("a.c", "int name;")]);
    let unit = project.unit("a.c", &[]);
    project.run().compile(&unit).unwrap();
    let cache = project.cache();
    let run = project.run();
    run.clang().unwrap();
    fs::remove_dir_all(&cache).unwrap();
    fs::write(&cache, "not a directory").unwrap();
    assert!(mentions(&run.compile(&unit).unwrap(), "name"));
    let error = run.keep(&unit).unwrap_err();
    assert!(error.to_string().contains("store/cache: cannot be written"), "{error}");
    // Clang cannot write its list of files.
    fs::remove_file(&cache).unwrap();
    let script = format!(
        "#!/bin/sh\nrm -rf '{}'\nexec '{}' \"$@\"\n",
        cache.display(),
        Clang::find(None).unwrap().path().display()
    );
    project.write("bin/clang", &script);
    assert!(mentions(&project.run().compile(&unit).unwrap(), "name"));
}

#[test]
fn threads_and_runs_share_a_cache() {
    let sources: Vec<(String, String)> =
        (0..12).map(|it| (format!("u{it}.c"), format!("int name{it};"))).collect();
    let files: Vec<(&str, &str)> =
        sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let project = Project::new(&files);
    let units: Vec<Unit> = files.iter().map(|(name, _)| project.unit(name, &[])).collect();
    let runs = [project.run(), project.run()];
    thread::scope(|scope| {
        for run in runs.iter().chain(&runs) {
            scope.spawn(|| {
                for (it, unit) in units.iter().enumerate() {
                    assert!(mentions(&run.compile(unit).unwrap(), &format!("name{it}")));
                }
            });
        }
    });
    project.assert_reused(&units);
    assert_eq!(temporary_files(&project), Vec::<PathBuf>::new());
}

fn temporary_files(project: &Project) -> Vec<PathBuf> {
    let store = project.path("store");
    let dirs = [store.clone(), store.join("cache"), store.join("cache/units"), store.join("cache/blobs")];
    let entries = dirs.iter().flat_map(|dir| fs::read_dir(dir).unwrap()).map(|entry| entry.unwrap().path());
    entries.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(".tmp-")).collect()
}

/// Runs [`in_another_process`] in a process of its own.
fn another_process(project: &Project, what: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "in_another_process", "--nocapture"]).env("CACHE_TEST", what);
    command.env("CACHE_TEST_DIR", project.dir.path()).stdout(std::process::Stdio::piped());
    command
}

/// What the tests below do in another process; alone it does nothing.
#[test]
fn in_another_process() {
    let Some(dir) = std::env::var_os("CACHE_TEST_DIR").map(PathBuf::from) else { return };
    let store = StoreDir::open(&dir.join("store")).unwrap();
    match std::env::var("CACHE_TEST").unwrap().as_str() {
        "hold" => {
            let _lock = store.lock(|_| (), || false).unwrap().unwrap();
            fs::write(dir.join("held"), "").unwrap();
            thread::sleep(Duration::from_secs(600));
        }
        "compile" => {
            let run = front_end(&dir.join("bin/clang"), Some(&store.cache()));
            let mut sources: Vec<PathBuf> =
                fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).collect();
            sources.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
            for unit in units_from_files(&sources, &[]) {
                assert!(mentions(&run.compile(&unit.unwrap()).unwrap(), "name"));
            }
        }
        other => panic!("unknown: {other}"),
    }
}

#[test]
fn the_environment_counts_as_far_as_it_is_obeyed() {
    let project = Project::new(&[
        ("a.c", "#include <found.h>\n"),
        ("one/found.h", "int name;"),
        ("two/found.h", "long name;"),
    ]);
    let starts = |variables: &[(&str, &Path)]| {
        let mut child = another_process(&project, "compile");
        assert!(child.envs(variables.iter().copied()).status().unwrap().success());
        project.starts()
    };
    let (one, two) = (project.path("one"), project.path("two"));
    assert_eq!(starts(&[("CPATH", &one)]), 2, "the version and the unit");
    assert_eq!(starts(&[("CPATH", &two)]), 1);
    assert_eq!(starts(&[("CPATH", &one)]), 0);
    assert_eq!(starts(&[("C_INCLUDE_PATH", &one)]), 1);
    // These are not obeyed.
    let [options, date, preload] = ["+-nonsense", "never", "libm.so.6"].map(Path::new);
    let ignored = [("CCC_OVERRIDE_OPTIONS", options), ("SOURCE_DATE_EPOCH", date), ("LD_PRELOAD", preload)];
    assert_eq!(starts(&[&[("CPATH", one.as_path())], &ignored[..]].concat()), 0);
    fs::remove_dir_all(project.cache()).unwrap();
    assert_eq!(starts(&[&[("CPATH", one.as_path())], &ignored[..]].concat()), 2);
}

#[test]
fn processes_share_a_cache() {
    let project = Project::new(&[("a.c", "int name;")]);
    let children: Vec<_> = (0..3).map(|_| another_process(&project, "compile").spawn().unwrap()).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn a_killed_run_leaves_the_cache_whole() {
    let sources: Vec<(String, String)> =
        (0..8).map(|it| (format!("u{it}.c"), format!("int name{it};"))).collect();
    let files: Vec<(&str, &str)> =
        sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let project = Project::new(&files);
    for millis in [30, 60, 90, 120, 150, 180] {
        let mut child = another_process(&project, "compile").spawn().unwrap();
        thread::sleep(Duration::from_millis(millis));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let units: Vec<Unit> = files.iter().map(|(name, _)| project.unit(name, &[])).collect();
    let (compiled, _) = project.compile(&units);
    for (it, compiled) in compiled.iter().enumerate() {
        assert!(mentions(compiled, &format!("name{it}")));
    }
    let store = StoreDir::open(&project.path("store")).unwrap();
    store.sweep(&store.lock(|_| (), || false).unwrap().unwrap());
    assert_eq!(temporary_files(&project), Vec::<PathBuf>::new());
    project.assert_reused(&units);
}

#[test]
fn the_second_waits_for_the_first_and_says_so() {
    let project = Project::new(&[]);
    let mut child = another_process(&project, "hold").spawn().unwrap();
    while !project.path("held").exists() {
        thread::sleep(Duration::from_millis(5));
    }
    let store = StoreDir::open(&project.path("store")).unwrap();
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        let waiter = scope.spawn(|| drop(store.lock(|other| sender.send(other).unwrap(), || false).unwrap()));
        assert_eq!(receiver.recv().unwrap(), Some(child.id()));
        thread::sleep(Duration::from_millis(100));
        assert!(!waiter.is_finished());
        // However it ends, the lock is free.
        child.kill().unwrap();
        child.wait().unwrap();
        waiter.join().unwrap();
    });
    drop(store.lock(|_| panic!("nobody holds it"), || false).unwrap());
}

#[test]
fn a_store_is_marked_and_only_a_store_is_taken() {
    let project = Project::new(&[("src/a.c", "int a;")]);
    let store = StoreDir::open(&project.path("deep/store")).unwrap();
    assert!(StoreDir::is_one(store.path()) && !StoreDir::is_one(&project.path("src")));
    assert_eq!(fs::read_to_string(store.path().join(".gitignore")).unwrap(), "*\n");
    let tag = fs::read_to_string(store.path().join("CACHEDIR.TAG")).unwrap();
    assert!(tag.starts_with("Signature: 8a477f597d28d172789f06886806bc55\n"));
    StoreDir::open(store.path()).unwrap();
    let error = StoreDir::open(&project.path("src")).unwrap_err().to_string();
    assert!(error.contains("src: is not a store of indict, and not empty"), "{error}");
    assert!(!project.path("src/.gitignore").exists());
    let error = StoreDir::open(&project.path("src/a.c")).unwrap_err().to_string();
    assert!(error.contains("src/a.c: cannot be written"), "{error}");
    let error = StoreDir::open(Path::new("/proc/store")).unwrap_err().to_string();
    assert!(error.contains("/proc/store: cannot be written"), "{error}");
}

#[test]
fn what_killed_runs_left_is_swept() {
    let project = Project::new(&[("a.c", "int a;")]);
    let unit = [project.unit("a.c", &[])];
    project.compile(&unit);
    let left = ["store/.tmp-1-1", "store/cache/.tmp-1-2", "store/cache/units/.tmp-1-3"];
    for name in left {
        project.write(name, "half");
    }
    project.write("store/compile_commands.json", "[]");
    let store = StoreDir::open(&project.path("store")).unwrap();
    store.sweep(&store.lock(|_| (), || false).unwrap().unwrap());
    assert!(left.iter().all(|name| !project.path(name).exists()));
    assert!(project.path("store/compile_commands.json").exists());
    project.assert_reused(&unit);
}
