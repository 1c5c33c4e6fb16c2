//! Following one pointer along the paths of a function, by the control flow alone.
//!
//! The pointer starts as one value; which values hold it, or something computed from it, is known at each
//! point of a path. A test of the pointer against null goes the one way that the question is about; every
//! other branch goes both ways. Nothing of the engine is used.

use std::collections::{BTreeMap, BTreeSet};

use ir::{
    BinOp, BlockId, Body, Callee, CastOp, Cfg, CmpOp, Const, Dominators, Inst, InstId, Operand, Target,
    Terminator, ValueDef, ValueId,
};

use super::facts::CallFacts;

/// A body, and what is known of its calls.
#[derive(Clone, Copy)]
pub(super) struct Code<'a> {
    pub(super) body: &'a Body,
    pub(super) calls: &'a BTreeMap<InstId, CallFacts>,
    pub(super) cfg: &'a Cfg,
    pub(super) dominators: &'a Dominators,
}

/// Conditions that are decided wherever a path goes on: pointers that are null or not, and other conditions that hold or not.
pub(super) type Known = BTreeMap<ValueId, bool>;

/// The values that hold the pointer, with the offset that was added to it, if that is known.
pub(super) type Holders = BTreeMap<ValueId, Option<i64>>;

/// A point in front of an instruction, or of the end of a block.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) block: BlockId,
    pub(super) index: usize,
    pub(super) holders: Holders,
    /// Values that are the constant null on this path: `return NULL` in one place becomes a merged value in another.
    pub(super) nulls: BTreeSet<ValueId>,
    /// What every path to the start of the walk has decided: `if (t) p = malloc(n); if (!p || !t) goto fail;`.
    pub(super) known: Known,
}

/// What a path does with the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// What it points to is read or written, here or for certain in the callee.
    Accessed(InstId),
    /// It is passed to what frees it for certain.
    Freed(InstId),
    /// It is stored, or passed to what may keep or free it.
    Kept(InstId),
    /// It is passed to what merely may look at it.
    Passed(InstId),
    /// The block ends in a test of it against null.
    Tested(BlockId),
    /// The function returns: it, null, or something else.
    Returned(Result),
}

/// What a function returns at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Result {
    /// The pointer itself.
    Pointer,
    /// Something computed from it.
    Derived,
    Null,
    Other,
}

/// Whether to go on behind an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Go {
    On,
    Stop,
}

/// States of one walk; a function that needs more is left alone.
const MAX_STATES: usize = 3000;

/// Offsets below this from null are still null.
const NULL_PAGE: i64 = 4096;

/// Goes all ways from a point. `false`: there are too many.
pub(super) fn walk(
    code: Code<'_>,
    start: Point,
    is_null: bool,
    visit: &mut dyn FnMut(Event, &Point) -> Go,
) -> bool {
    let mut seen: BTreeSet<(BlockId, Holders, BTreeSet<ValueId>)> = BTreeSet::new();
    let mut todo = vec![start];
    while let Some(mut point) = todo.pop() {
        if point.index == 0 && !seen.insert((point.block, point.holders.clone(), point.nulls.clone())) {
            continue;
        }
        if seen.len() > MAX_STATES {
            return false;
        }
        if run(code, &mut point, visit) == Go::On {
            end(code, &point, is_null, visit, &mut todo);
        }
    }
    true
}

/// Goes on at a block.
pub(super) fn enter(code: Code<'_>, from: &Point, target: &Target) -> Point {
    let params = &code.body.blocks[target.block].params;
    let (mut holders, mut nulls) = (from.holders.clone(), from.nulls.clone());
    for (&param, &arg) in params.iter().zip(&target.args) {
        set(&mut holders, param, held(&from.holders, arg));
        nulls.remove(&param);
        nulls.extend(is_null_constant(code.body, from, arg).then_some(param));
    }
    Point { block: target.block, index: 0, holders, nulls, known: from.known.clone() }
}

/// What every path to a block has decided: the branches above it of which only one way leads there.
pub(super) fn known_at(code: Code<'_>, block: BlockId) -> Known {
    let mut known = Known::new();
    let mut below = block;
    while let Some(above) = code.dominators.immediate(below) {
        let is_edge = code.cfg.predecessors(below) == [above];
        if let Terminator::Branch { cond, on_true, on_false } = &code.body.blocks[above].term
            && let Some((value, says)) = subject(code.body, *cond).filter(|_| is_edge)
            && on_true.block != on_false.block
        {
            known.insert(value, says == (on_true.block == below));
        }
        below = above;
    }
    known
}

