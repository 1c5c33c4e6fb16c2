//! From the range of a term to the ranges of what it is made of; one rule per operation.
//!
//! Judgment: `t ∈ R ⊢ a ∈ A` for operands `a` of `t`. What cannot be said of operands is noted for the term
//! itself.

use super::arith::shortened;
use super::linear::Linear;
use super::propagate::{Contradiction, RuleResult, Work};
use super::range::{RANGE_BITS, Range, bits};
use super::read::is_linear;
use crate::arena::TermId;
use crate::node::{Binary, Extend, Node, Unary};

/// Adds that a term is in a range.
pub(super) fn push_down(work: &mut Work<'_>, term: TermId, range: &Range) -> RuleResult {
    let width = work.terms.width(term);
    if width > RANGE_BITS || range.is_full() {
        return Ok(());
    }
    if let Some(known) = work.reader().range_of_free(term) {
        let both = known.meet(range).ok_or(Contradiction)?;
        if both != known {
            work.set_range(term, &known, both);
        }
        return Ok(());
    }
    // The form of a term with a link or a known value is no longer about its operands.
    let node = work.terms.node(term);
    if !is_linear(work.terms, node)
        && work.reader().info(term).is_some_and(|info| info.has_link() || info.range.single().is_some())
    {
        below(work, term, node, range)?;
    }
    let form = work.reader().form(term);
    match &form.parts[..] {
        [] if range.has(form.constant) => Ok(()),
        [] => Err(Contradiction),
        [(base, 1)] if form.constant == 0 => narrow(work, *base, range),
        _ => {
            push_parts(work, &form, range)?;
            note_if_lost(work, term, range)
        }
    }
}

// k + Σ cᵢ·bᵢ ∈ R  ⊢  cⱼ·bⱼ ∈ R - k - Σ{i≠j} cᵢ·bᵢ
pub(super) fn push_parts(work: &mut Work<'_>, form: &Linear, range: &Range) -> RuleResult {
    for (at, &(base, factor)) in form.parts.iter().enumerate() {
        let rest = form.without(at);
        let others = work.reader().range_of(&rest, range.width);
        if !rest.parts.is_empty() && others.is_full() {
            continue;
        }
        let product = range.add(&others.neg());
        let solutions = work.reader().range(base).unscale(factor, &product).ok_or(Contradiction)?;
        narrow(work, base, &solutions)?;
    }
    Ok(())
}

/// Notes the range of a sum as far as its parts do not say the same.
fn note_if_lost(work: &mut Work<'_>, term: TermId, range: &Range) -> RuleResult {
    let known = work.reader().range(term);
    let both = known.meet(range).ok_or(Contradiction)?;
    if both != known {
        work.set_range(term, &known, both);
    }
    Ok(())
}

/// Adds that a base is in a range.
pub(super) fn narrow(work: &mut Work<'_>, base: TermId, range: &Range) -> RuleResult {
    let known = work.reader().range(base);
    let both = known.meet(range).ok_or(Contradiction)?;
    let node = work.terms.node(base);
    if both.is_full() || (both == known && matches!(node, Node::Var(_))) {
        return Ok(());
    }
    // The truth of a condition is noted when the condition is assumed, with all that follows.
    if let Some(value) = both.single()
        && is_condition(work, base, node)
    {
        work.derive(base, value != 0);
        return Ok(());
    }
    // A range that follows from the operands is noted, too, lest it be lost when they are too far away to be looked at.
    if both != known {
        work.set_range(base, &known, both);
    } else if work.reader().noted(base) != Some(both) {
        work.layer.set_range(base, both);
    }
    // Even an old range may say something new of the operands, since the facts about them have changed.
    below(work, base, node, &both)
}

/// Goes one level down, if not too much of the term has been visited.
fn below(work: &mut Work<'_>, term: TermId, node: Node, range: &Range) -> RuleResult {
    if work.fuel == 0 {
        return Ok(());
    }
    work.fuel -= 1;
    operands(work, term, node, range)
}

fn is_condition(work: &Work<'_>, term: TermId, node: Node) -> bool {
    work.terms.width(term) == 1 && !matches!(node, Node::Var(_) | Node::Extract { .. })
}

