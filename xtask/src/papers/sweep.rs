//! `cargo x papers sweep`: time and findings for other widths and unrollings.
//!
//! Source: ISL, §5: following 20 disjuncts instead of 50 is about 3.1 times faster and finds 97 % of the
//! issues.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use capture::{FrontEnd, Trust};
use catalog::Verdict;
use report::Files;
use session::{Engines, Options, Selection, Watch};

use super::found::{self, Found, n_with_verdict};
use super::page::{self, Section};
use crate::corpus::projects::{self, Project};
use crate::corpus::{self, load, one};

/// What is swept if nobody names projects: those that take seconds.
const SMALL: [&str; 5] = ["zlib", "lua", "nghttp2", "libssh2", "leveldb"];

const WIDTHS: [usize; 4] = [20, 30, 50, 100];

const UNROLLINGS: std::ops::RangeInclusive<u32> = 1..=10;

/// Measure the engine for paths with other widths and unrollings.
#[derive(clap::Args)]
pub(crate) struct Sweep {
    /// These; otherwise some that take seconds. The document names them.
    #[arg(value_name = "PROJECT")]
    projects: Vec<String>,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Write the section of the document.
    #[arg(long)]
    write: bool,
}

/// How far paths are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Setting {
    width: usize,
    unroll: u32,
}

/// What came out with a setting, over all projects.
#[derive(Clone, Debug, Default, PartialEq)]
struct Row {
    seconds: f64,
    errors: usize,
    manifest: usize,
    doomed: usize,
    latent: usize,
    shown: usize,
    /// The errors, by project, kind and place.
    places: BTreeSet<(&'static str, String, String, u32)>,
}

impl Setting {
    fn standard() -> Setting {
        let split = Options::default().split;
        Setting { width: split.width, unroll: split.unroll }
    }

