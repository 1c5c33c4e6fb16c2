//! From a unit to bitcode.
//!
//! The flags we add, each for a reason that was tried: `-O1 -Xclang -disable-llvm-passes` gives lifetime
//! markers and attributes, optimizes nothing, and does not mark functions `optnone` as `-O0` does;
//! `-U__OPTIMIZE__ -U_FORTIFY_SOURCE` keeps the C library's headers from replacing `strcpy` by `__strcpy_chk`
//! and from adding inline bodies. `-Wno-everything` silences what clang calls a warning even where it is an
//! error by default: old C that GCC takes (implicit `int` and functions, conversions between integers and
//! pointers, `return;` in a function with a value, …) and the narrowing conversions of C++. `-w` alone
//! silences only what would be shown as a warning. Tried with clang 15, 16, 19 and 22.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use base::limits;

use crate::cache::{self, Key};
use crate::clang::Clang;
use crate::error::Error;
use crate::flags;
use crate::process::{self, Finished, Stopped};
use crate::unit::{Language, Unit, is_bitcode};

/// The bitcode of a unit.
#[derive(Debug)]
pub struct Compiled {
    /// A whole bitcode file.
    pub bitcode: Vec<u8>,
    /// Processor time that clang took for it, also if that was earlier; zero if the input was bitcode.
    pub cpu: Duration,
    /// Whether clang had done it in an earlier run.
    pub reused: bool,
}

/// Errors of clang that are shown of one unit.
const SHOWN_ERRORS: usize = 3;

/// What clang is told first: no options but those on its command line. Before version 16 there was no such option, nor files of options
/// that a clang by its plain name reads unasked.
const NO_CONFIG: (u32, &str) = (16, "--no-default-config");

/// What clang is asked to do with a C or C++ unit, after the unit's own flags.
const TO_BITCODE: &[&str] = &[
    "-w",
    "-Wno-everything",
    "-fno-color-diagnostics",
    "-fno-caret-diagnostics",
    "-fno-crash-diagnostics",
    "-g",
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-U__OPTIMIZE__",
    "-U_FORTIFY_SOURCE",
    "-c",
    "-emit-llvm",
    "-o",
    "-",
];

/// What clang is asked to do with LLVM's text form.
const FROM_TEXT: &[&str] = &[
    "-x",
    "ir",
    "-w",
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-fno-color-diagnostics",
    "-fno-caret-diagnostics",
    "-fno-crash-diagnostics",
    "-c",
    "-emit-llvm",
    "-o",
    "-",
];

/// Asks which files clang reads: on a line of make, and the directories that it searches for them, among its messages.
const TELL_FILES: &[&str] = &["-Xclang", "-v", "-MD", "-MT", cache::TARGET, "-MF"];

/// Variables that decide what clang reads. They are the build's, so they are obeyed, and belong to what a result depends on.
pub(crate) const OBEYED: [&str; 3] = ["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"];

/// What clang does for a unit.
pub(crate) struct Job<'a> {
    pub(crate) clang: &'a Clang,
    pub(crate) unit: &'a Unit,
    /// Options that stand in front of the unit's own.
    pub(crate) extra: &'a [String],
    /// An empty file into which clang writes which files it read.
    pub(crate) dependencies: Option<&'a Path>,
}

/// What clang did for a unit.
pub(crate) struct Done {
    pub(crate) bitcode: Vec<u8>,
    /// Of all attempts.
    pub(crate) cpu: Duration,
    pub(crate) messages: Vec<u8>,
}

/// Compiles one unit, whatever was compiled before; bitcode files are read as they are.
pub fn compile(clang: &Clang, unit: &Unit) -> Result<Compiled, Error> {
    if unit.language == Language::Bitcode {
        return read_bitcode(unit);
    }
    let done = Job { clang, unit, extra: &[], dependencies: None }.run()?;
    Ok(Compiled { bitcode: done.bitcode, cpu: done.cpu, reused: false })
}

/// The command line that [`compile`] runs in the unit's directory, without the retries.
pub fn command_line(clang: &Clang, unit: &Unit) -> Vec<String> {
    let job = Job { clang, unit, extra: &[], dependencies: None };
    let mut words = vec![clang.path().to_string_lossy().into_owned()];
    words.extend(job.options(&unit.args));
    words.push(operand(&unit.file).to_string_lossy().into_owned());
    words
}

/// Adds all that is the same for all units.
pub(crate) fn add_to(key: &mut Key) {
    for option in [NO_CONFIG.1].iter().chain(TO_BITCODE).chain(FROM_TEXT).chain(TELL_FILES) {
        key.add(option.as_bytes());
    }
    for variable in OBEYED {
        let value = std::env::var_os(variable);
        key.add(variable.as_bytes());
        key.add(&[u8::from(value.is_some())]);
        key.add(value.unwrap_or_default().as_bytes());
    }
}

