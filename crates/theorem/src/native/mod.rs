//! What `indict run` prints, against the machine: programs as text, compiled by clang and run over all small
//! inputs. It shares nothing with the other oracles but the engines that are judged: neither the generator
//! ([`generate`]), nor what runs ([`execute`]), nor what decides ([`judge`](mod@judge)).
//!
//! [`reduce`](mod@reduce) makes a program small that disputes a finding.

mod execute;
mod generate;
mod judge;
mod reduce;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use anyhow::{Context, Result};
use models::Library;
use report::Finding;

use crate::programs::compile::Compiler;
use crate::promises::shipped::{self, Tamper};
use execute::{Effort, Machine, Runs};
use generate::Program;
use generate::writer::analyzed;
use judge::Verdict;

pub use reduce::reduce;

/// Programs that are compiled together.
const TOGETHER: u64 = 25;

/// Inputs of a function, and runs from large values.
const EFFORT: Effort = Effort { inputs: 2500, wide: 300 };

/// A second look at what no run has done.
const AGAIN: Effort = Effort { inputs: 2500, wide: 60_000 };

/// What was seen.
#[derive(Default)]
pub struct Seen {
    /// Programs.
    pub programs: u64,
    /// Functions of them.
    pub functions: u64,
    /// Native runs.
    pub runs: u64,
    /// Findings by verdict and kind.
    pub findings: BTreeMap<(catalog::Verdict, &'static str), u64>,
    /// Findings that nothing speaks against, by verdict.
    pub held: BTreeMap<catalog::Verdict, u64>,
    /// Inputs of manifest findings from which something else goes wrong whatever the environment does.
    pub excused: u64,
    /// Findings of which nobody can tell, by why.
    pub skipped: BTreeMap<&'static str, u64>,
    /// Findings that runs dispute.
    pub disputes: Vec<Dispute>,
}

/// A finding that runs dispute.
#[derive(Clone, Debug)]
pub struct Dispute {
    /// The seed of the program.
    pub seed: u64,
    /// How they dispute it.
    pub reason: &'static str,
    /// The finding: place, verdict, kind, function and message.
    pub finding: String,
    /// The inputs of a run that does.
    pub run: String,
    /// The line of the finding.
    pub line: u32,
    /// Its kind.
    pub kind: &'static str,
}

impl fmt::Display for Dispute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed {}: {}\n  {}\n  run: {}", self.seed, self.finding, self.reason, self.run)
    }
}

/// A program, as it is analyzed.
pub fn shown(seed: u64) -> String {
    text_of(&generate::program(seed))
}

fn text_of(program: &Program) -> String {
    let mut text = String::new();
    for (at, line) in program.lines.iter().enumerate() {
        let _ = writeln!(text, "{:4} {}", at + 1, analyzed(line));
    }
    text
}

/// Judges the findings of the programs of some seeds.
pub fn check(compiler: &Compiler, seeds: Range<u64>, tell: &mut dyn FnMut(&Dispute)) -> Result<Seen> {
    check_all(compiler, seeds, |_| (), tell)
}

fn check_all(
    compiler: &Compiler,
    seeds: Range<u64>,
    tamper: Tamper,
    tell: &mut dyn FnMut(&Dispute),
) -> Result<Seen> {
    let bench = Bench { compiler, machine: Machine::new()?, library: shipped::library()? };
    let mut seen = Seen::default();
    let end = seeds.end;
    for first in seeds.step_by(TOGETHER as usize) {
        let group = first..end.min(first + TOGETHER);
        let programs: Vec<Program> = group.clone().map(generate::program).collect();
        let before = seen.disputes.len();
        bench
            .check(&programs, tamper, &mut seen)
            .with_context(|| format!("in the programs of seeds {} to {}", group.start, group.end - 1))?;
        seen.disputes[before..].iter().for_each(&mut *tell);
    }
    Ok(seen)
}

/// Findings by the seed of the program, and the names of functions in which an engine failed.
type Findings = (BTreeMap<u64, Vec<Finding>>, Vec<String>);

/// A panic, or in a debug build an assertion.
const FAILED: &str = "an engine fails in the function";

/// What programs are analyzed and run with.
struct Bench<'c> {
    compiler: &'c Compiler,
    machine: Machine,
    library: Arc<Library>,
}

