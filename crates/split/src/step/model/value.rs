//! What a library function returns, or stores: by its model.
//!
//! Judgment: the environment chooses among the cases, and among the values that a case allows. Who decides
//! about a value is its origin.
//! Source: the design, §1 (what may be chosen). Departure: what a function that only reads returns (`strcmp`)
//! is decided by who owns the memory that it reads.

use base::limits;
use heap::path::Reason;
use heap::{Choice, Content, Located, Source, State, VarRole, locate};
use ir::{Const, Operand};
use models::{Model, Ret};
use term::{Origin, TermId};

use super::new::new_block;
use crate::arena::Arena;
use crate::cx::Cx;
use crate::flow::Flow;
use crate::step::call::{Calling, declared_memory};

/// A returned or stored value of `width` bits. None: the path cannot go on.
pub(super) fn value_of(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &mut Flow,
    calling: &Calling<'_>,
    (model, ret, width): (&Model, &Ret, u32),
) -> Option<TermId> {
    let decided = decided_by_arguments(cx, calling, model).then(|| call_text(cx, calling)).flatten();
    let name = decided.as_deref().unwrap_or(&model.name);
    let origin = who_decides(cx, arena, &flow.state, calling, model);
    let arg = |at: usize| calling.args.get(at).copied();
    Some(match ret {
        Ret::Nothing | Ret::Any => chosen(cx, arena, flow, name, (width, origin)),
        Ret::Input => chosen(cx, arena, flow, name, (width, Origin::Input)),
        Ret::Null => null_result(cx, arena, flow, (model, origin), width)?,
        Ret::Arg(at) => arg(*at)?,
        Ret::Into(at) => {
            let offset = chosen(cx, arena, flow, name, (arena.pointer_bits(), origin));
            let base = arg(*at)?;
            flow.state.choose(Choice::Opaque);
            inside(cx, arena, flow, base, offset)?
        }
        Ret::Length(at) => match text_length(cx, arena, flow, arg(*at)?) {
            Some(length) => arena.terms.constant(width, length.into()),
            None => {
                let length = chosen(cx, arena, flow, name, (width, origin));
                let size = arena.as_size(length);
                inside(cx, arena, flow, arg(*at)?, size)?;
                length
            }
        },
        Ret::Span(at) => {
            let term = chosen(cx, arena, flow, name, (width, origin));
            if let Some(length) = text_length(cx, arena, flow, arg(*at)?) {
                let most = arena.terms.constant(width, length.into());
                let within = arena.terms.ule(term, most);
                arena.assume_here(cx, flow, (within, Reason::Choice)).then_some(())?;
            }
            term
        }
        Ret::UpTo { lo, arg: at } => {
            let term = chosen(cx, arena, flow, name, (width, origin));
            let most = arena.resized(arg(*at)?, width);
            let lo = number(arena, width, *lo);
            let (above, below) = (arena.terms.sle(lo, term), arena.terms.sle(term, most));
            let (at_least, within) = (arena.terms.eq(term, lo), arena.terms.and(above, below));
            let either = arena.terms.or(at_least, within);
            arena.assume_here(cx, flow, (either, Reason::Choice)).then_some(term)?
        }
        Ret::NonNull => {
            let term = chosen(cx, arena, flow, name, (width, origin));
            arena.note_pointer(term);
            let nonzero = arena.terms.nonzero(term);
            arena.assume_here(cx, flow, (nonzero, Reason::Choice)).then_some(term)?
        }
        Ret::Range { lo, hi } => {
            let term = chosen(cx, arena, flow, name, (width, origin));
            let (lo, hi) = (number(arena, width, *lo), number(arena, width, *hi));
            let (above, below) = (arena.terms.sle(lo, term), arena.terms.sle(term, hi));
            let within = arena.terms.and(above, below);
            arena.assume_here(cx, flow, (within, Reason::Choice)).then_some(term)?
        }
        Ret::Const(value) => number(arena, width, *value),
        Ret::New { family, size, content } => {
            new_block(cx, arena, flow, calling, (&model.name, family, *size, *content))?
        }
    })
}

fn number(arena: &mut Arena, width: u32, value: i64) -> TermId {
    arena.terms.constant(width, i128::from(value) as u128)
}

/// A value that the environment chooses.
pub(super) fn chosen(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &mut Flow,
    name: &str,
    (width, origin): (u32, Origin),
) -> TermId {
    let (function, called) = match name.find('(') {
        Some(end) => (&name[..end], name.to_owned()),
        None => (name, format!("{name}()")),
    };
    let source = Source { made: cx.here(), origin: catalog::Origin::Library(function.to_owned()) };
    let term = arena.fresh(width, origin, &called, VarRole::Local, Some(source));
    flow.state.choose(Choice::Opaque);
    term
}

/// Whether a function only looks at what it is given.
fn decided_by_arguments(cx: &Cx<'_>, calling: &Calling<'_>, model: &Model) -> bool {
    declared_memory(cx, calling).writes_nothing() || model.habits.pure
}

/// A call with its arguments, as the program has it: `strcmp(name, "x")`. None: some argument has no name.
fn call_text(cx: &Cx<'_>, calling: &Calling<'_>) -> Option<String> {
    let function = calling.declared.map(|function| cx.module.functions[function].pretty)?;
    let function = ir::names::without_params(cx.module.symbols.resolve(function));
    let argument = |&operand: &Operand| literal(cx, operand).or_else(|| cx.name_of(Some(operand)));
    let arguments: Vec<String> = calling.call.args.iter().map(argument).collect::<Option<_>>()?;
    Some(format!("{function}({})", arguments.join(", ")))
}

