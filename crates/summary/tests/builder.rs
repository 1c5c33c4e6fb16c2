//! From paths to triples: what callers are told, and what not.

mod common;

use common::{Function, returns, shown};
use heap::{Exit, State, Status};
use summary::{Builder, How, Visible};

#[test]
fn a_load_is_a_triple_of_its_cell() {
    let mut function = Function::new();
    let p = function.param(64, "p");
    let mut state = State::default();
    let value = function.load(&mut state, p, 4);
    let triples = function.triples(&[returns(state, &[value])]);
    assert_eq!(
        shown(&triples),
        ["presumes p -> {0: content}\nok       returns content\nleaves   p -> {0: content}\n"]
    );
    assert_eq!(triples.plans.len(), 1, "each triple has its plan");
    assert_eq!(
        (triples.param(triples.specs[0].pre[0].base), triples.param(triples.specs[0].results[0])),
        (Some(0), None)
    );
}

#[test]
fn equal_paths_are_one_triple_and_different_ones_are_two() {
    let mut function = Function::new();
    let n = function.param(32, "n");
    let one = |function: &mut Function, value: u128| {
        let result = function.arena.terms.constant(32, value);
        returns(State::default(), &[result])
    };
    let paths = [
        one(&mut function, 1),
        one(&mut function, 1),
        one(&mut function, 2),
        returns(State::default(), &[n]),
    ];
    assert_eq!(function.triples(&paths).specs.len(), 3);
}

#[test]
fn what_the_environment_decides_is_not_told() {
    let mut function = Function::new();
    let (n, input) = (function.param(32, "n"), function.input(32));
    let mut state = State::default();
    let is_set = function.arena.terms.nonzero(input);
    let is_large = function.arena.terms.nonzero(n);
    function.assume(&mut state, is_set);
    function.assume(&mut state, is_large);
    let ended = returns(state, &[]);
    let builder = Builder::new(&function.arena, Visible::Needed);
    assert_eq!(builder.untold(&ended, &builder.told(&ended)), [is_set]);
    let triples = function.triples(std::slice::from_ref(&ended));
    assert_eq!(shown(&triples), ["presumes nothing\nwhen     n != 0\nok       returns nothing\n"]);
    // Who replays the path must choose the same.
    assert_eq!(function.triples_with(&[ended], Visible::Replayable).specs[0].conditions.len(), 2);
}

#[test]
fn what_is_returned_is_told_with_its_conditions() {
    let mut function = Function::new();
    let input = function.input(32);
    let mut state = State::default();
    let is_set = function.arena.terms.nonzero(input);
    function.assume(&mut state, is_set);
    let triples = function.triples(&[returns(state, &[input])]);
    assert_eq!(shown(&triples), ["presumes nothing\nwhen     input != 0\nok       returns input\n"]);
}

#[test]
fn new_memory_is_told_if_somebody_gets_it() {
    let mut function = Function::new();
    let p = function.param(64, "p");
    let mut state = State::default();
    let (_, lost) = function.allocate(&mut state, 4);
    let (_, kept) = function.allocate(&mut state, 8);
    function.store(&mut state, p, kept);
    let path = returns(state, &[]);
    let triples = function.triples(std::slice::from_ref(&path));
    assert_eq!(
        triples.specs[0].post.len(),
        2,
        "the block behind `p` and the new one in it: {:?}",
        shown(&triples)
    );
    assert!(function.arena.as_var(lost).is_some());
    // An error takes nothing along but what it presumed.
    let bug = summary::Bug::new(
        catalog::Issue::NullDeref,
        common::here(),
        catalog::What::MayBeNull { pointer: "p".to_owned(), used: catalog::Use::Read },
        Vec::new(),
    );
    let error = summary::Ended { how: How::Error(bug), ..path };
    let triples = function.triples(&[error]);
    assert_eq!((triples.specs[0].post.len(), triples.specs[0].exit), (1, Exit::Er(0)));
    assert_eq!(triples.bugs.len(), 1);
}

#[test]
fn variables_are_out_of_scope_for_callers() {
    let mut function = Function::new();
    let mut state = State::default();
    let variable = function.variable(&mut state, 4);
    let triples = function.triples(&[returns(state, &[variable])]);
    assert!(matches!(triples.specs[0].post[0].status, Status::ScopeEnded(_)), "{:?}", shown(&triples));
}

#[test]
fn what_never_returns_is_known() {
    let function = Function::new();
    let end = |how| summary::Ended { state: State::default(), results: Vec::new(), how };
    assert!(function.triples(&[end(How::NoReturn)]).never_returns());
    assert!(!function.triples(&[end(How::NoReturn), end(How::Return)]).never_returns());
    assert!(!function.triples(&[end(How::Cut)]).never_returns(), "what was not followed may return");
    let mut open = function.triples(&[end(How::NoReturn)]);
    open.incomplete = true;
    assert!(!open.never_returns());
}
