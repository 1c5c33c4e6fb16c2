//! Where a fault goes, and the code with its switch.
//!
//! ```text
//! a < b        becomes    (if base::mutant(17) { a <= b } else { a < b })
//! free(p);     becomes     if base::mutant(18) {} else { free(p); }
//! ```
//! Space does not count when code is looked for, so that formatting does not spoil the list.

use std::ops::Range;

use anyhow::{Context, Result, bail, ensure};

use super::list::Fault;

/// The function that the copy has and the product does not.
pub(crate) const SWITCH: &str = "
/// Whether a fault of `cargo x mutants` is on.
pub fn mutant(number: usize) -> bool {
    static ON: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    let read = || std::env::var(\"INDICT_MUTANT\").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
    *ON.get_or_init(read) == number
}
";

/// The environment variable that turns a fault on, by its number.
pub(crate) const VARIABLE: &str = "INDICT_MUTANT";

/// The bytes of a file that a fault replaces.
pub(crate) fn find(text: &str, fault: &Fault) -> Result<Range<usize>> {
    let around = match &fault.within {
        Some(within) => only(text, within).with_context(|| format!("{}: `within` {within}", fault.name))?,
        None => 0..text.len(),
    };
    let place = only(&text[around.clone()], &fault.old)
        .with_context(|| format!("{}: `old` {} in {}", fault.name, fault.old, fault.file))?;
    Ok(around.start + place.start..around.start + place.end)
}

/// The text with the switches of all faults of its file. Faults at one place share it.
pub(crate) fn switched(text: &str, faults: &[&Fault]) -> Result<String> {
    let mut places: Vec<(Range<usize>, Vec<&Fault>)> = Vec::new();
    for &fault in faults {
        let range = find(text, fault)?;
        match places.iter_mut().find(|(known, _)| *known == range) {
            Some((_, same)) => same.push(fault),
            None => places.push((range, vec![fault])),
        }
    }
    places.sort_by_key(|(range, _)| range.start);
    let mut result = String::with_capacity(text.len() * 2);
    let mut done = 0;
    for (range, faults) in places {
        ensure!(range.start >= done, "{}: overlaps with another fault", faults[0].name);
        result += &text[done..range.start];
        result += &switch(&text[range.clone()], &faults);
        done = range.end;
    }
    Ok(result + &text[done..])
}

fn switch(old: &str, faults: &[&Fault]) -> String {
    let mut code = String::new();
    for fault in faults {
        code += &format!("if base::mutant({}) {{ {} }} else ", fault.number, fault.new);
    }
    code += &format!("{{ {old} }}");
    // Statements need no value, and what is no value needs no parentheses.
    if old.trim_end().ends_with(';') { code } else { format!("({code})") }
}

/// The only place where code stands in a text, whatever the space in both.
fn only(text: &str, code: &str) -> Result<Range<usize>> {
    let dense: Vec<(usize, char)> = text.char_indices().filter(|(_, it)| !it.is_whitespace()).collect();
    let code: Vec<char> = code.chars().filter(|it| !it.is_whitespace()).collect();
    ensure!(!code.is_empty(), "is empty");
    let is_here = |window: &[(usize, char)]| window.iter().map(|(_, it)| it).eq(&code);
    let mut found = dense.windows(code.len()).filter(|window| is_here(window));
    let Some(first) = found.next() else { bail!("is not there") };
    ensure!(found.next().is_none(), "is there more than once");
    let (last, end) = first[first.len() - 1];
    Ok(first[0].0..last + end.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(number: usize, within: Option<&str>, old: &str, new: &str) -> Fault {
        Fault {
            name: "a fault".to_owned(),
            file: "lib.rs".to_owned(),
            within: within.map(str::to_owned),
            old: old.to_owned(),
            new: new.to_owned(),
            breaks: String::new(),
            violations: None,
            explained: None,
            number,
            room: "heap",
        }
    }

    const TEXT: &str = "fn f(a: u8, b: u8) -> bool {\n    g(a);\n    a\n        < b\n}\nfn h() { g(a); }\n";

    #[test]
    fn code_is_found_whatever_its_space() {
        let text = switched(TEXT, &[&fault(1, None, "a<b", "a <= b"), &fault(2, None, "a < b", "true")]);
        let code = "(if base::mutant(1) { a <= b } else if base::mutant(2) { true } else { a\n        < b })";
        assert_eq!(text.expect("the code is there"), TEXT.replace("a\n        < b", code));
    }

    #[test]
    fn statements_can_be_left_out() {
        let text = switched(TEXT, &[&fault(7, Some("fn h() { g(a); }"), "g(a);", "")]);
        let text = text.expect("the code is there");
        assert!(text.ends_with("fn h() { if base::mutant(7) {  } else { g(a); } }\n"), "{text}");
    }

    #[test]
    fn what_is_missing_or_ambiguous_is_told() {
        let missing = switched(TEXT, &[&fault(1, None, "a > b", "true")]).expect_err("there is none");
        assert!(
            format!("{missing:#}").contains("a fault: `old` a > b in lib.rs: is not there"),
            "{missing:#}"
        );
        let twice = switched(TEXT, &[&fault(1, None, "g(a);", "")]).expect_err("there are two");
        assert!(format!("{twice:#}").contains("more than once"), "{twice:#}");
        let both = [&fault(1, None, "a < b", "true"), &fault(2, None, "< b }", "")];
        assert!(switched(TEXT, &both).is_err(), "they overlap");
    }
}
