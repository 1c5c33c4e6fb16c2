//! What lasts of the initializers of global variables, because no code writes it.
//!
//! ```c
//! static char *names[] = { "one", "two" };               // no `const`, but
//! const char *name(int i) { return names[i & 1]; }       // all that is ever done with it: it lasts.
//! static struct ops file_ops = { open_file, NULL };      // Somebody gets its address,
//! struct ops *file(void) { return &file_ops; }           // but nobody here writes it: its functions last.
//! ```
//!
//! Judgment: of a variable that only its unit sees,
//!
//! * *everything* lasts if its address goes nowhere but into loads, comparisons, sources of copies and address arithmetic that does the same,
//! * *functions* last if no function writes through an address that it made from the variable's name.
//!
//! The first is certain. The second trusts that who gets the address of a table of functions fills in what is missing at most, and leaves alone what is
//! there (docs/limits.md). Addresses are followed through the values of a function, in no order, until nothing changes.

use base::{Id, IdVec};
use ir::{Body, Const, GlobalId, Inst, Linkage, Module, Operand, SymbolRef, Terminator, ValueId};

/// How much of an initializer holds for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lasting {
    /// The variable may be written.
    Nothing,
    /// Addresses of functions.
    Functions,
    /// As if it were `const`.
    Everything,
}

/// By global variable of a module that is not `const`.
pub(crate) fn of(module: &Module) -> IdVec<GlobalId, Lasting> {
    let at_first = |global: &ir::Global| {
        let init = global.init.as_ref().filter(|init| !init.partial);
        let is_own = global.linkage == Linkage::Internal && !global.constant && !global.thread_local;
        if is_own && init.is_some() { Lasting::Everything } else { Lasting::Nothing }
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
                self.written(ptr);
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
