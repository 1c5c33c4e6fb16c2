//! What a format does to the arguments behind it.

use catalog::Need;
use heap::{AccessKind, Content};
use models::FormatStyle;

use crate::arena::Arena;
use crate::cx::Cx;
use crate::errors::Accessed;
use crate::flow::Flow;
use crate::outcome::Outcomes;
use crate::step::access::access;
use crate::step::call::Calling;
use crate::uninit::check_defined;

/// `printf` reads its arguments, `scanf` fills them.
pub(super) fn format(
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
