//! What the user names: files, a compilation database, files of a database, or a build.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use capture::{Database, FrontEnd, InputKind, Links, Sandbox, Trust, Unit};

use crate::build::{BuildOptions, Built};
use crate::paths::Here;
use crate::stop;
use crate::store::{Store, StoreOptions};

/// Options of all commands that read programs.
#[derive(clap::Args)]
pub(crate) struct Inputs {
    /// C and C++ sources, LLVM bitcode (.bc) or its text form (.ll). With -p, only these units of the database.
    #[arg(value_name = "FILE", required_unless_present_any = ["database", "build"])]
    files: Vec<PathBuf>,

    /// A compilation database: compile_commands.json, or the directory it is in.
    #[arg(short = 'p', long, value_name = "DIR|FILE", conflicts_with = "build")]
    database: Option<PathBuf>,

    /// A flag for the compiler, such as --cflag=-DNDEBUG; may be repeated.
    #[arg(long = "cflag", value_name = "FLAG", allow_hyphen_values = true)]
    cflags: Vec<String>,

    /// The clang to compile with, 15 or newer. Without this option: clang-19 if it is there, else the newest found.
    #[arg(long, value_name = "PATH")]
    clang: Option<PathBuf>,

    /// Let compilers write files and start programs: for a clang that is a script of your own. Without this option, they can only
    /// read, where the system allows to enforce it.
    #[arg(long)]
    no_sandbox: bool,

    /// Threads to work with. Without this option: as many as there are processors. The output does not depend on it.
    #[arg(short = 'j', long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    store: StoreOptions,

    #[command(flatten)]
    building: BuildOptions,

    /// A build command, such as `make -j8`: it is run, and what it compiles is taken. With FILEs, only these.
    #[arg(last = true, value_name = "BUILD")]
    build: Vec<OsString>,
}

/// What the user means, and what is needed to work on it.
pub(crate) struct Work {
    /// What can be compiled.
    pub(crate) units: Vec<Unit>,
    /// What cannot.
    pub(crate) rejected: Vec<LeftOut>,
    /// Sources in other languages.
    pub(crate) skipped: Vec<InputKind>,
    /// What the build put together, if it was captured.
    pub(crate) links: Links,
    pub(crate) front_end: FrontEnd,
    /// Threads to work with.
    pub(crate) jobs: usize,
    /// Whether a person should hear what became of the units even if all is well.
    pub(crate) is_project: bool,
    /// Held until the work is done.
    _store: Store,
}

/// An input that is not analyzed.
pub(crate) struct LeftOut {
    /// What is wrong, in full.
    pub(crate) message: String,
    /// The same for all that are wrong in the same way.
    pub(crate) reason: &'static str,
}

impl Inputs {
    /// Finds the units, in the order in which they were named; runs the build if there is one.
    pub(crate) fn prepare(&self, here: &Here) -> Result<Work> {
        let store = self.store.open(self.database.as_deref())?;
        let front_end = FrontEnd::new(self.clang.as_deref(), Some(store.cache()), Trust::SearchPath);
        let front_end = front_end.confined(self.sandbox());
        let built = match self.build.is_empty() {
            true => None,
            false => Some(self.run_build(&store, &front_end)?),
        };
        let mut work = Work {
            units: Vec::new(),
            rejected: Vec::new(),
            skipped: Vec::new(),
            links: Links::default(),
            front_end,
            jobs: self.jobs_or(None),
            is_project: built.is_some() || self.database.is_some(),
            _store: store,
        };
        match (&built, &self.database) {
            (Some(Built { database: Some(database), .. }), _) | (None, Some(database)) => {
                self.add_database(&mut work, database, here)?;
            }
            (Some(_), _) => {}
            (None, None) => self.add_files(&mut work, here),
        }
        work.skipped.extend(built.into_iter().flat_map(|built| built.skipped));
        work.units = merged(work.units);
        Ok(work)
    }

    fn run_build(&self, store: &Store, front_end: &FrontEnd) -> Result<Built> {
        let sandbox = self.sandbox();
        let built = self.building.run(&self.build, store, front_end, (&self.cflags, sandbox))?;
        if stop::is_wanted() {
            bail!(stop::Interrupted);
        }
        Ok(built)
    }

