//! The table of what became of findings, and the section of the document.

use serde::{Deserialize, Serialize};

use super::fate::Fate;
use crate::papers::found::Found;

/// What stands above the table.
const EXPLANATION: &str = "\
* *findings*: what a user sees in the old version. *mended*: a hunk of the same function lies near the lines of the finding, and the finding is gone. *changed*: the function has changed otherwise, and the finding is *gone* or *still* there. *deleted*: there is no such function any more. *unchanged*: the function is the same; the finding is *gone* if something that it rests on has changed. *open*: the function was not analyzed in the new version, or has no text of its own.
* *functions*: that were analyzed, in the old and in the new version; *left out*: units that do not compile. Upstream sources alone, without patches of Debian; built by their own `configure` and `make` where that works, otherwise all C files with all directories of headers.
* *rate*: mended, of all findings that are not open. Pulse-X: 19 of 26 (73 %), Infer: 39 of 80 (49 %), both on OpenSSL 1.0.1h, read by its authors.
* Which of the mended ones were mended *because of* the error that we tell is read by hand: see [triage/fixrate.md](../triage/fixrate.md).
";

/// What became of the findings of a package.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    versions: [String; 2],
    functions: [usize; 2],
    left_out: [usize; 2],
    findings: usize,
    mended: usize,
    changed_gone: usize,
    changed_still: usize,
    deleted: usize,
    unchanged_gone: usize,
    unchanged_still: usize,
    open: usize,
    /// The mended ones, in words.
    told: Vec<String>,
}

/// What became of a finding, in a word or two.
fn word(fate: &Fate) -> &'static str {
    match fate {
        Fate::Mended(_) => "mended",
        Fate::Changed { is_gone: true } => "changed, gone",
        Fate::Changed { is_gone: false } => "changed, still",
        Fate::Deleted => "deleted",
        Fate::Unchanged { is_gone: true } => "unchanged, gone",
        Fate::Unchanged { is_gone: false } => "unchanged, still",
        Fate::NotAnalyzed => "open",
    }
}

/// A finding with what became of it, for people.
pub(crate) fn told(found: &Found, fate: &Fate) -> String {
    let Found { file, line, verdict, kind, function, message, .. } = found;
    let hunk = if let Fate::Mended(hunk) = fate { hunk } else { "" };
    format!("{}: {file}:{line}: {verdict} {kind} in {function}: {message}\n{hunk}", word(fate))
}

impl Row {
    /// Before any finding is judged.
    pub(crate) fn new(versions: [&str; 2], functions: [usize; 2], left_out: [usize; 2]) -> Row {
        Row { versions: versions.map(str::to_owned), functions, left_out, ..Row::default() }
    }

    pub(crate) fn add(&mut self, found: &Found, fate: &Fate) {
        self.findings += 1;
        match fate {
            Fate::Mended(_) => {
                self.mended += 1;
                let Found { kind, function, file, line, message, .. } = found;
                self.told.push(format!("{file}:{line}: {kind} in `{function}`: {message}"));
            }
            Fate::Changed { is_gone: true } => self.changed_gone += 1,
            Fate::Changed { is_gone: false } => self.changed_still += 1,
            Fate::Deleted => self.deleted += 1,
            Fate::Unchanged { is_gone: true } => self.unchanged_gone += 1,
            Fate::Unchanged { is_gone: false } => self.unchanged_still += 1,
            Fate::NotAnalyzed => self.open += 1,
        }
    }

    fn sum(&mut self, other: &Row) {
        for version in 0..2 {
            self.functions[version] += other.functions[version];
            self.left_out[version] += other.left_out[version];
        }
        self.findings += other.findings;
        self.mended += other.mended;
        self.changed_gone += other.changed_gone;
        self.changed_still += other.changed_still;
        self.deleted += other.deleted;
        self.unchanged_gone += other.unchanged_gone;
        self.unchanged_still += other.unchanged_still;
        self.open += other.open;
    }
}

/// One line for each package, and one for all of them.
pub(crate) fn table(rows: &[(String, Row)]) -> String {
    let mut text = format!("{:<75} {:>13} {:>15}\n", "", "changed", "unchanged");
    text += &format!(
        "{:<13} {:<31} {:>11} {:>8} {:>8} {:>6} {:>7} {:>5} {:>7} {:>5} {:>5} {:>4}\n",
        "package",
        "versions",
        "functions",
        "left out",
        "findings",
        "mended",
        "gone",
        "still",
        "deleted",
        "gone",
        "still",
        "open"
    );
    let mut total = Row::default();
    for (name, row) in rows {
        text += &line(name, row);
        total.sum(row);
    }
    text += &line("total", &total);
    let judged = total.findings - total.open;
    let rate = 100.0 * total.mended as f64 / (judged as f64).max(1.0);
    text + &format!("rate: {} of {judged} ({rate:.0} %)\n", total.mended)
}

fn line(name: &str, row: &Row) -> String {
    let Row { versions: [old, new], functions: [before, after], findings, mended, deleted, open, .. } = row;
    let left_out = row.left_out.map(|count| count.to_string()).join("/");
    let versions = if old.is_empty() { String::new() } else { format!("{old} → {new}") };
    format!(
        "{name:<13} {versions:<31} {before:>5}/{after:>5} {left_out:>8} {findings:>8} {mended:>6} {:>7} {:>5} {deleted:>7} {:>5} {:>5} {open:>4}\n",
        row.changed_gone, row.changed_still, row.unchanged_gone, row.unchanged_still
    )
}

/// The section of the document.
pub(crate) fn section(suites: &[String], table: &str, rows: &[(String, Row)]) -> String {
    let packages: Vec<&str> = rows.iter().map(|row| row.0.as_str()).collect();
    let mut text = format!(
        "Debian, {}. Packages: {}.\n\n{EXPLANATION}\n```\n{table}```\n\n### The mended ones\n\n",
        suites.join(" against "),
        packages.join(" ")
    );
    for (name, row) in rows {
        for told in &row.told {
            text += &format!("* {name} {}: {told}\n", row.versions[0]);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_finding_is_in_one_column() {
        let fates = [
            Fate::Mended("+ free(p);\n".to_owned()),
            Fate::Changed { is_gone: true },
            Fate::Changed { is_gone: false },
            Fate::Deleted,
            Fate::Unchanged { is_gone: true },
            Fate::Unchanged { is_gone: false },
            Fate::NotAnalyzed,
        ];
        let mut row = Row { versions: ["1".into(), "2".into()], ..Row::default() };
        let found = Found { message: "`p` leaks".into(), file: "a.c".into(), ..Found::default() };
        fates.iter().for_each(|fate| row.add(&found, fate));
        let rows = [("a".to_owned(), row)];
        let text = table(&rows);
        assert!(
            text.lines().nth(2).unwrap().ends_with(" 7      1       1     1       1     1     1    1"),
            "{text}"
        );
        assert!(text.ends_with("rate: 1 of 6 (17 %)\n"));
        let section = section(&["x".to_owned(), "y".to_owned()], &text, &rows);
        assert!(section.contains("Debian, x against y. Packages: a.") && section.ends_with(": `p` leaks\n"));
    }
}
