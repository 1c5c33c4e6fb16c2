//! Everything that can go wrong between a file name and its bitcode.
//!
//! The messages are what the user reads: they name the thing, say what is wrong with it, and what
//! to do about it where that is known.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use files::Trouble;

use crate::clang::{OLDEST, Version};
use crate::unit::InputKind;

/// Why there is no bitcode.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The named file does not exist.
    #[error("{}: no such file", .file.display())]
    NoSuchFile {
        /// As the user named it.
        file: PathBuf,
    },

    /// The file exists but cannot be read.
    #[error("{}: cannot be read: {source}", .file.display())]
    Unreadable {
        /// As the user named it.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },

    /// The file is something that clang does not compile to functions.
    #[error("{}: {kind}", .file.display())]
    NotASource {
        /// As the user named it.
        file: PathBuf,
        /// What it is instead.
        kind: InputKind,
    },

    /// No clang at the given path, or none on the search path.
    #[error("{}; install one, for example with `apt-get install clang-19`, or name one with --clang PATH",
        missing(.asked))]
    ClangMissing {
        /// The path that was asked for; `None` if the search path was searched.
        asked: Option<PathBuf>,
    },

    /// The program runs but does not call itself clang.
    #[error("{} is not clang (it says `{answer}`); indict needs clang {OLDEST} or newer: `apt-get install clang-19`",
        .path.display())]
    NotClang {
        /// The program that was asked.
        path: PathBuf,
        /// The first line of its answer to `--version`.
        answer: String,
    },

    /// The only clang is older than the bitcode that can be read.
    #[error("{} is clang {version}; indict needs clang {OLDEST} or newer: `apt-get install clang-19`",
        .path.display())]
    ClangTooOld {
        /// The program that was asked.
        path: PathBuf,
        /// Its version.
        version: Version,
    },

    /// The operating system could not start clang.
    #[error("cannot run {}: {source}", .path.display())]
    CannotRun {
        /// The program.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },

    /// The working directory of a unit is gone.
    #[error("{}: its directory {} does not exist", .file.display(), .dir.display())]
    NoDirectory {
        /// The file of the unit.
        file: PathBuf,
        /// The missing directory.
        dir: PathBuf,
    },

    /// Clang rejected the unit.
    #[error("{}: does not compile:\n{message}", .file.display())]
    CompileError {
        /// The file of the unit.
        file: PathBuf,
        /// Clang's own first errors.
        message: String,
    },

    /// Clang ended without saying what is wrong: it crashed or was killed.
    #[error("{}: clang failed ({status}) without an error message", .file.display())]
    ClangFailed {
        /// The file of the unit.
        file: PathBuf,
        /// How it ended.
        status: ExitStatus,
    },

    /// Clang succeeded, but what it wrote is not bitcode.
    #[error("{}: clang produced no bitcode; do its flags ask for something else?", .file.display())]
    NoBitcode {
        /// The file of the unit.
        file: PathBuf,
    },

    /// A file or clang's output is beyond the limit.
    #[error("{}: more than {} MB; given up", .file.display(), limit >> 20)]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },

    /// Clang did not finish.
    #[error("{}: clang did not finish within {seconds} seconds; given up", .file.display())]
    TimedOut {
        /// The file of the unit.
        file: PathBuf,
        /// The limit.
        seconds: u64,
    },

    /// Clang waits for something that does not come.
    #[error("{}: clang did nothing for {seconds} seconds (does it read a pipe?); given up", .file.display())]
    Stalled {
        /// The file of the unit.
        file: PathBuf,
        /// How long it was watched.
        seconds: u64,
    },

    /// The store cannot be made, or nothing can be written into it.
    #[error("{}: cannot be written: {source}", .dir.display())]
    StoreUnwritable {
        /// The directory.
        dir: PathBuf,
        /// What the system said.
        source: io::Error,
    },

    /// The directory that should be the store has other things in it.
    #[error("{}: is not a store of indict, and not empty; name a new directory with --store DIR", .dir.display())]
    NotAStore {
        /// The directory.
        dir: PathBuf,
    },

    /// A part of the store is a link, which could lead anywhere.
    #[error("{}: {} is a link, which a store does not have; remove it, or name another store with --store DIR",
        .dir.display(), .link.display())]
    StoreHasLink {
        /// The store.
        dir: PathBuf,
        /// The link.
        link: PathBuf,
    },

    /// The file is not one that is read.
    #[error("{}: {trouble}", .file.display())]
    Refused {
        /// As somebody named it.
        file: PathBuf,
        /// What is wrong with it.
        trouble: Trouble,
    },

    /// The files through which the processes of a build are watched cannot be made.
    #[error("{}: no build can be watched from here: {source}", .dir.display())]
    Session {
        /// The store.
        dir: PathBuf,
        /// What the system said.
        source: io::Error,
    },

    /// The directory has no compilation database.
    #[error("{}: there is no compile_commands.json; make one with \
        `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, `meson setup` or `indict capture -- make`", .dir.display())]
    NoDatabase {
        /// The directory that was searched.
        dir: PathBuf,
    },

    /// The compilation database is not what the format asks for.
    #[error("{}:{line}:{column}: invalid compilation database: {message}", .path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// Line of the error, from 1.
        line: usize,
        /// Column of the error, from 1; 0 where a line ended too early.
        column: usize,
        /// What was expected.
        message: String,
    },

    /// What was captured cannot be written.
    #[error("{}: cannot be written: {source}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },

    /// One entry of the database cannot be used; the others can.
    #[error("{}: entry {index}: {message}", .path.display())]
    DatabaseEntry {
        /// The file.
        path: PathBuf,
        /// Which entry, counted from 0.
        index: usize,
        /// What is wrong with it.
        message: String,
    },
}

impl Error {
    /// A file that is not read.
    pub(crate) fn refused(file: &Path, trouble: Trouble) -> Error {
        let file = file.to_owned();
        match trouble {
            Trouble::Missing => Error::NoSuchFile { file },
            Trouble::TooLarge { limit } => Error::TooLarge { file, limit },
            Trouble::Io(source) => Error::Unreadable { file, source },
            trouble => Error::Refused { file, trouble },
        }
    }

    /// The same for all errors of a kind, for counts: `3 do not compile`.
    pub fn reason(&self) -> &'static str {
        match self {
            Error::NoSuchFile { .. } => "no such file",
            Error::Unreadable { .. } => "unreadable",
            Error::NotASource { kind, .. } => kind.word(),
            Error::NoDirectory { .. } => "directory is gone",
            Error::CompileError { .. } => "not compiled by clang",
            Error::ClangFailed { .. } | Error::NoBitcode { .. } => "clang failed",
            Error::TooLarge { .. } => "too large",
            Error::TimedOut { .. } | Error::Stalled { .. } => "clang did not finish",
            Error::ClangMissing { .. } | Error::NotClang { .. } | Error::ClangTooOld { .. } => {
                "no suitable clang"
            }
            Error::CannotRun { .. } => "cannot be run",
            Error::Refused { .. } => "unreadable",
            Error::StoreUnwritable { .. }
            | Error::StoreHasLink { .. }
            | Error::NotAStore { .. }
            | Error::Session { .. }
            | Error::Unwritable { .. } => "cannot be written",
            Error::NoDatabase { .. } | Error::Database { .. } | Error::DatabaseEntry { .. } => {
                "bad compilation database"
            }
        }
    }

    /// The file that the message starts with, if it is about one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Error::NoSuchFile { file }
            | Error::Unreadable { file, .. }
            | Error::NotASource { file, .. }
            | Error::NoDirectory { file, .. }
            | Error::CompileError { file, .. }
            | Error::ClangFailed { file, .. }
            | Error::NoBitcode { file }
            | Error::TooLarge { file, .. }
            | Error::Refused { file, .. }
            | Error::Stalled { file, .. }
            | Error::TimedOut { file, .. } => Some(file),
            Error::ClangMissing { .. }
            | Error::NotClang { .. }
            | Error::ClangTooOld { .. }
            | Error::CannotRun { .. }
            | Error::StoreUnwritable { .. }
            | Error::StoreHasLink { .. }
            | Error::NotAStore { .. }
            | Error::Session { .. }
            | Error::NoDatabase { .. }
            | Error::Database { .. }
            | Error::Unwritable { .. }
            | Error::DatabaseEntry { .. } => None,
        }
    }
}

fn missing(asked: &Option<PathBuf>) -> String {
    match asked {
        Some(path) => format!("there is no clang at {}", path.display()),
        None => format!("no clang {OLDEST} or newer was found on PATH"),
    }
}
