//! What the user reads of a doomed point: the line that fails, and all lines that make it certain.
//!
//! A model of "the point is reached" is an execution that fails; it is followed to its failure. The decisions on its way, and the check that fails, contradict one another: those that are in the
//! core of that contradiction are told, and where the value comes from.
//! Source: Hoenicke et al., §2 (the statements that lead to the crash are reported, too). Departure: of the doomed points only the outermost of each cause is told, and points that no execution
//! reaches are told as dead code, if at all.

use catalog::Issue;
use ir::{BlockId, Inst, LocId, Operand, Terminator, ValueDef};
use rustc_hash::FxHashSet;
use solver::Verdict;
use term::{Assignment, TermId, Walk};

use crate::copies::Dest;
use crate::exorcise::{Exorcist, Options, Point};
use crate::passive::{Check, Failure, Frame, Freeing, Item, Passive};
use crate::told::is_told;
use crate::words;
use crate::world::Code;

/// Steps that a story has at most.
const MAX_STEPS: usize = 8;

/// A doomed or dead point, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// [`Issue::Doomed`] or [`Issue::DeadCode`].
    pub issue: Issue,
    /// Where it fails, in the function itself: the call, if it fails in a callee.
    pub at: Spot,
    /// One sentence.
    pub message: String,
    /// How it comes about, in the order of time; the last step is the failure.
    pub steps: Vec<Step>,
}

/// A place in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The file as debug info has it.
    pub file: String,
    /// From 1; 0 if it is not known.
    pub line: u32,
    /// From 1; 0 if it is not known.
    pub column: u32,
    /// The function, by the name that the user knows.
    pub function: String,
}

/// A step of a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The calls around it, outermost first.
    pub calls: Vec<Spot>,
    /// Where it happens.
    pub at: Spot,
    /// What happens.
    pub text: String,
}

/// The findings that doomed points amount to.
pub(crate) fn tell(exorcist: &mut Exorcist<'_, '_>, doomed: &[Point], options: &Options) -> Vec<Found> {
    let roots = outermost(&exorcist.frame, doomed);
    if roots.is_empty() {
        return Vec::new();
    }
    let reached = exorcist.outcome.reached(&mut exorcist.passive, &exorcist.frame);
    let mut told: FxHashSet<Spot> = FxHashSet::default();
    let mut findings = Vec::new();
    for &point in &roots {
        match failure(exorcist, &reached, point, doomed) {
            Reached::Failing(failing) if !is_told(exorcist, point, &failing, doomed) => {}
            Reached::Failing(failing) => {
                if is_repeated(exorcist, &failing) {
                    continue;
                }
                let found = doom(exorcist, point, *failing, doomed);
                if told.insert(found.at.clone()) {
                    findings.push(found);
                }
            }
            Reached::Never if options.dead_code => findings.extend(dead(exorcist, point)),
            Reached::Never | Reached::Unknown => {}
        }
    }
    findings
}

/// Whether an assertion only repeats what the decisions around it say, all of which come out of one macro with it: it is meant to fail.
///
/// ```c
/// #define CHECK(e) do { if (!(e)) { report(#e); if (is_strict) assert(e); return 1; } } while (0)
/// ```
fn is_repeated(exorcist: &mut Exorcist<'_, '_>, failing: &Failing) -> bool {
    let Some((test, before)) = failing.events.split_last().filter(|_| failing.is_assertion()) else {
        return false;
    };
    let mut conditions: Vec<TermId> =
        before.iter().filter(|it| it.step.at == test.step.at).map(|it| it.condition).collect();
    if conditions.is_empty() {
        return false;
    }
    conditions.push(exorcist.passive.terms.not(test.condition));
    exorcist.ask(&conditions).is_unsat()
}

/// Whether a point is reached.
enum Reached {
    Failing(Box<Failing>),
    /// By no execution.
    Never,
    /// A budget ran out.
    Unknown,
}

