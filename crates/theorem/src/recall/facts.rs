//! What functions do with pointers for certain, by models and by the control flow alone: the engine is not
//! asked.
//!
//! * A function *frees* a parameter if it does so on every path to a return on which that is not null.
//! * It *accesses* a parameter if every path on which that is null accesses it before a return.
//! * It *may keep* a parameter unless every use of it is harmless.
//! * It is an *allocator* if the result of an allocator in it can be returned; it *may fail* if that returns
//!   null where the inner one does.

use std::collections::{BTreeMap, BTreeSet};

use base::{Id, Symbol};
use catalog::Issue;
use ir::{Body, Cfg, Dominators, Inst, InstId, Operand, Type, ValueId};
use models::{Arg, Case, Effect, Len, Library, Model, Ret, Test, What};
use project::{FnId, Node, Project};

use super::walk::{Code, Event, Go, Holders, Known, Point, Result, known_at, walk};

/// What is done with an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ParamFacts {
    pub(super) frees: bool,
    pub(super) accesses: bool,
    pub(super) keeps: bool,
}

const UNKNOWN: ParamFacts = ParamFacts { frees: false, accesses: false, keeps: true };

/// What a call does.
#[derive(Clone, Debug)]
pub(super) struct CallFacts {
    params: Vec<ParamFacts>,
    /// Further arguments.
    rest: ParamFacts,
    /// Whether the result can be null because an allocation fails, and a block if it does not.
    pub(super) may_fail: bool,
    /// Whether the result can be a new block of memory that nobody else points to.
    pub(super) is_new: bool,
    pub(super) never_returns: bool,
}

impl Default for CallFacts {
    fn default() -> CallFacts {
        CallFacts { params: Vec::new(), rest: UNKNOWN, may_fail: false, is_new: false, never_returns: false }
    }
}

impl CallFacts {
    pub(super) fn param(&self, at: usize) -> ParamFacts {
        self.params.get(at).copied().unwrap_or(self.rest)
    }

    /// What holds whichever of two is called.
    fn or(mut self, other: &CallFacts) -> CallFacts {
        let both = |a: ParamFacts, b: ParamFacts| ParamFacts {
            frees: a.frees && b.frees,
            accesses: a.accesses && b.accesses,
            keeps: a.keeps || b.keeps,
        };
        let n_params = self.params.len().max(other.params.len());
        self.params = (0..n_params).map(|at| both(self.param(at), other.param(at))).collect();
        self.rest = both(self.rest, other.rest);
        self.may_fail &= other.may_fail;
        self.is_new &= other.is_new;
        self.never_returns &= other.never_returns;
        self
    }
}

/// Facts about all functions of a project.
pub(super) struct Facts {
    functions: Vec<CallFacts>,
    external: BTreeMap<Symbol, CallFacts>,
}

impl Facts {
    /// Callees come before callers; what a component knows of itself is nothing.
    pub(super) fn of(project: &Project, library: &Library) -> Facts {
        let graph = project.call_graph();
        let mut external = BTreeMap::new();
        for edge in graph.edges() {
            if let Node::External(name) = edge.callee {
                external.entry(name).or_insert_with(|| {
                    library
                        .lookup(project.name(name))
                        .map_or_else(CallFacts::default, |it| of_model(it, library))
                });
            }
        }
        let mut facts = Facts { functions: vec![CallFacts::default(); project.functions().len()], external };
        for &function in graph.order().iter().flatten() {
            facts.functions[function.index()] = facts.of_function(project, function);
        }
        facts
    }

    /// What the calls of a function do. Calls through pointers do what all functions do that they are known to reach.
    pub(super) fn calls(&self, project: &Project, function: FnId) -> BTreeMap<InstId, CallFacts> {
        let graph = project.call_graph();
        let mut calls: BTreeMap<InstId, CallFacts> = BTreeMap::new();
        for edge in graph.callees(function) {
            let inst = graph.sites()[edge.site as usize].inst;
            let callee = match edge.callee {
                Node::Function(callee) => &self.functions[callee.index()],
                Node::External(name) => &self.external[&name],
            };
            let joined = calls.remove(&inst).map_or_else(|| callee.clone(), |known| known.or(callee));
            calls.insert(inst, joined);
        }
        calls
    }

