//! `cargo x corpus doomed`: the engine for doomed points on real code, and the tables of its paper.
//!
//! Source: Hoenicke et al., FM 2009, Table 3 (verdicts on small functions) and Table 4 (queries, and what
//! construction, the first query and further ones cost).
//! Departure: Table 4 has the whole corpus, too, with processor time of the engine against that of clang.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use capture::{Clang, FrontEnd, Trust};
use doomed::{Progress, Stats};
use models::Alone;
use session::{Engines, Options, Watch};
use theorem::module_of;

use super::projects::{self, Project};
use super::{cache, load};
use crate::root;

/// The page that is made of a run on all projects.
const PAGE: &str = "docs/benchmarks/doomed.md";

/// How often each small function is measured; the least time counts.
const REPEATED: usize = 50;

/// What stands above the tables.
const EXPLANATION: &str = "\
# Doomed program points

Written by `cargo x corpus doomed`; do not edit.

## Small functions (Table 3 and Table 4 of the paper)

The functions of `tests/c/doomed/table_3.c` and `paper.c`. *found*: what is reported; `_bad` functions have an error, `_ok` ones have none. *build*: loop-free passive form, outcome predicates and reachability, in
microseconds. *first*, *further*: the first query, and the average of all others.
";

const CORPUS: &str = "
## The corpus (like Table 4)

* *asked*: functions in which something can fail, so that queries were needed. *points*: blocks, and edges between a decision and a join, of those. *queries*: one for each point that no execution known so far
  passes. *undecided*: points that a budget left open; they are not reported. *gave up*: functions that are too large, or not reducible, or call `setjmp`.
* *engine*, *clang*: processor seconds; *ratio*: the one against the other.
";

/// Look for doomed points in the corpus; print what was found and what it cost.
#[derive(clap::Args)]
pub(crate) struct Doomed {
    /// Only these; the page is not written then.
    #[arg(value_name = "PROJECT")]
    projects: Vec<String>,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// The clang to compile with.
    #[arg(long)]
    clang: Option<PathBuf>,
}

/// One line of the table.
#[derive(Clone, Default)]
struct Row {
    functions: usize,
    asked: usize,
    points: usize,
    queries: usize,
    undecided: usize,
    gave_up: usize,
    findings: usize,
    engine: f64,
    clang: f64,
}

impl Doomed {
    pub(crate) fn run(self) -> Result<()> {
        let mut page = EXPLANATION.to_owned();
        page += &small(self.clang.as_deref())?;
        page += CORPUS;
        let mut table = format!(
            "{:<13} {:>9} {:>6} {:>7} {:>7} {:>9} {:>7} {:>8} {:>8} {:>8} {:>6}\n",
            "project",
            "functions",
            "asked",
            "points",
            "queries",
            "undecided",
            "gave up",
            "findings",
            "engine",
            "clang",
            "ratio"
        );
        let mut total = Row::default();
        for project in projects::selected(&self.projects)? {
            let row = self.project(project)?;
            table += &row.text(project.name);
            total.add(&row);
        }
        table += &total.text("total");
        println!("{table}");
        let _ = write!(page, "\n```\n{table}```\n");
        if self.projects.is_empty() {
            fs::write(root().join(PAGE), page)?;
            println!("written to {PAGE}");
        }
        Ok(())
    }

    fn project(&self, project: &Project) -> Result<Row> {
        let front_end = FrontEnd::new(self.clang.as_deref(), Some(cache().as_path()), Trust::Build);
        let (linked, numbers) = load::load(project.name, &front_end, self.jobs, None)?;
        let engines = Engines { split: false, doomed: true };
        let options = Options { jobs: self.jobs, engines, ..Options::default() };
        let analysis = session::analyze(&linked, &options, &Watch::nobody());
        for finding in &analysis.report.findings {
            println!(
                "{}:{}: {}: {}",
                project.shorten(&finding.file),
                finding.line,
                finding.function,
                finding.message
            );
        }
        let mut slowest: Vec<_> = analysis.doomed.asked.iter().collect();
        slowest.sort_by_key(|it| std::cmp::Reverse(it.2));
        for (function, stats, cpu) in slowest.into_iter().take(3) {
            let name = linked.function(*function).pretty();
            eprintln!("{}: {:.2} s for `{name}`, {} queries", project.name, cpu.as_secs_f64(), stats.queries);
        }
        let sum = |count: fn(&Stats) -> usize| analysis.doomed.asked.iter().map(|it| count(&it.1)).sum();
        Ok(Row {
            functions: linked.functions().len(),
            asked: analysis.doomed.asked.len(),
            points: sum(|it| it.points),
            queries: sum(|it| it.queries),
            undecided: sum(|it| it.undecided),
            gave_up: analysis.doomed.gave_up,
            findings: analysis.report.findings.len(),
            engine: analysis.doomed.cpu.as_secs_f64(),
            clang: numbers.cpu.clang,
        })
    }
}

