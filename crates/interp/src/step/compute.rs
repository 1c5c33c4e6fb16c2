//! Instructions that only compute.

use base::Id;
use ir::{ArithFlags, BinOp, CastOp, CmpOp, FloatKind, InstId, Operand, Type, UnOp, ValueId};

use super::Cx;
use crate::int::{Computed, Trouble};
use crate::machine::{Machine, OrStop};
use crate::memory::Memory;
use crate::report::{EventKind, Outcome};
use crate::value::{Value, width_of};
use crate::words::{Words, low_mask};
use crate::{float, int};

impl<'p> Machine<'p> {
    pub(super) fn assign(&mut self, cx: Cx<'p>, result: ValueId, value: Operand) {
        let content = self.get(cx, value).clone();
        self.set(cx, result, content);
    }

    pub(super) fn uninit(&mut self, cx: Cx<'p>, result: ValueId) {
        let content = self.unwritten(cx.body.values[result].ty);
        self.set(cx, result, content);
    }

    /// A value that nothing wrote.
    pub(crate) fn unwritten(&mut self, ty: Type) -> Value {
        let bits = self.memory.pointer_bits();
        let width = width_of(ty, bits);
        let (bytes, defined) = self.memory.leftover(width.div_ceil(64) as usize * 8);
        let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        let words: Vec<u64> = bytes.chunks(8).map(word).collect();
        let undef = if defined { Words::zero(width) } else { Words::ones(width) };
        let value = Value::from_words(Type::Int(width), Words::from_words(width, &words), undef);
        value.with_type(ty)
    }

    pub(super) fn nondet(&mut self, cx: Cx<'p>, inst: InstId) -> OrStop {
        self.note(EventKind::Nondet);
        for result in cx.body.results(inst) {
            let content = self.chosen(cx.body.values[result].ty)?;
            self.set(cx, result, content);
        }
        Ok(())
    }

    pub(super) fn unary(&mut self, cx: Cx<'p>, result: ValueId, op: UnOp, arg: Operand) -> OrStop {
        let arg = self.get(cx, arg);
        let content = match arg.ty() {
            Type::Float(kind) => {
                self.require_format(kind)?;
                float::unary(op, arg)
            }
            _ => int::unary(op, arg),
        };
        self.set(cx, result, content);
        Ok(())
    }

    #[inline]
    pub(super) fn binary(
        &mut self,
        cx: Cx<'p>,
        result: ValueId,
        (op, flags): (BinOp, ArithFlags),
        [lhs, rhs]: [Operand; 2],
    ) -> OrStop {
        let (a, b) = (self.get(cx, lhs), self.get(cx, rhs));
        if op.is_float() {
            self.require_format(float::kind_of(a.ty()))?;
            let content = float::binary(op, a, b);
            self.set(cx, result, content);
            return Ok(());
        }
        match int::binary(op, flags, a, b) {
            Ok(computed) => self.set_computed(cx, result, computed),
            Err(Trouble::DivByZero) => return Err(self.division_by_zero(cx, rhs)),
            Err(Trouble::UndefinedDivisor) if self.is_watched() => {
                return Err(self.uninit_use(cx, rhs, "as a divisor"));
            }
            // The chosen divisor leads somewhere; which result it is stays undefined.
            Err(Trouble::UndefinedDivisor) => match int::binary(op, flags, a, &b.frozen()) {
                Ok(Computed { value, violation }) => {
                    let undef = Words::ones(width_of(value.ty(), self.memory.pointer_bits()));
                    let value = Value::from_words(value.ty(), value.words(), undef);
                    self.set_computed(cx, result, Computed { value, violation });
                }
                Err(_) => return Err(self.division_by_zero(cx, rhs)),
            },
        }
        Ok(())
    }

    pub(super) fn funnel(
        &mut self,
        cx: Cx<'p>,
        result: ValueId,
        left: bool,
        [high, low, amount]: [Operand; 3],
    ) {
        let content = int::funnel(left, self.get(cx, high), self.get(cx, low), self.get(cx, amount));
        self.set(cx, result, content);
    }

    #[inline]
    pub(super) fn compare(
        &mut self,
        cx: Cx<'p>,
        result: ValueId,
        op: CmpOp,
        [lhs, rhs]: [Operand; 2],
    ) -> OrStop {
        let (a, b) = (self.get(cx, lhs), self.get(cx, rhs));
        let content = if op.is_float() {
            self.require_format(float::kind_of(a.ty()))?;
            float::compare(op, a, b)
        } else {
            int::compare(op, a, b, self.memory.pointer_bits())
        };
        self.set(cx, result, content);
        Ok(())
    }

    pub(super) fn cast(&mut self, cx: Cx<'p>, result: ValueId, op: CastOp, arg: Operand) -> OrStop {
        let ty = cx.body.values[result].ty;
        let arg = self.get(cx, arg);
        for ty in [arg.ty(), ty] {
            if let Type::Float(kind) = ty
                && op != CastOp::Bits
            {
                self.require_format(kind)?;
            }
        }
        let computed = convert(&self.memory, op, arg, ty);
        self.set_computed(cx, result, computed);
        Ok(())
    }

    pub(super) fn select(&mut self, cx: Cx<'p>, result: ValueId, [cond, on_true, on_false]: [Operand; 3]) {
        let content = int::select(self.get(cx, cond), self.get(cx, on_true), self.get(cx, on_false));
        self.set(cx, result, content);
    }

