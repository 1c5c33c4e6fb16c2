//! Finding a clang that is new enough.
//!
//! Order: what the user names; else `clang-19`, the version indict is tested with most; else plain
//! `clang`; else the numbered ones from the newest to the oldest.

use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use base::limits;
use rustix::fs::Access;

use crate::cache::{Key, Stamp};
use crate::command::program;
use crate::error::Error;
use crate::process::{self, Stopped};
use crate::sandbox::{self, Confinement, Sandbox};

/// The first major version with opaque pointers only, which is the floor of the bitcode reader.
pub(crate) const OLDEST: u32 = 15;

/// The newest major version that Debian or LLVM name in this way; newer ones are found as `clang`.
const NEWEST: u32 = 22;

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
    sandbox: Sandbox,
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
        Clang::find_by(explicit, Sandbox::On, ask)
    }

    /// Like [`Clang::find`], where `version_of` asks an executable or remembers its answer.
    pub(crate) fn find_by(
        explicit: Option<&Path>,
        sandbox: Sandbox,
        version_of: impl Fn(&Executable) -> Result<Version, Error>,
    ) -> Result<Clang, Error> {
        let judge = |name: &Path| judge(Executable::find(name, sandbox)?, &version_of);
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

    /// See [`Executable::command`].
    pub(crate) fn command(&self, obeyed: &[&str]) -> Command {
        self.executable.command(obeyed)
    }

    /// See [`Executable::confinement`].
    pub(crate) fn confinement<'a>(&'a self, patience: Duration, writes: Option<&'a Path>) -> Confinement<'a> {
        self.executable.confinement(patience, writes)
    }

    /// Adds all that tells it from other clangs.
    pub(crate) fn add_to(&self, key: &mut Key) {
        self.executable.add_to(key);
        key.add(self.version.to_string().as_bytes());
    }
}

impl Executable {
    /// The executable at `path`, or by that name on the search path.
    pub(crate) fn find(path: &Path, sandbox: Sandbox) -> Result<Executable, Error> {
        let missing = || Error::ClangMissing { asked: Some(path.to_owned()) };
        let is_name = path.components().count() == 1 && !path.as_os_str().as_bytes().contains(&b'/');
        match is_name {
            true => on_search_path(path, sandbox).ok_or_else(missing),
            false => {
                // Units are compiled in directories of their own, so a relative path must not depend on ours.
                let path = std::path::absolute(path).map_err(|_| missing())?;
                Executable::at(path, sandbox).ok_or_else(missing)
            }
        }
    }

    fn at(path: PathBuf, sandbox: Sandbox) -> Option<Executable> {
        let resolved = path.canonicalize().ok()?;
        let stamp = Stamp::of_file(&resolved)?;
        Some(Executable { path, resolved, stamp, sandbox })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Where the links lead.
    pub(crate) fn resolved(&self) -> &Path {
        &self.resolved
    }

    /// Whether this is `ccache` under a compiler's name, which says nothing about the compiler behind it.
    pub(crate) fn is_launcher(&self) -> bool {
        self.resolved.to_str().is_some_and(program::is_launcher)
    }

    pub(crate) fn add_to(&self, key: &mut Key) {
        key.add(self.path.as_os_str().as_bytes());
        key.add(self.resolved.as_os_str().as_bytes());
        key.add(&self.stamp.to_bytes());
    }
}

/// The first executable of this name on the search path, behind all launchers.
fn on_search_path(name: &Path, sandbox: Sandbox) -> Option<Executable> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        // What a relative directory has depends on where we are, which is often the code under analysis.
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join(name))
        .filter(|file| rustix::fs::access(file, Access::EXEC_OK).is_ok())
        .filter_map(|file| Executable::at(file, sandbox))
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

impl Executable {
    /// A command without our environment, but for what decides what is read.
    pub(crate) fn command(&self, obeyed: &[&str]) -> Command {
        let mut command = Command::new(&self.path);
        sandbox::clean_environment(&mut command, obeyed);
        // `__DATE__` and its relatives: the same input gives the same bitcode.
        command.env("SOURCE_DATE_EPOCH", "0");
        command
    }

    /// What it may do while it works: write that one file.
    pub(crate) fn confinement<'a>(&'a self, patience: Duration, writes: Option<&'a Path>) -> Confinement<'a> {
        Confinement {
            sandbox: self.sandbox,
            program: &self.resolved,
            starts_others: false,
            writes,
            seconds: patience.as_secs(),
        }
    }
}

/// Runs the executable with `--version`.
pub(crate) fn ask(executable: &Executable) -> Result<Version, Error> {
    let path = || executable.path.clone();
    let mut command = executable.command(&[]);
    command.arg("--version");
    let finished =
        process::run(&mut command, &executable.confinement(limits::VERSION_TIME, None), limits::VERSION_TIME);
    let finished = finished.map_err(|stopped| match stopped {
        Stopped::Io(source) => Error::CannotRun { path: path(), source },
        Stopped::TooMuchOutput | Stopped::TimedOut | Stopped::Stalled => {
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
