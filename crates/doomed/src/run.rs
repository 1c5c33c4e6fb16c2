//! Executions that come to a doomed point, followed to their failure.
//!
//! A model of "the point is reached" is an execution. It is followed node by node, with the decisions that it
//! takes and what it frees on the way.

use base::limits;
use catalog::Event;
use ir::{BinOp, BlockId, Inst, LocId, LoopId};
use solver::Verdict;
use term::{Assignment, TermId, Walk};
use unfold::Dest;

use crate::exorcise::{Exorcist, Point};
use crate::frame::Frame;
use crate::outcome::{Fails, Outcome};
use crate::passive::{Check, Failure, Freeing, Item, Passive};
use crate::story::{Spot, Step, spot};
use crate::words;

/// Whether a point is reached.
pub(crate) enum Reached {
    Failing(Box<Failing>),
    /// By no execution.
    Never,
    /// A budget ran out.
    Unknown,
}

/// An execution that comes to a point, and fails.
pub(crate) struct Failing {
    pub(crate) end: End,
    pub(crate) events: Vec<Decided>,
    pub(crate) path: Vec<(usize, Option<(usize, usize)>)>,
    /// Where the memory was freed, if that is the error.
    pub(crate) freed: Option<Step>,
}

/// An execution that reaches a point; by preference one that fails in a block in which nothing else can happen.
pub(crate) fn failure(
    exorcist: &mut Exorcist<'_, '_>,
    reached: &[TermId],
    point: Point,
    doomed: &[Point],
) -> Reached {
    let here = reached_point(exorcist, reached, point);
    let how = match ending(exorcist, here) {
        Some(how) => how,
        None => return Reached::Unknown,
    };
    let fails = exorcist.fails(how);
    let mut conditions = vec![here, fails];
    let first = match execution(exorcist, &mut conditions) {
        Reached::Failing(first) => first,
        other => return other,
    };
    if how == Fails::Check && !first.fails_in(&exorcist.frame, point.block) {
        let dominators = &exorcist.frame.copies.dominators;
        let behind: Vec<Point> =
            doomed.iter().filter(|it| dominators.dominates(point.block, it.block)).copied().collect();
        let behind: Vec<Point> = behind
            .into_iter()
            .filter(|&it| exorcist.has_check(it.block))
            .take(limits::DOOMED_CANDIDATES)
            .collect();
        for candidate in behind {
            let mut conditions = vec![reached_point(exorcist, reached, candidate), fails];
            if let Reached::Failing(failing) = execution(exorcist, &mut conditions)
                && failing.fails_in(&exorcist.frame, candidate.block)
            {
                return Reached::Failing(latest(exorcist, failing, conditions));
            }
        }
    }
    Reached::Failing(latest(exorcist, first, conditions))
}

/// How executions end that come to a doomed point: a loop never ends if nobody gets past the point even where no check can fail. None: a budget ran out.
fn ending(exorcist: &mut Exorcist<'_, '_>, reached: TermId) -> Option<Fails> {
    let mut ways = exorcist.frame.copies.nodes.iter().flat_map(|it| &it.ways);
    if !ways.any(|it| matches!(it.to, Dest::Never(_))) {
        return Some(Fails::Check);
    }
    let goes_on = exorcist.outcome.without_checks(&mut exorcist.passive, &exorcist.frame);
    match exorcist.ask(&[reached, goes_on]) {
        Verdict::Sat(_) => Some(Fails::Check),
        Verdict::Unsat(_) => Some(Fails::NeverEnds),
        Verdict::Unknown(_) => None,
    }
}

/// An execution under conditions that fails, and in which no signed operation overflows before; what keeps them from it is added to the conditions.
fn execution(exorcist: &mut Exorcist<'_, '_>, conditions: &mut Vec<TermId>) -> Reached {
    let n_given = conditions.len();
    for _ in 0..limits::DOOMED_OVERFLOWS {
        let model = match exorcist.ask(conditions) {
            Verdict::Sat(model) => model.assignment().clone(),
            Verdict::Unsat(_) if conditions.len() == n_given => return Reached::Never,
            Verdict::Unsat(_) | Verdict::Unknown(_) => return Reached::Unknown,
        };
        match follow(exorcist, &model) {
            Ok(failing) => return Reached::Failing(Box::new(failing)),
            Err(Halt::Overflow(op, a, b)) => {
                let terms = &mut exorcist.passive.terms;
                let Some(overflows) = operations::signed_overflow(terms, op, a, b) else { break };
                conditions.push(terms.not(overflows));
            }
            Err(Halt::Failed(_) | Halt::Normal) => break,
        }
    }
    Reached::Unknown
}

