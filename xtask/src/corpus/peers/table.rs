//! What `cargo x corpus peers` prints, and the page in `docs/benchmarks/` that is made of it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use anyhow::Result;
use catalog::Issue;

use super::overlap::{Compared, Sort, Theirs};
use super::tool::Tool;
use super::work::Results;
use crate::corpus::numbers::Numbers;
use crate::root;

/// The page of the last comparison.
const PAGE: &str = "docs/benchmarks/peers.md";

/// What stands above the tables in the page.
const EXPLANATION: &str = "\
# Beside other analyzers

Written by `cargo x corpus peers`; do not edit. What the numbers mean for a user, and a sample of findings that were read, is in [comparison.md](../comparison.md).

* *units*: those that the tool was asked about, of those that the project has. *failed*: it could not compile or read them. *stopped*: it did not finish in its time.
* *cpu*: processor seconds for these units, also those spent in vain, and the same for one unit. *indict* is clang's front end, reading, lowering, linking and analysis of all units of the project; *clang -c* is the front end alone.
* *found*: what it says, each place once. *our kinds*: those of them that are of a kind that we have, too. *other*: the rest, such as dead stores.
* *shown*: of our kinds, those that we show. *latent*: those that we know but show only on demand. *only it*: those that we do not have.
* In the line of *indict*: *found* is what we show in the files that all tools were asked about; *only it* is what no other tool says.
";

/// A line of the first table.
#[derive(Clone, Debug, Default, PartialEq)]
struct Row {
    units: (usize, usize),
    failed: usize,
    stopped: usize,
    cpu: f64,
    found: usize,
    known: usize,
    shown: usize,
    latent: usize,
    only: usize,
}

/// What stands in place of a tool in the first table for ourselves and for the front end.
const US: &str = "indict";
const FRONT_END: &str = "clang -c";

/// Both tables: by project and tool, and by kind.
pub(crate) fn tables(all: &[Compared]) -> String {
    let mut text = format!(
        "{:<13} {:<9} {:>9} {:>6} {:>7} {:>9} {:>8} {:>6} {:>9} {:>6} {:>6} {:>6} {:>7}\n",
        "project",
        "tool",
        "units",
        "failed",
        "stopped",
        "cpu",
        "per unit",
        "found",
        "our kinds",
        "other",
        "shown",
        "latent",
        "only it"
    );
    let mut sums: BTreeMap<&str, Row> = BTreeMap::new();
    for compared in all {
        for (name, row) in rows(compared) {
            text.push_str(&line(compared.project.name, name, &row));
            sums.entry(name).or_default().add(&row);
        }
    }
    for name in names() {
        if let Some(row) = sums.get(name) {
            text.push_str(&line("total", name, row));
        }
    }
    text.push('\n');
    text.push_str(&by_kind(all));
    text
}

/// What a tool did on a project, while others are still running.
pub(crate) fn progress(project: &str, tool: Tool, results: &Results) -> String {
    let Results { asked, failed, stopped, cpu, said, .. } = results;
    let mut text =
        format!("{project}, {}: {} units, {cpu:.1}s, {} found", tool.id(), asked.len(), said.len());
    if !failed.is_empty() || !stopped.is_empty() {
        put(&mut text, format_args!(", {} failed, {} stopped", failed.len(), stopped.len()));
    }
    text
}

/// Makes the page.
pub(crate) fn publish(all: &[Compared], run: &str) -> Result<()> {
    let mut page = format!("{EXPLANATION}\nOur numbers are those of the stored run `{run}`. The others:\n\n");
    for tool in Tool::ALL {
        let results = all.iter().flat_map(|compared| &compared.tools).find(|it| it.0 == tool);
        if let Some((_, results, _)) = results {
            let options = tool.options().join(" ").replace('\t', "\\t");
            let Results { version, limit, .. } = results;
            put(&mut page, format_args!("* {version}: `{options}`, at most {limit} s for a unit\n"));
        }
    }
    put(&mut page, format_args!("\n```\n{}```\n{}", tables(all), failures(all)));
    fs::write(root().join(PAGE), page)?;
    println!("written to {PAGE}");
    Ok(())
}

