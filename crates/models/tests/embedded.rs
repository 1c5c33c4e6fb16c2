//! The facts that are part of the program: they load, and each is listed.

use models::{Library, c_bodies, facts};

#[test]
fn all_facts_load() {
    if let Err(mistakes) = Library::new(&[]) {
        panic!("{}", mistakes.iter().map(|it| format!("{it}\n")).collect::<String>());
    }
    assert!(!facts().is_empty() && !c_bodies().is_empty());
}
