//! One program out of many files: [`Project`], the result of putting units together.
//!
//! Judgment: the result does not depend on the order of units, or on threads.

use base::{IdVec, Symbol};
use ir::names::without_params;
use ir::{FuncId, Function, LocId, Module, SymbolRef};

use crate::ambiguities;
use crate::callgraph::{self, CallGraph, Node};
use crate::fields::Records;
use crate::indirect::Linked;
use crate::links::Links;
use crate::merge::Functions;
use crate::notes::Note;
use crate::programs::{Program, Programs};
use crate::resolutions::Resolutions;
use crate::resolve::{self, Resolution, Target};
use crate::symbols::Symbols;
use crate::unit::{self, FnId, ProgramId, UnitId, UnitIr};

/// All units of a project, put together as its build does it.
///
/// This is what engines work on. A project owns the IR of all units, which never changes again, and knows four things about
/// it:
///
/// 1. **Programs.** Which units are linked together ([`programs`](Self::programs)): executables and shared objects by the link
///    commands of the build, and one implicit group for units that no link command mentions. A unit may be in many programs.
/// 2. **Functions.** [`FnId`]s stand for what a person calls a function. A `static inline` function of a header is one
///    function, although a thousand units contain a copy; two `static` functions of one name are two; the `main`s of ten programs are ten.
///    [`function`](Self::function) gives the code of a function; it is the same in all [`copies`](Self::copies).
/// 3. **Meanings.** An [`ir::FuncId`] or [`ir::GlobalId`] inside a module is only a name, unless the module defines it for itself.
///    [`resolve`](Self::resolve) says which definition is meant. Always resolve, also what has a body right here: the
///    body may be a weak one that gives way to another unit's, or a copy for inspection.
/// 4. **The call graph** ([`call_graph`](Self::call_graph)), with the order in which callees come before callers.
///
/// How to use it. Go through [`CallGraph::order`] from the front, level by level on several threads if you like: a project is
/// immutable and can be shared. For each function take its code and module from [`function`](Self::function). For each call in it
/// take the known callees from [`CallGraph::callees_at`], or resolve the callee's id with the unit from the same [`FnRef`]. Ids of the
/// IR (`ValueId`, `LocId`, `Symbol` …) belong to that one module; `UnitId`, `FnId` and `ProgramId` to the project.
///
/// **Several meanings.** `app_malloc` aborts in the tool and returns null in the tests, and a file that is linked into both calls
/// "it". [`Resolution::Several`] then lists both. Who analyzes one program passes its id and gets the one meaning; who analyzes
/// functions on their own treats the definitions as alternatives, and names the one a finding rests on. A function with several copies has the
/// meanings of all of them: for one program, use [`copy_in`](Self::copy_in) to find the copy whose unit is in it.
///
/// **What is promised.** The result does not depend on the order of `units`, on threads or on addresses: units are
/// sorted by path first, and everything is numbered in that order. Nothing fails; what was not obvious is a [`Note`], sorted.
/// Time and memory are linear in the size of the units, and in the number of units times the number of programs they
/// are in.
///
/// **What is not promised.** Callees of calls through pointers are those that are known, not all there are; see
/// [`indirect`](crate::indirect). Symbols that assembly defines or uses are not seen.
#[derive(Debug)]
pub struct Project {
    units: IdVec<UnitId, UnitIr>,
    symbols: Symbols,
    programs: Programs,
    functions: Functions,
    only: IdVec<Symbol, Option<Target>>,
    resolutions: Resolutions,
    graph: CallGraph,
    notes: Vec<Note>,
}

/// A function of the project with its code.
#[derive(Clone, Copy, Debug)]
pub struct FnRef<'p> {
    /// The function.
    pub id: FnId,
    /// The unit whose copy stands for all.
    pub unit: UnitId,
    /// The function in its module.
    pub func: FuncId,
    /// The module that all ids in the code belong to.
    pub module: &'p Module,
    /// The code; it has a body.
    pub function: &'p Function,
}

impl<'p> FnRef<'p> {
    /// The linker's name.
    pub fn name(self) -> &'p str {
        self.module.symbols.resolve(self.function.name)
    }

    /// The name the user knows it by.
    pub fn pretty(self) -> &'p str {
        self.module.symbols.resolve(self.function.pretty)
    }

    /// A place in its code: file as debug info has it, line and column from 1.
    pub fn place(self, loc: LocId) -> Option<(&'p str, u32, u32)> {
        let loc = self.module.locs.get(loc)?;
        let file = *self.module.files.get(loc.file?)?;
        Some((self.module.symbols.resolve(file), loc.line, loc.column))
    }
}

