//! Which triple? All triples of a callee are applied, as far as the budget goes.
//!
//! ```text
//! [pre] f [ε: post] ∈ summary(f)    p * m ⊣ pre * frame
//! -----------------------------------------------------
//! (ε, m, post * frame) ∈ Eval(p, f(args))
//! ```
//! Source: Le et al. Fig. 5 (Eval of calls), by [`heap::apply()`]. Departures: (1) of triples that return, so
//! many as can be followed; (2) where no triple fits, [`super::uncovered`].

use std::sync::Arc;

use base::limits;
use heap::apply::{Call, ForeignSpec};
use heap::{AccessKind, Applied, Exit, Imported, Kind, Refused, Spec, VarRole, apply};
use summary::{Summary, Triples};
use term::{Import, Origin, VarId};
use world::Specialization;

use super::known::Known;
use super::uncovered::{self, call_not_followed, call_stand_in};
use super::{Calling, blame, set_results, specialize};
use crate::arena::Arena;
use crate::cx::Cx;
use crate::effort::Stopped;
use crate::flow::Flow;
use crate::outcome::{Ends, Outcomes};

/// What became of the triples of a callee.
#[derive(Default)]
pub(super) struct Tried {
    pub(super) outcomes: Outcomes,
    /// What is the same here, and a triple takes for different.
    same: Option<Specialization>,
    /// Whether some triple was refused because application is not clever enough.
    is_beyond_us: bool,
    /// States in which the callee returned.
    returned: usize,
}

/// Applies all triples of a callee.
pub(super) fn call_summary(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    calling: &Calling<'_>,
    summary: &Arc<Summary>,
) -> Outcomes {
    let (summary, tried) = try_specialized(cx, arena, &flow, calling, summary);
    let Tried { mut outcomes, is_beyond_us, .. } = tried;
    if uncovered::has_better_model(cx, arena, (&flow, &outcomes.next), calling, summary.function) {
        let mut outcomes = Outcomes::from(outcomes.ends);
        outcomes.add(call_stand_in(cx, arena, flow, calling, &summary));
        return outcomes;
    }
    // Where a leak is left to callers, the path goes on.
    let fails = outcomes.ends.errors.iter().any(|it| !it.bug.issue.is_leak());
    if !outcomes.next.is_empty() || fails {
        return cover(cx, arena, flow, calling, (&summary, outcomes, fails));
    }
    if blame::fails_there(cx, arena, &flow, calling, (&summary, &mut outcomes.ends)) {
        return outcomes;
    }
    if is_beyond_us && !summary.split.has(Exit::NoReturn) || summary.split.incomplete {
        outcomes.ends.stopped.push(if is_beyond_us { Stopped::Alias } else { Stopped::Call });
        outcomes.add(call_stand_in(cx, arena, flow, calling, &summary));
    } else if !summary.split.specs.is_empty() && outcomes.ends.exits.is_empty() {
        outcomes.ends.add(Ends::give_up(flow.state, Stopped::Call));
    }
    outcomes
}

/// Adds what the triples of a callee may not cover.
fn cover(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    calling: &Calling<'_>,
    (summary, mut outcomes, fails): (&Summary, Outcomes, bool),
) -> Outcomes {
    let is_guessed =
        arena.is_followed(&flow.state) && outcomes.next.iter().any(|it| !arena.is_followed(&it.state));
    if is_guessed && summary.split.recursive {
        // The guess is that it comes back from where it was not followed.
        outcomes.ends.knows_callees_in_part = true;
        return outcomes;
    }
    let may_leave = summary.split.incomplete || is_guessed;
    if !may_leave || !uncovered::leaves_some(arena, &flow.state, &outcomes.next) {
        return outcomes;
    }
    if fails || summary.split.has(Exit::NoReturn) {
        outcomes.ends.knows_callees_in_part = true;
        return outcomes;
    }
    let is_void = cx.body.results(calling.inst).next().is_none();
    if is_guessed && is_void {
        uncovered::drop_guesses(arena, &flow.state, &mut outcomes.next);
    }
    outcomes.add(call_not_followed(cx, arena, flow, calling, summary));
    outcomes
}

