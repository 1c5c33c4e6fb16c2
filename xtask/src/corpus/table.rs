//! The table that `cargo x corpus run` prints.

use std::collections::BTreeMap;
use std::time::Duration;

use super::run::Sums;

/// Messages shown of each sort; the rest is counted.
const SHOWN: usize = 8;

pub(crate) fn print(rows: &[(&str, Sums, u64)]) {
    println!(
        "{:<9} {:>6} {:>6} {:>9} {:>11} {:>8} {:>9} {:>9} {:>9} {:>7} {:>8}",
        "project",
        "units",
        "failed",
        "functions",
        "instrs",
        "nondet",
        "clang",
        "read",
        "lower",
        "share",
        "peak MB"
    );
    let mut total = Sums::default();
    for (name, sums, peak) in rows {
        print_row(name, sums, *peak);
        total.add(sums.clone());
    }
    print_row("total", &total, 0);
    print_list("not compiled or read", &total.failed);
    print_list("functions skipped", &total.skipped);
    print_list("violations", &total.violations);
    print_counts("not modeled, by reason", &total.nondet);
    print_counts("unknown records", &total.unknown);
}

fn print_row(name: &str, sums: &Sums, peak: u64) {
    let nondet: usize = sums.nondet.values().sum();
    let ours = sums.reading + sums.lowering;
    println!(
        "{name:<9} {:>6} {:>6} {:>9} {:>11} {:>7.3}% {:>8.2}s {:>8.2}s {:>8.2}s {:>6.1}% {peak:>8}",
        sums.units,
        sums.failed.len(),
        sums.functions,
        sums.instructions,
        percent(nondet as f64, sums.instructions as f64),
        sums.clang.as_secs_f64(),
        sums.reading.as_secs_f64(),
        sums.lowering.as_secs_f64(),
        percent(ours.as_secs_f64(), sums.clang.max(Duration::from_millis(1)).as_secs_f64()),
    );
}

fn percent(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { 100.0 * part / whole }
}

fn print_list(title: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    println!("\n{title}: {}", items.len());
    for item in items.iter().take(SHOWN) {
        println!("  {item}");
    }
}

fn print_counts(title: &str, counts: &BTreeMap<String, usize>) {
    if counts.is_empty() {
        return;
    }
    println!("\n{title}:");
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort_by_key(|&(name, &count)| (std::cmp::Reverse(count), name));
    for (name, count) in sorted {
        println!("  {count:>7}  {name}");
    }
}
