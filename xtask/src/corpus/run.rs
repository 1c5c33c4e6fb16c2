//! `cargo x corpus run`: one pass over the units, with costs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use capture::{Database, FrontEnd, Unit};
use ir::Inst;
use rustix::time::{ClockId, clock_gettime};

use super::projects::PROJECTS;
use super::table;
use super::{database, directory, fetch};

/// Options of `cargo x corpus run`.
#[derive(clap::Args)]
pub(crate) struct Run {
    /// Only these projects.
    #[arg(long, value_delimiter = ',')]
    project: Vec<String>,
    /// The clang to compile with.
    #[arg(long)]
    clang: Option<PathBuf>,
    /// Units at a time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Keep the bitcode below the corpus directory, for `cargo x oracle` and `cargo x fuzz`.
    #[arg(long)]
    keep: bool,
}

/// What one unit, or a sum of units, gave.
#[derive(Default, Clone)]
pub(crate) struct Sums {
    pub(crate) units: usize,
    pub(crate) failed: Vec<String>,
    pub(crate) functions: usize,
    pub(crate) skipped: Vec<String>,
    pub(crate) instructions: usize,
    pub(crate) nondet: BTreeMap<String, usize>,
    pub(crate) unknown: BTreeMap<String, usize>,
    pub(crate) violations: Vec<String>,
    pub(crate) clang: Duration,
    pub(crate) reading: Duration,
    pub(crate) lowering: Duration,
    pub(crate) largest: Option<(usize, PathBuf)>,
}

impl Run {
    pub(crate) fn run(self) -> Result<()> {
        fetch::fetch()?;
        // Without a cache: what clang costs is measured.
        let front_end = FrontEnd::new(self.clang.as_deref(), None);
        let version = front_end.clang()?.version();
        let mut rows = Vec::new();
        for project in PROJECTS {
            if !self.project.is_empty() && !self.project.iter().any(|name| name == project.name) {
                continue;
            }
            let database = Database::load(&database(project.name))?;
            let bitcode = directory().join("bitcode").join(version.major.to_string()).join(project.name);
            fs::create_dir_all(&bitcode)?;
            let sums = self.project(&front_end, &database.units, &bitcode)?;
            let peak = match &sums.largest {
                Some((_, file)) => peak_memory(file)?,
                None => 0,
            };
            if !self.keep {
                fs::remove_dir_all(&bitcode)?;
            }
            eprintln!("{}: done", project.name);
            rows.push((project.name, sums, peak));
        }
        table::print(&rows);
        let broken: usize = rows.iter().map(|(_, sums, _)| sums.violations.len()).sum();
        ensure!(broken == 0, "the verifier found {broken} violations");
        Ok(())
    }

    fn project(&self, front_end: &FrontEnd, units: &[Unit], bitcode: &Path) -> Result<Sums> {
        let next = AtomicUsize::new(0);
        let sums = Mutex::new(Sums::default());
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                scope.spawn(|| {
                    while let Some((index, unit)) =
                        Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, units.get(at)?)))
                    {
                        let file = bitcode.join(format!("{index:04}.bc"));
                        let one = measure(front_end, unit, &file);
                        sums.lock().expect("invariant: no unit panics under the lock").add(one);
                    }
                });
            }
        });
        Ok(sums.into_inner().expect("invariant: no unit panics under the lock"))
    }
}

/// Compiles, reads, lowers and verifies a unit.
fn measure(front_end: &FrontEnd, unit: &Unit, file: &Path) -> Sums {
    let mut sums = Sums { units: 1, ..Sums::default() };
    let shown = unit.path().display().to_string();
    let compiled = match front_end.compile(unit) {
        Ok(compiled) => compiled,
        Err(error) => {
            sums.failed.push(format!("{shown}: {error}"));
            return sums;
        }
    };
    sums.clang = compiled.cpu;
    if fs::write(file, &compiled.bitcode).is_ok() {
        sums.largest = Some((compiled.bitcode.len(), file.to_owned()));
    }
    let start = cpu();
    let module = match bitcode::read(&compiled.bitcode) {
        Ok(module) => module,
        Err(error) => {
            sums.failed.push(format!("{shown}: {error}"));
            return sums;
        }
    };
    sums.reading = cpu() - start;
    let start = cpu();
    let lowered = lower::lower(&module);
    sums.lowering = cpu() - start;
    for unknown in &module.unknown {
        *sums.unknown.entry(format!("block {} code {:?}", unknown.block, unknown.code)).or_default() +=
            unknown.count as usize;
    }
    let name = |function| lowered.module.symbols.resolve(function);
    sums.skipped
        .extend(lowered.skipped.iter().map(|it| format!("{shown}: {}: {}", name(it.function), it.cause)));
    count(&lowered.module, &mut sums);
    let violations = ir::verify::verify(&lowered.module);
    sums.violations.extend(violations.iter().map(|it| format!("{shown}: {:?}: {}", it.law, it.message)));
    sums
}

fn count(module: &ir::Module, sums: &mut Sums) {
    for body in module.functions.iter().filter_map(|function| function.body.as_ref()) {
        sums.functions += 1;
        for inst in body.blocks.iter().flat_map(|block| &block.insts) {
            sums.instructions += 1;
            if let Inst::Nondet { reason } = body.insts[*inst].inst {
                let reason = module.reasons[reason];
                let detail = reason.detail.map_or("", |detail| module.symbols.resolve(detail));
                *sums.nondet.entry(format!("{} {detail}", reason.kind.word())).or_default() += 1;
            }
        }
    }
}

impl Sums {
    pub(crate) fn add(&mut self, other: Sums) {
        self.units += other.units;
        self.failed.extend(other.failed);
        self.functions += other.functions;
        self.skipped.extend(other.skipped);
        self.instructions += other.instructions;
        for (reason, count) in other.nondet {
            *self.nondet.entry(reason).or_default() += count;
        }
        for (unknown, count) in other.unknown {
            *self.unknown.entry(unknown).or_default() += count;
        }
        self.violations.extend(other.violations);
        self.clang += other.clang;
        self.reading += other.reading;
        self.lowering += other.lowering;
        self.largest = self.largest.take().max(other.largest);
    }
}

/// Processor time of this thread.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Megabytes that reading and lowering a file take, in a process of its own.
fn peak_memory(file: &Path) -> Result<u64> {
    let output = Command::new(std::env::current_exe()?).args(["corpus", "one"]).arg(file).output()?;
    ensure!(output.status.success(), "reading {} alone failed", file.display());
    String::from_utf8_lossy(&output.stdout).trim().parse().context("while reading the peak of memory")
}

/// Reads and lowers one file and prints the peak of memory in megabytes.
pub(crate) fn one(file: &Path) -> Result<()> {
    let bytes = fs::read(file)?;
    let lowered = lower::lower(&bitcode::read(&bytes)?);
    let status = fs::read_to_string("/proc/self/status")?;
    let Some(peak) = status.lines().find_map(|line| line.strip_prefix("VmHWM:")) else {
        bail!("this system does not tell the peak of memory");
    };
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse()?;
    drop(lowered);
    println!("{}", kilobytes / 1024);
    Ok(())
}
