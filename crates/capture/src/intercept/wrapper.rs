//! This executable in the place of a compiler, archiver or linker of a build.
//!
//! Laws: the build sees the output and the end of the real tool, whatever happens to us; the real tool sees
//! the environment that it would see without us; what a compiler starts itself is not looked at (ccache and
//! its compiler are one command). Scripts with the name of a compiler are watched inside: what counts is the
//! compiler that they call, with the flags that they add, unless the script's name says for which machine it
//! compiles.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::time::SystemTime;

use base::visible;

use crate::command::{self, Understood};
use crate::front_end::FrontEnd;
use crate::intercept::preload::{self, TRIAL};
use crate::intercept::session::{CAPTURE, Event, OUTER, PRELOAD, PROGRAM, SKIP, Session, TOOLS, WRAPPER};
use crate::intercept::{child, generated, shims};
use crate::response;
use crate::toolchain::Trust;

/// The status that shells use for a program that cannot be started.
const CANNOT_START: u8 = 127;

/// Variables by which a build makes its compilers search directories, and the options that do the same.
const SEARCHED: [(&str, &str); 3] =
    [("CPATH", "-I"), ("C_INCLUDE_PATH", "-isystem"), ("CPLUS_INCLUDE_PATH", "-isystem")];

/// Acts as the tool of a build if this process was started as one. The first thing that `main` calls.
///
/// Returns what to end with, or `None` if this process is what it seems to be.
pub fn act() -> Option<ExitCode> {
    let mut words = std::env::args_os();
    let name = words.next()?;
    let args: Vec<OsString> = words.collect();
    let program = std::env::var_os(PROGRAM).map(PathBuf::from).or_else(|| shims::real_program(&name))?;
    let call = Call { program, name, args };
    let Some(session) = Session::current() else { return Some(call.replace()) };
    if call.args.first().is_some_and(|arg| arg == TRIAL) {
        let tried = fs::write(session.trial_file(), b"");
        return Some(if tried.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    Some(call.observe(&session))
}

/// A call of a tool.
struct Call {
    program: PathBuf,
    /// What the caller calls it.
    name: OsString,
    args: Vec<OsString>,
}

impl Call {
    /// Becomes the tool: outside of a session there is nothing to observe.
    fn replace(&self) -> ExitCode {
        cannot_start(&self.program, &self.command().exec())
    }

    fn observe(&self, session: &Session) -> ExitCode {
        // Response files are often deleted by the tool's caller, and sometimes by the tool.
        let event = self.event();
        let understood =
            event.as_ref().map(|it| command::understand(&it.words, &it.dir, &session.settings.compilers));
        let understood = understood.unwrap_or_default();
        let inside = understood.is_nothing() || self.is_script_around_compiler();
        let mark = inside.then(|| session.mark());
        let begun = SystemTime::now();
        let command = match &mark {
            Some(mark) => self.watched_command(mark),
            None => self.command(),
        };
        let status = match child::run(command, &self.program, &self.args) {
            Ok(status) => status,
            Err(error) => return cannot_start(&self.program, &error),
        };
        let was_seen_inside = mark.is_some_and(|mark| session.take(&mark));
        if let Some(event) = event.filter(|_| !was_seen_inside && !understood.is_nothing()) {
            write_down(session, Event { succeeded: status.success(), ..event }, &understood, begun);
        }
        child::end_like(status)
    }

    /// What will have happened when the tool has succeeded.
    fn event(&self) -> Option<Event> {
        let dir = std::env::current_dir().ok()?;
        let first = self.word();
        let args: Vec<String> = self.args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        let mut words = vec![first.clone()];
        words.extend(response::expand_response_files(&args, &dir));
        if command::is_compiler(&first) {
            words.extend(searched(command::is_cxx_driver(&first)));
        }
        Some(Event { words, dir, succeeded: true, compiled: Vec::new() })
    }

    /// The tool as a word of a command line: its name decides what it is, and its path which one it is.
    fn word(&self) -> String {
        let named = Path::new(&self.name).file_name() == self.program.file_name();
        let called = if named { self.program.as_os_str() } else { &self.name };
        let is_known = |path: &Path| {
            path.file_name().and_then(OsStr::to_str).is_some_and(|it| command::is_tool(it, &[]))
        };
        let path = match fs::canonicalize(&self.program) {
            // `hostcc` is a link to `gcc`.
            Ok(target) if !is_known(Path::new(called)) && is_known(&target) => target.into_os_string(),
            _ => called.to_owned(),
        };
        path.to_string_lossy().into_owned()
    }

    /// Whether the program is a script that calls the compiler proper, with what it adds.
    fn is_script_around_compiler(&self) -> bool {
        let mut magic = [0; 4];
        let read = fs::File::open(&self.program).and_then(|mut file| file.read_exact(&mut magic));
        read.is_ok() && magic != *b"\x7fELF" && !command::names_target(&self.program.to_string_lossy())
    }

    /// The tool with the environment that it would have without us.
    fn command(&self) -> Command {
        let mut command = self.bare_command();
        for variable in [CAPTURE, WRAPPER, TOOLS, OUTER] {
            command.env_remove(variable);
        }
        if let Some(libraries) = std::env::var_os(PRELOAD) {
            match preload::without_ours(&libraries.to_string_lossy()) {
                rest if rest.is_empty() => command.env_remove(PRELOAD),
                rest => command.env(PRELOAD, rest),
            };
        }
        if let Some((variable, theirs)) = preload::sanitizer_options_without_ours() {
            match theirs {
                Some(theirs) => command.env(variable, theirs),
                None => command.env_remove(variable),
            };
        }
        if let Some(path) = shims::path_without_ours() {
            command.env("PATH", path);
        }
        command
    }

    /// The tool in a way that what it starts is seen, though it is not itself.
    fn watched_command(&self, mark: &str) -> Command {
        let mut command = self.bare_command();
        command.env(SKIP, &self.program).env(OUTER, mark);
        command
    }

    fn bare_command(&self) -> Command {
        let mut command = Command::new(&self.program);
        // GCC looks for its parts beside the path by which it is called.
        let is_link = shims::is_ours(Path::new(&self.name));
        command.arg0(if is_link { self.program.as_os_str() } else { &self.name }).args(&self.args);
        command.env_remove(PROGRAM).env_remove(SKIP);
        command
    }
}

/// The directories that the environment adds, as options.
fn searched(is_cxx: bool) -> Vec<String> {
    let mut options = Vec::new();
    for (variable, option) in SEARCHED {
        let is_other = if is_cxx { variable == "C_INCLUDE_PATH" } else { variable == "CPLUS_INCLUDE_PATH" };
        let Some(paths) = std::env::var_os(variable).filter(|it| !is_other && !it.is_empty()) else {
            continue;
        };
        for dir in std::env::split_paths(&paths) {
            options.extend([option.to_owned(), dir.to_string_lossy().into_owned()]);
        }
    }
    options
}

/// Records an event. Failing to do so must not fail the build.
fn write_down(session: &Session, mut event: Event, understood: &Understood, begun: SystemTime) {
    if !event.succeeded {
        event.compiled = compiled_nevertheless(understood, begun);
    }
    if let Err(error) = session.record(&event) {
        complain(&format!("a command of the build was not recorded: {error}"));
    }
    let Ok(began) = session.began() else { return };
    let settings = &session.settings;
    let (clang, cache) = (settings.clang.as_deref(), Some(settings.cache.as_path()));
    let front_end =
        FrontEnd::with_secret(clang, cache, Trust::Build, settings.secret).confined(settings.sandbox);
    for compilation in understood.compilations.iter().filter(|it| !command::is_probe(it)) {
        if !event.succeeded && !event.compiled.contains(&compilation.output) {
            continue;
        }
        let Some(mut unit) = compilation.unit() else { continue };
        unit.add_flags(&settings.flags);
        if settings.eager || generated::may_vanish(&unit, began) {
            // What is wrong with the unit is told when it is needed.
            let _ = front_end.keep(&unit);
        }
    }
}

/// The objects that a failed command made all the same. If it also links, it is taken to have failed at that: whether a unit
/// compiles is seen when we compile it.
fn compiled_nevertheless(understood: &Understood, begun: SystemTime) -> Vec<PathBuf> {
    let is_new =
        |path: &Path| fs::metadata(path).and_then(|it| it.modified()).is_ok_and(|time| time >= begun);
    let is_made = |path: &Path| understood.artifact.is_some() || is_new(path);
    understood.compilations.iter().map(|it| it.output.clone()).filter(|output| is_made(output)).collect()
}

/// What shells say of the end of a process: its status, or 128 and the number of the signal that ended it.
pub fn shell_status(status: ExitStatus) -> u8 {
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    u8::try_from(code).unwrap_or(1)
}

fn cannot_start(program: &Path, error: &io::Error) -> ExitCode {
    complain(&format!("cannot start {}: {error}", program.display()));
    ExitCode::from(CANNOT_START)
}

#[expect(clippy::print_stderr, reason = "the only face of a wrapper is the output of the build")]
fn complain(message: &str) {
    eprintln!("indict: {}", visible::line(message));
}
