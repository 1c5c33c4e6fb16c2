//! L2: every id points at something that exists.

use base::{Id, Symbol};

use crate::function::{Body, InstData, ValueDef};
use crate::inst::{Callee, Inst, Terminator};
use crate::module::{LocId, Module, SymbolRef};
use crate::source::{SourceType, SourceTypeId};
use crate::types::{Const, Operand};

use super::{FuncCx, Law, Position, Sink, Violation};

/// Whether a symbol has a string.
pub(super) fn has_symbol(module: &Module, symbol: Symbol) -> bool {
    symbol.index() < module.symbols.len()
}

/// Whether the target of an address in an initializer or alias exists.
pub(super) fn has_target(module: &Module, symbol: SymbolRef) -> bool {
    match symbol {
        SymbolRef::Global(global) => module.globals.contains(global),
        SymbolRef::Func(function) => module.functions.contains(function),
        SymbolRef::Block(function, block) => {
            let body = module.functions.get(function).and_then(|it| it.body.as_ref());
            body.is_some_and(|body| body.blocks.contains(block))
        }
    }
}

/// The ids of everything but functions.
pub(super) fn check_module(module: &Module, violations: &mut Vec<Violation>) {
    let mut need = |exists: bool, place: Position, what: &str| {
        if !exists {
            let message = format!("{what} does not exist");
            violations.push(Violation { law: Law::L2, function: None, place, message });
        }
    };
    let symbol = |it: Symbol| has_symbol(module, it);
    let optional = |it: Option<Symbol>| it.is_none_or(symbol);
    need(optional(module.source), Position::Header, "the symbol of the source file");
    need(optional(module.target.triple), Position::Header, "the symbol of the target triple");
    need(module.files.iter().all(|&it| symbol(it)), Position::Header, "the symbol of a file");
    need(module.asm.iter().all(|&it| symbol(it)), Position::Header, "the symbol of an assembly text");
    need(module.reasons.iter().all(|it| optional(it.detail)), Position::Header, "the symbol of a reason");
    for (id, loc) in module.locs.iter_ids() {
        need(loc.file.is_none_or(|it| module.files.contains(it)), Position::Loc(id), "its file");
        need(optional(loc.function), Position::Loc(id), "the symbol of its function");
        need(
            loc.inlined_at.is_none_or(|it| module.locs.contains(it)),
            Position::Loc(id),
            "the place it is inlined at",
        );
    }
    for (id, ty) in module.types.iter_ids() {
        each_symbol(ty, |it| need(symbol(it), Position::Type(id), "a symbol"));
        each_type(ty, |it| need(module.types.contains(it), Position::Type(id), &format!("{it}")));
    }
    for (id, global) in module.globals.iter_ids() {
        let place = Position::Global(id);
        need(symbol(global.name) && symbol(global.pretty), place, "the symbol of its name");
        need(global.source_type.is_none_or(|it| module.types.contains(it)), place, "its source type");
        need(module.locs.contains(global.loc), place, "its place");
        for reloc in global.init.iter().flat_map(|init| &init.relocs) {
            let exists =
                has_target(module, reloc.plus) && reloc.minus.is_none_or(|it| has_target(module, it));
            need(exists, place, "the target of an address in its initializer");
        }
    }
    for alias in &module.aliases {
        need(symbol(alias.name), Position::Header, "the symbol of an alias");
        need(has_target(module, alias.target), Position::Header, "the target of an alias");
    }
    for (_, function) in module.constructors.iter().chain(&module.destructors) {
        need(module.functions.contains(*function), Position::Header, "a constructor or destructor");
    }
}

fn each_symbol(ty: &SourceType, mut f: impl FnMut(Symbol)) {
    match ty {
        SourceType::Base { name, .. } | SourceType::Typedef { name, .. } => f(*name),
        SourceType::Record { name, members, .. } => {
            name.iter().copied().chain(members.iter().filter_map(|it| it.name)).for_each(f);
        }
        SourceType::Enum { name, constants, .. } => {
            name.iter().copied().chain(constants.iter().map(|it| it.0)).for_each(f);
        }
        SourceType::Unknown
        | SourceType::Void
        | SourceType::Pointer { .. }
        | SourceType::Array { .. }
        | SourceType::Qualified { .. }
        | SourceType::Function { .. } => {}
    }
}

fn each_type(ty: &SourceType, mut f: impl FnMut(SourceTypeId)) {
    match ty {
        SourceType::Pointer { to, .. } | SourceType::Typedef { to, .. } | SourceType::Qualified { to } => {
            f(*to)
        }
        SourceType::Array { element, .. } => f(*element),
        SourceType::Record { members, .. } => members.iter().for_each(|it| f(it.ty)),
        SourceType::Function { result, params, .. } => {
            f(*result);
            params.iter().for_each(|&it| f(it));
        }
        SourceType::Unknown | SourceType::Void | SourceType::Base { .. } | SourceType::Enum { .. } => {}
    }
}

