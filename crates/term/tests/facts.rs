//! The fast tier: on conjunctions as the branches of C functions make them, and against brute force.

use term::{Answer, Facts, Origin, TermId, Terms, facts_soak, parse};

/// An arena with pointers `p q s`, integers `x y z i n f e`, a byte `c` and a truth value `b`.
fn arena() -> (Terms, Vec<TermId>) {
    let mut terms = Terms::new();
    let mut declared = Vec::new();
    for (width, names) in [(64, "p q s"), (32, "x y z i n f e"), (8, "c"), (1, "b")] {
        declared.extend(names.split(' ').map(|name| terms.fresh(width, Origin::Parameter, name)));
    }
    (terms, declared)
}

/// The facts that a text states, one condition per `;`.
fn assume(terms: &mut Terms, declared: &[TermId], text: &str) -> Facts {
    let mut facts = Facts::new();
    for condition in text.split(';').filter(|it| !it.trim().is_empty()) {
        let condition = term(terms, declared, condition);
        let answer = facts.assume(terms, condition);
        assert_eq!(answer == Answer::Unsat, facts.is_unsat());
    }
    facts
}

fn term(terms: &mut Terms, declared: &[TermId], text: &str) -> TermId {
    parse(terms, text, declared).unwrap_or_else(|error| panic!("`{text}`: {error}"))
}

/// Checks the answer to a conjunction, with its conditions in the order of the text and in the opposite one.
fn check(text: &str, unsat: bool) {
    let (mut terms, declared) = arena();
    let facts = assume(&mut terms, &declared, text);
    assert_eq!(facts.is_unsat(), unsat, "{text}");
    let mut turned: Vec<&str> = text.split(';').collect();
    turned.reverse();
    let facts = assume(&mut terms, &declared, &turned.join(";"));
    assert_eq!(facts.is_unsat(), unsat, "backwards: {text}");
}

#[test]
fn contradictions_of_branches_are_found() {
    for text in [
        // Null checks.
        "p == 0; p != 0",
        "p == q; p == 0; q != 0",
        "p + 8 == 0; p == 16",
        "p == q + 8; q == 0; p == 0",
        "p == q; q == s; p != s",
        "p == q + 8; s == q + 16; s - p != 8",
        "p == 0; (unsigned)p >= 4096",
        // Flags.
        "(f & 4) != 0; (f & 4) == 0",
        "(f & 4) != 0; f == 3",
        "(f & 6) == 6; (f & 2) == 0",
        "f == e; (f & 8) != 0; (e & 8) == 0",
        "(f & 3) == 0; f < 4u; f != 0",
        // Cases.
        "x != 1; x != 2; x == 1",
        "x < 4u; x != 0; x != 1; x != 2; x != 3",
        "x == 1 || x == 2; x > 2u",
        "x == 1 || x == 2; x != 1; x != 2",
        "c != 97; (uint32_t)c == x; x == 97",
        // Bounds.
        "0 <= i; i < n; n <= 0",
        "i < n; n <= i",
        "i < n; i + 1 > n",
        "(unsigned)i < n; (unsigned)(i + 1) > n",
        "x < y; y < x",
        "x <= y; y <= z; z < x",
        "x <= y; y <= x; x != y",
        "(unsigned)x <= y; (unsigned)y <= z; (unsigned)z <= i; (unsigned)i < x",
        "i >= 0; i < 10; i >= 10u",
        "x == y; y == z; x != z",
        "x == y + 1; y == z + 1; x != z + 2",
        "x < 10u; y == x + 5; y >= 15u",
        // Error codes.
        "e < 0; e >= 0",
        "e < 0; e == 3",
        "e == -1; e > 0",
        // Conversions.
        "(uint64_t)x == p; (unsigned)p > 0xffffffff",
        "(int64_t)i < s; i >= 0; s <= 0",
        "(int64_t)i == s; i < 0; s == 5",
        "(uint64_t)x < 8u; x == 9",
        "(uint8_t)x == 1; x == 256",
        "(int32_t)c < 0; c == 5",
        "(unsigned)(uint64_t)i < s; (unsigned)s <= (uint64_t)n; (unsigned)n < i",
        // Truth values that are stored.
        "(uint32_t)(x < y) != 0; y <= x",
        "(uint32_t)b == x; x != 0; !b",
        "(b ? x : y) == 3; b; x == 4",
        "(x == 0 ? 1 : 0) == y; y == 1; x != 0",
        "b || x == 1; !b; x != 1",
        "!(b && x == 1); b; x == 1",
        "b != (x == 1); b; x == 1",
        "x == 3 && y == 4; x + y != 7",
        // Linear forms modulo 2ⁿ.
        "3 * x + y == 7; y == 1; x != 2",
        "2 * x == 7",
        "4 * x == y; (y & 3) != 0",
        "x + y == 5; x - y == 2; x == 3; y != 1",
    ] {
        check(text, true);
    }
}

