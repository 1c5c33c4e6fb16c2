//! A foreign program with a limit of processor time and memory, and what it cost.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result};
use wait4::Wait4;

/// What a process may take.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Of a processor.
    pub(crate) seconds: u64,
    pub(crate) megabytes: u64,
}

/// A process that ended.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    /// What it wrote to its standard error output.
    pub(crate) messages: String,
    /// Seconds of a processor, with those of its own children.
    pub(crate) cpu: f64,
}

/// Sets the limits given by `$1` and `$2` and becomes the program of the other words. Each child of that has the same limits.
const SCRIPT: &str = "ulimit -c 0; ulimit -t \"$1\"; ulimit -v \"$2\"; shift 2; exec \"$@\"";

/// Runs the words in a directory to the end. What they write goes to files in `scratch`, so that nothing can block.
pub(crate) fn run(words: &[String], dir: &Path, limits: Limits, scratch: &Path) -> Result<Ended> {
    let file = scratch.join("messages");
    let mut command = Command::new("sh");
    command.args(["-c", SCRIPT, "sh"]).arg(limits.seconds.to_string());
    command.arg((limits.megabytes * 1024).to_string()).args(words);
    command.current_dir(dir).env("TMPDIR", scratch).env("LC_ALL", "C");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&file)?);
    let ended = command.spawn().and_then(|mut child| child.wait4());
    let ended = ended.with_context(|| format!("while running {}", words[0]))?;
    Ok(Ended {
        status: ended.status,
        messages: String::from_utf8_lossy(&fs::read(&file)?).into_owned(),
        cpu: (ended.rusage.utime + ended.rusage.stime).as_secs_f64(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Ended {
        let scratch = tempfile::tempdir().unwrap();
        let words = ["sh", "-c", script].map(String::from);
        run(&words, scratch.path(), Limits { seconds: 1, megabytes: 500 }, scratch.path()).unwrap()
    }

    #[test]
    fn messages_and_status_arrive() {
        let ended = shell("echo told >&2; exit 3");
        assert_eq!((ended.messages.as_str(), ended.status.code()), ("told\n", Some(3)));
    }

    #[test]
    fn what_never_ends_is_ended() {
        let ended = shell("while :; do :; done");
        assert!(!ended.status.success());
        assert!(ended.cpu >= 0.9 && ended.cpu < 5.0, "{}", ended.cpu);
    }
}
