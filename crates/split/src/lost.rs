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
//! Departure: a block that is lost here counts only if no path that comes to the end is known to lose it, if
//! some path with the block does come to the end (memory that is lost on the way to `exit`, to an error or into
//! an endless loop is nobody's concern), be it that its way through a loop is not followed, and if the path is
//! not known to go on to another error.

use std::sync::Arc;

use catalog::Event;
use heap::path::Reason;
use heap::{Block, Condition, Kind, Status};
use ir::BlockId;
use summary::{Bug, Ended, How, Step};
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

/// Who never comes to the end has no leak: some path with the block must return. Its way through a loop need not be followed, unless rounds
/// fail that were not followed, either: then nobody knows whether it comes through.
///
/// ```c
/// char *p = malloc(4);
/// for (int i = 0; i < 1000; i++) assert(i < 500);
/// ```
pub(crate) fn forget_leaks_without_end(sink: &mut Sink) {
    let errors: Vec<Arc<Vec<Condition>>> = sink
        .errors
        .iter()
        .filter(|it| !it.bug.issue.is_leak())
        .map(|it| it.state.path.conditions.clone())
        .collect();
    let is_doubtful = |ended: &Ended| {
        let conditions = &ended.state.path.conditions;
        let Some(at) = conditions.iter().position(|it| it.reason == Reason::Havoc) else { return false };
        errors
            .iter()
            .any(|error| error.starts_with(&conditions[..at]) && error.get(at) != Some(&conditions[at]))
    };
    let returned: Vec<(&Ended, bool)> = sink
        .ended
        .iter()
        .filter(|it| matches!(it.how, How::Return))
        .map(|it| (it, is_doubtful(it)))
        .collect();
    let ends_of = |leak: &ErrorPath| {
        let is_it = |block: &Block| block.made == leak.bug.reported && block.status.is_allocated();
        let with_block =
            returned.iter().filter(|(ended, _)| ended.state.blocks().any(|(_, block)| is_it(block)));
        with_block.map(|(_, is_doubtful)| !is_doubtful).collect::<Vec<bool>>()
    };
    sink.lost.retain(|lost| ends_of(lost).contains(&true));
    // A leak in a callee is not one of a block that comes to the end here.
    sink.errors.retain(|error| {
        !error.bug.issue.is_leak()
            || matches!(&ends_of(error)[..], ends if ends.is_empty() || ends.contains(&true))
    });
}
