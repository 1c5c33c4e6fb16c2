//! All triples of a function against runs: errors and ends.

use std::collections::BTreeMap;

use catalog::Issue;
use heap::block::Content;
use heap::{Choice, Exit, Spec};
use interp::replay::{PreState, Replayed, Script, replay};
use interp::{FnRef, Options};
use summary::{Summary, derived_errors};

use super::draw::{Arena, Draw, Drawn, Given, draw};
use super::findings::Judged;
use super::located::{Located, say};
use super::names::Names;
use super::opinion::{Opinion, is_doubtful};
use super::verify::{Promise, told, verify};
use crate::programs::generate::Signature;
use crate::programs::sample::options;

/// At most one in so many triples may be one that no state satisfies.
const MAX_VOID: u64 = 100;

/// How the words for implied triples end.
const IMPLIED: &str = ", implied";

/// What was seen of triples and findings.
#[derive(Default)]
pub struct Seen {
    /// Triples by what they end in, with how many of them were replayed.
    pub triples: BTreeMap<String, (u64, u64)>,
    /// Triples that could not be replayed, by why.
    pub unfit: BTreeMap<&'static str, u64>,
    /// Triples of the shipped engine, and how many of them were replayed.
    pub shipped: (u64, u64),
    /// Those that were not, by why.
    pub unfit_shipped: BTreeMap<&'static str, u64>,
    /// Findings of the shipped engine.
    pub judged: Judged,
    /// Triples that no state satisfies: those said, and those implied.
    pub contradictory: (u64, u64),
    /// Promises that are kept for all choices of undefined bits, though the interpreter stopped at their use.
    pub chosen: u64,
    /// Promises that were not kept.
    pub violations: Vec<Violation>,
}

impl Seen {
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
pub struct Violation {
    /// What went wrong, in a word, to count by.
    pub kind: &'static str,
    /// What was promised, and what happened instead.
    pub text: String,
}

/// A function to check.
pub(super) struct Subject<'a> {
    pub(super) names: &'a Names<'a>,
    pub(super) function: FnRef,
    /// How it is called; none if nobody knows.
    pub(super) signature: Option<&'a Signature>,
    /// The triples that can be replayed.
    pub(super) summary: &'a Summary,
    pub(super) seed: u64,
    /// Whether the program begins here.
    pub(super) begins: bool,
}

