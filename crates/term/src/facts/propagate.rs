//! Assuming a literal and what follows from it, to a bounded fixed point.
//!
//! Judgment: `F, l ⊢ F'` or `F, l ⊢ false`. A literal that could say more when the facts about its terms
//! change *watches* them: it is looked at again then. Each rule stands above its code. The number of looks is
//! limited ([`limits::FACTS_STEPS`]); what is left undone costs answers, never truth.

use base::limits;
use smallvec::SmallVec;

use super::arith::inverse;
use super::back;
use super::hull;
use super::layer::{Info, Layer, Literal, Watchers};
use super::linear::Linear;
use super::order::{self, Closed};
use super::quick::Part;
use super::range::{RANGE_BITS, Range, bits};
use super::read::{Reader, is_linear, not_wrapping};
use super::relate::{self, Effect, Relation};
use crate::arena::{TermId, Terms};
use crate::node::{Binary, Extend, Node, Unary};
use crate::value::Width;

/// A proof that the facts have no model.
pub(super) struct Contradiction;

/// What a rule comes to.
pub(super) type RuleResult = Result<(), Contradiction>;

/// A state that is being changed.
pub(super) struct Work<'a> {
    pub(super) terms: &'a Terms,
    pub(super) layer: &'a mut Layer,
    /// Literals that were derived, and literals to look at again.
    pending: Pending,
    /// How many more terms the literal at hand may tell its operands about.
    pub(super) fuel: u32,
}

type Pending = SmallVec<[(Literal, Reason); 16]>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    Derived,
    /// Terms that it is about have changed.
    Changed(Effect),
}

