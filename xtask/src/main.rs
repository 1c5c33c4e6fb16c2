//! The developers' commands: `cargo x tidy` and its siblings.
//!
//! This file only dispatches: every command has a module of its own with a struct of options, whose
//! `run` does the work. A command that finds something wrong returns an error.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "these commands talk to developers on a terminal"
)]

mod bench;
mod corpus;
mod debts;
mod difftest;
mod doomed;
mod fuzz;
mod mutants;
mod native;
mod oracle;
mod papers;
mod recall;
mod soak;
mod stress;
mod teller;
mod theorem;
mod tidy;

use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

/// That of `indict`, so that what is measured here is what users get.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Commands for the developers of indict.
#[derive(Parser)]
#[command(name = "cargo x", bin_name = "cargo x")]
enum Command {
    Bench(bench::Bench),
    Corpus(corpus::Corpus),
    Debts(debts::Debts),
    Difftest(difftest::Difftest),
    Doomed(doomed::Doomed),
    Fuzz(fuzz::Fuzz),
    Mutants(mutants::Mutants),
    Native(native::Native),
    Oracle(oracle::Oracle),
    Papers(papers::Papers),
    Recall(recall::Recall),
    Soak(soak::Soak),
    Stress(stress::Stress),
    Theorem(theorem::Theorem),
    Tidy(tidy::Tidy),
}

fn main() -> ExitCode {
    // The builds of the corpus start this executable in the place of their compilers.
    if let Some(code) = capture::act() {
        return code;
    }
    let result = match Command::parse() {
        Command::Bench(bench) => bench.run(),
        Command::Corpus(corpus) => corpus.run(),
        Command::Debts(debts) => debts.run(),
        Command::Difftest(difftest) => difftest.run(),
        Command::Doomed(doomed) => doomed.run(),
        Command::Fuzz(fuzz) => fuzz.run(),
        Command::Mutants(mutants) => mutants.run(),
        Command::Native(native) => native.run(),
        Command::Oracle(oracle) => oracle.run(),
        Command::Papers(papers) => papers.run(),
        Command::Recall(recall) => recall.run(),
        Command::Soak(soak) => soak.run(),
        Command::Stress(stress) => stress.run(),
        Command::Theorem(theorem) => theorem.run(),
        Command::Tidy(tidy) => tidy.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The directory of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("invariant: xtask lies in the workspace")
}
