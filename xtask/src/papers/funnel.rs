//! `cargo x papers funnel`: how many triples become errors, and how many of those are shown.
//!
//! Source: Pulse-X, §5: of 306 issues on OpenSSL 1.0.1h, 280 are latent and 26 are reported.
//! Not covered: which of the findings are true; that is done by reading, in `docs/triage`.

use std::fs;

use anyhow::{Context, Result};
use capture::{FrontEnd, Trust};
use catalog::Verdict;
use heap::Exit;
use report::Files;
use session::{Options, Selection, Watch};

use super::found::{self, Found, n_with_verdict};
use super::page::{self, Section};
use crate::corpus::projects::{self, Project};
use crate::corpus::{self, load};

/// What stands above the table.
const EXPLANATION: &str = "\
* *ok*, *er*, *other*: triples in all summaries that end normally, in an error, or otherwise (`exit`, or not followed further). *errors*: findings, one for each defect. *manifest*, *doomed*, *latent*: of those.
* *shown*: what a user sees. *relaxed*: of those, the ones that need memory of the caller to be valid. *unknown*: of those, the ones that rest on unknown code; *known*: the others. `-`: our reports do not say so yet.
* *paper*: Pulse-X on OpenSSL 1.0.1h, all its issues as *errors*: 306, of which 280 are latent and 26 reported (12 of these are null pointer errors, 9 manifest and 3 relaxed, that were fixed; 7 leaks were fixed).
";

/// Count what becomes of triples on the corpus.
#[derive(clap::Args)]
pub(crate) struct Funnel {
    /// Only these; the document is not written then.
    #[arg(value_name = "PROJECT")]
    projects: Vec<String>,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
}

/// A line of the table.
#[derive(Clone, Debug, Default, PartialEq)]
struct Row {
    functions: usize,
    ok: usize,
    er: usize,
    other: usize,
    errors: usize,
    manifest: usize,
    doomed: usize,
    latent: usize,
    shown: usize,
    /// None if no report says so.
    relaxed: Option<usize>,
    /// None if no report says so.
    unknown: Option<usize>,
}

impl Funnel {
    pub(crate) fn run(self) -> Result<()> {
        let mut rows = Vec::new();
        for project in projects::selected(&self.projects)? {
            let row = self.project(project).with_context(|| format!("while analyzing {}", project.name))?;
            print!("{}", line(project.name, &row));
            rows.push((project.name, row));
        }
        let table = table(&rows);
        println!("\n{table}");
        if self.projects.is_empty() {
            let text = format!("{EXPLANATION}\n```\n{table}```\n");
            page::publish(Section::Funnel, "cargo x papers funnel", &text)?;
        }
        Ok(())
    }

    fn project(&self, project: &Project) -> Result<Row> {
        let cache = corpus::cache();
        let front_end = FrontEnd::new(None, Some(&cache), Trust::Build);
        let (linked, _) = load::load(project.name, &front_end, self.jobs, None)?;
        let options = Options { jobs: self.jobs, ..Options::default() };
        let mut analysis = session::analyze(&linked, &options, &Watch::nobody());
        let shorten = |file: &str| project.shorten(file);
        let files = Files { shown: &shorten, anchored: &shorten, bytes: &|file| fs::read(file).ok() };
        let all = session::named(std::mem::take(&mut analysis.report), &files);
        let errors = found::findings(&all)?;
        let shown = found::findings(&Selection::default().of(all))?;
        let mut row = Row { functions: linked.functions().len(), ..Row::of(&errors, &shown) };
        for spec in analysis.summaries.iter().flat_map(|summary| &summary.split.specs) {
            match spec.exit {
                Exit::Ok => row.ok += 1,
                Exit::Er(_) => row.er += 1,
                Exit::NoReturn | Exit::Cut => row.other += 1,
            }
        }
        Ok(row)
    }
}