    pub(super) fn freeze(&mut self, cx: Cx<'p>, result: ValueId, arg: Operand) {
        let content = self.get(cx, arg).frozen();
        self.set(cx, result, content);
    }

    #[inline]
    pub(super) fn ptr_add(
        &mut self,
        cx: Cx<'p>,
        result: ValueId,
        [base, index]: [Operand; 2],
        scale: u64,
        inbounds: bool,
    ) {
        let bits = self.memory.pointer_bits();
        let (base, index) = (self.get(cx, base), self.get(cx, index));
        let Some(start) = base.as_narrow() else { unreachable!("invariant: pointers have at most 64 bits") };
        let steps = index.as_i64() as u64;
        let distance = steps.wrapping_mul(scale);
        let address = start.bits.wrapping_add(distance) & low_mask(bits);
        // Everything from the lowest undefined bit on may change with it.
        let index_undef = index.as_narrow().map_or(0, |index| index.undef);
        let undef = start.undef | index_undef.wrapping_mul(scale & scale.wrapping_neg());
        let undef = match undef {
            0 => 0,
            some => low_mask(bits) & u64::MAX << some.trailing_zeros(),
        };
        let leaves = inbounds && undef == 0 && self.leaves_object(start.prov, start.bits, address);
        self.set(cx, result, Value::narrow(Type::Ptr, address, undef, start.prov));
        if leaves {
            self.note(EventKind::PointerOverflow);
        }
    }

    pub(super) fn assume(&mut self, cx: Cx<'p>, cond: Operand) {
        let cond = self.get(cx, cond);
        if cond.low() & 1 == 0 || !cond.is_defined() {
            self.note(EventKind::AssumeViolated);
        }
    }

    /// Whether an address computed from one of a block lies outside of it. One past the end is inside, and so is anything
    /// computed from null (`offsetof` by hand).
    fn leaves_object(&self, block: Option<crate::value::BlockRef>, from: u64, to: u64) -> bool {
        let Some(block) = block else { return false };
        if from == to {
            return false;
        }
        let entry = self.memory.block(block);
        to.wrapping_sub(entry.address) > entry.size
    }

    #[inline]
    fn set_computed(&mut self, cx: Cx<'p>, result: ValueId, computed: Computed) {
        self.set(cx, result, computed.value);
        if let Some(violation) = computed.violation {
            self.note(violation);
        }
    }

    fn require_format(&self, kind: FloatKind) -> OrStop {
        if float::is_supported(kind) {
            return Ok(());
        }
        let what = "arithmetic on pairs of doubles".to_owned();
        Err(Outcome::Unsupported { what, place: self.place() }.into())
    }
}

/// `arg` converted to type `ty`.
fn convert(memory: &Memory, op: CastOp, arg: &Value, ty: Type) -> Computed {
    let width = width_of(ty, memory.pointer_bits());
    match op {
        CastOp::Trunc => int::truncate(arg, width).into(),
        CastOp::ZExt => int::zero_extend(arg, width).into(),
        CastOp::SExt => int::sign_extend(arg, width).into(),
        CastOp::FToU => float::to_int(arg, false, false, width),
        CastOp::FToS => float::to_int(arg, true, false, width),
        CastOp::FToUSat => float::to_int(arg, false, true, width),
        CastOp::FToSSat => float::to_int(arg, true, true, width),
        CastOp::UToF => float::from_int(arg, false, float::kind_of(ty)).into(),
        CastOp::SToF => float::from_int(arg, true, float::kind_of(ty)).into(),
        CastOp::FToF => float::resize(arg, float::kind_of(ty)).into(),
        CastOp::PtrToInt => int::resize(arg, ty, width).into(),
        CastOp::IntToPtr => pointer_from(memory, &int::resize(arg, ty, width)).into(),
        CastOp::Bits => arg.clone().with_type(ty).into(),
    }
}

/// A pointer from an integer: it belongs to the block that its number lies in. If there is none it keeps the block it was
/// computed from, whose bounds it has left.
fn pointer_from(memory: &Memory, pointer: &Value) -> Value {
    let address = pointer.low();
    if let Some(block) = pointer.prov() {
        let entry = memory.block(block);
        if address.wrapping_sub(entry.address) <= entry.size {
            return pointer.clone();
        }
    }
    let prov = memory.find_exact(address).or(pointer.prov());
    pointer.clone().with_prov(prov)
}

/// The value of another type with the same bits, as a call of a function with another signature passes it: what does not
/// exist on the caller's side is undefined.
pub(crate) fn reinterpret(value: &Value, ty: Type, pointer_bits: u32) -> Value {
    if value.ty() == ty {
        return value.clone();
    }
    let is_float = |ty: Type| matches!(ty, Type::Float(_));
    let (have, want) = (width_of(value.ty(), pointer_bits), width_of(ty, pointer_bits));
    if is_float(value.ty()) != is_float(ty) && have != want || is_float(ty) && is_float(value.ty()) {
        return Value::undefined(ty, pointer_bits);
    }
    let resized = int::resize(value, ty, want);
    if have >= want {
        return resized;
    }
    let missing = Words::ones(want).without(&Words::ones(have).resized(want));
    let undef = resized.undef_words().or(&missing);
    Value::from_words(ty, resized.words(), undef).with_prov(value.prov())
}

/// The first id of a list of results, for instructions that have some.
pub(crate) fn nth_result(first: ValueId, position: usize) -> ValueId {
    ValueId::new(first.index() + position)
}
