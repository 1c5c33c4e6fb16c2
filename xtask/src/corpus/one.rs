//! The work on one project, in a process of its own: its memory is then that of the project, and what goes
//! wrong costs only this one.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use capture::{FrontEnd, Trust};
use project::{FnId, FnRef};
use report::{Files, Report};
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use session::{Analysis, Cancel, Event, Options, Selection, Watch};
use summary::wire;

use super::numbers::{Numbers, Slow};
use super::projects::{self, Project};
use super::{cache, directory, load};

/// Functions that are named because they took long.
const N_SLOWEST: usize = 10;

/// Between two looks at the clock.
const PULSE: Duration = Duration::from_millis(100);

/// Functions between two signs of life.
const N_BETWEEN: usize = 1000;

/// A process that wants more is taken for one that would never stop; the machine is needed by others.
const MAX_BYTES: u64 = 12 << 30;

/// Seconds of processor time for a function that does not end after the limit was reached.
const GRACE: u64 = 120;

/// Options of `cargo x corpus run` that concern the work on each project.
#[derive(clap::Args)]
pub(crate) struct How {
    /// Threads.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Seconds of processor time for the analysis of a project. What was found until then is kept.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    limit: u64,
    /// The clang to compile with.
    #[arg(long)]
    clang: Option<PathBuf>,
    /// Compile again, to measure clang; otherwise its time is the one it took when the bitcode was made.
    #[arg(long)]
    fresh: bool,
    /// Keep the bitcode below the corpus directory, for `cargo x oracle` and `cargo x fuzz`.
    #[arg(long)]
    keep: bool,
}

/// Options of the process that works on one project.
#[derive(clap::Args)]
pub(crate) struct One {
    project: String,
    /// Where the results go.
    into: PathBuf,
    #[command(flatten)]
    how: How,
}

impl How {
    /// The same for a process of its own.
    pub(crate) fn arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> =
            [format!("--jobs={}", self.jobs), format!("--limit={}", self.limit)].map(Into::into).into();
        if let Some(clang) = &self.clang {
            arguments.extend([OsString::from("--clang"), clang.clone().into_os_string()]);
        }
        let flags = [(self.fresh, "--fresh"), (self.keep, "--keep")];
        arguments.extend(flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| OsString::from(flag)));
        arguments
    }

    fn front_end(&self) -> FrontEnd {
        let cache = cache();
        FrontEnd::new(self.clang.as_deref(), Some(cache.as_path()).filter(|_| !self.fresh), Trust::Build)
    }

    fn bitcode(&self, front_end: &FrontEnd, project: &Project) -> Result<Option<PathBuf>> {
        if !self.keep {
            return Ok(None);
        }
        let version = front_end.clang()?.version();
        let dir = directory().join("bitcode").join(version.major.to_string()).join(project.name);
        fs::create_dir_all(&dir)?;
        Ok(Some(dir))
    }
}

impl One {
    pub(crate) fn run(self) -> Result<()> {
        let project = projects::selected(&[self.project])?[0];
        let front_end = self.how.front_end();
        let bitcode = self.how.bitcode(&front_end, project)?;
        let (linked, mut numbers) = load::load(project.name, &front_end, self.how.jobs, bitcode.as_deref())?;
        let options = Options { jobs: self.how.jobs, ..Options::default() };
        let all = linked.functions().len();
        let watch = Watch::new(limit(self.how.limit)?, |event| {
            if let Event::FunctionsDone { done, findings } = event
                && done.is_multiple_of(N_BETWEEN)
            {
                eprintln!("{}: {done} of {all} functions, {findings} findings", project.name);
            }
        });
        let started = process_cpu();
        let mut analysis = session::analyze(&linked, &options, &watch);
        numbers.cpu.analysis = (process_cpu() - started).as_secs_f64();
        let shorten = |file: &str| project.shorten(file);
        let files = Files { shown: &shorten, anchored: &shorten, bytes: &|file| fs::read(file).ok() };
        let report = session::named(std::mem::take(&mut analysis.report), &files);
        count(project, &linked, &analysis, &mut numbers);
        numbers.shown = write(&self.into, project.name, report, &mut numbers)?;
        numbers.peak_megabytes = peak_megabytes()?;
        round_trip(&linked, &analysis, &mut numbers);
        numbers.save(&self.into, project.name)
    }
}

/// From now on this process has so many seconds of a processor; then it is wished that the work stops.
fn limit(seconds: u64) -> Result<Cancel> {
    let end = process_cpu() + Duration::from_secs(seconds);
    let cancel = Cancel::default();
    let wish = cancel.clone();
    thread::spawn(move || {
        while process_cpu() <= end {
            thread::sleep(PULSE);
        }
        wish.cancel();
    });
    let hard = Some(end.as_secs() + GRACE);
    setrlimit(Resource::Cpu, Rlimit { current: hard, maximum: hard })?;
    setrlimit(Resource::As, Rlimit { current: Some(MAX_BYTES), maximum: Some(MAX_BYTES) })?;
    Ok(cancel)
}

