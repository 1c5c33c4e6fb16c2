//! Sums and products modulo 2ⁿ, on more than one bit.
//!
//! The normal form of a sum is `((m₁ + m₂) + m₃) + c`: monomials by the ids of their bases, each base once,
//! the constant outermost and only if it is not 0. A monomial is its base, or `base * k` with `k` other than
//! 0 and 1. A base is a term that is neither sum nor multiple, and if it is a product then `(f₁ * f₂) * f₃`
//! with factors by their ids. Products of short sums are multiplied out, so `x * (y + z)` and `x * y + x * z`
//! are one term; plain SAT cannot prove that beyond 8 bits.
//!
//! A sum that would have more than [`limits::TERM_MONOMIALS`] monomials, and a product that would have more
//! than [`limits::TERM_MONOMIALS`] of them or more than [`limits::TERM_FACTORS`] factors, is kept as given,
//! noted as *opaque*, and a base like any other to what is built of it.

use base::limits;
use smallvec::SmallVec;

use crate::arena::{TermId, Terms};
use crate::kept::Note;
use crate::node::{Binary, Node, Unary};
use crate::value::{Width, mask};

/// The note of a sum or product that is kept as it was given. Others are noted by the number of their monomials or factors.
const OPAQUE: Note = Note::MAX;

/// A multiple of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Monomial {
    /// The term, neither sum nor multiple itself.
    pub base: TermId,
    /// How many of it, modulo 2ⁿ; not 0.
    pub coefficient: u128,
}

/// A sum of monomials and a constant, modulo 2ⁿ: how [`Terms::linear`] reads a term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linear {
    /// By the ids of their bases, each base once.
    pub monomials: SmallVec<[Monomial; 4]>,
    /// What is added.
    pub constant: u128,
}

impl Linear {
    fn of_constant(constant: u128) -> Linear {
        Linear { monomials: SmallVec::new(), constant }
    }

    /// The number of summands.
    fn len(&self) -> usize {
        self.monomials.len() + usize::from(self.constant != 0)
    }

    /// Multiplied by a constant, modulo 2ⁿ.
    pub fn scaled(mut self, width: Width, factor: u128) -> Linear {
        let all = mask(width);
        self.constant = self.constant.wrapping_mul(factor) & all;
        for monomial in &mut self.monomials {
            monomial.coefficient = monomial.coefficient.wrapping_mul(factor) & all;
        }
        self.monomials.retain(|monomial| monomial.coefficient != 0);
        self
    }

    /// The sum of both, modulo 2ⁿ.
    pub fn plus(&self, other: &Linear, width: Width) -> Linear {
        let mut sum = Linear::of_constant(self.constant.wrapping_add(other.constant) & mask(width));
        let (mut left, mut right) = (&self.monomials[..], &other.monomials[..]);
        loop {
            let next = match (left, right) {
                ([a, more @ ..], [b, ..]) if a.base < b.base => {
                    left = more;
                    *a
                }
                ([a, more @ ..], []) => {
                    left = more;
                    *a
                }
                ([a, ..], [b, more @ ..]) if b.base < a.base => {
                    right = more;
                    *b
                }
                ([], [b, more @ ..]) => {
                    right = more;
                    *b
                }
                ([a, more_left @ ..], [b, more_right @ ..]) => {
                    (left, right) = (more_left, more_right);
                    let coefficient = a.coefficient.wrapping_add(b.coefficient) & mask(width);
                    Monomial { base: a.base, coefficient }
                }
                ([], []) => break,
            };
            if next.coefficient != 0 {
                sum.monomials.push(next);
            }
        }
        sum
    }

