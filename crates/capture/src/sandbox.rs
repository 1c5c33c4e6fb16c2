//! What a compiler that we start may do: read, and write one file.
//!
//! Purpose: defense in depth. The table of options (`flags`) keeps clang from being told to run or write something; a mistake in
//! that table, or in clang itself, must still not cost the user more than a unit. The child
//! dies with the thread that started it, has limits on memory, processor time and file sizes, and leaves no core file. Where the
//! kernel has Landlock (5.13 or newer), it executes nothing but itself, writes nothing but its list of dependencies, connects to
//! nobody, and does not see devices, other processes, or the places where people keep their keys: what a compiler reads can come
//! out again in its messages.
//! Source: `landlock(7)`, `prctl(2)` (`PR_SET_PDEATHSIG`), `setrlimit(2)`. Decision and rejected alternatives: `docs/adr/007-sandbox.md`.
//! Departures: a unit's headers can be anywhere, so all other files can be read.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use base::limits;
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, Scope,
};
use rustix::process::{Resource, Rlimit, Signal, getppid, setrlimit};

use serde::{Deserialize, Serialize};

use crate::elf;
use crate::secret;
use crate::store_dir::entries;

/// The newest set of rights that we know. The kernel's own may be smaller.
const RIGHTS: ABI = ABI::V6;

/// The environment that is handed on: where programs and their libraries are, and where headers are. Everything else, tokens
/// included, is nobody's business.
const HANDED_ON: [&str; 2] = ["PATH", "LD_LIBRARY_PATH"];

/// What nobody compiles: devices, processes, sockets, mounted secrets.
const HIDDEN: [&str; 4] = ["/dev", "/proc", "/sys", "/run"];

/// What nobody compiles, below a home directory: keys and tokens.
const HIDDEN_AT_HOME: [&str; 16] = [
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".config",
    ".netrc",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".password-store",
    ".mozilla",
    ".local/share/keyrings",
    ".cargo/credentials",
    ".cargo/credentials.toml",
];

/// An empty file that some builds include.
const EMPTY: &str = "/dev/null";

/// Where systems keep programs: what a script may start that calls itself a compiler.
const SYSTEM: [&str; 8] = ["/usr", "/bin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store", "/gnu/store"];

/// Whether the kernel is asked to keep children from writing and executing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sandbox {
    /// As far as it can.
    #[default]
    On,
    /// No: the user has a clang that is a program of his own, with needs of its own.
    Off,
}

/// What a child may do.
pub(crate) struct Confinement<'a> {
    pub(crate) sandbox: Sandbox,
    /// The program that is started, links followed.
    pub(crate) program: &'a Path,
    /// Whether it may start others: parts of itself, in the directories of the system and beside its own.
    pub(crate) starts_others: bool,
    /// The one file that it may write. It must exist.
    pub(crate) writes: Option<&'a Path>,
    /// Processor time that it may take.
    pub(crate) seconds: u64,
}

/// Whether the kernel can keep children from executing and writing.
pub fn has_landlock() -> bool {
    let created = Ruleset::default().handle_access(AccessFs::Execute).and_then(Ruleset::create);
    // Without the kernel's help there is no descriptor behind it.
    created.is_ok_and(|ruleset| Option::<std::os::fd::OwnedFd>::from(ruleset).is_some())
}

/// An empty environment but for what compilers need.
pub(crate) fn clean_environment(command: &mut Command, obeyed: &[&str]) {
    let kept: Vec<(&str, OsString)> =
        HANDED_ON.iter().chain(obeyed).filter_map(|name| Some((*name, std::env::var_os(name)?))).collect();
    command.env_clear().envs(kept);
}

