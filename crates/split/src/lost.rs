//! Memory leaks before the end of a function: the last pointer to a block is gone.
//!
//! Source: Le et al. §3.4 look for leaks where a function ends ([`leaks`]). A block that no value points to which is still used, and no memory, is lost
//! already where the last such value is used for the last time: nobody can free it any more, whatever the rest of the function does.
//!
//! ```c
//! if (read(s, &n)) { p = NULL; goto out; }   // lost here; the leak needs no path through all that stands behind `out`.
//! ```
//!
//! Departure: a block that is lost here counts only if no path that comes to the end loses it, if the function can still return (memory that is
//! lost on the way to `exit` is nobody's concern), and if the path is not known to go on to another error.

use base::{Id, limits};
use heap::{Block, Kind, Status};
use ir::BlockId;
use summary::{Bug, Step};
use term::TermId;

use crate::engine::Engine;
use crate::errors::ErrorPath;
use crate::flow::Flow;
use crate::leaks;

impl Engine<'_> {
    /// Records all blocks that a path has lost when it comes to a block of the program.
    pub(crate) fn check_lost(&mut self, flow: &mut Flow, at: BlockId) {
        if self.world.is_main() || !self.may_return_from(at) {
            return;
        }
        let mut suspects = leaks::suspects(&flow.state);
        suspects.retain(|block| !flow.lost.contains(block));
        let values: Vec<TermId> = self.used_from(at).filter_map(|value| flow.get(value)).collect();
        let is_there = |block: &Block| match block.kind {
            Kind::Stack => !matches!(block.status, Status::ScopeEnded(_)),
            _ => leaks::survives(block),
        };
        for block in self.unreachable_blocks(&flow.state, suspects, &values, is_there) {
            flow.lost.push(block);
            self.lose(flow, block, at);
        }
    }

    fn lose(&mut self, flow: &Flow, block: heap::BlockId, at: BlockId) {
        let data = &self.body.blocks[at];
        self.go_to(data.insts.first().map_or(data.term_loc, |&inst| self.body.insts[inst].loc));
        let here = Step::new(self.here(), "from here on nothing points to the block");
        let Some(bug) = self.leak_of(&flow.state, block, here) else { return };
        let path = ErrorPath { state: flow.state.clone(), bug: Bug { lost: true, ..bug }, pointer: None };
        let is_same = |it: &&ErrorPath| it.bug.reported == path.bug.reported;
        if self.lost.iter().filter(is_same).count() < limits::SPLIT_ERRORS_PER_SITE {
            self.keep_bytes(&path.state);
            self.lost.push(path);
        }
    }

    /// Who fails has worse to tell than what was lost before.
    pub(crate) fn forget_losses_before_errors(&mut self) {
        let errors = &self.errors;
        let is_behind = |error: &ErrorPath, lost: &ErrorPath| {
            !error.bug.issue.is_leak() && error.state.path.conditions.starts_with(&lost.state.path.conditions)
        };
        self.lost.retain(|lost| !errors.iter().any(|error| is_behind(error, lost)));
    }

    /// Whether control can come from a block to a return, as far as the graph tells: past no call that never returns.
    pub(crate) fn may_return_from(&self, block: BlockId) -> bool {
        self.returning.get_or_init(|| self.returning_blocks())[block.index()]
    }

    fn returning_blocks(&self) -> Vec<bool> {
        let mut returning = vec![false; self.body.blocks.len()];
        let mut is_settled = false;
        while !is_settled {
            is_settled = true;
            for &block in self.graph.cfg.reverse_postorder().iter().rev() {
                let data = &self.body.blocks[block];
                let goes_on = matches!(data.term, ir::Terminator::Return { .. })
                    || self.graph.cfg.successors(block).iter().any(|next| returning[next.index()]);
                if goes_on
                    && !returning[block.index()]
                    && !data.insts.iter().any(|&it| self.never_returns(it))
                {
                    returning[block.index()] = true;
                    is_settled = false;
                }
            }
        }
        returning
    }
}
