//! Finding a clang that is new enough.
//!
//! Order: what the user names; else `clang-19`, the version indict is tested with most; else plain
//! `clang`; else the numbered ones from the newest to the oldest.

use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rustix::fs::Access;

use crate::cache::{Key, Stamp};
use crate::command::program;
use crate::error::Error;
use crate::process::{self, Stopped};

/// The first major version with opaque pointers only, which is the floor of the bitcode reader.
pub(crate) const OLDEST: u32 = 15;

/// The newest major version that Debian or LLVM name in this way; newer ones are found as `clang`.
const NEWEST: u32 = 22;

/// A program that has nothing to do but print its version gets this long.
const PATIENCE: Duration = Duration::from_secs(20);

/// Variables that would change our own options, send messages elsewhere, or observe clang as a part of the build.
const REMOVED: [&str; 5] =
    ["CCC_OVERRIDE_OPTIONS", "CC_PRINT_OPTIONS", "CC_PRINT_HEADERS", "CC_LOG_DIAGNOSTICS", "LD_PRELOAD"];

/// A clang executable that has told its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clang {
    executable: Executable,
    version: Version,
}

/// A program as it is on the disk: the same program answers the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Executable {
    /// Absolute, by the name it is called by: clang looks for its headers beside that name.
    path: PathBuf,
    /// Where the links lead.
    resolved: PathBuf,
    stamp: Stamp,
}

/// A version of clang.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// The number that decides about the bitcode format.
    pub major: u32,
    /// The middle number.
    pub minor: u32,
    /// The last number.
    pub patch: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl Clang {
    /// The clang to use: `explicit` if given (a path, or a name to look up on the search path),
    /// else the first suitable one on the search path.
    pub fn find(explicit: Option<&Path>) -> Result<Clang, Error> {
        Clang::find_by(explicit, ask)
    }

    /// Like [`Clang::find`], where `version_of` asks an executable or remembers its answer.
    pub(crate) fn find_by(
        explicit: Option<&Path>,
        version_of: impl Fn(&Executable) -> Result<Version, Error>,
    ) -> Result<Clang, Error> {
        let judge = |name: &Path| judge(Executable::find(name)?, &version_of);
        if let Some(path) = explicit {
            return judge(path);
        }
        let mut first_unsuitable = None;
        for name in search_order() {
            match judge(Path::new(&name)) {
                Ok(clang) => return Ok(clang),
                Err(Error::ClangMissing { .. }) => {}
                Err(error) => first_unsuitable = first_unsuitable.or(Some(error)),
            }
        }
        Err(first_unsuitable.unwrap_or(Error::ClangMissing { asked: None }))
    }

    /// The executable, as an absolute path.
    pub fn path(&self) -> &Path {
        &self.executable.path
    }

    /// What it answered to `--version`.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Adds all that tells it from other clangs.
    pub(crate) fn add_to(&self, key: &mut Key) {
        self.executable.add_to(key);
        key.add(self.version.to_string().as_bytes());
    }
}

impl Executable {
    /// The executable at `path`, or by that name on the search path.
    pub(crate) fn find(path: &Path) -> Result<Executable, Error> {
        let missing = || Error::ClangMissing { asked: Some(path.to_owned()) };
        let is_name = path.components().count() == 1 && !path.as_os_str().as_bytes().contains(&b'/');
        match is_name {
            true => on_search_path(path).ok_or_else(missing),
            false => {
                // Units are compiled in directories of their own, so a relative path must not depend on ours.
                let path = std::path::absolute(path).map_err(|_| missing())?;
                Executable::at(path).ok_or_else(missing)
            }
        }
    }

    fn at(path: PathBuf) -> Option<Executable> {
        let resolved = path.canonicalize().ok()?;
        let stamp = Stamp::of_file(&resolved)?;
        Some(Executable { path, resolved, stamp })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether this is `ccache` under a compiler's name, which says nothing about the compiler behind it.
    fn is_launcher(&self) -> bool {
        self.resolved.to_str().is_some_and(program::is_launcher)
    }

    pub(crate) fn add_to(&self, key: &mut Key) {
        key.add(self.path.as_os_str().as_bytes());
        key.add(self.resolved.as_os_str().as_bytes());
        key.add(&self.stamp.to_bytes());
    }
}

/// The first executable of this name on the search path, behind all launchers.
fn on_search_path(name: &Path) -> Option<Executable> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter_map(|dir| std::path::absolute(dir.join(name)).ok())
        .filter(|file| rustix::fs::access(file, Access::EXEC_OK).is_ok())
        .filter_map(Executable::at)
        .find(|executable| !executable.is_launcher())
}

