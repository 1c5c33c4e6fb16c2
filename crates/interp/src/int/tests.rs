//! Integer semantics, exhaustively at small widths.

use ir::{ArithFlags, BinOp, CmpOp, Type, UnOp};

use super::{
    Computed, Trouble, binary, compare, exact, fast, funnel, select, shadow, sign_extend, truncate, unary,
};
use crate::report::EventKind;
use crate::value::Value;
use crate::words::low_mask;

const INT_OPS: [BinOp; 29] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::UDiv,
    BinOp::SDiv,
    BinOp::URem,
    BinOp::SRem,
    BinOp::Shl,
    BinOp::LShr,
    BinOp::AShr,
    BinOp::And,
    BinOp::Or,
    BinOp::Xor,
    BinOp::UMin,
    BinOp::UMax,
    BinOp::SMin,
    BinOp::SMax,
    BinOp::UAddSat,
    BinOp::SAddSat,
    BinOp::USubSat,
    BinOp::SSubSat,
    BinOp::UShlSat,
    BinOp::SShlSat,
    BinOp::UAddOverflows,
    BinOp::SAddOverflows,
    BinOp::USubOverflows,
    BinOp::SSubOverflows,
    BinOp::UMulOverflows,
    BinOp::SMulOverflows,
];

const CMP_OPS: [CmpOp; 10] = [
    CmpOp::Eq,
    CmpOp::Ne,
    CmpOp::Ult,
    CmpOp::Ule,
    CmpOp::Ugt,
    CmpOp::Uge,
    CmpOp::Slt,
    CmpOp::Sle,
    CmpOp::Sgt,
    CmpOp::Sge,
];

const ALL_FLAGS: ArithFlags = ArithFlags { nuw: true, nsw: true, exact: true };

fn signed(bits: i128, width: u32) -> i128 {
    if bits >> (width - 1) & 1 == 1 { bits - (1 << width) } else { bits }
}

/// What the operation means, in unbounded arithmetic: the exact result, and whether it was meant as a signed one.
fn meaning(op: BinOp, width: u32, a: i128, b: i128) -> Option<i128> {
    let (x, y) = (signed(a, width), signed(b, width));
    let modulus = 1i128 << width;
    let (least, greatest) = (-(modulus / 2), modulus / 2 - 1);
    let fits = |n: i128| i128::from(!(least..=greatest).contains(&n));
    let fits_unsigned = |n: i128| i128::from(!(0..modulus).contains(&n));
    let amount = b % i128::from(width);
    Some(match op {
        BinOp::Add => a + b,
        BinOp::Sub => a - b,
        BinOp::Mul => a * b,
        BinOp::UDiv => a.checked_div(b)?,
        BinOp::URem => a.checked_rem(b)?,
        BinOp::SDiv => x.checked_div(y)?,
        BinOp::SRem => x.checked_rem(y)?,
        BinOp::Shl => a << amount,
        BinOp::LShr => a >> amount,
        BinOp::AShr => x >> amount,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::UMin => a.min(b),
        BinOp::UMax => a.max(b),
        BinOp::SMin => x.min(y),
        BinOp::SMax => x.max(y),
        BinOp::UAddSat => (a + b).min(modulus - 1),
        BinOp::SAddSat => (x + y).clamp(least, greatest),
        BinOp::USubSat => (a - b).max(0),
        BinOp::SSubSat => (x - y).clamp(least, greatest),
        BinOp::UShlSat => (a << amount).min(modulus - 1),
        BinOp::SShlSat => (x << amount).clamp(least, greatest),
        BinOp::UAddOverflows => fits_unsigned(a + b),
        BinOp::SAddOverflows => fits(x + y),
        BinOp::USubOverflows => fits_unsigned(a - b),
        BinOp::SSubOverflows => fits(x - y),
        BinOp::UMulOverflows => fits_unsigned(a * b),
        BinOp::SMulOverflows => fits(x * y),
        _ => unreachable!("only integer operations are listed"),
    })
}

fn pairs(width: u32) -> impl Iterator<Item = (u64, u64)> {
    (0..1u64 << width).flat_map(move |a| (0..1u64 << width).map(move |b| (a, b)))
}

#[test]
fn results_are_those_of_unbounded_arithmetic_cut_to_the_width() {
    for width in 1..=6 {
        for op in INT_OPS {
            for (a, b) in pairs(width) {
                let expected = meaning(op, width, a.into(), b.into()).map(|n| n as u64 & low_mask(width));
                let result = fast::binary(op, ArithFlags::default(), width, a, b);
                assert_eq!(result.ok().map(|it| it.0), expected, "{op:?} i{width} {a} {b}");
            }
        }
    }
}

