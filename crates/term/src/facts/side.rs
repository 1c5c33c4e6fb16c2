//! What most comparisons compare: a variable, promoted or not, plus a constant (`i`, `len + 4`, `(size_t) i`,
//! `c - '0'`).
//!
//! The ends of such a term, and what bounds on it say of its variable, take a few instructions here. The
//! general rules (`read`, `back`) say the same by way of linear forms. Bounds of both orders are *ranks*:
//! places in the order, counted from its least number, so that the rank of a negative number read as signed
//! is less than that of 0. Adding a constant modulo 2ⁿ is the same for numbers and for ranks.

use super::layer::Info;
use super::range::{RANGE_BITS, Range, bits, sign};
use super::read::Reader;
use crate::arena::{TermId, Terms};
use crate::node::{Binary, Extend, Node};
use crate::value::Width;

/// How a term is made of a variable: `extend(var) + offset`, modulo 2ⁿ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) term: TermId,
    pub(super) var: TermId,
    /// The extension, and the extended variable as a term.
    pub(super) extend: Option<(Extend, TermId)>,
    pub(super) offset: u64,
    /// The width of the term.
    pub(super) width: Width,
}

/// A shape with what is known of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) shape: Shape,
    /// What is known of the variable.
    pub(super) info: Info,
    /// What was noted of the term itself, if it is not the variable.
    pub(super) noted: Option<Info>,
    /// Whether no other fact connects the variable with other terms.
    pub(super) is_alone: bool,
    /// Whether it is a constant, which counts as a variable of which the value is known.
    pub(super) is_constant: bool,
}

/// Two ranks, the first not above the second.
pub(super) type Ends = (u64, u64);

