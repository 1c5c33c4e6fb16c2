//! Variables that a conjunct determines.
//!
//! `∃x. x = t ∧ φ` is `φ[t/x]` if `x` does not occur in `t`. An equality is brought into this form by what
//! can be undone: linear operations with an odd coefficient (it has an inverse modulo 2ⁿ), extension,
//! concatenation, exclusive or.

use base::limits;
use term::{Binary, Extend, Node, Origin, TermId, Unary, VarId, mask};

use super::{Cx, Eliminated, Rule};

/// What a conjunct says about a variable: it is `value`, and the `rest` holds.
struct Solution {
    var: VarId,
    value: TermId,
    rest: Vec<TermId>,
}

impl Cx<'_> {
    /// Solves one conjunct for one of the variables and puts the solution in for it.
    pub(super) fn solved(&mut self, parts: &[TermId], vars: &[VarId]) -> Option<Eliminated> {
        let (at, solution) = self.simplest(parts, vars)?;
        self.used.push(Rule::Solved);
        let mut others = parts.to_vec();
        others.remove(at);
        let mut left = self.substitute(&others, solution.var, solution.value);
        left.extend(solution.rest);
        let mut vars = vars.to_vec();
        vars.retain(|&var| var != solution.var);
        // Bits that the solution leaves open are variables, too.
        vars.extend(self.new_vars(solution.value));
        vars.sort_unstable();
        vars.dedup();
        Some(self.conjunction(&left, &vars))
    }

    /// The solution that needs the smallest term, among the first solution of each conjunct: of `3 * x == n && x == m` the second.
    fn simplest(&mut self, parts: &[TermId], vars: &[VarId]) -> Option<(usize, Solution)> {
        let mut best: Option<(usize, usize, Solution)> = None;
        for (at, &part) in parts.iter().enumerate() {
            let Some(solution) = self.solve(part, vars) else { continue };
            let size =
                self.walk.size(self.terms, &[solution.value]) + self.walk.size(self.terms, &solution.rest);
            if best.as_ref().is_none_or(|&(least, ..)| size < least) {
                best = Some((size, at, solution));
            }
            // Nothing is smaller than a variable or a constant.
            if size == 1 {
                break;
            }
        }
        best.map(|(_, at, solution)| (at, solution))
    }

    fn solve(&mut self, part: TermId, vars: &[VarId]) -> Option<Solution> {
        match self.terms.node(part) {
            // x ∧ φ = x ∧ φ[1/x]
            Node::Var(var) if vars.contains(&var) => {
                Some(Solution { var, value: self.terms.yes(), rest: Vec::new() })
            }
            Node::Unary(Unary::Not, inner) => match self.terms.node(inner) {
                Node::Var(var) if vars.contains(&var) => {
                    Some(Solution { var, value: self.terms.no(), rest: Vec::new() })
                }
                _ => None,
            },
            Node::Binary(Binary::Eq, a, b) => {
                self.occurring(&[part], vars).into_iter().find_map(|var| self.solve_for(var, a, b))
            }
            _ => None,
        }
    }

    /// Solves `a = b` for a variable.
    fn solve_for(&mut self, var: VarId, a: TermId, b: TermId) -> Option<Solution> {
        if let Some(solution) = self.solve_linear(var, a, b) {
            return Some(solution);
        }
        let (in_a, in_b) = (self.mentions(a, var), self.mentions(b, var));
        match (in_a, in_b) {
            (true, false) => self.solve_inside(var, a, b),
            (false, true) => self.solve_inside(var, b, a),
            _ => None,
        }
    }

    // c·x + r = 0  with c odd  ⇔  x = -r · c⁻¹
    fn solve_linear(&mut self, var: VarId, a: TermId, b: TermId) -> Option<Solution> {
        let (of_a, rest_a) = self.linear(a, var, limits::ELIMINATE_LINEAR)?;
        let (of_b, rest_b) = self.linear(b, var, limits::ELIMINATE_LINEAR)?;
        let width = self.terms.width(a);
        let coefficient = of_a.wrapping_sub(of_b) & mask(width);
        if coefficient == 0 {
            return None;
        }
        let right = self.terms.sub(rest_b, rest_a);
        let even = coefficient.trailing_zeros();
        let inverse = self.terms.constant(width, inverse(coefficient >> even));
        let quotient = self.terms.mul(right, inverse);
        if even == 0 {
            return Some(Solution { var, value: quotient, rest: Vec::new() });
        }
        // 2ᵏ·x = q  ⇔  the last k bits of q are 0, and x has the others at its end
        let none = self.terms.constant(even, 0);
        let last = self.terms.extract(quotient, 0, even);
        let divisible = self.terms.eq(last, none);
        let known = self.terms.extract(quotient, even, width - even);
        let open = self.terms.fresh(even, Origin::UnknownCall, "");
        Some(Solution { var, value: self.terms.concat(open, known), rest: vec![divisible] })
    }

    /// The term as `coefficient · var + rest`.
    fn linear(&mut self, term: TermId, var: VarId, depth: usize) -> Option<(u128, TermId)> {
        let width = self.terms.width(term);
        if !self.mentions(term, var) {
            return Some((0, term));
        }
        let depth = depth.checked_sub(1)?;
        match self.terms.node(term) {
            Node::Var(_) => Some((1, self.terms.constant(width, 0))),
            Node::Binary(Binary::Add, a, b) => {
                let (of_a, rest_a) = self.linear(a, var, depth)?;
                let (of_b, rest_b) = self.linear(b, var, depth)?;
                Some((of_a.wrapping_add(of_b), self.terms.add(rest_a, rest_b)))
            }
            Node::Binary(Binary::Mul, a, b) => {
                let by = self.terms.value(b)?;
                let (of_a, rest) = self.linear(a, var, depth)?;
                Some((of_a.wrapping_mul(by), self.terms.mul(rest, b)))
            }
            Node::Binary(Binary::Shl, a, b) => {
                let by = self.terms.value(b).filter(|&by| by < u128::from(width))?;
                let (of_a, rest) = self.linear(a, var, depth)?;
                Some((of_a << by, self.terms.shl(rest, b)))
            }
            // ~a = -a - 1
            Node::Unary(Unary::Not, a) => {
                let (of_a, rest) = self.linear(a, var, depth)?;
                Some((of_a.wrapping_neg(), self.terms.not(rest)))
            }
            _ => None,
        }
    }

    /// Solves `inside = value` for a variable that occurs on the left side only, one operation at a time.
    fn solve_inside(&mut self, var: VarId, mut inside: TermId, mut value: TermId) -> Option<Solution> {
        let mut rest = Vec::new();
        loop {
            if let Some(mut solution) = self.solve_linear(var, inside, value) {
                solution.rest.extend(rest);
                return Some(solution);
            }
            (inside, value) = match self.terms.node(inside) {
                // ext(a) = t  ⇔  a = trunc(t) ∧ ext(trunc(t)) = t
                Node::Extend(op, a) => {
                    let short = self.terms.extract(value, 0, self.terms.width(a));
                    let width = self.terms.width(inside);
                    let again = match op {
                        Extend::Zero => self.terms.zext(short, width),
                        Extend::Sign => self.terms.sext(short, width),
                    };
                    rest.push(self.terms.eq(again, value));
                    (a, short)
                }
                // a ^ b = t  ⇔  a = t ^ b
                Node::Binary(Binary::Xor, a, b) => match self.mentions(a, var) {
                    true if self.mentions(b, var) => return None,
                    true => (a, self.terms.xor(value, b)),
                    false => (b, self.terms.xor(value, a)),
                },
                // concat(a, b) = t  ⇔  a = the front of t ∧ b = the end of t
                Node::Binary(Binary::Concat, a, b) => {
                    if self.mentions(a, var) && self.mentions(b, var) {
                        return None;
                    }
                    let (bits_a, bits_b) = (self.terms.width(a), self.terms.width(b));
                    let (front, end) =
                        (self.terms.extract(value, bits_b, bits_a), self.terms.extract(value, 0, bits_b));
                    let (next, other) =
                        if self.mentions(a, var) { ((a, front), (b, end)) } else { ((b, end), (a, front)) };
                    rest.push(self.terms.eq(other.0, other.1));
                    next
                }
                // Some bits of x are those of t; the others are open.
                Node::Extract { from, low } if self.terms.node(from) == Node::Var(var) => {
                    return Some(self.solve_bits(var, low, value, rest));
                }
                _ => return None,
            };
        }
    }

    fn solve_bits(&mut self, var: VarId, low: u32, bits: TermId, rest: Vec<TermId>) -> Solution {
        let high = self.terms.var(var).width - low - self.terms.width(bits);
        let mut value = bits;
        if low > 0 {
            let open = self.terms.fresh(low, Origin::UnknownCall, "");
            value = self.terms.concat(value, open);
        }
        if high > 0 {
            let open = self.terms.fresh(high, Origin::UnknownCall, "");
            value = self.terms.concat(open, value);
        }
        Solution { var, value, rest }
    }

    pub(super) fn mentions(&mut self, term: TermId, var: VarId) -> bool {
        !self.occurring(&[term], &[var]).is_empty()
    }

    /// The variables of a term that this elimination made.
    fn new_vars(&mut self, term: TermId) -> Vec<VarId> {
        let first = self.first_new;
        let mut vars = self.walk.vars_of(self.terms, &[term]);
        vars.retain(|&var| var >= first);
        vars
    }
}

/// The inverse of an odd number modulo 2¹²⁸, by Newton's iteration, which doubles the number of right bits.
fn inverse(odd: u128) -> u128 {
    debug_assert!(odd & 1 == 1, "only odd numbers have an inverse");
    // odd · odd = 1 modulo 8
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in [1, 3, 5, 0x1234_5677, u128::MAX, u128::MAX / 3, (1 << 127) + 1] {
            assert_eq!(inverse(odd).wrapping_mul(odd), 1);
        }
    }
}
