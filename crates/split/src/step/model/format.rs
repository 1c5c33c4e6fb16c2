//! What a format does to the arguments behind it.

use catalog::Need;
use heap::{AccessKind, Content};
use models::{Arg, Effect, FormatStyle, format_effects};

use super::effects::effect;
use super::value::known_text;
use crate::arena::Arena;
use crate::cx::Cx;
use crate::errors::Accessed;
use crate::flow::Flow;
use crate::outcome::Outcomes;
use crate::step::access::access;
use crate::step::call::Calling;
use crate::uninit::check_defined;

/// `printf` reads its arguments, `scanf` fills them: as its text says, if that is known.
pub(super) fn format(
    cx: &Cx<'_>,
    arena: &mut Arena,
    mut flow: Flow,
    calling: &Calling<'_>,
    (style, at): (FormatStyle, usize),
) -> Outcomes {
    let text = known_text(cx, arena, &mut flow, calling.args[at]);
    let effects = text.and_then(|text| format_effects(style, &text, at + 1));
    let Some(effects) = effects else { return unknown_format(cx, arena, flow, calling, (style, at)) };
    let mut outcomes = Outcomes::one(flow);
    for effect in &effects {
        outcomes = outcomes.then(|flow| converted(cx, arena, flow, calling, effect));
    }
    outcomes
}

/// What one conversion does to its argument. A string that may be null is looked at where the path knows its block: to ask of every string whether it is null would
/// double the paths of every message.
fn converted(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    calling: &Calling<'_>,
    conversion: &Effect,
) -> Outcomes {
    let Arg::At(at) = conversion.arg else { return Outcomes::one(flow) };
    let is_skipped =
        |&pointer: &term::TermId| conversion.null_ok && arena.blocks_of(&flow.state, pointer).is_empty();
    match calling.args.get(at) {
        None => Outcomes::one(flow),
        Some(pointer) if is_skipped(pointer) => Outcomes::one(flow),
        Some(_) => effect(cx, arena, flow, calling, (&Effect { null_ok: false, ..conversion.clone() }, at)),
    }
}

/// A format that nobody knows may print every argument, and fill all that they point to.
fn unknown_format(
    cx: &Cx<'_>,
    arena: &mut Arena,
    flow: Flow,
    calling: &Calling<'_>,
    (style, at): (FormatStyle, usize),
) -> Outcomes {
    let mut outcomes = Outcomes::one(flow);
    for position in at + 1..calling.args.len() {
        let address = calling.args[position];
        outcomes = outcomes.then(|flow| match style {
            FormatStyle::Printf => match check_defined(cx, arena, &flow.state, address, Need::Argument) {
                None => Outcomes::one(flow),
                Some(ends) => ends.into(),
            },
            FormatStyle::Scanf if arena.terms.width(address) == arena.pointer_bits() => {
                let operand = calling.call.args.get(position).copied();
                let filled = Accessed { address, operand, bytes: 1, kind: AccessKind::Write, by: "" };
                access(cx, arena, &flow, &filled).map(|(mut flow, at)| {
                    arena.overwrite(&mut flow.state, at.block, Content::Unknown);
                    flow
                })
            }
            FormatStyle::Scanf => Outcomes::one(flow),
        });
    }
    outcomes
}
