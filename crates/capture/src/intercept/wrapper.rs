//! This executable in the place of a compiler, archiver or linker of a build.
//!
//! Laws: the build sees the output and the status of the real tool, whatever happens to us; the real tool sees the environment
//! that it would see without us; what the tool starts itself is not looked at (ccache and its compiler are one command).

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

use crate::command;
use crate::front_end::FrontEnd;
use crate::intercept::preload::{self, TRIAL};
use crate::intercept::session::{CAPTURE, Event, PRELOAD, PROGRAM, Session, TOOLS, WRAPPER};
use crate::intercept::{generated, shims};
use crate::response;

/// The status that shells use for a program that cannot be started.
const CANNOT_START: u8 = 127;

/// Acts as the tool of a build if this process was started as one. The first thing that `main` calls.
///
/// Returns what to end with, or `None` if this process is what it seems to be.
pub fn act() -> Option<ExitCode> {
    let mut words = std::env::args_os();
    let name = words.next()?;
    let args: Vec<OsString> = words.collect();
    let program = std::env::var_os(PROGRAM).map(PathBuf::from).or_else(|| shims::real_program(&name))?;
    let Some(session) = Session::current() else { return Some(replace(&program, &name, &args)) };
    if args.first().is_some_and(|arg| arg == TRIAL) {
        let tried = std::fs::write(session.trial_file(), b"");
        return Some(if tried.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    Some(observe(&session, &program, &name, &args))
}

/// Becomes the tool: outside of a session there is nothing to observe.
fn replace(program: &Path, name: &OsStr, args: &[OsString]) -> ExitCode {
    cannot_start(program, &real_command(program, name, args).exec())
}

fn observe(session: &Session, program: &Path, name: &OsStr, args: &[OsString]) -> ExitCode {
    // Response files are often deleted by the tool's caller, and sometimes by the tool.
    let event = event(program, name, args);
    let status = match real_command(program, name, args).status() {
        Ok(status) => status,
        Err(error) => return cannot_start(program, &error),
    };
    if let Some(event) = event {
        write_down(session, Event { succeeded: status.success(), ..event });
    }
    ExitCode::from(shell_status(status))
}

/// What will have happened when the tool has succeeded.
fn event(program: &Path, name: &OsStr, args: &[OsString]) -> Option<Event> {
    let dir = std::env::current_dir().ok()?;
    // The name by which the tool was called decides what it is; where it is decides which one.
    let called = Path::new(name).file_name() == program.file_name();
    let first = if called { program.as_os_str() } else { name };
    let args: Vec<String> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let mut words = vec![first.to_string_lossy().into_owned()];
    words.extend(response::expand_response_files(&args, &dir));
    Some(Event { words, dir, succeeded: true })
}

/// Records an event if it matters. Failing to do so must not fail the build.
fn write_down(session: &Session, event: Event) {
    let understood = command::understand(&event.words, &event.dir, &session.settings.compilers);
    if understood.is_nothing() {
        return;
    }
    if let Err(error) = session.record(&event) {
        complain(&format!("a command of the build was not recorded: {error}"));
    }
    let Ok(began) = session.began() else { return };
    if !event.succeeded {
        return;
    }
    let front_end = FrontEnd::new(session.settings.clang.as_deref(), Some(&session.settings.cache));
    for compilation in understood.compilations.iter().filter(|it| !command::is_probe(it)) {
        let Some(mut unit) = compilation.unit() else { continue };
        unit.add_flags(&session.settings.flags);
        if generated::may_vanish(&unit, began) {
            // What is wrong with the unit is told when it is needed.
            let _ = front_end.keep(&unit);
        }
    }
}

/// The tool with the environment that it would have without us.
fn real_command(program: &Path, name: &OsStr, args: &[OsString]) -> Command {
    let mut command = Command::new(program);
    // GCC looks for its parts beside the path by which it is called.
    let is_link = shims::is_ours(Path::new(name));
    command.arg0(if is_link { program.as_os_str() } else { name }).args(args);
    for variable in [CAPTURE, WRAPPER, TOOLS, PROGRAM] {
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
    eprintln!("indict: {message}");
}
