//! Building terms: one method per operation, each of which rewrites what it is given.
//!
//! Laws. Rewriting keeps the value under every assignment. What has only constant operands is a constant. Operands of commutative
//! operations are ordered (a constant stands second). A rule looks at a bounded number of nodes, so building costs a
//! constant time.

use crate::arena::{TermId, Terms};
use crate::eval;
use crate::node::{Binary, Extend, Node, Unary};
use crate::value::Width;

impl Terms {
    /// `true`.
    pub fn yes(&mut self) -> TermId {
        self.constant(1, 1)
    }

    /// `false`.
    pub fn no(&mut self) -> TermId {
        self.constant(1, 0)
    }

    /// The term of that operation and width, through the method of its name: what is given may be rewritten.
    pub fn build(&mut self, node: Node, width: Width) -> TermId {
        match node {
            Node::Const(value) => self.constant(width, value),
            Node::Var(_) => self.insert(node, width),
            Node::Unary(op, a) => self.apply_unary(op, a),
            Node::Binary(op, a, b) => self.apply_binary(op, a, b),
            Node::Extend(Extend::Zero, a) => self.zext(a, width),
            Node::Extend(Extend::Sign, a) => self.sext(a, width),
            Node::Extract { from, low } => self.extract(from, low, width),
            Node::Ite(condition, a, b) => self.ite(condition, a, b),
        }
    }

    /// The operation on one term.
    pub fn apply_unary(&mut self, op: Unary, a: TermId) -> TermId {
        match op {
            Unary::Not => self.not(a),
            Unary::Popcount => self.popcount(a),
            Unary::LeadingZeros => self.leading_zeros(a),
            Unary::TrailingZeros => self.trailing_zeros(a),
        }
    }

    /// The operation on two terms.
    pub fn apply_binary(&mut self, op: Binary, a: TermId, b: TermId) -> TermId {
        match op {
            Binary::And => self.and(a, b),
            Binary::Or => self.or(a, b),
            Binary::Xor => self.xor(a, b),
            Binary::Add => self.add(a, b),
            Binary::Mul => self.mul(a, b),
            Binary::Udiv => self.udiv(a, b),
            Binary::Urem => self.urem(a, b),
            Binary::Sdiv => self.sdiv(a, b),
            Binary::Srem => self.srem(a, b),
            Binary::Shl => self.shl(a, b),
            Binary::Lshr => self.lshr(a, b),
            Binary::Ashr => self.ashr(a, b),
            Binary::Concat => self.concat(a, b),
            Binary::Eq => self.eq(a, b),
            Binary::Ult => self.ult(a, b),
            Binary::Slt => self.slt(a, b),
        }
    }

    fn unary(&mut self, op: Unary, a: TermId) -> TermId {
        let width = self.width(a);
        match self.value(a) {
            Some(value) => self.constant(width, eval::unary(op, width, value)),
            None => self.insert(Node::Unary(op, a), width),
        }
    }

