//! The shortest way for what most branches are: a variable compared with a number, or a flag in it.
//!
//! The rules are those of `propagate`. What makes them short: the variable's range is all there is to know
//! before, and, but for a disequality in the middle of it, all there is to remember afterwards.

use super::forward::extracted;
use super::layer::{Info, Literal};
use super::range::{RANGE_BITS, Range, bits, low_bits};
use super::read::Reader;
use super::side::{between, ends};
use crate::arena::TermId;
use crate::node::{Binary, Node};

/// What a literal comes to.
pub(super) enum Quick {
    /// It is something else, or the variable has a link.
    Other,
    /// The facts imply it.
    Implied,
    /// The facts imply its negation.
    Refuted,
    /// It says that the variable is in a smaller range, and nothing else.
    Narrowed { var: TermId, known: Info, rest: Range },
    /// It takes a value out of the middle of the variable's range, or out of the range of some of its bits.
    Hole { var: TermId, known: Info, atom: Info, part: Option<Part> },
}

/// Bits of a variable, what was known of them, and what is left.
pub(super) struct Part {
    pub(super) term: TermId,
    pub(super) known: Range,
    pub(super) rest: Range,
}

/// What a literal comes to, if it is about the value of one variable.
pub(super) fn examine(reader: Reader<'_>, literal: Literal) -> Quick {
    let (op, a, b) = match reader.terms.node(literal.atom) {
        Node::Binary(op @ (Binary::Eq | Binary::Ult | Binary::Slt), a, b) => (op, a, b),
        Node::Extract { from, low } => return bit(reader, literal, from, low),
        _ => return Quick::Other,
    };
    let terms = reader.terms;
    let (var, value, turned) = match (terms.value(a), terms.value(b)) {
        (None, Some(value)) if terms.is_var(a) => (a, value, false),
        (Some(value), None) if terms.is_var(b) => (b, value, true),
        (None, Some(value)) if op == Binary::Eq => match terms.node(a) {
            Node::Extract { from, low } => return part(reader, literal, (a, from, low), value as u64),
            _ => return Quick::Other,
        },
        _ => return Quick::Other,
    };
    let width = reader.terms.width(var);
    // Of one bit, the comparison and the variable are the same condition.
    if width > RANGE_BITS || width == 1 {
        return Quick::Other;
    }
    let Some(info) = reader.info_of_free(var) else { return Quick::Other };
    let known = info.range;
    if op == Binary::Eq {
        return equal(reader, literal, var, &info, &Range::of(width, value as u64));
    }
    let signed = op == Binary::Slt;
    let (least, most) = ends(&known, signed);
    let value = ends(&Range::of(width, value as u64), signed).0;
    // v < c  ⊢  v ≤ c - 1        c ≤ v and so on, for the four cases
    let wanted = if turned == literal.truth {
        value.checked_add(literal.truth.into()).map(|least| (least, bits(width)))
    } else {
        value.checked_sub(literal.truth.into()).map(|most| (0, most))
    };
    match wanted {
        Some(wanted) if wanted.0 <= most && least <= wanted.1 => {
            if wanted.0 <= least && most <= wanted.1 {
                return Quick::Implied;
            }
            let wanted = (wanted.0.max(least), wanted.1.min(most));
            match known.meet(&between(width, wanted, signed)) {
                None => Quick::Refuted,
                Some(rest) => Quick::Narrowed { var, known: info, rest },
            }
        }
        _ => Quick::Refuted,
    }
}

/// A bit of a variable: `flags & 4`.
fn bit(reader: Reader<'_>, literal: Literal, var: TermId, low: u32) -> Quick {
    if !reader.terms.is_var(var) || reader.terms.width(var) > RANGE_BITS {
        return Quick::Other;
    }
    let Some(info) = reader.info_of_free(var) else { return Quick::Other };
    let known = info.range;
    let bit = 1u64 << low;
    let (zeros, ones) = if literal.truth { (0, bit) } else { (bit, 0) };
    match known.meet(&Range::with_bits(known.width, zeros, ones)) {
        None => Quick::Refuted,
        Some(rest) if rest == known => Quick::Implied,
        Some(rest) => Quick::Narrowed { var, known: info, rest },
    }
}

/// Some bits of a variable compared with a number: `(p & 7) == 0`.
fn part(reader: Reader<'_>, literal: Literal, (term, var, low): (TermId, TermId, u32), value: u64) -> Quick {
    let Some(info) = reader.info_of_free(var) else { return Quick::Other };
    let known = info.range;
    let width = reader.terms.width(term);
    let noted = reader.info(term);
    if known.width > RANGE_BITS || width == 1 || noted.is_some_and(|noted| noted.has_link()) {
        return Quick::Other;
    }
    let atom = reader.info(literal.atom).copied().unwrap_or(Info::nothing(1));
    if let Some(noted) = atom.range.single() {
        return if (noted != 0) == literal.truth { Quick::Implied } else { Quick::Refuted };
    }
    let by_var = extracted(&known, low, width);
    let Some(present) = noted.map_or(Some(by_var), |noted| by_var.meet(&noted.range)) else {
        return Quick::Refuted;
    };
    let is_possible = present.has(value);
    match (literal.truth, present.single()) {
        (true, _) if !is_possible => Quick::Refuted,
        (false, _) if !is_possible => Quick::Implied,
        (true, _) => {
            let all = low_bits(width);
            let wanted = Range::with_bits(known.width, (!value & all) << low, value << low);
            match known.meet(&wanted) {
                None => Quick::Refuted,
                Some(rest) if rest == known => Quick::Implied,
                Some(rest) => Quick::Narrowed { var, known: info, rest },
            }
        }
        (false, _) => match present.without(value) {
            None => Quick::Refuted,
            // Known bits say more of the variable.
            Some(rest) if rest.single().is_some() => Quick::Other,
            Some(rest) => {
                Quick::Hole { var, known: info, atom, part: Some(Part { term, known: present, rest }) }
            }
        },
    }
}

fn equal(reader: Reader<'_>, literal: Literal, var: TermId, info: &Info, number: &Range) -> Quick {
    let known = &info.range;
    let atom = reader.info(literal.atom).copied().unwrap_or(Info::nothing(1));
    if let Some(noted) = atom.range.single() {
        return if (noted != 0) == literal.truth { Quick::Implied } else { Quick::Refuted };
    }
    let is_possible = known.has(number.umin);
    match (literal.truth, known.single()) {
        (true, _) if !is_possible => Quick::Refuted,
        (false, _) if !is_possible => Quick::Implied,
        (true, Some(_)) => Quick::Implied,
        (true, None) => Quick::Narrowed { var, known: *info, rest: *number },
        (false, _) => match known.without(number.umin) {
            None => Quick::Refuted,
            Some(rest) if rest.has(number.umin) => Quick::Hole { var, known: *info, atom, part: None },
            Some(rest) => Quick::Narrowed { var, known: *info, rest },
        },
    }
}