/// An execution that comes to a point, and fails.
pub(crate) struct Failing {
    pub(crate) end: End,
    events: Vec<Event>,
    pub(crate) path: Vec<(usize, Option<(usize, usize)>)>,
    /// Where the memory was freed, if that is the error.
    freed: Option<Step>,
}

/// Blocks behind a doomed point that are looked at for what fails.
const MAX_CANDIDATES: usize = 4;

/// An execution that reaches a point; by preference one that fails in a block in which nothing else can happen.
fn failure(exorcist: &mut Exorcist<'_, '_>, reached: &[TermId], point: Point, doomed: &[Point]) -> Reached {
    let passed = reached_point(exorcist, reached, point);
    let model = match exorcist.ask(&[passed]) {
        Verdict::Sat(model) => model.assignment().clone(),
        Verdict::Unsat(_) => return Reached::Never,
        Verdict::Unknown(_) => return Reached::Unknown,
    };
    let Some(first) = follow(exorcist, &model) else { return Reached::Unknown };
    if point.target.is_none() && !first.fails_in(&exorcist.frame, point.block) {
        let is_behind = |it: &&Point| {
            it.target.is_none() && exorcist.frame.copies.dominators.dominates(point.block, it.block)
        };
        let behind: Vec<Point> = doomed.iter().filter(is_behind).copied().collect();
        let behind: Vec<Point> =
            behind.into_iter().filter(|&it| exorcist.has_check(it.block)).take(MAX_CANDIDATES).collect();
        for candidate in behind {
            let passed = reached_point(exorcist, reached, candidate);
            let Verdict::Sat(model) = exorcist.ask(&[passed]) else { continue };
            let model = model.assignment().clone();
            if let Some(failing) = follow(exorcist, &model)
                && failing.fails_in(&exorcist.frame, candidate.block)
            {
                return Reached::Failing(Box::new(latest(exorcist, failing, passed)));
            }
        }
    }
    Reached::Failing(Box::new(latest(exorcist, first, passed)))
}

/// Failures that are looked behind for the one that is certain.
const MAX_FAILURES: usize = 12;

/// An execution that fails as late as possible: where `**v` can fail, but need not, what fails for certain comes later.
fn latest(exorcist: &mut Exorcist<'_, '_>, mut failing: Failing, passed: TermId) -> Failing {
    let mut conditions = vec![passed];
    for _ in 0..MAX_FAILURES {
        let End::Failed { check, .. } = &failing.end else { break };
        conditions.push(check.ok);
        let Verdict::Sat(model) = exorcist.ask(&conditions) else { break };
        let model = model.assignment().clone();
        match follow(exorcist, &model) {
            Some(later) if matches!(later.end, End::Failed { .. }) => failing = later,
            _ => break,
        }
    }
    failing
}

/// Follows an execution to its failure.
fn follow(exorcist: &Exorcist<'_, '_>, assignment: &Assignment) -> Option<Failing> {
    let mut run = Run {
        passive: &exorcist.passive,
        outcome: &exorcist.outcome,
        assignment,
        walk: Walk::new(),
        events: Vec::new(),
        path: Vec::new(),
        freed: Vec::new(),
    };
    let end = run.follow(&exorcist.frame, None, &[])?;
    let freed = run.freed_before(&end);
    Some(Failing { end, events: run.events, path: run.path, freed })
}

impl Failing {
    fn is_assertion(&self) -> bool {
        matches!(&self.end, End::Failed { check, .. } if check.what == Failure::Assertion)
    }

    /// Whether a check fails in that block of the function itself.
    fn fails_in(&self, frame: &Frame<'_>, block: BlockId) -> bool {
        let last = self.path.last().map(|&(node, _)| frame.copies.nodes[node].block);
        matches!(self.end, End::Failed { .. }) && last == Some(block)
    }
}

