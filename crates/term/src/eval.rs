//! The meaning of terms: their values under an assignment. Everything else is compared with this.

use base::{Id, IdVec};

use crate::arena::{TermId, Terms};
use crate::node::{Binary, Extend, Node, Unary};
use crate::value::{Width, mask, signed};
use crate::var::VarId;
use crate::walk::Walk;

/// Values of variables. A variable without one is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    values: IdVec<VarId, u128>,
}

impl Assignment {
    /// All variables are 0.
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Gives a variable a value; bits above its width do not matter.
    pub fn set(&mut self, var: VarId, value: u128) {
        while self.values.len() <= var.index() {
            self.values.push(0);
        }
        self.values[var] = value;
    }

    /// The value of a variable.
    pub fn get(&self, var: VarId) -> u128 {
        self.values.get(var).copied().unwrap_or(0)
    }
}

impl Terms {
    /// The value of a term, computed without recursion, each different subterm once.
    pub fn eval(&self, term: TermId, assignment: &Assignment) -> u128 {
        Walk::lend(|walk| walk.eval(self, term, assignment))
    }

    /// Calls `action` with each operand; operands are older than the term, so their ids are smaller.
    pub fn for_each_operand(&self, term: TermId, mut action: impl FnMut(TermId)) {
        match self.node(term) {
            Node::Const(_) | Node::Var(_) => {}
            Node::Unary(_, a) | Node::Extend(_, a) | Node::Extract { from: a, .. } => action(a),
            Node::Binary(_, a, b) => {
                action(a);
                action(b);
            }
            Node::Ite(a, b, c) => {
                action(a);
                action(b);
                action(c);
            }
        }
    }

    /// The value of a term, given those of its operands.
    pub(crate) fn apply(&self, term: TermId, of: impl Fn(TermId) -> u128, assignment: &Assignment) -> u128 {
        let width = self.width(term);
        match self.node(term) {
            Node::Const(value) => value,
            Node::Var(var) => assignment.get(var) & mask(width),
            Node::Unary(op, a) => unary(op, width, of(a)),
            Node::Binary(op, a, b) => binary(op, self.width(b), of(a), of(b)),
            Node::Extend(op, a) => extend(op, self.width(a), width, of(a)),
            Node::Extract { from, low } => extract(of(from), low, width),
            Node::Ite(c, a, b) => of(if of(c) != 0 { a } else { b }),
        }
    }
}

/// The value of an operation on one value of that width.
pub(crate) fn unary(op: Unary, width: Width, a: u128) -> u128 {
    let unused = 128 - width;
    match op {
        Unary::Not => !a & mask(width),
        Unary::Popcount => u128::from(a.count_ones()) & mask(width),
        Unary::LeadingZeros => u128::from(a.leading_zeros() - unused) & mask(width),
        Unary::TrailingZeros => u128::from(a.trailing_zeros().min(width)) & mask(width),
    }
}

/// The value of an operation on two values; `width` is that of both, or of the second for [`Binary::Concat`].
pub(crate) fn binary(op: Binary, width: Width, a: u128, b: u128) -> u128 {
    let all = mask(width);
    let bits = u128::from(width);
    let (sa, sb) = (signed(width, a), signed(width, b));
    let value = match op {
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Add => a.wrapping_add(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Udiv => a.checked_div(b).unwrap_or(all),
        Binary::Urem => a.checked_rem(b).unwrap_or(a),
        Binary::Sdiv => match b {
            0 => {
                if sa < 0 {
                    1
                } else {
                    all
                }
            }
            _ => sa.wrapping_div(sb) as u128,
        },
        Binary::Srem => match b {
            0 => a,
            _ => sa.wrapping_rem(sb) as u128,
        },
        Binary::Shl => {
            if b < bits {
                a << b
            } else {
                0
            }
        }
        Binary::Lshr => {
            if b < bits {
                a >> b
            } else {
                0
            }
        }
        Binary::Ashr => (sa >> b.min(bits - 1)) as u128,
        Binary::Concat => return a.checked_shl(width).unwrap_or(0) | b,
        Binary::Eq => u128::from(a == b),
        Binary::Ult => u128::from(a < b),
        Binary::Slt => u128::from(sa < sb),
    };
    value & all
}

/// The value with more bits in front.
pub(crate) fn extend(op: Extend, from: Width, to: Width, a: u128) -> u128 {
    match op {
        Extend::Zero => a,
        Extend::Sign => signed(from, a) as u128 & mask(to),
    }
}

/// `width` bits from `low` on.
pub(crate) fn extract(a: u128, low: u32, width: Width) -> u128 {
    (a >> low) & mask(width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::var::Origin;

    #[test]
    fn a_term_has_the_value_of_its_parts() {
        let mut terms = Terms::new();
        let x = terms.fresh(8, Origin::Parameter, "x");
        let y = terms.fresh(8, Origin::Parameter, "y");
        let sum = terms.add(x, y);
        let less = terms.ult(sum, x);
        let (Node::Var(x), Node::Var(y)) = (terms.node(x), terms.node(y)) else {
            unreachable!("both are variables")
        };
        let mut assignment = Assignment::new();
        assignment.set(x, 200);
        assignment.set(y, 100);
        assert_eq!(terms.eval(sum, &assignment), 44);
        assert_eq!(terms.eval(less, &assignment), 1);
    }
}
