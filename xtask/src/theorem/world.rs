//! One module as the engine sees a project: numbers are positions in it, functions are analyzed in the order of the text.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use base::Id;
use heap::VarRole;
use ir::{Callee as IrCallee, FuncId, GlobalId, Module, SymbolRef};
use models::{Library, Model};
use smallvec::{SmallVec, smallvec};
use split::{Analysis, Callee, GlobalInfo, Options, Specialization, World};
use summary::Summary;

/// A module and what is known of its functions so far.
pub(super) struct Project<'m> {
    module: &'m Module,
    library: Library,
    options: Options,
    summaries: RefCell<BTreeMap<u32, Arc<Summary>>>,
    special: RefCell<Specialized>,
}

/// Summaries for calls of a special shape; none while they are being made.
type Specialized = BTreeMap<(u32, Specialization), Option<Arc<Summary>>>;

/// A project as seen from one function.
struct Here<'a, 'm> {
    project: &'a Project<'m>,
    own: u32,
}

impl<'m> Project<'m> {
    pub(super) fn new(module: &'m Module) -> Project<'m> {
        let options = Options { replay: true, ..Options::default() };
        let (summaries, special) = (RefCell::default(), RefCell::default());
        Project { module, library: Library::standard(), options, summaries, special }
    }

    /// Analyzes a function whose callees were analyzed before. One that calls itself is analyzed twice.
    pub(super) fn analyze(&self, name: &str) -> Option<Analysis> {
        let text = |symbol| self.module.symbols.resolve(symbol);
        let mut functions = self.module.functions.iter_ids();
        let (func, _) = functions.find(|(_, it)| it.body.is_some() && text(it.name) == name)?;
        let number = func.index() as u32;
        let here = Here { project: self, own: number };
        if self.calls_itself(func) {
            let nothing = Summary { function: number, incomplete: true, ..Summary::default() };
            self.summaries.borrow_mut().insert(number, Arc::new(nothing));
            let first = split::analyze(&here, self.module, func, &self.options);
            self.summaries.borrow_mut().insert(number, first.summary);
        }
        let analysis = split::analyze(&here, self.module, func, &self.options);
        self.summaries.borrow_mut().insert(number, analysis.summary.clone());
        Some(analysis)
    }

    fn calls_itself(&self, func: FuncId) -> bool {
        let body = self.module.functions[func].body.as_ref();
        body.is_some_and(|body| {
            body.calls.iter().any(|call| matches!(call.callee, IrCallee::Func(it) if it == func))
        })
    }
}

impl World for Here<'_, '_> {
    fn own(&self) -> u32 {
        self.own
    }

    fn function(&self, func: FuncId) -> SmallVec<[u32; 1]> {
        smallvec![func.index() as u32]
    }

    fn callee(&self, function: u32) -> Callee<'_> {
        if let Some(summary) = self.project.summaries.borrow().get(&function) {
            return Callee::Summary(summary.clone());
        }
        let name = &self.project.module.functions[FuncId::new(function as usize)].name;
        let name = self.project.module.symbols.resolve(*name);
        self.project.library.lookup(name).map_or(Callee::Unknown, Callee::Model)
    }

    fn stand_in(&self, _function: u32) -> Option<&Model> {
        None
    }

    fn never_returns_null(&self, _function: u32) -> bool {
        false
    }

    fn name(&self, function: u32) -> String {
        let name = self.project.module.functions[FuncId::new(function as usize)].name;
        self.project.module.symbols.resolve(name).to_owned()
    }

    fn global(&self, global: GlobalId) -> u32 {
        global.index() as u32
    }

    fn global_info(&self, global: u32) -> GlobalInfo<'_> {
        let global = &self.project.module.globals[GlobalId::new(global as usize)];
        let name = self.project.module.symbols.resolve(global.pretty);
        GlobalInfo {
            name,
            size: global.size,
            constant: global.constant,
            keeps_functions: false,
            init: global.init.as_ref(),
        }
    }

    fn symbol(&self, _global: u32, symbol: SymbolRef) -> Option<VarRole> {
        match symbol {
            SymbolRef::Func(function) => Some(VarRole::Function(function.index() as u32)),
            SymbolRef::Global(global) => Some(VarRole::Global(global.index() as u32)),
            SymbolRef::Block(..) => None,
        }
    }

    fn specialized(&self, function: u32, how: &Specialization) -> Option<Arc<Summary>> {
        let key = (function, how.clone());
        if let Some(known) = self.project.special.borrow().get(&key) {
            return known.clone();
        }
        // While it is being made, it is not there.
        self.project.special.borrow_mut().insert(key.clone(), None);
        let func = FuncId::new(function as usize);
        self.project.module.functions[func].body.as_ref()?;
        let here = Here { project: self.project, own: function };
        let analysis =
            split::analyze_specialized(&here, self.project.module, func, &self.project.options, how);
        self.project.special.borrow_mut().insert(key, Some(analysis.summary.clone()));
        Some(analysis.summary)
    }

    fn targets(&self, _: ir::CallId) -> SmallVec<[u32; 4]> {
        SmallVec::new()
    }

    fn library(&self) -> &Library {
        &self.project.library
    }

    fn is_main(&self) -> bool {
        false
    }

    fn is_called(&self) -> bool {
        false
    }

    fn has_known_callers(&self) -> bool {
        self.project.module.functions[FuncId::new(self.own as usize)].linkage == ir::Linkage::Internal
    }

    fn begins_program(&self) -> bool {
        false
    }
}