/// Makes `command` start a child that can do no more than that.
#[expect(
    unsafe_code,
    reason = "what a child does to itself before it becomes another program; ADR 007 says why nothing safe serves"
)]
pub(crate) fn confine(command: &mut Command, what: &Confinement<'_>) -> io::Result<()> {
    let mut ruleset = match what.sandbox {
        Sandbox::On => Some(rules(what).map_err(io::Error::other)?),
        Sandbox::Off => None,
    };
    let parent = rustix::process::getpid();
    let seconds = what.seconds;
    let before_exec = move || {
        // No allocation here: another thread may have held the allocator's lock when we were forked.
        let limits = [
            (Resource::Core, 0),
            (Resource::Cpu, seconds),
            (Resource::Data, limits::CLANG_MEMORY),
            (Resource::Fsize, limits::CLANG_FILE_BYTES),
        ];
        for (resource, limit) in limits {
            setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })?;
        }
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        // It may have died before we asked to be told.
        if getppid() != Some(parent) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        match ruleset.take() {
            Some(ruleset) => {
                ruleset.restrict_self().map(drop).map_err(|_| io::ErrorKind::PermissionDenied.into())
            }
            None => Ok(()),
        }
    };
    // SAFETY: between fork and exec the closure only makes system calls (setrlimit, prctl, getppid, landlock_restrict_self, close)
    // on memory that was prepared before the fork; its errors carry no allocation.
    unsafe { command.pre_exec(before_exec) };
    Ok(())
}

fn rules(what: &Confinement<'_>) -> Result<RulesetCreated, RulesetError> {
    let mut ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(RIGHTS))?
        .handle_access(AccessNet::from_all(RIGHTS))?
        .scope(Scope::from_all(RIGHTS))?
        .create()?;
    for path in readable() {
        ruleset = allow(ruleset, &path, AccessFs::ReadFile | AccessFs::ReadDir)?;
    }
    ruleset = allow(ruleset, Path::new(EMPTY), AccessFs::ReadFile.into())?;
    for path in executable(what) {
        ruleset = allow(ruleset, &path, AccessFs::Execute | AccessFs::ReadFile)?;
    }
    if let Some(file) = what.writes {
        ruleset = allow(ruleset, file, AccessFs::WriteFile | AccessFs::Truncate)?;
    }
    Ok(ruleset)
}

/// Allows something below a path, or for a file. What is not there, or not ours to see, needs no rule.
fn allow(
    ruleset: RulesetCreated,
    path: &Path,
    rights: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(file) = PathFd::new(path) else { return Ok(ruleset) };
    let rights = if path.is_dir() { rights } else { rights & AccessFs::from_file(RIGHTS) };
    ruleset.add_rule(PathBeneath::new(file, rights))
}

/// Whether a file, links followed, lies where nobody compiles and people keep their keys. What stands in it must not come out in a report either:
/// `#line` can name any file.
pub fn is_hidden(path: &Path) -> bool {
    let hidden = hidden();
    path.canonicalize().is_ok_and(|path| hidden.iter().any(|it| path.starts_with(it)))
}

fn hidden() -> Vec<PathBuf> {
    let mut hidden: Vec<PathBuf> = HIDDEN.iter().map(PathBuf::from).collect();
    let home = std::env::var_os("HOME").map(PathBuf::from).and_then(|home| home.canonicalize().ok());
    if let Some(home) = home.filter(|home| home != Path::new("/")) {
        hidden.extend(HIDDEN_AT_HOME.iter().map(|name| home.join(name)));
    }
    hidden.extend(secret::directory().and_then(|dir| dir.canonicalize().ok()));
    hidden
}

/// The largest directories, and the files beside them, that hold nothing hidden.
fn readable() -> Vec<PathBuf> {
    let mut readable = Vec::new();
    add_readable(PathBuf::from("/"), &hidden(), &mut readable);
    readable
}

fn add_readable(path: PathBuf, hidden: &[PathBuf], readable: &mut Vec<PathBuf>) {
    if hidden.contains(&path) {
        return;
    }
    if !hidden.iter().any(|it| it.starts_with(&path)) {
        return readable.push(path);
    }
    for entry in entries(&path) {
        // Where links lead is listed under its own name, if it may be read.
        if entry.file_type().is_ok_and(|kind| !kind.is_symlink()) {
            add_readable(entry.path(), hidden, readable);
        }
    }
}

