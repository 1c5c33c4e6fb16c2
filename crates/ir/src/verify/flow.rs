//! L11, L12, L14 to L17, L20: how blocks end, and that definitions come before uses.

use rustc_hash::FxHashSet;

use crate::cfg::Cfg;
use crate::dominators::Dominators;
use crate::function::{BlockId, ValueDef, ValueId};
use crate::inst::{Inst, Target, Terminator};
use crate::types::{Const, Operand, Type};

use super::structure::inst_places;
use super::{BodyCx, Law, Position, Sink};

pub(super) fn check(cx: &BodyCx<'_>, sink: &mut Sink) {
    for (id, block) in cx.body.blocks.iter_ids() {
        block.term.targets().for_each(|target| check_target(cx, target, Position::End(id), sink));
        check_terminator(cx, &block.term, Position::End(id), sink);
    }
    for (id, data) in cx.body.insts.iter_ids() {
        if let Inst::Lifetime { ptr, .. } = data.inst {
            sink.expect(is_alloca(cx, ptr), Law::L20, Position::Inst(id), || {
                "it does not name an alloca".into()
            });
        }
    }
    let cfg = Cfg::new(cx.body);
    for block in cx.body.blocks.ids().filter(|&block| !cfg.is_reachable(block)) {
        sink.report(Law::L11, Position::Block(block), "the entry does not reach it");
    }
    if sink.violations.iter().all(|it| it.law != Law::L10) {
        check_dominance(cx, &cfg, sink);
    }
}

fn check_target(cx: &BodyCx<'_>, target: &Target, place: Position, sink: &mut Sink) {
    let params = &cx.body.blocks[target.block].params;
    let holds =
        target.args.iter().map(|&it| cx.body.ty(it)).eq(params.iter().map(|&it| cx.body.values[it].ty));
    sink.expect(holds, Law::L14, place, || {
        format!("the arguments for {} do not fit its parameters", target.block)
    });
}

fn check_terminator(cx: &BodyCx<'_>, term: &Terminator, place: Position, sink: &mut Sink) {
    match term {
        Terminator::Jump(_) | Terminator::Unreachable { .. } => {}
        Terminator::Branch { cond, .. } => {
            let ty = cx.body.ty(*cond);
            sink.expect(ty == Type::BOOL, Law::L15, place, || format!("the condition is {ty}, not i1"));
        }
        Terminator::Switch { value, cases, .. } => check_switch(cx, cx.body.ty(*value), cases, place, sink),
        Terminator::IndirectJump { address, targets } => {
            let ty = cx.body.ty(*address);
            sink.expect(ty == Type::Ptr, Law::L16, place, || format!("the address is {ty}, not ptr"));
            let mut seen = FxHashSet::default();
            for target in targets.iter().filter(|target| !seen.insert(target.block)) {
                sink.report(Law::L16, place, format!("{} is a target twice", target.block));
            }
        }
        Terminator::Return { values } => {
            let holds =
                values.iter().map(|&it| cx.body.ty(it)).eq(cx.function.signature.results.iter().copied());
            sink.expect(holds, Law::L17, place, || "the values are not those of the signature".into());
        }
    }
}

fn check_switch(
    cx: &BodyCx<'_>,
    ty: Type,
    cases: &[(crate::ConstId, Target)],
    place: Position,
    sink: &mut Sink,
) {
    sink.expect(matches!(ty, Type::Int(_)), Law::L15, place, || format!("a switch on {ty}"));
    let mut seen = FxHashSet::default();
    for &(case, _) in cases {
        let constant = &cx.body.consts[case];
        let holds = matches!(constant, Const::Int { .. } | Const::WideInt { .. }) && constant.ty() == ty;
        sink.expect(holds, Law::L15, place, || {
            format!("the case {constant:?} is not an integer of type {ty}")
        });
        sink.expect(seen.insert(case), Law::L15, place, || format!("the case {constant:?} is there twice"));
    }
}

fn is_alloca(cx: &BodyCx<'_>, ptr: Operand) -> bool {
    let Some(value) = ptr.value() else { return false };
    match cx.body.values[value].def {
        ValueDef::Result(inst, _) => matches!(cx.body.insts[inst].inst, Inst::Alloca { .. }),
        ValueDef::Param(..) => false,
    }
}

fn check_dominance(cx: &BodyCx<'_>, cfg: &Cfg, sink: &mut Sink) {
    let body = cx.body;
    let dominators = Dominators::new(cfg);
    let places = inst_places(body);
    // Whether `value` is there when the instruction at `position` of `block` begins.
    let is_available = |value: ValueId, block: BlockId, position: u32| match body.values[value].def {
        ValueDef::Param(home, _) => dominators.dominates(home, block),
        ValueDef::Result(inst, _) => {
            let (home, defined) = places[inst];
            if home == block { defined < position } else { dominators.dominates(home, block) }
        }
    };
    let message = |value: ValueId| format!("the definition of {value} does not dominate this use");
    for &block in cfg.reverse_postorder() {
        let data = &body.blocks[block];
        for (position, &inst) in data.insts.iter().enumerate() {
            body.each_operand(inst, |operand| {
                let Some(value) = operand.value() else { return };
                let holds = is_available(value, block, position as u32);
                sink.expect(holds, Law::L12, Position::Inst(inst), || message(value));
            });
        }
        data.term.each_operand(|operand| {
            let Some(value) = operand.value() else { return };
            sink.expect(is_available(value, block, u32::MAX), Law::L12, Position::End(block), || {
                message(value)
            });
        });
    }
}
