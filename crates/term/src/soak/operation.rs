//! All operations: how to build each, and what it means.

use super::definition as define;
use crate::arena::{TermId, Terms};
use crate::value::{Width, mask};

/// What operands an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// One.
    One,
    /// Two of one width.
    Two,
    /// Two of any width.
    Pair,
    /// Two of one width, and the width of the result, which is at least 2.
    Compare,
    /// One, whose width is a multiple of 8.
    Bytes,
    /// Three of one width.
    Three,
    /// A condition and two of one width.
    Choice,
    /// One, and the width of the result, which is greater.
    Widen,
    /// One, the first bit, and the width of the result.
    Part,
}

/// An operation: its name and shape, how it is built, and its value for a width and values. `extra` is the first bit and width of
/// the result, for shapes that need it; `width` is that of the last operand.
#[derive(Clone, Copy)]
pub(super) struct Operation {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    pub(super) build: fn(&mut Terms, [TermId; 3], Extra) -> TermId,
    pub(super) value: fn(Width, [u128; 3], Extra) -> u128,
}

/// First bit, width of the result, and width of the first operand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extra {
    pub(super) low: u32,
    pub(super) width: Width,
}

macro_rules! operations {
    ($($shape:ident { $($name:ident [$w:ident $a:ident $b:ident $c:ident $extra:ident] = $value:expr;)* })*) => {
        &[$($(Operation {
            name: stringify!($name),
            shape: Shape::$shape,
            build: |terms, [a, b, c], extra| operations!(@build $shape terms $name a b c extra),
            #[allow(unused_variables, reason = "not every definition needs everything")]
            value: |$w, [$a, $b, $c], $extra| u128::from($value),
        },)*)*]
    };
    (@build One $terms:ident $name:ident $a:ident $b:ident $c:ident $extra:ident) => {{
        let _ = ($b, $c, $extra);
        $terms.$name($a)
    }};
    (@build Two $terms:ident $name:ident $a:ident $b:ident $c:ident $extra:ident) => {{
        let _ = ($c, $extra);
        $terms.$name($a, $b)
    }};
    (@build Pair $terms:ident $name:ident $a:ident $b:ident $c:ident $extra:ident) => {{
        let _ = ($c, $extra);
        $terms.$name($a, $b)
    }};
    (@build Compare $terms:ident $name:ident $a:ident $b:ident $c:ident $extra:ident) => {{
        let _ = $c;
        $terms.$name($a, $b, $extra.width)
    }};
    (@build Bytes $terms:ident $name:ident $a:ident $b:ident $c:ident $extra:ident) => {{
        let _ = ($b, $c, $extra);
        $terms.$name($a)
    }};
    (@build Three $terms:ident $name:ident $a:ident $b:ident $c:ident $extra:ident) => {{
        let _ = $extra;
        $terms.$name($a, $b, $c)
    }};
    (@build Choice $terms:ident $name:ident $a:ident $b:ident $c:ident $extra:ident) => {{
        let _ = $extra;
        $terms.$name($a, $b, $c)
    }};
    (@build Widen $terms:ident $name:ident $a:ident $b:ident $c:ident $extra:ident) => {{
        let _ = ($b, $c);
        $terms.$name($a, $extra.width)
    }};
    (@build Part $terms:ident $name:ident $a:ident $b:ident $c:ident $extra:ident) => {{
        let _ = ($b, $c);
        $terms.$name($a, $extra.low, $extra.width)
    }};
}