/// Adds what follows for the operands of a term that is in a range.
pub(super) fn operands(work: &mut Work<'_>, term: TermId, node: Node, range: &Range) -> RuleResult {
    match node {
        Node::Extend(Extend::Zero, a) => {
            // zext a ∈ R  ⊢  a ∈ R, which fits
            let short = shortened(range, work.terms.width(a)).ok_or(Contradiction)?;
            push_down(work, a, &short)
        }
        Node::Extend(Extend::Sign, a) => sign_extended(work, a, range),
        Node::Extract { from, low } => extracted(work, from, low, range),
        Node::Binary(op, a, b) => binary(work, op, a, b, range),
        Node::Ite(condition, a, b) => choice(work, condition, a, b, range),
        Node::Unary(op, a) => counted(work, op, a, range),
        Node::Const(_) | Node::Var(_) => {
            debug_assert!(work.terms.width(term) == range.width, "a range should fit its term");
            Ok(())
        }
    }
}

// sext a ∈ R  ⊢  s(a) ∈ signed bounds of R, and the low bits of both are the same
fn sign_extended(work: &mut Work<'_>, a: TermId, range: &Range) -> RuleResult {
    let width = work.terms.width(a);
    let full = Range::full(width);
    let (least, most) = (range.smin.max(full.smin), range.smax.min(full.smax));
    if least > most {
        return Err(Contradiction);
    }
    let bounded = Range::between_signed(width, least, most);
    let low = Range::with_bits(width, range.zeros, range.ones);
    push_down(work, a, &bounded.meet(&low).ok_or(Contradiction)?)
}

// (low n bits of a from i on) ∈ R  ⊢  the known bits of R are those of a;
// if a fits n bits, it is the extracted number
fn extracted(work: &mut Work<'_>, from: TermId, low: u32, range: &Range) -> RuleResult {
    let width = work.terms.width(from);
    if width > RANGE_BITS {
        return Ok(());
    }
    let whole = work.reader().range(from);
    let part = Range::full(range.width);
    let mut known = Range::with_bits(width, range.zeros << low, range.ones << low);
    if low == 0 && whole.umax <= part.umax {
        known = known.meet(&Range::between(width, range.umin, range.umax)).ok_or(Contradiction)?;
    }
    if low == 0 && part.smin <= whole.smin && whole.smax <= part.smax {
        known = known.meet(&Range::between_signed(width, range.smin, range.smax)).ok_or(Contradiction)?;
    }
    push_down(work, from, &known)
}

// c ? a : b ∈ R, a ∉ R  ⊢  ¬c, b ∈ R        and so for b
fn choice(work: &mut Work<'_>, condition: TermId, a: TermId, b: TermId, range: &Range) -> RuleResult {
    let reader = work.reader();
    let chosen = match reader.truth(condition) {
        Some(chosen) => Some(chosen),
        None => match (reader.range(a).meet(range), reader.range(b).meet(range)) {
            (None, None) => return Err(Contradiction),
            (None, Some(_)) => Some(false),
            (Some(_), None) => Some(true),
            (Some(_), Some(_)) => None,
        },
    };
    let Some(chosen) = chosen else { return Ok(()) };
    if work.reader().truth(condition).is_none() {
        work.derive(condition, chosen);
    }
    push_down(work, if chosen { a } else { b }, range)
}

// count of a ∈ R, 0 ∉ R or 0 only  ⊢  something about zero
fn counted(work: &mut Work<'_>, op: Unary, a: TermId, range: &Range) -> RuleResult {
    let width = work.terms.width(a);
    // The count of zeros is n only for 0, and the count of ones is 0 only for 0; where the count fits the width.
    if u64::from(width) > bits(width) {
        return Ok(());
    }
    let of_zero = match op {
        Unary::Popcount => 0,
        _ => u64::from(width),
    };
    let known = match range.single() {
        Some(value) if value == of_zero => Range::of(width, 0),
        _ if !range.has(of_zero) => Range::between(width, 1, bits(width)),
        _ => return Ok(()),
    };
    push_down(work, a, &known)
}

fn binary(work: &mut Work<'_>, op: Binary, a: TermId, b: TermId, range: &Range) -> RuleResult {
    let (known_a, known_b) = (work.reader().range(a), work.reader().range(b));
    match op {
        Binary::And | Binary::Or | Binary::Xor => {
            push_down(work, a, &bitwise(op, &known_b, range).ok_or(Contradiction)?)?;
            push_down(work, b, &bitwise(op, &known_a, range).ok_or(Contradiction)?)
        }
        Binary::Concat => concat(work, a, b, range),
        Binary::Lshr | Binary::Ashr => shifted(work, op, a, &known_b, range),
        Binary::Udiv => divided(work, a, &known_b, range),
        // a % b ≤ a;   a % b = a if a < b
        Binary::Urem if known_a.umax < known_b.umin => push_down(work, a, range),
        Binary::Urem => push_down(work, a, &Range::between(range.width, range.umin, bits(range.width))),
        // a·b = r, b a known value  ⊢  a among the solutions;   a·b ≠ 0  ⊢  a ≠ 0, b ≠ 0
        Binary::Mul => {
            if let Some(factor) = known_b.single() {
                return push_down(work, a, &known_a.unscale(factor, range).ok_or(Contradiction)?);
            }
            if range.has(0) {
                return Ok(());
            }
            push_down(work, a, &known_a.without(0).ok_or(Contradiction)?)?;
            push_down(work, b, &known_b.without(0).ok_or(Contradiction)?)
        }
        _ => Ok(()),
    }
}

