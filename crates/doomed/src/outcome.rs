//! Outcome predicates: when an execution of the passive form ends normally, and when it comes to a point.
//!
//! ```text
//!   N.(assert E) = N.(assume E) = E        N.(S;T) = N.S ∧ N.T        N.(S □ T) = N.S ∨ N.T
//! ```
//! Source: Hoenicke et al., §5, Tables 1 and 2, Prop. 3 (`wlp.S.false ≡ ¬N.S`), and the equations of
//! `F_Bdef`; §6 for reachability.
//! Departures: (1) the paper's Boolean `B_ℓ` is here the term `¬N` of a node: terms are shared, and the
//! circuit gives each its own variable, so formulas stay linear in size without equations. (2) `R_ℓ` is not a
//! variable that is set on the way but the condition under which the way leads there, which is the same,
//! since all values are functions of the variables. (3) Checks that nothing can contradict are left out
//! ([`Outcome::is_idle`]).

use ir::{Terminator, UnreachableCause};
use rustc_hash::FxHashSet;
use term::{Assignment, Node, TermId, Terms, VarId, Walk};
use unfold::Dest;

use crate::frame::Frame;
use crate::passive::{Check, Item, Passive};

/// The outcomes of all frames.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// By frame: when it returns normally, and when the program ends normally in it.
    frames: Vec<(TermId, TermId)>,
    /// By node of the function itself: when an execution that comes there ends normally.
    nodes: Vec<TermId>,
    /// Checks that can hold whatever else happens.
    idle: FxHashSet<TermId>,
    /// That addresses of objects are not null, for those about which something is decided.
    assumed: TermId,
    /// Whether there is anything that can fail.
    pub(crate) can_fail: bool,
}

/// What counts as a normal end of a frame.
#[derive(Clone, Copy)]
struct Normal<'o> {
    /// By frame that is called: when it returns normally, and when the program ends normally in it.
    frames: &'o [(TermId, TermId)],
    /// Whether it is normal to return.
    returns: bool,
    /// Whether it is normal that the program ends as its author wished.
    ends: bool,
    checks: Checks,
}

/// What is asked of checks on the way to a normal end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Checks {
    /// They hold.
    Hold,
    /// Nothing.
    AreLeftOut,
}

/// How an execution ends that does not end normally.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fails {
    /// A check does not hold.
    Check,
    /// A loop never ends, and no check fails before.
    NeverEnds,
}

