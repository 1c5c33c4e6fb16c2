//! Constants that are addresses, as initializers and aliases need them:
//! `address(plus) - address(minus) + addend`.
//!
//! Judgment: `word(c) = (plus, minus, addend)`. LLVM folds every constant expression that has no address in
//! it, so what is left are the few operations that linkers can do.

use base::limits;
use bitcode::{BinaryOp, CastOp, Constant, ConstantKind, Def, FunctionId, GlobalValue, ValueId};
use ir::{BlockId, FuncId, SymbolRef};
use rustc_hash::FxHashMap;

use crate::env::Env;
use crate::path::constant_bytes;

/// Where the labels of functions are whose address is taken, by their numbers in LLVM.
pub(crate) type Labels = FxHashMap<FuncId, Vec<Option<BlockId>>>;

/// A constant of at most 64 bits: a sum of addresses and a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Word {
    /// The address that is added.
    pub plus: Option<SymbolRef>,
    /// The address that is subtracted.
    pub minus: Option<SymbolRef>,
    /// The number, modulo 2^64.
    pub addend: i64,
}

impl Word {
    fn number(addend: i64) -> Self {
        Self { addend, ..Self::default() }
    }

    fn add(self, other: Self) -> Option<Self> {
        let sum = Self {
            plus: one_of(self.plus, other.plus)?,
            minus: one_of(self.minus, other.minus)?,
            addend: self.addend.wrapping_add(other.addend),
        };
        Some(if sum.plus == sum.minus { Self::number(sum.addend) } else { sum })
    }

    fn negated(self) -> Self {
        Self { plus: self.minus, minus: self.plus, addend: self.addend.wrapping_neg() }
    }
}

/// The one of two that is there; none if both are.
fn one_of(a: Option<SymbolRef>, b: Option<SymbolRef>) -> Option<Option<SymbolRef>> {
    if a.is_some() && b.is_some() { None } else { Some(a.or(b)) }
}

/// The word of a module-level constant; none if it is not such a sum.
pub(crate) fn word(env: &Env<'_>, labels: &Labels, value: ValueId) -> Option<Word> {
    Evaluator { env, labels, steps: limits::LOWER_EXPRESSION }.value(value)
}

/// The symbol and offset of a module-level constant; none if it is not an address.
pub(crate) fn symbol(env: &Env<'_>, value: ValueId) -> Option<(SymbolRef, i64)> {
    match word(env, &Labels::default(), value)? {
        Word { plus: Some(plus), minus: None, addend } => Some((plus, addend)),
        _ => None,
    }
}

struct Evaluator<'a, 'm> {
    env: &'a Env<'m>,
    labels: &'a Labels,
    steps: u32,
}

impl Evaluator<'_, '_> {
    fn value(&mut self, value: ValueId) -> Option<Word> {
        self.steps = self.steps.checked_sub(1)?;
        if let Some((symbol, addend)) = *self.env.symbols.addresses.get(base::Id::index(value))? {
            return Some(Word { plus: Some(symbol), minus: None, addend });
        }
        match self.env.module.values.get(value)? {
            GlobalValue::Alias(id) => self.value(self.env.module.aliases.get(*id)?.target),
            GlobalValue::Constant(_) => match self.env.module.def(None, value)? {
                Def::Constant(constant) => self.constant(constant),
                _ => None,
            },
            _ => None,
        }
    }

    fn constant(&mut self, constant: &Constant) -> Option<Word> {
        match &constant.kind {
            // The bits of undef are ours to choose.
            ConstantKind::Null | ConstantKind::Undef | ConstantKind::Poison => Some(Word::default()),
            ConstantKind::Integer(number) => Some(Word::number(*number)),
            ConstantKind::Cast { op, arg, .. } => self.cast(*op, *arg),
            ConstantKind::Gep { source, base, indices, .. } => {
                let bytes = constant_bytes(self.env, *source, indices)?;
                self.value(*base)?.add(Word::number(bytes))
            }
            ConstantKind::Binary { op: BinaryOp::Add, lhs, rhs, .. } => {
                self.value(*lhs)?.add(self.value(*rhs)?)
            }
            ConstantKind::Binary { op: BinaryOp::Sub, lhs, rhs, .. } => {
                self.value(*lhs)?.add(self.value(*rhs)?.negated())
            }
            ConstantKind::BlockAddress { function, block } => self.label(*function, *block),
            ConstantKind::DsoLocalEquivalent(target) | ConstantKind::NoCfi(target) => self.value(*target),
            ConstantKind::PtrAuth(parts) => self.value(*parts.first()?),
            _ => None,
        }
    }

    /// Conversions that only cut bits pass: whoever stores the word cuts it to its own width.
    fn cast(&mut self, op: CastOp, arg: ValueId) -> Option<Word> {
        let word = self.value(arg)?;
        let cuts = matches!(
            op,
            CastOp::Trunc
                | CastOp::PtrToInt
                | CastOp::PtrToAddr
                | CastOp::IntToPtr
                | CastOp::BitCast
                | CastOp::AddrSpaceCast
        );
        cuts.then_some(word)
    }

    fn label(&mut self, function: ValueId, block: bitcode::BlockId) -> Option<Word> {
        let function = self.function(function)?;
        let func = self.env.symbols.function(function)?;
        let block = self.labels.get(&func)?.get(base::Id::index(block))?;
        // A label that nothing jumps to was removed; LLVM gives it the address 1, too.
        Some(block.map_or(Word::number(1), |block| Word {
            plus: Some(SymbolRef::Block(func, block)),
            ..Word::default()
        }))
    }

    fn function(&self, value: ValueId) -> Option<FunctionId> {
        match self.env.module.values.get(value)? {
            GlobalValue::Function(id) => Some(*id),
            _ => None,
        }
    }
}