fn search_order() -> impl Iterator<Item = String> {
    let numbered = (OLDEST..=NEWEST).rev().map(|major| format!("clang-{major}"));
    ["clang-19", "clang"].map(String::from).into_iter().chain(numbered)
}

fn judge(
    executable: Executable,
    version_of: impl Fn(&Executable) -> Result<Version, Error>,
) -> Result<Clang, Error> {
    match version_of(&executable)? {
        version if version.major < OLDEST => Err(Error::ClangTooOld { path: executable.path, version }),
        version => Ok(Clang { executable, version }),
    }
}

/// A command in our environment, except for what would make clang's work depend on the hour or on who looks on.
pub(crate) fn command(path: &Path) -> Command {
    let mut command = Command::new(path);
    for variable in REMOVED {
        command.env_remove(variable);
    }
    // `__DATE__` and its relatives: the same input gives the same bitcode.
    command.env("SOURCE_DATE_EPOCH", "0");
    command
}

/// Runs the executable with `--version`.
pub(crate) fn ask(executable: &Executable) -> Result<Version, Error> {
    let path = || executable.path.clone();
    let mut command = command(&executable.path);
    let finished = process::run(command.arg("--version"), PATIENCE).map_err(|stopped| match stopped {
        Stopped::Io(source) => Error::CannotRun { path: path(), source },
        Stopped::TooMuchOutput | Stopped::TimedOut => {
            Error::NotClang { path: path(), answer: "nothing that ends".into() }
        }
    })?;
    let answer = String::from_utf8_lossy(&finished.stdout);
    Version::parse(&answer).ok_or_else(|| Error::NotClang { path: path(), answer: first_line(&answer) })
}

impl Version {
    /// Reads `Debian clang version 19.1.7 (3~deb12u1)` and its relatives.
    fn parse(answer: &str) -> Option<Version> {
        let (_, rest) = answer.split_once("clang version ")?;
        Version::parse_numbers(rest.split(|letter: char| !letter.is_ascii_digit() && letter != '.').next()?)
    }

    /// Reads `19.1.7`, as it is displayed, and also `19`.
    pub(crate) fn parse_numbers(text: &str) -> Option<Version> {
        let mut numbers = text.split('.').map(|digits| digits.parse().ok());
        Some(Version {
            major: numbers.next()??,
            minor: numbers.next().flatten().unwrap_or(0),
            patch: numbers.next().flatten().unwrap_or(0),
        })
    }
}

fn first_line(answer: &str) -> String {
    answer.lines().next().unwrap_or("").chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(major: u32, minor: u32, patch: u32) -> Option<Version> {
        Some(Version { major, minor, patch })
    }

    #[test]
    fn versions_of_all_distributions_are_read() {
        let debian = "Debian clang version 19.1.7 (3~deb12u1)\nTarget: x86_64-pc-linux-gnu\n";
        assert_eq!(Version::parse(debian), version(19, 1, 7));
        let ubuntu = "Ubuntu clang version 18.1.3 (1ubuntu1)";
        assert_eq!(Version::parse(ubuntu), version(18, 1, 3));
        let upstream = "clang version 22.0.0git (somewhere 0123abcd)";
        assert_eq!(Version::parse(upstream), version(22, 0, 0));
        assert_eq!(Version::parse("clang version 17"), version(17, 0, 0));
    }

    #[test]
    fn other_programs_are_no_clang() {
        assert_eq!(Version::parse("gcc (Debian 12.2.0-14) 12.2.0"), None);
        assert_eq!(Version::parse("clang version unknown"), None);
        assert_eq!(Version::parse(""), None);
    }

    #[test]
    fn nineteen_comes_first() {
        let order: Vec<String> = search_order().collect();
        assert_eq!(&order[..4], ["clang-19", "clang", "clang-22", "clang-21"]);
        assert_eq!(order.last().map(String::as_str), Some("clang-15"));
    }
}
