//! Digests are the same in every run and on every machine, and parts do not flow into one another.

use base::Id;
use ir::LocId;
use world::{Digest, FamilyKey, FnKey, Site, Sites, UnitKey};

/// Written down once: who changes these numbers makes every store unreadable.
#[test]
fn keys_are_what_they_always_were() {
    assert_eq!(FnKey::of(&["main"]).to_string(), "373b28488c58eed4");
    assert_eq!(FamilyKey::of(&["malloc"]).to_string(), "61f5bd8f735abee4");
    assert_eq!(UnitKey::of(&["src/main.c", "-DX"]).to_string(), "01d04a5edc9e095c");
}

#[test]
fn parts_have_lengths() {
    let all = [["ab", ""], ["a", "b"], ["", "ab"]].map(|parts| Digest::of_parts("tag", &parts));
    assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2]);
    assert_ne!(Digest::of_parts("tag", &["a"]), Digest::of_parts("other", &["a"]));
}

#[test]
fn values_of_other_shapes_have_other_digests() {
    assert_ne!(Digest::of(&Some(0_u32)), Digest::of(&None::<u32>));
    assert_ne!(Digest::of(&(1_u8, 2_u8)), Digest::of(&(2_u8, 1_u8)));
    assert_ne!(Digest::of(&vec![1_u64]), Digest::of(&vec![1_u64, 0]));
    assert_ne!(Digest::of(&("a", "bc")), Digest::of(&("ab", "c")));
    assert_eq!(Digest::of(&7_usize), Digest::of(&7_u64), "the width of a pointer does not matter");
}

#[test]
fn digests_are_shown_as_their_bytes() {
    let shown = Digest::of_bytes(b"").to_string();
    assert_eq!((shown.len(), shown.chars().all(|it| it.is_ascii_hexdigit())), (32, true));
}

#[test]
fn places_are_numbered_by_the_order_of_the_body() {
    let text = "target pointer 8
file file0 \"a.c\"
func @f() !file0:1:1 {
b0():
  v0: i32 = nondet intrinsic \"a\" !9:1
  v1: i32 = nondet intrinsic \"b\" !3:1
  v2: i32 = nondet intrinsic \"c\" !9:1
  return !5:1
}
";
    let module = ir::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let body = module.functions.iter().find_map(|it| it.body.as_ref()).expect("a body");
    let sites = Sites::of(body);
    let locs: Vec<LocId> = body.insts.iter().map(|it| it.loc).collect();
    let numbers: Vec<usize> = locs.iter().map(|&loc| sites.get(loc).index()).collect();
    assert_eq!(numbers, [1, 2, 1], "one place is one number, in the order in which it comes up");
    assert!(locs.iter().all(|&loc| sites.loc(sites.get(loc)) == loc));
    assert_eq!(sites.loc(Site::new(99)), LocId::FIRST);
}
