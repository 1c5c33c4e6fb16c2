//! For which machine, and with which system headers, a unit was compiled.
//!
//! A unit that GCC compiled is compiled again by clang with the headers that GCC reads: those of its C
//! library, of its libstdc++, of its sysroot. GCC lists them itself (`-E -v`); it is asked once for each
//! combination of options that matter, and the answer is kept in the cache. A database may name any program
//! as its compiler, and GCC runs what its options name: so only a compiler is asked that the user has on the
//! search path or has just built with ([`Trust`]), with options from the allow list, in a directory that
//! belongs to nobody, and confined (`sandbox`).
//! Departures: GCC's own directory is left out, because clang has its own `stddef.h` and intrinsics, which
//! must come between the C++ library and the C library. The few headers that only GCC has (`omp.h`,
//! `quadmath.h`) are lost by that, but clang does not understand them: GCC 12 writes
//! `__attribute__((malloc (omp_free)))`. Of a compiler's defaults only target and standard are taken over,
//! not those of code generation (`-march`).

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use base::limits;
use serde::{Deserialize, Serialize};

use crate::cache::{Cache, Key};
use crate::clang::Executable;
use crate::command::program;
use crate::flags;
use crate::process;
use crate::sandbox::{Confinement, Sandbox};
use crate::secret::Secret;
use crate::unit::{Language, Unit};

/// Which compilers are run that a command names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Those that the user has on the search path: the commands come from a file.
    SearchPath,
    /// All: the user has just run the build that runs them.
    Build,
}

/// What other compilers said about themselves; remembered in memory and below `cache` on disk.
#[derive(Debug)]
pub struct Toolchains {
    cache: Option<Arc<Cache>>,
    trust: Trust,
    sandbox: Sandbox,
    /// One cell for each question, so that two threads with the same question ask once.
    known: Mutex<HashMap<Question, Cell>>,
    /// Compilers that gave no answer in time: they are not asked again.
    silent: Mutex<BTreeSet<PathBuf>>,
    /// Compilers that were not asked because nobody vouches for them.
    unasked: Mutex<BTreeSet<PathBuf>>,
    patience: Duration,
}

/// What we make of an answer, as soon as there is one.
type Cell = Arc<OnceLock<Arc<[String]>>>;

/// All that decides about the answer of a compiler, and what we make of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Question {
    gcc: PathBuf,
    language: Language,
    /// The options that change where GCC looks for headers.
    flags: Vec<String>,
    /// Whether the unit's own options name the target, and the standard.
    has_target: bool,
    has_standard: bool,
}

/// What a compiler said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Answer {
    /// Whether it is a GCC at all: `cc` may be clang.
    is_gcc: bool,
    target: Option<String>,
    /// The standard that it takes if no option names one: newer ones have new keywords, older ones another `inline`.
    standard: Option<String>,
    /// Where it looks for headers, in order, its own directories included.
    dirs: Vec<PathBuf>,
    /// Where it would look, if there were anything.
    missing: Vec<PathBuf>,
}

/// Changes whenever an old answer could mean something else.
const SCHEMA: u64 = 2;

impl Toolchains {
    /// Knows nothing yet but what is in the cache; starts no process.
    pub fn new(cache: Option<&Path>, trust: Trust) -> Toolchains {
        Toolchains::sharing(cache.map(|dir| Arc::new(Cache::new(dir, Secret::of_user()))), trust)
    }

    /// The same with a cache that others use.
    pub(crate) fn sharing(cache: Option<Arc<Cache>>, trust: Trust) -> Toolchains {
        Toolchains {
            cache,
            trust,
            sandbox: Sandbox::On,
            known: Mutex::default(),
            silent: Mutex::default(),
            unasked: Mutex::default(),
            patience: limits::TOOLCHAIN_TIME,
        }
    }

    /// The same where compilers may write and start programs.
    pub fn unconfined(self) -> Toolchains {
        Toolchains { sandbox: Sandbox::Off, ..self }
    }