impl Outcome {
    /// `N` of all frames; the last one is the function itself. If nothing can fail, `N` is not worked out, unless it is asked for `always`.
    pub(crate) fn new(passive: &mut Passive<'_>, always: bool) -> Outcome {
        let (decided, idle) = decided(passive);
        let existing = passive.objects.existing(&passive.terms, decided.into_iter());
        let mut assumed = passive.terms.yes();
        for root in existing {
            let nonnull = passive.terms.nonzero(root);
            assumed = passive.terms.and(assumed, nonnull);
        }
        let mut outcome = Outcome { frames: Vec::new(), nodes: Vec::new(), idle, assumed, can_fail: false };
        let frames = std::mem::take(&mut passive.frames);
        outcome.can_fail = frames.iter().any(|frame| {
            let mut items = frame.items.iter().flatten();
            let never = |frame: &Frame<'_>| {
                frame.copies.nodes.iter().flat_map(|it| &it.ways).any(|it| matches!(it.to, Dest::Never(_)))
            };
            items.any(|item| matches!(item, Item::Check(check) if !outcome.is_idle(check))) || never(frame)
        });
        if outcome.can_fail || always {
            let (last, inlined) = frames.split_last().expect("invariant: the function is the last frame");
            outcome.frames = outcome.inlined(passive, inlined, Checks::Hold);
            let here = Normal { frames: &outcome.frames, returns: true, ends: true, checks: Checks::Hold };
            outcome.nodes = outcome.normal(passive, last, here);
            let normal = passive.terms.and(outcome.nodes[0], assumed);
            outcome.frames.push((normal, normal));
        }
        passive.frames = frames;
        outcome
    }

    /// By inlined frame: when it returns normally, and when the program ends normally in it.
    fn inlined(
        &self,
        passive: &mut Passive<'_>,
        frames: &[Frame<'_>],
        checks: Checks,
    ) -> Vec<(TermId, TermId)> {
        let mut done: Vec<(TermId, TermId)> = Vec::with_capacity(frames.len());
        for frame in frames {
            let of = |returns: bool| Normal { frames: &done, returns, ends: !returns, checks };
            let returns = self.normal(passive, frame, of(true))[0];
            let ends = self.normal(passive, frame, of(false))[0];
            done.push((returns, ends));
        }
        done
    }

    /// When the function would end normally if no check could fail: not if a loop never ends.
    pub(crate) fn without_checks(&self, passive: &mut Passive<'_>, last: &Frame<'_>) -> TermId {
        let frames = std::mem::take(&mut passive.frames);
        let inlined = self.inlined(passive, &frames, Checks::AreLeftOut);
        passive.frames = frames;
        let here = Normal { frames: &inlined, returns: true, ends: true, checks: Checks::AreLeftOut };
        self.normal(passive, last, here)[0]
    }

    /// When the function comes to an end that is not normal.
    pub(crate) fn fails(&self, passive: &mut Passive<'_>, last: &Frame<'_>, how: Fails) -> TermId {
        let frames = std::mem::take(&mut passive.frames);
        let mut inlined: Vec<TermId> = Vec::with_capacity(frames.len());
        for frame in &frames {
            let fails = self.fails_in(passive, frame, &inlined, how);
            inlined.push(fails);
        }
        passive.frames = frames;
        self.fails_in(passive, last, &inlined, how)
    }

    fn fails_in(
        &self,
        passive: &mut Passive<'_>,
        frame: &Frame<'_>,
        inlined: &[TermId],
        how: Fails,
    ) -> TermId {
        let terms = &mut passive.terms;
        let (yes, no) = (terms.yes(), terms.no());
        let mut fails = vec![no; frame.copies.nodes.len()];
        for node in (0..fails.len()).rev() {
            let mut here = no;
            for (way, &cond) in frame.copies.nodes[node].ways.iter().zip(&frame.conds[node]) {
                let behind = match way.to {
                    Dest::Node(to) => fails[to],
                    Dest::Never(_) if how == Fails::NeverEnds => yes,
                    Dest::Never(_) | Dest::Anything => no,
                };
                let both = terms.and(cond, behind);
                here = terms.or(here, both);
            }
            for item in frame.items[node].iter().rev() {
                here = match item {
                    Item::Check(check) if self.is_idle(check) => here,
                    Item::Check(check) if how == Fails::Check => terms.ite(check.ok, here, yes),
                    Item::Check(Check { ok: condition, .. }) | Item::Assume(condition) => {
                        terms.and(*condition, here)
                    }
                    Item::Ends(when) => {
                        let goes_on = terms.not(*when);
                        terms.and(goes_on, here)
                    }
                    Item::Signed(..) | Item::Free(_) => here,
                    Item::Call(frame) => {
                        let behind = terms.and(self.frames[*frame].0, here);
                        terms.or(inlined[*frame], behind)
                    }
                };
            }
            fails[node] = here;
        }
        fails[0]
    }

    /// `N` of the function: when it ends normally.
    pub(crate) fn start(&self) -> Option<TermId> {
        self.frames.last().map(|it| it.0)
    }

    /// Whether a check can hold whatever else happens: nothing is decided about what it asks for, and there are values for which all such checks hold.
    pub(crate) fn is_idle(&self, check: &Check) -> bool {
        self.idle.contains(&check.ok)
    }

    /// Whether something can fail at or behind a node.
    pub(crate) fn may_fail_behind(&self, terms: &Terms, node: usize) -> bool {
        terms.value(self.nodes[node]) != Some(1)
    }

    /// When a call in a frame comes back.
    fn returns(&self, frame: usize) -> TermId {
        self.frames[frame].0
    }

    /// By node: when it leads to an end that counts as normal.
    fn normal(&self, passive: &mut Passive<'_>, frame: &Frame<'_>, what: Normal<'_>) -> Vec<TermId> {
        let Normal { frames, returns, ends, checks } = what;
        let terms = &mut passive.terms;
        let (yes, no) = (terms.yes(), terms.no());
        let truth = |it: bool| if it { yes } else { no };
        let mut normal = vec![no; frame.copies.nodes.len()];
        for node in (0..normal.len()).rev() {
            let data = &frame.copies.nodes[node];
            let mut here = match &frame.body.blocks[data.block].term {
                Terminator::Return { .. } => truth(returns),
                // Whoever writes a trap or `__builtin_unreachable` means what he writes.
                Terminator::Unreachable { cause } => match cause {
                    UnreachableCause::NoReturn
                    | UnreachableCause::Trap
                    | UnreachableCause::Undefined
                    | UnreachableCause::Unwind => truth(ends),
                },
                _ => {
                    let mut any = no;
                    for (way, &cond) in data.ways.iter().zip(&frame.conds[node]) {
                        let behind = match way.to {
                            Dest::Node(to) => normal[to],
                            Dest::Anything => yes,
                            Dest::Never(_) => no,
                        };
                        let both = terms.and(cond, behind);
                        any = terms.or(any, both);
                    }
                    if let [first, second] = data.ways.as_slice()
                        && let (Dest::Node(first), Dest::Node(second)) = (first.to, second.to)
                        && data.ways[0].choice.is_none()
                        && frame.body.blocks[data.block].term.targets().count() == 2
                    {
                        any = terms.ite(frame.conds[node][0], normal[first], normal[second]);
                    }
                    any
                }
            };
            for item in frame.items[node].iter().rev() {
                here = match item {
                    Item::Check(check) if checks == Checks::AreLeftOut || self.is_idle(check) => here,
                    Item::Check(Check { ok: condition, .. }) | Item::Assume(condition) => {
                        terms.and(*condition, here)
                    }
                    Item::Ends(when) => terms.ite(*when, truth(ends), here),
                    Item::Signed(..) | Item::Free(_) => here,
                    Item::Call(frame) => {
                        let (returned, ended) = frames[*frame];
                        let on = terms.and(returned, here);
                        if ends { terms.or(ended, on) } else { on }
                    }
                };
            }
            normal[node] = here;
        }
        normal
    }

    /// By node: when it is reached without any failure before.
    pub(crate) fn reached(&self, passive: &mut Passive<'_>, frame: &Frame<'_>) -> Vec<TermId> {
        let len = frame.copies.nodes.len();
        let no = passive.terms.no();
        let (mut reached, mut left) = (vec![self.assumed; len], vec![no; len]);
        for node in 0..len {
            if node > 0 {
                let mut any = no;
                for &(pred, way) in &frame.copies.nodes[node].preds {
                    let taken = passive.terms.and(left[pred], frame.conds[pred][way]);
                    any = passive.terms.or(any, taken);
                }
                reached[node] = any;
            }
            left[node] = self.left(passive, frame, node, reached[node]);
        }
        reached
    }

    /// When a node is left to a next one, given when it is reached.
    pub(crate) fn left(
        &self,
        passive: &mut Passive<'_>,
        frame: &Frame<'_>,
        node: usize,
        reached: TermId,
    ) -> TermId {
        let terms = &mut passive.terms;
        let mut here = reached;
        for item in &frame.items[node] {
            let condition = match item {
                Item::Check(check) if self.is_idle(check) => continue,
                Item::Free(_) => continue,
                Item::Check(Check { ok: condition, .. }) | Item::Assume(condition) => *condition,
                Item::Ends(when) => terms.not(*when),
                Item::Call(frame) => self.returns(*frame),
                Item::Signed(op, a, b) => match operations::signed_overflow(terms, *op, *a, *b) {
                    Some(overflows) => terms.not(overflows),
                    None => continue,
                },
            };
            here = terms.and(here, condition);
        }
        here
    }
}

