//! The search for doomed points: everything is stated once, then one query per point that no known execution
//! passes.
//!
//! Judgment: a point ℓ is doomed if `N.start ∧ R_ℓ` is unsatisfiable, and dead if `R_ℓ` is already, with the
//! checks on the way there.
//! Source: Hoenicke et al., Fig. 5 (Exorcise), §6 (`R_ℓ` as an assumption, Prop. 5; faster prover
//! interaction), §7 (blocks that follow from others are skipped), §8 (correct executions are easy to find).
//! Departures: (1) a model is a normal execution: every point that it passes is alive, and is not asked
//! about; (2) a point is a block: the paper's language has one for an `else` that the programmer did not
//! write, too, and calls it doomed where his only sin is to trust his caller.

use std::cmp::Reverse;

use base::{Id, limits};
use catalog::Issue;
use ir::{BlockId, Body, LoopId};
use rustc_hash::FxHashMap;
use solver::{Solver, Verdict};
use term::{Assignment, Origin, TermId, Walk};

use crate::code::Code;
use crate::endless;
use crate::frame::Frame;
use crate::memory::Memory;
use crate::outcome::{Fails, Outcome};
use crate::passive::{Failure, Item, Passive};
use crate::story::{self, Found};
use crate::told;

/// How to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether code that no execution reaches is told, too.
    pub dead_code: bool,
}

/// What came out of one function.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// Doomed points, one per cause, and dead ones if they are asked for.
    pub findings: Vec<Found>,
    /// All points that no normally ending execution passes, dead ones included.
    pub points: Vec<BlockId>,
    /// What was done.
    pub stats: Stats,
}

/// What was done for one function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Points that can be asked about.
    pub points: usize,
    /// Queries to the solver.
    pub queries: usize,
    /// Points that nobody decided, because a budget ran out.
    pub undecided: usize,
    /// Whether the function was too large, or not expressible.
    pub gave_up: bool,
    /// Whether anything in it can fail, so that queries were asked.
    pub asked: bool,
}

/// A point of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) block: BlockId,
    /// When an execution passes it.
    pub(crate) passed: TermId,
}

/// What was just done, for those who measure it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The passive form and all conditions are there.
    Built,
    /// A query was answered.
    Asked,
}

/// Looks for the doomed points of a function.
pub fn analyze(world: &models::World<'_>, options: &Options) -> Analysis {
    analyze_watched(world, options, &mut |_| {})
}

/// The same; `watch` hears of each step when it is done. The core has no clock, but its callers may have one.
pub fn analyze_watched(
    world: &models::World<'_>,
    options: &Options,
    watch: &mut dyn FnMut(Progress),
) -> Analysis {
    let mut analysis = Analysis::default();
    let exorcist = Code::of(world).and_then(|code| Exorcist::new(code, options, watch));
    let Some(mut exorcist) = exorcist else {
        analysis.stats.gave_up = true;
        return analysis;
    };
    if exorcist.outcome.can_fail || options.dead_code {
        exorcist.run(options, &mut analysis);
    }
    analysis
}

/// The passive form of one function, and what was found out about it.
pub(crate) struct Exorcist<'w, 'o> {
    pub(crate) passive: Passive<'w>,
    pub(crate) frame: Frame<'w>,
    pub(crate) outcome: Outcome,
    pub(crate) solver: Solver,
    pub(crate) stats: Stats,
    /// By block: its copies.
    nodes_of: Vec<Vec<usize>>,
    watch: &'o mut dyn FnMut(Progress),
}

impl<'w, 'o> Exorcist<'w, 'o> {
    /// None: given up.
    pub(crate) fn new(
        code: Code<'w>,
        options: &Options,
        watch: &'o mut dyn FnMut(Progress),
    ) -> Option<Exorcist<'w, 'o>> {
        let mut passive = Passive::default();
        passive.pointer_bits = crate::passive::pointer_bits(code);
        let body = code.body()?;
        let args: Vec<Option<TermId>> = body.blocks[Body::ENTRY]
            .params
            .iter()
            .map(|&param| passive.fresh(body.values[param].ty, Origin::Parameter))
            .collect();
        passive.evaluate(code, &args, Memory::default(), 0, &[]).ok()?;
        let outcome = Outcome::new(&mut passive, options.dead_code);
        let frame = passive.frames.pop()?;
        let solver = Solver::with(solver::Options {
            conflicts: limits::DOOMED_CONFLICTS,
            hard_conflicts: limits::DOOMED_CONFLICTS,
            gates: limits::DOOMED_GATES,
            ..solver::Options::default()
        });
        let mut nodes_of: Vec<Vec<usize>> = vec![Vec::new(); body.blocks.len()];
        for (at, node) in frame.copies.nodes.iter().enumerate() {
            nodes_of[node.block.index()].push(at);
        }
        Some(Exorcist { passive, frame, outcome, solver, stats: Stats::default(), nodes_of, watch })
    }

