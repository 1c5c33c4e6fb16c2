//! Z3 as a second opinion on terms, and as the one to be faster than. Never part of the product.
//!
//! Conditions become Boolean formulas and words bit-vectors, as a user of Z3 would write them.

use base::{Id, limits};
use term::{Binary, Extend, Node, TermId, Terms, Unary};
use z3::ast::{BV, Bool};
use z3::{Params, SatResult};

/// How Z3 is told the conditions of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Each condition is implied by a literal of its own; queries assume literals.
    Assume,
    /// Conditions are asserted in a scope, which is left after the query.
    Scope,
}

/// Z3's incremental interface, for all queries about an arena.
#[derive(Debug)]
pub struct Z3 {
    solver: z3::Solver,
    style: Style,
    /// By term.
    known: Vec<Option<Formula>>,
    /// By term: the literal that implies the condition.
    literals: Vec<Option<Bool>>,
}

#[derive(Clone, Debug)]
enum Formula {
    Truth(Bool),
    Word(BV),
}

/// Whether the conjunction is satisfiable; none if Z3 gives up.
pub fn satisfiable(terms: &Terms, conditions: &[TermId]) -> Option<bool> {
    Z3::new(Style::Scope).check(terms, conditions)
}

impl Z3 {
    /// A solver for bit-vectors.
    pub fn new(style: Style) -> Z3 {
        let solver = z3::Solver::new_for_logic("QF_BV").expect("invariant: Z3 knows bit-vectors");
        let mut params = Params::new();
        params.set_u32("rlimit", limits::ORACLE_STEPS);
        solver.set_params(&params);
        Z3 { solver, style, known: Vec::new(), literals: Vec::new() }
    }

    /// Whether the conjunction is satisfiable; none if Z3 gives up.
    pub fn check(&mut self, terms: &Terms, conditions: &[TermId]) -> Option<bool> {
        self.known.resize(terms.len(), None);
        self.literals.resize(terms.len(), None);
        let result = match self.style {
            Style::Assume => {
                let literals: Vec<Bool> =
                    conditions.iter().map(|&condition| self.literal(terms, condition)).collect();
                self.solver.check_assumptions(&literals)
            }
            Style::Scope => {
                self.solver.push();
                for &condition in conditions {
                    let condition = self.truth(terms, condition);
                    self.solver.assert(condition);
                }
                let result = self.solver.check();
                self.solver.pop(1);
                result
            }
        };
        match result {
            SatResult::Sat => Some(true),
            SatResult::Unsat => Some(false),
            SatResult::Unknown => None,
        }
    }

    fn literal(&mut self, terms: &Terms, condition: TermId) -> Bool {
        if let Some(literal) = &self.literals[condition.index()] {
            return literal.clone();
        }
        let literal = Bool::fresh_const("assumed");
        let formula = self.truth(terms, condition);
        self.solver.assert(literal.implies(formula));
        self.literals[condition.index()] = Some(literal.clone());
        literal
    }

    fn truth(&mut self, terms: &Terms, condition: TermId) -> Bool {
        self.know(terms, condition);
        self.known_truth(condition)
    }

    fn know(&mut self, terms: &Terms, term: TermId) {
        let mut todo = vec![term];
        while let Some(&next) = todo.last() {
            let before = todo.len();
            terms.for_each_operand(next, |operand| {
                if self.known[operand.index()].is_none() {
                    todo.push(operand);
                }
            });
            if todo.len() == before {
                if self.known[next.index()].is_none() {
                    self.known[next.index()] = Some(self.formula(terms, next));
                }
                todo.pop();
            }
        }
    }

    fn of(&self, term: TermId) -> &Formula {
        self.known[term.index()].as_ref().expect("invariant: operands are translated before the term")
    }

    fn known_truth(&self, term: TermId) -> Bool {
        match self.of(term) {
            Formula::Truth(truth) => truth.clone(),
            Formula::Word(word) => word.eq(bits(1, 1)),
        }
    }

    fn word(&self, term: TermId) -> BV {
        match self.of(term) {
            Formula::Truth(truth) => truth.ite(&bits(1, 1), &bits(1, 0)),
            Formula::Word(word) => word.clone(),
        }
    }

