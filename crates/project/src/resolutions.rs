//! The meaning of every reference, found once and kept in few bytes.

use base::{IdVec, Symbol};
use ir::{FuncId, GlobalId, SymbolRef};
use rustc_hash::FxHashMap;

use crate::programs::ProgramKind;
use crate::resolve::{Cause, Cx, Resolution, Target};
use crate::unit::{FnId, ProgramId, UnitId};

/// The resolution of every reference.
#[derive(Debug, Default)]
pub(crate) struct Resolutions {
    functions: IdVec<UnitId, IdVec<FuncId, Slot>>,
    globals: IdVec<UnitId, IdVec<GlobalId, Slot>>,
    several: Vec<(Vec<Target>, Cause)>,
}

/// A resolution in few bytes.
#[derive(Clone, Copy, Debug)]
enum Slot {
    Undefined,
    Function(FnId),
    Global(UnitId, GlobalId),
    Several(u32),
}

/// Slots that are known already. Units that are in the same programs mean the same by a name, unless a directory decides.
type Known = FxHashMap<(Symbol, u32), Slot>;

impl Resolutions {
    pub(crate) fn of(cx: Cx<'_>) -> Resolutions {
        let mut resolutions = Resolutions::default();
        let scopes = scopes(cx);
        let mut known = Known::default();
        for (unit, data) in cx.units.iter_ids() {
            let functions = data.module.functions.ids().map(SymbolRef::Func);
            let functions =
                functions.map(|it| resolutions.slot(cx, unit, it, scopes[unit], &mut known)).collect();
            let globals = data.module.globals.ids().map(SymbolRef::Global);
            let globals =
                globals.map(|it| resolutions.slot(cx, unit, it, scopes[unit], &mut known)).collect();
            resolutions.functions.push(functions);
            resolutions.globals.push(globals);
        }
        resolutions
    }

    /// What a reference means, in whatever program.
    pub(crate) fn get(&self, cx: Cx<'_>, unit: UnitId, symbol: SymbolRef) -> Resolution {
        let slot = match symbol {
            SymbolRef::Func(function) => self.functions[unit][function],
            SymbolRef::Global(global) => self.globals[unit][global],
            SymbolRef::Block(..) => {
                return cx.own(unit, symbol).map_or(Resolution::Undefined, Resolution::Known);
            }
        };
        match slot {
            Slot::Undefined => Resolution::Undefined,
            Slot::Function(function) => Resolution::Known(Target::Function(function)),
            Slot::Global(unit, global) => Resolution::Known(Target::Global { unit, global, offset: 0 }),
            Slot::Several(index) => {
                let (targets, cause) = &self.several[index as usize];
                match targets[..] {
                    [target] => Resolution::Known(target),
                    _ => Resolution::Several(targets.clone(), *cause),
                }
            }
        }
    }

    fn slot(
        &mut self,
        cx: Cx<'_>,
        unit: UnitId,
        symbol: SymbolRef,
        scope: Option<u32>,
        known: &mut Known,
    ) -> Slot {
        if let Some(own) = cx.own(unit, symbol) {
            return self.compact(Resolution::Known(own));
        }
        let Some(name) = cx.visible_name(unit, symbol) else { return Slot::Undefined };
        let Some(scope) = scope else {
            let resolution = cx.anywhere(unit, name);
            return self.compact(resolution);
        };
        if let Some(slot) = known.get(&(name, scope)) {
            return *slot;
        }
        let slot = self.compact(cx.anywhere(unit, name));
        known.insert((name, scope), slot);
        slot
    }

    /// All references of a unit that mean several definitions.
    pub(crate) fn several(&self, unit: UnitId) -> impl Iterator<Item = (SymbolRef, &[Target], Cause)> {
        let functions = self.functions[unit].iter_ids().map(|(id, slot)| (SymbolRef::Func(id), slot));
        let globals = self.globals[unit].iter_ids().map(|(id, slot)| (SymbolRef::Global(id), slot));
        functions.chain(globals).filter_map(|(symbol, slot)| match *slot {
            Slot::Several(index) => {
                let (targets, cause) = &self.several[index as usize];
                (targets.len() > 1).then_some((symbol, &targets[..], *cause))
            }
            _ => None,
        })
    }

    fn compact(&mut self, resolution: Resolution) -> Slot {
        let (targets, cause) = match resolution {
            Resolution::Undefined => return Slot::Undefined,
            Resolution::Known(Target::Function(function)) => return Slot::Function(function),
            Resolution::Known(Target::Global { unit, global, offset: 0 }) => {
                return Slot::Global(unit, global);
            }
            Resolution::Known(target) => (vec![target], Cause::Programs),
            Resolution::Several(targets, cause) => (targets, cause),
        };
        self.several.push((targets, cause));
        Slot::Several(self.several.len() as u32 - 1)
    }
}

/// Units with the same number mean the same by a name; none if that depends on the unit's path.
fn scopes(cx: Cx<'_>) -> IdVec<UnitId, Option<u32>> {
    let depends_on_path = |&id: &ProgramId| {
        let program = &cx.programs.items[id];
        let is_plugin = program.kind == ProgramKind::Shared && cx.programs.users[id].is_empty();
        program.kind == ProgramKind::Implicit || program.incomplete || is_plugin
    };
    let mut numbers: FxHashMap<&[ProgramId], u32> = FxHashMap::default();
    let mut all = IdVec::new();
    for programs in cx.programs.of_unit.iter() {
        let next = numbers.len() as u32;
        let is_settled = !programs.iter().any(depends_on_path);
        all.push(is_settled.then(|| *numbers.entry(programs).or_insert(next)));
    }
    all
}
