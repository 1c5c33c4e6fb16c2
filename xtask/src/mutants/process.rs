//! A suite as a process, with a limit of time.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, kill_process_group};

/// How often a process is asked whether it has ended.
const PAUSE: Duration = Duration::from_millis(20);

/// A process that has ended, or was ended.
pub(crate) struct Ended {
    /// None: it took too long.
    pub(crate) status: Option<ExitStatus>,
    /// What it said, on both outputs.
    pub(crate) said: String,
    pub(crate) took: Duration,
}

impl Ended {
    pub(crate) fn is_success(&self) -> bool {
        self.status.is_some_and(|it| it.success())
    }
}

/// Runs a command to its end. What it says goes to the file.
pub(crate) fn run(command: &mut Command, limit: Duration, log: &Path) -> Result<Ended> {
    let file = File::create(log).with_context(|| format!("while making {}", log.display()))?;
    command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file).process_group(0);
    let begun = Instant::now();
    let mut child = command.spawn().with_context(|| format!("while running {:?}", command.get_program()))?;
    let status = wait(&mut child, begun + limit)?;
    let said = String::from_utf8_lossy(&fs::read(log)?).into_owned();
    Ok(Ended { status, said, took: begun.elapsed() })
}

/// Waits for the end of a process; after the deadline it is killed with all its children.
fn wait(child: &mut Child, deadline: Instant) -> Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            kill_process_group(Pid::from_child(child), Signal::KILL)?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Ended {
        let scratch = tempfile::tempdir().expect("there should be room for temporary files");
        run(Command::new("sh").args(["-c", script]), limit, &scratch.path().join("log"))
            .expect("a shell should run")
    }

    #[test]
    fn what_is_said_on_both_outputs_is_kept() {
        let ended = shell("echo one; echo two >&2; exit 3", Duration::from_secs(20));
        assert_eq!((ended.said.as_str(), ended.is_success()), ("one\ntwo\n", false));
    }

    #[test]
    fn what_takes_too_long_is_ended_with_its_children() {
        let ended = shell("sleep 100 & wait", Duration::from_millis(300));
        assert!(ended.status.is_none() && ended.took < Duration::from_secs(20));
    }
}
