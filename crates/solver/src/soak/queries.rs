//! Random terms and queries about them.

use term::{Origin, TermId, Terms, Width};

use crate::soak::rng::Rng;

/// An operation on two terms, with its name.
pub(super) type OnTwo = (&'static str, fn(&mut Terms, TermId, TermId) -> TermId);

/// An operation on one term, with its name.
pub(super) type OnOne = (&'static str, fn(&mut Terms, TermId) -> TermId);

/// Operations that make a word of two words.
pub(super) const BINARY: [OnTwo; 13] = [
    ("and", Terms::and),
    ("or", Terms::or),
    ("xor", Terms::xor),
    ("add", Terms::add),
    ("sub", Terms::sub),
    ("shl", Terms::shl),
    ("lshr", Terms::lshr),
    ("ashr", Terms::ashr),
    ("mul", Terms::mul),
    ("udiv", Terms::udiv),
    ("urem", Terms::urem),
    ("sdiv", Terms::sdiv),
    ("srem", Terms::srem),
];

/// Operations that make a word of a word.
pub(super) const UNARY: [OnOne; 5] = [
    ("not", Terms::not),
    ("neg", Terms::neg),
    ("popcount", Terms::popcount),
    ("leading_zeros", Terms::leading_zeros),
    ("trailing_zeros", Terms::trailing_zeros),
];

/// Operations that make a condition of two words.
pub(super) const COMPARE: [OnTwo; 6] = [
    ("eq", Terms::eq),
    ("ne", Terms::ne),
    ("ult", Terms::ult),
    ("ule", Terms::ule),
    ("slt", Terms::slt),
    ("sle", Terms::sle),
];

/// An arena with words, and conditions about them.
pub(super) struct Formulas {
    pub(super) terms: Terms,
    /// Variables and what was made of them, of one width.
    words: Vec<TermId>,
    pub(super) conditions: Vec<TermId>,
    width: Width,
    hard: bool,
}

/// What formulas are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) width: Width,
    pub(super) vars: usize,
    pub(super) words: usize,
    pub(super) conditions: usize,
    /// Whether there are products of variables, quotients and remainders.
    pub(super) hard: bool,
}

impl Formulas {
    pub(super) fn new(rng: &mut Rng, shape: Shape) -> Formulas {
        let mut terms = Terms::new();
        let name = |number: usize| format!("x{number}");
        let words =
            (0..shape.vars).map(|at| terms.fresh(shape.width, Origin::Parameter, &name(at))).collect();
        let mut formulas =
            Formulas { terms, words, conditions: Vec::new(), width: shape.width, hard: shape.hard };
        while formulas.words.len() < shape.words {
            let word = formulas.word(rng);
            formulas.words.push(word);
        }
        while formulas.conditions.len() < shape.conditions {
            let condition = formulas.condition(rng);
            formulas.conditions.push(condition);
        }
        formulas
    }

    fn operand(&mut self, rng: &mut Rng) -> TermId {
        if rng.one_in(4) { self.terms.constant(self.width, rng.value()) } else { rng.pick(&self.words) }
    }

    fn word(&mut self, rng: &mut Rng) -> TermId {
        let (a, b) = (self.operand(rng), self.operand(rng));
        let terms = &mut self.terms;
        match rng.below(10) {
            0 => rng.pick(&UNARY).1(terms, a),
            1 => {
                let condition = rng.pick(&COMPARE).1(terms, a, b);
                terms.ite(condition, b, a)
            }
            2 => self.resized(rng, a, b),
            3 => {
                let factor = terms.constant(self.width, rng.value());
                terms.mul(a, factor)
            }
            _ if self.hard => rng.pick(&BINARY).1(terms, a, b),
            _ => rng.pick(&BINARY[..8]).1(terms, a, b),
        }
    }

    /// A word of parts of two words.
    fn resized(&mut self, rng: &mut Rng, a: TermId, b: TermId) -> TermId {
        let width = self.width;
        if width == 1 {
            return a;
        }
        let kept = 1 + rng.below(width as usize - 1) as u32;
        let low = rng.below((width - kept) as usize + 1) as u32;
        let part = self.terms.extract(a, low, kept);
        match rng.below(3) {
            0 => self.terms.zext(part, width),
            1 => self.terms.sext(part, width),
            _ => {
                let rest = self.terms.extract(b, 0, width - kept);
                self.terms.concat(part, rest)
            }
        }
    }

    fn condition(&mut self, rng: &mut Rng) -> TermId {
        if !self.conditions.is_empty() && rng.one_in(4) {
            let (a, b) = (rng.pick(&self.conditions), rng.pick(&self.conditions));
            return match rng.below(4) {
                0 => self.terms.and(a, b),
                1 => self.terms.or(a, b),
                2 => self.terms.xor(a, b),
                _ => self.terms.not(a),
            };
        }
        let (a, b) = (rng.pick(&self.words), self.operand(rng));
        rng.pick(&COMPARE).1(&mut self.terms, a, b)
    }

    /// Some of the conditions, in an order of their own, some negated.
    pub(super) fn query(&mut self, rng: &mut Rng) -> Vec<TermId> {
        let count = 1 + rng.below(6);
        let mut query = Vec::with_capacity(count);
        for _ in 0..count {
            let condition = rng.pick(&self.conditions);
            query.push(if rng.one_in(4) { self.terms.not(condition) } else { condition });
        }
        query
    }
}