    /// All that are measured, the default among them.
    fn all() -> Vec<Setting> {
        let standard = Setting::standard();
        let mut all: Vec<Setting> = WIDTHS.map(|width| Setting { width, ..standard }).into();
        let unrollings = UNROLLINGS.map(|unroll| Setting { unroll, ..standard });
        all.extend(unrollings.filter(|it| *it != standard));
        if !all.contains(&standard) {
            all.insert(0, standard);
        }
        all
    }
}

impl Sweep {
    pub(crate) fn run(self) -> Result<()> {
        let named = if self.projects.is_empty() { SMALL.map(String::from).into() } else { self.projects };
        let mut rows: Vec<(Setting, Row)> =
            Setting::all().into_iter().map(|setting| (setting, Row::default())).collect();
        for project in projects::selected(&named)? {
            sweep(project, self.jobs, &mut rows)
                .with_context(|| format!("while analyzing {}", project.name))?;
        }
        let table = table(&rows, Setting::standard());
        println!("{table}");
        if self.write {
            let command = format!("cargo x papers sweep {} --write", named.join(" "));
            let text = format!("{}\n```\n{table}```\n", explanation(&named, Setting::standard()));
            page::publish(Section::Sweep, &command, &text)?;
        }
        Ok(())
    }
}

fn explanation(projects: &[String], standard: Setting) -> String {
    format!(
        "On {}. The default is width {}, unrolling {}; one of both is changed at a time.\n\n\
         * *cpu*: of the analysis alone, by all engines. *×*: against the default. *errors*: findings, one for each defect; *%*: against the default.\n\
         * *paper*: Pulse with 20 disjuncts against 50 on a code base of hundreds of thousands of lines: about 3.1 times faster, 97 % of the issues.\n",
        projects.join(", "),
        standard.width,
        standard.unroll
    )
}

/// Adds what a project gives with each setting.
fn sweep(project: &Project, jobs: usize, rows: &mut [(Setting, Row)]) -> Result<()> {
    let cache = corpus::cache();
    let front_end = FrontEnd::new(None, Some(&cache), Trust::Build);
    let (linked, _) = load::load(project.name, &front_end, jobs, None)?;
    let shorten = |file: &str| project.shorten(file);
    let files = Files { shown: &shorten, anchored: &shorten, bytes: &|file| fs::read(file).ok() };
    for (setting, row) in rows {
        let mut options = Options { jobs, engines: Engines::default(), ..Options::default() };
        (options.split.width, options.split.unroll) = (setting.width, setting.unroll);
        let started = one::process_cpu();
        let analysis = session::analyze(&linked, &options, &Watch::nobody());
        let took = one::process_cpu() - started;
        let all = session::named(analysis.report, &files);
        let errors = found::findings(&all)?;
        let shown = found::findings(&Selection::default().of(all))?;
        eprintln!("{}: {setting:?}: {:.1} s, {} errors", project.name, took.as_secs_f64(), errors.len());
        row.add(took, &errors, &shown);
        let place = |it: Found| (project.name, it.kind, it.file, it.line);
        row.places.extend(errors.into_iter().map(place));
    }
    Ok(())
}

impl Row {
    fn add(&mut self, took: Duration, errors: &[Found], shown: &[Found]) {
        self.seconds += took.as_secs_f64();
        self.errors += errors.len();
        self.manifest += n_with_verdict(errors, Verdict::Manifest);
        self.doomed += n_with_verdict(errors, Verdict::Doomed);
        self.latent += n_with_verdict(errors, Verdict::Latent);
        self.shown += shown.len();
    }
}

fn table(rows: &[(Setting, Row)], standard: Setting) -> String {
    let mut text = format!(
        "{:>5} {:>6} {:>8} {:>6} {:>6} {:>5} {:>8} {:>6} {:>6} {:>5}\n",
        "width", "unroll", "cpu", "×", "errors", "%", "manifest", "doomed", "latent", "shown"
    );
    let base = rows.iter().find(|row| row.0 == standard).map(|row| &row.1);
    for (setting, row) in rows {
        let part = |of: f64, whole: Option<f64>| whole.filter(|it| *it > 0.0).map_or(0.0, |whole| of / whole);
        let slower = part(row.seconds, base.map(|base| base.seconds));
        let share = 100.0 * part(row.errors as f64, base.map(|base| base.errors as f64));
        let Row { seconds, errors, manifest, doomed, latent, shown, places: _ } = row;
        let Setting { width, unroll } = setting;
        text += &format!(
            "{width:>5} {unroll:>6} {seconds:>7.1}s {slower:>6.2} {errors:>6} {share:>5.1} {manifest:>8} {doomed:>6} {latent:>6} {shown:>5}\n"
        );
    }
    text + &of_the_paper(rows)
}

/// What the paper says in one sentence, of us.
fn of_the_paper(rows: &[(Setting, Row)]) -> String {
    let with = |width: usize| {
        let standard = Setting { width, ..Setting::standard() };
        rows.iter().find(|row| row.0 == standard).map(|row| &row.1)
    };
    let (Some(narrow), Some(wide)) = (with(20), with(50)) else { return String::new() };
    let share = |part: usize, whole: usize| 100.0 * part as f64 / (whole as f64).max(1.0);
    format!(
        "20 against 50: {:.2} times faster, {:.1} % as many errors, {:.1} % of the places (paper: 3.1 times, 97 %)\n",
        wide.seconds / narrow.seconds,
        share(narrow.errors, wide.errors),
        share(narrow.places.intersection(&wide.places).count(), wide.places.len())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_measured_and_all_others_are_compared_with_it() {
        let standard = Setting::standard();
        assert_eq!(Setting::all().iter().filter(|it| **it == standard).count(), 1);
        let place = |line| ("a", "null-deref".to_owned(), "a.c".to_owned(), line);
        let row = |seconds, errors| {
            let places = [place(7), place(errors as u32)].into();
            Row { seconds, errors, places, ..Row::default() }
        };
        let rows = [
            (Setting { width: 20, ..standard }, row(2.0, 97)),
            (Setting { width: 50, ..standard }, row(6.2, 100)),
            (standard, row(4.0, 97)),
        ];
        let text = table(&rows[..2], standard);
        assert!(
            text.ends_with(
                "20 against 50: 3.10 times faster, 97.0 % as many errors, 50.0 % of the places (paper: 3.1 times, 97 %)\n"
            )
        );
        let line = table(&[rows[2].clone(), (Setting { width: 1, ..standard }, row(8.0, 0))], standard);
        assert!(line.lines().nth(2).unwrap().contains(" 2.00      0   0.0 "), "{line}");
    }
}