/// The table of all operations.
pub(super) const OPERATIONS: &[Operation] = operations! {
    One {
        not[w a b c extra] = define::not(w, a);
        neg[w a b c extra] = define::neg(w, a);
        popcount[w a b c extra] = (0..w).filter(|&i| define::bit(a, i)).count() as u128;
        leading_zeros[w a b c extra] = (0..w).rev().take_while(|&i| !define::bit(a, i)).count() as u128;
        trailing_zeros[w a b c extra] = (0..w).take_while(|&i| !define::bit(a, i)).count() as u128;
        abs[w a b c extra] = if define::is_negative(w, a) { define::neg(w, a) } else { a };
        bitreverse[w a b c extra] = define::from_bits(w, |i| define::bit(a, w - 1 - i));
        nonzero[w a b c extra] = a != 0;
        is_zero[w a b c extra] = a == 0;
        is_negative[w a b c extra] = define::is_negative(w, a);
    }
    Two {
        and[w a b c extra] = define::from_bits(w, |i| define::bit(a, i) && define::bit(b, i));
        or[w a b c extra] = define::from_bits(w, |i| define::bit(a, i) || define::bit(b, i));
        xor[w a b c extra] = define::from_bits(w, |i| define::bit(a, i) != define::bit(b, i));
        add[w a b c extra] = define::add(w, a, b);
        sub[w a b c extra] = define::add(w, a, define::neg(w, b));
        mul[w a b c extra] = define::mul(w, a, b);
        udiv[w a b c extra] = define::divide(w, a, b).0;
        urem[w a b c extra] = define::divide(w, a, b).1;
        sdiv[w a b c extra] = define::divide_signed(w, a, b).0;
        srem[w a b c extra] = define::divide_signed(w, a, b).1;
        shl[w a b c extra] = define::shl(w, a, b);
        lshr[w a b c extra] = define::shr(w, a, b, false);
        ashr[w a b c extra] = define::shr(w, a, b, define::is_negative(w, a));
        eq[w a b c extra] = a == b;
        ne[w a b c extra] = a != b;
        ult[w a b c extra] = define::less(w, a, b);
        ule[w a b c extra] = !define::less(w, b, a);
        ugt[w a b c extra] = define::less(w, b, a);
        uge[w a b c extra] = !define::less(w, a, b);
        slt[w a b c extra] = define::less_signed(w, a, b);
        sle[w a b c extra] = !define::less_signed(w, b, a);
        sgt[w a b c extra] = define::less_signed(w, b, a);
        sge[w a b c extra] = !define::less_signed(w, a, b);
        implies[w a b c extra] = define::from_bits(w, |i| !define::bit(a, i) || define::bit(b, i));
        iff[w a b c extra] = define::from_bits(w, |i| define::bit(a, i) == define::bit(b, i));
        umin[w a b c extra] = a.min(b);
        umax[w a b c extra] = a.max(b);
        smin[w a b c extra] = if define::number(w, a) < define::number(w, b) { a } else { b };
        smax[w a b c extra] = if define::number(w, a) < define::number(w, b) { b } else { a };
        rotl[w a b c extra] = funnel_left(w, a, a, b);
        rotr[w a b c extra] = funnel_right(w, a, a, b);
        uadd_overflow[w a b c extra] = !define::fits_unsigned(w, a.checked_add(b));
        sadd_overflow[w a b c extra] = !define::fits_signed(w, define::number(w, a).checked_add(define::number(w, b)));
        usub_overflow[w a b c extra] = a < b;
        ssub_overflow[w a b c extra] = !define::fits_signed(w, define::number(w, a).checked_sub(define::number(w, b)));
        umul_overflow[w a b c extra] = !define::fits_unsigned(w, a.checked_mul(b));
        smul_overflow[w a b c extra] = !define::fits_signed(w, define::number(w, a).checked_mul(define::number(w, b)));
        uadd_sat[w a b c extra] = a.saturating_add(b).min(mask(w));
        usub_sat[w a b c extra] = a.saturating_sub(b);
        sadd_sat[w a b c extra] = clamped(w, define::number(w, a).saturating_add(define::number(w, b)));
        ssub_sat[w a b c extra] = clamped(w, define::number(w, a).saturating_sub(define::number(w, b)));
        ushl_sat[w a b c extra] = shifted(w, a, b).filter(|it| *it <= mask(w)).unwrap_or(mask(w));
        sshl_sat[w a b c extra] = shifted_signed(w, a, b);
    }
    Pair {
        concat[w a b c extra] = a << w | b;
    }
    Compare {
        ucmp[w a b c extra] = three_way(extra.width, define::less(w, a, b), define::less(w, b, a));
        scmp[w a b c extra] = three_way(extra.width, define::less_signed(w, a, b), define::less_signed(w, b, a));
    }
    Bytes {
        bswap[w a b c extra] = define::from_bits(w, |i| define::bit(a, w - 8 - i / 8 * 8 + i % 8));
    }
    Three {
        fshl[w a b c extra] = funnel_left(w, a, b, c);
        fshr[w a b c extra] = funnel_right(w, a, b, c);
    }
    Choice {
        ite[w a b c extra] = if a == 1 { b } else { c };
    }
    Widen {
        zext[w a b c extra] = a;
        sext[w a b c extra] = define::from_bits(extra.width, |i| define::bit(a, i.min(w - 1)));
    }
    Part {
        extract[w a b c extra] = define::from_bits(extra.width, |i| define::bit(a, i + extra.low));
    }
};

