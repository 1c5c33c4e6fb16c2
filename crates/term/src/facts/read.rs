//! What the facts say of a term: its linear form, its range, and the truth of conditions. Nothing is changed
//! here.
//!
//! All walks are cut off after a number of nodes ([`limits::FACTS_NODES`]); what is beyond counts as unknown.

use base::limits;

use super::forward;
use super::layer::{Info, Layer, Literal};
use super::linear::Linear;
use super::order;
use super::range::{RANGE_BITS, Range, bits};
use crate::arena::{TermId, Terms};
use crate::node::{Binary, Node, Unary};
use crate::value::Width;

/// A state, to be read.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) terms: &'a Terms,
    /// `None` is the state without facts.
    pub(super) top: Option<&'a Layer>,
    /// Whether chains of comparisons are followed. Not while they are followed already: that would have no end.
    pub(super) chains: bool,
    /// How many nodes one question may look at.
    pub(super) nodes: u32,
}

impl<'a> Reader<'a> {
    pub(super) fn new(terms: &'a Terms, top: Option<&'a Layer>) -> Reader<'a> {
        Reader { terms, top, chains: true, nodes: limits::FACTS_NODES }
    }

    /// The same without chains of comparisons.
    pub(super) fn without_chains(self) -> Reader<'a> {
        Reader { chains: false, ..self }
    }

    /// The same for the steps of a chain, of which there are many.
    pub(super) fn for_chains(self) -> Reader<'a> {
        Reader { nodes: limits::FACTS_CHAIN_NODES, ..self.without_chains() }
    }

    pub(super) fn is_wide(self, term: TermId) -> bool {
        self.terms.width(term) > RANGE_BITS
    }

    /// What was noted of the range of the term itself, not counting what its operands say.
    #[inline]
    pub(super) fn noted(self, term: TermId) -> Option<Range> {
        Some(self.info(term)?.range)
    }

    #[inline]
    pub(super) fn info(self, term: TermId) -> Option<&'a Info> {
        self.top?.info(term)
    }

    /// The form that a base was found equal to.
    pub(super) fn linked(self, base: TermId) -> Option<&'a Linear> {
        self.top?.link(self.info(base)?)
    }

    /// What is known of a variable without a link; none for other terms.
    #[inline]
    pub(super) fn info_of_free(self, term: TermId) -> Option<Info> {
        if !self.terms.is_var(term) {
            return None;
        }
        match self.info(term) {
            None => Some(Info::nothing(self.terms.width(term))),
            Some(info) => (!info.has_link()).then_some(*info),
        }
    }

    /// Whether the term is a variable without a link: its range is all that is known of its value.
    #[inline]
    pub(super) fn is_free(self, term: TermId) -> bool {
        self.terms.is_var(term) && self.info(term).is_none_or(|info| !info.has_link())
    }

    /// The range of a variable without a link; none for other terms.
    #[inline]
    pub(super) fn range_of_free(self, term: TermId) -> Option<Range> {
        if !self.terms.is_var(term) {
            return None;
        }
        match self.info(term) {
            None => Some(Range::full(self.terms.width(term))),
            Some(info) => (!info.has_link()).then_some(info.range),
        }
    }

    /// The variable that a term is made of by extensions and by adding constants, none of which is connected with other facts.
    fn root(self, mut term: TermId) -> Option<TermId> {
        for _ in 0..limits::FACTS_ROOT {
            term = match self.terms.node(term) {
                Node::Var(_) => return Some(term),
                _ if self.info(term).is_some_and(|info| !info.is_plain()) => return None,
                Node::Extend(_, a) => a,
                Node::Binary(Binary::Add, a, b) if self.terms.value(b).is_some() => a,
                _ => return None,
            };
        }
        None
    }

    /// Whether nothing can be known of two terms together: they are made of different variables, one of which is not connected
    /// with any other fact.
    pub(super) fn are_strangers(self, a: TermId, b: TermId) -> bool {
        match (self.root(a), self.root(b)) {
            (Some(a), Some(b)) if a != b => {
                let is_alone = |var| self.info(var).is_none_or(|info| info.is_plain());
                is_alone(a) || is_alone(b)
            }
            _ => false,
        }
    }

    pub(super) fn watchers(self, term: TermId) -> impl Iterator<Item = Literal> + 'a {
        self.top.into_iter().flat_map(move |top| top.watchers(term)).map(|(literal, _)| literal)
    }

    /// The form of a term of at most [`RANGE_BITS`], with links followed and known values put in.
    pub(super) fn form(self, term: TermId) -> Linear {
        let mut form = Linear::default();
        let mut fuel = self.nodes;
        if self.collect(term, 1, &mut form, &mut fuel) { form } else { Linear::base(term) }
    }

    /// Adds `factor · term`; false if the form has no room.
    fn collect(self, term: TermId, factor: u64, form: &mut Linear, fuel: &mut u32) -> bool {
        let width = self.terms.width(term);
        *fuel = fuel.saturating_sub(1);
        match self.terms.node(term) {
            Node::Const(value) => {
                form.add_constant(factor.wrapping_mul(value as u64), width);
                true
            }
            _ if *fuel == 0 => form.add(term, factor, width),
            Node::Binary(Binary::Add, a, b) => {
                self.collect(a, factor, form, fuel) && self.collect(b, factor, form, fuel)
            }
            Node::Binary(op @ (Binary::Mul | Binary::Shl), a, b) => match self.terms.value(b) {
                None => self.collect_base(term, factor, form, fuel),
                Some(value) => self.collect(a, factor.wrapping_mul(multiplier(op, width, value)), form, fuel),
            },
            // !a = -a - 1
            Node::Unary(Unary::Not, a) => {
                form.add_constant(factor.wrapping_neg(), width);
                self.collect(a, factor.wrapping_neg(), form, fuel)
            }
            _ => self.collect_base(term, factor, form, fuel),
        }
    }

    fn collect_base(self, base: TermId, factor: u64, form: &mut Linear, fuel: &mut u32) -> bool {
        let width = self.terms.width(base);
        let Some(info) = self.info(base) else {
            return form.add(base, factor, width);
        };
        if let Some(value) = info.range.single() {
            form.add_constant(factor.wrapping_mul(value), width);
            return true;
        }
        match self.top.and_then(|top| top.link(info)) {
            None => form.add(base, factor, width),
            Some(link) => {
                form.add_constant(factor.wrapping_mul(link.constant), width);
                link.parts.iter().all(|&(part, own)| self.collect(part, factor.wrapping_mul(own), form, fuel))
            }
        }
    }

    /// The range of a term.
    pub(super) fn range(self, term: TermId) -> Range {
        let mut fuel = self.nodes;
        self.range_within(term, &mut fuel)
    }

    pub(super) fn range_within(self, term: TermId, fuel: &mut u32) -> Range {
        let width = self.terms.width(term);
        if width > RANGE_BITS {
            return Range::full(width);
        }
        let node = self.terms.node(term);
        if let Node::Const(value) = node {
            return Range::of(width, value as u64);
        }
        let info = self.info(term);
        let noted = info.map(|info| info.range);
        let link = info.and_then(|info| self.top?.link(info));
        let is_known = noted.is_some_and(|noted| noted.single().is_some());
        if is_known || *fuel == 0 || (link.is_none() && matches!(node, Node::Var(_))) {
            return noted.unwrap_or(Range::full(width));
        }
        *fuel -= 1;
        let computed = self.computed(term, node, link, fuel);
        match noted {
            None => computed,
            // An empty meet is a contradiction that nobody has seen yet. The literal that the note is from will, when it finds
            // something else.
            Some(noted) => computed.meet(&noted).unwrap_or(computed),
        }
    }

    /// The range that follows from link and operands.
    fn computed(self, term: TermId, node: Node, link: Option<&Linear>, fuel: &mut u32) -> Range {
        let width = self.terms.width(term);
        match node {
            Node::Var(_) => link.map_or(Range::full(width), |link| self.range_of_parts(link, width, fuel)),
            _ if is_linear(self.terms, node) => {
                let form = self.form(term);
                if form.parts[..] == [(term, 1)] {
                    return Range::full(width);
                }
                self.range_of_parts(&form, width, fuel)
            }
            _ => {
                let computed = forward::range(self, term, node, fuel);
                match link {
                    None => computed,
                    Some(link) => computed.meet(&self.range_of_parts(link, width, fuel)).unwrap_or(computed),
                }
            }
        }
    }

    /// The range of a form.
    pub(super) fn range_of(self, form: &Linear, width: Width) -> Range {
        let mut fuel = self.nodes;
        self.range_of_parts(form, width, &mut fuel)
    }

    fn range_of_parts(self, form: &Linear, width: Width, fuel: &mut u32) -> Range {
        let mut sum: Option<Range> = (form.constant != 0).then(|| Range::of(width, form.constant));
        for &(base, factor) in form.parts.iter() {
            let part = self.range_within(base, fuel).scale(factor);
            sum = Some(sum.map_or(part, |sum| sum.add(&part)));
        }
        sum.unwrap_or(Range::of(width, form.constant))
    }

    /// Whether the facts decide a condition.
    pub(super) fn truth(self, condition: TermId) -> Option<bool> {
        let mut fuel = self.nodes;
        self.truth_within(condition, &mut fuel)
    }

    pub(super) fn truth_within(self, condition: TermId, fuel: &mut u32) -> Option<bool> {
        let node = self.terms.node(condition);
        if let Node::Const(value) = node {
            return Some(value != 0);
        }
        if let Some(value) = self.noted(condition).and_then(|noted| noted.single()) {
            return Some(value != 0);
        }
        if *fuel == 0 {
            return None;
        }
        *fuel -= 1;
        match node {
            Node::Unary(Unary::Not, a) => self.truth_within(a, fuel).map(|truth| !truth),
            Node::Binary(Binary::And, a, b) => self.truth_of_clause(a, b, false, fuel),
            Node::Binary(Binary::Or, a, b) => self.truth_of_clause(a, b, true, fuel),
            Node::Binary(op @ (Binary::Eq | Binary::Ult | Binary::Slt), a, b) => self.compare(op, a, b, fuel),
            Node::Ite(c, a, b) => match self.truth_within(c, fuel) {
                Some(true) => self.truth_within(a, fuel),
                Some(false) => self.truth_within(b, fuel),
                None => self.truth_within(a, fuel).filter(|&truth| self.truth_within(b, fuel) == Some(truth)),
            },
            _ => self.range_within(condition, fuel).single().map(|value| value != 0),
        }
    }

    // Of `a || b` one true side decides, of `a && b` one false side; both together decide in any case.
    fn truth_of_clause(self, a: TermId, b: TermId, deciding: bool, fuel: &mut u32) -> Option<bool> {
        match self.truth_within(a, fuel) {
            Some(truth) if truth == deciding => Some(deciding),
            first => match self.truth_within(b, fuel) {
                Some(truth) if truth == deciding => Some(deciding),
                second => first.and(second),
            },
        }
    }

    fn compare(self, op: Binary, a: TermId, b: TermId, fuel: &mut u32) -> Option<bool> {
        if self.is_wide(a) {
            return (a == b).then_some(op == Binary::Eq);
        }
        let (first, second) = (self.range_within(a, fuel), self.range_within(b, fuel));
        let by_range = match op {
            Binary::Eq => equal_by_range(&first, &second),
            Binary::Ult => less_by_ends((first.umin, first.umax), (second.umin, second.umax)),
            _ => less_by_ends((first.smin, first.smax), (second.smin, second.smax)),
        };
        if self.are_strangers(a, b) {
            return by_range;
        }
        let to_constant = first.single().is_some() || second.single().is_some();
        if by_range.is_some() || to_constant && op != Binary::Eq {
            return by_range;
        }
        // Different variables without links are their own forms, of which only chains know more.
        if !self.chains && op != Binary::Eq && a != b && self.is_free(a) && self.is_free(b) {
            return None;
        }
        let (left, right) = (self.form(a), self.form(b));
        let difference = right.minus(&left, self.terms.width(a))?;
        let by_form = match op {
            Binary::Eq => self.vanishes(&difference, self.terms.width(a), fuel),
            _ if difference.parts.is_empty() => less_by_offset(op, &first, difference.constant),
            _ => None,
        };
        match op {
            _ if by_form.is_some() || difference.parts.is_empty() || !self.chains => by_form,
            Binary::Eq => self.unequal_by_order(a, b, &difference),
            _ => order::compare(self, op == Binary::Slt, a, b),
        }
    }

    /// Whether a form is 0.
    fn vanishes(self, form: &Linear, width: Width, fuel: &mut u32) -> Option<bool> {
        if form.parts.is_empty() {
            return Some(form.constant == 0);
        }
        // Σ cᵢ·bᵢ + k = 0, 2ᵗ divides all cᵢ  ⊢  2ᵗ divides k
        let twos = form.parts.iter().map(|part| part.1.trailing_zeros()).min().unwrap_or(0);
        if form.constant.trailing_zeros() < twos {
            return Some(false);
        }
        if let [(base, factor)] = &form.parts[..] {
            let rest = Range::of(width, form.constant.wrapping_neg());
            let solutions = self.range_within(*base, fuel).unscale(*factor, &rest);
            return if solutions.is_none() { Some(false) } else { None };
        }
        (!self.range_of_parts(form, width, fuel).has(0)).then_some(false)
    }

    // a ≠ b was assumed of terms with the same difference, or a < b, or b < a  ⊢  a ≠ b
    fn unequal_by_order(self, a: TermId, b: TermId, difference: &Linear) -> Option<bool> {
        let ordered = |signed| {
            let chained = |a, b| order::compare(self, signed, a, b) == Some(true);
            chained(a, b) || chained(b, a)
        };
        let differ = self.known_to_differ(difference, self.terms.width(a))
            || difference.parts.len() > 1 && (ordered(false) || ordered(true));
        differ.then_some(false)
    }

    fn known_to_differ(self, difference: &Linear, width: Width) -> bool {
        let Some(&(base, _)) = difference.parts.first() else { return false };
        let opposite = difference.times(bits(width), width);
        self.watchers(base).take(limits::FACTS_EDGES).any(|literal| {
            let Node::Binary(Binary::Eq, c, d) = self.terms.node(literal.atom) else { return false };
            if literal.truth || self.terms.width(c) != width {
                return false;
            }
            let known = self.form(c).minus(&self.form(d), width);
            known.is_some_and(|known| known == *difference || known == opposite)
        })
    }
}

