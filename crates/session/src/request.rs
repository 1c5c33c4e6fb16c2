//! What a user wants, as plain data: what is read, how it is compiled, and how thoroughly it is analyzed.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use catalog::Choice;

/// What a user wants. [`Default`] names nothing, and leaves everything else to the project and the machine.
///
/// Paths are seen from the working directory of the process.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Where units come from.
    pub source: Source,
    /// C and C++ sources, LLVM bitcode or its text form. With a database or a build: only these units of it.
    pub files: Vec<PathBuf>,
    /// Whether units are worked on in the order of their paths, or in the order in which they are named.
    pub order: Order,
    /// How units are compiled.
    pub compiling: Compiling,
    /// What is kept from run to run, and where.
    pub store: StoreChoice,
    /// What the project says.
    pub settings: SettingsChoice,
    /// How thoroughly functions are analyzed.
    pub effort: Effort,
    /// What is shown of that.
    pub shown: Shown,
    /// Threads to work with; no result depends on it. None: what the project says, or else one for each
    /// processor.
    pub jobs: Option<NonZeroUsize>,
}

/// Where units come from.
#[derive(Clone, Debug, Default)]
pub enum Source {
    /// They are the files themselves.
    #[default]
    Files,
    /// From a compilation database: `compile_commands.json`, or the directory it is in.
    Database(PathBuf),
    /// From a build, which is run and watched.
    Build(BuildRequest),
}

/// A build that is to be run and watched.
#[derive(Clone, Debug, Default)]
pub struct BuildRequest {
    /// The command, program first; not empty.
    pub command: Vec<OsString>,
    /// Adds to what earlier builds compiled, instead of forgetting it.
    pub append: bool,
    /// How compilers are seen; none for the best that works here.
    pub method: Option<capture::Method>,
    /// Compiles each unit while the build runs, not only those that use files made by it.
    pub eager: bool,
    /// Programs that are compilers though their names do not say so.
    pub compilers: Vec<String>,
}

/// In which order units are worked on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// In that of their paths, for results that do not depend on who named them how.
    #[default]
    ByPath,
    /// As they are named.
    AsNamed,
}

/// How units are compiled.
#[derive(Clone, Debug, Default)]
pub struct Compiling {
    /// Flags for all units, behind their own.
    pub flags: Vec<String>,
    /// The clang; none for clang-19 if it is there, else the newest found.
    pub clang: Option<PathBuf>,
    /// Lets compilers write files and start programs: for a clang that is a script of the user.
    pub unconfined: bool,
}

/// What is kept from run to run, and where.
#[derive(Clone, Debug, Default)]
pub struct StoreChoice {
    /// The directory; none for that of the database if it was captured, else `.indict`.
    pub dir: Option<PathBuf>,
    /// Compiles everything anew and keeps nothing.
    pub forget: bool,
}

/// Which settings of a project count.
#[derive(Clone, Debug, Default)]
pub struct SettingsChoice {
    /// The file.
    pub file: SettingsFile,
    /// Further files that say what functions do which cannot be analyzed.
    pub models: Vec<PathBuf>,
}

/// The file with the settings of a project.
#[derive(Clone, Debug, Default)]
pub enum SettingsFile {
    /// `indict.toml` in the working directory, or in the nearest directory above it that belongs to the same
    /// repository.
    #[default]
    Find,
    /// This one.
    Named(PathBuf),
    /// None: for who reads programs and does not analyze them.
    Ignore,
}

/// How thoroughly functions are analyzed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    /// How often a path may go round a loop; none for what the project says, or else the default.
    pub unroll: Option<u32>,
    /// How many paths of a function are followed at the same time, at least one; none for what the project
    /// says, or else the default.
    pub width: Option<usize>,
    /// Whether each function is analyzed without a look into those that it calls.
    pub intraprocedural: bool,
}

/// What is shown of findings.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// Only these kinds; empty for what the project says, or else all but those on request.
    pub only: BTreeSet<Choice>,
    /// Not these kinds.
    pub skip: BTreeSet<Choice>,
    /// Errors, too, that need a caller who makes their condition true.
    pub latent: bool,
    /// No errors that rest on what functions return that nobody knows.
    pub no_unknown: bool,
}
