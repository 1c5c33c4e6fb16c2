//! Reduced ordered binary decision diagrams with complement edges.
//!
//! Source: Bryant 1986, after SATURN §3.3; complement edges after Brace, Rudell, Bryant 1990, whose *standard
//! triples* we do not use in full: only `f ∧ g` is ordered before it is looked up.
//! Departures: no garbage collection and no reordering. A diagram lives as long as one function, and its
//! variables stand in the reverse of the order in which they came: a branch below `g` on a new condition `c`
//! is the one new node `if c { g } else { false }`, and where its two sides meet again the node vanishes. So
//! the guards of structured code are linear in its size; with the oldest variable at the root, a chain of n
//! branches would take n² nodes.
//!
//! Laws (asserted where nodes are made): no node has equal children; the high edge of a node is never
//! complemented; equal nodes are one; the variables along an edge decrease. So two edges are equal if and
//! only if their functions are.

use base::limits;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// A function of the variables: a node and whether it is negated. The node 0 is the constant `true`, kept nowhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge(u32);

impl Edge {
    pub(super) const TRUE: Edge = Edge(0);
    pub(super) const FALSE: Edge = Edge(1);

    fn regular(node: usize) -> Edge {
        Edge((node as u32) << 1)
    }

    pub(super) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(super) fn is_constant(self) -> bool {
        self.node() == 0
    }

    /// The negation.
    #[must_use]
    pub(super) fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }

    fn not_if(self, negate: bool) -> Edge {
        Edge(self.0 ^ u32::from(negate))
    }
}

/// `if variable { high } else { low }`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Branch {
    pub(super) var: u32,
    pub(super) high: Edge,
    pub(super) low: Edge,
}

/// What [`Bdd::ite`] has computed: operands and result.
type Computed = ([Edge; 3], Edge);

/// No operation has these operands: `ite(true, …)` is never looked up.
const NOTHING: Computed = ([Edge::TRUE; 3], Edge::TRUE);

/// All diagrams over the variables of one function.
#[derive(Clone, Debug)]
pub(super) struct Bdd {
    /// The node `n` is at `n - 1`.
    nodes: Vec<Branch>,
    unique: HashTable<u32>,
    /// Directly mapped and forgetful, so that its size stays in proportion to the nodes. Empty until first used.
    computed: Vec<Computed>,
    /// How many nodes there may be.
    max_nodes: usize,
    /// How many steps the operation under way may still take.
    steps: usize,
}