    /// In normal form, from monomials in any order.
    fn collected(mut monomials: SmallVec<[Monomial; 4]>, constant: u128, width: Width) -> Linear {
        monomials.sort_unstable_by_key(|monomial| monomial.base);
        let mut sum = Linear::of_constant(constant & mask(width));
        for monomial in monomials {
            match sum.monomials.last_mut() {
                Some(last) if last.base == monomial.base => {
                    last.coefficient = last.coefficient.wrapping_add(monomial.coefficient) & mask(width);
                }
                _ => sum.monomials.push(monomial),
            }
        }
        sum.monomials.retain(|monomial| monomial.coefficient != 0);
        sum
    }
}

impl Terms {
    /// The term read as a sum; its width should be more than 1. Every term can be read so: at worst it is one monomial.
    pub fn linear(&self, term: TermId) -> Linear {
        let width = self.width(term);
        debug_assert!(width > 1, "on one bit there are no sums");
        if let Some(value) = self.value(term) {
            return Linear::of_constant(value);
        }
        // ~x = -x - 1
        if let Some(inner) = self.as_not(term) {
            let monomial = Monomial { base: inner, coefficient: mask(width) };
            return Linear { monomials: SmallVec::from_slice(&[monomial]), constant: mask(width) };
        }
        let (mut rest, constant) = self.without_constant(term);
        let mut sum = Linear::of_constant(constant);
        while let Some((before, last)) = self.as_chain(rest) {
            sum.monomials.push(self.monomial(last));
            rest = before;
        }
        sum.monomials.push(self.monomial(rest));
        sum.monomials.reverse();
        sum
    }

    /// The term of a sum.
    pub fn from_linear(&mut self, sum: &Linear, width: Width) -> TermId {
        // -x - 1 = ~x
        if let [Monomial { base, coefficient }] = sum.monomials[..]
            && coefficient == mask(width)
            && sum.constant == mask(width)
        {
            return self.complement_of_base(base);
        }
        let mut monomials = sum.monomials.iter();
        let Some(&first) = monomials.next() else { return self.constant(width, sum.constant) };
        let mut term = self.multiple(first, width);
        for (before, &monomial) in (1..).zip(monomials) {
            let monomial = self.multiple(monomial, width);
            term = self.insert_noted(Node::Binary(Binary::Add, term, monomial), width, before + 1);
        }
        self.plus_constant(term, sum.constant, width)
    }

    pub(super) fn sum(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if let Some(value) = self.value(b) {
            return self.sum_with(a, value);
        }
        if self.is_base(a) && self.is_base(b) && a != b {
            return self.insert_noted(Node::Binary(Binary::Add, a, b), width, 2);
        }
        let sum = self.linear(a).plus(&self.linear(b), width);
        self.bounded_sum(sum, a, b)
    }

    /// The sum of two terms, which is also known in normal form.
    fn bounded_sum(&mut self, mut sum: Linear, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if sum.monomials.len() <= limits::TERM_MONOMIALS {
            return self.from_linear(&sum, width);
        }
        // (a + c) + (b + d) = (a + b) + (c + d)
        let constant = std::mem::take(&mut sum.constant);
        let a = self.homogeneous(a);
        let b = self.homogeneous(b);
        let (a, b) = self.ordered(a, b);
        let term = self.insert_noted(Node::Binary(Binary::Add, a, b), width, OPAQUE);
        self.plus_constant(term, constant, width)
    }

    /// The term without the constant that is added in it.
    fn homogeneous(&mut self, term: TermId) -> TermId {
        let mut sum = self.linear(term);
        sum.constant = 0;
        self.from_linear(&sum, self.width(term))
    }

    /// `a + value`, for `a` not a constant.
    pub(super) fn sum_with(&mut self, a: TermId, value: u128) -> TermId {
        let width = self.width(a);
        if let Some(known) = self.value(a) {
            return self.constant(width, known.wrapping_add(value));
        }
        // x + 0 = x
        if value == 0 {
            return a;
        }
        // ~x + c = -x + (c - 1)
        if let Some(inner) = self.as_not(a) {
            let negative = self.multiple(Monomial { base: inner, coefficient: mask(width) }, width);
            return self.plus_constant(negative, value.wrapping_sub(1), width);
        }
        // (x + c) + d = x + (c + d)
        let (rest, constant) = self.without_constant(a);
        let constant = constant.wrapping_add(value) & mask(width);
        // -x + -1 = ~x
        if constant == mask(width)
            && let Monomial { base, coefficient } = self.monomial(rest)
            && coefficient == mask(width)
        {
            return self.complement_of_base(base);
        }
        self.plus_constant(rest, constant, width)
    }