/// The range of one operand of an operation bit by bit; `other` is that of the other one.
fn bitwise(op: Binary, other: &Range, range: &Range) -> Option<Range> {
    let width = range.width;
    match op {
        // a & b = r  ⊢  a has the ones of r, and a zero where r has one and b a one;   a & b ≤ a
        Binary::And => Range::with_bits(width, range.zeros & other.ones, range.ones).meet(&Range::between(
            width,
            range.umin,
            bits(width),
        )),
        // a | b = r  ⊢  a has the zeros of r, and a one where r has one and b a zero;   a ≤ a | b
        Binary::Or => Range::with_bits(width, range.zeros, range.ones & other.zeros)
            .meet(&Range::between(width, 0, range.umax)),
        // a ⊕ b = r  ⊢  a = r ⊕ b, bit by bit
        _ => {
            let known = (range.zeros | range.ones) & (other.zeros | other.ones);
            let value = range.ones ^ other.ones;
            Some(Range::with_bits(width, known & !value, known & value))
        }
    }
}

// (a in front of b) ∈ R  ⊢  a ∈ R / 2ᵐ;   b has the low bits, and if a is known, b ∈ R - a·2ᵐ
fn concat(work: &mut Work<'_>, a: TermId, b: TermId, range: &Range) -> RuleResult {
    let (front, shift) = (work.terms.width(a), work.terms.width(b));
    let (least, most) = (range.umin >> shift, range.umax >> shift);
    let high = Range::with_bits(front, range.zeros >> shift, range.ones >> shift);
    push_down(work, a, &high.meet(&Range::between(front, least, most)).ok_or(Contradiction)?)?;
    let mut low = Range::with_bits(shift, range.zeros, range.ones);
    if least == most {
        let all = bits(shift);
        low = low.meet(&Range::between(shift, range.umin & all, range.umax & all)).ok_or(Contradiction)?;
    }
    push_down(work, b, &low)
}

// a >> k ∈ [l, h]  ⊢  a ∈ [l·2ᵏ, h·2ᵏ + 2ᵏ - 1],   for constants k below the width; the known bits move, too
fn shifted(work: &mut Work<'_>, op: Binary, a: TermId, by: &Range, range: &Range) -> RuleResult {
    let width = range.width;
    let Some(shift) = by.single().filter(|&shift| shift < u64::from(width)) else { return Ok(()) };
    let low = (1u64 << shift) - 1;
    let moved = Range::with_bits(width, range.zeros << shift, range.ones << shift);
    let bounded = if op == Binary::Lshr {
        let most = bits(width) >> shift;
        let (least, last) = (range.umin.min(most), range.umax.min(most));
        Range::between(width, least << shift, last << shift | low)
    } else {
        let full = Range::full(width);
        let (first, last) = (full.smin >> shift, full.smax >> shift);
        let (least, most) = (range.smin.clamp(first, last), range.smax.clamp(first, last));
        Range::between_signed(width, least << shift, most << shift | low as i64)
    };
    push_down(work, a, &bounded.meet(&moved).ok_or(Contradiction)?)
}

// a / c ∈ [l, h]  ⊢  a ∈ [l·c, h·c + c - 1],   for constants 0 < c
fn divided(work: &mut Work<'_>, a: TermId, by: &Range, range: &Range) -> RuleResult {
    let width = range.width;
    let Some(divisor) = by.single().filter(|&divisor| divisor > 0) else { return Ok(()) };
    let least = u128::from(range.umin) * u128::from(divisor);
    let most = u128::from(range.umax) * u128::from(divisor) + u128::from(divisor - 1);
    let all = u128::from(bits(width));
    if least > all {
        return Err(Contradiction);
    }
    push_down(work, a, &Range::between(width, least as u64, most.min(all) as u64))
}
