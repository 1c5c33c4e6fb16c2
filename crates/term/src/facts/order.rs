//! Order between terms: difference constraints `a ≤ b + w` over the integers, and what follows from chains of
//! them.
//!
//! Judgment: `F ⊢ a ≤ b + w`, where the facts `F` are the comparisons that watch a base. Terms are
//! bit-vectors, so a comparison says something about integers only where no operation in between wraps; the
//! ranges at hand must show that. Then `i + 1 < n` is `i ≤ n - 2`, and sign- or zero-extended indices are the
//! indices themselves.

use base::limits;
use smallvec::SmallVec;

use super::layer::Literal;
use super::range::{Range, bits, sign};
use super::read::Reader;
use super::side::{Side, between};
use crate::arena::{TermId, Terms};
use crate::node::{Binary, Extend, Node};

/// A base read as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number {
    base: TermId,
    /// Read in two's complement; false if the sign is known, for then the readings differ by a constant.
    signed: bool,
}

/// A term as an integer: `number + offset`, without wrap-around.
#[derive(Clone, Copy, Debug)]
struct Point {
    number: Number,
    offset: i128,
}

/// `from ≤ to + weight`.
struct Edge {
    from: Number,
    to: Number,
    weight: i128,
}

/// What follows for `a < b` from chains of comparisons.
pub(super) fn compare(reader: Reader<'_>, signed: bool, a: TermId, b: TermId) -> Option<bool> {
    let reader = reader.for_chains();
    let (first, second) = (
        point(reader, a, signed, limits::FACTS_EXTENSIONS)?,
        point(reader, b, signed, limits::FACTS_EXTENSIONS)?,
    );
    // a ≤ b + w,  w ≤ -1  ⊢  a < b
    let up = distance(reader, first.number, second.number, None);
    if up.is_some_and(|weight| weight + first.offset - second.offset < 0) {
        return Some(true);
    }
    // b ≤ a + w,  w ≤ 0  ⊢  ¬(a < b)
    let down = distance(reader, second.number, first.number, None);
    if down.is_some_and(|weight| weight + second.offset - first.offset <= 0) {
        return Some(false);
    }
    None
}

/// What a comparison does to the chains it closes.
pub(super) enum Closed {
    /// Nothing is known.
    Open,
    /// `a < b` and `b ≤ a`.
    Contradiction,
    /// `a ≤ b + w` and `b + w ≤ a`: the greater side is just as much greater as it must be.
    Tight,
}

/// Compares a literal (`a < b` or its negation) with the chains between its sides.
pub(super) fn closed(reader: Reader<'_>, literal: Literal) -> Closed {
    let reader = reader.for_chains();
    closed_by_edges(reader, literal, edges(reader, literal))
}

/// The same of a literal between two sides, the lesser one first, whose variables are in the ranges beside them.
pub(super) fn closed_by_sides(
    reader: Reader<'_>,
    literal: Literal,
    (less, greater): ((&Side, &Range), (&Side, &Range)),
    signed: bool,
) -> Closed {
    let point = |(side, range): (&Side, &Range)| point_of_side(side, range, signed);
    let (Some(less), Some(greater)) = (point(less), point(greater)) else { return Closed::Open };
    let weight = greater.offset - less.offset - i128::from(literal.truth);
    let edge = Edge { from: less.number, to: greater.number, weight };
    closed_by_edges(reader.for_chains(), literal, [edge])
}

fn closed_by_edges(reader: Reader<'_>, literal: Literal, edges: impl IntoIterator<Item = Edge>) -> Closed {
    for edge in edges {
        match distance(reader, edge.to, edge.from, Some(literal)) {
            // a ≤ b + w,  b ≤ a + v,  w + v < 0  ⊢  false
            Some(back) if edge.weight + back < 0 => return Closed::Contradiction,
            Some(back) if edge.weight + back == 0 => return Closed::Tight,
            _ => {}
        }
    }
    Closed::Open
}

