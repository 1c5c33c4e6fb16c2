//! Running a child process that cannot hang us, flood us, wait for our keyboard, or do more than it needs
//! (`sandbox`).
//!
//! Departures: budgets elsewhere count steps; a foreign process can only be given a wall clock.

use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use base::limits;
use wait4::Wait4;

use crate::sandbox::{self, Confinement};

/// What a finished process left behind.
pub(crate) struct Finished {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    /// The first part of it, up to [`limits::CLANG_MESSAGE_BYTES`].
    pub(crate) stderr: Vec<u8>,
    /// User and system time of the process and its own children.
    pub(crate) cpu: Duration,
}

/// Why a process did not finish by itself.
#[derive(Debug)]
pub(crate) enum Stopped {
    Io(io::Error),
    TooMuchOutput,
    TimedOut,
    /// It waits for something, and not for the processor.
    Stalled,
}

/// Runs `command` to its end, at most for `limit`, with no input and no more rights than it needs.
///
/// The child dies with the calling thread.
pub(crate) fn run(
    command: &mut Command,
    confinement: &Confinement<'_>,
    limit: Duration,
) -> Result<Finished, Stopped> {
    let deadline = Instant::now() + limit;
    sandbox::confine(command, confinement).map_err(Stopped::Io)?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(Stopped::Io)?;
    let stdout = child.stdout.take().expect("invariant: stdout is piped");
    let stderr = child.stderr.take().expect("invariant: stderr is piped");
    let stdout = drain(stdout, limits::FILE_BYTES, Excess::Stop);
    let stderr = drain(stderr, limits::CLANG_MESSAGE_BYTES, Excess::Discard);
    let mut watch = Watch { child: child.id(), deadline, cpu: None };
    let output = watch.receive(&stdout).and_then(|stdout| Ok((stdout, watch.receive(&stderr)?)));
    let (stdout, stderr) = match output {
        Ok(both) => both,
        Err(stopped) => {
            // The child may have ended meanwhile; either way nothing of it is left behind.
            let _ = child.kill();
            let _ = child.wait();
            return Err(stopped);
        }
    };
    let ended = child.wait4().map_err(Stopped::Io)?;
    Ok(Finished { status: ended.status, stdout, stderr, cpu: ended.rusage.utime + ended.rusage.stime })
}

/// What to do with bytes beyond the limit.
#[derive(Clone, Copy)]
enum Excess {
    Stop,
    Discard,
}

/// Reads a pipe on a thread of its own, because two pipes read in turn can block each other, and
/// because a read cannot be interrupted when the time is over. The thread ends with the pipe.
fn drain(
    mut pipe: impl Read + Send + 'static,
    limit: u64,
    excess: Excess,
) -> Receiver<Result<Vec<u8>, Stopped>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let result = match pipe.by_ref().take(limit).read_to_end(&mut bytes) {
            Err(error) => Err(Stopped::Io(error)),
            Ok(_) => match (excess, skip_rest(&mut pipe, excess)) {
                (_, Err(error)) => Err(Stopped::Io(error)),
                (Excess::Stop, Ok(1..)) => Err(Stopped::TooMuchOutput),
                (_, Ok(_)) => Ok(bytes),
            },
        };
        // The receiver is gone when the time was over first.
        let _ = sender.send(result);
    });
    receiver
}

/// How many bytes are left in the pipe: all of them are read, or just the first is looked at.
fn skip_rest(pipe: &mut impl Read, excess: Excess) -> io::Result<u64> {
    match excess {
        Excess::Discard => io::copy(pipe, &mut io::sink()),
        Excess::Stop => io::copy(&mut pipe.take(1), &mut io::sink()),
    }
}

/// Looks on while a child works.
struct Watch {
    child: u32,
    deadline: Instant,
    /// The processor time that it had taken when we last looked.
    cpu: Option<u64>,
}

impl Watch {
    fn receive(&mut self, receiver: &Receiver<Result<Vec<u8>, Stopped>>) -> Result<Vec<u8>, Stopped> {
        loop {
            let left = self.deadline.saturating_duration_since(Instant::now());
            match receiver.recv_timeout(left.min(limits::STALL_TIME)) {
                Ok(result) => return result,
                Err(_) if left <= limits::STALL_TIME => return Err(Stopped::TimedOut),
                Err(_) => {}
            }
            let before = std::mem::replace(&mut self.cpu, ticks(self.child));
            if before.is_some() && before == self.cpu {
                return Err(Stopped::Stalled);
            }
        }
    }
}

/// The processor time of a process, in ticks (fields 14 and 15 of `proc_pid_stat(5)`, behind the name in brackets).
fn ticks(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<u64>().ok();
    Some(next()? + next()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::Sandbox;

    fn shell(script: &str, limit: Duration) -> Result<Finished, Stopped> {
        let program = std::fs::canonicalize("/bin/sh").unwrap();
        let confinement = Confinement {
            sandbox: Sandbox::Off,
            program: &program,
            starts_others: true,
            writes: None,
            seconds: 60,
        };
        run(Command::new("sh").args(["-c", script]), &confinement, limit)
    }

    #[test]
    fn both_pipes_and_the_status_arrive() {
        let finished = shell("echo out; echo err >&2; exit 3", Duration::from_secs(60)).unwrap();
        assert_eq!(finished.stdout, b"out\n");
        assert_eq!(finished.stderr, b"err\n");
        assert_eq!(finished.status.code(), Some(3));
    }

    #[test]
    fn a_child_that_waits_for_input_gets_none() {
        let finished = shell("cat; echo done", Duration::from_secs(60)).unwrap();
        assert_eq!(finished.stdout, b"done\n");
    }

    #[test]
    fn a_child_that_hangs_is_stopped() {
        let stopped = shell("exec sleep 1000", Duration::from_millis(100));
        assert!(matches!(stopped, Err(Stopped::TimedOut)));
    }

    #[test]
    fn a_flood_of_messages_is_cut() {
        let script = "head -c 3000000 /dev/zero >&2; echo fine";
        let finished = shell(script, Duration::from_secs(60)).unwrap();
        assert_eq!(finished.stderr.len() as u64, limits::CLANG_MESSAGE_BYTES);
        assert_eq!(finished.stdout, b"fine\n");
    }

    #[test]
    fn cpu_time_is_that_of_the_child() {
        let script = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let busy = shell(script, Duration::from_secs(60)).unwrap();
        let idle = shell("sleep 0.2", Duration::from_secs(60)).unwrap();
        assert!(busy.cpu > Duration::from_millis(20), "{:?}", busy.cpu);
        assert!(idle.cpu < busy.cpu, "{:?} < {:?}", idle.cpu, busy.cpu);
    }
}
