//! Clauses of the cone: what the SAT solver is told of a circuit.
//!
//! Only gates that the query's conditions reach get a variable and clauses, numbered anew for each query.
//!
//! Source: Tseitin 1968; SATURN (Xie, Aiken 2007) §3.1.

use crate::gates::{Gate, Gates, Wire};

/// A variable of the SAT solver (`2 · number`) or its negation (`2 · number + 1`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Literal(u32);

impl Literal {
    /// The variable's number.
    pub(crate) fn variable(self) -> u32 {
        self.0 >> 1
    }

    /// Whether it is the negation.
    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// The gates that some wires depend on, in topological order.
#[derive(Debug, Default)]
pub(crate) struct Cone {
    /// Numbers of gates, ascending; their place is the number of their variable.
    gates: Vec<u32>,
}

impl Cone {
    /// The cone of these wires, none of which is constant.
    pub(crate) fn of(gates: &Gates, roots: &[Wire]) -> Cone {
        let mut reached = vec![false; gates.len()];
        let mut todo: Vec<u32> = roots.iter().map(|wire| wire.gate()).collect();
        let mut cone = Vec::new();
        while let Some(next) = todo.pop() {
            if !std::mem::replace(&mut reached[next as usize], true) {
                cone.push(next);
                gates.gate(next).for_each_wire(|wire| todo.push(wire.gate()));
            }
        }
        cone.sort_unstable();
        Cone { gates: cone }
    }

    /// How many variables the SAT solver needs.
    pub(crate) fn len(&self) -> usize {
        self.gates.len()
    }

    /// The gates, by their variable.
    pub(crate) fn gates(&self) -> &[u32] {
        &self.gates
    }

    /// The literal of a wire of the cone.
    pub(crate) fn literal(&self, wire: Wire) -> Literal {
        let variable =
            self.gates.binary_search(&wire.gate()).expect("invariant: the cone contains what its gates need");
        Literal((variable as u32) << 1 | u32::from(wire.is_negated()))
    }

    /// Calls `add` with each clause.
    pub(crate) fn clauses(&self, gates: &Gates, mut add: impl FnMut(&[Literal])) {
        for &number in &self.gates {
            let out = self.literal(Wire::of_gate(number));
            match gates.gate(number) {
                Gate::False | Gate::Input => {}
                Gate::And(a, b) => and(out, self.literal(a), self.literal(b), &mut add),
                Gate::Xor(a, b) => xor(out, self.literal(a), self.literal(b), &mut add),
                Gate::Mux(c, a, b) => mux(out, self.literal(c), self.literal(a), self.literal(b), &mut add),
                Gate::Majority(a, b, c) => {
                    majority(out, self.literal(a), self.literal(b), self.literal(c), &mut add)
                }
            }
        }
    }
}

/// `out = a ∧ b`
fn and(out: Literal, a: Literal, b: Literal, add: &mut impl FnMut(&[Literal])) {
    add(&[!out, a]);
    add(&[!out, b]);
    add(&[out, !a, !b]);
}

/// `out = a ⊕ b`
fn xor(out: Literal, a: Literal, b: Literal, add: &mut impl FnMut(&[Literal])) {
    add(&[!out, a, b]);
    add(&[!out, !a, !b]);
    add(&[out, !a, b]);
    add(&[out, a, !b]);
}

/// `out = (c ? a : b)`; the last two clauses follow from the others, and let the output be known before the choice.
fn mux(out: Literal, c: Literal, a: Literal, b: Literal, add: &mut impl FnMut(&[Literal])) {
    add(&[!c, !a, out]);
    add(&[!c, a, !out]);
    add(&[c, !b, out]);
    add(&[c, b, !out]);
    add(&[!a, !b, out]);
    add(&[a, b, !out]);
}

/// `out = maj(a, b, c)`
fn majority(out: Literal, a: Literal, b: Literal, c: Literal, add: &mut impl FnMut(&[Literal])) {
    for (x, y) in [(a, b), (a, c), (b, c)] {
        add(&[!x, !y, out]);
        add(&[x, y, !out]);
    }
}
