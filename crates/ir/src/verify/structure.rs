//! L5, L9, L10: types and constants, the entry, and that everything is at one place.

use base::IdVec;

use crate::function::{BlockId, Body, InstId, ValueDef, ValueId};
use crate::inst::Inst;
use crate::types::Const;

use super::module::{check_signature, has_width};
use super::{BodyCx, Law, Position, Sink};

pub(super) fn check(cx: &BodyCx<'_>, sink: &mut Sink) {
    check_types(cx.body, sink);
    check_entry(cx, sink);
    check_insts_once(cx.body, sink);
    check_definitions(cx.body, sink);
}

fn check_types(body: &Body, sink: &mut Sink) {
    for (id, value) in body.values.iter_ids() {
        sink.expect(has_width(value.ty), Law::L5, Position::Value(id), || {
            format!("no integer is {}", value.ty)
        });
    }
    for constant in body.consts.iter() {
        sink.expect(is_well_formed(constant), Law::L5, Position::Header, || {
            format!("the constant {constant:?} is not well formed")
        });
    }
    for (id, data) in body.insts.iter_ids() {
        if let Inst::Call { call } = data.inst {
            check_signature(&body.calls[call].signature, Position::Inst(id), sink);
        }
    }
}

fn is_well_formed(constant: &Const) -> bool {
    match *constant {
        Const::Int { width, value } => {
            (1..=128).contains(&width) && value.checked_shr(width).is_none_or(|rest| rest == 0)
        }
        Const::WideInt { width: ..=128, .. } => false,
        Const::WideInt { width, ref words } => {
            let top_bits = (width - 1) % 64 + 1;
            let top = words.last().copied().unwrap_or(0);
            has_width(constant.ty())
                && words.len() == width.div_ceil(64) as usize
                && top.checked_shr(top_bits).is_none_or(|rest| rest == 0)
        }
        Const::Float { kind, bits } => bits.checked_shr(kind.bits()).is_none_or(|rest| rest == 0),
        Const::Undef(ty) | Const::Poison(ty) => has_width(ty),
        Const::Null | Const::Global { .. } | Const::Func(_) | Const::Block(_) => true,
    }
}

fn check_entry(cx: &BodyCx<'_>, sink: &mut Sink) {
    let Some(entry) = cx.body.blocks.get(Body::ENTRY) else {
        return sink.report(Law::L9, Position::Header, "the body has no block");
    };
    let types = entry.params.iter().map(|&param| cx.body.values[param].ty);
    sink.expect(
        types.eq(cx.function.signature.params.iter().copied()),
        Law::L9,
        Position::Block(Body::ENTRY),
        || "its parameters are not those of the function".into(),
    );
    for (id, block) in cx.body.blocks.iter_ids() {
        let to_entry = block.term.targets().any(|target| target.block == Body::ENTRY);
        sink.expect(!to_entry, Law::L9, Position::End(id), || "it goes to the entry block".into());
    }
}

fn check_insts_once(body: &Body, sink: &mut Sink) {
    let mut n_places: IdVec<InstId, u32> = IdVec::from_vec(vec![0; body.insts.len()]);
    body.blocks.iter().flat_map(|block| &block.insts).for_each(|&inst| n_places[inst] += 1);
    for (id, &n) in n_places.iter_ids().filter(|&(_, &n)| n != 1) {
        sink.report(Law::L10, Position::Inst(id), format!("it stands at {n} places"));
    }
    let mut n_uses = vec![0_u32; body.calls.len()];
    for (id, data) in body.insts.iter_ids() {
        if let Inst::Call { call } = data.inst {
            let n = &mut n_uses[base::Id::index(call)];
            *n += 1;
            sink.expect(*n == 1, Law::L10, Position::Inst(id), || {
                "another instruction has the same call".into()
            });
        }
    }
    for call in n_uses.iter().enumerate().filter(|&(_, &n)| n == 0).map(|(call, _)| call) {
        sink.report(Law::L10, Position::Header, format!("no instruction has call{call}"));
    }
}

fn check_definitions(body: &Body, sink: &mut Sink) {
    let mut n_defs: IdVec<ValueId, u32> = IdVec::from_vec(vec![0; body.values.len()]);
    let mut define = |value: ValueId, def: ValueDef, place: Position| {
        n_defs[value] += 1;
        sink.expect(body.values[value].def == def, Law::L10, place, || {
            format!("{value} should be defined at {:?}", body.values[value].def)
        });
    };
    for (block, data) in body.blocks.iter_ids() {
        for (position, &param) in data.params.iter().enumerate() {
            define(param, ValueDef::Param(block, position as u32), Position::Block(block));
        }
    }
    for inst in body.insts.ids() {
        for (position, result) in body.results(inst).enumerate() {
            define(result, ValueDef::Result(inst, position as u32), Position::Inst(inst));
        }
    }
    for (id, n) in n_defs.iter_ids().filter(|&(_, &n)| n != 1) {
        sink.report(Law::L10, Position::Value(id), format!("it is defined {n} times"));
    }
}

/// By instruction: its block and its position there. Of instructions that break L10, some place.
pub(super) fn inst_places(body: &Body) -> IdVec<InstId, (BlockId, u32)> {
    let mut places = IdVec::from_vec(vec![(BlockId::FIRST, u32::MAX); body.insts.len()]);
    for (block, data) in body.blocks.iter_ids() {
        for (position, &inst) in data.insts.iter().enumerate() {
            places[inst] = (block, position as u32);
        }
    }
    places
}
