//! What became of LLVM's values: a table of lanes by value number.
//!
//! Arguments and results are entered when they are defined. Constants are translated on first use and kept,
//! unless they needed instructions: those belong to the place of the use.

use std::ops::Range;

use base::Id;
use bitcode::{Body, Def, InstId, Module, ValueId};
use ir::{BlockId, Const, Operand, SymbolRef};

use super::{Lanes, Translator};
use crate::env::Env;
use crate::error::{Cause, Stop};
use crate::flat::Shape;

/// Lanes of module-level values in the body at hand. Kept from body to body: clearing it would cost each small function a walk
/// over all globals.
pub(crate) struct ModuleCache {
    /// The body that an entry belongs to, and its lanes there.
    entries: Vec<(u32, Entry)>,
    body: u32,
}

impl ModuleCache {
    /// An empty cache.
    pub(crate) fn new(module: &Module) -> Self {
        Self { entries: vec![(0, Entry::NONE); module.values.len()], body: 0 }
    }
}

/// A range of the lane table.
#[derive(Clone, Copy)]
struct Entry {
    start: u32,
    len: u32,
    /// The block that defines it; the entry for constants, which may be used everywhere.
    block: BlockId,
}

impl Entry {
    const NONE: Entry = Entry { start: u32::MAX, len: 0, block: BlockId::FIRST };

    fn range(self) -> Option<Range<usize>> {
        let start = self.start as usize;
        (self.start != u32::MAX).then_some(start..start + self.len as usize)
    }
}

/// The table of one body.
pub(super) struct Values<'e> {
    cache: &'e mut ModuleCache,
    /// By number, counted from the first argument.
    local: Vec<Entry>,
    lanes: Vec<Operand>,
    /// The value numbers of instructions; `u32::MAX` for those without result.
    numbers: Vec<u32>,
}

impl<'e> Values<'e> {
    pub(super) fn new(env: &Env<'_>, body: &Body, cache: &'e mut ModuleCache) -> Self {
        cache.body += 1;
        let first = env.module.values.len() + body.arguments.len() + body.constants.len();
        let n_local = body.arguments.len() + body.constants.len() + body.results.len();
        let mut numbers = vec![u32::MAX; body.insts.len()];
        for (position, inst) in body.results.iter().enumerate() {
            if let Some(number) = numbers.get_mut(inst.index()) {
                *number = (first + position) as u32;
            }
        }
        Self { cache, local: vec![Entry::NONE; n_local], lanes: Vec::with_capacity(n_local), numbers }
    }

    /// The lanes of a value and the block that defines it.
    fn get(&self, value: ValueId) -> Option<(&[Operand], BlockId)> {
        let entry = match self.cache.entries.get(value.index()) {
            Some((body, entry)) if *body == self.cache.body => *entry,
            Some(_) => return None,
            None => *self.local.get(value.index() - self.cache.entries.len())?,
        };
        entry.range().map(|it| (&self.lanes[it], entry.block))
    }

    /// The lanes of a value, wherever it is defined.
    pub(super) fn known(&self, value: ValueId) -> Option<&[Operand]> {
        self.get(value).map(|(lanes, _)| lanes)
    }

    fn set(&mut self, value: ValueId, lanes: &[Operand], block: BlockId) {
        let entry = Entry { start: self.lanes.len() as u32, len: lanes.len() as u32, block };
        self.lanes.extend_from_slice(lanes);
        let n_module = self.cache.entries.len();
        match self.cache.entries.get_mut(value.index()) {
            Some(slot) => *slot = (self.cache.body, entry),
            None => {
                if let Some(slot) = self.local.get_mut(value.index() - n_module) {
                    *slot = entry;
                }
            }
        }
    }
}

