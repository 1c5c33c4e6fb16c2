//! What the user reads, as a whole.

mod common;

use catalog::Fate;
use common::{example, source};
use report::Report;
use testkit::Normalizer;

fn selected(latent: bool) -> Report {
    let report = example();
    let shown: Vec<bool> = report.findings.iter().map(|it| latent || it.fate == Fate::Shown).collect();
    report.keep(&[], &shown)
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
    let plain = without_colors(report::text(&example(), &source, true));
    assert_eq!(plain, report::text(&example(), &source, false));
}

fn without_colors(mut rest: String) -> String {
    let mut plain = String::new();
    while let Some(start) = rest.find('\u{1b}') {
        plain.push_str(&rest[..start]);
        let is_color = |letter: char| letter.is_ascii_digit() || letter == ';';
        let sequence = rest[start + 1..].strip_prefix('[').expect("a color").trim_start_matches(is_color);
        rest = sequence.strip_prefix('m').expect("a color ends").to_owned();
    }
    plain + &rest
}

#[test]
fn a_report_without_sources() {
    insta::assert_snapshot!(report::text(&selected(true), &|_| None, false));
}

#[test]
fn sources_that_changed_meanwhile_do_no_harm() {
    let text = report::text(&selected(true), &|_| Some(b"x\n".to_vec()), false);
    assert!(text.contains("--> src/list.c:11:5\n"), "{text}");
    let empty = report::text(&selected(true), &|_| Some(Vec::new()), false);
    assert!(empty.contains("--> src/list.c:11:5\n"), "{empty}");
}

#[test]
fn latent_errors_are_counted_if_they_are_not_shown() {
    let text = report::text(&selected(false), &source, false);
    let last = text.lines().last().expect("a last line");
    assert_eq!(
        last,
        "3 findings: 2 null-deref, 1 memory-leak; 12 functions, 11 analyzed, 1 given up; \
         1 latent error kept (--latent shows it)"
    );
    assert!(!text.contains("out-of-bounds"), "{text}");
}

#[test]
fn nothing_found_is_one_line() {
    let report = example();
    let nothing = vec![false; report.findings.len()];
    let none = report.keep(&nothing, &nothing);
    let text = report::text(&Report { notes: Vec::new(), ..none }, &source, false);
    assert_eq!(text, "no findings; 12 functions, 11 analyzed, 1 given up\n");
}

#[test]
fn a_report_as_json() {
    let text = report::json(&selected(true));
    insta::assert_snapshot!(Normalizer::new().text(env!("CARGO_PKG_VERSION"), "VERSION").apply(&text));
}

/// What must not reach a terminal, in one text: it clears the screen, sets a title, ends a line, turns the rest around.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;x\u{7}\r\n\u{9b}31m\u{7f}\u{202e}\u{2066}\u{2028}\u{feff}";

#[test]
fn what_a_program_prints_to_a_terminal_is_not_ours_to_print() {
    let mut report = example();
    report.notes.push(format!("left out: {HOSTILE}.c"));
    for finding in &mut report.findings {
        finding.condition = common::holds(&[HOSTILE]);
        for text in [&mut finding.message, &mut finding.file, &mut finding.function] {
            text.push_str(HOSTILE);
        }
        for step in &mut finding.trace {
            for text in [&mut step.message, &mut step.file, &mut step.function] {
                text.push_str(HOSTILE);
            }
        }
    }
    let source = |_: &str| Some(format!("{HOSTILE} \t{HOSTILE}").repeat(50).into_bytes());
    let n_lines = |report: &Report| report::text(report, &|_| None, false).lines().count();
    assert_eq!(n_lines(&report), n_lines(&example()) + 1, "no text makes lines");
    let is_harmful = |letter: &char| !base::visible::is_plain(*letter) && *letter != '\n';
    let plain = report::text(&report, &source, false);
    assert_eq!(plain.chars().find(is_harmful), None, "{plain:?}");
    let colored = without_colors(report::text(&report, &source, true));
    assert_eq!(colored, plain, "all escapes are colors");
    let json = report::json(&report);
    assert_eq!(json.chars().find(is_harmful), None, "{json:?}");
    let value: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(value["findings"][0]["file"], report.findings[0].file.as_str());
}

#[test]
fn odd_lines_have_an_excerpt() {
    let excerpt = |source: &[u8], line: u32, column: u32| {
        let mut report = example();
        report.findings.truncate(1);
        report.findings[0].trace.clear();
        (report.findings[0].line, report.findings[0].column) = (line, column);
        let text = report::text(&report, &|_| Some(source.to_vec()), false);
        let lines: Vec<&str> = text.lines().skip(1).take_while(|line| !line.starts_with("  id:")).collect();
        lines.join("\n")
    };
    let expected = " --> src/list.c:2:13\n  |\n1 | a\n2 | /* gr\\xf6\\xdfe */ *p = 1;\n  |                   ^\n3 | b\n  |";
    assert_eq!(excerpt(b"a\r\n/* gr\xf6\xdfe */ *p = 1;\r\nb\r\n", 2, 13), expected);
    let cut = excerpt(format!("{}*p = 1;\n", "f();".repeat(250_000)).as_bytes(), 1, 1_000_001);
    assert!(
        cut.contains("src/list.c:1:1000001") && cut.contains("f();*p = 1;") && cut.len() < 2_000,
        "{cut}"
    );
    assert!(excerpt(b"a\rb\r  *p\0 = 1;\r", 3, 3).contains("3 |   *p\\x00 = 1;\n  |   ^"));
}
