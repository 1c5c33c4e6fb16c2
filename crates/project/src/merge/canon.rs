//! A function or constant as bytes that do not depend on the numbers of its module.
//!
//! Two bodies get the same bytes if they are the same code with the same names and places. Values are
//! numbered in the order of their definitions; what other units can see goes by its name; what is the unit's
//! own is left open, as a list of references in the order in which they occur, for [`merge`](super) to fill
//! in.
//!
//! Departures: the user's types are left out, since one unit may know a struct whose members another one
//! never sees; what they mean for the code is in its constants. So are places inside of a body, which follow
//! from that of the function, but for parameters, whose place clang takes from any declaration. An inline
//! function of C++ is known by its name alone.

use std::hash::Hash;

use base::{Id, IdVec, Symbol};
use ir::{
    BlockId, Body, Call, Callee, Const, FnAttrs, FuncId, Function, Global, GlobalId, Inst, InstId, Linkage,
    LocId, Operand, ParamAttrs, SymbolRef, Target, Terminator, ValueId,
};

use world::digest::StableBytes;

use super::Cx;
use crate::chains::{chains, positions};
use crate::unit::UnitId;

/// What is the unit's own: its static functions and variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Own {
    Func(FuncId),
    Global(GlobalId),
}

/// A function or constant without numbers.
#[derive(Debug, Default)]
pub(super) struct Canonical {
    pub(super) bytes: Vec<u8>,
    /// What it refers to of its unit's own, in order.
    pub(super) refs: Vec<Own>,
}

/// The canonical form of a defined function, with or without its place.
pub(super) fn function(
    cx: &mut Cx<'_>,
    unit: UnitId,
    (function, body): (&Function, &Body),
    is_placed: bool,
) -> Canonical {
    let mut writer = Writer::new(cx, unit);
    writer.header(function, is_placed);
    let chains = chains(body);
    let blocks = positions(&chains, body.blocks.len());
    let mut values = IdVec::from_vec(vec![0; body.values.len()]);
    let mut next = 0_u32;
    let mut number = |value: ValueId| {
        values[value] = next;
        next += 1;
    };
    for block in chains.iter().flatten().map(|&block| &body.blocks[block]) {
        block.params.iter().copied().for_each(&mut number);
        block.insts.iter().flat_map(|&inst| body.results(inst)).for_each(&mut number);
    }
    BodyWriter { body, values, blocks, writer: &mut writer }.write(&chains);
    writer.out
}

/// The canonical form of a constant global. A variable of the user keeps its name; a string literal has none worth keeping.
pub(super) fn constant(cx: &mut Cx<'_>, unit: UnitId, global: &Global) -> Canonical {
    let mut writer = Writer::new(cx, unit);
    writer.put(&(b'g', global.size, global.align, global.thread_local));
    let pretty = writer.cx.units[unit].module.symbols.resolve(global.pretty);
    // Clang calls string literals `.str.17`, by a number of the unit; what the user names has no dot.
    if !pretty.contains('.') {
        writer.text(global.pretty);
    }
    let Some(init) = &global.init else { return writer.out };
    writer.put(&(&init.pieces, init.partial, init.relocs.len()));
    for reloc in &init.relocs {
        writer.put(&(reloc.offset, reloc.bytes, reloc.addend));
        writer.symbol(reloc.plus);
        writer.put(&reloc.minus.is_some());
        if let Some(minus) = reloc.minus {
            writer.symbol(minus);
        }
    }
    writer.out
}

struct Writer<'w, 'p> {
    cx: &'w mut Cx<'p>,
    unit: UnitId,
    out: Canonical,
}

impl<'w, 'p> Writer<'w, 'p> {
    fn new(cx: &'w mut Cx<'p>, unit: UnitId) -> Self {
        Self { cx, unit, out: Canonical::default() }
    }

    fn put(&mut self, item: &impl Hash) {
        item.hash(&mut StableBytes(&mut self.out.bytes));
    }

    fn text(&mut self, symbol: Symbol) {
        let module = &self.cx.units[self.unit].module;
        module.symbols.resolve(symbol).hash(&mut StableBytes(&mut self.out.bytes));
    }

