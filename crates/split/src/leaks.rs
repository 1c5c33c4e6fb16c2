//! Memory leaks at the end of a function.
//!
//! ```text
//! Eval(p, assert(noLeaks)) = {(er, emp, p) | p ⊭ noLeaks}
//! ```
//! Source: Le et al. §3.4, Figs 4, 5. A block is leaked if it was allocated on this path, is not freed, and
//! no value that survives the function mentions its address.
//! Departures: (1) roots are results, memory of the caller and globals; (2) a block that unknown code may
//! have a pointer to is never leaked; (3) any value that is computed from the address keeps the block alive:
//! interior and tagged pointers, `container_of`, differences.
//!
//! Who is told of a leak that depends on callers is decided in [`conditions::disposition`].

use catalog::{Cause, Event, What};
use conditions::disposition;
use heap::{Block, Kind, State};
use summary::{Bug, Step};
use term::TermId;

use crate::arena::Arena;
use crate::cx::Cx;
use crate::errors::ErrorPath;
use crate::outcome::Ends;
use crate::story;

/// The errors of a return that loses blocks.
pub(crate) fn check_leaks(cx: &Cx<'_>, arena: &mut Arena, state: &State, results: &[TermId]) -> Ends {
    let mut ends = Ends::default();
    for block in unreachable_blocks(arena, state, suspects(state), results, survives) {
        let end = Step::new(cx.here(), Event::LostAtReturn);
        if let Some(bug) = leak_of(cx, arena, state, block, end) {
            ends.errors.push(ErrorPath { state: state.clone(), bug, pointer: None });
        }
    }
    ends
}

/// Those of some blocks that cannot be reached from values, nor from memory that is still there.
pub(crate) fn unreachable_blocks(
    arena: &Arena,
    state: &State,
    mut suspects: Vec<heap::BlockId>,
    values: &[TermId],
    is_there: impl Fn(&Block) -> bool,
) -> Vec<heap::BlockId> {
    if suspects.is_empty() {
        return suspects;
    }
    let memory = state.blocks().filter(|(_, block)| is_there(block));
    let cells = memory.flat_map(|(_, block)| block.cells.iter().map(|cell| cell.value));
    let roots: Vec<TermId> = values.iter().copied().chain(cells).collect();
    let reachable = arena.reachable(state, &roots);
    suspects.retain(|block| !reachable.contains(block) && !is_equal_to_root(arena, state, *block, &roots));
    suspects
}

/// Whether the path says that something that survives is equal to the address of a block.
fn is_equal_to_root(arena: &Arena, state: &State, block: heap::BlockId, roots: &[TermId]) -> bool {
    let base = state.block(block).base;
    let Some((own, _)) = state.path.facts.base_and_offset(&arena.terms, base) else { return false };
    roots.iter().any(|&root| {
        arena.terms.width(root) == arena.pointer_bits()
            && state.path.facts.base_and_offset(&arena.terms, root).is_some_and(|(other, _)| other == own)
    })
}

/// The leak of a block, if it is memory. `end` is the last step of its story.
pub(crate) fn leak_of(
    cx: &Cx<'_>,
    arena: &Arena,
    state: &State,
    block: heap::BlockId,
    end: Step,
) -> Option<Bug> {
    let data = state.block(block).clone();
    let made = data.made?;
    let Kind::Heap(family) = data.kind else { return None };
    let issue = cx.leak_issue(family);
    if !disposition::is_reported(issue) {
        return None;
    }
    let mut story = story::of_leak(cx, arena, state, block);
    let lost_at = end.made;
    story.push(end);
    let what = What::Leak { by: arena.calls.callee(made).map(|callee| cx.world.name(callee)) };
    let bug = Bug::new(issue, lost_at, what, story);
    Some(Bug { reported: Some(made), cause: Cause::Program, ..bug })
}

/// Blocks that can be leaked.
pub(crate) fn suspects(state: &State) -> Vec<heap::BlockId> {
    let is_suspect = |block: &Block| block.is_heap() && block.status.is_allocated() && !block.escaped;
    state.blocks().filter(|(_, block)| is_suspect(block)).map(|(id, _)| id).collect()
}

/// Whether somebody can look at a block when the function has ended.
pub(crate) fn survives(block: &Block) -> bool {
    block.escaped || matches!(block.kind, Kind::Global(_) | Kind::Abduced | Kind::Unknown)
}