#[test]
fn the_general_implementation_agrees_with_the_fast_one() {
    for width in 1..=5 {
        for op in INT_OPS {
            for (a, b) in pairs(width) {
                let (x, y) = (Value::int(width, a.into()), Value::int(width, b.into()));
                assert_eq!(
                    exact::binary(op, ALL_FLAGS, width, &x, &y),
                    binary(op, ALL_FLAGS, &x, &y),
                    "{op:?} i{width} {a} {b}"
                );
            }
        }
        for op in CMP_OPS {
            for (a, b) in pairs(width) {
                let (x, y) = (Value::int(width, a.into()), Value::int(width, b.into()));
                let general = shadow::compare(op, width, &x, &y);
                assert_eq!(general, Some(fast::compare(op, width, a, b)), "{op:?} i{width} {a} {b}");
            }
        }
    }
}

#[test]
fn broken_promises_are_told() {
    let only = |nsw, nuw, exact| ArithFlags { nuw, nsw, exact };
    for width in 1..=5 {
        for op in [BinOp::Add, BinOp::Sub, BinOp::Mul] {
            for (a, b) in pairs(width) {
                let [x, y] = [a, b].map(|bits| signed(bits.into(), width));
                let exact = |p: i128, q: i128| match op {
                    BinOp::Add => p + q,
                    BinOp::Sub => p - q,
                    _ => p * q,
                };
                let half = 1i128 << (width - 1);
                let signed_bad = !(-half..half).contains(&exact(x, y));
                let unsigned_bad = !(0..2 * half).contains(&exact(a.into(), b.into()));
                let told = |flags| fast::binary(op, flags, width, a, b).unwrap().1.is_some();
                assert_eq!(told(only(true, false, false)), signed_bad, "{op:?} nsw i{width} {a} {b}");
                assert_eq!(told(only(false, true, false)), unsigned_bad, "{op:?} nuw i{width} {a} {b}");
            }
        }
    }
    let least = fast::binary(BinOp::SDiv, ArithFlags::default(), 32, 1 << 31, u32::MAX.into());
    assert_eq!(least, Ok((1 << 31, Some(EventKind::DivisionOverflow))));
    let shift = fast::binary(BinOp::Shl, ArithFlags::default(), 32, 1, 33);
    assert_eq!(shift, Ok((2, Some(EventKind::OversizedShift))));
}

/// All pairs of bits and mask, with the bits under the mask zero.
fn masked(width: u32) -> Vec<Value> {
    pairs(width)
        .filter(|(bits, undef)| bits & undef == 0)
        .map(|(bits, undef)| Value::narrow(Type::Int(width), bits, undef, None))
        .collect()
}

/// All numbers that a value with undefined bits may be.
fn choices(value: &Value) -> Vec<u64> {
    let narrow = value.as_narrow().unwrap();
    let mut picks = Vec::new();
    let mut pick = narrow.undef;
    loop {
        picks.push(narrow.bits | pick);
        if pick == 0 {
            return picks;
        }
        pick = (pick - 1) & narrow.undef;
    }
}

/// The bits in which the results of all choices differ; none if some choice divides by zero.
fn varying(op: BinOp, width: u32, lhs: &Value, rhs: &Value) -> Option<u64> {
    let mut all_ones = u64::MAX;
    let mut any_ones = 0;
    for a in choices(lhs) {
        for b in choices(rhs) {
            let bits = fast::binary(op, ArithFlags::default(), width, a, b).ok()?.0;
            all_ones &= bits;
            any_ones |= bits;
        }
    }
    Some(any_ones & !all_ones)
}

#[test]
fn bits_called_defined_do_not_depend_on_undefined_ones() {
    let width = 3;
    let exact_ops = [BinOp::And, BinOp::Or, BinOp::Xor];
    for op in INT_OPS {
        for lhs in masked(width) {
            for rhs in masked(width) {
                let (Ok(result), Some(varying)) =
                    (binary(op, ArithFlags::default(), &lhs, &rhs), varying(op, width, &lhs, &rhs))
                else {
                    continue;
                };
                let undef = result.value.as_narrow().unwrap().undef;
                assert_eq!(varying & !undef, 0, "{op:?} {lhs:?} {rhs:?}");
                let is_shift = matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr);
                if exact_ops.contains(&op) || is_shift && rhs.is_defined() {
                    assert_eq!(undef, varying, "{op:?} {lhs:?} {rhs:?} should be exact");
                }
            }
        }
    }
}

#[test]
fn comparisons_are_defined_exactly_when_all_choices_agree() {
    let width = 3;
    for op in CMP_OPS {
        for lhs in masked(width) {
            for rhs in masked(width) {
                let mut seen = [false; 2];
                for a in choices(&lhs) {
                    for b in choices(&rhs) {
                        seen[usize::from(fast::compare(op, width, a, b))] = true;
                    }
                }
                let result = compare(op, &lhs, &rhs, 64);
                assert_eq!(result.is_defined(), seen != [true, true], "{op:?} {lhs:?} {rhs:?}");
                if result.is_defined() {
                    assert!(seen[result.low() as usize]);
                }
            }
        }
    }
}

