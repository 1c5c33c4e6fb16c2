//! SIGINT and SIGTERM in every phase: the process is gone within a second, and nothing that it started is left.
//!
//! The bound is a second; what is asserted is more generous, because tests share the machine.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use common::{entries, files, indict};
use tempfile::TempDir;

/// How long the end may take on a busy machine. Without a way to stop, each of these runs takes minutes or for ever.
const BOUND: Duration = Duration::from_secs(6);

struct Run {
    child: Child,
    dir: TempDir,
}

/// Starts a run whose temporary files can be looked at afterwards.
fn start(dir: TempDir, args: &[&str]) -> Run {
    fs::create_dir_all(dir.path().join("tmp")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_indict"));
    command.args(args).current_dir(dir.path()).env("TMPDIR", dir.path().join("tmp"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    Run { child: command.spawn().unwrap(), dir }
}

impl Run {
    fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap().success());
    }

    /// The status that a shell sees of its end, which must come soon.
    #[track_caller]
    fn end(mut self) -> (i32, TempDir) {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if begun.elapsed() > BOUND {
                self.child.kill().unwrap();
                panic!("it does not end");
            }
            thread::sleep(Duration::from_millis(5));
        };
        let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap());
        let left: Vec<_> = fs::read_dir(self.dir.path().join("tmp"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            // The preloaded library stays for the next run.
            .filter(|name| name.strip_prefix("indict-").is_none_or(|user| user.parse::<u32>().is_err()))
            .collect();
        assert!(left.is_empty(), "left behind: {left:?}");
        (code, self.dir)
    }
}

/// Whether a process with this word on its command line is there.
fn is_running(word: &str) -> bool {
    fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        line.split(|&byte| byte == 0).any(|it| it == word.as_bytes())
    })
}

#[track_caller]
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < deadline, "{what} does not come");
        thread::sleep(Duration::from_millis(10));
    }
}

#[track_caller]
fn is_gone(word: &str) {
    let deadline = Instant::now() + BOUND;
    while is_running(word) {
        assert!(Instant::now() < deadline, "sleep {word} was left behind");
        thread::sleep(Duration::from_millis(10));
    }
}

/// A number that no other test and no other run of this one has on its command lines.
fn unique(number: u32) -> String {
    format!("{}.{number}", 1_000_000 + std::process::id())
}

fn executable(path: &Path, script: &str) {
    fs::write(path, script).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_clang_that_does_not_tell_its_version() {
    let word = unique(1);
    let dir = files(&[("a.c", "int f(void) { return 1; }\n")]);
    executable(&dir.path().join("slow"), &format!("#!/bin/sh\nexec sleep {word}\n"));
    let run = start(dir, &["run", "--clang", "./slow", "a.c"]);
    wait_until("clang", || is_running(&word));
    run.signal("-TERM");
    assert_eq!(run.end().0, 143);
    is_gone(&word);
}

#[test]
fn compilers_that_do_not_come_to_an_end() {
    let word = unique(4);
    let names = ["a.c", "b.c", "c.c", "d.c"];
    let dir = files(&names.map(|name| (name, "int f(void) { return 1; }\n")));
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *--version*) echo clang version 19.1.7;; *) exec sleep {word};; esac\n"
    );
    executable(&dir.path().join("slow"), &script);
    let run = start(dir, &[&["run", "--clang", "./slow", "--jobs", "4"][..], &names].concat());
    wait_until("clang", || is_running(&word));
    run.signal("-INT");
    assert_eq!(run.end().0, 130);
    is_gone(&word);
}

#[test]
fn a_build_that_does_not_listen() {
    let (ignores, orphan) = (unique(2), unique(3));
    let script = format!(
        "gcc -c a.c; trap '' TERM INT; (sleep {orphan} &); touch begun; sleep {ignores}; sleep {ignores}; sleep {ignores}"
    );
    for (name, code) in [("-TERM", 143), ("-INT", 130)] {
        let dir = files(&[("a.c", "int f(void) { return 1; }\n")]);
        let run = start(dir, &["capture", "--", "sh", "-c", &script]);
        wait_until("the build", || is_running(&ignores) && is_running(&orphan));
        run.signal(name);
        let (status, dir) = run.end();
        assert_eq!(status, code);
        is_gone(&ignores);
        is_gone(&orphan);
        assert_eq!(entries(dir.path()), ["a.c -> a.o"], "what compiled is kept");
    }
}

/// Many functions, one of them large: some seconds of work in each phase.
fn large() -> String {
    let mut text = "#include <stdlib.h>\nstruct node { struct node *next; int value; };\n".to_owned();
    for n in 0..6000 {
        writeln!(text, "struct node *make_{n}(int v) {{ struct node *n = malloc(sizeof *n); if (!n) return 0; n->value = v / (v - {n}); return n; }}").unwrap();
        writeln!(text, "int use_{n}(int a) {{ struct node *n = make_{n}(a); if (!n) return -1; int r = n->value; free(n); return r; }}").unwrap();
    }
    text.push_str("void large(int x) {\n  char *p = 0;\n  switch (x) {\n");
    for n in 0..20_000 {
        writeln!(text, "  case {n}: p = malloc({}); break;", n % 1000 + 1).unwrap();
    }
    text + "  }\n  free(p);\n}\n"
}

#[test]
fn in_the_middle_of_everything() {
    let mut dir = files(&[("large.c", &large())]);
    // Compiled once, so that the delays below come to reading, lowering, linking, analyzing and reporting.
    indict(dir.path(), &["stats", "large.c"]).check(0, &[]);
    let mut n_stopped = 0;
    let commands: [&[&str]; 6] = [
        &["run", "large.c"],
        &["run", "--only", "doomed,dead-code", "large.c"],
        &["stats", "large.c"],
        &["callgraph", "large.c"],
        &["suggest", "large.c"],
        &["explain", "large", "large.c"],
    ];
    for args in commands {
        for delay in [30, 300, 1000, 2000] {
            let run = start(dir, args);
            thread::sleep(Duration::from_millis(delay));
            // It may have come to its end by itself.
            let _ = Command::new("kill").args(["-TERM", &run.child.id().to_string()]).status().unwrap();
            let status;
            (status, dir) = run.end();
            assert!(status == 143 || status <= 1, "{args:?} after {delay} ms: {status}");
            n_stopped += usize::from(status == 143);
        }
    }
    assert!(n_stopped >= 12, "most should be stopped before their end, but only {n_stopped} were");
    indict(dir.path(), &["stats", "large.c"]).check(0, &[]);
}

#[test]
fn a_reader_that_does_not_read() {
    for signals in [&["-TERM"][..], &["-INT", "-TERM"]] {
        let dir = files(&[("large.c", &large())]);
        let mut run = start(dir, &["ir", "large.c"]);
        // What is more than the pipe holds waits for somebody to read it.
        let mut first = [0];
        run.child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
        signals.iter().for_each(|name| run.signal(name));
        assert_eq!(run.end().0, if signals.len() == 1 { 143 } else { 130 });
    }
}
