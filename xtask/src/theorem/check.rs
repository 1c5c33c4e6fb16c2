//! All triples of a function against runs: errors, ends, and manifest verdicts.

use std::collections::BTreeMap;

use catalog::{Issue, Verdict};
use heap::{Exit, Spec};
use interp::replay::{PreState, Replayed, Script, replay};
use interp::{FnRef, Options, Program};
use solver::Solver;
use split::Analysis;
use summary::{Bug, derived_errors};

use super::context::Context;
use super::draw::{Arena, Draw, Drawn, Given, Names, draw};
use super::manifest::Common;
use super::opinion::{Opinion, is_doubtful};
use super::sample::options;
use super::verify::{Promise, told, verify};

/// States from which a manifest error is tried.
const MANIFEST_STATES: u64 = 4;

/// At most one in so many triples may be one that no state satisfies.
const MAX_VOID: u64 = 100;

/// How the words for implied triples end.
const IMPLIED: &str = ", implied";

/// What was seen.
#[derive(Default)]
pub(super) struct Seen {
    /// Triples by what they end in, with how many of them were replayed.
    pub(super) triples: BTreeMap<String, (u64, u64)>,
    /// Triples that could not be replayed, by why.
    pub(super) unfit: BTreeMap<&'static str, u64>,
    /// Manifest errors, states tried, and states in which all paths do something undefined.
    pub(super) manifest: (u64, u64, u64),
    /// Triples that no state satisfies: those said, and those implied.
    pub(super) contradictory: (u64, u64),
    /// Promises that are kept for all choices of undefined bits, though the interpreter stopped at their use.
    pub(super) chosen: u64,
    pub(super) violations: Vec<Violation>,
}

impl Seen {
    pub(super) fn tell(&self) {
        println!("triples, and how many of them were replayed:");
        for (word, (count, replayed)) in &self.triples {
            println!("  {word}: {count}, {replayed}");
        }
        for (why, count) in &self.unfit {
            println!("  not replayed because of {why}: {count}");
        }
        let (said, implied) = self.contradictory;
        println!("  triples that no state satisfies: {said}; of implied ones: {implied}");
        println!("  kept for all choices of undefined bits: {}", self.chosen);
        let (errors, states, undefined) = self.manifest;
        println!("manifest errors: {errors}, run from {states} states; {undefined} states were undefined");
        let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
        for violation in &self.violations {
            *kinds.entry(violation.kind).or_default() += 1;
        }
        for (kind, count) in kinds {
            println!("VIOLATIONS of {kind}: {count}");
        }
    }

    /// Whether more than one in [`MAX_VOID`] of the triples that are said promises nothing.
    pub(super) fn has_too_many_void(&self) -> bool {
        let said = |(word, count): (&String, &(u64, u64))| {
            if word.ends_with(IMPLIED) { 0 } else { count.0 }
        };
        let triples: u64 = self.triples.iter().map(said).sum();
        self.contradictory.0 * MAX_VOID > triples
    }
}

/// A promise that was not kept.
pub(super) struct Violation {
    /// What went wrong, in a word, to count by.
    pub(super) kind: &'static str,
    pub(super) text: String,
}

/// A function to check.
pub(super) struct Subject<'a> {
    pub(super) program: &'a Program<'a>,
    pub(super) names: &'a Names,
    pub(super) function: FnRef,
    pub(super) analysis: &'a Analysis,
    pub(super) seed: u64,
}

