//! The linker's names of all units: who defines what, how strongly, and who needs it.

use base::{IdVec, Interner, Symbol, define_id};
use ir::{FuncId, GlobalId, Linkage, Module, SymbolRef};

use crate::unit::{UnitId, UnitIr};

define_id! {
    /// A definition that other units can see.
    pub(crate) struct DefId = "def";
}

/// A definition that other units can see.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Def {
    pub(crate) name: Symbol,
    pub(crate) unit: UnitId,
    /// What is defined; for an alias, what it stands for.
    pub(crate) symbol: SymbolRef,
    /// Bytes from its start; 0 but for aliases.
    pub(crate) offset: i64,
    pub(crate) strength: Strength,
}

/// Which of two definitions a linker takes: the lesser one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// The only one of a program.
    Strong,
    /// Gives way to a strong one.
    Weak,
    /// One of many equal ones.
    Once,
    /// Not a definition for the linker; taken if there is no other.
    Copy,
}

/// The names of a unit.
#[derive(Debug, Default)]
pub(crate) struct UnitSymbols {
    pub(crate) functions: IdVec<FuncId, Symbol>,
    /// None for those that only the unit sees.
    pub(crate) globals: IdVec<GlobalId, Option<Symbol>>,
    /// What it defines for others.
    pub(crate) defs: Vec<DefId>,
    /// What others must define for it; a weak reference needs nobody.
    pub(crate) needed: Vec<Symbol>,
}

/// Something with a name.
struct Named {
    name: Symbol,
    symbol: SymbolRef,
    linkage: Linkage,
}

/// The names of all units.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    pub(crate) names: Interner,
    pub(crate) units: IdVec<UnitId, UnitSymbols>,
    pub(crate) defs: IdVec<DefId, Def>,
    /// By name, in the order of units.
    by_name: IdVec<Symbol, Vec<DefId>>,
    /// By name.
    strongest: IdVec<Symbol, Option<Strength>>,
}

impl Symbols {
    pub(crate) fn of(units: &IdVec<UnitId, UnitIr>) -> Symbols {
        let mut symbols = Symbols::default();
        for (id, unit) in units.iter_ids() {
            let entered = symbols.enter(id, &unit.module);
            symbols.units.push(entered);
        }
        symbols.by_name = (0..symbols.names.len()).map(|_| Vec::new()).collect();
        symbols.strongest = IdVec::from_vec(vec![None; symbols.names.len()]);
        for (id, def) in symbols.defs.iter_ids() {
            symbols.by_name[def.name].push(id);
            let strongest = &mut symbols.strongest[def.name];
            *strongest = Some(strongest.map_or(def.strength, |known| known.min(def.strength)));
        }
        symbols
    }

    /// All definitions of a name.
    pub(crate) fn defs_of(&self, name: Symbol) -> &[DefId] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// The strength of the strongest definitions of a name.
    pub(crate) fn strongest(&self, name: Symbol) -> Option<Strength> {
        self.strongest.get(name).copied().flatten()
    }

    /// The definition of a name in a unit.
    pub(crate) fn def_in(&self, name: Symbol, unit: UnitId) -> Option<DefId> {
        let defs = self.defs_of(name);
        defs.binary_search_by_key(&unit, |&def| self.defs[def].unit).ok().map(|at| defs[at])
    }

    fn enter(&mut self, id: UnitId, module: &Module) -> UnitSymbols {
        let mut entered = UnitSymbols::default();
        for (function, data) in module.functions.iter_ids() {
            let name = self.intern(module, data.name);
            entered.functions.push(name);
            let named = Named { name, symbol: SymbolRef::Func(function), linkage: data.linkage };
            self.see(&mut entered, id, named, data.body.is_some());
        }
        for (global, data) in module.globals.iter_ids() {
            if data.linkage == Linkage::Internal {
                entered.globals.push(None);
                continue;
            }
            let name = self.intern(module, data.name);
            entered.globals.push(Some(name));
            let named = Named { name, symbol: SymbolRef::Global(global), linkage: data.linkage };
            self.see(&mut entered, id, named, data.init.is_some());
        }
        for alias in module.aliases.iter().filter(|alias| is_defined(module, alias.target)) {
            let Some(strength) = strength(alias.linkage) else { continue };
            let name = self.intern(module, alias.name);
            let def = Def { name, unit: id, symbol: alias.target, offset: alias.offset, strength };
            entered.defs.push(self.defs.push(def));
        }
        entered
    }

    /// Enters what a unit defines or needs under a name.
    fn see(&mut self, entered: &mut UnitSymbols, unit: UnitId, named: Named, has_content: bool) {
        let Named { name, symbol, linkage } = named;
        let strength = strength(linkage).filter(|_| has_content);
        if let Some(strength) = strength {
            entered.defs.push(self.defs.push(Def { name, unit, symbol, offset: 0, strength }));
        }
        let is_defined = strength.is_some_and(|strength| strength != Strength::Copy);
        if !is_defined && matches!(linkage, Linkage::External | Linkage::AvailableExternally) {
            entered.needed.push(name);
        }
    }

    fn intern(&mut self, module: &Module, name: Symbol) -> Symbol {
        self.names.intern(linker_name(module.symbols.resolve(name)))
    }
}

/// How strong a definition of that linkage is; none if only its unit sees it.
fn strength(linkage: Linkage) -> Option<Strength> {
    match linkage {
        Linkage::External => Some(Strength::Strong),
        Linkage::Weak | Linkage::ExternWeak => Some(Strength::Weak),
        Linkage::LinkOnce => Some(Strength::Once),
        Linkage::AvailableExternally => Some(Strength::Copy),
        Linkage::Internal => None,
    }
}

fn is_defined(module: &Module, symbol: SymbolRef) -> bool {
    match symbol {
        SymbolRef::Func(function) | SymbolRef::Block(function, _) => {
            module.functions.get(function).is_some_and(|it| it.body.is_some())
        }
        SymbolRef::Global(global) => module.globals.get(global).is_some_and(|it| it.init.is_some()),
    }
}

/// The name without the mark that tells LLVM not to mangle it.
pub(crate) fn linker_name(name: &str) -> &str {
    name.strip_prefix('\u{1}').unwrap_or(name)
}

impl UnitSymbols {
    /// The name by which other units know a function or global; none for a global of its own.
    pub(crate) fn name(&self, symbol: SymbolRef) -> Option<Symbol> {
        match symbol {
            SymbolRef::Func(function) | SymbolRef::Block(function, _) => {
                self.functions.get(function).copied()
            }
            SymbolRef::Global(global) => self.globals.get(global).copied().flatten(),
        }
    }
}