/// The least `w` that was found with `from ≤ to + w`, following at most [`limits::FACTS_EDGES`] comparisons other than `except`.
fn distance(reader: Reader<'_>, from: Number, to: Number, except: Option<Literal>) -> Option<i128> {
    let mut reached: SmallVec<[(Number, i128); 8]> = SmallVec::new();
    reached.push((from, 0));
    let mut fuel = limits::FACTS_EDGES;
    let mut next = 0;
    while let Some(&(number, so_far)) = reached.get(next) {
        next += 1;
        if number == to {
            continue;
        }
        for literal in reader.watchers(number.base) {
            if fuel == 0 {
                break;
            }
            fuel -= 1;
            if Some(literal) == except {
                continue;
            }
            if !may_leave(reader.terms, literal, number) {
                continue;
            }
            for edge in edges(reader, literal).into_iter().filter(|edge| edge.from == number) {
                let weight = so_far + edge.weight;
                match reached.iter_mut().find(|it| it.0 == edge.to) {
                    Some(known) => known.1 = known.1.min(weight),
                    None => reached.push((edge.to, weight)),
                }
            }
        }
    }
    reached.iter().find(|it| it.0 == to).map(|it| it.1)
}

/// Whether a literal may state that a number is at most another one; a glance that spares most of the work.
fn may_leave(terms: &Terms, literal: Literal, number: Number) -> bool {
    let Node::Binary(op, a, b) = terms.node(literal.atom) else { return false };
    if terms.value(a).is_some() || terms.value(b).is_some() {
        return false;
    }
    match (op, literal.truth) {
        (Binary::Eq, truth) => truth,
        (Binary::Ult | Binary::Slt, truth) => {
            let (less, greater) = if truth { (a, b) } else { (b, a) };
            // The other variable, which has no part in the lesser side.
            !(greater == number.base && terms.is_var(less))
        }
        _ => false,
    }
}

/// The differences that a literal states.
fn edges(reader: Reader<'_>, literal: Literal) -> SmallVec<[Edge; 2]> {
    let mut edges = SmallVec::new();
    let Node::Binary(op @ (Binary::Eq | Binary::Ult | Binary::Slt), a, b) = reader.terms.node(literal.atom)
    else {
        return edges;
    };
    if reader.is_wide(a) || (op == Binary::Eq && !literal.truth) {
        return edges;
    }
    let signed = op == Binary::Slt;
    let (Some(first), Some(second)) = (
        point(reader, a, signed, limits::FACTS_EXTENSIONS),
        point(reader, b, signed, limits::FACTS_EXTENSIONS),
    ) else {
        return edges;
    };
    let mut state = |less: Point, greater: Point, strict: i128| {
        if less.number != greater.number {
            let weight = greater.offset - less.offset - strict;
            edges.push(Edge { from: less.number, to: greater.number, weight });
        }
    };
    match (op, literal.truth) {
        // a = b  ⊢  a ≤ b, b ≤ a
        (Binary::Eq, _) => {
            state(first, second, 0);
            state(second, first, 0);
        }
        // a < b  ⊢  a ≤ b - 1        ¬(a < b)  ⊢  b ≤ a
        (_, true) => state(first, second, 1),
        (_, false) => state(second, first, 0),
    }
    edges
}

/// A term as a number that is not constant.
fn point(reader: Reader<'_>, term: TermId, signed: bool, depth: u32) -> Option<Point> {
    if reader.is_wide(term) {
        return None;
    }
    if let Some(range) = reader.range_of_free(term) {
        return point_of_free(&range, term, signed);
    }
    if let Some(side) = Side::of(reader, term) {
        return point_of_side(&side, &side.info.range, signed);
    }
    let form = reader.form(term);
    let width = reader.terms.width(term);
    let (base, offset) = match &form.parts[..] {
        [] => return None,
        [(base, 1)] => (*base, form.constant),
        _ => (term, 0),
    };
    let range = reader.range(base);
    let offset = i128::from(sign(width, offset));
    // b ∈ [l, h],  0 ≤ l + c, h + c < 2ⁿ  ⊢  u(b + c) = u(b) + c,   and so for s
    let fits = if signed {
        let most = i128::from(bits(width) >> 1);
        -most - 1 <= i128::from(range.smin) + offset && i128::from(range.smax) + offset <= most
    } else {
        0 <= i128::from(range.umin) + offset && i128::from(range.umax) + offset <= i128::from(bits(width))
    };
    let (base, offset, range) = if fits { (base, offset, range) } else { (term, 0, reader.range(term)) };
    let (signed, shift) = reading(&range, signed);
    let offset = offset + shift;
    if !fits {
        return Some(Point { number: Number { base, signed }, offset });
    }
    let inner = inside(reader, base, signed, depth)?;
    Some(Point { offset: inner.offset + offset, ..inner })
}