    fn run(&mut self, options: &Options, analysis: &mut Analysis) {
        let points = self.points(options);
        (self.watch)(Progress::Built);
        self.stats.points = points.len();
        self.stats.asked = true;
        let yes = self.passive.terms.yes();
        let start = self.outcome.start().unwrap_or(yes);
        let doomed = self.not_alive(start, &points);
        analysis.points = doomed.iter().map(|it| it.block).collect();
        if !doomed.is_empty() {
            analysis.findings = story::tell(self, &doomed, options);
        }
        analysis.stats = self.stats;
    }

    /// The points that no normally ending execution passes.
    fn not_alive(&mut self, start: TermId, points: &[Point]) -> Vec<Point> {
        let mut alive = vec![false; points.len()];
        let mut doomed = Vec::new();
        let mut walk = Walk::new();
        // An execution that passes a point passes all that are on every way to it, so the innermost ones come first.
        let mut order: Vec<usize> = (0..points.len()).collect();
        let depth = |point: Point| self.frame.copies.dominators.depth(point.block);
        order.sort_by_key(|&at| Reverse(depth(points[at])));
        // Points with the same condition are one.
        let mut decided: FxHashMap<TermId, bool> = FxHashMap::default();
        for at in order {
            let point = points[at];
            if alive[at] {
                continue;
            }
            if let Some(&is_doomed) = decided.get(&point.passed) {
                doomed.extend(is_doomed.then_some(point));
                continue;
            }
            match self.ask(&[start, point.passed]) {
                Verdict::Sat(model) => {
                    decided.insert(point.passed, false);
                    self.discharge(&mut walk, model.assignment(), points, &mut alive);
                }
                Verdict::Unsat(_) => {
                    decided.insert(point.passed, true);
                    doomed.push(point);
                }
                Verdict::Unknown(_) => {
                    decided.insert(point.passed, false);
                    self.stats.undecided += 1;
                }
            }
        }
        doomed.sort_by_key(|it| self.frame.copies.cfg.position(it.block));
        doomed
    }

    /// All points that an execution passes are alive.
    fn discharge(&self, walk: &mut Walk, execution: &Assignment, points: &[Point], alive: &mut [bool]) {
        let open: Vec<usize> = (0..points.len()).filter(|&at| !alive[at]).collect();
        let passed: Vec<TermId> = open.iter().map(|&at| points[at].passed).collect();
        let values = walk.eval_all(&self.passive.terms, &passed, execution);
        for (at, value) in open.into_iter().zip(values) {
            alive[at] = value == 1;
        }
    }

    /// Asks the solver, if there is a query left.
    pub(crate) fn ask(&mut self, conditions: &[TermId]) -> Verdict {
        let work = self.stats.queries * self.passive.terms.len();
        if self.stats.queries >= limits::DOOMED_QUERIES || work > limits::DOOMED_WORK {
            return Verdict::Unknown(solver::Limit::Conflicts);
        }
        self.stats.queries += 1;
        let verdict = self.solver.check(&self.passive.terms, conditions);
        (self.watch)(Progress::Asked);
        verdict
    }

    /// The points that are asked about. Those that would not be told anyway are left out, unless dead code is looked for, too.
    fn points(&mut self, options: &Options) -> Vec<Point> {
        let mut points = Vec::new();
        let order: Vec<BlockId> = self.frame.copies.cfg.reverse_postorder().to_vec();
        for block in order {
            let nodes = self.nodes_of[block.index()].clone();
            let fails_behind = nodes.iter().any(|&it| self.outcome.may_fail_behind(&self.passive.terms, it));
            if self.is_failed_assertion(block) || !(fails_behind || options.dead_code) {
                continue;
            }
            let mut passed = self.passive.terms.no();
            for &node in &nodes {
                let here = self.passive.reached_from(&mut self.frame, 0, node);
                passed = self.passive.terms.or(passed, here);
            }
            if options.dead_code || self.is_block_told(block) {
                points.push(Point { block, passed });
            }
        }
        points
    }