    fn formula(&self, terms: &Terms, term: TermId) -> Formula {
        let width = terms.width(term);
        let is_truth = width == 1;
        match terms.node(term) {
            Node::Const(value) if is_truth => Formula::Truth(Bool::from_bool(value == 1)),
            Node::Const(value) => Formula::Word(bits(width, value)),
            Node::Var(var) => Formula::Word(BV::new_const(var.index() as u32, width)),
            Node::Unary(Unary::Not, a) if is_truth => Formula::Truth(self.known_truth(a).not()),
            Node::Unary(op, a) => Formula::Word(unary(op, &self.word(a), width)),
            Node::Binary(op, a, b) => self.binary(op, a, b, is_truth),
            Node::Extend(Extend::Zero, a) => Formula::Word(self.word(a).zero_ext(width - terms.width(a))),
            Node::Extend(Extend::Sign, a) => Formula::Word(self.word(a).sign_ext(width - terms.width(a))),
            Node::Extract { from, low } => Formula::Word(self.word(from).extract(low + width - 1, low)),
            Node::Ite(c, a, b) if is_truth => {
                Formula::Truth(self.known_truth(c).ite(&self.known_truth(a), &self.known_truth(b)))
            }
            Node::Ite(c, a, b) => Formula::Word(self.known_truth(c).ite(&self.word(a), &self.word(b))),
        }
    }

    fn binary(&self, op: Binary, a: TermId, b: TermId, is_truth: bool) -> Formula {
        if is_truth && let Some(connective) = connective(op) {
            return Formula::Truth(connective(&self.known_truth(a), &self.known_truth(b)));
        }
        let (a, b) = (self.word(a), self.word(b));
        let word = match op {
            Binary::And => a.bvand(&b),
            Binary::Or => a.bvor(&b),
            Binary::Xor => a.bvxor(&b),
            Binary::Add => a.bvadd(&b),
            Binary::Mul => a.bvmul(&b),
            Binary::Udiv => a.bvudiv(&b),
            Binary::Urem => a.bvurem(&b),
            Binary::Sdiv => a.bvsdiv(&b),
            Binary::Srem => a.bvsrem(&b),
            Binary::Shl => a.bvshl(&b),
            Binary::Lshr => a.bvlshr(&b),
            Binary::Ashr => a.bvashr(&b),
            Binary::Concat => a.concat(&b),
            Binary::Eq => return Formula::Truth(a.eq(&b)),
            Binary::Ult => return Formula::Truth(a.bvult(&b)),
            Binary::Slt => return Formula::Truth(a.bvslt(&b)),
        };
        Formula::Word(word)
    }
}

/// The operation on truth values.
fn connective(op: Binary) -> Option<fn(&Bool, &Bool) -> Bool> {
    match op {
        Binary::And => Some(|a, b| Bool::and(&[a, b])),
        Binary::Or => Some(|a, b| Bool::or(&[a, b])),
        Binary::Xor => Some(|a, b| a.xor(b)),
        _ => None,
    }
}

fn unary(op: Unary, a: &BV, width: u32) -> BV {
    let bit = |at: u32| a.extract(at, at);
    match op {
        Unary::Not => a.bvnot(),
        Unary::Popcount => {
            let widened = |at| if width == 1 { bit(at) } else { bit(at).zero_ext(width - 1) };
            (1..width).fold(widened(0), |sum, at| sum.bvadd(widened(at)))
        }
        Unary::LeadingZeros => first_one((0..width).map(|at| (bit(at), width - 1 - at)), width),
        Unary::TrailingZeros => first_one((0..width).rev().map(|at| (bit(at), at)), width),
    }
}

/// The number of the last bit that is set, or the width.
fn first_one(numbered: impl Iterator<Item = (BV, u32)>, width: u32) -> BV {
    numbered.fold(bits(width, u128::from(width)), |rest, (bit, number)| {
        bit.eq(bits(1, 1)).ite(&bits(width, u128::from(number)), &rest)
    })
}

fn bits(width: u32, value: u128) -> BV {
    let bits: Vec<bool> = (0..width).map(|bit| value >> bit & 1 == 1).collect();
    BV::from_bits(&bits).expect("invariant: a word has bits")
}
