//! What terms are made of.

use crate::arena::TermId;
use crate::var::VarId;

/// The outermost operation of a term, with its operands.
///
/// There is one way to write each thing: `a - b` is `a + b * -1`, `-a` is `a * -1`, `a <= b` is `!(b < a)`, truncation is
/// [`Extract`](Node::Extract) from bit 0. The methods of [`Terms`](crate::Terms) have the usual names for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A value; bits above the width are zero.
    Const(u128),
    /// A variable.
    Var(VarId),
    /// An operation on one term of the same width.
    Unary(Unary, TermId),
    /// An operation on two terms.
    Binary(Binary, TermId, TermId),
    /// The operand with more bits in front.
    Extend(Extend, TermId),
    /// Bits of the operand from `low` on, as many as the term is wide.
    Extract {
        /// The operand, at least `low` bits wider than the term.
        from: TermId,
        /// The first bit, counted from the least significant one.
        low: u32,
    },
    /// The second operand if the first, of one bit, is 1; else the third.
    Ite(TermId, TermId, TermId),
}

impl Node {
    /// The same operation on other operands.
    pub fn map(self, mut image: impl FnMut(TermId) -> TermId) -> Node {
        match self {
            Node::Const(_) | Node::Var(_) => self,
            Node::Unary(op, a) => Node::Unary(op, image(a)),
            Node::Binary(op, a, b) => Node::Binary(op, image(a), image(b)),
            Node::Extend(op, a) => Node::Extend(op, image(a)),
            Node::Extract { from, low } => Node::Extract { from: image(from), low },
            Node::Ite(a, b, c) => Node::Ite(image(a), image(b), image(c)),
        }
    }
}

/// Operations on one term, of the same width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unary {
    /// All bits turned over; on one bit, negation.
    Not,
    /// How many bits are set.
    Popcount,
    /// How many bits in front of the first set one; the width for zero.
    LeadingZeros,
    /// How many bits behind the last set one; the width for zero.
    TrailingZeros,
}

/// Operations on two terms of the same width; the result has it, too, unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binary {
    /// Bit by bit; conjunction on one bit.
    And,
    /// Bit by bit; disjunction on one bit.
    Or,
    /// Bit by bit; inequality on one bit.
    Xor,
    /// Modulo 2ⁿ.
    Add,
    /// Modulo 2ⁿ.
    Mul,
    /// Unsigned division.
    Udiv,
    /// Remainder of it.
    Urem,
    /// Signed division, toward zero.
    Sdiv,
    /// Remainder of it; the sign is that of the dividend.
    Srem,
    /// To the left.
    Shl,
    /// To the right, with zeros.
    Lshr,
    /// To the right, with copies of the sign.
    Ashr,
    /// The first in front of the second; operands of any width, the result has the sum of them.
    Concat,
    /// Equal; the result has one bit.
    Eq,
    /// Less, unsigned; the result has one bit.
    Ult,
    /// Less, signed; the result has one bit.
    Slt,
}

/// What the bits in front become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extend {
    /// Zeros.
    Zero,
    /// Copies of the sign.
    Sign,
}
