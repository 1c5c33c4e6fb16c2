//! The suites: tests and oracles, the cheap ones first.
//!
//! A fault is judged by the tests of its own room, by the annotated C files and the fast tests of the command
//! line, and by the oracles that its room has something to do with: random programs against triples and
//! verdicts, random programs against doomed points, programs run natively against lowering.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::copy::{home, source};
use super::list::Fault;
use super::place::VARIABLE;
use super::process::{self, Ended};
use super::results::{How, Seen};

/// Tests of the command line that are worth their time, in this order.
const CLI: [&str; 4] = ["c_files", "run", "stories", "config"];

/// A suite may take so many times as long as without a fault, and a minute.
const PATIENCE: u32 = 5;

/// The time that a suite may take without a fault.
const LONGEST: Duration = Duration::from_secs(1200);

/// The name of the theorem oracle.
const THEOREM: &str = "cargo x theorem";

/// A suite.
struct Suite {
    name: String,
    program: PathBuf,
    args: &'static [&'static str],
    directory: PathBuf,
    /// The rooms whose faults it may notice.
    rooms: BTreeSet<&'static str>,
    /// How long it took without a fault, once that is known.
    took: Mutex<Option<Duration>>,
}

/// All suites, built.
pub(crate) struct Suites {
    suites: Vec<Suite>,
}

impl Suites {
    /// Builds the copy and its tests.
    pub(crate) fn build(rooms: &BTreeSet<&'static str>) -> Result<Suites> {
        let mut packages: Vec<&str> = rooms.iter().copied().collect();
        packages.push("cli");
        let built = cargo(&["test", "--no-run"], &packages)?;
        let tools = cargo(&["build"], &["xtask"])?;
        let xtask = tools.iter().find(|it| it.target == "xtask").context("xtask should be built")?;
        let mut suites = Vec::new();
        for &room in rooms {
            let own = built.iter().filter(|it| it.package == room);
            suites.extend(own.map(|it| it.suite([room].into())));
        }
        for name in CLI {
            let tests = built.iter().find(|it| it.package == "cli" && it.target == name);
            suites.push(
                tests.with_context(|| format!("the tests `{name}` should be built"))?.suite(rooms.clone()),
            );
        }
        let oracle = |name: &str, args: &'static [&'static str], rooms: &[&'static str]| Suite {
            name: name.to_owned(),
            program: xtask.executable.clone(),
            args,
            directory: source(),
            rooms: rooms.iter().copied().collect(),
            took: Mutex::default(),
        };
        let engine = ["conditions", "heap", "lower", "models", "split", "summary"];
        suites.push(oracle(THEOREM, &["theorem", "--programs", "400", "--runs", "10"], &engine));
        suites.push(oracle(
            "cargo x doomed",
            &["doomed", "--programs", "300"],
            &["doomed", "lower", "models", "unfold"],
        ));
        suites.push(oracle("cargo x difftest", &["difftest", "--csmith", "0", "--jobs", "1"], &["lower"]));
        Ok(Suites { suites })
    }

    /// Which suite notices a fault. If the fault must be loud, the theorem oracle is always asked.
    pub(crate) fn judge(&self, fault: &Fault) -> Result<Seen> {
        let mut seen = Seen::default();
        for suite in self.suites.iter().filter(|it| it.rooms.contains(fault.room)) {
            let is_counted = suite.name == THEOREM && fault.violations.is_some();
            if seen.by.is_some() && !is_counted {
                continue;
            }
            let ended = suite.run(fault.number, suite.limit()?)?;
            let how = how(&ended);
            if suite.name == THEOREM {
                seen.violations = Some(how.as_ref().map_or(0, How::violations));
            }
            if let (None, Some(how)) = (&seen.by, how) {
                seen.by = Some((suite.name.clone(), how));
            }
        }
        Ok(seen)
    }
}

impl Suite {
    /// The time that it may take with a fault. Before its first fault it runs without one, and must pass.
    fn limit(&self) -> Result<Duration> {
        let mut known = self.took.lock().ok().context("no lock is held in a panic")?;
        let took = match *known {
            Some(took) => took,
            None => {
                let ended = self.run(0, LONGEST)?;
                ensure!(ended.is_success(), "{} fails without a fault:\n{}", self.name, ended.said);
                println!("{} passes without a fault, in {:.1} seconds", self.name, ended.took.as_secs_f64());
                ended.took
            }
        };
        *known = Some(took);
        Ok(took * PATIENCE + Duration::from_secs(60))
    }

