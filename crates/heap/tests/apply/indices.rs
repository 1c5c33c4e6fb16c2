//! Accesses at indices that the path does not know, against an array of bytes.

use heap::bytes::Order;
use heap::{Applied, Refused, State};
use term::{Assignment, Node, Origin, TermId};

use crate::engine::Function;
use crate::triples::{load, store};

/// Memory behind a pointer of the caller, once as an array: `a[i]` and `a[j]` for indices that only the array knows.
struct Indexed {
    function: Function,
    p: TermId,
    /// Index variables with their values.
    indices: Vec<(TermId, u128)>,
    /// The array before and now.
    before: [u8; ARRAY],
    now: [u8; ARRAY],
    /// What was stored, with its value.
    stored: Vec<(TermId, u128)>,
}

const ARRAY: usize = 32;

impl Indexed {
    fn new(random: &mut fastrand::Rng) -> Indexed {
        let mut function = Function::new(Order::Little);
        let p = function.parameter(64);
        // The first access finds the block by its pointer alone.
        function.state = function.applied(&load(1), &[p]).state;
        let indices = (0..3).map(|_| (function.index(), random.u128(..6) * 2)).collect();
        let mut before = [0; ARRAY];
        random.fill(&mut before);
        Indexed { function, p, indices, before, now: before, stored: Vec::new() }
    }

    /// A random address in the array, with its index.
    fn address(&mut self, random: &mut fastrand::Rng) -> (TermId, usize) {
        let offset = random.i64(0..10) * 2;
        let (mut address, mut at) = (self.function.plus(self.p, offset), offset as usize);
        if random.u8(..4) != 0 {
            let (index, value) = self.indices[random.usize(..self.indices.len())];
            address = self.function.arena.terms.add(address, index);
            at += value as usize;
        }
        (address, at)
    }

    /// What all variables are, as far as a state says where they come from.
    fn values(&self, state: &State) -> Assignment {
        let mut values = Assignment::new();
        let mut set = |term: TermId, value: u128| match self.function.arena.terms.node(term) {
            Node::Var(var) => values.set(var, value),
            other => panic!("{other:?} should be a variable"),
        };
        for &(term, value) in self.indices.iter().chain(&self.stored) {
            set(term, value);
        }
        for cell in state.pre().flat_map(|pre| &pre.cells) {
            let symbolic = cell.place.symbolic.map_or(0, |term| self.index(term));
            let at = (symbolic + cell.place.offset) as usize;
            set(cell.value, number(&self.before[at..at + cell.bytes as usize]));
        }
        values
    }

    fn index(&self, term: TermId) -> i64 {
        let known = self.indices.iter().find(|(index, _)| *index == term);
        known.expect("a symbolic offset should be an index").1 as i64
    }

    /// Goes on in the way that the indices take, if one does.
    fn go_on(&mut self, ways: Vec<Result<Applied, Refused>>) -> Option<(Vec<TermId>, Assignment)> {
        let mut taken = None;
        for way in ways.into_iter().flatten() {
            let values = self.values(&way.state);
            let holds = |term: &TermId| self.function.arena.terms.eval(*term, &values) == 1;
            if way.state.path.terms().iter().all(holds) {
                assert!(taken.is_none(), "ways should exclude one another");
                taken = Some((way, values));
            }
        }
        let (way, values) = taken?;
        self.function.state = way.state;
        Some((way.results, values))
    }
}

/// The number that bytes are, in little endian.
fn number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
}

#[test]
fn random_indices_agree_with_an_array() {
    let (mut n_compared, mut n_unknown) = (0, 0);
    for seed in 0..400 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut twin = Indexed::new(&mut random);
        for _ in 0..8 {
            let (address, at) = twin.address(&mut random);
            if random.u8(..4) == 0 {
                let value = twin.function.parameter(16);
                let bytes: [u8; 2] = [random.u8(..), random.u8(..)];
                twin.stored.push((value, number(&bytes)));
                let ways = twin.function.apply(&store(2), &[address, value]);
                if twin.go_on(ways).is_none() {
                    break;
                }
                twin.now[at..at + 2].copy_from_slice(&bytes);
                continue;
            }
            let ways = twin.function.apply(&load(2), &[address]);
            let Some((results, values)) = twin.go_on(ways) else { break };
            let vars = twin.function.arena.terms.vars_of(results[0]);
            if vars.iter().any(|&var| twin.function.arena.terms.var(var).origin == Origin::NotFollowed) {
                n_unknown += 1;
                continue;
            }
            let value = twin.function.arena.terms.eval(results[0], &values);
            assert_eq!(value, number(&twin.now[at..at + 2]), "seed {seed}, at {at}");
            n_compared += 1;
        }
    }
    assert!(n_compared > 400, "{n_compared} loads were compared, {n_unknown} are unknown");
}
