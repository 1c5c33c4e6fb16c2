//! Bits that nothing ever wrote, chosen instead of undefined.

use std::collections::BTreeSet;

use interp::replay::{PreState, Replayed, Script, replay};
use interp::{Options, Outcome, Program, UndefinedPolicy};

use crate::parse;

const MODULE: &str = r#"
    target pointer 8
    file file0 "t.c"
    func @malloc(i64) -> (ptr)
    func @register() -> (i32) !file0:1 {
    b0():
      v0: i32 = uninit !2:1
      v1: i1 = cmp slt v0, i32 0 !3:1
      branch v1 ? b1 : b2 !3:1
    b1:
      return i32 1 !4:1
    b2:
      return i32 0 !5:1
    }
    func @heap() -> (i32) !file0:10 {
    b0():
      v0: ptr = call @malloc(i64 16) !11:1
      v1: i64 = load v0 align 8 !12:1
      switch v1 { i64 0: b1 default: b2 } !13:1
    b1:
      return i32 1 !14:1
    b2:
      return i32 0 !15:1
    }
    func @nothing() -> (i32) !file0:20 {
    b0():
      v0: ptr = alloca i64 4 align 4 !21:1
      v1: i32 = load v0 align 4 !22:1
      v2: i32 = add v1, i32 3 !23:1
      v3: i32 = sub v1, v2 !24:1
      v4: i1 = cmp eq v3, i32 -3 !25:1
      branch v4 ? b1 : b1 !25:1
    b1:
      v5: i1 = cmp eq v1, i32 7 !26:1
      branch v5 ? b2 : b2 !26:1
    b2:
      return v3 !27:1
    }
"#;

/// How a function ends, in a word.
fn end(name: &str, undefined: UndefinedPolicy) -> String {
    let modules = [parse(MODULE)];
    let program = Program::link(&modules);
    let function = program.function(name).expect("the module should have the function");
    let options = Options { undefined, ..Options::default() };
    let replayed: Replayed<'_> =
        replay(&program, function, &PreState::default(), Script::default(), options).expect("it should run");
    match &replayed.outcome {
        Outcome::Bug(bug) => format!("{} at {}", bug.issue.id(), bug.place.line),
        Outcome::Returned(values) => format!("returned {}", values[0].low() as i32),
        other => format!("{other:?}"),
    }
}

fn ends(name: &str) -> BTreeSet<String> {
    (0..32).map(|seed| end(name, UndefinedPolicy::Chosen(seed))).collect()
}

#[test]
fn tracked_bits_must_not_decide() {
    assert_eq!(end("register", UndefinedPolicy::Tracked), "uninit-read at 3");
    assert_eq!(end("heap", UndefinedPolicy::Tracked), "uninit-read at 13");
    assert_eq!(end("nothing", UndefinedPolicy::Tracked), "uninit-read at 25");
}

#[test]
fn chosen_bits_decide_one_way_or_the_other() {
    let both = BTreeSet::from(["returned 0".to_owned(), "returned 1".to_owned()]);
    assert_eq!(ends("register"), both);
    assert_eq!(ends("heap"), both);
    assert_eq!(ends("nothing"), BTreeSet::from(["returned -3".to_owned()]));
}

#[test]
fn the_same_seed_chooses_the_same_bits() {
    for seed in 0..8 {
        let chosen = || end("heap", UndefinedPolicy::Chosen(seed));
        assert_eq!(chosen(), chosen());
    }
}

#[test]
fn watched_bits_must_not_decide_at_one_line() {
    let watched = |line| UndefinedPolicy::Watched { seed: 1, line, calls: Vec::new() };
    let elsewhere = UndefinedPolicy::Watched { seed: 1, line: 25, calls: vec![3] };
    assert_eq!(end("nothing", elsewhere), "returned -3");
    assert_eq!(end("nothing", watched(25)), "uninit-read at 25");
    assert_eq!(end("nothing", watched(26)), "uninit-read at 26");
    assert_eq!(end("nothing", watched(99)), "returned -3");
}