/// A short number or string that stands in the program.
fn literal(cx: &Cx<'_>, operand: Operand) -> Option<String> {
    let Operand::Const(constant) = operand else { return None };
    match cx.body.consts[constant] {
        Const::Int { width, value } => Some(term::signed(width, value).to_string()),
        Const::Global { global, offset: 0 } => {
            let data = &cx.module.globals[global];
            let init =
                data.init.as_ref().filter(|it| data.constant && it.relocs.is_empty() && !it.partial)?;
            let bytes =
                (0..limits::SPLIT_LITERAL as u64).map(|at| init.byte(at)).take_while(|&byte| byte != 0);
            let text: String = bytes.map(char::from).collect();
            let is_plain =
                |letter: char| letter.is_ascii_graphic() && !"\"\\`".contains(letter) || letter == ' ';
            let is_whole = text.len() as u64 + 1 == data.size;
            (is_whole && text.chars().all(is_plain)).then(|| format!("\"{text}\""))
        }
        _ => None,
    }
}

/// Who decides what a function returns. One that only reads (`strchr`) is decided by the memory that it is given: the caller's is the caller's
/// business, and what the function itself put there is not followed. Everything else is the environment.
fn who_decides(cx: &Cx<'_>, arena: &Arena, state: &State, calling: &Calling<'_>, model: &Model) -> Origin {
    if !decided_by_arguments(cx, calling, model) {
        return Origin::UnknownCall;
    }
    let mut decider = Origin::NotFollowed;
    for &arg in &calling.args {
        let blocks = arena.blocks_of(state, arg);
        if blocks.is_empty() && arena.terms.mentions(arg, Origin::is_observable) {
            decider = Origin::InitialMemory;
        }
        for block in blocks {
            match state.block(block).rest {
                Content::Unknown => return Origin::UnknownCall,
                Content::Initial => decider = Origin::InitialMemory,
                Content::Undefined | Content::Zero | Content::NotFollowed | Content::Image => {}
            }
        }
        let is_outside = |origin: Origin| origin.is_unknown() && origin != Origin::NotFollowed;
        if arena.terms.mentions(arg, is_outside) {
            return Origin::UnknownCall;
        }
    }
    decider
}

/// The result of a function that failed: null, because the environment chose so.
fn null_result(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &mut Flow,
    (model, decider): (&Model, Origin),
    width: u32,
) -> Option<TermId> {
    let name = &model.name;
    let origin = if decider == Origin::UnknownCall { Origin::Allocation } else { decider };
    let source = Source { made: cx.here(), origin: catalog::Origin::Failed(name.clone()) };
    let term = arena.fresh(width, origin, &format!("{name}()"), VarRole::Local, Some(source));
    flow.state.choose(if allocates(model) { Choice::Allocation(term) } else { Choice::Opaque });
    let is_null = arena.terms.is_zero(term);
    arena.assume_here(cx, flow, (is_null, Reason::Choice)).then_some(term)
}

/// Whether some outcome of the function is a new block that only an allocation can refuse.
fn allocates(model: &Model) -> bool {
    model.cases.iter().any(|case| matches!(&case.ret, Ret::New { family, .. } if family == "malloc"))
}

/// A pointer into the block of another one, not before it and not beyond its end.
fn inside(cx: &Cx<'_>, arena: &mut Arena, flow: &mut Flow, base: TermId, offset: TermId) -> Option<TermId> {
    let limit = arena.number(i64::from(i32::MAX));
    let mut near = arena.terms.ule(offset, limit);
    if let [(_, Located::In(block, place))] = locate(&mut arena.heap, flow.state.clone(), base, cx.here())[..]
        && let Some(size) = flow.state.block(block).size
    {
        let pointer_bits = arena.pointer_bits();
        let from = heap::locate::offset_term(&mut arena.terms, place, pointer_bits);
        let at = arena.terms.add(from, offset);
        let within = arena.terms.ult(at, size);
        near = arena.terms.and(near, within);
    }
    // That it is near is a law, not a choice of the environment.
    flow.state.path.define(&arena.terms, near);
    flow.state.path.know(&mut arena.terms, near).then(|| arena.terms.add(base, offset))
}

/// The length of a text whose bytes are all known.
pub(super) fn text_length(cx: &Cx<'_>, arena: &mut Arena, flow: &mut Flow, pointer: TermId) -> Option<u64> {
    known_text(cx, arena, flow, pointer).map(|text| text.len() as u64)
}

/// A text whose bytes are all known, without its NUL.
pub(super) fn known_text(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: &mut Flow,
    pointer: TermId,
) -> Option<Vec<u8>> {
    let located = locate(&mut arena.heap, flow.state.clone(), pointer, cx.here());
    let [(_, Located::In(block, place))] = located[..] else { return None };
    if place.symbolic.is_some() {
        return None;
    }
    let mut text = Vec::new();
    for at in 0..limits::SPLIT_TEXT {
        let size = flow.state.block(block).size.and_then(|size| arena.terms.value(size))?;
        let place = place.plus(at as i64);
        if place.offset < 0 || place.offset as u128 >= size {
            return None;
        }
        let byte = arena.read(cx, &mut flow.state, heap::Bytes { block, place }, (1, None));
        match arena.terms.value(byte)? {
            0 => return Some(text),
            byte => text.push(byte as u8),
        }
    }
    None
}