impl Job<'_> {
    /// Runs clang, again without the options that it rejects.
    pub(crate) fn run(mut self) -> Result<Done, Error> {
        let Unit { file, dir, .. } = self.unit;
        if !dir.is_dir() {
            return Err(Error::NoDirectory { file: file.clone(), dir: dir.clone() });
        }
        let mut args = self.unit.args.clone();
        let mut cpu = Duration::ZERO;
        let mut attempt = 1;
        loop {
            let finished = self.attempt(&args)?;
            cpu += finished.cpu;
            if finished.status.success() {
                return done(self.unit, finished, cpu);
            }
            let messages = String::from_utf8_lossy(&finished.stderr);
            match without_rejected(&args, &messages) {
                Some(fewer) if attempt < limits::CLANG_ATTEMPTS => args = fewer,
                // The unit must not suffer from a disk that is full.
                _ if self.blames_dependencies(&messages) => self.dependencies = None,
                _ => return Err(compile_error(self.unit, &messages, finished.status)),
            }
            attempt += 1;
        }
    }

    fn attempt(&self, args: &[String]) -> Result<Finished, Error> {
        let Job { clang, unit, .. } = self;
        let mut command = clang.command(&OBEYED);
        command.args(self.options(args));
        let list = self.tells_files();
        if let Some(path) = list {
            command.args(TELL_FILES).arg(path);
        }
        command.arg(operand(&unit.file)).current_dir(&unit.dir);
        // The directory in the debug information is the unit's own name for it, not one that links lead to.
        command.env("PWD", &unit.dir);
        process::run(&mut command, &clang.confinement(limits::CLANG_TIME, list), limits::CLANG_TIME).map_err(
            |stopped| {
                let file = unit.file.clone();
                match stopped {
                    Stopped::Io(source) => Error::CannotRun { path: clang.path().to_owned(), source },
                    Stopped::TooMuchOutput => too_large(unit),
                    Stopped::TimedOut => Error::TimedOut { file, seconds: limits::CLANG_TIME.as_secs() },
                    Stopped::Stalled => Error::Stalled { file, seconds: limits::STALL_TIME.as_secs() },
                }
            },
        )
    }

    /// All but the file that tells which files were read, and the unit's file, whose names need not be Unicode.
    fn options(&self, args: &[String]) -> Vec<String> {
        let (theirs, ours) = match self.unit.language {
            Language::LlvmText => (Vec::new(), FROM_TEXT),
            _ => (flags::judged_again(&[self.extra, args].concat()), TO_BITCODE),
        };
        let ours = ours.iter().map(|word| String::from(*word));
        let (since, no_config) = NO_CONFIG;
        let first = (self.clang.version().major >= since).then(|| no_config.to_owned());
        first.into_iter().chain(theirs).chain(ours).collect()
    }

    /// LLVM's text form includes no other files.
    fn tells_files(&self) -> Option<&Path> {
        self.dependencies.filter(|_| self.unit.language != Language::LlvmText)
    }

    /// Whether clang failed because it could not write its list of files.
    fn blames_dependencies(&self, messages: &str) -> bool {
        self.tells_files().is_some_and(|path| {
            messages.contains(&*path.to_string_lossy()) || messages.contains("IO failure on output stream")
        })
    }
}

/// The file in a form that is not mistaken for an option (`-o.c`) or a response file (`@x.c`). A
/// separating `--` would not help: clang hands the bare name on to its inner compiler.
fn operand(file: &Path) -> PathBuf {
    let first = file.as_os_str().as_encoded_bytes().first();
    match first {
        Some(b'-' | b'@') => Path::new(".").join(file),
        _ => file.to_owned(),
    }
}

fn done(unit: &Unit, finished: Finished, cpu: Duration) -> Result<Done, Error> {
    match is_bitcode(&finished.stdout) {
        true => Ok(Done { bitcode: finished.stdout, cpu, messages: finished.stderr }),
        false => Err(Error::NoBitcode { file: unit.file.clone() }),
    }
}

/// The flags without those that clang rejected, or `None` if it complains of something else.
fn without_rejected(args: &[String], messages: &str) -> Option<Vec<String>> {
    let rejected = flags::rejected_by_clang(messages, args);
    let kept = || args.iter().filter(|arg| !rejected.contains(arg)).cloned().collect();
    (!rejected.is_empty()).then(kept)
}

fn compile_error(unit: &Unit, messages: &str, status: ExitStatus) -> Error {
    let file = unit.file.clone();
    match shorten(messages) {
        Some(message) => Error::CompileError { file, message },
        None => Error::ClangFailed { file, status },
    }
}

/// The first errors of clang's output, without warnings, notes and include chains.
fn shorten(messages: &str) -> Option<String> {
    let is_error = |line: &&str| {
        [": error: ", ": fatal error: "].iter().any(|mark| line.contains(mark))
            || line.starts_with("error: ")
            || line.starts_with("fatal error: ")
    };
    let errors: Vec<&str> = messages.lines().filter(is_error).collect();
    let mut shown: Vec<String> = errors.iter().take(SHOWN_ERRORS).map(|line| format!("  {line}")).collect();
    if errors.len() > SHOWN_ERRORS {
        shown.push(format!("  (and {} more)", errors.len() - SHOWN_ERRORS));
    }
    (!shown.is_empty()).then(|| shown.join("\n"))
}

/// Reads a unit that is bitcode already, which needs no clang.
pub fn read_bitcode(unit: &Unit) -> Result<Compiled, Error> {
    let bitcode = files::read(&unit.path(), limits::FILE_BYTES)
        .map_err(|trouble| Error::refused(&unit.file, trouble))?;
    Ok(Compiled { bitcode, cpu: Duration::ZERO, reused: false })
}

fn too_large(unit: &Unit) -> Error {
    Error::TooLarge { file: unit.file.clone(), limit: limits::FILE_BYTES }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_errors_are_shown_and_the_rest_counted() {
        let messages = "In file included from a.c:1:\na.h:1:1: error: one\na.h:1:2: warning: w\n\
            a.c:2:1: error: two\na.c:2:1: note: n\na.c:3:1: fatal error: three\na.c:4:1: error: four\n";
        let expected = "  a.h:1:1: error: one\n  a.c:2:1: error: two\n  a.c:3:1: fatal error: three\n  \
            (and 1 more)";
        assert_eq!(shorten(messages).as_deref(), Some(expected));
        assert_eq!(shorten("Stack dump:\n0. Program arguments"), None);
    }
}
