//! The report as text, for people: every finding with its place in the source, its story, and when it
//! happens.
//!
//! ```text
//! error[null-deref, manifest]: `p` is null and is dereferenced                            the headline
//!   --> list.c:12:5                                                                       the excerpt
//!    |
//! 12 |     *p = 1;
//!    |     ^ `p` is null and is dereferenced
//!   trace:                                                                                the story
//!     1. list.c:11:14 in `push`: `malloc` returns null
//!          int *p = malloc(sizeof *p);
//!     2. list.c:12:5: `p` is null and is dereferenced
//!          *p = 1;
//!   id:   0123456789abcdef
//!   when: any caller can trigger this                                                     the condition
//! ```
//!
//! Reading order: [`excerpt`], [`trace`], [`mod@line`], [`paint`].

mod excerpt;
mod line;
mod paint;
mod trace;

use std::collections::BTreeMap;

use annotate_snippets::{Group, Level, Renderer};
use base::counted;
use catalog::Verdict;

use crate::finding::Finding;
use crate::report::Report;
use crate::sources::Sources;
use crate::words;
use paint::Paint;

/// The whole report, with colors if it goes to a terminal. `source` gives the bytes of a file by its name in the report, if it is there.
///
/// There are no control characters in it but line ends and, with colors, sequences `ESC [ digits m`, all of them ours.
pub fn text(report: &Report, source: &dyn Fn(&str) -> Option<Vec<u8>>, colors: bool) -> String {
    let renderer = if colors { Renderer::styled() } else { Renderer::plain() };
    let paint = Paint::new(colors);
    let mut sources = Sources::new(source);
    let mut text = String::new();
    for finding in &report.findings {
        text.push_str(&excerpt::rendered(finding, &mut sources, &renderer));
        text.push('\n');
        text.push_str(&trace::told(&finding.trace, &mut sources, paint));
        text.push_str(&format!("  {}   {}\n", paint.bold("id:"), finding.id));
        text.push_str(&format!("  {} {}\n", paint.bold("when:"), paint::clean(&when(finding), usize::MAX)));
        if !finding.assumes.is_empty() {
            let assumes = finding.assumes.join(", ");
            text.push_str(&format!("  {} {}\n", paint.bold("assumes:"), paint::clean(&assumes, usize::MAX)));
        }
        text.push('\n');
    }
    for note in &report.notes {
        text.push_str(
            &renderer
                .render(&[Group::with_title(Level::NOTE.secondary_title(paint::clean(note, usize::MAX)))]),
        );
        text.push('\n');
    }
    text + &summary(report)
}

/// The condition in words where words say more.
fn when(finding: &Finding) -> String {
    let condition = &finding.condition;
    match finding.verdict {
        Verdict::Doomed if condition.is_always() => {
            "always: no execution that gets here ends normally, whatever unknown code does".to_owned()
        }
        Verdict::Manifest if condition.is_always() && finding.function == "main" => {
            "a run of the program can trigger this".to_owned()
        }
        Verdict::Manifest if condition.is_always() => "any caller can trigger this".to_owned(),
        Verdict::Manifest if finding.relaxed => words::triggered_by(condition),
        _ if condition.is_always() && finding.is_suspected() => {
            "a value that the analysis does not follow decides".to_owned()
        }
        _ if finding.is_suspected() => {
            format!("{}, and a value that the analysis does not follow decides", words::said(condition))
        }
        _ => words::said(condition),
    }
}

/// The last line: what was found, what was looked at, and what is not shown.
fn summary(report: &Report) -> String {
    let summary = &report.summary;
    let mut line = found(&report.findings);
    line.push_str(&format!("; {}, {} analyzed", counted(summary.functions, "function"), summary.analyzed));
    if summary.gave_up > 0 {
        line.push_str(&format!(", {} given up", summary.gave_up));
    }
    if let kept @ 1.. = report.n_kept() {
        let them = if kept == 1 { "it" } else { "them" };
        line.push_str(&format!("; {} kept (--latent shows {them})", counted(kept, "latent error")));
    }
    line + "\n"
}

/// `2 findings: 1 null-deref, 1 memory-leak`, in the order of the catalog.
fn found(findings: &[Finding]) -> String {
    if findings.is_empty() {
        return "no findings".to_owned();
    }
    let mut kinds: BTreeMap<_, usize> = BTreeMap::new();
    findings.iter().for_each(|finding| *kinds.entry(finding.kind).or_default() += 1);
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    format!("{}: {}", counted(findings.len(), "finding"), kinds.join(", "))
}
