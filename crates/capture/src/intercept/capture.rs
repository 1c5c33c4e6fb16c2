//! Running a build under observation, and what is left of it: a compilation database and the links.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::command::{self, Compilation, Skipped, Understood};
use crate::database::{self, Database};
use crate::error::Error;
use crate::intercept::preload::{self, Preloading};
use crate::intercept::session::{CAPTURE, Session, Settings};
use crate::intercept::shims;
use crate::links::{Artifact, ArtifactKind, Input, Links};
use crate::store_dir;

/// How often we look whether the build has ended or the user wants to stop.
const PULSE: Duration = Duration::from_millis(10);

/// A build to be observed.
#[derive(Debug)]
pub struct Build<'a> {
    /// The command, program first; not empty.
    pub command: &'a [OsString],
    /// How; `None` for the best that works here.
    pub method: Option<Method>,
    /// The directory in which things are kept; it must be writable.
    pub store: &'a Path,
    /// Where bitcode of generated sources is kept.
    pub cache: &'a Path,
    /// The clang for generated sources, absolute: the search path of the build may lead to another one.
    pub clang: Option<&'a Path>,
    /// Flags of the user for all units.
    pub flags: &'a [String],
    /// Programs that are compilers though their names do not say so.
    pub compilers: &'a [String],
}

/// How calls of compilers are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By a preloaded library: all calls, by whatever path.
    Preload,
    /// By wrapper executables first on PATH and in CC and CXX: calls by name.
    Wrappers,
}

/// What a build did.
#[derive(Clone, Debug)]
pub struct Captured {
    /// How the build ended.
    pub ended: Ended,
    /// How it was observed.
    pub method: Method,
    /// What was compiled, in a fixed order.
    pub compilations: Vec<Compilation>,
    /// What was archived and linked.
    pub links: Links,
    /// Sources in other languages.
    pub skipped: Vec<Skipped>,
    /// Compilations by which a configure script tried the compiler.
    pub probes: usize,
    /// Sources whose compilation failed, probes aside.
    pub failed: Vec<PathBuf>,
}

/// How a build ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself.
    Status(ExitStatus),
    /// Because the user wanted to stop.
    Interrupted,
}

/// What was written for later.
#[derive(Debug)]
pub struct Saved {
    /// The compilation database.
    pub database: PathBuf,
    /// Entries of an earlier capture that are still in it.
    pub earlier: usize,
}

/// Runs a build to its end, or until `stop` says so, and tells what it did.
pub fn capture(build: &Build<'_>, stop: impl Fn() -> bool) -> Result<Captured, Error> {
    let place = |source| Error::Session { dir: build.store.to_owned(), source };
    let dir = session_dir(build.store).map_err(place)?;
    let session = Session::begin(dir.path(), build.settings()).map_err(place)?;
    let (method, mut command) = build.prepare(&session).map_err(place)?;
    let program = || PathBuf::from(&build.command[0]);
    let child = command.args(&build.command[1..]).spawn();
    let child = child.map_err(|source| Error::CannotRun { path: program(), source })?;
    let ended = wait(child, stop).map_err(|source| Error::CannotRun { path: program(), source })?;
    let found = Found::by(&session, build.compilers).map_err(place)?;
    Ok(found.finish(ended, method))
}

/// A directory that `LD_PRELOAD` can name: its separators cannot be quoted.
fn session_dir(store: &Path) -> io::Result<TempDir> {
    let store = std::path::absolute(store)?;
    let make = |dir: &Path| tempfile::Builder::new().prefix(store_dir::SESSION).tempdir_in(dir);
    match preload::can_be_named(&store) {
        true => make(&store),
        false => make(&std::env::temp_dir()),
    }
}

impl Build<'_> {
    fn settings(&self) -> Settings {
        Settings {
            // Wrappers run in other directories.
            cache: std::path::absolute(self.cache).unwrap_or_else(|_| self.cache.to_owned()),
            clang: self.clang.map(Path::to_owned),
            flags: self.flags.to_vec(),
            compilers: self.compilers.to_vec(),
        }
    }

    /// The command without its arguments, in an environment in which it is observed.
    fn prepare(&self, session: &Session) -> io::Result<(Method, Command)> {
        if self.method != Some(Method::Wrappers) {
            let preloading = Preloading::install(session, self.compilers)?;
            if self.method == Some(Method::Preload) || preloading.works(session) {
                return Ok((Method::Preload, preloading.command(&self.command[0])));
            }
        }
        Ok((Method::Wrappers, self.with_wrappers(session)?))
    }

    fn with_wrappers(&self, session: &Session) -> io::Result<Command> {
        let dir = std::path::absolute(self.store)?.join("bin");
        shims::install(&dir, self.compilers)?;
        let mut command = Command::new(&self.command[0]);
        command.env(CAPTURE, session.dir()).env("PATH", shims::path_with(&dir)?);
        for variable in ["CC", "CXX"] {
            if let Some(value) = shims::install_named(&dir, variable)? {
                command.env(variable, value);
            }
        }
        Ok(command)
    }
}