/// The same of a variable without a link, which is its own form.
fn point_of_free(range: &Range, var: TermId, signed: bool) -> Option<Point> {
    if range.single().is_some() {
        return None;
    }
    let (signed, offset) = reading(range, signed);
    Some(Point { number: Number { base: var, signed }, offset })
}

/// The same of a variable that is extended, or has a constant added.
fn point_of_side(side: &Side, range: &Range, signed: bool) -> Option<Point> {
    let shape = &side.shape;
    if range.single().is_some() {
        return None;
    }
    if !shape.fits(range, signed) {
        let (low, high) = side.ends(signed)?;
        let (signed, offset) = reading(&between(shape.width, (low, high), signed), signed);
        return Some(Point { number: Number { base: shape.term, signed }, offset });
    }
    let offset = i128::from(sign(shape.width, shape.offset));
    let inner = match shape.extend {
        None => point_of_free(range, shape.var, signed)?,
        // The rules are those of `inside`.
        Some((Extend::Zero, _)) => point_of_free(range, shape.var, false)?,
        Some((Extend::Sign, _)) if range.smin >= 0 => point_of_free(range, shape.var, false)?,
        Some((Extend::Sign, _)) if signed && range.smax >= 0 => point_of_free(range, shape.var, true)?,
        Some((Extend::Sign, base)) => {
            let offset = if signed { -i128::from(bits(shape.width)) - 1 } else { 0 };
            Point { number: Number { base, signed: false }, offset }
        }
    };
    Some(Point { offset: inner.offset + offset, ..inner })
}

// 0 ≤ s(b)  ⊢  s(b) = u(b)        s(b) < 0  ⊢  s(b) = u(b) - 2ⁿ
fn reading(range: &Range, signed: bool) -> (bool, i128) {
    match signed {
        true if range.smin >= 0 => (false, 0),
        true if range.smax < 0 => (false, -i128::from(bits(range.width)) - 1),
        _ => (signed, 0),
    }
}

/// A base as a number: that of its operand, if the operation keeps it.
fn inside(reader: Reader<'_>, base: TermId, signed: bool, depth: u32) -> Option<Point> {
    let kept = match reader.terms.node(base) {
        // u(zext a) = s(zext a) = u(a)
        Node::Extend(Extend::Zero, a) => Some((a, false)),
        // s(sext a) = s(a);   u(sext a) = u(a) if a is not negative
        Node::Extend(Extend::Sign, a) if signed => Some((a, true)),
        Node::Extend(Extend::Sign, a) => (reader.range(a).smin >= 0).then_some((a, false)),
        // u(trunc a) = u(a) if u(a) < 2ⁿ;   s(trunc a) = s(a) if -2ⁿ⁻¹ ≤ s(a) < 2ⁿ⁻¹
        Node::Extract { from, low: 0 } if !reader.is_wide(from) => {
            let (range, width) = (reader.range(from), reader.terms.width(base));
            let most = (bits(width) >> 1) as i64;
            let fits = if signed {
                -most - 1 <= range.smin && range.smax <= most
            } else {
                range.umax <= bits(width)
            };
            fits.then_some((from, signed))
        }
        _ => None,
    };
    match kept {
        Some((operand, signed)) if depth > 0 => point(reader, operand, signed, depth - 1),
        _ => Some(Point { number: Number { base, signed }, offset: 0 }),
    }
}
