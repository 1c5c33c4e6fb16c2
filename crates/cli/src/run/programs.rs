//! Which units are executed together.
//!
//! The link commands of a captured build say it (`driver::Project`). A compilation database does not: of the units that no link
//! command mentions, every one that defines `main` is taken for a program of its own, together with all that define none. Where
//! this is a guess, it is not followed: a function that two units define counts as unknown, unless the unit of `main`
//! defines it.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use base::IdVec;
use driver::{Program, ProgramId, ProgramKind, Project, UnitId, UnitIr};
use ir::{Linkage, Module};

use crate::run::notes::Notes;

/// Names that a note lists before it counts the rest.
const LISTED: usize = 5;

/// The programs of a project.
pub(crate) struct Programs {
    units: IdVec<UnitId, UnitIr>,
    /// The units of each, that of `main` first if we had to guess.
    lists: Vec<Vec<UnitId>>,
}

impl Programs {
    /// Sorts units into programs, and notes what is not obvious about that.
    pub(crate) fn of(project: Project, notes: &mut Notes) -> Programs {
        let programs = project.programs().clone();
        let mut units = project.into_units();
        let mut lists: Vec<Vec<UnitId>> = programs
            .iter()
            .filter(|program| program.kind == ProgramKind::Executable)
            .map(|program| with_libraries(program, &programs))
            .filter(|list| list.iter().any(|&unit| defines_main(&units[unit].module)))
            .collect();
        let unlinked = programs.iter().find(|program| program.kind == ProgramKind::Implicit);
        if let Some(group) = unlinked {
            lists.extend(guessed(&mut units, &group.units, notes));
        }
        if lists.is_empty() {
            notes.add("nothing to execute: no unit defines main".to_owned());
        }
        Programs { units, lists }
    }

    /// Hands every program to `action`: its modules, and the files of its units.
    pub(crate) fn each(&self, mut action: impl FnMut(&[&Module], &[String]) -> Result<()>) -> Result<()> {
        for list in &self.lists {
            let modules: Vec<&Module> = list.iter().map(|&unit| &self.units[unit].module).collect();
            let files: Vec<String> = list.iter().map(|&unit| self.units[unit].file.clone()).collect();
            action(&modules, &files)?;
        }
        Ok(())
    }
}

/// The units of a program and of the shared objects that it uses, in the order of the linker.
fn with_libraries(program: &Program, programs: &IdVec<ProgramId, Program>) -> Vec<UnitId> {
    let libraries = program.libraries.iter().flat_map(|&library| &programs[library].units);
    let mut seen = BTreeSet::new();
    program.units.iter().chain(libraries).copied().filter(|&unit| seen.insert(unit)).collect()
}

/// Programs of units that no link command mentions.
fn guessed(units: &mut IdVec<UnitId, UnitIr>, group: &[UnitId], notes: &mut Notes) -> Vec<Vec<UnitId>> {
    let group = once_each(units, group, notes);
    let (mains, shared): (Vec<UnitId>, Vec<UnitId>) =
        group.into_iter().partition(|&unit| defines_main(&units[unit].module));
    tell_of_mains(units, &mains, notes);
    forget_ambiguous(units, &shared, notes);
    mains.into_iter().map(|main| std::iter::once(main).chain(shared.iter().copied()).collect()).collect()
}

/// A file that is compiled twice, for instance for a static and a shared library, is linked once.
fn once_each(units: &IdVec<UnitId, UnitIr>, group: &[UnitId], notes: &mut Notes) -> Vec<UnitId> {
    let mut seen = BTreeSet::new();
    let (first, again): (Vec<UnitId>, Vec<UnitId>) =
        group.iter().partition(|&&unit| seen.insert(units[unit].file.as_str()));
    let again: BTreeSet<&str> = again.iter().map(|&unit| units[unit].file.as_str()).collect();
    if !again.is_empty() {
        notes.add(format!("compiled in several ways, of which the first is executed: {}", listed(&again)));
    }
    first
}

fn defines_main(module: &Module) -> bool {
    module.functions.iter().any(|function| {
        function.body.is_some()
            && function.linkage != Linkage::Internal
            && module.symbols.resolve(function.name) == "main"
    })
}

