//! Programs: several modules with their references resolved; [`crate::link`] resolves them.

use std::sync::OnceLock;

use base::{Id, IdVec, define_id};
use ir::{Body, Const, FuncId, Function, Global, GlobalId, LocId, Module, SymbolRef, TargetInfo};
use rustc_hash::FxHashMap;

use crate::image::Image;
use crate::libc::Model;
use crate::memory::Site;
use crate::report::Spot;
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
    pub(crate) modules: Vec<&'m Module>,
    pub(crate) functions: IdVec<FnRef, LinkedFn<'m>>,
    pub(crate) globals: IdVec<GlobalRef, LinkedGlobal<'m>>,
    /// What each function and global of each module stands for.
    pub(crate) resolved: Vec<Resolved>,
    pub(crate) names: FxHashMap<&'m str, Linked>,
    /// Memory before anything runs.
    pub(crate) image: Image,
    /// The constants of each function, once somebody called it.
    pub(crate) consts: Vec<OnceLock<Box<[Value]>>>,
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

/// What the references of one module stand for; none while linking has not come to them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resolved {
    pub(crate) functions: IdVec<FuncId, Option<Linked>>,
    pub(crate) globals: IdVec<GlobalId, Option<Linked>>,
}

impl<'m> Program<'m> {
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
    pub fn modules(&self) -> &[&'m Module] {
        &self.modules
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
    pub fn place(&self, site: Site) -> Spot {
        let Some(function) = site.function else { return Spot::default() };
        let linked = &self.functions[function];
        let module = self.modules[linked.module];
        let mut place = self.place_in(linked.module, site.loc);
        if place.function.is_empty() {
            place.function = module.symbols.resolve(linked.function.pretty).to_owned();
        }
        place
    }

    /// A place of a module spelled out, without its function.
    pub fn place_in(&self, module: usize, loc: LocId) -> Spot {
        let unit = self.modules[module];
        let Some(entry) = unit.locs.get(loc) else { return Spot::default() };
        let text = |symbol| unit.symbols.resolve(symbol).to_owned();
        Spot {
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
