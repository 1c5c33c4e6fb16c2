//! `cargo x theorem`: the theorems of the papers as tests, on random programs.
//!
//! Random small programs ([`generate`]) are compiled together ([`compile`]); the interpreter runs their functions from random
//! states ([`sample`]).
//! Source: `DESIGN.md` §13.2; Le, Raad, Villard, Berdine, Dreyer, O'Hearn, *Finding Real Bugs in Big Programs with
//! Incorrectness Logic*, OOPSLA 2022, Thm 3.5 and Def. 3.6.

mod compile;
mod expressions;
mod generate;
mod sample;
mod statements;
mod types;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use capture::Clang;
use interp::Program;

use generate::Generated;

/// Programs in one file.
const TOGETHER: u64 = 40;

/// Test what the engine proves on random programs, against the interpreter.
#[derive(clap::Args)]
pub(crate) struct Theorem {
    /// The seed of the first program.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Programs to make.
    #[arg(long, default_value_t = 400)]
    programs: u64,
    /// Only the program of this seed, with everything told.
    #[arg(long)]
    only_seed: Option<u64>,
    /// Random states per function.
    #[arg(long, default_value_t = 40)]
    runs: u64,
    /// The clang that makes the bitcode.
    #[arg(long)]
    clang: Option<PathBuf>,
}

impl Theorem {
    pub(crate) fn run(self) -> Result<()> {
        let clang = Clang::find(self.clang.as_deref())?;
        let scratch = tempfile::tempdir()?;
        let seeds = match self.only_seed {
            Some(seed) => seed..seed + 1,
            None => self.seed..self.seed + self.programs,
        };
        let begun = Instant::now();
        let mut totals = Totals::default();
        let mut next = seeds.start;
        while next < seeds.end {
            let end = seeds.end.min(next + TOGETHER);
            let programs: Vec<Generated> = (next..end).map(generate::generate).collect();
            let module = compile::compile(&clang, &programs, scratch.path())
                .with_context(|| format!("while compiling the programs of seeds {next} to {}", end - 1))?;
            let program = Program::link(std::slice::from_ref(&module));
            for generated in &programs {
                self.check(&program, generated, &mut totals)?;
            }
            next = end;
        }
        totals.tell(begun.elapsed().as_secs_f64());
        Ok(())
    }

    fn check(&self, program: &Program<'_>, generated: &Generated, totals: &mut Totals) -> Result<()> {
        if self.only_seed.is_some() {
            println!("{}", compile::text(std::slice::from_ref(generated)));
        }
        totals.programs += 1;
        for signature in &generated.functions {
            let sampled = sample::sample(program, generated, signature, self.runs);
            let sampled = sampled.with_context(|| format!("{} should be runnable", signature.name))?;
            totals.functions += 1;
            totals.runs += sampled.runs;
            totals.returned += sampled.returned;
            totals.cut += sampled.cut;
            for ((kind, _), met) in &sampled.errors {
                *totals.errors.entry(kind).or_default() += 1;
                if self.only_seed.is_some() {
                    println!("{}: {} runs, {:?}: {}", signature.name, met.count, met.class, met.bug);
                    println!("  for example from {:?}\n  with {:?}", met.state, met.script);
                }
            }
        }
        Ok(())
    }
}

/// What was seen.
#[derive(Default)]
struct Totals {
    programs: u64,
    functions: u64,
    runs: u64,
    returned: u64,
    cut: u64,
    /// Different errors by kind.
    errors: BTreeMap<&'static str, u64>,
}

impl Totals {
    fn tell(&self, seconds: f64) {
        println!(
            "{} programs, {} functions, {:.1} programs per second",
            self.programs,
            self.functions,
            self.programs as f64 / seconds
        );
        println!("{} random runs: {} returned, {} were cut", self.runs, self.returned, self.cut);
        for (kind, count) in &self.errors {
            println!("  {kind}: {count} errors met");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_program() {
        assert_eq!(generate::generate(7).lines, generate::generate(7).lines);
        assert_ne!(generate::generate(7).lines, generate::generate(8).lines);
    }

    #[test]
    fn random_programs_compile_and_meet_errors_of_many_kinds() {
        let clang = Clang::find(None).expect("there should be a clang");
        let scratch = tempfile::tempdir().expect("there should be room for temporary files");
        let programs: Vec<Generated> = (1..=TOGETHER).map(generate::generate).collect();
        let module = compile::compile(&clang, &programs, scratch.path()).expect("programs should compile");
        let program = Program::link(std::slice::from_ref(&module));
        let mut kinds = std::collections::BTreeSet::new();
        for generated in &programs {
            for signature in &generated.functions {
                let sampled = sample::sample(&program, generated, signature, 20);
                let errors = sampled.expect("every function should run").errors;
                kinds.extend(errors.keys().map(|(kind, _)| *kind));
            }
        }
        assert!(kinds.len() >= 7, "only {kinds:?}");
    }
}