/// Waits for the end of the build. An interrupt from a terminal reaches the build by itself; it is told nevertheless, because we
/// may have been stopped in another way.
fn wait(mut child: Child, stop: impl Fn() -> bool) -> io::Result<Ended> {
    let mut told = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(if told || stop() { Ended::Interrupted } else { Ended::Status(status) });
        }
        if !told && stop() {
            told = true;
            let pid = rustix::process::Pid::from_child(&child);
            // It may have ended in this moment.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
        thread::sleep(PULSE);
    }
}

/// What was found so far.
#[derive(Default)]
struct Found {
    /// By object: what was compiled twice counts as it was compiled last.
    compilations: BTreeMap<(PathBuf, PathBuf), Compilation>,
    artifacts: BTreeMap<PathBuf, Artifact>,
    skipped: Vec<Skipped>,
    failed: Vec<PathBuf>,
    probes: usize,
    /// What probes were compiled to.
    tried: BTreeSet<PathBuf>,
}

impl Found {
    /// Reads what the wrappers wrote.
    fn by(session: &Session, compilers: &[String]) -> io::Result<Found> {
        let mut found = Found::default();
        for event in session.events()? {
            let understood = command::understand(&event.words, &event.dir, compilers);
            match event.succeeded {
                true => found.add(understood),
                false => found.add_failed(&understood),
            }
        }
        Ok(found)
    }

    fn add(&mut self, understood: Understood) {
        let is_probe = understood.compilations.iter().any(command::is_probe);
        if is_probe {
            self.probes += understood.compilations.len();
            self.tried.extend(understood.compilations.into_iter().map(|it| it.output));
            return;
        }
        for compilation in understood.compilations {
            let source = compilation.dir.join(&compilation.file);
            self.failed.retain(|failed| *failed != source);
            self.compilations.insert((source, compilation.output.clone()), compilation);
        }
        if let Some(artifact) = understood.artifact {
            self.add_artifact(artifact);
        }
        self.skipped.extend(understood.skipped);
    }

    fn add_failed(&mut self, understood: &Understood) {
        let sources = understood.compilations.iter().filter(|it| !command::is_probe(it));
        self.failed.extend(sources.map(|it| it.dir.join(&it.file)));
    }

    /// An archive may be filled by several commands; everything else is written anew.
    fn add_artifact(&mut self, artifact: Artifact) {
        let is_tried = |input: &Input| matches!(input, Input::File { path, .. } if self.tried.contains(path));
        if artifact.inputs.iter().any(is_tried) {
            return;
        }
        match self.artifacts.get_mut(&artifact.path) {
            Some(known) if known.kind == ArtifactKind::Archive && artifact.kind == ArtifactKind::Archive => {
                let new: Vec<_> =
                    artifact.inputs.into_iter().filter(|it| !known.inputs.contains(it)).collect();
                known.inputs.extend(new);
            }
            _ => _ = self.artifacts.insert(artifact.path.clone(), artifact),
        }
    }

    fn finish(mut self, ended: Ended, method: Method) -> Captured {
        self.failed.sort();
        self.failed.dedup();
        self.skipped.sort();
        self.skipped.dedup();
        Captured {
            ended,
            method,
            compilations: self.compilations.into_values().collect(),
            links: Links::settled(self.artifacts),
            skipped: self.skipped,
            probes: self.probes,
            failed: self.failed,
        }
    }
}

impl Captured {
    /// Writes the compilation database and the links to `dir`, in addition to what is there already if `append` is set.
    pub fn save(&self, dir: &Path, append: bool) -> Result<Saved, Error> {
        let database = dir.join(database::FILE_NAME);
        let mut compilations = self.compilations.clone();
        let mut links = self.links.clone();
        if append && database.exists() {
            compilations.extend(self.earlier(Database::compilations(&database)?));
            let known: Vec<PathBuf> = links.artifacts.iter().map(|it| it.path.clone()).collect();
            let earlier = Links::load(dir).artifacts.into_iter();
            links.artifacts.extend(earlier.filter(|it| !known.contains(&it.path)));
        }
        let earlier = compilations.len() - self.compilations.len();
        compilations.sort();
        links.artifacts.sort_by(|a, b| a.path.cmp(&b.path));
        Database::write(&database, &compilations)?;
        links.save(dir)?;
        Ok(Saved { database, earlier })
    }

    /// Those of an earlier capture that were not compiled again.
    fn earlier(&self, compilations: Vec<Compilation>) -> impl Iterator<Item = Compilation> {
        let again: BTreeSet<(PathBuf, PathBuf)> =
            self.compilations.iter().map(|it| (it.dir.join(&it.file), it.output.clone())).collect();
        compilations
            .into_iter()
            .filter(move |it| !again.contains(&(it.dir.join(&it.file), it.output.clone())))
    }
}