/// The doomed points that are not doomed merely because one is that all ways to them pass, or that all ways from them pass next.
fn outermost(frame: &Frame<'_>, doomed: &[Point]) -> Vec<Point> {
    let blocks: FxHashSet<BlockId> =
        doomed.iter().filter(|it| it.target.is_none()).map(|it| it.block).collect();
    let dominators = &frame.copies.dominators;
    let is_behind = |block: BlockId| {
        let mut above = dominators.immediate(block);
        while let Some(it) = above {
            if blocks.contains(&it) {
                return true;
            }
            above = dominators.immediate(it);
        }
        false
    };
    let is_outermost = |point: &&Point| match point.target {
        None => !is_behind(point.block),
        Some(target) => {
            let to = frame.body.blocks[point.block].term.targets().nth(target).map(|it| it.block);
            !blocks.contains(&point.block)
                && !is_behind(point.block)
                && !to.is_some_and(|it| blocks.contains(&it))
        }
    };
    doomed.iter().filter(is_outermost).copied().collect()
}

/// When a point is reached without a failure before.
fn reached_point(exorcist: &mut Exorcist<'_, '_>, reached: &[TermId], point: Point) -> TermId {
    let mut any = exorcist.passive.terms.no();
    for (node, &condition) in reached.iter().enumerate() {
        if exorcist.frame.copies.nodes[node].block != point.block {
            continue;
        }
        let here = match point.target {
            None => condition,
            Some(target) => {
                let left = exorcist.outcome.left(&mut exorcist.passive, &exorcist.frame, node, condition);
                let mut taken = exorcist.passive.terms.no();
                for (way, data) in exorcist.frame.copies.nodes[node].ways.iter().enumerate() {
                    if data.target == target {
                        taken = exorcist.passive.terms.or(taken, exorcist.frame.conds[node][way]);
                    }
                }
                exorcist.passive.terms.and(left, taken)
            }
        };
        any = exorcist.passive.terms.or(any, here);
    }
    any
}

/// Something on the way of an execution.
pub(crate) struct Event {
    step: Step,
    /// What was decided.
    condition: TermId,
}

/// How an execution ends that does not end normally.
pub(crate) enum End {
    Failed {
        check: Check,
        frame: Option<usize>,
        calls: Vec<Spot>,
    },
    /// The loop with this header never ends.
    Endless(BlockId),
}