impl Subject<'_> {
    /// Checks all triples, said and implied.
    pub(super) fn check(&self, seen: &mut Seen) {
        let mut summary = (*self.analysis.summary).clone();
        let derived = derived_errors(&mut summary);
        let roles = summary.roles.iter_ids().map(|(var, role)| (var, *role)).collect();
        let mut arena =
            Arena { terms: summary.terms.clone(), roles, solver: Solver::new(), summary: summary.clone() };
        for spec in &summary.specs {
            let promise = match spec.exit {
                Exit::Er(bug) => Promise::Error(&summary.bugs[bug as usize]),
                Exit::Ok | Exit::NoReturn => Promise::End,
                Exit::Cut => continue,
            };
            self.check_triple(&mut arena, spec, promise, seen);
        }
        for it in &derived {
            self.check_triple(&mut arena, &it.spec, Promise::Implied(&it.bug), seen);
        }
        self.check_manifest(&mut arena, seen);
    }

    fn check_triple(&self, arena: &mut Arena, spec: &Spec, promise: Promise<'_>, seen: &mut Seen) {
        let word = word(spec, promise);
        seen.triples.entry(word.clone()).or_default().0 += 1;
        if is_leak_below(promise) {
            *seen.unfit.entry("a leak in a callee, which goes on in its caller").or_default() += 1;
            return;
        }
        if self.is_return_below(promise) {
            *seen.unfit.entry("a callee returns the address of a local").or_default() += 1;
            return;
        }
        let given = Given { seed: self.seed, ..Given::default() };
        match draw(self.program, self.names, arena, spec, &given) {
            // What follows from an access is a case to be tried, not a claim.
            Draw::Contradictory if matches!(promise, Promise::Implied(_)) => seen.contradictory.1 += 1,
            // It promises nothing, so nothing is wrong but the work that callers have with it.
            Draw::Contradictory => seen.contradictory.0 += 1,
            Draw::Unfit(why) => *seen.unfit.entry(why).or_default() += 1,
            Draw::State(drawn) => {
                let kept = self.try_state(arena, spec, promise, &drawn, seen);
                seen.triples.entry(word).or_default().1 += u64::from(kept);
            }
        }
    }

    /// Whether the promise is that a callee returns the address of a local: a run goes on there.
    fn is_return_below(&self, promise: Promise<'_>) -> bool {
        let (Promise::Error(bug) | Promise::Implied(bug)) = promise else { return false };
        let returns = |block: &ir::Block| {
            matches!(block.term, ir::Terminator::Return { .. })
                && base::Id::index(block.term_loc) as u32 == bug.made.site.place
        };
        let bodies = self.program.modules().iter().flat_map(|module| module.functions.iter());
        let mut bodies = bodies.filter_map(|function| function.body.as_ref());
        bug.issue == Issue::UseAfterScope
            && bug.made.via.is_some()
            && bodies.any(|body| body.blocks.iter().any(returns))
    }

    /// Runs from a state; whether that could be done.
    fn try_state(
        &self,
        arena: &Arena,
        spec: &Spec,
        promise: Promise<'_>,
        drawn: &Drawn,
        seen: &mut Seen,
    ) -> bool {
        let run = match self.replay(&drawn.state, drawn.script.clone(), options(self.seed)) {
            Ok(run) => run,
            Err(why) => {
                *seen.unfit.entry(why).or_default() += 1;
                return false;
            }
        };
        let mut problem = verify(self.program, arena, spec, promise, (drawn, &run));
        if problem.is_some() && is_doubtful(&run) {
            match self.second_opinion(arena, spec, promise, drawn) {
                Opinion::Kept => {
                    seen.chosen += 1;
                    problem = None;
                }
                Opinion::Broken(how) => problem = Some(how),
                Opinion::Unfit(why) => {
                    *seen.unfit.entry(why).or_default() += 1;
                    return false;
                }
            }
        }
        if let Some(problem) = problem {
            let kind = match promise {
                Promise::Error(_) => "error triple",
                Promise::Implied(_) => "implied error triple",
                Promise::End => "ok triple",
            };
            let text = self.tell(arena, spec, promise, &problem, Some((drawn, &told(&run))));
            seen.violations.push(Violation { kind, text });
        }
        true
    }

    /// Runs from a state; if that cannot be done, why.
    pub(super) fn replay(
        &self,
        state: &PreState,
        script: Script,
        options: Options,
    ) -> Result<Replayed<'_>, &'static str> {
        match replay(self.program, self.function, state, script, options) {
            Ok(run) if run.n_refused == 0 => Ok(run),
            Ok(_) => Err("a large allocation"),
            Err(_) => Err("a large block"),
        }
    }

    fn check_manifest(&self, arena: &mut Arena, seen: &mut Seen) {
        let summary = &self.analysis.summary;
        for errors in manifest_errors(summary) {
            if errors.iter().any(|(bug, _)| self.is_return_below(Promise::Error(bug))) {
                continue;
            }
            seen.manifest.0 += 1;
            let specs: Vec<&Spec> = errors.iter().map(|(_, spec)| *spec).collect();
            let Some(common) = Common::new(arena, &specs) else { continue };
            for state in 0..MANIFEST_STATES {
                let seed = self.seed.wrapping_mul(31).wrapping_add(state);
                self.check_manifest_state(arena, &errors, (&common, seed), seen);
            }
        }
    }

    fn check_manifest_state(
        &self,
        arena: &mut Arena,
        errors: &[(&Bug, &Spec)],
        (common, seed): (&Common, u64),
        seen: &mut Seen,
    ) {
        let mut is_undefined = false;
        let mut why = Vec::new();
        for (at, (bug, spec)) in errors.iter().enumerate() {
            let facts = common.facts(arena, at, seed);
            let positions = common.positions(at);
            let given = Given { facts: &facts, positions: Some(&positions), seed };
            match draw(self.program, self.names, arena, spec, &given) {
                Draw::State(drawn) => {
                    seen.manifest.1 += 1;
                    self.try_state(arena, spec, Promise::Error(bug), &drawn, seen);
                    return;
                }
                Draw::Unfit("addresses") => {
                    let conditions =
                        spec.conditions.iter().map(|it| it.term).chain(facts).collect::<Vec<_>>();
                    is_undefined |= !arena.solver.check(&arena.terms, &conditions).is_unsat();
                    why.push(arena.summary.show(spec));
                }
                // Nobody knows whether this path exists in that state.
                Draw::Unfit(_) | Draw::Contradictory => return,
            }
        }
        let context = self.context(arena, errors, (common, seed));
        if context == Some(Context::Reached) {
            seen.manifest.1 += 1;
            return;
        }
        if is_undefined || context == Some(Context::Undefined) {
            seen.manifest.2 += 1;
            return;
        }
        let text = format!(
            "{} `{}` is called manifest, but from a state of seed {seed} no path leads to it:\n{}",
            errors[0].0.issue,
            errors[0].0.message,
            why.join("\n")
        );
        seen.violations.push(Violation { kind: "manifest verdict", text });
    }

    fn tell(
        &self,
        arena: &Arena,
        spec: &Spec,
        promise: Promise<'_>,
        problem: &str,
        run: Option<(&Drawn, &str)>,
    ) -> String {
        let name = self.program.functions()[self.function].name;
        let mut text = format!("{name}: {problem}\n");
        if let Promise::Error(bug) | Promise::Implied(bug) = promise {
            text += &format!("error: {} {}\n", bug.issue, bug.message);
        }
        text += &arena.summary.show(spec);
        if let Some((drawn, told)) = run {
            text += &format!("state: {:?}\nscript: {:?}\n{told}\n", drawn.state.blocks, drawn.script);
            text += &format!("arguments: {:?}\n", drawn.state.args);
        }
        text
    }
}

