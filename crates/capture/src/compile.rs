//! From a unit to bitcode.
//!
//! The flags we add, each for a reason that was tried:
//! `-O1 -Xclang -disable-llvm-passes` gives lifetime markers and attributes, optimizes nothing, and
//! does not mark functions `optnone` as `-O0` does; `-U__OPTIMIZE__ -U_FORTIFY_SOURCE` keeps the C
//! library's headers from replacing `strcpy` by `__strcpy_chk` and from adding inline bodies.
//! Departures: errors that clang 16 made of old warnings, and that GCC builds still contain
//! (implicit declarations and the like), are warnings again.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::Duration;

use base::limits;

use crate::clang::Clang;
use crate::error::Error;
use crate::flags;
use crate::process::{self, Finished, Stopped};
use crate::unit::{Language, Unit, is_bitcode, unreadable};

/// The bitcode of a unit.
#[derive(Debug)]
pub struct Compiled {
    /// A whole bitcode file.
    pub bitcode: Vec<u8>,
    /// Processor time that clang took for it; zero if the input was bitcode.
    pub cpu: Duration,
}

/// Wall clock for one unit. The slowest units of large C++ projects take two minutes alone on a
/// core; this leaves room for a busy machine and still ends a template that never does.
const PATIENCE: Duration = Duration::from_secs(900);

/// How often a unit is tried again without the options that clang rejected. The driver reports
/// unknown options all at once, then unsupported ones, then values, then processors.
const ATTEMPTS: usize = 5;

/// Errors of clang that are shown of one unit.
const SHOWN_ERRORS: usize = 3;

/// What clang is asked to do with a C or C++ unit, after the unit's own flags.
const TO_BITCODE: &[&str] = &[
    "-w",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
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
    "-c",
    "-emit-llvm",
    "-o",
    "-",
];

/// Compiles one unit; bitcode files are read as they are.
pub fn compile(clang: &Clang, unit: &Unit) -> Result<Compiled, Error> {
    if unit.language == Language::Bitcode {
        return read_bitcode(unit);
    }
    if !unit.dir.is_dir() {
        return Err(Error::NoDirectory { file: unit.file.clone(), dir: unit.dir.clone() });
    }
    let mut unit = unit.clone();
    let mut cpu = Duration::ZERO;
    let mut attempt = 1;
    loop {
        let finished = run(clang, &unit)?;
        cpu += finished.cpu;
        if finished.status.success() {
            return bitcode_of(&unit, finished.stdout, cpu);
        }
        let messages = String::from_utf8_lossy(&finished.stderr);
        match without_rejected(&unit.args, &messages) {
            Some(args) if attempt < ATTEMPTS => unit.args = args,
            _ => return Err(compile_error(&unit, &messages, finished.status)),
        }
        attempt += 1;
    }
}

/// The command line that [`compile`] runs in the unit's directory, without the retries.
pub fn command_line(clang: &Clang, unit: &Unit) -> Vec<String> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let ours = match unit.language {
        Language::LlvmText => FROM_TEXT,
        _ => TO_BITCODE,
    };
    let theirs = match unit.language {
        Language::LlvmText => &[],
        _ => unit.args.as_slice(),
    };
    let mut words = vec![text(clang.path())];
    words.extend(theirs.iter().cloned());
    words.extend(ours.iter().map(|word| String::from(*word)));
    words.push(text(&operand(&unit.file)));
    words
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

fn run(clang: &Clang, unit: &Unit) -> Result<Finished, Error> {
    let words = command_line(clang, unit);
    let mut command = Command::new(clang.path());
    // The last word is the file, which may have a name that is not Unicode.
    command.args(&words[1..words.len() - 1]).arg(operand(&unit.file)).current_dir(&unit.dir);
    process::run(&mut command, PATIENCE).map_err(|stopped| match stopped {
        Stopped::Io(source) => Error::CannotRun { path: clang.path().to_owned(), source },
        Stopped::TooMuchOutput => too_large(unit),
        Stopped::TimedOut => Error::TimedOut { file: unit.file.clone(), seconds: PATIENCE.as_secs() },
    })
}

fn bitcode_of(unit: &Unit, bitcode: Vec<u8>, cpu: Duration) -> Result<Compiled, Error> {
    match is_bitcode(&bitcode) {
        true => Ok(Compiled { bitcode, cpu }),
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
    let mut bitcode = Vec::new();
    std::fs::File::open(unit.path())
        .and_then(|file| file.take(limits::FILE_BYTES + 1).read_to_end(&mut bitcode))
        .map_err(|source| unreadable(&unit.file, source))?;
    match bitcode.len() as u64 > limits::FILE_BYTES {
        true => Err(too_large(unit)),
        false => Ok(Compiled { bitcode, cpu: Duration::ZERO }),
    }
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
