//! What engines are told about the project around a function: [`world::World`] for a project and the
//! summaries so far.
//!
//! Judgment: an answer depends on the project and on summaries of lower levels alone, never on who was
//! faster: who asks for a summary that is not there yet waits for it. Inside of a component of the call
//! graph, answers are those of its last round.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{Id, limits};
use ir::{CallId, FuncId, GlobalId, Linkage, Module, SymbolRef};
use models::Model;
use project::{Edge, FnId, Lasting, Node};
use split::Analysis;
use summary::Summary;
use world::{
    Callers, Digest, FamilyInfo, FamilyKey, FnKey, GlobalInfo, GlobalKey, Knowledge, Specialization, Symbol,
    Targets, UnitKey, World,
};

use super::Shared;

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
    /// The code of its unit, if that is not what the project has.
    pub(crate) changed: Option<&'s Module>,
}

impl<'s, 'p> FnWorld<'s, 'p> {
    /// A function around which all is known, and nothing of its own component.
    pub(crate) fn new(
        shared: &'s Shared<'p>,
        function: FnId,
        own: &'s BTreeMap<FnId, Arc<Summary>>,
    ) -> FnWorld<'s, 'p> {
        FnWorld { shared, function, level: u32::MAX, component: None, own, depth: 0, changed: None }
    }
}

impl FnWorld<'_, '_> {
    /// Runs the split engine.
    pub(crate) fn analyze(&self, how: &Specialization) -> Analysis {
        split::analyze(self, &self.shared.options.split, how)
    }

    fn is_of_own_component(&self, function: FnId) -> bool {
        self.component == Some(self.shared.project.call_graph().component_of(function))
    }

    fn summary_of(&self, function: FnId) -> Option<Arc<Summary>> {
        if self.is_of_own_component(function) {
            let is_open = || Arc::new(Summary::open(self.shared.keys.function(function)));
            return Some(self.own.get(&function).cloned().unwrap_or_else(is_open));
        }
        let graph = self.shared.project.call_graph();
        let level = graph.levels()[graph.component_of(function)];
        // Components of lower levels were begun before this one, so this ends.
        (level < self.level).then(|| Arc::clone(self.shared.summaries[function.index()].wait()))
    }

    fn linker_name(&self, function: FnKey) -> &str {
        match self.shared.keys.node(function) {
            Some(node) => self.shared.project.node_name(node),
            None => "?",
        }
    }
}

impl World for FnWorld<'_, '_> {
    type Summary = Summary;
    type Model = Model;

    fn own(&self) -> FnKey {
        self.shared.keys.function(self.function)
    }

    fn unit(&self) -> UnitKey {
        self.shared.keys.unit(self.shared.project.function(self.function).unit)
    }

    fn module(&self, unit: UnitKey) -> &Module {
        let known = &self.shared.project.units()[self.shared.keys.unit_of(unit)].module;
        self.changed.filter(|_| unit == self.unit()).unwrap_or(known)
    }

    fn function(&self, unit: UnitKey, func: FuncId) -> Targets {
        let keys = &self.shared.keys;
        keys.functions(self.shared.project, keys.unit_of(unit), func)
    }

    fn global(&self, unit: UnitKey, global: GlobalId) -> GlobalKey {
        self.shared.keys.global(self.shared.keys.unit_of(unit), global)
    }

    fn symbol(&self, global: GlobalKey, symbol: SymbolRef) -> Option<Symbol> {
        let keys = &self.shared.keys;
        let (unit, _) = keys.global_of(global);
        match symbol {
            SymbolRef::Global(id) => Some(Symbol::Global(keys.global(unit, id))),
            SymbolRef::Func(id) => {
                keys.functions(self.shared.project, unit, id).first().map(|&it| Symbol::Function(it))
            }
            SymbolRef::Block(..) => None,
        }
    }

    fn targets(&self, call: CallId) -> Targets {
        let project = self.shared.project;
        let graph = project.call_graph();
        let Some(body) = &project.function(self.function).function.body else { return Targets::new() };
        let is_meant = |edge: &&Edge| {
            let inst = graph.sites()[edge.site as usize].inst;
            matches!(body.insts[inst].inst, ir::Inst::Call { call: other } if other == call)
        };
        let edges = graph.callees(self.function).iter().filter(is_meant);
        edges.map(|edge| self.shared.keys.of_node(project, edge.callee)).collect()
    }

