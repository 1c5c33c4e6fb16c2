//! What the processes of an intercepted build share: a directory, named by the environment.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::sandbox::Sandbox;
use crate::secret::Secret;

/// The directory of the session. The preloaded library hands this and the next two on.
pub(crate) const CAPTURE: &str = "INDICT_CAPTURE";

/// The executable that stands in front of the tools.
pub(crate) const WRAPPER: &str = "INDICT_WRAPPER";

/// The names of the tools, separated by colons.
pub(crate) const TOOLS: &str = "INDICT_TOOLS";

/// The tool that was meant, set by the preloaded library for [`WRAPPER`].
pub(crate) const PROGRAM: &str = "INDICT_PROGRAM";

/// A tool that is started as it is, though what it starts is watched; for the preloaded library.
pub(crate) const SKIP: &str = "INDICT_SKIP";

/// The mark of the call around this one, if it is watched inside.
pub(crate) const OUTER: &str = "INDICT_OUTER";

/// The search path of preloaded libraries, whose separators are spaces and colons.
pub(crate) const PRELOAD: &str = "LD_PRELOAD";

/// The file with what the wrappers must know.
const SETTINGS: &str = "settings.json";

/// Whether this process belongs to a build that is being captured.
pub fn is_captured() -> bool {
    std::env::var_os(CAPTURE).is_some()
}

/// A session, as its processes see it.
pub(crate) struct Session {
    dir: PathBuf,
    /// What the wrappers must know.
    pub(crate) settings: Settings,
}

/// What the wrappers must know.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Settings {
    /// Where bitcode is kept, and the secret by which it is believed.
    pub(crate) cache: PathBuf,
    pub(crate) secret: Secret,
    /// Whether compilers are confined.
    pub(crate) sandbox: Sandbox,
    /// The clang that the user named.
    pub(crate) clang: Option<PathBuf>,
    /// Flags of the user for all units.
    pub(crate) flags: Vec<String>,
    /// Programs that are compilers though their names do not say so.
    pub(crate) compilers: Vec<String>,
    /// Whether all units are compiled while the build runs.
    pub(crate) eager: bool,
}

/// A tool that ran.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Event {
    /// All words of the command, with response files expanded.
    pub(crate) words: Vec<String>,
    /// The absolute directory in which it ran.
    pub(crate) dir: PathBuf,
    /// Whether it succeeded.
    pub(crate) succeeded: bool,
    /// If not: the objects that it made nevertheless.
    pub(crate) compiled: Vec<PathBuf>,
}

impl Session {
    /// Begins a session in an empty directory.
    pub(crate) fn begin(dir: &Path, settings: Settings) -> io::Result<Session> {
        let session = Session { dir: dir.to_owned(), settings };
        fs::write(session.settings_file(), serde_json::to_vec(&session.settings)?)?;
        File::create(session.events_file())?;
        Ok(session)
    }

    /// The session that this process belongs to, if any.
    pub(crate) fn current() -> Option<Session> {
        let dir = PathBuf::from(std::env::var_os(CAPTURE)?);
        let settings = serde_json::from_slice(&fs::read(dir.join(SETTINGS)).ok()?).ok()?;
        Some(Session { dir, settings })
    }

    /// Its directory.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// When it began, by the clock of the file system, which is what the times of files are compared with.
    pub(crate) fn began(&self) -> io::Result<SystemTime> {
        fs::metadata(self.settings_file())?.modified()
    }

    /// A mark for a call that is watched inside.
    pub(crate) fn mark(&self) -> String {
        format!("inside-{}", std::process::id())
    }

    /// Whether something was recorded inside of the call with that mark; forgets it.
    pub(crate) fn take(&self, mark: &str) -> bool {
        fs::remove_file(self.dir.join(mark)).is_ok()
    }

    /// Adds an event. One write per line, because builds run in parallel.
    pub(crate) fn record(&self, event: &Event) -> io::Result<()> {
        if let Some(mark) = std::env::var_os(OUTER) {
            File::create(self.dir.join(mark))?;
        }
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        OpenOptions::new().append(true).open(self.events_file())?.write_all(&line)
    }

    /// All events, in the order in which the tools ended. A line that a killed wrapper left unfinished is no event.
    pub(crate) fn events(&self) -> io::Result<Vec<Event>> {
        let text = fs::read_to_string(self.events_file())?;
        Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }

    /// What the wrapper leaves if it is called to try whether it is called at all.
    pub(crate) fn trial_file(&self) -> PathBuf {
        self.dir.join("trial")
    }

    fn settings_file(&self) -> PathBuf {
        self.dir.join(SETTINGS)
    }

    fn events_file(&self) -> PathBuf {
        self.dir.join("events.jsonl")
    }
}
