//! Finding a clang that is new enough.
//!
//! Order: what the user names; else `clang-19`, the version indict is tested with most; else plain
//! `clang`; else the numbered ones from the newest to the oldest.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::error::Error;
use crate::process::{self, Stopped};

/// The first major version with opaque pointers only, which is the floor of the bitcode reader.
pub(crate) const OLDEST: u32 = 15;

/// The newest major version that Debian or LLVM name in this way; newer ones are found as `clang`.
const NEWEST: u32 = 22;

/// A program that has nothing to do but print its version gets this long.
const PATIENCE: Duration = Duration::from_secs(20);

/// A clang executable that has told its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clang {
    path: PathBuf,
    version: Version,
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
        if let Some(path) = explicit {
            return ask(path);
        }
        let mut first_unsuitable = None;
        for name in search_order() {
            match ask(Path::new(&name)) {
                Ok(clang) => return Ok(clang),
                Err(Error::ClangMissing { .. }) => {}
                Err(error) => first_unsuitable = first_unsuitable.or(Some(error)),
            }
        }
        Err(first_unsuitable.unwrap_or(Error::ClangMissing { asked: None }))
    }

    /// The executable: absolute, or a bare name that the search path resolves.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it answered to `--version`.
    pub fn version(&self) -> Version {
        self.version
    }
}

fn search_order() -> impl Iterator<Item = String> {
    let numbered = (OLDEST..=NEWEST).rev().map(|major| format!("clang-{major}"));
    ["clang-19", "clang"].map(String::from).into_iter().chain(numbered)
}

/// Runs `path --version` and judges the answer.
fn ask(path: &Path) -> Result<Clang, Error> {
    let path = independent_of_directory(path);
    let mut command = Command::new(&path);
    let finished = process::run(command.arg("--version"), PATIENCE).map_err(|stopped| match stopped {
        Stopped::Io(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Error::ClangMissing { asked: Some(path.clone()) }
        }
        Stopped::Io(source) => Error::CannotRun { path: path.clone(), source },
        Stopped::TooMuchOutput | Stopped::TimedOut => {
            Error::NotClang { path: path.clone(), answer: "nothing that ends".into() }
        }
    })?;
    let answer = String::from_utf8_lossy(&finished.stdout);
    match parse_version(&answer) {
        None => Err(Error::NotClang { path, answer: first_line(&answer) }),
        Some(version) if version.major < OLDEST => Err(Error::ClangTooOld { path, version }),
        Some(version) => Ok(Clang { path, version }),
    }
}

/// Units are compiled in directories of their own, so a relative path must not depend on ours.
/// Symbolic links stay: clang looks for its headers beside the name it was called by.
fn independent_of_directory(path: &Path) -> PathBuf {
    let bare_name = path.components().count() == 1 && !path.starts_with(".");
    if bare_name {
        return path.to_owned();
    }
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Reads `Debian clang version 19.1.7 (3~deb12u1)` and its relatives.
fn parse_version(answer: &str) -> Option<Version> {
    let (_, rest) = answer.split_once("clang version ")?;
    let mut numbers = rest
        .split(|letter: char| !letter.is_ascii_digit() && letter != '.')
        .next()?
        .split('.')
        .map(|digits| digits.parse().ok());
    Some(Version {
        major: numbers.next()??,
        minor: numbers.next().flatten().unwrap_or(0),
        patch: numbers.next().flatten().unwrap_or(0),
    })
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
        assert_eq!(parse_version(debian), version(19, 1, 7));
        let ubuntu = "Ubuntu clang version 18.1.3 (1ubuntu1)";
        assert_eq!(parse_version(ubuntu), version(18, 1, 3));
        let upstream = "clang version 22.0.0git (somewhere 0123abcd)";
        assert_eq!(parse_version(upstream), version(22, 0, 0));
        assert_eq!(parse_version("clang version 17"), version(17, 0, 0));
    }

    #[test]
    fn other_programs_are_no_clang() {
        assert_eq!(parse_version("gcc (Debian 12.2.0-14) 12.2.0"), None);
        assert_eq!(parse_version("clang version unknown"), None);
        assert_eq!(parse_version(""), None);
    }

    #[test]
    fn nineteen_comes_first() {
        let order: Vec<String> = search_order().collect();
        assert_eq!(&order[..4], ["clang-19", "clang", "clang-22", "clang-21"]);
        assert_eq!(order.last().map(String::as_str), Some("clang-15"));
    }
}