fn tell_of_mains(units: &IdVec<UnitId, UnitIr>, mains: &[UnitId], notes: &mut Notes) {
    if mains.len() > 1 {
        let files: BTreeSet<&str> = mains.iter().map(|&unit| units[unit].file.as_str()).collect();
        notes.add(format!(
            "{} units define main; each is executed with the units that define none: {}",
            mains.len(),
            listed(&files)
        ));
    }
}

/// Turns what several units define into declarations: which definition a program gets is not known.
fn forget_ambiguous(units: &mut IdVec<UnitId, UnitIr>, group: &[UnitId], notes: &mut Notes) {
    let mut definitions: BTreeMap<&str, usize> = BTreeMap::new();
    for &unit in group {
        strong_definitions(&units[unit].module).for_each(|name| *definitions.entry(name).or_default() += 1);
    }
    let ambiguous = definitions.into_iter().filter(|(_, count)| *count > 1);
    let ambiguous: BTreeSet<String> = ambiguous.map(|(name, _)| name.to_owned()).collect();
    if ambiguous.is_empty() {
        return;
    }
    for &unit in group {
        forget(&mut units[unit].module, &ambiguous);
    }
    let names: BTreeSet<&str> = ambiguous.iter().map(String::as_str).collect();
    notes.add(format!("defined in several units, and therefore not followed: {}", listed(&names)));
}

/// The linker's names of what only one unit of a program may define.
fn strong_definitions(module: &Module) -> impl Iterator<Item = &str> {
    let functions = module.functions.iter().filter(|it| it.body.is_some() && it.linkage == Linkage::External);
    let globals = module.globals.iter().filter(|it| it.init.is_some() && it.linkage == Linkage::External);
    let names = functions.map(|it| it.name).chain(globals.map(|it| it.name));
    names.map(|name| module.symbols.resolve(name))
}

fn forget(module: &mut Module, names: &BTreeSet<String>) {
    let symbols = &module.symbols;
    for function in module.functions.iter_mut() {
        if function.linkage == Linkage::External && names.contains(symbols.resolve(function.name)) {
            function.body = None;
        }
    }
    for global in module.globals.iter_mut() {
        if global.linkage == Linkage::External && names.contains(symbols.resolve(global.name)) {
            global.init = None;
        }
    }
}

fn listed(names: &BTreeSet<&str>) -> String {
    let mut text = names.iter().take(LISTED).copied().collect::<Vec<_>>().join(", ");
    if names.len() > LISTED {
        text.push_str(&format!(" and {} more", names.len() - LISTED));
    }
    text
}

/// A function: its file if the name does not say which one it is, and the linker's name.
type Key = (String, String);

/// The functions of all units, and which of them were executed. An inline function that many units contain counts once.
pub(crate) struct Functions {
    all: BTreeSet<Key>,
    executed: BTreeSet<Key>,
    skipped: usize,
}

impl Functions {
    /// The functions of these units, without the `skipped` ones that could not be lowered.
    pub(crate) fn of<'u>(units: impl Iterator<Item = &'u UnitIr>, skipped: usize) -> Functions {
        let mut all = BTreeSet::new();
        for unit in units {
            let defined = unit.module.functions.iter().filter(|function| function.body.is_some());
            all.extend(defined.map(|function| key(&unit.file, &unit.module, function)));
        }
        Functions { all, executed: BTreeSet::new(), skipped }
    }

    /// Counts the functions that runs of this program entered.
    pub(crate) fn add_executed(&mut self, program: &interp::Program<'_>, files: &[String]) {
        for (id, linked) in program.functions().iter_ids() {
            if program.was_entered(id) {
                let module = &program.modules()[linked.module];
                self.executed.insert(key(&files[linked.module], module, linked.function));
            }
        }
    }

    /// All that have a body in the source.
    pub(crate) fn total(&self) -> usize {
        self.all.len() + self.skipped
    }

    /// Those that could not be lowered.
    pub(crate) fn skipped(&self) -> usize {
        self.skipped
    }

    /// Those that were executed, without the ones that are counted elsewhere.
    pub(crate) fn executed_except(&self, elsewhere: &BTreeSet<String>) -> usize {
        self.executed.iter().filter(|(_, name)| !elsewhere.contains(name)).count()
    }
}

fn key(file: &str, module: &Module, function: &ir::Function) -> Key {
    let name = module.symbols.resolve(function.name);
    let is_shared = function.linkage != Linkage::Internal && name != "main";
    (if is_shared { String::new() } else { file.to_owned() }, name.to_owned())
}