/// The ids in the header of a function.
pub(super) fn check_header(cx: &FuncCx<'_>, sink: &mut Sink) {
    let (module, function) = (cx.module, cx.function);
    let mut need = |exists: bool, what: &str| {
        sink.expect(exists, Law::L2, Position::Header, || format!("{what} does not exist"));
    };
    need(has_symbol(module, function.name) && has_symbol(module, function.pretty), "the symbol of its name");
    need(function.attrs.alloc_family.is_none_or(|it| has_symbol(module, it)), "the symbol of its family");
    need(function.source_type.is_none_or(|it| module.types.contains(it)), "its source type");
    need(module.locs.contains(function.loc), "its place");
}

/// The ids in a body.
pub(super) fn check_body(module: &Module, body: &Body, sink: &mut Sink) {
    let mut cx = IdCx { module, body, sink };
    for (id, var) in body.vars.iter_ids() {
        let place = Position::Var(id);
        cx.need(has_symbol(module, var.name), place, "the symbol of its name");
        cx.need(var.source_type.is_none_or(|it| module.types.contains(it)), place, "its source type");
        cx.loc(var.loc, place);
    }
    for (id, value) in body.values.iter_ids() {
        let def_exists = match value.def {
            ValueDef::Param(block, _) => body.blocks.contains(block),
            ValueDef::Result(inst, _) => body.insts.contains(inst),
        };
        cx.need(def_exists, Position::Value(id), "its definition");
        cx.need(value.var.is_none_or(|it| body.vars.contains(it)), Position::Value(id), "its variable");
    }
    for (id, block) in body.blocks.iter_ids() {
        cx.need(block.params.iter().all(|&it| body.values.contains(it)), Position::Block(id), "a parameter");
        cx.need(block.insts.iter().all(|&it| body.insts.contains(it)), Position::Block(id), "an instruction");
        cx.loc(block.term_loc, Position::End(id));
        cx.terminator(&block.term, Position::End(id));
    }
    for (id, data) in body.insts.iter_ids() {
        cx.inst(data, Position::Inst(id));
    }
}

struct IdCx<'m, 's> {
    module: &'m Module,
    body: &'m Body,
    sink: &'s mut Sink,
}

impl IdCx<'_, '_> {
    fn need(&mut self, exists: bool, place: Position, what: &str) {
        self.sink.expect(exists, Law::L2, place, || format!("{what} does not exist"));
    }

    fn loc(&mut self, loc: LocId, place: Position) {
        self.need(self.module.locs.contains(loc), place, "its place");
    }

    fn operand(&mut self, operand: Operand, place: Position) {
        match operand {
            Operand::Value(value) if self.body.values.contains(value) => {}
            Operand::Value(value) => self.need(false, place, &format!("{value}")),
            Operand::Const(constant) => match self.body.consts.get(constant) {
                None => self.need(false, place, "a constant"),
                Some(Const::Global { global, .. }) => {
                    self.need(self.module.globals.contains(*global), place, "a global");
                }
                Some(Const::Func(function)) => {
                    self.need(self.module.functions.contains(*function), place, "a function");
                }
                Some(Const::Block(block)) => self.need(self.body.blocks.contains(*block), place, "a label"),
                Some(
                    Const::Int { .. }
                    | Const::WideInt { .. }
                    | Const::Null
                    | Const::Float { .. }
                    | Const::Undef(_)
                    | Const::Poison(_),
                ) => {}
            },
        }
    }

    fn terminator(&mut self, term: &Terminator, place: Position) {
        term.each_operand(|operand| self.operand(operand, place));
        for target in term.targets() {
            self.need(self.body.blocks.contains(target.block), place, &format!("{}", target.block));
        }
        if let Terminator::Switch { cases, .. } = term {
            cases.iter().for_each(|&(case, _)| self.operand(case.into(), place));
        }
    }

    fn inst(&mut self, data: &InstData, place: Position) {
        let body = self.body;
        self.loc(data.loc, place);
        let results_end = data.first_result.index() + data.n_results as usize;
        self.need(data.n_results == 0 || results_end <= body.values.len(), place, "a result");
        match data.inst {
            Inst::Assign { var, .. }
            | Inst::Uninit { var: Some(var) }
            | Inst::Alloca { var: Some(var), .. } => {
                self.need(body.vars.contains(var), place, "its variable");
            }
            Inst::Nondet { reason } => self.need(self.module.reasons.contains(reason), place, "its reason"),
            Inst::Call { call } if !body.calls.contains(call) => return self.need(false, place, "its call"),
            Inst::Call { call } => match body.calls[call].callee {
                Callee::Func(function) => {
                    self.need(self.module.functions.contains(function), place, "the callee")
                }
                Callee::Asm(asm) => self.need(self.module.asm.contains(asm), place, "the assembly text"),
                Callee::Ptr(_) => {}
            },
            _ => {}
        }
        let Position::Inst(id) = place else { return };
        body.each_operand(id, |operand| self.operand(operand, place));
    }
}
