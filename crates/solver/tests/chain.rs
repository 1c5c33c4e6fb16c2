//! What each stage of the chain answers, and what happens at the limits.

use solver::{Limit, Options, Solver, Verdict};
use term::{Origin, TermId, Terms};

/// A function with some words.
struct Function {
    terms: Terms,
    solver: Solver,
}

impl Function {
    fn new(options: Options) -> Function {
        Function { terms: Terms::new(), solver: Solver::with(options) }
    }

    fn word(&mut self, name: &str) -> TermId {
        self.terms.fresh(32, Origin::Parameter, name)
    }

    /// `word < bound`, unsigned.
    fn below(&mut self, word: TermId, bound: u128) -> TermId {
        let bound = self.terms.constant(32, bound);
        self.terms.ult(word, bound)
    }

    /// `word & flag`
    fn has(&mut self, word: TermId, flag: u128) -> TermId {
        let flag = self.terms.constant(32, flag);
        let zero = self.terms.constant(32, 0);
        let masked = self.terms.and(word, flag);
        self.terms.ne(masked, zero)
    }

    /// `a * b == product`, for factors above 1 that do not wrap: is it prime?
    fn factors(&mut self, product: u128) -> Vec<TermId> {
        let (a, b) = (self.word("a"), self.word("b"));
        let one = self.terms.constant(32, 1);
        let value = self.terms.constant(32, product);
        let both = self.terms.mul(a, b);
        let (a_above, b_above) = (self.terms.ult(one, a), self.terms.ult(one, b));
        let (a_small, b_small) = (self.below(a, 1 << 16), self.below(b, 1 << 16));
        vec![self.terms.eq(both, value), a_above, b_above, a_small, b_small]
    }

    fn check(&mut self, conditions: &[TermId]) -> Verdict {
        self.solver.check(&self.terms, conditions)
    }
}

#[test]
fn no_condition_at_all_is_satisfiable() {
    let mut function = Function::new(Options::default());
    assert!(function.check(&[]).is_sat());
}

#[test]
fn unsigned_arithmetic_wraps() {
    let mut function = Function::new(Options::default());
    let x = function.word("x");
    let one = function.terms.constant(32, 1);
    let next = function.terms.add(x, one);
    let grows = function.terms.ult(x, next);
    assert_eq!(function.solver.is_valid(&mut function.terms, grows), Some(false));
    let small = function.below(x, 3);
    assert_eq!(function.solver.implies(&mut function.terms, small, grows), Some(true));
    assert_eq!(function.solver.implies(&mut function.terms, grows, small), Some(false));
}

#[test]
fn a_contradiction_names_its_conditions_only() {
    let mut function = Function::new(Options::default());
    let (x, y, z) = (function.word("x"), function.word("y"), function.word("z"));
    let (a, b, c) = (function.terms.ult(x, y), function.terms.ult(y, z), function.terms.ult(z, x));
    let w = function.word("w");
    let other = function.below(w, 100);
    let Verdict::Unsat(core) = function.check(&[a, other, b, c]) else { panic!("x < y < z < x") };
    assert_eq!(core.conditions(), [a, b, c]);
}

#[test]
fn a_condition_and_its_negation_need_no_search() {
    let mut function = Function::new(Options::default());
    let x = function.word("x");
    let a = function.below(x, 7);
    let b = function.terms.not(a);
    let Verdict::Unsat(core) = function.check(&[a, b]) else { panic!("both cannot hold") };
    assert_eq!(core.conditions(), [a, b]);
    assert_eq!(function.solver.stats().by_constants, 1);
}

#[test]
fn a_known_contradiction_is_found_in_larger_queries() {
    let mut function = Function::new(Options::default());
    let (x, y) = (function.word("x"), function.word("y"));
    let (a, b) = (function.terms.ult(x, y), function.terms.ult(y, x));
    let c = function.below(x, 1000);
    assert!(function.check(&[a, b]).is_unsat());
    let Verdict::Unsat(core) = function.check(&[c, b, a]) else { panic!("it contains a contradiction") };
    assert_eq!(core.conditions(), [b, a]);
    assert_eq!((function.solver.stats().by_first, function.solver.stats().by_cores), (1, 1));
}

#[test]
fn a_model_is_used_again() {
    let mut function = Function::new(Options { guess: false, ..Options::default() });
    let x = function.word("x");
    let key = function.terms.constant(32, 0xdead_beef);
    let is_key = function.terms.eq(x, key);
    let is_large = function.below(x, 0xdead_0000);
    let is_large = function.terms.not(is_large);
    assert!(function.check(&[is_key]).is_sat());
    let Verdict::Sat(model) = function.check(&[is_large, is_key]) else { panic!("the key is large") };
    assert_eq!(model.value(&function.terms, x), 0xdead_beef);
    assert_eq!((function.solver.stats().by_first, function.solver.stats().by_models), (1, 1));
}

