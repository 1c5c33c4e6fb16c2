//! Which units make up which program, by the rules of a Unix linker.
//!
//! Objects on the command line are in the program. Of an archive, those members are in it that define a
//! symbol that is still undefined when the archive's turn comes, and so on with what these members need.
//! Shared objects are programs of their own, whose symbols are then no longer undefined.
//!
//! Source: the behavior of `ld` as its manual describes it (`--start-group`, `--whole-archive`, `-r`).
//! Departures: archives are searched again until nothing is found, as inside `--start-group`; symbols that
//! only assembly defines or needs are not seen; visibility is not looked at; an executable's definitions do
//! not replace those inside a shared object.

use std::cell::Cell;
use std::path::PathBuf;

use base::{IdVec, Symbol, limits};
use ir::scc::strong_components;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::artifacts::{ArtifactId, Artifacts, Part};
use crate::links::{ArtifactKind, Input, Links};
use crate::paths;
use crate::symbols::{Strength, Symbols};
use crate::unit::{ProgramId, UnitId, UnitIr};

/// Units that are linked together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The file that the linker wrote; none if the build does not say what is linked with what.
    pub path: Option<PathBuf>,
    /// What kind of program it is.
    pub kind: ProgramKind,
    /// The units in it, in the order of the linker.
    pub units: Vec<UnitId>,
    /// Shared objects of this build whose symbols it uses, those of its libraries included, nearest first.
    pub libraries: Vec<ProgramId>,
    /// Whether it contains a library that we did not see being made, in which units of this build may be.
    pub incomplete: bool,
}

/// Kinds of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProgramKind {
    /// It has a `main` and can be run.
    Executable,
    /// A shared object.
    Shared,
    /// Units that no linked program contains: the build does not say what they belong to.
    Implicit,
}

/// All programs, and where each unit is.
#[derive(Debug, Default)]
pub(crate) struct Programs {
    pub(crate) items: IdVec<ProgramId, Program>,
    /// By unit, ascending. Never empty.
    pub(crate) of_unit: IdVec<UnitId, Vec<ProgramId>>,
    /// By program: the place of each unit in the order of the linker, ascending by unit.
    places: IdVec<ProgramId, Vec<(UnitId, u32)>>,
    /// By shared object: the programs that use it.
    pub(crate) users: IdVec<ProgramId, Vec<ProgramId>>,
}

impl Programs {
    /// Sorts units into programs. Programs are numbered by path; the implicit group, if there is one, comes last.
    pub(crate) fn of(units: &IdVec<UnitId, UnitIr>, symbols: &Symbols, links: &Links) -> Programs {
        let artifacts = Artifacts::of(units, links);
        let linked = link_all(&artifacts, symbols);
        let mut items = numbered(&artifacts, linked);
        let mut seen = IdVec::from_vec(vec![false; units.len()]);
        items.iter().flat_map(|program: &Program| &program.units).for_each(|&unit| seen[unit] = true);
        let rest: Vec<UnitId> = units.ids().filter(|&unit| !seen[unit]).collect();
        if !rest.is_empty() {
            let (kind, libraries) = (ProgramKind::Implicit, Vec::new());
            items.push(Program { path: None, kind, units: rest, libraries, incomplete: false });
        }
        Programs::indexed(items, units.len())
    }

    fn indexed(items: IdVec<ProgramId, Program>, n_units: usize) -> Programs {
        let mut of_unit = IdVec::from_vec(vec![Vec::new(); n_units]);
        let mut places = IdVec::new();
        let mut users = IdVec::from_vec(vec![Vec::new(); items.len()]);
        for (id, program) in items.iter_ids() {
            let mut place: Vec<(UnitId, u32)> = program.units.iter().copied().zip(0..).collect();
            place.sort_unstable();
            places.push(place);
            program.units.iter().for_each(|&unit| of_unit[unit].push(id));
            program.libraries.iter().for_each(|&library| users[library].push(id));
        }
        Programs { items, of_unit, places, users }
    }

    /// The place of a unit in the order of the linker, if it is in the program.
    pub(crate) fn place(&self, program: ProgramId, unit: UnitId) -> Option<u32> {
        let places = self.places.get(program)?;
        places.binary_search_by_key(&unit, |&(unit, _)| unit).ok().map(|at| places[at].1)
    }
}

/// What a linker makes of an artifact.
#[derive(Default)]
struct Linked {
    units: Vec<UnitId>,
    /// The shared objects on the command line.
    libraries: Vec<ArtifactId>,
    incomplete: bool,
    /// What others can use of it; only for shared objects.
    exported: FxHashSet<Symbol>,
}

