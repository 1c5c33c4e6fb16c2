//! What a build put together, as whoever watched the build says it: which objects and libraries make up which
//! file.

use std::path::PathBuf;

/// All that a build linked or archived, in the order of the commands. Without any of it, directories decide
/// what belongs together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// Each file once, as it was written last.
    pub artifacts: Vec<Artifact>,
}

/// A file that a linker or archiver wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// Absolute.
    pub path: PathBuf,
    /// What was written.
    pub kind: ArtifactKind,
    /// What it was made of, in the order of the command.
    pub inputs: Vec<Input>,
}

/// What a linker or archiver writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArtifactKind {
    /// An executable.
    Program,
    /// A shared object.
    Shared,
    /// A static library: a linker takes of it only the members that it needs.
    Archive,
    /// Objects joined into one (`ld -r`): a linker takes all of it.
    Relocatable,
}

/// A part of an artifact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// An object (an output of a unit), an archive or a shared object, by its absolute path.
    File {
        /// Where it is.
        path: PathBuf,
        /// Whether all members of an archive are taken (`--whole-archive`).
        whole: bool,
    },
    /// `-lNAME`, to be looked for in these directories and then in those of the system.
    Library {
        /// Without `lib` and extension.
        name: String,
        /// The absolute directories of `-L`, in order.
        dirs: Vec<PathBuf>,
        /// Whether all members of an archive are taken (`--whole-archive`).
        whole: bool,
    },
}
