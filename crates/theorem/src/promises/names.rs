//! What summaries and findings speak of, in the program that is run.
//!
//! The program consists of the units of the project, in their order, and of one module behind them that is
//! not part of it: the bodies of functions that the project only has a configuration for. Calls inside of
//! those are nothing that anybody is told of.

use std::collections::BTreeMap;

use base::Id;
use interp::program::Linked;
use interp::{FnRef, GlobalRef, Program, Spot};
use ir::{LocId, SymbolRef};
use project::{FnId, Node, Project};
use session::analysis::Again;
use world::{FnKey, GlobalKey, Site, Sites};

use crate::programs::types::UNKNOWN_HOOK;

/// A project and the program that it is, with the numbers of summaries.
pub(super) struct Names<'p> {
    pub(super) project: &'p Project,
    pub(super) program: &'p Program<'p>,
    again: &'p Again<'p>,
    functions: BTreeMap<FnId, FnRef>,
}

impl<'p> Names<'p> {
    pub(super) fn new(project: &'p Project, program: &'p Program<'p>, again: &'p Again<'p>) -> Names<'p> {
        let of = |id: FnId| {
            let function = project.function(id).function;
            let mut linked = program.functions().iter_ids();
            linked.find(|(_, it)| std::ptr::eq(it.function, function)).map(|(linked, _)| (id, linked))
        };
        Names { project, program, again, functions: project.functions().filter_map(of).collect() }
    }

    /// The function of a program, in a run.
    pub(super) fn of(&self, function: FnId) -> Option<FnRef> {
        self.functions.get(&function).copied()
    }

    pub(super) fn function(&self, function: FnKey) -> Option<FnRef> {
        match self.again.keys().node(function)? {
            Node::Function(function) => self.of(function),
            Node::External(symbol) => self.program.function(self.project.name(symbol)),
        }
    }

    pub(super) fn global(&self, global: GlobalKey) -> Option<GlobalRef> {
        let (unit, global) = self.again.keys().global_of(global);
        match self.program.lookup(unit.index(), SymbolRef::Global(global)) {
            Linked::Global(global, 0) => Some(global),
            _ => None,
        }
    }

    pub(super) fn place(&self, (function, site): (FnKey, Site)) -> Spot {
        let function = self.defined(function);
        let unit = self.project.function(function).unit;
        self.program.place_in(unit.index(), self.loc(function, site))
    }

    /// The function of the project with that key.
    pub(super) fn defined(&self, function: FnKey) -> FnId {
        self.again.keys().defined(function).expect("what summaries tell happens in functions of the project")
    }

    /// A place in the code of a function.
    pub(super) fn loc(&self, function: FnId, site: Site) -> LocId {
        let body = self.project.function(function).function.body.as_ref();
        Sites::of(body.expect("functions of a project have a body")).loc(site)
    }

    /// The function that a call through a pointer at a place leads to: the one that the project puts there, if there is one only; else an unknown one.
    ///
    /// That nobody else puts another one there is what the engine takes for granted (`call_known` of split).
    pub(super) fn hook_at(&self, (function, site): (FnKey, Site)) -> Option<FnRef> {
        let function = self.defined(function);
        let loc = self.loc(function, site);
        let graph = self.project.call_graph();
        let is_it = |edge: &&project::Edge| {
            let call = &graph.sites()[edge.site as usize];
            call.indirect && call.loc == loc
        };
        let known: Vec<Node> = graph.callees(function).iter().filter(is_it).map(|edge| edge.callee).collect();
        match known.as_slice() {
            [Node::Function(only)] => self.of(*only),
            [Node::External(symbol)] => self.program.function(self.project.name(*symbol)),
            _ => self.unknown_hook(),
        }
    }

    /// A function of which nobody knows anything.
    pub(super) fn unknown_hook(&self) -> Option<FnRef> {
        self.program.function(UNKNOWN_HOOK)
    }

    /// A place with the calls around it, the innermost first, as far as they are in the project.
    pub(super) fn frames<'b>(&self, place: &'b Spot, callers: &'b [Spot]) -> Vec<&'b Spot> {
        let is_elsewhere =
            |place: &&Spot| place.loc.is_some_and(|(module, _)| module >= self.project.units().len());
        std::iter::once(place).chain(callers).skip_while(is_elsewhere).collect()
    }
}
