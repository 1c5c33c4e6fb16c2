//! What the user reads of a doomed point: the line that fails, and all lines that make it certain.
//!
//! A model of "the point is reached" is an execution that fails; it is followed to its failure. The decisions
//! on its way, and the check that fails, contradict one another: those that are in the core of that
//! contradiction are told, and where the value comes from.
//! Source: Hoenicke et al., §2 (the statements that lead to the crash are reported, too). Departure: of the
//! doomed points only the outermost of each cause is told, and points that no execution reaches are told as
//! dead code, if at all.

use base::limits;
use catalog::{Event, Extent, Issue, What};
use ir::{BlockId, Inst, LocId, Operand, ValueDef};
use rustc_hash::FxHashSet;
use solver::Verdict;
use term::TermId;

use crate::code::Code;
use crate::dead::dead;
use crate::definitions::pointer;
use crate::endless;
use crate::exorcise::{Exorcist, Options, Point};
use crate::frame::Frame;
use crate::passive::{Check, Failure};
use crate::run::{Decided, End, Failing, Reached, failure};
use crate::told::is_told;
use crate::words;

/// A doomed or dead point, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The kind of the failure, or [`Issue::DeadCode`].
    pub issue: Issue,
    /// Where it fails, in the function itself: the call, if it fails in a callee.
    pub at: Spot,
    /// What fails.
    pub what: What,
    /// Which executions fail; none if it is no failure.
    pub extent: Option<Extent>,
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The calls around it, outermost first.
    pub calls: Vec<Spot>,
    /// Where it happens.
    pub at: Spot,
    /// What happens.
    pub event: Event,
}

