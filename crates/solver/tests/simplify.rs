//! Simplification of conditions: small, equal, never larger.

use solver::Solver;
use solver::eliminate::soak;
use solver::simplify::{atoms, simplify};
use term::{Origin, TermId, Terms};

/// Two parameters and some conditions on them.
struct Function {
    terms: Terms,
    solver: Solver,
    flag: TermId,
    p: TermId,
}

impl Function {
    fn new() -> Function {
        let mut terms = Terms::new();
        let flag = terms.fresh(32, Origin::Parameter, "flag");
        let p = terms.fresh(64, Origin::Parameter, "p");
        Function { terms, solver: Solver::new(), flag, p }
    }

    fn is_set(&mut self) -> TermId {
        let zero = self.terms.constant(32, 0);
        self.terms.ne(self.flag, zero)
    }

    fn is_null(&mut self) -> TermId {
        let null = self.terms.constant(64, 0);
        self.terms.eq(self.p, null)
    }

    fn below(&mut self, value: u128) -> TermId {
        let value = self.terms.constant(32, value);
        self.terms.ult(self.flag, value)
    }

    fn simplify(&mut self, condition: TermId) -> TermId {
        simplify(&mut self.terms, &mut self.solver, condition)
    }
}

#[test]
fn what_the_rest_implies_goes() {
    // flag < 5 && flag < 9 && p != NULL  is  flag < 5 && p != NULL
    let mut f = Function::new();
    let (five, nine, null) = (f.below(5), f.below(9), f.is_null());
    let valid = f.terms.not(null);
    let wanted = f.terms.and(five, valid);
    let condition = f.terms.and(five, nine);
    let condition = f.terms.and(condition, valid);
    assert_eq!(f.simplify(condition), wanted);
    // flag < 5 || flag < 9  is  flag < 9
    let condition = f.terms.or(five, nine);
    assert_eq!(f.simplify(condition), nine);
}

#[test]
fn what_the_rest_contradicts_goes() {
    // p != NULL && (flag < 5 || p == NULL)  is  p != NULL && flag < 5
    let mut f = Function::new();
    let (five, null) = (f.below(5), f.is_null());
    let valid = f.terms.not(null);
    let either = f.terms.or(five, null);
    let condition = f.terms.and(valid, either);
    let wanted = f.terms.and(valid, five);
    assert_eq!(f.simplify(condition), wanted);
    // flag < 5 && !(flag < 9)  is  false
    let nine = f.below(9);
    let not_nine = f.terms.not(nine);
    let condition = f.terms.and(five, not_nine);
    assert_eq!(f.simplify(condition), f.terms.no());
    // !(flag < 5) || flag < 9  is  true
    let not_five = f.terms.not(five);
    let condition = f.terms.or(not_five, nine);
    assert_eq!(f.simplify(condition), f.terms.yes());
}

#[test]
fn paths_that_meet_again_lose_what_they_differ_in() {
    // (flag != 0 && p != NULL) || (flag == 0 && p != NULL)  is  p != NULL
    let mut f = Function::new();
    let (set, null) = (f.is_set(), f.is_null());
    let (clear, valid) = (f.terms.not(set), f.terms.not(null));
    let (a, b) = (f.terms.and(set, valid), f.terms.and(clear, valid));
    let condition = f.terms.or(a, b);
    assert_eq!(f.simplify(condition), valid);
    // if (flag != 0) { p != NULL } else { p != NULL || flag < 9 }  is  flag == 0 || p != NULL
    let nine = f.below(9);
    let either = f.terms.or(valid, nine);
    let condition = f.terms.ite(set, valid, either);
    let simple = f.simplify(condition);
    assert_eq!(atoms(&f.terms, simple), 2);
}

#[test]
fn common_factors_are_written_once() {
    // (flag < 5 && p == NULL) || (flag < 5 && q) is flag < 5 && (p == NULL || q)
    let mut f = Function::new();
    let q = f.terms.fresh(1, Origin::Parameter, "q");
    let (five, null) = (f.below(5), f.is_null());
    let (a, b) = (f.terms.and(five, null), f.terms.and(five, q));
    let condition = f.terms.or(a, b);
    let simple = f.simplify(condition);
    let inner = f.terms.or(null, q);
    let wanted = f.terms.and(five, inner);
    assert_eq!(simple, wanted);
}

#[test]
fn a_condition_that_nobody_reads_is_left_alone() {
    let mut f = Function::new();
    let mut condition = f.is_null();
    for value in 1..5000 {
        let below = f.below(value);
        condition = if value % 2 == 0 { f.terms.or(condition, below) } else { f.terms.xor(condition, below) };
    }
    let simple = f.simplify(condition);
    assert!(atoms(&f.terms, simple) <= atoms(&f.terms, condition));
}

#[test]
fn random_conditions_keep_their_meaning_and_do_not_grow() {
    let sizes = soak::simplification(700, 1).unwrap_or_else(|what| panic!("{what}"));
    assert!(sizes.after * 4 < sizes.before * 3, "a quarter of the atoms should go: {sizes:?}");
}
