//! Running a build under observation, and what is left of it: a compilation database and the links.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::command::{Compilation, Skipped};
use crate::database::{self, Database};
use crate::error::Error;
use crate::family;
use crate::front_end::FrontEnd;
use crate::intercept::found::Found;
use crate::intercept::preload::Preloading;
use crate::intercept::session::{CAPTURE, Session, Settings};
use crate::intercept::shims;
use crate::links::Links;
use crate::sandbox::Sandbox;
use crate::scratch::Scratch;
use crate::secret::Secret;
use crate::store_dir;
use crate::toolchain::Trust;

/// How often we look whether the build has ended or the user wants to stop.
const PULSE: Duration = Duration::from_millis(10);

/// How long a build may take to end when it is told to.
const PATIENCE: Duration = Duration::from_millis(300);

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
    /// Whether all units are compiled while the build runs, not only those that depend on what it makes.
    pub eager: bool,
    /// Whether the clang for generated sources is confined.
    pub sandbox: Sandbox,
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
    /// Entries of an earlier capture that are not.
    pub replaced: usize,
}

/// Runs a build to its end, or until `stop` says so, and tells what it did.
pub fn capture(build: &Build<'_>, stop: impl Fn() -> bool) -> Result<Captured, Error> {
    let place = |source| Error::Session { dir: build.store.to_owned(), source };
    // Not in the tree that is built: a build may begin by deleting all that it does not know.
    let dir = Scratch::new("indict-session-").map_err(place)?;
    let session = Session::begin(dir.path(), build.settings()).map_err(place)?;
    let (method, mut command) = build.prepare(&session).map_err(place)?;
    let program = || PathBuf::from(&build.command[0]);
    family::adopt_orphans(true);
    let child = command.args(&build.command[1..]).spawn();
    let child = child.map_err(|source| Error::CannotRun { path: program(), source })?;
    let ended = wait(child, stop).map_err(|source| Error::CannotRun { path: program(), source });
    family::adopt_orphans(false);
    let ended = ended?;
    let found = Found::by(&session, build.compilers).map_err(place)?;
    Ok(found.finish(ended, method))
}

impl Build<'_> {
    fn settings(&self) -> Settings {
        Settings {
            // Wrappers run in other directories.
            cache: std::path::absolute(self.cache).unwrap_or_else(|_| self.cache.to_owned()),
            secret: Secret::of_user(),
            sandbox: self.sandbox,
            clang: self.clang.map(Path::to_owned),
            flags: self.flags.to_vec(),
            compilers: self.compilers.to_vec(),
            eager: self.eager,
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
        let dir = std::path::absolute(self.store)?.join(store_dir::SHIMS);
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

/// Waits for the end of the build. An interrupt from a terminal reaches the build by itself; all its processes are told nevertheless, because we
/// may have been stopped in another way. Who does not listen is killed.
fn wait(mut child: Child, stop: impl Fn() -> bool) -> io::Result<Ended> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(if stop() { Ended::Interrupted } else { Ended::Status(status) });
        }
        if stop() {
            break;
        }
        thread::sleep(PULSE);
    }
    let deadline = Instant::now() + PATIENCE;
    // The build may have ended in this moment.
    let _ = kill_process(Pid::from_child(&child), Signal::TERM);
    family::tell_all(Signal::TERM);
    while Instant::now() < deadline && (child.try_wait()?.is_none() || family::is_there()) {
        thread::sleep(PULSE);
    }
    let _ = child.kill();
    family::end_all(PULSE);
    child.wait()?;
    Ok(Ended::Interrupted)
}

impl Captured {
    /// Asks the compilers that the build ran about themselves. Now the user's own build vouches for them; later they are names in a file.
    pub fn introduce(&self, clang: Option<&Path>, cache: &Path, sandbox: Sandbox) {
        let front_end = FrontEnd::new(clang, Some(cache), Trust::Build).confined(sandbox);
        self.compilations.iter().filter_map(Compilation::unit).for_each(|unit| front_end.introduce(&unit));
    }

    /// Writes the compilation database and the links to `dir`, in addition to what is there already if `append` is set.
    pub fn save(&self, dir: &Path, append: bool) -> Result<Saved, Error> {
        let database = dir.join(database::FILE_NAME);
        // The build may have deleted it.
        fs::create_dir_all(dir).map_err(|source| Error::Unwritable { path: database.clone(), source })?;
        let mut compilations = self.compilations.clone();
        let mut links = self.links.clone();
        let known = if database.exists() { Database::compilations(&database)? } else { Vec::new() };
        let known: Vec<Compilation> = self.earlier(known).collect();
        let (earlier, replaced) = if append { (known.len(), 0) } else { (0, known.len()) };
        if append {
            compilations.extend(known);
            let again: BTreeSet<PathBuf> = links.artifacts.iter().map(|it| it.path.clone()).collect();
            let earlier = Links::load(dir).artifacts.into_iter();
            links.artifacts.extend(earlier.filter(|it| !again.contains(&it.path)));
        }
        compilations.sort();
        links.artifacts.sort_by(|a, b| a.path.cmp(&b.path));
        Database::write(&database, &compilations)?;
        links.save(dir)?;
        Ok(Saved { database, earlier, replaced })
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
