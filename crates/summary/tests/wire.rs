//! Summaries as bytes: they come back, and what no encoder wrote is refused.

mod common;

use common::{Function, returns};
use heap::State;
use summary::wire::{VERSION, WireError, decode, encode};
use summary::{Contract, Summary, Writes};
use term::TermId;
use world::{Digested, FnKey};

/// A summary with a presumption, conditions, new memory, and an error.
fn example() -> Summary {
    let mut function = Function::new();
    let (p, n) = (function.param(64, "p"), function.param(32, "n"));
    let mut state = State::default();
    let is_set = function.arena.terms.nonzero(n);
    function.assume(&mut state, is_set);
    let content = function.load(&mut state, p, 4);
    let (_, block) = function.allocate(&mut state, 16);
    function.store(&mut state, block, content);
    let bug = summary::Bug::new(
        catalog::Issue::NullDeref,
        common::here(),
        catalog::What::MayBeNull { pointer: "p".to_owned(), used: catalog::Use::Read },
        vec![],
    );
    let error =
        summary::Ended { state: State::default(), results: Vec::new(), how: summary::How::Error(bug) };
    let doomed = Contract { nonnull: true, writes: Writes::Through(5), ..Contract::UNKNOWN };
    Summary { doomed, ..function.summary(&[returns(state, &[block]), error]) }
}

#[test]
fn a_summary_comes_back() {
    let summary = example();
    let bytes = encode(&summary);
    let back = decode(&bytes).expect("what was written can be read");
    assert_eq!(encode(&back), bytes);
    assert_eq!((back.function, back.doomed), (summary.function, summary.doomed));
    assert_eq!(common::shown(&back.split), common::shown(&summary.split));
    assert_eq!(back.split.plans.len(), summary.split.specs.len(), "plans follow from the triples");
    assert_eq!(back.digest(), summary.digest());
    assert_ne!(Summary::open(FnKey::of(&["f"])).digest(), summary.digest());
}

#[test]
fn bytes_of_another_version_are_refused() {
    let mut bytes = encode(&example());
    bytes[0] ^= 0x40;
    assert!(matches!(decode(&bytes), Err(WireError::Version(other)) if other != VERSION));
}

#[test]
fn cut_and_longer_bytes_are_refused() {
    let bytes = encode(&example());
    for end in 0..bytes.len() {
        assert!(decode(&bytes[..end]).is_err(), "{end} of {} bytes", bytes.len());
    }
    assert_eq!(
        decode(&[bytes, vec![0]].concat()).err(),
        Some(WireError::Unsound("something stands behind it"))
    );
}

/// What is decoded can be used without a panic, whatever the bytes were.
#[test]
fn changed_bytes_are_refused_or_harmless() {
    let bytes = encode(&example());
    let mut refused = 0;
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            match decode(&changed) {
                Err(_) => refused += 1,
                Ok(mut summary) => {
                    let _ = common::shown(&summary.split);
                    let _ = summary::derived_errors(&mut summary.split);
                    let _ = encode(&summary);
                }
            }
        }
    }
    assert!(refused > bytes.len(), "only {refused} of {} changes are refused", 8 * bytes.len());
}

fn refused(change: impl FnOnce(&mut Summary)) -> WireError {
    let mut summary = example();
    change(&mut summary);
    decode(&encode(&summary)).expect_err("it should be refused")
}

#[test]
fn what_is_referred_to_must_be_there() {
    let missing = WireError::Unsound("something is referred to that is not there");
    let far: TermId = base::Id::new(1000);
    assert_eq!(refused(|it| it.split.specs[0].results[0] = far), missing);
    assert_eq!(refused(|it| it.split.specs[0].conditions[0].term = far), missing);
    assert_eq!(refused(|it| it.split.specs[0].pre[0].block = base::Id::new(1)), missing);
    assert_eq!(refused(|it| it.split.specs[0].pre[0].accesses.clear()), missing);
    assert_eq!(refused(|it| it.split.specs[0].pre[0].cells[0].bytes = 0), missing);
    assert_eq!(refused(|it| it.split.specs[0].post.truncate(0)), missing);
    assert_eq!(refused(|it| it.split.bugs.clear()), missing);
    let roleless = refused(|it| it.split.roles = base::IdVec::new());
    assert_eq!(roleless, WireError::Unsound("a variable without a role"));
}

#[test]
fn contracts_join_to_what_both_allow() {
    let pure =
        Contract { returns: true, nonnull: true, writes: Writes::Through(0), may_end: false, exits: false };
    let writer = Contract { writes: Writes::Through(2), exits: true, ..pure };
    assert_eq!(pure.or(pure), pure);
    assert_eq!(pure.or(writer), writer);
    assert_eq!(writer.or(pure), writer);
    assert_eq!(Contract::NOT_LOOKED_AT.or(writer), Contract::NOT_LOOKED_AT);
    assert_eq!(Contract::UNKNOWN.or(pure).writes, Writes::Anything);
}