/// An execution that fails as late as possible: where `**v` can fail, but need not, what fails for certain comes later.
fn latest(
    exorcist: &mut Exorcist<'_, '_>,
    mut failing: Box<Failing>,
    mut conditions: Vec<TermId>,
) -> Box<Failing> {
    for _ in 0..limits::DOOMED_FAILURES {
        let End::Failed { check, .. } = &failing.end else { break };
        conditions.push(check.ok);
        match execution(exorcist, &mut conditions) {
            Reached::Failing(later) if matches!(later.end, End::Failed { .. }) => failing = later,
            _ => break,
        }
    }
    failing
}

/// When a point is reached without a failure before.
fn reached_point(exorcist: &mut Exorcist<'_, '_>, reached: &[TermId], point: Point) -> TermId {
    let copies = exorcist.nodes_of(point.block).to_vec();
    let mut any = exorcist.passive.terms.no();
    for node in copies {
        any = exorcist.passive.terms.or(any, reached[node]);
    }
    any
}

/// Follows an execution to its failure.
fn follow(exorcist: &Exorcist<'_, '_>, assignment: &Assignment) -> Result<Failing, Halt> {
    let mut run = Run {
        passive: &exorcist.passive,
        outcome: &exorcist.outcome,
        assignment,
        walk: Walk::new(),
        events: Vec::new(),
        path: Vec::new(),
        freed: Vec::new(),
    };
    let end = match run.follow(&exorcist.frame, None, &[]) {
        Halt::Failed(end) => end,
        other => return Err(other),
    };
    let freed = run.freed_before(&end);
    Ok(Failing { end, events: run.events, path: run.path, freed })
}

impl Failing {
    pub(crate) fn is_assertion(&self) -> bool {
        matches!(&self.end, End::Failed { check, .. } if check.what == Failure::Assertion)
    }

    /// Whether a check fails in that block of the function itself.
    fn fails_in(&self, frame: &Frame<'_>, block: BlockId) -> bool {
        let last = self.path.last().map(|&(node, _)| frame.copies.nodes[node].block);
        matches!(self.end, End::Failed { .. }) && last == Some(block)
    }
}

/// A decision on the way of an execution.
pub(crate) struct Decided {
    /// The calls around it.
    pub(crate) calls: Vec<Spot>,
    /// Where.
    pub(crate) at: Spot,
    /// What was decided, for people; none if it has no words.
    pub(crate) words: Option<catalog::Condition>,
    /// What was decided.
    pub(crate) condition: TermId,
}

/// How an execution ends that does not end normally.
pub(crate) enum End {
    Failed {
        check: Check,
        frame: Option<usize>,
        calls: Vec<Spot>,
    },
    /// A loop never ends.
    Endless(LoopId),
}

/// What a frame is followed to.
enum Halt {
    Failed(End),
    /// C does not define this signed operation, and nothing that comes behind it.
    Overflow(BinOp, TermId, TermId),
    /// It comes back, or ends the program as its author wished.
    Normal,
}

/// One execution, followed to its failure.
struct Run<'a> {
    passive: &'a Passive<'a>,
    outcome: &'a Outcome,
    assignment: &'a Assignment,
    walk: Walk,
    events: Vec<Decided>,
    /// Of the function itself: nodes that were passed, with the way that led there.
    path: Vec<(usize, Option<(usize, usize)>)>,
    /// What was freed on the way, by the value of its root.
    freed: Vec<(u128, Step)>,
}

