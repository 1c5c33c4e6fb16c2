//! `cargo x bench`: claims about speed, as ratios of things that are measured in one run, because machines
//! are noisy.

mod logic;

use anyhow::Result;

/// Measure what we claim about speed. Use `--release`: `cargo run --release -p xtask -- bench logic`.
#[derive(clap::Args)]
pub(crate) struct Bench {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(clap::Subcommand)]
enum Subject {
    /// Terms, the fast tier and the solver; with `--features z3` also against Z3.
    Logic,
}

impl Bench {
    pub(crate) fn run(self) -> Result<()> {
        match self.subject {
            Subject::Logic => logic::run(),
        }
    }
}
