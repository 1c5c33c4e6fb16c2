//! Numbers for the functions and global variables of a whole project.
//!
//! Functions with a body come first, in the order of their ids; then the names that no unit defines. Global variables are numbered unit by unit; a
//! reference means the definition, or the first declaration of the name if there is none.

use std::collections::HashMap;

use base::{Id, Symbol};
use ir::{FuncId, GlobalId, SymbolRef};
use project::{FnId, Node, Project, Target, UnitId};

pub(crate) struct Numbers {
    n_functions: usize,
    /// By unit: the number of its first global variable.
    first_global: Vec<u32>,
    /// The first declaration of each name that nobody defines.
    undefined: HashMap<String, u32>,
}

impl Numbers {
    pub(crate) fn of(project: &Project) -> Numbers {
        let mut first_global = Vec::new();
        let mut undefined = HashMap::new();
        let mut next = 0;
        for (unit, data) in project.units().iter_ids() {
            first_global.push(next);
            for (id, global) in data.module.globals.iter_ids() {
                let symbol = SymbolRef::Global(id);
                if global.init.is_none() && project.resolve(unit, symbol, None).targets().is_empty() {
                    let name = data.module.symbols.resolve(global.name).to_owned();
                    undefined.entry(name).or_insert(next);
                }
                next += 1;
            }
        }
        Numbers { n_functions: project.functions().len(), first_global, undefined }
    }

    /// A function with a body.
    pub(crate) fn defined(&self, number: u32) -> Option<FnId> {
        ((number as usize) < self.n_functions).then(|| FnId::new(number as usize))
    }

    /// The name of a function that no unit defines.
    pub(crate) fn external(&self, number: u32) -> Option<Symbol> {
        (number as usize).checked_sub(self.n_functions).map(Symbol::new)
    }

    /// The number of a node of the call graph.
    pub(crate) fn of_node(&self, node: Node) -> u32 {
        match node {
            Node::Function(function) => function.index() as u32,
            Node::External(symbol) => (self.n_functions + symbol.index()) as u32,
        }
    }

    /// The node of the call graph with that number.
    pub(crate) fn node(&self, number: u32) -> Node {
        match self.defined(number) {
            Some(function) => Node::Function(function),
            None => Node::External(Symbol::new(number as usize - self.n_functions)),
        }
    }

    /// The functions that a reference may mean.
    pub(crate) fn functions(
        &self,
        project: &Project,
        unit: UnitId,
        func: FuncId,
    ) -> smallvec::SmallVec<[u32; 1]> {
        let resolution = project.resolve(unit, SymbolRef::Func(func), None);
        let known = resolution.targets().iter().filter_map(|target| match target {
            Target::Function(function) => Some(function.index() as u32),
            Target::Global { .. } => None,
        });
        let known: smallvec::SmallVec<[u32; 1]> = known.collect();
        if !known.is_empty() {
            return known;
        }
        let module = &project.units()[unit].module;
        let name = module.symbols.resolve(module.functions[func].name);
        let symbol = project.symbol_of(name).map_or(u32::MAX as usize - self.n_functions, Id::index);
        smallvec::smallvec![(self.n_functions + symbol) as u32]
    }

    /// The global variable that a reference means.
    pub(crate) fn global(&self, project: &Project, unit: UnitId, global: GlobalId) -> u32 {
        let resolution = project.resolve(unit, SymbolRef::Global(global), None);
        if let Some(Target::Global { unit, global, .. }) = resolution.targets().first() {
            return self.first_global[unit.index()] + global.index() as u32;
        }
        let module = &project.units()[unit].module;
        let name = module.symbols.resolve(module.globals[global].name);
        let own = self.first_global[unit.index()] + global.index() as u32;
        self.undefined.get(name).copied().unwrap_or(own)
    }

    /// Where a global variable is.
    pub(crate) fn global_of(&self, number: u32) -> (UnitId, GlobalId) {
        let unit = self.first_global.partition_point(|&first| first <= number) - 1;
        (UnitId::new(unit), GlobalId::new((number - self.first_global[unit]) as usize))
    }
}