/// `text` of words `x y z n` and an address `p`, one condition per `;`, and whether values for it are guessed.
fn is_guessed(text: &str) -> bool {
    let mut function = Function::new(Options::default());
    let mut declared: Vec<TermId> = ["x", "y", "z", "n"].map(|name| function.word(name)).to_vec();
    declared.push(function.terms.fresh(64, Origin::Parameter, "p"));
    declared.push(function.terms.fresh(64, Origin::Parameter, "q"));
    let conditions: Vec<TermId> = text
        .split(';')
        .map(|it| {
            term::parse(&mut function.terms, it, &declared).unwrap_or_else(|error| panic!("`{it}`: {error}"))
        })
        .collect();
    // A model is checked by evaluation.
    assert!(function.check(&conditions).is_sat(), "{text}");
    function.solver.stats().by_guesses == 1
}

#[test]
fn conditions_of_easy_paths_need_no_circuit() {
    for text in [
        "x == 17; y == x + 3; z != y",
        "x < n; n <= 100u; x != 0; x != 1; x != 2",
        "x < 0; y > 0; x + y == 5",
        "p >= 4096u; q >= 4096u; p + 24 < 0x800000000001u; q + 8 < 0x800000000001u; p + 24 < q || q + 8 < p",
        "(x & 4) != 0; (x & 3) == 0; x != 4",
        "x == 0 || y == 7; x != 0",
        "8 * n >= 8u * 50; n < 60u",
    ] {
        assert!(is_guessed(text), "{text}");
    }
}

#[test]
fn a_wrong_guess_is_no_answer() {
    // Facts say nothing of products, and no manner of choosing comes to these numbers.
    assert!(!is_guessed("x * y == 64777; x > 1; y > 1; x < 1000; y < 1000"));
}

#[test]
fn flags_of_one_word_are_independent_parts() {
    let mut function = Function::new(Options { guess: false, ..Options::default() });
    let flags = function.word("flags");
    let (read, write) = (function.has(flags, 1), function.has(flags, 2));
    let no_write = function.terms.not(write);
    let Verdict::Sat(model) = function.check(&[read, no_write]) else { panic!("flags are independent") };
    assert_eq!(model.value(&function.terms, flags) & 3, 1);
    assert_eq!(function.solver.stats().parts, 2);
}

#[test]
fn a_hard_query_is_given_up_and_not_tried_again() {
    let mut function = Function::new(Options { conflicts: 10, hard_conflicts: 10, ..Options::default() });
    // The largest prime below 2³².
    let query = function.factors(4_294_967_291);
    assert_eq!(function.check(&query), Verdict::Unknown(Limit::Conflicts));
    let conflicts = function.solver.stats().conflicts;
    assert!((10..100).contains(&conflicts), "the budget should be kept: {conflicts}");
    assert_eq!(function.check(&query), Verdict::Unknown(Limit::Conflicts));
    assert_eq!(function.solver.stats().conflicts, conflicts);
    assert_eq!(function.solver.stats().unknown, 2);
}

#[test]
fn a_contradictory_part_counts_even_if_another_is_too_hard() {
    let mut function = Function::new(Options { conflicts: 10, hard_conflicts: 10, ..Options::default() });
    let x = function.word("x");
    let (five, six) = (function.terms.constant(32, 5), function.terms.constant(32, 6));
    let mut query = vec![function.terms.eq(x, five), function.terms.eq(x, six)];
    query.extend(function.factors(4_294_967_291));
    assert!(function.check(&query).is_unsat());
}

#[test]
fn a_circuit_that_would_become_too_large_is_not_built() {
    let mut function = Function::new(Options { gates: 1000, guess: false, ..Options::default() });
    let x = function.word("x");
    let small = function.below(x, 7);
    assert!(function.check(&[small]).is_sat());
    let products = function.factors(35);
    assert_eq!(function.check(&products), Verdict::Unknown(Limit::Gates));
    assert!(function.check(&[small]).is_sat(), "what is there can still be asked");
}

#[test]
fn a_product_of_32_bits_is_taken_apart() {
    let mut function = Function::new(Options::default());
    let query = function.factors(211 * 307);
    let Verdict::Sat(model) = function.check(&query) else { panic!("it has two factors") };
    assert!(query.iter().all(|&condition| model.value(&function.terms, condition) == 1));
}

#[test]
fn words_of_128_bits_are_exact() {
    let mut terms = Terms::new();
    let mut solver = Solver::new();
    let x = terms.fresh(128, Origin::Parameter, "x");
    let seven = terms.constant(128, 7);
    let value = terms.constant(128, u128::MAX / 7 * 7);
    let quotient = terms.udiv(value, seven);
    let is_quotient = terms.eq(x, quotient);
    let back = terms.mul(x, seven);
    let wrong = terms.ne(back, value);
    assert!(solver.check(&terms, &[is_quotient, wrong]).is_unsat());
    let amount = terms.constant(128, 127);
    let top = terms.lshr(x, amount);
    let one = terms.constant(128, 1);
    let negative = terms.eq(top, one);
    let zero = terms.constant(128, 0);
    let not_negative = terms.sle(zero, x);
    assert!(solver.check(&terms, &[negative, not_negative]).is_unsat());
}

#[test]
fn deep_terms_do_not_exhaust_the_stack() {
    let mut terms = Terms::new();
    let mut solver = Solver::new();
    let mut chain = terms.fresh(1, Origin::Parameter, "x");
    for _ in 0..50_000 {
        let next = terms.fresh(1, Origin::Parameter, "y");
        chain = terms.and(next, chain);
    }
    assert!(solver.check(&terms, &[chain]).is_sat());
}
