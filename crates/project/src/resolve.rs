//! Which definition a reference means.
//!
//! * What only its unit sees is meant by its unit.
//! * In a program, a linker's choice: a strong definition before a weak one before an inline one before a
//!   copy for inspection; among equals the first in the order of the linker. What no unit of the program
//!   defines is looked for in its shared objects, in the order in which the dynamic linker searches them. A
//!   shared object can also use what the programs that use it define.
//! * A unit that several programs contain may mean several definitions. The result then says so and lists
//!   them all; asked for one program, it is one.
//! * Without link commands, all units count as linked, and the nearest of the strongest definitions is meant:
//!   that in the own unit, else the one with which the referring unit has most directories in common. If
//!   several are equally near, all are listed, and the user is told.
//!
//! Source: the OpenSSL example of Le et al., *Finding Real Bugs in Big Programs with Incorrectness Logic*,
//! OOPSLA 2022, §2.1: `app_malloc` exists twice, aborts on failure in one and returns null in the other, and
//! who confuses them reports a false bug or misses a true one.

use base::{IdVec, Symbol};
use ir::{GlobalId, Linkage, SymbolRef};

use crate::merge::Functions;
use crate::paths::nearness;
use crate::programs::{ProgramKind, Programs};
use crate::symbols::{Def, DefId, Strength, Symbols};
use crate::unit::{FnId, ProgramId, UnitId, UnitIr};

/// What a reference means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// This one.
    Known(Target),
    /// One of these, in ascending order, at least two.
    Several(Vec<Target>, Cause),
    /// No unit defines it: it is in a library, or in assembly.
    Undefined,
}

/// A definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A function.
    Function(FnId),
    /// A global variable.
    Global {
        /// The unit that defines it.
        unit: UnitId,
        /// The variable in the unit.
        global: GlobalId,
        /// Bytes from its start; 0 but for aliases.
        offset: i64,
    },
}

/// Why a reference means several definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Several programs contain the unit, and each has its own.
    Programs,
    /// The build does not say which one.
    Ambiguous,
}

impl Resolution {
    /// All definitions that may be meant.
    pub fn targets(&self) -> &[Target] {
        match self {
            Resolution::Known(target) => std::slice::from_ref(target),
            Resolution::Several(targets, _) => targets,
            Resolution::Undefined => &[],
        }
    }

    /// Whether it is one of several.
    pub fn is_several(&self) -> bool {
        matches!(self, Resolution::Several(..))
    }
}

/// What resolution looks at.
#[derive(Clone, Copy)]
pub(crate) struct Cx<'p> {
    pub(crate) units: &'p IdVec<UnitId, UnitIr>,
    pub(crate) symbols: &'p Symbols,
    pub(crate) programs: &'p Programs,
    pub(crate) functions: &'p Functions,
    /// By name: what is meant if all definitions are one function.
    pub(crate) only: &'p IdVec<Symbol, Option<Target>>,
}

/// By name: the one function that all definitions are.
pub(crate) fn only_targets(symbols: &Symbols, functions: &Functions) -> IdVec<Symbol, Option<Target>> {
    let names = (0..symbols.names.len()).map(base::Id::new);
    let only = |name: Symbol| {
        let mut targets = symbols.defs_of(name).iter().map(|&def| match symbols.defs[def].symbol {
            SymbolRef::Func(function) => functions.of_unit[symbols.defs[def].unit][function],
            SymbolRef::Global(_) | SymbolRef::Block(..) => None,
        });
        let first = targets.next().flatten()?;
        targets.all(|it| it == Some(first)).then_some(Target::Function(first))
    };
    names.map(only).collect()
}

