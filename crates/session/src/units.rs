//! From what the user names (files, a compilation database, files of a database, or a build) to units that
//! can be compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;
use capture::{Database, FrontEnd, InputKind, Links, Sandbox, Trust, Unit};

use crate::build::{Building, Built};
use crate::paths::Here;
use crate::request::{BuildRequest, Request, Source};
use crate::store::Store;
use crate::watch::Watch;

/// The units, and what is needed to compile them.
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

impl Work {
    /// Finds the units, in the order in which they were named; runs the build if there is one.
    pub(crate) fn find(request: &Request, here: &Here, watch: &Watch<'_>) -> Result<Work> {
        let named = match &request.source {
            Source::Database(database) => Some(database),
            Source::Files | Source::Build(_) => None,
        };
        let store = Store::open(&request.store, named.map(PathBuf::as_path), watch)?;
        let clang = request.compiling.clang.as_deref();
        let front_end = FrontEnd::new(clang, Some(store.cache()), Trust::SearchPath);
        let front_end = front_end.confined(sandbox(request));
        let built = match &request.source {
            Source::Build(build) => Some(run(build, request, (&store, &front_end), watch)?),
            Source::Files | Source::Database(_) => None,
        };
        let mut work = Work {
            units: Vec::new(),
            rejected: Vec::new(),
            skipped: Vec::new(),
            links: Links::default(),
            front_end,
            is_project: built.is_some() || named.is_some(),
            _store: store,
        };
        match (&built, named) {
            (Some(Built { database: Some(database), .. }), _) | (None, Some(database)) => {
                work.add_database(request, database, here)?;
            }
            (Some(_), _) => {}
            (None, None) => work.add_files(request, here),
        }
        work.skipped.extend(built.into_iter().flat_map(|built| built.skipped));
        work.units = merged(work.units);
        Ok(work)
    }

    fn add_files(&mut self, request: &Request, here: &Here) {
        for result in capture::units_from_files(&request.files, &request.compiling.flags) {
            match result {
                Ok(unit) => self.units.push(unit),
                Err(error) => self.rejected.push(LeftOut::of(&error, Path::new(""), here)),
            }
        }
    }

    fn add_database(&mut self, request: &Request, path: &Path, here: &Here) -> Result<()> {
        let flags = &request.compiling.flags;
        let database = Database::load(path)?;
        self.links = Links::load(if path.is_dir() { path } else { path.parent().unwrap_or(path) });
        self.units = database.units;
        for unit in self.units.iter_mut() {
            unit.add_flags(flags);
        }
        let mut kept = BTreeSet::new();
        for mut unit in database.gone {
            unit.add_flags(flags);
            // The build made this file and deleted it again, but not before we had compiled it.
            if self.front_end.kept(&unit).is_some() {
                kept.insert(unit.path());
                self.units.push(unit);
            }
        }
        let missing =
            database.rejected.iter().filter(|error| !error.file().is_some_and(|file| kept.contains(file)));
        self.rejected.extend(missing.map(|error| LeftOut::of(error, Path::new(""), here)));
        if !request.files.is_empty() {
            self.select(&request.files, path, here);
        }
        Ok(())
    }

    /// Keeps the units of the named files.
    fn select(&mut self, files: &[PathBuf], database: &Path, here: &Here) {
        let known: BTreeSet<PathBuf> = self.units.iter().map(|unit| identity(&unit.path())).collect();
        let (wanted, strange): (Vec<&PathBuf>, Vec<&PathBuf>) =
            files.iter().partition(|file| known.contains(&identity(file)));
        // What is wrong with others is of no interest now.
        self.rejected.clear();
        self.rejected.extend(strange.into_iter().map(|file| LeftOut {
            message: format!(
                "{}: is not in the compilation database {}",
                here.shorten(file),
                database.display()
            ),
            reason: "not in the compilation database",
        }));
        let wanted: BTreeSet<PathBuf> = wanted.into_iter().map(|file| identity(file)).collect();
        self.units.retain(|unit| wanted.contains(&identity(&unit.path())));
    }

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

fn run(
    build: &BuildRequest,
    request: &Request,
    (store, front_end): (&Store, &FrontEnd),
    watch: &Watch<'_>,
) -> Result<Built> {
    let flags = &request.compiling.flags;
    let building = Building { request: build, store, front_end, flags, sandbox: sandbox(request) };
    let built = building.run(watch)?;
    watch.cancel().check()?;
    Ok(built)
}

fn sandbox(request: &Request) -> Sandbox {
    if request.compiling.unconfined { Sandbox::Off } else { Sandbox::On }
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
