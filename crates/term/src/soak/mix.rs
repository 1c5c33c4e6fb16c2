//! A realistic mix of requests for terms, to measure what building costs.
//!
//! The shares are those of C code: offsets and indices, comparisons with constants, path conditions that grow
//! by one condition at a time, promotions and truncations, a few masks, shifts, divisions and bytes put
//! together.

use base::Id;
use fastrand::Rng;

use crate::arena::{TermId, Terms};
use crate::node::Node;
use crate::value::Width;
use crate::var::Origin;

/// Requests that were recorded once and can be made again.
#[derive(Clone, Debug, Default)]
pub struct Mix {
    requests: Vec<Request>,
    /// What was built for each, and on the way to it.
    results: Vec<(Node, Width)>,
}

/// An operation on results of earlier requests.
type Request = (fn(&mut Terms, TermId, TermId, TermId, u32) -> TermId, [usize; 3], u32);

impl Mix {
    /// That many requests.
    pub fn new(count: usize, seed: u64) -> Mix {
        let mut recorder = Recorder { rng: Rng::with_seed(seed), ..Recorder::default() };
        for function in 0.. {
            if recorder.mix.requests.len() >= count {
                break;
            }
            recorder.function(function);
        }
        recorder.mix
    }

    /// How many requests there are.
    pub fn len(&self) -> usize {
        self.requests.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// Makes all requests in a new arena.
    pub fn build(&self) -> Terms {
        let mut terms = Terms::new();
        let mut results = Vec::with_capacity(self.requests.len());
        for &(operation, [a, b, c], extra) in &self.requests {
            let of = |index: usize| results.get(index).copied().unwrap_or(TermId::FIRST);
            let term = operation(&mut terms, of(a), of(b), of(c), extra);
            results.push(term);
        }
        terms
    }

    /// Only hashes what the requests gave, and looks it up in a new arena.
    pub fn hash(&self) -> Terms {
        let mut terms = Terms::new();
        for &(node, width) in &self.results {
            match node {
                Node::Const(value) => terms.constant(width, value),
                Node::Var(var) if var.index() >= terms.vars().len() => {
                    terms.fresh(width, Origin::Parameter, "")
                }
                _ => terms.insert(node, width),
            };
        }
        terms
    }
}

#[derive(Default)]
struct Recorder {
    rng: Rng,
    terms: Terms,
    mix: Mix,
    /// The results as terms, and by kind: numbers of 32 and 64 bits, bytes, conditions.
    all: Vec<TermId>,
    words: Vec<usize>,
    longs: Vec<usize>,
    bytes: Vec<usize>,
    conditions: Vec<usize>,
}

impl Recorder {
    fn request(&mut self, request: Request) -> usize {
        let (operation, [a, b, c], extra) = request;
        let of = |index: usize| self.all.get(index).copied().unwrap_or(TermId::FIRST);
        let before = self.terms.len();
        let term = operation(&mut self.terms, of(a), of(b), of(c), extra);
        self.mix.requests.push(request);
        // What was made on the way comes first, so that the ids in a node are right in a new arena, too.
        let is_new = term.index() >= before;
        let all = (before..self.terms.len()).map(TermId::new).chain((!is_new).then_some(term));
        self.mix.results.extend(all.map(|term| (self.terms.node(term), self.terms.width(term))));
        self.all.push(term);
        let index = self.all.len() - 1;
        match self.terms.width(term) {
            1 => self.conditions.push(index),
            8 => self.bytes.push(index),
            32 => self.words.push(index),
            64 => self.longs.push(index),
            _ => {}
        }
        index
    }

    fn constant(&mut self, width: Width) -> usize {
        let value = *self.rng.choice(&[0, 1, 1, 2, 4, 7, 8, 16, 24, 255, 4096]).unwrap_or(&0);
        match width {
            8 => self.request((|terms, _, _, _, value| terms.constant(8, value.into()), [0; 3], value)),
            32 => self.request((|terms, _, _, _, value| terms.constant(32, value.into()), [0; 3], value)),
            _ => self.request((|terms, _, _, _, value| terms.constant(64, value.into()), [0; 3], value)),
        }
    }

    /// One of the last results of a kind: code uses what it just computed.
    fn recent(rng: &mut Rng, of: &[usize]) -> usize {
        let back = rng.usize(..of.len().min(24));
        of[of.len() - 1 - back]
    }

    fn word(&mut self) -> usize {
        Recorder::recent(&mut self.rng, &self.words)
    }

    fn long(&mut self) -> usize {
        Recorder::recent(&mut self.rng, &self.longs)
    }

    fn byte(&mut self) -> usize {
        Recorder::recent(&mut self.rng, &self.bytes)
    }