    fn binary(&mut self, op: Binary, a: TermId, b: TermId) -> TermId {
        let width = self.width(b);
        debug_assert!(op == Binary::Concat || self.width(a) == width, "both operands should have one width");
        let result = match op {
            Binary::Concat => self.width(a) + width,
            Binary::Eq | Binary::Ult | Binary::Slt => 1,
            _ => width,
        };
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            return self.constant(result, eval::binary(op, width, x, y));
        }
        // a ∘ b = b ∘ a
        let commutes =
            matches!(op, Binary::And | Binary::Or | Binary::Xor | Binary::Add | Binary::Mul | Binary::Eq);
        let turned = commutes && (self.value(a).is_some() || (self.value(b).is_none() && b < a));
        let (a, b) = if turned { (b, a) } else { (a, b) };
        self.insert(Node::Binary(op, a, b), result)
    }

    /// All bits turned over; on one bit, negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        // !!a = a
        match self.node(a) {
            Node::Unary(Unary::Not, inner) => inner,
            _ => self.unary(Unary::Not, a),
        }
    }

    /// How many bits are set.
    pub fn popcount(&mut self, a: TermId) -> TermId {
        self.unary(Unary::Popcount, a)
    }

    /// How many bits in front of the first set one.
    pub fn leading_zeros(&mut self, a: TermId) -> TermId {
        self.unary(Unary::LeadingZeros, a)
    }

    /// How many bits behind the last set one.
    pub fn trailing_zeros(&mut self, a: TermId) -> TermId {
        self.unary(Unary::TrailingZeros, a)
    }

    /// Bit by bit; conjunction on one bit.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Binary::And, a, b)
    }

    /// Bit by bit; disjunction on one bit.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Binary::Or, a, b)
    }

    /// Bit by bit; inequality on one bit.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Binary::Xor, a, b)
    }

    /// Modulo 2ⁿ.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Binary::Add, a, b)
    }

    /// Modulo 2ⁿ.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Binary::Mul, a, b)
    }

    /// Modulo 2ⁿ.
    pub fn neg(&mut self, a: TermId) -> TermId {
        let minus_one = self.constant(self.width(a), u128::MAX);
        self.mul(a, minus_one)
    }

    /// Modulo 2ⁿ.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let b = self.neg(b);
        self.add(a, b)
    }

    /// Unsigned division.
    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Binary::Udiv, a, b)
    }

    /// Unsigned remainder.
    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Binary::Urem, a, b)
    }

    /// Signed division.
    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Binary::Sdiv, a, b)
    }

    /// Signed remainder.
    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Binary::Srem, a, b)
    }

    /// To the left.
    pub fn shl(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Binary::Shl, a, b)
    }

    /// To the right, with zeros.
    pub fn lshr(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Binary::Lshr, a, b)
    }

    /// To the right, with copies of the sign.
    pub fn ashr(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Binary::Ashr, a, b)
    }

    /// The first in front of the second; together at most 128 bits.
    pub fn concat(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Binary::Concat, a, b)
    }

    /// Equal.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        // a = a  is true
        if a == b { self.yes() } else { self.binary(Binary::Eq, a, b) }
    }

    /// Not equal.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Less, unsigned.
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        // a < a  is false
        if a == b { self.no() } else { self.binary(Binary::Ult, a, b) }
    }

    /// Less or equal, unsigned.
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        // a <= b  =  !(b < a)
        let greater = self.ult(b, a);
        self.not(greater)
    }

    /// Less, signed.
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        // a < a  is false
        if a == b { self.no() } else { self.binary(Binary::Slt, a, b) }
    }

    /// Less or equal, signed.
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        // a <= b  =  !(b < a)
        let greater = self.slt(b, a);
        self.not(greater)
    }

    /// With zeros in front, to a width that is not smaller.
    pub fn zext(&mut self, a: TermId, width: Width) -> TermId {
        self.extend(Extend::Zero, a, width)
    }

    /// With copies of the sign in front, to a width that is not smaller.
    pub fn sext(&mut self, a: TermId, width: Width) -> TermId {
        self.extend(Extend::Sign, a, width)
    }

    fn extend(&mut self, op: Extend, a: TermId, width: Width) -> TermId {
        let from = self.width(a);
        debug_assert!(from <= width, "an extended term should not be smaller");
        match self.value(a) {
            _ if from == width => a,
            Some(value) => self.constant(width, eval::extend(op, from, width, value)),
            None => self.insert(Node::Extend(op, a), width),
        }
    }

    /// `width` bits from `low` on.
    pub fn extract(&mut self, a: TermId, low: u32, width: Width) -> TermId {
        debug_assert!(low + width <= self.width(a), "extracted bits should be there");
        match self.value(a) {
            _ if self.width(a) == width => a,
            Some(value) => self.constant(width, eval::extract(value, low, width)),
            None => self.insert(Node::Extract { from: a, low }, width),
        }
    }

    /// The first if the condition, of one bit, is 1; else the second.
    pub fn ite(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        debug_assert!(
            self.width(condition) == 1 && self.width(a) == self.width(b),
            "an if-then-else should fit"
        );
        // ite(1, a, b) = a    ite(0, a, b) = b    ite(c, a, a) = a
        match self.value(condition) {
            Some(0) => b,
            Some(_) => a,
            None if a == b => a,
            None => self.insert(Node::Ite(condition, a, b), self.width(a)),
        }
    }
}
