//! Random conditions of the shapes that C code leads to.

use term::{Origin, TermId, Terms, VarId, Walk};

use crate::soak::Rng;

/// A condition and the variables that are to be eliminated from it.
pub(super) struct Formula {
    pub(super) terms: Terms,
    pub(super) condition: TermId,
    /// All variables; ten bits at most.
    pub(super) vars: Vec<VarId>,
    /// Those that are to go.
    pub(super) quantified: Vec<VarId>,
}

/// The widths of variables; the first ones are quantified. Most are too wide to be tried value by value.
const WIDTHS: [(usize, &[u32]); 8] = [
    (1, &[5, 5]),
    (1, &[4, 4, 1]),
    (1, &[1, 4, 4]),
    (2, &[4, 1, 4]),
    (2, &[4, 4, 2]),
    (1, &[4, 3, 3]),
    (2, &[1, 4, 4, 1]),
    (1, &[6, 4]),
];

impl Formula {
    pub(super) fn random(rng: &mut Rng) -> Formula {
        let mut terms = Terms::new();
        let (n_quantified, widths) = rng.pick(&WIDTHS);
        let mut all = Vec::new();
        for (at, &width) in widths.iter().enumerate() {
            let origin = if at < n_quantified { Origin::UnknownCall } else { Origin::Parameter };
            all.push(terms.fresh(width, origin, &format!("v{at}")));
        }
        let vars: Vec<VarId> = terms.vars().collect();
        let quantified = vars[..n_quantified].to_vec();
        let depth = rng.below(5);
        let condition = boolean(&mut terms, rng, &all, depth);
        Formula { terms, condition, vars, quantified }
    }

    pub(super) fn describe(&self) -> String {
        let mut text = String::new();
        let mut parts = Vec::new();
        Walk::new().subterms(&self.terms, &[self.condition], |part| parts.push(part));
        parts.sort_unstable();
        for part in parts {
            text += &format!("\n  {part}: {} = {:?}", self.terms.width(part), self.terms.node(part));
        }
        text
    }
}

/// A condition with that many levels of Boolean operations at most.
fn boolean(terms: &mut Terms, rng: &mut Rng, all: &[TermId], depth: usize) -> TermId {
    if depth == 0 || rng.one_in(6) {
        return atom(terms, rng, all);
    }
    let mut part = |terms: &mut Terms| boolean(terms, rng, all, depth - 1);
    let (a, b) = (part(terms), part(terms));
    match rng.below(12) {
        0..4 => terms.and(a, b),
        4..8 => terms.or(a, b),
        8 => terms.not(a),
        9 => terms.xor(a, b),
        _ => {
            let condition = boolean(terms, rng, all, 0);
            terms.ite(condition, a, b)
        }
    }
}

/// An atom or its negation.
fn atom(terms: &mut Terms, rng: &mut Rng, all: &[TermId]) -> TermId {
    let var = rng.pick(all);
    if terms.width(var) == 1 && rng.one_in(2) {
        return if rng.one_in(2) { var } else { terms.not(var) };
    }
    let left = if rng.one_in(3) { value(terms, rng, all) } else { var };
    let width = terms.width(left);
    let right = match rng.below(5) {
        // Most comparisons are with constants.
        0..3 => terms.constant(width, u128::from(rng.number()) % if rng.one_in(2) { 4 } else { 1 << width }),
        3 => {
            let other = rng.pick(all);
            fit(terms, rng, other, width)
        }
        _ => {
            let other = value(terms, rng, all);
            fit(terms, rng, other, width)
        }
    };
    let (a, b) = if rng.one_in(2) { (left, right) } else { (right, left) };
    match rng.below(6) {
        0 | 1 => terms.eq(a, b),
        2 => terms.ne(a, b),
        3 => terms.ult(a, b),
        4 => terms.slt(a, b),
        _ => terms.ule(a, b),
    }
}

/// A term of some operations.
fn value(terms: &mut Terms, rng: &mut Rng, all: &[TermId]) -> TermId {
    let a = rng.pick(all);
    let width = terms.width(a);
    let other = rng.pick(all);
    let b = if rng.one_in(2) {
        terms.constant(width, u128::from(rng.number()))
    } else {
        fit(terms, rng, other, width)
    };
    match rng.below(14) {
        0 | 1 => terms.add(a, b),
        2 => terms.sub(a, b),
        3 | 4 => terms.mul(a, b),
        5 => terms.and(a, b),
        6 => terms.xor(a, b),
        7 => terms.or(a, b),
        8 => terms.shl(a, b),
        9 => terms.udiv(a, b),
        10 => terms.not(a),
        11 => {
            let condition = atom(terms, rng, &all[all.len() - 1..]);
            terms.ite(condition, a, b)
        }
        12 => fit(terms, rng, a, width + 2),
        _ => {
            let c = terms.constant(width, u128::from(rng.number()));
            let product = terms.mul(a, c);
            terms.add(product, b)
        }
    }
}

/// The term with another width.
fn fit(terms: &mut Terms, rng: &mut Rng, term: TermId, width: u32) -> TermId {
    let has = terms.width(term);
    match has.cmp(&width) {
        std::cmp::Ordering::Less if rng.one_in(2) => terms.sext(term, width),
        std::cmp::Ordering::Less => terms.zext(term, width),
        std::cmp::Ordering::Equal => term,
        std::cmp::Ordering::Greater => {
            terms.extract(term, rng.below((has - width + 1) as usize) as u32, width)
        }
    }
}