    fn optional_text(&mut self, symbol: Option<Symbol>) {
        self.put(&symbol.is_some());
        if let Some(symbol) = symbol {
            self.text(symbol);
        }
    }

    fn header(&mut self, function: &Function, is_placed: bool) {
        let Function {
            name,
            pretty,
            linkage,
            signature,
            param_attrs,
            result_attrs,
            attrs,
            source_type: _,
            loc,
            body: _,
        } = function;
        self.put(&(b'f', *linkage == Linkage::Internal));
        self.text(*name);
        self.text(*pretty);
        self.put(signature);
        param_attrs.iter().chain(result_attrs).for_each(|it| self.param_attrs(it));
        self.fn_attrs(attrs);
        if is_placed && !matches!(linkage, Linkage::LinkOnce | Linkage::Weak) {
            self.place(*loc);
        }
    }

    /// Where a function is; without debug info, only the same source has the same function.
    fn place(&mut self, loc: LocId) {
        let unit = &self.cx.units[self.unit];
        let loc = unit.module.locs[loc];
        match loc.file {
            Some(file) => {
                let file = self.cx.file(self.unit, file);
                self.put(&(b's', file.index(), loc.line, loc.column));
            }
            None => unit.path.hash(&mut StableBytes(&mut self.out.bytes)),
        }
    }

    fn fn_attrs(&mut self, attrs: &FnAttrs) {
        let FnAttrs {
            noreturn,
            willreturn,
            // Clang infers it from what it saw before in the unit, and nobody follows exceptions.
            nounwind: _,
            cold,
            returns_twice,
            nofree,
            memory,
            alloc_size,
            alloc_kind,
            alloc_family,
        } = attrs;
        self.put(&(noreturn, willreturn, cold, returns_twice, nofree));
        self.put(&(memory, alloc_size, alloc_kind));
        self.optional_text(*alloc_family);
    }

    fn param_attrs(&mut self, attrs: &ParamAttrs) {
        self.put(attrs);
    }

    fn symbol(&mut self, symbol: SymbolRef) {
        match symbol {
            SymbolRef::Func(function) => self.func(function),
            SymbolRef::Global(global) => self.global(global),
            SymbolRef::Block(function, block) => {
                self.put(&(b'l', block.index()));
                self.func(function);
            }
        }
    }

    fn func(&mut self, function: FuncId) {
        let data = &self.cx.units[self.unit].module.functions[function];
        if data.linkage == Linkage::Internal {
            self.own(Own::Func(function));
        } else {
            self.put(&b'n');
            self.text(data.name);
        }
    }

    fn global(&mut self, global: GlobalId) {
        match self.cx.symbols.units[self.unit].globals[global] {
            None => self.own(Own::Global(global)),
            Some(_) => {
                self.put(&b'n');
                self.text(self.cx.units[self.unit].module.globals[global].name);
            }
        }
    }

    fn own(&mut self, own: Own) {
        self.put(&b'o');
        self.out.refs.push(own);
    }
}

struct BodyWriter<'b, 'w, 'p> {
    body: &'b Body,
    /// Numbers in the order of definitions.
    values: IdVec<ValueId, u32>,
    /// Numbers of chains.
    blocks: IdVec<BlockId, u32>,
    writer: &'b mut Writer<'w, 'p>,
}

