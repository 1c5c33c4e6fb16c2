//! Linking: what each reference of each module stands for.
//!
//! Source: what a Unix linker does with LLVM's linkage kinds: an external definition wins over a weak or
//! link-once one, which wins over a library model, which wins over an available-externally copy; among equals
//! the first module wins. Internal symbols stay in their module.
//! Departures: two external definitions of one name are no error; the first is taken.

use std::sync::OnceLock;

use base::IdVec;
use ir::{Alias, Function, Global, Linkage, Module, SymbolRef};
use rustc_hash::FxHashMap;

use crate::image::Image;
use crate::libc;
use crate::program::{Code, Linked, LinkedFn, LinkedGlobal, Program, Resolved};

/// How strong the definitions are that have the names; a lower number wins.
type Ranks<'m> = FxHashMap<&'m str, u32>;

impl<'m> Program<'m> {
    /// Joins modules into a program. All are for one machine; the first one's is taken.
    pub fn link(modules: impl IntoIterator<Item = &'m Module>) -> Program<'m> {
        let modules: Vec<&'m Module> = modules.into_iter().collect();
        let n_modules = modules.len();
        let mut program = Program {
            modules,
            functions: IdVec::new(),
            globals: IdVec::new(),
            resolved: Vec::new(),
            names: FxHashMap::default(),
            image: Image::default(),
            consts: Vec::new(),
        };
        let mut ranks = Ranks::default();
        for module in 0..n_modules {
            program.define(module, &mut ranks);
        }
        for module in 0..n_modules {
            program.define_aliases(module, &mut ranks);
        }
        for module in 0..n_modules {
            program.resolve(module);
        }
        program.image = Image::build(&program);
        program.consts.resize_with(program.functions.len(), OnceLock::new);
        program
    }

    /// Enters what a module defines.
    fn define(&mut self, index: usize, ranks: &mut Ranks<'m>) {
        let module = self.modules[index];
        let mut resolved = Resolved::default();
        for function in module.functions.iter() {
            let name = linker_name(module.symbols.resolve(function.name));
            // A model stands for the real definition, which beats a copy of it.
            let is_copy = function.linkage == Linkage::AvailableExternally && libc::model(name).is_some();
            let linked = function.body.as_ref().filter(|_| !is_copy).map(|body| {
                let code = Code::Body(body);
                Linked::Func(self.functions.push(LinkedFn { name, module: index, function, code }))
            });
            resolved.functions.push(linked);
            if let Some(linked) = linked {
                self.claim(name, function.linkage, linked, ranks);
            }
        }
        for global in module.globals.iter() {
            let linked = global.init.as_ref().map(|_| {
                let name = linker_name(module.symbols.resolve(global.name));
                let size = global.size;
                Linked::Global(self.globals.push(LinkedGlobal { name, module: index, global, size }), 0)
            });
            resolved.globals.push(linked);
            if let Some(linked) = linked {
                let name = linker_name(module.symbols.resolve(global.name));
                self.claim(name, global.linkage, linked, ranks);
            }
        }
        self.resolved.push(resolved);
    }

    fn define_aliases(&mut self, index: usize, ranks: &mut Ranks<'m>) {
        let module = self.modules[index];
        for alias in &module.aliases {
            let name = linker_name(module.symbols.resolve(alias.name));
            let Some(linked) = self.alias_target(index, alias) else { continue };
            self.claim(name, alias.linkage, linked, ranks);
            if alias.linkage == Linkage::Internal {
                self.resolve_local_alias(index, name, linked);
            }
        }
    }

    fn alias_target(&self, module: usize, alias: &Alias) -> Option<Linked> {
        let resolved = &self.resolved[module];
        match alias.target {
            SymbolRef::Global(global) => match *resolved.globals.get(global)? {
                Some(Linked::Global(global, start)) => {
                    Some(Linked::Global(global, start.wrapping_add(alias.offset)))
                }
                other => other,
            },
            SymbolRef::Func(function) => *resolved.functions.get(function)?,
            SymbolRef::Block(..) => None,
        }
    }

    /// Declarations in the module that an internal alias gives a meaning to.
    fn resolve_local_alias(&mut self, index: usize, name: &str, linked: Linked) {
        let module = self.modules[index];
        for (id, function) in module.functions.iter_ids() {
            if function.body.is_none() && module.symbols.resolve(function.name) == name {
                self.resolved[index].functions[id] = Some(linked);
            }
        }
        for (id, global) in module.globals.iter_ids() {
            if global.init.is_none() && module.symbols.resolve(global.name) == name {
                self.resolved[index].globals[id] = Some(linked);
            }
        }
    }

    /// Lets a definition have its name, unless a stronger one has it.
    fn claim(&mut self, name: &'m str, linkage: Linkage, linked: Linked, ranks: &mut Ranks<'m>) {
        let rank = match linkage {
            Linkage::Internal => return,
            Linkage::External => 0,
            Linkage::Weak | Linkage::LinkOnce | Linkage::ExternWeak => 1,
            Linkage::AvailableExternally => 2,
        };
        if ranks.get(name).is_none_or(|known| rank < *known) {
            ranks.insert(name, rank);
            self.names.insert(name, linked);
        }
    }

    /// Points everything that is not internal to whoever has the name.
    fn resolve(&mut self, index: usize) {
        let module = self.modules[index];
        for (id, function) in module.functions.iter_ids() {
            let is_own =
                function.linkage == Linkage::Internal && self.resolved[index].functions[id].is_some();
            if !is_own {
                let linked = self.resolve_function(index, function);
                self.resolved[index].functions[id] = Some(linked);
            }
        }
        for (id, global) in module.globals.iter_ids() {
            let is_own = global.linkage == Linkage::Internal && self.resolved[index].globals[id].is_some();
            if !is_own {
                let linked = self.resolve_global(index, global);
                self.resolved[index].globals[id] = Some(linked);
            }
        }
    }

    fn resolve_function(&mut self, module: usize, function: &'m Function) -> Linked {
        let name = linker_name(self.modules[module].symbols.resolve(function.name));
        if let Some(known) = self.names.get(name) {
            return *known;
        }
        let model = libc::model(name);
        if model.is_none() && function.linkage == Linkage::ExternWeak {
            return Linked::Null;
        }
        let code = model.map_or(Code::Unknown, Code::Model);
        let linked = Linked::Func(self.functions.push(LinkedFn { name, module, function, code }));
        self.names.insert(name, linked);
        linked
    }

    fn resolve_global(&mut self, module: usize, global: &'m Global) -> Linked {
        let name = linker_name(self.modules[module].symbols.resolve(global.name));
        if let Some(known) = self.names.get(name) {
            if let Linked::Global(known, _) = *known
                && self.globals[known].global.init.is_none()
            {
                self.globals[known].size = self.globals[known].size.max(global.size);
            }
            return *known;
        }
        if global.linkage == Linkage::ExternWeak {
            return Linked::Null;
        }
        let linked = LinkedGlobal { name, module, global, size: global.size };
        let linked = Linked::Global(self.globals.push(linked), 0);
        self.names.insert(name, linked);
        linked
    }
}

/// The name without the mark that tells LLVM not to mangle it.
fn linker_name(name: &str) -> &str {
    name.strip_prefix('\u{1}').unwrap_or(name)
}
