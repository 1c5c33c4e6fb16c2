//! Programs: several modules with their references resolved.
//!
//! Source: what a Unix linker does with LLVM's linkage kinds: an external definition wins over a weak or link-once one, which
//! wins over a library model, which wins over an available-externally copy; among equals the first module wins. Internal symbols stay in their module.
//! Departures: two external definitions of one name are no error; the first is taken.

use std::sync::OnceLock;

use base::{Id, IdVec, define_id};
use ir::{
    Alias, Body, Const, FuncId, Function, Global, GlobalId, Linkage, LocId, Module, SymbolRef, TargetInfo,
};
use rustc_hash::FxHashMap;

use crate::image::Image;
use crate::libc::{self, Model};
use crate::memory::Site;
use crate::report::Place;
use crate::value::Value;

define_id! {
    /// A function of a program.
    pub struct FnRef = "fn";
    /// A global variable of a program.
    pub struct GlobalRef = "global";
}

/// Modules that can be run together.
#[derive(Clone, Debug)]
pub struct Program<'m> {
    modules: &'m [Module],
    functions: IdVec<FnRef, LinkedFn<'m>>,
    globals: IdVec<GlobalRef, LinkedGlobal<'m>>,
    /// What each function and global of each module stands for.
    resolved: Vec<Resolved>,
    names: FxHashMap<&'m str, Linked>,
    /// Memory before anything runs.
    image: Image,
    /// The constants of each function, once somebody called it.
    consts: Vec<OnceLock<Box<[Value]>>>,
}

/// A function that can be called.
#[derive(Clone, Debug)]
pub struct LinkedFn<'m> {
    /// The linker's name.
    pub name: &'m str,
    /// The module it is defined in, or first declared in.
    pub module: usize,
    /// The function there.
    pub function: &'m Function,
    /// What a call does.
    pub(crate) code: Code<'m>,
}

/// What a call does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Code<'m> {
    /// Runs this body.
    Body(&'m Body),
    /// Does what the library function does.
    Model(Model),
    /// Nobody knows.
    Unknown,
}

/// A global variable that has a block.
#[derive(Clone, Debug)]
pub struct LinkedGlobal<'m> {
    /// The linker's name.
    pub name: &'m str,
    /// The module it is defined in, or first declared in.
    pub module: usize,
    /// The variable there.
    pub global: &'m Global,
    /// Its bytes: the largest that any module asks for.
    pub size: u64,
}

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linked {
    /// A function.
    Func(FnRef),
    /// Bytes from the start of a global variable.
    Global(GlobalRef, i64),
    /// Nothing: a weak reference that no module defines.
    Null,
}

#[derive(Clone, Debug, Default)]
struct Resolved {
    functions: IdVec<FuncId, Option<Linked>>,
    globals: IdVec<GlobalId, Option<Linked>>,
}

impl<'m> Program<'m> {
    /// Joins modules into a program. All are for one machine; the first one's is taken.
    pub fn link(modules: &'m [Module]) -> Program<'m> {
        let mut program = Program {
            modules,
            functions: IdVec::new(),
            globals: IdVec::new(),
            resolved: Vec::new(),
            names: FxHashMap::default(),
            image: Image::default(),
            consts: Vec::new(),
        };
        let mut ranks = FxHashMap::default();
        for module in 0..modules.len() {
            program.define(module, &mut ranks);
        }
        for module in 0..modules.len() {
            program.define_aliases(module, &mut ranks);
        }
        for module in 0..modules.len() {
            program.resolve(module);
        }
        program.image = Image::build(&program);
        program.consts.resize_with(program.functions.len(), OnceLock::new);
        program
    }

    /// The function of that linker name.
    pub fn function(&self, name: &str) -> Option<FnRef> {
        match self.names.get(name) {
            Some(Linked::Func(function)) => Some(*function),
            _ => None,
        }
    }

    /// The first function of that linker name in any module, internal ones included.
    pub fn any_function(&self, name: &str) -> Option<FnRef> {
        let internal = || self.functions.iter_ids().find(|(_, it)| it.name == name).map(|(id, _)| id);
        self.function(name).or_else(internal)
    }

    /// The global variable of that linker name; internal ones are found, too, if no external one has the name.
    pub fn global(&self, name: &str) -> Option<GlobalRef> {
        match self.names.get(name) {
            Some(Linked::Global(global, 0)) => Some(*global),
            _ => self.globals.iter_ids().find(|(_, it)| it.name == name).map(|(id, _)| id),
        }
    }

    /// All functions.
    pub fn functions(&self) -> &IdVec<FnRef, LinkedFn<'m>> {
        &self.functions
    }