    fn callee(&self, function: FnKey) -> Knowledge<'_, Summary, Model> {
        let library = &self.shared.options.library;
        let known = self.shared.keys.defined(function);
        if let Some(model) = library.users(self.linker_name(function)) {
            return Knowledge::Model(model);
        }
        if let Some(summary) = known.and_then(|function| self.summary_of(function)) {
            return Knowledge::Summary(summary);
        }
        let model = library.lookup(self.linker_name(function)).filter(|_| known.is_none());
        model.map_or(Knowledge::Unknown, Knowledge::Model)
    }

    fn specialized(&self, function: FnKey, how: &Specialization) -> Option<Arc<Summary>> {
        let id = self.shared.keys.defined(function)?;
        let rounds = self.shared.options.split.unroll.min(limits::SPECIAL_RECURSION);
        let deepest = if how.constants.is_empty() { 0 } else { rounds }.max(limits::SPECIAL_DEPTH);
        if self.depth >= deepest || self.is_of_own_component(id) {
            return None;
        }
        let general = self.summary_of(id)?;
        let key = (function, how.clone(), (self.level, self.depth));
        if let Ok(known) = self.shared.special.lock()
            && let Some(summary) = known.get(&key)
        {
            return Some(Arc::clone(summary));
        }
        // Two workers may make the same summary; both come to the same result.
        let nothing = BTreeMap::new();
        let world =
            FnWorld { level: self.level, depth: self.depth + 1, ..FnWorld::new(self.shared, id, &nothing) };
        let split = world.analyze(how).triples;
        let summary = Arc::new(Summary { split, ..Summary::clone(&general) });
        if let Ok(mut known) = self.shared.special.lock() {
            known.insert(key, Arc::clone(&summary));
        }
        Some(summary)
    }

    /// By its name, which must be one that all units see; a model of memory of its own would not agree with the bodies around it.
    fn stand_in(&self, function: FnKey) -> Option<&Model> {
        let known = self.shared.project.function(self.shared.keys.defined(function)?);
        let is_public = known.function.linkage == Linkage::External;
        let model = self.shared.options.library.lookup(known.name());
        model.filter(|it| is_public && it.is_of_malloc())
    }

    fn never_returns_null(&self, function: FnKey) -> bool {
        self.shared.options.library.never_returns_null(self.linker_name(function))
    }

    fn code(&self, function: FnKey) -> Option<(UnitKey, FuncId)> {
        let known = self.shared.project.function(self.shared.keys.defined(function)?);
        Some((self.shared.keys.unit(known.unit), known.func))
    }

    fn digest_of_code(&self, function: FnKey) -> Option<Digest> {
        self.shared.project.digest_of_code(self.shared.keys.defined(function)?)
    }

    fn name(&self, function: FnKey) -> String {
        match self.shared.keys.defined(function) {
            Some(function) => {
                ir::names::without_params(self.shared.project.function(function).pretty()).to_owned()
            }
            None => self.linker_name(function).to_owned(),
        }
    }

    fn global_info(&self, global: GlobalKey) -> GlobalInfo<'_> {
        let (unit, id) = self.shared.keys.global_of(global);
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

    fn family(&self, family: FamilyKey) -> Option<FamilyInfo<'_>> {
        self.shared.options.library.family_of(family).map(|family| family.info())
    }

    fn callers(&self) -> Callers {
        let project = self.shared.project;
        let graph = project.call_graph();
        let function = project.function(self.function);
        let is_main = function.name() == "main";
        let mut started = function.module.constructors.iter().chain(&function.module.destructors);
        let node = Node::Function(self.function);
        let are_known = function.function.linkage == Linkage::Internal
            && !graph.is_address_taken(self.function)
            && graph.callers(node).next().is_some()
            && !started.any(|(_, func)| *func == function.func);
        let is_without_constructors =
            || project.units().iter().all(|unit| unit.module.constructors.is_empty());
        Callers {
            is_main,
            begins_program: is_main && is_without_constructors(),
            are_known,
            is_called: graph.callers(node).any(|edge| edge.caller != self.function),
        }
    }
}

#[cfg(test)]
mod tests {
    use ir::Module;
    use project::{Links, Project, UnitIr};
    use summary::wire;
    use world::{Question, Recorder, Trace, recorder};

    use super::*;
    use crate::analysis::{Options, analyze};
    use crate::watch::Watch;

