//! What `cargo x corpus run` prints, and the page in `docs/benchmarks/` that is made of it.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;

use anyhow::{Result, ensure};
use catalog::Verdict;

use super::numbers::{Counts, Numbers};
use super::projects::PROJECTS;
use super::stored;
use crate::root;

/// Messages shown of each sort; the rest is counted.
const SHOWN: usize = 8;

/// The page of the last whole run.
const PAGE: &str = "docs/benchmarks/corpus.md";

/// What stands above the table in the page.
const EXPLANATION: &str = "\
# The corpus

Written by `cargo x corpus run`; do not edit. Other work went on on the machine at the same time, so times are processor seconds, summed over all threads.

* *functions*: with a body, equal copies counted once. *lines*: of source, from the first to the last line of each function, each line once.
* *certain*: manifest and doomed findings. *shown*: what a user sees, which are the certain ones and latent leaks. *latent*: all latent findings.
* *gave up*: functions of which callers know nothing, because a budget ran out before any path ended. *nondet*: the share of instructions that are not modeled.
* *clang*: what clang took for the bitcode. *link*: putting the units together. *ratio*: analysis against clang.
* *peak MB*: of a process that reads, lowers and analyzes the project; clang is not in it.
* *cut* in the details: functions of which some paths were not followed to the end, by reason.
";

/// Prints a stored run and makes the page of it.
pub(crate) fn publish(name: &str) -> Result<()> {
    let mut rows = Vec::new();
    let mut missing = Vec::new();
    for project in PROJECTS {
        match Numbers::load(&stored(name), project.name)? {
            Some(numbers) => rows.push((project.name, numbers)),
            None => missing.push(project.name),
        }
    }
    ensure!(!rows.is_empty(), "no run is stored in {}", stored(name).display());
    let mut table = table(&rows);
    if !missing.is_empty() {
        put(&mut table, format_args!("nothing came out of {}\n", missing.join(", ")));
    }
    println!("{table}");
    let clang = &rows[0].1.clang;
    let mut page = format!("{EXPLANATION}\nWith clang {clang}.\n\n```\n{table}```\n\n## Details\n\n```\n");
    for (name, numbers) in &rows {
        page.push_str(&details(name, numbers));
    }
    page.push_str("```\n");
    fs::write(root().join(PAGE), page)?;
    println!("written to {PAGE}");
    Ok(())
}

/// One line for each project, and one for all of them.
pub(crate) fn table(rows: &[(&str, Numbers)]) -> String {
    let mut text = format!(
        "{:<13} {:>5} {:>9} {:>7} {:>7} {:>6} {:>6} {:>7} {:>7} {:>8} {:>6} {:>6} {:>6} {:>9} {:>6} {:>7}\n",
        "project",
        "units",
        "functions",
        "lines",
        "certain",
        "shown",
        "latent",
        "gave up",
        "nondet",
        "clang",
        "read",
        "lower",
        "link",
        "analysis",
        "ratio",
        "peak MB"
    );
    let mut total = Numbers::default();
    for (name, numbers) in rows {
        text.push_str(&row(name, numbers));
        total.add(numbers.clone());
    }
    text.push_str(&row("total", &total));
    for (name, numbers) in rows.iter().filter(|(_, numbers)| !numbers.is_complete()) {
        put(&mut text, format_args!("{name}: stopped at its limit, {}\n", progress(numbers)));
    }
    text
}

fn row(name: &str, numbers: &Numbers) -> String {
    let certain = numbers.n_with_verdict(Verdict::Manifest) + numbers.n_with_verdict(Verdict::Doomed);
    let cpu = &numbers.cpu;
    format!(
        "{name:<13} {:>5} {:>9} {:>7} {certain:>7} {:>6} {:>6} {:>7} {:>6.3}% {:>7.1}s {:>5.1}s {:>5.1}s {:>5.1}s {:>8.1}s {:>6.2} {:>7}\n",
        numbers.units,
        numbers.functions,
        numbers.lines,
        numbers.shown,
        numbers.n_with_verdict(Verdict::Latent),
        numbers.n_given_up(),
        100.0 * ratio(numbers.n_nondet() as f64, numbers.instructions as f64),
        cpu.clang,
        cpu.reading,
        cpu.lowering,
        cpu.linking,
        cpu.analysis,
        ratio(cpu.analysis, cpu.clang),
        numbers.peak_megabytes,
    )
}

