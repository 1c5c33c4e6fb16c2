//! What the user names: files, a compilation database, or files of a database.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use capture::{Database, Unit};

use crate::paths::Here;

/// Options of all commands that read programs.
#[derive(clap::Args)]
pub(crate) struct Inputs {
    /// C and C++ sources, LLVM bitcode (.bc) or its text form (.ll). With -p, only these units of the database.
    #[arg(value_name = "FILE", required_unless_present_any = ["database", "build"])]
    files: Vec<PathBuf>,

    /// A compilation database: compile_commands.json, or the directory it is in.
    #[arg(short = 'p', long, value_name = "DIR|FILE")]
    database: Option<PathBuf>,

    /// A flag for the compiler, such as --cflag=-DNDEBUG; may be repeated.
    #[arg(long = "cflag", value_name = "FLAG", allow_hyphen_values = true)]
    cflags: Vec<String>,

    /// The clang to compile with, 15 or newer. Without this option: clang-19 if it is there, else the newest found.
    #[arg(long, value_name = "PATH")]
    pub(crate) clang: Option<PathBuf>,

    /// Threads to work with. Without this option: as many as there are processors. The output does not depend on it.
    #[arg(short = 'j', long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Reserved for a build command to intercept.
    #[arg(last = true, hide = true)]
    build: Vec<OsString>,
}

/// The units that the user means.
pub(crate) struct Named {
    /// What can be compiled.
    pub(crate) units: Vec<Unit>,
    /// What cannot, with the reason.
    pub(crate) rejected: Vec<String>,
}

impl Inputs {
    /// Threads to work with.
    pub(crate) fn jobs(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.jobs.map_or_else(processors, NonZeroUsize::get)
    }

    /// Finds the units, in the order in which they were named.
    pub(crate) fn find(&self, here: &Here) -> Result<Named> {
        if !self.build.is_empty() {
            bail!(
                "intercepting a build (`-- {}`) is not supported yet; write a compilation database, for example with \
                 `bear -- {0}`, and name it with -p",
                join(&self.build)
            );
        }
        let mut named = match &self.database {
            None => self.named_files(here),
            Some(path) => self.named_in_database(path, here)?,
        };
        let mut seen = BTreeSet::new();
        named.units.retain(|unit| seen.insert((identity(&unit.path()), unit.args.clone())));
        Ok(named)
    }

    fn named_files(&self, here: &Here) -> Named {
        let mut named = Named { units: Vec::new(), rejected: Vec::new() };
        for result in capture::units_from_files(&self.files, &self.cflags) {
            match result {
                Ok(unit) => named.units.push(unit),
                Err(error) => named.rejected.push(describe(&error, Path::new(""), here)),
            }
        }
        named
    }

    fn named_in_database(&self, path: &Path, here: &Here) -> Result<Named> {
        let database = Database::load(path)?;
        let mut named = Named { units: database.units, rejected: Vec::new() };
        for unit in &mut named.units {
            unit.add_flags(&self.cflags);
        }
        if self.files.is_empty() {
            let rejected = database.rejected.iter().map(|error| describe(error, Path::new(""), here));
            named.rejected.extend(rejected);
        } else {
            self.select(&mut named, path, here);
        }
        Ok(named)
    }

    /// Keeps the units of the named files.
    fn select(&self, named: &mut Named, database: &Path, here: &Here) {
        let known: BTreeSet<PathBuf> = named.units.iter().map(|unit| identity(&unit.path())).collect();
        let (wanted, strange): (Vec<&PathBuf>, Vec<&PathBuf>) =
            self.files.iter().partition(|file| known.contains(&identity(file)));
        for file in strange {
            let file = here.shorten(file);
            named.rejected.push(format!("{file}: is not in the compilation database {}", database.display()));
        }
        let wanted: BTreeSet<PathBuf> = wanted.into_iter().map(|file| identity(file)).collect();
        named.units.retain(|unit| wanted.contains(&identity(&unit.path())));
    }
}

impl Named {
    /// Forgets the order in which the user named things, for output that should not depend on it.
    pub(crate) fn sort(&mut self) {
        self.units.sort_by_cached_key(|unit| (identity(&unit.path()), unit.args.clone()));
        self.rejected.sort();
    }
}

/// The message of an error, with the path of the file as seen from the working directory. `dir` is where the unit is
/// compiled.
pub(crate) fn describe(error: &capture::Error, dir: &Path, here: &Here) -> String {
    let message = error.to_string();
    let rest = |file: &Path| message.strip_prefix(&file.display().to_string()).map(String::from);
    match error.file().and_then(|file| Some((file, rest(file)?))) {
        Some((file, rest)) => format!("{}{rest}", here.shorten(&dir.join(file))),
        None => message,
    }
}

/// The same for all names of one file.
fn identity(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn join(words: &[OsString]) -> String {
    words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
