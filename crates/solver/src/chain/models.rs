//! Values that were good before.
//!
//! 64 assignments are evaluated at once: a gate has a word of 64 bits, one for each. At first they are made
//! up (zeros, ones, small numbers of both signs, random numbers); models that a search finds take their
//! places. A query is satisfiable if the words of its wires have a common 1.
//!
//! Source: counterexample caching, Cadar, Dunbar, Engler, *KLEE*, OSDI 2008, §3.3; simulation in 64-bit words
//! is common in the equivalence checking of circuits (Mishchenko, Chatterjee, Jiang, Brayton, *FRAIGs*,
//! 2005).

use crate::blast::{Circuit, InputBit};
use crate::chain::{Cx, Found, Stage};
use crate::gates::{Gate, Walk, Wire};

/// Assignments with these numbers and above are replaced by models, in turn; those below stay for good.
const FIRST_REPLACED: u32 = 16;

/// Tries 64 assignments before it hands on a query, and keeps the models that come back.
#[derive(Debug)]
pub(super) struct Models {
    next: Box<dyn Stage>,
    /// The values of a gate under all assignments, as of the generation in which they were computed.
    words: Vec<Word>,
    /// Counts changes of the assignments.
    generation: u32,
    /// The assignment that the next model replaces.
    oldest: u32,
    walk: Walk,
}

#[derive(Clone, Copy, Debug)]
struct Word {
    bits: u64,
    generation: u32,
}

impl Models {
    pub(super) fn new(next: Box<dyn Stage>) -> Models {
        Models { next, words: Vec::new(), generation: 1, oldest: FIRST_REPLACED, walk: Walk::default() }
    }

    /// Gives new inputs their first values.
    fn make_up(&mut self, circuit: &Circuit) {
        for gate in self.words.len() as u32..circuit.gates.len() as u32 {
            let bits = match circuit.gates.gate(gate) {
                Gate::Input => made_up(circuit.input(gate)),
                _ => 0,
            };
            self.words.push(Word { bits, generation: 0 });
        }
    }

    /// The values of a wire, one per assignment.
    fn word(&mut self, circuit: &Circuit, wire: Wire) -> u64 {
        let mut todo = vec![wire.gate()];
        while let Some(&gate) = todo.last() {
            if self.words[gate as usize].generation == self.generation {
                todo.pop();
                continue;
            }
            let before = todo.len();
            circuit.gates.gate(gate).for_each_wire(|wire| {
                if self.words[wire.gate() as usize].generation != self.generation {
                    todo.push(wire.gate());
                }
            });
            if todo.len() == before {
                self.words[gate as usize] =
                    Word { bits: self.compute(circuit, gate), generation: self.generation };
                todo.pop();
            }
        }
        self.bits(wire)
    }

    fn bits(&self, wire: Wire) -> u64 {
        let bits = self.words[wire.gate() as usize].bits;
        if wire.is_negated() { !bits } else { bits }
    }

    fn compute(&self, circuit: &Circuit, gate: u32) -> u64 {
        match circuit.gates.gate(gate) {
            Gate::False => 0,
            Gate::Input => self.words[gate as usize].bits,
            Gate::And(a, b) => self.bits(a) & self.bits(b),
            Gate::Parity(a, b, c) => self.bits(a) ^ self.bits(b) ^ self.bits(c),
            Gate::Xor(a, b) => self.bits(a) ^ self.bits(b),
            Gate::Mux(c, a, b) => {
                let c = self.bits(c);
                c & self.bits(a) | !c & self.bits(b)
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (self.bits(a), self.bits(b), self.bits(c));
                a & b | c & (a | b)
            }
        }
    }

    /// A model takes the place of the oldest one; inputs that it says nothing about stay as they were.
    fn keep(&mut self, circuit: &Circuit, wires: &[Wire], ones: &[u32]) {
        let slot = 1 << self.oldest;
        self.oldest = if self.oldest == 63 { FIRST_REPLACED } else { self.oldest + 1 };
        for input in self.walk.inputs(&circuit.gates, wires) {
            self.words[input as usize].bits &= !slot;
        }
        for &input in ones {
            self.words[input as usize].bits |= slot;
        }
        self.generation += 1;
    }
}

/// The values of an input at first, by the number of the assignment.
fn made_up(input: InputBit) -> u64 {
    let random = scrambled(u64::from(input.gate));
    // 0: zero, 1: minus one, 2 to 15: below 128, 16 to 31: from -128 on, 32 to 63: any.
    let (zero, small, negative, any) = (1, 0xfffc, 0xffff_0000, 0xffff_ffff_0000_0000);
    debug_assert_eq!(zero | 2 | small | negative | any, u64::MAX, "each assignment should have one kind");
    match input.bit {
        0..7 => random & (small | negative | any) | 2,
        _ => random & any | negative | 2,
    }
}

/// A number that looks random; the finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
fn scrambled(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl Stage for Models {
    fn check(&mut self, cx: &mut Cx<'_>, wires: &[Wire]) -> Found {
        self.make_up(cx.circuit);
        let mut common = u64::MAX;
        for &wire in wires {
            common &= self.word(cx.circuit, wire);
            if common == 0 {
                break;
            }
        }
        if common != 0 {
            cx.stats.by_models += 1;
            let slot = 1 << common.trailing_zeros();
            let inputs = self.walk.inputs(&cx.circuit.gates, wires);
            return Found::Sat(
                inputs.into_iter().filter(|&input| self.words[input as usize].bits & slot != 0).collect(),
            );
        }
        let found = self.next.check(cx, wires);
        if let Found::Sat(ones) = &found {
            self.keep(cx.circuit, wires, ones);
        }
        found
    }
}