impl Row {
    fn theirs(results: &Results, theirs: &[Theirs]) -> Row {
        let known: Vec<&Theirs> = theirs.iter().filter(|theirs| theirs.kind.is_some()).collect();
        let count = |sort| known.iter().filter(|theirs| theirs.sort == sort).count();
        Row {
            units: (results.asked.len(), results.n_units),
            failed: results.failed.len(),
            stopped: results.stopped.len(),
            cpu: results.cpu,
            found: theirs.len(),
            known: known.len(),
            shown: count(Sort::Shown),
            latent: count(Sort::Latent),
            only: count(Sort::Only),
        }
    }

    fn ours(compared: &Compared, numbers: &Numbers) -> Row {
        let cpu = &numbers.cpu;
        let n_units = numbers.units;
        Row {
            units: (n_units, n_units),
            failed: numbers.failed.len(),
            cpu: cpu.clang + cpu.reading + cpu.lowering + cpu.linking + cpu.analysis,
            found: compared.shown.len(),
            known: compared.shown.len(),
            shown: compared.shown.len(),
            only: compared.shared.iter().filter(|tools| tools.is_empty()).count(),
            ..Row::default()
        }
    }

    fn front_end(numbers: &Numbers) -> Row {
        Row { units: (numbers.units, numbers.units), cpu: numbers.cpu.clang, ..Row::default() }
    }

    fn add(&mut self, other: &Row) {
        self.units.0 += other.units.0;
        self.units.1 += other.units.1;
        self.failed += other.failed;
        self.stopped += other.stopped;
        self.cpu += other.cpu;
        self.found += other.found;
        self.known += other.known;
        self.shown += other.shown;
        self.latent += other.latent;
        self.only += other.only;
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    Tool::ALL.iter().map(|tool| tool.id()).chain([US, FRONT_END])
}

fn rows(compared: &Compared) -> Vec<(&'static str, Row)> {
    let mut rows: Vec<(&str, Row)> = Vec::new();
    for (tool, results, theirs) in &compared.tools {
        rows.push((tool.id(), Row::theirs(results, theirs)));
    }
    if let Some(numbers) = &compared.ours {
        rows.push((US, Row::ours(compared, numbers)));
        rows.push((FRONT_END, Row::front_end(numbers)));
    }
    rows
}

fn line(project: &str, name: &str, row: &Row) -> String {
    let units = format!("{}/{}", row.units.0, row.units.1);
    let cpu = format!("{:>9} {:>8}", format!("{:.1}s", row.cpu), format!("{:.2}s", per_unit(row)));
    let start = format!("{project:<13} {name:<9} {units:>9}");
    if name == FRONT_END {
        return format!("{start} {:>6} {:>7} {cpu}\n", "", "");
    }
    let Row { failed, stopped, found, known, shown, latent, only, .. } = row;
    format!(
        "{start} {failed:>6} {stopped:>7} {cpu} {found:>6} {known:>9} {:>6} {shown:>6} {latent:>6} {only:>7}\n",
        found - known
    )
}

fn per_unit(row: &Row) -> f64 {
    if row.units.0 == 0 { 0.0 } else { row.cpu / row.units.0 as f64 }
}

/// How many of each kind everybody has, over all projects; of the others in brackets those that we do not have.
fn by_kind(all: &[Compared]) -> String {
    let mut text = format!("{:<44} {:>6}", "kind", US);
    for tool in Tool::ALL {
        put(&mut text, format_args!(" {:>18}", format!("{} (only it)", tool.id())));
    }
    text.push('\n');
    for kind in Issue::ALL {
        let ours = all.iter().flat_map(|compared| &compared.shown).filter(|it| it.kind == kind.id()).count();
        let counts = Tool::ALL.map(|tool| count(all, tool, |theirs| theirs.kind == Some(*kind)));
        if ours > 0 || counts.iter().any(|count| count.0 > 0) {
            kind_line(&mut text, kind.id(), &ours.to_string(), counts);
        }
    }
    for check in other_checks(all) {
        let counts = Tool::ALL.map(|tool| count(all, tool, |it| it.kind.is_none() && it.said.check == check));
        kind_line(&mut text, &format!("other: {check}"), "", counts);
    }
    text
}

fn kind_line(text: &mut String, name: &str, ours: &str, counts: [(usize, usize); 3]) {
    put(text, format_args!("{name:<44} {ours:>6}"));
    for (found, only) in counts {
        put(text, format_args!(" {:>18}", format!("{found} ({only})")));
    }
    text.push('\n');
}

/// How many findings of a tool fit, and how many of them we do not have.
fn count(all: &[Compared], tool: Tool, fits: impl Fn(&Theirs) -> bool) -> (usize, usize) {
    let of_tool = all.iter().flat_map(|compared| &compared.tools).filter(|it| it.0 == tool);
    let found: Vec<&Theirs> = of_tool.flat_map(|it| &it.2).filter(|theirs| fits(theirs)).collect();
    (found.len(), found.iter().filter(|theirs| theirs.sort == Sort::Only).count())
}

/// Checks of kinds that we do not have, in the order of their names.
fn other_checks(all: &[Compared]) -> std::collections::BTreeSet<&str> {
    let theirs = all.iter().flat_map(|compared| &compared.tools).flat_map(|it| &it.2);
    theirs.filter(|theirs| theirs.kind.is_none()).map(|theirs| theirs.said.check.as_str()).collect()
}

/// Units that a tool did not get through, by reason.
fn failures(all: &[Compared]) -> String {
    let mut units: BTreeMap<(Tool, &str), Vec<&str>> = BTreeMap::new();
    for (tool, results, _) in all.iter().flat_map(|compared| &compared.tools) {
        for (unit, reason) in &results.failed {
            units.entry((*tool, reason)).or_default().push(unit);
        }
        for unit in &results.stopped {
            units.entry((*tool, "its time was over")).or_default().push(unit);
        }
    }
    let mut text = String::new();
    for ((tool, reason), units) in &units {
        let more = if units.len() == 1 { String::new() } else { format!(" and {} more", units.len() - 1) };
        put(&mut text, format_args!("* {}: {}{more}: {reason}\n", tool.id(), units[0]));
    }
    if text.is_empty() { text } else { format!("\n## Not done\n\n{text}") }
}

fn put(text: &mut String, more: std::fmt::Arguments<'_>) {
    text.write_fmt(more).expect("invariant: a string takes any text");
}

#[cfg(test)]
mod tests {
    use super::super::tool::Said;
    use super::*;
    use crate::corpus::projects;

