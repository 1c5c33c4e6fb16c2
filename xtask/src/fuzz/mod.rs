//! `cargo x fuzz`: damaged input must get an answer.
//!
//! Real bitcode files, and the text form of real modules, are mutated at random and read, lowered and
//! verified. A panic, a crash, an input that takes longer than [`PATIENCE`] or one that needs more than
//! [`MEMORY`] fails the run and is kept.
//!
//! Each worker is a process of its own, because an abort (out of memory, stack overflow) cannot be caught; it
//! notes the number of its input in a file before it starts. Inputs depend only on seed, number and the
//! files, so a failure can be repeated with `--first N --runs 1`.

mod mutate;
mod subject;
mod worker;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

pub(crate) use subject::Subject;

use crate::root;
use worker::MEMORY;

/// The longest an input may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Feed damaged bitcode or IR text to the readers.
#[derive(clap::Args)]
pub(crate) struct Fuzz {
    /// What to feed.
    subject: Subject,
    /// How many inputs.
    #[arg(long, default_value_t = 100_000)]
    runs: u64,
    /// The number of the first input.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Another series of inputs.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Processes at a time.
    #[arg(long, default_value_t = 2)]
    jobs: u64,
    /// The files to damage: bitcode for both subjects.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Run as a worker and note progress in this file.
    #[arg(long, hide = true)]
    note: Option<PathBuf>,
}

impl Fuzz {
    pub(crate) fn run(self) -> Result<()> {
        if let Some(note) = &self.note {
            let seeds = subject::seeds(self.subject, &self.files)?;
            return worker::work(self.subject, &seeds, self.seed, self.first..self.first + self.runs, note);
        }
        let directory = root().join("target/fuzz");
        fs::create_dir_all(&directory)?;
        let jobs = self.jobs.clamp(1, self.runs.max(1));
        let share = self.runs.div_ceil(jobs);
        let workers: Vec<Worker> = (0..jobs)
            .map(|job| {
                let first = self.first + job * share;
                let runs = share.min((self.first + self.runs).saturating_sub(first));
                self.spawn(first, runs, directory.join(format!("worker-{job}")))
            })
            .collect::<Result<_>>()?;
        let start = Instant::now();
        watch(workers)?;
        println!(
            "{} inputs in {:.0} s: no crash, no hang, no input above {} MB",
            self.runs,
            start.elapsed().as_secs_f64(),
            MEMORY >> 20
        );
        Ok(())
    }

    fn spawn(&self, first: u64, runs: u64, note: PathBuf) -> Result<Worker> {
        fs::write(&note, first.to_le_bytes())?;
        let child = Command::new(std::env::current_exe()?)
            .arg("fuzz")
            .arg(self.subject.word())
            .args(["--first", &first.to_string(), "--runs", &runs.to_string()])
            .args(["--seed", &self.seed.to_string()])
            .arg("--note")
            .arg(&note)
            .arg("--")
            .args(&self.files)
            .spawn()
            .context("while starting a worker")?;
        Ok(Worker { child, note, last: first, since: Instant::now() })
    }
}

/// A process and the input it was last seen with.
struct Worker {
    child: Child,
    note: PathBuf,
    last: u64,
    since: Instant,
}

/// Waits for all workers; the first failure ends them all.
fn watch(mut workers: Vec<Worker>) -> Result<()> {
    let result = loop {
        if workers.is_empty() {
            break Ok(());
        }
        std::thread::sleep(Duration::from_millis(200));
        let mut failure = None;
        workers.retain_mut(|worker| match worker.look() {
            Ok(running) => running,
            Err(error) => {
                failure = Some(error);
                true
            }
        });
        if let Some(error) = failure {
            break Err(error);
        }
    };
    for worker in &mut workers {
        let _ = worker.child.kill();
        let _ = worker.child.wait();
    }
    result
}

impl Worker {
    /// Whether it is still running; an error if it failed or hangs.
    fn look(&mut self) -> Result<bool> {
        let current = current_input(&self.note)?;
        if let Some(status) = self.child.try_wait()? {
            ensure!(
                status.success(),
                "input {current} failed ({status}); repeat with --first {current} --runs 1"
            );
            return Ok(false);
        }
        if current != self.last {
            (self.last, self.since) = (current, Instant::now());
        }
        if self.since.elapsed() > PATIENCE {
            bail!("input {current} takes longer than {PATIENCE:?}; repeat with --first {current} --runs 1");
        }
        Ok(true)
    }
}

fn current_input(note: &Path) -> Result<u64> {
    let bytes = fs::read(note)?;
    Ok(bytes.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes)))
}

#[cfg(test)]
mod tests {
    use super::subject::run_one;
    use super::*;

    /// Programs whose bitcode has much of everything.
    const PROGRAMS: [&str; 6] = [
        "struct_return.c",
        "switch_sparse.c",
        "vec_int.c",
        "va_structs.c",
        "cpp_virtual_calls.cpp",
        "goto_computed.c",
    ];

    fn bitcode() -> Vec<Vec<u8>> {
        let clang = capture::Clang::find(None).expect("there should be a clang");
        let files = PROGRAMS.map(|name| root().join("tests/programs/lower").join(name));
        let units = capture::units_from_files(&files, &[]);
        let compile = |unit| capture::compile(&clang, &unit).expect("our programs should compile").bitcode;
        units.into_iter().map(|unit| compile(unit.expect("our programs should be units"))).collect()
    }

    #[test]
    fn damaged_bitcode_gets_an_answer() {
        let seeds = bitcode();
        for number in 0..2000 {
            run_one(Subject::Bitcode, &seeds, 1, number);
        }
    }

    #[test]
    fn damaged_ir_gets_an_answer() {
        let seeds: Vec<Vec<u8>> = bitcode()
            .iter()
            .map(|bytes| {
                let module = bitcode::read(bytes).expect("undamaged bitcode should be read");
                ir::print::print(&lower::lower(&module).module).into_bytes()
            })
            .collect();
        for number in 0..2000 {
            run_one(Subject::Ir, &seeds, 1, number);
        }
    }
}
