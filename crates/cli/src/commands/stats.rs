//! `indict stats`: what was read and lowered, what is not modeled, and what it cost.
//!
//! The counts are a result and go to standard output; times differ from run to run and go to standard error.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::Result;
use base::visible;
use ir::Inst;

use crate::inputs::Inputs;
use crate::output;
use crate::paths::Here;
use crate::pipeline::{self, Cost, Lowered, Spent};
use crate::status::Status;
use crate::table::{Align, columns};

const EXAMPLES: &str = "\
Examples:
  indict stats list.c
  indict stats -p build/ 2>/dev/null   without the times

`nondet` counts instructions that are not modeled and stand for any value; their reasons are listed below the table.
Counts go to standard output and are the same for every run; times go to standard error. `time` is what the clock showed,
summed over all units, `cpu` what the processors worked.";

/// Counts what was read, what is not modeled, and what it cost.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Stats {
    #[command(flatten)]
    inputs: Inputs,
}

/// The counts of a unit, or of all of them.
#[derive(Default)]
struct Counts {
    functions: usize,
    skipped: Vec<String>,
    instructions: usize,
    /// By reason.
    nondet: BTreeMap<String, usize>,
    /// Unknown parts of bitcode, by place in the format.
    unknown: BTreeMap<String, usize>,
}

impl Stats {
    pub(crate) fn run(&self) -> Result<Status> {
        let started = Instant::now();
        let here = Here::find();
        let mut work = self.inputs.prepare(&here)?;
        work.sort();
        let mut rows = vec![header()];
        let mut all = Counts::default();
        let mut cost = Cost::default();
        let counted = |unit: Lowered| (count(&unit), unit.cost, unit.file);
        let loaded = pipeline::load(work, &here, counted, |(counts, unit_cost, file)| {
            rows.push(row(file, &counts));
            cost += unit_cost;
            all.add(counts);
        })?;
        if loaded.units == 0 {
            return Ok(Status::Failed);
        }
        rows.push(row(format!("all ({})", output::counted(loaded.units, "unit")), &all));
        let align = [Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right];
        output::print(&(columns(&align, &rows) + &details(&all)))?;
        output::tell(&times(&cost, started));
        Ok(Status::Clean)
    }
}

fn count(unit: &Lowered) -> Counts {
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

impl Counts {
    fn add(&mut self, other: Counts) {
        self.functions += other.functions;
        self.skipped.extend(other.skipped);
        self.instructions += other.instructions;
        add_all(&mut self.nondet, other.nondet);
        add_all(&mut self.unknown, other.unknown);
    }
}

fn add_all(sums: &mut BTreeMap<String, usize>, other: BTreeMap<String, usize>) {
    for (key, count) in other {
        *sums.entry(key).or_default() += count;
    }
}

fn header() -> Vec<String> {
    ["unit", "functions", "skipped", "instructions", "nondet", "share"].map(String::from).to_vec()
}

fn row(name: String, counts: &Counts) -> Vec<String> {
    let nondet: usize = counts.nondet.values().sum();
    let share = 100.0 * nondet as f64 / counts.instructions.max(1) as f64;
    let numbers = [counts.functions, counts.skipped.len(), counts.instructions, nondet];
    let numbers = numbers.iter().map(ToString::to_string);
    [name].into_iter().chain(numbers).chain([format!("{share:.2} %")]).collect()
}

/// The lists below the table: only those that have something in them.
fn details(counts: &Counts) -> String {
    let counted = |counts: &BTreeMap<String, usize>| {
        let rows: Vec<Vec<String>> =
            counts.iter().map(|(what, count)| vec![String::new(), count.to_string(), what.clone()]).collect();
        columns(&[Align::Left, Align::Right, Align::Left], &rows)
    };
    let mut text = String::new();
    if !counts.nondet.is_empty() {
        text.push_str(&format!("\nnot modeled, by reason:\n{}", counted(&counts.nondet)));
    }
    if !counts.skipped.is_empty() {
        text.push_str("\nfunctions left out:\n");
        counts.skipped.iter().for_each(|skipped| text.push_str(&format!("  {}\n", visible::line(skipped))));
    }
    if !counts.unknown.is_empty() {
        text.push_str(&format!("\nbitcode that the reader does not know:\n{}", counted(&counts.unknown)));
    }
    text
}

fn times(cost: &Cost, started: Instant) -> String {
    let seconds = |duration: std::time::Duration| format!("{:.3} s", duration.as_secs_f64());
    let row = |name: &str, spent: Spent| vec![name.to_owned(), seconds(spent.wall), seconds(spent.cpu)];
    let header = ["phase", "time", "cpu"].map(String::from).to_vec();
    let rows = [header, row("clang", cost.clang), row("read", cost.read), row("lower", cost.lower)];
    let table = columns(&[Align::Left, Align::Right, Align::Right], &rows);
    let ours = (cost.read.cpu + cost.lower.cpu).as_secs_f64();
    let share = match cost.clang.cpu.as_secs_f64() {
        0.0 => String::new(),
        clang => format!("; reading and lowering took {:.1} % of clang's cpu time", 100.0 * ours / clang),
    };
    let confined = match capture::has_landlock() {
        true => "confined by Landlock",
        false => "with limits only: this kernel has no Landlock",
    };
    format!(
        "\n{table}all together {} on the clock{share}\ncompilers run {confined}\n",
        seconds(started.elapsed())
    )
}