/// One execution, followed to its failure.
struct Run<'a> {
    passive: &'a Passive<'a>,
    outcome: &'a crate::outcome::Outcome,
    assignment: &'a Assignment,
    walk: Walk,
    events: Vec<Event>,
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
            self.freed.push((root, Step { calls: calls.to_vec(), at, text: "it is freed here".to_owned() }));
        }
    }

    /// Where memory was freed whose use is an error.
    fn freed_before(&mut self, end: &End) -> Option<Step> {
        let End::Failed { check: Check { what: Failure::Freed(_, root), .. }, .. } = end else { return None };
        let root = self.walk.eval(&self.passive.terms, *root, self.assignment);
        self.freed.iter().rev().find(|it| it.0 == root).map(|it| it.1.clone())
    }

    fn holds(&mut self, condition: TermId) -> bool {
        self.walk.eval(&self.passive.terms, condition, self.assignment) == 1
    }

    /// Follows a frame; none if it ends normally.
    fn follow(&mut self, frame: &Frame<'_>, number: Option<usize>, calls: &[Spot]) -> Option<End> {
        let mut node = 0;
        let mut came = None;
        loop {
            if number.is_none() {
                self.path.push((node, came));
            }
            for item in &frame.items[node] {
                match item {
                    Item::Check(check) if !self.outcome.is_idle(check) && !self.holds(check.ok) => {
                        return Some(End::Failed { check: *check, frame: number, calls: calls.to_vec() });
                    }
                    Item::Check(_) => {}
                    Item::Assume(condition) if !self.holds(*condition) => return None,
                    Item::Assume(_) => {}
                    Item::Ends(when) if self.holds(*when) => return None,
                    Item::Ends(_) | Item::Signed(..) => {}
                    Item::Free(freeing) => self.freed(frame, freeing, calls),
                    Item::Call(callee) => {
                        let passive = self.passive;
                        let inner = &passive.frames[*callee];
                        let mut calls = calls.to_vec();
                        calls.push(spot(frame.code, self.call_loc(frame, node, *callee)));
                        if let Some(end) = self.follow(inner, Some(*callee), &calls) {
                            return Some(end);
                        }
                    }
                }
            }
            let data = &frame.copies.nodes[node];
            let way = (0..data.ways.len()).find(|&way| self.holds(frame.conds[node][way]))?;
            self.decided(frame, node, way, calls);
            match data.ways[way].to {
                Dest::Node(to) => {
                    came = Some((node, way));
                    node = to;
                }
                Dest::Anything => return None,
                Dest::Never(id) => return Some(End::Endless(frame.copies.loops.get(id).header)),
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
        let text = words::decision(frame.code.module, function, &block.term, data.ways[way].target);
        let at = spot(frame.code, block.term_loc);
        let step = Step { calls: calls.to_vec(), at, text: text.unwrap_or_default() };
        self.events.push(Event { step, condition: frame.conds[node][way] });
    }
}

/// The story of a doomed point, from one execution that reaches it.
fn doom(exorcist: &mut Exorcist<'_, '_>, point: Point, failing: Failing, doomed: &[Point]) -> Found {
    let is_own = is_own(&exorcist.frame, &failing, doomed);
    let is_assertion = failing.is_assertion();
    let Failing { end, mut events, path, freed } = failing;
    let frame = &exorcist.frame;
    let (phrase, failed, calls, ok, origins) = match &end {
        End::Failed { check, frame: number, calls } => {
            let inner = number.map_or(frame, |it| &exorcist.passive.frames[it]);
            let phrase = words::failure(inner.code.module, inner.code.function(), check.what);
            let mut origins = if number.is_none() { origins(frame, &path, check) } else { Vec::new() };
            origins.extend(freed);
            (phrase, spot(inner.code, check.loc), calls.clone(), Some(check.ok), origins)
        }
        End::Endless(header) => {
            let at = spot(frame.code, frame.body.blocks[*header].term_loc);
            (
                "the loop never ends: nothing changes that decides about it".to_owned(),
                at,
                Vec::new(),
                None,
                Vec::new(),
            )
        }
    };
    let at = calls.first().cloned().unwrap_or_else(|| failed.clone());
    let decision = point.target.map(|target| (point.block, target));
    let outcome = message(frame, is_own, decision, point.block, failed.line);
    let message = format!("{phrase}; {outcome}");
    // The failing branch of an assertion always fails; what should have held is that it is not taken.
    let test = if is_assertion { events.pop() } else { None };
    let ok = test.map_or(ok, |test| Some(exorcist.passive.terms.not(test.condition)));
    let mut steps = certain(exorcist, &events, ok);
    for origin in origins.into_iter().rev() {
        if !steps.iter().any(|it| it.at == origin.at) {
            let place = steps.iter().position(|it| it.at.line > origin.at.line).unwrap_or(steps.len());
            steps.insert(place, origin);
        }
    }
    steps.truncate(MAX_STEPS);
    steps.push(Step { calls, at: failed, text: phrase });
    Found { issue: Issue::Doomed, at, message, steps }
}

/// Whether nobody gets past the block in which the execution fails. The failing branch of an assertion is one with the block of its test.
pub(crate) fn is_own(frame: &Frame<'_>, failing: &Failing, doomed: &[Point]) -> bool {
    let is_assertion = failing.is_assertion();
    let mut blocks = failing.path.iter().rev().map(|&(node, _)| frame.copies.nodes[node].block);
    let block = if is_assertion { blocks.nth(1) } else { blocks.next() };
    doomed.iter().any(|it| it.target.is_none() && Some(it.block) == block)
}

/// What that means.
fn message(
    frame: &Frame<'_>,
    is_own: bool,
    decision: Option<(BlockId, usize)>,
    block: BlockId,
    line: u32,
) -> String {
    if is_own {
        return "no execution gets past this line".to_owned();
    }
    let from = match decision {
        Some((block, _)) => spot(frame.code, frame.body.blocks[block].term_loc).line,
        None => first_loc(frame, block).map_or(0, |loc| spot(frame.code, loc).line),
    };
    match decision {
        Some((block, target)) => {
            let function = frame.code.function();
            let words = words::decision(frame.code.module, function, &frame.body.blocks[block].term, target);
            let words = words.unwrap_or("it goes on so".to_owned());
            format!("every execution fails for which, in line {from}, {words}")
        }
        None if from == 0 || from == line => "no execution gets past this line".to_owned(),
        None => format!("every execution that comes to line {from} fails"),
    }
}

/// The decisions that contradict the check, by the core of the contradiction.
fn certain(exorcist: &mut Exorcist<'_, '_>, events: &[Event], ok: Option<TermId>) -> Vec<Step> {
    let is_open = |exorcist: &Exorcist<'_, '_>, it: TermId| exorcist.passive.terms.value(it).is_none();
    let mut conditions: Vec<TermId> =
        events.iter().map(|it| it.condition).filter(|&it| is_open(exorcist, it)).collect();
    conditions.extend(ok);
    let core: Vec<TermId> = match exorcist.ask(&conditions) {
        Verdict::Unsat(core) => core.conditions().to_vec(),
        Verdict::Sat(_) | Verdict::Unknown(_) => {
            let vars = ok.map_or(Vec::new(), |ok| exorcist.passive.terms.vars_of(ok));
            let related =
                |it: &&TermId| exorcist.passive.terms.vars_of(**it).iter().any(|var| vars.contains(var));
            conditions.iter().filter(related).copied().collect()
        }
    };
    let mut steps: Vec<Step> = Vec::new();
    for event in events {
        let is_told = core.contains(&event.condition) && !event.step.text.is_empty();
        if is_told && !steps.contains(&event.step) {
            steps.push(event.step.clone());
        }
    }
    steps
}

/// Where the blamed value comes from, followed back along the way of the execution.
fn origins(frame: &Frame<'_>, path: &[(usize, Option<(usize, usize)>)], check: &Check) -> Vec<Step> {
    let (mut operand, is_null) = match check.what {
        Failure::Null(operand) => (words::pointer(frame.body, operand), true),
        Failure::DivByZero(operand) => (operand, false),
        _ => return Vec::new(),
    };
    let mut steps = Vec::new();
    let mut upto = path.len();
    for _ in 0..100 {
        let Some(value) = operand.value() else { break };
        match frame.body.values[value].def {
            ValueDef::Result(inst, _) => match &frame.body.insts[inst].inst {
                Inst::Assign { value, var } => {
                    if let Operand::Const(_) = value {
                        let name = frame.code.module.symbols.resolve(frame.body.vars[*var].name);
                        let what = if is_null { "null" } else { "zero" };
                        let at = spot(frame.code, frame.body.insts[inst].loc);
                        steps.push(Step {
                            calls: Vec::new(),
                            at,
                            text: format!("`{name}` is set to {what}"),
                        });
                    }
                    operand = *value;
                }
                Inst::PtrAdd { base: from, .. }
                | Inst::Cast { arg: from, .. }
                | Inst::Freeze { arg: from } => operand = *from,
                _ => break,
            },
            ValueDef::Param(block, at) => {
                // The last time that the execution entered the block, it came with this argument.
                let entered =
                    path[..upto].iter().rposition(|&(node, _)| frame.copies.nodes[node].block == block);
                let Some((entered, (_, Some((pred, way))))) = entered.map(|it| (it, path[it])) else { break };
                let target = frame.copies.nodes[pred].ways[way].target;
                let term = &frame.body.blocks[frame.copies.nodes[pred].block].term;
                let Some(target) = term.targets().nth(target) else { break };
                operand = target.args[at as usize];
                upto = entered;
            }
        }
    }
    steps
}

/// The story of code that no execution reaches; none where it is a precaution.
fn dead(exorcist: &mut Exorcist<'_, '_>, point: Point) -> Option<Found> {
    let frame = &exorcist.frame;
    if point.target.is_some() || is_precaution(frame, point.block) {
        return None;
    }
    // Behind a certain failure nothing is dead: the failure is the finding.
    if !matches!(exorcist.ask(&[point.passed]), Verdict::Unsat(_)) {
        return None;
    }
    let frame = &exorcist.frame;
    let at = spot(frame.code, first_loc(frame, point.block)?);
    let message = "no execution comes here: the conditions on the way contradict one another".to_owned();
    let mut steps = Vec::new();
    let mut above = Some(point.block);
    while let Some(block) = above {
        let preds = frame.copies.cfg.predecessors(block);
        if let [pred] = preds {
            let data = &frame.body.blocks[*pred];
            let target = data.term.targets().position(|it| it.block == block).unwrap_or(0);
            let text = words::decision(frame.code.module, frame.code.function(), &data.term, target);
            if let Some(text) = text {
                steps.push(Step {
                    calls: Vec::new(),
                    at: spot(frame.code, data.term_loc),
                    text: format!("here, {text}"),
                });
            }
        }
        above = frame.copies.dominators.immediate(block);
    }
    steps.truncate(MAX_STEPS);
    steps.reverse();
    steps.push(Step { calls: Vec::new(), at: at.clone(), text: "nothing comes here".to_owned() });
    Some(Found { issue: Issue::DeadCode, at, message, steps })
}

/// Whether code is meant not to be reached: switched off by a constant, a default that cannot happen, an end of the program.
fn is_precaution(frame: &Frame<'_>, block: BlockId) -> bool {
    let data = &frame.body.blocks[block];
    let is_plumbing =
        data.insts.is_empty() && matches!(&data.term, Terminator::Jump(target) if target.args.is_empty());
    if matches!(data.term, Terminator::Unreachable { .. }) || is_plumbing {
        return true;
    }
    let preds = frame.copies.cfg.predecessors(block);
    preds.iter().any(|&pred| match &frame.body.blocks[pred].term {
        Terminator::Branch { cond, .. } => is_constant(frame, *cond),
        Terminator::Switch { default, .. } => default.block == block,
        Terminator::Jump(_) => true,
        _ => false,
    })
}

/// Whether a condition compares constants, or nothing at all.
fn is_constant(frame: &Frame<'_>, cond: Operand) -> bool {
    let Some(value) = cond.value() else { return true };
    match frame.body.values[value].def {
        ValueDef::Result(inst, _) => match &frame.body.insts[inst].inst {
            Inst::Compare { lhs: Operand::Const(_), rhs: Operand::Const(_), .. } => true,
            Inst::Assign { value, .. } | Inst::Cast { arg: value, .. } => is_constant(frame, *value),
            _ => false,
        },
        ValueDef::Param(..) => false,
    }
}

/// The first place of a block that is known.
fn first_loc(frame: &Frame<'_>, block: BlockId) -> Option<LocId> {
    let data = &frame.body.blocks[block];
    let locs = data.insts.iter().map(|&inst| frame.body.insts[inst].loc).chain([data.term_loc]);
    locs.into_iter().find(|&loc| frame.code.module.locs[loc].line > 0)
}

/// A place, spelled out.
fn spot(code: Code<'_>, loc: LocId) -> Spot {
    let function = code.module.symbols.resolve(code.function().pretty);
    let function = ir::names::without_params(function).to_owned();
    let data = code.module.locs[loc];
    let file = data.file.map_or("", |file| code.module.symbols.resolve(code.module.files[file]));
    Spot { file: file.to_owned(), line: data.line, column: data.column, function }
}
