//! What the analysis of one function holds in memory, in bytes.
//!
//! Counted is what is in the arenas and states, not what the allocator makes of it: the count is the same on
//! every machine and for any number of threads, and so are the functions that are given up because of it
//! ([`limits::FUNCTION_BYTES`]). What forks share is counted by shares.
//!
//! Not counted: what one instruction makes on the way to its result; the budgets of steps, terms and triples
//! bound it.

use base::limits;
use ir::Target;

use crate::arena::Arena;
use crate::effort::Stopped;
use crate::flow::Flow;
use crate::sink::Sink;

/// Steps between two looks at the states under way.
const PULSE: usize = 64;

/// How much of the budget is taken, by what neither the arena nor the sink holds.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// By the code.
    pub(crate) code: usize,
    /// By paths that wait.
    pub(crate) waiting: usize,
    /// By paths under way.
    flows: usize,
    /// The number of steps when paths under way were last counted.
    weighed_at: usize,
    /// Whether it was too much once: nothing is followed any more.
    pub(crate) is_full: bool,
}

impl Memory {
    /// Counts the paths under way, now and then.
    pub(crate) fn weigh(&mut self, steps: usize, flows: &[Flow]) {
        if steps / PULSE != self.weighed_at / PULSE || flows.is_empty() {
            self.weighed_at = steps;
            self.flows = flows.iter().map(Flow::bytes).sum();
        }
    }

    /// Whether the budget allows these sides of a branch. One of the last ones tells how much each takes.
    pub(crate) fn has_room_for(&mut self, arena: &Arena, sink: &mut Sink, sides: &[(Flow, &Target)]) -> bool {
        let (before, each) = (self.flows, sides.last().map_or(0, |(flow, _)| flow.bytes()));
        self.flows += each * sides.len();
        let has_room = self.has_room(arena, sink);
        self.flows = before;
        has_room
    }

    /// Whether the budget allows more. It does not come back.
    pub(crate) fn has_room(&mut self, arena: &Arena, sink: &mut Sink) -> bool {
        let known = arena.terms.bytes() + arena.prover.solver.bytes();
        let taken = self.code + sink.bytes + self.flows + self.waiting + known;
        if taken > limits::FUNCTION_BYTES && !self.is_full {
            self.is_full = true;
            sink.stop(Stopped::Memory);
        }
        !self.is_full
    }
}
