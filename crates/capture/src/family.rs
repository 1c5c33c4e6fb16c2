//! The processes that we have started, and those that they have started: who is stopped leaves none of them
//! behind.
//!
//! Found in `/proc`, by their parents. A process whose parent has ended becomes ours ([`adopt_orphans`]), so
//! that it is found, too. What has begun a session of its own is a service that is meant to outlive its
//! starter (a compiler cache, a build server), and is let be. No process group is made for a build: it would
//! lose the terminal.
//! Not covered: systems without `/proc`; there only the build itself is told.

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpid, kill_process};

/// How often we look whether all have ended.
const PULSE: Duration = Duration::from_millis(5);

/// A process, as the system describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Process {
    pid: i32,
    parent: i32,
    session: i32,
    /// Whether it only waits for its parent to take note of its end.
    has_ended: bool,
}

/// Lets those be ours whose parents end. What cannot be found later cannot be ended; nothing else depends on it.
pub(crate) fn adopt_orphans(wanted: bool) {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(wanted.then(getpid));
    #[cfg(not(target_os = "linux"))]
    let _ = wanted;
}

/// Sends a signal to all; says whether there was any.
pub(crate) fn tell_all(signal: Signal) -> bool {
    let all = descendants(getpid().as_raw_nonzero().get(), &running());
    for pid in all.iter().filter_map(|&pid| Pid::from_raw(pid)) {
        // It may have ended in this moment.
        let _ = kill_process(pid, signal);
    }
    !all.is_empty()
}

/// Whether there is any.
pub(crate) fn is_there() -> bool {
    !descendants(getpid().as_raw_nonzero().get(), &running()).is_empty()
}

/// Ends all processes that were started by this one, directly or not, and waits until they are gone, at most for `limit`.
pub fn end_all(limit: Duration) {
    let deadline = Instant::now() + limit;
    while tell_all(Signal::KILL) && Instant::now() < deadline {
        thread::sleep(PULSE);
    }
}

fn running() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name());
    let pids = names.filter_map(|name| name.to_str()?.parse::<i32>().ok());
    pids.filter_map(|pid| Process::parse(pid, &fs::read_to_string(format!("/proc/{pid}/stat")).ok()?))
        .collect()
}

/// Those that descend from a process and are of its session.
fn descendants(root: i32, all: &[Process]) -> Vec<i32> {
    let Some(session) = all.iter().find(|it| it.pid == root).map(|it| it.session) else { return Vec::new() };
    let mut children: BTreeMap<i32, Vec<&Process>> = BTreeMap::new();
    for process in all.iter().filter(|it| it.pid != root) {
        children.entry(process.parent).or_default().push(process);
    }
    let (mut found, mut todo) = (Vec::new(), vec![root]);
    while let Some(parent) = todo.pop() {
        for child in children.remove(&parent).unwrap_or_default() {
            if child.session == session && !child.has_ended {
                found.push(child.pid);
            }
            todo.push(child.pid);
        }
    }
    found
}

impl Process {
    /// Reads `/proc/PID/stat`: number, name in parentheses (which may contain any character), state, parent, group, session.
    fn parse(pid: i32, stat: &str) -> Option<Process> {
        let (_, rest) = stat.rsplit_once(')')?;
        let mut fields = rest.split_ascii_whitespace();
        let has_ended = matches!(fields.next()?, "Z" | "X");
        let parent = fields.next()?.parse().ok()?;
        let session = fields.nth(1)?.parse().ok()?;
        Some(Process { pid, parent, session, has_ended })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: i32, parent: i32, session: i32) -> Process {
        Process { pid, parent, session, has_ended: false }
    }

    #[test]
    fn names_may_contain_anything() {
        let stat = "17 (a) b (c) S 4 17 9 0 -1 4194560 1 0";
        assert_eq!(Process::parse(17, stat), Some(process(17, 4, 9)));
        let zombie = Process { has_ended: true, ..process(5, 1, 5) };
        assert_eq!(Process::parse(5, "5 (sh) Z 1 5 5 0"), Some(zombie));
        assert_eq!(Process::parse(5, "5 (sh"), None);
    }

    #[test]
    fn services_are_let_be_and_what_they_start_too() {
        let zombie = Process { has_ended: true, ..process(13, 10, 7) };
        let all = [
            process(7, 1, 7),
            process(10, 7, 7),
            process(11, 10, 7),
            process(12, 10, 12),
            process(14, 12, 12),
            process(8, 1, 7),
            zombie,
        ];
        let mut found = descendants(7, &all);
        found.sort_unstable();
        assert_eq!(found, [10, 11]);
        assert_eq!(descendants(99, &all), [0; 0]);
    }

    #[test]
    fn our_own_children_are_found() {
        let mut child = std::process::Command::new("sleep").arg("100").spawn().unwrap();
        let all = descendants(getpid().as_raw_nonzero().get(), &running());
        assert!(all.contains(&(child.id() as i32)), "{all:?}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
