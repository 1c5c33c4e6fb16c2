//! Independent parts of a query.
//!
//! Source: constraint independence, Cadar, Dunbar, Engler, *KLEE*, OSDI 2008, §3.3. Departure: by the bits
//! that gates read, not by the variables that terms name, so that tests of different flags in one word are
//! independent.

use rustc_hash::FxHashMap;

use crate::chain::{Cx, Found, Stage};
use crate::gates::{Gates, Walk, Wire};

/// Splits a query into parts that share no input; their models are put together.
#[derive(Debug)]
pub(super) struct Slice {
    next: Box<dyn Stage>,
    /// The inputs that a gate depends on, for all gates that were asked about.
    supports: FxHashMap<u32, Box<[u32]>>,
    walk: Walk,
    /// For an input, a wire that depends on it, as of the query with that number.
    owner: Vec<(u64, u32)>,
    query: u64,
}

impl Slice {
    pub(super) fn new(next: Box<dyn Stage>) -> Slice {
        Slice { next, supports: FxHashMap::default(), walk: Walk::default(), owner: Vec::new(), query: 0 }
    }

    fn know_support(&mut self, gates: &Gates, wire: Wire) {
        if !self.supports.contains_key(&wire.gate()) {
            let support = self.walk.inputs(gates, &[wire]);
            self.supports.insert(wire.gate(), support.into_boxed_slice());
        }
    }

    /// The parts, each with its wires in their order; that of the last wire first, because it is what the query has asked for:
    /// the others were assumed before.
    fn parts(&mut self, gates: &Gates, wires: &[Wire]) -> Vec<Vec<Wire>> {
        for &wire in wires {
            self.know_support(gates, wire);
        }
        self.owner.resize(gates.len(), (0, 0));
        self.query += 1;
        // Each wire begins as a part of its own; parts that share an input become one.
        let mut parent: Vec<u32> = (0..wires.len() as u32).collect();
        for (at, wire) in wires.iter().enumerate().rev() {
            for &input in &self.supports[&wire.gate()] {
                let owner = &mut self.owner[input as usize];
                if owner.0 == self.query {
                    let (a, b) = (root(&mut parent, owner.1), root(&mut parent, at as u32));
                    parent[a.min(b) as usize] = a.max(b);
                } else {
                    *owner = (self.query, at as u32);
                }
            }
        }
        let mut parts: Vec<Vec<Wire>> = vec![Vec::new(); wires.len()];
        for (at, &wire) in wires.iter().enumerate() {
            parts[root(&mut parent, at as u32) as usize].push(wire);
        }
        parts.into_iter().rev().filter(|part| !part.is_empty()).collect()
    }
}

/// The part that a wire now belongs to, named after its last wire.
fn root(parent: &mut [u32], at: u32) -> u32 {
    let mut at = at;
    while parent[at as usize] != at {
        parent[at as usize] = parent[parent[at as usize] as usize];
        at = parent[at as usize];
    }
    at
}

impl Stage for Slice {
    fn check(&mut self, cx: &mut Cx<'_>, wires: &[Wire]) -> Found {
        let mut ones = Vec::new();
        let mut limit = None;
        for part in self.parts(&cx.circuit.gates, wires) {
            cx.stats.parts += 1;
            match self.next.check(cx, &part) {
                Found::Sat(more) => ones.extend(more),
                Found::Unsat(core) => return Found::Unsat(core),
                // Another part may still be contradictory.
                Found::Unknown(why) => limit = Some(why),
            }
        }
        match limit {
            Some(limit) => Found::Unknown(limit),
            None => Found::Sat(ones),
        }
    }
}