impl BodyWriter<'_, '_, '_> {
    fn write(&mut self, chains: &[Vec<BlockId>]) {
        let body = self.body;
        for var in body.vars.iter() {
            self.writer.text(var.name);
            self.writer.put(&var.kind);
        }
        for chain in chains {
            let n_insts: usize = chain.iter().map(|&block| body.blocks[block].insts.len()).sum();
            let ([first, .., last] | [first @ last]) = chain[..] else { continue };
            self.writer.put(&(b'b', body.blocks[first].params.len(), n_insts));
            for block in chain.iter().map(|&block| &body.blocks[block]) {
                block.params.iter().for_each(|&param| self.value(param));
                block.insts.iter().for_each(|&inst| self.inst(inst));
            }
            self.terminator(&body.blocks[last].term);
        }
    }

    /// A value where it is defined.
    fn value(&mut self, value: ValueId) {
        let data = self.body.values[value];
        self.writer.put(&(data.ty, data.var.map(Id::index)));
    }

    fn inst(&mut self, id: InstId) {
        let data = &self.body.insts[id];
        self.writer.put(&std::mem::discriminant(&data.inst));
        self.particulars(&data.inst);
        let body = self.body;
        body.each_operand(id, |operand| self.operand(operand));
        self.writer.put(&data.n_results);
        body.results(id).for_each(|result| self.value(result));
    }

    /// What an instruction says besides its operands.
    fn particulars(&mut self, inst: &Inst) {
        let writer = &mut *self.writer;
        match inst {
            Inst::Assign { var, value: _ } => writer.put(&var.index()),
            Inst::Uninit { var } => writer.put(&var.map(Id::index)),
            Inst::Alloca { var, align, size: _ } => writer.put(&(var.map(Id::index), align)),
            Inst::Nondet { reason } => {
                let reason = writer.cx.units[writer.unit].module.reasons[*reason];
                writer.put(&reason.kind);
                writer.optional_text(reason.detail);
            }
            Inst::Unary { op, arg: _ } => writer.put(op),
            Inst::Binary { op, flags, lhs: _, rhs: _ } => writer.put(&(op, flags)),
            Inst::Funnel { left, high: _, low: _, amount: _ } => writer.put(left),
            Inst::Compare { op, lhs: _, rhs: _ } => writer.put(op),
            Inst::Cast { op, arg: _ } => writer.put(op),
            Inst::PtrAdd { scale, inbounds, base: _, index: _ } => writer.put(&(scale, inbounds)),
            Inst::Lifetime { event, ptr: _ } => writer.put(event),
            Inst::Load { access, ptr: _ } | Inst::Store { access, ptr: _, value: _ } => writer.put(access),
            Inst::MemCopy { overlap, dst: _, src: _, len: _ } => writer.put(overlap),
            Inst::Call { call } => self.call(&self.body.calls[*call]),
            Inst::Select { .. }
            | Inst::Freeze { .. }
            | Inst::StackSave
            | Inst::StackRestore { .. }
            | Inst::MemSet { .. }
            | Inst::VaStart { .. }
            | Inst::VaEnd { .. }
            | Inst::VaCopy { .. }
            | Inst::Assume { .. } => {}
        }
    }

    fn call(&mut self, call: &Call) {
        let Call { callee, args, arg_attrs, signature, noreturn } = call;
        match *callee {
            Callee::Func(function) => {
                self.writer.put(&b'd');
                self.writer.func(function);
            }
            Callee::Ptr(_) => self.writer.put(&b'p'),
            Callee::Asm(asm) => {
                let text = self.writer.cx.units[self.writer.unit].module.asm[asm];
                self.writer.put(&b'a');
                self.writer.text(text);
            }
        }
        arg_attrs.iter().for_each(|attrs| self.writer.param_attrs(attrs));
        self.writer.put(&(args.len(), signature, noreturn));
    }

    fn operand(&mut self, operand: Operand) {
        let constant = match operand {
            Operand::Value(value) => return self.writer.put(&(b'v', self.values[value])),
            Operand::Const(constant) => &self.body.consts[constant],
        };
        self.writer.put(&b'c');
        match constant {
            Const::Global { global, offset } => {
                self.writer.put(offset);
                self.writer.global(*global);
            }
            Const::Func(function) => self.writer.func(*function),
            Const::Block(block) => self.writer.put(&(b'l', self.blocks[*block])),
            plain => self.writer.put(plain),
        }
    }

    fn terminator(&mut self, term: &Terminator) {
        self.writer.put(&std::mem::discriminant(term));
        term.own_operands().iter().for_each(|&operand| self.operand(operand));
        match term {
            Terminator::Switch { cases, .. } => {
                cases.iter().for_each(|&(case, _)| self.operand(case.into()));
            }
            Terminator::Unreachable { cause } => self.writer.put(cause),
            Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::IndirectJump { .. }
            | Terminator::Return { .. } => {}
        }
        term.targets().for_each(|target| self.target(target));
    }

    fn target(&mut self, target: &Target) {
        self.writer.put(&(self.blocks[target.block], target.args.len()));
        target.args.iter().for_each(|&arg| self.operand(arg));
    }
}