/// What a condition is about: a pointer that is null where the condition is the second part, or else the condition itself.
fn subject(body: &Body, condition: Operand) -> Option<(ValueId, bool)> {
    let (value, says) = null_test(body, condition).or(condition.value().map(|value| (value, true)))?;
    Some((origin(body, value), says))
}

/// The value that was assigned.
fn origin(body: &Body, value: ValueId) -> ValueId {
    match body.values[value].def {
        ValueDef::Result(inst, _) => match body.insts[inst].inst {
            Inst::Assign { value: Operand::Value(from), .. } => origin(body, from),
            _ => value,
        },
        ValueDef::Param(..) => value,
    }
}

/// The pointer that a condition tests against null, and whether the condition says that it is.
pub(super) fn null_test(body: &Body, condition: Operand) -> Option<(ValueId, bool)> {
    let inst = match body.values[condition.value()?].def {
        ValueDef::Result(inst, _) => inst,
        ValueDef::Param(..) => return None,
    };
    match body.insts[inst].inst {
        Inst::Assign { value: arg, .. }
        | Inst::Freeze { arg }
        | Inst::Cast { op: CastOp::ZExt | CastOp::SExt | CastOp::Trunc, arg } => null_test(body, arg),
        Inst::Binary { op: BinOp::Xor, lhs, rhs, .. } if is_int(body, rhs, 1) => {
            null_test(body, lhs).map(|(value, says_null)| (value, !says_null))
        }
        Inst::Compare { op: op @ (CmpOp::Eq | CmpOp::Ne), lhs, rhs } => {
            let (left, right) = if is_zero(body, lhs) { (rhs, lhs) } else { (lhs, rhs) };
            let value = left.value().filter(|_| is_zero(body, right))?;
            if body.values[value].ty == ir::Type::Ptr {
                return Some((value, op == CmpOp::Eq));
            }
            null_test(body, left).map(|(value, says_null)| (value, says_null == (op == CmpOp::Ne)))
        }
        _ => None,
    }
}

/// Whether an operand is a pointer that is null whatever the path is about.
fn is_null_constant(body: &Body, point: &Point, operand: Operand) -> bool {
    match operand {
        Operand::Value(value) => point.nulls.contains(&value),
        Operand::Const(it) => body.consts[it] == Const::Null,
    }
}

fn is_int(body: &Body, operand: Operand, wanted: u128) -> bool {
    matches!(operand, Operand::Const(it) if matches!(body.consts[it], Const::Int { value, .. } if value == wanted))
}

/// Null or the number zero.
fn is_zero(body: &Body, operand: Operand) -> bool {
    is_int(body, operand, 0) || matches!(operand, Operand::Const(it) if body.consts[it] == Const::Null)
}

fn constant(body: &Body, operand: Operand) -> Option<i64> {
    let Operand::Const(it) = operand else { return None };
    match body.consts[it] {
        Const::Int { value, width: 64 } => Some(value as u64 as i64),
        Const::Int { value, .. } => i64::try_from(value).ok(),
        _ => None,
    }
}

fn held(holders: &Holders, operand: Operand) -> Option<Option<i64>> {
    holders.get(&operand.value()?).copied()
}

fn set(holders: &mut Holders, value: ValueId, held: Option<Option<i64>>) {
    match held {
        Some(offset) => drop(holders.insert(value, offset)),
        None => drop(holders.remove(&value)),
    }
}

/// Executes the rest of a block.
fn run(code: Code<'_>, point: &mut Point, visit: &mut dyn FnMut(Event, &Point) -> Go) -> Go {
    let insts = &code.body.blocks[point.block].insts;
    while let Some(&inst) = insts.get(point.index) {
        for event in events(code, inst, &point.holders) {
            if visit(event, point) == Go::Stop {
                return Go::Stop;
            }
        }
        if code.calls.get(&inst).is_some_and(|call| call.never_returns) {
            return Go::Stop;
        }
        let result = flows_on(code.body, inst, &point.holders);
        let null = matches!(code.body.insts[inst].inst, Inst::Assign { value, .. } if is_null_constant(code.body, point, value));
        for value in code.body.results(inst) {
            set(&mut point.holders, value, result);
            point.nulls.remove(&value);
            point.nulls.extend(null.then_some(value));
        }
        point.index += 1;
    }
    Go::On
}

