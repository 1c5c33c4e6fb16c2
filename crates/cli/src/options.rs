//! Options that several commands have, and the request that they make.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use session::{
    BuildRequest, Compiling, Effort, Method, Order, Request, SettingsChoice, SettingsFile, Source,
    StoreChoice,
};

/// Options of all commands that read programs.
#[derive(clap::Args)]
pub(crate) struct Inputs {
    /// C and C++ sources, LLVM bitcode (.bc) or its text form (.ll). With -p, only these units of the
    /// database.
    #[arg(value_name = "FILE", required_unless_present_any = ["database", "build"])]
    files: Vec<PathBuf>,

    /// A compilation database: compile_commands.json, or the directory it is in.
    #[arg(short = 'p', long, value_name = "DIR|FILE", conflicts_with = "build")]
    database: Option<PathBuf>,

    /// A flag for the compiler, such as --cflag=-DNDEBUG; may be repeated.
    #[arg(long = "cflag", value_name = "FLAG", allow_hyphen_values = true)]
    cflags: Vec<String>,

    /// The clang to compile with, 15 or newer. Without this option: clang-19 if it is there, else the newest
    /// found.
    #[arg(long, value_name = "PATH")]
    clang: Option<PathBuf>,

    /// Let compilers write files and start programs, for a clang that is a script of your own. Without this
    /// option they can only read, where the system can enforce it.
    #[arg(long)]
    no_sandbox: bool,

    /// Threads to work with. Without this option: as many as there are processors. The output does not depend
    /// on it.
    #[arg(short = 'j', long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    store: StoreOptions,

    #[command(flatten)]
    building: BuildOptions,

    /// A build command, such as `make -j8`: indict runs it and takes what it compiles. With FILEs, only these.
    #[arg(last = true, value_name = "BUILD")]
    build: Vec<OsString>,
}

/// Options of all commands that keep or reuse something.
#[derive(clap::Args)]
pub(crate) struct StoreOptions {
    /// Where to keep compiled units and captured builds. Without this option: .indict in the working
    /// directory.
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,

    /// Compile everything anew and keep nothing.
    #[arg(long)]
    no_cache: bool,
}

/// Options of all commands that take a build command.
#[derive(clap::Args)]
pub(crate) struct BuildOptions {
    /// Add to what earlier builds compiled, instead of forgetting it.
    #[arg(long)]
    append: bool,

    /// How to see the compilers that a build starts. Without this option: the best that works on this system.
    #[arg(long, value_enum, value_name = "HOW")]
    intercept: Option<Intercept>,

    /// Compile every unit while the build runs, not only those that use generated files; for builds that
    /// change or delete their sources.
    #[arg(long)]
    eager: bool,

    /// The name of a compiler that indict does not recognize; may be repeated.
    #[arg(long = "compiler", value_name = "NAME")]
    compilers: Vec<String>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Intercept {
    /// By a preloaded library, which sees every call.
    Preload,
    /// By wrapper executables first on PATH and in CC and CXX, which see calls by name.
    Wrappers,
}

/// How thorough the analysis is: options of all commands that analyze.
#[derive(clap::Args)]
pub(crate) struct EffortOptions {
    /// How often a path may go around a loop. Without this option: 3.
    #[arg(long, value_name = "N")]
    unroll: Option<u32>,

    /// How many paths of a function to follow at the same time. Of more, the most similar ones are dropped
    /// first. Without this option: 20.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    width: Option<usize>,

    /// Analyze each function alone: a call of a function of the project is skipped, and its result is anything. This is quick and
    /// finds fewer errors, those that a function has without what it calls.
    #[arg(long)]
    intraprocedural: bool,

    #[command(flatten)]
    config: ConfigOptions,
}

/// Options of all commands that analyze.
#[derive(clap::Args)]
struct ConfigOptions {
    /// The project's settings and models. Without this option: indict.toml in the working directory, or in
    /// the nearest directory above it that belongs to the same repository.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// A file that says what functions without a body do, with [[fn]] entries like those of indict.toml; may
    /// be repeated.
    #[arg(long, value_name = "FILE,…", value_delimiter = ',')]
    models: Vec<PathBuf>,
}

impl Inputs {
    /// What is wanted by who only reads a program.
    pub(crate) fn request(&self, order: Order) -> Request {
        let source = match (&self.database, self.build.is_empty()) {
            (Some(database), _) => Source::Database(database.clone()),
            (None, false) => Source::Build(self.building.request(&self.build)),
            (None, true) => Source::Files,
        };
        Request {
            source,
            files: self.files.clone(),
            order,
            compiling: Compiling {
                flags: self.cflags.clone(),
                clang: self.clang.clone(),
                unconfined: self.no_sandbox,
            },
            store: self.store.choice(),
            settings: SettingsChoice { file: SettingsFile::Ignore, models: Vec::new() },
            jobs: self.jobs,
            ..Request::default()
        }
    }
}

impl StoreOptions {
    pub(crate) fn choice(&self) -> StoreChoice {
        StoreChoice { dir: self.store.clone(), forget: self.no_cache }
    }
}

impl BuildOptions {
    pub(crate) fn request(&self, command: &[OsString]) -> BuildRequest {
        BuildRequest {
            command: command.to_vec(),
            append: self.append,
            method: self.intercept.map(|intercept| match intercept {
                Intercept::Preload => Method::Preload,
                Intercept::Wrappers => Method::Wrappers,
            }),
            eager: self.eager,
            compilers: self.compilers.clone(),
        }
    }
}

impl EffortOptions {
    /// What is wanted by who analyzes what `inputs` name.
    pub(crate) fn request(&self, inputs: &Inputs) -> Request {
        let file = self.config.config.clone().map_or(SettingsFile::Find, SettingsFile::Named);
        Request {
            settings: SettingsChoice { file, models: self.config.models.clone() },
            effort: Effort { unroll: self.unroll, width: self.width, intraprocedural: self.intraprocedural },
            ..inputs.request(Order::ByPath)
        }
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("indict must follow at least one path".to_owned()),
        Ok(width) => Ok(width),
        Err(error) => Err(format!("{error}")),
    }
}
