//! `cargo x corpus growth`: is analysis linear in the number of functions, and what do two threads bring?

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use base::Id;
use capture::{FrontEnd, Trust};
use project::{EdgeKind, FnId, Project, UnitIr};
use session::{Options, Watch};

use super::one::process_cpu;
use super::{cache, load, projects};
use crate::root;

/// Columns of the longest bar.
const BAR: f64 = 50.0;

/// Runs with one thread and with two, in turn: one of them can meet a busy machine.
const TURNS: usize = 3;

/// Analyze growing parts of a project.
#[derive(clap::Args)]
pub(crate) struct Growth {
    /// The project.
    #[arg(default_value = "openssl-1.1.1")]
    project: String,
    /// How many parts: a function comes into a part with all functions that it calls by name.
    #[arg(long, default_value_t = 6)]
    parts: usize,
}

/// What the analysis of some functions cost.
struct Point {
    functions: usize,
    cpu: Duration,
    wall: Duration,
}

impl Growth {
    pub(crate) fn run(self) -> Result<()> {
        ensure!(self.parts > 0, "--parts must be at least 1");
        let project = projects::selected(&[self.project])?[0];
        let (whole, _) =
            load::load(project.name, &FrontEnd::new(None, Some(&cache()), Trust::Build), 2, None)?;
        let links = load::links(project.name);
        let mut points = Vec::new();
        for wanted in growing(&whole, self.parts) {
            let point = measure(&Project::new(part_of(&whole, &wanted), &links), 1);
            eprintln!("{} functions: {:.1} s", point.functions, point.cpu.as_secs_f64());
            points.push(point);
        }
        let turns: Vec<(Point, Point)> =
            (0..TURNS).map(|_| (measure(&whole, 1), measure(&whole, 2))).collect();
        let page = page(project.name, &points, &turns);
        print!("{page}");
        fs::write(root().join("docs/benchmarks/growth.md"), page)?;
        Ok(())
    }
}

/// Growing sets of functions, the last of which is all: functions in no order that means anything, each with all that it calls by name.
fn growing(whole: &Project, parts: usize) -> Vec<BTreeSet<FnId>> {
    let mut roots: Vec<FnId> = whole.functions().collect();
    roots.sort_by_key(|root| (root.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut sets = Vec::new();
    let mut set = BTreeSet::new();
    for root in &roots {
        let mut todo = vec![*root];
        while let Some(next) = todo.pop() {
            if set.insert(next) {
                let callees = whole.call_graph().callees(next).iter();
                let by_name = callees.filter(|edge| edge.kind == EdgeKind::Direct);
                todo.extend(by_name.filter_map(|edge| edge.callee.function()));
            }
        }
        if set.len() * parts >= roots.len() * (sets.len() + 1) && set.len() < roots.len() {
            sets.push(set.clone());
        }
    }
    sets.push(set);
    sets
}

/// The project without the bodies of other functions.
fn part_of(whole: &Project, wanted: &BTreeSet<FnId>) -> Vec<UnitIr> {
    let mut units: Vec<UnitIr> = whole.units().iter().cloned().collect();
    for function in whole.functions().filter(|it| !wanted.contains(it)) {
        for &(unit, copy) in whole.copies(function) {
            units[unit.index()].module.functions[copy].body = None;
        }
    }
    units
}

fn measure(project: &Project, jobs: usize) -> Point {
    let options = Options { jobs, ..Options::default() };
    let (cpu, wall) = (process_cpu(), Instant::now());
    session::analyze(project, &options, &Watch::nobody());
    Point { functions: project.functions().len(), cpu: process_cpu() - cpu, wall: wall.elapsed() }
}

fn page(project: &str, points: &[Point], turns: &[(Point, Point)]) -> String {
    let each = |point: &Point| 1000.0 * point.cpu.as_secs_f64() / point.functions.max(1) as f64;
    let most = points.iter().map(|point| point.cpu.as_secs_f64()).fold(0.0, f64::max);
    let mut text = format!(
        "# Growth\n\nWritten by `cargo x corpus growth {project} --parts {}`; do not edit. Processor time of the analysis of growing parts of the project, one thread. A function comes into a part with all functions that it calls by name.\n\n```\n",
        points.len()
    );
    let _ = writeln!(text, "{:>10} {:>8} {:>12}", "functions", "CPU", "per function");
    for point in points {
        let cpu = point.cpu.as_secs_f64();
        let bar = "#".repeat((BAR * cpu / most.max(1e-9)).round() as usize);
        let _ = writeln!(text, "{:>10} {:>7.1}s {:>10.2}ms  {bar}", point.functions, cpu, each(point));
    }
    let _ = writeln!(text, "```\n\nThe whole with one thread and with two, in turn:\n");
    let mut ratios = Vec::new();
    for (one, two) in turns {
        let (one, two) = (one.wall.as_secs_f64(), two.wall.as_secs_f64());
        ratios.push(one / two.max(1e-9));
        let _ = writeln!(text, "* {one:.1} s and {two:.1} s: {:.2} times as fast", one / two.max(1e-9));
    }
    ratios.sort_by(f64::total_cmp);
    if let Some(median) = ratios.get(ratios.len() / 2) {
        let _ = writeln!(text, "\nIn the middle: {median:.2} times as fast.");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_tells_time_per_function_and_what_two_threads_bring() {
        let point = |functions, seconds| Point {
            functions,
            cpu: Duration::from_secs(seconds),
            wall: Duration::from_secs(seconds),
        };
        let turns = [(6, 2), (4, 2), (3, 2)].map(|(one, two)| (point(2000, one), point(2000, two)));
        let text = page("p", &[point(1000, 2), point(2000, 4)], &turns);
        assert!(text.contains("2.00ms  #########################\n"), "{text}");
        assert!(text.contains("In the middle: 2.00 times as fast"), "{text}");
    }
}