impl Cx<'_> {
    /// What a name means inside of a program, to a unit.
    pub(crate) fn in_program(&self, unit: UnitId, symbol: SymbolRef, program: ProgramId) -> Resolution {
        if let Some(own) = self.own(unit, symbol) {
            return Resolution::Known(own);
        }
        let Some(name) = self.visible_name(unit, symbol) else { return Resolution::Undefined };
        let (defs, cause) = self.defs_in(unit, name, program);
        self.resolution(defs, cause)
    }

    /// What a name means to a unit, in whatever program.
    pub(crate) fn anywhere(&self, unit: UnitId, name: Symbol) -> Resolution {
        let defs = self.symbols.defs_of(name);
        if defs.is_empty() {
            return Resolution::Undefined;
        }
        // An inline function of a thousand units needs no choice.
        if let (Some(own), Some(only)) = (self.symbols.def_in(name, unit), self.only[name])
            && self.symbols.defs[own].strength != Strength::Copy
        {
            return Resolution::Known(only);
        }
        let mut cause = Cause::Programs;
        let mut defs = Vec::new();
        for &program in &self.programs.of_unit[unit] {
            let (found, why) = self.defs_in(unit, name, program);
            cause = if found.len() > 1 { cause.max(why) } else { cause };
            defs.extend(found);
        }
        self.resolution(defs, cause)
    }

    /// What a unit defines for itself only.
    pub(crate) fn own(&self, unit: UnitId, symbol: SymbolRef) -> Option<Target> {
        let module = &self.units[unit].module;
        match symbol {
            SymbolRef::Block(function, _) => self.functions.of_unit[unit][function].map(Target::Function),
            SymbolRef::Func(function) if module.functions[function].linkage == Linkage::Internal => {
                self.functions.of_unit[unit][function].map(Target::Function)
            }
            SymbolRef::Global(global) if module.globals[global].linkage == Linkage::Internal => {
                Some(Target::Global { unit, global, offset: 0 })
            }
            SymbolRef::Func(_) | SymbolRef::Global(_) => None,
        }
    }

    /// The name by which other units know it; none if they do not, not even for a static function that could not be lowered.
    pub(crate) fn visible_name(&self, unit: UnitId, symbol: SymbolRef) -> Option<Symbol> {
        let is_static = match symbol {
            SymbolRef::Func(function) | SymbolRef::Block(function, _) => {
                self.units[unit].module.functions[function].linkage == Linkage::Internal
            }
            SymbolRef::Global(_) => false,
        };
        self.symbols.units[unit].name(symbol).filter(|_| !is_static)
    }

    fn defs_in(&self, unit: UnitId, name: Symbol, program: ProgramId) -> (Vec<DefId>, Cause) {
        let data = &self.programs.items[program];
        if data.kind == ProgramKind::Implicit {
            return (self.nearest_of_all(unit, name), Cause::Ambiguous);
        }
        let scope = [program].into_iter().chain(data.libraries.iter().copied());
        if let Some(found) = scope.into_iter().find_map(|program| self.chosen(name, program)) {
            return (vec![found], Cause::Programs);
        }
        let users = self.programs.users[program].iter().filter_map(|&user| self.chosen(name, user));
        let users: Vec<DefId> = users.collect();
        if !users.is_empty() {
            return (users, Cause::Programs);
        }
        // A plugin uses what the program that loads it defines; a library that we did not see being made has units in it that
        // seem to be in no program.
        let is_plugin = data.kind == ProgramKind::Shared && self.programs.users[program].is_empty();
        let eligible = |&def: &DefId| {
            let of_unit = &self.programs.of_unit[self.symbols.defs[def].unit];
            let kinds = || of_unit.iter().map(|&program| self.programs.items[program].kind);
            let in_no_program = kinds().all(|kind| kind == ProgramKind::Implicit);
            data.incomplete && in_no_program
                || is_plugin && kinds().any(|kind| kind == ProgramKind::Executable)
        };
        let defs = self.symbols.defs_of(name).iter().copied().filter(eligible);
        (self.nearest(unit, defs), Cause::Ambiguous)
    }

    /// The definition that a linker takes among those in a program.
    fn chosen(&self, name: Symbol, program: ProgramId) -> Option<DefId> {
        let defs = self.symbols.defs_of(name).iter().copied();
        let ranked = defs.filter_map(|id| {
            let def = &self.symbols.defs[id];
            Some((def.strength, self.programs.place(program, def.unit)?, id))
        });
        ranked.min().map(|(_, _, id)| id)
    }

    /// The strongest and then nearest of all definitions.
    fn nearest_of_all(&self, unit: UnitId, name: Symbol) -> Vec<DefId> {
        let own = self.symbols.def_in(name, unit);
        match own.filter(|&id| Some(self.symbols.defs[id].strength) == self.symbols.strongest(name)) {
            Some(own) => vec![own],
            None => self.nearest(unit, self.symbols.defs_of(name).iter().copied()),
        }
    }

    /// The strongest and then nearest of some definitions in other units.
    fn nearest(&self, unit: UnitId, defs: impl Iterator<Item = DefId> + Clone) -> Vec<DefId> {
        let strength = |id: DefId| self.symbols.defs[id].strength;
        let Some(strongest) = defs.clone().map(strength).min() else { return Vec::new() };
        let defs = defs.filter(|&id| strength(id) == strongest);
        let path = &self.units[unit].path;
        let near = defs.map(|id| (nearness(path, &self.units[self.symbols.defs[id].unit].path), id));
        let near: Vec<(usize, DefId)> = near.collect();
        let most = near.iter().map(|(near, _)| *near).max();
        near.into_iter().filter(|(near, _)| Some(*near) == most).map(|(_, id)| id).collect()
    }

    fn resolution(&self, defs: Vec<DefId>, cause: Cause) -> Resolution {
        let mut targets: Vec<Target> =
            defs.into_iter().filter_map(|def| self.target(&self.symbols.defs[def])).collect();
        targets.sort_unstable();
        targets.dedup();
        match targets[..] {
            [] => Resolution::Undefined,
            [target] => Resolution::Known(target),
            _ => Resolution::Several(targets, cause),
        }
    }

    pub(crate) fn target(&self, def: &Def) -> Option<Target> {
        match def.symbol {
            SymbolRef::Global(global) => Some(Target::Global { unit: def.unit, global, offset: def.offset }),
            SymbolRef::Func(function) | SymbolRef::Block(function, _) => {
                self.functions.of_unit[def.unit][function].map(Target::Function)
            }
        }
    }
}
