//! Elimination of variables from conditions.

use solver::eliminate::soak;

#[test]
fn random_eliminations_agree_with_brute_force() {
    let statistics = soak::eliminate(1500, 1).unwrap_or_else(|what| panic!("{what}"));
    assert!(statistics.exact * 10 >= statistics.eliminations * 8, "{statistics:?}");
    println!("{statistics:#?}");
}