/// Whether a node is one that [`Reader::form`] sees through.
pub(super) fn is_linear(terms: &Terms, node: Node) -> bool {
    match node {
        Node::Const(_) | Node::Binary(Binary::Add, ..) | Node::Unary(Unary::Not, _) => true,
        Node::Binary(Binary::Mul | Binary::Shl, _, b) => terms.value(b).is_some(),
        _ => false,
    }
}

// a << k = a · 2ᵏ
fn multiplier(op: Binary, width: Width, value: u128) -> u64 {
    match op {
        Binary::Shl if value < u128::from(width) => 1 << value,
        Binary::Shl => 0,
        _ => value as u64,
    }
}

fn equal_by_range(a: &Range, b: &Range) -> Option<bool> {
    match (a.single(), b.single()) {
        (Some(x), Some(y)) => Some(x == y),
        _ if a.meet(b).is_none() => Some(false),
        _ => None,
    }
}

// a ≤ amax < bmin ≤ b  ⊢  a < b        bmax ≤ amin  ⊢  ¬(a < b)
fn less_by_ends<T: Ord>(a: (T, T), b: (T, T)) -> Option<bool> {
    if a.1 < b.0 {
        Some(true)
    } else if b.1 <= a.0 {
        Some(false)
    } else {
        None
    }
}

