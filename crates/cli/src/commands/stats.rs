//! `indict stats`: what was read and lowered, what is not modeled, and what it cost.
//!
//! The counts are a result and go to standard output; times differ from run to run and go to standard error.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::Result;
use base::{counted, visible};
use session::{Counts, Order, Session, Spent, Watch};

use crate::options::Inputs;
use crate::output;
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

impl Stats {
    pub(crate) fn run(&self, watch: &Watch<'_>) -> Result<Status> {
        let started = Instant::now();
        let stats = Session::open(&self.inputs.request(Order::ByPath), watch)?.stats(watch)?;
        if stats.units.is_empty() {
            return Ok(Status::Failed);
        }
        let mut rows = vec![header()];
        rows.extend(stats.units.iter().map(|(file, counts)| row(file.clone(), counts)));
        rows.push(row(format!("all ({})", counted(stats.units.len(), "unit")), &stats.all));
        let align = [Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right];
        output::print(&(columns(&align, &rows) + &details(&stats.all)))?;
        output::tell(&times(&stats, started));
        Ok(Status::Clean)
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
    let list = |counts: &BTreeMap<String, usize>| {
        let rows: Vec<Vec<String>> =
            counts.iter().map(|(what, count)| vec![String::new(), count.to_string(), what.clone()]).collect();
        columns(&[Align::Left, Align::Right, Align::Left], &rows)
    };
    let mut text = String::new();
    if !counts.nondet.is_empty() {
        text.push_str(&format!("\nnot modeled, by reason:\n{}", list(&counts.nondet)));
    }
    if !counts.skipped.is_empty() {
        text.push_str("\nfunctions left out:\n");
        counts.skipped.iter().for_each(|skipped| text.push_str(&format!("  {}\n", visible::line(skipped))));
    }
    if !counts.unknown.is_empty() {
        text.push_str(&format!("\nbitcode that the reader does not know:\n{}", list(&counts.unknown)));
    }
    text
}

fn times(stats: &session::Stats, started: Instant) -> String {
    let cost = &stats.cost;
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
    let confined = match stats.confined {
        true => "confined by Landlock",
        false => "with limits only: this kernel has no Landlock",
    };
    format!(
        "\n{table}all together {} on the clock{share}\ncompilers run {confined}\n",
        seconds(started.elapsed())
    )
}
