//! The preloaded library: the first choice of interception.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::command;
use crate::intercept::session::{CAPTURE, PRELOAD, Session, TOOLS, WRAPPER};
use crate::store_dir;

/// The library, built by `build.rs` from `preload/preload.c`; empty where there is none.
const LIBRARY_BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/preload.so"));

/// Its file name.
pub(crate) const LIBRARY: &str = "libindict-preload.so";

/// The argument by which a wrapper is asked whether it is there.
pub(crate) const TRIAL: &str = "--indict-trial";

/// A program that AddressSanitizer was built into refuses to run behind another preloaded library, unless it is told not to.
const SANITIZER: (&str, &str) = ("ASAN_OPTIONS", "verify_asan_link_order=0");

/// The library as a file that outlives the build: processes that do would complain for ever if it were gone.
fn lasting_library() -> io::Result<PathBuf> {
    let user = rustix::process::getuid().as_raw();
    let dir = std::env::temp_dir().join(format!("indict-{user}"));
    match fs::DirBuilder::new().mode(0o700).create(&dir) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    // Others must not be able to put another file in its place.
    let found = fs::symlink_metadata(&dir)?;
    if !found.is_dir() || found.uid() != user || found.mode() & 0o022 != 0 {
        return Err(io::Error::other("the directory belongs to somebody else"));
    }
    let digest = blake3::hash(LIBRARY_BYTES).to_hex();
    let file = dir.join(format!("{}-{LIBRARY}", &digest[..16]));
    if fs::read(&file).ok().as_deref() != Some(LIBRARY_BYTES) {
        store_dir::replace_file(&file, LIBRARY_BYTES)?;
    }
    Ok(file)
}

/// The library as a file that goes with the session.
fn passing_library(session: &Session) -> io::Result<PathBuf> {
    let file = session.dir().join(LIBRARY);
    fs::write(&file, LIBRARY_BYTES)?;
    Ok(file)
}

/// The preloaded libraries of the user.
pub(crate) fn without_ours(libraries: &str) -> String {
    let theirs = libraries.split([':', ' ']).filter(|it| !it.is_empty() && !it.ends_with(LIBRARY));
    theirs.collect::<Vec<_>>().join(":")
}

/// The options of sanitizers without ours; `None` if that is all of them.
pub(crate) fn sanitizer_options_without_ours() -> Option<(&'static str, Option<String>)> {
    let options = std::env::var(SANITIZER.0).ok()?;
    let theirs = options.strip_suffix(SANITIZER.1)?.trim_end_matches(':');
    Some((SANITIZER.0, (!theirs.is_empty()).then(|| theirs.to_owned())))
}

/// What a process needs to be observed by the preloaded library.
pub(crate) struct Preloading {
    session: PathBuf,
    libraries: OsString,
    executable: PathBuf,
    tools: String,
}

impl Preloading {
    pub(crate) fn install(session: &Session, compilers: &[String]) -> io::Result<Preloading> {
        let mut libraries = OsString::from(lasting_library().or_else(|_| passing_library(session))?);
        if let Some(theirs) = std::env::var_os(PRELOAD).filter(|it| !it.is_empty()) {
            libraries.push(":");
            libraries.push(theirs);
        }
        let mut tools: Vec<&str> = command::tool_names().collect();
        tools.extend(compilers.iter().map(String::as_str));
        Ok(Preloading {
            session: session.dir().to_owned(),
            libraries,
            executable: std::env::current_exe()?,
            tools: tools.join(":"),
        })
    }

    pub(crate) fn command(&self, program: &OsStr) -> Command {
        let mut command = Command::new(program);
        command.env(CAPTURE, &self.session).env(WRAPPER, &self.executable).env(TOOLS, &self.tools);
        command.env(PRELOAD, &self.libraries);
        let options = match std::env::var(SANITIZER.0) {
            Ok(theirs) if !theirs.is_empty() => format!("{theirs}:{}", SANITIZER.1),
            _ => SANITIZER.1.to_owned(),
        };
        command.env(SANITIZER.0, options);
        command
    }

    /// Tries whether a shell that calls a compiler calls us.
    pub(crate) fn works(&self, session: &Session) -> bool {
        if LIBRARY_BYTES.is_empty() {
            return false;
        }
        let compiler = self.session.join("cc");
        if std::os::unix::fs::symlink("/bin/true", &compiler).is_err() {
            return false;
        }
        let mut shell = self.command(OsStr::new("/bin/sh"));
        shell.args(["-c", "\"$0\" \"$@\""]).arg(&compiler).arg(TRIAL);
        shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        shell.status().is_ok_and(|status| status.success()) && session.trial_file().exists()
    }
}