impl Row {
    fn of(errors: &[Found], shown: &[Found]) -> Row {
        let says_relaxed = errors.iter().any(|it| it.relaxed.is_some());
        let says_assumes = errors.iter().any(|it| it.assumes.is_some());
        let n_relaxed = shown.iter().filter(|it| it.relaxed == Some(true)).count();
        let rests = |it: &&Found| it.assumes.as_ref().is_some_and(|it| !it.is_empty());
        Row {
            errors: errors.len(),
            manifest: n_with_verdict(errors, Verdict::Manifest),
            doomed: n_with_verdict(errors, Verdict::Doomed),
            latent: n_with_verdict(errors, Verdict::Latent),
            shown: shown.len(),
            relaxed: says_relaxed.then_some(n_relaxed),
            unknown: says_assumes.then(|| shown.iter().filter(rests).count()),
            ..Row::default()
        }
    }

    fn add(&mut self, other: &Row) {
        self.functions += other.functions;
        self.ok += other.ok;
        self.er += other.er;
        self.other += other.other;
        self.errors += other.errors;
        self.manifest += other.manifest;
        self.doomed += other.doomed;
        self.latent += other.latent;
        self.shown += other.shown;
        self.relaxed = sum(self.relaxed, other.relaxed);
        self.unknown = sum(self.unknown, other.unknown);
    }
}

/// A project without any error cannot say whether the reports say so.
fn sum(left: Option<usize>, right: Option<usize>) -> Option<usize> {
    match (left, right) {
        (Some(left), Some(right)) => Some(left + right),
        (left, right) => left.or(right),
    }
}

fn table(rows: &[(&str, Row)]) -> String {
    let mut text = format!(
        "{:<13} {:>9} {:>7} {:>7} {:>7} {:>6} {:>6} {:>8} {:>6} {:>5} {:>7} {:>7} {:>5}\n",
        "project",
        "functions",
        "ok",
        "er",
        "other",
        "errors",
        "latent",
        "manifest",
        "doomed",
        "shown",
        "relaxed",
        "unknown",
        "known"
    );
    let mut total = Row::default();
    for (name, row) in rows {
        text += &line(name, row);
        total.add(row);
    }
    text += &line("total", &total);
    text += &format!("{:<13} {:>9} {:>23} {:>6} {:>6} {:>21}\n", "paper", 8658, "", 306, 280, 26);
    text
}

fn line(name: &str, row: &Row) -> String {
    let Row { functions, ok, er, other, errors, manifest, doomed, latent, shown, relaxed, unknown } = row;
    let said = |count: Option<usize>| count.map_or("-".to_owned(), |count| count.to_string());
    let (relaxed, known) = (said(*relaxed), said(unknown.map(|unknown| shown - unknown)));
    let unknown = said(*unknown);
    format!(
        "{name:<13} {functions:>9} {ok:>7} {er:>7} {other:>7} {errors:>6} {latent:>6} {manifest:>8} {doomed:>6} {shown:>5} {relaxed:>7} {unknown:>7} {known:>5}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(verdict: Verdict, assumes: Option<usize>) -> Found {
        let assumes = assumes.map(|count| vec![serde_json::Value::Null; count]);
        Found { verdict: verdict.id().to_owned(), assumes, ..Found::default() }
    }

    #[test]
    fn what_rests_on_unknown_code_is_counted_only_if_reports_say_so() {
        let silent = [found(Verdict::Manifest, None), found(Verdict::Latent, None)];
        let row = Row::of(&silent, &silent[..1]);
        assert_eq!((row.errors, row.manifest, row.latent, row.shown, row.unknown), (2, 1, 1, 1, None));
        let telling = [found(Verdict::Manifest, Some(1)), found(Verdict::Doomed, Some(0))];
        let row = Row::of(&telling, &telling);
        assert_eq!((row.doomed, row.unknown), (1, Some(1)));
        assert!(line("a", &row).ends_with("1     1\n"), "{}", line("a", &row));
    }

    #[test]
    fn columns_stand_below_their_names() {
        let text = table(&[("a", Row { shown: 7, errors: 12, latent: 5, ..Row::default() })]);
        let end =
            |line: usize, word: &str| text.lines().nth(line).unwrap().find(word).map(|at| at + word.len());
        assert_eq!(end(0, "errors"), end(1, "12"));
        assert_eq!(end(0, "errors"), end(3, "306"));
        assert_eq!(end(0, "latent"), end(3, "280"));
        assert_eq!(end(0, "shown"), end(3, "26"));
    }
}
