//! What C expression a term is.

use super::expression::{Expression, Operator};
use super::name::name;
use super::sum::sum;
use crate::arena::{TermId, Terms};
use crate::node::{Binary, Extend, Node, Unary};
use crate::value::{Width, mask, signed};

/// The term as an expression that says its own width.
pub(super) fn alone(terms: &Terms, term: TermId) -> Expression {
    match terms.value(term) {
        Some(_) if terms.width(term) > 1 => cast("uint", terms.width(term), Expression::Term(term)),
        _ => view(terms, term),
    }
}

/// The term as an expression.
pub(super) fn view(terms: &Terms, term: TermId) -> Expression {
    let width = terms.width(term);
    match terms.node(term) {
        Node::Const(value) if width == 1 => {
            Expression::Text(if value == 1 { "true" } else { "false" }.to_owned())
        }
        Node::Const(value) => natural(value, width),
        Node::Var(var) => Expression::Text(name(terms, var)),
        Node::Unary(Unary::Not, inner) if width == 1 => negated(terms, inner),
        Node::Unary(op, inner) => unary(terms, op, inner),
        Node::Binary(op, a, b) => binary(terms, term, op, a, b),
        Node::Extend(op, inner) => extended(terms, op, inner, width),
        // (x & 4) != 0
        Node::Extract { from, low } if width == 1 => bit_test(from, low, Operator::NotEqual),
        Node::Extract { from, low } => cast("uint", width, shifted(from, low)),
        Node::Ite(condition, a, b) => {
            let known = terms.value(a).is_some() && terms.value(b).is_some();
            let first = if known { alone(terms, a) } else { Expression::Term(a) };
            let condition = Expression::Term(condition);
            Expression::Ternary(Box::new(condition), Box::new(first), Box::new(Expression::Term(b)))
        }
    }
}

/// The negation of a condition.
fn negated(terms: &Terms, term: TermId) -> Expression {
    match terms.node(term) {
        // !(a == b)  is  a != b
        Node::Binary(Binary::Eq, a, b) => equality(terms, Operator::NotEqual, a, b),
        // !(a != b)  is  a == b  for conditions
        Node::Binary(Binary::Xor, a, b) => infix(Operator::Equal, a, b),
        // !(a < b)  is  a >= b
        Node::Binary(Binary::Ult, a, b) => unsigned(terms, Operator::GreaterEqual, a, b),
        // !(a < 1)  is  a > 0
        Node::Binary(Binary::Slt, a, b) if terms.value(b) == Some(1) => {
            Expression::infix(Operator::Greater, Expression::Term(a), number(0))
        }
        Node::Binary(Binary::Slt, a, b) => signed_infix(terms, Operator::GreaterEqual, a, b),
        Node::Extract { from, low } => bit_test(from, low, Operator::Equal),
        _ => Expression::prefix("!", Expression::Term(term)),
    }
}

fn unary(terms: &Terms, op: Unary, inner: TermId) -> Expression {
    let width = terms.width(inner);
    let function = match op {
        // ~(x ^ 0x0f)  is  x ^ 0xf0
        Unary::Not => {
            if let Node::Binary(Binary::Xor, a, b) = terms.node(inner)
                && let Some(value) = terms.value(b)
            {
                return Expression::infix(Operator::BitXor, Expression::Term(a), bits(!value & mask(width)));
            }
            return Expression::prefix("~", Expression::Term(inner));
        }
        Unary::Popcount => "popcount",
        Unary::LeadingZeros => "clz",
        Unary::TrailingZeros => "ctz",
    };
    Expression::Call(function, vec![Expression::Term(inner)])
}

