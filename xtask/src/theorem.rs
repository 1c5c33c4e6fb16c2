//! `cargo x theorem`: what the engine proves of random programs, against the interpreter.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use theorem::promises::{self, Judged, Misses, Seen, Totals};
use theorem::{Compiler, points};

use crate::teller::Teller;

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
    /// Only the functions of this file, in the order of the text; it may use what random programs use.
    #[arg(long)]
    file: Option<PathBuf>,
    /// Random states per function.
    #[arg(long, default_value_t = 40)]
    runs: u64,
    /// The clang that makes the bitcode.
    #[arg(long)]
    clang: Option<PathBuf>,
}

impl Theorem {
    pub(crate) fn run(self) -> Result<()> {
        let compiler = Compiler::new(self.clang.as_deref())?;
        let mut teller = Teller::new(self.only_seed.is_some() || self.file.is_some());
        if let Some(file) = &self.file {
            let text =
                std::fs::read_to_string(file).with_context(|| format!("while reading {}", file.display()))?;
            let seen = promises::check_text(&compiler, &text, &mut |event| teller.tell(event))?;
            seen.violations.iter().for_each(|it| println!("VIOLATION ({}): {}", it.kind, it.text));
            print_seen(&seen);
            return seen.ensure_kept();
        }
        let seeds = self.only_seed.map_or(self.seed..self.seed + self.programs, |seed| seed..seed + 1);
        let begun = Instant::now();
        let totals = promises::check(&compiler, seeds, self.runs, &mut |event| teller.tell(event))?;
        print(&totals, begun.elapsed().as_secs_f64());
        totals.ensure_kept()
    }
}

fn print(totals: &Totals, seconds: f64) {
    let Totals { programs, functions, engine, seen, doomed, misses } = totals;
    let speed = *programs as f64 / seconds;
    println!(
        "{programs} programs, {functions} functions, {speed:.1} programs per second ({engine:.1} seconds of {seconds:.1} in the engine)"
    );
    print_seen(seen);
    let points::Seen { points, runs, normal, confirmed, violations, .. } = doomed;
    println!(
        "doomed points: {points}; {runs} runs, {normal} ended normally, {confirmed} failed behind one; VIOLATIONS: {violations}"
    );
    print_misses(misses);
}

fn print_seen(seen: &Seen) {
    println!("triples, and how many of them were replayed:");
    for (word, (count, replayed)) in &seen.triples {
        println!("  {word}: {count}, {replayed}");
    }
    print_reasons("not replayed", &seen.unfit);
    let (said, implied) = seen.contradictory;
    println!("  triples that no state satisfies: {said}; of implied ones: {implied}");
    println!("  kept for all choices of undefined bits: {}", seen.chosen);
    let (triples, replayed) = seen.shipped;
    println!("triples of the shipped engine: {triples}; replayed: {replayed}");
    print_reasons("not replayed", &seen.unfit_shipped);
    print_judged(&seen.judged);
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for violation in &seen.violations {
        *kinds.entry(violation.kind).or_default() += 1;
    }
    for (kind, count) in kinds {
        println!("VIOLATIONS of {kind}: {count}");
    }
}

fn print_reasons(what: &str, reasons: &BTreeMap<&str, u64>) {
    for (why, count) in reasons {
        println!("  {what} because of {why}: {count}");
    }
}

fn print_judged(judged: &Judged) {
    println!("findings of the shipped engine, as printed:");
    for (verdict, count) in &judged.findings {
        println!("  {verdict}: {count}");
    }
    let (skipped, states) = judged.n_skipped();
    println!("manifest findings: {states} states, {skipped} of them skipped");
    for (style, count) in &judged.held {
        println!("  held, {style}: {count}");
    }
    print_reasons("skipped", &judged.skipped);
    println!("others that happen from some state: {}", judged.possible);
    print_reasons("skipped", &judged.undecided);
}

fn print_misses(misses: &Misses) {
    println!("{} random runs: {} returned, {} were cut", misses.runs, misses.returned, misses.cut);
    let (mut met, mut found) = (0, 0);
    for (kind, count) in &misses.met {
        println!("  {kind}: {} errors met, {} known", count.0, count.1);
        met += count.0;
        found += count.1;
    }
    let percent = |missed: u64| 100.0 * missed as f64 / (met as f64).max(1.0);
    println!(
        "{} of {met} errors missed ({:.2} %), {:.2} % within the unroll bound; {} assertions were about the environment, which is no \
         error; {} errors rest on what unknown code did",
        met - found,
        percent(met - found),
        percent(met - found - misses.n_beyond_unroll()),
        misses.excused,
        misses.unknown
    );
    for (cause, count) in &misses.causes {
        println!("  {cause}: {count}");
    }
}
