//! What library functions do to memory.
//!
//! Judgment: the effects of a case are steps in order; each of them accesses memory by the one rule
//! ([`heap::access()`]), so that each can be blamed for its own error.
//! Source: Le et al. Fig. 3, as the rows of the models say it ([`models::Effect`]). Departure: what a text of
//! unknown length leaves is not followed.

use base::limits;
use catalog::Need;
use heap::path::Reason;
use heap::{AccessKind, Bytes, Content, Located, Place, locate};
use models::{Byte, Data, Effect, Habits, Len, Model, Ret, What};
use term::{Origin, TermId};

use super::format::format;
use super::free::{Freeing, free_effect};
use super::value::{chosen, text_length, value_of};
use crate::arena::Arena;
use crate::cx::Cx;
use crate::errors::Accessed;
use crate::flow::Flow;
use crate::outcome::{Ends, Outcomes};
use crate::step::access::{Length, access, access_range};
use crate::step::call::Calling;
use crate::step::copy::{copy, fill};
use crate::uninit::check_defined;

/// One effect on one argument. Null may mean that nothing happens.
pub(super) fn effect(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    calling: &Calling<'_>,
    (effect, at): (&Effect, usize),
) -> Outcomes {
    let Some(&pointer) = calling.args.get(at) else { return Outcomes::one(flow) };
    let mut outcomes = Outcomes::default();
    if effect.null_ok && !matches!(effect.what, What::Free { .. } | What::Freeable { .. }) {
        let is_null = arena.terms.is_zero(pointer);
        let mut skipped = flow.clone();
        if arena.assume_here(cx, &mut skipped, (is_null, Reason::Choice)) {
            outcomes.next.push(skipped);
        }
        let nonnull = arena.terms.not(is_null);
        if !arena.assume_here(cx, &mut flow, (nonnull, Reason::Choice)) {
            return outcomes;
        }
    }
    outcomes.add(happens(cx, arena, flow, calling, (effect, at)));
    outcomes
}

fn happens(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    calling: &Calling<'_>,
    (effect, at): (&Effect, usize),
) -> Outcomes {
    let pointer = calling.args[at];
    let is_pointer = arena.terms.width(pointer) == arena.pointer_bits();
    match &effect.what {
        What::Output => match check_defined(cx, arena, &flow.state, pointer, Need::Argument) {
            None => Outcomes::one(flow),
            Some(ends) => ends.into(),
        },
        What::Format { style } => format(cx, arena, flow, calling, (*style, at)),
        What::Escape => {
            arena.keep(&mut flow.state, pointer);
            Outcomes::one(flow)
        }
        _ if !is_pointer => Outcomes::one(flow),
        What::Access { read, write, len, defined } => {
            let kind = if *write { AccessKind::Write } else { AccessKind::Read };
            if *read && !*defined {
                // Who gets the bytes gets the pointers in them.
                let blocks = arena.blocks_of(&flow.state, pointer);
                let inside: Vec<TermId> =
                    blocks.iter().flat_map(|&block| flow.state.block(block).values()).collect();
                arena.let_escape(&mut flow.state, &inside);
            }
            access_effect(cx, arena, flow, calling, (at, *len, kind, *read && *defined))
        }
        What::Havoc { len, data } => havoc_effect(cx, arena, flow, (pointer, *len, *data)),
        What::Fill { byte, len } => {
            let byte = match byte {
                Byte::Const(byte) => arena.terms.constant(8, (*byte).into()),
                Byte::Arg(at) => calling.args[*at],
            };
            let Some(len) = length(cx, arena, &mut flow, calling, *len) else { return Outcomes::one(flow) };
            fill(cx, arena, flow, [pointer, byte, len], calling.call.args.get(at).copied())
        }
        What::Copy { src, len, .. } => copy_effect(cx, arena, flow, calling, (at, *src, *len)),
        What::Write { value, bytes } => write_effect(cx, arena, flow, calling, (at, value, *bytes)),
        What::Free { family, behind } => {
            let freeing = Freeing { at, family, behind: *behind, null_ok: effect.null_ok, fails: false };
            free_effect(cx, arena, flow, calling, &freeing)
        }
        What::Freeable { family, behind } => {
            let freeing = Freeing { at, family, behind: *behind, null_ok: effect.null_ok, fails: true };
            free_effect(cx, arena, flow, calling, &freeing)
        }
    }
}

