//! A module on its own, as a project: for tests, for measurements, and for whoever has no more than that.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::Id;
use ir::{CallId, FuncId, GlobalId, Linkage, Module, SymbolRef};
use smallvec::smallvec;
use summary::Summary;
use world::{
    Callers, Digest, FamilyInfo, FamilyKey, FnKey, GlobalInfo, GlobalKey, Knowledge, Specialization, Symbol,
    Targets, UnitKey, World,
};

use crate::library::Library;
use crate::model::Model;

/// One module, library models, and what is known of its functions so far.
#[derive(Debug)]
pub struct Alone<'m> {
    module: &'m Module,
    library: Library,
    summaries: BTreeMap<FnKey, Arc<Summary>>,
    functions: BTreeMap<FnKey, FuncId>,
    globals: BTreeMap<GlobalKey, GlobalId>,
}

/// The same around one of its functions.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    alone: &'a Alone<'a>,
    func: FuncId,
}

impl<'m> Alone<'m> {
    /// Nothing is known of its functions yet.
    pub fn new(module: &'m Module) -> Alone<'m> {
        Alone::with(module, Library::standard())
    }

    /// The same with other models.
    pub fn with(module: &'m Module, library: Library) -> Alone<'m> {
        let mut alone = Alone {
            module,
            library,
            summaries: BTreeMap::new(),
            functions: BTreeMap::new(),
            globals: BTreeMap::new(),
        };
        alone.functions = module.functions.ids().map(|func| (alone.key(func), func)).collect();
        alone.globals = module.globals.ids().map(|global| (alone.global_key(global), global)).collect();
        alone
    }

    /// The key of a function.
    pub fn key(&self, func: FuncId) -> FnKey {
        FnKey::of(&[self.name(func)])
    }

    /// The function with a body and this name.
    pub fn find(&self, name: &str) -> Option<FuncId> {
        let function =
            self.module.functions.iter_ids().find(|(_, it)| self.module.symbols.resolve(it.name) == name);
        function.filter(|(_, it)| it.body.is_some()).map(|(func, _)| func)
    }

    /// The world of a function.
    pub fn around(&self, func: FuncId) -> Around<'_> {
        Around { alone: self, func }
    }

    /// Lets callers know of a function.
    pub fn learn(&mut self, summary: Summary) {
        self.summaries.insert(summary.function, Arc::new(summary));
    }

    /// What is known of a function.
    pub fn summary(&self, func: FuncId) -> Option<&Arc<Summary>> {
        self.summaries.get(&self.key(func))
    }

    fn name(&self, func: FuncId) -> &'m str {
        self.module.symbols.resolve(self.module.functions[func].name)
    }

    fn global_key(&self, global: GlobalId) -> GlobalKey {
        GlobalKey::of(&[self.module.symbols.resolve(self.module.globals[global].name)])
    }

    fn named(&self, function: FnKey) -> &str {
        self.functions.get(&function).map_or("?", |&func| self.name(func))
    }
}

impl World for Around<'_> {
    type Summary = Summary;
    type Model = Model;

    fn own(&self) -> FnKey {
        self.alone.key(self.func)
    }

    fn unit(&self) -> UnitKey {
        UnitKey::of(&[])
    }

    fn module(&self, _: UnitKey) -> &Module {
        self.alone.module
    }

    fn function(&self, _: UnitKey, func: FuncId) -> Targets {
        smallvec![self.alone.key(func)]
    }

    fn global(&self, _: UnitKey, global: GlobalId) -> GlobalKey {
        self.alone.global_key(global)
    }

    fn symbol(&self, _: GlobalKey, symbol: SymbolRef) -> Option<Symbol> {
        match symbol {
            SymbolRef::Global(global) => Some(Symbol::Global(self.alone.global_key(global))),
            SymbolRef::Func(func) => Some(Symbol::Function(self.alone.key(func))),
            SymbolRef::Block(..) => None,
        }
    }

    fn targets(&self, _: CallId) -> Targets {
        Targets::new()
    }

    fn callee(&self, function: FnKey) -> Knowledge<'_, Summary, Model> {
        let has_body = self.code(function).is_some();
        match self.alone.summaries.get(&function) {
            Some(summary) => Knowledge::Summary(Arc::clone(summary)),
            None if has_body => Knowledge::Summary(Arc::new(Summary::open(function))),
            None => self
                .alone
                .library
                .lookup(self.alone.named(function))
                .map_or(Knowledge::Unknown, Knowledge::Model),
        }
    }

    fn specialized(&self, _: FnKey, _: &Specialization) -> Option<Arc<Summary>> {
        None
    }

    fn stand_in(&self, _: FnKey) -> Option<&Model> {
        None
    }

    fn never_returns_null(&self, function: FnKey) -> bool {
        self.alone.library.never_returns_null(self.alone.named(function))
    }

    fn code(&self, function: FnKey) -> Option<(UnitKey, FuncId)> {
        let func = *self.alone.functions.get(&function)?;
        self.alone.module.functions[func].body.is_some().then(|| (self.unit(), func))
    }

    fn digest_of_code(&self, function: FnKey) -> Option<Digest> {
        let (_, func) = self.code(function)?;
        Some(Digest::of_bytes(ir::print_function(self.alone.module, func).as_bytes()))
    }

    fn name(&self, function: FnKey) -> String {
        let pretty =
            |&func: &FuncId| self.alone.module.symbols.resolve(self.alone.module.functions[func].pretty);
        let name = self.alone.functions.get(&function).map_or("?", pretty);
        ir::names::without_params(name).to_owned()
    }

    fn global_info(&self, global: GlobalKey) -> GlobalInfo<'_> {
        let module = self.alone.module;
        let id = self.alone.globals.get(&global).copied().unwrap_or(GlobalId::new(0));
        let data = &module.globals[id];
        GlobalInfo {
            name: module.symbols.resolve(data.pretty),
            size: data.size,
            constant: data.constant,
            keeps_functions: false,
            init: data.init.as_ref(),
        }
    }

    fn family(&self, family: FamilyKey) -> Option<FamilyInfo<'_>> {
        self.alone.library.family_of(family).map(|family| family.info())
    }

    fn callers(&self) -> Callers {
        let is_main = self.alone.name(self.func) == "main";
        let are_known = self.alone.module.functions[self.func].linkage == Linkage::Internal;
        Callers {
            is_main,
            begins_program: is_main && self.alone.module.constructors.is_empty(),
            are_known,
            is_called: are_known,
        }
    }
}
