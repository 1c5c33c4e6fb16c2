//! Circuits: hash-consed gates, the form between terms and clauses.
//!
//! Laws. A gate's inputs are older than the gate. Equal gates are one. No gate has a constant input, or two
//! inputs from one gate (of any sign): what can be said with fewer gates, is. Signs stand as far out as they
//! can: the inputs of `Xor` and `Parity` and the first inputs of `Mux` and `Majority` are not negated, nor is
//! the second of `Mux`.
//!
//! Source: the and-inverter graphs of Kuehlmann, Ganai, Paruthi, *Circuit-based Boolean Reasoning*, DAC 2001.
//! Departures: choice, exclusive or, and both outputs of a full adder are gates of their own, because their
//! clauses are fewer and propagate better than those of the conjunctions that they stand for.

use rustc_hash::FxHashMap;

/// The output of a gate, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Wire(u32);

impl Wire {
    /// Always 0.
    pub(crate) const FALSE: Wire = Wire(0);
    /// Always 1.
    pub(crate) const TRUE: Wire = Wire(1);

    /// The constant.
    pub(crate) fn constant(value: bool) -> Wire {
        Wire(u32::from(value))
    }

    /// The output of the gate with that number.
    pub(crate) fn of_gate(gate: u32) -> Wire {
        Wire(gate << 1)
    }

    /// The number of the gate.
    pub(crate) fn gate(self) -> u32 {
        self.0 >> 1
    }

    /// Whether it is the negation of the gate's output.
    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Its value, if it is constant.
    pub(crate) fn value(self) -> Option<bool> {
        (self.gate() == 0).then_some(self.is_negated())
    }

    /// The wire, or its negation if `flip`.
    fn flip_if(self, flip: bool) -> Wire {
        Wire(self.0 ^ u32::from(flip))
    }

    /// The gate's output itself.
    fn positive(self) -> Wire {
        Wire(self.0 & !1)
    }
}

impl std::ops::Not for Wire {
    type Output = Wire;

    fn not(self) -> Wire {
        self.flip_if(true)
    }
}

/// What computes a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Gate {
    /// The constant 0; gate number 0 and no other.
    False,
    /// A bit of a variable.
    Input,
    /// Both are 1.
    And(Wire, Wire),
    /// They differ.
    Xor(Wire, Wire),
    /// The second if the first is 1, else the third.
    Mux(Wire, Wire, Wire),
    /// At least two of them are 1.
    Majority(Wire, Wire, Wire),
    /// One or three of them are 1.
    Parity(Wire, Wire, Wire),
}

impl Gate {
    /// Calls `action` with each wire that the gate reads.
    pub(crate) fn for_each_wire(self, mut action: impl FnMut(Wire)) {
        match self {
            Gate::False | Gate::Input => {}
            Gate::And(a, b) | Gate::Xor(a, b) => {
                action(a);
                action(b);
            }
            Gate::Mux(a, b, c) | Gate::Majority(a, b, c) | Gate::Parity(a, b, c) => {
                action(a);
                action(b);
                action(c);
            }
        }
    }
}

/// Walks through circuits; each meets a gate once.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// By gate: the number of the last walk that met it.
    met: Vec<u32>,
    number: u32,
}

impl Walk {
    /// Begins another walk.
    pub(crate) fn begin(&mut self, gates: &Gates) {
        self.met.resize(gates.len(), 0);
        self.number += 1;
    }

    /// Whether this walk meets the gate for the first time.
    pub(crate) fn meets(&mut self, gate: u32) -> bool {
        std::mem::replace(&mut self.met[gate as usize], self.number) != self.number
    }

    /// The inputs that wires depend on, ascending.
    pub(crate) fn inputs(&mut self, gates: &Gates, wires: &[Wire]) -> Vec<u32> {
        self.begin(gates);
        let mut inputs = Vec::new();
        let mut todo: Vec<u32> = wires.iter().map(|wire| wire.gate()).collect();
        while let Some(next) = todo.pop() {
            if !self.meets(next) {
                continue;
            }
            match gates.gate(next) {
                Gate::Input => inputs.push(next),
                gate => gate.for_each_wire(|wire| todo.push(wire.gate())),
            }
        }
        inputs.sort_unstable();
        inputs
    }
}

