//! Error triples that follow from the accesses of presumptions (Le et al. Fig. 3).

mod common;

use catalog::Issue;
use common::{Function, returns};
use heap::State;
use summary::{derived_errors, implied_nulls};

/// What follows, as kind, conditions, and whether freed memory is presumed.
fn follows(function: &Function, state: State) -> Vec<(Issue, Vec<String>, bool)> {
    let mut triples = function.triples(&[returns(state, &[])]);
    let derived = derived_errors(&mut triples);
    let shown = |it: &summary::Derived| {
        let conditions = it.spec.conditions.iter().map(|it| triples.terms.show(it.term).to_string());
        (it.bug.issue, conditions.collect(), it.spec.pre.iter().any(|pre| pre.negative))
    };
    derived.iter().map(shown).collect()
}

#[test]
fn a_load_may_meet_null_and_freed_memory() {
    let mut function = Function::new();
    let p = function.param(64, "p");
    let mut state = State::default();
    function.load(&mut state, p, 4);
    assert_eq!(
        follows(&function, state),
        [(Issue::NullDeref, vec!["p == 0".to_owned()], false), (Issue::UseAfterFree, Vec::new(), true),]
    );
}

#[test]
fn a_free_may_meet_freed_memory_and_null_is_fine() {
    let mut function = Function::new();
    let p = function.param(64, "p");
    let mut state = State::default();
    function.free(&mut state, p);
    assert_eq!(follows(&function, state), [(Issue::DoubleFree, Vec::new(), true)]);
}

#[test]
fn what_was_decided_before_the_access_stays() {
    let mut function = Function::new();
    let (p, n) = (function.param(64, "p"), function.param(32, "n"));
    let mut state = State::default();
    let before = function.arena.terms.nonzero(n);
    function.assume(&mut state, before);
    let content = function.load(&mut state, p, 4);
    let behind = function.arena.terms.nonzero(content);
    function.assume(&mut state, behind);
    let all = follows(&function, state);
    assert_eq!(all[0].1, ["n != 0", "p == 0"], "what was decided behind the access says nothing");
    assert_eq!(all[1].1, ["n != 0"]);
}

#[test]
fn memory_of_the_function_itself_implies_nothing() {
    let mut function = Function::new();
    let mut state = State::default();
    let (_, block) = function.allocate(&mut state, 8);
    let value = function.param(32, "n");
    function.store(&mut state, block, value);
    assert!(follows(&function, state).is_empty());
}

#[test]
fn implied_nulls_are_those_that_are_derived() {
    let mut function = Function::new();
    let (p, q) = (function.param(64, "p"), function.param(64, "q"));
    let mut state = State::default();
    let content = function.load(&mut state, p, 4);
    let behind = function.arena.terms.nonzero(content);
    function.assume(&mut state, behind);
    function.store(&mut state, q, content);
    let triples = function.triples(&[returns(state, &[])]);
    let nulls: Vec<_> = implied_nulls(&triples)
        .map(|(_, pointer, conditions)| (triples.terms.show(pointer).to_string(), conditions.len()))
        .collect();
    assert_eq!(nulls, [("p".to_owned(), 0), ("q".to_owned(), 1)]);
}
