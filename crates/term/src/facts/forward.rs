//! The range of an operation's result from the ranges of its operands; one rule per operation.
//!
//! Judgment: `a ∈ A, b ∈ B ⊢ a ∘ b ∈ R`.

use super::arith::widened;
use super::range::{RANGE_BITS, Range, bits, low_bits, sign};
use super::read::Reader;
use crate::arena::TermId;
use crate::node::{Binary, Extend, Node, Unary};
use crate::value::Width;

/// The range of a term of at most 64 bits that is no sum; `node` is its own.
pub(super) fn range(reader: Reader<'_>, term: TermId, node: Node, fuel: &mut u32) -> Range {
    let width = reader.terms.width(term);
    match node {
        Node::Unary(op, a) => counted(op, &reader.range_within(a, fuel)),
        Node::Binary(Binary::Eq | Binary::Ult | Binary::Slt, ..) => {
            reader.truth_within(term, fuel).map_or(Range::full(1), |truth| Range::of(1, truth.into()))
        }
        Node::Binary(op, a, b) => {
            let (first, second) = (reader.range_within(a, fuel), reader.range_within(b, fuel));
            binary(op, width, &first, &second)
        }
        Node::Extend(op, a) => extended(op, &reader.range_within(a, fuel), width),
        Node::Extract { from, low } => {
            if reader.is_wide(from) {
                Range::full(width)
            } else {
                extracted(&reader.range_within(from, fuel), low, width)
            }
        }
        Node::Ite(condition, a, b) => match reader.truth_within(condition, fuel) {
            Some(true) => reader.range_within(a, fuel),
            Some(false) => reader.range_within(b, fuel),
            None => reader.range_within(a, fuel).join(&reader.range_within(b, fuel)),
        },
        Node::Const(_) | Node::Var(_) => Range::full(width),
    }
}

// 0 ≤ count ≤ n; where n needs more bits than there are, the count wraps and nothing is known.
fn counted(op: Unary, a: &Range) -> Range {
    let width = a.width;
    let all = bits(width);
    if op == Unary::Not || u64::from(width) > all {
        return Range::full(width);
    }
    let unused = u64::BITS - width;
    let (least, most) = match op {
        Unary::Popcount => (a.ones.count_ones(), width - a.zeros.count_ones()),
        // The greatest number has the fewest zeros in front.
        Unary::LeadingZeros => (a.umax.leading_zeros() - unused, a.umin.leading_zeros() - unused),
        _ => ((!a.zeros).trailing_zeros().min(width), a.ones.trailing_zeros().min(width)),
    };
    Range::between(width, least.into(), most.into())
}

fn binary(op: Binary, width: Width, a: &Range, b: &Range) -> Range {
    match op {
        Binary::And => and(a, b),
        // a | b = !(!a & !b)
        Binary::Or => and(&a.not(), &b.not()).not(),
        Binary::Xor => {
            let known = (a.zeros | a.ones) & (b.zeros | b.ones);
            let value = a.ones ^ b.ones;
            Range::with_bits(width, known & !value, known & value)
        }
        Binary::Add => a.add(b),
        Binary::Mul => a.mul(b),
        Binary::Udiv => udiv(a, b),
        Binary::Urem => urem(a, b),
        Binary::Sdiv => sdiv(a, b),
        Binary::Srem => srem(a, b),
        Binary::Shl => shl(a, b),
        Binary::Lshr => lshr(a, b),
        Binary::Ashr => ashr(a, b),
        Binary::Concat => concat(a, b, width),
        Binary::Eq | Binary::Ult | Binary::Slt => Range::full(1),
    }
}

// a & b ≤ a, a & b ≤ b
fn and(a: &Range, b: &Range) -> Range {
    let width = a.width;
    let by_bits = Range::with_bits(width, a.zeros | b.zeros, a.ones & b.ones);
    by_bits.meet(&Range::between(width, 0, a.umax.min(b.umax))).unwrap_or(by_bits)
}

// amin / bmax ≤ a / b ≤ amax / bmin,  0 < b;    a / 0 has all bits set
fn udiv(a: &Range, b: &Range) -> Range {
    let quotient = match b.umax {
        0 => return Range::of(a.width, bits(a.width)),
        most => (a.umin / most, a.umax / b.umin.max(1)),
    };
    let most = if b.umin == 0 { bits(a.width) } else { quotient.1 };
    Range::between(a.width, quotient.0, most)
}

// a % b ≤ a;    a % b < b for 0 < b;    a % b = a for a < b or b = 0;    a % 2ᵏ are the low bits of a
fn urem(a: &Range, b: &Range) -> Range {
    if b.umax == 0 || a.umax < b.umin {
        return *a;
    }
    let most = if b.umin == 0 { a.umax } else { a.umax.min(b.umax - 1) };
    let bounded = Range::between(a.width, 0, most);
    match b.single() {
        Some(power) if power.is_power_of_two() => {
            let low = power - 1;
            let by_bits = Range::with_bits(a.width, a.zeros & low | !low, a.ones & low);
            by_bits.meet(&bounded).unwrap_or(bounded)
        }
        _ => bounded,
    }
}

