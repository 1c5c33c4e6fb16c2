//! Integer operations: exact results, exact or cautious undefined bits, violated promises told.
//!
//! Two implementations: [`fast`] for operands of at most 64 bits that are fully defined, nearly always the
//! case, and [`exact`] for all others. The tests compare the two with each other and with 128-bit arithmetic
//! at all small widths.
//!
//! Undefined bits: a result bit is defined only if it is the same for every choice of the undefined operand
//! bits. Bitwise operations, shifts by defined distances, extensions, `select` and byte swaps are exact in
//! this sense; sums, products, quotients and comparisons use the least and the greatest operands, which is
//! exact for carries and comparisons of intervals and may call a defined bit undefined otherwise (`x - x`
//! with `x` undefined).

mod exact;
mod fast;
mod shadow;
mod unary;

use ir::{ArithFlags, BinOp, CmpOp, Type};

use crate::report::EventKind;
use crate::value::{BlockRef, Value};
use crate::words::{Words, low_mask};

pub use unary::{funnel, unary};

/// The result of an operation.
#[derive(Clone, PartialEq, Debug)]
pub struct Computed {
    /// The value, wrapped where it does not fit.
    pub value: Value,
    /// The promise that was broken.
    pub violation: Option<EventKind>,
}

impl From<Value> for Computed {
    fn from(value: Value) -> Self {
        Self { value, violation: None }
    }
}

/// Why there is no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// Division by zero.
    DivByZero,
    /// Division by a number with undefined bits: whether it is zero is undefined, too.
    UndefinedDivisor,
}

/// `lhs op rhs` on integers of one width.
#[inline]
pub fn binary(op: BinOp, flags: ArithFlags, lhs: &Value, rhs: &Value) -> Result<Computed, Trouble> {
    let width = int_width(lhs.ty());
    if let (Some(a), Some(b)) = (lhs.as_narrow(), rhs.as_narrow())
        && a.undef | b.undef == 0
    {
        let (bits, violation) = fast::binary(op, flags, width, a.bits, b.bits)?;
        let ty = if op.is_overflow_test() { Type::BOOL } else { lhs.ty() };
        let prov = if a.prov.is_none() && b.prov.is_none() { None } else { prov_of(op, a.prov, b.prov) };
        return Ok(Computed { value: Value::narrow(ty, bits, 0, prov), violation });
    }
    exact::binary(op, flags, width, lhs, rhs)
}

/// `lhs op rhs` for integers and addresses; an `i1` that is undefined if undefined bits decide.
#[inline]
pub fn compare(op: CmpOp, lhs: &Value, rhs: &Value, pointer_bits: u32) -> Value {
    let width = crate::value::width_of(lhs.ty(), pointer_bits);
    let bits = match (lhs.as_narrow(), rhs.as_narrow()) {
        (Some(a), Some(b)) => {
            let result = fast::compare(op, width, a.bits, b.bits);
            if a.undef | b.undef == 0 {
                return Value::bool(result);
            }
            result
        }
        _ => false,
    };
    match shadow::compare(op, width, lhs, rhs) {
        Some(result) => Value::bool(result),
        // Undefined bits that were chosen lead somewhere, too.
        None => Value::narrow(Type::BOOL, bits.into(), 1, None),
    }
}

/// The low bits of an integer.
pub fn truncate(arg: &Value, width: u32) -> Value {
    let ty = Type::Int(width);
    if let Some(a) = arg.as_narrow() {
        let mask = low_mask(width);
        // A byte of an address still belongs to the block: that is how addresses are copied byte by byte.
        return Value::narrow(ty, a.bits & mask, a.undef & mask, a.prov);
    }
    resize(arg, ty, width)
}

/// An integer widened with zeros.
pub fn zero_extend(arg: &Value, width: u32) -> Value {
    let ty = Type::Int(width);
    match arg.as_narrow() {
        Some(a) if width <= 64 => Value::narrow(ty, a.bits, a.undef, a.prov),
        _ => resize(arg, ty, width),
    }
}

/// An integer widened with its sign; the new bits are as undefined as the sign is.
pub fn sign_extend(arg: &Value, width: u32) -> Value {
    let from = int_width(arg.ty());
    if let Some(a) = arg.as_narrow()
        && width <= 64
    {
        let mask = low_mask(width);
        let spread = |bits: u64| (((bits << (64 - from)) as i64) >> (64 - from)) as u64 & mask;
        return Value::narrow(Type::Int(width), spread(a.bits), spread(a.undef), a.prov);
    }
    let bits = arg.words().sign_extended(from, width);
    let undef = arg.undef_words().sign_extended(from, width);
    with_word_provs(Value::from_words(Type::Int(width), bits, undef), arg)
}

/// The same number as another type, cut or widened with zeros: between integers and addresses, too.
pub fn resize(arg: &Value, ty: Type, width: u32) -> Value {
    if let Some(a) = arg.as_narrow()
        && width <= 64
    {
        let mask = low_mask(width);
        return Value::narrow(ty, a.bits & mask, a.undef & mask, a.prov);
    }
    let value = Value::from_words(ty, arg.words().resized(width), arg.undef_words().resized(width));
    with_word_provs(value, arg)
}

/// `cond ? on_true : on_false`. With an undefined condition the bits in which the two differ are undefined.
pub fn select(cond: &Value, on_true: &Value, on_false: &Value) -> Value {
    let chosen = if cond.low() & 1 == 1 { on_true } else { on_false };
    if cond.is_defined() {
        return chosen.clone();
    }
    let differ = on_true.words().xor(&on_false.words());
    let undef = on_true.undef_words().or(&on_false.undef_words()).or(&differ);
    let value = Value::from_words(chosen.ty(), chosen.words(), undef);
    if on_true.prov() == on_false.prov() { with_word_provs(value, chosen) } else { value }
}

/// The width of an integer type.
#[inline]
pub(crate) fn int_width(ty: Type) -> u32 {
    match ty {
        Type::Int(width) => width,
        // Verified code has integers here; addresses are only met when operands are reinterpreted for old C.
        Type::Ptr => 64,
        Type::Float(kind) => kind.bits(),
    }
}

/// The provenance of a result: that of the only operand that has one, where the operation can keep an address.
fn prov_of(op: BinOp, lhs: Option<BlockRef>, rhs: Option<BlockRef>) -> Option<BlockRef> {
    match (op, lhs, rhs) {
        (BinOp::Add | BinOp::Or | BinOp::And | BinOp::Xor, Some(block), None) => Some(block),
        (BinOp::Add | BinOp::Or | BinOp::And | BinOp::Xor, None, Some(block)) => Some(block),
        (BinOp::Sub, Some(block), None) => Some(block),
        (BinOp::Or | BinOp::And | BinOp::UMin | BinOp::UMax, Some(a), Some(b)) if a == b => Some(a),
        _ => None,
    }
}

/// `value` with the provenance that `from` has in each word.
fn with_word_provs(value: Value, from: &Value) -> Value {
    match value.as_wide() {
        None => value.with_prov(from.prov()),
        Some(wide) => {
            let mut wide = wide.clone();
            for (word, prov) in wide.prov.iter_mut().enumerate() {
                *prov = from.prov_of_word(word);
            }
            Value::wide(value.ty(), wide)
        }
    }
}

/// The operand with all undefined bits zero, and with all of them one.
fn extremes(value: &Value) -> (Words, Words) {
    let (bits, undef) = (value.words(), value.undef_words());
    (bits.without(&undef), bits.or(&undef))
}

#[cfg(test)]
mod tests;
