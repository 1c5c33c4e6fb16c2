//! Findings as the shipped engine prints them, against runs.
//!
//! * A *manifest* one must happen from each of [`STYLES`], states that nobody chose
//!   ([`manifest`](super::manifest)), of which none has memory of the caller's if the finding says that it
//!   needs none; in `main` from some state, because there the environment chooses all.
//! * A *latent* one that is shown must happen from some state.
//! * A *doomed* one is judged with all points of its function ([`points`](crate::points)).
//!
//! Triples of the second run say what the environment must do; whether the finding happens is up to the
//! interpreter. A state from which nobody can tell is skipped, and counted by why.

use std::collections::BTreeMap;

use catalog::Verdict;
use heap::{Choice, Exit, Spec};
use interp::GlobalRef;
use interp::replay::Script;
use report::Finding;
use world::GlobalKey;

use super::context::Context;
use super::draw::{ADDRESSES, Arena, Draw, Given, OPAQUE, draw};
use super::expected::Expected;
use super::located::{Located, say};
use super::manifest::{Chosen, Common, STYLES, Style, Types};
use super::opinion::Ended;
use super::triples::{Seen, Subject, Violation, is_leak_below};
use super::verify::Promise;
use crate::programs::generate::{Generated, Shape};
use crate::programs::sample::draw_state;

/// How many in a hundred states of manifest errors may be skipped.
const MAX_SKIPPED: u64 = 10;

/// States that are tried for what must happen from some state.
const TRIES: u64 = 4;

/// The same, drawn without looking at triples.
const BLIND_TRIES: u64 = 60;

/// What was seen of findings.
#[derive(Default)]
pub struct Judged {
    /// By verdict.
    pub findings: BTreeMap<&'static str, u64>,
    /// States of manifest findings from which they happen, by style.
    pub held: BTreeMap<&'static str, u64>,
    /// States of manifest findings from which nobody can tell, by why.
    pub skipped: BTreeMap<&'static str, u64>,
    /// Other findings that happen from some state.
    pub possible: u64,
    /// Other findings of which nobody can tell, by why.
    pub undecided: BTreeMap<&'static str, u64>,
}

impl Judged {
    /// States of manifest findings from which they happen.
    pub fn n_held(&self) -> u64 {
        self.held.values().sum()
    }

    /// States of manifest findings that were skipped, and all of them but for violations.
    pub fn n_skipped(&self) -> (u64, u64) {
        let skipped: u64 = self.skipped.values().sum();
        (skipped, self.n_held() + skipped)
    }

    /// Whether so many states were skipped that the others say little.
    pub(super) fn has_too_many_skipped(&self) -> bool {
        let (skipped, states) = self.n_skipped();
        let undecided: u64 = self.undecided.values().sum();
        skipped * 100 > states * MAX_SKIPPED || undecided * 100 > (self.possible + undecided) * MAX_SKIPPED
    }
}

/// What became of a state.
enum State {
    Held,
    Skipped(&'static str),
    /// The finding does not happen; what does instead.
    Broken(String),
}

/// An error that triples lead to.
struct Error<'a> {
    expected: Expected,
    paths: Vec<(Located<'a>, &'a Spec)>,
}

impl Error<'_> {
    /// By the ways alone that need no memory of the caller's: with what it says to need nothing, states have nothing.
    fn without_memory(mut self) -> Self {
        let needs_memory = |spec: &Spec| {
            spec.pre.iter().any(|pre| spec.post[base::Id::index(pre.block)].kind == heap::Kind::Abduced)
        };
        self.paths.retain(|(_, spec)| !needs_memory(spec));
        self
    }
}