/// A number of bytes as a term; none if it is a matter of text.
fn length(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &mut Flow,
    calling: &Calling<'_>,
    len: Len,
) -> Option<TermId> {
    match len {
        Len::Const(bytes) => {
            let pointer_bits = arena.pointer_bits();
            Some(arena.terms.constant(pointer_bits, bytes.into()))
        }
        Len::Arg(at) => calling.args.get(at).copied().map(|arg| arena.as_size(arg)),
        Len::Product(a, b) => {
            let (a, b) = (arena.as_size(*calling.args.get(a)?), arena.as_size(*calling.args.get(b)?));
            let overflows = arena.terms.umul_overflow(a, b);
            let fits = arena.terms.not(overflows);
            let _ = arena.assume_here(cx, flow, (fits, Reason::Choice));
            Some(arena.terms.mul(a, b))
        }
        Len::String | Len::StringMax(_) | Len::Any | Len::AnyMax(_) | Len::Within(_) => None,
    }
}

fn access_effect(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    calling: &Calling<'_>,
    (at, len, kind, defined): (usize, Len, AccessKind, bool),
) -> Outcomes {
    let (address, operand) = (calling.args[at], calling.call.args.get(at).copied());
    if let Len::StringMax(most) | Len::AnyMax(most) = len
        && let Some(&most) = calling.args.get(most)
        && flow.state.path.facts.range(&arena.terms, most).constant() == Some(0)
    {
        // Nothing fits into no bytes: `snprintf(NULL, 0, …)`.
        return Outcomes::one(flow);
    }
    let Some(length) = length(cx, arena, &mut flow, calling, len) else {
        let is_checked = defined && matches!(len, Len::String | Len::StringMax(_));
        let first = Accessed { address, operand, bytes: 1, kind, by: "" };
        return access(cx, arena, &flow, &first)
            .then(|(flow, at)| if is_checked { written(cx, arena, flow, at) } else { Outcomes::one(flow) });
    };
    let facts = &flow.state.path.facts;
    let known = arena.terms.value(length).or_else(|| facts.range(&arena.terms, length).constant());
    let length = Length { term: length, constant: known.and_then(|value| u64::try_from(value).ok()) };
    if length.constant == Some(0) {
        return Outcomes::one(flow);
    }
    let all = Accessed { address, operand, bytes: length.constant.unwrap_or(0), kind, by: "" };
    access_range(cx, arena, &flow, (&all, length))
        .then(|(flow, at)| if defined { written(cx, arena, flow, at) } else { Outcomes::one(flow) })
}

/// The path goes on if the first byte was written; if not, that is its error.
fn written(cx: &Cx<'_>, arena: &mut Arena, mut flow: Flow, at: Bytes) -> Outcomes {
    if flow.state.block(at.block).rest != Content::Undefined && !arena.has_uninit() {
        return Outcomes::one(flow);
    }
    let byte = arena.read(cx, &mut flow.state, at, (1, None));
    match check_defined(cx, arena, &flow.state, byte, Need::Library) {
        None => Outcomes::one(flow),
        Some(ends) => ends.into(),
    }
}

fn havoc_effect(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    (address, len, data): (TermId, Len, Data),
) -> Outcomes {
    let origin = match data {
        Data::Unknown => Origin::UnknownCall,
        Data::Input => Origin::Input,
    };
    let mut outcomes = Outcomes::default();
    for (state, located) in locate(&mut arena.heap, flow.state.clone(), address, cx.here()) {
        let mut flow = flow.with(state);
        if let Located::In(block, place) = located
            && flow.state.block(block).status.is_allocated()
        {
            let_fill(cx, arena, &mut flow, Bytes { block, place }, (len, origin));
        }
        outcomes.next.push(flow);
    }
    outcomes
}