/// An address, for a pointer that is only asked not to be null.
const SOME_ADDRESS: u128 = 1 << 20;

/// The variables about which something is decided, and the checks that are idle.
///
/// A variable is decided about if it occurs in the condition of a way, in an assumption, or in a check that is not idle. All others may have any value, so they get one: that of
/// [`SOME_ADDRESS`] if they are addresses or some check asks whether they are null, else zero. A check about others alone that holds then is idle.
fn decided(passive: &Passive<'_>) -> (Vec<VarId>, FxHashSet<TermId>) {
    let mut roots = Vec::new();
    let mut checks: Vec<(TermId, Vec<VarId>)> = Vec::new();
    let mut values = Assignment::new();
    let mut walk = Walk::new();
    let mut seen = FxHashSet::default();
    for frame in &passive.frames {
        roots.extend(frame.conds.iter().flatten().copied());
        roots.extend(frame.ended.iter().flatten().copied());
        for item in frame.items.iter().flatten() {
            match item {
                Item::Call(_) | Item::Signed(..) | Item::Free(_) => {}
                Item::Check(check) => {
                    if let Some(var) = check.plain {
                        values.set(var, SOME_ADDRESS & term::mask(passive.terms.var(var).width));
                    }
                    if seen.insert(check.ok) {
                        checks.push((check.ok, walk.vars_of(&passive.terms, &[check.ok])));
                    }
                }
                Item::Assume(condition) | Item::Ends(condition) => roots.push(*condition),
            }
        }
    }
    let asked = checks.iter().flat_map(|(_, vars)| vars.iter().copied());
    for root in passive.objects.existing(&passive.terms, asked) {
        if let Node::Var(var) = passive.terms.node(root) {
            values.set(var, SOME_ADDRESS);
        }
    }
    let mut decided: FxHashSet<VarId> = walk.vars_of(&passive.terms, &roots).into_iter().collect();
    let holds: Vec<TermId> = checks.iter().map(|it| it.0).collect();
    let holds = walk.eval_all(&passive.terms, &holds, &values);
    let mut open: Vec<(TermId, Vec<VarId>)> = Vec::new();
    for ((ok, vars), holds) in checks.into_iter().zip(holds) {
        match holds {
            1 => open.push((ok, vars)),
            _ => decided.extend(vars),
        }
    }
    loop {
        let n_open = open.len();
        open.retain(|(_, vars)| {
            let is_idle = !vars.iter().any(|var| decided.contains(var));
            if !is_idle {
                decided.extend(vars);
            }
            is_idle
        });
        if open.len() == n_open {
            break;
        }
    }
    let mut vars: Vec<VarId> = decided.into_iter().collect();
    vars.sort_unstable();
    (vars, open.into_iter().map(|it| it.0).collect())
}

