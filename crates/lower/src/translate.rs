//! One function: blocks in an order in which every value is defined before it is used, then the arguments of
//! block parameters.
//!
//! LLVM's `phi`s become block parameters, aggregates their lanes (see [`flat`](crate::flat)). A function that
//! is damaged costs that function: [`Cause`] says why.

mod arith;
mod bits;
mod blocks;
mod call;
mod casts;
mod constants;
mod control;
mod emit;
mod gep;
mod lanes;
mod memory;
mod step;
mod values;
mod vars;

use base::Id;
use bitcode::{Body, FunctionId, InstId};
use ir::{BlockId, FuncId, LocId, Type};

use crate::address::Labels;
use crate::declare::describe_function;
use crate::env::{Env, Output};
use crate::error::{Cause, Skipped, Stop};
use crate::nodes::Nodes;
use blocks::Plan;
pub(crate) use emit::Lanes;
pub(crate) use values::ModuleCache;
use values::Values;
use vars::Vars;

/// Translates all bodies and lets each take its further steps (`finish`, with the bytes of a pointer). Returns the functions that
/// were left out, and where the labels are whose address is taken.
pub(crate) fn bodies(
    env: &Env<'_>,
    out: &mut Output,
    finish: fn(&mut ir::Body, u32),
) -> (Vec<Skipped>, Labels) {
    let mut skipped = Vec::new();
    let mut labels = blocks::address_taken(env);
    let mut cache = ModuleCache::new(env.module);
    for (id, function) in env.module.functions.iter_ids() {
        let Some(func) = env.symbols.function(id) else { continue };
        let result = match (&function.body, &function.broken) {
            (Some(body), _) => define(env, out, &mut cache, (id, func), body),
            (None, Some(why)) => Err(Cause::Unread(why.clone())),
            (None, None) => continue,
        };
        match result {
            Ok(blocks) => {
                let pointer_bytes = out.module.target.pointer_bytes;
                if let Some(body) = &mut out.module.functions[func].body {
                    finish(body, pointer_bytes);
                }
                labels.entry(func).and_modify(|it| *it = blocks);
            }
            Err(cause) => {
                labels.remove(&func);
                let function = &out.module.functions[func];
                skipped.push(Skipped { function: function.pretty, loc: function.loc, cause });
            }
        }
    }
    (skipped, labels)
}

/// Translates one body; returns what became of its blocks.
fn define(
    env: &Env<'_>,
    out: &mut Output,
    cache: &mut ModuleCache,
    (id, func): (FunctionId, FuncId),
    source: &Body,
) -> Result<Vec<Option<BlockId>>, Cause> {
    out.places.enter(source);
    out.types.enter(source);
    let nodes = env.nodes(Some(source));
    let (source_type, loc) = describe_function(out, nodes, &source.attachments);
    let function = &mut out.module.functions[func];
    (function.source_type, function.loc) = (source_type, loc);
    let plan = Plan::new(env, source)?;
    let mut translator = Translator {
        env,
        out,
        source,
        id,
        func,
        body: ir::Body::default(),
        values: Values::new(env, source, cache),
        vars: Vars::default(),
        plan,
        prologue: Vec::new(),
        block: BlockId::FIRST,
        loc,
        function_loc: loc,
        constant_parts: 0,
        constant_depth: 0,
    };
    translator.run()?;
    let Translator { body, plan, .. } = translator;
    out.budget = out.budget.saturating_sub(body.insts.len());
    out.module.functions[func].body = Some(body);
    Ok(plan.blocks)
}

/// The translation of one body, half done.
pub(crate) struct Translator<'e, 'm> {
    pub(crate) env: &'e Env<'m>,
    pub(crate) out: &'e mut Output,
    pub(crate) source: &'e Body,
    id: FunctionId,
    func: FuncId,
    pub(crate) body: ir::Body,
    /// What became of LLVM's values.
    values: Values<'e>,
    /// The user's variables.
    vars: Vars,
    /// Which blocks are translated, and in which order.
    plan: Plan,
    /// Allocas for copies of struct arguments, which belong at the start of the entry block.
    prologue: Vec<ir::InstId>,
    /// Where instructions are appended.
    block: BlockId,
    /// The place that instructions get.
    pub(crate) loc: LocId,
    /// The place of the function.
    function_loc: LocId,
    /// Parts left for the constant at hand.
    constant_parts: u32,
    /// How deep in the constant at hand we are.
    constant_depth: u32,
}

impl<'e> Translator<'e, '_> {
    fn run(&mut self) -> Result<(), Cause> {
        self.body.insts.reserve(self.source.insts.len());
        self.body.values.reserve(self.source.insts.len());
        self.make_blocks()?;
        self.collect_vars();
        let order = std::mem::take(&mut self.plan.order);
        for &block in &order {
            self.translate_block(block)?;
        }
        for &block in &order {
            self.fill_targets(block)?;
        }
        self.name_values();
        let entry = &mut self.body.blocks[BlockId::FIRST].insts;
        entry.splice(0..0, self.prologue.drain(..));
        Ok(())
    }

    fn translate_block(&mut self, source: bitcode::BlockId) -> Result<(), Cause> {
        self.block = self.plan.blocks[source.index()].expect("invariant: the order holds reachable blocks");
        let body = self.source;
        let insts = self.plan.insts(body, source);
        // Code before the first place of a block: the next place, but at the entry it is the function's own.
        self.loc = self.function_loc;
        if self.block != BlockId::FIRST {
            self.loc = insts.clone().find_map(|it| self.place(it)).unwrap_or(self.function_loc);
        }
        for id in insts.clone() {
            if let Some(loc) = self.place(id) {
                self.loc = loc;
            }
            if self.body.insts.len() > self.out.budget {
                return Err(Cause::Budget);
            }
            self.step(id)?;
        }
        self.body.blocks[self.block].term_loc = self.loc;
        if let Some(cause) = self.plan.cut(source) {
            self.terminate(ir::Terminator::Unreachable { cause });
        }
        Ok(())
    }

    /// The place of an instruction, if the compiler says it.
    fn place(&mut self, id: InstId) -> Option<LocId> {
        let (loc, nodes) = (self.source.insts.get(id)?.loc?, self.nodes());
        self.out.places.of_inst(&mut self.out.module, nodes, loc)
    }

    fn nodes(&self) -> Nodes<'e> {
        self.env.nodes(Some(self.source))
    }

    /// Takes what is about to be made from the budget.
    pub(crate) fn spend(&mut self, amount: usize) -> Result<(), Cause> {
        self.out.spend(amount).ok_or(Cause::Budget)
    }

    /// Stops the instruction at hand: it is not modeled.
    pub(crate) fn unmodeled<T>(&mut self, kind: ir::ReasonKind, detail: &str) -> Result<T, Stop> {
        Err(Stop::Unmodeled(self.out.reason(kind, detail)))
    }

    /// The type of an integer of pointer width.
    pub(crate) fn word(&self) -> Type {
        Type::Int(self.env.pointer_bits)
    }
}