    /// All global variables.
    pub fn globals(&self) -> &IdVec<GlobalRef, LinkedGlobal<'m>> {
        &self.globals
    }

    /// The modules it was made of.
    pub fn modules(&self) -> &'m [Module] {
        self.modules
    }

    /// The machine it is for.
    pub fn target(&self) -> TargetInfo {
        self.modules.first().map(|module| module.target.clone()).unwrap_or_default()
    }

    /// The target triple, or an empty string.
    pub fn triple(&self) -> &'m str {
        let Some(module) = self.modules.first() else { return "" };
        module.target.triple.map_or("", |triple| module.symbols.resolve(triple))
    }

    /// What a reference in a module stands for.
    pub fn lookup(&self, module: usize, symbol: SymbolRef) -> Linked {
        let resolved = &self.resolved[module];
        let found = match symbol {
            SymbolRef::Global(global) => resolved.globals[global],
            SymbolRef::Func(function) | SymbolRef::Block(function, _) => resolved.functions[function],
        };
        found.unwrap_or(Linked::Null)
    }

    /// What a constant of a module's code is the address of, if it is an address of a symbol.
    pub fn lookup_const(&self, module: usize, constant: &Const) -> Option<Linked> {
        match *constant {
            Const::Func(function) => Some(self.lookup(module, SymbolRef::Func(function))),
            Const::Global { global, offset } => Some(match self.lookup(module, SymbolRef::Global(global)) {
                Linked::Global(global, start) => Linked::Global(global, start.wrapping_add(offset)),
                other => other,
            }),
            _ => None,
        }
    }

    /// Constructors of all modules, in order of execution: by priority, then by module.
    pub fn constructors(&self) -> Vec<FnRef> {
        let lists = self.modules.iter().map(|module| &module.constructors).enumerate();
        let mut all = self.linked_list(lists);
        all.sort_by_key(|(priority, _)| *priority);
        all.into_iter().map(|(_, function)| function).collect()
    }

    /// Destructors of all modules, in order of execution: the opposite of constructors.
    pub fn destructors(&self) -> Vec<FnRef> {
        let lists = self.modules.iter().map(|module| &module.destructors).enumerate().rev();
        let mut all = self.linked_list(lists);
        all.sort_by_key(|(priority, _)| std::cmp::Reverse(*priority));
        all.into_iter().map(|(_, function)| function).collect()
    }

    /// A place spelled out.
    pub fn place(&self, site: Site) -> Place {
        let Some(function) = site.function else { return Place::default() };
        let linked = &self.functions[function];
        let module = &self.modules[linked.module];
        let mut place = self.place_in(linked.module, site.loc);
        if place.function.is_empty() {
            place.function = module.symbols.resolve(linked.function.pretty).to_owned();
        }
        place
    }

    /// A place of a module spelled out, without its function.
    pub fn place_in(&self, module: usize, loc: LocId) -> Place {
        let unit = &self.modules[module];
        let Some(entry) = unit.locs.get(loc) else { return Place::default() };
        let text = |symbol| unit.symbols.resolve(symbol).to_owned();
        Place {
            function: entry.function.map(text).unwrap_or_default(),
            file: entry.file.map(|file| text(unit.files[file])).unwrap_or_default(),
            line: entry.line,
            column: entry.column,
            loc: Some((module, loc)),
        }
    }

    /// Whether some run of this program entered a function's body.
    pub fn was_entered(&self, function: FnRef) -> bool {
        self.consts[function.index()].get().is_some()
    }

    /// Memory before anything runs.
    pub(crate) fn image(&self) -> &Image {
        &self.image
    }

    /// The constants of a function with a body, as values.
    pub(crate) fn consts(&self, function: FnRef) -> &[Value] {
        self.consts[function.index()].get_or_init(|| self.image.constants(self, function))
    }

    fn linked_list(&self, lists: impl Iterator<Item = (usize, &'m Vec<(u32, FuncId)>)>) -> Vec<(u32, FnRef)> {
        let mut all = Vec::new();
        for (module, list) in lists {
            for &(priority, function) in list {
                if let Linked::Func(function) = self.lookup(module, SymbolRef::Func(function)) {
                    all.push((priority, function));
                }
            }
        }
        all
    }

    /// Enters what a module defines.
    fn define(&mut self, index: usize, ranks: &mut FxHashMap<&'m str, u32>) {
        let module = &self.modules[index];
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

    fn define_aliases(&mut self, index: usize, ranks: &mut FxHashMap<&'m str, u32>) {
        let module = &self.modules[index];
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
        let module = &self.modules[index];
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
    fn claim(
        &mut self,
        name: &'m str,
        linkage: Linkage,
        linked: Linked,
        ranks: &mut FxHashMap<&'m str, u32>,
    ) {
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
        let module = &self.modules[index];
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

/// The number of bytes that a function's block has: one for its entry and one for each label.
pub(crate) fn code_bytes(function: &LinkedFn<'_>) -> u64 {
    match function.code {
        Code::Body(body) => 1 + body.blocks.len() as u64,
        _ => 1,
    }
}

/// The offset of a label in its function's block.
pub(crate) fn label_offset(block: ir::BlockId) -> u64 {
    1 + block.index() as u64
}
