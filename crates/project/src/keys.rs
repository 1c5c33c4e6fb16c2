//! Keys of all that a project has a name for.
//!
//! Judgment: a key is the same in every run, on every machine and in every checkout, as long as nothing else
//! of the same name comes or goes ([`world::Namesakes`]).
//!
//! | what | named by |
//! |---|---|
//! | a function that other units see | the linker's name; then its file, then its code |
//! | a function that only its unit sees | the linker's name and the file that it is written in, which may be a header; then its code |
//! | a global variable that other units see | the linker's name; then its file, then its unit |
//! | one that only its unit sees | the linker's name, its file and its unit |
//! | a string literal | its unit and its content |
//! | a unit | its file; then its flags |

use std::collections::HashMap;

use base::{Id, IdVec, Symbol};
use ir::{FuncId, Global, GlobalId, Linkage, LocId, Module, SymbolRef};
use rustc_hash::FxHashMap;
use world::{FnKey, GlobalKey, Namesakes, Targets, UnitKey};

use crate::callgraph::Node;
use crate::merge;
use crate::project::Project;
use crate::resolve::Target;
use crate::unit::{FnId, UnitId};

/// How string literals are called, by a number of their unit.
const LITERAL: &str = ".str";

/// Something of each global variable that each unit declares.
type OfGlobals<T> = IdVec<UnitId, IdVec<GlobalId, T>>;

/// What the keys of a project stand for.
#[derive(Debug)]
pub struct Keys {
    functions: IdVec<FnId, FnKey>,
    nodes: FxHashMap<FnKey, Node>,
    units: IdVec<UnitId, UnitKey>,
    by_unit: FxHashMap<UnitKey, UnitId>,
    /// By unit: the key of what each declaration means.
    globals: OfGlobals<GlobalKey>,
    by_global: FxHashMap<GlobalKey, (UnitId, GlobalId)>,
}

impl Keys {
    /// Of a project; `anchored` is how a file is called wherever the project lies.
    pub fn of(project: &Project, anchored: &dyn Fn(&str) -> String) -> Keys {
        let anchor = Anchor { project, anchored };
        let functions = anchor.functions();
        let mut nodes: FxHashMap<FnKey, Node> =
            project.names().map(|(symbol, name)| (FnKey::of(&[name]), Node::External(symbol))).collect();
        nodes.extend(functions.iter_ids().map(|(id, &key)| (key, Node::Function(id))));
        let units = anchor.units();
        let by_unit = units.iter_ids().map(|(id, &key)| (key, id)).collect();
        let (globals, by_global) = anchor.globals();
        Keys { functions, nodes, units, by_unit, globals, by_global }
    }

    /// The key of a function with a body.
    pub fn function(&self, function: FnId) -> FnKey {
        self.functions[function]
    }

    /// What the key of a function stands for; none if the project does not mention it.
    pub fn node(&self, function: FnKey) -> Option<Node> {
        self.nodes.get(&function).copied()
    }

    /// A function with a body.
    pub fn defined(&self, function: FnKey) -> Option<FnId> {
        self.node(function)?.function()
    }

    /// The key of a node of the call graph.
    pub fn of_node(&self, project: &Project, node: Node) -> FnKey {
        match node {
            Node::Function(function) => self.function(function),
            Node::External(symbol) => FnKey::of(&[project.name(symbol)]),
        }
    }

    /// The functions that a reference in a unit may mean.
    pub fn functions(&self, project: &Project, unit: UnitId, func: FuncId) -> Targets {
        let resolution = project.resolve(unit, SymbolRef::Func(func), None);
        let known = resolution.targets().iter().filter_map(|target| match target {
            Target::Function(function) => Some(self.function(*function)),
            Target::Global { .. } => None,
        });
        let known: Targets = known.collect();
        if !known.is_empty() {
            return known;
        }
        let module = &project.units()[unit].module;
        std::iter::once(FnKey::of(&[module.symbols.resolve(module.functions[func].name)])).collect()
    }

    /// The key of a unit.
    pub fn unit(&self, unit: UnitId) -> UnitKey {
        self.units[unit]
    }

    /// The unit of a key.
    pub fn unit_of(&self, unit: UnitKey) -> UnitId {
        *self.by_unit.get(&unit).expect("invariant: keys of units come from their project")
    }

    /// The global variable that a reference in a unit means.
    pub fn global(&self, unit: UnitId, global: GlobalId) -> GlobalKey {
        self.globals[unit][global]
    }

    /// Where a global variable is defined, or declared first.
    pub fn global_of(&self, global: GlobalKey) -> (UnitId, GlobalId) {
        *self.by_global.get(&global).expect("invariant: keys of global variables come from their project")
    }
}

/// A project, with how its files are called.
#[derive(Clone, Copy)]
struct Anchor<'p> {
    project: &'p Project,
    anchored: &'p dyn Fn(&str) -> String,
}