/// Links executables and shared objects, libraries before their users.
fn link_all(artifacts: &Artifacts<'_>, symbols: &Symbols) -> FxHashMap<ArtifactId, Linked> {
    let ids: Vec<ArtifactId> = artifacts.iter_ids().map(|(id, _)| id).collect();
    let inputs = |id: ArtifactId| {
        let parts = artifacts.get(id).inputs.iter().map(move |input| artifacts.part(id, input).0);
        parts.filter_map(|part| match part {
            Part::Artifact(input) => Some(input),
            Part::Unit(_) | Part::StrangeLibrary | Part::Foreign => None,
        })
    };
    let steps = Cell::new(limits::LINK_STEPS);
    let mut done = Done { archives: FxHashMap::default(), linked: FxHashMap::default(), steps };
    for id in strong_components(artifacts.len(), &ids, inputs).into_iter().flatten() {
        match artifacts.get(id).kind {
            ArtifactKind::Archive => {
                let archive = Archive::of(artifacts, symbols, id, &done.steps);
                done.archives.insert(id, archive);
            }
            ArtifactKind::Program | ArtifactKind::Shared => {
                let linked = Linker::link(artifacts, symbols, &done, id);
                done.linked.insert(id, linked);
            }
            ArtifactKind::Relocatable => {}
        }
    }
    done.linked
}

/// What was linked and archived so far.
struct Done {
    archives: FxHashMap<ArtifactId, Archive>,
    linked: FxHashMap<ArtifactId, Linked>,
    /// What is left of [`limits::LINK_STEPS`].
    steps: Cell<usize>,
}

/// A static library.
struct Archive {
    /// Units, member by member: a member that was joined from several objects is taken as a whole.
    members: Vec<Vec<UnitId>>,
    /// The first member that defines a symbol.
    index: FxHashMap<Symbol, usize>,
}

impl Archive {
    fn of(artifacts: &Artifacts<'_>, symbols: &Symbols, id: ArtifactId, steps: &Cell<usize>) -> Archive {
        let inputs = artifacts.get(id).inputs.iter();
        let members: Vec<Vec<UnitId>> = inputs.map(|input| units_in(artifacts, id, input, steps)).collect();
        let mut index = FxHashMap::default();
        for (position, unit) in
            members.iter().enumerate().flat_map(|(at, it)| it.iter().map(move |it| (at, it)))
        {
            for name in exported(symbols, *unit) {
                index.entry(name).or_insert(position);
            }
        }
        Archive { members, index }
    }
}

/// The names that a linker sees a unit define.
fn exported(symbols: &Symbols, unit: UnitId) -> impl Iterator<Item = Symbol> {
    let defs = symbols.units[unit].defs.iter().map(|&def| &symbols.defs[def]);
    defs.filter(|def| def.strength != Strength::Copy).map(|def| def.name)
}

/// All units in an input, whatever it is; an object that was joined or unpacked from others is followed.
fn units_in(artifacts: &Artifacts<'_>, of: ArtifactId, input: &Input, steps: &Cell<usize>) -> Vec<UnitId> {
    let mut units = Vec::new();
    let mut seen = FxHashSet::from_iter([of]);
    let mut pending = vec![artifacts.part(of, input).0];
    while let Some(part) = pending.pop() {
        steps.set(steps.get().saturating_sub(1));
        if steps.get() == 0 {
            break;
        }
        match part {
            Part::Unit(unit) => units.push(unit),
            Part::Artifact(id) if seen.insert(id) && artifacts.get(id).kind != ArtifactKind::Shared => {
                // The first input is the next to be looked at.
                let inputs = artifacts.get(id).inputs.iter().rev();
                pending.extend(inputs.map(|input| artifacts.part(id, input).0));
            }
            Part::Artifact(_) | Part::StrangeLibrary | Part::Foreign => {}
        }
    }
    units
}

/// A linker at work on one artifact.
struct Linker<'a> {
    symbols: &'a Symbols,
    done: &'a Done,
    linked: Linked,
    taken: FxHashSet<UnitId>,
    defined: FxHashSet<Symbol>,
    /// Needed and not found so far, in the order in which the need arose.
    undefined: Vec<Symbol>,
    /// The archives seen so far.
    archives: Vec<&'a Archive>,
}

impl<'a> Linker<'a> {
    fn link(artifacts: &Artifacts<'_>, symbols: &'a Symbols, done: &'a Done, id: ArtifactId) -> Linked {
        let artifact = artifacts.get(id);
        let mut linker = Linker {
            symbols,
            done,
            linked: Linked::default(),
            taken: FxHashSet::default(),
            defined: FxHashSet::default(),
            undefined: Vec::new(),
            archives: Vec::new(),
        };
        if artifact.kind == ArtifactKind::Program {
            // The system's startup code calls it.
            linker.undefined.extend(symbols.names.lookup("main"));
        }
        for input in &artifact.inputs {
            linker.add(artifacts, id, input);
        }
        linker.search_again();
        if artifact.kind == ArtifactKind::Shared {
            let units = linker.linked.units.iter();
            linker.linked.exported = units.flat_map(|&unit| exported(symbols, unit)).collect();
        }
        linker.linked
    }