fn funnel_left(w: Width, a: u128, b: u128, amount: u128) -> u128 {
    let amount = (amount % u128::from(w)) as u32;
    define::from_bits(w, |index| define::bit_of_both(w, a, b, index + w - amount))
}

fn funnel_right(w: Width, a: u128, b: u128, amount: u128) -> u128 {
    let amount = (amount % u128::from(w)) as u32;
    define::from_bits(w, |index| define::bit_of_both(w, a, b, index + amount))
}

fn three_way(w: Width, less: bool, greater: bool) -> u128 {
    if less { mask(w) } else { u128::from(greater) }
}

/// The nearest signed value.
fn clamped(w: Width, value: i128) -> u128 {
    let half = i128::MAX >> (128 - w);
    value.clamp(-half - 1, half) as u128 & mask(w)
}

/// The value times a power of two, if it is less than 2¹²⁸.
fn shifted(w: Width, a: u128, amount: u128) -> Option<u128> {
    match amount {
        _ if a == 0 => Some(0),
        _ if amount >= u128::from(w) || a.leading_zeros() < amount as u32 => None,
        _ => Some(a << amount),
    }
}

fn shifted_signed(w: Width, a: u128, amount: u128) -> u128 {
    let (value, negative) = (define::number(w, a), define::is_negative(w, a));
    let end = clamped(w, if negative { i128::MIN } else { i128::MAX });
    match shifted(w, value.unsigned_abs(), amount) {
        Some(size) if !negative && size <= i128::MAX as u128 => clamped(w, size as i128),
        Some(size) if negative && size <= i128::MAX as u128 + 1 => clamped(w, (size as i128).wrapping_neg()),
        _ => end,
    }
}

impl Operation {
    /// The width of the result for operands of that width; the other one for [`Shape::Pair`].
    pub(super) fn width(&self, w: Width, other: Width, extra: Extra) -> Width {
        match self.shape {
            Shape::Pair => w + other,
            Shape::Widen | Shape::Part | Shape::Compare => extra.width,
            _ if is_condition(self.name) => 1,
            _ => w,
        }
    }

    /// The value, for the width of the last operand.
    pub(super) fn value(&self, w: Width, values: [u128; 3], extra: Extra) -> u128 {
        (self.value)(w, values, extra)
    }
}

/// Whether the result has one bit whatever the operands have.
fn is_condition(name: &str) -> bool {
    name.ends_with("_overflow")
        || matches!(
            name,
            "nonzero"
                | "is_zero"
                | "is_negative"
                | "eq"
                | "ne"
                | "ult"
                | "ule"
                | "ugt"
                | "uge"
                | "slt"
                | "sle"
                | "sgt"
                | "sge"
        )
}