/// Tries the triples of a callee; what they take for different and is the same here is told to the callee, and its triples for such calls are tried instead.
fn try_specialized(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &Flow,
    calling: &Calling<'_>,
    summary: &Arc<Summary>,
) -> (Arc<Summary>, Tried) {
    let functions = specialize::known_functions(cx, &flow.state, calling, summary);
    let constants = specialize::known_constants(cx, arena, &flow.state, calling, summary);
    let mut how = functions.and(&constants);
    let special = if how.is_empty() { None } else { cx.world.specialized(summary.function, &how) };
    let mut summary = special.unwrap_or_else(|| Arc::clone(summary));
    let mut tried = try_triples(cx, arena, flow, calling, (&summary, !how.is_empty()));
    for _ in 0..limits::SPLIT_SPECIAL {
        let more = tried.same.take().map(|more| how.and(&more)).filter(|more| *more != how);
        let Some(more) = more else { break };
        let Some(special) = cx.world.specialized(summary.function, &more) else { break };
        let steps = tried.outcomes.ends.steps;
        (how, summary) = (more, special);
        tried = try_triples(cx, arena, flow, calling, (&summary, true));
        tried.outcomes.ends.steps += steps;
    }
    (summary, tried)
}

/// Applies the triples of a summary.
pub(super) fn try_triples(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &Flow,
    calling: &Calling<'_>,
    (summary, is_special): (&Summary, bool),
) -> Tried {
    let mut tried = Tried::default();
    // The budget is nearly spent: a way through is worth more than further errors.
    let is_hurried = cx.share == 1;
    let mut known = Known::of(summary, &arena.terms, &calling.args, arena.symbols());
    let mut imported = Imported::new(cx.at, summary.function);
    for (at, spec) in summary.split.specs.iter().enumerate() {
        let is_enough = match spec.exit {
            Exit::Ok => tried.returned >= cx.share,
            Exit::NoReturn => !tried.outcomes.ends.exits.is_empty(),
            Exit::Er(bug) => {
                is_hurried || !is_special && summary.split.bugs[bug as usize].is_reported_there()
            }
            Exit::Cut => is_hurried,
        };
        if is_enough {
            continue;
        }
        if known.contradict(&mut arena.terms, &flow.state, summary, at) {
            tried.outcomes.ends.steps += 1;
            continue;
        }
        let (results, steps) = apply_triple(cx, arena, flow, calling, (summary, at, &mut imported));
        tried.outcomes.ends.steps += steps;
        for result in results {
            match result {
                Ok(applied) => {
                    tried.returned += usize::from(spec.exit == Exit::Ok);
                    tried.outcomes.add(behind(
                        cx,
                        arena,
                        flow,
                        calling,
                        (summary, spec, applied),
                        &mut imported,
                    ));
                }
                Err(Refused::Aliased(a, b)) => {
                    tried.is_beyond_us = true;
                    let same = tried.same.take();
                    tried.same =
                        same.or_else(|| specialize::alias_pattern(arena, calling, summary, (spec, a, b)));
                }
                Err(Refused::Limit) => tried.is_beyond_us = true,
                Err(refused) => {
                    let ends = blame::refused(cx, arena, calling, (summary, at, &mut imported), refused);
                    tried.outcomes.ends.add(ends);
                }
            }
        }
    }
    if tried.returned >= cx.share {
        tried.outcomes.ends.stopped.push(Stopped::Width);
    }
    tried
}

/// Applies one triple: what came out, and how many steps it took.
pub(super) fn apply_triple(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &Flow,
    calling: &Calling<'_>,
    (summary, at, imported): (&Summary, usize, &mut Imported),
) -> (Vec<Result<Applied, Refused>>, usize) {
    let (spec, plan) = (&summary.split.specs[at], &summary.split.plans[at]);
    let steps = 4 + spec.conditions.len() + spec.pre.iter().map(|pre| 1 + pre.cells.len()).sum::<usize>();
    let mut import = Import::default();
    for (var, &role) in summary.split.roles.iter_ids() {
        if let VarRole::Param(at) = role {
            let width = summary.split.terms.var(var).width;
            let term = match calling.args.get(at as usize) {
                Some(&arg) => arena.resized(arg, width),
                None => arena.local(width, Origin::UnknownCall, "a missing argument"),
            };
            import.bind(var, term);
        }
    }
    let Triples { terms, roles, sources, pointers, calls, .. } = &summary.split;
    let callee =
        ForeignSpec { terms, roles, sources, pointers, calls, spec, plan, function: summary.function };
    let name = |var| name_here(cx, calling, summary, var);
    let mut call = Call { callee, site: cx.at, name: &name, imported };
    let (mut outside, heap) = arena.parts(cx);
    (apply(&mut outside, heap, flow.state.clone(), &mut call, import), steps)
}