    fn run(&self, number: usize, limit: Duration) -> Result<Ended> {
        // Outside of the repository, because tests look for its root above their files.
        let scratch = tempfile::tempdir()?;
        let mut command = Command::new(&self.program);
        command.args(self.args).current_dir(&self.directory);
        command.env(VARIABLE, number.to_string()).env("TMPDIR", scratch.path());
        command
            .env("CARGO_MANIFEST_DIR", &self.directory)
            .env("RUST_BACKTRACE", "0")
            .env("INSTA_UPDATE", "no")
            .env("INSTA_WORKSPACE_ROOT", source());
        let logs = home().join("logs");
        fs::create_dir_all(&logs)?;
        let log = logs.join(format!("{number}-{}.txt", self.name.replace([' ', '/'], "-")));
        process::run(&mut command, limit, &log)
    }
}

/// How a suite shows that something is wrong. None: it does not.
fn how(ended: &Ended) -> Option<How> {
    if ended.is_success() {
        return None;
    }
    if ended.status.is_none() {
        return Some(How::Hangs);
    }
    let failed: Vec<&str> = ended.said.lines().filter_map(failed_test).collect();
    if let Some(first) = failed.first() {
        return Some(How::Fails { tests: failed.len() as u64, first: (*first).to_owned() });
    }
    // The oracles end with an error that begins with a number.
    let error = ended.said.lines().rev().find_map(|line| line.strip_prefix("error: "));
    let number = error.and_then(|it| it.split_whitespace().next()).and_then(|it| it.parse().ok());
    match number {
        Some(number) => Some(How::Violates(number)),
        None => Some(How::Breaks),
    }
}

/// `test name ... FAILED`
fn failed_test(line: &str) -> Option<&str> {
    let (name, result) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    (result == "FAILED").then(|| name.trim())
}

/// Something that cargo built.
struct Built {
    package: String,
    target: String,
    executable: PathBuf,
    directory: PathBuf,
    is_test: bool,
}

impl Built {
    fn suite(&self, rooms: BTreeSet<&'static str>) -> Suite {
        let name = if self.is_test {
            format!("{} tests/{}", self.package, self.target)
        } else {
            format!("{} unit tests", self.package)
        };
        let (program, directory) = (self.executable.clone(), self.directory.clone());
        Suite { name, program, args: &[], directory, rooms, took: Mutex::default() }
    }
}

/// Runs cargo in the copy; returns the executables.
fn cargo(command: &[&str], packages: &[&str]) -> Result<Vec<Built>> {
    let mut cargo = Command::new("cargo");
    cargo.args(command).args(["--offline", "--quiet", "--message-format", "json-render-diagnostics"]);
    cargo.args(packages.iter().flat_map(|it| ["--package", it]));
    cargo.arg("--target-dir").arg(home().join("target")).current_dir(source());
    let output = cargo.output().context("while running cargo")?;
    if !output.status.success() {
        bail!("the copy should build:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let said = String::from_utf8(output.stdout)?;
    Ok(said.lines().filter_map(|line| built(&serde_json::from_str(line).ok()?)).collect())
}

fn built(message: &Value) -> Option<Built> {
    let executable = message["executable"].as_str()?;
    let directory = Path::new(message["manifest_path"].as_str()?).parent()?;
    Some(Built {
        package: directory.file_name()?.to_str()?.to_owned(),
        target: message["target"]["name"].as_str()?.to_owned(),
        executable: executable.into(),
        directory: directory.to_owned(),
        is_test: message["target"]["kind"][0] == "test",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(said: &str, code: i32) -> Ended {
        use std::os::unix::process::ExitStatusExt;
        let status = Some(std::process::ExitStatus::from_raw(code << 8));
        Ended { status, said: said.to_owned(), took: Duration::ZERO }
    }

    #[test]
    fn failed_tests_are_counted() {
        let said = "running 3 tests\ntest a::b ... ok\ntest null-deref/x.c ... FAILED\ntest c ... FAILED\n";
        let first = "null-deref/x.c".to_owned();
        assert_eq!(how(&ended(said, 101)), Some(How::Fails { tests: 2, first }));
        assert_eq!(how(&ended(said, 0)), None);
    }

    #[test]
    fn violations_are_counted_by_the_oracles_themselves() {
        let said = "VIOLATION (x) in seed 1: …\nerror: 312 promises of triples were not kept\n";
        assert_eq!(how(&ended(said, 1)), Some(How::Violates(312)));
        assert_eq!(how(&ended("thread 'main' panicked\n", 101)), Some(How::Breaks));
    }
}