#[test]
fn what_has_a_model_is_left_alone() {
    for text in [
        // Wrap-around.
        "(unsigned)(x + 1) <= x",
        "x + 1 < x",
        "x + 4 < 8u; x >= 0xfffffffc",
        "x > 0u; x - 1 >= 0xfffffff0u",
        "x > 0; y > 0; x + y < 0",
        "2 * x == 2 * y; x != y",
        "-x == x; x != 0",
        "p + 8 == 0",
        "(unsigned)i + 1 < i; (unsigned)i >= n",
        "(unsigned)(x + 1) < y; (unsigned)y <= x",
        "i - n < 0; i > n",
        // Orders that differ.
        "x < y; (unsigned)y < x",
        "(int64_t)i < 0; (unsigned)(int64_t)i > 0xffffffff",
        "(uint8_t)x == 0; x != 0",
        // Just enough room.
        "x < 4u; x != 0; x != 1; x != 2",
        "x <= y; y <= x",
        "x < y; y <= x + 1",
        "(f & 4) != 0; (f & 8) == 0",
        "b || x == 1; !b",
        "x == 1 || x == 3; x != 1",
        "x * x == 4; x != 2",
    ] {
        check(text, false);
    }
}

#[test]
fn conditions_are_decided() {
    for (text, condition, answer) in [
        ("p != 0", "p == 0", Some(false)),
        ("p == q; q != 0", "p != 0", Some(true)),
        ("i < n; n <= z", "i < z", Some(true)),
        ("i < n; n <= z", "z <= i", Some(false)),
        ("i >= 0; i < 10", "i < 10u", Some(true)),
        ("(f & 4) != 0", "f == 0", Some(false)),
        ("x == 1 || x == 2", "x < 3u", Some(true)),
        ("x < y", "x < y + 1", None),
        ("x > 3", "x + 1 > x", None),
        ("x < 10u", "x + 1 > x", Some(true)),
        ("", "x == x + 1", Some(false)),
    ] {
        let (mut terms, declared) = arena();
        let facts = assume(&mut terms, &declared, text);
        let condition_term = term(&mut terms, &declared, condition);
        assert_eq!(facts.decide(&terms, condition_term), answer, "{text} ⊢ {condition}");
    }
}

#[test]
fn ranges_are_known() {
    let (mut terms, declared) = arena();
    let facts = assume(&mut terms, &declared, "x >= -3; x < 8; (y & 3) == 1; y < 16u; z == y; p == 4096");
    let [x, y, z, p] = ["x", "y", "z", "p"].map(|text| term(&mut terms, &declared, text));
    assert_eq!(facts.range(&terms, x).signed(), (-3, 7));
    assert_eq!(facts.range(&terms, y).unsigned(), (1, 13));
    assert_eq!(facts.range(&terms, z).known_bits(), (0xffff_fff2, 1));
    assert_eq!(facts.range(&terms, p).constant(), Some(4096));
    assert!(facts.range(&terms, z).contains(9) && !facts.range(&terms, z).contains(8));
}

#[test]
fn equal_terms_have_one_representative() {
    let (mut terms, declared) = arena();
    let facts = assume(&mut terms, &declared, "p == q + 8; s == p + 8; x == 5");
    let [end, start, x] = ["s + 4", "q + 20", "x"].map(|text| term(&mut terms, &declared, text));
    assert_eq!(facts.representative(&mut terms, end), facts.representative(&mut terms, start));
    assert_eq!(facts.base_and_offset(&terms, end), facts.base_and_offset(&terms, start));
    let five = terms.constant(32, 5);
    assert_eq!(facts.representative(&mut terms, x), five);
    assert_eq!(facts.base_and_offset(&terms, x), None);
}

