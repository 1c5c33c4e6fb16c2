//! The document of the experiments: one section each, in a fixed order, rewritten alone.

use std::fs;

use anyhow::{Context, Result};

use crate::root;

/// The document.
const PAGE: &str = "docs/benchmarks/papers.md";

/// What stands above all sections.
const INTRODUCTION: &str = "\
# The experiments of the papers

Written by `cargo x papers`, each section by its own command; do not edit. Other work went on on the machine at the same time, so times are processor seconds.
";

/// What a section begins with.
const MARK: &str = "## ";

/// The sections, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Funnel,
    Sweep,
    FixRate,
    Table3,
    Table4,
}

impl Section {
    const ALL: [Section; 5] =
        [Section::Funnel, Section::Sweep, Section::FixRate, Section::Table3, Section::Table4];

    fn heading(self) -> &'static str {
        match self {
            Section::Funnel => "From triples to reports (Pulse-X, §5)",
            Section::Sweep => "Width and unrolling (ISL, §5)",
            Section::FixRate => "What maintainers mended (Pulse-X, §5)",
            Section::Table3 => "Small functions (doomed points, Table 3)",
            Section::Table4 => "Queries (doomed points, Table 4)",
        }
    }
}

/// Writes a section anew: the command that made it, and its text.
pub(crate) fn publish(section: Section, command: &str, text: &str) -> Result<()> {
    let file = root().join(PAGE);
    let before = fs::read_to_string(&file).unwrap_or_default();
    let body = format!("Made by `{command}`.\n\n{text}");
    fs::write(&file, with(&before, section, &body))
        .with_context(|| format!("while writing {}", file.display()))?;
    println!("written to {PAGE}");
    Ok(())
}

/// The document with another text in a section; the others stay what they are.
fn with(page: &str, section: Section, body: &str) -> String {
    let mut text = INTRODUCTION.to_owned();
    for each in Section::ALL {
        let kept = if each == section { Some(body) } else { body_of(page, each) };
        if let Some(kept) = kept {
            text += &format!("\n{MARK}{}\n\n{}\n", each.heading(), kept.trim());
        }
    }
    text
}

/// What stands below a heading, up to the next one.
fn body_of(page: &str, section: Section) -> Option<&str> {
    let heading = format!("\n{MARK}{}\n", section.heading());
    let begin = page.find(&heading)? + heading.len();
    let rest = &page[begin..];
    Some(&rest[..rest.find(&format!("\n{MARK}")).unwrap_or(rest.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_experiment_rewrites_its_own_section() {
        let page = with("", Section::Table4, "old 4\n\n```\n### no heading of ours\n```");
        let page = with(&page, Section::Funnel, "funnel");
        let page = with(&page, Section::Table4, "new 4");
        assert_eq!(body_of(&page, Section::Funnel).map(str::trim), Some("funnel"));
        assert_eq!(body_of(&page, Section::Table4).map(str::trim), Some("new 4"));
        assert_eq!(body_of(&page, Section::Sweep), None);
        assert!(page.find("funnel") < page.find("new 4") && page.starts_with(INTRODUCTION));
        assert_eq!(with(&page, Section::Table4, "new 4"), page);
    }
}
