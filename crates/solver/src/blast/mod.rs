//! Bit-blasting: terms into circuits, once per term.
//!
//! Each term becomes as many wires as it has bits, the least significant first. What is built stays for all
//! queries of the function; terms that share a subterm share its gates.
//!
//! Source: SATURN (Xie, Aiken 2007) §3.1. Departures: circuits stand between terms and clauses, so that
//! constants and equal gates vanish before the SAT solver sees them; multiplication, division, remainder and
//! variable shifts are exact.

mod add;
mod count;
mod divide;
mod shift;

use base::Id;
use term::{Binary, Extend, Node, TermId, Terms, Unary, VarId};

use crate::gates::{Gates, Wire};

/// The wires of a word, the least significant first.
pub(crate) type Word = Vec<Wire>;

/// Where the wires of a term are.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    start: u32,
    width: u32,
}

/// The bit of a variable that an input stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InputBit {
    pub(crate) gate: u32,
    pub(crate) var: VarId,
    pub(crate) bit: u32,
}

/// The circuit of a function's terms, as far as queries have asked for them.
#[derive(Debug)]
pub(crate) struct Circuit {
    pub(crate) gates: Gates,
    wires: Vec<Wire>,
    places: Vec<Option<Stretch>>,
    /// By number of the gate, ascending.
    inputs: Vec<InputBit>,
    /// Gates that there may be.
    most: usize,
}

impl Circuit {
    /// A circuit of no terms, which may have so many gates.
    pub(crate) fn new(most: usize) -> Circuit {
        Circuit { gates: Gates::new(), wires: Vec::new(), places: Vec::new(), inputs: Vec::new(), most }
    }

    /// The wire of a condition; none if the circuit would become too large.
    pub(crate) fn condition(&mut self, terms: &Terms, condition: TermId) -> Option<Wire> {
        assert_eq!(terms.width(condition), 1, "a condition should have one bit");
        self.word(terms, condition).map(|word| word[0])
    }

    /// The wires of a term; without recursion, because terms of long paths are deep.
    fn word(&mut self, terms: &Terms, term: TermId) -> Option<&[Wire]> {
        if self.places.len() < terms.len() {
            self.places.resize(terms.len(), None);
        }
        let mut todo = vec![term];
        while let Some(&next) = todo.last() {
            if self.places[next.index()].is_some() {
                todo.pop();
                continue;
            }
            let before = todo.len();
            terms.for_each_operand(next, |operand| {
                if self.places[operand.index()].is_none() {
                    todo.push(operand);
                }
            });
            if todo.len() == before {
                if self.gates.len() > self.most {
                    return None;
                }
                let word = self.blast(terms, next);
                self.keep(terms, next, &word);
                todo.pop();
            }
        }
        Some(self.known(term))
    }

    /// The bit of a variable that an input is.
    pub(crate) fn input(&self, gate: u32) -> InputBit {
        let at = self.inputs.binary_search_by_key(&gate, |input| input.gate);
        self.inputs[at.expect("invariant: each input gate is a bit of a variable")]
    }

    fn keep(&mut self, terms: &Terms, term: TermId, word: &[Wire]) {
        debug_assert_eq!(word.len(), terms.width(term) as usize, "a word should have a wire per bit");
        let start = u32::try_from(self.wires.len()).expect("invariant: a circuit has fewer than 2³² wires");
        self.wires.extend_from_slice(word);
        self.places[term.index()] = Some(Stretch { start, width: terms.width(term) });
    }

    fn known(&self, term: TermId) -> &[Wire] {
        let place = self.places[term.index()].expect("invariant: operands are blasted before the term");
        &self.wires[place.start as usize..(place.start + place.width) as usize]
    }

    fn blast(&mut self, terms: &Terms, term: TermId) -> Word {
        let width = terms.width(term) as usize;
        match terms.node(term) {
            Node::Const(value) => constant(width, value),
            Node::Var(var) => self.variable(width, var),
            Node::Unary(op, a) => self.unary(op, a),
            Node::Binary(op, a, b) => self.binary(op, a, b),
            Node::Extend(op, a) => self.extend(op, a, width),
            Node::Extract { from, low } => self.known(from)[low as usize..low as usize + width].to_vec(),
            Node::Ite(c, a, b) => {
                let (c, a, b) = (self.known(c)[0], self.known(a).to_vec(), self.known(b).to_vec());
                choose(&mut self.gates, c, &a, &b)
            }
        }
    }

