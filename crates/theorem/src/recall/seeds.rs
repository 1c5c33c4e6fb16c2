//! The places where a bug can be seeded for certain. The criteria are in the header of [`recall`](super).

use std::collections::{BTreeMap, BTreeSet};

use ir::{Body, Inst, InstId, LocId, Operand, Terminator};
use project::{FnId, Project};

use super::facts::{CallFacts, Facts, behind, graphs};
use super::walk::{Code, Event, Go, Point, Result, enter, known_at, null_test, walk};

/// Kinds of seeded bugs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The test of an allocation's result is removed.
    Check,
    /// A `free` is removed of a block that survives the function on other paths.
    ErrorFree,
    /// Any other `free` is removed.
    Free,
    /// A `free` is done twice.
    Twice,
    /// What was freed is read.
    Use,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 5] = [Kind::Check, Kind::ErrorFree, Kind::Free, Kind::Twice, Kind::Use];

    /// What it is called in tables.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Check => "removed check of an allocation",
            Kind::ErrorFree => "removed free on an error path",
            Kind::Free => "removed free, other",
            Kind::Twice => "free done twice",
            Kind::Use => "use behind a free",
        }
    }
}

/// A bug that can be seeded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seed {
    pub(super) kind: Kind,
    pub(super) function: FnId,
    pub(super) change: Change,
    /// The call of the allocator, where the block is made in the function.
    pub(super) allocation: Option<InstId>,
    /// Where the bug shows: accesses of null; the freeing call, for all others.
    pub(super) shows: Vec<InstId>,
}

/// How code is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    /// The block always goes on where its condition is this.
    Decide(ir::BlockId, bool),
    /// The instruction is left out.
    Remove(InstId),
    /// The call is done again behind itself.
    Repeat(InstId),
    /// A byte is read through that argument of the call, behind it.
    Read(InstId, usize),
}

impl Seed {
    /// The place that the seed is about.
    pub(super) fn loc(&self, body: &Body) -> LocId {
        match self.change {
            Change::Decide(block, _) => body.blocks[block].term_loc,
            Change::Remove(inst) | Change::Repeat(inst) | Change::Read(inst, _) => body.insts[inst].loc,
        }
    }
}

/// All seeds of a function, in order.
pub(super) fn seeds(project: &Project, facts: &Facts, function: FnId) -> Vec<Seed> {
    let data = project.function(function);
    let Some(body) = data.function.body.as_ref() else { return Vec::new() };
    let calls = facts.calls(project, function);
    let (cfg, dominators) = graphs(body);
    let code = Code { body, calls: &calls, cfg: &cfg, dominators: &dominators };
    let reached: BTreeSet<InstId> = body
        .blocks
        .iter_ids()
        .filter(|(id, _)| cfg.is_reachable(*id))
        .flat_map(|(_, block)| block.insts.clone())
        .collect();
    let mut seeds = Vec::new();
    for (&inst, call) in calls.iter().filter(|(inst, _)| reached.contains(inst)) {
        if call.may_fail {
            checks(code, function, inst, &mut seeds);
        }
        // The engine reports no leaks at the end of the program.
        if call.is_new && data.name() != "main" {
            frees(code, function, inst, &mut seeds);
        }
        uses(code, function, (inst, call), &mut seeds);
    }
    seeds.sort();
    seeds.dedup_by_key(|seed| (seed.kind, seed.change));
    seeds
}

/// Tests of what an allocator returned.
fn checks(code: Code<'_>, function: FnId, allocation: InstId, seeds: &mut Vec<Seed>) {
    let Some(start) = behind(code, allocation) else { return };
    let mut tests: BTreeMap<ir::BlockId, Point> = BTreeMap::new();
    let complete = walk(code, start, true, &mut |event, point| match event {
        Event::Tested(block) => {
            tests.entry(block).or_insert_with(|| point.clone());
            Go::On
        }
        Event::Accessed(_) => Go::Stop,
        _ => Go::On,
    });
    for (block, mut point) in tests.into_iter().filter(|_| complete) {
        let Terminator::Branch { cond, on_true, on_false } = &code.body.blocks[block].term else { continue };
        let Some((_, says_null)) = null_test(code.body, *cond) else { continue };
        let target = if says_null { on_false } else { on_true };
        point.known.extend(known_at(code, block));
        let mut shows: Vec<InstId> = Vec::new();
        walk(code, enter(code, &point, target), true, &mut |event, _| match event {
            Event::Accessed(inst) => {
                shows.push(inst);
                Go::Stop
            }
            // Who gets it may test it, and say so to those who decide what comes next.
            Event::Passed(_) => Go::Stop,
            _ => Go::On,
        });
        shows.sort();
        shows.dedup();
        if !shows.is_empty() {
            let change = Change::Decide(block, !says_null);
            seeds.push(Seed { kind: Kind::Check, function, change, allocation: Some(allocation), shows });
        }
    }
}

/// Frees of what an allocator returned.
fn frees(code: Code<'_>, function: FnId, allocation: InstId, seeds: &mut Vec<Seed>) {
    let Some(start) = behind(code, allocation) else { return };
    let mut freed: BTreeMap<InstId, Point> = BTreeMap::new();
    let mut survives = false;
    let complete = walk(code, start, false, &mut |event, point| match event {
        Event::Freed(inst) => {
            freed.entry(inst).or_insert_with(|| point.clone());
            Go::Stop
        }
        Event::Kept(_) => {
            survives = true;
            Go::Stop
        }
        Event::Returned(Result::Pointer | Result::Derived) => {
            survives = true;
            Go::On
        }
        _ => Go::On,
    });
    for (inst, mut point) in
        freed.into_iter().filter(|(inst, _)| complete && code.body.insts[*inst].n_results == 0)
    {
        point.index += 1;
        point.known.extend(known_at(code, point.block));
        let mut leaks = false;
        walk(code, point, false, &mut |event, _| match event {
            Event::Freed(_) | Event::Kept(_) => Go::Stop,
            Event::Returned(result) => {
                leaks |= matches!(result, Result::Null | Result::Other);
                Go::On
            }
            _ => Go::On,
        });
        if leaks {
            let kind = if survives { Kind::ErrorFree } else { Kind::Free };
            let change = Change::Remove(inst);
            seeds.push(Seed { kind, function, change, allocation: Some(allocation), shows: vec![inst] });
        }
    }
}

/// Frees of anything.
fn uses(code: Code<'_>, function: FnId, (inst, facts): (InstId, &CallFacts), seeds: &mut Vec<Seed>) {
    let Inst::Call { call } = code.body.insts[inst].inst else { return };
    let args = &code.body.calls[call].args;
    let is_freed = |(at, arg): &(usize, &Operand)| arg.value().is_some() && facts.param(*at).frees;
    let Some((at, _)) = args.iter().enumerate().find(is_freed) else { return };
    let seed = |kind, change| Seed { kind, function, change, allocation: None, shows: vec![inst] };
    if code.body.insts[inst].n_results == 0 {
        seeds.push(seed(Kind::Twice, Change::Repeat(inst)));
    }
    seeds.push(seed(Kind::Use, Change::Read(inst, at)));
}