    fn of_function(&self, project: &Project, function: FnId) -> CallFacts {
        let data = project.function(function);
        let Some(body) = data.function.body.as_ref() else { return CallFacts::default() };
        let calls = self.calls(project, function);
        let (cfg, dominators) = graphs(body);
        let code = Code { body, calls: &calls, cfg: &cfg, dominators: &dominators };
        let params = body.blocks[Body::ENTRY].params.iter();
        let params = params.map(|&param| match body.values[param].ty {
            Type::Ptr => of_param(code, param),
            _ => ParamFacts { keeps: true, ..UNKNOWN },
        });
        let mut facts = CallFacts { params: params.collect(), ..CallFacts::default() };
        facts.never_returns = data.function.attrs.noreturn || never_returns(code);
        if data.function.signature.results.first() == Some(&Type::Ptr) {
            for (&inst, call) in &calls {
                let (may_fail, is_new) = returned_allocation(code, inst, call);
                facts.may_fail |= may_fail;
                facts.is_new |= is_new;
            }
        }
        facts
    }
}

/// The control flow of a body.
pub(super) fn graphs(body: &Body) -> (Cfg, Dominators) {
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(&cfg);
    (cfg, dominators)
}

/// The point behind an instruction, where its first result is followed.
pub(super) fn behind(code: Code<'_>, inst: InstId) -> Option<Point> {
    let body = code.body;
    let result = body.results(inst).next()?;
    let holders: Holders = [(result, Some(0))].into_iter().collect();
    let (block, data) = body.blocks.iter_ids().find(|(_, block)| block.insts.contains(&inst))?;
    let index = data.insts.iter().position(|&it| it == inst)? + 1;
    Some(Point { block, index, holders, nulls: BTreeSet::new(), known: known_at(code, block) })
}

/// Whether an allocation in a function is what it returns: with failure and success; as a new block.
fn returned_allocation(code: Code<'_>, inst: InstId, call: &CallFacts) -> (bool, bool) {
    if !call.may_fail && !call.is_new {
        return (false, false);
    }
    let Some(start) = behind(code, inst) else { return (false, false) };
    let (mut null, mut pointer, mut new) = (false, false, false);
    walk(code, start.clone(), true, &mut |event, _| {
        null |= matches!(event, Event::Returned(Result::Pointer | Result::Null));
        if matches!(event, Event::Accessed(_)) { Go::Stop } else { Go::On }
    });
    walk(code, start.clone(), false, &mut |event, _| {
        pointer |= event == Event::Returned(Result::Pointer);
        if matches!(event, Event::Freed(_)) { Go::Stop } else { Go::On }
    });
    walk(code, start, false, &mut |event, _| {
        new |= event == Event::Returned(Result::Pointer);
        if matches!(event, Event::Freed(_) | Event::Kept(_)) { Go::Stop } else { Go::On }
    });
    (call.may_fail && null && pointer, call.is_new && new)
}

fn never_returns(code: Code<'_>) -> bool {
    let start = Point {
        block: Body::ENTRY,
        index: 0,
        holders: Holders::new(),
        nulls: BTreeSet::new(),
        known: Known::new(),
    };
    let mut returns = false;
    let complete = walk(code, start, false, &mut |event, _| {
        returns |= matches!(event, Event::Returned(_));
        Go::On
    });
    complete && !returns
}

fn of_param(code: Code<'_>, param: ValueId) -> ParamFacts {
    let start = || Point {
        block: Body::ENTRY,
        index: 0,
        holders: [(param, Some(0))].into_iter().collect(),
        nulls: BTreeSet::new(),
        known: Known::new(),
    };
    let certain = |is_null: bool, wanted: fn(Event) -> bool| {
        let (mut happens, mut avoided) = (false, false);
        let complete = walk(code, start(), is_null, &mut |event, _| {
            happens |= wanted(event);
            avoided |= matches!(event, Event::Returned(_));
            if wanted(event) { Go::Stop } else { Go::On }
        });
        complete && happens && !avoided
    };
    ParamFacts {
        frees: certain(false, |event| matches!(event, Event::Freed(_))),
        accesses: certain(true, |event| matches!(event, Event::Accessed(_))),
        keeps: may_keep(code, param),
    }
}

/// Whether any use of a value, or of something computed from it, may keep it.
fn may_keep(code: Code<'_>, value: ValueId) -> bool {
    let body = code.body;
    let mut reached: BTreeSet<ValueId> = [value].into_iter().collect();
    loop {
        let before = reached.len();
        for block in body.blocks.iter() {
            for &inst in &block.insts {
                match passes_on(code, inst, &reached) {
                    None => return true,
                    Some(true) => reached.extend(body.results(inst)),
                    Some(false) => {}
                }
            }
            if let ir::Terminator::Return { values } = &block.term
                && values.iter().any(|it| is_in(&reached, *it))
            {
                return true;
            }
            for target in block.term.targets() {
                let params = body.blocks[target.block].params.iter().zip(&target.args);
                reached.extend(
                    params
                        .filter(|(_, arg)| is_in(&reached, **arg))
                        .map(|(&param, _)| param)
                        .collect::<Vec<_>>(),
                );
            }
        }
        if reached.len() == before {
            return false;
        }
    }
}

