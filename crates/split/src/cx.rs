//! The environment of an analysis: all that it is about and that it does not change. The place in the
//! function is part of it ([`Cx::at`]).

use catalog::Name;
use heap::bytes::Order;
use heap::{Content, Image, Kind, Machine, Made, Site, Symbol, Symbols, VarRole};
use ir::{
    BlockId, Body, Callee, Const, FuncId, Function, Inst, InstId, LocId, Module, Operand, SymbolRef,
    Terminator, Type, ValueDef, ValueId,
};
use term::Width;
use world::{Callers, FamilyKey, FnKey, GlobalKey, Knowledge, Specialization, UnitKey};

use crate::effort::Options;
use crate::graph::Graph;

/// The function, how it is analyzed, and the world around it; and where in the function the analysis is.
#[derive(Clone, Copy)]
pub(crate) struct Cx<'a> {
    pub(crate) world: &'a models::World<'a>,
    /// The unit of the function.
    pub(crate) unit: UnitKey,
    /// Who calls it.
    pub(crate) callers: Callers,
    pub(crate) options: &'a Options,
    pub(crate) how: &'a Specialization,
    pub(crate) module: &'a Module,
    pub(crate) function: &'a Function,
    pub(crate) body: &'a Body,
    pub(crate) graph: &'a Graph,
    /// The instruction under way.
    pub(crate) at: Site,
    /// States behind a call that one path may come to.
    pub(crate) share: usize,
}

impl<'a> Cx<'a> {
    /// The body of a function, which must have one.
    pub(crate) fn body_of(module: &'a Module, func: FuncId) -> &'a Body {
        let body = module.functions[func].body.as_ref();
        body.expect("invariant: only functions with a body are analyzed")
    }

    /// The function.
    pub(crate) fn key(&self) -> FnKey {
        self.world.own()
    }

    /// The same at another place of the function.
    pub(crate) fn at(&self, loc: LocId) -> Cx<'a> {
        Cx { at: self.site(loc), ..*self }
    }

    /// A place of the function.
    pub(crate) fn site(&self, loc: LocId) -> Site {
        self.graph.sites.get(loc)
    }

    /// The present place.
    pub(crate) fn here(&self) -> Made {
        Made::here(self.at)
    }

    pub(crate) fn machine(&self) -> Machine {
        let target = &self.module.target;
        let order = if target.big_endian { Order::Big } else { Order::Little };
        Machine { pointer_bits: target.pointer_bytes * 8, order }
    }

    /// The bits of a type.
    pub(crate) fn width(&self, ty: Type) -> Width {
        ty.bits(self.machine().pointer_bits)
    }

    /// How the user calls a value.
    pub(crate) fn name_of(&self, operand: Option<Operand>) -> Name {
        operand.and_then(|operand| ir::names::describe(self.module, self.function, operand))
    }

    /// `&p->member` is null because `p` is.
    pub(crate) fn base_of(&self, mut operand: Operand) -> Operand {
        while let Operand::Value(value) = operand
            && let ValueDef::Result(inst, _) = self.body.values[value].def
            && let Inst::PtrAdd { base, .. } = self.body.insts[inst].inst
        {
            operand = base;
        }
        operand
    }

    /// The pointer that an address was computed from: `p` of `p[-1]`, and of `*q` behind `q = p - 1`.
    pub(crate) fn origin_of(&self, operand: Operand) -> Operand {
        let base = self.base_of(operand);
        if let Operand::Value(value) = base
            && let ValueDef::Result(inst, _) = self.body.values[value].def
            && let Inst::Assign { value, .. } = self.body.insts[inst].inst
            && self.base_of(value) != value
        {
            return self.origin_of(value);
        }
        base
    }

    /// The pointer of the function that an address begins at, whatever variables it went through.
    pub(crate) fn pointer_behind(&self, operand: Option<Operand>) -> Option<ValueId> {
        let mut operand = self.base_of(operand?);
        while let Operand::Value(value) = operand
            && let ValueDef::Result(inst, _) = self.body.values[value].def
            && let Inst::Assign { value, .. } = self.body.insts[inst].inst
        {
            operand = self.base_of(value);
        }
        operand.value()
    }

