//! Derived operations by example; `soak` compares most of them with definitions.

use term::{Assignment, Node, Origin, TermId, Terms};

fn eval(terms: &Terms, term: TermId, pairs: &[(TermId, u128)]) -> u128 {
    let mut assignment = Assignment::new();
    for &(variable, value) in pairs {
        let Node::Var(var) = terms.node(variable) else { panic!("{variable} should be a variable") };
        assignment.set(var, value);
    }
    terms.eval(term, &assignment)
}

#[test]
fn bytes_are_swapped() {
    let mut terms = Terms::new();
    let x = terms.fresh(32, Origin::Parameter, "x");
    let swapped = terms.bswap(x);
    assert_eq!(eval(&terms, swapped, &[(x, 0x1234_5678)]), 0x7856_3412);
    assert_eq!(terms.bswap(swapped), x);
}

#[test]
fn three_way_comparisons_have_three_values() {
    let mut terms = Terms::new();
    let x = terms.fresh(8, Origin::Parameter, "x");
    let y = terms.fresh(8, Origin::Parameter, "y");
    let unsigned = terms.ucmp(x, y, 2);
    let signed = terms.scmp(x, y, 32);
    for (a, b, below, less) in [(1, 1, 0, 0), (1, 200, 3, 1), (200, 1, 1, 0xffff_ffff), (3, 2, 1, 1)] {
        assert_eq!(eval(&terms, unsigned, &[(x, a), (y, b)]), below);
        assert_eq!(eval(&terms, signed, &[(x, a), (y, b)]), less);
    }
}

#[test]
fn all_and_any_of_none_are_true_and_false() {
    let mut terms = Terms::new();
    let conditions: Vec<TermId> = ["a", "b", "c"].map(|name| terms.fresh(1, Origin::Parameter, name)).into();
    assert_eq!(terms.conjunction(&[]), terms.yes());
    assert_eq!(terms.disjunction(&[]), terms.no());
    let all = terms.conjunction(&conditions);
    let any = terms.disjunction(&conditions);
    assert_eq!(terms.implies(all, any), terms.yes());
    let [a, b] = [conditions[0], conditions[1]];
    let bit = terms.bit(a, 0);
    assert_eq!(bit, a);
    let iff = terms.iff(a, b);
    assert_eq!(terms.eq(a, b), iff);
}

#[test]
fn wide_products_overflow_exactly() {
    let mut terms = Terms::new();
    let x = terms.fresh(128, Origin::Parameter, "x");
    let y = terms.fresh(128, Origin::Parameter, "y");
    let unsigned = terms.umul_overflow(x, y);
    let signed = terms.smul_overflow(x, y);
    let (min, max) = (1 << 127, u128::MAX >> 1);
    let half = u128::from(u64::MAX);
    for (a, b) in
        [(0, max), (min, u128::MAX), (u128::MAX, min), (half, half), (half + 1, half + 1), (min, 1), (2, max)]
    {
        let values = [(x, a), (y, b)];
        assert_eq!(eval(&terms, unsigned, &values) == 1, a.checked_mul(b).is_none(), "{a} * {b}");
        let product = (a as i128).checked_mul(b as i128);
        assert_eq!(eval(&terms, signed, &values) == 1, product.is_none(), "{a} * {b}, signed");
    }
}
