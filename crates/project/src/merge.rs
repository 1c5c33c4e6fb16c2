//! Which functions of different units are one function.
//!
//! A `static inline` function of a header, an inline function of C++, or a source that is compiled twice
//! appears in many units. Copies are one function if their code is the same: equal canonical forms
//! ([`canon`]), and equal references. What other units can see is compared by name (what the name means is a
//! question of the program, not of the function); a static function or constant by what it is; a static
//! variable that can change is equal to none but itself, so a function that counts its calls stays one
//! function per unit.
//!
//! References go in circles (`f` calls `g` calls `f`, a table of functions that use the table). The graph of
//! what a unit refers to of its own is cut into strongly connected components, and each component is hashed
//! as a whole, after those that it refers to. Inside a component the linker's names tell who is meant: they
//! are unique in a unit.
//!
//! Only functions whose name has a body in more than one unit are looked at.

mod canon;

use std::collections::BTreeMap;

use base::{Id, IdVec, Interner, Symbol, define_id};
use ir::scc::strong_components;
use ir::{FileId, FuncId, Linkage};
use rustc_hash::FxHashMap;

use crate::paths;
use crate::symbols::Symbols;
use crate::unit::{FnId, UnitId, UnitIr};
use canon::{Canonical, Own};

/// A function of the project: all its copies.
#[derive(Clone, Debug)]
pub(crate) struct Merged {
    /// In the order of units. The first one stands for all.
    pub(crate) copies: Vec<(UnitId, FuncId)>,
}

/// A digest of the code of a function, without its place: what it refers to goes by name.
pub(crate) fn digest_of_code(
    (units, symbols): (&IdVec<UnitId, UnitIr>, &Symbols),
    unit: UnitId,
    func: FuncId,
) -> Option<world::Digest> {
    let module = &units[unit].module;
    let function = &module.functions[func];
    let body = function.body.as_ref()?;
    let canonical = canon::function(&mut Cx::new(units, symbols), unit, (function, body), false);
    Some(digest_of(module, &canonical))
}

/// A digest of the content of a constant.
pub(crate) fn digest_of_constant(
    (units, symbols): (&IdVec<UnitId, UnitIr>, &Symbols),
    unit: UnitId,
    global: &ir::Global,
) -> world::Digest {
    let canonical = canon::constant(&mut Cx::new(units, symbols), unit, global);
    digest_of(&units[unit].module, &canonical)
}

fn digest_of(module: &ir::Module, canonical: &Canonical) -> world::Digest {
    let names: Vec<&str> = canonical.refs.iter().map(|&own| name_of(module, own)).collect();
    world::Digest::of(&(&canonical.bytes, names))
}

/// The linker's name of something that is a unit's own.
fn name_of(module: &ir::Module, own: Own) -> &str {
    module.symbols.resolve(match own {
        Own::Func(function) => module.functions[function].name,
        Own::Global(global) => module.globals[global].name,
    })
}

/// The functions of the project.
#[derive(Debug, Default)]
pub(crate) struct Functions {
    pub(crate) items: IdVec<FnId, Merged>,
    /// By unit: the function that each definition is a copy of; none for declarations.
    pub(crate) of_unit: IdVec<UnitId, IdVec<FuncId, Option<FnId>>>,
}

define_id! {
    /// A function or constant of the unit that is being looked at.
    struct NodeId = "node";
}

/// A digest. Different content gives different digests, as far as anyone knows.
type Digest = [u8; 16];

/// What canonical forms are made with.
struct Cx<'p> {
    units: &'p IdVec<UnitId, UnitIr>,
    symbols: &'p Symbols,
    /// Source files, normalized, whatever unit they are in.
    files: Interner,
    /// By the path as debug info has it.
    known_files: FxHashMap<&'p str, Symbol>,
}

impl Functions {
    /// Finds the functions of the project, numbered in the order of units.
    pub(crate) fn of(units: &IdVec<UnitId, UnitIr>, symbols: &Symbols) -> Functions {
        let mut cx = Cx::new(units, symbols);
        let candidates = Candidates::of(units, symbols);
        let mut functions = Functions::default();
        let mut known: FxHashMap<Digest, FnId> = FxHashMap::default();
        for (unit, data) in units.iter_ids() {
            let digests = Digests::of(&mut cx, &candidates, unit);
            let mut of_unit = IdVec::new();
            for (func, function) in data.module.functions.iter_ids() {
                let digest = digests.functions.get(&func);
                let merged =
                    function.body.as_ref().map(|_| match digest.and_then(|digest| known.get(digest)) {
                        Some(&merged) => merged,
                        None => functions.items.push(Merged { copies: Vec::new() }),
                    });
                if let Some(merged) = merged {
                    functions.items[merged].copies.push((unit, func));
                    known.extend(digest.map(|&digest| (digest, merged)));
                }
                of_unit.push(merged);
            }
            functions.of_unit.push(of_unit);
        }
        functions
    }
}

/// The names that have a body in more than one unit.
struct Candidates {
    n_bodies: IdVec<Symbol, u32>,
}

impl Candidates {
    fn of(units: &IdVec<UnitId, UnitIr>, symbols: &Symbols) -> Candidates {
        let mut n_bodies: IdVec<Symbol, u32> = IdVec::from_vec(vec![0; symbols.names.len()]);
        for (unit, data) in units.iter_ids() {
            for (func, _) in data.module.functions.iter_ids().filter(|(_, it)| it.body.is_some()) {
                n_bodies[symbols.units[unit].functions[func]] += 1;
            }
        }
        Candidates { n_bodies }
    }

