//! Integer operations with one operand, and funnel shifts.

use ir::{Type, UnOp};

use super::int_width;
use crate::value::Value;
use crate::words::{Words, low_mask};

/// `op arg` on an integer.
pub fn unary(op: UnOp, arg: &Value) -> Value {
    let width = int_width(arg.ty());
    match op {
        UnOp::ByteSwap if width <= 64 => mapped(arg, |bits| bits.swap_bytes() >> (64 - width)),
        UnOp::BitReverse if width <= 64 => mapped(arg, |bits| bits.reverse_bits() >> (64 - width)),
        UnOp::ByteSwap => permuted(arg, width, |bit| width - 8 - bit / 8 * 8 + bit % 8),
        UnOp::BitReverse => permuted(arg, width, |bit| width - 1 - bit),
        UnOp::PopCount => {
            let count = u128::from(arg.words().count_ones());
            counted(arg, width, count, arg.is_defined())
        }
        UnOp::LeadingZeros => {
            // Decided if the highest bit that may be one is one for sure.
            let highest = arg.words().or(&arg.undef_words()).bit_length();
            let decided = highest == 0 || !arg.undef_words().bit(highest - 1);
            counted(arg, width, u128::from(width - arg.words().bit_length()), decided)
        }
        UnOp::TrailingZeros => {
            let lowest = arg.words().or(&arg.undef_words()).lowest_one();
            let decided = lowest.is_none_or(|bit| !arg.undef_words().bit(bit));
            counted(arg, width, arg.words().lowest_one().unwrap_or(width).into(), decided)
        }
        UnOp::Abs => absolute(arg, width),
        _ => unreachable!("invariant: float operations are not sent here"),
    }
}

/// The upper half of `high:low << amount`, or the lower half of `high:low >> amount`, with the distance modulo the width.
pub fn funnel(left: bool, high: &Value, low: &Value, amount: &Value) -> Value {
    let width = int_width(high.ty());
    if !amount.is_defined() {
        return Value::from_words(high.ty(), Words::zero(width), Words::ones(width));
    }
    let amount = super::exact::amount(&amount.words(), width);
    if let (Some(high), Some(low)) = (high.as_narrow(), low.as_narrow()) {
        let shift = |high: u64, low: u64| -> u64 {
            let joined = u128::from(high) << width | u128::from(low);
            let shifted = if left { joined << amount >> width } else { joined >> amount };
            shifted as u64 & low_mask(width)
        };
        return Value::narrow(
            Type::Int(width),
            shift(high.bits, low.bits),
            shift(high.undef, low.undef),
            None,
        );
    }
    let shift = |high: &Words, low: &Words| -> Words {
        let double = 2 * width;
        let joined = high.resized(double).shl(width, double).or(&low.resized(double));
        let shifted = if left { joined.shl(amount, double).lshr(width) } else { joined.lshr(amount) };
        shifted.resized(width)
    };
    let bits = shift(&high.words(), &low.words());
    Value::from_words(high.ty(), bits, shift(&high.undef_words(), &low.undef_words()))
}

/// The value with bits and mask moved alike, for at most 64 bits.
fn mapped(arg: &Value, f: impl Fn(u64) -> u64) -> Value {
    Value::narrow(arg.ty(), f(arg.low()), f(arg.undef_words().low()), None)
}

/// The value with bit `i` of the result taken from bit `source(i)`.
fn permuted(arg: &Value, width: u32, source: impl Fn(u32) -> u32) -> Value {
    let move_bits = |from: &Words| -> Words {
        let mut words = vec![0u64; from.as_slice().len()];
        for bit in (0..width).filter(|&bit| from.bit(source(bit))) {
            words[(bit / 64) as usize] |= 1 << (bit % 64);
        }
        Words::from_words(width, &words)
    };
    Value::from_words(arg.ty(), move_bits(&arg.words()), move_bits(&arg.undef_words()))
}

/// A count of bits: at most `width`, so its high bits are defined in any case.
fn counted(arg: &Value, width: u32, count: u128, decided: bool) -> Value {
    let largest = Words::from_u64(width, width.into()).bit_length();
    let undef = if decided { Words::zero(width) } else { Words::ones(largest).resized(width) };
    Value::from_words(arg.ty(), Words::from_u128(width, count), undef)
}

/// The least number stays itself.
fn absolute(arg: &Value, width: u32) -> Value {
    let (bits, undef) = (arg.words(), arg.undef_words());
    let negative = bits.bit(width - 1);
    let result = if negative { bits.neg(width) } else { bits };
    let mask = match undef.lowest_one() {
        None => undef,
        Some(_) if !negative && !undef.bit(width - 1) => undef,
        Some(lowest) => Words::ones(width).shl(lowest, width),
    };
    Value::from_words(arg.ty(), result, mask)
}