impl Run<'_> {
    fn freed(&mut self, frame: &Frame<'_>, freeing: &Freeing, calls: &[Spot]) {
        if self.holds(freeing.when) {
            let root = self.walk.eval(&self.passive.terms, freeing.root, self.assignment);
            let at = spot(frame.code, freeing.loc);
            self.freed.push((root, Step { calls: calls.to_vec(), at, event: Event::Freed }));
        }
    }

    /// Where memory was freed whose use is an error.
    fn freed_before(&mut self, end: &End) -> Option<Step> {
        let End::Failed { check, .. } = end else { return None };
        let (Failure::Freed(_, root) | Failure::FreedAgain(_, root)) = &check.what else { return None };
        let root = self.walk.eval(&self.passive.terms, *root, self.assignment);
        self.freed.iter().rev().find(|it| it.0 == root).map(|it| it.1.clone())
    }

    fn holds(&mut self, condition: TermId) -> bool {
        self.walk.eval(&self.passive.terms, condition, self.assignment) == 1
    }

    /// Whether a signed operation overflows.
    fn overflows(&mut self, op: BinOp, a: TermId, b: TermId) -> bool {
        let width = self.passive.terms.width(a);
        let [a, b] = [a, b].map(|it| {
            let value = self.walk.eval(&self.passive.terms, it, self.assignment);
            term::signed(width, value)
        });
        let exact = match op {
            BinOp::Add => a.checked_add(b),
            BinOp::Sub => a.checked_sub(b),
            BinOp::Mul => a.checked_mul(b),
            _ => return false,
        };
        exact.is_none_or(|it| term::signed(width, it as u128 & term::mask(width)) != it)
    }

    /// Follows a frame.
    fn follow(&mut self, frame: &Frame<'_>, number: Option<usize>, calls: &[Spot]) -> Halt {
        let mut node = 0;
        let mut came = None;
        loop {
            if number.is_none() {
                self.path.push((node, came));
            }
            for item in &frame.items[node] {
                match item {
                    Item::Check(check) if !self.outcome.is_idle(check) && !self.holds(check.ok) => {
                        let calls = calls.to_vec();
                        return Halt::Failed(End::Failed { check: *check, frame: number, calls });
                    }
                    Item::Check(_) => {}
                    Item::Assume(condition) if !self.holds(*condition) => return Halt::Normal,
                    Item::Assume(_) => {}
                    Item::Ends(when) if self.holds(*when) => return Halt::Normal,
                    Item::Ends(_) => {}
                    Item::Signed(op, a, b) if self.overflows(*op, *a, *b) => {
                        return Halt::Overflow(*op, *a, *b);
                    }
                    Item::Signed(..) => {}
                    Item::Free(freeing) => self.freed(frame, freeing, calls),
                    Item::Call(callee) => {
                        let passive = self.passive;
                        let inner = &passive.frames[*callee];
                        let mut calls = calls.to_vec();
                        calls.push(spot(frame.code, self.call_loc(frame, node, *callee)));
                        match self.follow(inner, Some(*callee), &calls) {
                            Halt::Normal => {}
                            halt => return halt,
                        }
                    }
                }
            }
            let data = &frame.copies.nodes[node];
            let Some(way) = (0..data.ways.len()).find(|&way| self.holds(frame.conds[node][way])) else {
                return Halt::Normal;
            };
            self.decided(frame, node, way, calls);
            match data.ways[way].to {
                Dest::Node(to) => {
                    came = Some((node, way));
                    node = to;
                }
                Dest::Anything => return Halt::Normal,
                Dest::Never(id) => return Halt::Failed(End::Endless(id)),
            }
        }
    }

    /// Where the call of an inlined frame stands: calls of a node and its frames come in the same order.
    fn call_loc(&self, frame: &Frame<'_>, node: usize, callee: usize) -> LocId {
        let block = frame.copies.nodes[node].block;
        let calls =
            frame.items[node].iter().filter_map(|it| if let Item::Call(id) = it { Some(*id) } else { None });
        let inlined: Vec<usize> = calls.collect();
        let position = inlined.iter().position(|&it| it == callee);
        let name = self.passive.frames[callee].code.function().name;
        let name = self.passive.frames[callee].code.module.symbols.resolve(name);
        let before = inlined.iter().take(position.unwrap_or(0)).filter(|&&it| {
            let code = self.passive.frames[it].code;
            code.module.symbols.resolve(code.function().name) == name
        });
        let skip = before.count();
        let is_meant = |inst: &&ir::InstId| match &frame.body.insts[**inst].inst {
            Inst::Call { call } => match frame.body.calls[*call].callee {
                ir::Callee::Func(func) => {
                    let module = frame.code.module;
                    module.symbols.resolve(module.functions[func].name) == name
                }
                _ => false,
            },
            _ => false,
        };
        let insts = &frame.body.blocks[block].insts;
        insts.iter().filter(is_meant).nth(skip).map_or(LocId::FIRST, |&inst| frame.body.insts[inst].loc)
    }

    fn decided(&mut self, frame: &Frame<'_>, node: usize, way: usize, calls: &[Spot]) {
        let data = &frame.copies.nodes[node];
        let block = &frame.body.blocks[data.block];
        let function = frame.code.function();
        let words = words::decision(frame.code.module, function, &block.term, data.ways[way].target);
        let (calls, at, condition) =
            (calls.to_vec(), spot(frame.code, block.term_loc), frame.conds[node][way]);
        self.events.push(Decided { calls, at, words, condition });
    }
}