impl Project {
    /// Puts units together. Without link commands (`Links::default()`), directories decide what belongs together.
    pub fn new(units: Vec<UnitIr>, links: &Links) -> Project {
        let units = unit::in_order(units);
        let symbols = Symbols::of(&units);
        let programs = Programs::of(&units, &symbols, links);
        let functions = Functions::of(&units, &symbols);
        let only = resolve::only_targets(&symbols, &functions);
        let cx = resolve::Cx {
            units: &units,
            symbols: &symbols,
            programs: &programs,
            functions: &functions,
            only: &only,
        };
        let resolutions = Resolutions::of(cx);
        let records = Records::of(&units);
        let graph = callgraph::build(Linked { cx, resolutions: &resolutions, records: &records });
        let notes = ambiguities::notes(cx, &resolutions);
        Project { units, symbols, programs, functions, only, resolutions, graph, notes }
    }

    /// All units, in the order of their paths.
    pub fn units(&self) -> &IdVec<UnitId, UnitIr> {
        &self.units
    }

    /// Gives the units back, in the order of their paths.
    pub fn into_units(self) -> IdVec<UnitId, UnitIr> {
        self.units
    }

    /// All functions that have a body.
    pub fn functions(&self) -> impl DoubleEndedIterator<Item = FnId> + ExactSizeIterator + use<> {
        self.functions.items.ids()
    }

    /// The number of bodies in all units, before equal ones became one function.
    pub fn n_copies(&self) -> usize {
        self.functions.items.iter().map(|merged| merged.copies.len()).sum()
    }

    /// A function with its code.
    pub fn function(&self, id: FnId) -> FnRef<'_> {
        let (unit, func) = self.functions.items[id].copies[0];
        let module = &self.units[unit].module;
        FnRef { id, unit, func, module, function: &module.functions[func] }
    }

    /// All places where a function is defined, in the order of units; the first one is that of [`function`](Self::function).
    pub fn copies(&self, id: FnId) -> &[(UnitId, FuncId)] {
        &self.functions.items[id].copies
    }

    /// The copy of a function in a unit of that program, if there is one.
    pub fn copy_in(&self, id: FnId, program: ProgramId) -> Option<(UnitId, FuncId)> {
        let copies = self.copies(id).iter().copied();
        copies.into_iter().find(|&(unit, _)| self.programs.place(program, unit).is_some())
    }

    /// The function that a definition is (a copy of); none for a declaration.
    pub fn definition(&self, unit: UnitId, func: FuncId) -> Option<FnId> {
        self.functions.of_unit.get(unit)?.get(func).copied().flatten()
    }

    /// The functions of that name, as the linker or the user knows it.
    pub fn functions_named(&self, name: &str) -> Vec<FnId> {
        let is_meant = |&id: &FnId| {
            let function = self.function(id);
            let pretty = function.pretty();
            [function.name(), pretty, without_params(pretty)].contains(&name)
        };
        self.functions().filter(is_meant).collect()
    }

    /// The functions of that name, and the external one that some code calls.
    pub fn nodes_named(&self, name: &str) -> Vec<Node> {
        let external = self.symbols.names.lookup(name).map(Node::External);
        let external = external.filter(|&node| self.graph.callers(node).next().is_some());
        self.functions_named(name).into_iter().map(Node::Function).chain(external).collect()
    }

    /// What a reference in a unit means: inside of a program, or in whatever programs the unit is in.
    pub fn resolve(&self, unit: UnitId, symbol: SymbolRef, program: Option<ProgramId>) -> Resolution {
        match program {
            Some(program) => self.cx().in_program(unit, symbol, program),
            None => self.resolutions.get(self.cx(), unit, symbol),
        }
    }

    /// The programs, in the order of their paths; the implicit group last.
    pub fn programs(&self) -> &IdVec<ProgramId, Program> {
        &self.programs.items
    }

    /// The programs that contain a unit, at least one.
    pub fn programs_of(&self, unit: UnitId) -> &[ProgramId] {
        &self.programs.of_unit[unit]
    }

    /// What was not obvious, sorted. See [`notes::shown`](crate::notes::shown) for people.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Who calls whom.
    pub fn call_graph(&self) -> &CallGraph {
        &self.graph
    }

    /// The name behind a symbol of [`Node::External`].
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.names.resolve(symbol)
    }

    /// How many names linkers see.
    pub(crate) fn n_names(&self) -> usize {
        self.symbols.names.len()
    }

    /// The units and their names.
    pub(crate) fn parts(&self) -> (&IdVec<UnitId, UnitIr>, &Symbols) {
        (&self.units, &self.symbols)
    }

    /// The name behind a number that may be none.
    pub fn try_name(&self, symbol: Symbol) -> Option<&str> {
        (base::Id::index(symbol) < self.symbols.names.len()).then(|| self.symbols.names.resolve(symbol))
    }

    /// The symbol of a linker's name.
    pub fn symbol_of(&self, name: &str) -> Option<Symbol> {
        self.symbols.names.lookup(name)
    }

    /// The linker's name of a node.
    pub fn node_name(&self, node: Node) -> &str {
        match node {
            Node::Function(function) => self.function(function).name(),
            Node::External(name) => self.name(name),
        }
    }

    fn cx(&self) -> resolve::Cx<'_> {
        resolve::Cx {
            units: &self.units,
            symbols: &self.symbols,
            programs: &self.programs,
            functions: &self.functions,
            only: &self.only,
        }
    }
}