    /// `a - b`.
    pub(super) fn difference(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        // a - a = 0
        if a == b {
            return self.constant(width, 0);
        }
        // a - c = a + -c
        if let Some(value) = self.value(b) {
            return self.sum_with(a, value.wrapping_neg() & mask(width));
        }
        // a - b = a + b * -1
        let negative = self.scaled(b, u128::MAX);
        self.sum(a, negative)
    }

    pub(super) fn product(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if let Some(value) = self.value(b) {
            return self.scaled(a, value);
        }
        let is_factor =
            |terms: &Terms, term| terms.is_base(term) && terms.as_binary(Binary::Mul, term).is_none();
        if is_factor(self, a) && is_factor(self, b) {
            return self.insert_noted(Node::Binary(Binary::Mul, a, b), width, 2);
        }
        // (Σ mᵢ) * (Σ nⱼ) = Σ mᵢ * nⱼ
        let (p, q) = (self.linear(a), self.linear(b));
        let product = if p.len() * q.len() <= limits::TERM_MONOMIALS {
            self.multiplied_out(&p, &q, width)
        } else {
            None
        };
        match product {
            Some(product) => self.from_linear(&product, width),
            None => self.insert_noted(Node::Binary(Binary::Mul, a, b), width, OPAQUE),
        }
    }

    /// `a * factor`.
    pub(super) fn scaled(&mut self, a: TermId, factor: u128) -> TermId {
        let width = self.width(a);
        let factor = factor & mask(width);
        // a * 0 = 0    a * 1 = a
        match factor {
            0 => return self.constant(width, 0),
            1 => return a,
            _ => {}
        }
        if self.is_base(a) && self.value(a).is_none() {
            return self.multiple(Monomial { base: a, coefficient: factor }, width);
        }
        // (Σ kᵢ * mᵢ + c) * k = Σ (kᵢ * k) * mᵢ + c * k
        let sum = self.linear(a).scaled(width, factor);
        self.from_linear(&sum, width)
    }

    fn multiplied_out(&mut self, p: &Linear, q: &Linear, width: Width) -> Option<Linear> {
        let all = mask(width);
        let mut monomials = SmallVec::new();
        for m in &p.monomials {
            for n in &q.monomials {
                let coefficient = m.coefficient.wrapping_mul(n.coefficient) & all;
                monomials.push(Monomial { base: self.product_of_bases(m.base, n.base)?, coefficient });
            }
        }
        let with_constant = |sum: &Linear, constant: u128| sum.clone().scaled(width, constant).monomials;
        monomials.extend(with_constant(p, q.constant));
        monomials.extend(with_constant(q, p.constant));
        Some(Linear::collected(monomials, p.constant.wrapping_mul(q.constant), width))
    }

    /// The product of two bases, if it has not too many factors.
    // (f₁ * f₃) * (f₂ * f₄) = ((f₁ * f₂) * f₃) * f₄
    fn product_of_bases(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        let mut factors: SmallVec<[TermId; limits::TERM_FACTORS]> = SmallVec::new();
        for mut base in [a, b] {
            while let Some((before, last)) = self.as_factors(base) {
                factors.push(last);
                base = before;
            }
            factors.push(base);
        }
        if factors.len() > limits::TERM_FACTORS {
            return None;
        }
        factors.sort_unstable();
        let mut factors = factors.into_iter();
        let mut product = factors.next()?;
        for (before, factor) in (1..).zip(factors) {
            product = self.insert_noted(Node::Binary(Binary::Mul, product, factor), width, before + 1);
        }
        Some(product)
    }