    /// The requests of one function: parameters, and sixty statements.
    fn function(&mut self, number: u32) {
        for _ in 0..4 {
            self.request((|terms, _, _, _, _| terms.fresh(32, Origin::Parameter, "n"), [0; 3], number));
            self.request((|terms, _, _, _, _| terms.fresh(64, Origin::Parameter, "p"), [0; 3], number));
            self.request((|terms, _, _, _, _| terms.fresh(8, Origin::InitialMemory, "c"), [0; 3], number));
        }
        let mut path = self.request((|terms, _, _, _, _| terms.yes(), [0; 3], 0));
        for _ in 0..60 {
            let condition = match self.rng.u8(..10) {
                0..=4 => Some(self.comparison()),
                5..=7 => {
                    self.arithmetic();
                    None
                }
                _ => {
                    self.conversion();
                    None
                }
            };
            let Some(condition) = condition else { continue };
            let other = self.request((|terms, a, _, _, _| terms.not(a), [condition, 0, 0], 0));
            let taken = if self.rng.bool() { condition } else { other };
            let not_taken = if taken == condition { other } else { condition };
            let before = path;
            path = self.request((|terms, a, b, _, _| terms.and(a, b), [path, taken, 0], 0));
            // Every third branch comes together again, with a value from both sides.
            if self.rng.u8(..3) == 0 {
                let else_path =
                    self.request((|terms, a, b, _, _| terms.and(a, b), [before, not_taken, 0], 0));
                path = self.request((|terms, a, b, _, _| terms.or(a, b), [path, else_path, 0], 0));
                let (a, b) = (self.word(), self.word());
                self.request((|terms, c, a, b, _| terms.ite(c, a, b), [taken, a, b], 0));
            }
        }
    }

    fn comparison(&mut self) -> usize {
        let wide = self.rng.u8(..3) == 0;
        let a = if wide { self.long() } else { self.word() };
        let constant = self.rng.u8(..4) > 0;
        let b = match constant {
            true => self.constant(if wide { 64 } else { 32 }),
            false if wide => self.long(),
            false => self.word(),
        };
        match self.rng.u8(..8) {
            0..=3 => self.request((|terms, a, b, _, _| terms.eq(a, b), [a, b, 0], 0)),
            4 | 5 => self.request((|terms, a, b, _, _| terms.slt(a, b), [a, b, 0], 0)),
            6 => self.request((|terms, a, b, _, _| terms.ult(a, b), [a, b, 0], 0)),
            _ => self.request((|terms, a, b, _, _| terms.sle(a, b), [a, b, 0], 0)),
        }
    }

    fn arithmetic(&mut self) {
        let (a, b, p) = (self.word(), self.word(), self.long());
        match self.rng.u8(..16) {
            0..=3 => {
                let offset = self.constant(64);
                self.request((|terms, a, b, _, _| terms.add(a, b), [p, offset, 0], 0));
            }
            4..=6 => {
                let step = self.constant(32);
                self.request((|terms, a, b, _, _| terms.add(a, b), [a, step, 0], 0));
            }
            7..=9 => {
                self.request((|terms, a, b, _, _| terms.add(a, b), [a, b, 0], 0));
            }
            10 => {
                self.request((|terms, a, b, _, _| terms.sub(a, b), [a, b, 0], 0));
            }
            11 | 12 => {
                let factor = self.constant(32);
                self.request((|terms, a, b, _, _| terms.mul(a, b), [a, factor, 0], 0));
            }
            13 => {
                let mask = self.constant(32);
                self.request((|terms, a, b, _, _| terms.and(a, b), [a, mask, 0], 0));
            }
            14 => {
                let amount = self.constant(32);
                self.request((|terms, a, b, _, _| terms.lshr(a, b), [a, amount, 0], 0));
            }
            _ => {
                let divisor = self.constant(32);
                self.request((|terms, a, b, _, _| terms.sdiv(a, b), [a, divisor, 0], 0));
            }
        }
    }

    fn conversion(&mut self) {
        let (byte, word, pointer) = (self.byte(), self.word(), self.long());
        match self.rng.u8(..6) {
            0 | 1 => {
                self.request((|terms, a, _, _, _| terms.sext(a, 32), [byte, 0, 0], 0));
            }
            // p[i], with an index of 32 bits
            2 | 3 => {
                let index = self.request((|terms, a, _, _, _| terms.sext(a, 64), [word, 0, 0], 0));
                let size = self.constant(64);
                let offset = self.request((|terms, a, b, _, _| terms.mul(a, b), [index, size, 0], 0));
                self.request((|terms, a, b, _, _| terms.add(a, b), [pointer, offset, 0], 0));
            }
            4 => {
                self.request((|terms, a, _, _, _| terms.trunc(a, 8), [word, 0, 0], 0));
            }
            _ => {
                let other = self.byte();
                self.request((|terms, a, b, _, _| terms.concat(a, b), [byte, other, 0], 0));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_mix_gives_the_same_terms_again() {
        let mix = Mix::new(2000, 1);
        let (built, again) = (mix.build(), mix.build());
        assert!(mix.len() >= 2000 && built.len() == again.len());
        assert!(mix.hash().len() <= built.len());
    }
}