/// What does not fit into a line of the table.
pub(crate) fn details(name: &str, numbers: &Numbers) -> String {
    let mut text = format!("{name}: {}\n", progress(numbers));
    for (kind, by_verdict) in &numbers.findings {
        let parts =
            Verdict::ALL.iter().filter_map(|it| by_verdict.get(it.id()).map(|n| format!("{n} {}", it.id())));
        put(&mut text, format_args!("  {kind}: {}\n", parts.collect::<Vec<_>>().join(", ")));
    }
    let cut: Vec<String> = numbers.cut.iter().map(|(why, count)| format!("{count} {why}")).collect();
    if !cut.is_empty() {
        put(&mut text, format_args!("  cut: {}\n", cut.join(", ")));
    }
    for (reason, functions) in &numbers.gave_up {
        list(&mut text, &format!("gave up, {reason}"), functions);
    }
    list(&mut text, "not compiled or read", &numbers.failed);
    list(&mut text, "functions not lowered", &numbers.skipped);
    list(&mut text, "violations", &numbers.violations);
    list(&mut text, "summaries that do not come back from their bytes", &numbers.lost);
    counts(&mut text, "not modeled", &numbers.nondet);
    counts(&mut text, "unknown records", &numbers.unknown);
    text.push_str("  slowest functions:\n");
    for slow in &numbers.slowest {
        put(
            &mut text,
            format_args!("    {:>7.2}s {} ({}:{})\n", slow.seconds, slow.function, slow.file, slow.line),
        );
    }
    text
}

fn progress(numbers: &Numbers) -> String {
    match numbers.is_complete() {
        true => format!("{} functions", numbers.functions),
        false => format!("{} of {} functions", numbers.reached, numbers.functions),
    }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

fn list(text: &mut String, title: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    put(text, format_args!("  {title}: {}\n", items.len()));
    for item in items.iter().take(SHOWN) {
        put(text, format_args!("    {item}\n"));
    }
}

fn counts(text: &mut String, title: &str, counts: &Counts) {
    if counts.is_empty() {
        return;
    }
    put(text, format_args!("  {title}:\n"));
    let sorted: BTreeSet<(Reverse<usize>, &String)> =
        counts.iter().map(|(what, count)| (Reverse(*count), what)).collect();
    for (Reverse(count), what) in sorted {
        put(text, format_args!("    {count:>7} {what}\n"));
    }
}

fn put(text: &mut String, more: std::fmt::Arguments<'_>) {
    text.write_fmt(more).expect("invariant: a string takes any text");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers() -> Numbers {
        let verdicts = [("latent".to_owned(), 7), ("manifest".to_owned(), 2)];
        let mut numbers = Numbers { units: 1, functions: 5, reached: 5, shown: 2, ..Numbers::default() };
        numbers.findings.insert("null-deref".to_owned(), verdicts.into());
        numbers.gave_up.insert("steps".to_owned(), vec!["huge".to_owned()]);
        numbers.cpu.clang = 2.0;
        numbers.cpu.analysis = 3.0;
        numbers
    }

    #[test]
    fn the_last_line_sums_up() {
        let text = table(&[("a", numbers()), ("b", numbers())]);
        let total: Vec<&str> = text.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(total[..8], ["total", "2", "10", "0", "4", "4", "14", "2"]);
        assert!(total.contains(&"1.50"), "{text}");
    }

    #[test]
    fn a_run_that_stopped_early_says_so() {
        let text = table(&[("a", Numbers { reached: 3, ..numbers() })]);
        assert!(text.ends_with("a: stopped at its limit, 3 of 5 functions\n"), "{text}");
    }

    #[test]
    fn details_begin_with_what_is_most_certain() {
        let text = details("a", &numbers());
        assert!(text.contains("null-deref: 2 manifest, 7 latent"), "{text}");
        assert!(text.contains("gave up, steps: 1\n    huge"), "{text}");
    }
}