impl Anchor<'_> {
    fn functions(self) -> IdVec<FnId, FnKey> {
        let project = self.project;
        let function = |at: usize| project.function(FnId::new(at));
        let part = |at: usize, number: usize| match number {
            0 => Some(function(at).name().to_owned()),
            1 => Some(self.file(function(at).unit, function(at).function.loc)),
            2 => project.digest_of_code(FnId::new(at)).map(|digest| digest.to_string()),
            _ => None,
        };
        let least = |at: usize| if function(at).function.linkage == Linkage::Internal { 2 } else { 1 };
        let n_things = project.functions().len();
        IdVec::from_vec(Namesakes { n_things, least: &least, part: &part }.keys())
    }

    fn units(self) -> IdVec<UnitId, UnitKey> {
        let units = self.project.units();
        let part = |at: usize, number: usize| {
            let unit = &units[UnitId::new(at)];
            match number {
                0 => Some((self.anchored)(&unit.path.to_string_lossy())),
                1 => Some(unit.args.join("\0")),
                _ => None,
            }
        };
        IdVec::from_vec(Namesakes { n_things: units.len(), least: &|_| 1, part: &part }.keys())
    }

    fn globals(self) -> (OfGlobals<GlobalKey>, FxHashMap<GlobalKey, (UnitId, GlobalId)>) {
        let meanings = self.meanings();
        let homes: Vec<(UnitId, GlobalId)> = {
            let mut homes: Vec<(UnitId, GlobalId)> =
                meanings.iter().flat_map(|unit| unit.iter().copied()).collect();
            homes.sort_unstable();
            homes.dedup();
            homes
        };
        let part = |at: usize, number: usize| self.part_of_global(homes[at], number);
        let is_own = |(unit, global): (UnitId, GlobalId)| {
            self.project.units()[unit].module.globals[global].linkage == Linkage::Internal
        };
        let least = |at: usize| if is_own(homes[at]) { 3 } else { 1 };
        let keys: Vec<GlobalKey> = Namesakes { n_things: homes.len(), least: &least, part: &part }.keys();
        let of_home: FxHashMap<(UnitId, GlobalId), GlobalKey> =
            homes.iter().copied().zip(keys.iter().copied()).collect();
        let globals = meanings.iter().map(|unit| unit.iter().map(|home| of_home[home]).collect()).collect();
        (globals, keys.into_iter().zip(homes).collect())
    }

    /// By declaration: where what it means is defined, or first declared if nobody defines it.
    fn meanings(self) -> OfGlobals<(UnitId, GlobalId)> {
        let project = self.project;
        let mut undefined: HashMap<&str, (UnitId, GlobalId)> = HashMap::new();
        let mut meanings = IdVec::new();
        for (unit, data) in project.units().iter_ids() {
            let mut of_unit = IdVec::new();
            for (id, global) in data.module.globals.iter_ids() {
                let resolution = project.resolve(unit, SymbolRef::Global(id), None);
                of_unit.push(match resolution.targets().first() {
                    Some(Target::Global { unit, global, .. }) => (*unit, *global),
                    Some(Target::Function(_)) => (unit, id),
                    None if global.init.is_some() => (unit, id),
                    None => {
                        let name = data.module.symbols.resolve(global.name);
                        *undefined.entry(name).or_insert((unit, id))
                    }
                });
            }
            meanings.push(of_unit);
        }
        meanings
    }

    /// A part of what names a global variable.
    fn part_of_global(self, (unit, id): (UnitId, GlobalId), number: usize) -> Option<String> {
        let data = &self.project.units()[unit];
        let global: &Global = &data.module.globals[id];
        let name = data.module.symbols.resolve(global.name);
        let is_literal = global.constant && global.linkage == Linkage::Internal && name.starts_with(LITERAL);
        match (number, is_literal) {
            (0, true) => Some(LITERAL.to_owned()),
            (1, true) => Some(self.project.digest_of_constant(unit, global).to_string()),
            (0, false) => Some(name.to_owned()),
            (1, false) => Some(self.file(unit, global.loc)),
            (2, _) => Some((self.anchored)(&data.path.to_string_lossy())),
            _ => None,
        }
    }

    /// The file of a place; the unit itself without debug info.
    fn file(self, unit: UnitId, loc: LocId) -> String {
        let data = &self.project.units()[unit];
        let module: &Module = &data.module;
        let file = module.locs.get(loc).and_then(|loc| module.files.get(loc.file?).copied());
        match file {
            Some(file) => (self.anchored)(module.symbols.resolve(file)),
            None => (self.anchored)(&data.path.to_string_lossy()),
        }
    }
}

impl Project {
    /// All names that linkers see.
    fn names(&self) -> impl Iterator<Item = (Symbol, &str)> {
        (0..self.n_names()).map(Symbol::new).map(|symbol| (symbol, self.name(symbol)))
    }

    /// A digest of the code of a function, without its place.
    pub fn digest_of_code(&self, function: FnId) -> Option<world::Digest> {
        let function = self.function(function);
        merge::digest_of_code(self.parts(), function.unit, function.func)
    }

    fn digest_of_constant(&self, unit: UnitId, global: &Global) -> world::Digest {
        merge::digest_of_constant(self.parts(), unit, global)
    }
}