    fn contains(&self, name: Symbol) -> bool {
        self.n_bodies[name] > 1
    }
}

impl<'p> Cx<'p> {
    fn new(units: &'p IdVec<UnitId, UnitIr>, symbols: &'p Symbols) -> Cx<'p> {
        Cx { units, symbols, files: Interner::default(), known_files: FxHashMap::default() }
    }

    /// A source file by its normalized path: units in different directories name one header differently.
    fn file(&mut self, unit: UnitId, file: FileId) -> Symbol {
        let units: &'p IdVec<UnitId, UnitIr> = self.units;
        let module = &units[unit].module;
        let raw = module.symbols.resolve(module.files[file]);
        if let Some(&known) = self.known_files.get(raw) {
            return known;
        }
        let normalized = self.files.intern(&paths::normalized(raw.as_ref()).to_string_lossy());
        self.known_files.insert(raw, normalized);
        normalized
    }
}

/// The digests of a unit's candidates.
#[derive(Default)]
struct Digests {
    functions: FxHashMap<FuncId, Digest>,
}

/// What a unit's candidates refer to of its own.
#[derive(Default)]
struct Graph {
    nodes: IdVec<NodeId, (Own, Canonical)>,
    of: FxHashMap<Own, NodeId>,
}

impl Digests {
    fn of(cx: &mut Cx<'_>, candidates: &Candidates, unit: UnitId) -> Digests {
        let graph = Graph::of(cx, candidates, unit);
        let edges =
            |node: NodeId| graph.nodes[node].1.refs.iter().filter_map(|own| graph.of.get(own).copied());
        let roots: Vec<NodeId> = graph.nodes.ids().collect();
        let mut digests: IdVec<NodeId, Option<Digest>> = IdVec::from_vec(vec![None; graph.nodes.len()]);
        for component in strong_components(graph.nodes.len(), &roots, edges) {
            digest_component(cx, unit, &graph, component, &mut digests);
        }
        let functions = graph.nodes.iter_ids().filter_map(|(node, (own, _))| match own {
            Own::Func(function) => Some((*function, digests[node]?)),
            Own::Global(_) => None,
        });
        Digests { functions: functions.collect() }
    }
}

impl Graph {
    fn of(cx: &mut Cx<'_>, candidates: &Candidates, unit: UnitId) -> Graph {
        let module = &cx.units[unit].module;
        let names = &cx.symbols.units[unit].functions;
        let is_candidate =
            |func: FuncId| module.functions[func].body.is_some() && candidates.contains(names[func]);
        let mut graph = Graph::default();
        let mut pending: Vec<Own> =
            module.functions.ids().filter(|&it| is_candidate(it)).map(Own::Func).collect();
        while let Some(own) = pending.pop() {
            if graph.of.contains_key(&own) {
                continue;
            }
            let canonical = match own {
                Own::Func(func) if is_candidate(func) => {
                    let function = &module.functions[func];
                    function.body.as_ref().map(|body| canon::function(cx, unit, (function, body), true))
                }
                Own::Func(_) => None,
                Own::Global(global) => {
                    let data = &module.globals[global];
                    (data.constant && data.init.is_some()).then(|| canon::constant(cx, unit, data))
                }
            };
            // What has no canonical form is equal to nothing but itself.
            let Some(canonical) = canonical else { continue };
            pending.extend(&canonical.refs);
            let node = graph.nodes.push((own, canonical));
            graph.of.insert(own, node);
        }
        graph
    }
}

/// Hashes what refers to one another together: every member by its name, its form and its references.
fn digest_component(
    cx: &Cx<'_>,
    unit: UnitId,
    graph: &Graph,
    mut component: Vec<NodeId>,
    digests: &mut IdVec<NodeId, Option<Digest>>,
) {
    let module = &cx.units[unit].module;
    let name = |own: Own| name_of(module, own);
    component.sort_by_key(|&node| name(graph.nodes[node].0));
    let mut whole = blake3::Hasher::new();
    for &node in &component {
        let (_, canonical) = &graph.nodes[node];
        whole.update(&canonical.bytes.len().to_le_bytes()).update(&canonical.bytes);
        for &own in &canonical.refs {
            match graph.of.get(&own).map(|&target| digests[target]) {
                Some(Some(digest)) => whole.update(b"=").update(&digest),
                // Inside the component: by name.
                Some(None) => {
                    whole.update(b"@").update(&name(own).len().to_le_bytes()).update(name(own).as_bytes())
                }
                None => whole
                    .update(b"!")
                    .update(&(unit.index() as u64).to_le_bytes())
                    .update(name(own).as_bytes()),
            };
        }
    }
    let whole = whole.finalize();
    for (position, &node) in component.iter().enumerate() {
        let mut own = blake3::Hasher::new();
        own.update(whole.as_bytes()).update(&position.to_le_bytes());
        digests[node] = own.finalize().as_bytes()[..16].try_into().ok();
    }
}

/// Inline functions whose copies differ: the variants of each, in the order of names.
pub(crate) fn differing(
    units: &IdVec<UnitId, UnitIr>,
    symbols: &Symbols,
    functions: &Functions,
) -> Vec<Vec<FnId>> {
    let mut variants: BTreeMap<Symbol, Vec<FnId>> = BTreeMap::new();
    for (id, merged) in functions.items.iter_ids() {
        let (unit, func) = merged.copies[0];
        if units[unit].module.functions[func].linkage == Linkage::LinkOnce {
            variants.entry(symbols.units[unit].functions[func]).or_default().push(id);
        }
    }
    variants.into_values().filter(|ids| ids.len() > 1).collect()
}
