//! The random comparisons, in small numbers.

use solver::soak;

#[test]
fn every_operation_is_what_evaluation_says_at_small_widths() {
    let tally = soak::exhaustive(4).unwrap();
    assert_eq!(tally.sat, tally.unsat);
}

#[test]
fn every_operation_is_what_evaluation_says_at_real_widths() {
    soak::operations(2_000, 1).unwrap();
}

#[test]
fn small_queries_have_the_answer_that_trying_all_values_gives() {
    let tally = soak::brute_force(2_000, 1).unwrap();
    assert!(tally.sat > 400 && tally.unsat > 400, "both answers should occur often: {tally:?}");
}

#[test]
fn the_fast_tier_calls_nothing_contradictory_that_is_not() {
    let agreement = soak::fast_tier(2_000, 1).unwrap();
    let unsat = agreement.exact.unsat;
    assert!(agreement.exact.sat > 200 && unsat > 200, "both answers should occur often: {agreement:?}");
    assert!(agreement.found * 2 > unsat, "half of the contradictions should be found: {agreement:?}");
}

#[cfg(feature = "cadical")]
#[test]
fn cadical_agrees() {
    let tally = soak::cadical(200, 1).unwrap();
    assert!(tally.sat > 40 && tally.unsat > 40, "both answers should occur often: {tally:?}");
}

#[cfg(feature = "z3")]
#[test]
fn z3_agrees() {
    let tally = soak::z3(200, 1).unwrap();
    assert!(tally.sat > 40 && tally.unsat > 40, "both answers should occur often: {tally:?}");
}
