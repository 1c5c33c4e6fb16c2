//! Deallocation.
//!
//! ```text
//! [p = nil ∨ p ↦ X * X ↦ V] free(p) [ok: p = nil ∨ X ↦̸]
//! ```
//! A function that was to free a block and fails leaves it, and has the same errors: `realloc` of freed memory
//! goes on in no case.
//! Source: Le et al. Fig. 3 (Free), with the errors of [`heap::access()`]. In C, `free(NULL)` is no error.

use heap::{AccessKind, Frees};
use ir::Operand;
use term::TermId;
use world::FamilyKey;

use crate::arena::Arena;
use crate::cx::Cx;
use crate::errors::Accessed;
use crate::flow::Flow;
use crate::outcome::Outcomes;
use crate::step::access::{self, access};
use crate::step::call::Calling;

/// A deallocation: which argument, of which family, whether the pointer behind it is meant, whether null is allowed, and whether the
/// block stays because the function fails (`realloc`).
pub(super) struct Freeing<'m> {
    pub(super) at: usize,
    pub(super) family: &'m str,
    pub(super) behind: bool,
    pub(super) null_ok: bool,
    pub(super) fails: bool,
}

pub(super) fn free_effect(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    calling: &Calling<'_>,
    freeing: &Freeing<'_>,
) -> Outcomes {
    let operand = calling.call.args.get(freeing.at).copied();
    let address = calling.args[freeing.at];
    let by = deallocator(cx, calling);
    let frees = Frees { family: FamilyKey::of(&[freeing.family]), offset: 0, null_ok: freeing.null_ok };
    if !freeing.behind {
        return free(cx, arena, flow, (address, operand), (freeing, frees, by));
    }
    let bytes = cx.module.target.pointer_bytes;
    let read = Accessed { address, operand, bytes: bytes.into(), kind: AccessKind::Read, by: "" };
    access(cx, arena, &flow, &read).then(|(mut flow, at)| {
        let inner = arena.read(cx, &mut flow.state, at, (bytes, None));
        free(cx, arena, flow, (inner, None), (freeing, frees, by))
    })
}

fn free(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    (address, operand): (TermId, Option<Operand>),
    (freeing, frees, by): (&Freeing<'_>, Frees, &str),
) -> Outcomes {
    let accessed = Accessed { address, operand, bytes: 0, kind: AccessKind::Free, by };
    access::free(cx, arena, &flow, (&accessed, frees)).map(|(mut flow, at)| {
        if let Some(at) = at.filter(|_| !freeing.fails) {
            heap::access::mark_freed(&mut flow.state, at.block, cx.here());
        }
        flow
    })
}

/// What the user calls the function that frees.
fn deallocator<'a>(cx: &Cx<'a>, calling: &Calling<'_>) -> &'a str {
    let declared = calling.declared.map(|function| cx.module.functions[function].pretty);
    let name = declared.map(|name| ir::names::without_params(cx.module.symbols.resolve(name)));
    name.unwrap_or("a deallocation function")
}
