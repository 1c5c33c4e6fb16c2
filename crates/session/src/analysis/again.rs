//! Analyzing changed copies of single functions, with what a run over the whole project knows of all others.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock};

use ir::GlobalId;
use project::{FnId, Node, Project, UnitId};
use split::Specialization;
use summary::Summary;

use super::numbers::Numbers;
use super::world::FnWorld;
use super::{Analysis, Options, Shared, guarded, lasting_in};

/// A project whose functions can be analyzed one by one, each in as many versions as wanted.
///
/// Callees are what the run over the whole project says; calls inside of a recursive component, too, are what it said in the end.
pub struct Again<'p> {
    shared: Shared<'p>,
}

impl<'p> Again<'p> {
    /// After a run over the project.
    pub fn new(project: &'p Project, analysis: &Analysis, options: &'p Options) -> Again<'p> {
        let numbers = Numbers::of(project);
        let shared = Shared {
            project,
            options,
            lasting: lasting_in(project, &numbers),
            numbers,
            summaries: analysis.summaries.iter().map(|it| OnceLock::from(it.clone())).collect(),
            special: Mutex::new(HashMap::new()),
        };
        Again { shared }
    }

    /// What the number of a function in summaries means.
    pub fn node(&self, number: u32) -> Node {
        self.shared.numbers.node(number)
    }

    /// What the number of a global variable in summaries means.
    pub fn global(&self, number: u32) -> (UnitId, GlobalId) {
        self.shared.numbers.global_of(number)
    }

    /// Analyzes a function as it stands in `module`, a copy of the module that [`Project::function`] gives, with changes in that function.
    /// It must call nothing that it did not call before. None: the engine failed.
    pub fn analyze(
        &self,
        function: FnId,
        module: &ir::Module,
        options: &split::Options,
    ) -> Option<split::Analysis> {
        let graph = self.shared.project.call_graph();
        let at = graph.component_of(function);
        let component = &graph.order()[at];
        let is_recursive = graph
            .callees(function)
            .iter()
            .any(|edge| edge.callee.function().is_some_and(|it| graph.component_of(it) == at));
        let mut own: BTreeMap<FnId, Arc<Summary>> = BTreeMap::new();
        for &member in component.iter().filter(|_| is_recursive) {
            let summary = self.shared.summaries[base::Id::index(member)].get().cloned();
            own.extend(summary.flatten().map(|it| (member, it)));
        }
        let world = FnWorld {
            shared: &self.shared,
            function,
            level: graph.levels()[at],
            component: Some(at),
            own: &own,
            depth: 0,
        };
        let func = self.shared.project.function(function).func;
        guarded(|| split::analyze(&world, module, func, options, &Specialization::default()))
    }
}
