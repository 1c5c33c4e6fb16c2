//! The beginning of every path: parameters are what the caller passes, as far as it says.

use heap::{AccessKind, Cell, Place, VarRole};
use ir::{Body, Operand};
use term::{Origin, TermId};

use crate::arena::Arena;
use crate::cx::Cx;
use crate::flow::Flow;

/// A path before the first instruction.
pub(crate) fn start(cx: &Cx<'_>, arena: &mut Arena) -> Flow {
    let mut flow = Flow::new(cx.body.values.len());
    let params = &cx.body.blocks[Body::ENTRY].params;
    for (at, &param) in params.iter().enumerate() {
        let term = parameter(cx, arena, &mut flow, at as u32);
        if cx.body.values[param].ty == ir::Type::Ptr {
            arena.note_pointer_variable(term);
        }
        flow.set(param, term);
    }
    if let (true, Some(&argc)) = (cx.callers.is_main, params.first()) {
        // `argc` is not negative: C17 5.1.2.2.1.
        let argc = arena.operand(cx, &mut flow, Operand::Value(argc));
        let width = arena.terms.width(argc);
        let zero = arena.terms.constant(width, 0);
        let counts = arena.terms.sle(zero, argc);
        flow.state.path.define(&arena.terms, counts);
        let _ = flow.state.path.know(&mut arena.terms, counts);
    }
    presume_tables(cx, arena, &mut flow);
    flow
}

/// What is passed for a parameter: what an earlier one is, an address in a global, a function, a number, or anything.
fn parameter(cx: &Cx<'_>, arena: &mut Arena, flow: &mut Flow, at: u32) -> TermId {
    let params = &cx.body.blocks[Body::ENTRY].params;
    if let Some(&(_, earlier)) = cx.how.equal.iter().find(|it| it.0 == at) {
        let earlier = params[earlier as usize];
        return flow.get(earlier).expect("invariant: earlier parameters come first");
    }
    if let Some(&(_, global, offset)) = cx.how.globals.iter().find(|it| it.0 == at) {
        let base = arena.symbol(cx, &mut flow.state, VarRole::Global(global));
        return arena.plus(base, offset);
    }
    if let Some(&(_, _, function)) = cx.how.functions.iter().find(|it| (it.0, it.1) == (at, None)) {
        return arena.symbol(cx, &mut flow.state, VarRole::Function(function));
    }
    let value = cx.body.values[params[at as usize]];
    if let Some(&(_, number)) = cx.how.constants.iter().find(|it| it.0 == at) {
        return arena.terms.constant(cx.width(value.ty), number);
    }
    let name = value.var.map(|var| cx.module.symbols.resolve(cx.body.vars[var].name).to_owned());
    let name = name.unwrap_or_else(|| format!("arg{at}"));
    arena.fresh(cx.width(value.ty), Origin::Parameter, &name, VarRole::Param(at), None)
}

/// Memory of the caller that holds addresses of functions, if it is known to.
fn presume_tables(cx: &Cx<'_>, arena: &mut Arena, flow: &mut Flow) {
    let params = &cx.body.blocks[Body::ENTRY].params;
    for &(param, offset, function) in &cx.how.functions {
        let (Some(offset), Some(&param)) = (offset, params.get(param as usize)) else { continue };
        let base = arena.operand(cx, flow, Operand::Value(param));
        let bytes = cx.module.target.pointer_bytes;
        let extent = (offset, offset + i64::from(bytes));
        let access = flow.state.access(cx.here(), AccessKind::Read, extent);
        let block = match flow.state.block_at(base) {
            Some(block) => Some(block),
            None => arena.abduce(&mut flow.state, base, &access),
        };
        let Some(block) = block else { continue };
        let value = arena.symbol(cx, &mut flow.state, VarRole::Function(function));
        let cell = Cell { place: Place::at(offset), bytes, value };
        flow.state.touch(block, &access);
        flow.state.block_mut(block).cells.push(cell);
        flow.state.block_mut(block).cells.sort_by_key(|cell| cell.place);
        if let Some(pre) = flow.state.pre_mut(block) {
            pre.cells.push(cell);
        }
    }
}
