//! The table and its documents keep their promises: unique stable ids, all headings, one example each.

use std::collections::BTreeSet;
use std::path::Path;

use catalog::{Choice, Issue, Verdict};

const HEADINGS: [&str; 4] = ["What it finds", "Why it matters", "Example", "When it stays silent"];

/// The kinds as the fixed interface lists them. A change here breaks users' baselines.
const PUBLISHED: &str = "null-deref use-after-free double-free invalid-free memory-leak resource-leak \
    uninit-read out-of-bounds use-after-scope div-by-zero assert-failure double-lock double-unlock \
    lock-leak typestate endless dead-code";

#[test]
fn ids_are_the_published_ones() {
    let ids: Vec<&str> = Issue::ALL.iter().map(|issue| issue.id()).collect();
    assert_eq!(ids, PUBLISHED.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn ids_are_unique_and_kebab_case() {
    let unique: BTreeSet<&str> = Issue::ALL.iter().map(|issue| issue.id()).collect();
    assert_eq!(unique.len(), Issue::ALL.len());
    for issue in Issue::ALL {
        let well_formed = issue
            .id()
            .split('-')
            .all(|word| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase()));
        assert!(well_formed, "`{issue}` should be kebab-case");
    }
}

#[test]
fn ids_lead_back_to_issues() {
    for &issue in Issue::ALL {
        assert_eq!(Issue::from_id(issue.id()), Some(issue));
    }
    assert_eq!(Issue::from_id("Null-Deref"), None);
    assert_eq!(Issue::from_id(""), None);
    for &verdict in Verdict::ALL {
        assert_eq!(Verdict::from_id(verdict.id()), Some(verdict));
    }
    assert_eq!(Verdict::from_id("certain"), None);
}

#[test]
fn doomed_is_no_kind_but_can_be_chosen() {
    assert_eq!(Issue::from_id("doomed"), None);
    assert_eq!(Choice::from_id("doomed"), Some(Choice::Doomed));
    assert!(Choice::Doomed.is_about(Issue::NullDeref, Verdict::Doomed));
    assert!(!Choice::Doomed.is_about(Issue::NullDeref, Verdict::Manifest));
    assert!(!Choice::Doomed.is_about(Issue::DeadCode, Verdict::Doomed), "dead code is no error");
    for choice in Choice::all() {
        assert_eq!(Choice::from_id(choice.id()), Some(choice));
        assert!(choice.doc().starts_with(&format!("# {}\n", choice.id())));
    }
}

#[test]
fn rows_are_filled_in() {
    for issue in Issue::ALL {
        assert!(issue.cwe() > 0, "{issue}: a CWE number");
        let summary = issue.summary();
        assert!(
            summary.starts_with(|first: char| first.is_ascii_lowercase()),
            "{issue}: the summary should continue a sentence"
        );
        assert!(!summary.ends_with('.'), "{issue}: no full stop");
    }
}

#[test]
fn documents_have_their_headings_in_order() {
    for issue in Issue::ALL {
        let mut lines = issue.doc().lines();
        assert_eq!(lines.next(), Some(format!("# {issue}").as_str()));
        let headings: Vec<&str> = lines.filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(headings, HEADINGS, "headings of {issue}.md");
    }
}

#[test]
fn sections_have_text() {
    for issue in Issue::ALL {
        for section in issue.doc().split("\n## ").skip(1) {
            let (heading, text) = section.split_once('\n').expect("a heading ends its line");
            assert!(text.trim().len() > 40, "{issue}.md: `{heading}` says too little");
        }
    }
}

/// The example is C and marks the very line, so that engines can be tested on it.
#[test]
fn examples_mark_the_line_of_the_error() {
    for issue in Issue::ALL {
        let code = example(*issue);
        let marks: Vec<&str> =
            code.lines().filter_map(|line| Some(line.split_once("//~")?.1.trim())).collect();
        assert_eq!(marks.len(), 1, "{issue}.md marks one line");
        let (verdict, kind) = marks[0].split_once(' ').unwrap_or(("", marks[0]));
        assert_eq!(kind, issue.id());
        assert!(["", "latent", "doomed"].contains(&verdict), "{issue}: `{verdict}` is no verdict");
        assert!(verdict != "latent" || issue.can_be_latent(), "{issue} is never latent");
    }
}

#[test]
fn every_document_has_a_row() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("issues");
    let mut stems: Vec<String> = std::fs::read_dir(directory)
        .expect("the directory of documents")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    stems.sort();
    let mut ids: Vec<&str> = Issue::ALL.iter().map(|issue| issue.id()).collect();
    ids.sort_unstable();
    assert_eq!(stems, ids);
}

fn example(issue: Issue) -> &'static str {
    let (_, rest) = issue.doc().split_once("```c\n").expect("an example in C");
    rest.split_once("```").expect("the fence is closed").0
}
