//! `cargo x papers`: the experiments of the papers on our engines, as commands that anybody can repeat.
//!
//! Sources: Le, Raad, Villard, Berdine, Dreyer, O'Hearn, *Finding Real Bugs in Big Programs with
//! Incorrectness Logic*, OOPSLA 2022, §5 ([`funnel`], [`fixrate`]); Raad, Berdine, Dang, Dreyer, O'Hearn,
//! Villard, *Local Reasoning about the Presence of Bugs: Incorrectness Separation Logic*, CAV 2020, §5
//! ([`sweep`]); Hoenicke, Leino, Podelski, Schäf, Wies, *It's doomed; we can prove it*, FM 2009, §7
//! ([`tables`]).
//!
//! Each experiment rewrites its own section of one document ([`page`]), beside the numbers of its paper.
//! A run on a part of what it is about prints, and writes nothing. [`found`] is how findings are read,
//! [`source`] how functions are found in C text.

mod found;
mod page;
mod source;

mod funnel;
mod sweep;

mod fixrate;

mod tables;

use anyhow::Result;

/// Repeat the experiments of the papers; each writes its section of docs/benchmarks/papers.md.
#[derive(clap::Args)]
pub(crate) struct Papers {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(clap::Subcommand)]
enum Experiment {
    /// Count triples, errors, latent and manifest ones, and what is shown, on the corpus (Pulse-X, §5).
    Funnel(funnel::Funnel),
    /// Measure time and findings for other widths and unrollings (ISL, §5).
    Sweep(sweep::Sweep),
    /// Say for each finding in an old version what became of its function (Pulse-X, §5).
    Fixrate(fixrate::FixRate),
    /// Ask today's tools about the functions of Table 3, and measure Table 4 (doomed points, §7).
    Table3(tables::Tables),
    /// Analyze one version in this process (used by `fixrate`).
    #[command(hide = true)]
    Version(fixrate::version::Analyze),
}

impl Papers {
    pub(crate) fn run(self) -> Result<()> {
        match self.experiment {
            Experiment::Funnel(funnel) => funnel.run(),
            Experiment::Sweep(sweep) => sweep.run(),
            Experiment::Fixrate(fixrate) => fixrate.run(),
            Experiment::Table3(tables) => tables.run(),
            Experiment::Version(version) => version.run(),
        }
    }
}
