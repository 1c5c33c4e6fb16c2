//! What the programs that a build starts mean to us: which sources they compile, and what they link or
//! archive.
//!
//! All knowledge of the names and options of compilers, linkers and archivers is here and in `flags`, the
//! table of a compiler's options. Nothing here runs a program.
//! Source: the manuals of GCC 12, clang 19, GNU binutils 2.40.

mod archiver;
mod compiler;
mod linker;
pub(crate) mod paths;
mod probe;
pub(crate) mod program;

use std::path::{Path, PathBuf};

pub use probe::is_probe;
pub(crate) use program::{is_compiler, is_cxx_driver, is_tool, names_target};
pub use program::{tool_names, unknown_compiler};

use serde::{Deserialize, Serialize};

use crate::links::Artifact;
use crate::unit::InputKind;
use program::Role;

/// What a command of a build does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Understood {
    /// One for each C or C++ source.
    pub compilations: Vec<Compilation>,
    /// What was linked or archived, if so. The object of an assembly source counts as [`Relocatable`] made of that source,
    /// which may be what an earlier command compiled with `-S`; of several such sources only the first is followed.
    ///
    /// [`Relocatable`]: crate::ArtifactKind::Relocatable
    pub artifact: Option<Artifact>,
    /// Sources that are not analyzed.
    pub skipped: Vec<Skipped>,
}

impl Understood {
    /// Whether the command does not matter.
    pub fn is_nothing(&self) -> bool {
        self.compilations.is_empty() && self.artifact.is_none() && self.skipped.is_empty()
    }
}

/// One source of one command; serialized, it is an entry of `compile_commands.json`, with these keys and no others, because clang's own
/// reader accepts no more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Compilation {
    /// The absolute directory in which the command ran.
    #[serde(rename = "directory")]
    pub dir: PathBuf,
    /// As the command names it.
    pub file: PathBuf,
    /// The compiler and its arguments, as if this were its only source and there were nothing to link.
    pub arguments: Vec<String>,
    /// The object or assembly file, absolute. A command that also links deletes its objects; they are named as GCC names
    /// what it keeps of them.
    pub output: PathBuf,
}

/// A source that is not analyzed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// As the command names it.
    pub file: PathBuf,
    /// What it is.
    pub kind: InputKind,
}

/// What a command of a build does, given all its words (program first; response files already expanded) and its absolute
/// directory.
///
/// `extra_compilers` are names of programs that are compilers though their name does not say so (from `$CC` or the user).
pub fn understand(words: &[String], dir: &Path, extra_compilers: &[String]) -> Understood {
    let Some(program) = program::identify(words, extra_compilers) else {
        return Understood::default();
    };
    let only = |artifact| Understood { artifact, ..Understood::default() };
    match program.role {
        Some(Role::Compiler(_)) => compiler::understand(program.word, program.args, dir),
        Some(Role::Linker) => only(linker::understand(program.args, dir)),
        Some(Role::Archiver) => only(archiver::understand(program.args, dir)),
        Some(Role::Launcher) | None => Understood::default(),
    }
}