impl<'a> Work<'a> {
    pub(super) fn new(terms: &'a Terms, layer: &'a mut Layer) -> Work<'a> {
        Work { terms, layer, pending: SmallVec::new(), fuel: 0 }
    }

    pub(super) fn reader(&self) -> Reader<'_> {
        Reader::new(self.terms, Some(self.layer))
    }

    /// Adds a literal and all that follows within the budget.
    pub(super) fn assume(&mut self, literal: Literal) -> RuleResult {
        self.derive(literal.atom, literal.truth);
        self.run()
    }

    /// Adds that a term is in a range, where all that was known of it was a larger one, and what follows.
    pub(super) fn follow(&mut self, term: TermId, known: &Info, rest: Range) -> RuleResult {
        self.change_range(term, known, rest);
        self.run()
    }

    /// Adds that a term is in a range, and what follows.
    pub(super) fn restrict(&mut self, term: TermId, range: &Range) -> RuleResult {
        self.fuel = limits::FACTS_NODES;
        back::push_down(self, term, range)?;
        self.run()
    }

    /// Adds that a variable does not have a value, or some bits of it not, and what follows.
    pub(super) fn exclude(&mut self, literal: Literal, atom: &Info, part: Option<Part>) -> RuleResult {
        self.change_range(literal.atom, atom, Range::of(1, 0));
        if let Some(Part { term, known, rest }) = part {
            if rest != known {
                self.set_range(term, &known, rest);
            }
            self.layer.watch(term, known.width, literal, true);
        }
        self.run()
    }

    pub(super) fn run(&mut self) -> RuleResult {
        for _ in 0..limits::FACTS_STEPS {
            let Some((literal, reason)) = self.pending.pop() else { break };
            let is_new = reason == Reason::Derived;
            if is_new && !self.note(literal)? {
                continue;
            }
            self.look_at(literal, reason)?;
            // Only now: what it finds itself need not wake it.
            if is_new {
                self.watch(literal);
            }
        }
        Ok(())
    }

    /// Something that follows from the facts, to be added.
    pub(super) fn derive(&mut self, atom: TermId, truth: bool) {
        self.pending.push((Literal { atom, truth }, Reason::Derived));
    }

    /// Notes the truth of a literal; false if it was known already.
    fn note(&mut self, literal: Literal) -> Result<bool, Contradiction> {
        let Literal { atom, truth } = literal;
        // c, ¬c  ⊢  false
        match self.terms.value(atom).or_else(|| self.reader().noted(atom)?.constant()) {
            Some(value) if (value != 0) == truth => return Ok(false),
            Some(_) => return Err(Contradiction),
            None => {}
        }
        if let Node::Unary(Unary::Not, a) = self.terms.node(atom) {
            self.derive(a, !truth);
            return Ok(false);
        }
        self.set_range(atom, &Range::full(1), Range::of(1, truth.into()));
        Ok(true)
    }

    fn look_at(&mut self, literal: Literal, reason: Reason) -> RuleResult {
        let Literal { atom, truth } = literal;
        if let Some(relation) = Relation::of(self.reader(), literal) {
            let effect = if let Reason::Changed(effect) = reason { effect } else { Effect::Order };
            return self.look_at_relation(literal, &relation, effect);
        }
        self.fuel = limits::FACTS_NODES;
        match self.terms.node(atom) {
            Node::Binary(Binary::And, a, b) => self.clause(a, b, truth, truth),
            Node::Binary(Binary::Or, a, b) => self.clause(a, b, !truth, truth),
            Node::Binary(Binary::Xor | Binary::Add, a, b) => self.parity(a, b, truth),
            Node::Binary(Binary::Eq, a, b) if self.terms.width(a) == 1 => self.parity(a, b, !truth),
            Node::Binary(Binary::Eq, a, b) if truth => self.equal(a, b),
            Node::Binary(Binary::Eq, a, b) => self.unequal(a, b),
            Node::Binary(op @ (Binary::Ult | Binary::Slt), a, b) => self.less(op, (a, b), literal),
            Node::Ite(condition, a, b) => self.choice(condition, a, b, truth),
            // What is left has one bit and no meaning of its own: a variable, a bit of a term.
            node => back::operands(self, atom, node, &Range::of(1, truth.into())),
        }
    }

    // a ∧ b  ⊢  a, b        ¬(a ∨ b)  ⊢  ¬a, ¬b        a ∨ b, ¬a  ⊢  b        ¬(a ∧ b), a  ⊢  ¬b
    fn clause(&mut self, a: TermId, b: TermId, both: bool, truth: bool) -> RuleResult {
        if both {
            self.derive(b, truth);
            self.derive(a, truth);
            return Ok(());
        }
        match (self.reader().truth(a), self.reader().truth(b)) {
            (Some(first), Some(second)) if first != truth && second != truth => return Err(Contradiction),
            (Some(first), None) if first != truth => self.derive(b, truth),
            (None, Some(second)) if second != truth => self.derive(a, truth),
            (None, None) => return hull::hull(self, a, b, truth),
            _ => {}
        }
        Ok(())
    }

    // a ⊕ b = t, a = u  ⊢  b = t ⊕ u
    fn parity(&mut self, a: TermId, b: TermId, truth: bool) -> RuleResult {
        match (self.reader().truth(a), self.reader().truth(b)) {
            (Some(first), Some(second)) if (first ^ second) != truth => return Err(Contradiction),
            (Some(first), None) => self.derive(b, first ^ truth),
            (None, Some(second)) => self.derive(a, second ^ truth),
            (None, None) => {
                let mut difference = self.reader().form(a);
                difference = difference.minus(&self.reader().form(b), 1).unwrap_or(difference);
                let only_vars = difference.parts.iter().all(|&(base, _)| self.is_var(base));
                if only_vars {
                    difference.add_constant(truth.into(), 1);
                    return self.eliminate(&difference, 1);
                }
            }
            _ => {}
        }
        Ok(())
    }

    // c ? a : b, c  ⊢  a        c ? a : b, ¬a  ⊢  ¬c, b        and so on
    fn choice(&mut self, condition: TermId, a: TermId, b: TermId, truth: bool) -> RuleResult {
        let reader = self.reader();
        match (reader.truth(condition), reader.truth(a), reader.truth(b)) {
            (Some(chosen), ..) => self.derive(if chosen { a } else { b }, truth),
            (None, Some(first), _) if first != truth => {
                self.derive(condition, false);
                self.derive(b, truth);
            }
            (None, _, Some(second)) if second != truth => {
                self.derive(condition, true);
                self.derive(a, truth);
            }
            _ => {}
        }
        Ok(())
    }

    // a = b, a ∈ A, b ∈ B  ⊢  a ∈ A ∩ B, b ∈ A ∩ B, and b can be eliminated
    fn equal(&mut self, a: TermId, b: TermId) -> RuleResult {
        let width = self.terms.width(a);
        if width > RANGE_BITS {
            return Ok(());
        }
        let reader = self.reader();
        if a != b && reader.is_free(a) && reader.is_free(b) {
            return self.link(a.max(b), width, Linear::base(a.min(b)));
        }
        let common = reader.range(a).meet(&reader.range(b)).ok_or(Contradiction)?;
        back::push_down(self, a, &common)?;
        back::push_down(self, b, &common)?;
        let reader = self.reader();
        match reader.form(a).minus(&reader.form(b), width) {
            Some(difference) => self.eliminate(&difference, width),
            None => Ok(()),
        }
    }

    /// Adds that a form is 0.
    fn eliminate(&mut self, form: &Linear, width: Width) -> RuleResult {
        // k = 0, k ≠ 0  ⊢  false
        let Some(&(base, factor)) = form.parts.last() else {
            return if form.constant == 0 { Ok(()) } else { Err(Contradiction) };
        };
        // Σ cᵢ·bᵢ + k = 0, 2ᵗ divides all cᵢ but not k  ⊢  false
        let twos = form.parts.iter().map(|part| part.1.trailing_zeros()).min().unwrap_or(0);
        if form.constant.trailing_zeros() < twos {
            return Err(Contradiction);
        }
        // c·b + k = 0  ⊢  b is among the solutions
        if form.parts.len() == 1 {
            let product = Range::of(width, form.constant.wrapping_neg());
            let solutions = self.reader().range(base).unscale(factor, &product).ok_or(Contradiction)?;
            return back::narrow(self, base, &solutions);
        }
        // c·b + L = 0, c odd  ⊢  b = -c⁻¹·L.  The youngest base goes: no part of L contains it, so links have no cycles.
        if factor & 1 == 0 || is_linear(self.terms, self.terms.node(base)) {
            return back::push_parts(self, form, &Range::of(width, 0));
        }
        let solved = form.without(form.parts.len() - 1);
        self.link(base, width, solved.times(inverse(factor).wrapping_neg(), width))
    }

    /// Links a base to a form of older ones, which take over its range and its watchers.
    fn link(&mut self, base: TermId, width: Width, form: Linear) -> RuleResult {
        let range = self.reader().range(base);
        let moved: SmallVec<[Literal; 16]> =
            self.layer.watchers(base).take(limits::FACTS_EDGES).map(|watcher| watcher.0).collect();
        let heirs: SmallVec<[TermId; 4]> = form.parts.iter().map(|part| part.0).collect();
        let known = self.reader().range_of(&form, width);
        self.layer.set_link(base, width, form.clone());
        for &literal in moved.iter().rev() {
            for &heir in &heirs {
                self.watch_below(heir, literal, false);
            }
            look_again(&mut self.pending, literal, Effect::Order);
        }
        let common = range.meet(&known).ok_or(Contradiction)?;
        back::push_parts(self, &form, &common)
    }

    // a ≠ b  ⊢  a - b is not 0; of a range without gaps only the ends can be taken away
    fn unequal(&mut self, a: TermId, b: TermId) -> RuleResult {
        let width = self.terms.width(a);
        if a == b {
            return Err(Contradiction);
        }
        if width > RANGE_BITS {
            return Ok(());
        }
        let reader = self.reader();
        if reader.are_strangers(a, b) {
            return Ok(());
        }
        let difference = reader.form(a).minus(&reader.form(b), width);
        match difference.as_ref().map(|difference| (&difference.parts[..], difference.constant)) {
            Some(([], 0)) => Err(Contradiction),
            Some(([], _)) => Ok(()),
            // c·b + k ≠ 0, c odd  ⊢  b ≠ -c⁻¹·k
            Some((&[(base, factor)], constant)) if factor & 1 == 1 => {
                let root = constant.wrapping_neg().wrapping_mul(inverse(factor)) & bits(width);
                let rest = reader.range(base).without(root).ok_or(Contradiction)?;
                back::narrow(self, base, &rest)
            }
            _ => self.unequal_to_known(a, b),
        }
    }

    // a ≠ v  ⊢  a ∈ A \ {v}
    fn unequal_to_known(&mut self, a: TermId, b: TermId) -> RuleResult {
        let reader = self.reader();
        let (first, second) = (reader.range(a), reader.range(b));
        let (term, range, value) = match (first.single(), second.single()) {
            (_, Some(value)) => (a, first, value),
            (Some(value), None) => (b, second, value),
            (None, None) => return Ok(()),
        };
        back::push_down(self, term, &range.without(value).ok_or(Contradiction)?)
    }

    fn less(&mut self, op: Binary, (a, b): (TermId, TermId), literal: Literal) -> RuleResult {
        let width = self.terms.width(a);
        if width > RANGE_BITS {
            return Ok(());
        }
        let reader = self.reader();
        let (first, second) = (reader.range(a), reader.range(b));
        let (low, high) = narrowed(op, &first, &second, literal.truth).ok_or(Contradiction)?;
        // Even an old range may say something new: see `back::narrow`.
        back::push_down(self, a, &low)?;
        back::push_down(self, b, &high)?;
        let reader = self.reader();
        if low.single().is_some() || high.single().is_some() || reader.are_strangers(a, b) {
            return Ok(());
        }
        let difference = reader.form(b).minus(&reader.form(a), width);
        match difference {
            Some(difference) if difference.parts.is_empty() => {
                self.offset(op, a, difference.constant, literal.truth)
            }
            Some(_) => match order::closed(reader, literal) {
                Closed::Open => Ok(()),
                Closed::Contradiction => Err(Contradiction),
                Closed::Tight => self.tight(literal),
            },
            None => Ok(()),
        }
    }

    // a < b, b ≤ a + 1  ⊢  b - a = 1        b ≤ a, a ≤ b  ⊢  b - a = 0
    pub(super) fn tight(&mut self, literal: Literal) -> RuleResult {
        let Node::Binary(_, a, b) = self.terms.node(literal.atom) else { return Ok(()) };
        let (reader, width) = (self.reader(), self.terms.width(a));
        let Some(mut exact) = reader.form(b).minus(&reader.form(a), width) else { return Ok(()) };
        exact.add_constant(u64::from(literal.truth).wrapping_neg(), width);
        self.eliminate(&exact, width)
    }

    // a < a + c  ⊢  a + c does not wrap        ¬(a < a + c), c ≠ 0  ⊢  it does
    fn offset(&mut self, op: Binary, a: TermId, offset: u64, truth: bool) -> RuleResult {
        match not_wrapping(op, self.terms.width(a), offset) {
            None if truth => Err(Contradiction),
            None => Ok(()),
            Some((low, high)) => back::push_down(self, a, if truth { &low } else { &high }),
        }
    }

    /// Sets the range of a term, which was larger, and has the literals looked at again to which that matters.
    pub(super) fn set_range(&mut self, term: TermId, old: &Range, new: Range) {
        let known = self.layer.info(term).copied().unwrap_or(Info::nothing(new.width));
        wake(self.terms, &mut self.pending, term, (old, &new), self.layer.change_range(term, &known, new));
    }

    /// The same of a term of which it is known what is known.
    #[inline]
    pub(super) fn change_range(&mut self, term: TermId, known: &Info, new: Range) {
        let watchers = self.layer.change_range(term, known, new);
        wake(self.terms, &mut self.pending, term, (&known.range, &new), watchers);
    }

    /// Lets a literal watch all terms that it depends on.
    fn watch(&mut self, literal: Literal) {
        match self.terms.node(literal.atom) {
            // A conjunction has done its work when its parts are known.
            Node::Binary(Binary::And, ..) if literal.truth => {}
            Node::Binary(Binary::Or, ..) if !literal.truth => {}
            Node::Binary(_, a, b) => {
                self.watch_below(a, literal, true);
                self.watch_below(b, literal, true);
            }
            Node::Ite(condition, a, b) => {
                self.watch_below(condition, literal, true);
                self.watch_below(a, literal, true);
                self.watch_below(b, literal, true);
            }
            _ => {}
        }
    }

    /// Lets a literal watch a term and what it is made of, down to the variables.
    fn watch_below(&mut self, term: TermId, literal: Literal, is_direct: bool) {
        let mut todo: SmallVec<[(TermId, bool); 16]> = SmallVec::new();
        todo.push((term, is_direct));
        let mut fuel = limits::FACTS_WATCHED;
        while let Some((next, is_direct)) = todo.pop()
            && fuel > 0
        {
            let node = self.terms.node(next);
            let width = self.terms.width(next);
            let has_link = match node {
                Node::Const(_) => continue,
                // Chains of comparisons always look through it.
                Node::Extend(Extend::Zero, _) => true,
                _ => {
                    fuel -= 1;
                    self.layer.watch(next, width, literal, is_direct)
                }
            };
            if has_link && let Some(form) = self.reader().linked(next) {
                todo.extend(form.parts.iter().map(|part| (part.0, false)));
            }
            self.terms.for_each_operand(next, |operand| todo.push((operand, is_direct)));
        }
    }

    fn is_var(&self, term: TermId) -> bool {
        matches!(self.terms.node(term), Node::Var(_))
    }
}

