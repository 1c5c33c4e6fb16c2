//! Which block an address points into, and which bytes of it.
//!
//! Judgment: `path ⊢ address = base(block) + place`. An address is read as a sum; the block is the one whose
//! base is among the summands, or is equal to one of them by what the path knows. An address that is a choice
//! (`c ? p : q`) splits the path. Cells whose offsets may or may not be equal split it, too: `a[i]` and
//! `a[j]` are the same cell, or apart.
//! Source: none; in Le et al. Fig. 3 an address is a variable.
//! Not covered: partial overlap of two unknown offsets (fewer paths are sound here).

use base::limits;
use term::{Node, TermId, Terms, signed};

use crate::arena::Arena;
use crate::block::{BlockId, Place};
use crate::path::{Condition, Reason};
use crate::site::Made;
use crate::state::{NULL_PAGE, State};

/// Where an address points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Located {
    /// Nowhere: it is null, or so near to null that it comes from it.
    Null,
    /// Into a block.
    In(BlockId, Place),
    /// Into memory that this path has not met; found by this pointer.
    New(TermId, Place),
}

/// All ways in which the address points somewhere.
pub fn locate(arena: &mut Arena, state: State, address: TermId, made: Made) -> Vec<(State, Located)> {
    let mut found = Vec::new();
    let mut todo = vec![(state, address)];
    let mut splits = 0;
    while let Some((state, address)) = todo.pop() {
        if let Some((condition, on_true, on_false)) = choice_in(&mut arena.terms, address) {
            splits += 1;
            if splits > limits::HEAP_SPLITS {
                continue;
            }
            let negation = arena.terms.not(condition);
            for (condition, address) in [(negation, on_false), (condition, on_true)] {
                let mut fork = state.clone();
                let condition = Condition { term: condition, made, reason: Reason::Branch };
                if fork.path.assume(&mut arena.terms, condition) {
                    todo.push((fork, address));
                }
            }
            continue;
        }
        let located = locate_one(arena, &state, address);
        found.push((state, located));
    }
    found
}

/// The first choice among the summands of an address: its condition, and the address on either side.
fn choice_in(terms: &mut Terms, address: TermId) -> Option<(TermId, TermId, TermId)> {
    let linear = terms.linear(address);
    for monomial in &linear.monomials {
        if let Node::Ite(condition, a, b) = terms.node(monomial.base) {
            let factor = terms.constant(terms.width(address), monomial.coefficient);
            let all = terms.mul(monomial.base, factor);
            let rest = terms.sub(address, all);
            let (a, b) = (terms.mul(a, factor), terms.mul(b, factor));
            return Some((condition, terms.add(rest, a), terms.add(rest, b)));
        }
    }
    None
}

fn locate_one(arena: &mut Arena, state: &State, address: TermId) -> Located {
    let terms = &mut arena.terms;
    if let Some(value) = constant(terms, state, address) {
        return if value < NULL_PAGE {
            Located::Null
        } else {
            let base = terms.constant(terms.width(address), value);
            let known = state.block_at(base);
            known.map_or(Located::New(base, Place::at(0)), |block| Located::In(block, Place::at(0)))
        };
    }
    let linear = terms.linear(address);
    for monomial in linear.monomials.iter().filter(|monomial| monomial.coefficient == 1) {
        if let Some(block) = state.block_at(monomial.base) {
            return Located::In(block, place(terms, state, address, monomial.base));
        }
    }
    if let Some((block, base)) = equal_base(terms, state, address) {
        return Located::In(block, place(terms, state, address, base));
    }
    let single = |monomial: &&term::Monomial| monomial.coefficient == 1;
    let pointer = linear.monomials.iter().filter(single).find(|it| arena.is_pointer(it.base));
    let base = pointer.or_else(|| linear.monomials.iter().find(single)).map(|monomial| monomial.base);
    match base {
        // Pointers are told from numbers among the summands.
        Some(base) => Located::New(base, place(&mut arena.terms, state, address, base)),
        None => Located::New(address, Place::at(0)),
    }
}

/// The value of an address, if the path knows it.
fn constant(terms: &Terms, state: &State, address: TermId) -> Option<u128> {
    terms.value(address).or_else(|| state.path.facts.range(terms, address).constant())
}

/// A block whose base is equal, by the equalities of the path, to a summand of the address up to a constant.
fn equal_base(terms: &mut Terms, state: &State, address: TermId) -> Option<(BlockId, TermId)> {
    let representative = state.path.facts.representative(terms, address);
    let linear = terms.linear(representative);
    for (id, block) in state.blocks() {
        let Some((base, _)) = state.path.facts.base_and_offset(terms, block.base) else { continue };
        if linear.monomials.iter().any(|monomial| monomial.coefficient == 1 && monomial.base == base) {
            return Some((id, block.base));
        }
    }
    None
}

