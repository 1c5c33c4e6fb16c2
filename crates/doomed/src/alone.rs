//! A module on its own, as a project: for tests, for measurements, and for whoever has no more than that.

use base::Id;
use ir::{FuncId, GlobalId, Module};
use models::Library;

use crate::facts::Facts;
use crate::world::{Callee, Code, World};

/// One module, and the library models that come with the tool.
#[derive(Debug)]
pub struct Alone<'m> {
    module: &'m Module,
    library: Library,
    facts: Vec<Facts>,
}

impl<'m> Alone<'m> {
    /// Works out the contracts of all functions; nothing is known of those that come later in the text.
    pub fn new(module: &'m Module) -> Alone<'m> {
        let facts = vec![Facts::NOT_LOOKED_AT; module.functions.len()];
        let mut alone = Alone { module, library: Library::standard(), facts };
        for func in module.functions.ids() {
            if module.functions[func].body.is_some() {
                let facts = Facts::of(alone.code(func));
                alone.facts[func.index()] = facts;
            }
        }
        alone
    }

    /// A function of the module.
    pub fn code(&self, func: FuncId) -> Code<'_> {
        Code { world: self, unit: 0, module: self.module, func }
    }

    /// The function with a body and this name.
    pub fn find(&self, name: &str) -> Option<Code<'_>> {
        let text = |symbol| self.module.symbols.resolve(symbol);
        let mut functions = self.module.functions.iter_ids();
        let (func, _) = functions.find(|(_, it)| it.body.is_some() && text(it.name) == name)?;
        Some(self.code(func))
    }

    /// What always holds of a function.
    pub fn facts(&self, func: FuncId) -> Facts {
        self.facts[func.index()]
    }
}

impl World for Alone<'_> {
    fn callee(&self, _: u32, func: FuncId) -> Callee<'_> {
        let function = &self.module.functions[func];
        if function.body.is_some() {
            return Callee::Body(self.code(func), self.facts(func));
        }
        match self.library.lookup(self.module.symbols.resolve(function.name)) {
            Some(model) => Callee::Model(model),
            None => Callee::Facts(Facts::UNKNOWN),
        }
    }

    fn global(&self, _: u32, global: GlobalId) -> u32 {
        global.index() as u32
    }
}
