//! What the analysis of one function holds in memory, in bytes.
//!
//! Counted is what is in the arenas and states, not what the allocator makes of it: the count is the same on every machine and for any number of
//! threads, and so are the functions that are given up because of it ([`limits::FUNCTION_BYTES`]). What forks share is counted by shares.
//!
//! Not counted: what one instruction makes on the way to its result; the budgets of steps, terms and triples bound it.

use std::collections::BTreeMap;

use base::limits;
use heap::State;
use ir::{BlockId, Target};

use crate::engine::Engine;
use crate::flow::Flow;
use crate::world::Stopped;

/// Steps between two looks at the states under way.
const PULSE: usize = 64;

/// Paths that wait, by the place of their next block in the order of work.
#[derive(Default)]
pub(crate) struct Pending {
    queue: BTreeMap<(usize, BlockId), Waiting>,
    bytes: usize,
}

/// The paths that wait at one block.
#[derive(Default)]
struct Waiting {
    flows: Vec<Flow>,
    bytes: usize,
}

impl Pending {
    pub(crate) fn push(&mut self, position: (usize, BlockId), flow: Flow) {
        let bytes = flow.bytes();
        let waiting = self.queue.entry(position).or_default();
        waiting.flows.push(flow);
        waiting.bytes += bytes;
        self.bytes += bytes;
    }

    /// The paths at the first of all blocks.
    pub(crate) fn pop_first(&mut self) -> Option<((usize, BlockId), Vec<Flow>)> {
        let (position, waiting) = self.queue.pop_first()?;
        self.bytes -= waiting.bytes;
        Some((position, waiting.flows))
    }
}

/// How much of the budget is taken.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// By the code.
    pub(crate) code: usize,
    /// By paths that have come to an end.
    kept: usize,
    /// By paths under way.
    flows: usize,
    /// Whether it was too much once: nothing is followed any more.
    pub(crate) is_full: bool,
}

impl Engine<'_> {
    /// Notes that a path is kept to the end.
    pub(crate) fn keep_bytes(&mut self, state: &State) {
        self.memory.kept += state.bytes();
    }

    /// Counts the paths under way, now and then.
    pub(crate) fn weigh(&mut self, flows: &[Flow]) {
        if self.steps / PULSE != self.weighed_at / PULSE || flows.is_empty() {
            self.weighed_at = self.steps;
            self.memory.flows = flows.iter().map(Flow::bytes).sum();
        }
    }

    /// Whether the budget allows these sides of a branch. One of the last ones tells how much each takes.
    pub(crate) fn has_room_for(&mut self, sides: &[(Flow, &Target)], pending: &Pending) -> bool {
        let (before, each) = (self.memory.flows, sides.last().map_or(0, |(flow, _)| flow.bytes()));
        self.memory.flows += each * sides.len();
        let has_room = self.has_room(pending);
        self.memory.flows = before;
        has_room
    }

    /// Whether the budget allows more. It does not come back.
    pub(crate) fn has_room(&mut self, pending: &Pending) -> bool {
        let taken = self.memory.code
            + self.memory.kept
            + self.memory.flows
            + pending.bytes
            + self.terms.bytes()
            + self.solver.bytes();
        if taken > limits::FUNCTION_BYTES && !self.memory.is_full {
            self.memory.is_full = true;
            self.stop(Stopped::Memory);
        }
        !self.memory.is_full
    }
}