    /// The compilers that were not asked because nobody vouches for them.
    pub fn unasked(&self) -> BTreeSet<PathBuf> {
        lock(&self.unasked).clone()
    }

    /// Options that make clang compile this unit for the machine and with the system headers of the unit's own compiler.
    ///
    /// They stand in front of the unit's own. A compiler that cannot be asked gives what its name says.
    pub fn args_for(&self, unit: &Unit) -> Arc<[String]> {
        let Some(question) = Question::about(unit) else { return Arc::default() };
        let cell = Arc::clone(lock(&self.known).entry(question.clone()).or_default());
        Arc::clone(cell.get_or_init(|| self.args(&question)))
    }

    fn args(&self, question: &Question) -> Arc<[String]> {
        let gcc = behind_launchers(&question.gcc, self.sandbox);
        let answer = gcc.and_then(|gcc| match (self.trust, on_search_path(&gcc, self.sandbox)) {
            (Trust::Build, _) => self.answer(question, &gcc, true),
            // By the user's name for it, not by that of the database: a script may look around where it is called.
            (Trust::SearchPath, Some(own)) => self.answer(question, &own, true),
            (Trust::SearchPath, None) => self.answer(question, &gcc, false),
        });
        let answer = answer.filter(|answer| answer.is_gcc).unwrap_or_default();
        let mut args: Vec<String> = target_option(question, &answer).into_iter().collect();
        args.extend(
            answer.standard.filter(|_| !question.has_standard).map(|standard| format!("-std={standard}")),
        );
        let own = answer.dirs.iter().position(|dir| is_gcc_own(dir));
        for (place, dir) in answer.dirs.iter().enumerate().filter(|(_, dir)| !is_gcc_own(dir)) {
            let dir = dir.to_string_lossy().into_owned();
            match own.is_some_and(|own| place < own) && is_of_cxx(Path::new(&dir)) {
                true => args.extend(["-cxx-isystem".into(), dir]),
                false => {
                    args.extend(["-Xclang", "-internal-externc-isystem", "-Xclang", &dir].map(String::from))
                }
            }
        }
        if !answer.dirs.is_empty() {
            args.push("-nostdlibinc".into());
        }
        args.into()
    }

    /// From the cache if it is still true, else from the compiler.
    fn answer(&self, question: &Question, gcc: &Executable, may_ask: bool) -> Option<Answer> {
        let key = question.key(gcc);
        let cache = self.cache.as_deref();
        let kept =
            cache.and_then(|cache| cache.load_text(&key)).and_then(|text| serde_json::from_str(&text).ok());
        if let Some(answer) = kept.filter(Answer::still_holds) {
            return Some(answer);
        }
        if lock(&self.silent).contains(gcc.path()) {
            return None;
        }
        if !may_ask {
            lock(&self.unasked).insert(gcc.path().to_owned());
            return None;
        }
        let Some(answer) = question.ask(gcc, self.patience) else {
            lock(&self.silent).insert(gcc.path().to_owned());
            return None;
        };
        if let (Some(cache), Ok(text)) = (cache, serde_json::to_string(&answer)) {
            // A full disk costs the reuse, not the result.
            let _ = cache.store_text(&key, &text);
        }
        Some(answer)
    }
}

/// A panic elsewhere leaves these maps whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The compiler of that name. `/usr/lib/ccache/gcc` stands for the `gcc` of the search path.
fn behind_launchers(gcc: &Path, sandbox: Sandbox) -> Option<Executable> {
    let found = Executable::find(gcc, sandbox).ok()?;
    match found.is_launcher() {
        true => Executable::find(Path::new(gcc.file_name()?), sandbox).ok(),
        false => Some(found),
    }
}

/// The program to which the search path leads by this name, if it is this very one: a link of that name may lead to any other.
fn on_search_path(gcc: &Executable, sandbox: Sandbox) -> Option<Executable> {
    let name = Path::new(gcc.path().file_name()?);
    Executable::find(name, sandbox).ok().filter(|found| found.resolved() == gcc.resolved())
}

