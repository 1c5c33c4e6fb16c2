//! What is known of functions, as text.

use base::visible;
use project::{FnId, Project};
use summary::Triples;

use crate::analysis::Analysis;

/// The triples of these functions, readable.
pub(crate) fn explain(project: &Project, analysis: &Analysis, functions: &[FnId]) -> Vec<String> {
    let mut texts = Vec::new();
    for &function in functions {
        let Some(summary) = analysis.summaries.get(base::Id::index(function)) else { continue };
        let triples = &summary.split;
        let mut text = format!("{}\n", visible::line(project.function(function).pretty()));
        if triples.gave_up {
            text.push_str("  given up: callers go on without it, and no finding rests on what it does\n");
        }
        for (at, spec) in triples.specs.iter().enumerate() {
            text.push_str(&format!("\n  triple {}\n", at + 1));
            for line in triples.show(spec, &|what| report::words::message(what, None)).lines() {
                text.push_str(&format!("    {line}\n"));
            }
        }
        let mut triples = Triples::clone(triples);
        let derived = summary::derived_errors(&mut triples);
        if !derived.is_empty() {
            text.push_str("\n  also, because of what it accesses\n");
        }
        for error in derived {
            text.push_str(&format!("    {} when {}\n", error.bug.issue, when(&triples, &error.spec)));
        }
        texts.push(text);
    }
    texts
}

fn when(triples: &Triples, spec: &heap::Spec) -> String {
    let freed = spec.pre.iter().filter(|pre| pre.negative);
    let freed = freed.map(|pre| format!("{} freed", triples.terms.show(pre.base)));
    let conditions = Some(triples.show_conditions(spec)).filter(|it| !it.is_empty());
    let parts: Vec<String> = conditions.into_iter().chain(freed).collect();
    if parts.is_empty() { "always".to_owned() } else { visible::line(&parts.join(" and ")) }
}
