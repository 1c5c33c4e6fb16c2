//! What the paths in link commands mean: a unit, another artifact, or something that this build did not make.

use std::path::{Path, PathBuf};

use base::{IdVec, define_id};
use rustc_hash::FxHashMap;

use crate::links::{Artifact, ArtifactKind, Input, Links};
use crate::paths::{file_name, is_library, nearness, normalized};
use crate::unit::{UnitId, UnitIr};

define_id! {
    /// A file that a linker or archiver wrote.
    pub(crate) struct ArtifactId = "artifact";
}

/// What an input of a link command is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// An object that was made of this unit.
    Unit(UnitId),
    /// Another artifact.
    Artifact(ArtifactId),
    /// A library that we did not see being made. It may contain units of this build.
    StrangeLibrary,
    /// An object that we know nothing of, such as assembled code, or a library of the system.
    Foreign,
}

/// All paths that link commands can name.
pub(crate) struct Artifacts<'l> {
    items: IdVec<ArtifactId, &'l Artifact>,
    by_path: FxHashMap<PathBuf, ArtifactId>,
    by_name: FxHashMap<&'l str, Vec<ArtifactId>>,
    objects: FxHashMap<&'l Path, UnitId>,
    /// By file name; none if objects of several units have it.
    object_names: FxHashMap<&'l str, Option<UnitId>>,
    /// By source; none if it was compiled in several ways.
    sources: FxHashMap<&'l Path, Option<UnitId>>,
}

impl<'l> Artifacts<'l> {
    pub(crate) fn of(units: &'l IdVec<UnitId, UnitIr>, links: &'l Links) -> Artifacts<'l> {
        let items: IdVec<ArtifactId, &Artifact> = links.artifacts.iter().collect();
        let mut by_name: FxHashMap<&str, Vec<ArtifactId>> = FxHashMap::default();
        for (id, artifact) in items.iter_ids() {
            by_name.entry(file_name(&artifact.path)).or_default().push(id);
        }
        let by_path = items.iter_ids().map(|(id, artifact)| (normalized(&artifact.path), id)).collect();
        let mut objects: FxHashMap<&Path, UnitId> = FxHashMap::default();
        let mut object_names = FxHashMap::default();
        let mut sources = FxHashMap::default();
        for (id, unit) in units.iter_ids() {
            note_unique(&mut sources, unit.path.as_path(), id);
            for output in &unit.outputs {
                // An object that several units were written to is that of the unit with its name.
                let is_namesake = unit.path.file_stem() == output.file_stem();
                objects
                    .entry(output)
                    .and_modify(|known| *known = if is_namesake { id } else { *known })
                    .or_insert(id);
                note_unique(&mut object_names, file_name(output), id);
            }
        }
        Artifacts { items, by_path, by_name, objects, object_names, sources }
    }

    pub(crate) fn get(&self, id: ArtifactId) -> &'l Artifact {
        self.items[id]
    }

    pub(crate) fn iter_ids(&self) -> impl Iterator<Item = (ArtifactId, &'l Artifact)> {
        self.items.iter_ids().map(|(id, artifact)| (id, *artifact))
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// What an input of the artifact `of` is, and whether all of it is taken.
    pub(crate) fn part(&self, of: ArtifactId, input: &Input) -> (Part, bool) {
        match input {
            Input::File { path, whole } => (self.file(of, &normalized(path)), *whole),
            Input::Library { name, dirs, whole } => {
                let found = self.library(of, name, dirs);
                (found.map_or(Part::Foreign, Part::Artifact), *whole)
            }
        }
    }

    fn file(&self, of: ArtifactId, path: &Path) -> Part {
        // `cc -o prog prog.c` can give the object the program's own path.
        if let Some(&known) = self.by_path.get(path).filter(|&&known| known != of) {
            return Part::Artifact(known);
        }
        if let Some(&unit) = self.objects.get(path) {
            return Part::Unit(unit);
        }
        if is_library(path) {
            let found = path.parent().and_then(|dir| self.in_dir(of, dir, file_name(path)));
            let found = found.or_else(|| self.nearest(of, file_name(path)));
            return found.map_or(Part::StrangeLibrary, Part::Artifact);
        }
        // Libtool unpacks the objects of an archive somewhere else.
        let known = self.object_names.get(file_name(path)).or_else(|| self.sources.get(path));
        known.copied().flatten().map_or(Part::Foreign, Part::Unit)
    }

    /// `-lNAME`: in each directory the shared object before the archive; then anywhere in the build.
    fn library(&self, of: ArtifactId, name: &str, dirs: &[PathBuf]) -> Option<ArtifactId> {
        let names = [format!("lib{name}.so"), format!("lib{name}.a")];
        let given = dirs.iter().flat_map(|dir| names.iter().map(move |name| (dir, name)));
        let found = given.into_iter().find_map(|(dir, name)| self.in_dir(of, &normalized(dir), name));
        found.or_else(|| names.iter().find_map(|name| self.nearest(of, name)))
    }

    /// The library of that name in a directory; `libx.so` may be a link to `libx.so.1.2`.
    fn in_dir(&self, of: ArtifactId, dir: &Path, name: &str) -> Option<ArtifactId> {
        if let Some(&known) = self.by_path.get(&dir.join(name)) {
            return Some(known).filter(|&known| known != of);
        }
        let here = |id: &ArtifactId| self.items[*id].path.parent() == Some(dir);
        self.called(of, name).find(here)
    }

    /// The library of that name whose directory is nearest.
    fn nearest(&self, of: ArtifactId, name: &str) -> Option<ArtifactId> {
        let path = &self.items[of].path;
        // The first of several equally near ones is taken: `max_by_key` would take the last.
        self.called(of, name).min_by_key(|&id| usize::MAX - nearness(path, &self.items[id].path))
    }

    /// The libraries with that name, also with a version behind it.
    fn called(&self, of: ArtifactId, name: &str) -> impl Iterator<Item = ArtifactId> {
        let exact = self.by_name.get(name).into_iter().flatten().copied();
        let is_version = move |it: &Artifact| {
            let rest = file_name(&it.path).strip_prefix(name);
            it.kind == ArtifactKind::Shared && rest.is_some_and(|rest| rest.starts_with('.'))
        };
        let versions = name.ends_with(".so").then(|| self.iter_ids().filter(move |(_, it)| is_version(it)));
        exact.chain(versions.into_iter().flatten().map(|(id, _)| id)).filter(move |&id| id != of)
    }
}

/// Enters `unit` under a key; a key that several units have tells nothing.
fn note_unique<K: std::hash::Hash + Eq>(map: &mut FxHashMap<K, Option<UnitId>>, key: K, unit: UnitId) {
    map.entry(key).and_modify(|known| *known = known.filter(|&known| known == unit)).or_insert(Some(unit));
}
