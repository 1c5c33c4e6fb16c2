//! A program that disputes a finding, made small: lines go, alone or with the block that they open, while
//! some finding is still disputed in the same way.

use anyhow::{Context, Result};

use super::execute::Machine;
use super::generate::{self, Program};
use super::{Bench, Dispute, Seen, shipped, text_of};
use crate::programs::compile::Compiler;

/// The smallest program that was found for a dispute of a seed, and the dispute of it.
pub fn reduce(compiler: &Compiler, wanted: &Dispute) -> Result<(String, Dispute)> {
    let bench = Bench { compiler, machine: Machine::new()?, library: shipped::library()? };
    let mut program = generate::program(wanted.seed);
    let mut best = still(&bench, &program, wanted).context("the seed should dispute something")?;
    loop {
        let before = program.lines.len();
        for is_function in [true, false] {
            let mut at = 0;
            while at < program.lines.len() {
                match smaller(&bench, &program, wanted, (at, is_function)) {
                    Some((smaller, dispute)) => (program, best) = (smaller, dispute),
                    None => at += 1,
                }
            }
        }
        if program.lines.len() == before {
            return Ok((text_of(&program), best));
        }
    }
}

/// The program without what begins at a line, if that still disputes the same.
fn smaller(
    bench: &Bench<'_>,
    program: &Program,
    wanted: &Dispute,
    (at, is_function): (usize, bool),
) -> Option<(Program, Dispute)> {
    if is_function && !program.lines[at].starts_with('{') {
        return None;
    }
    candidates(&program.lines, at).into_iter().find_map(|lines| {
        let smaller = without(program, &lines)?;
        let dispute = still(bench, &smaller, wanted)?;
        Some((smaller, dispute))
    })
}

/// Whether a program still disputes the same.
fn still(bench: &Bench<'_>, program: &Program, wanted: &Dispute) -> Option<Dispute> {
    let mut seen = Seen::default();
    // What does not compile is no candidate.
    bench.check(std::slice::from_ref(program), |_| (), &mut seen).ok()?;
    seen.disputes.into_iter().find(|it| it.reason == wanted.reason && it.kind == wanted.kind)
}

/// The block that a line opens, its lines of head and end alone, and the line alone.
fn candidates(lines: &[String], at: usize) -> Vec<Vec<usize>> {
    if at >= lines.len() {
        return Vec::new();
    }
    let mut all = Vec::new();
    if let Some(end) = block_end(lines, at) {
        let begin = if lines[at].starts_with('{') { at.saturating_sub(1) } else { at };
        all.push((begin..=end).collect());
        all.push(vec![at, end]);
    }
    all.push(vec![at]);
    all
}

/// The line that closes what a line opens.
fn block_end(lines: &[String], at: usize) -> Option<usize> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    if !lines[at].contains('{') || lines[at].contains("};") {
        return None;
    }
    let own = indent(&lines[at]);
    let later = lines.iter().enumerate().skip(at + 1);
    later.filter(|(_, it)| indent(it) == own && it.trim_start().starts_with('}')).map(|(at, _)| at).next()
}

fn without(program: &Program, gone: &[usize]) -> Option<Program> {
    let is_kept = |at: &usize| !gone.contains(at);
    let kept = (0..program.lines.len()).filter(is_kept);
    let lines: Vec<String> = kept.map(|at| program.lines[at].clone()).collect();
    let is_there =
        |name: &str| lines.iter().any(|line| !line.starts_with(' ') && line.contains(&format!("{name}(")));
    let functions = program.functions.iter().filter(|it| is_there(&it.name)).cloned().collect();
    let is_kept = |name: &String| {
        lines.iter().any(|line| line.ends_with(&format!("{name};")) && !line.starts_with(' '))
    };
    let globals = program.globals.iter().filter(|(_, name)| is_kept(name)).cloned().collect();
    (lines.len() < program.lines.len()).then_some(Program { seed: program.seed, lines, globals, functions })
}