fn is_in(values: &BTreeSet<ValueId>, operand: Operand) -> bool {
    operand.value().is_some_and(|value| values.contains(&value))
}

/// Whether an instruction makes something new of these values. None: it may keep one.
fn passes_on(code: Code<'_>, inst: InstId, reached: &BTreeSet<ValueId>) -> Option<bool> {
    let mut uses = false;
    code.body.each_operand(inst, |operand| uses |= is_in(reached, operand));
    if !uses {
        return Some(false);
    }
    match code.body.insts[inst].inst {
        Inst::Store { value, .. } => (!is_in(reached, value)).then_some(false),
        Inst::Call { call } => {
            let facts = code.calls.get(&inst).cloned().unwrap_or_default();
            let args = code.body.calls[call].args.iter().enumerate();
            let mut kept = args.filter(|(_, arg)| is_in(reached, **arg)).map(|(at, _)| facts.param(at));
            (!kept.any(|it| it.keeps || it.frees)).then_some(false)
        }
        Inst::Load { .. } | Inst::Compare { .. } | Inst::MemCopy { .. } | Inst::MemSet { .. } => Some(false),
        _ => Some(true),
    }
}

/// What a model says for certain.
fn of_model(model: &Model, library: &Library) -> CallFacts {
    let n_params = model.params.unwrap_or(0);
    let rest = match model.variadic || model.params.is_some() {
        true => of_model_param(model, library, Arg::Rest),
        false => UNKNOWN,
    };
    let is_memory = |family: &str| is_memory(library, family);
    let new = |case: &Case, wanted: &dyn Fn(&str) -> bool| matches!(&case.ret, Ret::New { family, .. } if wanted(family));
    let is_null =
        |case: &Case| case.ret == Ret::Null && !case.when.iter().any(|it| matches!(it, Test::Zero(_)));
    CallFacts {
        params: (0..n_params).map(|at| of_model_param(model, library, Arg::At(at))).collect(),
        rest,
        may_fail: model.cases.iter().any(|it| new(it, &|_| true)) && model.cases.iter().any(is_null),
        is_new: model.cases.iter().any(|it| new(it, &is_memory)),
        never_returns: model.noreturn.is_some(),
    }
}

fn of_model_param(model: &Model, library: &Library, arg: Arg) -> ParamFacts {
    let is_free = |effect: &Effect| {
        matches!(&effect.what, What::Free { family, behind: false } if is_memory(library, family))
            && effect.arg == arg
    };
    let is_access = |effect: &Effect| effect.arg == arg && !effect.null_ok && is_certain_access(&effect.what);
    let is_source = |effect: &Effect| matches!(&effect.what, What::Copy { src, len, .. } if arg == Arg::At(*src) && is_positive(*len));
    let may_keep =
        |effect: &Effect| effect.arg == arg && matches!(effect.what, What::Escape | What::Free { .. });
    let is_only_null =
        |case: &Case| case.when.iter().any(|test| matches!(test, Test::Zero(at) if arg == Arg::At(*at)));
    let is_only_other =
        |case: &Case| case.when.iter().any(|test| matches!(test, Test::NonZero(at) if arg == Arg::At(*at)));
    let returns = |case: &Case| matches!(case.ret, Ret::Arg(at) | Ret::Into(at) if arg == Arg::At(at));
    let cases = || model.cases.iter();
    let frees =
        cases().all(|it| is_only_null(it) || it.effects.iter().any(is_free)) && !cases().all(is_only_null);
    ParamFacts {
        frees: frees && cases().all(|it| !matches!(it.ret, Ret::New { .. })),
        accesses: cases()
            .all(|it| is_only_other(it) || it.effects.iter().any(|it| is_access(it) || is_source(it))),
        keeps: cases().any(|it| returns(it) || it.effects.iter().any(may_keep)),
    }
}

fn is_memory(library: &Library, family: &str) -> bool {
    library.family(family).is_some_and(|it| it.leak == Issue::MemoryLeak)
}

fn is_certain_access(what: &What) -> bool {
    match what {
        What::Access { len, .. } | What::Fill { len, .. } | What::Copy { len, .. } => is_positive(*len),
        What::Write { .. } => true,
        _ => false,
    }
}

fn is_positive(len: Len) -> bool {
    matches!(len, Len::Const(1..) | Len::String | Len::Any | Len::Within(1..))
}