/// All gates of a function's conditions.
#[derive(Debug)]
pub(crate) struct Gates {
    gates: Vec<Gate>,
    known: FxHashMap<Gate, u32>,
    /// By gate: how many gates read it, up to 255.
    readers: Vec<u8>,
}

impl Gates {
    /// A circuit with nothing but the constant.
    pub(crate) fn new() -> Gates {
        Gates { gates: vec![Gate::False], known: FxHashMap::default(), readers: vec![0] }
    }

    /// How many gates there are, the constant included.
    pub(crate) fn len(&self) -> usize {
        self.gates.len()
    }

    /// The gate with that number.
    pub(crate) fn gate(&self, gate: u32) -> Gate {
        self.gates[gate as usize]
    }

    /// Calls `action` with each wire that the gate depends on, where a conjunction is taken together with those that only it reads.
    pub(crate) fn for_each_leaf(&self, gate: u32, mut action: impl FnMut(Wire)) {
        let mut todo = vec![gate];
        while let Some(next) = todo.pop() {
            let is_and = matches!(self.gate(next), Gate::And(..));
            self.gate(next).for_each_wire(|wire| {
                let inner = wire.gate();
                let is_part = is_and && !wire.is_negated() && self.readers[inner as usize] == 1;
                if is_part && matches!(self.gate(inner), Gate::And(..)) {
                    todo.push(inner);
                } else {
                    action(wire);
                }
            });
        }
    }

    /// A bit that nothing is known about.
    pub(crate) fn input(&mut self) -> Wire {
        self.push(Gate::Input)
    }

    fn push(&mut self, gate: Gate) -> Wire {
        gate.for_each_wire(|wire| {
            let readers = &mut self.readers[wire.gate() as usize];
            *readers = readers.saturating_add(1);
        });
        self.readers.push(0);
        let number = u32::try_from(self.gates.len()).expect("invariant: a circuit has fewer than 2³¹ gates");
        self.gates.push(gate);
        Wire::of_gate(number)
    }

    fn make(&mut self, gate: Gate) -> Wire {
        if let Some(&number) = self.known.get(&gate) {
            return Wire::of_gate(number);
        }
        let wire = self.push(gate);
        self.known.insert(gate, wire.gate());
        wire
    }

    /// Both.
    pub(crate) fn and(&mut self, a: Wire, b: Wire) -> Wire {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        // 0 ∧ b = 0    1 ∧ b = b    b ∧ b = b    ¬b ∧ b = 0
        match a.value() {
            Some(false) => return Wire::FALSE,
            Some(true) => return b,
            None if a == b => return b,
            None if a == !b => return Wire::FALSE,
            None => {}
        }
        if let Some(simpler) = self.absorb(a, b).or_else(|| self.absorb(b, a)) {
            return simpler;
        }
        self.make(Gate::And(a, b))
    }

    /// `a ∧ b` where `b` is a conjunction that contains `a`, of any sign.
    fn absorb(&mut self, a: Wire, b: Wire) -> Option<Wire> {
        let Gate::And(x, y) = self.gate(b.gate()) else { return None };
        let (same, rest) = match () {
            () if x.gate() == a.gate() => (x, y),
            () if y.gate() == a.gate() => (y, x),
            () => return None,
        };
        Some(match (b.is_negated(), same == a) {
            // a ∧ (a ∧ r) = a ∧ r
            (false, true) => b,
            // a ∧ (¬a ∧ r) = 0
            (false, false) => Wire::FALSE,
            // a ∧ ¬(a ∧ r) = a ∧ ¬r
            (true, true) => self.and(a, !rest),
            // a ∧ ¬(¬a ∧ r) = a
            (true, false) => a,
        })
    }

    /// Any of both.
    pub(crate) fn or(&mut self, a: Wire, b: Wire) -> Wire {
        !self.and(!a, !b)
    }

