//! What the name of a test function promises.
//!
//! `…_bad` has an error of its own, `…_latent` one that needs a caller, `…_ok` none. Known gaps start with `FN_` (an error
//! that is not found) or `FP_` (a finding that is wrong) and carry a reason `// FN: …`. Since expectations state what *is*
//! found, a gap that closes makes its file fail until the function is renamed.

use crate::expectation::{Expectation, Verdict};
use crate::report::Mistake;

/// A function whose name promises something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFunction<'s> {
    /// Its name.
    pub name: &'s str,
    /// The line of its head, from 1.
    pub first_line: u32,
    /// The line of its closing brace.
    pub last_line: u32,
    /// What is right about the code.
    pub claim: Claim,
    /// What the tool is known to get wrong.
    pub gap: Option<Gap>,
}

/// What a name says about the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// `…_bad`: has an error.
    Bad,
    /// `…_latent`: has an error that needs a caller.
    Latent,
    /// `…_ok`: has none.
    Ok,
}

/// What a name says about the tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// `FN_…`: the error is not found.
    FalseNegative,
    /// `FP_…`: an error is found that is none.
    FalsePositive,
}

/// The functions with telling names. Expects heads and closing braces at the left margin.
pub fn functions(source: &str) -> Vec<NamedFunction<'_>> {
    let lines: Vec<&str> = source.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some((name, claim, gap)) = head(line).and_then(telling) else { continue };
        let Some(length) = length(&lines[index..]) else { continue };
        let first_line = index as u32 + 1;
        found.push(NamedFunction { name, first_line, last_line: first_line + length - 1, claim, gap });
    }
    found
}

/// Compares what the names promise with what is expected.
pub(crate) fn check(source: &str, expected: &[Expectation]) -> Vec<Mistake> {
    let lines: Vec<&str> = source.lines().collect();
    let mut mistakes = Vec::new();
    for function in functions(source) {
        let lines_of_function = function.first_line..=function.last_line;
        let inside: Vec<&Expectation> =
            expected.iter().filter(|it| lines_of_function.contains(&it.line)).collect();
        let text = &lines[function.first_line as usize - 1..function.last_line as usize];
        let broken = promise(&function, &inside).or_else(|| reason(&function, text));
        mistakes.extend(broken.map(|message| Mistake {
            line: function.first_line,
            message: format!("`{}` {message}", function.name),
        }));
    }
    mistakes
}

