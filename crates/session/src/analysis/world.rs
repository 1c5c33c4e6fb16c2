//! What the split engine is told about the project around a function.

use std::collections::BTreeMap;
use std::sync::Arc;

use heap::VarRole;
use ir::{CallId, FuncId, GlobalId, Linkage, SymbolRef};
use models::{Library, Model};
use project::{FnId, Lasting, Node};
use smallvec::SmallVec;
use split::{Callee, GlobalInfo, Specialization, World};
use summary::Summary;

use super::Shared;

/// Specialized summaries inside of specialized summaries.
const MAX_DEPTH: u32 = 2;

/// A function with the project around it.
pub(crate) struct FnWorld<'s, 'p> {
    pub(crate) shared: &'s Shared<'p>,
    pub(crate) function: FnId,
    /// Summaries of lower levels are known.
    pub(crate) level: u32,
    /// Its component of the call graph; none if it is analyzed for one call.
    pub(crate) component: Option<usize>,
    /// What is known of the functions of its own component so far.
    pub(crate) own: &'s BTreeMap<FnId, Arc<Summary>>,
    pub(crate) depth: u32,
}

impl FnWorld<'_, '_> {
    pub(crate) fn analyze(&self, how: &Specialization) -> split::Analysis {
        let function = self.shared.project.function(self.function);
        split::analyze(self, function.module, function.func, &self.shared.options.split, how)
    }

    fn is_of_own_component(&self, function: FnId) -> bool {
        self.component == Some(self.shared.project.call_graph().component_of(function))
    }

    fn summary_of(&self, function: FnId) -> Option<Arc<Summary>> {
        if self.is_of_own_component(function) {
            let is_open = || Arc::new(Summary { incomplete: true, ..Summary::default() });
            return Some(self.own.get(&function).cloned().unwrap_or_else(is_open));
        }
        let graph = self.shared.project.call_graph();
        let level = graph.levels()[graph.component_of(function)];
        // Components of lower levels were begun before this one, so this ends.
        (level < self.level)
            .then(|| self.shared.summaries[base::Id::index(function)].wait().clone())
            .flatten()
    }
}

impl World for FnWorld<'_, '_> {
    fn own(&self) -> u32 {
        base::Id::index(self.function) as u32
    }

    fn function(&self, func: FuncId) -> SmallVec<[u32; 1]> {
        let unit = self.shared.project.function(self.function).unit;
        self.shared.numbers.functions(self.shared.project, unit, func)
    }