    /// Whether it would be told that a block is doomed.
    pub(crate) fn is_block_told(&self, block: BlockId) -> bool {
        let successors = self.frame.copies.cfg.successors(block);
        block == Body::ENTRY
            || self.has_check(block)
            || told::is_statement(&self.frame, block)
            || successors.iter().any(|&it| self.is_failed_assertion(it))
            || self.frame.copies.loops.innermost(block).is_some_and(|id| self.is_endless(id))
    }

    /// Whether running for ever in a loop is an error.
    fn is_endless(&self, id: LoopId) -> bool {
        endless::is_error(self.frame.body, &self.frame.copies.loops, id)
    }

    /// When the function comes to an end that is not normal.
    pub(crate) fn fails(&mut self, how: Fails) -> TermId {
        self.outcome.fails(&mut self.passive, &self.frame, how)
    }

    /// What is checked in a block, over all its copies.
    fn items(&self, block: BlockId) -> impl Iterator<Item = &Item> {
        self.nodes_of[block.index()].iter().flat_map(|&node| &self.frame.items[node])
    }

    /// Whether a block is the failing branch of an assertion: that is no point of its own, but one statement with the test.
    pub(crate) fn is_failed_assertion(&self, block: BlockId) -> bool {
        self.items(block).any(|item| matches!(item, Item::Check(check) if check.what == Failure::Assertion))
    }

    /// The copies of a block.
    pub(crate) fn nodes_of(&self, block: BlockId) -> &[usize] {
        &self.nodes_of[block.index()]
    }

    /// Whether the program always ends in a node, as its author wished.
    pub(crate) fn always_ends(&self, node: usize) -> bool {
        self.frame.ended[node].is_some_and(|it| self.passive.terms.value(it) == Some(1))
    }

    /// Whether a block is there to end the program: it always does, or it is where an assertion fails.
    pub(crate) fn ends_program(&self, block: BlockId) -> bool {
        self.is_failed_assertion(block) || self.nodes_of(block).iter().any(|&node| self.always_ends(node))
    }

    /// Whether something can fail in a block.
    pub(crate) fn has_check(&self, block: BlockId) -> bool {
        self.items(block).any(|item| match item {
            Item::Check(check) => !self.outcome.is_idle(check),
            Item::Call(_) => true,
            Item::Assume(_) | Item::Ends(_) | Item::Signed(..) | Item::Free(_) => false,
        })
    }
}

/// The kinds that this engine reports.
pub const KINDS: [Issue; 9] = [
    Issue::NullDeref,
    Issue::UseAfterFree,
    Issue::DoubleFree,
    Issue::InvalidFree,
    Issue::OutOfBounds,
    Issue::DivByZero,
    Issue::AssertFailure,
    Issue::Endless,
    Issue::DeadCode,
];

#[cfg(test)]
mod tests {
    use base::limits;

    use crate::testing::{alone, module};
    use crate::{Options, analyze};

    #[test]
    fn what_a_budget_leaves_undecided_is_not_doomed() {
        // Each execution passes one case, so each needs a query of its own.
        let n_cases = limits::DOOMED_QUERIES + 20;
        let mut text = "func @f(i32, i32) {\nb0(v0: i32, v1: i32):\n  v2: i1 = cmp sgt v1, i32 0\n  branch v2 ? b1 : b2\nb1:\n  \
                        switch v0 {\n"
            .to_owned();
        (0..n_cases).for_each(|case| text += &format!("    i32 {case}: b{}\n", case + 3));
        text += "    default: b2\n  }\nb2:\n  return\n";
        for case in 0..n_cases {
            text += &format!("b{}:\n  v{}: i32 = udiv i32 9, v1\n  return\n", case + 3, case + 3);
        }
        let module = module(&(text + "}\n"));
        let alone = alone(&module);
        let function = alone.find("f").expect("there is one function");
        let analysis = analyze(&alone.around(function), &Options { dead_code: true });
        assert!(analysis.stats.undecided > 0, "the budget should run out: {:?}", analysis.stats);
        assert_eq!(analysis.points, []);
    }
}