fn binary(terms: &Terms, term: TermId, op: Binary, a: TermId, b: TermId) -> Expression {
    let condition = terms.width(term) == 1;
    match op {
        Binary::And if condition => infix(Operator::And, a, b),
        Binary::Or if condition => infix(Operator::Or, a, b),
        Binary::Xor if condition => infix(Operator::NotEqual, a, b),
        Binary::And => bitwise(terms, Operator::BitAnd, a, b),
        Binary::Or => bitwise(terms, Operator::BitOr, a, b),
        Binary::Xor => bitwise(terms, Operator::BitXor, a, b),
        Binary::Add if terms.is_opaque_sum(term) => infix(Operator::Plus, a, b),
        Binary::Add => sum(terms, term),
        Binary::Mul => product(terms, a, b),
        Binary::Udiv => unsigned(terms, Operator::Divide, a, b),
        Binary::Urem => unsigned(terms, Operator::Remainder, a, b),
        Binary::Sdiv => signed_infix(terms, Operator::Divide, a, b),
        Binary::Srem => signed_infix(terms, Operator::Remainder, a, b),
        Binary::Shl => infix(Operator::ShiftLeft, a, b),
        Binary::Lshr => unsigned(terms, Operator::ShiftRight, a, b),
        Binary::Ashr => signed_infix(terms, Operator::ShiftRight, a, b),
        Binary::Concat => Expression::Call("concat", vec![alone(terms, a), alone(terms, b)]),
        Binary::Eq => equality(terms, Operator::Equal, a, b),
        Binary::Ult => unsigned(terms, Operator::Less, a, b),
        // a < 1  is  a <= 0
        Binary::Slt if terms.value(b) == Some(1) => {
            Expression::infix(Operator::LessEqual, Expression::Term(a), number(0))
        }
        Binary::Slt => signed_infix(terms, Operator::Less, a, b),
    }
}

/// `4 * x`, `-x`, `x * y`.
fn product(terms: &Terms, a: TermId, b: TermId) -> Expression {
    let width = terms.width(a);
    match terms.value(b) {
        Some(value) if value == mask(width) => Expression::prefix("-", Expression::Term(a)),
        Some(value) => Expression::infix(Operator::Times, natural(value, width), Expression::Term(a)),
        None => infix(Operator::Times, a, b),
    }
}

fn extended(terms: &Terms, op: Extend, inner: TermId, width: Width) -> Expression {
    let kind = if op == Extend::Zero { "uint" } else { "int" };
    let cut = match terms.node(inner) {
        Node::Extract { from, low } if terms.width(from) == width => Some((from, low)),
        _ => None,
    };
    let Some((from, low)) = cut else { return cast(kind, width, Expression::Term(inner)) };
    let count = terms.width(inner);
    match (op, low + count == width) {
        // zext(x[8..32])  is  x >> 8u
        (Extend::Zero, true) => {
            let amount = Expression::Text(format!("{low}u"));
            Expression::infix(Operator::ShiftRight, Expression::Term(from), amount)
        }
        // sext(x[8..32])  is  x >> 8
        (Extend::Sign, true) => shifted(from, low),
        // zext(x[8..16])  is  x >> 8 & 0xff
        (Extend::Zero, false) => Expression::infix(Operator::BitAnd, shifted(from, low), bits(mask(count))),
        // sext(x[0..8])  is  (int32_t)(int8_t)x
        (Extend::Sign, false) => cast(kind, width, cast(kind, count, shifted(from, low))),
    }
}

/// `x >> low`, signed, of which the high bits are not needed or wanted so.
fn shifted(from: TermId, low: u32) -> Expression {
    match low {
        0 => Expression::Term(from),
        _ => Expression::infix(Operator::ShiftRight, Expression::Term(from), number(u128::from(low))),
    }
}

/// `(x & 4) != 0`.
fn bit_test(from: TermId, low: u32, operator: Operator) -> Expression {
    let bit = Expression::infix(Operator::BitAnd, Expression::Term(from), bits(1 << low));
    Expression::infix(operator, bit, number(0))
}

fn cast(kind: &str, width: Width, operand: Expression) -> Expression {
    Expression::prefix(format!("({kind}{width}_t)"), operand)
}

