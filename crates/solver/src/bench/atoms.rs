//! Atoms as paths of C code make them, for measuring the fast tier.
//!
//! Each line of the tables below is a branch that code has by the thousand. Two of three compare a value with
//! a constant: null checks, error codes, flags, classes of characters. The third relates two values, which
//! costs most.

use term::{Assignment, Origin, TermId, Terms, Width};

use crate::soak::Rng;

/// Paths through a function, with its terms.
#[derive(Clone, Debug)]
pub struct AtomPaths {
    /// The terms of the function.
    pub terms: Terms,
    /// Each a conjunction of different atoms that some values of the variables make true.
    pub paths: Vec<Vec<TermId>>,
}

/// Paths of `length` atoms each.
pub fn atom_paths(count: usize, length: usize, seed: u64) -> AtomPaths {
    let mut rng = Rng::new(seed);
    let mut function = Function::new();
    let mut paths = Vec::with_capacity(count);
    while paths.len() < count {
        let values = function.values(&mut rng);
        let mut path = Vec::with_capacity(length);
        while path.len() < length {
            let table = if rng.one_in(3) { RELATIONS } else { TESTS };
            let atom = rng.pick(table)(&mut function, &mut rng);
            let terms = &mut function.terms;
            let taken = if terms.eval(atom, &values) == 1 { atom } else { terms.not(atom) };
            // What rewriting decides is no branch, and what the path has already says nothing.
            if terms.value(taken).is_none() && !path.contains(&taken) {
                path.push(taken);
            }
        }
        paths.push(path);
    }
    AtomPaths { terms: function.terms, paths }
}

/// The variables of a function by their types.
struct Function {
    terms: Terms,
    pointers: Vec<TermId>,
    sizes: Vec<TermId>,
    ints: Vec<TermId>,
    flags: Vec<TermId>,
    chars: Vec<TermId>,
}

type Atom = fn(&mut Function, &mut Rng) -> TermId;

/// Of one value.
const TESTS: &[Atom] = &[
    // p == NULL
    |function, rng| function.against(Terms::eq, rng.pick(&function.pointers), 0),
    // (p & 7) == 0
    |function, rng| {
        let (pointer, mask) = (rng.pick(&function.pointers), function.terms.constant(64, 7));
        let low = function.terms.and(pointer, mask);
        function.against(Terms::eq, low, 0)
    },
    // x == 3
    |function, rng| function.against(Terms::eq, rng.pick(&function.ints), rng.pick(&[0, 1, 2, 3, 16])),
    // status < 0
    |function, rng| function.against(Terms::slt, rng.pick(&function.ints), 0),
    // n < 100
    |function, rng| function.against(Terms::slt, rng.pick(&function.ints), rng.pick(&[8, 100, 4096])),
    // len < 4096
    |function, rng| function.against(Terms::ult, rng.pick(&function.sizes), rng.pick(&[1, 16, 4096])),
    // (flags & 8) != 0
    |function, rng| {
        let (flags, mask) = (rng.pick(&function.flags), rng.pick(&[1, 2, 4, 8, 6]));
        let mask = function.terms.constant(32, mask);
        let chosen = function.terms.and(flags, mask);
        function.terms.nonzero(chosen)
    },
    // c == 'a', where c is promoted to int
    |function, rng| {
        let promoted = function.promoted(rng, Terms::sext);
        function.against(Terms::eq, promoted, rng.pick(&[0, 10, 32, 48, 97]))
    },
    // (unsigned char) c < 128
    |function, rng| {
        let promoted = function.promoted(rng, Terms::zext);
        function.against(Terms::slt, promoted, rng.pick(&[32, 48, 128]))
    },
    // (unsigned) (c - '0') < 10
    |function, rng| {
        let promoted = function.promoted(rng, Terms::sext);
        let digit = function.plus(promoted, 0u128.wrapping_sub(48));
        function.against(Terms::ult, digit, 10)
    },
];

/// Between two values.
const RELATIONS: &[Atom] = &[
    // p == q
    |function, rng| function.related(Terms::eq, rng, |it| &it.pointers),
    // q == p + 8
    |function, rng| {
        let (pointer, other) = (rng.pick(&function.pointers), rng.pick(&function.pointers));
        let next = function.plus(pointer, 8);
        function.terms.eq(other, next)
    },
    // i < n
    |function, rng| function.related(Terms::slt, rng, |it| &it.ints),
    // x == y
    |function, rng| function.related(Terms::eq, rng, |it| &it.ints),
    // i + 1 < n
    |function, rng| {
        let (index, count) = (rng.pick(&function.ints), rng.pick(&function.ints));
        let next = function.plus(index, 1);
        function.terms.slt(next, count)
    },
    // len < cap
    |function, rng| function.related(Terms::ult, rng, |it| &it.sizes),
    // len + 4 <= cap
    |function, rng| {
        let (len, cap) = (rng.pick(&function.sizes), rng.pick(&function.sizes));
        let end = function.plus(len, 4);
        function.terms.ule(end, cap)
    },
    // (size_t) i < len
    |function, rng| {
        let (index, len) = (rng.pick(&function.ints), rng.pick(&function.sizes));
        let index = function.terms.sext(index, 64);
        function.terms.ult(index, len)
    },
];

impl Function {
    fn new() -> Function {
        let mut terms = Terms::new();
        let mut variables = |name: &str, width: Width, count: usize| -> Vec<TermId> {
            (0..count).map(|at| terms.fresh(width, Origin::Parameter, &format!("{name}{at}"))).collect()
        };
        let (pointers, sizes) = (variables("p", 64, 10), variables("len", 64, 8));
        let (ints, flags, chars) = (variables("n", 32, 12), variables("flags", 32, 4), variables("c", 8, 6));
        Function { terms, pointers, sizes, ints, flags, chars }
    }

    fn against(
        &mut self,
        compare: fn(&mut Terms, TermId, TermId) -> TermId,
        a: TermId,
        value: u128,
    ) -> TermId {
        let value = self.terms.constant(self.terms.width(a), value);
        compare(&mut self.terms, a, value)
    }

    fn related(
        &mut self,
        compare: fn(&mut Terms, TermId, TermId) -> TermId,
        rng: &mut Rng,
        among: fn(&Function) -> &Vec<TermId>,
    ) -> TermId {
        let (a, b) = (rng.pick(among(self)), rng.pick(among(self)));
        compare(&mut self.terms, a, b)
    }

    fn plus(&mut self, a: TermId, value: u128) -> TermId {
        let value = self.terms.constant(self.terms.width(a), value);
        self.terms.add(a, value)
    }

    fn promoted(&mut self, rng: &mut Rng, extend: fn(&mut Terms, TermId, Width) -> TermId) -> TermId {
        let char = rng.pick(&self.chars);
        extend(&mut self.terms, char, 32)
    }

    /// Small numbers mostly, some of them equal, as in programs that run.
    fn values(&self, rng: &mut Rng) -> Assignment {
        let mut values = Assignment::new();
        for var in self.terms.vars() {
            let value = match rng.below(8) {
                0 => rng.value(),
                1 => 0,
                2 => 0u128.wrapping_sub(1),
                _ => u128::from(rng.number() % 64),
            };
            values.set(var, value);
        }
        values
    }
}
