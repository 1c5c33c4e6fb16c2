//! Random conjunctions.

use fastrand::Rng;

use crate::arena::{TermId, Terms};
use crate::eval::Assignment;
use crate::value::Width;
use crate::var::{Origin, VarId};

/// What conditions look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// All operations.
    Any,
    /// Branches of C: null checks, bounds, flags, cases, error codes, conversions.
    Branches,
}

/// A source of random choices; the same seed makes the same ones.
pub(super) struct Generator {
    random: Rng,
}

impl Generator {
    pub(super) fn new(seed: u64) -> Generator {
        Generator { random: Rng::with_seed(seed) }
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.random.usize(..limit)
    }

    /// True once in `times`.
    pub(super) fn chance(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Values for all variables, small and extreme ones more often.
    pub(super) fn assignment(&mut self, terms: &Terms) -> Assignment {
        let mut assignment = Assignment::new();
        let vars: Vec<VarId> = terms.vars().collect();
        for var in vars {
            let value = self.number();
            assignment.set(var, value);
        }
        assignment
    }

    fn number(&mut self) -> u128 {
        match self.below(4) {
            0 => self.below(4) as u128,
            1 => (self.below(8) as u128).wrapping_sub(4),
            2 => 1u128 << self.below(128),
            _ => self.random.u128(..),
        }
    }

    /// Conditions over a few variables of that width, and one variable of one bit.
    pub(super) fn conjunction(&mut self, shape: Shape, width: Width, n_vars: usize) -> (Terms, Vec<TermId>) {
        let mut terms = Terms::new();
        let mut vars: Vec<TermId> = ["x", "y", "z"]
            .iter()
            .take(n_vars)
            .map(|name| terms.fresh(width, Origin::Parameter, name))
            .collect();
        vars.push(terms.fresh(1, Origin::Parameter, "flag"));
        let count = 3 + self.below(4);
        let conditions = (0..count)
            .map(|_| match shape {
                Shape::Any => self.condition(&mut terms, &vars, 2),
                Shape::Branches => self.branch(&mut terms, &vars),
            })
            .collect();
        (terms, conditions)
    }

    fn var(&mut self, vars: &[TermId]) -> TermId {
        vars[self.below(vars.len() - 1)]
    }

    fn comparison(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        match self.below(8) {
            0 | 1 => terms.eq(a, b),
            2 | 3 => terms.ne(a, b),
            4 => terms.ult(a, b),
            5 => terms.ule(a, b),
            6 => terms.slt(a, b),
            _ => terms.sle(a, b),
        }
    }

    fn constant(&mut self, terms: &mut Terms, width: Width) -> TermId {
        let value = self.number();
        terms.constant(width, value)
    }

    fn condition(&mut self, terms: &mut Terms, vars: &[TermId], depth: u32) -> TermId {
        if depth > 0 && self.chance(3) {
            let a = self.condition(terms, vars, depth - 1);
            let b = self.condition(terms, vars, depth - 1);
            return match self.below(6) {
                0 => terms.and(a, b),
                1 | 2 => terms.or(a, b),
                3 => terms.xor(a, b),
                4 => terms.not(a),
                _ => {
                    let c = self.condition(terms, vars, 0);
                    terms.ite(a, b, c)
                }
            };
        }
        if self.chance(8) {
            return vars[vars.len() - 1];
        }
        let a = self.term(terms, vars, depth);
        let b = if self.chance(2) {
            self.constant(terms, terms.width(a))
        } else {
            self.of_width(terms, vars, depth, terms.width(a))
        };
        self.comparison(terms, a, b)
    }

    fn of_width(&mut self, terms: &mut Terms, vars: &[TermId], depth: u32, width: Width) -> TermId {
        let term = self.term(terms, vars, depth);
        match terms.width(term) {
            own if own == width => term,
            own if own > width => terms.extract(term, 0, width),
            _ if self.chance(2) => terms.zext(term, width),
            _ => terms.sext(term, width),
        }
    }

    /// A term of any width.
    fn term(&mut self, terms: &mut Terms, vars: &[TermId], depth: u32) -> TermId {
        if depth == 0 || self.chance(4) {
            return self.var(vars);
        }
        let a = self.term(terms, vars, depth - 1);
        let width = terms.width(a);
        let b = if self.chance(2) {
            self.constant(terms, width)
        } else {
            self.of_width(terms, vars, depth - 1, width)
        };
        match self.below(24) {
            0..3 => terms.add(a, b),
            3 => terms.sub(a, b),
            4 => terms.mul(a, b),
            5 => terms.and(a, b),
            6 => terms.or(a, b),
            7 => terms.xor(a, b),
            8 => terms.not(a),
            9 => terms.udiv(a, b),
            10 => terms.urem(a, b),
            11 => terms.sdiv(a, b),
            12 => terms.srem(a, b),
            13 => terms.shl(a, b),
            14 => terms.lshr(a, b),
            15 => terms.ashr(a, b),
            16 if width <= 60 => terms.zext(a, width + 2),
            17 if width <= 60 => terms.sext(a, width + 2),
            18 if width > 1 => {
                let low = self.below(width as usize - 1) as u32;
                let rest = width - low;
                let kept = 1 + self.below(rest as usize) as u32;
                terms.extract(a, low, kept)
            }
            19 if 2 * width <= 64 => terms.concat(a, b),
            20 => match self.below(3) {
                0 => terms.popcount(a),
                1 => terms.leading_zeros(a),
                _ => terms.trailing_zeros(a),
            },
            21 => {
                let condition = self.condition(terms, vars, 0);
                terms.zext(condition, width)
            }
            _ => {
                let condition = self.condition(terms, vars, 0);
                terms.ite(condition, a, b)
            }
        }
    }

    fn branch(&mut self, terms: &mut Terms, vars: &[TermId]) -> TermId {
        match self.below(10) {
            // if (a || b), if (!(a && b))
            0 => {
                let (a, b) = (self.simple(terms, vars), self.simple(terms, vars));
                terms.or(a, b)
            }
            // if (c ? x == 1 : x == 2) as an integer
            1 => {
                let condition = self.simple(terms, vars);
                let (one, other) = (self.constant(terms, 4), self.constant(terms, 4));
                let chosen = terms.ite(condition, one, other);
                let value = if self.chance(2) { one } else { other };
                self.comparison(terms, chosen, value)
            }
            // int ok = x < y; if (ok)
            2 => {
                let condition = self.simple(terms, vars);
                let stored = terms.zext(condition, 4);
                let zero = terms.constant(4, 0);
                if self.chance(2) { terms.eq(stored, zero) } else { terms.ne(stored, zero) }
            }
            _ => self.simple(terms, vars),
        }
    }

    /// A comparison as C has it.
    fn simple(&mut self, terms: &mut Terms, vars: &[TermId]) -> TermId {
        let x = self.var(vars);
        let width = terms.width(x);
        match self.below(12) {
            // p == 0, x == CASE, r < 0, i < 10
            0..4 => {
                let constant = self.constant(terms, width);
                self.comparison(terms, x, constant)
            }
            // p == q, i < n
            4 | 5 => {
                let y = self.var(vars);
                self.comparison(terms, x, y)
            }
            // i + 1 <= n, p + 8 == q
            6 | 7 => {
                let step = self.constant(terms, width);
                let (sum, y) = (terms.add(x, step), self.var(vars));
                self.comparison(terms, sum, y)
            }
            // (f & 4) != 0, (x & 7) == 3
            8 => {
                let flags = self.constant(terms, width);
                let masked = terms.and(x, flags);
                let zero = terms.constant(width, 0);
                let value = if self.chance(3) { flags } else { zero };
                if self.chance(2) { terms.eq(masked, value) } else { terms.ne(masked, value) }
            }
            // (long) i < n, (size_t) i < n
            9 if width <= 60 => {
                let y = self.var(vars);
                let (a, b) = if self.chance(2) {
                    (terms.zext(x, width + 2), terms.zext(y, width + 2))
                } else {
                    (terms.sext(x, width + 2), terms.sext(y, width + 2))
                };
                let b = if self.chance(2) { b } else { self.constant(terms, width + 2) };
                self.comparison(terms, a, b)
            }
            // end - p < 16, 4 * n <= size
            10 if self.chance(2) => {
                let y = self.var(vars);
                let (a, b) = if self.chance(2) {
                    (terms.sub(x, y), self.constant(terms, width))
                } else {
                    let four = terms.constant(width, 4);
                    (terms.mul(x, four), y)
                };
                self.comparison(terms, a, b)
            }
            // (char) x == 'a'
            10 => {
                let low = terms.extract(x, 0, width / 2);
                let constant = self.constant(terms, width / 2);
                self.comparison(terms, low, constant)
            }
            _ => {
                let flag = vars[vars.len() - 1];
                if self.chance(2) { flag } else { terms.not(flag) }
            }
        }
    }
}
