//! What lasts of the initializers of global variables, because no code writes it.
//!
//! ```c
//! static char *names[] = { "one", "two" };               // no `const`, but
//! const char *name(int i) { return names[i & 1]; }       // all that is ever done with it: it lasts.
//! static struct ops file_ops = { open_file, NULL };      // Somebody gets its address,
//! struct ops *file(void) { return &file_ops; }           // but nobody here writes it: its functions last.
//! void *(*allocate)(size_t) = malloc;                    // The program that uses this library may choose another one,
//! void set(void *(*other)(size_t)) { allocate = other; } // but nothing here does: by default, its function lasts.
//! ```
//!
//! Judgment:
//!
//! * *everything* lasts of a variable that only its unit sees, if its address goes nowhere but into loads,
//!   comparisons, sources of copies and address arithmetic that does the same,
//! * *functions* last if no function of the project writes a pointer through an address that it made from the
//!   variable's name, unless its own caller chooses the pointer.
//!
//! The first is certain. The second trusts that who gets the address of a table of functions fills in what is
//! missing at most, and leaves alone what is there; and it takes for the choice of the environment that
//! nobody has put other functions there (docs/limits.md). Addresses are followed through the values of a
//! function, in no order, until nothing changes.

use base::{Id, IdVec};
use ir::{
    Body, Const, GlobalId, Inst, Linkage, Module, Operand, SymbolRef, Terminator, Type, ValueDef, ValueId,
};

/// How much of an initializer holds for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lasting {
    /// The variable may be written.
    Nothing,
    /// Addresses of functions.
    Functions,
    /// As if it were `const`.
    Everything,
}

/// By global variable of a module that is not `const`.
pub fn of(module: &Module) -> IdVec<GlobalId, Lasting> {
    let at_first = |global: &ir::Global| {
        let is_known = global.init.as_ref().is_none_or(|init| !init.partial);
        match global.linkage {
            _ if global.constant || global.thread_local || !is_known => Lasting::Nothing,
            Linkage::Internal if global.init.is_some() => Lasting::Everything,
            // Other units say what they do with it, too.
            _ => Lasting::Functions,
        }
    };
    let mut lasting: IdVec<GlobalId, Lasting> = module.globals.iter().map(at_first).collect();
    for alias in &module.aliases {
        at_most(&mut lasting, alias.target, Lasting::Nothing);
    }
    for reloc in module.globals.iter().filter_map(|it| it.init.as_ref()).flat_map(|it| &it.relocs) {
        at_most(&mut lasting, reloc.plus, Lasting::Functions);
    }
    for body in module.functions.iter().filter_map(|function| function.body.as_ref()) {
        let is_candidate =
            |it: &Const| matches!(it, Const::Global { global, .. } if lasting[*global] > Lasting::Nothing);
        if body.consts.iter().any(is_candidate) {
            let leads_to = vec![Vec::new(); body.values.len()];
            Uses { body, lasting: &mut lasting, leads_to }.follow();
        }
    }
    lasting
}

fn at_most(lasting: &mut IdVec<GlobalId, Lasting>, symbol: SymbolRef, most: Lasting) {
    if let SymbolRef::Global(global) = symbol {
        lasting[global] = lasting[global].min(most);
    }
}

/// What a function does with addresses of global variables.
struct Uses<'b> {
    body: &'b Body,
    lasting: &'b mut IdVec<GlobalId, Lasting>,
    /// By value: the candidates that it may point into.
    leads_to: Vec<Vec<GlobalId>>,
}

impl Uses<'_> {
    fn follow(&mut self) {
        loop {
            let mut changed = false;
            for block in self.body.blocks.iter() {
                for &inst in &block.insts {
                    changed |= self.inst(inst);
                }
                changed |= self.terminator(&block.term);
            }
            if !changed {
                return;
            }
        }
    }

    /// The candidates that an operand may point into.
    fn globals(&self, operand: Operand) -> Vec<GlobalId> {
        match operand {
            Operand::Value(value) => self.leads_to[value.index()].clone(),
            Operand::Const(constant) => match self.body.consts[constant] {
                Const::Global { global, .. } if self.lasting[global] > Lasting::Nothing => vec![global],
                _ => Vec::new(),
            },
        }
    }

    fn at_most(&mut self, operand: Operand, most: Lasting) {
        for global in self.globals(operand) {
            at_most(self.lasting, SymbolRef::Global(global), most);
        }
    }

    /// Somebody gets the address.
    fn escapes(&mut self, operand: Operand) {
        self.at_most(operand, Lasting::Functions);
    }

    /// Whether whoever calls the function chooses a value: it is a parameter, or is read from memory.
    fn is_callers(&self, value: Operand) -> bool {
        let Operand::Value(value) = value else { return false };
        match self.body.values[value].def {
            ValueDef::Param(block, _) => block == Body::ENTRY,
            ValueDef::Result(inst, _) => match self.body.insts[inst].inst {
                Inst::Load { .. } => true,
                Inst::Assign { value, .. } => self.is_callers(value),
                _ => false,
            },
        }
    }

    /// Something is written there.
    fn written(&mut self, operand: Operand) {
        self.at_most(operand, Lasting::Nothing);
    }

    /// `value` may point to where `operand` points to. Says whether that is new.
    fn copy(&mut self, value: ValueId, operand: Operand) -> bool {
        let mut changed = false;
        for global in self.globals(operand) {
            let known = &mut self.leads_to[value.index()];
            if !known.contains(&global) {
                known.push(global);
                changed = true;
            }
        }
        changed
    }

    fn inst(&mut self, id: ir::InstId) -> bool {
        let body = self.body;
        let Some(result) = body.results(id).next() else {
            self.effect(id);
            return false;
        };
        match body.insts[id].inst {
            Inst::Load { ptr, access } => {
                // What is volatile changes by itself.
                if access.volatile {
                    self.written(ptr);
                }
                false
            }
            Inst::Compare { .. } => false,
            Inst::PtrAdd { base, index, .. } => {
                self.escapes(index);
                self.copy(result, base)
            }
            Inst::Assign { value: arg, .. } | Inst::Freeze { arg } => self.copy(result, arg),
            Inst::Select { on_true, on_false, .. } => {
                let changed = self.copy(result, on_true);
                self.copy(result, on_false) || changed
            }
            _ => {
                self.effect(id);
                false
            }
        }
    }

    /// An instruction that does something with addresses.
    fn effect(&mut self, id: ir::InstId) {
        match self.body.insts[id].inst {
            Inst::Store { ptr, value, .. } => {
                let keeps_functions = self.body.ty(value) != Type::Ptr || self.is_callers(value);
                self.at_most(ptr, if keeps_functions { Lasting::Functions } else { Lasting::Nothing });
                self.escapes(value);
            }
            Inst::MemCopy { dst, .. } | Inst::MemSet { dst, .. } => self.written(dst),
            _ => {
                let body = self.body;
                body.each_operand(id, |operand| self.escapes(operand));
            }
        }
    }

    fn terminator(&mut self, term: &Terminator) -> bool {
        term.own_operands().iter().for_each(|&operand| self.escapes(operand));
        let mut changed = false;
        for target in term.targets() {
            let params = &self.body.blocks[target.block].params;
            for (&param, &arg) in params.iter().zip(&target.args) {
                changed |= self.copy(param, arg);
            }
        }
        changed
    }
}