    /// What allocates blocks of a family, in words.
    pub(crate) fn allocator_of(&self, family: FamilyKey) -> Option<&'a str> {
        self.world.family(family).map(|family| family.words)
    }

    /// What is reported when a block of a family is lost.
    pub(crate) fn leak_issue(&self, family: FamilyKey) -> catalog::Issue {
        self.world.family(family).map_or(catalog::Issue::MemoryLeak, |family| family.leak)
    }

    /// The values that a block and what is behind it can use.
    pub(crate) fn used_from(&self, block: BlockId) -> impl Iterator<Item = ValueId> {
        self.graph.live_in(block).iter().chain(&self.body.blocks[block].params).copied()
    }

    /// Whether control can come from a block to a return, as far as the graph tells: past no call that never returns.
    pub(crate) fn may_return_from(&self, block: BlockId) -> bool {
        self.graph.may_return_from(self.body, block, &|inst| self.never_returns(inst))
    }

    /// Whether an instruction calls a function that was followed to all its ends, and returns on none of them.
    fn never_returns(&self, inst: InstId) -> bool {
        let Inst::Call { call } = self.body.insts[inst].inst else { return false };
        let call = &self.body.calls[call];
        let Callee::Func(function) = call.callee else { return call.noreturn };
        let ends = |&target: &FnKey| match self.world.callee(target) {
            Knowledge::Summary(it) => it.split.never_returns(),
            Knowledge::Model(model) => model.noreturn.is_some(),
            Knowledge::Unknown => call.noreturn,
        };
        self.world.function(self.unit, function).iter().all(ends)
    }

    /// Whether an operand is the result of an undefined operation.
    pub(crate) fn is_poison(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Const(it) if matches!(self.body.consts[it], Const::Poison(_)))
    }

    /// Whether an instruction has the result of an undefined operation: C says nothing about the path from here on.
    pub(crate) fn uses_poison(&self, inst: InstId) -> bool {
        let mut uses = false;
        self.body.each_operand(inst, |operand| uses |= self.is_poison(operand));
        uses
    }

    /// Whether a block ends with such a result. Of a vector that is returned some parts may be nothing.
    pub(crate) fn ends_with_poison(&self, block: BlockId) -> bool {
        match &self.body.blocks[block].term {
            Terminator::Branch { cond: tested, .. } | Terminator::Switch { value: tested, .. } => {
                self.is_poison(*tested)
            }
            Terminator::Return { values } => matches!(values[..], [only] if self.is_poison(only)),
            Terminator::Jump(_) | Terminator::IndirectJump { .. } | Terminator::Unreachable { .. } => false,
        }
    }
}

impl Symbols for Cx<'_> {
    fn name(&self, role: VarRole) -> String {
        match role {
            VarRole::Global(global) => format!("&{}", self.world.global_info(global).name),
            VarRole::Function(function) => self.world.name(function),
            VarRole::Param(_) | VarRole::Local => String::new(),
        }
    }

    fn symbol(&self, role: VarRole) -> Symbol {
        match role {
            VarRole::Global(global) => {
                let info = self.world.global_info(global);
                let (kind, rest) = match info.init {
                    Some(_) if info.constant => (Kind::Constant(global), Content::Image),
                    Some(_) if self.callers.begins_program => (Kind::Global(global), Content::Image),
                    _ => (Kind::Global(global), Content::Initial),
                };
                Symbol { kind, size: Some(info.size).filter(|&size| size > 0), rest }
            }
            VarRole::Function(function) => {
                Symbol { kind: Kind::Function(function), size: None, rest: Content::Unknown }
            }
            VarRole::Param(_) | VarRole::Local => {
                unreachable!("invariant: only global variables and functions are symbols")
            }
        }
    }

    fn image(&self, global: GlobalKey, from: i64, bytes: u32) -> Image {
        let Some(init) = self.world.global_info(global).init else { return Image::NotFollowed };
        let to = from + i64::from(bytes);
        let is_there =
            |it: &&ir::Reloc| (it.offset as i64) < to && it.offset as i64 + i64::from(it.bytes) > from;
        if let Some(reloc) = init.relocs.iter().find(is_there) {
            let is_whole = reloc.offset as i64 == from && reloc.bytes == bytes && reloc.minus.is_none();
            let is_label = matches!(reloc.plus, SymbolRef::Block(..));
            let role = (is_whole && !is_label).then(|| self.world.symbol(global, reloc.plus)).flatten();
            return role.map_or(Image::NotFollowed, |role| Image::Address(role.into(), reloc.addend));
        }
        if init.partial || from < 0 {
            return Image::NotFollowed;
        }
        let mut value: u128 = 0;
        for at in 0..bytes {
            let byte = init.byte(from as u64 + u64::from(at));
            let shift = if self.module.target.big_endian { (bytes - 1 - at) * 8 } else { at * 8 };
            value |= u128::from(byte) << shift;
        }
        Image::Number(value)
    }

    fn function_in(&self, global: GlobalKey, at: i64) -> Option<FnKey> {
        let info = self.world.global_info(global);
        let init = info.init.filter(|_| info.keeps_functions || info.constant)?;
        let reloc = init.relocs.iter().find(|it| it.offset as i64 == at)?;
        let is_whole =
            reloc.bytes == self.module.target.pointer_bytes && reloc.minus.is_none() && reloc.addend == 0;
        match self.world.symbol(global, reloc.plus).filter(|_| is_whole)? {
            world::Symbol::Function(function) => Some(function),
            world::Symbol::Global(_) => None,
        }
    }
}