#[test]
fn sums_of_bit_fields_lose_nothing() {
    // `x.low = 5` on an uninitialized i8 with a field of three bits: (x & ~7) | 5.
    let raw = Value::undefined(Type::Int(8), 64);
    let cleared = binary(BinOp::And, ArithFlags::default(), &raw, &Value::int(8, 0xf8)).unwrap().value;
    let stored = binary(BinOp::Or, ArithFlags::default(), &cleared, &Value::int(8, 5)).unwrap().value;
    assert_eq!(stored.as_narrow().unwrap().undef, 0xf8);
    let read = binary(BinOp::And, ArithFlags::default(), &stored, &Value::int(8, 7)).unwrap().value;
    assert_eq!(read, Value::int(8, 5));
}

#[test]
fn wide_integers_work_like_narrow_ones() {
    let big = Value::int(128, u128::MAX);
    let sum = binary(BinOp::Add, ALL_FLAGS, &big, &Value::int(128, 1)).unwrap();
    assert_eq!(sum, Computed { value: Value::int(128, 0), violation: Some(EventKind::UnsignedOverflow) });
    let quotient =
        binary(BinOp::SDiv, ArithFlags::default(), &Value::signed(200, -7), &Value::signed(200, 2));
    assert_eq!(quotient.unwrap().value, Value::signed(200, -3));
    let zero = binary(BinOp::URem, ArithFlags::default(), &Value::int(200, 1), &Value::int(200, 0));
    assert_eq!(zero, Err(Trouble::DivByZero));
}

#[test]
fn a_divisor_with_undefined_bits_is_trouble() {
    let divisor = Value::narrow(Type::Int(32), 4, 1, None);
    let result = binary(BinOp::SDiv, ArithFlags::default(), &Value::int(32, 8), &divisor);
    assert_eq!(result, Err(Trouble::UndefinedDivisor));
}

#[test]
fn counting_and_swapping() {
    let value = Value::int(32, 0x0102_0300);
    assert_eq!(unary(UnOp::ByteSwap, &value), Value::int(32, 0x0003_0201));
    assert_eq!(unary(UnOp::LeadingZeros, &value), Value::int(32, 7));
    assert_eq!(unary(UnOp::TrailingZeros, &value), Value::int(32, 8));
    assert_eq!(unary(UnOp::PopCount, &value), Value::int(32, 4));
    assert_eq!(unary(UnOp::BitReverse, &Value::int(8, 0b0000_0111)), Value::int(8, 0b1110_0000));
    assert_eq!(unary(UnOp::LeadingZeros, &Value::int(128, 0)), Value::int(128, 128));
    assert_eq!(unary(UnOp::Abs, &Value::signed(16, -300)), Value::int(16, 300));
    assert_eq!(unary(UnOp::ByteSwap, &Value::int(128, 1)), Value::int(128, 1 << 120));
    // The highest one is known, whatever the bits below.
    let partly = Value::narrow(Type::Int(8), 0x40, 0x0f, None);
    assert_eq!(unary(UnOp::LeadingZeros, &partly), Value::int(8, 1));
    assert!(!unary(UnOp::TrailingZeros, &partly).is_defined());
}

#[test]
fn funnel_shifts_join_two_words() {
    for width in [8, 64, 100] {
        let (high, low) = (Value::int(width, 0x12), Value::int(width, 1 << (width - 4)));
        let left = funnel(true, &high, &low, &Value::int(width, 4));
        assert_eq!(left, Value::int(width, if width == 8 { 0x21 } else { 0x121 }));
        let right = funnel(false, &high, &low, &Value::int(width, u128::from(width) + 4));
        assert_eq!(right.low128(), 2u128 << (width - 4) | 1u128 << (width - 8));
    }
}

#[test]
fn undefined_selections_keep_common_bits() {
    let cond = Value::undefined(Type::BOOL, 64);
    let value = select(&cond, &Value::int(8, 0b1100), &Value::int(8, 0b1010));
    assert_eq!(value.as_narrow().unwrap().undef, 0b0110);
    let chosen = select(&Value::bool(false), &Value::int(8, 1), &Value::int(8, 2));
    assert_eq!(chosen, Value::int(8, 2));
}

#[test]
fn extensions_spread_the_sign_and_its_mask() {
    let value = Value::narrow(Type::Int(4), 0b0001, 0b1000, None);
    let wide = sign_extend(&value, 8).as_narrow().unwrap();
    assert_eq!((wide.bits, wide.undef), (1, 0xf8));
    assert_eq!(sign_extend(&Value::signed(8, -2), 128), Value::signed(128, -2));
    assert_eq!(truncate(&Value::signed(128, -2), 70), Value::signed(70, -2));
}
