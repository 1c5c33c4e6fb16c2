//! Variables whose atoms hold on intervals.
//!
//! Modulo 2ⁿ, the values of `x` for which `x + r < t` holds are an interval on a circle; the same is true of
//! all comparisons of `x + r` and `r - x`, signed or not, and of their negations. Go along the circle: where
//! `φ` begins to hold, one of its literals does. So if `φ` holds anywhere, it holds at the start of the
//! interval of some literal, or everywhere, and so at 0:
//!
//! `∃x. φ  =  φ[0/x] ∨ φ[s₁/x] ∨ … ∨ φ[sₙ/x]`  with the starts `sᵢ` of all literals of `φ`.
//!
//! Source: the test points of Loos and Weispfenning, *Applying Linear Quantifier Elimination*, 1993, taken
//! from the real line to the circle; no infinitesimals are needed there. `φ` may be any Boolean combination.
//!
//! An atom may also have the extension of `x`: as `x` grows by one, so does the extension, but for the sign.

use base::limits;
use term::{Binary, Extend, Node, TermId, Unary, VarId, mask};

use super::classes::Atom;
use super::{Cx, Eliminated, Rule, exactly};

/// A term `x + rest` or `rest - x`, where `x` is the variable or its extension.
#[derive(Clone, Copy)]
struct Sum {
    /// Whether `x` is subtracted; `None` if it does not occur.
    subtracted: Option<bool>,
    rest: TermId,
}

impl Cx<'_> {
    /// Eliminates a variable all of whose atoms compare a sum with a term without it.
    pub(super) fn starts(&mut self, parts: &[TermId], vars: &[VarId]) -> Option<Eliminated> {
        let atoms = self.atoms(parts, vars);
        let (var, starts) = vars.iter().find_map(|&var| Some((var, self.starts_of(&atoms, var)?)))?;
        self.used.push(Rule::Starts);
        let others: Vec<VarId> = vars.iter().copied().filter(|&it| it != var).collect();
        let mut result = exactly(self.terms.no());
        for start in starts {
            let left = self.substitute(parts, var, start);
            let case = self.conjunction(&left, &others);
            result = self.or(result, case);
        }
        Some(result)
    }

    /// The starts of all literals on a variable; `None` if one of its atoms is something else, or there are too many.
    fn starts_of(&mut self, atoms: &[Atom], var: VarId) -> Option<Vec<TermId>> {
        let width = self.terms.var(var).width;
        let mut starts = vec![self.terms.constant(width, 0)];
        for atom in atoms.iter().filter(|atom| atom.vars.contains(&var)) {
            for start in self.starts_of_atom(atom, var)? {
                if !starts.contains(&start) {
                    starts.push(start);
                }
            }
        }
        (starts.len() <= limits::ELIMINATE_STARTS).then_some(starts)
    }

    fn starts_of_atom(&mut self, atom: &Atom, var: VarId) -> Option<Vec<TermId>> {
        let Node::Binary(op @ (Binary::Eq | Binary::Ult | Binary::Slt), a, b) = self.terms.node(atom.term)
        else {
            return None;
        };
        let (sum_a, sum_b) =
            (self.sum(a, var, limits::ELIMINATE_SUM)?, self.sum(b, var, limits::ELIMINATE_SUM)?);
        let (sum, subtracted, is_left, other) = match (sum_a.subtracted, sum_b.subtracted) {
            (Some(subtracted), None) => (sum_a, subtracted, true, b),
            (None, Some(subtracted)) => (sum_b, subtracted, false, a),
            _ => return None,
        };
        let (first, end) = self.interval(op, is_left, other);
        let mut starts = Vec::new();
        // Where the atom fails, the interval goes from its end to its first value.
        for (occurs, first, end) in [(atom.positive, first, end), (atom.negative, end, first)] {
            if occurs {
                // x + r ∈ [first, end)  ⇔  x ∈ [first - r, end - r)
                // r - x ∈ [first, end)  ⇔  x ∈ [r - end + 1, r - first + 1)
                let start = if subtracted {
                    let one = self.terms.constant(self.terms.width(end), 1);
                    let last = self.terms.sub(end, one);
                    self.terms.sub(sum.rest, last)
                } else {
                    self.terms.sub(first, sum.rest)
                };
                self.push_start(&mut starts, start, var);
            }
        }
        Some(starts)
    }

    /// The values of a term that stands on one side of a comparison with `other`: from the first up to the end, on the circle.
    fn interval(&mut self, op: Binary, is_left: bool, other: TermId) -> (TermId, TermId) {
        let width = self.terms.width(other);
        let all = mask(width);
        let one = self.terms.constant(width, 1);
        let next = self.terms.add(other, one);
        let least = self.terms.constant(width, if op == Binary::Slt { all ^ (all >> 1) } else { 0 });
        match (op, is_left) {
            (Binary::Eq, _) => (other, next),
            (_, true) => (least, other),
            (_, false) => (next, least),
        }
    }

    /// Adds the value of the variable at which its extension, or itself, has the given value.
    fn push_start(&mut self, starts: &mut Vec<TermId>, start: TermId, var: VarId) {
        let width = self.terms.var(var).width;
        if self.terms.width(start) > width {
            // A signed extension jumps from its greatest value to its least.
            starts.push(self.terms.constant(width, 1 << (width - 1)));
        }
        starts.push(self.terms.extract(start, 0, width));
    }

    /// The term as a sum.
    fn sum(&mut self, term: TermId, var: VarId, depth: usize) -> Option<Sum> {
        if !self.mentions(term, var) {
            return Some(Sum { subtracted: None, rest: term });
        }
        let depth = depth.checked_sub(1)?;
        let zero = self.terms.constant(self.terms.width(term), 0);
        let is_var = |cx: &Self, term: TermId| cx.terms.node(term) == Node::Var(var);
        match self.terms.node(term) {
            Node::Var(_) => Some(Sum { subtracted: Some(false), rest: zero }),
            Node::Extend(Extend::Zero | Extend::Sign, a) if is_var(self, a) => {
                Some(Sum { subtracted: Some(false), rest: zero })
            }
            Node::Binary(Binary::Add, a, b) => {
                let (a, b) = (self.sum(a, var, depth)?, self.sum(b, var, depth)?);
                let subtracted = match (a.subtracted, b.subtracted) {
                    (Some(_), Some(_)) => return None,
                    (one, other) => one.or(other),
                };
                Some(Sum { subtracted, rest: self.terms.add(a.rest, b.rest) })
            }
            // -a
            Node::Binary(Binary::Mul, a, b) if self.terms.value(b) == Some(mask(self.terms.width(b))) => {
                let a = self.sum(a, var, depth)?;
                Some(Sum { subtracted: a.subtracted.map(|it| !it), rest: self.terms.neg(a.rest) })
            }
            // ~a = -a - 1
            Node::Unary(Unary::Not, a) => {
                let a = self.sum(a, var, depth)?;
                Some(Sum { subtracted: a.subtracted.map(|it| !it), rest: self.terms.not(a.rest) })
            }
            _ => None,
        }
    }
}