/// Whether the promise is a leak at the end of a callee: nobody sees it before the caller ends, too.
fn is_leak_below(promise: Promise<'_>) -> bool {
    matches!(promise, Promise::Error(bug) if bug.issue == Issue::MemoryLeak && bug.made.via.is_some())
}

fn word(spec: &Spec, promise: Promise<'_>) -> String {
    match (promise, spec.exit) {
        (Promise::Error(bug), _) => bug.issue.id().to_owned(),
        (Promise::Implied(bug), _) => format!("{}{IMPLIED}", bug.issue.id()),
        (Promise::End, Exit::NoReturn) => "ends the program".to_owned(),
        (Promise::End, _) => "returns".to_owned(),
    }
}

/// The manifest errors of a function, with all their triples. Those that are certain only together are one.
fn manifest_errors(summary: &summary::Summary) -> Vec<Vec<(&Bug, &Spec)>> {
    let mut groups: Vec<Vec<(&Bug, &Spec)>> = Vec::new();
    for spec in &summary.specs {
        let Exit::Er(bug) = spec.exit else { continue };
        let bug = &summary.bugs[bug as usize];
        if bug.verdict != Verdict::Manifest || is_leak_below(Promise::Error(bug)) {
            continue;
        }
        let told =
            |bug: &Bug| (bug.issue, bug.with.clone().unwrap_or(bug.made.clone()), bug.reported.clone());
        match groups.iter_mut().find(|group| told(group[0].0) == told(bug)) {
            Some(group) => group.push((bug, spec)),
            None => groups.push(vec![(bug, spec)]),
        }
    }
    groups
}