impl Bdd {
    pub(super) fn new(max_nodes: usize) -> Bdd {
        // Node numbers take 31 bits.
        let max_nodes = max_nodes.min(1 << 30);
        Bdd { nodes: Vec::new(), unique: HashTable::new(), computed: Vec::new(), max_nodes, steps: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node of an edge that is not constant, as if the edge were not negated.
    pub(super) fn branch(&self, edge: Edge) -> Branch {
        self.nodes[edge.node() - 1]
    }

    /// The variable at the top and the two cofactors by it.
    pub(super) fn top(&self, edge: Edge) -> Branch {
        let Branch { var, high, low } = self.branch(edge);
        let negated = edge.is_negated();
        Branch { var, high: high.not_if(negated), low: low.not_if(negated) }
    }

    /// How far from the constants the edge begins: 0 for a constant, else one more than the variable at the top.
    fn level(&self, edge: Edge) -> u32 {
        if edge.is_constant() { 0 } else { self.branch(edge).var + 1 }
    }

    /// Both cofactors by the variable of a level that is not below that of the edge.
    fn cofactors(&self, edge: Edge, level: u32) -> (Edge, Edge) {
        if self.level(edge) != level {
            return (edge, edge);
        }
        let Branch { high, low, .. } = self.top(edge);
        (high, low)
    }

    /// The function that is one variable.
    pub(super) fn variable(&mut self, var: u32) -> Option<Edge> {
        self.make(Branch { var, high: Edge::TRUE, low: Edge::FALSE })
    }

    /// The function with that node; `None` if it is new and there are too many.
    fn make(&mut self, branch: Branch) -> Option<Edge> {
        if branch.high == branch.low {
            return Some(branch.high);
        }
        // if x { !a } else { b }  =  !(if x { a } else { !b })
        let negate = branch.high.is_negated();
        let branch = Branch { high: branch.high.not_if(negate), low: branch.low.not_if(negate), ..branch };
        debug_assert!(
            self.level(branch.high) <= branch.var && self.level(branch.low) <= branch.var,
            "variables should decrease along an edge"
        );
        let nodes = &self.nodes;
        let found = self.unique.find(hash(&branch), |&node| nodes[node as usize - 1] == branch).copied();
        let node = match found {
            Some(node) => node as usize,
            None => self.push(branch)?,
        };
        Some(Edge::regular(node).not_if(negate))
    }

    fn push(&mut self, branch: Branch) -> Option<usize> {
        if self.nodes.len() >= self.max_nodes {
            return None;
        }
        self.nodes.push(branch);
        let node = self.nodes.len();
        let nodes = &self.nodes;
        self.unique.insert_unique(hash(&branch), node as u32, |&node| hash(&nodes[node as usize - 1]));
        Some(node)
    }

    /// Begins an operation: it has all its steps.
    pub(super) fn begin(&mut self) {
        self.steps = self.max_nodes.saturating_mul(limits::GUARD_STEPS);
    }

    fn step(&mut self) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        Some(())
    }

    /// `if f { g } else { h }`; `None` if it is too large. Goes as deep as there are variables.
    pub(super) fn ite(&mut self, f: Edge, g: Edge, h: Edge) -> Option<Edge> {
        let ([f, g, h], negate) = match standard(f, g, h) {
            Standard::Known(edge) => return Some(edge),
            Standard::Operands(operands, negate) => (operands, negate),
        };
        let place = self.place(&[f, g, h]);
        if self.computed[place].0 == [f, g, h] {
            return Some(self.computed[place].1.not_if(negate));
        }
        self.step()?;
        let level = self.level(f).max(self.level(g)).max(self.level(h));
        let (f1, f0) = self.cofactors(f, level);
        let (g1, g0) = self.cofactors(g, level);
        let (h1, h0) = self.cofactors(h, level);
        let high = self.ite(f1, g1, h1)?;
        let low = self.ite(f0, g0, h0)?;
        let result = self.make(Branch { var: level - 1, high, low })?;
        // The table may have grown meanwhile.
        let place = self.place(&[f, g, h]);
        self.computed[place] = ([f, g, h], result);
        Some(result.not_if(negate))
    }

    /// Where the result for these operands is kept; makes room when there are more nodes than places.
    fn place(&mut self, operands: &[Edge; 3]) -> usize {
        if self.computed.len() <= self.nodes.len() {
            let places = (self.nodes.len() + 1).next_power_of_two().max(64);
            self.computed.clear();
            self.computed.resize(places, NOTHING);
        }
        hash(operands) as usize & (self.computed.len() - 1)
    }

    /// `f` with a variable replaced by a value.
    pub(super) fn cofactor(&mut self, f: Edge, var: u32, value: bool) -> Option<Edge> {
        let literal = self.variable(var)?.not_if(!value);
        self.constrain_to(f, literal)
    }

    /// A function that agrees with `f` wherever `care` holds, and is likely smaller (Coudert and Madre's *restrict*).
    pub(super) fn constrain_to(&mut self, f: Edge, care: Edge) -> Option<Edge> {
        let mut done = FxHashMap::default();
        self.restrict(f, care, &mut done)
    }

    fn restrict(&mut self, f: Edge, care: Edge, done: &mut FxHashMap<(Edge, Edge), Edge>) -> Option<Edge> {
        if f.is_constant() || care.is_constant() {
            return Some(f);
        }
        if let Some(&known) = done.get(&(f, care)) {
            return Some(known);
        }
        self.step()?;
        let level = self.level(f);
        let result = if self.level(care) > level {
            // f does not depend on the variable: care for either case.
            let Branch { high, low, .. } = self.top(care);
            let either = self.ite(high, Edge::TRUE, low)?;
            self.restrict(f, either, done)?
        } else {
            let (f1, f0) = self.cofactors(f, level);
            let (care1, care0) = self.cofactors(care, level);
            match (care1, care0) {
                (Edge::FALSE, _) => self.restrict(f0, care0, done)?,
                (_, Edge::FALSE) => self.restrict(f1, care1, done)?,
                _ => {
                    let high = self.restrict(f1, care1, done)?;
                    let low = self.restrict(f0, care0, done)?;
                    self.make(Branch { var: level - 1, high, low })?
                }
            }
        };
        done.insert((f, care), result);
        Some(result)
    }

    /// `∃ vars. f`; the variables are sorted.
    pub(super) fn exists(&mut self, f: Edge, vars: &[u32]) -> Option<Edge> {
        let mut done = FxHashMap::default();
        self.exists_from(f, vars, &mut done)
    }

    fn exists_from(&mut self, f: Edge, vars: &[u32], done: &mut FxHashMap<Edge, Edge>) -> Option<Edge> {
        let Some(&first) = vars.first() else { return Some(f) };
        if self.level(f) <= first {
            return Some(f);
        }
        if let Some(&known) = done.get(&f) {
            return Some(known);
        }
        self.step()?;
        let Branch { var, high, low } = self.top(f);
        let high = self.exists_from(high, vars, done)?;
        let low = self.exists_from(low, vars, done)?;
        let result = if vars.binary_search(&var).is_ok() {
            // ∃ x. f = f[1] ∨ f[0]
            self.ite(high, Edge::TRUE, low)?
        } else {
            self.make(Branch { var, high, low })?
        };
        done.insert(f, result);
        Some(result)
    }

    /// The nodes below an edge, children before parents.
    pub(super) fn below(&self, edge: Edge) -> Vec<Edge> {
        let mut seen = vec![false; self.nodes.len() + 1];
        let mut todo = vec![edge.node()];
        let mut found = Vec::new();
        while let Some(node) = todo.pop() {
            if node == 0 || std::mem::replace(&mut seen[node], true) {
                continue;
            }
            found.push(Edge::regular(node));
            let Branch { high, low, .. } = self.nodes[node - 1];
            todo.extend([high.node(), low.node()]);
        }
        // Children are made before their parents.
        found.sort_unstable();
        found
    }
}

/// The form in which `ite` looks its operands up.
enum Standard {
    /// The result needs no computation.
    Known(Edge),
    /// Equivalent operands, and whether the result must be negated.
    Operands([Edge; 3], bool),
}

fn standard(f: Edge, g: Edge, h: Edge) -> Standard {
    // ite(f, f, h) = ite(f, 1, h)    ite(f, !f, h) = ite(f, 0, h)    and the same of h
    let g = if g.node() == f.node() { Edge::TRUE.not_if(g != f) } else { g };
    let h = if h.node() == f.node() { Edge::FALSE.not_if(h != f) } else { h };
    match (f, g, h) {
        (Edge::TRUE, ..) => return Standard::Known(g),
        (Edge::FALSE, ..) => return Standard::Known(h),
        _ if g == h => return Standard::Known(g),
        (_, Edge::TRUE, Edge::FALSE) => return Standard::Known(f),
        (_, Edge::FALSE, Edge::TRUE) => return Standard::Known(f.not()),
        _ => {}
    }
    // All that is a conjunction is looked up as one, with ordered operands.
    let and = |a: Edge, b: Edge, negate| {
        Standard::Operands(if a < b { [a, b, Edge::FALSE] } else { [b, a, Edge::FALSE] }, negate)
    };
    match (g, h) {
        (_, Edge::FALSE) => and(f, g, false),
        (Edge::FALSE, _) => and(f.not(), h, false),
        (Edge::TRUE, _) => and(f.not(), h.not(), true),
        (_, Edge::TRUE) => and(f, g.not(), true),
        // ite(f, g, h) = ite(!f, h, g)    ite(f, !g, h) = !ite(f, g, !h)
        _ => {
            let (f, g, h) = if f.is_negated() { (f.not(), h, g) } else { (f, g, h) };
            let negate = g.is_negated();
            Standard::Operands([f, g.not_if(negate), h.not_if(negate)], negate)
        }
    }
}

fn hash(key: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
}