    fn callee(&self, function: u32) -> Callee<'_> {
        let library = &self.shared.options.library;
        let known = self.shared.numbers.defined(function);
        if let Some(model) = library.users(self.linker_name(function)) {
            return Callee::Model(model);
        }
        if let Some(summary) = known.and_then(|function| self.summary_of(function)) {
            return Callee::Summary(summary);
        }
        let model = library.lookup(self.linker_name(function)).filter(|_| known.is_none());
        model.map_or(Callee::Unknown, Callee::Model)
    }

    /// By its name, which must be one that all units see; a model of memory of its own would not agree with the bodies around it.
    fn stand_in(&self, function: u32) -> Option<&Model> {
        let known = self.shared.project.function(self.shared.numbers.defined(function)?);
        let is_public = known.function.linkage == Linkage::External;
        let model = self.shared.options.library.lookup(known.name());
        model.filter(|it| is_public && it.is_of_malloc())
    }

    fn never_returns_null(&self, function: u32) -> bool {
        self.shared.options.library.never_returns_null(self.linker_name(function))
    }

    fn name(&self, function: u32) -> String {
        match self.shared.numbers.defined(function) {
            Some(function) => {
                ir::names::without_params(self.shared.project.function(function).pretty()).to_owned()
            }
            None => self.linker_name(function).to_owned(),
        }
    }

    fn global(&self, global: GlobalId) -> u32 {
        let unit = self.shared.project.function(self.function).unit;
        self.shared.numbers.global(self.shared.project, unit, global)
    }

    fn global_info(&self, global: u32) -> GlobalInfo<'_> {
        let (unit, id) = self.shared.numbers.global_of(global);
        let module = &self.shared.project.units()[unit].module;
        let data = &module.globals[id];
        let lasting = self.shared.lasting[unit][id];
        GlobalInfo {
            name: module.symbols.resolve(data.pretty),
            size: data.size,
            constant: data.constant || lasting == Lasting::Everything,
            keeps_functions: lasting == Lasting::Functions,
            init: data.init.as_ref(),
        }
    }

    fn symbol(&self, global: u32, symbol: SymbolRef) -> Option<VarRole> {
        let (unit, _) = self.shared.numbers.global_of(global);
        match symbol {
            SymbolRef::Global(id) => {
                Some(VarRole::Global(self.shared.numbers.global(self.shared.project, unit, id)))
            }
            SymbolRef::Func(id) => self
                .shared
                .numbers
                .functions(self.shared.project, unit, id)
                .first()
                .map(|&it| VarRole::Function(it)),
            SymbolRef::Block(..) => None,
        }
    }

    fn specialized(&self, function: u32, how: &Specialization) -> Option<Arc<Summary>> {
        let id = self.shared.numbers.defined(function)?;
        if self.depth >= MAX_DEPTH || self.is_of_own_component(id) || self.summary_of(id).is_none() {
            return None;
        }
        let key = (function, how.clone(), (self.level, self.depth));
        if let Ok(known) = self.shared.special.lock()
            && let Some(summary) = known.get(&key)
        {
            return Some(Arc::clone(summary));
        }
        // Two workers may make the same summary; both come to the same result.
        let own = BTreeMap::new();
        let world = FnWorld {
            shared: self.shared,
            function: id,
            level: self.level,
            component: None,
            own: &own,
            depth: self.depth + 1,
        };
        let summary = world.analyze(how).summary;
        if let Ok(mut known) = self.shared.special.lock() {
            known.insert(key, Arc::clone(&summary));
        }
        Some(summary)
    }

    fn targets(&self, call: CallId) -> SmallVec<[u32; 4]> {
        let project = self.shared.project;
        let graph = project.call_graph();
        let Some(body) = &project.function(self.function).function.body else { return SmallVec::new() };
        let is_meant = |edge: &&project::Edge| {
            let inst = graph.sites()[edge.site as usize].inst;
            matches!(body.insts[inst].inst, ir::Inst::Call { call: other } if other == call)
        };
        graph
            .callees(self.function)
            .iter()
            .filter(is_meant)
            .map(|edge| self.shared.numbers.of_node(edge.callee))
            .collect()
    }

    fn library(&self) -> &Library {
        &self.shared.options.library
    }

    fn is_main(&self) -> bool {
        self.shared.project.function(self.function).name() == "main"
    }

    fn has_known_callers(&self) -> bool {
        let project = self.shared.project;
        let graph = project.call_graph();
        let function = project.function(self.function);
        let started = || function.module.constructors.iter().chain(&function.module.destructors);
        function.function.linkage == ir::Linkage::Internal
            && !graph.is_address_taken(self.function)
            && graph.callers(Node::Function(self.function)).next().is_some()
            && !started().any(|(_, func)| *func == function.func)
    }

    fn is_called(&self) -> bool {
        let graph = self.shared.project.call_graph();
        graph.callers(Node::Function(self.function)).any(|edge| edge.caller != self.function)
    }

    fn begins_program(&self) -> bool {
        let units = self.shared.project.units();
        self.is_main() && units.iter().all(|unit| unit.module.constructors.is_empty())
    }
}

impl FnWorld<'_, '_> {
    fn linker_name(&self, function: u32) -> &str {
        match (self.shared.numbers.defined(function), self.shared.numbers.external(function)) {
            (Some(function), _) => self.shared.project.function(function).name(),
            (None, Some(symbol)) => self.shared.project.try_name(symbol).unwrap_or("?"),
            (None, None) => "",
        }
    }
}
