//! Comparisons of two [sides](super::side): the short way through the rules of `propagate`, and which changes
//! matter to them.
//!
//! `i < n` is looked at again only if the least `i` or the greatest `n` has changed, or if one of them begins
//! to mean another number to chains of comparisons; `p != q` only if one of them is known. What is skipped
//! would have said nothing new.

use super::layer::{Info, Literal};
use super::order::{self, Closed};
use super::propagate::{Contradiction, RuleResult, Work};
use super::range::{Range, bits, sign};
use super::read::Reader;
use super::side::{Ends, Shape, Side, between};
use crate::arena::{TermId, Terms};
use crate::node::{Binary, Node};

/// A comparison of two sides over different variables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relation {
    /// Of `a < b` this is `a`; of its negation, `b`.
    less: Side,
    greater: Side,
    order: Order,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// `less + strict ≤ greater`.
    Less {
        signed: bool,
        strict: u64,
    },
    Unequal,
}

/// What a change does to a literal that watches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effect {
    Nothing,
    /// Its bounds may say something new.
    Bounds,
    /// It may also close a chain of comparisons.
    Order,
}

impl Relation {
    /// A literal as a relation, if it is one and is about order, or about two terms of which none is known.
    #[inline]
    pub(super) fn of(reader: Reader<'_>, literal: Literal) -> Option<Relation> {
        let Node::Binary(op, a, b) = reader.terms.node(literal.atom) else { return None };
        let order = match (op, literal.truth) {
            (Binary::Eq, false) => Order::Unequal,
            (Binary::Ult | Binary::Slt, truth) => {
                Order::Less { signed: op == Binary::Slt, strict: truth.into() }
            }
            _ => return None,
        };
        let (less, greater) = if literal.truth { (a, b) } else { (b, a) };
        let less = Side::of(reader, less)?;
        let greater = Side::of(reader, greater)?;
        // Of an extended variable, `unequal` knows what to do.
        let is_simple = order != Order::Unequal
            || less.shape.extend.is_none() && greater.shape.extend.is_none()
            || !less.is_known() && !greater.is_known();
        (is_simple && less.shape.var != greater.shape.var).then_some(Relation { less, greater, order })
    }

    /// Whether the facts decide it, chains of comparisons aside.
    #[inline]
    pub(super) fn known_truth(&self, literal: Literal, atom: &Info) -> Option<bool> {
        let noted = atom.range.single();
        noted.map(|noted| (noted != 0) == literal.truth).or_else(|| self.truth())
    }

    /// Whether the ends decide it.
    // l ≤ lmax < gmin ≤ g  ⊢  l < g        gmax ≤ lmin  ⊢  ¬(l < g)
    fn truth(&self) -> Option<bool> {
        match self.order {
            Order::Less { signed, strict } => {
                let (less, greater) = (self.less.ends(signed)?, self.greater.ends(signed)?);
                let is_strict = strict == 1;
                if less.0 > greater.1 || (is_strict && less.0 == greater.1) {
                    Some(false)
                } else if less.1 < greater.0 || (!is_strict && less.1 == greater.0) {
                    Some(true)
                } else {
                    None
                }
            }
            Order::Unequal => {
                let are_equal = |a: Ends, b: Ends| a == b && a.0 == a.1;
                let are_apart = |a: Ends, b: Ends| a.1 < b.0 || b.1 < a.0;
                let (a, b) = (self.less.ends(false)?, self.greater.ends(false)?);
                if are_apart(a, b) || are_apart(self.less.ends(true)?, self.greater.ends(true)?) {
                    Some(true)
                } else {
                    are_equal(a, b).then_some(false)
                }
            }
        }
    }
}

