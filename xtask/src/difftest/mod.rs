//! `cargo x difftest`: proof that lowering and the interpreter mean what C means.
//!
//! Programs run natively and in the interpreter; output and exit status must agree. Three sources: our own
//! programs, one per construct ([`programs`]); random ones ([`csmith`]); programs with one error each, on
//! whose kind and line the interpreter must agree with clang's sanitizers ([`errors`]).

mod csmith;
mod errors;
mod native;
mod ours;
mod programs;
mod sanitizer;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Result, ensure};
use capture::Clang;

use crate::root;

/// Compare native and interpreted runs of programs.
#[derive(clap::Args)]
pub(crate) struct Difftest {
    /// Random programs to make with csmith.
    #[arg(long, default_value_t = 30)]
    csmith: u64,
    /// The first seed for csmith.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only programs whose path contains this; `csmith` for random ones only.
    #[arg(long)]
    only: Option<String>,
    /// The clang that makes the bitcode.
    #[arg(long)]
    clang: Option<PathBuf>,
    /// Programs at a time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

impl Difftest {
    pub(crate) fn run(self) -> Result<()> {
        let clang = Clang::find(self.clang.as_deref())?;
        let wanted = |files: Vec<PathBuf>| -> Vec<PathBuf> {
            let only = self.only.as_deref().unwrap_or_default();
            files.into_iter().filter(|file| file.to_string_lossy().contains(only)).collect()
        };
        let mut report = Report::default();
        let own = wanted(native::sources(&root().join("tests/programs/lower"))?);
        report.add(
            "own programs",
            check_all(&own, self.jobs, |file, scratch| own_program(&clang, file, scratch)),
        );
        let errors = wanted(native::sources(&root().join("tests/programs/errors"))?);
        report.add(
            "programs with errors",
            check_all(&errors, self.jobs, |file, scratch| error_program(&clang, file, scratch)),
        );
        if self.only.as_deref().is_none_or(|only| only == "csmith") && self.csmith > 0 {
            let seeds: Vec<u64> = (self.seed..self.seed + self.csmith).collect();
            report.add(
                "random programs",
                check_all(&seeds, self.jobs, |seed, scratch| random_program(&clang, *seed, scratch)),
            );
        }
        report.finish()
    }
}

/// The result of one comparison.
pub(crate) enum Outcome {
    Same,
    /// Why the program says nothing.
    DoesNotCount(&'static str),
    Different(String),
}

/// A name and what became of it.
pub(crate) type Checked = (String, Outcome);

impl Outcome {
    /// Of a comparison that found a difference or none, or that could not be made.
    fn of(difference: Result<Option<String>>) -> Self {
        match difference {
            Ok(None) => Outcome::Same,
            Ok(Some(difference)) => Outcome::Different(difference),
            Err(error) => Outcome::Different(format!("{error:#}")),
        }
    }
}

fn own_program(clang: &Clang, file: &Path, scratch: &Path) -> Checked {
    (relative(file), Outcome::of(programs::check(clang, file, scratch)))
}

fn error_program(clang: &Clang, file: &Path, scratch: &Path) -> Checked {
    (relative(file), Outcome::of(errors::check(clang, file, scratch)))
}

fn random_program(clang: &Clang, seed: u64, scratch: &Path) -> Checked {
    let outcome = csmith::check(clang, seed, scratch).unwrap_or_else(|error| Outcome::of(Err(error)));
    (format!("csmith --seed {seed}"), outcome)
}

fn relative(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}

/// Checks all items, several at a time, each with a directory of its own; the results are in order. Differences are told at
/// once, for long runs.
pub(crate) fn check_all<T: Sync>(
    items: &[T],
    jobs: usize,
    check: impl Fn(&T, &Path) -> Checked + Sync,
) -> Vec<Checked> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                let scratch = tempfile::tempdir().expect("there should be room for temporary files");
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = check(item, scratch.path());
                    if let (name, Outcome::Different(difference)) = &result {
                        eprintln!("DIFFERENT {name}: {difference}");
                    }
                    results.lock().expect("invariant: no check panics under the lock").push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("invariant: no check panics under the lock");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, checked)| checked).collect()
}

/// Counts and differences.
#[derive(Default)]
pub(crate) struct Report {
    differences: usize,
}

impl Report {
    pub(crate) fn add(&mut self, title: &str, results: Vec<Checked>) {
        let (mut same, mut ignored) = (0, 0);
        for (name, outcome) in &results {
            match outcome {
                Outcome::Same => same += 1,
                Outcome::DoesNotCount(why) => {
                    ignored += 1;
                    println!("  {name} does not count: {why}");
                }
                Outcome::Different(_) => self.differences += 1,
            }
        }
        println!("{title}: {} run, {same} agree, {ignored} do not count", results.len());
    }

    pub(crate) fn finish(self) -> Result<()> {
        ensure!(self.differences == 0, "{} programs differ", self.differences);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difftest(csmith: u64, only: Option<&str>) -> Difftest {
        Difftest { csmith, seed: 1, only: only.map(str::to_owned), clang: None, jobs: 2 }
    }

    #[test]
    fn own_programs_run_as_natively() {
        difftest(0, Some("/lower/")).run().expect("native and interpreted runs should agree");
    }

    #[test]
    fn errors_are_found_where_sanitizers_find_them() {
        difftest(0, Some("/errors/")).run().expect("interpreter and sanitizers should agree");
    }

    #[test]
    fn random_programs_run_as_natively() {
        let clang = Clang::find(None).expect("there should be a clang");
        let seeds: Vec<u64> = (1..=30).collect();
        let mut report = Report::default();
        report.add(
            "random programs",
            check_all(&seeds, 2, |seed, scratch| random_program(&clang, *seed, scratch)),
        );
        report.finish().expect("native and interpreted runs should agree");
    }
}