impl Subject<'_> {
    /// Checks all triples, said and implied.
    pub(super) fn check(&self, seen: &mut Seen) {
        let mut summary = self.summary.clone();
        let derived = derived_errors(&mut summary.split);
        let mut arena = Arena::of(&summary);
        let bugs = Located::all(&summary);
        for spec in &summary.split.specs {
            let promise = match spec.exit {
                Exit::Er(bug) => Promise::Error(&bugs[bug as usize]),
                Exit::Ok | Exit::NoReturn => Promise::End,
                Exit::Cut => continue,
            };
            self.check_triple(&mut arena, spec, promise, seen);
        }
        for it in &derived {
            let bug = Located::of(&summary, &it.bug);
            self.check_triple(&mut arena, &it.spec, Promise::Implied(&bug), seen);
        }
    }

    /// Checks the triples that callers are told of by the shipped engine, as far as nothing but the state decides about their paths.
    pub(super) fn check_shipped(&self, summary: &Summary, seen: &mut Seen) {
        let mut arena = Arena::of(summary);
        let bugs = Located::all(summary);
        for spec in summary.split.specs.iter().filter(|spec| spec.exit != Exit::Cut) {
            let promise = match spec.exit {
                Exit::Er(bug) => Promise::Error(&bugs[bug as usize]),
                Exit::Ok | Exit::NoReturn | Exit::Cut => Promise::End,
            };
            seen.shipped.0 += 1;
            match self.shipped_state(&mut arena, (spec, summary.split.incomplete), promise) {
                Ok(drawn) => {
                    let kept = self.try_state(&arena, spec, (promise, "shipped triple"), &drawn, seen);
                    seen.shipped.1 += u64::from(kept);
                }
                Err(why) => *seen.unfit_shipped.entry(why).or_default() += 1,
            }
        }
    }

    /// A state of a triple whose choices nobody has kept, if none are made; or why there is none.
    fn shipped_state(
        &self,
        arena: &mut Arena,
        (spec, is_partial): (&Spec, bool),
        promise: Promise<'_>,
    ) -> Result<Box<Drawn>, &'static str> {
        // Whether this very path goes on behind a call that was not followed, or such code, is not told.
        let is_inexact = |block: &heap::Block| matches!(block.rest, Content::Unknown | Content::NotFollowed);
        if is_partial || spec.post.iter().any(is_inexact) {
            return Err("paths that were not followed in the function");
        }
        if self.summary.split.specs.iter().any(|spec| spec.choices.contains(&Choice::Opaque)) {
            return Err("unknown code or a loop that changes memory in the function");
        }
        if is_leak_below(promise) || self.is_return_below(promise) {
            return Err("an end of a callee, which goes on in its caller");
        }
        let drawn = match draw(self.names, arena, spec, &self.given()) {
            Draw::State(drawn) => drawn,
            Draw::Contradictory => return Err("no state that satisfies it"),
            Draw::Unfit(why) => return Err(why),
        };
        let run = self.replay(&drawn.state, drawn.script.clone(), options(self.seed))?;
        match run.n_allocations == 0 && run.n_results == 0 {
            true => Ok(drawn),
            false => Err("choices of the environment"),
        }
    }

    /// What all states of the function have in common.
    pub(super) fn given(&self) -> Given<'static> {
        Given { seed: self.seed, begins: self.begins, ..Given::default() }
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
        match draw(self.names, arena, spec, &self.given()) {
            // What follows from an access is a case to be tried, not a claim.
            Draw::Contradictory if matches!(promise, Promise::Implied(_)) => seen.contradictory.1 += 1,
            // It promises nothing, so nothing is wrong but the work that callers have with it.
            Draw::Contradictory => seen.contradictory.0 += 1,
            Draw::Unfit(why) => *seen.unfit.entry(why).or_default() += 1,
            Draw::State(drawn) => {
                let kind = match promise {
                    Promise::Error(_) => "error triple",
                    Promise::Implied(_) => "implied error triple",
                    Promise::End => "ok triple",
                };
                let kept = self.try_state(arena, spec, (promise, kind), &drawn, seen);
                seen.triples.entry(word).or_default().1 += u64::from(kept);
            }
        }
    }

    /// Whether the promise is that a callee returns the address of a local: a run goes on there.
    pub(super) fn is_return_below(&self, promise: Promise<'_>) -> bool {
        let (Promise::Error(bug) | Promise::Implied(bug)) = promise else { return false };
        let (own, site) = bug.made.at;
        let own = self.names.defined(own);
        let loc = self.names.loc(own, site);
        let returns =
            |block: &ir::Block| matches!(block.term, ir::Terminator::Return { .. }) && block.term_loc == loc;
        let body = self.names.project.function(own).function.body.as_ref();
        bug.issue == Issue::UseAfterScope
            && !bug.made.calls.is_empty()
            && body.is_some_and(|body| body.blocks.iter().any(returns))
    }

    /// Runs from a state; whether that could be done.
    fn try_state(
        &self,
        arena: &Arena,
        spec: &Spec,
        (promise, kind): (Promise<'_>, &'static str),
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
        let mut problem = verify(self.names, arena, spec, promise, (drawn, &run));
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
        match replay(self.names.program, self.function, state, script, options) {
            Ok(run) if run.n_refused == 0 => Ok(run),
            Ok(_) => Err("a large allocation"),
            Err(_) => Err("a large block"),
        }
    }

    fn tell(
        &self,
        arena: &Arena,
        spec: &Spec,
        promise: Promise<'_>,
        problem: &str,
        run: Option<(&Drawn, &str)>,
    ) -> String {
        let name = self.names.program.functions()[self.function].name;
        let mut text = format!("{name}: {problem}\n");
        if let Promise::Error(bug) | Promise::Implied(bug) = promise {
            text += &format!("error: {} {}\n", bug.issue, say(&bug.what));
        }
        text += &arena.summary.split.show(spec, &say);
        if let Some((drawn, told)) = run {
            text += &format!("state: {:?}\nscript: {:?}\n{told}\n", drawn.state.blocks, drawn.script);
            text += &format!("arguments: {:?}\n", drawn.state.args);
        }
        text
    }
}

/// Whether the promise is a leak at the end of a callee: nobody sees it before the caller ends, too.
pub(super) fn is_leak_below(promise: Promise<'_>) -> bool {
    matches!(promise, Promise::Error(bug) if bug.issue == Issue::MemoryLeak && !bug.made.calls.is_empty())
}

fn word(spec: &Spec, promise: Promise<'_>) -> String {
    match (promise, spec.exit) {
        (Promise::Error(bug), _) => bug.issue.id().to_owned(),
        (Promise::Implied(bug), _) => format!("{}{IMPLIED}", bug.issue.id()),
        (Promise::End, Exit::NoReturn) => "ends the program".to_owned(),
        (Promise::End, _) => "returns".to_owned(),
    }
}