#[cfg(test)]
mod tests {
    use crate::testing::{alone, module, points};
    use crate::{Options, analyze};

    #[test]
    fn a_way_to_a_failure_is_doomed_and_the_other_is_not() {
        let text = "func @f(ptr) {\nb0(v0: ptr):\n  v1: i1 = cmp eq v0, null\n  branch v1 ? b1 : b2\nb1:\n  \
                    store i32 1 to v0 align 4\n  jump b3\nb2:\n  store i32 2 to v0 align 4\n  jump b3\nb3:\n  return\n}\n";
        assert_eq!(points(text), ["b1"]);
    }

    #[test]
    fn where_all_ways_fail_the_start_is_doomed() {
        let text = "func @f(i1) {\nb0(v0: i1):\n  branch v0 ? b1 : b2\nb1:\n  store i32 1 to null align 4\n  return\nb2:\n  \
                    v1: i32 = udiv i32 1, i32 0\n  return\n}\n";
        assert_eq!(points(text), ["b0", "b2", "b1"]);
    }

    #[test]
    fn nothing_is_asked_where_nothing_contradicts_a_check() {
        let text = "func @f(ptr, i1) {\nb0(v0: ptr, v1: i1):\n  branch v1 ? b1 : b2\nb1:\n  store i32 1 to v0 align 4\n  \
                    return\nb2:\n  return\n}\n";
        let module = module(text);
        let alone = alone(&module);
        let function = alone.find("f").expect("there is one function");
        assert!(!analyze(&alone.around(function), &Options::default()).stats.asked);
    }

    #[test]
    fn a_loop_that_is_meant_to_run_for_ever_is_a_normal_end() {
        let text = "func @any()\nfunc @f(i32) {\nb0(v0: i32):\n  v1: i1 = cmp sgt v0, i32 0\n  branch v1 ? b1 : b2\nb1:\n  \
                    v2: i32 = udiv i32 9, v0\n  call @any()\n  jump b1\nb2:\n  return\n}\n";
        assert_eq!(points(text), [""; 0]);
    }

    #[test]
    fn intended_ends_are_normal() {
        let text =
            "func @f(i1) {\nb0(v0: i1):\n  branch v0 ? b1 : b2\nb1:\n  unreachable trap\nb2:\n  return\n}\n";
        assert_eq!(points(text), [""; 0]);
    }
}
