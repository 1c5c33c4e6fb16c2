//! Variables whose values fall into finitely many classes.
//!
//! If every atom on `x` is about `x` alone (`x == 0`, `x < 16`, `(x & 4) != 0`), two values that make the
//! same atoms true are as good as one another: `∃x. φ` is the disjunction of `φ[v/x]` with one value `v` of
//! each class. A value is put in for all atoms at once, so a variable has some value, and not two: existence
//! and uniqueness of Dillig et al. §4.1.
//!
//! Only the best classes count (their §6.1: if a literal occurs only positively, `SNC` is `φ[true/v]`): a
//! class that makes no positive atom true and no negative one false that another does not is implied by the
//! other.

use base::limits;
use rustc_hash::FxHashMap;
use term::{Assignment, Binary, Extend, Node, TermId, Unary, VarId, mask};

use super::{Cx, Eliminated, Rule, exactly};
use crate::Verdict;
use crate::shape::{is_atom, or_all, skeleton};

/// An atom and how it occurs.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) term: TermId,
    /// All its variables.
    pub(super) vars: Vec<VarId>,
    /// Whether it occurs under an even number of negations.
    pub(super) positive: bool,
    /// Whether it occurs under an odd number of negations.
    pub(super) negative: bool,
}

/// A value, and the truth of each atom that it brings.
struct Class {
    value: u128,
    truth: Vec<bool>,
}