/// What may be executed: the program and its loader; if it starts others, the system's programs and its own parts.
fn executable(what: &Confinement<'_>) -> Vec<PathBuf> {
    let mut paths = vec![what.program.to_owned()];
    match elf::interpreter(what.program) {
        Some(interpreter) if !what.starts_others => paths.extend(fs::canonicalize(interpreter)),
        // A script, which has its own idea of what it is made of.
        _ => {
            paths.extend(SYSTEM.iter().map(PathBuf::from));
            let beside = what.program.parent().and_then(Path::parent);
            let parts = beside.filter(|dir| *dir != Path::new("/"));
            paths.extend(parts.iter().flat_map(|dir| ["bin", "lib", "libexec"].map(|name| dir.join(name))));
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use super::*;

    /// What a shell script does in confinement, as far as it says so.
    fn shell(script: &str, dir: &Path, writes: Option<&Path>) -> String {
        let program = fs::canonicalize("/bin/sh").unwrap();
        let mut command = Command::new(&program);
        command.args(["-c", script]).current_dir(dir).stdin(Stdio::null());
        clean_environment(&mut command, &[]);
        let what = Confinement {
            sandbox: Sandbox::On,
            program: &program,
            starts_others: false,
            writes,
            seconds: 10,
        };
        confine(&mut command, &what).unwrap();
        let output = command.output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    #[test]
    fn a_child_reads_and_writes_one_file() {
        assert!(has_landlock() || !Path::new("/proc/sys/kernel/landlock").exists());
        if !has_landlock() {
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let allowed = dir.path().join("allowed");
        fs::write(&allowed, "old text").unwrap();
        fs::write(dir.path().join("text"), "readable\n").unwrap();
        fs::copy("/bin/true", dir.path().join("program")).unwrap();
        let script = "read -r line < text; echo \"$line\"; echo new > allowed; echo x > other; \
            ./program && echo executed; /bin/true && echo executed; \
            cat text && echo executed; read -r line < /proc/self/environ && echo seen; :> /dev/null && echo written";
        assert_eq!(shell(script, dir.path(), Some(&allowed)), "readable\n");
        assert_eq!(fs::read_to_string(&allowed).unwrap(), "new\n");
        assert!(!dir.path().join("other").exists());
    }

    #[test]
    fn a_child_has_limits_and_no_environment() {
        let dir = tempfile::tempdir().unwrap();
        let told = shell("ulimit -c; ulimit -t; echo \"${HOME-none}\"", dir.path(), None);
        assert_eq!(told, "0\n10\nnone\n");
    }

    #[test]
    fn a_child_dies_with_its_parent() {
        let dir = tempfile::tempdir().unwrap();
        let (sender, receiver) = std::sync::mpsc::channel();
        // The parent is the thread that started it.
        let thread = std::thread::spawn(move || {
            let program = fs::canonicalize("/bin/sleep").unwrap();
            let mut command = Command::new(&program);
            command.arg("60").current_dir(dir.path());
            let sandbox = Sandbox::Off;
            let what =
                Confinement { sandbox, program: &program, starts_others: false, writes: None, seconds: 10 };
            confine(&mut command, &what).unwrap();
            sender.send(command.spawn().unwrap()).unwrap();
        });
        let mut child = receiver.recv().unwrap();
        thread.join().unwrap();
        assert!(!child.wait().unwrap().success());
    }

    #[test]
    fn hidden_places_are_not_among_the_readable_ones() {
        let all = readable();
        assert!(!all.is_empty());
        for path in HIDDEN {
            assert!(all.iter().all(|it| !it.starts_with(path) && !Path::new(path).starts_with(it)), "{path}");
        }
        assert!(all.iter().any(|it| Path::new("/usr/include/stdio.h").starts_with(it)));
    }
}