impl Shape {
    /// The shape of a term of at most [`RANGE_BITS`].
    #[inline]
    pub(super) fn of(terms: &Terms, term: TermId) -> Option<Shape> {
        let width = terms.width(term);
        if width > RANGE_BITS {
            return None;
        }
        let plain = Shape { term, var: term, extend: None, offset: 0, width };
        if terms.is_var(term) {
            return Some(plain);
        }
        match terms.node(term) {
            Node::Extend(op, var) => plain.extended(terms, op, term, var),
            Node::Binary(Binary::Add, a, b) => {
                let offset = terms.value(b)? as u64;
                if terms.is_var(a) {
                    return Some(Shape { var: a, offset, ..plain });
                }
                match terms.node(a) {
                    Node::Extend(op, var) => Shape { offset, ..plain }.extended(terms, op, a, var),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn extended(self, terms: &Terms, op: Extend, term: TermId, var: TermId) -> Option<Shape> {
        terms.is_var(var).then_some(Shape { var, extend: Some((op, term)), ..self })
    }

    /// Whether the term is the variable.
    #[inline]
    pub(super) fn is_var(&self) -> bool {
        self.term == self.var
    }

    /// The ends of the term, if the variable is in a range.
    // v ∈ [l, h]  ⊢  v + c ∈ [l + c, h + c] modulo 2ⁿ, if these are in order
    #[inline]
    pub(super) fn ends(&self, range: &Range, signed: bool) -> Ends {
        let all = bits(self.width);
        let (low, high) = self.inner_ends(range, signed);
        let sum = (low.wrapping_add(self.offset) & all, high.wrapping_add(self.offset) & all);
        if sum.0 <= sum.1 { sum } else { (0, all) }
    }

    /// The ends without the offset.
    #[inline]
    fn inner_ends(&self, range: &Range, signed: bool) -> Ends {
        match self.extend {
            None => ends(range, signed),
            // zext v is not negative
            Some((Extend::Zero, _)) => {
                let shift = if signed { half(self.width) } else { 0 };
                (range.umin + shift, range.umax + shift)
            }
            Some((Extend::Sign, _)) if signed => {
                (rank(self.width, range.smin, true), rank(self.width, range.smax, true))
            }
            // Unsigned, the negative ones come last.
            Some((Extend::Sign, _)) if range.smin < 0 && range.smax >= 0 => (0, bits(self.width)),
            Some((Extend::Sign, _)) => {
                (rank(self.width, range.smin, false), rank(self.width, range.smax, false))
            }
        }
    }

    /// Whether `extend(v) + offset`, read as integers, is a number of the width for all values of the variable.
    #[inline]
    pub(super) fn fits(&self, range: &Range, signed: bool) -> bool {
        if self.offset == 0 {
            return true;
        }
        let (low, high) = self.inner_ends(range, signed);
        let all = i128::from(bits(self.width));
        let offset = i128::from(sign(self.width, self.offset));
        0 <= i128::from(low) + offset && i128::from(high) + offset <= all
    }

    /// The values of the variable with which the term is between two ends; `None` if there is none.
    pub(super) fn pulled(&self, range: &Range, wanted: Ends, signed: bool) -> Option<Range> {
        let all = bits(self.width);
        let known = self.inner_ends(range, signed);
        let low = wanted.0.wrapping_sub(self.offset) & all;
        let high = wanted.1.wrapping_sub(self.offset) & all;
        // v + c ∈ [l, h]  ⊢  v ∈ [l - c, h - c] modulo 2ⁿ, which is one interval or the first and the last numbers
        let (low, high) = if low <= high {
            (low.max(known.0), high.min(known.1))
        } else {
            let in_first = known.0 <= high;
            let in_last = low <= known.1;
            match (in_first, in_last) {
                (true, true) => return Some(*range),
                (true, false) => (known.0, high.min(known.1)),
                (false, true) => (low.max(known.0), known.1),
                (false, false) => return None,
            }
        };
        if low > high {
            return None;
        }
        self.shortened(range, (low, high), signed)
    }

    /// The values of the variable that are, extended, between two ends.
    fn shortened(&self, range: &Range, (low, high): Ends, signed: bool) -> Option<Range> {
        let width = range.width;
        let bounded = match self.extend {
            None => between(width, (low, high), signed),
            Some((Extend::Zero, _)) => {
                let shift = if signed { half(self.width) } else { 0 };
                let (low, high) = (low.max(shift) - shift, high.checked_sub(shift)?.min(bits(width)));
                if low > high {
                    return None;
                }
                Range::between(width, low, high)
            }
            Some((Extend::Sign, _)) => {
                // Unsigned, numbers of both signs have an end of each: these say nothing of the sign.
                let (low, high) = if signed {
                    (sign(self.width, low ^ half(self.width)), sign(self.width, high ^ half(self.width)))
                } else {
                    (sign(self.width, low), sign(self.width, high))
                };
                if low > high {
                    return Some(*range);
                }
                let full = Range::full(width);
                let (low, high) = (low.max(full.smin), high.min(full.smax));
                if low > high {
                    return None;
                }
                Range::between_signed(width, low, high)
            }
        };
        range.meet(&bounded)
    }
}

impl Side {
    /// A constant, or a term that has a shape, if its variable has no link.
    #[inline]
    pub(super) fn of(reader: Reader<'_>, term: TermId) -> Option<Side> {
        if !reader.terms.is_var(term)
            && let Some(value) = reader.terms.value(term)
        {
            return Side::constant(term, reader.terms.width(term), value);
        }
        let shape = Shape::of(reader.terms, term)?;
        let info = match reader.info(shape.var) {
            None => Info::nothing(reader.terms.width(shape.var)),
            Some(info) if info.has_link() => return None,
            Some(info) => *info,
        };
        let mut side = Side { shape, info, noted: None, is_alone: info.is_plain(), is_constant: false };
        if shape.is_var() {
            return Some(side);
        }
        if let Some(info) = reader.info(term) {
            if info.has_link() {
                return None;
            }
            side.is_alone &= info.is_plain();
            side.noted = Some(*info);
        }
        match shape.extend {
            Some((_, inner)) if inner != term => {
                let info = reader.info(inner);
                if info.is_some_and(|info| info.has_link() || !info.range.is_full()) {
                    return None;
                }
                side.is_alone &= info.is_none_or(|info| info.is_plain());
            }
            _ => {}
        }
        Some(side)
    }

    fn constant(term: TermId, width: Width, value: u128) -> Option<Side> {
        if width > RANGE_BITS {
            return None;
        }
        let shape = Shape { term, var: term, extend: None, offset: 0, width };
        let info = Info::only(Range::of(width, value as u64));
        Some(Side { shape, info, noted: None, is_alone: true, is_constant: true })
    }

    /// The ends of the term; `None` if there is no value.
    #[inline]
    pub(super) fn ends(&self, signed: bool) -> Option<Ends> {
        let by_var = self.shape.ends(&self.info.range, signed);
        let Some(noted) = &self.noted else { return Some(by_var) };
        let noted = ends(&noted.range, signed);
        let both = (by_var.0.max(noted.0), by_var.1.min(noted.1));
        (both.0 <= both.1).then_some(both)
    }

    /// Whether the value is known.
    #[inline]
    pub(super) fn is_known(&self) -> bool {
        self.info.range.single().is_some()
    }
}

/// The ends of a range.
#[inline]
pub(super) fn ends(range: &Range, signed: bool) -> Ends {
    if signed {
        (rank(range.width, range.smin, true), rank(range.width, range.smax, true))
    } else {
        (range.umin, range.umax)
    }
}

/// All numbers between two ends.
pub(super) fn between(width: Width, (low, high): Ends, signed: bool) -> Range {
    if signed {
        let half = half(width);
        Range::between_signed(width, sign(width, low ^ half), sign(width, high ^ half))
    } else {
        Range::between(width, low, high)
    }
}

/// The rank of a number in two's complement.
#[inline]
fn rank(width: Width, number: i64, signed: bool) -> u64 {
    let value = number as u64 & bits(width);
    if signed { value ^ half(width) } else { value }
}

#[inline]
fn half(width: Width) -> u64 {
    1 << (width - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::var::Origin;

    /// The value of a term that has a shape.
    fn value(shape: &Shape, var: u64, width: Width) -> u64 {
        let extended = match shape.extend {
            Some((Extend::Sign, _)) => sign(width, var) as u64,
            _ => var,
        };
        extended.wrapping_add(shape.offset) & bits(shape.width)
    }

    /// `x + c`, `zext x + c`, `sext x + c` with four bits each, and the width of `x`.
    fn shapes(terms: &mut Terms) -> Vec<(Shape, Width)> {
        let (word, short) = (terms.fresh(4, Origin::Parameter, "x"), terms.fresh(3, Origin::Parameter, "y"));
        let bases = [(word, 4), (terms.zext(short, 4), 3), (terms.sext(short, 4), 3)];
        let mut shapes = Vec::new();
        for (base, width) in bases {
            for offset in 0..16 {
                let offset = terms.constant(4, offset);
                let term = terms.add(base, offset);
                shapes.push((Shape::of(terms, term).expect("the term should have a shape"), width));
            }
        }
        shapes
    }

    #[test]
    fn ends_and_what_they_say_of_the_variable_leave_no_value_out() {
        let mut terms = Terms::new();
        for (shape, width) in shapes(&mut terms) {
            let all = bits(width);
            for (low, high) in (0..=all).flat_map(|a| (a..=all).map(move |b| (a, b))) {
                for (signed, known) in [(true, true), (true, false), (false, true), (false, false)] {
                    let range = between(width, (low, high), known);
                    let values: Vec<u64> = (0..=all).filter(|&it| range.has(it)).collect();
                    let rank_of = |var| {
                        let value = value(&shape, var, width);
                        if signed { value ^ half(4) } else { value }
                    };
                    let ends = shape.ends(&range, signed);
                    assert!(values.iter().all(|&it| (ends.0..=ends.1).contains(&rank_of(it))));
                    for wanted in (0..16).flat_map(|a| (a..16).map(move |b| (a, b))) {
                        let rest = shape.pulled(&range, wanted, signed);
                        for &it in values.iter().filter(|&&it| (wanted.0..=wanted.1).contains(&rank_of(it))) {
                            assert!(rest.is_some_and(|rest| rest.has(it)), "{shape:?} {range:?} {wanted:?}");
                        }
                    }
                }
            }
        }
    }
}
