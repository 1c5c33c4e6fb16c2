//! `cargo x native`: findings on random programs, against the machine.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Result, ensure};
use theorem::Compiler;
use theorem::native::{self, Dispute, Seen};

/// Test findings on random programs, against native runs over all small inputs.
#[derive(clap::Args)]
pub(crate) struct Native {
    /// The seed of the first program.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Programs to make.
    #[arg(long, default_value_t = 400)]
    programs: u64,
    /// Only the program of this seed, with everything told.
    #[arg(long)]
    only_seed: Option<u64>,
    /// Make programs small that dispute a finding: so many for each reason and kind.
    #[arg(long, default_value_t = 0)]
    reduce: usize,
}

impl Native {
    pub(crate) fn run(self) -> Result<()> {
        let compiler = Compiler::new(None)?;
        let seeds = self.only_seed.map_or(self.seed..self.seed + self.programs, |seed| seed..seed + 1);
        if let Some(seed) = self.only_seed {
            print!("{}", native::shown(seed));
        }
        let begun = Instant::now();
        let seen = native::check(&compiler, seeds, &mut |dispute| println!("DISPUTE {dispute}"))?;
        print(&seen, begun.elapsed().as_secs_f64());
        let mut reduced: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for dispute in &seen.disputes {
            let count = reduced.entry((dispute.reason, dispute.kind)).or_default();
            *count += 1;
            if *count > self.reduce {
                continue;
            }
            let (text, small) = native::reduce(&compiler, dispute)?;
            println!("\n{small}\n{text}");
        }
        let count = seen.disputes.len();
        ensure!(count == 0, "{count} findings are disputed");
        Ok(())
    }
}

fn print(seen: &Seen, seconds: f64) {
    let Seen { programs, functions, runs, findings, held, excused, skipped, disputes } = seen;
    println!("{programs} programs, {functions} functions, {runs} native runs, {seconds:.1} seconds");
    for ((verdict, kind), count) in findings {
        println!("  {verdict} {kind}: {count}");
    }
    for (verdict, count) in held {
        println!("held, {verdict}: {count}");
    }
    println!("inputs that were excused, because nothing ends normally from them: {excused}");
    for (why, count) in skipped {
        println!("skipped because of {why}: {count}");
    }
    let mut reasons: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for Dispute { reason, kind, .. } in disputes {
        *reasons.entry((reason, kind)).or_default() += 1;
    }
    for ((reason, kind), count) in reasons {
        println!("DISPUTED, {kind}: {reason}: {count}");
    }
    println!("DISPUTES: {}", disputes.len());
}
