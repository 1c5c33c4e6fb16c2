//! What a compiler that we start may do: read, and write one file.
//!
//! Purpose: defense in depth. The table of options (`flags`) keeps clang from being told to run or write
//! something; a mistake in that table, or in clang itself, must still not cost the user more than a unit. The
//! child dies with the thread that started it, has limits on memory, processor time and file sizes, and
//! leaves no core file. Where the kernel has Landlock (5.13 or newer), it executes nothing but itself, writes
//! nothing but its list of dependencies, connects to nobody, and does not see devices, other processes, or
//! the places where people keep their keys: what a compiler reads can come out again in its messages.
//! Source: `landlock(7)`, `seccomp(2)`, `prctl(2)` (`PR_SET_PDEATHSIG`), `setrlimit(2)`. Decision and
//! rejected alternatives: `docs/adr/007-sandbox.md`.
//! Departures: a unit's headers can be anywhere, so all other files can be read.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
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

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, SeccompRule, apply_filter};
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

/// Where a GCC keeps its parts, seen from the directory above its own.
const GCC_PARTS: &[&str] =
    &["lib/gcc", "lib/gcc-cross", "lib64/gcc", "lib32/gcc", "libexec/gcc", "libexec/gcc-cross"];

/// What a child may do.
pub(crate) struct Confinement<'a> {
    pub(crate) sandbox: Sandbox,
    /// The program that is started, links followed.
    pub(crate) program: &'a Path,
    /// Whether it may start its own parts, as GCC does. A script may start what the system has.
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
    let searched =
        HANDED_ON.iter().filter_map(|name| Some((*name, absolute_parts(&std::env::var_os(name)?)?)));
    let obeyed = obeyed.iter().filter_map(|name| Some((*name, std::env::var_os(name)?)));
    let kept: Vec<(&str, OsString)> = searched.chain(obeyed).collect();
    command.env_clear().envs(kept);
}

/// A search path without what depends on where we are, which is often the code under analysis.
fn absolute_parts(path: &OsStr) -> Option<OsString> {
    let parts: Vec<PathBuf> = std::env::split_paths(path).filter(|part| part.is_absolute()).collect();
    std::env::join_paths(&parts).ok().filter(|_| !parts.is_empty())
}

/// Makes `command` start a child that can do no more than that.
#[expect(
    unsafe_code,
    reason = "what a child does to itself before it becomes another program; ADR 007 says why nothing safe serves"
)]
pub(crate) fn confine(command: &mut Command, what: &Confinement<'_>) -> io::Result<()> {
    let mut ruleset = match what.sandbox {
        Sandbox::On => Some((rules(what).map_err(io::Error::other)?, forbidden_calls().unwrap_or_default())),
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
        let Some((ruleset, calls)) = ruleset.take() else { return Ok(()) };
        ruleset.restrict_self().map_err(|_| io::Error::from(io::ErrorKind::PermissionDenied))?;
        if !calls.is_empty() {
            // A kernel without it has only the rest.
            let _ = apply_filter(&calls);
        }
        // Freed by nobody: the memory goes with this image of the process, and the allocator may be locked.
        std::mem::forget(calls);
        Ok(())
    };
    // SAFETY: between fork and exec the closure only makes system calls (setrlimit, prctl, getppid, landlock_restrict_self, seccomp, close)
    // on memory that was prepared before the fork; its errors carry no allocation.
    unsafe { command.pre_exec(before_exec) };
    Ok(())
}

/// System calls that no compiler needs and that Landlock does not know: the network beyond TCP, sockets of other programs, rights and times of files, other processes.
const FORBIDDEN: &[libc::c_long] = &[
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_ptrace,
    libc::SYS_process_vm_writev,
    libc::SYS_mount,
    libc::SYS_unshare,
    libc::SYS_bpf,
    libc::SYS_keyctl,
    libc::SYS_io_uring_setup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// The filter for them; none on a machine that the library does not know.
fn forbidden_calls() -> Option<BpfProgram> {
    let rules: BTreeMap<i64, Vec<SeccompRule>> = FORBIDDEN.iter().map(|call| (*call, Vec::new())).collect();
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    let machine = std::env::consts::ARCH.try_into().ok()?;
    SeccompFilter::new(rules, SeccompAction::Allow, refuse, machine).ok()?.try_into().ok()
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
        let names = HIDDEN_AT_HOME.iter().map(|name| home.join(name));
        // Some people keep them elsewhere, and have links here.
        hidden.extend(names.flat_map(|name| [name.canonicalize().ok(), Some(name)].into_iter().flatten()));
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

/// What may be executed: the program and its loader; if it starts others, its own parts. A script may have parts anywhere in the system.
fn executable(what: &Confinement<'_>) -> Vec<PathBuf> {
    let mut paths = vec![what.program.to_owned()];
    let prefix = what.program.parent().and_then(Path::parent);
    let below = |names: &[&str]| -> Vec<PathBuf> {
        prefix.iter().flat_map(|dir| names.iter().map(|name| dir.join(name))).collect()
    };
    match elf::interpreter(what.program) {
        Some(interpreter) => {
            paths.extend(fs::canonicalize(interpreter));
            paths.extend(if what.starts_others { below(GCC_PARTS) } else { Vec::new() });
        }
        None => {
            paths.extend(SYSTEM.iter().map(PathBuf::from));
            paths.extend(below(&["bin", "lib", "libexec"]));
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use std::process::{Output, Stdio};

    use super::*;

    /// What a shell script does in confinement, as far as it says so.
    fn shell(script: &str, dir: &Path, writes: Option<&Path>) -> String {
        let program = fs::canonicalize("/bin/sh").unwrap();
        String::from_utf8_lossy(&run(&program, &["-c", script], dir, writes).stdout).into_owned()
    }

    fn run(program: &Path, args: &[&str], dir: &Path, writes: Option<&Path>) -> Output {
        let mut command = Command::new(program);
        command.args(args).current_dir(dir).stdin(Stdio::null());
        clean_environment(&mut command, &[]);
        let what = Confinement { sandbox: Sandbox::On, program, starts_others: false, writes, seconds: 10 };
        confine(&mut command, &what).unwrap();
        command.output().unwrap()
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
        let perl = fs::canonicalize("/usr/bin/perl").unwrap();
        let script = "use Socket; print 'chmod' if chmod 0777, 'text'; \
            print 'udp' if socket(my $udp, PF_INET, SOCK_DGRAM, 0); print 'unix' if socket(my $unix, PF_UNIX, SOCK_STREAM, 0);";
        let output = run(&perl, &["-e", script], dir.path(), None);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
        assert!(output.status.success(), "{output:?}");
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