impl Cx<'_> {
    /// Eliminates a variable all of whose atoms are about it alone.
    pub(super) fn classes(&mut self, parts: &[TermId], vars: &[VarId]) -> Option<Eliminated> {
        let atoms = self.atoms(parts, vars);
        for &var in vars {
            let on: Vec<&Atom> = atoms.iter().filter(|atom| atom.vars.contains(&var)).collect();
            if on.iter().any(|atom| atom.vars != [var]) {
                continue;
            }
            if let Some(values) = self.best_values(var, &on) {
                self.used.push(Rule::Classes);
                return Some(self.any_value(parts, vars, var, &values));
            }
        }
        None
    }

    // ∃x. φ = φ[0/x] ∨ φ[1/x] ∨ …
    pub(super) fn values(&mut self, parts: &[TermId], vars: &[VarId]) -> Option<Eliminated> {
        let width_of = |var: VarId| self.terms.var(var).width;
        let var = vars
            .iter()
            .copied()
            .filter(|&it| width_of(it) <= limits::ELIMINATE_BITS)
            .min_by_key(|&it| width_of(it))?;
        self.used.push(Rule::Values);
        let values: Vec<u128> = (0..=mask(self.terms.var(var).width)).collect();
        Some(self.any_value(parts, vars, var, &values))
    }

    /// The disjunction of the conjuncts with each of the values, without the other variables either.
    fn any_value(&mut self, parts: &[TermId], vars: &[VarId], var: VarId, values: &[u128]) -> Eliminated {
        let others: Vec<VarId> = vars.iter().copied().filter(|&it| it != var).collect();
        let mut result = exactly(self.terms.no());
        for &value in values {
            let value = self.terms.constant(self.terms.var(var).width, value);
            let left = self.substitute(parts, var, value);
            let case = self.conjunction(&left, &others);
            result = self.or(result, case);
            if self.terms.value(result.condition) == Some(1) {
                break;
            }
        }
        result
    }

    /// The atoms of the conjuncts that mention one of the variables, with all their variables and how they occur.
    pub(super) fn atoms(&mut self, parts: &[TermId], vars: &[VarId]) -> Vec<Atom> {
        // Positive and negative occurrences, from the outside in.
        let mut occurs: FxHashMap<TermId, (bool, bool)> = FxHashMap::default();
        let mut found: Vec<TermId> = parts.iter().flat_map(|&part| skeleton(self.terms, part)).collect();
        found.sort_unstable();
        found.dedup();
        for &part in parts {
            occurs.insert(part, (true, false));
        }
        let mut atoms = Vec::new();
        for &part in found.iter().rev() {
            let (positive, negative) = occurs[&part];
            if is_atom(self.terms, part) {
                let all = self.walk.vars_of(self.terms, &[part]);
                if all.iter().any(|var| vars.contains(var)) {
                    atoms.push(Atom { term: part, vars: all, positive, negative });
                }
                continue;
            }
            let (same, flipped, both) = ((positive, negative), (negative, positive), (true, true));
            let mut mark = |operand: TermId, how: (bool, bool)| {
                let so_far = occurs.entry(operand).or_default();
                *so_far = (so_far.0 || how.0, so_far.1 || how.1);
            };
            match self.terms.node(part) {
                Node::Unary(_, a) => mark(a, flipped),
                Node::Binary(Binary::And | Binary::Or, a, b) => {
                    mark(a, same);
                    mark(b, same);
                }
                Node::Ite(c, a, b) => {
                    mark(c, both);
                    mark(a, same);
                    mark(b, same);
                }
                _ => self.terms.for_each_operand(part, |operand| mark(operand, both)),
            }
        }
        atoms
    }

    /// One value of each class that no other class makes superfluous; `None` if there are too many, or we cannot tell.
    fn best_values(&mut self, var: VarId, atoms: &[&Atom]) -> Option<Vec<u128>> {
        let width = self.terms.var(var).width;
        let candidates = if width <= limits::ELIMINATE_BITS {
            Some((0..=mask(width)).collect())
        } else {
            self.candidates(var, atoms)
        };
        let mut best: Vec<Class> = Vec::new();
        match candidates {
            Some(values) => values.into_iter().for_each(|value| self.add_class(&mut best, var, atoms, value)),
            None => self.enumerate(&mut best, var, atoms)?,
        }
        (best.len() <= limits::ELIMINATE_CLASSES).then(|| best.into_iter().map(|it| it.value).collect())
    }

    /// Adds the class of a value, unless it is superfluous; drops those that it makes superfluous.
    fn add_class(&self, best: &mut Vec<Class>, var: VarId, atoms: &[&Atom], value: u128) {
        let mut assignment = Assignment::new();
        assignment.set(var, value);
        let truth: Vec<bool> =
            atoms.iter().map(|atom| self.terms.eval(atom.term, &assignment) == 1).collect();
        if best.iter().any(|class| is_as_good(atoms, &class.truth, &truth)) {
            return;
        }
        best.retain(|class| !is_as_good(atoms, &truth, &class.truth));
        best.push(Class { value, truth });
    }

    /// Values among which there is one of each class, if all atoms compare the variable with constants.
    fn candidates(&self, var: VarId, atoms: &[&Atom]) -> Option<Vec<u128>> {
        let mut values = vec![0];
        for atom in atoms {
            let Node::Binary(op, a, b) = self.terms.node(atom.term) else { return None };
            let (inside, value) = match (self.terms.value(a), self.terms.value(b)) {
                (Some(value), _) => (b, value),
                (_, Some(value)) => (a, value),
                _ => return None,
            };
            let all = mask(self.terms.width(inside));
            let sign = all ^ (all >> 1);
            let after = value.wrapping_add(1) & all;
            let cuts = match op {
                Binary::Eq | Binary::Ult => vec![value, after],
                Binary::Slt => vec![value, after, sign],
                _ => return None,
            };
            values.extend(self.cuts(var, inside, cuts)?);
        }
        values.sort_unstable();
        values.dedup();
        Some(values)
    }

    /// A *cut* of a term is a value at which a new class begins, counted from 0 upward. Given the cuts of a term, those of
    /// the variable that it is made of.
    fn cuts(&self, var: VarId, mut term: TermId, mut cuts: Vec<u128>) -> Option<Vec<u128>> {
        loop {
            let next = match self.terms.node(term) {
                Node::Var(it) => return (it == var).then_some(cuts),
                // x + k >= c  begins at c - k, and anew where x + k wraps to 0
                Node::Binary(Binary::Add, a, b) => {
                    let by = self.terms.value(b)?;
                    cuts.push(0);
                    cuts.iter_mut().for_each(|cut| *cut = cut.wrapping_sub(by));
                    a
                }
                // ~x >= c  ends after ~c
                Node::Unary(Unary::Not, a) => {
                    cuts.push(0);
                    cuts.iter_mut().for_each(|cut| *cut = cut.wrapping_neg());
                    a
                }
                Node::Extend(op, a) => {
                    let short = mask(self.terms.width(a));
                    match op {
                        Extend::Zero => cuts.retain(|&cut| cut <= short),
                        // The values from the sign on go to the end; a cut in between falls on the sign.
                        Extend::Sign => cuts.push(short ^ (short >> 1)),
                    }
                    a
                }
                _ => return None,
            };
            let all = mask(self.terms.width(next));
            cuts.iter_mut().for_each(|cut| *cut &= all);
            term = next;
        }
    }

    /// Asks the solver for values of better classes until there is none.
    fn enumerate(&mut self, best: &mut Vec<Class>, var: VarId, atoms: &[&Atom]) -> Option<()> {
        let variable = self.variable(var);
        let mut others = Vec::new();
        loop {
            match self.ask(&others)? {
                Verdict::Sat(model) => {
                    let value = model.value(self.terms, variable);
                    self.add_class(best, var, atoms, value);
                    let truth =
                        best.last().expect("invariant: a model is of a class that no other is as good as");
                    others.push(self.is_better(atoms, &truth.truth.clone()));
                }
                Verdict::Unsat(_) => return Some(()),
                Verdict::Unknown(_) => return None,
            }
        }
    }

    /// The condition that a value has something for it that the class has not.
    fn is_better(&mut self, atoms: &[&Atom], truth: &[bool]) -> TermId {
        let mut ways = Vec::new();
        for (atom, &holds) in atoms.iter().zip(truth) {
            if atom.positive && !holds {
                ways.push(atom.term);
            }
            if atom.negative && holds {
                ways.push(self.terms.not(atom.term));
            }
        }
        or_all(self.terms, &ways)
    }
}

/// Whether every positive atom that holds in the class `b` does in `a`, and every negative one that fails.
fn is_as_good(atoms: &[&Atom], a: &[bool], b: &[bool]) -> bool {
    atoms
        .iter()
        .zip(a.iter().zip(b))
        .all(|(atom, (&a, &b))| (!atom.positive || a || !b) && (!atom.negative || !a || b))
}
