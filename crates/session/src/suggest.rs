//! What the user could say of functions of which nothing is known: what the engines and the models say,
//! handed to [`project::suggest`].

use std::collections::BTreeMap;

use models::{Arg, Library, Ret, What};
use project::{Gaps, Known, Node, Project, Proposal};
use report::Finding;

/// Proposals for functions of which nothing is known. `unknown` are those of [`Analysis`](crate::Analysis),
/// `findings` those that the user sees.
pub(crate) fn suggest(
    project: &Project,
    library: &Library,
    unknown: &BTreeMap<Node, usize>,
    findings: &[Finding],
) -> Vec<Proposal> {
    let called = project.call_graph().edges().iter().map(|edge| edge.callee);
    let mut known: BTreeMap<Node, Known> =
        called.chain(unknown.keys().copied()).map(|node| (node, Known::default())).collect();
    for (&node, known) in &mut known {
        *known = said_by(library, name(project, node));
    }
    let gaps = Gaps { unknown: unknown.clone(), known, mentioned: named_in(findings) };
    project::suggest(project, &gaps)
}

/// The linker's name; empty if there is none.
fn name(project: &Project, node: Node) -> &str {
    match node {
        Node::Function(function) => project.function(function).name(),
        Node::External(symbol) => project.try_name(symbol).unwrap_or_default(),
    }
}

/// What the library says of a function.
fn said_by(library: &Library, name: &str) -> Known {
    let cases = library.lookup(name).map_or(&[][..], |model| &model.cases);
    let effects = cases.iter().flat_map(|case| &case.effects);
    let mut frees: Vec<(usize, String)> = effects
        .filter_map(|effect| match (&effect.what, effect.arg) {
            (What::Free { family, behind: false }, Arg::At(at)) => Some((at, family.clone())),
            _ => None,
        })
        .collect();
    frees.sort();
    frees.dedup();
    let allocates = cases.iter().find_map(|case| match &case.ret {
        Ret::New { family, .. } => Some(family.clone()),
        _ => None,
    });
    Known { frees, allocates, never_null: library.never_returns_null(name) }
}

/// By function: the findings that mention it.
fn named_in(findings: &[Finding]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        let messages =
            finding.trace.iter().map(|step| step.message.as_str()).chain([finding.message.as_str()]);
        // What is between backticks is code: `f`, or a condition on `f()`.
        let code = messages.flat_map(|message| message.split('`').skip(1).step_by(2));
        let words =
            code.flat_map(|code| code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != ':'));
        let mut names: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
    }
    counts
}
