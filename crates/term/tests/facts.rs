//! The fast tier against brute force, and on conjunctions as C programs make them.

use term::facts_soak;

#[test]
fn soak_any() {
    let statistics = facts_soak::any(3000, 1).unwrap();
    println!("{statistics:?} {}", statistics.recall());
}

#[test]
fn soak_branches() {
    let statistics = facts_soak::branches(3000, 2).unwrap();
    println!("{statistics:?} {}", statistics.recall());
}

#[test]
fn soak_full() {
    facts_soak::full_width(3000, 3).unwrap();
}
