//! Memory leaks before the end of a function: the last pointer to a block is gone.
//!
//! Source: Le et al. §3.4 look for leaks where a function ends ([`leaks`]). A block that no value points to
//! which is still used, and no memory, is lost already where the last such value is used for the last time:
//! nobody can free it any more, whatever the rest of the function does.
//!
//! ```c
//! if (read(s, &n)) { p = NULL; goto out; }   // lost here; the leak needs no path through all that stands behind `out`.
//! ```
//!
//! Departure: a block that is lost here counts only if no path that comes to the end loses it, if the
//! function can still return (memory that is lost on the way to `exit` is nobody's concern), and if the path
//! is not known to go on to another error.

use catalog::Event;
use heap::{Block, Kind, Status};
use ir::BlockId;
use summary::{Bug, Step};
use term::TermId;

use crate::arena::Arena;
use crate::cx::Cx;
use crate::errors::ErrorPath;
use crate::flow::Flow;
use crate::leaks;
use crate::sink::Sink;

/// Records all blocks that a path has lost when it comes to a block of the program.
pub(crate) fn check_lost(cx: &Cx<'_>, arena: &Arena, sink: &mut Sink, flow: &mut Flow, at: BlockId) {
    if cx.callers.is_main || !cx.may_return_from(at) {
        return;
    }
    let mut suspects = leaks::suspects(&flow.state);
    suspects.retain(|block| !flow.lost.contains(block));
    let values: Vec<TermId> = cx.used_from(at).filter_map(|value| flow.get(value)).collect();
    let is_there = |block: &Block| match block.kind {
        Kind::Stack => !matches!(block.status, Status::ScopeEnded(_)),
        _ => leaks::survives(block),
    };
    for block in leaks::unreachable_blocks(arena, &flow.state, suspects, &values, is_there) {
        flow.lost.push(block);
        let here = Step::new(cx.here(), Event::LostHere);
        if let Some(bug) = leaks::leak_of(cx, arena, &flow.state, block, here) {
            let bug = Bug { lost: true, ..bug };
            sink.lose(ErrorPath { state: flow.state.clone(), bug, pointer: None });
        }
    }
}

/// Who fails has worse to tell than what was lost before.
pub(crate) fn forget_losses_before_errors(sink: &mut Sink) {
    let errors = &sink.errors;
    let is_behind = |error: &ErrorPath, lost: &ErrorPath| {
        !error.bug.issue.is_leak() && error.state.path.conditions.starts_with(&lost.state.path.conditions)
    };
    sink.lost.retain(|lost| !errors.iter().any(|error| is_behind(error, lost)));
}
