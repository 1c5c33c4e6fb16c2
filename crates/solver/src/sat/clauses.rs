//! Clauses of gates, as the SAT solver is told.
//!
//! Source: Tseitin, *On the complexity of derivation in propositional calculus*, 1968; SATURN (Xie, Aiken
//! 2007) §3.1.

/// A variable of the SAT solver (`2 · number`) or its negation (`2 · number + 1`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Literal(u32);

impl Literal {
    /// The variable, or its negation.
    pub(super) fn new(variable: u32, negated: bool) -> Literal {
        Literal(variable << 1 | u32::from(negated))
    }

    /// The variable's number.
    pub(super) fn variable(self) -> u32 {
        self.0 >> 1
    }

    /// Whether it is the negation.
    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// `out = ⋀ all`
pub(super) fn all(out: Literal, all: &[Literal], add: &mut impl FnMut(&[Literal])) {
    let mut long = vec![out];
    for &a in all {
        add(&[!out, a]);
        long.push(!a);
    }
    add(&long);
}

/// `out = a ⊕ b`
pub(super) fn xor(out: Literal, a: Literal, b: Literal, add: &mut impl FnMut(&[Literal])) {
    add(&[!out, a, b]);
    add(&[!out, !a, !b]);
    add(&[out, !a, b]);
    add(&[out, a, !b]);
}

/// `out = (c ? a : b)`; the last two clauses follow from the others, and let the output be known before the choice.
pub(super) fn mux(out: Literal, c: Literal, a: Literal, b: Literal, add: &mut impl FnMut(&[Literal])) {
    add(&[!c, !a, out]);
    add(&[!c, a, !out]);
    add(&[c, !b, out]);
    add(&[c, b, !out]);
    add(&[!a, !b, out]);
    add(&[a, b, !out]);
}

/// `out = maj(a, b, c)`
pub(super) fn majority(out: Literal, a: Literal, b: Literal, c: Literal, add: &mut impl FnMut(&[Literal])) {
    for (x, y) in [(a, b), (a, c), (b, c)] {
        add(&[!x, !y, out]);
        add(&[x, y, !out]);
    }
}

/// `out = a ⊕ b ⊕ c`
pub(super) fn parity(out: Literal, a: Literal, b: Literal, c: Literal, add: &mut impl FnMut(&[Literal])) {
    for (a, b) in [(a, b), (!a, !b)] {
        add(&[!out, a, b, c]);
        add(&[!out, a, !b, !c]);
        add(&[out, a, b, !c]);
        add(&[out, a, !b, c]);
    }
}
