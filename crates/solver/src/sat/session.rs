//! The part of a circuit that a running SAT solver knows.

use crate::gates::{Gate, Gates, Walk, Wire};
use crate::sat::clauses::{self, Literal};

/// A session is given up if the query needs fewer of its gates than one in so many: a SAT solver must find values for all variables
/// that it knows, so the rest would cost more than to begin again. Of 1, 2, 3, 4 and 8, this cost the fewest instructions.
const WASTE: usize = 3;
/// Gates that a session may have in any case; beginning again costs more than these.
const FREE: usize = 256;

/// Which gates have which variables.
///
/// Law: with a gate, all that its clauses name is known.
#[derive(Debug, Default)]
pub(super) struct Session {
    /// By gate; 0 for those that are unknown, else one more than the variable.
    variables: Vec<u32>,
    /// By variable.
    gates: Vec<u32>,
    walk: Walk,
}

/// What a query needs.
pub(super) struct Cone {
    /// Gates that the query reaches, known ones included.
    reached: usize,
    /// Those of them that are unknown, ascending.
    new: Vec<u32>,
    /// Those of them that are inputs.
    pub(super) inputs: Vec<u32>,
}

impl Session {
    /// The cone of these wires.
    pub(super) fn cone(&mut self, gates: &Gates, wires: &[Wire]) -> Cone {
        self.variables.resize(gates.len(), 0);
        self.walk.begin(gates);
        let mut cone = Cone { reached: 0, new: Vec::new(), inputs: Vec::new() };
        let mut todo: Vec<u32> = wires.iter().map(|wire| wire.gate()).collect();
        while let Some(next) = todo.pop() {
            if !self.walk.meets(next) {
                continue;
            }
            cone.reached += 1;
            if self.variables[next as usize] == 0 {
                cone.new.push(next);
            }
            match gates.gate(next) {
                Gate::Input => cone.inputs.push(next),
                _ => gates.for_each_leaf(next, |wire| todo.push(wire.gate())),
            }
        }
        cone.new.sort_unstable();
        cone.inputs.sort_unstable();
        cone
    }

    /// Whether the query would have to carry too much that it does not need.
    pub(super) fn is_wasteful_for(&self, cone: &Cone) -> bool {
        self.gates.len() + cone.new.len() > FREE.max(WASTE * cone.reached)
    }

    /// Forgets all variables.
    pub(super) fn clear(&mut self) {
        for gate in self.gates.drain(..) {
            self.variables[gate as usize] = 0;
        }
    }

    /// Gives the gates of the cone that are unknown a variable; calls `add` with their clauses.
    pub(super) fn load(&mut self, gates: &Gates, cone: &Cone, mut add: impl FnMut(&[Literal])) {
        for &gate in &cone.new {
            self.gates.push(gate);
            self.variables[gate as usize] = self.gates.len() as u32;
            self.explain(gates, gate, &mut add);
        }
    }

    fn explain(&self, gates: &Gates, gate: u32, add: &mut impl FnMut(&[Literal])) {
        let out = self.literal(Wire::of_gate(gate));
        match gates.gate(gate) {
            Gate::False | Gate::Input => {}
            Gate::And(..) => {
                let mut leaves = Vec::new();
                gates.for_each_leaf(gate, |wire| leaves.push(self.literal(wire)));
                clauses::all(out, &leaves, add);
            }
            Gate::Xor(a, b) => clauses::xor(out, self.literal(a), self.literal(b), add),
            Gate::Parity(a, b, c) => {
                clauses::parity(out, self.literal(a), self.literal(b), self.literal(c), add)
            }
            Gate::Mux(c, a, b) => clauses::mux(out, self.literal(c), self.literal(a), self.literal(b), add),
            Gate::Majority(a, b, c) => {
                clauses::majority(out, self.literal(a), self.literal(b), self.literal(c), add)
            }
        }
    }

    /// How many variables there are.
    pub(super) fn len(&self) -> usize {
        self.gates.len()
    }

    /// The literal of a wire that is known.
    pub(super) fn literal(&self, wire: Wire) -> Literal {
        let variable = self.variables[wire.gate() as usize];
        debug_assert_ne!(variable, 0, "a gate should be known before it is named");
        Literal::new(variable - 1, wire.is_negated())
    }
}

impl Cone {
    /// How many gates are unknown.
    pub(super) fn new_gates(&self) -> usize {
        self.new.len()
    }
}
