//! `cargo x corpus growth`: is analysis linear in the number of functions, and what do two threads bring?

use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use capture::FrontEnd;
use driver::Options;

use super::one::process_cpu;
use super::{cache, load, projects};
use crate::root;

/// Columns of the longest bar.
const BAR: f64 = 50.0;

/// Analyze growing parts of a project.
#[derive(clap::Args)]
pub(crate) struct Growth {
    /// The project.
    #[arg(default_value = "openssl-1.1.1")]
    project: String,
    /// Into how many parts its units are dealt, one after the other; the first of them are analyzed alone, then the first two, and so on.
    #[arg(long, default_value_t = 6)]
    parts: usize,
}

/// What the analysis of some units cost.
struct Point {
    units: usize,
    functions: usize,
    cpu: Duration,
    wall: Duration,
}

impl Growth {
    pub(crate) fn run(self) -> Result<()> {
        ensure!(self.parts > 0, "--parts must be at least 1");
        let project = projects::selected(&[self.project])?[0];
        let front_end = FrontEnd::new(None, Some(&cache()));
        let mut points = Vec::new();
        for n in 1..=self.parts {
            let point = measure(project.name, &front_end, 1, &|index| index % self.parts < n)?;
            eprintln!("{} functions: {:.1} s", point.functions, point.cpu.as_secs_f64());
            points.push(point);
        }
        let two = measure(project.name, &front_end, 2, &|_| true)?;
        let page = page(project.name, &points, &two);
        print!("{page}");
        fs::write(root().join("docs/benchmarks/growth.md"), page)?;
        Ok(())
    }
}

fn measure(
    project: &str,
    front_end: &FrontEnd,
    jobs: usize,
    is_wanted: &dyn Fn(usize) -> bool,
) -> Result<Point> {
    let (linked, numbers) = load::load_some(project, front_end, 2, None, is_wanted)?;
    let options = Options { jobs, ..Options::default() };
    let (cpu, wall) = (process_cpu(), Instant::now());
    driver::analyze(&linked, &options, &|_, _, _| {});
    Ok(Point {
        units: numbers.units,
        functions: linked.functions().len(),
        cpu: process_cpu() - cpu,
        wall: wall.elapsed(),
    })
}

fn page(project: &str, points: &[Point], two: &Point) -> String {
    let each = |point: &Point| 1000.0 * point.cpu.as_secs_f64() / point.functions.max(1) as f64;
    let most = points.iter().map(|point| point.cpu.as_secs_f64()).fold(0.0, f64::max);
    let mut text = format!(
        "# Growth\n\nWritten by `cargo x corpus growth {project}`; do not edit. Processor time of the analysis of growing parts of the project, one thread.\n\n```\n"
    );
    let _ = writeln!(text, "{:>6} {:>10} {:>8} {:>12}", "units", "functions", "CPU", "per function");
    for point in points {
        let cpu = point.cpu.as_secs_f64();
        let bar = "#".repeat((BAR * cpu / most.max(1e-9)).round() as usize);
        let _ = writeln!(
            text,
            "{:>6} {:>10} {:>7.1}s {:>10.2}ms  {bar}",
            point.units,
            point.functions,
            cpu,
            each(point)
        );
    }
    let _ = writeln!(text, "```");
    if let Some(whole) = points.last() {
        let (one, two) = (whole.wall.as_secs_f64(), two.wall.as_secs_f64());
        let _ = writeln!(
            text,
            "\nThe whole with one thread: {one:.1} s of time; with two: {two:.1} s, {:.2} times as fast.",
            one / two.max(1e-9)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_tells_time_per_function_and_what_two_threads_bring() {
        let point = |units, functions, seconds| Point {
            units,
            functions,
            cpu: Duration::from_secs(seconds),
            wall: Duration::from_secs(seconds),
        };
        let text = page("p", &[point(1, 1000, 2), point(2, 2000, 4)], &point(2, 2000, 2));
        assert!(text.contains("2.00ms  #########################\n"), "{text}");
        assert!(text.contains("2.00 times as fast"), "{text}");
    }
}