impl Work<'_> {
    /// Adds a relation that the facts do not decide, and all that follows within the budget.
    pub(super) fn relate(&mut self, literal: Literal, atom: &Info, relation: &Relation) -> RuleResult {
        self.change_range(literal.atom, atom, Range::of(1, literal.truth.into()));
        self.look_at_relation(literal, relation, Effect::Order)?;
        self.watch_side(&relation.less, literal);
        self.watch_side(&relation.greater, literal);
        self.run()
    }

    fn watch_side(&mut self, side: &Side, literal: Literal) {
        if side.is_constant {
            return;
        }
        let shape = &side.shape;
        if !shape.is_var() {
            let known = side.noted.unwrap_or(Info::nothing(shape.width));
            self.layer.watch_known(shape.term, &known, literal);
        }
        if let Some((_, inner)) = shape.extend
            && inner != shape.term
        {
            self.layer.watch(inner, shape.width, literal, true);
        }
        self.layer.watch_known(shape.var, &side.info, literal);
    }

    /// Looks at a relation: each side bounds the other, and chains that it closes say more.
    pub(super) fn look_at_relation(
        &mut self,
        literal: Literal,
        relation: &Relation,
        effect: Effect,
    ) -> RuleResult {
        let Relation { less, greater, .. } = relation;
        let Order::Less { signed, strict } = relation.order else {
            return self.take_out(less, greater).and_then(|()| self.take_out(greater, less));
        };
        let lower = less.ends(signed).ok_or(Contradiction)?;
        let upper = greater.ends(signed).ok_or(Contradiction)?;
        // l + s ≤ g  ⊢  l ≤ gmax - s, lmin + s ≤ g
        let most = upper.1.checked_sub(strict).filter(|&most| lower.0 <= most).ok_or(Contradiction)?;
        let first = self.bound(less, (lower.0, lower.1.min(most)), signed)?;
        let second = self.bound(greater, (upper.0.max(lower.0 + strict), upper.1), signed)?;
        if effect < Effect::Order || less.is_alone || greater.is_alone {
            return Ok(());
        }
        let sides = ((less, &first), (greater, &second));
        match order::closed_by_sides(self.reader(), literal, sides, signed) {
            Closed::Open => Ok(()),
            Closed::Contradiction => Err(Contradiction),
            Closed::Tight => self.tight(literal),
        }
    }

    // v + c ≠ w, w known  ⊢  v ≠ w - c
    fn take_out(&mut self, known: &Side, side: &Side) -> RuleResult {
        let ends = known.ends(false).ok_or(Contradiction)?;
        if ends.0 != ends.1 || !known.is_known() {
            return Ok(());
        }
        let value = ends.0.wrapping_sub(side.shape.offset) & bits(side.shape.width);
        let rest = side.info.range.without(value).ok_or(Contradiction)?;
        if rest != side.info.range {
            self.change_range(side.shape.var, &side.info, rest);
        }
        Ok(())
    }

    /// Adds that a side is between two ends; gives the range of its variable.
    #[inline]
    fn bound(&mut self, side: &Side, wanted: Ends, signed: bool) -> Result<Range, Contradiction> {
        let shape = &side.shape;
        let by_var = shape.ends(&side.info.range, signed);
        if wanted.0 <= by_var.0 && by_var.1 <= wanted.1 {
            return Ok(side.info.range);
        }
        let range = shape.pulled(&side.info.range, wanted, signed).ok_or(Contradiction)?;
        if range != side.info.range {
            self.change_range(shape.var, &side.info, range);
        }
        if shape.is_var() {
            return Ok(range);
        }
        // What the variable cannot say is noted for the term.
        let by_var = shape.ends(&range, signed);
        if by_var.0 < wanted.0 || wanted.1 < by_var.1 {
            let known = side.noted.unwrap_or(Info::nothing(shape.width));
            let both = known.range.meet(&between(shape.width, wanted, signed)).ok_or(Contradiction)?;
            if both != known.range {
                self.change_range(shape.term, &known, both);
            }
        }
        Ok(range)
    }
}

/// What the change of a term's range does to a literal that watches it.
pub(super) fn effect(terms: &Terms, literal: Literal, term: TermId, old: &Range, new: &Range) -> Effect {
    let Node::Binary(op, a, b) = terms.node(literal.atom) else { return Effect::Order };
    match op {
        Binary::Eq if !literal.truth => effect_on_unequal(terms, (a, b), term, old, new),
        Binary::Ult | Binary::Slt => {
            let signed = op == Binary::Slt;
            let (less, greater) = if literal.truth { (a, b) } else { (b, a) };
            match (changed_shape(terms, less, term), changed_shape(terms, greater, term)) {
                (Some(shape), None) => effect_on_end(&shape, old, new, signed, |ends| ends.0),
                (None, Some(shape)) => effect_on_end(&shape, old, new, signed, |ends| ends.1),
                _ => Effect::Order,
            }
        }
        _ => Effect::Order,
    }
}

// a ≠ v takes v away only if it is at an end of a;   a ≠ b takes nothing away until one of them is known
fn effect_on_unequal(
    terms: &Terms,
    (a, b): (TermId, TermId),
    term: TermId,
    old: &Range,
    new: &Range,
) -> Effect {
    if let Node::Extract { from, low } = terms.node(a)
        && from == term
    {
        let part = bits(terms.width(a)) << low;
        let are_same = (old.zeros | old.ones) & part == (new.zeros | new.ones) & part;
        let is_bounded = (new.umin ^ new.umax) >> low & !bits(terms.width(a)) == 0;
        return if are_same && !is_bounded { Effect::Nothing } else { Effect::Order };
    }
    let (shape, other) = match (changed_shape(terms, a, term), changed_shape(terms, b, term)) {
        (Some(shape), None) => (shape, b),
        (None, Some(shape)) => (shape, a),
        _ => return Effect::Order,
    };
    let matters = match terms.value(other) {
        Some(_) if !shape.is_var() => true,
        Some(value) => {
            let (value, number) = (value as u64, sign(new.width, value as u64));
            new.umin == value || new.umax == value || new.smin == number || new.smax == number
        }
        None => new.single().is_some(),
    };
    if matters { Effect::Order } else { Effect::Nothing }
}

fn effect_on_end(shape: &Shape, old: &Range, new: &Range, signed: bool, end: impl Fn(Ends) -> u64) -> Effect {
    // A number whose sign is known is the same in both orders; a sum that does not wrap is its operand moved.
    let is_extended = shape.extend.is_some();
    let gets_sign = (signed || is_extended) && has_sign(old) != has_sign(new);
    if gets_sign || shape.fits(old, signed) != shape.fits(new, signed) {
        Effect::Order
    } else if end(shape.ends(old, signed)) != end(shape.ends(new, signed)) {
        Effect::Bounds
    } else {
        Effect::Nothing
    }
}

fn has_sign(range: &Range) -> bool {
    range.smin >= 0 || range.smax < 0
}

/// The shape of a side, if it is made of the term that has changed, or is that term.
fn changed_shape(terms: &Terms, side: TermId, term: TermId) -> Option<Shape> {
    if side == term {
        // Whatever it is made of, its own range has changed.
        return Some(Shape { term, var: term, extend: None, offset: 0, width: terms.width(term) });
    }
    Shape::of(terms, side).filter(|shape| shape.var == term)
}
