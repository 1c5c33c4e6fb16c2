//! Names of values: files say behind `// is` how the first value of a line is called.

mod common;

use base::Id;
use ir::names::{describe, describe_inside, describe_place};
use ir::{SourceTypeId, ValueId, parse, verify};

#[test]
fn values_are_called_what_the_file_says() {
    for (name, text) in common::files("names") {
        let module = parse(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        let violations: Vec<String> = verify(&module).iter().map(|it| it.describe(&module)).collect();
        assert_eq!(violations, Vec::<String>::new(), "{name}");
        let function = module.functions.iter().last().expect("has functions");
        let mut wrong = String::new();
        for (line, (code, expected)) in
            text.lines().enumerate().filter_map(|(line, it)| Some((line, it.split_once(" // is ")?)))
        {
            let found = describe(&module, function, first_value(code).into());
            let found = found.as_deref().unwrap_or("nothing");
            if found != expected {
                wrong += &format!("{name}:{}: {code} should be {expected}, not {found}\n", line + 1);
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    }
}

/// The value that a line defines.
fn first_value(code: &str) -> ValueId {
    let start = code.find('v').expect("a value") + 1;
    let digits: String = code[start..].chars().take_while(char::is_ascii_digit).collect();
    ValueId::new(digits.parse().expect("a number"))
}

#[test]
fn places_are_called_by_what_is_accessed() {
    let (_, text) =
        common::files("names").into_iter().find(|(name, _)| name == "members.ir").expect("exists");
    let module = parse(&text).expect("parses");
    let function = module.functions.iter().last().expect("has functions");
    let place = |value: usize, bytes| describe_place(&module, function, ValueId::new(value).into(), bytes);
    assert_eq!(place(6, None).as_deref(), Some("s"));
    assert_eq!(place(6, Some(8)).as_deref(), Some("s.next"));
    assert_eq!(place(5, None).as_deref(), Some("*p"));
    assert_eq!(place(5, Some(8)).as_deref(), Some("p->next"));
    assert_eq!(place(12, None).as_deref(), Some("p->data"));
    assert_eq!(place(12, Some(4)).as_deref(), Some("p->data.x"));
    assert_eq!(place(16, Some(4)).as_deref(), Some("s.number"));
    assert_eq!(place(47, Some(4)), None);
}

#[test]
fn objects_are_described_without_a_pointer() {
    let (_, text) = common::files("names").into_iter().find(|(name, _)| name == "arrays.ir").expect("exists");
    let module = parse(&text).expect("parses");
    let inside =
        |ty: usize, offset, bytes| describe_inside(&module, "it", SourceTypeId::new(ty), offset, bytes);
    assert_eq!(inside(8, 80, Some(4)), "it[3].x");
    assert_eq!(inside(8, 80, None), "it[3].x");
    assert_eq!(inside(8, 72, None), "it[3]");
    assert_eq!(inside(8, 72, Some(8)), "it[3].name");
    assert_eq!(inside(0, 0, Some(4)), "it");
    assert_eq!(inside(99, 7, Some(4)), "it");
}
