//! `cargo x mutants`: what would tests and oracles notice?
//!
//! The engine is broken on purpose, one small fault at a time ([`list`]), and the suites ([`suites`]) are run
//! until one of them fails. All faults are built at once, into a copy of the workspace ([`copy`]), each
//! behind a switch that the environment turns on ([`place`]); the product itself has nothing of it. A fault
//! that no suite notices needs a new test, or an explanation in its row.
//! Source: `DESIGN.md` §13; Untch, Offutt, Harrold, *Mutation Analysis Using Mutant Schemata*, ISSTA 1993.
//! Departure: faults are chosen by hand, as ones that a tired engineer makes, instead of by operators.

mod copy;
mod list;
mod place;
mod process;
mod results;
mod suites;
mod table;

use std::collections::VecDeque;
use std::sync::Mutex;

use anyhow::{Context, Result, bail, ensure};

use list::Fault;
use results::{Results, Seen};
use suites::Suites;

/// Faults that must be noticed, in percent.
const ENOUGH: usize = 90;

/// Break the engine on purpose, and count the faults that tests and oracles notice.
#[derive(clap::Args)]
pub(crate) struct Mutants {
    /// Only faults whose names contain one of these.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// List the faults, and do nothing.
    #[arg(long)]
    list: bool,
    /// Faults at a time.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Take over what earlier runs noticed; tests may have been added since, but the code must be the same.
    #[arg(long)]
    resume: bool,
}

impl Mutants {
    pub(crate) fn run(self) -> Result<()> {
        let faults = list::all()?;
        let is_wanted =
            |fault: &&Fault| self.only.is_empty() || self.only.iter().any(|it| fault.name.contains(it));
        let wanted: Vec<&Fault> = faults.iter().filter(is_wanted).collect();
        ensure!(!wanted.is_empty(), "no fault has a name that contains {}", self.only.join(" or "));
        if self.list {
            wanted.iter().for_each(|it| println!("{:28} {}: {}", it.name, it.file, it.breaks));
            return Ok(());
        }
        let fingerprint = copy::make(&faults)?;
        let mut results = Results::load(fingerprint);
        let is_open = |fault: &&Fault| !self.resume || !results.is_settled(fault);
        let todo: VecDeque<&Fault> = wanted.iter().copied().filter(is_open).collect();
        if !todo.is_empty() {
            let suites = Suites::build(&list::rooms(&faults))?;
            self.judge_all(&suites, todo, &mut results)?;
        }
        table::print(&results.rows(&wanted));
        let all: Vec<&Fault> = faults.iter().collect();
        let rows = results.rows(&all);
        if rows.len() == faults.len() {
            table::write(&rows)?;
        }
        verdict(&results.rows(&wanted))
    }

    /// Runs the suites against each fault. What was seen is kept at once: a long run may be ended.
    fn judge_all(&self, suites: &Suites, todo: VecDeque<&Fault>, results: &mut Results) -> Result<()> {
        let (todo, results) = (Mutex::new(todo), Mutex::new(results));
        let work = || -> Result<()> {
            while let Some(fault) = lock(&todo)?.pop_front() {
                let seen = suites.judge(fault)?;
                println!("{:28} {seen}", fault.name);
                lock(&results)?.keep(fault, seen)?;
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.jobs.max(1)).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|it| it.join().ok().context("a worker should not panic")?)
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> Result<std::sync::MutexGuard<'_, T>> {
    mutex.lock().ok().context("a worker should not panic")
}

/// Whether enough was noticed, and all else is explained.
fn verdict(rows: &[(&Fault, &Seen)]) -> Result<()> {
    let noticed = rows.iter().filter(|(_, seen)| seen.is_noticed()).count();
    let bare: Vec<&str> = rows
        .iter()
        .filter(|(fault, seen)| !seen.is_noticed() && fault.explained.is_none())
        .map(|(fault, _)| fault.name.as_str())
        .collect();
    if !bare.is_empty() {
        bail!("nobody notices and nothing explains: {}", bare.join(", "));
    }
    let weak: Vec<&str> = rows
        .iter()
        .filter(|(fault, seen)| !seen.is_loud(fault))
        .map(|(fault, _)| fault.name.as_str())
        .collect();
    if !weak.is_empty() {
        bail!("the theorem oracle sees fewer violations than the row asks for: {}", weak.join(", "));
    }
    ensure!(
        noticed * 100 >= rows.len() * ENOUGH,
        "{noticed} of {} faults are noticed, fewer than {ENOUGH} %",
        rows.len()
    );
    Ok(())
}
