//! `cargo x doomed`: doomed points of random programs, against the interpreter.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use theorem::Compiler;
use theorem::points::{self, Seen};

use crate::teller::Teller;

/// Test doomed program points on random programs, against the interpreter.
#[derive(clap::Args)]
pub(crate) struct Doomed {
    /// The seed of the first program.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Programs to make: random ones, and as many small ones without and with loops, whose runs are all tried.
    #[arg(long, default_value_t = 2000)]
    programs: u64,
    /// Random states per function.
    #[arg(long, default_value_t = 60)]
    runs: u64,
    /// Only the program of this seed, with everything told.
    #[arg(long)]
    only_seed: Option<u64>,
    /// The clang that makes the bitcode.
    #[arg(long)]
    clang: Option<PathBuf>,
}

impl Doomed {
    pub(crate) fn run(self) -> Result<()> {
        let compiler = Compiler::new(self.clang.as_deref())?;
        let mut teller = Teller::new(self.only_seed.is_some());
        let seeds = self.only_seed.map_or(self.seed..self.seed + self.programs, |seed| seed..seed + 1);
        let begun = Instant::now();
        let seen = points::check(&compiler, seeds, self.runs, &mut |event| teller.tell(event))?;
        print(&seen, begun.elapsed().as_secs_f64());
        seen.ensure_right()
    }
}

fn print(seen: &Seen, seconds: f64) {
    println!(
        "{} functions ({} given up), {} with findings, {} doomed or dead points; {:.1} of {seconds:.1} seconds in the engine",
        seen.functions, seen.gave_up, seen.found, seen.points, seen.engine
    );
    println!(
        "{} runs, {} ended normally; {} failed behind a doomed point; VIOLATIONS: {}",
        seen.runs, seen.normal, seen.confirmed, seen.violations
    );
    for (sort, small) in [("without", seen.small), ("with", seen.looped)] {
        println!(
            "small programs {sort} loops: {} points, {} that no normal run passes, of which {} were missed",
            small.points, small.doomed, small.missed
        );
    }
}