    fn variable(&mut self, width: usize, var: VarId) -> Word {
        let mut word = Word::with_capacity(width);
        for bit in 0..width as u32 {
            let wire = self.gates.input();
            self.inputs.push(InputBit { gate: wire.gate(), var, bit });
            word.push(wire);
        }
        word
    }

    fn unary(&mut self, op: Unary, a: TermId) -> Word {
        let a = self.known(a).to_vec();
        let gates = &mut self.gates;
        match op {
            Unary::Not => negated(&a),
            Unary::Popcount => count::ones(gates, &a),
            Unary::LeadingZeros => count::leading_zeros(gates, &a),
            Unary::TrailingZeros => count::trailing_zeros(gates, &a),
        }
    }

    fn binary(&mut self, op: Binary, a: TermId, b: TermId) -> Word {
        let (a, b) = (self.known(a).to_vec(), self.known(b).to_vec());
        let gates = &mut self.gates;
        match op {
            Binary::And => bitwise(&a, &b, |a, b| gates.and(a, b)),
            Binary::Or => bitwise(&a, &b, |a, b| gates.or(a, b)),
            Binary::Xor => bitwise(&a, &b, |a, b| gates.xor(a, b)),
            Binary::Add => add::sum(gates, &a, &b, Wire::FALSE),
            Binary::Mul => add::product(gates, &a, &b),
            Binary::Udiv => divide::unsigned(gates, &a, &b).quotient,
            Binary::Urem => divide::unsigned(gates, &a, &b).remainder,
            Binary::Sdiv => divide::signed_quotient(gates, &a, &b),
            Binary::Srem => divide::signed_remainder(gates, &a, &b),
            Binary::Shl => shift::left(gates, &a, &b),
            Binary::Lshr => shift::right(gates, &a, &b, Wire::FALSE),
            Binary::Ashr => shift::right(gates, &a, &b, a[a.len() - 1]),
            Binary::Concat => [b, a].concat(),
            Binary::Eq => vec![equal(gates, &a, &b)],
            Binary::Ult => vec![less(gates, &a, &b)],
            Binary::Slt => vec![signed_less(gates, &a, &b)],
        }
    }

    fn extend(&mut self, op: Extend, a: TermId, width: usize) -> Word {
        let mut word = self.known(a).to_vec();
        let front = match op {
            Extend::Zero => Wire::FALSE,
            Extend::Sign => word[word.len() - 1],
        };
        word.resize(width, front);
        word
    }
}

/// The bits of a value.
fn constant(width: usize, value: u128) -> Word {
    (0..width).map(|bit| Wire::constant(value >> bit & 1 == 1)).collect()
}

/// All bits turned over.
fn negated(a: &[Wire]) -> Word {
    a.iter().map(|&wire| !wire).collect()
}

fn bitwise(a: &[Wire], b: &[Wire], mut gate: impl FnMut(Wire, Wire) -> Wire) -> Word {
    a.iter().zip(b).map(|(&a, &b)| gate(a, b)).collect()
}

/// The first word if `c`, else the second.
fn choose(gates: &mut Gates, c: Wire, a: &[Wire], b: &[Wire]) -> Word {
    bitwise(a, b, |a, b| gates.mux(c, a, b))
}

/// All bits are equal.
fn equal(gates: &mut Gates, a: &[Wire], b: &[Wire]) -> Wire {
    let same = bitwise(a, b, |a, b| !gates.xor(a, b));
    gates.all(same)
}

/// `a < b`, unsigned: the subtraction `a - b` borrows, that is `a + ¬b + 1` has no carry.
fn less(gates: &mut Gates, a: &[Wire], b: &[Wire]) -> Wire {
    let mut less = Wire::FALSE;
    for (&a, &b) in a.iter().zip(b) {
        less = gates.majority(!a, b, less);
    }
    less
}

/// `a < b`, signed: unsigned with the sign bits turned over.
fn signed_less(gates: &mut Gates, a: &[Wire], b: &[Wire]) -> Wire {
    let sign = a.len() - 1;
    let below = less(gates, &a[..sign], &b[..sign]);
    gates.majority(a[sign], !b[sign], below)
}
