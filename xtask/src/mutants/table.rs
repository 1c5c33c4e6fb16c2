//! The result, for the terminal and as a page of the documentation.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use anyhow::Result;

use super::list::Fault;
use super::results::Seen;
use crate::root;

type Rows<'r> = [(&'r Fault, &'r Seen)];

/// Prints what survives, and the numbers.
pub(crate) fn print(rows: &Rows<'_>) {
    println!();
    for (fault, seen) in rows.iter().filter(|(_, seen)| !seen.is_noticed()) {
        println!("SURVIVES {} ({}): {}", fault.name, fault.file, fault.breaks);
        let why = fault.explained.as_deref().unwrap_or("NOT EXPLAINED");
        println!(
            "  {why} {}",
            seen.violations.map_or(String::new(), |_| "(the theorem oracle was asked)".to_owned())
        );
    }
    println!("{}", numbers(rows));
}

fn numbers(rows: &Rows<'_>) -> String {
    let noticed = rows.iter().filter(|(_, seen)| seen.is_noticed()).count();
    format!("{} faults, {noticed} noticed: {} %", rows.len(), noticed * 100 / rows.len().max(1))
}

/// Writes the page.
pub(crate) fn write(rows: &Rows<'_>) -> Result<()> {
    Ok(fs::write(root().join("docs/benchmarks/mutants.md"), page(rows)?)?)
}

fn page(rows: &Rows<'_>) -> Result<String> {
    let mut page = String::from("# Mutants: faults that tests and oracles notice\n\n");
    page += "Written by `cargo x mutants`. What a fault is and which suites are asked, in which order, say `xtask/src/mutants/mod.rs` and `suites.rs`; the first suite that\n";
    page += "fails is named, later ones are not asked, but for the theorem oracle where its violations are counted.\n\n";
    writeln!(page, "{}.\n", numbers(rows))?;
    page += "| room | faults | noticed |\n|---|--:|--:|\n";
    let mut rooms: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (fault, seen) in rows {
        let (all, noticed) = rooms.entry(fault.room).or_default();
        *all += 1;
        *noticed += u64::from(seen.is_noticed());
    }
    for (room, (all, noticed)) in rooms {
        writeln!(page, "| {room} | {all} | {noticed} |")?;
    }
    page += "\n| fault | what it breaks | noticed by |\n|---|---|---|\n";
    for (fault, seen) in rows {
        let by = match (&fault.explained, seen.is_noticed()) {
            (Some(why), false) => format!("nobody: {why}"),
            _ => seen.to_string(),
        };
        writeln!(page, "| {} | {} | {by} |", fault.name, fault.breaks)?;
    }
    Ok(page)
}
