//! Findings with their places spelled out.

use catalog::Event;
use heap::{Site, Trail};
use project::FnId;
use report::{Anchor, Finding, Spot, Story, words};
use world::FnKey;

use super::Shared;

/// A finding of the engine, for people.
pub(crate) fn spelled_out(shared: &Shared<'_>, function: FnId, found: &split::Finding) -> Finding {
    let place = spot(shared, found.reported.as_ref().unwrap_or(&found.made).own());
    let mut story = Story::new();
    let (mut origin, mut fatal) = (None, None);
    for (number, step) in found.story.iter().enumerate() {
        let (calls, at) = calls_of(shared, &step.at);
        let position = story.tell(&calls, &at, &words::event(&step.event));
        // A call that leads to the next event is not the cause; what it leads to is.
        let next = found.story.get(number + 1).map(|next| calls_of(shared, &next.at).0);
        let leads_on =
            next.is_some_and(|next| next.starts_with(&calls) && next.get(calls.len()) == Some(&at));
        if step.fatal {
            fatal.get_or_insert(position);
        } else if !leads_on {
            origin.get_or_insert(position);
        }
    }
    let origin = fatal.or(origin);
    // The story of a leak ends where the block is lost.
    if !found.issue.is_leak() {
        let (calls, at) = calls_of(shared, &found.made);
        story.tell(&calls, &at, &words::ending(&found.what));
    }
    Finding {
        id: String::new(),
        kind: found.issue,
        verdict: found.verdict,
        relaxed: found.relaxed,
        function: name(shared, function),
        file: place.file,
        line: place.line,
        column: place.column,
        message: match teller(found) {
            None => words::message(&found.what, None),
            Some(trail) => words::message_from(&spot(shared, trail.at).function, &found.what),
        },
        condition: found.condition.clone(),
        assumes: found.assumes.iter().map(|function| words::assumed(function)).collect(),
        engine: "split".to_owned(),
        trace: story.into_trace(),
        cause: found.cause,
        evidence: found.evidence,
        origin,
        fate: found.fate,
        anchor: anchor(shared, function),
    }
}

/// A place in the function whose names the error is told with, if that is a callee which merely fails for what it gets here.
fn teller(found: &split::Finding) -> Option<&Trail> {
    if !matches!(found.story.first()?.event, Event::CallFails(_)) {
        return None;
    }
    let passed = found.story.iter().rev().find(|step| step.event == Event::Passed);
    Some(passed.map_or(&found.made, |passed| &passed.at))
}

/// What the id of a finding in that function is made of.
pub(crate) fn anchor(shared: &Shared<'_>, function: FnId) -> Anchor {
    Anchor { function: shared.project.function(function).name().to_owned(), ..Anchor::default() }
}

fn name(shared: &Shared<'_>, function: FnId) -> String {
    ir::names::without_params(shared.project.function(function).pretty()).to_owned()
}

/// The calls around something, outermost first, and its place.
fn calls_of(shared: &Shared<'_>, trail: &Trail) -> (Vec<Spot>, Spot) {
    let calls = trail.calls.iter().map(|&call| spot(shared, call)).collect();
    (calls, spot(shared, trail.at))
}

fn spot(shared: &Shared<'_>, (function, site): (FnKey, Site)) -> Spot {
    let Some(function) = shared.keys.defined(function) else { return Spot::default() };
    let loc = shared.sites(function).loc(site);
    let (file, line, column) = shared.project.function(function).place(loc).unwrap_or_default();
    Spot { file: file.to_owned(), line, column, function: name(shared, function) }
}
