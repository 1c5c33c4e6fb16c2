//! `cargo x oracle`: compares our bitcode reader with LLVM's.
//!
//! LLVM's side is a small C++ program (`tests/oracle/dump.cpp`, which documents the text that both sides
//! print); ours is [`dump`], which walks [`bitcode::Module`]. Every line that differs is a defect of one of
//! them. Needs `llvm-19-dev` or `llvm-22-dev`; no part of the product's build.

mod compare;
mod compile;
mod dump;
mod tool;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use self::compare::Difference;
use self::compile::{Failure, Job, Prepared};
use crate::root;

/// Compare our bitcode reader with LLVM's own on bitcode files or C, C++ and Rust sources.
#[derive(clap::Args)]
pub(crate) struct Oracle {
    /// The major of LLVM to compare with; all installed ones if not given.
    #[arg(long, value_parser = clap::value_parser!(u32).range(19..=22))]
    llvm: Option<u32>,
    /// A flag for clang, for sources; may be repeated.
    #[arg(long = "flag", allow_hyphen_values = true)]
    flags: Vec<String>,
    /// A compilation database, or the directory it is in; may be repeated.
    #[arg(short = 'p', long = "database", value_name = "PATH")]
    databases: Vec<PathBuf>,
    /// Take every n-th unit of the databases.
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Print only files that differ, and the totals.
    #[arg(long)]
    quiet: bool,
    /// Bitcode (.bc), C, C++ or Rust files.
    #[arg(required_unless_present = "databases")]
    files: Vec<PathBuf>,
}

/// What a run has seen.
#[derive(Default)]
struct Totals {
    equal: usize,
    different: usize,
    failed: usize,
    /// Sources that clang rejects.
    not_compiled: usize,
    lines: usize,
    reading: Duration,
}

impl Oracle {
    /// Compares all files; an error if any differs.
    pub(crate) fn run(&self) -> Result<()> {
        let majors: Vec<u32> = match self.llvm {
            Some(major) => vec![major],
            None => tool::MAJORS.into_iter().filter(|&major| tool::is_installed(major)).collect(),
        };
        ensure!(!majors.is_empty(), "no LLVM to compare with was found: install llvm-19-dev or llvm-22-dev");
        let mut totals = Totals::default();
        for job in self.jobs(&majors)? {
            self.check(&job, &majors, &mut totals);
        }
        totals.print();
        ensure!(totals.different + totals.failed == 0, "our reader and LLVM's do not agree");
        ensure!(totals.equal > 0, "nothing was compared");
        Ok(())
    }

    fn jobs(&self, majors: &[u32]) -> Result<Vec<Job>> {
        let mut jobs = Vec::new();
        for file in &self.files {
            jobs.extend(compile::jobs_of_file(file, majors, &self.flags)?);
        }
        for database in &self.databases {
            jobs.extend(compile::jobs_of_database(database, majors, self.every)?);
        }
        Ok(jobs)
    }

    fn check(&self, job: &Job, majors: &[u32], totals: &mut Totals) {
        let compared = match job.prepare(majors) {
            Ok(prepared) => compare_unit(job, &prepared, totals),
            Err(Failure::NotCompiled(cause)) => {
                totals.not_compiled += 1;
                println!("rejected   {}: {cause:#}", job.name());
                return;
            }
            Err(Failure::Broken(cause)) => Err(cause),
        };
        match compared {
            Ok(differences) if differences.is_empty() => {
                totals.equal += 1;
                if !self.quiet {
                    println!("equal      {}", job.name());
                }
            }
            Ok(differences) => {
                totals.different += 1;
                println!("different  {}", job.name());
                differences.iter().for_each(print_difference);
            }
            Err(cause) => {
                totals.failed += 1;
                println!("failed     {}: {cause:#}", job.name());
            }
        }
    }
}

impl Totals {
    fn print(&self) {
        let Totals { equal, different, failed, not_compiled, lines, reading } = self;
        let time = reading.as_secs_f64();
        println!("{equal} equal, {different} different, {failed} failed, {not_compiled} not compiled");
        println!("{lines} lines compared; our reader took {time:.2} s");
    }
}

fn compare_unit(job: &Job, prepared: &Prepared, totals: &mut Totals) -> Result<Vec<Difference>> {
    let program = tool::build(prepared.major)?;
    let llvm = tool::run(&program, &prepared.bitcode)?;
    let bytes = std::fs::read(&prepared.bitcode).context("while reading the bitcode")?;
    let start = Instant::now();
    let module = bitcode::read(&bytes).context("our reader rejects the file")?;
    totals.reading += start.elapsed();
    let ours = dump::dump(&module);
    totals.lines += llvm.lines().count();
    if llvm == ours {
        job.clean(prepared)?;
        return Ok(Vec::new());
    }
    keep(&prepared.bitcode, &llvm, &ours)?;
    Ok(compare::differences(&llvm, &ours))
}

/// Leaves both dumps beside each other for a closer look.
fn keep(bitcode: &Path, llvm: &str, ours: &str) -> Result<()> {
    let name = bitcode.file_name().context("a file should have a name")?.display().to_string();
    let directory = output_dir()?;
    std::fs::write(directory.join(format!("{name}.llvm.txt")), llvm)?;
    std::fs::write(directory.join(format!("{name}.ours.txt")), ours)?;
    Ok(())
}

fn print_difference(difference: &Difference) {
    println!("  line {} of LLVM's dump", difference.line);
    for line in &difference.context {
        println!("      {line}");
    }
    println!("    - {}", difference.llvm.as_deref().unwrap_or("(nothing)"));
    println!("    + {}", difference.ours.as_deref().unwrap_or("(nothing)"));
}

/// Where programs, bitcode and dumps go.
fn output_dir() -> Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let directory = target.join("oracle");
    std::fs::create_dir_all(&directory).with_context(|| format!("while making {}", directory.display()))?;
    Ok(directory)
}
