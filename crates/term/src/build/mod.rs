//! Building terms: one method per operation, each of which rewrites what it is given.
//!
//! Laws. (1) Rewriting keeps the value under every assignment. (2) What has only constant operands is a
//! constant. (3) Operands of commutative operations are ordered by their ids, a constant last. (4) A term
//! that is built again from its own operands is the same term; so the text of a term, read back, is the term.
//! (5) A rule looks at a bounded number of nodes, so building costs a constant time; sums, products and
//! conjunctions that are longer than the bounds are left as they are given.
//!
//! Each rule stands as an equation above its code, in the module of its family. On one bit, arithmetic is
//! logic, and only `boolean` and `select` see it: `a + b` is `a xor b`, `a * b` is `a and b`, and so on down
//! the list of methods here.
//!
//! Not covered: rules that fire inside one another more than [`limits::TERM_RULES`] times leave the innermost
//! term as it is given, so law (4) may fail there.

mod bits;
mod boolean;
mod compare;
mod derived;
mod division;
mod equal;
mod extract;
mod linear;
mod select;
mod shift;

pub use linear::{Linear, Monomial};

use base::limits;

use crate::arena::{TermId, Terms};
use crate::eval;
use crate::node::{Binary, Extend, Node, Unary};
use crate::value::{Width, mask};

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

    /// All bits turned over; on one bit, negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        match (self.value(a), self.width(a)) {
            (Some(value), width) => self.constant(width, !value),
            (None, 1) => self.negation(a),
            (None, _) => self.complement(a),
        }
    }

    /// How many bits are set.
    pub fn popcount(&mut self, a: TermId) -> TermId {
        // popcount(b) = b  on one bit
        if self.width(a) == 1 { a } else { self.count(Unary::Popcount, a) }
    }

    /// How many bits in front of the first set one.
    pub fn leading_zeros(&mut self, a: TermId) -> TermId {
        // clz(b) = !b  on one bit
        if self.width(a) == 1 { self.not(a) } else { self.count(Unary::LeadingZeros, a) }
    }

    /// How many bits behind the last set one.
    pub fn trailing_zeros(&mut self, a: TermId) -> TermId {
        // ctz(b) = !b  on one bit
        if self.width(a) == 1 { self.not(a) } else { self.count(Unary::TrailingZeros, a) }
    }

    /// Bit by bit; conjunction on one bit.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.fold(Binary::And, a, b).unwrap_or_else(|| self.lattice(Binary::And, a, b))
    }

    /// Bit by bit; disjunction on one bit.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.fold(Binary::Or, a, b).unwrap_or_else(|| self.lattice(Binary::Or, a, b))
    }

    /// Bit by bit; inequality on one bit.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.fold(Binary::Xor, a, b).unwrap_or_else(|| self.exclusive_or(a, b))
    }

    /// Modulo 2ⁿ.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        // a + b = a xor b  on one bit
        if self.width(a) == 1 { self.xor(a, b) } else { self.sum(a, b) }
    }

    /// Modulo 2ⁿ.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        // a * b = a and b  on one bit
        if self.width(a) == 1 { self.and(a, b) } else { self.product(a, b) }
    }

    /// Modulo 2ⁿ.
    pub fn neg(&mut self, a: TermId) -> TermId {
        // -a = a  on one bit
        if self.width(a) == 1 { a } else { self.scaled(a, u128::MAX) }
    }

    /// Modulo 2ⁿ.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        // a - b = a xor b  on one bit
        if self.width(a) == 1 { self.xor(a, b) } else { self.difference(a, b) }
    }

    /// Unsigned division.
    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.fold(Binary::Udiv, a, b).unwrap_or_else(|| self.unsigned_quotient(a, b))
    }

    /// Unsigned remainder.
    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        self.fold(Binary::Urem, a, b).unwrap_or_else(|| self.unsigned_remainder(a, b))
    }

    /// Signed division.
    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.fold(Binary::Sdiv, a, b).unwrap_or_else(|| self.signed_quotient(a, b))
    }

    /// Signed remainder.
    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        self.fold(Binary::Srem, a, b).unwrap_or_else(|| self.signed_remainder(a, b))
    }

    /// To the left.
    pub fn shl(&mut self, a: TermId, b: TermId) -> TermId {
        self.fold(Binary::Shl, a, b).unwrap_or_else(|| self.shifted(Binary::Shl, a, b))
    }

    /// To the right, with zeros.
    pub fn lshr(&mut self, a: TermId, b: TermId) -> TermId {
        self.fold(Binary::Lshr, a, b).unwrap_or_else(|| self.shifted(Binary::Lshr, a, b))
    }

    /// To the right, with copies of the sign.
    pub fn ashr(&mut self, a: TermId, b: TermId) -> TermId {
        self.fold(Binary::Ashr, a, b).unwrap_or_else(|| self.shifted(Binary::Ashr, a, b))
    }

    /// The first in front of the second; together at most 128 bits.
    pub fn concat(&mut self, a: TermId, b: TermId) -> TermId {
        self.fold(Binary::Concat, a, b).unwrap_or_else(|| self.joined(a, b))
    }

    /// Equal.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        // (a = b) = !(a xor b)  on one bit
        if self.width(a) == 1 {
            let differ = self.xor(a, b);
            return self.not(differ);
        }
        self.fold(Binary::Eq, a, b).unwrap_or_else(|| self.equal(a, b))
    }

    /// Not equal.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Less, unsigned.
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        self.fold(Binary::Ult, a, b).unwrap_or_else(|| self.below(a, b))
    }

    /// Less or equal, unsigned.
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        // a <= b  =  !(b < a)
        let greater = self.ult(b, a);
        self.not(greater)
    }

    /// Less, signed.
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        self.fold(Binary::Slt, a, b).unwrap_or_else(|| self.less(a, b))
    }

    /// Less or equal, signed.
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        // a <= b  =  !(b < a)
        let greater = self.slt(b, a);
        self.not(greater)
    }

    /// With zeros in front, to a width that is not smaller.
    pub fn zext(&mut self, a: TermId, width: Width) -> TermId {
        self.extended(Extend::Zero, a, width)
    }

    /// With copies of the sign in front, to a width that is not smaller.
    pub fn sext(&mut self, a: TermId, width: Width) -> TermId {
        self.extended(Extend::Sign, a, width)
    }

    /// `width` bits from `low` on.
    pub fn extract(&mut self, a: TermId, low: u32, width: Width) -> TermId {
        debug_assert!(low + width <= self.width(a), "extracted bits should be there");
        match self.value(a) {
            Some(value) => self.constant(width, eval::extract(value, low, width)),
            // All bits of a are a.
            None if self.width(a) == width => a,
            None => self.extracted(a, low, width),
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
            None => self.selected(condition, a, b),
        }
    }

    /// The value of an operation on constants.
    #[inline]
    fn fold(&mut self, op: Binary, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(b);
        debug_assert!(op == Binary::Concat || self.width(a) == width, "both operands should have one width");
        let y = self.value(b)?;
        let x = self.value(a)?;
        let result = self.result_width(op, a, b);
        Some(self.constant(result, eval::binary(op, width, x, y)))
    }

    #[inline]
    fn result_width(&self, op: Binary, a: TermId, b: TermId) -> Width {
        match op {
            Binary::Concat => self.width(a) + self.width(b),
            Binary::Eq | Binary::Ult | Binary::Slt => 1,
            _ => self.width(b),
        }
    }

    /// The term as it is given: no rule applies.
    #[inline]
    fn plain(&mut self, op: Binary, a: TermId, b: TermId) -> TermId {
        let width = self.result_width(op, a, b);
        self.insert(Node::Binary(op, a, b), width)
    }

    /// The operands of a commutative operation in their order.
    // a ∘ b = b ∘ a
    #[inline]
    fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let turned = match (self.value(a).is_some(), self.value(b).is_some()) {
            (false, false) => b < a,
            (constant, _) => constant,
        };
        if turned { (b, a) } else { (a, b) }
    }

    /// Condition and values, if the term chooses between constants.
    fn as_choice(&self, term: TermId) -> Option<(TermId, u128, u128)> {
        match self.node(term) {
            Node::Ite(condition, a, b) => Some((condition, self.value(a)?, self.value(b)?)),
            _ => None,
        }
    }

    /// A choice between constants.
    fn choice(&mut self, condition: TermId, width: Width, a: u128, b: u128) -> TermId {
        let a = self.constant(width, a);
        let b = self.constant(width, b);
        self.ite(condition, a, b)
    }

    /// Work of rules inside a rule, or `given` if that goes too deep.
    #[inline]
    fn nested(
        &mut self,
        given: impl FnOnce(&mut Terms) -> TermId,
        work: impl FnOnce(&mut Terms) -> TermId,
    ) -> TermId {
        if self.nesting >= limits::TERM_RULES {
            return given(self);
        }
        self.nesting += 1;
        let term = work(self);
        self.nesting -= 1;
        term
    }
}

/// The value with only the sign bit set: the least signed value.
fn least(width: Width) -> u128 {
    1 << (width - 1)
}

/// The greatest signed value.
fn greatest(width: Width) -> u128 {
    mask(width) >> 1
}
