//! Bits of terms, and terms put together from bits.
//!
//! The normal form of pieces put together is `a ∘ (b ∘ (c ∘ d))`: neighbors that were cut from one term are
//! one piece again, zeros in front are an extension. The first bit of a term is `a < 0`, unless the term is
//! itself cut from another one.

use smallvec::SmallVec;

use crate::arena::{TermId, Terms};
use crate::eval;
use crate::node::{Binary, Extend, Node, Unary};
use crate::value::{Width, mask};

/// How far down and how wide low bits are pushed into arithmetic.
const SHALLOW: u32 = 3;
const NARROW: u32 = 32;

/// Pieces to be put together, the first in front.
type Pieces = SmallVec<[TermId; 8]>;

impl Terms {
    /// Bits of a term that is not a constant; not all of them.
    pub(super) fn extracted(&mut self, a: TermId, low: u32, width: Width) -> TermId {
        self.nested(
            |terms| terms.insert(Node::Extract { from: a, low }, width),
            |terms| terms.extracted_inside(a, low, width).unwrap_or_else(|| terms.cut(a, low, width)),
        )
    }

    /// Bits of a term into which no rule looks.
    fn cut(&mut self, a: TermId, low: u32, width: Width) -> TermId {
        // a[n-1..n] = a < 0  for n bits
        if low == self.width(a) - 1 {
            let zero = self.constant(self.width(a), 0);
            return self.plain(Binary::Slt, a, zero);
        }
        self.insert(Node::Extract { from: a, low }, width)
    }

    fn extracted_inside(&mut self, a: TermId, low: u32, width: Width) -> Option<TermId> {
        // ite(c, k, l)[..] = ite(c, k[..], l[..])
        if let Some((condition, x, y)) = self.as_choice(a) {
            let [x, y] = [x, y].map(|it| eval::extract(it, low, width));
            return Some(self.choice(condition, width, x, y));
        }
        match self.node(a) {
            // a[i..][j..] = a[i+j..]
            Node::Extract { from, low: before } => Some(self.extract(from, before + low, width)),
            // (~a)[..] = ~(a[..])
            Node::Unary(Unary::Not, inner) => {
                let inner = self.extract(inner, low, width);
                Some(self.not(inner))
            }
            Node::Extend(op, inner) => Some(self.extract_extended(op, inner, low, width)),
            Node::Binary(Binary::Concat, ..) => Some(self.extract_joined(a, low, width)),
            // (a & c)[..] = a[..] & c[..], and so for | and xor
            Node::Binary(op @ (Binary::And | Binary::Or | Binary::Xor), inner, constant) => {
                let constant = self.value(constant)?;
                let inner = self.extract(inner, low, width);
                let constant = self.constant(width, eval::extract(constant, low, width));
                Some(self.apply_binary(op, inner, constant))
            }
            Node::Binary(Binary::Add | Binary::Mul, ..) if low == 0 => self.extract_arithmetic(a, width),
            Node::Binary(Binary::Mul, inner, factor) => {
                let factor = self.value(factor)?;
                self.extract_multiple(inner, factor, low, width)
            }
            _ => None,
        }
    }

    fn extract_extended(&mut self, op: Extend, inner: TermId, low: u32, width: Width) -> TermId {
        let from = self.width(inner);
        if low + width <= from {
            // ext(a)[i..j] = a[i..j]  if a has j bits
            return self.extract(inner, low, width);
        }
        if low < from {
            // ext(a)[i..j] = ext(a[i..])  if a has more than i bits, but not j
            let bits = self.extract(inner, low, from - low);
            return self.extended(op, bits, width);
        }
        match op {
            // zext(a)[i..j] = 0  behind a
            Extend::Zero => self.constant(width, 0),
            // sext(a)[i..j] = sext(a < 0)  behind a
            Extend::Sign => {
                let sign = self.is_negative(inner);
                self.sext(sign, width)
            }
        }
    }

    /// Bits of pieces put together: those of the pieces that they are in.
    // (a ∘ b)[..] = a[..]  or  b[..]  or  a[0..] ∘ b[..]
    fn extract_joined(&mut self, a: TermId, low: u32, width: Width) -> TermId {
        let mut parts = Pieces::new();
        let (mut rest, mut above) = (Some(a), self.width(a));
        while let Some(next) = rest.filter(|_| above > low) {
            let (piece, behind) = self.first_piece(next);
            let start = above - self.width(piece);
            let (from, to) = (start.max(low), above.min(low + width));
            if from < to {
                parts.push(self.extract(piece, from - start, to - from));
            }
            (rest, above) = (behind, start);
        }
        self.put_together(&parts)
    }

    /// The first piece of a term and what is behind it.
    fn first_piece(&self, a: TermId) -> (TermId, Option<TermId>) {
        match self.as_binary(Binary::Concat, a) {
            Some((front, back)) => (front, Some(back)),
            None => (a, None),
        }
    }

    /// All of the pieces, at least one.
    fn put_together(&mut self, pieces: &Pieces) -> TermId {
        let (&last, others) = pieces.split_last().expect("invariant: bits are cut from at least one piece");
        others.iter().rev().fold(last, |behind, &piece| self.concat(piece, behind))
    }

    /// Bits not from the first on of `a * factor`.
    fn extract_multiple(&mut self, a: TermId, factor: u128, low: u32, width: Width) -> Option<TermId> {
        if !factor.is_power_of_two() {
            return None;
        }
        let shift = factor.trailing_zeros();
        // (a * 2ᵏ)[i..j] = a[i-k..j-k]  if k <= i;  = 0  if j <= k;  = a[0..j-k] ∘ 0  else
        if shift <= low {
            return Some(self.extract(a, low - shift, width));
        }
        if low + width <= shift {
            return Some(self.constant(width, 0));
        }
        let front = self.extract(a, 0, low + width - shift);
        let back = self.constant(shift - low, 0);
        Some(self.concat(front, back))
    }