    fn sandbox(&self) -> Sandbox {
        if self.no_sandbox { Sandbox::Off } else { Sandbox::On }
    }

    /// Threads to work with, if the command line leaves it to the project, and the project to the machine.
    pub(crate) fn jobs_or(&self, configured: Option<NonZeroUsize>) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.jobs.or(configured).map_or_else(processors, NonZeroUsize::get)
    }

    /// Whether the user names single files.
    pub(crate) fn names_files(&self) -> bool {
        !self.files.is_empty()
    }

    fn add_files(&self, work: &mut Work, here: &Here) {
        for result in capture::units_from_files(&self.files, &self.cflags) {
            match result {
                Ok(unit) => work.units.push(unit),
                Err(error) => work.rejected.push(LeftOut::of(&error, Path::new(""), here)),
            }
        }
    }

    fn add_database(&self, work: &mut Work, path: &Path, here: &Here) -> Result<()> {
        let database = Database::load(path)?;
        work.links = Links::load(if path.is_dir() { path } else { path.parent().unwrap_or(path) });
        work.units = database.units;
        for unit in work.units.iter_mut() {
            unit.add_flags(&self.cflags);
        }
        let mut kept = BTreeSet::new();
        for mut unit in database.gone {
            unit.add_flags(&self.cflags);
            // The build made this file and deleted it again, but not before we had compiled it.
            if work.front_end.kept(&unit).is_some() {
                kept.insert(unit.path());
                work.units.push(unit);
            }
        }
        let missing =
            database.rejected.iter().filter(|error| !error.file().is_some_and(|file| kept.contains(file)));
        work.rejected.extend(missing.map(|error| LeftOut::of(error, Path::new(""), here)));
        if !self.files.is_empty() {
            self.select(work, path, here);
        }
        Ok(())
    }

    /// Keeps the units of the named files.
    fn select(&self, work: &mut Work, database: &Path, here: &Here) {
        let known: BTreeSet<PathBuf> = work.units.iter().map(|unit| identity(&unit.path())).collect();
        let (wanted, strange): (Vec<&PathBuf>, Vec<&PathBuf>) =
            self.files.iter().partition(|file| known.contains(&identity(file)));
        // What is wrong with others is of no interest now.
        work.rejected.clear();
        work.rejected.extend(strange.into_iter().map(|file| LeftOut {
            message: format!(
                "{}: is not in the compilation database {}",
                here.shorten(file),
                database.display()
            ),
            reason: "not in the compilation database",
        }));
        let wanted: BTreeSet<PathBuf> = wanted.into_iter().map(|file| identity(file)).collect();
        work.units.retain(|unit| wanted.contains(&identity(&unit.path())));
    }
}

impl Work {
    /// Forgets the order in which the user named things, for output that should not depend on it.
    pub(crate) fn sort(&mut self) {
        self.units.sort_by_cached_key(|unit| (identity(&unit.path()), unit.args.clone()));
        self.rejected.sort_by(|a, b| a.message.cmp(&b.message));
    }
}

impl LeftOut {
    /// With the path of the file as seen from the working directory. `dir` is where the unit is compiled.
    pub(crate) fn of(error: &capture::Error, dir: &Path, here: &Here) -> LeftOut {
        let message = error.to_string();
        let rest = |file: &Path| message.strip_prefix(&file.display().to_string()).map(String::from);
        let message = match error.file().and_then(|file| Some((file, rest(file)?))) {
            Some((file, rest)) => format!("{}{rest}", here.shorten(&dir.join(file))),
            None => message,
        };
        LeftOut { message, reason: error.reason() }
    }
}

/// Makes units one that are the same file with the same flags, under other names or by other compilers.
fn merged(units: Vec<Unit>) -> Vec<Unit> {
    let mut places = BTreeMap::new();
    let mut merged: Vec<Unit> = Vec::new();
    for unit in units {
        let place = *places.entry((identity(&unit.path()), unit.args.clone())).or_insert(merged.len());
        match merged.get_mut(place) {
            Some(known) => {
                known.outputs.extend(unit.outputs);
                known.left_out.extend(unit.left_out);
            }
            None => merged.push(unit),
        }
    }
    merged
}

/// The same for all names of one file.
fn identity(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
