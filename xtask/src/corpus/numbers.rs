//! What is counted and measured of a project in a run; kept beside its findings, which do not differ from run
//! to run as times do.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// How many of something, by what it is.
pub(crate) type Counts = BTreeMap<String, usize>;

/// What a unit, or a project, gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Numbers {
    /// The version of clang.
    pub(crate) clang: String,
    pub(crate) units: usize,
    /// Units that were not compiled or read, each with the reason.
    pub(crate) failed: Vec<String>,
    /// Functions with a body, equal copies counted once.
    pub(crate) functions: usize,
    /// Functions that the analysis came to before its limit.
    pub(crate) reached: usize,
    /// Lines of source between the first and the last one of some function.
    pub(crate) lines: usize,
    /// Bytes of all summaries in the form in which they are kept.
    pub(crate) summary_bytes: usize,
    /// Functions whose summary does not come back from its bytes.
    pub(crate) lost: Vec<String>,
    /// Functions that were not lowered, each with the reason.
    pub(crate) skipped: Vec<String>,
    /// Instructions of all units, copies included.
    pub(crate) instructions: usize,
    /// Instructions that are not modeled, by reason.
    pub(crate) nondet: Counts,
    /// Records that the reader of bitcode does not know.
    pub(crate) unknown: Counts,
    /// Laws of the IR that lowering broke.
    pub(crate) violations: Vec<String>,
    /// Findings that a user sees without asking for latent ones.
    pub(crate) shown: usize,
    /// All findings, by kind and then verdict.
    pub(crate) findings: BTreeMap<String, Counts>,
    /// Functions given up, by reason.
    pub(crate) gave_up: BTreeMap<String, Vec<String>>,
    /// Functions of which some paths were not followed to the end, by reason.
    pub(crate) cut: Counts,
    pub(crate) cpu: Cpu,
    /// Of the process that reads, lowers and analyzes the project; clang is not in it.
    pub(crate) peak_megabytes: u64,
    /// The functions that took longest, the slowest first.
    pub(crate) slowest: Vec<Slow>,
}

/// Processor time of the phases, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cpu {
    pub(crate) clang: f64,
    pub(crate) reading: f64,
    pub(crate) lowering: f64,
    /// Putting the units together: who calls whom.
    pub(crate) linking: f64,
    pub(crate) analysis: f64,
}

/// A function that took long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Slow {
    pub(crate) seconds: f64,
    pub(crate) function: String,
    pub(crate) file: String,
    pub(crate) line: u32,
}

impl Numbers {
    /// Those of a project in a stored run; none if the run has nothing on it.
    pub(crate) fn load(run: &Path, project: &str) -> Result<Option<Numbers>> {
        let file = Numbers::file(run, project);
        if !file.exists() {
            return Ok(None);
        }
        let numbers = fs::read(&file).map_err(anyhow::Error::from);
        let numbers = numbers.and_then(|text| Ok(serde_json::from_slice(&text)?));
        numbers.map(Some).with_context(|| format!("while reading {}", file.display()))
    }

    pub(crate) fn save(&self, run: &Path, project: &str) -> Result<()> {
        fs::write(Numbers::file(run, project), serde_json::to_vec_pretty(self)?)?;
        Ok(())
    }

    pub(crate) fn file(run: &Path, project: &str) -> PathBuf {
        run.join(format!("{project}.numbers.json"))
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.reached == self.functions
    }

    /// How many findings have this verdict.
    pub(crate) fn n_with_verdict(&self, verdict: catalog::Verdict) -> usize {
        self.findings.values().filter_map(|by_verdict| by_verdict.get(verdict.id())).sum()
    }

    pub(crate) fn n_given_up(&self) -> usize {
        self.gave_up.values().map(Vec::len).sum()
    }

    pub(crate) fn n_nondet(&self) -> usize {
        self.nondet.values().sum()
    }

    /// Adds those of another unit or project. The slowest functions are those of one project only.
    pub(crate) fn add(&mut self, other: Numbers) {
        self.units += other.units;
        self.failed.extend(other.failed);
        self.functions += other.functions;
        self.reached += other.reached;
        self.lines += other.lines;
        self.summary_bytes += other.summary_bytes;
        self.lost.extend(other.lost);
        self.skipped.extend(other.skipped);
        self.instructions += other.instructions;
        add_counts(&mut self.nondet, other.nondet);
        add_counts(&mut self.unknown, other.unknown);
        self.violations.extend(other.violations);
        self.shown += other.shown;
        for (kind, by_verdict) in other.findings {
            add_counts(self.findings.entry(kind).or_default(), by_verdict);
        }
        for (reason, functions) in other.gave_up {
            self.gave_up.entry(reason).or_default().extend(functions);
        }
        add_counts(&mut self.cut, other.cut);
        self.cpu.clang += other.cpu.clang;
        self.cpu.reading += other.cpu.reading;
        self.cpu.lowering += other.cpu.lowering;
        self.cpu.linking += other.cpu.linking;
        self.cpu.analysis += other.cpu.analysis;
        self.peak_megabytes = self.peak_megabytes.max(other.peak_megabytes);
    }
}

fn add_counts(sums: &mut Counts, other: Counts) {
    for (what, count) in other {
        *sums.entry(what).or_default() += count;
    }
}
