//! When two findings are one: the same defect, seen from several callers.
//!
//! ```c
//! static void fill(int n) { int *p = malloc(n); if (n) *p = 0; }     // cause and failure are in here,
//! void one(void) { fill(1); }                                        // so what these two
//! void two(void) { fill(2); }                                        // report is one defect.
//! ```
//!
//! Judgment: findings are one defect if they agree in
//!
//! * the kind,
//! * the place of the failure: the last step of the trace,
//! * the place of the cause: the step that [`Finding::cause`] names,
//! * the function in which cause and failure meet, and the calls there that lead from the one to the other.
//!
//! The function in which they meet is the outermost one that the story passes through between cause and failure. In the example that is `fill`,
//! whoever calls it. Where `one` gets a pointer from a callee and passes it to another one, that is `one`: another caller that does the
//! same has another defect. For a leak, the place of the failure is one exit of maybe many, and does not count; the function does.
//!
//! Of findings that are one, the most certain is kept; of equally certain ones the one nearest to the cause, that is, with the fewest
//! calls between its function and the one in which cause and failure meet. A latent and a certain
//! finding stay two: the one says what callers must not do, the other one who does it.
//!
//! Source: the design, §11. Departure: callers that merely connect the same cause with the same failure are told apart, because
//! repairing one of them does not repair the other.

use std::collections::{BTreeMap, BTreeSet};

use catalog::Issue;

use crate::finding::{Finding, Place};

/// What findings of one defect have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Defect<'f> {
    kind: Issue,
    cause: Place<'f>,
    /// None for a leak.
    failure: Option<Place<'f>>,
    /// The function in which they meet, with its file.
    meeting: (&'f str, &'f str),
    /// The calls in that function.
    calls: Vec<Place<'f>>,
}

/// The defect that a finding tells of.
pub(crate) fn of(finding: &Finding) -> Defect<'_> {
    let failure = |place| Some(place).filter(|_| !finding.kind.is_leak());
    let Some(span) = Span::of(finding) else {
        let (cause, meeting) = (finding.place(), (finding.file.as_str(), finding.function.as_str()));
        return Defect { kind: finding.kind, cause, failure: failure(cause), meeting, calls: Vec::new() };
    };
    let steps = &finding.trace[span.start..];
    let meeting = steps.iter().find(|step| step.depth == span.depth);
    let calls = steps.windows(2).filter(|pair| pair[0].depth == span.depth && pair[1].depth > span.depth);
    Defect {
        kind: finding.kind,
        cause: finding.trace[span.cause].place(),
        failure: steps.last().and_then(|step| failure(step.place())),
        meeting: meeting.map_or(("", ""), |step| (&step.file, &step.function)),
        calls: calls.map(|pair| pair[0].place()).collect(),
    }
}

/// The defects that are certain to be.
pub(crate) fn certain(findings: &[Finding]) -> BTreeSet<Defect<'_>> {
    findings.iter().filter(|finding| !finding.is_latent()).map(of).collect()
}

/// Drops doomed points whose failure is among the findings that are shown, as an error of its own kind: that says more.
pub(crate) fn drop_repeated(findings: &mut Vec<Finding>) {
    let told: BTreeSet<(String, u32)> = findings
        .iter()
        .filter(|finding| finding.kind != Issue::Doomed && !finding.kind.is_leak())
        .flat_map(|finding| {
            let last = finding.trace.last().map(|step| (step.file.clone(), step.line));
            [Some((finding.file.clone(), finding.line)), last]
        })
        .flatten()
        .collect();
    let is_repeated = |finding: &Finding| {
        let last = finding.trace.last().map(|step| (step.file.clone(), step.line));
        finding.kind == Issue::Doomed
            && (told.contains(&(finding.file.clone(), finding.line))
                || last.is_some_and(|it| told.contains(&it)))
    };
    findings.retain(|finding| !is_repeated(finding));
}

/// One finding for each defect.
pub(crate) fn one_each(findings: Vec<Finding>) -> Vec<Finding> {
    // What is left to callers must not take the place of what is told of one of them.
    let mut best: BTreeMap<(bool, bool, Defect<'_>), usize> = BTreeMap::new();
    for (index, finding) in findings.iter().enumerate() {
        let kept = best.entry((finding.is_latent(), finding.left, of(finding))).or_insert(index);
        if is_better(finding, &findings[*kept]) {
            *kept = index;
        }
    }
    let kept: BTreeSet<usize> = best.into_values().collect();
    let numbered = findings.into_iter().enumerate();
    numbered.filter(|(index, _)| kept.contains(index)).map(|(_, finding)| finding).collect()
}

/// Whether to keep the left one of two findings that are one.
fn is_better(left: &Finding, right: &Finding) -> bool {
    let rank = |finding: &Finding| {
        let span = Span::of(finding);
        (finding.verdict, span.map_or(0, |span| span.depth), finding.trace.len())
    };
    (rank(left), left.order()) < (rank(right), right.order())
}

/// The part of a trace that is inside the function in which cause and failure meet.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    cause: usize,
    /// The depth of that function.
    depth: usize,
}

impl Span {
    /// None if there is no trace.
    fn of(finding: &Finding) -> Option<Span> {
        let trace = &finding.trace;
        let is_event =
            |&index: &usize| trace.get(index + 1).is_none_or(|next| next.depth <= trace[index].depth);
        let named = finding.cause.filter(|&cause| cause < trace.len());
        let cause = named.or_else(|| (0..trace.len()).find(is_event))?;
        let depth = trace[cause..].iter().map(|step| step.depth).min()?;
        let start =
            trace[..cause].iter().rposition(|step| step.depth < depth).map_or(0, |outside| outside + 1);
        Some(Span { start, cause, depth })
    }
}