    fn add(&mut self, artifacts: &Artifacts<'_>, of: ArtifactId, input: &Input) {
        let (part, whole) = artifacts.part(of, input);
        match part {
            Part::Unit(unit) => self.take(unit),
            Part::Artifact(id) => match artifacts.get(id).kind {
                ArtifactKind::Archive if !whole => {
                    if let Some(archive) = self.done.archives.get(&id) {
                        self.search(archive);
                        self.archives.push(archive);
                    }
                }
                ArtifactKind::Archive | ArtifactKind::Relocatable => {
                    units_in(artifacts, of, input, &self.done.steps)
                        .into_iter()
                        .for_each(|unit| self.take(unit));
                }
                ArtifactKind::Shared => self.use_library(id),
                // An executable is linked against for what it offers its plugins, or by mistake.
                ArtifactKind::Program => {}
            },
            Part::StrangeLibrary => self.linked.incomplete = true,
            Part::Foreign => {}
        }
    }

    fn take(&mut self, unit: UnitId) {
        if self.taken.insert(unit) {
            self.linked.units.push(unit);
            self.defined.extend(exported(self.symbols, unit));
            self.undefined.extend(&self.symbols.units[unit].needed);
        }
    }

    fn use_library(&mut self, id: ArtifactId) {
        self.linked.libraries.push(id);
        if let Some(library) = self.done.linked.get(&id) {
            self.undefined.retain(|name| !library.exported.contains(name));
        }
    }

    /// Takes the members of an archive that define something undefined. Says whether there were any.
    fn search(&mut self, archive: &Archive) -> bool {
        let before = self.linked.units.len();
        let mut at = 0;
        // Members that are taken add to the list.
        while let Some(name) = self.undefined.get(at) {
            at += 1;
            if self.defined.contains(name) {
                continue;
            }
            if let Some(&member) = archive.index.get(name) {
                archive.members[member].iter().for_each(|&unit| self.take(unit));
            }
        }
        let defined = &self.defined;
        let mut seen = FxHashSet::default();
        self.undefined.retain(|name| !defined.contains(name) && seen.insert(*name));
        self.linked.units.len() > before
    }

    /// Searches all archives until none has anything more, as inside `--start-group`.
    fn search_again(&mut self) {
        let archives = std::mem::take(&mut self.archives);
        while archives.iter().any(|archive| self.search(archive)) {}
    }
}

/// Programs in the order of their paths, with the libraries of libraries.
fn numbered(
    artifacts: &Artifacts<'_>,
    mut linked: FxHashMap<ArtifactId, Linked>,
) -> IdVec<ProgramId, Program> {
    let mut order: Vec<ArtifactId> =
        artifacts.iter_ids().map(|(id, _)| id).filter(|id| linked.contains_key(id)).collect();
    order.sort_by_key(|&id| &artifacts.get(id).path);
    let ids: FxHashMap<ArtifactId, ProgramId> =
        order.iter().enumerate().map(|(at, &id)| (id, base::Id::new(at))).collect();
    let libraries: Vec<Vec<ProgramId>> = order
        .iter()
        .map(|&id| all_libraries(id, &linked).into_iter().filter_map(|id| ids.get(&id).copied()).collect())
        .collect();
    let programs = order.iter().zip(libraries).map(|(id, libraries)| {
        let linked = linked.remove(id).unwrap_or_default();
        let kind = match artifacts.get(*id).kind {
            ArtifactKind::Shared => ProgramKind::Shared,
            _ => ProgramKind::Executable,
        };
        let path = Some(paths::normalized(&artifacts.get(*id).path));
        Program { path, kind, units: linked.units, libraries, incomplete: linked.incomplete }
    });
    programs.collect()
}

/// The libraries of an artifact and theirs, breadth first, as the dynamic linker searches them.
fn all_libraries(id: ArtifactId, linked: &FxHashMap<ArtifactId, Linked>) -> Vec<ArtifactId> {
    let mut seen = FxHashSet::from_iter([id]);
    let mut all = vec![id];
    let mut at = 0;
    while let Some(next) = all.get(at) {
        at += 1;
        let libraries = linked.get(next).map_or(&[][..], |it| &it.libraries);
        all.extend(libraries.iter().filter(|&&id| seen.insert(id)));
    }
    all.remove(0);
    all
}
