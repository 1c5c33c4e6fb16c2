//! New blocks: what allocation functions make.
//!
//! ```text
//! [emp] x := malloc(n) [ok: ∃L. x = L * L ↦ _[n]]          [emp] x := malloc(n) [ok: x = nil]
//! ```
//! Source: Le et al. Fig. 3 (Alloc1, Alloc2), on bytes; the failing outcome is a case of its own of the
//! model.

use heap::{Block, BlockId, Bytes, Cell, Choice, Content, Kind, Place, Source, VarRole};
use models::{Content as NewContent, Size};
use term::{Origin, TermId};
use world::FamilyKey;

use super::value::text_length;
use crate::arena::Arena;
use crate::cx::Cx;
use crate::flow::Flow;
use crate::step::call::Calling;

/// A new block: its address. None: the path cannot go on.
pub(super) fn new_block(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &mut Flow,
    calling: &Calling<'_>,
    (name, family, size, content): (&str, &str, Size, NewContent),
) -> Option<TermId> {
    let made = cx.here();
    let source = Source { made, origin: catalog::Origin::Allocated(name.to_owned()) };
    let (pointer_bits, name) = (arena.pointer_bits(), format!("{name}()"));
    let base = arena.fresh(pointer_bits, Origin::Allocation, &name, VarRole::Local, Some(source));
    arena.note_pointer(base);
    if !flow.state.path.know_nonnull(&mut arena.terms, base) {
        return None;
    }
    let size = size_of(cx, arena, flow, calling, size)?;
    define_size(arena, flow, size);
    let rest = match content {
        NewContent::Uninit | NewContent::From(_) => Content::Undefined,
        NewContent::Zeroed => Content::Zero,
        NewContent::String => Content::Unknown,
        // What a library makes has invariants that nobody knows here.
        NewContent::Unknown => Content::NotFollowed,
    };
    let mut block = Block::new(base, size, Kind::Heap(FamilyKey::of(&[family])), rest);
    block.made = Some(made);
    let id = flow.state.add_block(block);
    flow.state.choose(Choice::Allocation(base));
    if let NewContent::From(at) = content
        && let Some(&from) = calling.args.get(at)
    {
        copy_content(cx, arena, flow, from, id);
    }
    Some(base)
}

/// No block is larger than the address space: contexts that ask for one do not count.
fn define_size(arena: &mut Arena, flow: &mut Flow, size: Option<TermId>) {
    let Some(size) = size.filter(|&size| arena.terms.value(size).is_none()) else { return };
    let pointer_bits = arena.pointer_bits();
    let most = arena.terms.constant(pointer_bits, heap::state::ADDRESS_END);
    let fits = arena.terms.ule(size, most);
    flow.state.path.define(&arena.terms, fits);
}

/// The bytes of a new block. `Some(None)`: nobody knows.
fn size_of(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &mut Flow,
    calling: &Calling<'_>,
    size: Size,
) -> Option<Option<TermId>> {
    let pointer_bits = arena.pointer_bits();
    let arg = |at: usize| calling.args.get(at).copied();
    Some(match size {
        Size::Const(bytes) => Some(arena.terms.constant(pointer_bits, bytes.into())),
        Size::Arg(at) => Some(arena.as_size(arg(at)?)),
        Size::Product(a, b) => {
            let (a, b) = (arena.as_size(arg(a)?), arena.as_size(arg(b)?));
            let overflows = arena.terms.umul_overflow(a, b);
            let fits = arena.terms.not(overflows);
            if arena.terms.value(fits) == Some(0) {
                return None;
            }
            flow.state.path.define(&arena.terms, fits);
            Some(arena.terms.mul(a, b))
        }
        Size::StringOf(at) => {
            let length = text_length(cx, arena, flow, arg(at)?);
            length.map(|length| arena.terms.constant(pointer_bits, u128::from(length) + 1))
        }
        Size::Unknown => None,
    })
}

/// The content of an old block, as far as both reach, in a new one.
fn copy_content(cx: &Cx<'_>, arena: &mut Arena, flow: &mut Flow, from: TermId, to: BlockId) {
    let Some(old_id) = flow.state.block_at(from) else { return };
    let old = flow.state.block(old_id).clone();
    let bytes = |size: Option<TermId>| size.and_then(|size| arena.terms.value(size));
    let (old_bytes, new_bytes) = (bytes(old.size), bytes(flow.state.block(to).size));
    if let (Some(old_bytes), Some(new_bytes)) = (old_bytes, new_bytes)
        && old_bytes.min(new_bytes) <= base::limits::SPLIT_COPY.into()
    {
        let start = |block| Bytes { block, place: Place::at(0) };
        let len = old_bytes.min(new_bytes) as u64;
        return arena.copy(cx, &mut flow.state, [start(to), start(old_id)], len);
    }
    let fits = |cell: &&Cell| match (new_bytes, cell.place.symbolic) {
        (Some(size), None) => cell.end() as i128 <= size as i128,
        _ => true,
    };
    let cells: Vec<Cell> = old.cells.iter().filter(fits).copied().collect();
    flow.state.block_mut(old_id).copied = true;
    let epoch = arena.begin_epoch();
    let block = flow.state.block_mut(to);
    block.cells = cells;
    block.epoch = epoch;
    // Bytes that were never looked at are copied, too; nothing is said of them.
    block.rest = if old.rest == Content::Undefined { Content::Undefined } else { Content::NotFollowed };
}