#[test]
fn implied_conditions_are_no_atoms() {
    let (mut terms, declared) = arena();
    let facts = assume(&mut terms, &declared, "x > 3; x > 2; b && y == 1; b; x != 0");
    let shown: Vec<String> = facts.atoms().map(|atom| terms.show(atom).to_string()).collect();
    assert_eq!(shown, ["x >= 4", "b", "y == 1"]);
}

#[test]
fn forks_do_not_see_each_other() {
    let (mut terms, declared) = arena();
    let mut facts = assume(&mut terms, &declared, "x < 100u; p != 0");
    let mut forks = Vec::new();
    // As deep as a path with many branches, so that layers are merged many times.
    for bound in (10..90).rev() {
        let condition = term(&mut terms, &declared, &format!("x < {bound}u"));
        let mut fork = facts.clone();
        let opposite = terms.not(condition);
        assert_eq!(fork.assume(&terms, opposite), Answer::Unknown);
        forks.push((bound, fork));
        assert_eq!(facts.assume(&terms, condition), Answer::Unknown);
    }
    let x = term(&mut terms, &declared, "x");
    for (bound, fork) in forks {
        let last = if bound == 89 { 99 } else { bound };
        assert_eq!(fork.range(&terms, x).unsigned(), (bound, last));
        assert_eq!(fork.atoms().count() as u128, 92 - bound);
    }
    assert_eq!(facts.range(&terms, x).unsigned(), (0, 9));
}

#[test]
fn a_fixed_variable_decides_others() {
    let (mut terms, declared) = arena();
    let mut facts = assume(&mut terms, &declared, "x >= 0; x < y; y < 10u; z == y + 2");
    let (x, z) = (term(&mut terms, &declared, "x"), term(&mut terms, &declared, "z"));
    assert_eq!(facts.fix(&terms, z, 9), Answer::Unknown);
    assert_eq!(facts.range(&terms, x).unsigned(), (0, 6));
    assert_eq!(facts.clone().fix(&terms, x, 6), Answer::Unknown);
    assert_eq!(facts.fix(&terms, x, 7), Answer::Unsat);
}

#[test]
fn a_contradiction_stays() {
    let (mut terms, declared) = arena();
    let mut facts = assume(&mut terms, &declared, "x == 1; x == 2");
    let yes = terms.yes();
    assert_eq!(facts.assume(&terms, yes), Answer::Unsat);
    assert!(facts.clone().is_unsat());
}

#[test]
fn deep_terms_do_not_exhaust_the_stack() {
    let (mut terms, declared) = arena();
    let mut sum = declared[3];
    let mut all = terms.yes();
    for it in 0..5_000 {
        let other = declared[4 + it % 3];
        sum = if it % 2 == 0 { terms.mul(sum, other) } else { terms.and(sum, other) };
        let positive = terms.slt(sum, other);
        all = terms.and(all, positive);
    }
    let mut facts = Facts::new();
    facts.assume(&terms, all);
    facts.range(&terms, sum);
}

#[test]
fn all_operations_agree_with_brute_force() {
    let statistics = facts_soak::any(3000, 1).unwrap_or_else(|complaint| panic!("{complaint}"));
    assert!(statistics.recall() >= 80, "fewer contradictions are found: {statistics:?}");
}

#[test]
fn branches_agree_with_brute_force() {
    let statistics = facts_soak::branches(3000, 1).unwrap_or_else(|complaint| panic!("{complaint}"));
    assert!(statistics.recall() >= 98, "fewer contradictions are found: {statistics:?}");
    assert!(statistics.decided * 100 >= statistics.decidable * 97, "less is decided: {statistics:?}");
}

#[test]
fn assignments_at_full_width_are_not_excluded() {
    facts_soak::full_width(3000, 1).unwrap_or_else(|complaint| panic!("{complaint}"));
}
