//! `cargo x oracle`: compares our bitcode reader with LLVM's.
//!
//! LLVM's side is a small C++ program (`tests/oracle/dump.cpp`, which documents the text that both sides print); ours is
//! [`dump`], which walks [`bitcode::Module`]. Every line that differs is a defect of one of them.
//! Needs `llvm-19-dev` or `llvm-22-dev`; no part of the product's build.

mod compare;
mod compile;
mod dump;
mod tool;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use self::compare::Difference;
use self::compile::Unit;
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
    /// Print only files that differ, and the totals.
    #[arg(long)]
    quiet: bool,
    /// Bitcode (.bc), C, C++ or Rust files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// What a run has seen.
#[derive(Default)]
struct Totals {
    equal: usize,
    different: usize,
    failed: usize,
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
        for file in &self.files {
            match compile::units(file, &majors, &self.flags) {
                Ok(units) => units.iter().for_each(|unit| check(unit, self.quiet, &mut totals)),
                Err(cause) => {
                    totals.failed += 1;
                    println!("failed     {}: {cause:#}", file.display());
                }
            }
        }
        totals.print();
        ensure!(totals.different + totals.failed == 0, "our reader and LLVM's do not agree");
        Ok(())
    }
}

impl Totals {
    fn print(&self) {
        let Totals { equal, different, failed, lines, reading } = self;
        let time = reading.as_secs_f64();
        println!(
            "{equal} equal, {different} different, {failed} failed; {lines} lines compared; our reader took {time:.2} s"
        );
    }
}

fn check(unit: &Unit, quiet: bool, totals: &mut Totals) {
    match compare_unit(unit, totals) {
        Ok(differences) if differences.is_empty() => {
            totals.equal += 1;
            if !quiet {
                println!("equal      {}", unit.name);
            }
        }
        Ok(differences) => {
            totals.different += 1;
            println!("different  {}", unit.name);
            differences.iter().for_each(print_difference);
        }
        Err(cause) => {
            totals.failed += 1;
            println!("failed     {}: {cause:#}", unit.name);
        }
    }
}

fn compare_unit(unit: &Unit, totals: &mut Totals) -> Result<Vec<Difference>> {
    let program = tool::build(unit.major)?;
    let llvm = tool::run(&program, &unit.bitcode)?;
    let bytes = std::fs::read(&unit.bitcode).context("while reading the bitcode")?;
    let start = Instant::now();
    let module = bitcode::read(&bytes).context("our reader rejects the file")?;
    totals.reading += start.elapsed();
    let ours = dump::dump(&module);
    totals.lines += llvm.lines().count();
    if llvm == ours {
        return Ok(Vec::new());
    }
    keep(&unit.bitcode, &llvm, &ours)?;
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