/// What an instruction does with the pointer.
fn events(code: Code<'_>, inst: InstId, holders: &Holders) -> Vec<Event> {
    let body = code.body;
    let is_near =
        |operand: Operand| held(holders, operand).flatten().is_some_and(|at| (0..NULL_PAGE).contains(&at));
    let is_held = |operand: Operand| held(holders, operand).is_some();
    let is_some = |len: Operand| constant(body, len).is_some_and(|len| len > 0);
    let mut events = Vec::new();
    match body.insts[inst].inst {
        Inst::Load { ptr, .. } if is_near(ptr) => events.push(Event::Accessed(inst)),
        Inst::Store { ptr, value, .. } => {
            events.extend(is_near(ptr).then_some(Event::Accessed(inst)));
            events.extend(is_held(value).then_some(Event::Kept(inst)));
        }
        Inst::MemCopy { dst, src, len, .. } if is_some(len) && (is_near(dst) || is_near(src)) => {
            events.push(Event::Accessed(inst));
        }
        Inst::MemSet { dst, len, .. } if is_some(len) && is_near(dst) => events.push(Event::Accessed(inst)),
        Inst::Call { call } => {
            let facts = code.calls.get(&inst).cloned().unwrap_or_default();
            let call = &body.calls[call];
            if let Callee::Ptr(address) = call.callee {
                events.extend(is_near(address).then_some(Event::Accessed(inst)));
            }
            for (at, &arg) in call.args.iter().enumerate().filter(|(_, arg)| is_held(**arg)) {
                let param = facts.param(at);
                let is_exact = held(holders, arg) == Some(Some(0));
                let frees = param.frees && is_exact;
                events.push(match param.accesses && is_near(arg) {
                    _ if frees => Event::Freed(inst),
                    true => Event::Accessed(inst),
                    false => Event::Passed(inst),
                });
                events.extend((param.keeps && !frees).then_some(Event::Kept(inst)));
            }
        }
        _ => {}
    }
    events
}

/// Whether the result of an instruction holds the pointer.
fn flows_on(body: &Body, inst: InstId, holders: &Holders) -> Option<Option<i64>> {
    match body.insts[inst].inst {
        Inst::Assign { value: arg, .. } | Inst::Freeze { arg } => held(holders, arg),
        Inst::PtrAdd { base, index, scale, .. } => {
            let step = constant(body, index).and_then(|index| index.checked_mul(i64::try_from(scale).ok()?));
            held(holders, base).map(|offset| offset?.checked_add(step?))
        }
        Inst::Unary { .. }
        | Inst::Binary { .. }
        | Inst::Funnel { .. }
        | Inst::Cast { .. }
        | Inst::Select { .. } => {
            let mut is_held = false;
            body.each_operand(inst, |operand| is_held |= held(holders, operand).is_some());
            is_held.then_some(None)
        }
        _ => None,
    }
}

/// Leaves a block.
fn end(
    code: Code<'_>,
    point: &Point,
    is_null: bool,
    visit: &mut dyn FnMut(Event, &Point) -> Go,
    todo: &mut Vec<Point>,
) {
    match &code.body.blocks[point.block].term {
        Terminator::Branch { cond, on_true, on_false } => {
            let test =
                null_test(code.body, *cond).filter(|(value, _)| point.holders.get(value) == Some(&Some(0)));
            let Some((_, says_null)) = test else {
                let known = subject(code.body, *cond)
                    .and_then(|(value, says)| point.known.get(&value).map(|&it| it == says));
                todo.extend((known != Some(false)).then(|| enter(code, point, on_true)));
                todo.extend((known != Some(true)).then(|| enter(code, point, on_false)));
                return;
            };
            if visit(Event::Tested(point.block), point) == Go::On {
                todo.push(enter(code, point, if says_null == is_null { on_true } else { on_false }));
            }
        }
        Terminator::Return { values } => {
            let result = values.first().map_or(Result::Other, |&value| match held(&point.holders, value) {
                Some(Some(0)) => Result::Pointer,
                Some(_) => Result::Derived,
                None if is_null_constant(code.body, point, value) => Result::Null,
                None => Result::Other,
            });
            let is_derived = |value: &Operand| held(&point.holders, *value).is_some();
            let result = if values.iter().skip(1).any(is_derived) { Result::Derived } else { result };
            visit(Event::Returned(result), point);
        }
        Terminator::Unreachable { .. } => {}
        other => todo.extend(other.targets().map(|target| enter(code, point, target))),
    }
}
