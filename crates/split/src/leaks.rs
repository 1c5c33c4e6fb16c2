//! Memory leaks at the end of a function.
//!
//! ```text
//! Eval(p, assert(noLeaks)) = {(er, emp, p) | p ⊭ noLeaks}
//! ```
//! Source: Le et al. §3.4, Figs 4, 5. A block is leaked if it was allocated on this path, is not freed, and no value that survives the function mentions its address.
//! Departures: (1) roots are results, memory of the caller and globals; (2) a block that unknown code may have a pointer to is never leaked; (3) any value that is
//! computed from the address keeps the block alive: interior and tagged pointers, `container_of`, differences.
//!
//! Who is told. A leak that depends on callers is reported nevertheless (Le et al. §2.3), because in C anybody may call the function. Not so if all callers are
//! known (a `static` function whose address is not taken):
//!
//! ```c
//! static int add(struct list *l) { char *p = malloc(8); return l->items ? put(l, p) : 0; }  // leaks if there are no items, but
//! int f(struct list *l) { return l->items ? add(l) : 0; }                                   // nobody calls it so.
//! ```
//!
//! The same holds for a leak that needs a structure of its callers to be in a certain state, told by more than one of its members if the project calls the function somewhere,
//! and by more than five if nobody does: mostly there is no such state, because whoever makes the structure sees to it (cause K of the triage).
//!
//! And it holds for a leak that needs an argument to be null, if only callees look whether it is.
//!
//! Such a leak is an error triple like any other. It is reported where it is certain, or where it comes to a function that anybody may call and still
//! depends on its callers. Where the way up is broken, because a caller was given up or came to the end of its budget, nothing is said: who maintains the code has
//! more to lose from a wrong report than from a missing one.

use catalog::Issue;
use heap::{Block, Kind, Made, State};
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
        let end = Step::new(cx.here(), "the function returns, and nothing points to the block");
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
    if !issue_is_memory(issue) {
        return None;
    }
    let mut story = story::of_leak(cx, arena, state, block);
    let lost_at = end.made;
    story.push(end);
    let what = allocator_words(cx, arena, made);
    let message = format!("memory {what} is never freed and becomes unreachable");
    Some(Bug { reported: Some(made), ..Bug::new(issue, lost_at, message, story) })
}

/// "allocated by `make_buffer`".
fn allocator_words(cx: &Cx<'_>, arena: &Arena, made: Made) -> String {
    match arena.calls.callee(made) {
        Some(callee) => format!("allocated by `{}`", cx.world.name(callee)),
        None => "allocated here".to_owned(),
    }
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

fn issue_is_memory(issue: Issue) -> bool {
    issue == Issue::MemoryLeak
}