    const LIST: &str = "target pointer 8
file file0 \"list.c\"
global internal @.str.1 size 3 align 1 constant = {}
global internal @count size 4 align 4 = {}
func @malloc(i64) -> (ptr)
func @say(ptr)
func @make(i64) -> (ptr) !file0:3:1 {
b0(v0: i64):
  v1: ptr = call @malloc(v0) !4:9
  v2: i1 = cmp eq v1, null !5:3
  branch v2 ? b1 : b2 !5:3
b1:
  call @say(@.str.1) !6:5
  jump b2 !6:5
b2:
  return v1 !7:3
}
func @use() -> (i32) !file0:10:1 {
b0:
  v0: ptr = call @make(i64 4) !11:9
  store i32 1 to v0 align 4 !12:3
  v1: i32 = load v0 align 4 !13:3
  v2: i32 = load @count align 4 !13:5
  v3: i32 = add v1, v2 !13:7
  return v3 !13:10
}
";

    fn project(text: &str) -> Project {
        let module: Module = ir::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let path = std::path::PathBuf::from("/p/list.c");
        let unit = UnitIr { file: "list.c".to_owned(), args: Vec::new(), outputs: Vec::new(), path, module };
        Project::new(vec![unit], &Links::default())
    }

    fn named(project: &Project, name: &str) -> FnId {
        project.functions_named(name)[0]
    }

    /// What the engine says of `@use`, as bytes, and what it asked.
    fn recorded(project: &Project) -> (Vec<u8>, Trace) {
        let options = Options::default();
        let analysis = analyze(project, &options, &Watch::nobody());
        let again = super::super::Again::new(project, &analysis, &options);
        let nothing = BTreeMap::new();
        let function = named(project, "use");
        let world = FnWorld::new(again.shared(), function, &nothing);
        let plain = split::analyze(&world, &options.split, &Specialization::default());
        let recorder = Recorder::new(&world);
        let split = split::analyze(&recorder, &options.split, &Specialization::default());
        let trace = recorder.into_trace();
        assert!(recorder::holds(&world, &trace), "asked again, the answers should be the same");
        let bytes = |split| wire::encode(&Summary { split, ..Summary::open(world.own()) });
        let (plain, recorded) = (bytes(plain.triples), bytes(split.triples));
        assert_eq!(plain, recorded, "being watched should change nothing");
        assert_eq!(
            recorded,
            wire::encode(&Summary {
                doomed: summary::Contract::NOT_LOOKED_AT,
                ..Summary::clone(&analysis.summaries[function.index()])
            })
        );
        (recorded, trace)
    }

    /// The questions about `@use` that have other answers in another version of the project.
    fn changed(trace: &Trace, project: &Project) -> Vec<Question> {
        let options = Options::default();
        let analysis = analyze(project, &options, &Watch::nobody());
        let again = super::super::Again::new(project, &analysis, &options);
        let nothing = BTreeMap::new();
        let world = FnWorld::new(again.shared(), named(project, "use"), &nothing);
        let is_other =
            |(question, digest): &(&Question, &Digest)| recorder::answer(&world, question) != **digest;
        trace.iter().filter(is_other).map(|(question, _)| question.clone()).collect()
    }

    #[test]
    fn what_was_asked_is_what_the_result_depends_on() {
        let (bytes, trace) = recorded(&project(LIST));
        let make = FnKey::of(&["make"]);
        assert!(trace.contains_key(&Question::Callee(make)), "{trace:?}");
        assert!(!trace.keys().any(|it| matches!(it, Question::Callee(it) if *it != make)), "{trace:?}");
        // Another place, and another function of the unit that nobody asks about.
        let moved = LIST
            .replace("func @use", "func @other() !file0:8:1 {\nb0:\n  return !8:1\n}\nfunc @use")
            .replace("!11:9", "!19:2");
        let moved = project(&moved);
        assert_eq!((recorded(&moved).0, changed(&trace, &moved)), (bytes.clone(), Vec::new()));
        // A callee that does something else.
        let other = project(&LIST.replace("call @malloc(v0)", "call @malloc(i64 2)"));
        assert_eq!(changed(&trace, &other), [Question::Callee(make)]);
        assert_ne!(recorded(&other).0, bytes);
        // A variable, which nobody writes, that begins with something else.
        let other = project(&LIST.replace("size 4 align 4 = {}", "size 4 align 4 = { 0: x\"07000000\" }"));
        assert!(matches!(changed(&trace, &other)[..], [Question::GlobalInfo(_)]));
    }

    #[test]
    fn summaries_come_back_from_their_bytes() {
        let project = project(LIST);
        let analysis = analyze(&project, &Options::default(), &Watch::nobody());
        for summary in &analysis.summaries {
            let bytes = wire::encode(summary);
            let back = wire::decode(&bytes).expect("a summary should be readable");
            assert_eq!(wire::encode(&back), bytes);
            assert_eq!(back.split.plans.len(), summary.split.specs.len());
        }
    }
}
