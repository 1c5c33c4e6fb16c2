//! What the user reads, as a whole.

mod common;

use std::collections::BTreeSet;

use catalog::Issue;
use common::{example, source};
use report::{Report, Selection};
use testkit::Normalizer;

fn selected(latent: bool) -> Report {
    example().select(&Selection { kinds: Issue::ALL.iter().copied().collect(), latent })
}

#[test]
fn a_report_as_plain_text() {
    insta::assert_snapshot!(report::text(&selected(true), &source, false));
}

#[test]
fn a_report_in_colors() {
    let text = report::text(&selected(true), &source, true);
    insta::assert_snapshot!(text.replace('\u{1b}', "␛"));
}

#[test]
fn colors_change_nothing_else() {
    let mut plain = String::new();
    let mut rest = report::text(&example(), &source, true);
    while let Some(start) = rest.find('\u{1b}') {
        plain.push_str(&rest[..start]);
        let end = rest[start..].find('m').expect("a color ends");
        rest = rest.split_off(start + end + 1);
    }
    assert_eq!(plain + &rest, report::text(&example(), &source, false));
}

#[test]
fn a_report_without_sources() {
    insta::assert_snapshot!(report::text(&selected(true), &|_| None, false));
}

#[test]
fn sources_that_changed_meanwhile_do_no_harm() {
    let text = report::text(&selected(true), &|_| Some("x\n".to_owned()), false);
    assert!(text.contains("--> src/list.c:11:5\n"), "{text}");
    let empty = report::text(&selected(true), &|_| Some(String::new()), false);
    assert!(empty.contains("--> src/list.c:11:5\n"), "{empty}");
}

#[test]
fn latent_errors_are_counted_if_they_are_not_shown() {
    let text = report::text(&selected(false), &source, false);
    let last = text.lines().last().expect("a last line");
    assert_eq!(
        last,
        "3 findings: 1 null-deref, 1 memory-leak, 1 doomed; 12 functions, 11 analyzed, 1 given up; \
         1 latent error kept (--latent shows it, and more)"
    );
    assert!(!text.contains("out-of-bounds"), "{text}");
}

#[test]
fn nothing_found_is_one_line() {
    let none = example().select(&Selection { kinds: BTreeSet::new(), latent: true });
    let text = report::text(&Report { notes: Vec::new(), ..none }, &source, false);
    assert_eq!(text, "no findings; 12 functions, 11 analyzed, 1 given up\n");
}

#[test]
fn a_report_as_json() {
    let text = report::json(&selected(true));
    insta::assert_snapshot!(Normalizer::new().text(env!("CARGO_PKG_VERSION"), "VERSION").apply(&text));
}

#[test]
fn what_a_program_prints_to_a_terminal_is_not_ours_to_print() {
    let mut report = example();
    report.findings[0].condition = "\u{1b}[31mred".to_owned();
    report.findings[0].message = "\u{1b}[2Jaway".to_owned();
    report.findings[0].trace.iter_mut().for_each(|step| step.message = "\u{1b}[2Jaway".to_owned());
    report.notes.push("left out: \u{1b}[2J.c".to_owned());
    let text = report::text(&report, &|_| Some("\u{1b}[2J\n".repeat(50)), false);
    assert!(!text.contains('\u{1b}'), "{text}");
}
