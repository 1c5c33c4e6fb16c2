//! What the benchmarks ask: the conditions of paths through a function of 32-bit arithmetic.
//!
//! The mix is that of C code, in which most conditions are about a value that was read and a few operations
//! on it: sums, masks, shifts and sizes of array elements.

mod atoms;

pub use atoms::{AtomPaths, atom_paths};

use term::{Assignment, Node, Origin, TermId, Terms, Width};

use crate::soak::Rng;

const WIDTH: Width = 32;
/// Parameters, and fields that were read.
const PARAMETERS: usize = 16;

/// An arena with the queries about it.
#[derive(Clone, Debug)]
pub struct PathQueries {
    /// The terms of the function.
    pub terms: Terms,
    /// Each a conjunction.
    pub queries: Vec<Vec<TermId>>,
}

/// The queries of an engine that follows paths through a function whose conditions have `nodes` operations in all, a fifth of them
/// comparisons.
///
/// A path decides the conditions as some random values of the parameters do. At each condition both sides are asked for, together
/// with all that was decided before.
pub fn path_queries(nodes: usize, count: usize, seed: u64) -> PathQueries {
    let mut rng = Rng::new(seed);
    let mut function = Function::new(nodes, &mut rng);
    let mut queries = Vec::with_capacity(count);
    while queries.len() < count {
        let values = function.values(&mut rng);
        let mut path = Vec::new();
        for at in 0..function.conditions.len() {
            let condition = function.conditions[at];
            let negation = function.terms.not(condition);
            let holds = function.terms.eval(condition, &values) == 1;
            let (taken, other) = if holds { (condition, negation) } else { (negation, condition) };
            queries.push([&path[..], &[other]].concat());
            path.push(taken);
            queries.push(path.clone());
        }
    }
    queries.truncate(count);
    PathQueries { terms: function.terms, queries }
}

/// Queries of random conditions of such a function, ten each.
pub fn mixed_queries(nodes: usize, count: usize, seed: u64) -> PathQueries {
    let mut rng = Rng::new(seed);
    let mut function = Function::new(nodes, &mut rng);
    let mut queries = Vec::with_capacity(count);
    for _ in 0..count {
        let mut rest = function.conditions.clone();
        let mut query = Vec::new();
        while query.len() < 10 && !rest.is_empty() {
            let condition = rest.swap_remove(rng.below(rest.len()));
            query.push(if rng.one_in(2) { function.terms.not(condition) } else { condition });
        }
        queries.push(query);
    }
    PathQueries { terms: function.terms, queries }
}

struct Function {
    terms: Terms,
    words: Vec<TermId>,
    conditions: Vec<TermId>,
}

impl Function {
    fn new(nodes: usize, rng: &mut Rng) -> Function {
        let mut terms = Terms::new();
        let words =
            (0..PARAMETERS).map(|at| terms.fresh(WIDTH, Origin::Parameter, &format!("p{at}"))).collect();
        let mut function = Function { terms, words, conditions: Vec::new() };
        while function.words.len() - PARAMETERS + function.conditions.len() < nodes {
            if rng.one_in(5) {
                let condition = function.condition(rng);
                // What rewriting decides is no branch of the program.
                if function.terms.value(condition).is_none() {
                    function.conditions.push(condition);
                }
            } else {
                let word = function.word(rng);
                function.words.push(word);
            }
        }
        function
    }

    /// A variable, or one of the last words: in code most values are used soon.
    fn recent(&self, rng: &mut Rng) -> TermId {
        let among = self.words.len().min(8);
        if rng.one_in(2) {
            self.words[rng.below(PARAMETERS)]
        } else {
            self.words[self.words.len() - 1 - rng.below(among)]
        }
    }

    fn constant(&mut self, rng: &mut Rng) -> TermId {
        let value = u128::from(rng.number() % 256);
        self.terms.constant(WIDTH, value)
    }

    fn word(&mut self, rng: &mut Rng) -> TermId {
        let (a, b, constant) = (self.recent(rng), self.recent(rng), self.constant(rng));
        let terms = &mut self.terms;
        match rng.below(16) {
            0..4 => terms.add(a, b),
            4..6 => terms.add(a, constant),
            6..8 => terms.sub(a, b),
            8 => terms.and(a, constant),
            9 => terms.or(a, b),
            10 => terms.xor(a, b),
            11 => {
                let size = terms.constant(WIDTH, rng.pick(&[3, 4, 8, 12, 24, 40, 100]));
                terms.mul(a, size)
            }
            12 => {
                let few = terms.constant(WIDTH, u128::from(rng.number() % 8));
                terms.lshr(a, few)
            }
            13 => {
                let few = terms.constant(WIDTH, u128::from(rng.number() % 8));
                terms.shl(a, few)
            }
            14 => {
                let low = terms.extract(a, 0, 16);
                terms.sext(low, WIDTH)
            }
            _ => {
                let less = terms.slt(a, constant);
                terms.ite(less, a, b)
            }
        }
    }

    fn condition(&mut self, rng: &mut Rng) -> TermId {
        let (a, b, constant) = (self.recent(rng), self.recent(rng), self.constant(rng));
        let terms = &mut self.terms;
        match rng.below(6) {
            0 => terms.eq(a, constant),
            1 => terms.slt(a, constant),
            2 => terms.ult(a, b),
            3 => terms.ult(a, constant),
            4 => terms.slt(a, b),
            _ => terms.eq(a, b),
        }
    }

    fn values(&self, rng: &mut Rng) -> Assignment {
        let mut values = Assignment::new();
        for &word in &self.words[..PARAMETERS] {
            if let Node::Var(var) = self.terms.node(word) {
                values.set(var, rng.value());
            }
        }
        values
    }
}
