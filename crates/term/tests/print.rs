//! Names, widths and errors of the text of terms.

use term::{Origin, TermId, Terms, parse};

#[test]
fn variables_of_one_name_are_told_apart() {
    let mut terms = Terms::new();
    let declared: Vec<TermId> = ["x", "x", "p->len", "*p", "a + b", "x", "`", "true"]
        .map(|name| terms.fresh(8, Origin::Parameter, name))
        .into();
    let shown: Vec<String> = declared.iter().map(|&term| terms.show(term).to_string()).collect();
    assert_eq!(shown, ["x", "x'2", "p->len", "*p", "`a + b`", "x'3", "`\\``", "`true`"]);
    for (text, &term) in shown.iter().zip(&declared) {
        assert_eq!(parse(&mut terms, text, &declared), Ok(term));
    }
    let product = parse(&mut terms, "x * *p - x'2", &declared).unwrap();
    assert_eq!(terms.show(product).to_string(), "x * *p - x'2");
}

#[test]
fn only_what_is_declared_has_a_name() {
    let mut terms = Terms::new();
    let len = terms.fresh(32, Origin::InitialMemory, "p->len");
    terms.fresh(32, Origin::Parameter, "n");
    assert!(parse(&mut terms, "p->len < 16u", &[len]).is_ok());
    for text in [
        "n == 1",
        "p->length == 1",
        "p->len <",
        "(p->len",
        "p->len 1",
        "1",
        "p->len == 5000000000",
        "concat(1, p->len)",
    ] {
        let error = parse(&mut terms, text, &[len]).unwrap_err();
        assert!(error.position <= text.len(), "{text}: {error}");
    }
}

#[test]
fn a_huge_term_is_cut_off() {
    let mut terms = Terms::new();
    let x = terms.fresh(32, Origin::Parameter, "x");
    let y = terms.fresh(32, Origin::Parameter, "y");
    let mut deep = x;
    for _ in 0..100_000 {
        deep = terms.udiv(y, deep);
    }
    let mut wide = x;
    for _ in 0..100 {
        let shifted = terms.shl(wide, y);
        wide = terms.udiv(shifted, wide);
    }
    for term in [deep, wide] {
        let text = terms.show(term).to_string();
        assert!(text.len() < 100_000 && text.contains("..."), "{}", text.len());
    }
    let nested = "(".repeat(100_000);
    assert!(parse(&mut terms, &nested, &[x]).is_err());
}
