//! The other analyzers: where they are and what they are asked.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use capture::Unit;
use serde::{Deserialize, Serialize};

use super::{clang, cppcheck, gcc, results};

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum Tool {
    /// `clang --analyze`
    Clang,
    /// `gcc -fanalyzer`
    Gcc,
    /// `cppcheck`
    Cppcheck,
}

/// What a tool says of a place. Which of our kinds that is stands in [`super::kinds`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Said {
    pub(crate) file: String,
    pub(crate) line: u32,
    /// The tool's own name of what is wrong.
    pub(crate) check: String,
    pub(crate) message: String,
}

/// What a tool left behind for a unit.
pub(crate) struct Answer<'a> {
    /// Its standard error output.
    pub(crate) messages: &'a str,
    /// The file that it was told to write.
    pub(crate) written: &'a str,
}

/// A tool that is there.
pub(crate) struct Asked {
    pub(crate) tool: Tool,
    program: &'static str,
    /// Further options in each attempt; the next is made if it failed with the one before.
    pub(crate) attempts: Vec<Vec<String>>,
    /// The first line of what it says of itself.
    pub(crate) version: String,
}

impl Tool {
    pub(crate) const ALL: [Tool; 3] = [Tool::Clang, Tool::Gcc, Tool::Cppcheck];

    /// What it is called in tables and in the names of files.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Tool::Clang => "clang",
            Tool::Gcc => "gcc",
            Tool::Cppcheck => "cppcheck",
        }
    }

    /// The names of its program, the first that is there is taken, and the package of Debian that has it.
    fn programs(self) -> (&'static [&'static str], &'static str) {
        match self {
            Tool::Clang => (&["clang-19", "clang"], "clang-19"),
            Tool::Gcc => (&["gcc"], "gcc"),
            Tool::Cppcheck => (&["cppcheck"], "cppcheck"),
        }
    }

    /// Its options that are the same for all units.
    pub(crate) fn options(self) -> &'static [&'static str] {
        match self {
            Tool::Clang => clang::OPTIONS,
            Tool::Gcc => gcc::OPTIONS,
            Tool::Cppcheck => cppcheck::OPTIONS,
        }
    }

    /// What it says of a unit; an error is what kept it from looking at it.
    pub(crate) fn parse(self, answer: &Answer<'_>) -> Result<Vec<Said>> {
        match self {
            Tool::Clang => clang::parse(answer.written),
            Tool::Gcc => gcc::parse(answer.messages),
            Tool::Cppcheck => cppcheck::parse(answer.messages),
        }
    }
}

impl Asked {
    /// Looks for the tool and asks for its version.
    pub(crate) fn find(tool: Tool) -> Result<Asked> {
        let (programs, package) = tool.programs();
        for program in programs {
            let output = Command::new(program).arg("--version").stdin(Stdio::null()).output();
            let Ok(output) = output else { continue };
            let text = String::from_utf8_lossy(&output.stdout);
            let version = text.lines().next().context("a tool should tell its version")?.to_owned();
            let attempts = match tool {
                Tool::Cppcheck => cppcheck::attempts(&results())?,
                Tool::Clang | Tool::Gcc => vec![Vec::new()],
            };
            return Ok(Asked { tool, program, attempts, version });
        }
        bail!("{} is not there; install it with `apt-get install {package}`", programs.join(" or "))
    }

    /// The words of the command for a unit, which is to run in the unit's directory; `write` is the file for its answer.
    pub(crate) fn command(&self, unit: &Unit, attempt: &[String], write: &Path) -> Vec<String> {
        let mut words = vec![self.program.to_owned()];
        words.extend(self.tool.options().iter().map(|&option| option.to_owned()));
        words.extend_from_slice(attempt);
        match self.tool {
            Tool::Clang => words.extend(["-o".to_owned(), write.to_string_lossy().into_owned()]),
            Tool::Gcc => words.extend(["-o".to_owned(), "/dev/null".to_owned()]),
            Tool::Cppcheck => {}
        }
        match self.tool {
            Tool::Cppcheck => words.extend(cppcheck::fitting(&unit.args)),
            Tool::Clang | Tool::Gcc => words.extend(unit.args.iter().cloned()),
        }
        words.push(unit.file.to_string_lossy().into_owned());
        words
    }
}

#[cfg(test)]
impl Said {
    /// For tests.
    pub(crate) fn new(file: &str, line: u32, check: &str, message: &str) -> Said {
        Said { file: file.to_owned(), line, check: check.to_owned(), message: message.to_owned() }
    }
}
