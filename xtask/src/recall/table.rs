//! The result as tables.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use theorem::recall::{Cause, Judged, Kind, Outcome};

use super::OfProject;

/// Numbers of outcomes.
#[derive(Default)]
struct Row {
    there: usize,
    manifest: usize,
    latent: usize,
    suspected: usize,
    missed: BTreeMap<Cause, usize>,
}

impl Row {
    fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::There => self.there += 1,
            Outcome::Manifest => self.manifest += 1,
            Outcome::Latent => self.latent += 1,
            Outcome::Suspected => self.suspected += 1,
            Outcome::Missed(cause) => *self.missed.entry(cause).or_default() += 1,
        }
    }

    fn n_seeds(&self) -> usize {
        self.manifest + self.latent + self.suspected + self.missed.values().sum::<usize>()
    }

    fn show(&self, title: &str, causes: &[Cause]) -> String {
        let n_seeds = self.n_seeds();
        let share = |found: usize| {
            (found * 100).checked_div(n_seeds).map_or("–".to_owned(), |share| format!("{share} %"))
        };
        let proven = self.manifest + self.latent;
        let mut line = format!(
            "| {title} | {n_seeds} | {} | {} | **{}** | {} | {} |",
            self.manifest,
            self.latent,
            share(proven),
            self.suspected,
            share(proven + self.suspected)
        );
        for cause in causes {
            let missed = self.missed.get(cause).copied().unwrap_or_default();
            let _ = write!(line, " {} |", if missed == 0 { String::new() } else { missed.to_string() });
        }
        line.push('\n');
        line
    }
}

/// Tables by kind and by project.
pub(super) fn tables(projects: &[OfProject]) -> String {
    let judged = || projects.iter().flat_map(|it| &it.judged);
    let is_cause = |cause: &Cause| judged().any(|it| it.outcome == Outcome::Missed(*cause));
    let causes: Vec<Cause> = Cause::ALL.into_iter().filter(is_cause).collect();
    let mut text = header("kind", &causes);
    for kind in Kind::ALL {
        text.push_str(&row(judged().filter(|it| it.kind == kind)).show(kind.words(), &causes));
    }
    let all = row(judged());
    text.push_str(&all.show("all", &causes));
    let direct = row(judged().filter(|it| it.outcome != Outcome::Missed(Cause::Pointer)));
    text.push_str(&direct.show("all but those missed through a pointer", &causes));
    text.push('\n');
    text.push_str(&header("project", &causes));
    for project in projects.iter().filter(|it| !it.judged.is_empty()) {
        text.push_str(&row(project.judged.iter()).show(project.name, &causes));
    }
    let _ = writeln!(
        text,
        "\nLeft out, because the engine reports the same of the code as it is: {}.",
        all.there
    );
    text
}

fn row<'j>(judged: impl Iterator<Item = &'j Judged>) -> Row {
    let mut row = Row::default();
    judged.for_each(|it| row.add(it.outcome));
    row
}

fn header(what: &str, causes: &[Cause]) -> String {
    let mut text = format!("| {what} | seeded | manifest | latent | proven | suspected | found |");
    for cause in causes {
        let _ = write!(text, " {} |", cause.words());
    }
    text.push_str(&format!("\n|---|{}\n", "--:|".repeat(6 + causes.len())));
    text
}
