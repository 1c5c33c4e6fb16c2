//! Loads, stores, and the lives of local variables.
//!
//! ```text
//! [p ↦ X * X ↦ V] y := *p [ok: y = V]     [p ↦ X * X ↦ _] *p := V [ok: X ↦ V]     [emp] x := &local [ok: ∃L. x = L * L ↦ _[n]]
//! ```
//! Source: Le et al. Fig. 3, by the one access rule ([`heap::access()`]). Departures: (1) a block ends with
//! its scope: `X ↦̸`; (2) a volatile load of memory that others can write gives any value each time.

use base::Id;
use catalog::Need;
use heap::{AccessKind, Block, BlockId, Bytes, Choice, Content, Kind, Made, Source, Status, VarRole};
use ir::{InstId, Operand, Type, VarId};
use term::{Origin, TermId};

use super::access::access;
use super::compare_with_triple::{Direct, compared};
use super::compute::set;
use crate::arena::Arena;
use crate::cx::Cx;
use crate::errors::Accessed;
use crate::flow::Flow;
use crate::outcome::Outcomes;
use crate::uninit::check_defined;

/// Bytes of the largest value that is followed.
const VALUE_BYTES: u64 = heap::bytes::CELL_BYTES as u64;

/// `[p ↦ X * X ↦ V] y := *p [ok: y = V]`
pub(super) fn load(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    id: InstId,
    (ptr, access_of): (Operand, ir::Access),
) -> Outcomes {
    let result = cx.body.insts[id].first_result;
    let ty = cx.body.values[result].ty;
    let bytes = ty.store_bytes(cx.module.target.pointer_bytes);
    let address = arena.operand(cx, &mut flow, ptr);
    let name = || ir::names::describe_place(cx.module, cx.function, ptr, Some(bytes));
    let name = if bytes <= VALUE_BYTES { name() } else { None };
    let name = name.as_deref();
    let accessed = Accessed { address, operand: Some(ptr), bytes, kind: AccessKind::Read, by: "" };
    let read = |arena: &mut Arena| {
        access(cx, arena, &flow, &accessed).map(|(mut flow, at)| {
            let is_strange = access_of.volatile && can_change(flow.state.block(at.block));
            let is_read = bytes <= VALUE_BYTES && !is_strange;
            let term = is_read.then(|| arena.read(cx, &mut flow.state, at, (bytes as u32, name)));
            (flow, term)
        })
    };
    let ways = match access_of.volatile {
        true => read(arena),
        false => compared(cx, arena, (&flow.state, Direct { address, bytes, stored: None, name }), read),
    };
    ways.map(|(mut flow, read)| {
        let term = match read {
            Some(term) => narrowed(cx, arena, &mut flow, (term, ty)),
            None => {
                flow.state.choose(Choice::Opaque);
                arena.unknown(cx, ty, name.unwrap_or("a volatile value"))
            }
        };
        if ty == Type::Ptr {
            arena.note_pointer_variable(term);
        }
        flow.set(result, term);
        flow
    })
}

/// The bits of a type out of whole bytes.
fn narrowed(cx: &Cx<'_>, arena: &mut Arena, flow: &mut Flow, (term, ty): (TermId, Type)) -> TermId {
    let width = cx.width(ty);
    let term = arena.terms.trunc(term, width);
    // What callees have put together.
    if arena.is_too_large(term) { arena.not_followed(&mut flow.state, width) } else { term }
}

/// `[p ↦ X * X ↦ _] *p := V [ok: X ↦ V]`
pub(super) fn store(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    (ptr, value, access_of): (Operand, Operand, ir::Access),
) -> Outcomes {
    let bytes = cx.body.ty(value).store_bytes(cx.module.target.pointer_bytes);
    let (address, term) = (arena.operand(cx, &mut flow, ptr), arena.operand(cx, &mut flow, value));
    let accessed = Accessed { address, operand: Some(ptr), bytes, kind: AccessKind::Write, by: "" };
    let direct = Direct { address, bytes, stored: Some(term), name: None };
    let write = |arena: &mut Arena| {
        access(cx, arena, &flow, &accessed).map(|(mut flow, at)| {
            if bytes > VALUE_BYTES {
                arena.forget(&mut flow.state, at.block, Content::NotFollowed);
            } else {
                let term = arena.terms.zext(term, bytes as u32 * 8);
                arena.write(&mut flow.state, at, bytes as u32, term);
            }
            // What is read from there is not followed.
            if access_of.volatile && can_change(flow.state.block(at.block)) {
                arena.let_escape(&mut flow.state, &[term]);
            }
            (flow, None)
        })
    };
    compared(cx, arena, (&flow.state, direct), write).map(|(flow, _)| flow)
}

