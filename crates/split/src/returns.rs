//! Paths that come to a return.

use heap::{BlockId, Kind, State};
use summary::{Ended, How};
use term::TermId;

use crate::arena::Arena;
use crate::cx::Cx;
use crate::errors;
use crate::flow::Flow;
use crate::leaks::check_leaks;
use crate::outcome::Ends;
use crate::sink::Sink;

/// The function returns: with the address of a local variable, with blocks that nobody can free any more, or as it should.
pub(crate) fn returned(
    cx: &Cx<'_>,
    arena: &mut Arena,
    sink: &mut Sink,
    mut flow: Flow,
    results: Vec<TermId>,
) -> Ends {
    let types = &cx.function.signature.results;
    let pointers = results.iter().zip(types).filter(|(_, ty)| **ty == ir::Type::Ptr);
    let local = pointers.into_iter().find_map(|(&result, _)| local_at(arena, &flow.state, result));
    if let Some(block) = local {
        return Ends::error(errors::returned_address(cx, arena, flow.state, block));
    }
    let mut roots = results.clone();
    // The program ends with `main`: what its variables hold is not lost before.
    if cx.callers.is_main {
        roots.extend(flow.held.values());
        let locals = flow.state.blocks().filter(|(_, block)| block.kind == Kind::Stack);
        roots.extend(locals.flat_map(|(_, block)| block.cells.iter().map(|cell| cell.value)));
    }
    let leaks = check_leaks(cx, arena, &flow.state, &roots);
    arena.let_be_kept_by_unknown_code(&mut flow.state);
    sink.returned(Ended { state: flow.state, results, how: How::Return });
    leaks
}

/// The local variable that an address is in: `&x`, `&array[i]`, `&object.member`.
fn local_at(arena: &Arena, state: &State, address: TermId) -> Option<BlockId> {
    let linear = arena.terms.linear(address);
    let mut bases = linear.monomials.iter().filter_map(|it| Some((state.block_at(it.base)?, it.coefficient)));
    let (block, coefficient) = bases.next()?;
    let is_address = coefficient == 1 && bases.next().is_none();
    (is_address && state.block(block).kind == Kind::Stack).then_some(block)
}
