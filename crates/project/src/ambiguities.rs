//! What to tell of how references were resolved.

use std::collections::BTreeMap;

use crate::merge;
use crate::notes::Note;
use crate::resolutions::Resolutions;
use crate::resolve::{Cause, Cx, Target};
use crate::symbols::{DefId, Strength};

/// All notes, sorted.
pub(crate) fn notes(cx: Cx<'_>, resolutions: &Resolutions) -> Vec<Note> {
    let mut notes = cx.several(resolutions);
    notes.extend(cx.conflicts());
    notes.extend(cx.differing());
    notes.sort();
    notes.dedup();
    notes
}

impl Cx<'_> {
    /// References that mean several definitions.
    fn several(&self, resolutions: &Resolutions) -> Vec<Note> {
        let mut users: BTreeMap<(Cause, &[Target]), Vec<String>> = BTreeMap::new();
        for (unit, data) in self.units.iter_ids() {
            for (symbol, targets, cause) in resolutions.several(unit) {
                let name = self.visible_name(unit, symbol);
                // Who defines a symbol does not have to use it.
                if name.is_some_and(|name| self.symbols.def_in(name, unit).is_none()) {
                    users.entry((cause, targets)).or_default().push(data.file.clone());
                }
            }
        }
        let note = |((cause, targets), mut users): ((Cause, &[Target]), Vec<String>)| {
            users.dedup();
            let (symbol, files) = (self.pretty(targets[0]), self.files(targets));
            match cause {
                Cause::Programs => Note::DependsOnProgram { symbol, files, users },
                Cause::Ambiguous => Note::Ambiguous { symbol, files, users },
            }
        };
        users.into_iter().map(note).collect()
    }

    /// Inline functions whose copies differ.
    fn differing(&self) -> Vec<Note> {
        let note = |variants: Vec<_>| {
            let targets: Vec<Target> = variants.into_iter().map(Target::Function).collect();
            Note::Differs { symbol: self.pretty(targets[0]), files: self.files(&targets) }
        };
        merge::differing(self.units, self.symbols, self.functions).into_iter().map(note).collect()
    }

    /// The files of definitions.
    fn files(&self, targets: &[Target]) -> Vec<String> {
        let unit = |target: &Target| match *target {
            Target::Function(function) => self.functions.items[function].copies[0].0,
            Target::Global { unit, .. } => unit,
        };
        let mut files: Vec<String> = targets.iter().map(|it| self.units[unit(it)].file.clone()).collect();
        files.dedup();
        files
    }

    /// The name that the user knows a definition by.
    fn pretty(&self, target: Target) -> String {
        let (unit, name) = match target {
            Target::Function(function) => {
                let (unit, func) = self.functions.items[function].copies[0];
                (unit, self.units[unit].module.functions[func].pretty)
            }
            Target::Global { unit, global, .. } => (unit, self.units[unit].module.globals[global].pretty),
        };
        self.units[unit].module.symbols.resolve(name).to_owned()
    }

    /// Programs that define a symbol twice.
    fn conflicts(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        let names = (0..self.symbols.names.len()).map(base::Id::new);
        for name in names {
            let defs = self.symbols.defs_of(name);
            let strong: Vec<DefId> = defs
                .iter()
                .copied()
                .filter(|&id| self.symbols.defs[id].strength == Strength::Strong)
                .collect();
            if strong.len() > 1 {
                self.conflicts_of(&strong, &mut notes);
            }
        }
        notes
    }

    fn conflicts_of(&self, strong: &[DefId], notes: &mut Vec<Note>) {
        // By the definitions of a program, in its order.
        let mut programs: BTreeMap<Vec<Target>, Vec<String>> = BTreeMap::new();
        for (id, program) in self.programs.items.iter_ids() {
            let Some(path) = &program.path else { continue };
            let mut inside: Vec<(u32, DefId)> = strong
                .iter()
                .filter_map(|&def| Some((self.programs.place(id, self.symbols.defs[def].unit)?, def)))
                .collect();
            inside.sort_unstable();
            let mut targets: Vec<Target> =
                inside.into_iter().filter_map(|(_, def)| self.target(&self.symbols.defs[def])).collect();
            targets.dedup();
            if targets.len() > 1 {
                let program = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
                programs.entry(targets).or_default().push(program);
            }
        }
        notes.extend(programs.into_iter().map(|(targets, programs)| Note::DefinedTwice {
            symbol: self.pretty(targets[0]),
            programs,
            files: self.files(&targets),
        }));
    }
}