/// A library function puts something into a block.
fn let_fill(cx: &Cx<'_>, arena: &mut Arena, flow: &mut Flow, at: Bytes, (len, origin): (Len, Origin)) {
    let is_known = at.place.symbolic.is_none();
    match len {
        Len::Const(bytes @ 1..=16) if is_known => {
            let bytes = bytes as u32;
            let value = chosen(cx, arena, flow, "the library", (bytes * 8, origin));
            arena.write(&mut flow.state, at, bytes, value);
        }
        // A mutex inside of a structure: its neighbors stay what they are.
        Len::Within(bytes) if is_known && bytes <= limits::SPLIT_COPY => {
            for offset in (0..bytes).step_by(8) {
                let bytes = (bytes - offset).min(8) as u32;
                let value = chosen(cx, arena, flow, "the library", (bytes * 8, origin));
                arena.write(&mut flow.state, at.plus(offset as i64), bytes, value);
            }
        }
        // A buffer is filled; what lies around something inside of a structure is not.
        _ if at.place == Place::at(0) => arena.overwrite(&mut flow.state, at.block, Content::Unknown),
        _ => arena.overwrite(&mut flow.state, at.block, Content::NotFollowed),
    }
}

fn copy_effect(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    calling: &Calling<'_>,
    (dst, src, len): (usize, usize, Len),
) -> Outcomes {
    let names = [calling.call.args.get(dst).copied(), calling.call.args.get(src).copied()];
    let (to, from) = (calling.args[dst], calling.args[src]);
    let len = match len {
        Len::String => {
            let length = text_length(cx, arena, &mut flow, from);
            length.and_then(|length| i64::try_from(length + 1).ok()).map(|length| arena.number(length))
        }
        Len::StringMax(_) => {
            let _ = text_length(cx, arena, &mut flow, from);
            None
        }
        len => length(cx, arena, &mut flow, calling, len),
    };
    if let Some(len) = len {
        return copy(cx, arena, flow, [to, from, len], names);
    }
    // Some text, nobody knows how long.
    let source = Accessed { address: from, operand: names[1], bytes: 1, kind: AccessKind::Read, by: "" };
    access(cx, arena, &flow, &source).then(|(flow, _)| {
        let target = Accessed { address: to, operand: names[0], bytes: 1, kind: AccessKind::Write, by: "" };
        access(cx, arena, &flow, &target).map(|(mut flow, at)| {
            arena.overwrite(&mut flow.state, at.block, Content::NotFollowed);
            flow
        })
    })
}

fn write_effect(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    calling: &Calling<'_>,
    (at, value, bytes): (usize, &Ret, u32),
) -> Outcomes {
    let (address, operand) = (calling.args[at], calling.call.args.get(at).copied());
    let target = Accessed { address, operand, bytes: bytes.into(), kind: AccessKind::Write, by: "" };
    let model = unnamed();
    access(cx, arena, &flow, &target).then(|(mut flow, at)| {
        match value_of(cx, arena, &mut flow, calling, (&model, value, bytes * 8)) {
            Some(term) => {
                let term = arena.resized(term, bytes * 8);
                arena.write(&mut flow.state, at, bytes, term);
                Outcomes::one(flow)
            }
            None => Ends::default().into(),
        }
    })
}

/// A model for values that are stored, not returned.
fn unnamed() -> Model {
    Model {
        name: "the library".to_owned(),
        prototype: None,
        cite: String::new(),
        file: String::new(),
        params: None,
        variadic: false,
        noreturn: None,
        habits: Habits::default(),
        cases: Vec::new(),
    }
}
