//! The law of the text form, `print(parse(print(m))) == print(m)`, on random modules and on damaged texts.

mod common;

use common::random::{self, Random};
use ir::{Module, parse, print, verify};

fn check_round_trip(module: &Module, what: &str) {
    let printed = print(module);
    let parsed = parse(&printed).unwrap_or_else(|error| panic!("{what}: {error}\n{printed}"));
    let again = print(&parsed);
    assert_eq!(again, printed, "{what}");
    // The verifier neither panics nor sees a difference; it may see unused constants in the module that was made by hand.
    verify(module);
    let reparsed = parse(&again).expect("the same text parses again");
    assert_eq!(verify(&reparsed), verify(&parsed), "{what}");
}

#[test]
fn random_modules_survive() {
    for seed in 0..2000 {
        check_round_trip(&random::module(&mut Random::new(seed)), &format!("seed {seed}"));
    }
}

/// Damaged texts are refused with a place, or parsed into modules that keep the law; nothing panics.
#[test]
fn damaged_texts_do_not_panic() {
    let mut texts: Vec<String> =
        ["text", "verify"].iter().flat_map(|it| common::files(it)).map(|(_, text)| text).collect();
    texts.extend((0..50).map(|seed| print(&random::module(&mut Random::new(seed)))));
    let mut n_parsed = 0;
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let text = damage(&mut random, &texts);
        match parse(&text) {
            Ok(module) => {
                n_parsed += 1;
                check_round_trip(&module, &format!("seed {seed}"));
            }
            Err(error) => assert!(error.line > 0 && error.column > 0 && !error.expected.is_empty()),
        }
    }
    assert!(n_parsed > 100, "some texts should survive the damage, not only {n_parsed}");
}

/// One of the texts, with some of its words replaced, removed, doubled or taken from another text.
fn damage(random: &mut Random, texts: &[String]) -> String {
    const WORDS: [&str; 16] = [
        "v4294967294",
        "b9",
        "{",
        "}",
        "(",
        "\"",
        "i0",
        "i2147483648",
        "-1",
        "18446744073709551616",
        "@",
        "!",
        "loc0",
        ",",
        "switch",
        "\u{e4}",
    ];
    let text = random.pick(texts);
    let other = random.pick(texts);
    let mut words: Vec<&str> = text.split_inclusive([' ', '\n', ',', '(', ')']).collect();
    let others: Vec<&str> = other.split_inclusive([' ', '\n', ',', '(', ')']).collect();
    for _ in 0..1 + random.below(3) {
        let at = random.below(words.len());
        match random.below(5) {
            0 => words[at] = random.pick(&WORDS),
            1 => words.insert(at, random.pick(&WORDS)),
            2 => words[at] = "",
            3 => words.insert(at, words[at]),
            _ => words[at] = random.pick(&others),
        }
    }
    words.concat()
}