/// What becomes of a path behind a triple that fits.
fn behind(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &Flow,
    calling: &Calling<'_>,
    (summary, spec, applied): (&Summary, &Spec, Applied),
    imported: &mut Imported,
) -> Outcomes {
    let Applied { mut state, results, blocks } = applied;
    if takes_known_code_for_unknown(spec, &blocks, &state) {
        arena.mark_as_guess(cx, &mut state);
    }
    match spec.exit {
        Exit::Ok => {
            let mut flow = flow.with(state);
            set_results(cx, arena, &mut flow, calling.inst, &results);
            Outcomes::one(flow)
        }
        Exit::NoReturn => Ends::exit(state).into(),
        Exit::Cut => Outcomes::default(),
        Exit::Er(bug) => {
            let bug = &summary.split.bugs[bug as usize];
            match blame::is_error_forced(arena, &flow.state, &state, bug.issue) {
                true => {
                    let bug = bug.through(|made| imported.made(&mut arena.heap, &summary.split.calls, made));
                    let n_known = flow.state.path.conditions.len();
                    Ends::error(blame::imported(cx, arena, state, summary, (bug, &blocks, n_known))).into()
                }
                false => Outcomes::default(),
            }
        }
    }
}

/// Whether a triple took a function for unknown code that is known here: what it says of its results and effects is not what that function does.
fn takes_known_code_for_unknown(
    spec: &Spec,
    blocks: &[(heap::BlockId, heap::Place)],
    state: &heap::State,
) -> bool {
    spec.pre.iter().zip(blocks).any(|(pre, (block, _))| {
        let is_called = pre.accesses.iter().any(|it| it.kind == AccessKind::Call);
        is_called && matches!(state.block(*block).kind, Kind::Function(_))
    })
}

/// The name of a variable of the callee, as the caller would write it: `list->first` is `own.first` for who passes `&own`.
pub(super) fn name_here(cx: &Cx<'_>, calling: &Calling<'_>, summary: &Summary, var: VarId) -> String {
    let name = summary.split.terms.name(var);
    for (at, &operand) in calling.call.args.iter().enumerate() {
        let param = summary.split.roles.iter_ids().find(|(_, role)| **role == VarRole::Param(at as u32));
        let Some((param, _)) = param else { continue };
        let actual = || ir::names::describe(cx.module, cx.function, operand);
        if let Some(here) = with_argument(name, summary.split.terms.name(param), actual) {
            return here;
        }
    }
    name.to_owned()
}

/// A name that begins with a parameter's, with what is passed for it in its place.
fn with_argument(name: &str, param: &str, actual: impl FnOnce() -> Option<String>) -> Option<String> {
    let path = name.trim_start_matches('*');
    let stars = &name[..name.len() - path.len()];
    let member = path.strip_prefix(param).filter(|_| !param.is_empty())?;
    match (stars, member) {
        ("", member) if member.starts_with(['-', '.', '[']) => {
            let actual = actual()?;
            Some(match (actual.strip_prefix('&'), member.strip_prefix("->")) {
                (Some(object), Some(member)) => format!("{object}.{member}"),
                _ => format!("{actual}{member}"),
            })
        }
        ("", _) => None,
        (stars, "") => {
            let actual = actual()?;
            let is_path = |text: &str| text.chars().all(|it| it.is_alphanumeric() || "_.->[]".contains(it));
            match actual.strip_prefix('&') {
                Some(object) if is_path(object) => Some(format!("{}{object}", &stars[1..])),
                Some(_) => None,
                None => is_path(&actual).then(|| format!("{stars}{actual}")),
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::with_argument;

    #[test]
    fn names_are_those_of_the_caller() {
        let here = |name: &str, actual: &str| with_argument(name, "p", || Some(actual.to_owned()));
        assert_eq!(here("p->next", "list"), Some("list->next".to_owned()));
        assert_eq!(here("p->next", "&list"), Some("list.next".to_owned()));
        assert_eq!(here("p[2].x", "table"), Some("table[2].x".to_owned()));
        assert_eq!(here("*p", "q"), Some("*q".to_owned()));
        assert_eq!(here("*p", "&m"), Some("m".to_owned()));
        assert_eq!(here("**p", "&m"), Some("*m".to_owned()));
        assert_eq!(here("*p", "list->first"), Some("*list->first".to_owned()));
        assert_eq!(here("*p", "q + 1"), None);
        assert_eq!(here("*pool", "q"), None);
        assert_eq!(here("p", "q"), None, "the parameter itself is named by who passes it");
        assert_eq!(with_argument("->x", "", || Some("q".to_owned())), None);
    }
}
