//! Running a tool in such a way that nobody notices that we stand between it and its caller.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use crate::intercept::wrapper::shell_status;

/// What the system answers for a script without a first line that names its interpreter; shells then interpret it.
const NO_EXEC: i32 = 8;

/// Signals that our caller sends to what it takes for the tool.
const FORWARDED: [i32; 4] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];

/// Runs a command to its end, and hands on to it what we are told.
pub(crate) fn run(mut command: Command, program: &Path, args: &[OsString]) -> io::Result<ExitStatus> {
    let child = match command.spawn() {
        Err(error) if error.raw_os_error() == Some(NO_EXEC) => by_shell(&command, program, args).spawn(),
        started => started,
    }?;
    wait(child)
}

/// The same environment, interpreted by the shell.
fn by_shell(command: &Command, program: &Path, args: &[OsString]) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell.arg(program).args(args);
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
}

fn wait(mut child: Child) -> io::Result<ExitStatus> {
    let pid = Pid::from_child(&child);
    let Ok(mut signals) = Signals::new(FORWARDED) else { return child.wait() };
    let handle = signals.handle();
    thread::scope(|scope| {
        scope.spawn(move || {
            for signal in signals.forever().filter_map(Signal::from_named_raw) {
                // It may have ended in this moment.
                let _ = kill_process(pid, signal);
            }
        });
        let status = child.wait();
        handle.close();
        status
    })
}

/// Ends as the tool has ended: by the same signal, or with the same status.
pub(crate) fn end_like(status: ExitStatus) -> ExitCode {
    if let Some(signal) = status.signal() {
        // Where that does not end us, the status says it as shells do.
        let _ = low_level::emulate_default_handler(signal);
    }
    ExitCode::from(shell_status(status))
}