impl<'e> Translator<'e, '_> {
    /// Enters the lanes of a value that `block` defines.
    pub(crate) fn define_value(&mut self, value: ValueId, lanes: &[Operand], block: BlockId) {
        self.values.set(value, lanes, block);
    }

    /// The value number of an instruction's result.
    pub(crate) fn number(&self, inst: InstId) -> Option<ValueId> {
        let number = *self.values.numbers.get(inst.index())?;
        (number != u32::MAX).then(|| ValueId::new(number as usize))
    }

    /// Enters the lanes of an instruction's result; they should be those of its type.
    pub(crate) fn define(&mut self, inst: InstId, lanes: &[Operand]) -> Result<(), Stop> {
        let Some(number) = self.number(inst) else { return Ok(()) };
        let types = self.env.shape(self.source.insts[inst].ty).lanes();
        if !self.have_types(lanes, types) {
            return Err(Stop::Operands);
        }
        self.values.set(number, lanes, self.block);
        Ok(())
    }

    /// Whether the lanes have the given types.
    pub(crate) fn have_types(&self, lanes: &[Operand], types: &[ir::Type]) -> bool {
        lanes.len() == types.len() && lanes.iter().zip(types).all(|(lane, ty)| self.ty(*lane) == *ty)
    }

    /// The lanes of a value that is defined here; those of a value that is not modeled stop the instruction.
    pub(crate) fn lanes(&mut self, value: ValueId) -> Result<Lanes, Stop> {
        if let Some((known, block)) = self.values.get(value)
            && !known.is_empty()
            && self.plan.dominates(block, self.block)
        {
            return Ok(known.into());
        }
        match self.env.value_shape(Some(self.source), value) {
            Shape::Unmodeled(why) => self.unmodeled(why.kind, &why.detail),
            Shape::Scalar(_) | Shape::Lanes(_) => self.lanes_or_none(value),
        }
    }

    /// The lanes of a value; none for what is not modeled.
    pub(crate) fn lanes_or_none(&mut self, value: ValueId) -> Result<Lanes, Stop> {
        if let Some((known, block)) = self.values.get(value) {
            if !self.plan.dominates(block, self.block) {
                return Err(Cause::NotYet(value).into());
            }
            return Ok(known.into());
        }
        let (env, source) = (self.env, self.source);
        if let Shape::Unmodeled(_) = env.value_shape(Some(source), value) {
            return Ok(Lanes::new());
        }
        let n_insts = self.body.insts.len();
        let lanes = match env.module.def(Some(source), value) {
            None => return Err(Cause::NoValue(value).into()),
            Some(Def::Constant(constant)) => self.constant(value, constant),
            Some(Def::Argument(_) | Def::Instruction(_)) => return Err(Cause::NotYet(value).into()),
            Some(Def::Global(_) | Def::Function(_) | Def::Alias(_) | Def::Ifunc(_)) => self.symbol(value),
        };
        let lanes = match lanes {
            // A constant that is not modeled is any value, here.
            Err(Stop::Unmodeled(reason)) => self.nondet(reason, env.value_shape(Some(source), value).lanes()),
            other => other?,
        };
        if self.body.insts.len() == n_insts {
            self.values.set(value, &lanes, BlockId::FIRST);
        }
        Ok(lanes)
    }

    /// The only lane of a value.
    pub(crate) fn scalar(&mut self, value: ValueId) -> Result<Operand, Stop> {
        match *self.lanes(value)? {
            [lane] => Ok(lane),
            _ => Err(Stop::Operands),
        }
    }

    /// The only lane of a pointer value.
    pub(crate) fn pointer(&mut self, value: ValueId) -> Result<Operand, Stop> {
        let lane = self.scalar(value)?;
        if self.ty(lane) == ir::Type::Ptr { Ok(lane) } else { Err(Stop::Operands) }
    }

    /// The address of a global, function, alias or ifunc.
    fn symbol(&mut self, value: ValueId) -> Result<Lanes, Stop> {
        let address = self.env.symbols.addresses.get(value.index()).copied().flatten();
        let lane = match address {
            Some((SymbolRef::Global(global), offset)) => {
                self.constant_operand(Const::Global { global, offset })
            }
            Some((SymbolRef::Func(func), offset)) => {
                let func = self.constant_operand(Const::Func(func));
                self.offset(func, offset, false)
            }
            // The address of an intrinsic or of one of LLVM's own globals cannot be taken.
            Some((SymbolRef::Block(..), _)) | None => {
                return self.unmodeled(ir::ReasonKind::Constant, "symbol");
            }
        };
        Ok(Lanes::from_slice(&[lane]))
    }
}