// a < a + c  ⟺  a + c does not wrap,  for c ≠ 0
fn less_by_offset(op: Binary, a: &Range, offset: u64) -> Option<bool> {
    let Some((low, high)) = not_wrapping(op, a.width, offset) else { return Some(false) };
    if a.within(&low) {
        Some(true)
    } else if a.within(&high) {
        Some(false)
    } else {
        None
    }
}

/// For `c ≠ 0`, the `a` with `a < a + c` and the others; `None` for `c = 0`, which leaves no such `a`.
///
/// Unsigned, these are `a ≤ 2ⁿ - 1 - c`; signed, the same after both orders are shifted by 2ⁿ⁻¹: `a ≤ -2ⁿ⁻¹ + (2ⁿ - 1 - c)`.
pub(super) fn not_wrapping(op: Binary, width: Width, offset: u64) -> Option<(Range, Range)> {
    if offset == 0 {
        return None;
    }
    let last = bits(width) - offset;
    if op == Binary::Ult {
        let (low, high) = (Range::between(width, 0, last), Range::between(width, last + 1, bits(width)));
        return Some((low, high));
    }
    let full = Range::full(width);
    let last = (i128::from(full.smin) + i128::from(last)) as i64;
    let low = Range::between_signed(width, full.smin, last);
    let high = Range::between_signed(width, last + 1, full.smax);
    Some((low, high))
}