impl Bench<'_> {
    /// What is said of programs, by seed.
    fn findings(&self, programs: &[Program], tamper: Tamper) -> Result<Findings> {
        let mut text = format!("{}{}", generate::TYPES, generate::LIBRARY);
        for program in programs {
            let _ = writeln!(text, "#line 1 \"n{}.c\"", program.seed);
            for line in &program.lines {
                let _ = writeln!(text, "{}", analyzed(line));
            }
        }
        let project = self.compiler.project_of(&text)?;
        let mut all: BTreeMap<u64, Vec<Finding>> = BTreeMap::new();
        let shipped = shipped::run(&project, &self.library, tamper);
        let failed = shipped.analysis.given_up.iter().filter(|(_, why)| why.is_none());
        let failed = failed.map(|(function, _)| project.function(*function).name().to_owned()).collect();
        for finding in shipped.findings {
            let name = finding.file.rsplit('/').next().unwrap_or_default();
            let seed = name.strip_prefix('n').and_then(|it| it.strip_suffix(".c"));
            let seed = seed.and_then(|it| it.parse().ok()).context("a finding should be in a program")?;
            all.entry(seed).or_default().push(finding);
        }
        Ok((all, failed))
    }

    fn check(&self, programs: &[Program], tamper: Tamper, seen: &mut Seen) -> Result<()> {
        let (findings, failed) = self.findings(programs, tamper)?;
        for function in failed {
            let seed = function.rsplit_once('_').and_then(|(_, seed)| seed.parse().ok()).unwrap_or_default();
            let (finding, run) = (format!("`{function}`"), "none is needed".to_owned());
            seen.disputes.push(Dispute { seed, reason: FAILED, finding, run, line: 0, kind: "none" });
        }
        seen.programs += programs.len() as u64;
        seen.functions += programs.iter().map(|it| it.functions.len() as u64).sum::<u64>();
        let accused: Vec<&Program> = programs.iter().filter(|it| findings.contains_key(&it.seed)).collect();
        let mut names = Vec::new();
        for program in &accused {
            names.extend(wanted(program, &findings[&program.seed]));
        }
        let mut runs = self.machine.run(&accused, &names, EFFORT)?;
        seen.runs += runs.values().map(Runs::count).sum::<u64>();
        for program in accused {
            let own = program.functions.iter().filter_map(|it| runs.remove_entry(&it.name)).collect();
            for finding in &findings[&program.seed] {
                self.judge(program, finding, &own, seen)?;
            }
        }
        Ok(())
    }

    fn judge(
        &self,
        program: &Program,
        finding: &Finding,
        own: &BTreeMap<String, Runs>,
        seen: &mut Seen,
    ) -> Result<()> {
        *seen.findings.entry((finding.verdict, finding.kind.id())).or_default() += 1;
        let mut verdict = judge::judge(finding, own, &program.lines);
        if matches!(verdict, Verdict::Again(_)) {
            let more = self.machine.run(&[program], std::slice::from_ref(&finding.function), AGAIN)?;
            seen.runs += more.values().map(Runs::count).sum::<u64>();
            verdict = judge::judge(finding, &more, &program.lines);
        }
        match verdict {
            Verdict::Held(excused) => {
                seen.excused += excused;
                *seen.held.entry(finding.verdict).or_default() += 1;
            }
            Verdict::Skipped(why) => *seen.skipped.entry(why).or_default() += 1,
            Verdict::Again(judge::NEVER) => {
                let run = "none of all small inputs, nor of many large ones".to_owned();
                seen.disputes.push(dispute(program.seed, finding, judge::NEVER, run));
            }
            Verdict::Again(why) => *seen.skipped.entry(why).or_default() += 1,
            Verdict::Disputed(reason, run) => seen.disputes.push(dispute(program.seed, finding, reason, run)),
        }
        Ok(())
    }
}

/// The functions that are run for findings: theirs, and for a doomed line all.
fn wanted<'p>(program: &'p Program, findings: &'p [Finding]) -> impl Iterator<Item = String> + 'p {
    let is_doomed = findings.iter().any(|it| it.verdict == catalog::Verdict::Doomed);
    let named = move |name: &String| findings.iter().any(|it| it.function == *name);
    program.functions.iter().map(|it| it.name.clone()).filter(move |name| is_doomed || named(name))
}

fn dispute(seed: u64, finding: &Finding, reason: &'static str, run: String) -> Dispute {
    let Finding { kind, verdict, function, file, line, message, condition, .. } = finding;
    let finding = format!("{file}:{line}: {verdict} {kind} in `{function}`: {message} [{condition}]");
    Dispute { seed, reason, finding, run, line: *line, kind: kind.id() }
}