    /// Low bits of a sum or product, if they need not be pushed far.
    // (Σ kᵢ * mᵢ + c)[0..j] = Σ kᵢ * mᵢ[0..j] + c    (a * b)[0..j] = a[0..j] * b[0..j]
    fn extract_arithmetic(&mut self, a: TermId, width: Width) -> Option<TermId> {
        if !self.is_shallow(a, width, SHALLOW, &mut NARROW.clone()) {
            return None;
        }
        if self.is_base(a) {
            let (p, q) = self.as_binary(Binary::Mul, a)?;
            let p = self.extract(p, 0, width);
            let q = self.extract(q, 0, width);
            return Some(self.mul(p, q));
        }
        let sum = self.linear(a);
        let mut result = self.constant(width, sum.constant);
        for monomial in &sum.monomials {
            let bits = self.extract(monomial.base, 0, width);
            let factor = self.constant(width, monomial.coefficient);
            let multiple = self.mul(bits, factor);
            result = self.add(result, multiple);
        }
        Some(result)
    }

    /// Whether the low bits of a term are found without looking far: `depth` levels, `budget` terms.
    fn is_shallow(&self, a: TermId, width: Width, depth: u32, budget: &mut u32) -> bool {
        if depth == 0 || *budget == 0 {
            return false;
        }
        *budget -= 1;
        match self.node(a) {
            // Sums and products in normal form are no deeper than the budget.
            Node::Binary(Binary::Add | Binary::Mul, p, q) => {
                !self.is_opaque(a)
                    && self.is_shallow(p, width, depth, budget)
                    && self.is_shallow(q, width, depth, budget)
            }
            Node::Unary(Unary::Not, inner) => self.is_shallow(inner, width, depth, budget),
            Node::Binary(Binary::And | Binary::Or | Binary::Xor, inner, constant) => {
                self.value(constant).is_none() || self.is_shallow(inner, width, depth - 1, budget)
            }
            Node::Extend(_, inner) => {
                width >= self.width(inner) || self.is_shallow(inner, width, depth - 1, budget)
            }
            Node::Binary(Binary::Concat, front, back) => match width.checked_sub(self.width(back)) {
                Some(0) => true,
                Some(more) => self.is_shallow(front, more, depth - 1, budget),
                None => self.is_shallow(back, width, depth - 1, budget),
            },
            _ => true,
        }
    }

    /// Pieces put together, not both constants.
    pub(super) fn joined(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a) + self.width(b);
        self.nested(
            |terms| terms.plain(Binary::Concat, a, b),
            |terms| match terms.node(a) {
                // (a ∘ b) ∘ c = a ∘ (b ∘ c)
                Node::Binary(Binary::Concat, ..) => {
                    let mut pieces = terms.pieces(a);
                    pieces.push(b);
                    terms.put_together(&pieces)
                }
                // ext(a) ∘ b = ext(a ∘ b)
                Node::Extend(op, inner) => {
                    let inner = terms.concat(inner, b);
                    terms.extended(op, inner, width)
                }
                // 0 ∘ a = zext(a), and for zeros in front
                Node::Const(value) if value <= mask(terms.width(a)) >> 1 => {
                    let inner = match value.checked_ilog2() {
                        Some(log) => {
                            let front = terms.constant(log + 1, value);
                            terms.concat(front, b)
                        }
                        None => b,
                    };
                    terms.zext(inner, width)
                }
                _ => terms.joined_with_first(a, b),
            },
        )
    }

    /// All pieces of a term, the first in front.
    fn pieces(&self, a: TermId) -> Pieces {
        let mut pieces = Pieces::new();
        let mut rest = Some(a);
        while let Some(next) = rest {
            let (piece, behind) = self.first_piece(next);
            pieces.push(piece);
            rest = behind;
        }
        pieces
    }

    /// `a ∘ b`, where `a` may belong to the first piece of `b`.
    fn joined_with_first(&mut self, a: TermId, b: TermId) -> TermId {
        // a ∘ (b ∘ c) = (a ∘ b) ∘ c  if a ∘ b is one piece
        let (first, rest) = self.first_piece(b);
        match (self.fused(a, first), rest) {
            (Some(whole), Some(rest)) => self.concat(whole, rest),
            (Some(whole), None) => whole,
            (None, _) => self.plain(Binary::Concat, a, b),
        }
    }

    /// Two pieces as one.
    fn fused(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            let width = self.width(a) + self.width(b);
            return Some(self.constant(width, eval::binary(Binary::Concat, self.width(b), x, y)));
        }
        let (from, high) = self.as_piece(a);
        let (other, low) = self.as_piece(b);
        let (above, below) = (self.width(a), self.width(b));
        // a[j..k] ∘ a[i..j] = a[i..k]
        if from == other && high == low + below {
            return Some(self.extract(from, low, above + below));
        }
        // a[j-1..j] ∘ a[i..j] = sext(a[i..j]), also if the latter is extended already
        let core = if let Node::Extend(Extend::Sign, inner) = self.node(b) { inner } else { b };
        let (other, low) = self.as_piece(core);
        if above == 1 && from == other && high + 1 == low + self.width(core) {
            return Some(self.sext(b, below + 1));
        }
        None
    }

    /// The term that a piece was cut from, and where.
    fn as_piece(&self, a: TermId) -> (TermId, u32) {
        match self.node(a) {
            Node::Extract { from, low } => (from, low),
            Node::Binary(Binary::Slt, from, zero) if self.value(zero) == Some(0) => {
                (from, self.width(from) - 1)
            }
            _ => (a, 0),
        }
    }
}
