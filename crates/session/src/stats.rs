//! What was read and lowered, what is not modeled, and what it cost.

use std::collections::BTreeMap;

use anyhow::Result;
use ir::Inst;

use crate::load::{How, load};
use crate::lowered::{Cost, Lowered};
use crate::units::Work;
use crate::watch::Watch;

/// The counts of all units.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// By unit, with its file for people.
    pub units: Vec<(String, Counts)>,
    /// Of all units together.
    pub all: Counts,
    /// Of all units together; differs from run to run.
    pub cost: Cost,
    /// Whether the system lets us confine compilers.
    pub confined: bool,
}

/// The counts of a unit, or of all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Functions that have a body.
    pub functions: usize,
    /// Functions that could not be lowered, each with the file and the reason.
    pub skipped: Vec<String>,
    /// Instructions.
    pub instructions: usize,
    /// Instructions that are not modeled, by reason.
    pub nondet: BTreeMap<String, usize>,
    /// Unknown parts of bitcode, by place in the format.
    pub unknown: BTreeMap<String, usize>,
}

impl Stats {
    /// Lowers all units and counts what is in them.
    pub(crate) fn of(work: Work, how: How<'_>, watch: &Watch<'_>) -> Result<Stats> {
        let mut stats = Stats { confined: capture::has_landlock(), ..Stats::default() };
        let counted = |unit: Lowered| (Counts::of(&unit), unit.cost, unit.file);
        let add = |(counts, cost, file): (Counts, Cost, String)| {
            stats.all.add(&counts);
            stats.cost += cost;
            stats.units.push((file, counts));
        };
        load(work, how, counted, add, watch)?;
        Ok(stats)
    }
}

impl Counts {
    fn of(unit: &Lowered) -> Counts {
        let module = &unit.module;
        let skipped = unit.skipped.iter().map(|skipped| format!("{}: {skipped}", unit.file)).collect();
        let mut counts = Counts { skipped, ..Counts::default() };
        for body in module.functions.iter().filter_map(|function| function.body.as_ref()) {
            counts.functions += 1;
            for inst in body.blocks.iter().flat_map(|block| &block.insts) {
                counts.instructions += 1;
                if let Inst::Nondet { reason } = body.insts[*inst].inst {
                    let reason = module.reasons[reason];
                    let detail = reason.detail.map_or("", |detail| module.symbols.resolve(detail));
                    *counts.nondet.entry(format!("{} {detail}", reason.kind.word())).or_default() += 1;
                }
            }
        }
        for unknown in &unit.unknown {
            let place = match unknown.code {
                Some(code) => format!("record {code} of block {}", unknown.block),
                None => format!("block {}", unknown.block),
            };
            *counts.unknown.entry(place).or_default() += unknown.count as usize;
        }
        counts
    }

    fn add(&mut self, other: &Counts) {
        self.functions += other.functions;
        self.skipped.extend_from_slice(&other.skipped);
        self.instructions += other.instructions;
        add_all(&mut self.nondet, &other.nondet);
        add_all(&mut self.unknown, &other.unknown);
    }
}

fn add_all(sums: &mut BTreeMap<String, usize>, other: &BTreeMap<String, usize>) {
    for (key, count) in other {
        *sums.entry(key.clone()).or_default() += count;
    }
}
