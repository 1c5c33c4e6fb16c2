//! Copies and fills of memory.
//!
//! ```text
//! [d ↦ _[n] * s ↦ V[n]] memcpy(d, s, n) [ok: d ↦ V[n] * s ↦ V[n]]          [d ↦ _[n]] memset(d, c, n) [ok: d ↦ c…c[n]]
//! ```

use base::limits;
use catalog::Need;
use heap::path::Reason;
use heap::{AccessKind, Bytes, Content, Place, State};
use ir::Operand;
use term::TermId;

use super::access::{Length, access_range};
use crate::arena::Arena;
use crate::cx::Cx;
use crate::errors::Accessed;
use crate::flow::Flow;
use crate::outcome::Outcomes;
use crate::uninit::check_defined;

pub(super) fn mem_copy(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    [dst, src, len]: [Operand; 3],
) -> Outcomes {
    let terms = [dst, src, len].map(|operand| arena.operand(cx, &mut flow, operand));
    copy(cx, arena, flow, terms, [Some(dst), Some(src)])
}

/// Copies `len` bytes.
pub(super) fn copy(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    [dst, src, len]: [TermId; 3],
    [dst_name, src_name]: [Option<Operand>; 2],
) -> Outcomes {
    lengths(cx, arena, flow, len).then(|(flow, len)| {
        let Some(len) = len else { return Outcomes::one(flow) };
        let bytes = len.constant.unwrap_or(0);
        let from = Accessed { address: src, operand: src_name, bytes, kind: AccessKind::Read, by: "" };
        access_range(cx, arena, &flow, (&from, len)).then(|(flow, from)| {
            let to = Accessed { address: dst, operand: dst_name, bytes, kind: AccessKind::Write, by: "" };
            access_range(cx, arena, &flow, (&to, len)).map(|(mut flow, to)| {
                copy_bytes(cx, arena, &mut flow.state, [to, from], len);
                flow
            })
        })
    })
}

pub(super) fn mem_set(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    [dst, byte, len]: [Operand; 3],
) -> Outcomes {
    let terms = [dst, byte, len].map(|operand| arena.operand(cx, &mut flow, operand));
    fill(cx, arena, flow, terms, Some(dst))
}

/// Sets `len` bytes.
pub(super) fn fill(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    [dst, byte, len]: [TermId; 3],
    name: Option<Operand>,
) -> Outcomes {
    let byte = arena.terms.trunc(byte, 8);
    lengths(cx, arena, flow, len).then(|(flow, len)| {
        let Some(len) = len else { return Outcomes::one(flow) };
        let bytes = len.constant.unwrap_or(0);
        let to = Accessed { address: dst, operand: name, bytes, kind: AccessKind::Write, by: "" };
        access_range(cx, arena, &flow, (&to, len)).map(|(mut flow, to)| {
            fill_bytes(arena, &mut flow.state, to, byte, len);
            flow
        })
    })
}

/// The ways in which a length is zero and nothing happens (none), and in which it is not.
fn lengths(cx: &Cx<'_>, arena: &mut Arena, mut flow: Flow, len: TermId) -> Outcomes<(Flow, Option<Length>)> {
    let len = arena.as_size(len);
    if let Some(ends) = check_defined(cx, arena, &flow.state, len, Need::Length) {
        return ends.into();
    }
    let known = arena.terms.value(len).or_else(|| flow.state.path.facts.range(&arena.terms, len).constant());
    if let Some(value) = known {
        let some = Length { term: len, constant: u64::try_from(value).ok() };
        return Outcomes::one((flow, Some(some).filter(|_| value != 0)));
    }
    let some = Some(Length { term: len, constant: None });
    let zero = arena.terms.is_zero(len);
    if flow.state.path.facts.decide(&arena.terms, zero) == Some(false) {
        return Outcomes::one((flow, some));
    }
    let mut ways = Vec::new();
    let mut nothing = flow.clone();
    if arena.assume_here(cx, &mut nothing, (zero, Reason::Needed)) {
        ways.push((nothing, None));
    }
    let nonzero = arena.terms.not(zero);
    if arena.assume_here(cx, &mut flow, (nonzero, Reason::Needed)) {
        ways.push((flow, some));
    }
    Outcomes::all(ways)
}

fn copy_bytes(cx: &Cx<'_>, arena: &mut Arena, state: &mut State, [to, from]: [Bytes; 2], len: Length) {
    match len.constant {
        Some(bytes) if bytes <= limits::SPLIT_COPY => arena.copy(cx, state, [to, from], bytes),
        _ => {
            let values = state.block(from.block).values();
            arena.let_escape(state, &values);
            state.block_mut(from.block).copied = true;
            arena.overwrite(state, to.block, Content::NotFollowed);
        }
    }
}

fn fill_bytes(arena: &mut Arena, state: &mut State, to: Bytes, byte: TermId, len: Length) {
    let size = state.block(to.block).size;
    let is_whole = to.place == Place::at(0) && size == Some(len.term);
    if is_whole && arena.terms.value(byte) == Some(0) {
        return arena.forget(state, to.block, Content::Zero);
    }
    match len.constant {
        Some(bytes) if bytes <= limits::SPLIT_COPY => arena.fill(state, to, byte, bytes),
        _ => arena.overwrite(state, to.block, Content::NotFollowed),
    }
}