fn infix(operator: Operator, a: TermId, b: TermId) -> Expression {
    Expression::infix(operator, Expression::Term(a), Expression::Term(b))
}

fn equality(terms: &Terms, operator: Operator, a: TermId, b: TermId) -> Expression {
    // x[0..3] == 5  is  (x & 7) == 5, since C has no type of three bits
    if let (Node::Extract { from, low }, Some(value)) = (terms.node(a), terms.value(b))
        && !matches!(terms.width(a), 8 | 16 | 32 | 64)
    {
        let masked = bits(mask(terms.width(a)) << low);
        let part = Expression::infix(Operator::BitAnd, Expression::Term(from), masked);
        return Expression::infix(operator, part, bits(value << low));
    }
    Expression::infix(operator, promoted(terms, a, b), promoted(terms, b, a))
}

/// An operand beside another one, to whose width C would promote it.
fn promoted(terms: &Terms, operand: TermId, beside: TermId) -> Expression {
    match narrow(terms, operand) {
        // n == sext(n[0..8])  is  n == (int8_t)n
        Some((from, width)) if terms.value(beside).is_none() && narrow(terms, beside).is_none() => {
            cast("int", width, Expression::Term(from))
        }
        _ => Expression::Term(operand),
    }
}

/// What a term is cut from and how wide it is then, if it is extended with its sign to the full width again.
fn narrow(terms: &Terms, term: TermId) -> Option<(TermId, Width)> {
    let Node::Extend(Extend::Sign, inner) = terms.node(term) else { return None };
    match terms.node(inner) {
        Node::Extract { from, low: 0 } if terms.width(from) == terms.width(term) => {
            Some((from, terms.width(inner)))
        }
        _ => None,
    }
}

/// Constants as sets of bits.
fn bitwise(terms: &Terms, operator: Operator, a: TermId, b: TermId) -> Expression {
    match terms.value(b) {
        Some(value) => Expression::infix(operator, Expression::Term(a), bits(value)),
        None => infix(operator, a, b),
    }
}

/// Constants with their sign.
fn signed_infix(terms: &Terms, operator: Operator, a: TermId, b: TermId) -> Expression {
    let operand = |term, beside| match terms.value(term) {
        Some(value) => signed_number(value, terms.width(term)),
        None => promoted(terms, term, beside),
    };
    Expression::infix(operator, operand(a, b), operand(b, a))
}

/// Constants with `u`, or else the left operand marked.
fn unsigned(terms: &Terms, operator: Operator, a: TermId, b: TermId) -> Expression {
    let constant = |term| terms.value(term).map(|value| Expression::Text(format!("{}u", digits(value))));
    match (constant(a), constant(b)) {
        (Some(a), _) => Expression::infix(operator, a, Expression::Term(b)),
        (None, Some(b)) => Expression::infix(operator, Expression::Term(a), b),
        (None, None) => {
            let marked = Expression::prefix("(unsigned)", promoted(terms, a, b));
            Expression::infix(operator, marked, promoted(terms, b, a))
        }
    }
}

/// A number as it is.
pub(super) fn number(value: u128) -> Expression {
    Expression::Text(digits(value))
}

/// A set of bits.
fn bits(value: u128) -> Expression {
    Expression::Text(if value < 10 { value.to_string() } else { format!("{value:#x}") })
}

/// A value that is small and negative as a signed one with its sign, others without.
fn natural(value: u128, width: Width) -> Expression {
    let close = (-65536..0).contains(&signed(width, value));
    if close { signed_number(value, width) } else { number(value) }
}

fn signed_number(value: u128, width: Width) -> Expression {
    match signed(width, value) {
        negative @ ..0 => Expression::prefix("-", number(negative.unsigned_abs())),
        _ => number(value),
    }
}

fn digits(value: u128) -> String {
    if value < 1 << 20 { value.to_string() } else { format!("{value:#x}") }
}
