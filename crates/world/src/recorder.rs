//! A world that keeps what was asked of it, with a digest of each answer.
//!
//! Judgment: a stored result is valid if all its questions, asked again, have answers of the same digests
//! (verifying traces: Mokhov, Mitchell, Peyton Jones, *Build Systems à la Carte*, ICFP 2018, §4.2.2).
//! Questions mean the same in every run: they name symbols where the engine used a position in its module.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use ir::{CallId, FuncId, GlobalId, Module, SymbolRef};
use serde::{Deserialize, Serialize};

use crate::ask::{Callers, FamilyInfo, GlobalInfo, Knowledge, Specialization, Symbol, Targets, World};
use crate::digest::{Digest, Digested};
use crate::keys::{FamilyKey, FnKey, GlobalKey, UnitKey};

/// A question of an engine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Question {
    /// Which functions a name means in a unit.
    Function(UnitKey, String),
    /// Which global variable a name means in a unit.
    Global(UnitKey, String),
    /// Which functions the call at this position of the function under analysis may reach.
    Targets(u32),
    /// What is known of a function.
    Callee(FnKey),
    /// What is known of it in special calls.
    Specialized(FnKey, Specialization),
    /// Which model takes its place.
    StandIn(FnKey),
    /// Whether it never returns null.
    NeverReturnsNull(FnKey),
    /// What its code is.
    Code(FnKey),
    /// What it is called.
    Name(FnKey),
    /// What is known of a global variable, with the symbols in its initializer.
    GlobalInfo(GlobalKey),
    /// What is known of a family of allocation functions.
    Family(FamilyKey),
    /// Who calls the function under analysis.
    Callers,
}

/// What was asked, with digests of the answers.
pub type Trace = BTreeMap<Question, Digest>;

/// A world that passes every question on to another one, and keeps it.
#[derive(Debug)]
pub struct Recorder<'w, W: ?Sized> {
    inner: &'w W,
    trace: RefCell<Trace>,
}

