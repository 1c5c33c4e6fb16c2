//! Analyzing changed copies of single functions, with what a run over the whole project knows of all others.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use project::{FnId, Keys, Project};
use summary::Summary;
use world::Specialization;

use super::around::FnWorld;
use super::{Analysis, Options, Shared, guarded};

/// A project whose functions can be analyzed one by one, each in as many versions as wanted.
///
/// Callees are what the run over the whole project says; calls inside of a recursive component, too, are what it said in the end.
pub struct Again<'p> {
    shared: Shared<'p>,
}

impl<'p> Again<'p> {
    /// After a run over the project.
    pub fn new(project: &'p Project, analysis: &Analysis, options: &'p Options) -> Again<'p> {
        let shared = Shared {
            summaries: analysis.summaries.iter().map(|it| OnceLock::from(Arc::clone(it))).collect(),
            ..Shared::new(project, options)
        };
        Again { shared }
    }

    #[cfg(test)]
    pub(super) fn shared(&self) -> &Shared<'p> {
        &self.shared
    }

    /// What the keys in summaries stand for.
    pub fn keys(&self) -> &Keys {
        &self.shared.keys
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
            own.extend(summary.map(|it| (member, it)));
        }
        let around = FnWorld::new(&self.shared, function, &own);
        let world =
            FnWorld { level: graph.levels()[at], component: Some(at), changed: Some(module), ..around };
        guarded(|| split::analyze(&world, options, &Specialization::default()))
    }
}