/// Whether others can write a block at any time: a device, a signal handler, another thread.
fn can_change(block: &Block) -> bool {
    block.escaped || !(block.is_heap() || block.kind == Kind::Stack)
}

/// `[emp] x := &local [ok: ∃L. x = L * L ↦ _[n]]`
pub(super) fn alloca(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    id: InstId,
    (var, size): (Option<VarId>, Operand),
) -> Outcomes {
    let size = arena.operand(cx, &mut flow, size);
    if let Some(ends) = check_defined(cx, arena, &flow.state, size, Need::ArraySize) {
        return ends.into();
    }
    let name = var.map_or("a temporary", |var| cx.module.symbols.resolve(cx.body.vars[var].name));
    let declared = var.map(|var| cx.body.vars[var].loc);
    let made = declared.map_or(cx.here(), |loc| Made::here(cx.site(loc)));
    let source = Source { made, origin: catalog::Origin::Local };
    let pointer_bits = arena.pointer_bits();
    let name = format!("&{name}");
    let base = arena.fresh(pointer_bits, Origin::Allocation, &name, VarRole::Local, Some(source));
    arena.note_pointer(base);
    let _ = flow.state.path.know_nonnull(&mut arena.terms, base);
    let size = arena.as_size(size);
    let mut block = Block::new(base, Some(size), Kind::Stack, Content::Undefined);
    block.made = Some(made);
    flow.state.add_block(block);
    set(cx, &mut flow, id, base);
    Outcomes::one(flow)
}

pub(super) fn scope_begins(cx: &Cx<'_>, arena: &mut Arena, mut flow: Flow, ptr: Operand) -> Outcomes {
    let address = arena.operand(cx, &mut flow, ptr);
    if let Some(id) = flow.state.block_at(address) {
        flow.state.block_mut(id).status = Status::Allocated;
        arena.forget(&mut flow.state, id, Content::Undefined);
    }
    Outcomes::one(flow)
}

pub(super) fn scope_ends(cx: &Cx<'_>, arena: &mut Arena, mut flow: Flow, ptr: Operand) -> Outcomes {
    let address = arena.operand(cx, &mut flow, ptr);
    if let Some(id) = flow.state.block_at(address) {
        flow.state.block_mut(id).status = Status::ScopeEnded(cx.here());
    }
    Outcomes::one(flow)
}

pub(super) fn stack_save(cx: &Cx<'_>, arena: &mut Arena, mut flow: Flow, id: InstId) -> Outcomes {
    let height = arena.number(flow.state.n_blocks() as i64);
    set(cx, &mut flow, id, height);
    Outcomes::one(flow)
}

pub(super) fn stack_restore(cx: &Cx<'_>, arena: &mut Arena, mut flow: Flow, saved: Operand) -> Outcomes {
    let height = arena.operand(cx, &mut flow, saved);
    if let Some(height) = arena.terms.value(height) {
        let is_gone =
            |(id, block): &(BlockId, &Block)| id.index() as u128 >= height && block.kind == Kind::Stack;
        let gone: Vec<BlockId> = flow.state.blocks().filter(is_gone).map(|(id, _)| id).collect();
        for id in gone {
            flow.state.block_mut(id).status = Status::ScopeEnded(cx.here());
        }
    }
    Outcomes::one(flow)
}

pub(super) fn va_list(cx: &Cx<'_>, arena: &mut Arena, mut flow: Flow, list: Operand) -> Outcomes {
    let address = arena.operand(cx, &mut flow, list);
    let accessed = Accessed { address, operand: Some(list), bytes: 1, kind: AccessKind::Write, by: "" };
    access(cx, arena, &flow, &accessed).map(|(mut flow, Bytes { block, .. })| {
        arena.forget(&mut flow.state, block, Content::NotFollowed);
        flow.state.choose(Choice::Opaque);
        flow
    })
}