impl Row {
    fn text(&self, name: &str) -> String {
        let Row { functions, asked, points, queries, undecided, gave_up, findings, engine, clang } = self;
        let ratio = if *clang > 0.0 { engine / clang } else { 0.0 };
        format!(
            "{name:<13} {functions:>9} {asked:>6} {points:>7} {queries:>7} {undecided:>9} {gave_up:>7} {findings:>8} {engine:>7.1}s {clang:>7.1}s {ratio:>6.3}\n"
        )
    }

    fn add(&mut self, other: &Row) {
        self.functions += other.functions;
        self.asked += other.asked;
        self.points += other.points;
        self.queries += other.queries;
        self.undecided += other.undecided;
        self.gave_up += other.gave_up;
        self.findings += other.findings;
        self.engine += other.engine;
        self.clang += other.clang;
    }
}

/// The tables of the paper.
fn small(clang: Option<&std::path::Path>) -> Result<String> {
    let clang = Clang::find(clang)?;
    let mut table = format!(
        "{:<22} {:>6} {:>7} {:>8} {:>8} {:>8}\n",
        "function", "found", "queries", "build", "first", "further"
    );
    for file in ["tests/c/doomed/table_3.c", "tests/c/doomed/paper.c"] {
        let module = module_of(&clang, &root().join(file), &["-w".to_owned()])?;
        let project = doomed::alone(&module);
        for (func, function) in module.functions.iter_ids() {
            let name = module.symbols.resolve(function.name);
            if function.body.is_none() || !(name.ends_with("_bad") || name.ends_with("_ok")) {
                continue;
            }
            let measured = measured(&project, func).context("everything is measured")?;
            let micros = |it: Duration| it.as_secs_f64() * 1e6;
            let first = measured.queries.first().copied().unwrap_or_default();
            let further: Duration = measured.queries.iter().skip(1).sum();
            let n_further = measured.queries.len().saturating_sub(1).max(1) as u32;
            let _ = writeln!(
                table,
                "{name:<22} {:>6} {:>7} {:>6.0}µs {:>6.0}µs {:>6.0}µs",
                if measured.found { "doomed" } else { "-" },
                measured.queries.len(),
                micros(measured.build),
                micros(first),
                micros(further / n_further)
            );
        }
    }
    Ok(format!("\n```\n{table}```\n"))
}

/// What one analysis took.
pub(crate) struct Measured {
    pub(crate) found: bool,
    pub(crate) build: Duration,
    pub(crate) queries: Vec<Duration>,
}

/// The least time of so many analyses.
pub(crate) fn measured(project: &Alone<'_>, func: ir::FuncId) -> Option<Measured> {
    let all = (0..REPEATED).map(|_| measure(project, func));
    all.min_by_key(|it| it.build + it.queries.iter().sum())
}

fn measure(project: &Alone<'_>, func: ir::FuncId) -> Measured {
    let mut last = Instant::now();
    let (mut build, mut queries) = (Duration::ZERO, Vec::new());
    let mut watch = |progress: Progress| {
        let took = last.elapsed();
        match progress {
            Progress::Built => build = took,
            Progress::Asked => queries.push(took),
        }
        last = Instant::now();
    };
    let analysis = doomed::analyze_watched(&project.around(func), &doomed::Options::default(), &mut watch);
    if queries.is_empty() && build.is_zero() {
        build = last.elapsed();
    }
    Measured { found: !analysis.findings.is_empty(), build, queries }
}