/// Writes what a user sees, and all findings; gives the number of the former. Both are the same bytes for the
/// same code.
fn write(dir: &Path, project: &str, report: Report, numbers: &mut Numbers) -> Result<usize> {
    for finding in &report.findings {
        let by_verdict = numbers.findings.entry(finding.kind.id().to_owned()).or_default();
        *by_verdict.entry(finding.verdict.id().to_owned()).or_default() += 1;
    }
    fs::write(dir.join(format!("{project}.all.json")), report::json(&report))?;
    let shown = Selection::everything(false).of(report);
    fs::write(dir.join(format!("{project}.json")), report::json(&shown))?;
    Ok(shown.findings.len())
}

/// Writes each summary as bytes, and reads it again.
fn round_trip(linked: &project::Project, analysis: &Analysis, numbers: &mut Numbers) {
    for (function, summary) in linked.functions().zip(&analysis.summaries) {
        let bytes = wire::encode(summary);
        numbers.summary_bytes += bytes.len();
        let is_same = wire::decode(&bytes).is_ok_and(|back| wire::encode(&back) == bytes);
        if !is_same {
            numbers.lost.push(linked.function(function).pretty().to_owned());
        }
    }
}

fn count(project: &Project, linked: &project::Project, analysis: &Analysis, numbers: &mut Numbers) {
    numbers.functions = linked.functions().len();
    numbers.reached = analysis.costs.len();
    numbers.lines = lines(linked.functions().map(|function| linked.function(function)));
    for (why, count) in &analysis.stopped {
        numbers.cut.insert(format!("{why:?}").to_lowercase(), *count);
    }
    for (function, why) in &analysis.given_up {
        let reason = why.map_or("internal error".to_owned(), |why| format!("{why:?}").to_lowercase());
        let name = linked.function(*function).pretty().to_owned();
        numbers.gave_up.entry(reason).or_default().push(name);
    }
    let mut costs: Vec<(Duration, FnId)> = analysis.costs.iter().map(|&(id, cpu)| (cpu, id)).collect();
    costs.sort_by_key(|&(cpu, id)| (Reverse(cpu), id));
    let slowest = costs.into_iter().take(N_SLOWEST);
    numbers.slowest = slowest.map(|(cpu, id)| slow(project, linked.function(id), cpu)).collect();
}

fn slow(project: &Project, function: FnRef<'_>, cpu: Duration) -> Slow {
    let (file, line, _) = function.place(function.function.loc).unwrap_or_default();
    let name = ir::names::without_params(function.pretty()).to_owned();
    Slow { seconds: cpu.as_secs_f64(), function: name, file: project.shorten(file), line }
}

/// Lines between the first and the last one of some function, each once. What a macro or an inlined header
/// brings from elsewhere stands there.
fn lines<'p>(functions: impl Iterator<Item = FnRef<'p>>) -> usize {
    let mut spans: BTreeMap<&str, Vec<(u32, u32)>> = BTreeMap::new();
    for function in functions {
        let Some((file, first, _)) = function.place(function.function.loc) else { continue };
        let Some(body) = &function.function.body else { continue };
        let locs =
            body.insts.iter().map(|inst| inst.loc).chain(body.blocks.iter().map(|block| block.term_loc));
        let own = locs.filter_map(|loc| function.place(loc)).filter(|place| place.0 == file);
        let last = own.map(|place| place.1).max().unwrap_or(first);
        spans.entry(file).or_default().push((first, last.max(first)));
    }
    spans.into_values().map(n_covered).sum()
}

/// How many numbers lie in some span.
fn n_covered(mut spans: Vec<(u32, u32)>) -> usize {
    spans.sort_unstable();
    let (mut covered, mut next) = (0, 0);
    for (first, last) in spans {
        let first = first.max(next);
        if last >= first {
            covered += (last - first) as usize + 1;
            next = last + 1;
        }
    }
    covered
}

/// Processor time of all threads of this process.
pub(crate) fn process_cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn peak_megabytes() -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.context("this system does not tell the peak of memory")?;
    Ok(peak.trim().trim_end_matches(" kB").parse::<u64>()? / 1024)
}

#[cfg(test)]
mod tests {
    use super::n_covered;

    #[test]
    fn lines_of_several_functions_count_once() {
        assert_eq!(n_covered(vec![(10, 12), (1, 3), (3, 5), (2, 4)]), 8);
        assert_eq!(n_covered(vec![(7, 7)]), 1);
        assert_eq!(n_covered(Vec::new()), 0);
    }
}