/// The findings that doomed points amount to.
pub(crate) fn tell(exorcist: &mut Exorcist<'_, '_>, doomed: &[Point], options: &Options) -> Vec<Found> {
    let (told, others): (Vec<Point>, Vec<Point>) =
        doomed.iter().partition(|it| exorcist.is_block_told(it.block));
    let mut roots = outermost(&exorcist.frame, &told);
    let n_told = roots.len();
    // Others are asked about for dead code alone.
    roots.extend(
        outermost(&exorcist.frame, doomed)
            .iter()
            .filter(|it| others.iter().any(|other| other.block == it.block)),
    );
    if roots.is_empty() {
        return Vec::new();
    }
    let reached = exorcist.outcome.reached(&mut exorcist.passive, &exorcist.frame);
    let mut findings = Vec::new();
    let mut endless = FxHashSet::default();
    for (at, &point) in roots.iter().enumerate() {
        match failure(exorcist, &reached, point, doomed) {
            Reached::Failing(_) if at >= n_told => {}
            Reached::Failing(failing) if !is_told(exorcist, point, &failing, doomed) => {}
            Reached::Failing(failing) => {
                let is_known = matches!(failing.end, End::Endless(id) if !endless.insert(id));
                if is_known || is_repeated(exorcist, &failing) {
                    continue;
                }
                findings.push(doom(exorcist, point, *failing, doomed));
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
    if is_opposite(&exorcist.frame, failing) {
        return true;
    }
    let mut conditions: Vec<TermId> =
        before.iter().filter(|it| it.at == test.at).map(|it| it.condition).collect();
    if conditions.is_empty() {
        return false;
    }
    conditions.push(exorcist.passive.terms.not(test.condition));
    exorcist.ask(&conditions).is_unsat()
}

/// Whether an assertion says literally the opposite of the decision that alone leads to it: it stands there to say that this does not happen.
///
/// ```c
/// else if (i >= n) { assert(i < n); … }
/// ```
fn is_opposite(frame: &Frame<'_>, failing: &Failing) -> bool {
    let End::Failed { frame: None, .. } = failing.end else { return false };
    let [.., decision, test] = failing.events.as_slice() else { return false };
    let [.., (tested, Some((decided, _))), _] = failing.path.as_slice() else { return false };
    let block = |node: &usize| frame.copies.nodes[*node].block;
    test.condition == decision.condition && *frame.copies.cfg.predecessors(block(tested)) == [block(decided)]
}

/// The points that are not doomed merely because one is that all ways to them pass.
fn outermost(frame: &Frame<'_>, doomed: &[Point]) -> Vec<Point> {
    let blocks: FxHashSet<BlockId> = doomed.iter().map(|it| it.block).collect();
    let dominators = &frame.copies.dominators;
    let above = |block| std::iter::successors(dominators.immediate(block), |&it| dominators.immediate(it));
    let is_outermost = |point: &&Point| !above(point.block).any(|it| blocks.contains(&it));
    doomed.iter().filter(is_outermost).copied().collect()
}

/// The story of a doomed point, from one execution that reaches it.
fn doom(exorcist: &mut Exorcist<'_, '_>, point: Point, failing: Failing, doomed: &[Point]) -> Found {
    let is_own = is_own(&exorcist.frame, &failing, doomed);
    let is_assertion = failing.is_assertion();
    let Failing { end, mut events, path, freed } = failing;
    let frame = &exorcist.frame;
    let (issue, what, failed, calls, ok, origins) = match &end {
        End::Failed { check, frame: number, calls } => {
            let inner = number.map_or(frame, |it| &exorcist.passive.frames[it]);
            let what = words::failure(inner.code.module, inner.code.function(), check.what);
            let mut origins = if number.is_none() { origins(frame, &path, check) } else { Vec::new() };
            origins.extend(freed);
            let issue = words::issue(check.what);
            (issue, what, spot(inner.code, check.loc), calls.clone(), Some(check.ok), origins)
        }
        End::Endless(id) => {
            let at = first_loc(frame, endless::body(frame, *id))
                .map_or(Spot::default(), |it| spot(frame.code, it));
            (Issue::Endless, endless::what(frame, *id), at, Vec::new(), None, Vec::new())
        }
    };
    let at = calls.first().cloned().unwrap_or_else(|| failed.clone());
    let extent = Some(extent(frame, is_own, point.block, failed.line));
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
    steps.truncate(limits::DOOMED_STORY);
    steps.push(Step { calls, at: failed, event: Event::Error(what.clone()) });
    Found { issue, at, what, extent, steps }
}

/// Whether nobody gets past the block in which the execution fails. The failing branch of an assertion is one with the block of its test.
pub(crate) fn is_own(frame: &Frame<'_>, failing: &Failing, doomed: &[Point]) -> bool {
    let is_assertion = failing.is_assertion();
    let mut blocks = failing.path.iter().rev().map(|&(node, _)| frame.copies.nodes[node].block);
    let block = if is_assertion { blocks.nth(1) } else { blocks.next() };
    doomed.iter().any(|it| Some(it.block) == block)
}

/// Which executions fail.
fn extent(frame: &Frame<'_>, is_own: bool, block: BlockId, line: u32) -> Extent {
    let from = first_loc(frame, block).map_or(0, |loc| spot(frame.code, loc).line);
    if is_own || from == 0 || from == line { Extent::ThisLine } else { Extent::Line(from) }
}

/// The decisions that contradict the check, by the core of the contradiction.
fn certain(exorcist: &mut Exorcist<'_, '_>, events: &[Decided], ok: Option<TermId>) -> Vec<Step> {
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
        let Some(words) = event.words.clone().filter(|_| core.contains(&event.condition)) else { continue };
        let step = Step { calls: event.calls.clone(), at: event.at.clone(), event: Event::Branch(words) };
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    steps
}

/// Where the blamed value comes from, followed back along the way of the execution.
fn origins(frame: &Frame<'_>, path: &[(usize, Option<(usize, usize)>)], check: &Check) -> Vec<Step> {
    let (mut operand, is_null) = match check.what {
        Failure::Null(operand) => (pointer(frame.body, operand), true),
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
                        let at = spot(frame.code, frame.body.insts[inst].loc);
                        let name = name.to_owned();
                        let event = if is_null { Event::SetToNull(name) } else { Event::SetToZero(name) };
                        steps.push(Step { calls: Vec::new(), at, event });
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

/// The first place of a block that is known.
pub(crate) fn first_loc(frame: &Frame<'_>, block: BlockId) -> Option<LocId> {
    let data = &frame.body.blocks[block];
    let locs = data.insts.iter().map(|&inst| frame.body.insts[inst].loc).chain([data.term_loc]);
    locs.into_iter().find(|&loc| frame.code.module.locs[loc].line > 0)
}

/// A place, spelled out.
pub(crate) fn spot(code: Code<'_>, loc: LocId) -> Spot {
    let function = code.module.symbols.resolve(code.function().pretty);
    let function = ir::names::without_params(function).to_owned();
    let data = code.module.locs[loc];
    let file = data.file.map_or("", |file| code.module.symbols.resolve(code.module.files[file]));
    Spot { file: file.to_owned(), line: data.line, column: data.column, function }
}

#[cfg(test)]
mod tests {
    use crate::testing::findings;

    #[test]
    fn only_what_makes_it_certain_is_told() {
        let text = "target pointer 8\nfile file0 \"a.c\"\ntype t0 = pointer t1\ntype t1 = void\nfunc @f(ptr, i32, i32) !file0:1 {\n  var x0 p: t0 param 0 !1:1\n\
                    b0(v0: ptr p, v1: i32, v2: i32):\n  v3: i1 = cmp sgt v1, i32 9 !2:1\n  branch v3 ? b1 : b5 !2:1\nb1:\n  \
                    v4: i1 = cmp ne v0, null !3:1\n  branch v4 ? b5 : b2 !3:1\nb2:\n  v5: i1 = cmp eq v2, i32 1 !4:1\n  \
                    branch v5 ? b3 : b4 !4:1\nb3:\n  store v2 to v0 align 4 !5:1\n  return !5:2\nb4:\n  store v1 to v0 align 4 !6:1\n  \
                    return !6:2\nb5:\n  return !7:1\n}\n";
        let told = findings(text);
        assert_eq!(told.len(), 6, "{told:?}");
        for (story, line) in told.chunks(3).zip([6, 5]) {
            assert!(story[0].starts_with(&format!("{line}: Null {{ pointer: Some(\"p\")")), "{told:?}");
            assert!(story[1].starts_with("  3: Branch") && story[1].contains("Null(\"p\")"), "{told:?}");
            assert!(story[2].starts_with(&format!("  {line}: Error(Null")), "{told:?}");
        }
    }
}
