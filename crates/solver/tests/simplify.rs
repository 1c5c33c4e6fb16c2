//! Simplification of conditions.

use solver::eliminate::soak;

#[test]
fn random_conditions_keep_their_meaning_and_do_not_grow() {
    let sizes = soak::simplification(700, 1).unwrap_or_else(|what| panic!("{what}"));
    assert!(sizes.after < sizes.before, "{sizes:?}");
    println!("{sizes:?}");
}
