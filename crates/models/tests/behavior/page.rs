//! The page `docs/models.md`: how many functions are modeled, called and excused, area by area.

use std::collections::BTreeMap;
use std::fmt::Write;

use models::{Library, facts};

use crate::plan::Plan;

/// The counts of one file of facts.
#[derive(Default)]
struct Area {
    names: usize,
    called: usize,
    aliases: usize,
    excused: usize,
}

impl Area {
    fn add(&mut self, other: &Area) {
        self.names += other.names;
        self.called += other.called;
        self.aliases += other.aliases;
        self.excused += other.excused;
    }
}

/// The text of the page.
pub(crate) fn page(library: &Library, plan: &Plan<'_>) -> String {
    let mut areas: BTreeMap<&str, Area> = BTreeMap::new();
    for model in library.models() {
        let area = areas.entry(model.file.rsplit('/').next().unwrap_or_default()).or_default();
        area.names += 1;
        area.aliases += usize::from(plan.aliases.contains_key(&model.name));
        area.excused += usize::from(plan.excused.contains_key(&model.name));
        area.called += usize::from(plan.runs.iter().any(|it| it.model.name == model.name));
    }
    let mut total = Area::default();
    areas.values().for_each(|it| total.add(it));
    let mut text = String::from(INTRODUCTION);
    for source in facts() {
        let file = source.file.rsplit('/').next().unwrap_or_default();
        let about =
            source.text.lines().next().unwrap_or_default().trim_start_matches("# ").replace('|', "\\|");
        if let Some(area) = areas.get(file) {
            row(&mut text, &format!("`{file}`: {about}"), area);
        }
    }
    row(&mut text, "**together**", &total);
    let calls: usize = plan.runs.iter().map(|it| it.calls.len()).sum();
    write!(text, "\nThe {} functions are called {calls} times.\n", plan.runs.len())
        .expect("writing to a string");
    text.push_str("\n## Not called\n\n| reason | functions |\n|---|---|\n");
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, reason) in &plan.excused {
        reasons.entry(reason).or_default().push(name);
    }
    for (reason, names) in reasons {
        writeln!(text, "| {reason} | {} |", shortened(&names)).expect("writing to a string");
    }
    text
}

const INTRODUCTION: &str = "# Library models: what is covered

Written by the test `crates/models/tests/behavior` (`BLESS=1`), which also keeps it true. *Called*: the test calls the function of this machine's C library
and compares what happened with the model. *Other names*: further names of a function in the same row (`__strdup`). *Excused*: not called, for a reason
that `calls.toml` gives. How models are written and how they are compared: `adr/005-models.md`.

| area | names | called | other names | excused |
|---|---|---|---|---|
";

fn row(text: &mut String, title: &str, area: &Area) {
    let Area { names, called, aliases, excused } = area;
    writeln!(text, "| {title} | {names} | {called} | {aliases} | {excused} |").expect("writing to a string");
}

/// The first of the names, and how many more there are.
fn shortened(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|it| format!("`{it}`")).collect();
    let more = names.len().saturating_sub(SHOWN);
    shown.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}