/// Has those of the literals that watch a term looked at again to which the change of its range matters.
#[inline]
fn wake(
    terms: &Terms,
    pending: &mut Pending,
    term: TermId,
    (old, new): (&Range, &Range),
    watchers: Watchers<'_>,
) {
    for (literal, is_direct) in watchers.take(limits::FACTS_EDGES) {
        let effect = if is_direct { relate::effect(terms, literal, term, old, new) } else { Effect::Order };
        if effect != Effect::Nothing {
            look_again(pending, literal, effect);
        }
    }
}

fn look_again(pending: &mut Pending, literal: Literal, effect: Effect) {
    for (other, reason) in pending.iter_mut() {
        if let Reason::Changed(known) = reason
            && *other == literal
        {
            *known = effect.max(*known);
            return;
        }
    }
    // Derived literals stand at the end: they say more than a second look.
    pending.insert(0, (literal, Reason::Changed(effect)));
}

/// What is left of two ranges between which `a < b` is true or false.
pub(super) fn narrowed(op: Binary, a: &Range, b: &Range, truth: bool) -> Option<(Range, Range)> {
    let width = a.width;
    let strict = u64::from(truth);
    // a < b  ⊢  a ≤ bmax - 1, amin + 1 ≤ b        ¬(a < b)  ⊢  b ≤ amax, bmin ≤ a
    let (less, greater) = if truth { (a, b) } else { (b, a) };
    let full = Range::full(width);
    let (low, high) = if op == Binary::Ult {
        let most = greater.umax.checked_sub(strict)?;
        let least = less.umin.checked_add(strict).filter(|&least| least <= full.umax)?;
        (Range::between(width, 0, most), Range::between(width, least, full.umax))
    } else {
        let most = greater.smax.checked_sub(strict as i64).filter(|&most| most >= full.smin)?;
        let least = less.smin.checked_add(strict as i64).filter(|&least| least <= full.smax)?;
        (Range::between_signed(width, full.smin, most), Range::between_signed(width, least, full.smax))
    };
    let (low, high) = (less.meet(&low)?, greater.meet(&high)?);
    Some(if truth { (low, high) } else { (high, low) })
}