/// What GCC says of its target counts more than its name, but both less than the unit's own options. The own machine needs
/// no option, and a processor that clang does not know cannot have one.
fn target_option(question: &Question, answer: &Answer) -> Option<String> {
    let name = question.gcc.to_str().and_then(program::target);
    let target = answer.target.as_deref().or(name)?;
    let useful = !question.has_target && !program::is_host(target) && program::is_known_target(target);
    useful.then(|| format!("--target={target}"))
}

/// GCC's own headers: `lib/gcc/TARGET/VERSION/include` and `include-fixed`.
fn is_gcc_own(dir: &Path) -> bool {
    let names: Vec<&str> = dir
        .components()
        .filter_map(|component| match component {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    match names.as_slice() {
        [.., gcc, _target, version, "include" | "include-fixed"] => {
            (*gcc == "gcc" || gcc.starts_with("gcc-")) && version.starts_with(|it: char| it.is_ascii_digit())
        }
        _ => false,
    }
}

/// Headers of a C++ library: `include/c++/12`, or Gentoo's `include/g++-v12`.
fn is_of_cxx(dir: &Path) -> bool {
    dir.components().any(|component| {
        let name = component.as_os_str().as_bytes();
        name == b"c++" || name.starts_with(b"g++-v")
    })
}

impl Question {
    /// `None` if the unit was not compiled by a GCC.
    fn about(unit: &Unit) -> Option<Question> {
        let gcc = unit.gcc.clone()?;
        let language = Some(unit.language).filter(|it| matches!(it, Language::C | Language::Cxx))?;
        let mut flags = Vec::new();
        let mut args = unit.args.iter();
        while let Some(arg) = args.next() {
            let plain = ["-nostdinc", "-specs=", "-EB", "-EL"].iter().any(|start| arg.starts_with(start));
            let path =
                ["--sysroot", "-isysroot"].iter().find_map(|name| Some((*name, arg.strip_prefix(name)?)));
            match path {
                Some((name, "")) => flags.extend(args.next().map(|value| at(&unit.dir, name, value))),
                Some((name, joined)) => flags.push(at(&unit.dir, name, joined.trim_start_matches('='))),
                None if plain || (arg.starts_with("-m") && !flags::takes_next(arg)) => {
                    flags.push(arg.clone())
                }
                None => {}
            }
        }
        if flags.iter().any(|flag| flag.starts_with("--sysroot")) {
            // GCC looks for files of specs there, too, and they can make it run anything.
            flags.retain(|flag| !flag.starts_with("-specs="));
        }
        let has_standard =
            unit.args.iter().any(|arg| arg.starts_with("-std=") || arg == "-ansi" || arg == "--ansi");
        Some(Question { gcc, language, flags, has_target: flags::has_target(&unit.args), has_standard })
    }

    fn key(&self, gcc: &Executable) -> Key {
        let mut key = Key::new("toolchain");
        key.add(&SCHEMA.to_le_bytes());
        gcc.add_to(&mut key);
        key.add(self.language_name().as_bytes());
        self.flags.iter().for_each(|flag| key.add(flag.as_bytes()));
        key
    }

    fn language_name(&self) -> &'static str {
        match self.language {
            Language::Cxx => "c++",
            _ => "c",
        }
    }

    /// Runs the compiler; `None` if it cannot be run, fails, or does not end.
    fn ask(&self, gcc: &Executable, patience: Duration) -> Option<Answer> {
        let mut command = gcc.command(&[]);
        command
            .args(&self.flags)
            .args(["-E", "-dM", "-v", "-x", self.language_name(), "/dev/null"])
            .env("LC_ALL", "C")
            // It looks for specs in the working directory, too.
            .current_dir("/");
        let confinement = Confinement { starts_others: true, ..gcc.confinement(patience, None) };
        let finished = process::run(&mut command, &confinement, patience).ok()?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        finished.status.success().then(|| Answer {
            standard: standard(&text(&finished.stdout)),
            ..Answer::parse(&text(&finished.stderr))
        })
    }
}

impl Answer {
    /// Reads what GCC writes for `-v`:
    ///
    /// ```text
    /// Target: arm-linux-gnueabihf
    /// gcc version 12.2.0 (Debian 12.2.0-14)
    /// ignoring nonexistent directory "/usr/local/include/arm-linux-gnueabihf"
    /// #include <...> search starts here:
    ///  /usr/lib/gcc-cross/arm-linux-gnueabihf/12/include
    ///  /usr/include
    /// End of search list.
    /// ```
    fn parse(text: &str) -> Answer {
        let mut answer = Answer::default();
        let mut in_list = false;
        for line in text.lines() {
            if line.starts_with("#include <...> search starts here:") {
                in_list = true;
            } else if line.starts_with("End of search list.") {
                in_list = false;
            } else if in_list {
                answer.dirs.push(real(line.trim()));
            } else if let Some(target) = line.strip_prefix("Target: ") {
                answer.target = Some(target.trim().to_owned());
            } else if let Some(quoted) = line.strip_prefix("ignoring nonexistent directory \"") {
                answer.missing.push(PathBuf::from(quoted.trim_end_matches('"')));
            }
            answer.is_gcc |= line.starts_with("gcc version ");
        }
        answer
    }

    /// GCC leaves out what is not there, which a newly installed package may change.
    fn still_holds(&self) -> bool {
        self.dirs.iter().all(|dir| dir.is_dir()) && !self.missing.iter().any(|dir| dir.is_dir())
    }
}

/// Standards, each with the last date that `__STDC_VERSION__` has in it.
const C_DATES: &[(u32, &str)] =
    &[(199_409, "89"), (199_901, "99"), (201_112, "11"), (201_710, "17"), (u32::MAX, "2x")];

/// The same for `__cplusplus`.
const CXX_DATES: &[(u32, &str)] = &[
    (199_711, "++98"),
    (201_103, "++11"),
    (201_402, "++14"),
    (201_703, "++17"),
    (202_002, "++20"),
    (u32::MAX, "++2b"),
];

/// The standard by the macros that are defined from the start (C17 6.10.8.1, C++17 19.8).
fn standard(macros: &str) -> Option<String> {
    let value = |name: &str| {
        let mut values = macros.lines().filter_map(|line| line.strip_prefix("#define ")?.split_once(' '));
        values.find(|(other, _)| *other == name).map(|(_, value)| value.trim_end_matches('L'))
    };
    let (dates, date) = match (value("__cplusplus"), value("__STDC_VERSION__")) {
        (Some(date), _) => (CXX_DATES, date.parse().ok()?),
        (None, Some(date)) => (C_DATES, date.parse().ok()?),
        // C90 had no date yet.
        (None, None) => value("__STDC__").map(|_| (C_DATES, 0))?,
    };
    let (_, year) = dates.iter().find(|(last, _)| date <= *last)?;
    let dialect = if value("__STRICT_ANSI__").is_some() { "c" } else { "gnu" };
    Some(format!("{dialect}{year}"))
}

/// An option with a path, which may be relative to the directory of the command.
fn at(dir: &Path, name: &str, path: &str) -> String {
    match name {
        "--sysroot" => format!("{name}={}", dir.join(path).display()),
        _ => format!("{name}{}", dir.join(path).display()),
    }
}

/// GCC spells its directories `/usr/lib/gcc/x/12/../../../../x/include`, which nobody wants to read in a report.
fn real(dir: &str) -> PathBuf {
    fs::canonicalize(dir).unwrap_or_else(|_| PathBuf::from(dir))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    use super::*;

    #[test]
    fn directories_of_gcc_and_of_cxx_are_known() {
        for dir in
            ["/usr/lib/gcc/x86_64-linux-gnu/12/include", "/x/lib64/gcc/arm-none-eabi/12.2.1/include-fixed"]
        {
            assert!(is_gcc_own(Path::new(dir)), "{dir}");
        }
        assert!(is_gcc_own(Path::new("/usr/lib/gcc-cross/arm-linux-gnueabihf/12/include")));
        for dir in ["/usr/include", "/usr/lib/gcc/x/12/include/g++-v12", "/gcc/a/b/include", "", "/include"] {
            assert!(!is_gcc_own(Path::new(dir)), "{dir}");
        }
        assert!(is_of_cxx(Path::new("/usr/include/c++/12/backward")));
        assert!(is_of_cxx(Path::new("/usr/lib/gcc/x/12/include/g++-v12")));
        assert!(!is_of_cxx(Path::new("/usr/include")));
    }

    #[test]
    fn answers_are_read() {
        let text = "Using built-in specs.\nTarget: mips-elf\ngcc version 9.1 (x)\n\
            ignoring nonexistent directory \"/no/1\"\n#include \"...\" search starts here:\n\
            #include <...> search starts here:\n /no/2\n /no/3\nEnd of search list.\n /no/4\n";
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let answer = Answer::parse(text);
        assert!(answer.is_gcc && !answer.still_holds());
        assert_eq!(answer.target.as_deref(), Some("mips-elf"));
        assert_eq!(answer.dirs, paths(&["/no/2", "/no/3"]));
        assert_eq!(answer.missing, paths(&["/no/1"]));
        let clang = "Debian clang version 19.1.7\nTarget: x86_64-pc-linux-gnu\n";
        assert!(!Answer::parse(clang).is_gcc);
        assert_eq!(Answer::parse(""), Answer::default());
    }

    #[test]
    fn standards_are_told_by_macros() {
        let check = |macros: &str, expected: Option<&str>| assert_eq!(standard(macros).as_deref(), expected);
        check("#define __STDC__ 1\n#define __STDC_VERSION__ 201710L\n", Some("gnu17"));
        check("#define __STDC_VERSION__ 202311L\n#define __STRICT_ANSI__ 1\n", Some("c2x"));
        check("#define __STDC__ 1\n", Some("gnu89"));
        check("#define __cplusplus 201402L\n", Some("gnu++14"));
        check("#define __cplusplus 202002L\n#define __STRICT_ANSI__ 1", Some("c++20"));
        check("#define __cplusplus many", None);
        check("", None);
    }

    #[test]
    fn a_compiler_that_hangs_is_asked_once() {
        let dir = tempfile::tempdir().unwrap();
        let (text, gcc) = (dir.path().join("text"), dir.path().join("mips-foo-elf-gcc"));
        let script = format!("#!/bin/sh\necho >> '{}/asked'\nexec sleep 1000\n", dir.path().display());
        fs::write(&text, script).unwrap();
        fs::set_permissions(&text, fs::Permissions::from_mode(0o755)).unwrap();
        // A file that is open for writing cannot be run, and a process that another test starts may inherit ours.
        assert!(Command::new("cp").args([&text, &gcc]).status().unwrap().success());
        let toolchains = Toolchains::new(None, Trust::Build).unconfined();
        let toolchains = Toolchains { patience: Duration::from_secs(2), ..toolchains };
        for abi in ["-mabi=32", "-mabi=n32", "-mabi=64"] {
            let unit = Unit {
                file: "a.c".into(),
                dir: dir.path().to_owned(),
                args: vec![abi.into()],
                language: Language::C,
                gcc: Some(gcc.clone()),
                left_out: BTreeSet::new(),
                outputs: Vec::new(),
            };
            assert_eq!(toolchains.args_for(&unit)[..], ["--target=mips-foo-elf"]);
        }
        assert_eq!(fs::read_to_string(dir.path().join("asked")).unwrap(), "\n");
    }
}