/// The offset of an address from a base, with what the path knows of its summands.
fn place(terms: &mut Terms, state: &State, address: TermId, base: TermId) -> Place {
    let width = terms.width(address);
    let mut offset = terms.sub(address, base);
    if terms.value(offset).is_none() {
        offset = match state.path.facts.range(terms, offset).constant() {
            Some(value) => terms.constant(width, value),
            None => state.path.facts.representative(terms, offset),
        };
    }
    normal(terms, Place { symbolic: Some(offset), offset: 0 })
}

/// All ways in which some bytes of a block are a known cell or apart from all cells with other symbolic offsets.
pub fn settle(
    terms: &mut Terms,
    state: State,
    block: BlockId,
    (place, bytes): (Place, u32),
    made: Made,
) -> Vec<(State, Place)> {
    let mut found = Vec::new();
    let others = state.block(block).cells.iter().filter(|cell| cell.place.symbolic != place.symbolic);
    match others.count() {
        0 => return vec![(state, place)],
        1..=limits::HEAP_OTHERS => {}
        _ => return found,
    }
    let mut todo = vec![(state, 0)];
    let mut splits = 0;
    'states: while let Some((mut state, from)) = todo.pop() {
        let cells = state.block(block).cells.clone();
        for (at, cell) in cells.iter().enumerate().skip(from) {
            if cell.place.symbolic == place.symbolic {
                continue;
            }
            let (equal, apart, shifted) = relation(terms, (place, bytes), (cell.place, cell.bytes));
            let reach = u128::from(bytes - 1) + u128::from(cell.bytes);
            if terms.value(apart) == Some(1) || state.path.facts.range(terms, shifted).unsigned().0 >= reach {
                continue;
            }
            splits += 1;
            if splits > limits::HEAP_SPLITS {
                continue 'states;
            }
            let condition = |term| Condition { term, made, reason: Reason::Needed };
            let mut same = state.clone();
            if same.path.assume(terms, condition(equal)) {
                found.push((same, cell.place));
            }
            if !state.path.assume(terms, condition(apart)) {
                continue 'states;
            }
            todo.push((state, at + 1));
            continue 'states;
        }
        found.push((state, place));
    }
    found
}

/// When two ranges of a block begin at the same byte, and when they have no byte in common; and the term that decides it.
fn relation(terms: &mut Terms, a: (Place, u32), b: (Place, u32)) -> (TermId, TermId, TermId) {
    let width = a.0.symbolic.or(b.0.symbolic).map_or(64, |symbolic| terms.width(symbolic));
    let (from_a, from_b) = (offset_term(terms, a.0, width), offset_term(terms, b.0, width));
    let distance = terms.sub(from_a, from_b);
    let zero = terms.constant(width, 0);
    let equal = terms.eq(distance, zero);
    // They overlap iff  -len(a) < a - b < len(b).
    let shift = terms.constant(width, u128::from(a.1 - 1));
    let reach = terms.constant(width, u128::from(a.1 - 1 + b.1));
    let shifted = terms.add(distance, shift);
    (equal, terms.uge(shifted, reach), shifted)
}

/// An offset as a term.
pub fn offset_term(terms: &mut Terms, place: Place, width: u32) -> TermId {
    let constant = terms.constant(width, i128::from(place.offset) as u128);
    place.symbolic.map_or(constant, |symbolic| terms.add(symbolic, constant))
}

/// `from ≤ from + bytes ≤ size`, without wrap-around.
pub fn fits(terms: &mut Terms, from: TermId, bytes: u128, size: TermId) -> TermId {
    let width = terms.width(size);
    let bytes = terms.constant(width, bytes);
    // bytes ≤ size  ∧  from ≤ size - bytes
    let large_enough = terms.ule(bytes, size);
    let room = terms.sub(size, bytes);
    let within = terms.ule(from, room);
    terms.and(large_enough, within)
}

/// The same place with all that is constant in its offset.
fn normal(terms: &mut Terms, place: Place) -> Place {
    let Some(symbolic) = place.symbolic else { return place };
    let width = terms.width(symbolic);
    let constant = terms.linear(symbolic).constant;
    let offset = place.offset.wrapping_add(signed(width, constant) as i64);
    let constant = terms.constant(width, constant);
    let rest = terms.sub(symbolic, constant);
    Place { symbolic: terms.value(rest).is_none().then_some(rest), offset }
}

/// `base + place`.
pub(crate) fn sum(terms: &mut Terms, base: Place, place: Place) -> Place {
    let symbolic = match (base.symbolic, place.symbolic) {
        (None, other) | (other, None) => other,
        (Some(a), Some(b)) => Some(terms.add(a, b)),
    };
    normal(terms, Place { symbolic, offset: base.offset.wrapping_add(place.offset) })
}
