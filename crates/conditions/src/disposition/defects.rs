//! When two findings are one: the same defect, seen from several callers or by several engines.
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
//! * the place of the failure: the last step of the story,
//! * the place of the origin: the step at which things go wrong ([`Outline::origin`]),
//! * the function in which origin and failure meet, and the calls there that lead from the one to the other.
//!
//! The function in which they meet is the outermost one that the story passes through between origin and
//! failure. In the example that is `fill`, whoever calls it. Where `one` gets a pointer from a callee and
//! passes it to another one, that is `one`: another caller that does the same has another defect. For a leak,
//! the place of the failure is one exit of maybe many, and does not count; the function does.
//!
//! Of findings that are one, the most certain is kept; of equally certain ones the one nearest to the origin,
//! that is, with the fewest calls between its function and the one in which origin and failure meet. A latent
//! and a certain finding stay two: the one says what callers must not do, the other one who does it.
//!
//! What is doomed is compared with others by kind, function and failing line alone, since the two engines tell different
//! stories of one failure: it gives way to what is shown anyway, which says more of how it comes about, and
//! takes the place of what would be left to callers, who cannot prevent it.
//!
//! Source: the design, §11. Departure: callers that merely connect the same origin with the same failure are
//! told apart, because repairing one of them does not repair the other.

use std::collections::{BTreeMap, BTreeSet};

use catalog::{Fate, Issue, Verdict};

/// File, line and column.
pub type Spot<'f> = (&'f str, u32, u32);

/// A finding, as far as it matters whether another one is the same.
#[derive(Clone, Debug)]
pub struct Outline<'f> {
    /// The kind.
    pub issue: Issue,
    /// How certain it is.
    pub verdict: Verdict,
    /// What becomes of it alone.
    pub fate: Fate,
    /// Its function, with its file.
    pub function: (&'f str, &'f str),
    /// Where it is reported.
    pub place: Spot<'f>,
    /// Its story.
    pub steps: Vec<Step<'f>>,
    /// The step at which things go wrong.
    pub origin: Option<usize>,
}

/// A step of a story.
#[derive(Clone, Copy, Debug)]
pub struct Step<'f> {
    /// Where.
    pub place: Spot<'f>,
    /// The function, with its file.
    pub function: (&'f str, &'f str),
    /// Calls around it.
    pub depth: usize,
    /// What is said of it.
    pub said: &'f str,
}

/// What findings of one defect have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Defect<'f> {
    issue: Issue,
    origin: Spot<'f>,
    /// None for a leak.
    failure: Option<Spot<'f>>,
    /// The function in which they meet.
    meeting: (&'f str, &'f str),
    /// The calls in that function.
    calls: Vec<Spot<'f>>,
}

/// Which of some findings are kept so that each defect is told once. They come in their order of reports; of those that are equally good the first is kept.
pub fn one_each(findings: &[Outline<'_>]) -> Vec<bool> {
    // What is left to callers must not take the place of what is told of one of them.
    let mut best: BTreeMap<(bool, bool, bool, Defect<'_>), usize> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate() {
        let is_left = finding.fate == Fate::LeftToCallers;
        let key = (is_doomed(finding), is_latent(finding), is_left, defect(finding));
        let kept = best.entry(key).or_insert(at);
        if rank(finding) < rank(&findings[*kept]) {
            *kept = at;
        }
    }
    let kept: BTreeSet<usize> = best.into_values().collect();
    (0..findings.len()).map(|at| kept.contains(&at)).collect()
}

/// Which findings are kept so that a failure of a function that is shown anyway is not told as doomed, too.
pub fn one_per_failure(findings: &[Outline<'_>]) -> Vec<bool> {
    let shown = |it: &&Outline<'_>| !is_doomed(it) && it.fate == Fate::Shown;
    let shown: BTreeSet<Failure<'_>> = findings.iter().filter(shown).flat_map(failures).collect();
    let is_kept = |it: &Outline<'_>| !is_doomed(it) || failures(it).all(|failure| !shown.contains(&failure));
    findings.iter().map(is_kept).collect()
}

/// A kind, a function, and a line at which it fails.
type Failure<'f> = (Issue, (&'f str, &'f str), (&'f str, u32));

fn failures<'f>(finding: &Outline<'f>) -> impl Iterator<Item = Failure<'f>> {
    let (issue, function) = (finding.issue, finding.function);
    lines(finding).map(move |line| (issue, function, line))
}

/// Which findings a reader sees. Who asks for latent ones sees the others, too.
pub fn shown(findings: &[Outline<'_>], latent: bool) -> Vec<bool> {
    let certain: BTreeSet<Defect<'_>> = findings.iter().filter(|it| !is_latent(it)).map(defect).collect();
    // A latent leak that is also shown as a certain one is not shown twice.
    let is_told_as_certain = |it: &Outline<'_>| is_latent(it) && certain.contains(&defect(it));
    let is_worth_it = |it: &&Outline<'_>| it.fate == Fate::Shown && !is_told_as_certain(it);
    // A doomed point whose failure is shown as an error of its own kind says less.
    let told: BTreeSet<(&str, u32)> = findings
        .iter()
        .filter(is_worth_it)
        .filter(|it| !is_doomed(it) && !it.issue.is_leak())
        .flat_map(lines)
        .collect();
    let says_less = |it: &Outline<'_>| is_doomed(it) && lines(it).any(|line| told.contains(&line));
    // What nobody survives is not left to callers.
    let doomed: BTreeSet<Failure<'_>> =
        findings.iter().filter(|it| is_doomed(it) && !says_less(it)).flat_map(failures).collect();
    let is_doomed_anyway = |it: &Outline<'_>| {
        let may_be = is_latent(it) && it.fate != Fate::Shown && !it.issue.is_leak();
        may_be && failures(it).any(|failure| doomed.contains(&failure))
    };
    let is_shown = |it: &Outline<'_>| (latent || is_worth_it(&it)) && !says_less(it) && !is_doomed_anyway(it);
    findings.iter().map(is_shown).collect()
}