/// What the expectations inside of the function lack.
fn promise(function: &NamedFunction<'_>, inside: &[&Expectation]) -> Option<&'static str> {
    let latent = inside.iter().filter(|it| it.verdict == Verdict::Latent).count();
    let certain = inside.len() - latent;
    match (function.gap, function.claim) {
        (None, Claim::Bad) if certain == 0 => Some("should expect an error that is not latent"),
        (None, Claim::Latent) if latent == 0 || certain > 0 => Some("should expect latent errors only"),
        (None, Claim::Ok) if !inside.is_empty() => Some("should expect nothing; or is it `FP_`?"),
        (Some(Gap::FalseNegative), Claim::Ok) => Some("has no error that could be missed"),
        (Some(Gap::FalseNegative), _) if !inside.is_empty() => {
            Some("should expect nothing while it is `FN_`")
        }
        (Some(Gap::FalsePositive), Claim::Ok) if inside.is_empty() => {
            Some("should expect the wrong finding while it is `FP_`")
        }
        (Some(Gap::FalsePositive), Claim::Bad | Claim::Latent) => {
            Some("has an error, so it is no false positive")
        }
        _ => None,
    }
}

fn reason(function: &NamedFunction<'_>, text: &[&str]) -> Option<&'static str> {
    let (mark, message) = match function.gap? {
        Gap::FalseNegative => ("// FN: ", "should say why, as `// FN: reason`"),
        Gap::FalsePositive => ("// FP: ", "should say why, as `// FP: reason`"),
    };
    let given = text.iter().any(|line| line.contains(mark));
    (!given).then_some(message)
}

/// The identifier in front of the first parenthesis, if the line may be the head of a function.
fn head(line: &str) -> Option<&str> {
    if !line.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        return None;
    }
    let (before, _) = line.split_once('(')?;
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    before.trim_end().rsplit(|letter| !is_part(letter)).next()
}

fn telling(name: &str) -> Option<(&str, Claim, Option<Gap>)> {
    let endings = [("_bad", Claim::Bad), ("_latent", Claim::Latent), ("_ok", Claim::Ok)];
    let (_, claim) = endings.into_iter().find(|(ending, _)| name.ends_with(ending))?;
    let starts = [("FN_", Gap::FalseNegative), ("FP_", Gap::FalsePositive)];
    let gap = starts.into_iter().find(|(start, _)| name.starts_with(start)).map(|(_, gap)| gap);
    Some((name, claim, gap))
}

/// The number of lines of the function that starts with the first one; `None` for a prototype.
fn length(lines: &[&str]) -> Option<u32> {
    let code = |line: &str| line.split("//").next().unwrap_or("").trim_end().to_owned();
    let first = code(lines[0]);
    if first.ends_with(';') {
        return None;
    }
    if first.ends_with('}') {
        return Some(1);
    }
    let end = lines.iter().position(|line| line.starts_with('}'))?;
    Some(end as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found() {
        let source = "void free(void *);\nint a_ok(int);\nstatic int *a_bad(int x)\n{\n    other_ok(x);\n}\n\
            void FN_b_latent(void) { x; } // FN: y\nvoid helper(void) { }\nint c_ok(void) {\n}\n";
        let found: Vec<(&str, u32, u32)> =
            functions(source).iter().map(|it| (it.name, it.first_line, it.last_line)).collect();
        assert_eq!(found, [("a_bad", 3, 6), ("FN_b_latent", 7, 7), ("c_ok", 9, 10)]);
    }

    const CERTAIN: Verdict = Verdict::Manifest;
    const LATENT: Verdict = Verdict::Latent;

    /// `verdicts` are those of the expectations on line 1.
    #[track_caller]
    fn check_promise(source: &str, verdicts: &[Verdict], message: Option<&str>) {
        let expectation = |verdict| Expectation { line: 1, verdict, ..Expectation::default() };
        let expected: Vec<Expectation> = verdicts.iter().copied().map(expectation).collect();
        let found: Vec<String> = check(source, &expected).into_iter().map(|it| it.message).collect();
        assert_eq!(found, Vec::from_iter(message));
    }

    #[test]
    fn names_keep_their_promises() {
        let bad = "int a_bad(void) { }";
        check_promise(bad, &[CERTAIN], None);
        check_promise(bad, &[Verdict::Doomed], None);
        check_promise(bad, &[CERTAIN, LATENT], None);
        check_promise(bad, &[LATENT], Some("`a_bad` should expect an error that is not latent"));
        let latent = "int a_latent(void) { }";
        check_promise(latent, &[LATENT], None);
        check_promise(latent, &[], Some("`a_latent` should expect latent errors only"));
        check_promise(latent, &[LATENT, CERTAIN], Some("`a_latent` should expect latent errors only"));
        let ok = "int a_ok(void) { }";
        check_promise(ok, &[], None);
        check_promise(ok, &[CERTAIN], Some("`a_ok` should expect nothing; or is it `FP_`?"));
    }

    #[test]
    fn gaps_are_what_they_say_and_have_a_reason() {
        let missed = "int FN_a_bad(void) { } // FN: loops";
        check_promise(missed, &[], None);
        check_promise(missed, &[CERTAIN], Some("`FN_a_bad` should expect nothing while it is `FN_`"));
        check_promise("int FN_a_bad(void) { }", &[], Some("`FN_a_bad` should say why, as `// FN: reason`"));
        check_promise(
            "int FN_a_ok(void) { } // FN: x",
            &[],
            Some("`FN_a_ok` has no error that could be missed"),
        );
        let wrong = "int FP_a_ok(void) { } // FP: arrays";
        check_promise(wrong, &[CERTAIN], None);
        check_promise(wrong, &[], Some("`FP_a_ok` should expect the wrong finding while it is `FP_`"));
        let message = "`FP_a_bad` has an error, so it is no false positive";
        check_promise("int FP_a_bad(void) { } // FP: x", &[CERTAIN], Some(message));
    }
}
