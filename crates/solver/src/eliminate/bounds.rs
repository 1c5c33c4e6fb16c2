//! Variables between bounds.
//!
//! If all conjuncts on `x` are bounds `l <= x`, `x <= u`, `x != t` of one order, there is such an `x` if and
//! only if each lower bound is below each upper one: Fourier and Motzkin's elimination, exact for single
//! variables also modulo 2ⁿ, because nothing is added to `x`. A disequality is split into `x < t` and
//! `t < x`.

use base::limits;
use term::{Binary, Node, TermId, Unary, VarId, mask};

use super::{Cx, Eliminated, Rule};

/// One side of a range.
#[derive(Clone, Copy, Debug)]
struct Bound {
    term: TermId,
    /// The bound itself is not in the range.
    strict: bool,
}

/// All that conjuncts say about a variable.
#[derive(Clone, Debug, Default)]
struct Bounds {
    /// The order of all bounds; `None` while there is none.
    order: Option<Binary>,
    lower: Vec<Bound>,
    upper: Vec<Bound>,
    unequal: Vec<TermId>,
}

impl Cx<'_> {
    /// Eliminates a variable that has only bounds.
    pub(super) fn bounds(&mut self, parts: &[TermId], vars: &[VarId]) -> Option<Eliminated> {
        for &var in vars {
            let (on, mut left): (Vec<TermId>, Vec<TermId>) =
                parts.iter().copied().partition(|&part| self.mentions(part, var));
            let Some(bounds) = self.bounds_on(&on, var) else { continue };
            self.used.push(Rule::Bounds);
            left.push(self.has_room(&bounds));
            return Some(self.conjunction(&left, vars));
        }
        None
    }

    /// The bounds that all these conjuncts are; `None` if one is something else, or there are too many.
    fn bounds_on(&mut self, parts: &[TermId], var: VarId) -> Option<Bounds> {
        let variable = self.variable(var);
        let mut bounds = Bounds::default();
        // Signed constants can be unsigned bounds; so what fixes the order comes first.
        for constants in [false, true] {
            for &part in parts {
                let (atom, holds) = match self.terms.node(part) {
                    Node::Unary(Unary::Not, inner) => (inner, false),
                    _ => (part, true),
                };
                let Node::Binary(op @ (Binary::Eq | Binary::Ult | Binary::Slt), a, b) = self.terms.node(atom)
                else {
                    return None;
                };
                let (other, is_left) = if a == variable { (b, true) } else { (a, false) };
                if (!is_left && b != variable) || self.mentions(other, var) || (op == Binary::Eq && holds) {
                    return None;
                }
                if self.terms.value(other).is_some() != constants {
                    continue;
                }
                match op {
                    Binary::Eq => bounds.unequal.push(other),
                    _ if bounds.order.is_none_or(|order| order == op) => {
                        bounds.order = Some(op);
                        // x < t is an upper bound, !(x < t) a lower one, t < x a lower one
                        let side = if is_left == holds { &mut bounds.upper } else { &mut bounds.lower };
                        side.push(Bound { term: other, strict: holds });
                    }
                    _ => self.turned(&mut bounds, other, is_left, holds)?,
                }
            }
        }
        let values = 1usize.checked_shl(self.terms.var(var).width).unwrap_or(usize::MAX);
        let fits = match bounds.order {
            None => bounds.unequal.len() < values,
            Some(_) => bounds.unequal.len() <= limits::ELIMINATE_SPLITS,
        };
        (fits && bounds.lower.len() * bounds.upper.len() <= limits::ELIMINATE_PAIRS).then_some(bounds)
    }

    /// Adds a bound by a constant in the other order, if the values within it have no gap in this one.
    fn turned(&mut self, bounds: &mut Bounds, bound: TermId, is_left: bool, holds: bool) -> Option<()> {
        let value = self.terms.value(bound)?;
        let width = self.terms.width(bound);
        let all = mask(width);
        let sign = all ^ (all >> 1);
        // Places in the signed order are values with the sign flipped; in the unsigned one, the values themselves.
        let flip = if bounds.order == Some(Binary::Ult) { sign } else { 0 };
        let place = value ^ flip;
        let is_upper = is_left == holds;
        let (first, last) = match (is_upper, holds) {
            (true, true) => (0, place.checked_sub(1)?),
            (true, false) => (0, place),
            (false, true) if place == all => return None,
            (false, true) => (place + 1, all),
            (false, false) => (place, all),
        };
        // The other order has the two halves in turn.
        if (first < sign) != (last < sign) {
            return None;
        }
        let (first, last) =
            (self.terms.constant(width, first ^ flip), self.terms.constant(width, last ^ flip));
        bounds.lower.push(Bound { term: first, strict: false });
        bounds.upper.push(Bound { term: last, strict: false });
        Some(())
    }

    /// The condition that there is a value between all bounds.
    fn has_room(&mut self, bounds: &Bounds) -> TermId {
        // Disequalities alone take away fewer values than there are.
        let Some(order) = bounds.order else { return self.terms.yes() };
        let mut rest = bounds.clone();
        let Some(taken) = rest.unequal.pop() else { return self.in_order(bounds, order) };
        let (mut below, mut above) = (rest.clone(), rest);
        below.upper.push(Bound { term: taken, strict: true });
        above.lower.push(Bound { term: taken, strict: true });
        let (below, above) = (self.has_room(&below), self.has_room(&above));
        self.terms.or(below, above)
    }

    /// Each lower bound is below each upper one, with a value between them if both are strict.
    fn in_order(&mut self, bounds: &Bounds, order: Binary) -> TermId {
        let mut all = self.terms.yes();
        for &lower in &bounds.lower {
            let fits = self.has_end(lower, order, true);
            all = self.terms.and(all, fits);
        }
        for &upper in &bounds.upper {
            let fits = self.has_end(upper, order, false);
            all = self.terms.and(all, fits);
        }
        for &lower in &bounds.lower {
            for &upper in &bounds.upper {
                let fits = self.pair(lower, upper, order);
                all = self.terms.and(all, fits);
            }
        }
        all
    }

    /// There is a value beyond a strict bound: it is not the last.
    fn has_end(&mut self, bound: Bound, order: Binary, is_lower: bool) -> TermId {
        if !bound.strict {
            return self.terms.yes();
        }
        let last = self.last(bound.term, order, is_lower);
        self.terms.ne(bound.term, last)
    }

    fn last(&mut self, like: TermId, order: Binary, greatest: bool) -> TermId {
        let width = self.terms.width(like);
        let all = mask(width);
        let half = if order == Binary::Ult { all } else { all >> 1 };
        self.terms.constant(width, if greatest { half } else { all ^ half })
    }

    fn pair(&mut self, lower: Bound, upper: Bound, order: Binary) -> TermId {
        if !lower.strict && !upper.strict {
            let above = self.terms.apply_binary(order, upper.term, lower.term);
            return self.terms.not(above);
        }
        let less = self.terms.apply_binary(order, lower.term, upper.term);
        if !(lower.strict && upper.strict) {
            return less;
        }
        // l < x < u  ⇔  l < u ∧ l + 1 < u, where l + 1 does not wrap because of the first
        let one = self.terms.constant(self.terms.width(lower.term), 1);
        let next = self.terms.add(lower.term, one);
        let room = self.terms.apply_binary(order, next, upper.term);
        self.terms.and(less, room)
    }
}
