//! `cargo x soak`: the logic against brute force and second opinions, at full number. `cargo test` does the
//! same in small.

use std::time::Instant;

use anyhow::{Result, bail};

/// Compare terms, facts, solvers and elimination with brute force and with other solvers, at full number.
///
/// With `cargo run -p xtask --features z3 -- soak` also with Z3 (Debian: libz3-dev).
#[derive(clap::Args)]
pub(crate) struct Soak {
    /// Only comparisons whose names contain this.
    #[arg(long, default_value = "")]
    only: String,
    /// How much of the full number, in percent.
    #[arg(long, default_value_t = 100)]
    percent: u64,
    /// Where the random numbers begin.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A comparison: what was seen, or the first disagreement.
struct Comparison {
    name: &'static str,
    /// The full number, or the greatest width.
    count: u64,
    compare: fn(u64, u64) -> Result<String, String>,
}

/// Up to this width, every operation and every pair of operations is compared for all values.
const WIDEST: u64 = 4;

const COMPARISONS: &[Comparison] = &[
    Comparison {
        name: "terms: every operation on variables and all constants, up to width",
        count: WIDEST,
        compare: |widest, _| up_to(widest, term::soak::single),
    },
    Comparison {
        name: "terms: every pair of operations, up to width",
        count: WIDEST,
        compare: |widest, _| up_to(widest, |width| term::soak::exhaustive(width, 40)),
    },
    Comparison {
        name: "solver: the circuit of every operation for all values, up to width",
        count: WIDEST,
        compare: |widest, _| show(solver::soak::exhaustive(widest as term::Width)),
    },
    Comparison {
        name: "terms: two operations deep at width 1 to 4 against definitions",
        count: 3_000_000,
        compare: |count, seed| show(term::soak::nested(count, seed)),
    },
    Comparison {
        name: "terms: random ones of all widths against definitions",
        count: 1_000_000,
        compare: |count, seed| show(term::soak::random(count, seed)),
    },
    Comparison {
        name: "facts: unsat, decided and ranges against all values, any conjunction",
        count: 200_000,
        compare: |count, seed| show(term::facts_soak::any(count as usize, seed)),
    },
    Comparison {
        name: "facts: the same, conjunctions as C functions make them",
        count: 200_000,
        compare: |count, seed| show(term::facts_soak::branches(count as usize, seed)),
    },
    Comparison {
        name: "facts: no model excluded at 8 to 64 bits",
        count: 200_000,
        compare: |count, seed| show(term::facts_soak::full_width(count as usize, seed)),
    },
    Comparison {
        name: "facts: what they call contradictory is for the SAT tier, too",
        count: 200_000,
        compare: |count, seed| show(solver::soak::fast_tier(count, seed)),
    },
    Comparison {
        name: "solver: every operation against evaluation",
        count: 20_000,
        compare: |count, seed| show(solver::soak::operations(count, seed)),
    },
    Comparison {
        name: "solver: random queries against all values",
        count: 50_000,
        compare: |count, seed| show(solver::soak::brute_force(count, seed)),
    },
    #[cfg(feature = "z3")]
    Comparison {
        name: "solver: random queries against Z3",
        count: 20_000,
        compare: |count, seed| show(solver::soak::z3(count, seed)),
    },
    Comparison {
        name: "elimination: ∃ and ∀ against all values",
        count: 50_000,
        compare: |count, seed| show(solver::eliminate::soak::eliminate(count, seed)),
    },
    Comparison {
        name: "simplification: equal and not larger",
        count: 50_000,
        compare: |count, seed| show(solver::eliminate::soak::simplification(count, seed)),
    },
];

impl Soak {
    pub(crate) fn run(self) -> Result<()> {
        let mut wrong = 0;
        for comparison in COMPARISONS.iter().filter(|it| it.name.contains(&self.only)) {
            let count = (comparison.count * self.percent).div_ceil(100);
            let begun = Instant::now();
            let outcome = (comparison.compare)(count, self.seed);
            let seconds = begun.elapsed().as_secs();
            match outcome {
                Ok(seen) => println!("ok    {} × {count} ({seconds} s)\n      {seen}", comparison.name),
                Err(counterexample) => {
                    wrong += 1;
                    println!("WRONG {} ({seconds} s)\n      {counterexample}", comparison.name);
                }
            }
        }
        if wrong > 0 {
            bail!("{wrong} comparisons found a disagreement");
        }
        Ok(())
    }
}

fn up_to(
    widest: u64,
    compare: impl Fn(term::Width) -> Result<term::soak::Statistics, String>,
) -> Result<String, String> {
    let mut all = term::soak::Statistics::default();
    for width in 1..=widest {
        all += compare(width as term::Width)?;
    }
    show(Ok(all))
}

fn show<T: std::fmt::Debug>(outcome: Result<T, String>) -> Result<String, String> {
    outcome.map(|seen| format!("{seen:?}"))
}