    /// `~a` on more than one bit, not a constant.
    pub(super) fn complement(&mut self, a: TermId) -> TermId {
        // ~~a = a
        if let Some(inner) = self.as_not(a) {
            return inner;
        }
        if self.is_base(a) {
            return self.complement_of_base(a);
        }
        // ~(Σ mᵢ + c) = Σ -mᵢ + (-c - 1)
        let width = self.width(a);
        let mut sum = self.linear(a).scaled(width, u128::MAX);
        sum.constant = sum.constant.wrapping_sub(1) & mask(width);
        self.from_linear(&sum, width)
    }

    /// `~a`, where that is not arithmetic.
    fn complement_of_base(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        // ~ite(c, k, l) = ite(c, ~k, ~l)
        if let Some((condition, x, y)) = self.as_choice(a) {
            return self.choice(condition, width, !x, !y);
        }
        // ~(k ∘ a) = ~k ∘ ~a
        if let Some((front, back)) = self.as_binary(Binary::Concat, a)
            && self.value(front).is_some()
        {
            let front = self.not(front);
            let back = self.not(back);
            return self.concat(front, back);
        }
        self.insert(Node::Unary(Unary::Not, a), width)
    }

    /// `base * coefficient`, for a base.
    fn multiple(&mut self, monomial: Monomial, width: Width) -> TermId {
        match monomial.coefficient {
            1 => monomial.base,
            coefficient => {
                let coefficient = self.constant(width, coefficient);
                self.insert(Node::Binary(Binary::Mul, monomial.base, coefficient), width)
            }
        }
    }

    fn plus_constant(&mut self, term: TermId, constant: u128, width: Width) -> TermId {
        // x + 0 = x
        if constant & mask(width) == 0 {
            return term;
        }
        let constant = self.constant(width, constant);
        self.insert(Node::Binary(Binary::Add, term, constant), width)
    }

    /// Whether a term, not a constant, is one monomial with coefficient 1.
    pub(super) fn is_base(&self, term: TermId) -> bool {
        match self.node(term) {
            Node::Binary(Binary::Add, _, b) => self.note(term) == OPAQUE && self.value(b).is_none(),
            Node::Binary(Binary::Mul, _, b) => self.value(b).is_none(),
            Node::Unary(Unary::Not, _) => false,
            _ => true,
        }
    }

    /// Whether a sum is kept as it was given, and has no constant added to it.
    pub(crate) fn is_opaque_sum(&self, term: TermId) -> bool {
        self.is_opaque(term) && self.as_binary(Binary::Add, term).is_some()
    }

    /// Whether a term is a sum or product that is not in normal form.
    pub(super) fn is_opaque(&self, term: TermId) -> bool {
        self.note(term) == OPAQUE
    }

    fn monomial(&self, term: TermId) -> Monomial {
        let multiple = self.as_binary(Binary::Mul, term).and_then(|(base, k)| Some((base, self.value(k)?)));
        let (base, coefficient) = multiple.unwrap_or((term, 1));
        Monomial { base, coefficient }
    }

    /// The term and the constant that is added to it.
    pub(super) fn without_constant(&self, term: TermId) -> (TermId, u128) {
        let split = self.as_binary(Binary::Add, term).and_then(|(rest, c)| Some((rest, self.value(c)?)));
        split.unwrap_or((term, 0))
    }

    /// All but the last monomial, and the last one, of a sum without constant.
    fn as_chain(&self, term: TermId) -> Option<(TermId, TermId)> {
        self.as_binary(Binary::Add, term).filter(|_| self.note(term) != OPAQUE)
    }

    /// All but the last factor, and the last one, of a product.
    fn as_factors(&self, term: TermId) -> Option<(TermId, TermId)> {
        self.as_binary(Binary::Mul, term).filter(|_| self.note(term) != OPAQUE)
    }
}