    /// Exactly one of both.
    pub(crate) fn xor(&mut self, a: Wire, b: Wire) -> Wire {
        // ¬a ⊕ b = ¬(a ⊕ b)
        let flip = a.is_negated() ^ b.is_negated();
        let (a, b) = (a.positive().min(b.positive()), a.positive().max(b.positive()));
        // 0 ⊕ b = b    b ⊕ b = 0
        let wire = match () {
            () if a == Wire::FALSE => b,
            () if a == b => Wire::FALSE,
            () => self.make(Gate::Xor(a, b)),
        };
        wire.flip_if(flip)
    }

    /// The first if `c`, else the second.
    pub(crate) fn mux(&mut self, c: Wire, a: Wire, b: Wire) -> Wire {
        // (¬c ? a : b) = (c ? b : a)
        let (c, a, b) = if c.is_negated() { (!c, b, a) } else { (c, a, b) };
        // (c ? a : b) = a  if a = b or c = 1    (0 ? a : b) = b
        if a == b || c == Wire::TRUE {
            return a;
        }
        if c == Wire::FALSE {
            return b;
        }
        // (c ? ¬b : b) = c ⊕ b
        if a == !b {
            return self.xor(c, b);
        }
        // (c ? c : b) = (c ? 1 : b)    (c ? a : c) = (c ? a : 0)
        let a = if a.gate() == c.gate() { Wire::constant(a == c) } else { a };
        let b = if b.gate() == c.gate() { Wire::constant(b != c) } else { b };
        match (a.value(), b.value()) {
            (Some(true), _) => self.or(c, b),
            (Some(false), _) => self.and(!c, b),
            (_, Some(true)) => self.or(!c, a),
            (_, Some(false)) => self.and(c, a),
            // (c ? ¬a : ¬b) = ¬(c ? a : b)
            _ => self.make(Gate::Mux(c, a.positive(), b.flip_if(a.is_negated()))).flip_if(a.is_negated()),
        }
    }

    /// At least two of three.
    pub(crate) fn majority(&mut self, a: Wire, b: Wire, c: Wire) -> Wire {
        let mut wires = [a, b, c];
        wires.sort_unstable();
        let [a, b, c] = wires;
        // maj(0, b, c) = b ∧ c    maj(1, b, c) = b ∨ c
        match a.value() {
            Some(false) => return self.and(b, c),
            Some(true) => return self.or(b, c),
            None => {}
        }
        // maj(a, a, c) = a    maj(a, ¬a, c) = c
        if a.gate() == b.gate() {
            return if a == b { a } else { c };
        }
        if b.gate() == c.gate() {
            return if b == c { b } else { a };
        }
        // maj(¬a, ¬b, ¬c) = ¬maj(a, b, c)
        let flip = a.is_negated();
        self.make(Gate::Majority(a.flip_if(flip), b.flip_if(flip), c.flip_if(flip))).flip_if(flip)
    }

    /// One or three of three.
    pub(crate) fn parity(&mut self, a: Wire, b: Wire, c: Wire) -> Wire {
        // ¬a ⊕ b ⊕ c = ¬(a ⊕ b ⊕ c)
        let flip = a.is_negated() ^ b.is_negated() ^ c.is_negated();
        let mut wires = [a.positive(), b.positive(), c.positive()];
        wires.sort_unstable();
        let [a, b, c] = wires;
        // 0 ⊕ b ⊕ c = b ⊕ c    b ⊕ b ⊕ c = c
        let wire = match () {
            () if a == Wire::FALSE => self.xor(b, c),
            () if a == b => c,
            () if b == c => a,
            () => self.make(Gate::Parity(a, b, c)),
        };
        wire.flip_if(flip)
    }

    /// All of them.
    pub(crate) fn all(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        let mut result = Wire::TRUE;
        for wire in wires {
            result = self.and(result, wire);
        }
        result
    }

    /// Any of them.
    pub(crate) fn any(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        let mut result = Wire::FALSE;
        for wire in wires {
            result = self.or(result, wire);
        }
        result
    }
}
