//! Every operation and rule against definitions, at a reduced number; `cargo x soak` does more.

use term::soak;

#[test]
fn operations_agree_with_their_definitions_for_all_values_and_constants() {
    for width in 1..=3 {
        let statistics = soak::single(width).unwrap();
        println!("{width}: {statistics:?}");
    }
}

#[test]
fn pairs_of_operations_agree_with_their_definitions_for_all_values() {
    let statistics = soak::exhaustive(2, 40).unwrap();
    println!("{statistics:?}");
}

#[test]
fn nested_operations_agree_with_their_definitions_for_all_values() {
    let statistics = soak::nested(40_000, 1).unwrap();
    println!("{statistics:?}");
}

#[test]
fn random_programs_agree_with_their_definitions() {
    let statistics = soak::random(40_000, 1).unwrap();
    println!("{statistics:?}");
}