impl Subject<'_> {
    /// Judges a finding of the function.
    pub(super) fn judge(&self, generated: Option<&Generated>, finding: &Finding, seen: &mut Seen) {
        *seen.judged.findings.entry(finding.verdict.id()).or_default() += 1;
        let mut arena = Arena::of(self.summary);
        let error = self.error(finding);
        match finding.verdict {
            Verdict::Doomed => {}
            Verdict::Manifest if !self.begins => {
                let was_seen = !error.paths.is_empty();
                let error = if finding.relaxed { error } else { error.without_memory() };
                if was_seen && error.paths.is_empty() {
                    let text =
                        self.told(finding, &error, "but all ways to it need memory of the caller's", &arena);
                    seen.violations.push(Violation { kind: "manifest verdict, not relaxed", text });
                }
                self.judge_manifest(&mut arena, (finding, &error), generated, seen)
            }
            Verdict::Manifest | Verdict::Latent => {
                self.judge_possible(&mut arena, (finding, &error), generated, seen)
            }
        }
    }

    /// The paths of the second run to what a finding says.
    fn error(&self, finding: &Finding) -> Error<'_> {
        let expected = Expected::of(finding);
        let path = |spec| match spec {
            &Spec { exit: Exit::Er(bug), .. } => {
                Some((Located::of(self.summary, &self.summary.split.bugs[bug as usize]), spec))
            }
            _ => None,
        };
        let paths = self.summary.split.specs.iter().filter_map(path);
        let paths: Vec<(Located<'_>, &Spec)> =
            paths.filter(|(bug, _)| expected.is_about(self.names, bug)).collect();
        Error { expected: expected.by(self.names, &paths), paths }
    }

    fn judge_manifest(
        &self,
        arena: &mut Arena,
        (finding, error): (&Finding, &Error<'_>),
        generated: Option<&Generated>,
        seen: &mut Seen,
    ) {
        let specs: Vec<&Spec> = error.paths.iter().map(|(_, spec)| *spec).collect();
        let common = Common::new(self.names, arena, &specs);
        let (types, globals) = (self.types(&common, generated), self.globals(generated));
        for (number, &style) in (0..).zip(&STYLES) {
            let mut last = (Style::Random, 0, State::Skipped("no state of the kind"));
            // Where nobody can tell, another state is drawn.
            for (again, style) in (0..).zip([style, Style::Random, Style::Small, Style::Random, Style::Small])
            {
                let seed =
                    (self.seed.wrapping_mul(31).wrapping_add(number)).wrapping_mul(5).wrapping_add(again);
                let Some(chosen) = common.choose(&types, style, seed) else { continue };
                let rest = generated.map(|_| chosen.rest(&globals));
                let given = Given { seed, rest: rest.as_ref(), ..self.given() };
                let state = self.judge_state(arena, error, (&common, &chosen), &given);
                last = (style, seed, state);
                if matches!(last.2, State::Skipped(_)) && self.happens_blindly(error, generated, (seed, 1)) {
                    last.2 = State::Held;
                }
                if !matches!(last.2, State::Skipped(_)) {
                    break;
                }
            }
            let (style, seed, state) = last;
            match state {
                State::Held => *seen.judged.held.entry(style.word()).or_default() += 1,
                State::Skipped(why) => *seen.judged.skipped.entry(why).or_default() += 1,
                State::Broken(what) => {
                    let kind = match style {
                        Style::Aliased => "manifest verdict, aliased",
                        _ => "manifest verdict",
                    };
                    let problem = format!("but from a state ({style:?}, seed {seed}) {what}");
                    let text = self.told(finding, error, &problem, arena);
                    seen.violations.push(Violation { kind, text });
                }
            }
        }
    }

    /// What is known of types, for a program that was made.
    fn types(&self, common: &Common, generated: Option<&Generated>) -> Types {
        let params = self.signature.map_or(Vec::new(), |signature| signature.params.clone());
        let known = self.globals(generated);
        let shape = |(name, key): (&String, &GlobalKey)| {
            let global = self.names.global(*key)?;
            known.iter().find(|(other, _)| *other == global).map(|(_, shape)| (name.clone(), *shape))
        };
        Types { params, globals: common.globals().iter().filter_map(shape).collect() }
    }

    /// The variables of a program that was made, but for those that hold functions from the start: nobody is supposed to change them.
    fn globals(&self, generated: Option<&Generated>) -> Vec<(GlobalRef, Shape)> {
        let program = self.names.program;
        let globals = generated.into_iter().flat_map(|generated| &generated.globals);
        let globals = globals.filter_map(|(name, shape)| Some((program.global(name)?, *shape)));
        let has_functions = |global: GlobalRef| {
            let init = program.globals()[global].global.init.as_ref();
            init.is_some_and(|init| !init.relocs.is_empty())
        };
        globals.filter(|(global, _)| !has_functions(*global)).collect()
    }

    /// Whether a manifest finding happens from a state.
    fn judge_state(
        &self,
        arena: &mut Arena,
        error: &Error<'_>,
        (common, chosen): (&Common, &Chosen<'_>),
        given: &Given<'_>,
    ) -> State {
        let (mut is_opaque, mut is_undefined) = (false, false);
        for (at, (bug, spec)) in error.paths.iter().enumerate() {
            is_opaque |= spec.choices.contains(&Choice::Opaque);
            if is_leak_below(Promise::Error(bug))
                || self.is_return_below(Promise::Error(bug))
                || !common.describes(at)
            {
                continue;
            }
            let (facts, positions) = (chosen.facts(arena, at), chosen.positions(at));
            let given = Given { facts: &facts, positions: Some(&positions), is_try: true, ..*given };
            let drawn = match draw(self.names, arena, spec, &given) {
                Draw::Unfit(ADDRESSES) | Draw::Contradictory => {
                    draw(self.names, arena, spec, &Given { is_undefined: true, ..given })
                }
                drawn => drawn,
            };
            let Draw::State(drawn) = drawn else { continue };
            match self.ends(&drawn.state, &drawn.script, &error.expected) {
                Ok(Ended::Met) => return State::Held,
                Ok(Ended::Undefined(_)) => is_undefined = true,
                Ok(Ended::Cut | Ended::Null(_) | Ended::Other(_)) | Err(_) => {}
            }
        }
        // Otherwise there are paths to it that the shipped run knows and the second one does not.
        let knows_all = error.paths.iter().any(|(bug, _)| bug.verdict == Verdict::Manifest);
        let context = self.context(arena, (&error.paths, &error.expected), (common, chosen), given);
        match context {
            Context::Reached => State::Held,
            Context::Cut(_) if error.paths.is_empty() => State::Skipped(NO_PATH),
            Context::Cut(why) => State::Skipped(why),
            Context::Undefined => State::Skipped(UNDEFINED),
            Context::Defined(..) if is_undefined => State::Skipped(UNDEFINED),
            Context::Defined(..) if is_opaque => State::Skipped(OPAQUE),
            Context::Defined(..) if !(0..error.paths.len()).all(|at| common.describes(at)) => {
                State::Skipped("a path to it that cannot be described")
            }
            Context::Defined(_, true) if !knows_all => State::Skipped(MISSING),
            Context::Defined(what, _) => State::Broken(what),
        }
    }

    /// A finding that must happen from some state.
    fn judge_possible(
        &self,
        arena: &mut Arena,
        (finding, error): (&Finding, &Error<'_>),
        generated: Option<&Generated>,
        seen: &mut Seen,
    ) {
        let mut why = if error.paths.is_empty() { Some(NO_PATH) } else { None };
        let mut instead = std::collections::BTreeSet::new();
        for (_, spec) in &error.paths {
            why = why.or(spec.choices.contains(&Choice::Opaque).then_some(OPAQUE));
            for number in 0..TRIES {
                let seed = self.seed.wrapping_mul(37).wrapping_add(number);
                let given = Given { seed, is_try: true, ..self.given() };
                let drawn = match draw(self.names, arena, spec, &given) {
                    Draw::State(drawn) => drawn,
                    Draw::Contradictory => continue,
                    Draw::Unfit(unfit) => {
                        why = why.or(Some(unfit));
                        continue;
                    }
                };
                match self.ends(&drawn.state, &drawn.script, &error.expected) {
                    Ok(Ended::Met) => {
                        seen.judged.possible += 1;
                        return;
                    }
                    Ok(Ended::Null(what) | Ended::Other(what)) => drop(instead.insert(what)),
                    Ok(Ended::Undefined(_) | Ended::Cut) => {}
                    Err(unfit) => why = why.or(Some(unfit)),
                }
            }
        }
        if self.happens_blindly(error, generated, (self.seed, BLIND_TRIES)) {
            seen.judged.possible += 1;
            return;
        }
        match why {
            Some(why) => *seen.judged.undecided.entry(why).or_default() += 1,
            None => {
                let problem = format!("but it happens from no state that was tried: {instead:#?}");
                let text = self.told(finding, error, &problem, arena);
                seen.violations.push(Violation { kind: "possible finding", text });
            }
        }
    }

    /// Whether a finding happens from one of some states that are drawn by nothing but types.
    fn happens_blindly(
        &self,
        error: &Error<'_>,
        generated: Option<&Generated>,
        (seed, tries): (u64, u64),
    ) -> bool {
        let (Some(generated), Some(signature)) = (generated, self.signature) else { return false };
        (0..tries).any(|number| {
            let seed = seed.wrapping_mul(1_000_003).wrapping_add(number);
            let (state, script) = draw_state(self.names.program, generated, signature, seed);
            let is_met = |script| matches!(self.ends(&state, &script, &error.expected), Ok(Ended::Met));
            is_met(script) || is_met(Script::default())
        })
    }

    fn told(&self, finding: &Finding, error: &Error<'_>, problem: &str, arena: &Arena) -> String {
        let Finding { kind, verdict, function, file, line, message, .. } = finding;
        let mut text = format!("{file}:{line}: {verdict} {kind} in `{function}`: {message}\n{problem}\n");
        for (_, spec) in &error.paths {
            text += &arena.summary.split.show(spec, &say);
        }
        text
    }
}

/// States that count for no verdict: see [`context`](super::context).
const UNDEFINED: &str = "something that C leaves undefined on the way";

/// The second run does not know the error.
const NO_PATH: &str = "no path to it that can be replayed";

/// A path that only the shipped run knows may need memory that this state does not have.
const MISSING: &str = "a null pointer on the way, on a path that the second run does not know";