// smin(a) / c ≤ a / c ≤ smax(a) / c for a constant 0 < c, since division toward zero keeps the order.
fn sdiv(a: &Range, b: &Range) -> Range {
    match b.single().map(|value| sign(a.width, value)) {
        Some(divisor) if divisor > 0 => Range::between_signed(a.width, a.smin / divisor, a.smax / divisor),
        _ => Range::full(a.width),
    }
}

// |a % c| < c and |a % c| ≤ |a| and the sign is that of a, for a constant 0 < c
fn srem(a: &Range, b: &Range) -> Range {
    match b.single().map(|value| sign(a.width, value)) {
        Some(divisor) if divisor > 0 => {
            let least = if a.smin >= 0 { 0 } else { a.smin.max(1 - divisor) };
            let most = if a.smax <= 0 { 0 } else { a.smax.min(divisor - 1) };
            Range::between_signed(a.width, least, most)
        }
        _ => Range::full(a.width),
    }
}

// a << k shifts in zeros; the numbers are multiplied by 2ᵏ if no bit is lost.
fn shl(a: &Range, b: &Range) -> Range {
    let width = a.width;
    let Some(shift) = b.single() else {
        // 2ᵐ divides a, and so a << b
        return Range::with_bits(width, low_bits((!a.zeros).trailing_zeros()), 0);
    };
    if shift >= u64::from(width) {
        return Range::of(width, 0);
    }
    let by_bits = Range::with_bits(width, a.zeros << shift | ((1 << shift) - 1), a.ones << shift);
    if a.umax <= bits(width) >> shift {
        by_bits.meet(&Range::between(width, a.umin << shift, a.umax << shift)).unwrap_or(by_bits)
    } else {
        by_bits
    }
}

// amin >> bmax ≤ a >> b ≤ amax >> bmin
fn lshr(a: &Range, b: &Range) -> Range {
    let width = a.width;
    let shifted = |value: u64, by: u64| if by >= u64::from(width) { 0 } else { value >> by };
    let bounded = Range::between(width, shifted(a.umin, b.umax), shifted(a.umax, b.umin));
    match b.single() {
        Some(shift) if shift < u64::from(width) => {
            let front = bits(width) & !(bits(width) >> shift);
            let by_bits = Range::with_bits(width, a.zeros >> shift | front, a.ones >> shift);
            by_bits.meet(&bounded).unwrap_or(bounded)
        }
        _ => bounded,
    }
}

// smin(a) >> k ≤ a >> k ≤ smax(a) >> k; of any shift: the result is between a and its sign.
fn ashr(a: &Range, b: &Range) -> Range {
    let width = a.width;
    match b.single() {
        Some(shift) => {
            let shift = shift.min(u64::from(width) - 1);
            Range::between_signed(width, a.smin >> shift, a.smax >> shift)
        }
        None => Range::between_signed(width, a.smin.min(0), a.smax.max(-1)),
    }
}

// (a in front of b) = a · 2ᵐ + b
fn concat(a: &Range, b: &Range, width: Width) -> Range {
    let shift = b.width;
    let by_bits = Range::with_bits(width, a.zeros << shift | b.zeros, a.ones << shift | b.ones);
    let bounded = Range::between(width, a.umin << shift | b.umin, a.umax << shift | b.umax);
    by_bits.meet(&bounded).unwrap_or(bounded)
}

/// The range of an extended value.
pub(super) fn extended(op: Extend, a: &Range, width: Width) -> Range {
    debug_assert!(width <= RANGE_BITS, "an extended range should be followed");
    match op {
        Extend::Zero => widened(a, width),
        Extend::Sign => {
            // Bits in front are known if the sign is; the interval says that, too.
            let low = bits(a.width) >> 1;
            let bounded = Range::between_signed(width, a.smin, a.smax);
            bounded.meet(&Range::with_bits(width, a.zeros & low, a.ones & low)).unwrap_or(bounded)
        }
    }
}

/// The range of `width` bits from `low` on.
pub(super) fn extracted(a: &Range, low: u32, width: Width) -> Range {
    let by_bits = Range::with_bits(width, a.zeros >> low, a.ones >> low);
    let (least, most) = (a.umin >> low, a.umax >> low);
    // a ∈ [l, h], l and h agree in all bits from n on  ⊢  the low n bits are in [low bits of l, low bits of h]
    let by_bounds = if least & !bits(width) == most & !bits(width) {
        Range::between(width, least & bits(width), most & bits(width))
    } else {
        Range::full(width)
    };
    // s(a) ∈ [l, h], both fit n bits in two's complement  ⊢  so does the extracted number, with the same value
    let full = Range::full(width);
    let by_sign = if low == 0 && full.smin <= a.smin && a.smax <= full.smax {
        Range::between_signed(width, a.smin, a.smax)
    } else {
        full
    };
    let bounded = by_bounds.meet(&by_sign).unwrap_or(by_bounds);
    by_bits.meet(&bounded).unwrap_or(by_bits)
}