/// Which doomed points of one function are kept: of those at one place, and of those that the same decisions make certain, the first in the text.
///
/// ```c
/// if (!p) { if (k) p->a = 1; else p->b = 1; }          // what dooms both is that p is null
/// ```
pub fn one_per_cause(findings: &[Outline<'_>]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..findings.len()).collect();
    order.sort_by_key(|&at| findings[at].place);
    let mut places = BTreeSet::new();
    let mut causes = BTreeSet::new();
    let mut kept = vec![false; findings.len()];
    for at in order {
        let finding = &findings[at];
        let before = finding.steps.split_last().map_or(&[][..], |(_, before)| before);
        let cause: Vec<_> = before.iter().map(|step| (step.place, step.depth, step.said)).collect();
        let is_new =
            cause.is_empty() || finding.issue == Issue::DeadCode || causes.insert((finding.function, cause));
        kept[at] = places.insert((finding.function, finding.place)) && is_new;
    }
    kept
}

/// Which doomed points are kept so that what fails for everybody who calls a function is told once, in the function.
pub fn without_consequences(findings: &[Outline<'_>]) -> Vec<bool> {
    let own: BTreeSet<Spot<'_>> =
        findings.iter().filter_map(failing).filter(|(is_own, _)| *is_own).map(|(_, place)| place).collect();
    let is_kept = |(is_own, place): (bool, Spot<'_>)| is_own || !own.contains(&place);
    findings.iter().map(|it| failing(it).is_none_or(is_kept)).collect()
}

/// Where a finding fails, and whether that is in its own function.
fn failing<'f>(finding: &Outline<'f>) -> Option<(bool, Spot<'f>)> {
    finding.steps.last().map(|step| (step.depth == 0, step.place))
}

/// Which leaks are kept of those of blocks that one call makes: that is one mistake. The most certain is told, of equal ones the first. What a callee leaks of its own is another mistake than losing
/// what it returns.
pub fn one_leak_per_call(findings: &[Outline<'_>]) -> Vec<bool> {
    let mut best: BTreeMap<_, (Verdict, usize)> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate() {
        if let Some(call) = losing_call(finding) {
            let kept = best.entry(call).or_insert((finding.verdict, at));
            *kept = (*kept).min((finding.verdict, at));
        }
    }
    let is_kept = |(at, finding): (usize, &Outline<'_>)| {
        losing_call(finding).is_none_or(|call| best[&call] == (finding.verdict, at))
    };
    findings.iter().enumerate().map(is_kept).collect()
}

/// The call that makes a block which its own function loses.
fn losing_call<'f>(finding: &Outline<'f>) -> Option<((&'f str, &'f str), Spot<'f>)> {
    let is_lost_here = finding.steps.last().is_some_and(|step| step.depth == 0);
    (finding.issue.is_leak() && is_lost_here).then_some((finding.function, finding.place))
}

/// Whether no execution survives it. Dead code is none.
fn is_doomed(finding: &Outline<'_>) -> bool {
    finding.verdict == Verdict::Doomed && finding.issue != Issue::DeadCode
}

fn is_latent(finding: &Outline<'_>) -> bool {
    finding.verdict == Verdict::Latent
}

/// The lines of a finding's place and of its failure.
fn lines<'f>(finding: &Outline<'f>) -> impl Iterator<Item = (&'f str, u32)> {
    let last = finding.steps.last().map(|step| (step.place.0, step.place.1));
    [Some((finding.place.0, finding.place.1)), last].into_iter().flatten()
}

fn rank(finding: &Outline<'_>) -> (Verdict, usize, usize) {
    (finding.verdict, Span::of(finding).map_or(0, |span| span.depth), finding.steps.len())
}

/// The defect that a finding tells of.
fn defect<'f>(finding: &Outline<'f>) -> Defect<'f> {
    let failure = |place| Some(place).filter(|_| !finding.issue.is_leak());
    let Some(span) = Span::of(finding) else {
        let (origin, meeting) = (finding.place, finding.function);
        return Defect { issue: finding.issue, origin, failure: failure(origin), meeting, calls: Vec::new() };
    };
    let steps = &finding.steps[span.start..];
    let meeting = steps.iter().find(|step| step.depth == span.depth);
    let calls = steps.windows(2).filter(|pair| pair[0].depth == span.depth && pair[1].depth > span.depth);
    Defect {
        issue: finding.issue,
        origin: finding.steps[span.origin].place,
        failure: steps.last().and_then(|step| failure(step.place)),
        meeting: meeting.map_or(("", ""), |step| step.function),
        calls: calls.map(|pair| pair[0].place).collect(),
    }
}

/// The part of a story that is inside the function in which origin and failure meet.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    origin: usize,
    /// The depth of that function.
    depth: usize,
}

impl Span {
    /// None if there is no story.
    fn of(finding: &Outline<'_>) -> Option<Span> {
        let steps = &finding.steps;
        let is_event =
            |&index: &usize| steps.get(index + 1).is_none_or(|next| next.depth <= steps[index].depth);
        let named = finding.origin.filter(|&origin| origin < steps.len());
        let origin = named.or_else(|| (0..steps.len()).find(is_event))?;
        let depth = steps[origin..].iter().map(|step| step.depth).min()?;
        let start =
            steps[..origin].iter().rposition(|step| step.depth < depth).map_or(0, |outside| outside + 1);
        Some(Span { start, origin, depth })
    }
}