    fn compared() -> Compared {
        let theirs = |kind, sort| Theirs { said: Said::new("a.c", 1, "odd", ""), kind, sort };
        let found = vec![
            theirs(Some(Issue::NullDeref), Sort::Only),
            theirs(Some(Issue::NullDeref), Sort::Latent),
            theirs(None, Sort::Only),
        ];
        let mut results = Results { n_units: 4, cpu: 2.5, ..Results::default() };
        results.asked.insert("a.c".to_owned());
        results.stopped.push("b.c".to_owned());
        let project = projects::selected(&["zlib".to_owned()]).unwrap()[0];
        let ours = Some(Numbers { units: 4, ..Numbers::default() });
        Compared {
            project,
            ours,
            shown: Vec::new(),
            shared: Vec::new(),
            tools: vec![(Tool::Gcc, results, found)],
        }
    }

    #[test]
    fn a_line_counts_what_is_ours_too() {
        let text = tables(&[compared(), compared()]);
        let fields = |start: &str| {
            let line = text.lines().find(|line| line.starts_with(start)).unwrap();
            line.split_whitespace().map(str::to_owned).collect::<Vec<String>>()
        };
        assert_eq!(
            fields("zlib")[1..],
            ["gcc", "1/4", "0", "1", "2.5s", "2.50s", "3", "2", "1", "0", "1", "1"]
        );
        assert_eq!(
            fields("total")[1..],
            ["gcc", "2/8", "0", "2", "5.0s", "2.50s", "6", "4", "2", "0", "2", "2"]
        );
        assert!(text.contains("other: odd"), "{text}");
        assert_eq!(fields("null-deref")[4..6], ["4", "(2)"]);
    }

    #[test]
    fn what_was_not_done_is_told() {
        assert!(failures(&[compared(), compared()]).contains("gcc: b.c and 1 more: its time was over"));
    }
}