impl<'w, W> Recorder<'w, W>
where
    W: World + ?Sized,
    W::Summary: Digested,
    W::Model: Digested,
{
    /// Nothing was asked yet.
    pub fn new(inner: &'w W) -> Recorder<'w, W> {
        Recorder { inner, trace: RefCell::new(Trace::new()) }
    }

    /// What was asked.
    pub fn into_trace(self) -> Trace {
        self.trace.into_inner()
    }

    fn note(&self, question: Question) {
        if !self.trace.borrow().contains_key(&question) {
            let digest = answer(self.inner, &question);
            self.trace.borrow_mut().insert(question, digest);
        }
    }
}

/// Whether all questions have the same answers in a world.
pub fn holds<W>(world: &W, trace: &Trace) -> bool
where
    W: World + ?Sized,
    W::Summary: Digested,
    W::Model: Digested,
{
    trace.iter().all(|(question, known)| answer(world, question) == *known)
}

/// The digest of an answer.
pub fn answer<W>(world: &W, question: &Question) -> Digest
where
    W: World + ?Sized,
    W::Summary: Digested,
    W::Model: Digested,
{
    match question {
        Question::Function(unit, name) => {
            let module = world.module(*unit);
            let func = module.functions.iter_ids().find(|(_, it)| module.symbols.resolve(it.name) == name);
            Digest::of(&func.map(|(func, _)| world.function(*unit, func)))
        }
        Question::Global(unit, name) => {
            let module = world.module(*unit);
            let global = module.globals.iter_ids().find(|(_, it)| module.symbols.resolve(it.name) == name);
            Digest::of(&global.map(|(global, _)| world.global(*unit, global)))
        }
        Question::Targets(call) => Digest::of(&world.targets(base::Id::new(*call as usize))),
        Question::Callee(function) => match world.callee(*function) {
            Knowledge::Summary(summary) => Digest::of(&("summary", summary.digest())),
            Knowledge::Model(model) => Digest::of(&("model", model.digest())),
            Knowledge::Unknown => Digest::of(&"unknown"),
        },
        Question::Specialized(function, how) => {
            Digest::of(&world.specialized(*function, how).map(|summary| summary.digest()))
        }
        Question::StandIn(function) => Digest::of(&world.stand_in(*function).map(Digested::digest)),
        Question::NeverReturnsNull(function) => Digest::of(&world.never_returns_null(*function)),
        Question::Code(function) => Digest::of(&world.digest_of_code(*function)),
        Question::Name(function) => Digest::of(&world.name(*function)),
        Question::GlobalInfo(global) => of_global(world, *global),
        Question::Family(family) => Digest::of(&world.family(*family).map(|it| (it.words, it.leak.id()))),
        Question::Callers => Digest::of(&world.callers()),
    }
}

fn of_global<W: World + ?Sized>(world: &W, global: GlobalKey) -> Digest {
    let GlobalInfo { name, size, constant, keeps_functions, init } = world.global_info(global);
    let init = init.map(|init| {
        let meaning = |symbol: SymbolRef| match symbol {
            SymbolRef::Block(_, block) => Err(base::Id::index(block)),
            _ => Ok(world.symbol(global, symbol)),
        };
        let relocs: Vec<_> = init
            .relocs
            .iter()
            .map(|it| (it.offset, it.bytes, it.addend, meaning(it.plus), it.minus.map(meaning)))
            .collect();
        (Digest::of(&init.pieces), relocs, init.partial)
    });
    Digest::of(&(name, size, constant, keeps_functions, init))
}

impl<W> World for Recorder<'_, W>
where
    W: World + ?Sized,
    W::Summary: Digested,
    W::Model: Digested,
{
    type Summary = W::Summary;
    type Model = W::Model;

    fn own(&self) -> FnKey {
        self.inner.own()
    }

    fn unit(&self) -> UnitKey {
        self.inner.unit()
    }

    fn module(&self, unit: UnitKey) -> &Module {
        self.inner.module(unit)
    }

    fn function(&self, unit: UnitKey, func: FuncId) -> Targets {
        let module = self.module(unit);
        let name = module.symbols.resolve(module.functions[func].name);
        self.note(Question::Function(unit, name.to_owned()));
        self.inner.function(unit, func)
    }

    fn global(&self, unit: UnitKey, global: GlobalId) -> GlobalKey {
        let module = self.module(unit);
        let name = module.symbols.resolve(module.globals[global].name);
        self.note(Question::Global(unit, name.to_owned()));
        self.inner.global(unit, global)
    }

    fn symbol(&self, global: GlobalKey, symbol: SymbolRef) -> Option<Symbol> {
        self.note(Question::GlobalInfo(global));
        self.inner.symbol(global, symbol)
    }

    fn targets(&self, call: CallId) -> Targets {
        self.note(Question::Targets(base::Id::index(call) as u32));
        self.inner.targets(call)
    }

    fn callee(&self, function: FnKey) -> Knowledge<'_, W::Summary, W::Model> {
        self.note(Question::Callee(function));
        self.inner.callee(function)
    }

    fn specialized(&self, function: FnKey, how: &Specialization) -> Option<Arc<W::Summary>> {
        self.note(Question::Specialized(function, how.clone()));
        self.inner.specialized(function, how)
    }

    fn stand_in(&self, function: FnKey) -> Option<&W::Model> {
        self.note(Question::StandIn(function));
        self.inner.stand_in(function)
    }

    fn never_returns_null(&self, function: FnKey) -> bool {
        self.note(Question::NeverReturnsNull(function));
        self.inner.never_returns_null(function)
    }

    fn code(&self, function: FnKey) -> Option<(UnitKey, FuncId)> {
        self.note(Question::Code(function));
        self.inner.code(function)
    }

    fn digest_of_code(&self, function: FnKey) -> Option<Digest> {
        self.note(Question::Code(function));
        self.inner.digest_of_code(function)
    }

    fn name(&self, function: FnKey) -> String {
        self.note(Question::Name(function));
        self.inner.name(function)
    }

    fn global_info(&self, global: GlobalKey) -> GlobalInfo<'_> {
        self.note(Question::GlobalInfo(global));
        self.inner.global_info(global)
    }

    fn family(&self, family: FamilyKey) -> Option<FamilyInfo<'_>> {
        self.note(Question::Family(family));
        self.inner.family(family)
    }

    fn callers(&self) -> Callers {
        self.note(Question::Callers);
        self.inner.callers()
    }
}
